"""`python -m gtp_engine ROOM ...`: one room for each thing that can be started."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Optional, Sequence


def main(words: Optional[Sequence[str]] = None, prog: Optional[str] = None) -> int:
    """Start the room that the first word names; returns the exit status.

    With `prog`, the name of a start script, that room is `gtp` and all words are its options.
    Wrong options leave with status 2 and a line on standard error.
    """
    if prog:
        parser = ArgumentParser(prog=prog, description="A GTP engine for k-in-a-row games.")
        add_gtp_options(parser)
    else:
        parser = ArgumentParser(prog="python -m gtp_engine", description=main.__doc__)
        rooms = parser.add_subparsers(required=True, metavar="ROOM")
        add_gtp_options(rooms.add_parser("gtp", help="play over GTP on standard input and output"))
        compiling = rooms.add_parser("compile", help="compile all kernels ahead of time")
        compiling.set_defaults(start=compile_kernels)
    options = parser.parse_args(words)
    return options.start(parser, options)


def add_gtp_options(parser: ArgumentParser) -> None:
    """The options of `gtp`."""
    from .games import catalogue
    from .players import PLAYERS, POLICIES, Settings
    parser.set_defaults(start=gtp)
    parser.add_argument("--game", type=catalogue_row, default="Gomoku", metavar="NAME",
                        help=f"{', '.join(catalogue.GAMES)} (default: %(default)s)")
    parser.add_argument("--size", type=int, metavar="N",
                        help="length of a side of the board (default: the game's)")
    parser.add_argument("--player", choices=PLAYERS, default="flat",
                        help="who chooses the moves (default: %(default)s)")
    parser.add_argument("--policy", choices=POLICIES, default=Settings.policy,
                        help="who chooses the moves in simulations (default: %(default)s)")
    parser.add_argument("--simulations", type=positive, default=Settings.simulations, metavar="N",
                        help="simulations for each legal move (default: %(default)s)")
    parser.add_argument("--time", type=seconds, metavar="SECONDS",
                        help="time for a move (default: flat makes its simulations, alphabeta "
                             "takes one second)")
    parser.add_argument("--threads", type=positive, default=Settings.threads, metavar="N",
                        help="threads that share the simulations of a move (default: %(default)s)")
    parser.add_argument("--memory", type=positive, default=Settings.memory, metavar="MB",
                        help="size of alphabeta's transposition table (default: %(default)s)")
    parser.add_argument("--depth", type=positive, metavar="N",
                        help="plies that alphabeta looks ahead at most")
    parser.add_argument("--nodes", type=positive, metavar="N",
                        help="moves that alphabeta tries at most before it answers")
    parser.add_argument("--seed", type=int, metavar="N",
                        help="makes every run with the same commands the same")
    parser.add_argument("--strict-gtp", action="store_true",
                        help="answer an illegal move with a failure, as GTP 2 says")
    parser.add_argument("--log", metavar="FILE", help="append a transcript of the session to FILE")


def catalogue_row(name: str):
    """The game of that name, for argparse."""
    from .games import catalogue
    try:
        return catalogue.find(name)
    except KeyError:
        raise ArgumentTypeError(
            f"no such game: {name} (available: {' '.join(catalogue.GAMES)})") from None


def positive(text: str) -> int:
    """A whole number of 1 to 10**9, for argparse."""
    number = int(text)
    if not 1 <= number <= 10**9:
        raise ValueError
    return number


def seconds(text: str) -> float:
    """A time above 0, for argparse."""
    number = float(text)
    if not 0 < number < 1e6:
        raise ValueError
    return number


def gtp(parser: ArgumentParser, options: Namespace) -> int:
    """Serve GTP on standard input and output."""
    from io import FileIO
    from random import Random

    from .games import catalogue
    from .players import Settings
    from .protocols.gogui import GoguiCommands
    from .protocols.gtp import Dispatcher, serve
    from .protocols.session import Session
    try:
        size = options.game.default_size if options.size is None else options.size
        position = catalogue.start(options.game, size)
        transcript = open_transcript(options.log) if options.log else None
        source, sink = FileIO(0, closefd=False), FileIO(1, "w", closefd=False)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    settings = Settings(options.policy, options.simulations, Random(options.seed),
                        options.threads, options.memory, options.depth, options.nodes)
    dispatcher = Dispatcher()
    session = Session(dispatcher, position, options.player, settings, options.strict_gtp,
                      options.time)
    GoguiCommands(dispatcher, session)
    sys.stdout = sys.stderr  # whatever is printed by mistake must not reach the controller
    serve(dispatcher, source, sink, transcript)
    return 0


def compile_kernels(parser: ArgumentParser, options: Namespace) -> int:
    """Fill the cache with the machine code of every kernel, so that no game has to wait for it."""
    import time

    from .kernels import CACHE_FOLDER
    from .players.alphabeta import load_search
    from .players.simulation import load_playouts
    from .solvers.solve import load_proof
    start = time.monotonic()
    load_playouts()
    load_search()
    load_proof()
    print(f"all kernels are in {CACHE_FOLDER} ({time.monotonic() - start:.1f} s)", file=sys.stderr)
    return 0


def open_transcript(path: str):
    """A function that appends a line to the file, with the time and the process.

    Raises OSError if the file cannot be written.
    """
    import logging
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(message)s"))
    logger = logging.getLogger("gtp_engine.transcript")
    logger.propagate = False
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    return lambda line: logger.info("%s", line)


if __name__ == "__main__":
    sys.exit(main())
