"""Engines: players that choose moves, analyse positions, prove results and review games."""

from collections import deque
from threading import Lock
from typing import Any, Iterable, NamedTuple, Optional

from ..games.lattice import EMPTY
from ..games.tree import tree_of
from ..learn.analysis import Effort, analysis_of
from ..learn.review import move_data, review
from ..players.base import Limits, Player, Report
from ..players.options import OPTIONS, settings_of
from ..players.registry import make_player
from ..solvers.solve import load_proof, solve
from ..wire.notation import COLOUR_NAMES
from .game import Game


class Line(NamedTuple):
    """A move with what an engine makes of it.

    value  for the side to move, from -1 (lost) over 0 (even) to 1 (won)
    moves  the principal variation, the move itself first
    plies  until the end of the game if the result is proved, else None
    """

    move: str
    value: float
    moves: list[str]
    plies: Optional[int] = None


class Solution(NamedTuple):
    """The result with perfect play.

    result  "black", "white", "draw" or "unknown"
    move    a move of the side to move that brings it about, if one is known
    """

    result: str
    move: Optional[str]


class ReviewedMove(NamedTuple):
    """A move of a game with what a review makes of it.

    kind          best, good, inaccuracy, mistake, blunder, missed win, allowed win, slower win,
                  slower loss or lost already
    value_before  of the position before it for the side that moves, from -1 (lost) to 1 (won)
    value_after   of the position after it, for the same side
    better        the move that would have been better, None if there was none
    line          the principal variation before the move
    refutation    the reply of the other side to a move that cost something
    plies         length of the proof that decides the class, None if nothing is proved
    """

    ply: int
    colour: str
    point: str
    kind: str
    value_before: float
    value_after: float
    better: Optional[str]
    line: list[str]
    refutation: list[str]
    plies: Optional[int]


class InTurn:
    """A lock that threads get in the order in which they have asked for it."""

    def __init__(self) -> None:
        self._waiting: deque[Lock] = deque()
        self._guard = Lock()

    def __enter__(self) -> None:
        turn = Lock()
        turn.acquire()
        with self._guard:
            self._waiting.append(turn)
            if self._waiting[0] is turn:
                return
        try:
            turn.acquire()
        except BaseException:  # interrupted while it waited
            with self._guard:
                self._leave(turn)
            raise

    def __exit__(self, *error: object) -> None:
        with self._guard:
            self._leave(self._waiting[0])

    def _leave(self, turn: Lock) -> None:
        was_first = self._waiting[0] is turn
        self._waiting.remove(turn)
        if was_first and self._waiting:
            self._waiting[0].release()

    def __reduce__(self) -> tuple[Any, ...]:
        return InTurn, ()  # a copy has no waiting threads


class Engine:
    """A player that chooses moves and analyses positions.

    In a game it keeps the results of earlier searches.  Each analysis begins anew, so that its
    values depend on the seed alone.  Several threads may ask one engine:
    it answers one call at a time, in the order in which they came.  Different engines work side by
    side, also on the same game.
    """

    def __init__(self, player: str = "alphabeta", time: Optional[float] = None, **options: Any):
        """A player of that name: random, flat or alphabeta.

        time     seconds for a move
        options  as on the command line: seed, level, nodes, depth, memory, threads,
                 policy, simulations

        Raises ValueError for a player, an option or a value that does not exist.
        """
        values = {}
        for name, value in {"time": time, **options}.items():
            if value is not None:
                values[name] = self._option(player, name).read(str(value))
        self.time = values.pop("time", None)
        self._options = values
        self.player: Player = make_player(player, settings_of(values))
        self._turn = InTurn()

    def _option(self, player: str, name: str) -> Any:
        names = [each for each, option in OPTIONS.items()
                 if each != "player" and (not option.players or player in option.players)]
        if name not in names:
            raise ValueError(f"{player} has no option {name} (available: {' '.join(names)})")
        return OPTIONS[name]

    def choose(self, game: Game) -> str:
        """A legal move for the side to move; the game is unchanged.  Raises ValueError at its end.
        """
        with self._turn:
            return game.text(self.player.choose(game.position.copy(), self._limits()))

    def analyse(self, game: Game, lines: int = 1) -> list[Line]:
        """The best moves of a position, at most `lines` of them, the best one first.

        Raises ValueError if the game is over.
        """
        if game.outcome:
            raise ValueError("there is nothing to analyse: the game is over")
        with self._turn:
            player = make_player(self.player.name, settings_of(self._options))
            look = player.choose if lines == 1 else player.evaluate_moves
            look(game.position.copy(), self._limits())
            report = player.report
        ranked = sorted(report.values, key=lambda move: (
            move != report.line[0], -report.values[move], -report.playouts.get(move, 0), move))
        return [Line(game.text(move), report.values[move],
                     [game.text(point) for point in expected(report, move)], plies(report, move))
                for move in ranked[:lines]]

    def solve(self, game: Game, seconds: float = 10.0) -> Solution:
        """The proved result of a position, "unknown" without a proof within `seconds`."""
        with self._turn:
            load_proof(game.position.rules)
            value = solve(game.position.copy(), self.player.settings,
                          Limits(bytearray(2), seconds))
        if value.winner is None:
            return Solution("unknown", None)
        result = "draw" if value.winner == EMPTY else COLOUR_NAMES[value.winner]
        return Solution(result, game.text(value.move) if value.move else None)

    def review(self, game: Game) -> list[ReviewedMove]:
        """What alphabeta makes of the moves of a game, with this engine's time or nodes for each
        position; the game is unchanged.

        Raises ValueError if the engine is another player, or if there is no move.
        """
        if self.player.name != "alphabeta":
            raise ValueError(f"{self.player.name} cannot review a game (available: alphabeta)")
        settings = self.player.settings
        effort = Effort(self.time, settings.nodes, settings.memory, settings.seed)
        with self._turn:
            found = review(tree_of(game.position.copy()), effort,
                           lambda tasks: [analysis_of(task) for task in tasks])
        moves = [move_data(move, found.names().name) for move in found.moves]
        return [ReviewedMove(kind=move["class"], **{
            name: move[name] for name in ReviewedMove._fields if name != "kind"})
            for move in moves]

    def _limits(self) -> Limits:
        return Limits(bytearray(2), self.time)


def expected(report: Report, move: int) -> Iterable[int]:
    """The line that begins with a move."""
    return report.line if move == report.line[0] else report.lines.get(move, (move,))


def plies(report: Report, move: int) -> Optional[int]:
    """The plies until the end after a move, None if nothing is proved of it."""
    if move != report.line[0] or abs(report.values[move]) < 1:
        return None
    return report.figures.get("plies to win", report.figures.get("plies to loss"))
