"""What is allowed in lines of JSON that somebody else may have written.

A check is called with the name of a field and its value, and raises ValueError for a value that is
not allowed.
"""

import json
import math
from reprlib import repr as short
from typing import Any, Callable, Mapping, NoReturn, Union

Check = Callable[[str, Any], None]


def parsed(line: Union[str, bytes]) -> Any:
    """What a text in JSON says.  Raises ValueError."""
    try:
        return json.loads(line, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("too many brackets in each other") from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def checked(content: Any, fields: Mapping[str, Check], needed: bool = True) -> dict[str, Any]:
    """The content, an object that has these fields and no others, all of them if they are needed.

    Raises ValueError.
    """
    if not isinstance(content, dict):
        raise ValueError(f"not an object: {short(content)}")
    for name in content:
        if name not in fields:
            raise ValueError(f"there is no such field: {short(name)}")
    for name, check in fields.items():
        if name in content:
            check(name, content[name])
        elif needed:
            raise ValueError(f"{name} is missing")
    return content


def whole(least: float = -math.inf, most: float = math.inf) -> Check:
    """A whole number in that range."""
    def check(name: str, value: Any) -> None:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"{name} is not a whole number of {least} to {most}: {short(value)}")
    return check


def number(least: float, most: float) -> Check:
    """A number in that range."""
    def check(name: str, value: Any) -> None:
        if type(value) not in (int, float) or not least <= value <= most:
            raise ValueError(f"{name} is not a number of {least:g} to {most:g}: {short(value)}")
    return check


def text(longest: int) -> Check:
    """A text of so many characters at most."""
    def check(name: str, value: Any) -> None:
        if not isinstance(value, str) or len(value) > longest:
            raise ValueError(f"{name} is not a text of at most {longest} characters: "
                             f"{short(value)}")
    return check


def a_name(longest: int) -> Check:
    """A text of one line that can be printed, of 1 to so many characters."""
    def check(name: str, value: Any) -> None:
        if not isinstance(value, str) or not 0 < len(value) <= longest or not value.isprintable():
            raise ValueError(f"{name} is not a name: {short(value)}")
    return check


def one_of(*values: Any) -> Check:
    """One of these."""
    def check(name: str, value: Any) -> None:
        if value not in values:
            raise ValueError(f"{name} is not one of {' '.join(map(str, values))}: {short(value)}")
    return check


def maybe(check: Check) -> Check:
    """The same, or null."""
    return lambda name, value: None if value is None else check(name, value)


def some(check: Check, most: int) -> Check:
    """A list of at most so many of the kind."""
    def check_all(name: str, values: Any) -> None:
        if not isinstance(values, list) or len(values) > most:
            raise ValueError(f"{name} is not a list of at most {most}: {short(values)}")
        try:
            for value in values:
                check(name, value)
        except ValueError:  # names cost more than checks
            for place, value in enumerate(values, 1):
                check(f"{name}, {place}", value)
    return check_all


def by_name(check: Check, most: int) -> Check:
    """An object of at most so many values of the kind, by any names."""
    def check_all(name: str, values: Any) -> None:
        if not isinstance(values, dict) or len(values) > most:
            raise ValueError(f"{name} is not an object of at most {most}: {short(values)}")
        for key, value in values.items():
            check(f"{name}, {short(key)}", value)
    return check_all


def table(fields: Mapping[str, Check], needed: bool = True) -> Check:
    """An object with these fields, all of them if they are needed."""
    def check(name: str, value: Any) -> None:
        try:
            checked(value, fields, needed)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return check
