"""Jobs that other processes do, and what has become of them."""

from typing import Any, Callable, Iterator, NamedTuple, Protocol

REPEATED = 3  # times that a job is begun again
FINAL = REPEATED + 1


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
        """End all jobs, and what they have started."""
