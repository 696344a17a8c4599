"""Positions for people, in the notation of each game; coloured on a terminal, plain elsewhere."""

from typing import Callable, Optional, Sequence, TextIO

from ..games.lattice import BLACK, PASS, WHITE, Lattice
from ..games.rules import Position
from ..wire.notation import (
    COLOUR_NAMES,
    FILE_COLUMNS,
    GTP_COLUMNS,
    PIPE_SYMBOLS,
    SYMBOLS,
    GtpPoints,
    file_point,
    file_text,
    pipe_move,
    pipe_text,
)

RESET, REVERSE = "\033[0m", "\033[7m"
WITH_I = "with I"  # the notation of Gomoku sites: A1 is the lower left corner, I is a column
PAINTS = {BLACK: "\033[1;31m", WHITE: "\033[1;34m"}


class BoardView:
    """The notation and drawing of a game on a terminal.

    Go-moku with a colour swap counts rows from the top and has a column I.  The cube has a drawing
    of each level, and moves R,x,y,z of Red and Blue.  All other games use GTP's notation.

    colours  the names of BLACK and WHITE
    symbols  the symbols of BLACK and WHITE
    example  a point in this notation
    """

    def __init__(self, position: Position):
        self.position, self.lattice = position, position.lattice
        self.colours, self.symbols = COLOUR_NAMES, {BLACK: SYMBOLS[BLACK], WHITE: SYMBOLS[WHITE]}
        self.points = GtpPoints(self.lattice)
        if position.rules.cube:
            self.colours = {BLACK: "red", WHITE: "blue"}
            self.symbols = PIPE_SYMBOLS
        self.example = self.name(self.lattice.middle()[0])

    def name(self, point: int) -> str:
        """Return the name of a point."""
        if self.position.rules.cube:
            return pipe_text(self.lattice, BLACK, point)[2:]
        if self.position.rules.swap:
            return file_text(self.lattice, point)
        return self.points.name[point]

    def text(self, colour: int, point: int) -> str:
        """Return a move as text, with its colour in the cube."""
        return pipe_text(self.lattice, colour, point) if self.position.rules.cube else (
            self.name(point))

    def move_of(self, text: str) -> Optional[tuple[Optional[int], int]]:
        """Read a move as (colour, point); the colour is None if the text has none.

        Accepts the forms of the courses, in any case, with or without parentheses: H 8, (W H 8),
        white H8; 0,1,2 or R,0,1,2 in the cube.  Returns None for other texts.
        """
        words = text.strip("() ").replace(",", " ").split()
        colours = {word: colour for colour, name in self.colours.items()
                   for word in (name, name[0])}
        if point := self._point(words):
            return None, point
        colour, point = colours.get("".join(words[:1]).lower()), self._point(words[1:])
        return (colour, point) if colour and point else None

    def _point(self, words: Sequence[str]) -> Optional[int]:
        text = "".join(words)
        if self.position.rules.cube:
            move = pipe_move(self.lattice, ",".join([PIPE_SYMBOLS[BLACK], *words]))
            return move[1] if move else None
        if self.position.rules.swap:
            return file_point(self.lattice, text[:1], text[1:])
        return self.points.point_of(text) or None

    def lines(self, paint: bool) -> list[str]:
        """Return the lines of the last move, the board and the captures.

        The last stone is in parentheses, or in reverse video if `paint`.
        """
        position = self.position
        record = position.history[-1] if position.history else None
        last = record.point if record and record.point != PASS else None
        heading = f"{position.rules.name}, {self.colours[position.side]} moves first"
        if record and last:
            heading = (f"{len(position.history)}. {self.colours[record.colour]} "
                       f"({self.symbols[record.colour]}) {self.name(last)}")
        lines = [heading, *self._board(last, paint)]
        if position.rules.capture_lengths:
            lines.append(f"captured by black: {position.captured[BLACK]}, "
                         f"by white: {position.captured[WHITE]}")
        return lines

    def _board(self, last: Optional[int], paint: bool) -> list[str]:
        def cell(point: int) -> str:
            stone = self.position.cells[point]
            symbol = self.symbols.get(stone, SYMBOLS[0])
            if paint and stone in PAINTS:
                return f"{REVERSE if point == last else ''}{PAINTS[stone]} {symbol} {RESET}"
            return f"({symbol})" if point == last else f" {symbol} "

        if self.position.rules.cube:
            return cube_drawing(self.lattice, cell)
        return plane_drawing(self.lattice, cell, from_the_top=self.position.rules.swap)


def plane_drawing(lattice: Lattice, cell: Callable[[int], str], from_the_top: bool) -> list[str]:
    """Return the lines of a board with coordinates.

    With `from_the_top`, I is a column and 1 is the top row.
    """
    columns = FILE_COLUMNS if from_the_top else GTP_COLUMNS
    letters = "   " + "".join(f" {letter} " for letter in columns[:lattice.width])
    lines = [letters.rstrip()]
    for y in reversed(range(lattice.height)):
        number = lattice.height - y if from_the_top else y + 1
        cells = "".join(cell(lattice.point(x, y)) for x in range(lattice.width))
        lines.append(f"{number:2} {cells} {number}")
    return [*lines, lines[0]]


def cube_drawing(lattice: Lattice, cell: Callable[[int], str]) -> list[str]:
    """Return the lines of a cube, its levels side by side: x to the right, y downwards."""
    across = "y\\x" + "".join(f" {x} " for x in range(lattice.width))
    levels = [[f"    z = {z}".ljust(len(across)), across, *(
        f" {y} " + "".join(cell(lattice.point(x, y, z)) for x in range(lattice.width))
        for y in range(lattice.height))] for z in range(lattice.depth)]
    return ["   ".join(parts).rstrip() for parts in zip(*levels)]


def show_on(stream: TextIO) -> Callable[[Position], None]:
    """Return a function that writes a position and its last move to the stream."""
    paint = stream.isatty()

    def show(position: Position) -> None:
        print("\n".join(BoardView(position).lines(paint)) + "\n", file=stream, flush=True)

    return show
