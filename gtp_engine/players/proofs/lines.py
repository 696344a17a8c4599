"""Proofs where rows are as long as the board: wins by threats, and proof numbers."""

from typing import NamedTuple, Optional

import numpy as np

from ...kernels.control import shared
from ...kernels.lines import proof
from ...kernels.lines.board import LineBoard
from ...kernels.lines.threats import ANY_NUMBER, forced_win


def threat_win(board: LineBoard, colour: int, nodes: int, threats: int = ANY_NUMBER) -> int:
    """The plies of a win by at most so many threats of `colour`, which is to move; 0 if at most so
    many nodes show none.  The board holds the threats and their answers afterwards."""
    shared(board.control).threat_nodes = nodes
    return int(forced_win(board, colour, threats))


class ProofResult(NamedTuple):
    """What proof numbers have found.

    won   does the attacker win?  None if that is not known
    best  the best move of the side to move, if it is known who wins
    """

    won: Optional[bool]
    best: int


class ProofSearch:
    """Proof numbers over a board, with a search for threats as the leaf.

    board         its table remembers what earlier calls of `prove` have found
    threat_nodes  nodes for each search for threats, 0: none is made
    width         quiet moves that an attacker tries where nothing forces it, 0: all
    """

    def __init__(self, board: LineBoard, threat_nodes: int, width: int = 0):
        self.board, self.threat_nodes = board, threat_nodes
        shared(board.control).attacker_width = width

    def prove(self, mover: int, attacker: int, nodes: int, stop: Optional[bytearray] = None
              ) -> ProofResult:
        """Search so many nodes more for a win of the attacker, with `mover` to move."""
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
        """Nodes of proof numbers and of the searches for threats, since the board was made."""
        control = shared(self.board.control)
        return int(control.nodes), int(control.threats)
