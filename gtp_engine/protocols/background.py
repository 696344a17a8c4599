"""Work in the background that cannot be interrupted, so that an answer need not wait for its end.

Above all that is the compiler's.
"""

from threading import Thread
from typing import TYPE_CHECKING, Callable, Hashable, Optional, TypeVar

from ..players import INTERRUPT

if TYPE_CHECKING:
    from concurrent.futures import Future

PATIENCE = 0.02  # seconds until the stop flag is looked at again
Made = TypeVar("Made")


class Loader:
    """What is loaded, or is being loaded, by name."""

    def __init__(self, stop: bytearray):
        self.stop = stop
        self._begun: dict[Hashable, "Future"] = {}

    def begin(self, name: Hashable, load: Callable[[], object]) -> "Future":
        """Load what has that name, unless that has begun."""
        if name not in self._begun:
            self._begun[name] = started(load)
        return self._begun[name]

    def finishes(self, name: Hashable, load: Callable[[], object]) -> bool:
        """Load what has that name, unless that has begun, and wait for the end of it.

        False if `stop` was set before; loading goes on.  Raises what loading raises.
        """
        future = self.begin(name, load)
        if not self._ends(future):
            return False
        if future.exception():
            del self._begun[name]
        future.result()
        return True

    def made(self, make: Callable[[], Made]) -> Optional[Made]:
        """What is made; None if `stop` was set before the end.  Raises what making raises."""
        future = started(make)
        return future.result() if self._ends(future) else None

    def _ends(self, future: "Future") -> bool:
        from concurrent.futures import wait
        while not future.done() and not self.stop[INTERRUPT]:
            wait([future], PATIENCE)
        return future.done()


def started(work: Callable[[], Made]) -> "Future[Made]":
    """This work is begun in a thread of its own, which does not keep the process from ending."""
    from concurrent.futures import Future
    future: Future[Made] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future
