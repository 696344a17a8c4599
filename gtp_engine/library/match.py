"""Matches between two seats, and the results of tournaments."""

from os import PathLike
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Optional, Union

from ..command_line.terminal import lacks
from ..games import catalogue
from ..games.lattice import EMPTY
from ..wire.notation import GtpPoints


class MatchGame(NamedTuple):
    """A game of a match: its players, the winner or None, the ending, the moves."""

    first: str
    second: str
    winner: Optional[str]
    ending: str
    moves: list[str]


def match(first: str, second: str, games: int = 2, name: str = "Gomoku",
          size: Optional[int] = None, time_per_move: Optional[float] = None,
          seed: Optional[int] = None) -> list[MatchGame]:
    """Play games between two seats, which take turns with the first move.

    A seat is written as for the command `referee`: alphabeta,time=0.1; gtp:COMMAND and so on.
    Raises ValueError for a seat that cannot be read or cannot play, ImportError for a program if
    the extra `arena` is not installed.
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
            raise ImportError(lacks(error, "a program"), name=error.name) from None
        winner = {EMPTY: None, rules.first: order[0].name}.get(verdict.winner, order[1].name)
        points = GtpPoints(position.lattice)
        played.append(MatchGame(order[0].name, order[1].name, winner, verdict.ending.value,
                                [points.name[record.point] for record in position.moves]))
    return played


def read_results(path: Union[str, "PathLike[str]"]) -> dict[str, Any]:
    """What the games of a tournament's file say, as its report has it: players with points and
    ratings, who met whom, how games ended.

    Raises OSError if the file cannot be read, ValueError if it is none of a tournament.
    """
    from ..tournament.results import Results
    from ..tournament.standings import summary_of
    results = Results.read(Path(path))
    return summary_of(results.contest, results.games.values())
