"""Work in the background that cannot be interrupted, so that an answer need not wait for its end.

Above all that is the compiler's.
"""

import time
from threading import Thread
from typing import TYPE_CHECKING, Any, Callable, Hashable, Optional

from ..players.base import INTERRUPT

if TYPE_CHECKING:
    from concurrent.futures import Future

PATIENCE = 0.02  # seconds until the stop flag is looked at again


class Loader:
    """Loaded objects, and objects that are being loaded, by name."""

    def __init__(self, stop: bytearray):
        self.stop = stop
        self._begun: dict[Hashable, "Future[Any]"] = {}

    def begin(self, name: Hashable, load: Callable[[], object]) -> "Future[Any]":
        """Begin to load under a name, unless that has begun and not failed."""
        begun = self._begun.get(name)
        if begun is None or begun.done() and begun.exception():
            begun = self._begun[name] = started(load)
        return begun

    def finishes(self, name: Hashable, load: Callable[[], object],
                 seconds: Optional[float] = None) -> bool:
        """Load under a name, unless that has begun, and wait for the end.

        False if `stop` was set before, or after `seconds`; loading goes on.  Raises what
        loading raises.
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


def started(work: Callable[[], object]) -> "Future[Any]":
    """This work is begun in a thread of its own, which does not keep the process from ending."""
    from concurrent.futures import Future
    future: "Future[Any]" = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future
