"""Why a position is won: the moves of the win, down to the end of the game."""

import time
from typing import NamedTuple, Optional

from ..games.lattice import EMPTY
from ..games.rules import LINE, Position
from ..players.alphabeta.move_values import by_endurance, expected
from ..players.base import Limits, Player, Settings
from ..players.registry import make_player
from .solve import Value, solve

STEP = 1.0  # seconds of the search for a move, at most
MOST_ANSWERS = 5


class Reason(NamedTuple):
    """What follows a move in a position whose value was proved.

    line   the move and the best play after it, to the end of the game or as far as it was found
    text   how the line ends
    """

    line: tuple[int, ...]
    text: str


def reasons(position: Position, value: Value, settings: Settings, limits: Limits) -> list[Reason]:
    """The reasons for a proved value, found in the time of the limits; none for a draw.

    If the side to move wins, there is one: a line that begins with a move that was proved to win.
    If it loses, there is one for each of the answers that hold longest.  The position is unchanged.
    """
    if not value.winner or position.outcome:
        return []
    search = _Search(value.winner, settings, limits)
    if value.winner == position.side:
        return [reason_of(position, search.line(position, value.move))]
    found = []
    for answer in search.answers(position):
        after = position.copy()
        after.play(after.side, answer)
        found.append(reason_of(position, (answer, *search.line(after))))
    return found


def reason_of(position: Position, line: tuple[int, ...]) -> Reason:
    """The line with a text that says how it ends."""
    game = position.copy()
    for move in line:
        game.play(game.side, move)
    if not game.outcome:
        return Reason(line, "the line was not followed to its end")
    how = game.outcome.reason
    plies = f"{len(line)} {'ply' if len(line) == 1 else 'plies'}"
    return Reason(line, f"{f'{game.rules.in_a_row} in a row' if how == LINE else how} "
                        f"after {plies}")


class _Search:
    # Finds the moves of both sides of a game that one of them wins.

    def __init__(self, winner: int, settings: Settings, limits: Limits):
        self.winner, self.settings, self.stop = winner, settings, limits.stop
        self.player: Player = make_player("alphabeta", settings)
        self.end = time.monotonic() + (limits.seconds or 0.0)

    def line(self, position: Position, first: Optional[int] = None) -> tuple[int, ...]:
        """The moves from a position to the end; `first` wins if the search finds no proof."""
        game = position.copy()
        line: list[int] = []
        while not game.outcome:
            moves = self._next(game, None if line else first)
            if not moves:
                break
            for move in moves:
                game.play(game.side, move)
            line += moves
        return tuple(line)

    def answers(self, position: Position) -> list[int]:
        """The moves of the loser that hold longest, as far as is known, the best one first."""
        self.player.evaluate_moves(position, self._limits(2 * STEP))
        report = self.player.report
        moves = by_endurance(report) or report.line[:1]
        return [move for move in moves if position.cells[move] == EMPTY][:MOST_ANSWERS]

    def _next(self, game: Position, proved: Optional[int]) -> list[int]:
        # The next moves of the game, none if they are not found in time.
        if any(self.stop) or time.monotonic() >= self.end:
            return [] if proved is None else [proved]
        self.player.choose(game, self._limits(STEP))
        report = self.player.report
        if game.side != self.winner:
            return [*report.line[:1]]
        if "plies to win" in report.figures:
            return [*expected(game, report.line)]
        if proved is None:
            value = solve(game, self.settings, self._limits(2 * STEP))
            proved = value.move if value.winner == self.winner else None
        return [] if proved is None else [proved]

    def _limits(self, seconds: float) -> Limits:
        return Limits(self.stop, max(0.01, min(seconds, self.end - time.monotonic())))
