"""A dialogue with an engine as GoGui's tools lead it: what is a reply, and when there is none."""

import math
import random
import time
from pathlib import Path
from typing import Callable, NamedTuple, Optional, Sequence

from ..arena.process import Died, Program, TooLate
from .testfile import BLANKS

LONGEST_REPLY = 1 << 20  # bytes
LOADING = 10.0  # seconds more for the first reply, in which programs load what they need
LEAVING_SECONDS = 10.0  # seconds to leave after quit, where no limit was given
FAREWELL = 1.0  # seconds to leave after quit, where limits were given
MOST_SEED = 32767
LONGEST_WRONG = 60  # letters of a line that is no reply, in a complaint

# What a line of the dialogue is: sent, read as part of a reply or beside one, standard error.
SENT, REPLY, INVALID, ERROR = ">", "<", "?", "!"


class Limits(NamedTuple):
    """What an engine may use; infinity is no limit.

    seconds_per_command  until a reply has come
    seconds_per_file     from its start to its end
    output               bytes that it writes
    """

    seconds_per_command: float = math.inf
    seconds_per_file: float = math.inf
    output: float = math.inf


class Ended(Exception):
    """The engine has gone, or was ended since it did not keep to a limit.

    limit   whether a limit was the reason
    part    what had come of a reply
    signal  the signal that ended it, 0 if none has
    """

    def __init__(self, reason: str, limit: bool, part: str = "", signal: int = 0):
        super().__init__(reason)
        self.limit, self.part, self.signal = limit, part, signal


class Reply(NamedTuple):
    """The reply to a command: all of it, and whether it is a success."""

    whole: str
    success: bool

    @property
    def text(self) -> str:
        """What follows the first blank, without blanks around it: what tests look at."""
        return self.whole.partition(" ")[2].strip(BLANKS)

    @property
    def shown(self) -> str:
        """What follows the first blank; without one, the whole reply but for its sign."""
        return (self.whole.partition(" ")[2] if " " in self.whole else self.whole[1:])[:-2]

    @property
    def shown_success(self) -> str:
        """What is shown of a success, "" of a failure."""
        return self.shown if self.success else ""


class Engine:
    """An engine that is asked one command after the other.

    `hear` is called with the kind and the text of each line.  Raises Ended if it cannot be started.

    answers  how many commands it has answered
    """

    def __init__(self, words: Sequence[str], folder: Optional[Path] = None,
                 limits: Limits = Limits(),
                 hear: Callable[[str, str], None] = lambda kind, line: None):
        self.limits, self._hear = limits, hear
        self._end = time.monotonic() + limits.seconds_per_file
        self._written = self.answers = 0
        try:
            self._program = Program(words, folder, self._log, LONGEST_REPLY)
        except Died as died:
            raise Ended(str(died), limit=False) from None

    def _log(self, line: str) -> None:
        if line.startswith(ERROR):
            self._written += len(line)
            self._hear(ERROR, line[2:])

    def ask(self, command: str) -> Reply:
        """The reply to the command.  Raises Ended."""
        self._hear(SENT, command)
        return self._reply(command, self.limits.seconds_per_command)

    def next_reply(self) -> Reply:
        """One more reply, to a command that was sent before.  Raises Ended."""
        return self._reply(None, self.limits.seconds_per_command)

    def more_replies(self, seconds: float) -> list[Reply]:
        """The replies that come in that time and nobody has asked for.  Raises Ended."""
        found: list[Reply] = []
        end = time.monotonic() + seconds
        try:
            while True:
                found.append(self._reply(None, end - time.monotonic()))
        except Ended as ended:
            if ended.limit and ended.part:
                raise
        return found

    def _reply(self, command: Optional[str], limit: float) -> Reply:
        # The reply to a command, which is sent, or the next one.
        loading = 0.0 if self.answers else LOADING
        deadline = min(time.monotonic() + limit + loading, self._end)
        lines: list[str] = []
        size, wrong = 0, ""
        try:
            if command is not None:
                self._program.send(command)
            while not lines or lines[-1]:
                data = self._program.take(deadline)
                self._count(len(data) + 1)
                for line in data.removesuffix(b"\r").decode("utf-8", "replace").split("\r"):
                    if not lines and not line.startswith(("=", "?")):
                        if line.strip():
                            wrong = f"; {line[:LONGEST_WRONG]!r} is no reply"
                            self._hear(INVALID, line)
                        continue
                    self._hear(REPLY, line)
                    lines.append(line)
                    size += len(line) + 1
                if size > LONGEST_REPLY:
                    raise Ended(f"a reply of more than {LONGEST_REPLY} bytes", limit=True)
        except Died as died:
            raise Ended(str(died), limit=False, part="\n".join(lines),
                        signal=self._program.signal) from None
        except TooLate:
            used = ("for the whole file" if deadline == self._end else
                    "for the first command" if loading else "for the command")
            seconds = (self.limits.seconds_per_file if deadline == self._end else limit + loading)
            raise Ended(f"no reply within {seconds:g} seconds {used}{wrong}", limit=True,
                        part="\n".join(lines)) from None
        except Ended as ended:
            ended.part = "\n".join(lines)[:LONGEST_REPLY]
            raise
        self.answers += 1
        return Reply("\n".join(lines) + "\n", lines[0].startswith("="))

    def _count(self, size: int) -> None:
        self._written += size
        if self._written > self.limits.output:
            raise Ended(f"more than {self.limits.output:g} bytes of output", limit=True)

    def runs(self) -> bool:
        """Has it not ended yet?"""
        return self._program.runs()

    def leave(self) -> None:
        """Wait until it has gone after quit, for a while, and end it and all it has started."""
        limited = self.limits.seconds_per_file < math.inf
        self._program.stop(min(FAREWELL, max(self._end - time.monotonic(), 0.0)) if limited
                           else LEAVING_SECONDS)

    def end(self) -> None:
        """End it and all it has started, at once."""
        self._program.stop(0.0)


def words_of(command: str) -> list[str]:
    """The words of a command line as GoGui's tools split it: only " keeps words together.

    %SRAND becomes a random number.  A program that is a path from here is made a whole path.
    """
    while "%SRAND" in command:
        command = command.replace("%SRAND", str(random.randint(0, MOST_SEED)), 1)
    words, word, quoted, escaped = [], "", False, False
    for symbol in command:
        if symbol == '"' and not escaped:
            if quoted:
                words.append(word)
                word = ""
            quoted = not quoted
        elif symbol.isspace() and not quoted:
            words += [word] if word else []
            word = ""
        else:
            word += symbol
        escaped = symbol == "\\" and not escaped
    words += [word] if word else []
    if words and Path(words[0]).exists():
        words[0] = str(Path(words[0]).absolute())
    return words
