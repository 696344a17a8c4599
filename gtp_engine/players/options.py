"""The table of settings, for the command line, GTP's `param`, seats and benchmarks."""

import re
from typing import Any, Callable, Mapping, NamedTuple

from .base import FULL_STRENGTH, POLICIES, Settings
from .registry import PLAYERS

NONE = "none"


class Option(NamedTuple):
    """A setting.

    parse    converts a text to the value; raises ValueError with the allowed values
    default  the default value; None: no limit, or a random value, with the text `none`
    help     a description in one line
    players  the players that use it
    values   all values, if there are only a few
    unit     the unit of a number
    word     the name of a value in the help
    from_page  may a page of the browser set it?
    """

    name: str
    parse: Callable[[str], Any]
    default: Any
    help: str
    players: tuple[str, ...] = PLAYERS
    values: tuple[str, ...] = ()
    unit: str = ""
    word: str = ""
    from_page: bool = True

    def read(self, text: str) -> Any:
        """The value of a text, None for `none`.  Raises ValueError."""
        return None if self.default is None and text == NONE else self.parse(text)


def whole_number(name: str, text: str) -> int:
    """The value of a whole number as text.  Raises ValueError."""
    if not re.fullmatch("[+-]?[0-9]+", text):
        raise ValueError(f"{name} is not a whole number: {text}")
    return int(text[:4000])  # Python reads no more digits; longer numbers are out of every range


def whole(name: str, most: int) -> Callable[[str], int]:
    """A parser of whole numbers from 1 to `most`."""
    def parse(text: str) -> int:
        number = whole_number(name, text)
        if not 1 <= number <= most:
            raise ValueError(f"{name} must be 1 to {most}")
        return number
    return parse


def one_of(name: str, values: tuple[str, ...]) -> Callable[[str], str]:
    """A parser of these words, in upper or lower case."""
    def parse(text: str) -> str:
        if text.lower() not in values:
            raise ValueError(f"{name} must be one of: {' '.join(values)}")
        return text.lower()
    return parse


def seconds(text: str) -> float:
    """The value of a time of 0 to a billion seconds, such as 30, 0.5 or 1e3.

    Raises ValueError.
    """
    if not re.fullmatch(r"([0-9]{1,9}(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9])?", text) or (
            float(text) > 1e9):
        raise ValueError(f"not a time in seconds: {text}")
    return float(text)


def time_above_0(text: str) -> float:
    """The value of a time of more than 0 seconds.  Raises ValueError."""
    time = seconds(text)
    if time == 0:
        raise ValueError("time must be above 0")
    return time


def book_file(text: str) -> str:
    """The path of a book of openings, which is opened.  Raises ValueError if it is none."""
    from .openings.book import open_book  # loads NumPy
    try:
        open_book(text)
    except OSError as error:
        raise ValueError(f"{text}: {error.strerror or error}") from None
    return text


OPTIONS = {option.name: option for option in (
    Option("player", one_of("player", PLAYERS), "flat", "who chooses the moves", values=PLAYERS),
    Option("policy", one_of("policy", POLICIES), Settings.policy,
           "playout policy", ("flat",), POLICIES),
    Option("simulations", whole("simulations", 10**9), Settings.simulations,
           "playouts for each legal move", ("flat",)),
    Option("time", time_above_0, None, "per move", ("flat", "alphabeta"), unit="seconds"),
    Option("threads", whole("threads", 256), Settings.threads,
           "number of threads for one move", ("flat", "alphabeta")),
    Option("memory", whole("memory", 1 << 16), Settings.memory,
           "size of the transposition table", ("alphabeta",), unit="MB"),
    Option("depth", whole("depth", 10**9), None, "maximum search depth in plies",
           ("alphabeta",)),
    Option("nodes", whole("nodes", 10**9), None, "maximum number of search nodes",
           ("alphabeta",)),
    Option("level", whole("level", FULL_STRENGTH), Settings.level,
           f"strength, from beginner to {FULL_STRENGTH}, full strength", ("alphabeta",)),
    Option("book", book_file, None,
           "book of openings: a library of RenLib (.lib) or a collection (.games)",
           ("alphabeta",), word="FILE", from_page=False),
    Option("seed", lambda text: whole_number("seed", text), None,
           "makes every run with the same commands the same"),
)}


def settings_of(values: Mapping[str, Any]) -> Settings:
    """Settings with these values by option; `player` and `time` are ignored."""
    chosen = {name: value for name, value in values.items() if name not in ("player", "time")}
    seed = chosen.pop("seed", None)
    settings = Settings(**chosen)
    settings.start_from(seed)
    return settings
