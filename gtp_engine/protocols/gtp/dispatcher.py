"""Go Text Protocol, version 2: lines in, replies out; without a game.

A `Dispatcher` turns one line into one reply.  `serve` connects it to a pair of streams: a thread
reads lines, and a second one runs the commands.  The main thread keeps the signals: Python handles
a signal only between two byte codes of the main thread, and a kernel could delay that.
"""

import errno
import re
import select
import signal
import threading
import time
from inspect import getdoc, signature
from io import RawIOBase
from queue import SimpleQueue
from types import FrameType
from typing import Callable, Iterable, Optional

from ...command_line.terminal import harmless
from ...players.base import INTERRUPT
from ...wire.streams import LONGEST_LINE, split_lines, write_all

Handler = Callable[..., Optional[str]]

_TAB_TO_BLANK = bytes.maketrans(b"\t", b" ")
_CONTROL = bytes([*range(9), *range(10, 32), 127])
_COMMAND = re.compile("([0-9]+)? *([^ ]*) *(.*)", re.DOTALL)


class GtpError(Exception):
    """A failure reply; its text gives the reason."""


class Dispatcher:
    """The commands of an engine, and the dispatch of a line to one of them.

    A handler is a method that takes the words of the command's arguments and returns the reply's
    text.  Its signature defines the number of arguments.  The first line of its docstring is the
    usage, and its first word is the command's name.  A GtpError becomes a failure reply.

    handlers  the handlers by command name, in the order of `add`
    stop      the flags that end long commands, see `players.base.Limits`
    finished  True after `quit`
    ignores_idle_sigint   True if the controller stops commands by SIGINT; SIGINT then has no
              effect while no command runs
    """

    def __init__(self) -> None:
        self.handlers: dict[str, Handler] = {}
        self.stop = bytearray(2)
        self.finished = False
        self.ignores_idle_sigint = False
        self.add([self.protocol_version, self.known_command, self.list_commands, self.help,
                  self.cputime, self.quit])

    def add(self, handlers: Iterable[Handler]) -> None:
        """Add a command for each handler."""
        for handler in handlers:
            self.handlers[usage(handler).split()[0]] = handler

    def respond(self, line: bytes) -> Optional[str]:
        """The complete reply to a line, with its empty last line; None without a command."""
        cleaned = line[:LONGEST_LINE].translate(_TAB_TO_BLANK, _CONTROL)
        text = cleaned.partition(b"#")[0].decode("utf-8", "replace").strip(" ")
        if not text:
            return None
        number, command, rest = _COMMAND.match(text).groups("")  # type: ignore[union-attr]
        try:
            if len(line) > LONGEST_LINE:
                raise GtpError(f"line longer than {LONGEST_LINE} bytes")
            mark, reply = "=", self.call(command, *filter(None, rest.split(" ")))
        except GtpError as error:
            mark, reply = "?", str(error)
        except Exception:
            import logging
            logging.getLogger(__name__).exception("internal error in: %s", harmless(text[:200]))
            mark, reply = "?", "internal error"
        return f"{mark}{number} {reply}\n\n"

    def call(self, command: str, *words: str) -> str:
        """Run one command and return its reply text; GtpError is a failure reply."""
        handler = self.handlers.get(command)
        if handler is None:
            raise GtpError("unknown command" if command else "no command")
        try:
            signature(handler).bind(*words)
        except TypeError:
            raise GtpError(f"usage: {usage(handler)}") from None
        return handler(*words) or ""

    # --- commands without a game --------------------------------------------------------------

    def protocol_version(self) -> str:
        """protocol_version

        The version of GTP: 2.
        """
        return "2"

    def known_command(self, command: str) -> str:
        """known_command COMMAND

        true if COMMAND is a command of the engine, else false.
        """
        return "true" if command in self.handlers else "false"

    def list_commands(self) -> str:
        """list_commands

        The names of all commands, one on each line.
        """
        return "\n".join(self.handlers)

    def help(self, command: Optional[str] = None) -> str:
        """help [COMMAND]

        The usage and purpose of COMMAND; without COMMAND, the usage of every command.
        """
        if command is None:
            return "\n".join(usage(handler) for handler in self.handlers.values())
        if command not in self.handlers:
            raise GtpError("unknown command")
        lines = documentation(self.handlers[command]).splitlines()
        return "\n".join(line for line in lines if line.strip())

    def cputime(self) -> str:
        """cputime

        The engine's processor time in seconds.
        """
        return f"{time.process_time():.3f}"

    def quit(self) -> None:
        """quit

        End the engine.
        """
        self.finished = True


def documentation(handler: Handler) -> str:
    """The handler's docstring, from its source where Python removes docstrings (-OO)."""
    if handler.__doc__:
        return getdoc(handler) or ""
    import inspect
    match = re.search('"""(.*?)"""', inspect.getsource(handler), re.DOTALL)
    return inspect.cleandoc(match[1]) if match else ""


def usage(handler: Handler) -> str:
    """The first line of the handler's docstring: the command's name and its arguments."""
    return (handler.__doc__ or documentation(handler)).partition("\n")[0]


def serve(dispatcher: Dispatcher, source: RawIOBase, sink: RawIOBase,
          transcript: Optional[Callable[[str], None]] = None) -> None:
    """Answer the lines of `source` on `sink`, each reply flushed, in the order of the lines.

    `source` and `sink` are raw (unbuffered) streams.  Returns after `quit`, at the end of the
    input, after the reader of `sink` closes, at SIGTERM, and at SIGINT while no command runs.
    SIGINT and a line `# interrupt` stop a running command, which then replies as usual.
    `transcript` receives each line and each reply.  Call it from the main thread.
    """
    server = _Server(dispatcher, source, sink, transcript or (lambda text: None))
    handlers = {signal.SIGINT: server.on_interrupt, signal.SIGTERM: server.on_terminate}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        server.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Server:
    def __init__(self, dispatcher: Dispatcher, source: RawIOBase, sink: RawIOBase,
                 transcript: Callable[[str], None]):
        self.dispatcher, self.source, self.sink = dispatcher, source, sink
        self.transcript = transcript
        self.lines: SimpleQueue[list[bytes]] = SimpleQueue()  # an empty list: end of input
        self.at_end = False
        self.ended = threading.Event()
        self.state = threading.Lock()  # over the three fields below and the stop flag
        self.received = 0  # lines that the reader received
        self.interrupted = 0  # lines received before the last `# interrupt`
        self.running = False

    def run(self) -> None:
        worker = threading.Thread(target=self.work, daemon=True)
        worker.start()
        threading.Thread(target=self.read, daemon=True).start()
        while not self.ended.wait(0.2):  # without a timeout, Windows would not deliver Ctrl-C
            if self.at_end and hung_up(self.sink):
                self.ended.set()
        self.dispatcher.stop[INTERRUPT] = 1
        worker.join(1.0)

    def on_interrupt(self, number: int, frame: Optional[FrameType]) -> None:
        if self.running:
            self.dispatcher.stop[INTERRUPT] = 1
        elif not self.dispatcher.ignores_idle_sigint:
            self.ended.set()

    def on_terminate(self, number: int, frame: Optional[FrameType]) -> None:
        self.ended.set()

    def read(self) -> None:
        try:
            for lines in split_lines(self.source):
                for line in lines:
                    self.received += 1
                    if line.strip() == b"# interrupt":
                        self.interrupt()
                self.lines.put(lines)
        except OSError:  # a closed terminal is the end of the input
            pass
        finally:
            self.at_end = True
            self.lines.put([])

    def interrupt(self) -> None:
        with self.state:
            self.interrupted = self.received
            if self.running:
                self.dispatcher.stop[INTERRUPT] = 1

    def work(self) -> None:
        number = 0
        try:
            while not self.dispatcher.finished and (lines := self.lines.get()):
                for line in lines:
                    number += 1
                    self.answer(number, line)
                    if self.dispatcher.finished or self.ended.is_set():
                        break
        except OSError as error:
            if error.errno not in (errno.EPIPE, errno.EINVAL):  # EINVAL: the same on Windows
                import logging
                logging.getLogger(__name__).error("cannot write a reply: %s", error)
        finally:
            self.ended.set()

    def answer(self, number: int, line: bytes) -> None:
        with self.state:
            self.dispatcher.stop[INTERRUPT] = number < self.interrupted
            self.running = True
        self.transcript("> " + line.decode("utf-8", "replace").rstrip())
        reply = self.dispatcher.respond(line)
        self.running = False
        if reply is not None:
            self.transcript("< " + reply.rstrip())
            write_all(self.sink, reply.encode("utf-8", "replace"))


def hung_up(sink: RawIOBase) -> bool:
    """Is the reading end of this pipe closed?  False where the system cannot tell."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(sink.fileno(), 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))
