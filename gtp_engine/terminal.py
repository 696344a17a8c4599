"""Text of others on a terminal."""

from argparse import ArgumentParser
from typing import NoReturn


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
