"""Lines of bytes from raw streams, and bytes to them."""

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
    """The lines of a raw stream as they arrive, in lists of one or more, without line ends.

    Of a line longer than LONGEST_LINE only the beginning is kept, one byte more than that.
    """
    pending = b""
    while (chunk := source.read(1 << 16)) != b"":
        if chunk is None:  # a pipe that does not block, and is empty
            time.sleep(0.01)
            continue
        *lines, rest = chunk.split(b"\n")
        if lines:
            lines[0], pending = pending + lines[0], b""
            yield lines
        pending = (pending + rest)[:LONGEST_LINE + 1]
    if pending:
        yield [pending]


def read_ahead(source: RawIOBase, stop: bytearray,
               is_last: Callable[[bytes], bool]) -> Iterator[bytes]:
    """The lines of a raw stream, read by a thread of its own while others are worked on.

    When a line for which `is_last` holds arrives, the flag of the interrupt is set at once; it is 0
    again for the lines after it.
    """
    arrived: SimpleQueue[Optional[list[bytes]]] = SimpleQueue()
    lock, ahead = threading.Lock(), 0  # of last lines that were read and not worked on

    def read() -> None:
        nonlocal ahead
        try:
            for lines in split_lines(source):
                with lock:
                    ahead += sum(map(is_last, lines))
                    stop[INTERRUPT] = ahead > 0
                arrived.put(lines)
        except OSError:  # a terminal that has gone is the end of the input
            pass
        finally:
            arrived.put(None)

    threading.Thread(target=read, daemon=True).start()
    while (lines := arrived.get()) is not None:
        for line in lines:
            with lock:
                ahead -= is_last(line)
                stop[INTERRUPT] = ahead > 0
            yield line


def serve_lines(replies: Callable[[Iterable[bytes]], Iterable[bytes]], stop: bytearray,
                is_last: Callable[[bytes], bool]) -> int:
    """Write what `replies` yields for the lines of standard input; returns the exit status.

    The flag of the interrupt is set as soon as a line for which `is_last` holds arrives.
    """
    source, sink = standard_streams()
    try:
        for message in replies(read_ahead(source, stop, is_last)):
            write_all(sink, message)
    except BrokenPipeError:  # nobody listens any more
        return 1
    return 0


def standard_streams() -> tuple[FileIO, FileIO]:
    """Standard input and output, raw; whatever is printed by mistake goes to standard error."""
    sys.stdout = sys.stderr
    return FileIO(0, closefd=False), FileIO(1, "w", closefd=False)


def unread(descriptor: int) -> int:
    """How many bytes in this pipe nobody has read yet; 0 for other files, and if nobody can tell.
    """
    try:
        import fcntl
        import termios
        if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            return 0
        return int.from_bytes(fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)), sys.byteorder)
    except (ImportError, OSError):
        return 0


def write_all(sink: RawIOBase, data: bytes) -> None:
    """Write all of it to a raw stream, also to a pipe that does not block and is full."""
    rest = memoryview(data)
    while rest:
        written = sink.write(rest)
        if written is None:
            time.sleep(0.01)
        else:
            rest = rest[written:]
