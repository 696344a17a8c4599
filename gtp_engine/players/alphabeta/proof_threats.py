"""The wins by threats for which the proof of Gomoku has no moves, found again and followed.

They are looked for as the proof was written down, `refute` in solvers/gomoku_questions: in the
position as the file shows it, with nothing remembered.  So they take the plies of the proof.
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
    """Finds them by its search, and remembers the last one."""

    def __init__(self) -> None:
        self.search = ThreatSearch(Settings(memory=1))
        self._known: tuple[bytes, int, Optional[WinTree]] = b"", 0, None

    def line(self, proof: GomokuProof, position: Position) -> tuple[tuple[int, ...], int]:
        """The moves that win a position with Black to move, White holding out as long as it can,
        and the plies they take at most; none, and 0, if the game has not come here by the proof.
        """
        threat = proof.threat(position)
        tree = threat and self._tree(threat)
        if not threat or not tree:
            return (), 0
        return tuple(map(threat.image.index, tree.line())), tree.plies()

    def _tree(self, threat: Threat) -> Optional[WinTree]:
        # What wins now.
        tree = self._first(threat)
        for move, answer in zip(threat.later[::2], threat.later[1::2]):
            if tree is None or tree.move != move:
                return None
            tree = tree.answers.get(answer, tree.other)
        return tree

    def _first(self, threat: Threat) -> Optional[WinTree]:
        # What wins after the answer.
        key = bytes(threat.before.cells), threat.answer
        if key != self._known[:2]:
            self._known = *key, self._found(threat)
        return self._known[2]

    def _found(self, threat: Threat) -> Optional[WinTree]:
        before = threat.before
        other = self.search.win(before, CHECK_NODES) if threat.zone else None
        if other and threat.answer not in zones(before.lattice).zone(
                other[1], before.cells, BLACK):
            return other[0]
        position = before.copy()
        position.set_side(WHITE)
        position.play(WHITE, threat.answer)
        won = self.search.win(position, CHECK_NODES)
        return won[0] if won else None


@lru_cache(maxsize=1)
def zones(lattice: Lattice) -> Zones:
    """Those of a lattice."""
    return Zones(lattice)
