"""Processes on this computer that do one job after the other."""

import multiprocessing
import os
import signal
import time
import traceback
from multiprocessing.connection import Connection, wait
from typing import Any, Callable, Iterator, Optional, Sequence

from .process import end_with_parent, stop_all, sweep
from .work import Lost, Workers

LEAVING_SECONDS = 6.0  # seconds for a worker to end its processes
LOOK_SECONDS = 1.0  # seconds between two looks at whether workers have been stopped


class Worker:
    """A process and its job: `key` of the job, None if it is idle."""

    def __init__(self, cores: Optional[Sequence[int]]):
        context = multiprocessing.get_context("spawn")
        self.cores, self.key = cores, None
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, cores), daemon=True)
        self.process.start()
        other.close()

    def is_stopped(self) -> bool:
        """Has a signal stopped the process, so that it does nothing until another one comes?"""
        import psutil
        try:
            return bool(psutil.Process(self.process.pid).status() == psutil.STATUS_STOPPED)
        except psutil.Error:
            return False

    def end(self) -> str:
        """Wait until the process leaves, end it and all that it has started; how it ended."""
        stopped = self.is_stopped()
        self.pipe.close()
        self.process.join(0 if stopped else LEAVING_SECONDS)
        self.process.kill()
        self.process.join()
        sweep(self.process.pid or 0)
        return ("the worker was stopped by a signal" if stopped else
                f"the worker has ended with status {self.process.exitcode}")


class LocalWorkers:
    """`count` processes, each on cores of its own with the programs that it starts, where the
    system allows it and there are enough."""

    def __init__(self, count: int):
        self._workers = [Worker(cores) for cores in shared_out(count)]
        self._next_look = 0.0

    @property
    def free(self) -> int:
        """The number of jobs that can begin now."""
        return sum(worker.key is None for worker in self._workers)

    def submit(self, key: Any, job: Callable[[Any], Any], argument: Any) -> None:
        """Begin a job; a worker is free for it."""
        worker = next(worker for worker in self._workers if worker.key is None)
        worker.key = key
        try:
            worker.pipe.send((job, argument))
        except OSError:  # it has died; `finished` finds out
            pass

    def finished(self, seconds: float) -> Iterator[tuple[Any, Any]]:
        """Keys and results, or Lost, of jobs that have ended; waits `seconds` for the first.

        A worker that has died, or was stopped, is replaced.
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
        # Another worker takes the place of this one.
        worker = self._workers[place]
        lost = Lost(worker.end())
        self._workers[place] = Worker(worker.cores)
        return lost

    def close(self) -> None:
        """End all jobs and the processes that they started."""
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.end()
        self._workers = []


def workers_for(scheduler: Optional[str], count: int) -> Workers:
    """The workers of a Dask cluster, or `count` processes of this machine.

    Raises ValueError if there is no such scheduler.
    """
    if scheduler:
        from .cluster import Cluster
        return Cluster(scheduler)
    return LocalWorkers(count)


def cores() -> list[int]:
    """The cores that we may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def shared_out(count: int) -> list[Optional[list[int]]]:
    """The cores of each of `count` workers; None if the system cannot bind, or has too few."""
    if not hasattr(os, "sched_setaffinity"):
        return [None] * count
    each = len(cores()) // count
    return [cores()[i * each:(i + 1) * each] or None for i in range(count)]


def _serve(pipe: Connection, cores: Optional[Sequence[int]]) -> None:
    # In the process: do what comes through the pipe, until it is closed or we are asked to leave.
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the parent
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
