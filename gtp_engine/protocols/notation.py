"""Points and colours as text, both directions."""

import re
from typing import Optional

from ..games.lattice import BLACK, EMPTY, PASS, WHITE, Lattice

GTP_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I
COLOUR_NAMES = {BLACK: "black", WHITE: "white"}
SYMBOLS = {EMPTY: ".", BLACK: "X", WHITE: "O"}
_COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


def colour_of(text: str) -> Optional[int]:
    """BLACK or WHITE for b, w, black, white in any case; None for anything else."""
    return _COLOURS.get(text.lower())


class GtpPoints:
    """The points of one lattice in GTP's notation: A1 is the lower left corner, I is left out.

    A cube is named by the square that shows its levels, see `shown_at`.

    name  text of each point by point number
    """

    def __init__(self, lattice: Lattice):
        self.name = {}
        for point in lattice.points:
            column, row = shown_at(lattice, point)
            self.name[point] = f"{GTP_COLUMNS[column]}{row + 1}"
        self._point = {name.lower(): point for point, name in self.name.items()} | {"pass": PASS}

    def point_of(self, text: str) -> Optional[int]:
        """The point of that name in any case, PASS for pass; None for anything else."""
        return self._point.get(text.lower())

    def text(self, points: list[int]) -> str:
        """The names of the points, sorted as strings (A1 A10 A2), with single spaces between."""
        return " ".join(sorted(self.name[point] for point in points))


def shown_size(lattice: Lattice) -> int:
    """The side of the square that shows a board: of a cube, twice as long."""
    return lattice.width if lattice.depth == 1 else 2 * lattice.width


def shown_at(lattice: Lattice, point: int) -> tuple[int, int]:
    """Column and row of a point as shown, from the lower left corner.

    The levels of a cube stand two by two, the lowest at the lower left, the next one beside it.
    """
    x, y, z = lattice.coordinates(point)
    return x + z % 2 * lattice.width, y + z // 2 * lattice.height


def board_rows(lattice: Lattice, cells: bytearray) -> list[str]:
    """The board, as it is shown, as rows of X, O and . from the top."""
    size = shown_size(lattice)
    rows = [[SYMBOLS[EMPTY]] * size for _ in range(size)]
    for point in lattice.points:
        column, row = shown_at(lattice, point)
        rows[size - 1 - row][column] = SYMBOLS[cells[point]]
    return ["".join(row) for row in rows]


def board_drawing(lattice: Lattice, cells: bytearray) -> list[str]:
    """The board with its letters and numbers; the levels of a cube stand side by side."""
    drawings = []
    for z in range(lattice.depth):
        column, row = shown_at(lattice, lattice.point(0, 0, z))
        letters = "   " + " ".join(GTP_COLUMNS[column:column + lattice.width])
        lines = [letters]
        for y in reversed(range(lattice.height)):
            stones = " ".join(SYMBOLS[cells[lattice.point(x, y, z)]] for x in range(lattice.width))
            lines.append(f"{row + y + 1:2} {stones} {row + y + 1}")
        drawings.append([*lines, letters])
    if lattice.depth == 1:
        return drawings[0]
    width = len(drawings[0][1])
    return ["  ".join(line.ljust(width) for line in lines).rstrip() for lines in zip(*drawings)]


PIPE_SYMBOLS = {BLACK: "R", WHITE: "B"}  # Red moves first


def pipe_text(lattice: Lattice, colour: int, point: int) -> str:
    """A move as the programs of the 4x4x4 course write it: R,0,3,1."""
    return ",".join([PIPE_SYMBOLS[colour], *map(str, lattice.coordinates(point))])


def pipe_move(lattice: Lattice, text: str) -> Optional[tuple[int, int]]:
    """Colour and point of such a move, the inverse of `pipe_text`; None for anything else."""
    match = re.fullmatch("([RB]),([0-9]),([0-9]),([0-9])", text)
    if not match:
        return None
    x, y, z = map(int, match.group(2, 3, 4))
    if x >= lattice.width or y >= lattice.height or z >= lattice.depth:
        return None
    return BLACK if match[1] == PIPE_SYMBOLS[BLACK] else WHITE, lattice.point(x, y, z)
