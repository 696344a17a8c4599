"""Loading compiled code in the background, so that an interrupt need not wait for the compiler."""

from contextlib import suppress
from threading import Thread
from typing import Callable, Hashable

PATIENCE = 0.02  # seconds until the stop flag is looked at again


class Loader:
    """What is loaded, or is being loaded, by name."""

    def __init__(self, stop: bytearray):
        self.stop = stop
        self._threads: dict[Hashable, Thread] = {}

    def finishes(self, name: Hashable, load: Callable[[], object]) -> bool:
        """Load what has that name, unless that has begun, and wait for the end of it.

        False if `stop` was set before; loading goes on.
        """
        def run() -> None:
            with suppress(ModuleNotFoundError):  # whoever uses it will raise it again
                load()

        if name not in self._threads:
            self._threads[name] = Thread(target=run, daemon=True)
            self._threads[name].start()
        thread = self._threads[name]
        while thread.is_alive() and not self.stop[0]:
            thread.join(PATIENCE)
        return not thread.is_alive()
