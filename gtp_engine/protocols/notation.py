"""Points and colours as text, both directions."""

from typing import Optional

from ..games.lattice import BLACK, BORDER, EMPTY, PASS, WHITE, Lattice

GTP_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I
COLOUR_NAMES = {BLACK: "black", WHITE: "white"}
SYMBOLS = {EMPTY: ".", BLACK: "X", WHITE: "O"}
_COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


def colour_of(text: str) -> Optional[int]:
    """BLACK or WHITE for b, w, black, white in any case; None for anything else."""
    return _COLOURS.get(text.lower())


class GtpPoints:
    """The points of one lattice in GTP's notation: A1 is the lower left corner, I is left out.

    name  text of each point by point number
    """

    def __init__(self, lattice: Lattice):
        self.name = {}
        for point in lattice.points:
            x, y, _ = lattice.coordinates(point)
            self.name[point] = f"{GTP_COLUMNS[x]}{y + 1}"
        self._point = {name.lower(): point for point, name in self.name.items()} | {"pass": PASS}

    def point_of(self, text: str) -> Optional[int]:
        """The point of that name in any case, PASS for pass; None for anything else."""
        return self._point.get(text.lower())

    def text(self, points: list[int]) -> str:
        """The names of the points, sorted as strings (A1 A10 A2), with single spaces between."""
        return " ".join(sorted(self.name[point] for point in points))


def board_rows(lattice: Lattice, cells: bytearray) -> list[str]:
    """The board as rows of X, O and . from the top."""
    symbols = bytes(ord(SYMBOLS.get(value, " ")) for value in range(BORDER + 1))
    text = cells.translate(symbols.ljust(256)).decode()
    starts = [lattice.point(0, y) for y in reversed(range(lattice.height))]
    return [text[start:start + lattice.width] for start in starts]
