"""Worker processes on this computer; each runs one job after the other."""

import multiprocessing
import os
import signal
import sys
import time
import traceback
from contextlib import contextmanager, nullcontext
from multiprocessing.connection import Connection, wait
from typing import Any, Callable, Iterator, Optional, Sequence

from .process import end_with_parent, stop_all, sweep
from .work import Lost, Workers

LEAVING_SECONDS = 6.0  # seconds for a worker to end its processes
LOOK_SECONDS = 1.0  # seconds between two checks for suspended workers


class Worker:
    """A process and its job.

    key  the key of the job, None if the process is idle
    """

    def __init__(self, cores: Optional[Sequence[int]], imports_main: bool):
        context = multiprocessing.get_context("spawn")
        self.cores, self.key = cores, None
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, cores), daemon=True)
        with nullcontext() if imports_main else hidden_main():
            self.process.start()
        other.close()

    def is_stopped(self) -> bool:
        """Has a signal such as SIGSTOP suspended the process?"""
        import psutil
        try:
            return bool(psutil.Process(self.process.pid).status() == psutil.STATUS_STOPPED)
        except psutil.Error:
            return False

    def end(self) -> str:
        """End the process and its descendants; return a text about its end."""
        is_stopped = self.is_stopped()
        self.pipe.close()
        self.process.join(0 if is_stopped else LEAVING_SECONDS)
        self.process.kill()
        self.process.join()
        sweep(self.process.pid or 0)
        return ("the worker was stopped by a signal" if is_stopped else
                f"the worker has ended with status {self.process.exitcode}")


@contextmanager
def hidden_main() -> Iterator[None]:
    """Start processes that do not import the main module.

    So a script that starts workers needs no `if __name__ == "__main__"`.
    """
    main = sys.modules["__main__"]
    hidden = {name: getattr(main, name) for name in ("__file__", "__spec__")
              if hasattr(main, name)}
    try:
        for name in hidden:
            setattr(main, name, None)
        yield
    finally:
        for name, value in hidden.items():
            setattr(main, name, value)


class LocalWorkers:
    """Workers in `count` processes.

    Each worker and its programs have cores of their own, if the system can bind processes and has
    enough cores.
    """

    def __init__(self, count: int, imports_main: bool = False):
        """`imports_main`: are jobs functions of the main module?"""
        self._imports_main = imports_main
        self._workers = [Worker(cores, imports_main) for cores in core_sets(count)]
        self._next_look = 0.0

    @property
    def free(self) -> int:
        """The number of jobs that can begin now."""
        return sum(worker.key is None for worker in self._workers)

    def submit(self, key: Any, job: Callable[[Any], Any], argument: Any) -> None:
        """Begin a job.  Requires `free` > 0."""
        worker = next(worker for worker in self._workers if worker.key is None)
        worker.key = key
        try:
            worker.pipe.send((job, argument))
        except OSError:  # it has died; `finished` reports it
            pass

    def finished(self, seconds: float) -> Iterator[tuple[Any, Any]]:
        """Yield key and result, or Lost, of each ended job; wait `seconds` for the first.

        A new worker replaces one that has died or is suspended.
        """
        ready = wait([worker.pipe for worker in self._workers], seconds)
        look = time.monotonic() >= self._next_look
        if look:
            self._next_look = time.monotonic() + LOOK_SECONDS
        for place, worker in enumerate(self._workers):
            if worker.pipe in ready or look and worker.is_stopped():
                key, worker.key = worker.key, None
                try:
                    result = worker.pipe.recv() if worker.pipe in ready else self._replace(place)
                except (EOFError, OSError):
                    result = self._replace(place)
                if key is not None:
                    yield key, result

    def _replace(self, place: int) -> Lost:
        # End a worker and start another one in its place.
        worker = self._workers[place]
        lost = Lost(worker.end())
        self._workers[place] = Worker(worker.cores, self._imports_main)
        return lost

    def close(self) -> None:
        """End all jobs and their processes."""
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.end()
        self._workers = []


def workers_for(scheduler: Optional[str], count: int, imports_main: bool = False) -> Workers:
    """Return the workers of a Dask cluster, or `count` processes on this machine.

    `imports_main`: are jobs functions of the main module?

    Raises ValueError if the scheduler does not answer.
    """
    if scheduler:
        from .cluster import Cluster
        return Cluster(scheduler)
    return LocalWorkers(count, imports_main)


def cores() -> list[int]:
    """Return the numbers of the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def core_sets(count: int) -> list[Optional[list[int]]]:
    """Divide the cores among `count` workers.

    The elements are None if the system cannot bind processes or has too few cores.
    """
    if not hasattr(os, "sched_setaffinity"):
        return [None] * count
    each = len(cores()) // count
    return [cores()[i * each:(i + 1) * each] or None for i in range(count)]


def _serve(pipe: Connection, cores: Optional[Sequence[int]]) -> None:
    # The worker process: run the jobs from the pipe until it is closed or SIGTERM arrives.
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles it
    try:
        signal.signal(signal.SIGTERM, _leave)
        if cores:
            os.sched_setaffinity(0, cores)
        while True:
            job, argument = pipe.recv()
            try:
                result = job(argument)
            except Exception:
                result = Lost(traceback.format_exc())
            pipe.send(result)
    except (EOFError, OSError, KeyboardInterrupt):
        stop_all()


def _leave(number: int, frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt
