"""Output on a terminal: text of other programs, error messages, progress bars."""

import sys
from argparse import ArgumentParser
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Iterable, Iterator, NoReturn

# The extra of setup.cfg that installs a package; the engine itself installs all others.
EXTRAS = {"distributed": "cluster", "gymnasium": "env", "jinja2": "report", "llvmlite": "compile",
          "markupsafe": "report", "matplotlib": "report", "numba": "compile", "pettingzoo": "env",
          "psutil": "arena", "rich": "arena", "setuptools": "wheel", "shtab": "completion",
          "starlette": "web", "tomli": "arena", "torch": "tuning", "uvicorn": "web",
          "websockets": "web", "wheel": "wheel", "ziglang": "wheel"}


def import_error_text(error: ImportError, what: str = "this") -> str:
    """Return a message on a failed import: the package that `what` needs and its installation.

    If the package is there but fails, returns the reason.  Logs faults of gtp_engine itself.
    """
    if (error.name or "").startswith("gtp_engine."):
        import logging  # slow, and rarely needed
        logging.getLogger(__name__).error("internal error", exc_info=error)
        return "internal error"
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return str(error)
    package = error.name.partition(".")[0]
    extra = f"[{EXTRAS[package]}]" if package in EXTRAS else ""
    if (Path(__file__).parents[2] / "setup.cfg").exists():
        words = f"'.{extra}'" if extra else "."
        command = f"python -m pip install {words} in the folder of the sources"
    elif (Path(sys.prefix) / "pipx_metadata.json").exists():
        command = f"pipx inject gtp_engine {package}"
    else:
        command = f"{_installer()} install 'gtp_engine{extra}'"
    return f"{what} needs the package {package}, which is not installed: {command} installs it"


def _installer() -> str:
    # The program that installed gtp_engine.
    from importlib.metadata import PackageNotFoundError, distribution
    try:
        name = distribution("gtp_engine").read_text("INSTALLER") or ""
    except PackageNotFoundError:
        name = ""
    return "uv pip" if name.strip() == "uv" else "python -m pip"


def print_notes(name: str, notes: Iterable[str]) -> None:
    """Print the first notes on a game of a file on standard error, and the number of the others."""
    from ..records.record import some_of
    for note in some_of(notes):
        print(f"{harmless(name)}: {harmless(note)}", file=sys.stderr)


def harmless(text: str) -> str:
    """Return the text in one line that is safe to print on a terminal.

    Replaces every unprintable character by an escape such as \\x1b, including control characters
    and those that change the direction of writing.
    """
    if text.isprintable():
        return text
    return "".join(symbol if symbol.isprintable() else symbol.encode("unicode_escape").decode()
                   for symbol in text)


class Parser(ArgumentParser):
    """A parser with harmless error messages, since they may quote files of others."""

    def error(self, message: str, *more: str) -> NoReturn:
        """Exit with status 2 and one line per message on standard error."""
        super().error("\n".join(map(harmless, (message, *more))))


@contextmanager
def progress_bar(text: str, total: int) -> Iterator[Callable[[object], object]]:
    """Show a progress bar on standard error if that is a terminal and rich is installed.

    Yields a function that advances the bar by one and ignores its argument.
    """
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ModuleNotFoundError:
        yield lambda done: None
        return
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(text, total=total)
        yield lambda done: progress.advance(task)
