"""Options that several programs share."""

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Any, Callable, Optional

from ..games import catalogue
from ..games.lattice import Size, size_of_text
from ..players.base import Settings
from ..players.options import OPTIONS, seconds, settings_of, time_above_0, whole
from ..records.record import GTP, PLAIN

GAME_NAMES = f"{', '.join(catalogue.GAMES)} or {catalogue.FAMILY} such as 4-in-a-row"


def add_player_options(parser: ArgumentParser, player: str) -> None:
    """Add the options for the player and its settings; `player` is the default."""
    add_options_of(parser, "player policy simulations threads memory depth nodes level book seed",
                   player=player)


def add_options_of(parser: ArgumentParser, names: str, **defaults: Any) -> None:
    """Add options of the table; `defaults` override its defaults."""
    for option in map(OPTIONS.__getitem__, names.split()):
        default = defaults.get(option.name, option.default)
        parser.add_argument(
            f"--{option.name}", type=checked(option.parse), default=default,
            metavar=option.word or option.unit.upper() or ("NAME" if option.values else "N"),
            help=f"{', '.join(option.values)}{': ' if option.values else ''}{option.help}"
            + ("" if default is None else f" (default: {default})"))


def add_time(parser: ArgumentParser, text: str, default: Optional[float] = None,
             name: str = "--time") -> None:
    """Add an option for a time in seconds; 0 is allowed only if it is the default."""
    parser.add_argument(name, type=checked(seconds if default == 0 else time_above_0),
                        default=default, metavar="SECONDS", help=text)


def add_game(parser: ArgumentParser, default: str = "Gomoku") -> None:
    """Add the options for the game and the board size; the help text names `default`."""
    parser.add_argument("--game", type=checked(catalogue.find), default="Gomoku", metavar="NAME",
                        help=f"{GAME_NAMES} (default: {default})")
    add_size(parser, "size of the board, such as 15 or 12x10 (default: the game's)")


def add_size(parser: ArgumentParser, text: str, default: Optional[Size] = None) -> None:
    """Add the option for the board size; `text` is its help."""
    parser.add_argument("--size", type=checked(size_of_text), default=default, metavar="N",
                        help=text)


def add_records(parser: ArgumentParser, default: str = "Gomoku") -> None:
    """Add the options for files of games: the game and the size where a file names none."""
    parser.add_argument("--game", type=checked(catalogue.find), metavar="NAME",
                        help=f"game of files that name none: {GAME_NAMES} "
                        f"(default: {default})")
    add_size(parser, "size of the board, such as 15 or 12x10, for files that name none")
    parser.add_argument("--letters", choices=(GTP, PLAIN),
                        help="columns of moves as text without (gtp) or with an I (plain), where "
                        "the text leaves it open")


def add_processes(parser: ArgumentParser) -> None:
    """Add the option for the number of processes."""
    parser.add_argument("--processes", type=checked(whole("processes", 10**9)),
                        default=os.cpu_count() or 1, metavar="N",
                        help="number of parallel processes (default: %(default)s)")


def checked(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a parser for argparse that reports the text of its ValueError."""
    def read(text: str) -> Any:
        try:
            return parse(text)
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from None
    return read


def size_of(options: Namespace) -> Size:
    """Return the size in the options, or the default size of the game."""
    size: Size = options.game.default_size if options.size is None else options.size
    return size


def player_settings(options: Namespace) -> Settings:
    """Return the player's settings in the options."""
    return settings_of({name: value for name, value in vars(options).items() if name in OPTIONS})
