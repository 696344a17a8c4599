"""Alpha-beta: looks ahead by iterative deepening, with threats followed to their end."""

from typing import TYPE_CHECKING, Iterable, Optional

from ..games import catalogue
from ..games.lattice import BLACK
from ..games.rules import Position
from . import Limits, Settings, alarm, candidates

if TYPE_CHECKING:
    from ..kernels.board import Geometry
    from ..kernels.node import Search
    from .weights import Weights

DEFAULT_SECONDS = 1.0
NO_LIMIT = 1 << 60
TABLE_ENTRY = 16  # bytes
WINDOW = 60  # half the width of the first window around the last score
THREATS_FROM_DEPTH = 4  # what is won by fewer plies is found without a search for threats
ROOT_FOURS = 40
THREAT_SHARE = 4  # the search for threats makes at most one in so many moves


class AlphaBeta:
    """The best move of a search that goes one ply deeper until the time is over.

    The features named in `off`, of kernels.node.FEATURES, are not used.  Without `weights` they
    are those that belong to the game.
    """

    name = "alphabeta"

    def __init__(self, settings: Settings, off: Iterable[str] = (),
                 weights: Optional["Weights"] = None):
        self.settings = settings
        self.off = tuple(off)
        self.weights = weights
        self._known: tuple = ()
        self._geometry: Optional["Geometry"] = None
        self.search: Optional["Search"] = None

    def choose(self, position: Position, limits: Limits) -> int:
        """A legal point for the side to move; the position is unchanged.

        A won position is won by the shortest way found.  Interrupted or out of time, the player
        answers with the best move so far.
        """
        moves = candidates(position)
        if len(moves) == 1:
            return moves[0]
        if position.vacant == len(position.lattice.points):
            return self.settings.rng.choice(near_the_centre(position))
        from ..kernels import node, threats
        arrays, colour = self.begin(position, limits.stop)
        board, geometry, search, _ = arrays
        numbers = search.numbers
        if (not threats.wins_at(board, geometry, search, colour, search.threats)
                and threats.wins_at(board, geometry, search, 1 - colour, search.threats) == 1
                and not position.rules.capture_lengths):
            return int(search.threats[0])
        seconds = limits.seconds
        if seconds is None:
            seconds = 1e6 if self.settings.nodes or self.settings.depth else DEFAULT_SECONDS
        deepest = min(self.settings.depth or node.LONGEST, position.vacant)
        numbers[node.NODE_LIMIT] = self.settings.nodes or NO_LIMIT
        score, depth = 0, 1
        with alarm(limits.stop, seconds):
            while depth <= deepest and not numbers[node.STOPPED]:
                score = self.look(arrays, depth, score, colour)
                if abs(score) > node.WON and depth >= node.MATE - abs(score):
                    break
                depth += 1
        return int(numbers[node.BEST])

    def begin(self, position: Position, stop: bytearray) -> tuple[tuple, int]:
        """Get ready to search a position with more than one legal move.

        Returns the first arguments of the kernels, and the colour to move as they count it; the
        kernels are loaded, and numbers[BEST] is the move that looks best.
        """
        import numpy as np

        from ..kernels import node, threats
        from ..kernels.search import rank, search_root
        from .boards import announce, board_of
        announce(search_root)
        geometry, search = self._prepared(position)
        board, numbers, colour = board_of(geometry, position), search.numbers, position.side - BLACK
        arrays = board, geometry, search, np.frombuffer(stop, np.uint8)
        node.start(board, geometry, search)
        numbers[:node.AGE] = 0
        numbers[node.BEST] = best = max(position.legal_moves(), key=lambda move: (
            rank(board, geometry, search, 0, colour, move), -move))
        search_root(*arrays, 0, 0, WINDOW, colour)  # loads it
        threats.win_by_threats(*arrays, 0, 0, colour)
        numbers[node.BEST], numbers[node.STOPPED] = best, 0
        numbers[node.OFF] = sum(1 << node.FEATURES.index(name) for name in self.off)
        return arrays, colour

    def look(self, arrays: tuple, depth: int, score: int, colour: int) -> int:
        """Search to that depth, first in a window around `score`, and then for threats that win.

        Returns the new score; numbers[BEST] is the move that goes with it.
        """
        from ..kernels import node
        from ..kernels.search import search_root
        numbers = arrays[2].numbers
        score = search_root(*arrays, depth, score, WINDOW, colour)
        if depth >= THREATS_FROM_DEPTH and abs(score) < node.WON and not numbers[node.STOPPED]:
            best = numbers[node.BEST]
            numbers[node.THREAT_NODES] = numbers[node.NODES] // THREAT_SHARE
            end = self._wins_by_threats(arrays, depth, colour)
            if end:
                return node.MATE - end
            numbers[node.BEST] = best
        return score

    def _wins_by_threats(self, arrays: tuple, depth: int, colour: int) -> int:
        from ..kernels import threats
        if "threats" in self.off:
            return 0
        if depth == THREATS_FROM_DEPTH:
            return threats.win_by_fours(*arrays, ROOT_FOURS, 0, colour)
        return threats.win_by_threats(*arrays, depth - THREATS_FROM_DEPTH, 0, colour)

    def _prepared(self, position: Position) -> tuple["Geometry", "Search"]:
        from ..kernels import node
        from .boards import geometry_of
        from .weights import load
        rules, lattice = position.rules, position.lattice
        known = rules, lattice, self.settings.memory
        if self.search is None or self._geometry is None or self._known != known:
            bits = (self.settings.memory * (1 << 20) // TABLE_ENTRY).bit_length() - 1
            self._known = known
            self._geometry = geometry_of(rules, lattice)
            self.search = node.make_search(self._geometry, self.weights or load(rules), bits,
                                           not rules.overline_wins)
        return self._geometry, self.search


def load_search() -> None:
    """Load every kernel of the search, compiled now if it is not in the cache."""
    position = catalogue.start(catalogue.GOMOKU, 7)
    position.play(BLACK, position.lattice.points[0])
    AlphaBeta(Settings(memory=1, depth=1)).choose(position, Limits(bytearray(1)))


def near_the_centre(position: Position) -> list[int]:
    """The legal points at most one step from the middle of the board, in point order."""
    lattice = position.lattice
    middle = [lattice.coordinates(point) for point in lattice.middle()]
    return [point for point in candidates(position)
            if any(max(abs(a - b) for a, b in zip(lattice.coordinates(point), near)) <= 1
                   for near in middle)]
