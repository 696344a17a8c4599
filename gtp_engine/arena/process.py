"""A program behind pipes that can neither hang us nor make us run out of memory."""

import atexit
import ctypes
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections import deque
from pathlib import Path
from queue import Empty, Full, Queue
from typing import IO, Callable, Iterator, Optional

import psutil

MARK = "GTP_ENGINE_SEAT"  # environment variable by which the descendants of a program are known
LINES, LONGEST_LINE = 256, 4096  # waiting to be read, and bytes of a line that are kept
LAST_WORDS = 20  # lines of standard error
GRACE = 1.0  # seconds to leave after being asked
LOOK = 0.2  # seconds until it is looked whether a silent program still runs

PR_SET_PDEATHSIG = 1
_prctl = None
if sys.platform == "linux":
    _prctl = getattr(ctypes.CDLL(None), "prctl", None)


class Died(Exception):
    """The program has ended or closed its output."""


class TooLate(Exception):
    """Nothing came in time, or nothing was read in time."""


class Program:
    """A running program and everything it starts.

    Its output is read by a thread, at most LINES lines ahead: beyond that the program has to wait.

    command  as given
    errors   the last lines of its standard error
    log      called with each line that was sent (>) or read (<), or came on standard error (!)
    """

    def __init__(self, command: str, folder: Optional[Path] = None,
                 log: Callable[[str], None] = lambda line: None):
        self.command, self.log = command, log
        self.errors: deque[str] = deque(maxlen=LAST_WORDS)
        self._mark = f"{os.getpid()}-{uuid.uuid4().hex}"
        self._lines: Queue[Optional[bytes]] = Queue(LINES)
        self._to_write: Queue[Optional[bytes]] = Queue(LINES)
        self._stopped = False
        try:
            self._process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, cwd=folder, start_new_session=True, bufsize=0,
                env={**os.environ, MARK: self._mark}, preexec_fn=end_with_parent)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise Died(f"cannot start {command}: {error}") from None
        self._threads = [threading.Thread(target=target, daemon=True)
                         for target in (self._read, self._read_errors, self._write)]
        for thread in self._threads:
            thread.start()
        _RUNNING.add(self)

    def send(self, line: str) -> None:
        """Write a line, without waiting until it is read.  Raises Died or TooLate."""
        if self._process.poll() is not None:
            raise Died(self.ending())
        self.log(f"> {line}")
        try:
            self._to_write.put_nowait(line.encode() + b"\n")
        except Full:
            raise TooLate("the program does not read its input") from None

    def receive(self, deadline: float) -> str:
        """The next line, without its end; `deadline` as of time.monotonic, 0 for what is there now.

        Raises Died or TooLate.
        """
        if 0 < deadline < time.monotonic():
            raise TooLate("no answer in time")
        line = self._next_line(deadline)
        if line is None:
            self._lines.put(None)
            raise Died(self.ending())
        text = line.decode("utf-8", "replace").strip("\r\0 \t")
        self.log(f"< {text[:200]}")
        return text

    def _next_line(self, deadline: float) -> Optional[bytes]:
        # None at the end.  What it started may keep its output open when the program is gone.
        gone = False
        while True:
            left = max(deadline - time.monotonic(), 0)
            try:
                return self._lines.get(timeout=min(left, LOOK))
            except Empty:
                if gone:
                    return None
                if left <= LOOK:
                    raise TooLate("no answer in time") from None
            gone = not self.runs()

    def waiting(self) -> list[str]:
        """The lines that have come already, taken out; at most LINES, however fast more come."""
        found = []
        for _ in range(self._lines.qsize()):
            try:
                found.append(self.receive(0))
            except (Died, TooLate):
                break
        return found

    def runs(self) -> bool:
        """Has the program not ended yet?"""
        return self._process.poll() is None

    def ending(self) -> str:
        """How the program ended, and its last words."""
        try:
            status = self._process.wait(0.2)
        except subprocess.TimeoutExpired:
            return "the program has closed its output"
        how = f"the program has ended with status {status}"
        if status < 0:
            how = f"the program was ended by signal {-status}"
        return how + (f": {self.errors[-1]}" if self.errors else "")

    def stop(self, patience: float = GRACE) -> None:
        """Wait so many seconds for the program to leave, then end it and all that it started."""
        if self._stopped:
            return
        self._stopped = True
        _RUNNING.discard(self)
        self._put_last(self._to_write)
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGTERM)
            try:
                self._process.wait(GRACE)
            except subprocess.TimeoutExpired:
                pass
        self._signal(signal.SIGKILL)
        self._process.wait()
        self._drain()
        for thread in self._threads:
            thread.join(GRACE)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            try:
                stream.close()
            except OSError:
                pass

    def _signal(self, number: int) -> None:
        # To the process group, and to those who left it.
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):
            pass
        for process in psutil.process_iter():
            try:
                if process.environ().get(MARK) == self._mark:
                    process.send_signal(number)
            except (psutil.Error, OSError):
                pass

    def _drain(self) -> None:
        # Let a reader that waits for room come to its end.
        end = time.monotonic() + GRACE
        while time.monotonic() < end:
            try:
                if self._lines.get(timeout=0.1) is None:
                    return
            except Empty:
                if not self._threads[0].is_alive():
                    return

    @staticmethod
    def _put_last(queue: "Queue[Optional[bytes]]") -> None:
        try:
            queue.put_nowait(None)
        except Full:
            pass

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in bounded_lines(self._process.stdout):
            self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        for line in bounded_lines(self._process.stderr):
            text = line.decode("utf-8", "replace").rstrip()[:200]
            self.errors.append(text)
            self.log(f"! {text}")

    def _write(self) -> None:
        stream = self._process.stdin
        assert stream is not None
        try:
            while (data := self._to_write.get()) is not None:
                while data:
                    data = data[stream.write(data) or 0:]
            stream.close()
        except (OSError, ValueError):
            pass


_RUNNING: set[Program] = set()


@atexit.register
def stop_all() -> None:
    """End the programs that are still running."""
    for program in list(_RUNNING):
        program.stop(0)


def end_with_parent() -> None:
    """In a new process, before its program: the system ends it when its parent is gone (Linux)."""
    if _prctl is not None:
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


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


def bounded_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a raw stream as they come; of a long one only the beginning."""
    pending = b""
    while True:
        try:
            chunk = stream.read(65536)
        except (OSError, ValueError):
            return
        if not chunk:
            if pending:
                yield pending
            return
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield (pending + line)[:LONGEST_LINE]
            pending = b""
        pending = (pending + rest)[:LONGEST_LINE]
