"""The GTP engine that GoGui starts: all commands, on standard input and output."""

import sys
from argparse import ArgumentParser, Namespace
from typing import Callable

from ...command_line.options import add_game, add_player_options, add_time, player_settings, size_of
from ...games import catalogue
from ...wire.streams import standard_streams
from .analyze import AnalyzeCommands
from .dispatcher import Dispatcher, serve
from .gogui import GoguiCommands
from .opening_commands import OpeningCommands
from .puzzle_commands import PuzzleCommands
from .session import Course, Session

COURSES = {"2019": (catalogue.GOMOKU, Course(lower_case=True, upper_answers=True)),
           "2021": (catalogue.GOMOKU, Course()),
           "2023": (catalogue.NINUKI, Course(lower_case=True, white_captures_first=True))}


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command line."""
    add_player_options(parser, "flat")
    add_session_options(parser)


def add_session_options(parser: ArgumentParser) -> None:
    """Add the options that do not depend on the player."""
    add_game(parser)
    add_time(parser, "time for a move (default: flat plays its simulations, alphabeta takes one "
                     "second)")
    parser.add_argument("--strict-gtp", action="store_true",
                        help="reply to an illegal move with a failure, as in GTP 2")
    parser.set_defaults(game=None)
    parser.add_argument("--course", choices=COURSES,
                        help="play the game of that year's test files, with the replies that they "
                             "expect")
    parser.add_argument("--lower-case", action="store_true",
                        help="write points in lower case, for course files of 2019, 2020 and 2023")
    parser.add_argument("--name", default="", metavar="NAME",
                        help="name of the engine (default: gtp_engine, with the player "
                             "and the settings that differ from the default)")
    parser.add_argument("--verbose", action="store_true",
                        help="write a line to standard error for each move of the engine: value, "
                             "depth, nodes, expected line")
    parser.add_argument("--log", metavar="FILE", help="append a transcript of the session to FILE")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Serve GTP on standard input and output; returns the exit status."""
    game, course = COURSES.get(options.course, (catalogue.GOMOKU, Course()))
    if options.lower_case:
        course = course._replace(lower_case=True)
    options.game = options.game or game
    try:
        position = catalogue.start(options.game, size_of(options))
        transcript = open_transcript(options.log) if options.log else None
        source, sink = standard_streams()
    except (ValueError, OSError) as error:
        parser.error(str(error))
    if options.verbose:
        import logging
        logging.basicConfig(level=logging.INFO, format="%(message)s")
    dispatcher = Dispatcher()
    session = Session(dispatcher, position, options.player, player_settings(options),
                      options.strict_gtp, options.time, course,
                      " ".join(options.name.split()), options.verbose)
    GoguiCommands(dispatcher, session)
    AnalyzeCommands(dispatcher, session)
    OpeningCommands(dispatcher, session)
    PuzzleCommands(dispatcher, session)
    serve(dispatcher, source, sink, transcript)
    return 0


def open_transcript(path: str) -> Callable[[str], None]:
    """A function that appends a line to the file, with the time and the process.

    After a failed write the transcript ends, with a line on standard error.  Raises OSError if the
    file cannot be opened.
    """
    import logging

    class Transcript(logging.FileHandler):
        def handleError(self, record: logging.LogRecord) -> None:
            """End the transcript."""
            logger.removeHandler(self)
            logging.getLogger(__name__).error("the transcript %s cannot be written: %s", path,
                                              sys.exc_info()[1])
            try:
                self.close()
            except OSError:  # for buffered lines
                pass

    handler = Transcript(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(message)s"))
    logger = logging.getLogger("gtp_engine.transcript")
    logger.propagate = False
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    return lambda line: logger.info("%s", line)
