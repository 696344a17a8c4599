"""4x4x4 tic-tac-toe over standard input and output, as the course of 2003 plays it.

The referee writes our symbol, R or B, then the moves of the opponent; R begins.  We write our
moves, ERROR after an invalid one, GAMEOVER after one that ends the game, and wait for exit.
"""

from typing import Callable, Iterable, Iterator

from ..games import catalogue
from ..games.rules import Position
from .notation import PIPE_SYMBOLS, pipe_move, pipe_text

EXIT, ERROR, GAMEOVER = "exit", "ERROR", "GAMEOVER"
MOST_SECONDS = 57.0  # for a move, of the 60 that the referee allows
LENGTH = 10  # the referee reads messages in blocks of so many bytes
PADDING = " \t\r\n\0"  # what may stand around a message


def converse(lines: Iterable[bytes], choose: Callable[[Position], int]) -> Iterator[str]:
    """Yield our messages as the lines of the referee arrive, until `exit` or the last one."""
    position = catalogue.start(catalogue.QUBIC, catalogue.QUBIC.default_size)
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
            point = choose(position)
            yield pipe_text(position.lattice, own, point)
            position.play(own, point)
        if waiting and position.outcome:
            yield GAMEOVER
            waiting = False


def padded(message: str) -> bytes:
    """The message in a block of LENGTH bytes, the last one a newline."""
    return message.encode().ljust(LENGTH - 1, b"\0") + b"\n"
