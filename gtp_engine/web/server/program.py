"""The command `web`: its options, and its start."""

import logging
import sqlite3
import tempfile
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path
from random import Random

from ...command_line.options import checked
from ...games import catalogue
from ...players.options import whole
from ...wire.files import reason_of, user_folder

HOST = "127.0.0.1"


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command line."""
    parser.add_argument("tournaments", nargs="*", type=Path, metavar="FILE.jsonl",
                        help="results of a running or finished tournament to watch")
    parser.add_argument("--port", type=checked(whole("port", 65535)), metavar="N",
                        help="port of the server (default: 8765, or a free one if it is in use)")
    parser.add_argument("--no-browser", action="store_true",
                        help="print the address, but open no browser")
    parser.add_argument("--allow-programs", action="store_true",
                        help="let the page start programs as players")
    parser.add_argument("--player", action="append", default=[], metavar="MODULE:NAME",
                        help="offer a player of your own as an opponent: an object or function in "
                             "a module or a file.py, or a seat as for referee; repeatable")
    parser.add_argument("--watch-only", action="store_true",
                        help="let visitors watch games and tournaments, but change nothing")
    parser.add_argument("--host", default=HOST, metavar="ADDRESS",
                        help="listen at this address, for other computers; only with --watch-only")
    parser.add_argument("--collection", action="append", type=Path, default=[], metavar="FILE",
                        help="games to explore besides your own, from explore --index; repeatable")
    parser.add_argument("--data", type=Path, metavar="DIR",
                        help="folder for games (default: the user's data folder)")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Serve until Ctrl-C; return the exit status."""
    if options.host != HOST and not options.watch_only:
        parser.error("--host needs --watch-only, since other computers may only watch")
    if options.allow_programs and options.watch_only:
        parser.error("--allow-programs and --watch-only exclude each other")
    if options.player and options.watch_only:
        parser.error("--player and --watch-only exclude each other")
    try:
        options.player = dict(map(_probed, options.player))
    except ValueError as error:
        parser.error(str(error))
    for path in options.tournaments:
        if not path.is_file():
            parser.error(f"no such file: {path}")
    from .archive import open_archive  # slow to load
    from .server import serve_from  # and needs an extra
    try:
        archive = open_archive(options.collection, options.watch_only)
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (ValueError, sqlite3.Error) as error:
        parser.error(str(error))
    with ExitStack() as stack:
        if options.data is None:
            try:
                options.data = user_folder()
            except OSError as error:
                logging.getLogger(__name__).warning(
                    "games are kept only until the server ends, since %s; --data names another "
                    "folder", reason_of(error))
                options.data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        try:
            return serve_from(options, archive)
        except OSError as error:
            parser.error(f"{error.filename or options.host}: {error.strerror or error}")


def _probed(text: str) -> tuple[str, str]:
    # The seat of a player of the user, and its name.  Raises ValueError if it does not start.
    from ...arena.seats.base import TimeControl  # slow to load
    from ...arena.seats.spec import PROGRAMS, PYTHON, kind_of, name_and_seat, seat_of
    name, seat = name_and_seat(text)
    if kind_of(seat) not in (*PROGRAMS, PYTHON):
        seat = f"{PYTHON}:{seat}"
    probed = seat_of(seat, TimeControl(), Random(0), name)
    probed.probe(catalogue.start(catalogue.GOMOKU, 15))
    return seat, probed.name
