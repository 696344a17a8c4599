"""Compiles the code of players before a user waits for it; on a new computer that takes a while.

Started as a program, it does so for the game that its argument names.
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
from ...players.registry import make_player

PAUSE = 1.0  # seconds between two messages


class Preparation:
    """Running compilations, a process for each kind of games.

    say  called with the fields of a message, each second while something is compiled and once
         when nothing is any more
    """

    def __init__(self, say: Callable[..., None]):
        self._say = say
        self._begun: dict[bool, asyncio.Task[None]] = {}  # by whether rows are as long as the board

    @property
    def is_running(self) -> bool:
        """Is something being compiled?"""
        return any(not task.done() for task in self._begun.values())

    def begin(self, rules: Rules) -> None:
        """Compile what alphabeta needs for a game, unless that has been done before."""
        kind = rules.row_fills_board()
        if kind not in self._begun:
            self._begun[kind] = asyncio.create_task(self._compile(rules))

    async def close(self) -> None:
        """End all running compilations."""
        for task in self._begun.values():
            task.cancel()
        await asyncio.gather(*self._begun.values(), return_exceptions=True)

    async def _compile(self, rules: Rules) -> None:
        begun = time.monotonic()
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, rules.name, stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL, start_new_session=True)
        try:
            while process.returncode is None:
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(process.wait(), PAUSE)
                    break
                self._tell(begun, False)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            logging.getLogger(__name__).error("what %s needs was not compiled", rules.name)
        self._tell(begun, True)

    def _tell(self, begun: float, done: bool) -> None:
        message: dict[str, Any] = {"seconds": round(time.monotonic() - begun), "done": done}
        others = [task for task in self._begun.values()
                  if not task.done() and task is not asyncio.current_task()]
        if not (done and others):
            self._say(do="preparing", **message)


def end_with_input() -> None:
    """End this process when the process that has started it is gone."""
    os.read(0, 1)
    os._exit(1)


def main() -> None:
    """Compile what alphabeta needs for the game that the argument names, unless the input ends
    before."""
    threading.Thread(target=end_with_input, daemon=True).start()
    make_player("alphabeta", Settings()).load(catalogue.find(sys.argv[1]))


if __name__ == "__main__":
    main()
