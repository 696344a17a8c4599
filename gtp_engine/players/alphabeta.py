"""Alpha-beta: looks ahead by iterative deepening, with threats followed to their end."""

from typing import TYPE_CHECKING, Iterable, Optional, Union

from ..games import catalogue
from ..games.lattice import BLACK
from ..games.rules import Position, Rules
from . import Limits, Settings, alarm, candidates, swap_of
from .plane import PlaneSearch
from .spanning import SpanningSearch

if TYPE_CHECKING:
    from .weights import Weights

DEFAULT_SECONDS = 1.0
NO_LIMIT = 1 << 60


class AlphaBeta:
    """The best move of a search that goes one ply deeper until the time is over.

    The features named in `off`, of kernels.node.FEATURES, are not used in the plane, `strategy` not
    in the cube.  Without `weights` they are those that belong to the game.
    """

    name = "alphabeta"

    def __init__(self, settings: Settings, off: Iterable[str] = (),
                 weights: Optional["Weights"] = None):
        self.settings = settings
        self.plane = PlaneSearch(settings, off, weights)
        self.spanning = SpanningSearch(settings, "strategy" not in off)

    def choose(self, position: Position, limits: Limits) -> int:
        """A legal point for the side to move; the position is unchanged.

        A won position is won by the shortest way found.  Interrupted or out of time, the player
        answers with the best move so far.  A stone that may be taken is, if the score is below 0.
        """
        moves = candidates(position)
        if len(moves) == 1:
            return moves[0]
        search = self.search_of(position)
        if search is self.plane and position.vacant == len(position.lattice.points):
            return self.settings.rng.choice(near_the_centre(position))
        move = search.begin(position, limits.stop)
        if move is not None:
            return move
        from ..kernels import node
        numbers, seconds = search.numbers, limits.seconds
        if seconds is None:
            seconds = 1e6 if self.settings.nodes or self.settings.depth else DEFAULT_SECONDS
        deepest = min(self.settings.depth or node.LONGEST, position.vacant)
        numbers[node.NODE_LIMIT] = self.settings.nodes or NO_LIMIT
        score, depth = 0, 1
        with alarm(limits.stop, seconds):
            while depth <= deepest and not numbers[node.STOPPED]:
                score = search.look(depth, score)
                if abs(score) > node.WON and depth >= node.MATE - abs(score):
                    break
                depth += 1
        swap = swap_of(position)
        return swap if swap and score < 0 else int(numbers[node.BEST])

    def search_of(self, position: Position) -> Union[PlaneSearch, SpanningSearch]:
        """What searches positions of this game."""
        return self.spanning if position.rules.spans() else self.plane


def load_search(games: Iterable[Rules] = (catalogue.GOMOKU, catalogue.TIC_TAC_TOE)) -> None:
    """Load every kernel of the search in these games, compiled now if it is not in the cache."""
    for rules in games:
        position = catalogue.start(rules, rules.default_size)
        position.play(BLACK, position.lattice.points[0])
        AlphaBeta(Settings(memory=1, depth=1)).choose(position, Limits(bytearray(1)))


def near_the_centre(position: Position) -> list[int]:
    """The legal points at most one step from the middle of the board, in point order."""
    lattice = position.lattice
    middle = [lattice.coordinates(point) for point in lattice.middle()]
    return [point for point in candidates(position)
            if any(max(abs(a - b) for a, b in zip(lattice.coordinates(point), near)) <= 1
                   for near in middle)]
