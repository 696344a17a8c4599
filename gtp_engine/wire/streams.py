"""Reading lines from raw streams, and writing to them."""

import os
import stat
import sys
import threading
import time
from io import FileIO, RawIOBase
from queue import SimpleQueue
from typing import Callable, Iterable, Iterator, Optional

from ..players.base import INTERRUPT

LONGEST_LINE = 1 << 20  # bytes


def split_lines(source: RawIOBase) -> Iterator[list[bytes]]:
    """Yield the lines of a raw stream as they arrive, in lists, without line ends.

    Cuts longer lines to LONGEST_LINE + 1 bytes.
    """
    pending = b""
    while (chunk := source.read(1 << 16)) != b"":
        if chunk is None:  # an empty non-blocking pipe
            time.sleep(0.01)
            continue
        *lines, rest = chunk.split(b"\n")
        if lines:
            lines[0], pending = pending + lines[0], b""
            yield lines
        pending = (pending + rest)[:LONGEST_LINE + 1]
    if pending:
        yield [pending]


class LinesAhead:
    """The lines of a raw stream; a thread reads ahead of the consumer.

    When a line arrives for which `is_last` is true, the interrupt flag is set at once.  The flag
    is 0 again for the lines after it.

    waiting  number of lines that have arrived and are not consumed yet
    """

    def __init__(self, source: RawIOBase, stop: bytearray, is_last: Callable[[bytes], bool]):
        self._source, self._stop, self._is_last = source, stop, is_last
        self._arrived: SimpleQueue[Optional[list[bytes]]] = SimpleQueue()
        self._lock, self._last_ahead = threading.Lock(), 0
        self.waiting = 0

    def _read(self) -> None:
        try:
            for lines in split_lines(self._source):
                self._count(lines, 1)
                self._arrived.put(lines)
        except OSError:  # a closed terminal is the end of the input
            pass
        finally:
            self._arrived.put(None)

    def _count(self, lines: list[bytes], sign: int) -> None:
        with self._lock:
            self.waiting += sign * len(lines)
            self._last_ahead += sign * sum(map(self._is_last, lines))
            self._stop[INTERRUPT] = self._last_ahead > 0

    def __iter__(self) -> Iterator[bytes]:
        threading.Thread(target=self._read, daemon=True).start()
        while (lines := self._arrived.get()) is not None:
            for line in lines:
                self._count([line], -1)
                yield line


def serve_lines(replies: Callable[[LinesAhead], Iterable[bytes]], stop: bytearray,
                is_last: Callable[[bytes], bool]) -> int:
    """Write the replies to the lines of standard input; return the exit status.

    The interrupt flag is set as soon as a line arrives for which `is_last` is true.
    """
    source, sink = standard_streams()
    try:
        for message in replies(LinesAhead(source, stop, is_last)):
            write_all(sink, message)
    except BrokenPipeError:  # the reader has closed the pipe
        return 1
    return 0


def standard_streams() -> tuple[FileIO, FileIO]:
    """Return standard input and output, raw; redirect `print` to standard error."""
    sys.stdout = sys.stderr
    return FileIO(0, closefd=False), FileIO(1, "w", closefd=False)


def unread(descriptor: int) -> int:
    """Return the number of unread bytes in a pipe; 0 for other files, or if it is unknown."""
    try:
        import fcntl
        import termios
        if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            return 0
        return int.from_bytes(fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)), sys.byteorder)
    except (ImportError, OSError):
        return 0


def write_all(sink: RawIOBase, data: bytes) -> None:
    """Write all data to a raw stream, which may be a full non-blocking pipe."""
    rest = memoryview(data)
    while rest:
        written = sink.write(rest)
        if written is None:
            time.sleep(0.01)
        else:
            rest = rest[written:]
