"""Output on a terminal: text of other programs, error messages, progress bars."""

from argparse import ArgumentParser
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Iterator, NoReturn

# The extra of setup.cfg that installs a package; those that are not here come with the engine.
EXTRAS = {"distributed": "cluster", "jinja2": "report", "markupsafe": "report",
          "matplotlib": "report", "psutil": "arena", "starlette": "web", "tomli": "arena",
          "torch": "tuning", "uvicorn": "web", "websockets": "web", "wheel": "wheel"}


def lacks(error: ImportError, what: str = "this") -> str:
    """What to say of an import that has failed: `what` needs a package, and how to install it; or
    why the package that is there cannot be used.  A fault of our own is logged.
    """
    if (error.name or "").startswith("gtp_engine."):
        import logging  # before a move nothing needs it
        logging.getLogger(__name__).error("internal error", exc_info=error)
        return "internal error"
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return str(error)
    package = error.name.partition(".")[0]
    extra = f"[{EXTRAS[package]}]" if package in EXTRAS else ""
    sources = Path(__file__).parents[2]
    command = ("'gtp_engine{}' installs it" if not (sources / "setup.cfg").exists() else
               "'.{}' in the folder of the sources installs it" if extra else
               ". in the folder of the sources installs it")
    return (f"{what} needs the package {package}, which is not installed: python -m pip install "
            + command.format(extra))


def harmless(text: str) -> str:
    """The text in one line that a terminal only shows.

    Control characters, those that turn the direction of writing and whatever else cannot be printed
    stand there as escapes such as \\x1b.
    """
    if text.isprintable():
        return text
    return "".join(symbol if symbol.isprintable() else symbol.encode("unicode_escape").decode()
                   for symbol in text)


class Parser(ArgumentParser):
    """A parser whose complaints are harmless, since they may quote files of others."""

    def error(self, message: str, *more: str) -> NoReturn:
        """Leave with status 2 and a line for each message on standard error."""
        super().error("\n".join(map(harmless, (message, *more))))


@contextmanager
def progress_bar(text: str, total: int) -> Iterator[Callable[[object], object]]:
    """A bar on standard error, if that is a terminal; yields what advances it by one.

    The function takes one argument, which it ignores.
    """
    from rich.console import Console
    from rich.progress import Progress
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(text, total=total)
        yield lambda done: progress.advance(task)
