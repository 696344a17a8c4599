"""4x4x4 tic-tac-toe over standard input and output, as the course of 2003 plays it.

The referee writes our symbol, R or B, then the moves of the opponent; R begins.  We write our
moves, ERROR after an invalid one, GAMEOVER after one that ends the game, and wait for exit.
"""

from argparse import ArgumentParser, Namespace
from typing import Iterable, Iterator

from ..command_line.options import add_player_options, add_time, player_settings
from ..games import catalogue
from ..wire.clock import MatchClock
from ..wire.notation import ERROR, EXIT, GAMEOVER, PIPE_SYMBOLS, pipe_move, pipe_text
from ..wire.streams import serve_lines
from .engine import Engine

ALLOWED = 57.0  # seconds for a move, of the 60 that the referee allows
LENGTH = 10  # bytes of a message to the referee
PADDING = " \t\r\n\0"  # what may stand around a message


def add_options(parser: ArgumentParser) -> None:
    """What the command line may say."""
    add_player_options(parser, "alphabeta")
    add_time(parser, "time for a move, of which the referee allows 60 (default: %(default)s)", 2.0)
    parser.add_argument("--no-padding", action="store_true",
                        help="do not fill messages up to ten bytes")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Play one game on standard input and output."""
    stop = bytearray(2)
    engine = Engine(catalogue.start(catalogue.QUBIC, catalogue.QUBIC.default_size), options.player,
                    player_settings(options), MatchClock(options.time, ALLOWED), stop)
    engine.load()
    return serve(engine, stop, not options.no_padding)


def serve(engine: Engine, stop: bytearray, padding: bool) -> int:
    """Answer the lines of standard input until exit; the exit status."""
    def replies(lines: Iterable[bytes]) -> Iterator[bytes]:
        for message in converse(lines, engine):
            yield padded(message) if padding else f"{message}\n".encode()

    return serve_lines(replies, stop, lambda line: line.strip(PADDING.encode()) == EXIT.encode())


def converse(lines: Iterable[bytes], engine: Engine) -> Iterator[str]:
    """Yield our messages as the lines of the referee arrive, until `exit` or the last one.

    The engine stands at the start of a game.
    """
    position = engine.position
    colours = {symbol: colour for colour, symbol in PIPE_SYMBOLS.items()}
    own, waiting = 0, True  # no colour yet; waiting for a move or a colour, not for exit
    for line in lines:
        text = line.decode("ascii", "replace").strip(PADDING)
        if text == EXIT:
            return
        if not waiting or not text and (not own or line):  # filling, which may stand alone
            continue
        if not own and text in colours:
            own = colours[text]
        elif own and (move := pipe_move(position.lattice, text)) and (
                move[0] == position.side != own) and not position.complaint(*move):
            position.play(*move)
        else:
            yield ERROR
            waiting = False
        if waiting and not position.outcome and position.side == own:
            yield pipe_text(position.lattice, own, engine.genmove(own))
        if waiting and position.outcome:
            yield GAMEOVER
            waiting = False


def padded(message: str) -> bytes:
    """The message in a block of LENGTH bytes, the last one a newline."""
    return message.encode().ljust(LENGTH - 1, b"\0") + b"\n"
