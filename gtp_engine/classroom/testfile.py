"""Files of GTP commands with the replies that are expected, as gogui-regress has them."""

import re
from pathlib import Path
from typing import Collection, Iterable, NamedTuple, Optional

from ..wire.files import read_at_most
from .patterns import compiled

BLANKS = "".join(map(chr, range(33)))  # what does not count at the ends of lines
LONGEST_TEST_FILE = 1 << 24  # bytes
MOST_FILES = 100_000
NO_ID = -1
HIGHEST_ID = 2**31 - 1
LOWER_CASE, BLANK, ANY_ORDER = "lower-case", "blanks", "any-order"
TOLERANCES = {LOWER_CASE: "upper and lower case are the same",
              BLANK: "several blanks and line ends in a reply are one blank",
              ANY_ORDER: "words of a reply may come in any order"}


class BadFormat(Exception):
    """A test file is not as it has to be; the message says where and why."""


class Expected(NamedTuple):
    """What the reply to a command has to be.

    text         the pattern as it is shown
    pattern      what has to match the whole reply, or must not if it is `negated`
    known_to_fail  the test may fail
    """

    text: str
    pattern: str
    negated: bool
    known_to_fail: bool

    def fits(self, reply: str, tolerances: Collection[str] = ()) -> bool:
        """Is the reply as expected, with these tolerances?

        Raises ValueError if the pattern cannot be read.
        """
        pattern = f"(?i){self.pattern}" if LOWER_CASE in tolerances else self.pattern
        reply = " ".join(reply.split()) if BLANK in tolerances else reply
        found = compiled(pattern).fullmatch(reply) is not None
        if not found and ANY_ORDER in tolerances:
            found = compiled(_sorted(pattern)).fullmatch(_sorted(reply)) is not None
        return found != self.negated


def _sorted(text: str) -> str:
    return " ".join(sorted(text.split()))


class Step(NamedTuple):
    """A command of a test file, with the line that says what is expected; or a line without one.

    number    the line, counted from 1
    line      its text, without blanks around it
    id        the number of the command, NO_ID if it has none
    command   the command without its number, "" if the line is none
    expected  None if nothing is expected
    answer    the line that says so, "" if there is none
    fault     why the test cannot be decided, or the line not be there
    """

    number: int
    line: str
    id: int = NO_ID
    command: str = ""
    expected: Optional[Expected] = None
    answer: str = ""
    fault: str = ""

    @property
    def is_test(self) -> bool:
        """Does the reply decide anything?  Commands with a number must at least not fail."""
        return bool(self.command) and (self.id >= 0 or self.expected is not None)


def read_test(path: Path) -> list[Step]:
    """The lines of a test file.  Raises BadFormat if it cannot be read."""
    try:
        text = read_at_most(path, LONGEST_TEST_FILE).decode("utf-8", "replace")
    except FileNotFoundError:
        raise BadFormat(f"File not found: {path}") from None
    except IsADirectoryError:
        raise BadFormat(f"Not a normal file: {path}") from None
    except (OSError, ValueError) as error:
        raise BadFormat(f"{path}: {error}") from None
    return steps_of(text, path)


def steps_of(text: str, path: Path) -> list[Step]:
    """The lines of a test file; faults name the path."""
    steps: list[Step] = []
    open_command = False  # does the line before this one wait for what is expected?
    for number, line in enumerate(re.split("\r\n|\r|\n", text), 1):
        line = line.strip(BLANKS)
        if line.startswith("#?"):
            if open_command:
                steps[-1] = _answered(steps[-1], line, path)
            else:
                steps.append(Step(number, line, fault=f"{path}: Response pattern without preceding "
                                                      f"test command: {line}"))
            open_command = False
        else:
            open_command = line != "" and not line.startswith("#")
            steps.append(_command(number, line.replace("\t", " ")) if open_command else
                         Step(number, line))
    return steps


def _command(number: int, line: str) -> Step:
    first, blank, rest = line.partition(" ")
    if blank and re.fullmatch("[+-]?[0-9]{1,10}", first) and int(first) <= HIGHEST_ID:
        return Step(number, line, int(first), rest if int(first) >= 0 else line)
    return Step(number, line, NO_ID, line)


def _answered(step: Step, line: str, path: Path) -> Step:
    step = step._replace(answer=line)
    text = line[2:].strip(BLANKS)
    if not text:
        return step
    known_to_fail = text.endswith("*")
    text = text.removesuffix("*")
    for bracket, has_it in (("opening", text.startswith("[")), ("closing", text.endswith("]"))):
        if not has_it:
            return step._replace(fault=f"{path}: Pattern has no {bracket} bracket: {text}")
    text = text[1:-1].strip(BLANKS)
    return step._replace(expected=Expected(text, text.removeprefix("!"), text.startswith("!"),
                                           known_to_fail))


def expand(names: Iterable[str]) -> list[str]:
    """The names, and in place of @FILE those that the file has, line by line, and so on.

    Raises BadFormat if a file is missing.
    """
    found: list[str] = []
    waiting: list[tuple[str, tuple[str, ...]]] = [(name, ()) for name in reversed([*names])]
    while waiting:
        name, inside = waiting.pop()
        if not name.startswith("@"):
            found.append(name)
            continue
        if name in inside:
            raise BadFormat(f"{name[1:]}: a suite that has itself as a part")
        if len(found) + len(waiting) > MOST_FILES:
            raise BadFormat(f"{name[1:]}: more than {MOST_FILES} files")
        lines = (step.line for step in read_test(Path(name[1:])))
        waiting += [(line, (*inside, name)) for line in reversed(
            [line for line in lines if line and not line.startswith("#")])]
    for name in found:
        read_test(Path(name))
    return found
