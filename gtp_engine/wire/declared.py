"""Validation of external data: messages of pages, files of tournaments, courses and games.

A kind is a function that checks a value.  Its arguments are the path of the value, such as
players[2].seat (places count from 1), and the value.  It returns the parsed value, or raises Wrong.
"""

import json
import math
from reprlib import repr as short
from typing import Any, Callable, Mapping, NoReturn, Union

from ..games import catalogue
from ..games.lattice import Size, as_size
from ..games.rules import Rules

Kind = Callable[[str, Any], Any]


class Wrong(ValueError):
    """The error for an invalid value; the text has the path and the allowed values.

    path    the path of the value
    reason  a full sentence, or a sentence without its subject, such as "must be a text"
    """

    def __init__(self, path: str, reason: str):
        last = path.rpartition(".")[2]
        has_subject = not reason.startswith((f"{last} ", "must ", "is "))
        reason = reason.removeprefix(f"{last} ") if last else reason
        super().__init__(f"{path or 'it'}{':' if has_subject else ''} {reason}")
        self.path = path


def parsed(line: Union[str, bytes]) -> Any:
    """Parse JSON, without NaN and Infinity.  Raises ValueError."""
    try:
        return json.loads(line, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("too many nested brackets") from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def whole(most: float = math.inf, least: float = 0) -> Kind:
    """Return the kind of integers from `least` to `most`."""
    def read(path: str, value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise _unlike(path, f"a whole number of {least} to {most}", value)
        return value
    return read


def a_size(path: str, value: Any) -> Size:
    """Return the size of a board in a field, a number or a text such as 12x10.  Raises Wrong."""
    try:
        return as_size(value)
    except ValueError as error:
        raise Wrong(path, str(error)) from None


def game_named(path: str, value: Any) -> Rules:
    """Return the rules of the game that a field names as the catalogue does.  Raises Wrong."""
    try:
        rules = catalogue.find(value) if isinstance(value, str) else None
    except ValueError:
        rules = None
    if rules is None or rules.name != value:
        raise _unlike(path, f"one of: {' '.join(catalogue.GAMES)} {catalogue.FAMILY}", value)
    return rules


def number(least: float, most: float) -> Kind:
    """Return the kind of numbers from `least` to `most`."""
    def read(path: str, value: Any) -> Any:
        if type(value) not in (int, float) or not least <= value <= most:
            raise _unlike(path, f"a number of {least:g} to {most:g}", value)
        return value
    return read


def text(longest: int) -> Kind:
    """Return the kind of texts of at most `longest` characters that UTF-8 can encode."""
    def read(path: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest or not _can_be_written(value):
            raise _unlike(path, f"a text of at most {longest} characters", value)
        return value
    return read


def a_name(longest: int) -> Kind:
    """Return the kind of printable texts of one line, of 1 to `longest` characters."""
    def read(path: str, value: Any) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= longest or not value.isprintable():
            raise _unlike(path, f"a name of one line, of 1 to {longest} characters", value)
        return value
    return read


def one_of(*values: Any) -> Kind:
    """Return the kind with these values."""
    def read(path: str, value: Any) -> Any:
        if not any(type(value) is type(other) and value == other for other in values):
            raise _unlike(path, f"one of: {' '.join(map(str, values))}", value)
        return value
    return read


def spelled(parse: Callable[[str], Any]) -> Kind:
    """Return the kind of numbers and texts that `parse` accepts as text; the value is its result.
    """
    def read(path: str, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise _unlike(path, "a number or a text", value)
        try:
            return parse(str(value))
        except ValueError as error:
            raise Wrong(path, str(error)) from None
    return read


def maybe(kind: Kind) -> Kind:
    """Return the kind with the values of another kind and null."""
    return lambda path, value: None if value is None else kind(path, value)


def some(kind: Kind, most: int) -> Kind:
    """Return the kind of lists of at most `most` values of a kind."""
    def read(path: str, values: Any) -> list[Any]:
        if not isinstance(values, list) or len(values) > most:
            raise _unlike(path, f"a list of at most {most}", values)
        try:
            return [kind(path, value) for value in values]
        except Wrong:  # paths cost more than checks
            return [kind(f"{path}[{place}]", value) for place, value in enumerate(values, 1)]
    return read


def row(*kinds: Kind) -> Kind:
    """Return the kind of lists with one value of each of these kinds."""
    def read(path: str, values: Any) -> tuple[Any, ...]:
        if not isinstance(values, list) or len(values) != len(kinds):
            raise _unlike(path, f"a list of {len(kinds)}", values)
        return tuple(kind(f"{path}[{place}]", value)
                     for place, (kind, value) in enumerate(zip(kinds, values), 1))
    return read


def by_name(kind: Kind, most: int) -> Kind:
    """Return the kind of objects with at most `most` values of a kind, under any names."""
    def read(path: str, values: Any) -> dict[str, Any]:
        if not isinstance(values, dict) or len(values) > most:
            raise _unlike(path, f"an object of at most {most} fields", values)
        return {name: kind(_joined(path, name), value) for name, value in values.items()}
    return read


def table(fields: Mapping[str, Kind]) -> Kind:
    """Return the kind of objects with these fields and no others; name? is an optional field."""
    kinds = {name.rstrip("?"): kind for name, kind in fields.items()}
    required = [name for name in fields if not name.endswith("?")]
    allowed = f"the fields are: {' '.join(fields) or 'none'}"

    def read(path: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _unlike(path, f"an object ({allowed})", value)
        for name in value:
            if name not in kinds:
                raise Wrong(_joined(path, name), f"there is no such field ({allowed})")
        for name in required:
            if name not in value:
                raise Wrong(_joined(path, name), f"is missing ({allowed})")
        return {name: kinds[name](_joined(path, name), each) for name, each in value.items()}
    return read


def _can_be_written(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:  # JSON can spell a lone surrogate
        return False
    return True


def _joined(path: str, name: str) -> str:
    # The path of a field; unusual names are quoted and shortened.
    label = name if name.isidentifier() and len(name) <= 40 else short(name)
    return f"{path}.{label}" if path else label


def _unlike(path: str, allowed: str, value: Any) -> Wrong:
    return Wrong(path, f"must be {allowed}, not {short(value)}")
