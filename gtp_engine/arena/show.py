"""The board for people: coloured on a terminal, plain elsewhere."""

from typing import Callable, TextIO

from ..games.lattice import BLACK, WHITE
from ..games.rules import Position
from ..protocols.notation import COLOUR_NAMES, SYMBOLS, GtpPoints, board_drawing

RESET = "\033[0m"
COLOURS = {SYMBOLS[BLACK]: "\033[1;31m", SYMBOLS[WHITE]: "\033[1;34m"}


def show_on(stream: TextIO) -> Callable[[Position], None]:
    """A function that writes a position and its last move to the stream."""
    coloured = stream.isatty()

    def show(position: Position) -> None:
        record = position.history[-1]
        name = GtpPoints(position.lattice).name[record.point]
        lines = [f"{len(position.history)}. {COLOUR_NAMES[record.colour]} "
                 f"({SYMBOLS[record.colour]}) {name}"]
        for line in board_drawing(position.lattice, position.cells):
            if coloured and not line.startswith("   "):
                line = "".join(f"{COLOURS[symbol]}{symbol}{RESET}" if symbol in COLOURS else symbol
                               for symbol in line)
            lines.append(line)
        print("\n".join(lines) + "\n", file=stream, flush=True)

    return show
