"""The opening table of a contest: the answers of its games in the first positions."""

from datetime import datetime
from typing import Any, Iterable, Mapping, Optional

from ..arena.page import PageBoard
from ..arena.verdict import Ending
from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, WHITE, opponent
from ..games.rules import Position
from ..learn.explorer import Explorer, table_rows
from ..records.collection import Game

PLIES = 3  # depth of the table
MOST_ANSWERS = 6  # answers to a position in the table


def openings_of(explorer: Explorer) -> list[tuple[int, tuple[str, ...]]]:
    """Return the table of the first plies, see `table_rows`."""
    empty = catalogue.start(explorer.rules, explorer.size)
    return [*table_rows(explorer.tree(empty, PLIES), MOST_ANSWERS)]


def add_games(explorer: Explorer, games: Iterable[Mapping[str, Any]]) -> None:
    """Add games of a contest to the explorer, each up to its first illegal move."""
    board = PageBoard(explorer.rules, explorer.size)
    for game in games:
        position, _ = board.play([*game["opening"], *game["moves"]])
        explorer.add(*game_of_contest(game, position))


def game_of_contest(game: Mapping[str, Any], position: Position) -> Game:
    """A game of a contest for a collection, with the values of its search info.

    position  the last position of the game
    """
    first = position.rules.first
    winners = {game["first"]: first, game["second"]: opponent(first), None: EMPTY}
    before = len(game["opening"])
    values: list[Optional[float]] = [None] * before
    for record, search_info in zip(position.history[before:], game["told"]):
        value = search_info.get("value")
        values.append(None if value is None or abs(value) > 1 else
                      value if record.colour == BLACK else -value)
    interrupted = game["ending"] == Ending.INTERRUPTED.name
    names = {colour: name for name, colour in winners.items() if name}
    return Game(position, None if interrupted else winners[game["winner"]], values, {
        "black": names.get(BLACK, ""), "white": names.get(WHITE, ""),
        "date": datetime.fromtimestamp(game["at"]).date().isoformat() if "at" in game else ""})
