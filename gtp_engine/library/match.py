"""Matches between two seats, and the results of tournaments."""

from os import PathLike
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Optional, Union

from ..command_line.terminal import import_error_text
from ..games import catalogue
from ..games.lattice import EMPTY
from ..wire.notation import GtpPoints


class MatchGame(NamedTuple):
    """A game of a match: the players, the winner (None in a draw), the ending and the moves."""

    first: str
    second: str
    winner: Optional[str]
    ending: str
    moves: list[str]


def match(first: str, second: str, games: int = 2, name: str = "Gomoku",
          size: Optional[int] = None, time_per_move: Optional[float] = None,
          seed: Optional[int] = None) -> list[MatchGame]:
    """Play games between two seats, which alternate in the first move.

    The syntax of a seat is that of the command `referee`: alphabeta,time=0.1; gtp:COMMAND and so
    on.  Raises ValueError for an invalid seat or one that cannot play, and ImportError for a
    program without the extra `arena`.
    """
    from ..arena.record import GameRecord  # only a match needs it
    from ..arena.referee import play_game
    from ..arena.seats.base import TimeControl
    from ..arena.seats.spec import check, seat_of
    rules, rng = catalogue.find(name), Random(seed)
    played = []
    for number in range(games):
        position = catalogue.start(rules, rules.default_size if size is None else size)
        seats = [seat_of(text, TimeControl(per_move=time_per_move), rng)
                 for text in (first, second)]
        check(seats, rules)
        order = seats[::-1] if number % 2 else seats
        try:
            verdict = play_game(position, order[0], order[1], GameRecord(None),
                                lambda position: None)
        except ImportError as error:
            raise ImportError(import_error_text(error, "a program"), name=error.name) from None
        winner = {EMPTY: None, rules.first: order[0].name}.get(verdict.winner, order[1].name)
        points = GtpPoints(position.lattice)
        played.append(MatchGame(order[0].name, order[1].name, winner, verdict.ending.value,
                                [points.name[record.point] for record in position.moves]))
    return played


def read_results(path: Union[str, "PathLike[str]"]) -> dict[str, Any]:
    """Return the summary of a tournament's file, with the data of its report.

    It contains the players with points and ratings, a cross table and the endings.  Raises OSError
    if the file is unreadable, ValueError if it is no tournament's file.
    """
    from ..tournament.results import Results
    from ..tournament.standings import summary_of
    results = Results.read(Path(path))
    return summary_of(results.contest, results.games.values())
