"""Options of the command line that several programs share."""

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Any, Callable, Optional

from ..games import catalogue
from ..players.base import Settings
from ..players.options import OPTIONS, seconds, settings_of, time_above_0, whole


def add_player_options(parser: ArgumentParser, player: str) -> None:
    """The options that say who plays, by default `player`, and how."""
    add_options_of(parser, "player policy simulations threads memory depth nodes level seed",
                   player=player)


def add_options_of(parser: ArgumentParser, names: str, **defaults: Any) -> None:
    """Options of the table, with its defaults unless others are given."""
    for option in map(OPTIONS.__getitem__, names.split()):
        default = defaults.get(option.name, option.default)
        parser.add_argument(
            f"--{option.name}", type=checked(option.parse), default=default,
            metavar=option.unit.upper() or ("NAME" if option.values else "N"),
            help=f"{', '.join(option.values)}{': ' if option.values else ''}{option.help}"
            + ("" if default is None else f" (default: {default})"))


def add_time(parser: ArgumentParser, text: str, default: Optional[float] = None,
             name: str = "--time") -> None:
    """An option that is a time, of more than 0 seconds unless that is its default."""
    parser.add_argument(name, type=checked(seconds if default == 0 else time_above_0),
                        default=default, metavar="SECONDS", help=text)


def add_game(parser: ArgumentParser, default: str = "Gomoku") -> None:
    """The options that say which game is played, by `default` in words, and on which board."""
    parser.add_argument("--game", type=checked(catalogue.find), default="Gomoku", metavar="NAME",
                        help=f"{', '.join(catalogue.GAMES)} (default: {default})")
    parser.add_argument("--size", type=int, metavar="N",
                        help="length of a side of the board (default: the game's)")


def add_processes(parser: ArgumentParser) -> None:
    """The option that says how many processes work."""
    parser.add_argument("--processes", type=checked(whole("processes", 10**9)),
                        default=os.cpu_count() or 1, metavar="N",
                        help="processes that work at a time (default: %(default)s)")


def checked(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """A parser for argparse, which shows the text of its ValueError."""
    def read(text: str) -> Any:
        try:
            return parse(text)
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from None
    return read


def size_of(options: Namespace) -> int:
    """The size that was asked for, else that of the game."""
    return int(options.game.default_size if options.size is None else options.size)


def player_settings(options: Namespace) -> Settings:
    """The player's settings that the options ask for."""
    return settings_of({name: value for name, value in vars(options).items() if name in OPTIONS})
