"""Test files of gogui-regress: GTP commands with patterns for the replies."""

import re
from pathlib import Path
from typing import Collection, Iterable, NamedTuple, Optional

from ..wire.files import read_at_most
from .patterns import compiled

BLANKS = "".join(map(chr, range(33)))  # stripped from the ends of lines
LONGEST_TEST_FILE = 1 << 24  # bytes
MOST_FILES = 100_000
NO_ID = -1
HIGHEST_ID = 2**31 - 1
LOWER_CASE, BLANK, ANY_ORDER = "lower-case", "blanks", "any-order"
TOLERANCES = {LOWER_CASE: "upper and lower case are the same",
              BLANK: "several blanks and line ends in a reply are one blank",
              ANY_ORDER: "words of a reply may come in any order"}


class BadFormat(Exception):
    """A test file has a wrong format; the message has the place and the reason."""


class Expected(NamedTuple):
    """The expected reply to a command.

    text           the pattern as reports show it
    pattern        the pattern for the whole reply; if `negated`, the reply must not match
    known_to_fail  whether the file marks the test as failing
    """

    text: str
    pattern: str
    negated: bool
    known_to_fail: bool

    def fits(self, reply: str, tolerances: Collection[str] = ()) -> bool:
        """Return whether the reply is as expected, with these tolerances.

        Raises ValueError if the pattern cannot be read.
        """
        pattern = f"(?i){self.pattern}" if LOWER_CASE in tolerances else self.pattern
        reply = " ".join(reply.split()) if BLANK in tolerances else reply
        matches = compiled(pattern).fullmatch(reply) is not None
        if not matches and ANY_ORDER in tolerances:
            matches = compiled(_sorted(pattern)).fullmatch(_sorted(reply)) is not None
        return matches != self.negated


def _sorted(text: str) -> str:
    return " ".join(sorted(text.split()))


class Step(NamedTuple):
    """A line of a test file; a command comes with the pattern in the next line, if any.

    number    the line number, from 1
    line      its text, stripped
    id        the number of the command, or NO_ID
    command   the command without its number; "" for other lines
    expected  the expected reply, or None
    pattern_line  the text of the line with the pattern, or ""
    fault     the error in the line or its pattern, or ""
    """

    number: int
    line: str
    id: int = NO_ID
    command: str = ""
    expected: Optional[Expected] = None
    pattern_line: str = ""
    fault: str = ""

    @property
    def is_test(self) -> bool:
        """Whether the step is a test: it has a pattern, or a number and must not fail."""
        return bool(self.command) and (self.id >= 0 or self.expected is not None)


def read_test(path: Path) -> list[Step]:
    """Read the lines of a test file.  Raises BadFormat if it cannot be read."""
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
    """Parse the text of a test file; faults name the path."""
    steps: list[Step] = []
    open_command = False  # a pattern in this line belongs to the command before it
    for number, line in enumerate(re.split("\r\n|\r|\n", text), 1):
        line = line.strip(BLANKS)
        if line.startswith("#?"):
            if open_command:
                steps[-1] = _with_pattern(steps[-1], line, path)
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


def _with_pattern(step: Step, line: str, path: Path) -> Step:
    step = step._replace(pattern_line=line)
    text = line[2:].strip(BLANKS)
    if not text:
        return step
    known_to_fail = text.endswith("*")
    text = text.removesuffix("*")
    for bracket, exists in (("opening", text.startswith("[")), ("closing", text.endswith("]"))):
        if not exists:
            return step._replace(fault=f"{path}: Pattern has no {bracket} bracket: {text}")
    text = text[1:-1].strip(BLANKS)
    return step._replace(expected=Expected(text, text.removeprefix("!"), text.startswith("!"),
                                           known_to_fail))


def expand(names: Iterable[str]) -> list[str]:
    """Replace each @FILE, recursively, by the names in the lines of that file.

    Raises BadFormat if a file is missing.
    """
    files: list[str] = []
    waiting: list[tuple[str, tuple[str, ...]]] = [(name, ()) for name in reversed([*names])]
    while waiting:
        name, inside = waiting.pop()
        if not name.startswith("@"):
            files.append(name)
            continue
        if name in inside:
            raise BadFormat(f"{name[1:]}: a suite that contains itself")
        if len(files) + len(waiting) > MOST_FILES:
            raise BadFormat(f"{name[1:]}: more than {MOST_FILES} files")
        lines = (step.line for step in read_test(Path(name[1:])))
        waiting += [(line, (*inside, name)) for line in reversed(
            [line for line in lines if line and not line.startswith("#")])]
    for name in files:
        read_test(Path(name))
    return files
