"""Jobs for other processes, and their results."""

from collections import Counter, deque
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Protocol

REPEATED = 3  # most restarts of a job
FINAL = REPEATED + 1
LOOK_SECONDS = 1.0


class Lost(NamedTuple):
    """A job without a result.

    text   the reason
    tries  the number of tries that it counts as
    """

    text: str
    tries: int = 1


class Workers(Protocol):
    """Workers that run jobs in other processes.

    A job is a function that another process can import, with one argument.
    """

    @property
    def free(self) -> int:
        """The number of jobs that can begin now."""

    def submit(self, key: Any, job: Callable[[Any], Any], argument: Any) -> None:
        """Begin a job.  Requires `free` > 0."""

    def finished(self, seconds: float) -> Iterator[tuple[Any, Any]]:
        """Yield key and result, or Lost, of each ended job; wait `seconds` for the first."""

    def close(self) -> None:
        """End all jobs and their processes."""


def in_order(workers: Workers, job: Callable[[Any], Any], arguments: Iterable[Any]
             ) -> Iterator[Any]:
    """Yield the result of the job for each argument, in order.  Lost jobs start again.

    Raises RuntimeError if a job is lost more than REPEATED times.
    """
    inputs = [*arguments]
    waiting, tries = deque(range(len(inputs))), Counter[int]()
    results: dict[int, Any] = {}
    for number in range(len(inputs)):
        while number not in results:
            while waiting and workers.free:
                place = waiting.popleft()
                workers.submit(place, job, inputs[place])
            for place, result in workers.finished(LOOK_SECONDS):
                if not isinstance(result, Lost):
                    results[place] = result
                    continue
                tries[place] += result.tries
                if tries[place] > REPEATED:
                    raise RuntimeError(result.text)
                waiting.appendleft(place)
        yield results.pop(number)
