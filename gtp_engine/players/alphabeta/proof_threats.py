"""Wins by threats for which a proof of Gomoku has no moves: they are searched again.

The search is that of `refute` in solvers/gomoku/questions.py, which wrote the proof.  It starts
from the position of the file, without stored results.  So the wins take the plies of the proof.
"""

from functools import lru_cache
from typing import Optional

from ...games.lattice import BLACK, WHITE, Lattice
from ...games.rules import Position
from ..base import Settings
from ..proofs.gomoku import GomokuProof, Threat
from ..proofs.win_trees import WinTree, Zones
from .threat_search import CHECK_NODES, ThreatSearch


class ProofThreats:
    """Searches for these wins, and stores the last one."""

    def __init__(self) -> None:
        self.search = ThreatSearch(Settings(memory=1))
        self._last: tuple[str, bytes, int, Optional[WinTree]] = "", b"", 0, None

    def line(self, proof: GomokuProof, position: Position) -> tuple[tuple[int, ...], int]:
        """The winning moves with Black to move and the longest defence, and their most plies.

        Empty, and 0, if the game did not follow the proof.
        """
        threat = proof.threat(position)
        tree = threat and self._tree(threat)
        if not threat or not tree:
            return (), 0
        return tuple(map(threat.image.index, tree.line())), tree.plies()

    def _tree(self, threat: Threat) -> Optional[WinTree]:
        # The tree that wins the current position.
        tree = self._after_answer(threat)
        for move, answer in zip(threat.later[::2], threat.later[1::2]):
            if tree is None or tree.move != move:
                return None
            tree = tree.answers.get(answer, tree.other)
        return tree

    def _after_answer(self, threat: Threat) -> Optional[WinTree]:
        # The tree that wins after the answer.
        key = threat.before.rules.name, bytes(threat.before.cells), threat.answer
        if key != self._last[:3]:
            self._last = *key, self._search_win(threat)
        return self._last[3]

    def _search_win(self, threat: Threat) -> Optional[WinTree]:
        before, plies = threat.before, threat.plies
        other = self.search.win(before, CHECK_NODES, plies) if threat.zone else None
        if other and threat.answer not in zones(before.lattice, before.rules.caro).zone(
                other.reach, before.cells, BLACK):
            return other.tree
        won = self.search.win_after(threat.answer, CHECK_NODES, plies) if other else None
        if not won:
            position = before.copy()
            position.set_side(WHITE)
            position.play(WHITE, threat.answer)
            won = self.search.win(position, CHECK_NODES, plies)
        return won.tree if won else None


@lru_cache(maxsize=None)
def zones(lattice: Lattice, closed: bool) -> Zones:
    """The zones of a lattice; `closed` as in Zones."""
    return Zones(lattice, closed)
