"""The fields of the messages of pages, and what is allowed in them.

A check is called with the name of a field and its value, and returns what the value means.
"""

import json
import os
from typing import Any, Callable, Mapping, Optional

from ..arena.seats.spec import FILES, PROGRAMS, kind_of
from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, WHITE
from ..games.rules import Rules
from ..players.options import OPTIONS
from ..players.registry import PLAYERS
from .games import PERSON, PROGRAM, Seat, options_of

MOST_POINTS = 25 * 25  # of a board
MOST_MEMORY = 1024  # MB of a table
LONGEST_TIME = 86_400.0  # seconds
NO_CONTROL = {"per_move": None, "per_game": None, "increment": 0.0}

Check = Callable[[str, Any], Any]


class Refusal(Exception):
    """Something that cannot be done; the text says why.

    place  the number of the point where it was tried, if there is one
    field  the name of the field of the message that is wrong, if one is; the fields of a field are
           written as black.time
    """

    def __init__(self, text: str, place: Optional[int] = None, field: Optional[str] = None):
        super().__init__(text)
        self.place, self.field = place, field


def parsed(text: str) -> dict[str, Any]:
    """The object that a message is.  Raises Refusal."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise Refusal("a message is an object of JSON") from None
    if not isinstance(message, dict):
        raise Refusal("a message is an object of JSON")
    return message


def checked(message: Mapping[str, Any], fields: Mapping[str, Check]) -> dict[str, Any]:
    """The values of the fields.  Raises Refusal if one is missing, unknown or wrong.

    A field that may be missing has a name with a question mark.
    """
    needed = {name for name in fields if not name.endswith("?")}
    allowed = {name.rstrip("?") for name in fields}
    if not needed <= set(message) <= allowed:
        raise Refusal(f"the fields must be: {' '.join(fields) or 'none'}")
    return {name.rstrip("?"): check(name.rstrip("?"), message[name.rstrip("?")])
            for name, check in fields.items() if name.rstrip("?") in message}


def whole(most: int) -> Check:
    """A field that is a whole number of 0 to `most`."""
    def check(name: str, value: Any) -> int:
        if type(value) is not int or not 0 <= value <= most:
            raise Refusal(f"{name} must be a whole number of 0 to {most}", field=name)
        return value
    return check


def text(longest: int) -> Check:
    """A field that is a text of so many characters at most."""
    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest or any(
                "\ud800" <= symbol <= "\udfff" for symbol in value):
            raise Refusal(f"{name} must be a text of at most {longest} characters", field=name)
        return value
    return check


def one_of(*values: Any) -> Check:
    """A field that is one of these."""
    def check(name: str, value: Any) -> Any:
        if not any(type(value) is type(other) and value == other for other in values):
            raise Refusal(f"{name} must be one of: {' '.join(map(str, values))}", field=name)
        return value
    return check


def a_game(name: str, value: Any) -> Rules:
    """A field that names a game."""
    return catalogue.GAMES[one_of(*catalogue.GAMES)(name, value)]


def a_seat(name: str, value: Any) -> Seat:
    """A field that says who plays: a person, a player with settings, or a program's command."""
    if not isinstance(value, dict):
        raise Refusal(f"{name} must be an object")
    player = _part(name, "player", one_of(PERSON, PROGRAM, *PLAYERS), value)
    if player == PROGRAM:
        command = _part(name, "command", text(1000), value)
        if kind_of(command) not in (*PROGRAMS, *FILES):
            raise Refusal(f"{name}: a program is written as one of: "
                          f"{' '.join(f'{kind}:...' for kind in (*PROGRAMS, *FILES))}",
                          field=f"{name}.command")
        return {"player": player, "settings": {}, "command": command}
    return {"player": player, "settings": settings_checked(player, value.get("settings", {}), name)}


def _part(name: str, part: str, check: Check, value: Mapping[str, Any]) -> Any:
    # The checked field of a field.
    try:
        return check(part, value.get(part))
    except Refusal as refusal:
        refusal.field = f"{name}.{part}"
        raise


def settings_checked(player: str, value: Any, of: str = "settings") -> dict[str, str]:
    """Settings of a player, as texts; `of` is the name of their field.  Raises Refusal."""
    known = options_of(player)
    if not isinstance(value, dict) or not all(
            isinstance(each, str) and len(each) <= 20 for each in value.values()):
        raise Refusal("settings must be short texts", field=of)
    for key, each in value.items():
        if key not in known:
            raise Refusal(f"{player} has no setting {key} (available: {' '.join(known)})",
                          field=of)
        try:
            number = OPTIONS[key].read(each)
        except ValueError as error:
            raise Refusal(str(error), field=f"{of}.{key}") from None
        most = {"threads": os.cpu_count() or 1, "memory": MOST_MEMORY, "time": LONGEST_TIME}
        if key in most and number is not None and number > most[key]:
            raise Refusal(f"{key} is at most {most[key]:g}", field=f"{of}.{key}")
    return value


def a_control(name: str, value: Any) -> dict[str, Any]:
    """A field that says how much time there is."""
    if not isinstance(value, dict) or set(value) != set(NO_CONTROL):
        raise Refusal(f"{name} has the fields {' '.join(NO_CONTROL)}")
    for key, seconds in value.items():
        if seconds is None and key != "increment":
            continue
        least = 0.0 if key == "increment" else 0.05
        if type(seconds) not in (int, float) or not least <= seconds <= LONGEST_TIME:
            raise Refusal(f"{key} must be {least:g} to {LONGEST_TIME:g} seconds",
                          field=f"{name}.{key}")
    if value["increment"] and value["per_game"] is None:
        raise Refusal("increment needs per_game", field=f"{name}.increment")
    return {key: None if seconds is None else float(seconds) for key, seconds in value.items()}


def some_stones(name: str, value: Any) -> list[tuple[int, int]]:
    """A field with stones, [colour, point] each."""
    if not isinstance(value, list) or len(value) > 1000 or not all(
            isinstance(each, list) and len(each) == 2 for each in value):
        raise Refusal(f"{name} must be a list of [colour, point]")
    return [(one_of(EMPTY, BLACK, WHITE)("colour", colour), whole(MOST_POINTS - 1)("point", point))
            for colour, point in value]


def settings_field(name: str, value: Any) -> Any:
    """A field with the settings of a player, which are looked at later."""
    return value
