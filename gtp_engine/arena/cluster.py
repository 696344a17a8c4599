"""Workers of a Dask cluster."""

import logging
import queue
import time
import uuid
from asyncio import CancelledError
from typing import Any, Callable, Iterator, Optional

from distributed import Client, Future, KilledWorker

from .work import FINAL, Lost

AHEAD = 2  # jobs for each thread of the cluster, so that no thread is idle
PATIENCE = 10.0  # seconds to reach a scheduler
NEWS = 2.0  # seconds between two counts of the workers


class Cluster:
    """The current workers of a Dask scheduler.

    The scheduler receives AHEAD jobs for each thread.  Jobs that it forgets in a restart are Lost,
    and so submitted again.  Raises ValueError if there is no scheduler at the address.
    """

    def __init__(self, address: str):
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # this class reports failures
        self.address = address
        self._running: dict["Future[Any]", Any] = {}
        self._ended: queue.SimpleQueue["Future[Any]"] = queue.SimpleQueue()
        self._threads, self._looked, self._said = 0, 0.0, ""
        try:
            self._client = self._connected()
        except (OSError, ValueError) as error:
            raise ValueError(f"no Dask scheduler at {address}: {error}") from None

    def _connected(self) -> Client:
        return Client(self.address, timeout=PATIENCE, set_as_default=False)

    @property
    def free(self) -> int:
        """The number of jobs that can begin now."""
        if time.monotonic() - self._looked > NEWS:
            self._looked = time.monotonic()
            self._threads = self._count_threads()
        return max(AHEAD * self._threads - len(self._running), 0)

    def _count_threads(self) -> int:
        try:
            if self._client.status == "closed":
                self._client = self._connected()
            threads = int(sum(self._client.nthreads().values()))
        except (OSError, ValueError, RuntimeError) as error:
            self._say(f"waiting for the scheduler {self.address}: {error}")
            return 0
        self._say("" if threads else f"waiting for workers of the scheduler {self.address}")
        return threads

    def _say(self, text: str) -> None:
        if text and text != self._said:
            logging.getLogger(__name__).warning("%s", text)
        self._said = text

    def submit(self, key: Any, job: Callable[[Any], Any], argument: Any) -> None:
        """Begin a job.  Requires `free` > 0."""
        future = self._client.submit(job, argument, key=f"{job.__name__}-{uuid.uuid4().hex}",
                                     pure=False)
        self._running[future] = key
        future.add_done_callback(self._ended.put)

    def finished(self, seconds: float) -> Iterator[tuple[Any, Any]]:
        """Yield key and result, or Lost, of each ended job; wait `seconds` for the first."""
        wait: Optional[float] = seconds
        while True:
            try:
                future = self._ended.get(timeout=wait) if wait else self._ended.get_nowait()
            except queue.Empty:
                return
            wait = None
            yield self._running.pop(future), self._outcome(future)

    def _outcome(self, future: "Future[Any]") -> Any:
        failed = future.status == "error"
        try:
            return future.result(timeout=PATIENCE)
        except KilledWorker as killed:
            return Lost(str(killed), FINAL)
        except (Exception, CancelledError) as error:  # of the job, or of the transfer
            return Lost(f"{type(error).__name__}: {error}", 1 if failed else 0)

    def close(self) -> None:
        """Cancel the jobs that have not begun; running games go on to their end."""
        self._client.cancel([*self._running])
        self._client.close()
