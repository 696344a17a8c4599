"""Storage of an open game on the disk."""

import asyncio
import logging
from typing import Callable, Optional

from ..games import Game, Store

RETRY_SECONDS = 5.0  # delay before another try after a fault of the disk


class Keeper:
    """Saves a changed game; tries again after a fault of the disk.

    is_stored  whether the file is up to date
    """

    def __init__(self, game: Game, store: Store, complain: Callable[[str], None], is_stored: bool):
        """`complain` receives a sentence after the first fault of a series."""
        self._game, self._store, self._complain = game, store, complain
        self.is_stored = is_stored
        self._has_complained = self._has_ended = False
        self._lock = asyncio.Lock()
        self._retry: Optional[asyncio.Task[None]] = None

    def changed(self) -> None:
        """Mark the file as out of date."""
        self.is_stored = False

    async def save(self) -> None:
        """Write the game if it has changed; after a fault, try again later."""
        async with self._lock:
            try:
                while not self.is_stored and not self._has_ended:  # may change during a write
                    self.is_stored = True
                    await asyncio.to_thread(self._store.write, self._game.id, self._game.data())
                    self._has_complained = False
            except OSError as error:
                self.is_stored = False
                self._failed(error)

    async def remove(self) -> None:
        """Delete the file, and write it no more.  Raises OSError."""
        async with self._lock:
            await asyncio.to_thread(self._store.remove, self._game.id)
            self._has_ended = True

    def _failed(self, error: OSError) -> None:
        if not self._has_complained:
            self._has_complained = True
            logging.getLogger(__name__).error("game %s cannot be saved: %s", self._game.id, error)
            self._complain(f"the game cannot be saved: {error.strerror}; trying again")
        self._retry = asyncio.create_task(self._save_later())

    async def _save_later(self) -> None:
        await asyncio.sleep(RETRY_SECONDS)
        await self.save()
