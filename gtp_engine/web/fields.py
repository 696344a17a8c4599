"""Fields of the messages of pages, and their allowed values."""

import os
from typing import Any, Optional

from ..arena.seats.spec import FILES, PROGRAMS, PYTHON, kind_of
from ..games.lattice import BLACK, EMPTY, WHITE
from ..games.rules import Rules
from ..players.options import OPTIONS
from ..players.registry import PLAYERS
from ..wire.declared import (
    Wrong,
    game_named,
    maybe,
    number,
    one_of,
    parsed,
    row,
    some,
    table,
    text,
    whole,
)
from .games import PERSON, PROGRAM, Seat, options_of

MOST_POINTS = 25 * 25  # of a board
MOST_STONES = 1000  # stones to set up in one message
MOST_MEMORY = 1024  # MB of a transposition table
LONGEST_TIME = 86_400.0  # seconds
SHORTEST_TIME = 0.05
NO_CONTROL = {"per_move": None, "per_game": None, "increment": 0.0}


class Refusal(Exception):
    """An impossible request of a page; the text gives the reason.

    place  the place of the point that the request names, if any
    field  the path of the wrong field of the message, if any, as in black.time
    """

    def __init__(self, text: str, place: Optional[int] = None, field: Optional[str] = None):
        super().__init__(text)
        self.place, self.field = place, field


def object_of(message: str) -> dict[str, Any]:
    """Parse a message.  Raises Refusal if it is not an object of JSON."""
    try:
        content = parsed(message)
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise Refusal("a message must be an object of JSON")
    return content


def a_game(path: str, value: Any) -> Rules:
    """The rules of the game that a field names.  Raises Wrong."""
    return game_named(path, value)


def a_seat(path: str, value: Any) -> Seat:
    """The seat in a field: a person, a player with settings, or the command of a program.

    Raises Wrong.
    """
    if not isinstance(value, dict):
        raise Wrong(path, "must be an object")
    player = one_of(PERSON, PROGRAM, *PLAYERS)(f"{path}.player", value.get("player"))
    if player == PROGRAM:
        command = text(1000)(f"{path}.command", value.get("command"))
        if kind_of(command) not in (*PROGRAMS, PYTHON, *FILES):
            raise Wrong(f"{path}.command", "a program must be one of: "
                        f"{' '.join(f'{kind}:...' for kind in (*PROGRAMS, PYTHON, *FILES))}")
        return {"player": player, "settings": {}, "command": command}
    return {"player": player, "settings": check_settings(player, value.get("settings", {}), path)}


def check_settings(player: str, value: Any, path: str = "settings") -> dict[str, str]:
    """Check settings of a player, as texts; `path` is the path of their field.  Raises Wrong."""
    options = options_of(player)
    if not isinstance(value, dict) or not all(
            isinstance(each, str) and len(each) <= 20 for each in value.values()):
        raise Wrong(path, "settings must be short texts")
    for key, each in value.items():
        if key not in options:
            raise Wrong(path, f"{player} has no setting {key} (available: {' '.join(options)})")
        try:
            number = OPTIONS[key].read(each)
        except ValueError as error:
            raise Wrong(f"{path}.{key}", str(error)) from None
        most = {"threads": os.cpu_count() or 1, "memory": MOST_MEMORY, "time": LONGEST_TIME}
        if key in most and number is not None and number > most[key]:
            raise Wrong(f"{path}.{key}", f"must be at most {most[key]:g}")
    return value


def a_control(path: str, value: Any) -> dict[str, Any]:
    """The time control in a field, in seconds.  Raises Wrong."""
    times = maybe(number(SHORTEST_TIME, LONGEST_TIME))
    control = table({"per_move": times, "per_game": times,
                      "increment": number(0, LONGEST_TIME)})(path, value)
    if control["increment"] and control["per_game"] is None:
        raise Wrong(f"{path}.increment", "increment needs per_game")
    return {key: None if seconds is None else float(seconds) for key, seconds in control.items()}


some_stones = some(row(one_of(EMPTY, BLACK, WHITE), whole(MOST_POINTS - 1)), MOST_STONES)


def settings_field(path: str, value: Any) -> Any:
    """A field with the settings of a player, to check later."""
    return value


POINT = whole(MOST_POINTS - 1)
NODE = whole(1 << 40)
NUMBER = whole(10**9)
ID = text(16)
SEATS = {"black": a_seat, "white": a_seat, "control": a_control}
