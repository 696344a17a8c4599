"""Explanations of a proved win: its moves, down to the end of the game."""

import time
from typing import NamedTuple, Optional

from ..games.lattice import EMPTY
from ..games.rules import LINE, Position
from ..players.alphabeta.move_values import by_endurance, expected
from ..players.base import Limits, Player, Settings
from ..players.registry import complaint, make_player
from .solve import Value, solve

STEP = 1.0  # maximum seconds of the search for one move
MOST_ANSWERS = 5


class Reason(NamedTuple):
    """A line of play that shows a proved value.

    line   a move and the best play after it, to the end of the game or to the end of the search
    text   how the line ends
    """

    line: tuple[int, ...]
    text: str


def reasons(position: Position, value: Value, settings: Settings, limits: Limits) -> list[Reason]:
    """Search for the reasons of a proved value within the time limit; a draw has none.

    If the side to move wins, returns one line, which begins with a proved winning move.  If it
    loses, returns a line for each of the longest defences.  In games that alphabeta does not play,
    returns only the winning move.  The position is unchanged.
    """
    if not value.winner or position.outcome:
        return []
    if complaint("alphabeta", position.rules, position.lattice):
        return [] if value.move is None else [reason_of(position, (value.move,))]
    search = _Search(value.winner, settings, limits)
    if value.winner == position.side:
        return [reason_of(position, search.line(position, value.move))]
    lines = []
    for answer in search.answers(position):
        after = position.copy()
        after.play(after.side, answer)
        lines.append(reason_of(position, (answer, *search.line(after))))
    return lines


def reason_of(position: Position, line: tuple[int, ...]) -> Reason:
    """Return a line together with the text on how it ends."""
    game = position.copy()
    for move in line:
        game.play(game.side, move)
    if not game.outcome:
        return Reason(line, "the search did not reach the end of the line")
    how = game.outcome.reason
    plies = f"{len(line)} {'ply' if len(line) == 1 else 'plies'}"
    return Reason(line, f"{f'{game.rules.in_a_row} in a row' if how == LINE else how} "
                        f"after {plies}")


class _Search:
    # Plays out a won game with the best moves of both sides.

    def __init__(self, winner: int, settings: Settings, limits: Limits):
        self.winner, self.settings, self.stop = winner, settings, limits.stop
        self.player: Player = make_player("alphabeta", settings)
        self.end = time.monotonic() + (limits.seconds or 0.0)

    def line(self, position: Position, first: Optional[int] = None) -> tuple[int, ...]:
        """Return the moves to the end of the game.

        `first` is a proved winning move, for the case that the search proves none.
        """
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
        """Return the loser's longest defences that the search finds, the longest first."""
        self.player.evaluate_moves(position, self._limits(2 * STEP))
        report = self.player.report
        moves = by_endurance(report) or report.line[:1]
        return [move for move in moves if position.cells[move] == EMPTY][:MOST_ANSWERS]

    def _next(self, game: Position, proved: Optional[int]) -> list[int]:
        # Return the next moves, or none if the time is up.
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
