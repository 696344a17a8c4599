"""The command `serve`: a player of one's own as a program that speaks GTP."""

from argparse import ArgumentParser, Namespace

from ...library.player import load_player, register_player
from ...protocols.gtp import program


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command line."""
    parser.add_argument("own", metavar="MODULE:NAME",
                        help="the player: an object with choose(game, limits) or a function of a "
                             "game, in a module or a file.py; or the name of an installed player")
    program.add_session_options(parser)


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Serve GTP on standard input and output; returns the exit status."""
    try:
        options.player = register_player(load_player(options.own))
    except ValueError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    options.name = options.name or options.player
    return program.start(parser, options)
