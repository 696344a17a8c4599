"""GTP dialogue with an engine under time and output limits, as in GoGui's tools."""

import math
import random
import time
from pathlib import Path
from typing import Callable, NamedTuple, Optional, Sequence

from ..arena.process import Died, Program, TooLate
from .testfile import BLANKS

LONGEST_REPLY = 1 << 20  # bytes
LOADING_SECONDS = 10.0  # extra time for the first reply: programs load data and libraries
EXIT_SECONDS = 10.0  # to exit after quit, without a limit for the file
LIMITED_EXIT_SECONDS = 1.0  # to exit after quit, with a limit for the file
HIGHEST_SEED = 32767
LONGEST_STRAY = 60  # characters of a line that is not part of a reply, in a message

# Kinds of lines: sent, part of a reply, outside a reply, standard error.
SENT, REPLY, INVALID, ERROR = ">", "<", "?", "!"


class Limits(NamedTuple):
    """Limits for an engine; infinity means no limit.

    seconds_per_command  time for a reply
    seconds_per_file     time from the start of the engine to its exit
    output               bytes on standard output and standard error
    """

    seconds_per_command: float = math.inf
    seconds_per_file: float = math.inf
    output: float = math.inf


class Ended(Exception):
    """The engine has exited or exceeded a limit.

    limit   whether it exceeded a limit
    part    the part of the reply received before
    signal  the signal that ended the engine, or 0
    """

    def __init__(self, reason: str, limit: bool, part: str = "", signal: int = 0):
        super().__init__(reason)
        self.limit, self.part, self.signal = limit, part, signal


class Reply(NamedTuple):
    """The reply to a command: its whole text, and whether it is a success."""

    whole: str
    success: bool

    @property
    def text(self) -> str:
        """The text after the first blank, stripped: the part that test patterns match."""
        return self.whole.partition(" ")[2].strip(BLANKS)

    @property
    def body(self) -> str:
        """The text after the first blank; without a blank, the whole reply except its sign."""
        return (self.whole.partition(" ")[2] if " " in self.whole else self.whole[1:])[:-2]

    @property
    def success_body(self) -> str:
        """The body of a success; "" for a failure."""
        return self.body if self.success else ""


class Engine:
    """An engine that runs one command at a time.

    Calls `on_line` with the kind and the text of each line.  Raises Ended if the engine cannot be
    started.

    answers  the number of replies so far
    """

    def __init__(self, words: Sequence[str], folder: Optional[Path] = None,
                 limits: Limits = Limits(),
                 on_line: Callable[[str, str], None] = lambda kind, line: None):
        self.limits, self._on_line = limits, on_line
        self._deadline = time.monotonic() + limits.seconds_per_file
        self._output = self.answers = 0
        try:
            self._program = Program(words, folder, self._log, LONGEST_REPLY)
        except Died as died:
            raise Ended(str(died), limit=False) from None

    def _log(self, line: str) -> None:
        if line.startswith(ERROR):
            self._output += len(line)
            self._on_line(ERROR, line[2:])

    def send(self, command: str) -> Reply:
        """Send the command and return its reply.  Raises Ended."""
        self._on_line(SENT, command)
        return self._reply(command, self.limits.seconds_per_command)

    def next_reply(self) -> Reply:
        """Wait for another reply to an earlier command.  Raises Ended."""
        return self._reply(None, self.limits.seconds_per_command)

    def more_replies(self, seconds: float) -> list[Reply]:
        """Collect extra replies for `seconds` seconds.  Raises Ended."""
        replies: list[Reply] = []
        end = time.monotonic() + seconds
        try:
            while True:
                replies.append(self._reply(None, end - time.monotonic()))
        except Ended as ended:
            if ended.limit and ended.part:
                raise
        return replies

    def _reply(self, command: Optional[str], limit: float) -> Reply:
        # Sends the command, if there is one, and reads the next reply.
        loading = 0.0 if self.answers else LOADING_SECONDS
        deadline = min(time.monotonic() + limit + loading, self._deadline)
        lines: list[str] = []
        size, stray = 0, ""
        try:
            if command is not None:
                self._program.send(command)
            while not lines or lines[-1]:
                data = self._program.take(deadline)
                self._count(len(data) + 1)
                for line in data.removesuffix(b"\r").decode("utf-8", "replace").split("\r"):
                    if not lines and not line.startswith(("=", "?")):
                        if line.strip():
                            stray = f"; {line[:LONGEST_STRAY]!r} is not a reply"
                            self._on_line(INVALID, line)
                        continue
                    self._on_line(REPLY, line)
                    lines.append(line)
                    size += len(line) + 1
                if size > LONGEST_REPLY:
                    raise Ended(f"a reply of more than {LONGEST_REPLY} bytes", limit=True)
        except Died as died:
            raise Ended(str(died), limit=False, part="\n".join(lines),
                        signal=self._program.signal) from None
        except TooLate:
            scope = ("for the whole file" if deadline == self._deadline else
                     "for the first command" if loading else "for the command")
            seconds = limit + loading if deadline < self._deadline else self.limits.seconds_per_file
            raise Ended(f"no reply within {seconds:g} seconds {scope}{stray}", limit=True,
                        part="\n".join(lines)) from None
        except Ended as ended:
            ended.part = "\n".join(lines)[:LONGEST_REPLY]
            raise
        self.answers += 1
        return Reply("\n".join(lines) + "\n", lines[0].startswith("="))

    def _count(self, size: int) -> None:
        self._output += size
        if self._output > self.limits.output:
            raise Ended(f"more than {self.limits.output:g} bytes of output", limit=True)

    def runs(self) -> bool:
        """Return whether the engine is still running."""
        return self._program.runs()

    def leave(self) -> None:
        """Wait for the engine to exit after quit, then end all its processes."""
        limited = self.limits.seconds_per_file < math.inf
        left = max(self._deadline - time.monotonic(), 0.0)
        self._program.stop(min(LIMITED_EXIT_SECONDS, left) if limited else EXIT_SECONDS)

    def end(self) -> None:
        """End all processes of the engine at once."""
        self._program.stop(0.0)


def words_of(command: str) -> list[str]:
    """Split a command line as GoGui's tools do: only double quotes group words.

    Replaces %SRAND by a random number, and a relative path of the program by an absolute one.
    """
    while "%SRAND" in command:
        command = command.replace("%SRAND", str(random.randint(0, HIGHEST_SEED)), 1)
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
