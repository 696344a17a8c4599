"""Jobs of other processes, and their results."""

from collections import Counter, deque
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Protocol

REPEATED = 3  # times that a job is begun again
FINAL = REPEATED + 1
LOOK_SECONDS = 1.0


class Lost(NamedTuple):
    """A job without a result: `text` says why; `tries` are how many it has cost."""

    text: str
    tries: int = 1


class Workers(Protocol):
    """Workers that do jobs in other processes.

    A job is a function that another process can import, with one argument.
    """

    @property
    def free(self) -> int:
        """The number of jobs that can begin now."""

    def submit(self, key: Any, job: Callable[[Any], Any], argument: Any) -> None:
        """Begin a job; a worker is free for it."""

    def finished(self, seconds: float) -> Iterator[tuple[Any, Any]]:
        """Keys and results, or Lost, of jobs that have ended; waits `seconds` for the first."""

    def close(self) -> None:
        """End all jobs and the processes that they started."""


def in_order(workers: Workers, job: Callable[[Any], Any], arguments: Iterable[Any]
             ) -> Iterator[Any]:
    """What the job makes of each argument, in their order; lost jobs are begun again.

    Raises RuntimeError if a job was lost too often.
    """
    given = [*arguments]
    waiting, lost = deque(range(len(given))), Counter[int]()
    done: dict[int, Any] = {}
    for number in range(len(given)):
        while number not in done:
            while waiting and workers.free:
                place = waiting.popleft()
                workers.submit(place, job, given[place])
            for place, found in workers.finished(LOOK_SECONDS):
                if not isinstance(found, Lost):
                    done[place] = found
                    continue
                lost[place] += found.tries
                if lost[place] > REPEATED:
                    raise RuntimeError(found.text)
                waiting.appendleft(place)
        yield done.pop(number)
