"""What may stand in the data of others: messages of pages, files of tournaments, courses and games.

A kind defines the allowed values.  It is called with the path of a value, such as players[2].seat
(places are counted from 1), and the value; it returns the parsed value, or raises Wrong.
"""

import json
import math
from reprlib import repr as short
from typing import Any, Callable, Mapping, NoReturn, Union

Kind = Callable[[str, Any], Any]


class Wrong(ValueError):
    """A value that is not allowed; the text has its path and the allowed values.

    `reason` is a sentence without its subject, or one that begins with the last name of the path,
    or any other.
    """

    def __init__(self, path: str, reason: str):
        last = path.rpartition(".")[2]
        has_subject = not reason.startswith((f"{last} ", "must ", "is "))
        reason = reason.removeprefix(f"{last} ") if last else reason
        super().__init__(f"{path or 'it'}{':' if has_subject else ''} {reason}")
        self.path = path


def parsed(line: Union[str, bytes]) -> Any:
    """What a text in JSON says.  Raises ValueError."""
    try:
        return json.loads(line, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("too many brackets in each other") from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def whole(most: float = math.inf, least: float = 0) -> Kind:
    """A whole number in that range."""
    def read(path: str, value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise _unlike(path, f"a whole number of {least} to {most}", value)
        return value
    return read


def number(least: float, most: float) -> Kind:
    """A number in that range."""
    def read(path: str, value: Any) -> Any:
        if type(value) not in (int, float) or not least <= value <= most:
            raise _unlike(path, f"a number of {least:g} to {most:g}", value)
        return value
    return read


def text(longest: int) -> Kind:
    """A text of at most `longest` characters, which can be written as UTF-8."""
    def read(path: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest or not _can_be_written(value):
            raise _unlike(path, f"a text of at most {longest} characters", value)
        return value
    return read


def a_name(longest: int) -> Kind:
    """A printable text of one line, of 1 to `longest` characters."""
    def read(path: str, value: Any) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= longest or not value.isprintable():
            raise _unlike(path, f"a name of one line, of 1 to {longest} characters", value)
        return value
    return read


def one_of(*values: Any) -> Kind:
    """One of these."""
    def read(path: str, value: Any) -> Any:
        if not any(type(value) is type(other) and value == other for other in values):
            raise _unlike(path, f"one of: {' '.join(map(str, values))}", value)
        return value
    return read


def spelled(parse: Callable[[str], Any]) -> Kind:
    """A number or a text, which stands for what `parse` makes of the text."""
    def read(path: str, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise _unlike(path, "a number or a text", value)
        try:
            return parse(str(value))
        except ValueError as error:
            raise Wrong(path, str(error)) from None
    return read


def maybe(kind: Kind) -> Kind:
    """The same, or null."""
    return lambda path, value: None if value is None else kind(path, value)


def some(kind: Kind, most: int) -> Kind:
    """A list of at most `most` values of the kind."""
    def read(path: str, values: Any) -> list[Any]:
        if not isinstance(values, list) or len(values) > most:
            raise _unlike(path, f"a list of at most {most}", values)
        try:
            return [kind(path, value) for value in values]
        except Wrong:  # paths cost more than checks
            return [kind(f"{path}[{place}]", value) for place, value in enumerate(values, 1)]
    return read


def row(*kinds: Kind) -> Kind:
    """A list with a value of each of these kinds."""
    def read(path: str, values: Any) -> tuple[Any, ...]:
        if not isinstance(values, list) or len(values) != len(kinds):
            raise _unlike(path, f"a list of {len(kinds)}", values)
        return tuple(kind(f"{path}[{place}]", value)
                     for place, (kind, value) in enumerate(zip(kinds, values), 1))
    return read


def by_name(kind: Kind, most: int) -> Kind:
    """An object of at most `most` values of the kind, by any names."""
    def read(path: str, values: Any) -> dict[str, Any]:
        if not isinstance(values, dict) or len(values) > most:
            raise _unlike(path, f"an object of at most {most} fields", values)
        return {name: kind(_joined(path, name), value) for name, value in values.items()}
    return read


def table(fields: Mapping[str, Kind]) -> Kind:
    """An object with these fields and no others; one with a question mark may be missing."""
    kinds = {name.rstrip("?"): kind for name, kind in fields.items()}
    needed = [name for name in fields if not name.endswith("?")]
    allowed = f"the fields are: {' '.join(fields) or 'none'}"

    def read(path: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _unlike(path, f"an object ({allowed})", value)
        for name in value:
            if name not in kinds:
                raise Wrong(_joined(path, name), f"there is no such field ({allowed})")
        for name in needed:
            if name not in value:
                raise Wrong(_joined(path, name), f"is missing ({allowed})")
        return {name: kinds[name](_joined(path, name), each) for name, each in value.items()}
    return read


def _can_be_written(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a symbol, as JSON can spell it
        return False
    return True


def _joined(path: str, name: str) -> str:
    # The path of a field; a name that is not plain is made harmless.
    label = name if name.isidentifier() and len(name) <= 40 else short(name)
    return f"{path}.{label}" if path else label


def _unlike(path: str, allowed: str, value: Any) -> Wrong:
    return Wrong(path, f"must be {allowed}, not {short(value)}")
