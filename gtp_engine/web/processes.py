"""The processes in which engines run, so that none of them can take the server down."""

import asyncio
import json
import logging
import os
import signal
import sys
from contextlib import suppress
from typing import Any, Callable, Mapping, Optional

from .pipe import encoded

MOST_PROCESSES = 8  # at a time, of all games
MOST_ALIVE = 32  # with those that are about to end
LONGEST = 1 << 22  # bytes of a line from a process
ENGINES_BUSY = "all engines are busy: close another game first"
ENDING = 2.0  # seconds that a process has to end by itself

Listener = Callable[[Mapping[str, Any]], None]


class TooMany(Exception):
    """There are as many processes as there may be."""


class Processes:
    """All processes of a server.

    running  those that are wanted
    alive    those that have not ended yet, so that none of them is left behind
    spare    ends some that hardly anybody wants, when there are too many
    """

    def __init__(self, spare: Callable[[], None]) -> None:
        self.spare = spare
        self.running: set[Child] = set()
        self.alive: set[Child] = set()

    async def start(self, module: str, listen: Listener, ended: Callable[[], None]) -> "Child":
        """A process of that module of the package web, as in "study.analyst".

        `listen` is called with each of its messages, `ended` once it has ended by itself.
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
        """End all of them."""
        for child in [*self.running]:
            child.end()
        await asyncio.gather(*(child.gone() for child in self.alive))


class Child:
    """A process that reads and writes lines of JSON."""

    def __init__(self, listen: Listener, ended: Callable[[], None], among: Processes):
        self._listen, self._ended, self._among = listen, ended, among
        self._process: Optional[asyncio.subprocess.Process] = None
        self._reading: Optional[asyncio.Task[None]] = None
        self._ending: Optional[asyncio.Task[None]] = None
        self._wanted, self._started = True, asyncio.Event()

    async def start(self, module: str) -> None:
        """Start it; if it is not wanted any more by then, it ends at once."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", module, stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE, limit=LONGEST, start_new_session=True)
        finally:
            self._started.set()
        self._reading = asyncio.create_task(self._read())
        if not self._wanted:
            self.end()

    def tell(self, **message: Any) -> None:
        """Send it a message; a process that has ended gets none."""
        assert self._process and self._process.stdin
        if not self._process.stdin.is_closing():
            self._process.stdin.write(encoded(message))

    def end(self) -> None:
        """End the process soon; its messages are ignored from now on."""
        self._wanted = False
        self._among.running.discard(self)
        if self._process is None:  # it is being started
            return
        self.tell(do="stop")
        assert self._process.stdin
        self._process.stdin.close()
        self._ending = asyncio.create_task(self.gone())

    async def gone(self) -> None:
        """It has ended, by force if need be."""
        await self._started.wait()
        if self._process is None:
            return
        for _ in range(2):  # wait for a killed process, unless asyncio has lost it
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._process.wait(), ENDING)
                return
            with suppress(ProcessLookupError):  # asyncio's own kill takes its exit status away
                os.kill(self._process.pid, signal.SIGKILL)

    async def _read(self) -> None:
        assert self._process and self._process.stdout
        try:
            async for line in self._process.stdout:
                if self._wanted:
                    self._listen(json.loads(line))
        except Exception:
            logging.getLogger(__name__).exception("while listening to an engine")
        await self.gone()
        self._among.running.discard(self)
        self._among.alive.discard(self)
        if self._wanted:
            self._wanted = False
            self._ended()
