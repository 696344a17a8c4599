"""Processes for engines, so that a crash of an engine does not end the server."""

import asyncio
import json
import logging
import os
import signal
import sys
from contextlib import suppress
from typing import Any, Callable, Mapping, Optional

from .pipe import encode

MOST_PROCESSES = 8  # running processes of all games
MOST_ALIVE = 32  # processes, including those that are about to end
LONGEST = 1 << 22  # bytes of a line from a process
ENGINES_BUSY = "all engines are busy: close another game first"
ENDING = 2.0  # seconds until a process that does not end is killed

Listener = Callable[[Mapping[str, Any]], None]


class TooMany(Exception):
    """The maximum number of processes is reached."""


class Processes:
    """All processes of a server.

    running  processes at work
    alive    processes that have not ended, including those that should end
    spare    callback that ends dispensable processes when there are too many
    """

    def __init__(self, spare: Callable[[], None]) -> None:
        self.spare = spare
        self.running: set[Child] = set()
        self.alive: set[Child] = set()

    async def start(self, module: str, listen: Listener, ended: Callable[[], None]) -> "Child":
        """Start a process with a module of the package web, as in "study.analyst".

        listen  callback for each of its messages
        ended   callback if it ends by itself
        Raises TooMany.
        """
        if len(self.running) >= MOST_PROCESSES:
            self.spare()
        if len(self.running) >= MOST_PROCESSES or len(self.alive) >= MOST_ALIVE:
            raise TooMany
        child = Child(listen, ended, self)
        self.running.add(child)
        self.alive.add(child)
        try:
            await child.start(f"{__package__}.{module}")
        except BaseException:
            self.running.discard(child)
            self.alive.discard(child)
            raise
        return child

    async def close(self) -> None:
        """End all processes, and wait until they have ended."""
        for child in [*self.running]:
            child.end()
        await asyncio.gather(*(child.wait() for child in self.alive))


class Child:
    """A process that reads and writes lines of JSON."""

    def __init__(self, listen: Listener, ended: Callable[[], None], among: Processes):
        self._listen, self._ended, self._among = listen, ended, among
        self._process: Optional[asyncio.subprocess.Process] = None
        self._reading: Optional[asyncio.Task[None]] = None
        self._ending: Optional[asyncio.Task[None]] = None
        self._is_running, self._started = True, asyncio.Event()

    async def start(self, module: str) -> None:
        """Start the process; end it at once if `end` was called during the start."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", module, stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE, limit=LONGEST, start_new_session=True)
        finally:
            self._started.set()
        self._reading = asyncio.create_task(self._read())
        if not self._is_running:
            self.end()

    def tell(self, **message: Any) -> None:
        """Send a message to the process, unless it has ended."""
        assert self._process and self._process.stdin
        if not self._process.stdin.is_closing():
            self._process.stdin.write(encode(message))

    def end(self) -> None:
        """Begin to end the process, and ignore its further messages."""
        self._is_running = False
        self._among.running.discard(self)
        if self._process is None:  # `start` is running
            return
        self.tell(do="stop")
        assert self._process.stdin
        self._process.stdin.close()
        self._ending = asyncio.create_task(self.wait())

    async def wait(self) -> None:
        """Wait until the process has ended; kill it after ENDING seconds."""
        await self._started.wait()
        if self._process is None:
            return
        for _ in range(2):  # the second time after the kill, in case asyncio misses its end
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._process.wait(), ENDING)
                return
            with suppress(ProcessLookupError):  # asyncio's own kill loses the exit status
                os.kill(self._process.pid, signal.SIGKILL)

    async def _read(self) -> None:
        assert self._process and self._process.stdout
        try:
            async for line in self._process.stdout:
                if self._is_running:
                    self._listen(json.loads(line))
        except Exception:
            logging.getLogger(__name__).exception("while reading messages of an engine")
        await self.wait()
        self._among.running.discard(self)
        self._among.alive.discard(self)
        if self._is_running:
            self._is_running = False
            self._ended()
