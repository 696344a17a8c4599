"""What the games of a contest answer in the positions of an opening."""

from typing import Any, Iterable, Mapping, Optional

from ..arena.page import PageBoard
from ..arena.verdict import Ending
from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, opponent
from ..games.rules import Position
from ..learn.explorer import Explorer, table_rows

PLIES = 3  # of the table in a report
MOST_SHOWN = 6  # answers to a position there


def openings_of(explorer: Explorer) -> list[tuple[int, tuple[str, ...]]]:
    """The table of the first plies, see `table_rows`."""
    empty = catalogue.start(explorer.rules, explorer.size)
    return [*table_rows(explorer.tree(empty, PLIES), MOST_SHOWN)]


def add_games(explorer: Explorer, games: Iterable[Mapping[str, Any]]) -> None:
    """Count games of a contest, each up to a move that cannot be played."""
    board = PageBoard(explorer.rules, explorer.size)
    for game in games:
        position, _ = board.play([*game["opening"], *game["moves"]])
        add_game(explorer, game, position)


def add_game(explorer: Explorer, game: Mapping[str, Any], position: Position) -> None:
    """Count a game of a contest, which has led to that position, with the values that its players
    have told."""
    first = explorer.rules.first
    winners = {game["first"]: first, game["second"]: opponent(first), None: EMPTY}
    before = len(game["opening"])
    values: list[Optional[float]] = [None] * before
    for record, search_info in zip(position.history[before:], game["told"]):
        value = search_info.get("value")
        values.append(None if value is None or abs(value) > 1 else
                      value if record.colour == BLACK else -value)
    interrupted = game["ending"] == Ending.INTERRUPTED.name
    explorer.add(position, None if interrupted else winners[game["winner"]], values)
