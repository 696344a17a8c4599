"""Programs behind pipes, with limits on waiting time and memory."""

import atexit
import ctypes
import os
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from math import inf
from pathlib import Path
from queue import SimpleQueue
from typing import (
    IO,
    TYPE_CHECKING,
    Callable,
    Iterable,
    Iterator,
    Optional,
    Sequence,
    TypeVar,
    Union,
)

if TYPE_CHECKING:
    import psutil  # belongs to an extra that only programs need

MARK = "GTP_ENGINE_SEAT"  # environment variable that marks the descendants of a program
MOST_NOISE = 1000  # lines before the first answer of a program; more are not of its protocol
LINES, LONGEST_LINE = 256, 4096  # lines that `waiting` returns at most; bytes stored of a line
ANSWERS, COMPLAINTS = 1 << 16, 1 << 12  # bytes per read; a pipe holds no more
MOST_UNREAD = 1 << 16  # bytes of unsent input
LAST_WORDS, LONGEST_COMPLAINT = 20, 200  # lines of standard error, and characters of a line
GRACE = 1.0  # seconds for a program to exit by itself
IDLE_SECONDS, IDLE_SHARE = 1.0, 0.1  # a smaller share of a core in that time means idle
LOOK_SECONDS = 0.2  # seconds between two checks whether a silent program still runs
SHORTEST_LOOK, LONGEST_LOOK = 0.001, 0.05  # seconds between two checks of an exiting program

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
_prctl = None
if sys.platform == "linux":
    _prctl = getattr(ctypes.CDLL(None), "prctl", None)


class Died(Exception):
    """The program has ended or closed its output."""


class TooLate(Exception):
    """The program has not written, or not read, in time."""


class NoAnswer(TooLate):
    """The program has written a line that is no answer, and is idle; the message quotes it."""


class Incoming:
    """A reader for the lines of a pipe that never blocks; it cuts off long lines.

    ended  is the pipe at its end?
    """

    def __init__(self, stream: IO[bytes], most: int, longest: int = LONGEST_LINE):
        self.descriptor, self.ended = stream.fileno(), False
        self._stream, self._most, self._longest, self._rest = stream, most, longest, b""
        os.set_blocking(self.descriptor, False)

    def read(self) -> list[bytes]:
        """Read up to `most` bytes; return the lines that they complete.

        At the end of the pipe an incomplete last line counts as complete.
        """
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
        """Close the pipe."""
        self.ended = True
        self._stream.close()


class Program:
    """A running program and its descendants.

    Only `send`, `receive`, `take` and `stop` read and write its pipes, and no more than they need.
    A program that writes more than its pipes hold has to wait.

    command   a text that a shell would split into words, or the words
    errors    the last lines of its standard error
    log       called with each line, prefixed with > (sent), < (read) or ! (standard error)
    on_line   called with each line of its output that `receive` reads, and of its standard error
    on_hurry  called by the waiting thread after `hurry`
    """

    def __init__(self, command: Union[str, Sequence[str]], folder: Optional[Path] = None,
                 log: Callable[[str], None] = lambda line: None,
                 longest_line: int = LONGEST_LINE):
        import psutil  # noqa: F401  raises here, before the program starts
        self.command, self.log = command, log
        self.errors: deque[str] = deque(maxlen=LAST_WORDS)
        self._mark = f"{os.getpid()}-{uuid.uuid4().hex}"
        self._lines: deque[bytes] = deque()
        self._unread = b""
        self._stopped, self._has_answered = False, False
        self.on_line: Callable[[str], None] = lambda line: None
        self.on_hurry: Callable[[], None] = lambda: None
        self._latest = inf
        try:
            words = shlex.split(command) if isinstance(command, str) else command
            self._process = in_lasting_thread(lambda: subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, cwd=folder, start_new_session=True, bufsize=0,
                env={**os.environ, MARK: self._mark},
                preexec_fn=_before_a_program))
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise Died(f"cannot start {command}: {error}") from None
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._input, self._input_descriptor = self._process.stdin, self._process.stdin.fileno()
        os.set_blocking(self._input_descriptor, False)
        self._answers = Incoming(self._process.stdout, ANSWERS, longest_line)
        self._complaints = Incoming(self._process.stderr, COMPLAINTS)
        self._bell, self._ringer = socket.socketpair()
        for end in (self._bell, self._ringer):
            end.setblocking(False)
        self._moves = {self._complaints.descriptor: self._read_complaints,
                       self._answers.descriptor: self._read_answers,
                       self._input_descriptor: self._write, self._bell.fileno(): self._wake}
        self._pipes = self._watched(select.POLLIN)
        self._pipes.register(self._bell, select.POLLIN)
        _RUNNING.add(self)

    def send(self, line: str) -> None:
        """Write a line without waiting for the program to read it.  Raises Died or TooLate."""
        self.log(f"> {line}")
        if len(self._unread) > MOST_UNREAD:
            raise TooLate("the program does not read its input")
        self._unread += line.encode() + b"\n"
        if self._write():
            self._pipes.register(self._input_descriptor, select.POLLOUT)
        elif self._unread and not self.runs():
            raise Died(self.ending())

    def receive(self, deadline: float) -> str:
        """Return the next line, without blanks around it; `deadline` as for `take`.

        Raises Died or TooLate.
        """
        text = self.take(deadline).decode("utf-8", "replace").strip("\r\0 \t")
        self.log(f"< {text[:200]}")
        self.on_line(text)
        return text

    def hurry(self, seconds: float) -> None:
        """End the current wait and all later ones within `seconds`; any thread may call this.

        The waiting thread calls `on_hurry` first.
        """
        self._latest = time.monotonic() + seconds
        with suppress(OSError):  # the program has stopped, or the bell has already rung
            self._ringer.send(b"!")

    def calm(self) -> None:
        """Undo `hurry`."""
        self._latest = inf
        with suppress(OSError):
            self._bell.recv(ANSWERS)

    def answer(self, is_answer: Callable[[str], object], deadline: float,
               is_chat: Callable[[str], object] = lambda line: line == "",
               wrong: str = "") -> str:
        """Return the next line that is an answer; `deadline` as for `take`.

        A line that is neither an answer nor chat counts as a wrong answer once the program is idle
        after it; `wrong` is such an earlier line.  So do MOST_NOISE lines before the first answer
        of the program.  Raises Died, TooLate or NoAnswer.
        """
        cpu_seconds: Optional[float] = None
        noise = 0
        while True:
            deadline = min(deadline, self._latest)
            look = time.monotonic() + IDLE_SECONDS
            try:
                line = self.receive(min(deadline, look) if wrong else deadline)
            except TooLate as late:
                if not wrong:
                    raise
                if time.monotonic() >= deadline:
                    raise TooLate(f"{late}, after {wrong[:LONGEST_COMPLAINT]!r}") from None
                before, cpu_seconds = cpu_seconds, self._cpu_seconds()
                if before is not None and cpu_seconds - before < IDLE_SHARE * IDLE_SECONDS:
                    raise NoAnswer(f"this is no answer: {wrong[:LONGEST_COMPLAINT]!r}") from None
                continue
            if is_answer(line):
                self._has_answered = True
                return line
            cpu_seconds = None
            if not is_chat(line):
                wrong = line
            noise += 1
            if noise >= MOST_NOISE and not self._has_answered:
                raise NoAnswer(f"{noise} lines, but no answer: {line[:LONGEST_COMPLAINT]!r}")

    def _cpu_seconds(self) -> float:
        # The processor time of the program and its descendants.
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
        """Return the next line as bytes, without its line end.

        deadline  a time of time.monotonic; 0: only lines that have already arrived

        Raises Died or TooLate.
        """
        if 0 < deadline < time.monotonic():
            raise TooLate("no answer in time")
        if not self._lines and not self._line_comes(deadline):
            raise Died(self.ending())
        return self._lines.popleft()

    def waiting(self) -> list[str]:
        """Remove and return the lines that have arrived, at most LINES."""
        lines: list[str] = []
        try:
            while len(lines) < LINES and (self._lines or self._line_comes(0)):
                lines.append(self.receive(0))
        except TooLate:
            pass
        return lines

    def runs(self) -> bool:
        """Is the program still running?"""
        return self._process.poll() is None

    @property
    def signal(self) -> int:
        """The signal that ended the program, or 0."""
        return max(0, -(self._process.poll() or 0))

    def ending(self) -> str:
        """Return a text about the end of the program, with its last line of standard error."""
        try:
            status = self._process.wait(LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            return "the program has closed its output"
        self._read_last_words()
        text = f"the program has ended with status {status}"
        if status < 0:
            text = f"the program was ended by signal {-status}"
        return text + (f": {self.errors[-1]}" if self.errors else "")

    def stop(self, patience: float = GRACE) -> None:
        """Wait `patience` seconds for the program to exit, then end it and its descendants.

        After an interrupt, `stop` can be called again.
        """
        if self._stopped:
            return
        import psutil
        descendants: list[psutil.Process] = []
        if not self._leaves(patience):
            with suppress(psutil.Error):
                descendants = psutil.Process(self._process.pid).children(recursive=True)
            self._signal(signal.SIGTERM)
            self._leaves(GRACE)
        self._signal(signal.SIGKILL)
        _send(descendants, signal.SIGKILL)
        self._process.wait()
        self._read_last_words()
        for pipe in (self._input, self._answers, self._complaints, self._bell, self._ringer):
            pipe.close()
        self._stopped = True
        _RUNNING.discard(self)

    def _line_comes(self, deadline: float) -> bool:
        # Wait for a line; False at the end.  A descendant may hold the output open after the
        # program has ended.
        now = time.monotonic()
        look = now + LOOK_SECONDS
        while not self._answers.ended:
            deadline = min(deadline, self._latest)
            self._exchange(self._pipes, min(look, deadline) - now)
            if self._lines or self._answers.ended:
                break
            now = time.monotonic()
            if now >= look:
                if not self.runs():
                    self._exchange(self._pipes, 0)
                    break
                look = now + LOOK_SECONDS
            if now >= min(deadline, self._latest):
                raise TooLate("no answer in time")
        return bool(self._lines)

    def _leaves(self, seconds: float) -> bool:
        # Does the program end within this time?  Its output is not read.
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
        # The pipes and the awaited events.  Each caller has its own object: another thread may
        # wait for the same pipes.
        pipes = select.poll()
        if not self._complaints.ended:
            pipes.register(self._complaints.descriptor, select.POLLIN)
        if not self._answers.ended:
            pipes.register(self._answers.descriptor, answers)
        if self._unread:
            pipes.register(self._input_descriptor, select.POLLOUT)
        return pipes

    def _exchange(self, pipes: "select.poll", seconds: float) -> None:
        # Wait until a pipe is ready, and read or write once.
        for descriptor, _ in pipes.poll(1000 * seconds if seconds > 0 else 0):
            if not self._moves[descriptor]():
                pipes.unregister(descriptor)

    def _read_answers(self) -> bool:
        # False at the end of the pipe.
        self._lines.extend(self._answers.read())
        return not self._answers.ended

    def _read_complaints(self) -> bool:
        # False at the end of the pipe.
        for line in self._complaints.read():
            text = line.decode("utf-8", "replace").rstrip()
            self.errors.append(text[:LONGEST_COMPLAINT])
            self.log(f"! {text[:LONGEST_COMPLAINT]}")
            self.on_line(text)
        return not self._complaints.ended

    def _wake(self) -> bool:
        # The bell has rung; it stays open.
        with suppress(OSError):
            self._bell.recv(ANSWERS)
        if self._latest < inf:
            self.on_hurry()
        return True

    def _read_last_words(self) -> None:
        # Read no more than a pipe holds: descendants may still write.
        for _ in range(ANSWERS // COMPLAINTS):
            if not self._read_complaints():
                return

    def _write(self) -> bool:
        # Write until the pipe is full.  True if some input is left and the pipe is open.
        try:
            count = self._input.write(self._unread) or 0
        except (OSError, ValueError):  # the program has ended
            return False
        self._unread = self._unread[count:]
        return self._unread != b""

    def _signal(self, number: int) -> None:
        # Signal the process group, and the descendants that have left it.
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):
            pass
        _send(_marked(self._mark), number)


_RUNNING: set[Program] = set()


@atexit.register
def stop_all() -> None:
    """End all running programs."""
    for program in list(_RUNNING):
        program.stop(0)


def sweep(pid: int) -> None:
    """End the programs of an ended process, and their descendants."""
    _send(_marked(f"{pid}-"), signal.SIGKILL)


def _marked(mark: str) -> "Iterator[psutil.Process]":
    # The processes with a mark that begins with this text.
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
    """Make the system end this process together with its parent (Linux)."""
    if _prctl is not None:
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _before_a_program() -> None:
    # Orphans of its children become its own children, so that `stop` finds them (Linux).
    end_with_parent()
    if _prctl is not None:
        _prctl(PR_SET_CHILD_SUBREAPER, 1)


Result = TypeVar("Result")
_LASTING_LOCK = threading.Lock()
_lasting: dict[int, "SimpleQueue[Callable[[], None]]"] = {}  # by process: forks have no threads


def in_lasting_thread(work: Callable[[], Result]) -> Result:
    """Return the result of `work` in a thread that lasts as long as this process.

    Linux ends a program of `end_with_parent` together with the thread that has started it.
    """
    if threading.current_thread() is threading.main_thread():
        return work()
    future: Future[Result] = Future()

    def settle() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    with _LASTING_LOCK:
        jobs = _lasting.get(os.getpid())
        if jobs is None:
            jobs = _lasting[os.getpid()] = SimpleQueue()
            threading.Thread(target=_serve, args=(jobs,), daemon=True).start()
    jobs.put(settle)
    return future.result()


def _serve(jobs: "SimpleQueue[Callable[[], None]]") -> None:
    while True:
        jobs.get()()


def missing(command: str, folder: Optional[Path] = None) -> Optional[str]:
    """Return the reason why a command cannot start in a folder, or None."""
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
