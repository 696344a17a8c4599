"""A program behind pipes that can neither hang us nor make us run out of memory."""

import atexit
import ctypes
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Callable, Iterable, Iterator, Optional, Sequence, Union

if TYPE_CHECKING:
    import psutil  # of an extra, which only programs need

MARK = "GTP_ENGINE_SEAT"  # environment variable by which the descendants of a program are known
LINES, LONGEST_LINE = 256, 4096  # taken out at a time, and bytes of a line that are kept
ANSWERS, COMPLAINTS = 1 << 16, 1 << 12  # bytes that are read at a time; a pipe holds no more
MOST_UNREAD = 1 << 16  # bytes that wait to be written
LAST_WORDS, LONGEST_COMPLAINT = 20, 200  # lines of standard error, and letters of one
GRACE = 1.0  # seconds to leave after being asked
IDLE_SECONDS, IDLE_SHARE = 1.0, 0.1  # who takes less of a core in that time waits
LOOK_SECONDS = 0.2  # seconds until it is looked whether a silent program still runs
SHORTEST_LOOK, LONGEST_LOOK = 0.001, 0.05  # seconds, at a program that has been asked to leave

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
_prctl = None
if sys.platform == "linux":
    _prctl = getattr(ctypes.CDLL(None), "prctl", None)


class Died(Exception):
    """The program has ended or closed its output."""


class TooLate(Exception):
    """Nothing came in time, or nothing was read in time."""


class NoAnswer(TooLate):
    """A line came that is no answer, and the program waits for input; the message quotes it."""


class Incoming:
    """The lines of a pipe, read without waiting; of a long one only the beginning.

    ended  whether nothing more will come
    """

    def __init__(self, stream: IO[bytes], most: int, longest: int = LONGEST_LINE):
        self.descriptor, self.ended = stream.fileno(), False
        self._stream, self._most, self._longest, self._rest = stream, most, longest, b""
        os.set_blocking(self.descriptor, False)

    def read(self) -> list[bytes]:
        """The lines that are whole with the next `most` bytes; at the end the last one is."""
        try:
            data = self._stream.read(self._most)
        except (OSError, ValueError):
            data = b""
        if data is None:
            return []
        if not data:
            self.ended = True
            return [self._rest] if self._rest else []
        data = self._rest + data
        lines = data.split(b"\n")
        self._rest = lines.pop()
        if len(data) > self._longest:
            lines = [line[:self._longest] for line in lines]
            self._rest = self._rest[:self._longest]
        return lines

    def close(self) -> None:
        """Give the pipe back; nothing more will come."""
        self.ended = True
        self._stream.close()


class Program:
    """A running program and everything it starts.

    Only `send`, `receive`, `take` and `stop` read and write its pipes, and no more than they need:
    a program that writes more than its pipes hold has to wait.

    command  as given: the text that a shell would split into words, or the words
    errors   the last lines of its standard error
    log      called with each line that was sent (>) or read (<), or came on standard error (!)
    """

    def __init__(self, command: Union[str, Sequence[str]], folder: Optional[Path] = None,
                 log: Callable[[str], None] = lambda line: None,
                 longest_line: int = LONGEST_LINE):
        import psutil  # noqa: F401  raises here, before anything is started
        self.command, self.log = command, log
        self.errors: deque[str] = deque(maxlen=LAST_WORDS)
        self._mark = f"{os.getpid()}-{uuid.uuid4().hex}"
        self._lines: deque[bytes] = deque()
        self._unread = b""
        self._stopped = False
        try:
            self._process = subprocess.Popen(
                shlex.split(command) if isinstance(command, str) else command,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, cwd=folder, start_new_session=True, bufsize=0,
                env={**os.environ, MARK: self._mark},
                preexec_fn=_before_a_program)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise Died(f"cannot start {command}: {error}") from None
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._input, self._input_descriptor = self._process.stdin, self._process.stdin.fileno()
        os.set_blocking(self._input_descriptor, False)
        self._answers = Incoming(self._process.stdout, ANSWERS, longest_line)
        self._complaints = Incoming(self._process.stderr, COMPLAINTS)
        self._moves = {self._complaints.descriptor: self._read_complaints,
                       self._answers.descriptor: self._read_answers,
                       self._input_descriptor: self._write}
        self._pipes = self._watched(select.POLLIN)
        _RUNNING.add(self)

    def send(self, line: str) -> None:
        """Write a line, without waiting until it is read.  Raises Died or TooLate."""
        self.log(f"> {line}")
        if len(self._unread) > MOST_UNREAD:
            raise TooLate("the program does not read its input")
        self._unread += line.encode() + b"\n"
        if self._write():
            self._pipes.register(self._input_descriptor, select.POLLOUT)
        elif self._unread and not self.runs():
            raise Died(self.ending())

    def receive(self, deadline: float) -> str:
        """The next line, without blanks around it; `deadline` as for `take`.

        Raises Died or TooLate.
        """
        text = self.take(deadline).decode("utf-8", "replace").strip("\r\0 \t")
        self.log(f"< {text[:200]}")
        return text

    def answer(self, is_answer: Callable[[str], object], deadline: float,
               is_chat: Callable[[str], object] = lambda line: line == "",
               wrong: str = "") -> str:
        """The next line that is an answer; `deadline` as for `take`.

        A line that is neither an answer nor chat counts as a wrong answer once the program is idle
        after it; `wrong` is such an earlier line.  Raises Died, TooLate or NoAnswer.
        """
        computed: Optional[float] = None
        while True:
            look = time.monotonic() + IDLE_SECONDS
            try:
                line = self.receive(min(deadline, look) if wrong else deadline)
            except TooLate as late:
                if not wrong:
                    raise
                if time.monotonic() >= deadline:
                    raise TooLate(f"{late}, after {wrong[:LONGEST_COMPLAINT]!r}") from None
                before, computed = computed, self._seconds()
                if before is not None and computed - before < IDLE_SHARE * IDLE_SECONDS:
                    raise NoAnswer(f"this is no answer: {wrong[:LONGEST_COMPLAINT]!r}") from None
                continue
            if is_answer(line):
                return line
            computed = None
            if not is_chat(line):
                wrong = line

    def _seconds(self) -> float:
        # Processor time of the program and its descendants.
        import psutil
        total = 0.0
        with suppress(psutil.Error):
            this = psutil.Process(self._process.pid)
            for each in (this, *this.children(recursive=True)):
                with suppress(psutil.Error):
                    times = each.cpu_times()
                    total += times.user + times.system
        return total

    def take(self, deadline: float) -> bytes:
        """The next line as it came, without its end.

        `deadline` is as of time.monotonic, 0 for lines that are there now.  Raises Died or TooLate.
        """
        if 0 < deadline < time.monotonic():
            raise TooLate("no answer in time")
        if not self._lines and not self._line_comes(deadline):
            raise Died(self.ending())
        return self._lines.popleft()

    def waiting(self) -> list[str]:
        """The lines that have come already, taken out; at most LINES, however fast more come."""
        found: list[str] = []
        try:
            while len(found) < LINES and (self._lines or self._line_comes(0)):
                found.append(self.receive(0))
        except TooLate:
            pass
        return found

    def runs(self) -> bool:
        """Has the program not ended yet?"""
        return self._process.poll() is None

    @property
    def signal(self) -> int:
        """The signal that ended the program, 0 if none has."""
        return max(0, -(self._process.poll() or 0))

    def ending(self) -> str:
        """How the program ended, and its last words."""
        try:
            status = self._process.wait(LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            return "the program has closed its output"
        self._read_last_words()
        how = f"the program has ended with status {status}"
        if status < 0:
            how = f"the program was ended by signal {-status}"
        return how + (f": {self.errors[-1]}" if self.errors else "")

    def stop(self, patience: float = GRACE) -> None:
        """Wait `seconds` for the program to leave, then end it and all that it started.

        Where this was interrupted, it can be called again.
        """
        if self._stopped:
            return
        import psutil
        started: list[psutil.Process] = []
        if not self._leaves(patience):
            with suppress(psutil.Error):
                started = psutil.Process(self._process.pid).children(recursive=True)
            self._signal(signal.SIGTERM)
            self._leaves(GRACE)
        self._signal(signal.SIGKILL)
        _send(started, signal.SIGKILL)
        self._process.wait()
        self._read_last_words()
        for pipe in (self._input, self._answers, self._complaints):
            pipe.close()
        self._stopped = True
        _RUNNING.discard(self)

    def _line_comes(self, deadline: float) -> bool:
        # Not at the end.  A descendant may keep the output open when the program is gone.
        now = time.monotonic()
        look = now + LOOK_SECONDS
        while not self._answers.ended:
            self._exchange(self._pipes, min(look, deadline) - now)
            if self._lines or self._answers.ended:
                break
            now = time.monotonic()
            if now >= look:
                if not self.runs():
                    self._exchange(self._pipes, 0)
                    break
                look = now + LOOK_SECONDS
            if now >= deadline:
                raise TooLate("no answer in time")
        return bool(self._lines)

    def _leaves(self, seconds: float) -> bool:
        # Does it end within that time?  Of its output only the end is waited for.
        pipes = self._watched(0)
        end, pause = time.monotonic() + seconds, SHORTEST_LOOK
        while self.runs():
            if not self._unread:
                self._input.close()
            left = end - time.monotonic()
            if left <= 0:
                return False
            self._exchange(pipes, min(left, pause))
            pause = SHORTEST_LOOK if self._answers.ended else min(2 * pause, LONGEST_LOOK)
        return True

    def _watched(self, answers: int) -> "select.poll":
        # The pipes and the awaited events; another thread may wait for the same with its own.
        pipes = select.poll()
        if not self._complaints.ended:
            pipes.register(self._complaints.descriptor, select.POLLIN)
        if not self._answers.ended:
            pipes.register(self._answers.descriptor, answers)
        if self._unread:
            pipes.register(self._input_descriptor, select.POLLOUT)
        return pipes

    def _exchange(self, pipes: "select.poll", seconds: float) -> None:
        # Wait until something can be read or written, and do that once.
        for descriptor, _ in pipes.poll(1000 * seconds if seconds > 0 else 0):
            if not self._moves[descriptor]():
                pipes.unregister(descriptor)

    def _read_answers(self) -> bool:
        # May more come?
        self._lines.extend(self._answers.read())
        return not self._answers.ended

    def _read_complaints(self) -> bool:
        # May more come?
        for line in self._complaints.read():
            text = line.decode("utf-8", "replace").rstrip()[:LONGEST_COMPLAINT]
            self.errors.append(text)
            self.log(f"! {text}")
        return not self._complaints.ended

    def _read_last_words(self) -> None:
        # No more than a pipe holds, as what the program has started may still write.
        for _ in range(ANSWERS // COMPLAINTS):
            if not self._read_complaints():
                return

    def _write(self) -> bool:
        # What the pipe takes now.  Is there more that it may take later?
        try:
            taken = self._input.write(self._unread) or 0
        except (OSError, ValueError):  # the program has gone
            return False
        self._unread = self._unread[taken:]
        return self._unread != b""

    def _signal(self, number: int) -> None:
        # To the process group, and to those who left it.
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):
            pass
        _send(_marked(self._mark), number)


_RUNNING: set[Program] = set()


@atexit.register
def stop_all() -> None:
    """End the programs that are still running."""
    for program in list(_RUNNING):
        program.stop(0)


def sweep(pid: int) -> None:
    """End the processes that the programs of a process that is gone have left behind."""
    _send(_marked(f"{pid}-"), signal.SIGKILL)


def _marked(mark: str) -> "Iterator[psutil.Process]":
    # The processes whose mark begins so.
    import psutil
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get(MARK, "").startswith(mark):
                yield process


def _send(processes: "Iterable[psutil.Process]", number: int) -> None:
    import psutil
    for process in processes:
        with suppress(psutil.Error, OSError):
            process.send_signal(number)


def end_with_parent() -> None:
    """In a new process, before its program: the system ends it when its parent is gone (Linux)."""
    if _prctl is not None:
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _before_a_program() -> None:
    # It is also the parent of what its children leave behind, so that this can be found (Linux).
    end_with_parent()
    if _prctl is not None:
        _prctl(PR_SET_CHILD_SUBREAPER, 1)


def missing(command: str, folder: Optional[Path] = None) -> Optional[str]:
    """Why this command cannot be started in that folder, or None."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        return f"cannot read the command {command}: {error}"
    if not words:
        return "no command"
    path = words[0]
    if "/" in path:
        path = os.path.join(folder or os.curdir, path)
    if shutil.which(path) is None:
        return f"no such program: {words[0]}"
    return None
