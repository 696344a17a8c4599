"""Text of others on a terminal, and what programs say before they leave."""

from argparse import ArgumentParser
from typing import NoReturn, Optional

# The extra of setup.cfg that installs a package; those that are not here come with the engine.
EXTRAS = {"distributed": "cluster", "jinja2": "report", "markupsafe": "report",
          "matplotlib": "report", "psutil": "arena", "starlette": "web", "tomli": "arena",
          "torch": "tuning", "uvicorn": "web", "websockets": "web", "wheel": "wheel"}


def lacks(package: Optional[str]) -> str:
    """What to say of a package that is not installed: the command that installs it."""
    extra = EXTRAS.get(package or "")
    what = f"'.[{extra}]'" if extra else "."
    return (f"the package {package}, which is not installed: python -m pip install {what} in the "
            "folder of the sources installs it")


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
