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
    """A move with its analysis.

    value  the value for the side to move, from -1 (lost) over 0 (even) to 1 (won)
    moves  the principal variation, the move itself first
    plies  number of plies to the end of the game if the result is proved, else None
    """

    move: str
    value: float
    moves: list[str]
    plies: Optional[int] = None


class Solution(NamedTuple):
    """The result with perfect play.

    result  "black", "white", "draw" or "unknown"
    move    a move of the side to move that reaches this result, or None
    """

    result: str
    move: Optional[str]


class ReviewedMove(NamedTuple):
    """A move of a game with its review.

    kind          best, good, inaccuracy, mistake, blunder, missed win, allowed win, slower win,
                  slower loss or lost already
    value_before  value before the move for the side that moves, from -1 (lost) to 1 (won)
    value_after   value after the move, for the same side
    better        a better move, None if there is none
    line          the principal variation before the move
    refutation    the line that refutes a bad move
    plies         length of the proof behind the kind, None without a proof
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


class FairLock:
    """A lock that threads acquire in the order of their requests."""

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
        except BaseException:  # an interrupt during the wait
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
        return FairLock, ()  # a copy has no waiting threads


class Engine:
    """A player that chooses moves and analyses positions.

    `choose` reuses the results of earlier searches.  Each analysis begins anew, so its values
    depend on the seed alone.  Threads may share an engine: it executes one call at a time, in the
    order of the calls.  Different engines run in parallel, also on the same game.
    """

    def __init__(self, player: str = "alphabeta", time: Optional[float] = None, **options: Any):
        """Create an engine.

        player   random, flat or alphabeta
        time     seconds for a move
        options  options of the command line: seed, level, nodes, depth, memory, threads, policy,
                 simulations

        Raises ValueError for an unknown player or option, or an invalid value.
        """
        values = {}
        for name, value in {"time": time, **options}.items():
            if value is not None:
                values[name] = self._option(player, name).read(str(value))
        self.time = values.pop("time", None)
        self._options = values
        self.player: Player = make_player(player, settings_of(values))
        self._turn = FairLock()

    def _option(self, player: str, name: str) -> Any:
        names = [each for each, option in OPTIONS.items()
                 if each != "player" and (not option.players or player in option.players)]
        if name not in names:
            raise ValueError(f"{player} has no option {name} (available: {' '.join(names)})")
        return OPTIONS[name]

    def choose(self, game: Game) -> str:
        """Choose a move for the side to move; the game is unchanged.

        Raises ValueError if the game is over.
        """
        with self._turn:
            return game.text(self.player.choose(game.position.copy(), self._limits()))

    def analyse(self, game: Game, lines: int = 1) -> list[Line]:
        """Return the best moves of a position, at most `lines` of them, the best one first.

        Raises ValueError if the game is over.
        """
        if game.outcome:
            raise ValueError("cannot analyse: the game is over")
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
        """Return the proved result of a position; "unknown" without a proof within `seconds`."""
        with self._turn:
            load_proof(game.position.rules)
            value = solve(game.position.copy(), self.player.settings,
                          Limits(bytearray(2), seconds))
        if value.winner is None:
            return Solution("unknown", None)
        result = "draw" if value.winner == EMPTY else COLOUR_NAMES[value.winner]
        return Solution(result, game.text(value.move) if value.move else None)

    def review(self, game: Game) -> list[ReviewedMove]:
        """Review the moves of a game; the game is unchanged.

        Searches each position with this engine's time or nodes.  Raises ValueError if the player is
        not alphabeta, or if the game has no moves.
        """
        if self.player.name != "alphabeta":
            raise ValueError(f"{self.player.name} cannot review a game (available: alphabeta)")
        settings = self.player.settings
        effort = Effort(self.time, settings.nodes, settings.memory, settings.seed)
        with self._turn:
            result = review(tree_of(game.position.copy()), effort,
                            lambda tasks: [analysis_of(task) for task in tasks])
        moves = [move_data(move, result.names().name) for move in result.moves]
        return [ReviewedMove(kind=move["class"], **{
            name: move[name] for name in ReviewedMove._fields if name != "kind"})
            for move in moves]

    def _limits(self) -> Limits:
        return Limits(bytearray(2), self.time)


def expected(report: Report, move: int) -> Iterable[int]:
    """Return the line that begins with a move."""
    return report.line if move == report.line[0] else report.lines.get(move, (move,))


def plies(report: Report, move: int) -> Optional[int]:
    """Return the plies from a move to the end of the game, None without a proof."""
    if move != report.line[0] or abs(report.values[move]) < 1:
        return None
    return report.figures.get("plies to win", report.figures.get("plies to loss"))
