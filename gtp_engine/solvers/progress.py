"""How far a search or a check is, on standard error."""

import sys
import time
from contextlib import contextmanager
from typing import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

LINE_SECONDS = 60


@contextmanager
def progress() -> Iterator[Callable[[int, int, Callable[[], str]], None]]:
    """Show on standard error how far something is: a bar on a terminal, else a line a minute.

    Yields a function of the finished work, all work, and a maker of more text.
    """
    console = Console(stderr=True, highlight=False, markup=False)
    if console.is_terminal:
        columns = BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False)
        with Progress(*columns, console=console) as bar:
            task = bar.add_task("", total=None)
            yield lambda done, total, more: bar.update(
                task, completed=done, total=total, description=more())
        return
    last = time.monotonic()

    def in_lines(done: int, total: int, more: Callable[[], str]) -> None:
        nonlocal last
        if time.monotonic() - last > LINE_SECONDS:
            last = time.monotonic()
            print(f"{done:,} of {total:,}: {more()}", file=sys.stderr, flush=True)
    yield in_lines
