"""What alpha-beta searches in the plane, where five in a row win."""

from math import copysign, tanh
from typing import TYPE_CHECKING, Iterable, Optional

from ..games.lattice import BLACK
from ..games.rules import Position
from . import Settings, candidates
from .weighing import SURE

if TYPE_CHECKING:
    import numpy as np

    from ..kernels.board import Geometry
    from ..kernels.node import Search
    from .weights import Weights

TABLE_ENTRY = 16  # bytes
WINDOW = 60  # half the width of the first window around the last score
THREATS_FROM_DEPTH = 4  # what is won by fewer plies is found without a search for threats
ROOT_FOURS = 40
LONGEST_LINE = 32  # moves that are told
THREAT_SHARE = 4  # the search for threats makes at most one in so many moves


class PlaneSearch:
    """A position of Gomoku or Pente that is searched, one depth after the other.

    The features named in `off`, of kernels.node.FEATURES, are not used.  Without `weights` they
    are those that belong to the game.
    """

    numbers: "np.ndarray"  # as in kernels.node.Search

    def __init__(self, settings: Settings, off: Iterable[str] = (),
                 weights: Optional["Weights"] = None):
        self.settings = settings
        self.off = tuple(off)
        self.weights = weights
        self._known: tuple = ()
        self._geometry: Optional["Geometry"] = None
        self.search: Optional["Search"] = None

    def begin(self, position: Position, stop: bytearray) -> Optional[int]:
        """Get ready to search a position with more than one legal move.

        The kernels are loaded, and numbers[BEST] is the move that looks best.  Returns the only
        move that does not lose at once, if it is the only one.
        """
        from ..kernels import node, threats
        from ..kernels.search import follow, search_root
        from .boards import announce
        announce(search_root)
        self.show(position, stop)
        arrays, colour, numbers = self._arrays, self._colour, self.numbers
        board, geometry, search, _ = arrays
        numbers[node.BEST] = best = self.order(candidates(position))[0]
        search_root(*arrays, 0, 0, WINDOW, colour)  # loads it
        threats.win_by_threats(*arrays, 0, 0, colour)
        follow(board, geometry, search, colour, self._line[:0])
        numbers[node.BEST], numbers[node.STOPPED] = best, 0
        if (not threats.wins_at(board, geometry, search, colour, search.threats)
                and threats.wins_at(board, geometry, search, 1 - colour, search.threats) == 1
                and not (position.rules.capture_lengths or position.rules.caro)):
            return int(search.threats[0])
        return None

    def show(self, position: Position, stop: bytearray) -> None:
        """Search this position from now on."""
        import numpy as np

        from ..kernels import node
        from .boards import board_of
        geometry, search = self._prepared(position)
        board, self.numbers, self._colour = (
            board_of(geometry, position), search.numbers, position.side - BLACK)
        self._arrays = board, geometry, search, np.frombuffer(stop, np.uint8)
        self._line = np.zeros(LONGEST_LINE, np.int64)
        node.start(board, geometry, search)
        self.numbers[:node.AGE] = 0
        self.numbers[node.OFF] = sum(1 << node.FEATURES.index(name) for name in self.off)

    def order(self, moves: list[int]) -> list[int]:
        """The moves, the one that looks best first."""
        from ..kernels.search import rank
        board, geometry, search, _ = self._arrays
        return sorted(moves, key=lambda move: (
            -rank(board, geometry, search, 0, self._colour, move), move))

    def look(self, depth: int, score: int) -> int:
        """Search to that depth, first in a window around `score`, and then for threats that win.

        Returns the new score; numbers[BEST] is the move that goes with it.
        """
        from ..kernels import node
        from ..kernels.search import search_root
        numbers, colour = self.numbers, self._colour
        score = search_root(*self._arrays, depth, score, WINDOW, colour)
        if depth >= THREATS_FROM_DEPTH and abs(score) < node.WON and not numbers[node.STOPPED]:
            best = numbers[node.BEST]
            numbers[node.THREAT_NODES] = numbers[node.NODES] // THREAT_SHARE
            end = self._wins_by_threats(depth)
            if end:
                return node.MATE - end
            numbers[node.BEST] = best
        return score

    def line(self) -> list[int]:
        """numbers[BEST] and the moves after it, as far as the transposition table has them."""
        from ..kernels.search import follow
        board, geometry, search, _ = self._arrays
        return self._line[:follow(board, geometry, search, self._colour, self._line)].tolist()

    def value(self, score: int) -> float:
        """What a score is worth, from -1 to 1: the expected result."""
        from ..kernels.node import WON
        from .weights import UNIT
        return copysign(1, score) if abs(score) > WON else SURE * tanh(score / (2 * UNIT))

    def _wins_by_threats(self, depth: int) -> int:
        from ..kernels import threats
        if "threats" in self.off:
            return 0
        if depth == THREATS_FROM_DEPTH:
            return threats.win_by_fours(*self._arrays, ROOT_FOURS, 0, self._colour)
        return threats.win_by_threats(
            *self._arrays, depth - THREATS_FROM_DEPTH, 0, self._colour)

    def _prepared(self, position: Position) -> tuple["Geometry", "Search"]:
        from ..kernels import node
        from .boards import geometry_of
        from .weights import load
        rules, lattice = position.rules, position.lattice
        known = rules, lattice, self.settings.memory
        if self.search is None or self._geometry is None or self._known != known:
            bits = (self.settings.memory * (1 << 20) // TABLE_ENTRY).bit_length() - 1
            geometry = geometry_of(rules, lattice)
            self.search = node.make_search(geometry, self.weights or load(rules), bits,
                                           not rules.overline_wins)
            self._known, self._geometry = known, geometry
        return self._geometry, self.search
