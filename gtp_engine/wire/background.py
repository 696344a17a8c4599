"""Background threads for work that cannot be interrupted, such as compilation.

An answer need not wait for the end of such work.
"""

import time
from threading import Thread
from typing import TYPE_CHECKING, Any, Callable, Hashable, Optional

from ..players.base import INTERRUPT

if TYPE_CHECKING:
    from concurrent.futures import Future

PATIENCE = 0.02  # seconds between two checks of the stop flag


class Loader:
    """Loads objects in threads, each under a name.

    stop  the flags that end waiting, see `players.base.Limits.stop`
    """

    def __init__(self, stop: bytearray):
        self.stop = stop
        self._futures: dict[Hashable, "Future[Any]"] = {}

    def begin(self, name: Hashable, load: Callable[[], object]) -> "Future[Any]":
        """Begin to load under a name, and return the future.

        Returns the earlier future if a load under this name has begun and not failed.
        """
        future = self._futures.get(name)
        if future is None or future.done() and future.exception():
            future = self._futures[name] = run_in_thread(load)
        return future

    def finishes(self, name: Hashable, load: Callable[[], object],
                 seconds: Optional[float] = None) -> bool:
        """Load under a name and wait for the end; return True if the load has ended.

        Waiting ends after `seconds`, or when `stop` is set; loading goes on then.  Raises the
        exception of `load`.
        """
        from concurrent.futures import wait
        future, end = self.begin(name, load), time.monotonic() + (seconds or 0)
        while not future.done() and not self.stop[INTERRUPT]:
            left = PATIENCE if seconds is None else min(PATIENCE, end - time.monotonic())
            if left <= 0:
                break
            wait([future], left)
        if not future.done():
            return False
        future.result()
        return True


def run_in_thread(work: Callable[[], object]) -> "Future[Any]":
    """Run `work` in a daemon thread; return the future of its result."""
    from concurrent.futures import Future
    future: "Future[Any]" = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future
