"""What alpha-beta finds out about single positions, each by a search of its own.

No search knows anything of another one, so that the findings do not depend on their order or on how
many processes share the work.
"""

from typing import NamedTuple, Optional

from ..games.lattice import EMPTY
from ..games.rules import Position, Rules
from ..players.alphabeta.move_values import by_endurance, plies_of
from ..players.alphabeta.player import AlphaBeta
from ..players.alphabeta.weights import STRATEGY, Tuning
from ..players.base import Limits, Report, Settings, candidates, with_swap
from ..players.options import settings_of


class Effort(NamedTuple):
    """How much is done for a position: seconds and nodes at most (None: no limit), MB of a table,
    and the seed of all randomness."""

    seconds: Optional[float] = None
    nodes: Optional[int] = None
    memory: int = Settings.memory
    seed: Optional[int] = None

    def times(self, factor: int) -> "Effort":
        """So many times the effort."""
        return self._replace(seconds=self.seconds and factor * self.seconds,
                             nodes=self.nodes and factor * self.nodes)


class Task(NamedTuple):
    """A position to be analysed with some effort; `without` is a move that is left out, if any."""

    position: Position
    effort: Effort
    without: Optional[int] = None


class Analysis(NamedTuple):
    """What is known about a position, for one of the sides.

    value  -1 lost, 0 even, 1 won, both ends only if that is proved; None if nothing was searched
    line   the moves that are expected, the best one first
    plies  until the end of the game, if the result is proved
    """

    value: Optional[float]
    line: tuple[int, ...] = ()
    plies: Optional[int] = None

    @property
    def won(self) -> bool:
        """Is a win proved?"""
        return self.value == 1

    @property
    def lost(self) -> bool:
        """Is a loss proved?"""
        return self.value == -1

    def before(self, move: int) -> "Analysis":
        """The same for whoever has just made that move."""
        return Analysis(None if self.value is None else -self.value, (move, *self.line),
                        None if self.plies is None else self.plies + 1)


def analysis_of(task: Task, stop: Optional[bytearray] = None) -> Analysis:
    """What a search finds out about a position for the side to move, until `stop` is set.

    Nothing is searched where there is only one move to choose.  What is proved of Gomoku is left
    out: no player can know it, and after it all moves of White are lost.  The position is
    unchanged.
    """
    position, effort = task.position, task.effort
    outcome = position.outcome
    if outcome:
        value = 0.0 if outcome.winner == EMPTY else 1.0 if outcome.winner == position.side else -1.0
        return Analysis(value, (), 0)
    for move in position.legal_moves():
        if position.wins(position.side, move) and move != task.without:
            return Analysis(1.0, (move,), 1)
    moves = [move for move in candidates(position) if move != task.without]
    if not moves or len(moves) == 1 and task.without is None and position.may_swap is None:
        return Analysis(None, tuple(moves))
    player = AlphaBeta(
        settings_of({"nodes": effort.nodes, "memory": effort.memory, "seed": effort.seed}),
        Tuning(() if position.rules.row_fills_board() else (STRATEGY,)))
    limits = Limits(bytearray(2) if stop is None else stop, effort.seconds)
    if task.without is not None and not position.rules.row_fills_board():
        player.best_moves(position, moves, limits)
        return _found(player.report, player.report.line[0])
    if task.without is not None or position.vacant == len(position.lattice.points):
        player.evaluate_moves(position, limits)
        ranked = [move for move in by_endurance(player.report) if move != task.without]
        return _found(player.report, ranked[0]) if ranked else Analysis(None, tuple(moves[:1]))
    player.look_ahead(position, limits)
    report = with_swap(player.report, position)
    if not report.values:
        return Analysis(None, report.line)
    figures = report.figures
    return Analysis(report.values[report.line[0]], report.line,
                    figures.get("plies to win", figures.get("plies to loss")))


def load_analysis(rules: Rules) -> None:
    """Load what the analysis of this game needs, compiled now if it is not in the cache."""
    AlphaBeta(Settings()).load(rules)


def _found(report: Report, move: int) -> Analysis:
    # What a report says of one of its moves; a win that was not proved by a line is none.
    score = report.scores.get(move, report.figures.get("score", 0))
    value, plies = report.values.get(move), plies_of(score)
    if value == 1:
        value, plies = 0.99, None
    return Analysis(value, report.lines.get(move, (move,)), plies if value == -1 else None)
