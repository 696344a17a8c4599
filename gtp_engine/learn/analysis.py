"""Analysis of single positions by alpha-beta, each with a separate search.

The searches share no state, so the results do not depend on their order or on the number of
processes.
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
    """The effort for a position: limits in seconds and nodes (None: no limit), the size of the
    transposition table in MB, and the random seed."""

    seconds: Optional[float] = None
    nodes: Optional[int] = None
    memory: int = Settings.memory
    seed: Optional[int] = None

    def times(self, factor: int) -> "Effort":
        """The effort with `factor` times the seconds and nodes."""
        return self._replace(seconds=self.seconds and factor * self.seconds,
                             nodes=self.nodes and factor * self.nodes)


class Task(NamedTuple):
    """A position to analyse, the effort, and a move to leave out, or None."""

    position: Position
    effort: Effort
    without: Optional[int] = None


class Analysis(NamedTuple):
    """The result of analysing a position, from the view of one side.

    value  from -1 (proved loss) to 1 (proved win), 0 if even; None without a search
    line   the principal variation
    plies  the plies to the end of the game, if the result is proved
    """

    value: Optional[float]
    line: tuple[int, ...] = ()
    plies: Optional[int] = None

    @property
    def won(self) -> bool:
        """Whether a win is proved."""
        return self.value == 1

    @property
    def lost(self) -> bool:
        """Whether a loss is proved."""
        return self.value == -1

    def before(self, move: int) -> "Analysis":
        """The analysis for the side that has just played `move`, with the move in front."""
        return Analysis(None if self.value is None else -self.value, (move, *self.line),
                        None if self.plies is None else self.plies + 1)


def analysis_of(task: Task, stop: Optional[bytearray] = None) -> Analysis:
    """Analyse a position for the side to move, until `stop` is set.

    Searches nothing if there is only one candidate move.  Does not use the proof of Gomoku: no
    human can play by it, and by the proof all moves of White lose.  Leaves the position unchanged.
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
        return _analysis(player.report, player.report.line[0])
    if task.without is not None or position.vacant == len(position.lattice.points):
        player.evaluate_moves(position, limits)
        ranked = [move for move in by_endurance(player.report) if move != task.without]
        return _analysis(player.report, ranked[0]) if ranked else Analysis(None, tuple(moves[:1]))
    player.look_ahead(position, limits)
    report = with_swap(player.report, position)
    if not report.values:
        return Analysis(None, report.line)
    figures = report.figures
    return Analysis(report.values[report.line[0]], report.line,
                    figures.get("plies to win", figures.get("plies to loss")))


def load_analysis(rules: Rules) -> None:
    """Load the machine code for this game; compile it if it is not in the cache."""
    AlphaBeta(Settings()).load(rules)


def _analysis(report: Report, move: int) -> Analysis:
    # The analysis of one move in a report; a win without a proof counts as 0.99.
    score = report.scores.get(move, report.figures.get("score", 0))
    value, plies = report.values.get(move), plies_of(score)
    if value == 1:
        value, plies = 0.99, None
    return Analysis(value, report.lines.get(move, (move,)), plies if value == -1 else None)
