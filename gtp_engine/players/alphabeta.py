"""Alpha-beta: looks ahead by iterative deepening, with threats followed to their end."""

from typing import TYPE_CHECKING, Optional

from ..games import catalogue
from ..games.lattice import BLACK
from ..games.rules import Position
from . import Limits, Settings, alarm, candidates

if TYPE_CHECKING:
    from ..kernels.search import Search
    from .simulation import Simulator

DEFAULT_SECONDS = 1.0
NO_LIMIT = 1 << 60
TABLE_ENTRY = 16  # bytes
FOURS_AFTER_DEPTH = 3  # shorter wins are found by then
ROOT_FOURS, ROOT_FOUR_MOVES = 40, 200_000
WINDOW = 60  # half the width of the first window around the last score

# By shape from DEAD to FIVE: what each adds to the worth of a point when moves are ordered, and to
# the score for the side to move and for the other side; then the move, a captured stone, and lines
# with a capture for either side.
ORDER = (0, 1, 5, 16, 18, 80, 90, 1000, 5000)
WEIGHTS = (0, 1, 3, 9, 9, 45, 50, 400, 0,
           0, 1, 3, 8, 7, 30, 25, 180, 0,
           10, 60, 60, 40)


class AlphaBeta:
    """The best move of a search that goes one ply deeper until the time is over."""

    name = "alphabeta"

    def __init__(self, settings: Settings):
        self.settings = settings
        self._simulator: Optional["Simulator"] = None
        self._search: Optional["Search"] = None

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
        import numpy as np

        from ..kernels import search as kernel
        from .simulation import announce
        announce(kernel.search_root)
        simulator, search = self._prepared(position)
        board, geometry, numbers = simulator.board(position), simulator.geometry, search.numbers
        kernel.start(board, geometry, search)
        stop = np.frombuffer(limits.stop, np.uint8)
        colour = position.side - BLACK
        numbers[:] = 0
        numbers[kernel.BEST] = max(moves, key=lambda move: (
            search.worth[2 * move + colour] + search.worth[2 * move + 1 - colour], -move))
        kernel.search_root(board, geometry, search, stop, 0, 0, WINDOW, colour)  # loads it
        kernel.win_by_fours(board, geometry, search, 0, 0, colour)
        numbers[kernel.STOPPED] = 0
        numbers[kernel.NODE_LIMIT] = self.settings.nodes or NO_LIMIT
        seconds = limits.seconds
        if seconds is None:
            seconds = 1e6 if self.settings.nodes or self.settings.depth else DEFAULT_SECONDS
        if (not kernel.wins_at(board, geometry, search, colour, search.threats)
                and kernel.wins_at(board, geometry, search, 1 - colour, search.threats) == 1
                and not position.rules.capture_lengths):
            return int(search.threats[0])
        score, depth = 0, 1
        with alarm(limits.stop, seconds) as elapsed:
            while depth <= min(self.settings.depth or kernel.LONGEST, position.vacant):
                found = kernel.search_root(board, geometry, search, stop, depth, score, WINDOW,
                                           colour)
                if numbers[kernel.STOPPED]:
                    break
                score = found
                if abs(score) > kernel.WON and depth >= kernel.MATE - abs(score):
                    break
                if depth == FOURS_AFTER_DEPTH and score < kernel.WON:
                    numbers[kernel.VCF_LEFT] = ROOT_FOUR_MOVES
                    best = numbers[kernel.BEST]
                    if kernel.win_by_fours(board, geometry, search, ROOT_FOURS, 0, colour):
                        break
                    numbers[kernel.BEST] = best
                if elapsed() > 0.6 * seconds:
                    break
                depth += 1
        return int(numbers[kernel.BEST])

    def _prepared(self, position: Position) -> tuple["Simulator", "Search"]:
        from ..kernels import search as kernel
        from .simulation import Simulator
        rules, lattice = position.rules, position.lattice
        bits = (self.settings.memory * (1 << 20) // TABLE_ENTRY).bit_length() - 1
        known, search = self._simulator, self._search
        if (known is None or search is None or (known.rules, known.lattice) != (rules, lattice)
                or search.keys.size != 1 << bits):
            known = self._simulator = Simulator(rules, lattice)
            search = self._search = kernel.make_search(
                known.geometry, ORDER, WEIGHTS, bits, not rules.overline_wins)
        return known, search


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
