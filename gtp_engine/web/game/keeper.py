"""Keeps the file of a game as the game is."""

import asyncio
import logging
from typing import Callable, Optional

from ..games import Game, Store

AGAIN = 5.0  # seconds until a file that could not be written is tried again


class Keeper:
    """Writes a game that has changed, again and again where the disk fails.

    is_kept  the file is as the game is
    """

    def __init__(self, game: Game, store: Store, complain: Callable[[str], None], is_kept: bool):
        """`complain`: called with a sentence when a game cannot be kept, once until it can."""
        self._game, self._store, self._complain = game, store, complain
        self.is_kept = is_kept
        self._complained = self._ended = False
        self._lock = asyncio.Lock()
        self._again: Optional[asyncio.Task[None]] = None

    def changed(self) -> None:
        """The game is not as its file any more."""
        self.is_kept = False

    async def keep(self) -> None:
        """The file is as the game is; if that fails, it is tried again later."""
        async with self._lock:
            try:
                while not self.is_kept and not self._ended:  # it may change meanwhile
                    self.is_kept = True
                    await asyncio.to_thread(self._store.write, self._game.id, self._game.data())
                    self._complained = False
            except OSError as error:
                self.is_kept = False
                self._failed(error)

    async def remove(self) -> None:
        """The game is not on the disk any more, and is not kept from now on.  Raises OSError."""
        async with self._lock:
            await asyncio.to_thread(self._store.remove, self._game.id)
            self._ended = True

    def _failed(self, error: OSError) -> None:
        if not self._complained:
            self._complained = True
            logging.getLogger(__name__).error("game %s cannot be kept: %s", self._game.id, error)
            self._complain(f"the game cannot be saved: {error.strerror}; trying again")
        self._again = asyncio.create_task(self._keep_later())

    async def _keep_later(self) -> None:
        await asyncio.sleep(AGAIN)
        await self.keep()
