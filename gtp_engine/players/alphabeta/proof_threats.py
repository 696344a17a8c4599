"""Wins by threats for which a proof of Gomoku has no moves: they are searched again.

The search is that of `refute` in solvers/gomoku/questions.py, which wrote most proofs.  It starts
from the position of the file, without stored results.  So the wins take the plies of the proof.
tuning/larger_board.py wrote that of 20x20 by another search, whose wins this one sometimes misses.
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

    def line(self, proof: GomokuProof, position: Position, late: bool = False
             ) -> tuple[tuple[int, ...], int]:
        """The winning moves with Black to move and the longest defence, and their most plies.

        Empty, and 0, if the game did not follow the proof, or the search finds no win.  A win that
        takes longer than in the proof counts only with `late`.
        """
        threat = proof.threat(position)
        whole = threat and self._after_answer(threat)
        if not threat or not whole or not late and 0 < threat.plies < whole.plies():
            return (), 0
        tree = _after(whole, threat.later)
        if not tree:
            return (), 0
        return tuple(map(threat.image.index, tree.line())), tree.plies()

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


def _after(tree: Optional[WinTree], moves: tuple[int, ...]) -> Optional[WinTree]:
    # The tree after these moves, or None if they leave it.
    for move, answer in zip(moves[::2], moves[1::2]):
        if tree is None or tree.move != move:
            return None
        tree = tree.answers.get(answer, tree.other)
    return tree


@lru_cache(maxsize=None)
def zones(lattice: Lattice, closed: bool) -> Zones:
    """The zones of a lattice; `closed` as in Zones."""
    return Zones(lattice, closed)
