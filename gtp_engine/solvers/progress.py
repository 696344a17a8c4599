"""The progress of a search or a check, on standard error."""

import sys
import time
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Callable, Iterator

LINE_SECONDS = 60


@contextmanager
def progress() -> Iterator[Callable[[int, int, Callable[[], str]], None]]:
    """Show progress on standard error: a bar on a terminal with rich, else one line per minute.

    Yields a function of the finished work, the total work, and a callable that describes it.
    """
    if sys.stderr.isatty() and find_spec("rich"):
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        console = Console(stderr=True, highlight=False, markup=False)
        columns = BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False)
        with Progress(*columns, console=console) as bar:
            task = bar.add_task("", total=None)
            yield lambda done, total, describe: bar.update(
                task, completed=done, total=total, description=describe())
        return
    last = time.monotonic()

    def print_line(done: int, total: int, describe: Callable[[], str]) -> None:
        nonlocal last
        if time.monotonic() - last > LINE_SECONDS:
            last = time.monotonic()
            print(f"{done:,} of {total:,}: {describe()}", file=sys.stderr, flush=True)
    yield print_line
