"""Proofs on boards as long as a row: wins by threats, and proof-number search."""

from typing import NamedTuple, Optional

import numpy as np

from ...kernels.control import shared
from ...kernels.lines import proof
from ...kernels.lines.board import LineBoard
from ...kernels.lines.threats import ANY_NUMBER, forced_win


def threat_win(board: LineBoard, colour: int, nodes: int, threats: int = ANY_NUMBER) -> int:
    """Search `nodes` nodes for a win of `colour`, the side to move, by at most `threats` threats.

    Returns its plies, or 0.  The board holds the threats and their answers afterwards.
    """
    shared(board.control).threat_nodes = nodes
    return int(forced_win(board, colour, threats))


class ProofResult(NamedTuple):
    """The result of a proof-number search.

    won   does the attacker win?  None if undecided
    best  the best move of the side to move, if decided
    """

    won: Optional[bool]
    best: int


class ProofSearch:
    """Proof-number search on a board, with threat searches at the leaves.

    board         its table stores results between calls of `prove`
    threat_nodes  nodes of each threat search; 0: no threat searches
    width         unforced moves that an attacker tries; 0: all
    """

    def __init__(self, board: LineBoard, threat_nodes: int, width: int = 0):
        self.board, self.threat_nodes = board, threat_nodes
        shared(board.control).attacker_width = width

    def prove(self, mover: int, attacker: int, nodes: int, stop: Optional[bytearray] = None
              ) -> ProofResult:
        """Search `nodes` more nodes for a win of the attacker, with `mover` to move."""
        control = shared(self.board.control)
        control.node_limit, control.stopped = control.nodes + nodes, 0
        control.threat_nodes = self.threat_nodes
        proof.prove(self.board, np.frombuffer(stop or bytearray(2), np.uint8), mover, attacker, 0,
                    proof.INFINITE, proof.INFINITE)
        won = None
        if control.phi == 0 or control.delta == 0:
            won = bool(control.phi == 0) == (attacker == mover)
        return ProofResult(won, int(control.best))

    def nodes(self) -> tuple[int, int]:
        """The nodes of proof-number and of threat searches since the board was created."""
        control = shared(self.board.control)
        return int(control.nodes), int(control.threats)
