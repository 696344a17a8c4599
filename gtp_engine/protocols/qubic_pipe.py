"""4x4x4 tic-tac-toe over standard input and output, as in the course of 2003.

The referee writes the player's symbol, R or B, then the moves of the opponent; R begins.  The
player writes its moves, ERROR after an invalid move, GAMEOVER after the last move, and waits for
exit.
"""

from argparse import ArgumentParser, Namespace
from typing import Iterable, Iterator

from ..command_line.options import add_player_options, add_time, player_settings
from ..games import catalogue
from ..wire.clock import MatchClock
from ..wire.notation import ERROR, EXIT, GAMEOVER, PIPE_SYMBOLS, pipe_move, pipe_text
from ..wire.streams import serve_lines
from .engine import Engine

MOVE_SECONDS = 57.0  # longest time for a move; the referee allows 60
LENGTH = 10  # bytes of a message to the referee
PADDING = " \t\r\n\0"  # characters allowed around a message


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command line."""
    add_player_options(parser, "alphabeta")
    add_time(parser, "time for a move; the referee allows 60 (default: %(default)s)", 2.0)
    parser.add_argument("--no-padding", action="store_true",
                        help="do not pad messages to ten bytes")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Play one game on standard input and output."""
    stop = bytearray(2)
    engine = Engine(catalogue.start(catalogue.QUBIC, catalogue.QUBIC.default_size), options.player,
                    player_settings(options), MatchClock(options.time, MOVE_SECONDS), stop)
    engine.load()
    return serve(engine, stop, not options.no_padding)


def serve(engine: Engine, stop: bytearray, padding: bool) -> int:
    """Answer the lines of standard input until exit; returns the exit status."""
    def replies(lines: Iterable[bytes]) -> Iterator[bytes]:
        for message in converse(lines, engine):
            yield padded(message) if padding else f"{message}\n".encode()

    return serve_lines(replies, stop, lambda line: line.strip(PADDING.encode()) == EXIT.encode())


def converse(lines: Iterable[bytes], engine: Engine) -> Iterator[str]:
    """Yield messages in reply to the lines of the referee, until `exit` or the last line.

    The engine is at the start of a game.
    """
    position = engine.position
    colours = {symbol: colour for colour, symbol in PIPE_SYMBOLS.items()}
    own, waiting = 0, True  # no colour yet; waiting for a colour or a move, not for exit
    for line in lines:
        text = line.decode("ascii", "replace").strip(PADDING)
        if text == EXIT:
            return
        if not waiting or not text and (not own or line):  # padding on a line of its own
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
