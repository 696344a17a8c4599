"""Compilation of the players' code in advance, so that users do not wait for it.

As a program, compiles the code for the game that its argument names.
"""

import asyncio
import logging
import os
import sys
import threading
import time
from contextlib import suppress
from typing import Any, Callable

from ...games import catalogue
from ...games.rules import Rules
from ...players.base import Settings
from ...players.registry import complaint, make_player

PAUSE = 1.0  # seconds between two messages


class Preparation:
    """Running compilations, with a process for each kind of game.

    say  callback for the fields of a message; called each second while a compilation runs, and
         once at the end
    """

    def __init__(self, say: Callable[..., None]):
        self._say = say
        self._tasks: dict[bool, asyncio.Task[None]] = {}  # by whether rows fill the board

    @property
    def is_running(self) -> bool:
        """Whether a compilation is running."""
        return any(not task.done() for task in self._tasks.values())

    def begin(self, rules: Rules) -> None:
        """Start to compile the code of alphabeta for a game, unless that was done before.

        Does nothing for a game that alphabeta does not play.
        """
        if complaint("alphabeta", rules):
            return
        kind = rules.row_fills_board()
        if kind not in self._tasks:
            self._tasks[kind] = asyncio.create_task(self._compile(rules))

    async def close(self) -> None:
        """End all running compilations."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _compile(self, rules: Rules) -> None:
        start = time.monotonic()
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, rules.name, stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL, start_new_session=True)
        try:
            while process.returncode is None:
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(process.wait(), PAUSE)
                    break
                self._tell(start, False)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            logging.getLogger(__name__).error("cannot compile the code for %s", rules.name)
        self._tell(start, True)

    def _tell(self, start: float, done: bool) -> None:
        message: dict[str, Any] = {"seconds": round(time.monotonic() - start), "done": done}
        others = [task for task in self._tasks.values()
                  if not task.done() and task is not asyncio.current_task()]
        if not (done and others):
            self._say(do="preparing", **message)


def end_with_input() -> None:
    """End this process when its parent process has ended, which closes the input."""
    os.read(0, 1)
    os._exit(1)


def main() -> None:
    """Compile the code of alphabeta for the game that the argument names."""
    threading.Thread(target=end_with_input, daemon=True).start()
    make_player("alphabeta", Settings()).load(catalogue.find(sys.argv[1]))


if __name__ == "__main__":
    main()
