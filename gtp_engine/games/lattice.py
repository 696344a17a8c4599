"""The numbered points of a w x h (x d) board, its axes and its lines.

A board is one padded row of cells.  A *point* is the index of a cell of the board proper.  An
*axis* is the distance between neighbours along one direction.  Every step from a point along an
axis, forward or back, leads to a point or to a border cell.
"""

import re
from itertools import product
from numbers import Integral
from typing import Any, Iterator, Union

Size = Union[int, tuple[int, int]]  # of a displayed board: its side, or its columns and rows
EMPTY, BLACK, WHITE, BORDER = range(4)
PASS = 0  # cell 0 is a border cell of every lattice

# One direction of each opposite pair; two-dimensional boards use the first four.
DIRECTIONS = tuple(
    direction
    for direction in sorted(product((-1, 0, 1), repeat=3), key=lambda d: (abs(d[2]), abs(d[1]), d))
    if direction[::-1] > (0, 0, 0)
)


def opponent(colour: int) -> int:
    """Return the other colour: WHITE for BLACK and BLACK for WHITE."""
    return BLACK + WHITE - colour


def sides(size: Size) -> tuple[int, int]:
    """Return the columns and rows of a board of this size."""
    return (size, size) if isinstance(size, int) else size


def size_of(columns: int, rows: int) -> Size:
    """Return the size of a board with these columns and rows; one number for a square."""
    return columns if columns == rows else (columns, rows)


def size_text(size: Size) -> str:
    """Return a size as text: 15 for a square, 12x10 for 12 columns and 10 rows."""
    return str(size) if isinstance(size, int) else f"{size[0]}x{size[1]}"


def size_of_text(text: str) -> Size:
    """Return the size of a text such as 15, 12x10 or 12 × 10; 15x15 is 15.  Raises ValueError."""
    match = re.fullmatch("([0-9]{1,3})(?: ?[xX\N{MULTIPLICATION SIGN}] ?([0-9]{1,3}))?",
                         text.strip())
    if not match:
        raise ValueError(f"not a board size: {text} (examples: 15, 12x10)")
    return size_of(int(match[1]), int(match[2] or match[1]))


def size_data(size: Size) -> Union[int, str]:
    """Return a size as JSON data: a number for a square, else a text such as 12x10."""
    return size if isinstance(size, int) else size_text(size)


def as_size(data: object) -> Size:
    """Return the size in data such as 15, "12x10", (12, 10) or [12, 10].  Raises ValueError."""
    if isinstance(data, str):
        return size_of_text(data)
    pair: list[Any] = [*data] if isinstance(data, (list, tuple)) else [data, data]
    if len(pair) != 2 or not all(isinstance(side, Integral) and not isinstance(side, bool)
                                 for side in pair):
        raise ValueError(f"not a board size: {data!r} (examples: 15, 12x10)")
    return size_of(*map(int, pair))


class Lattice:
    """The points of a board of `width` x `height` x `depth`; immutable.

    points      all points, x fastest, then y, then z; (0, 0, 0) is the first
    on_board    the points as a set
    axes        cell distances, one for each pair of opposite directions: 4 in 2-D, 13 in 3-D
    directions  the (dx, dy, dz) of each axis, in the same order
    steps       cell distances of all directions, each axis forward and back
    slices      the lines of at least five points from border to border, as slices of the cells
    cells       number of cells, border included
    row         cell distance between neighbours along y
    """

    def __init__(self, width: int, height: int, depth: int = 1):
        self.width, self.height, self.depth = width, height, depth
        self.row = width + 1
        self._plane = self.row * (height + 1)
        self._first = self.row + 1 + (self._plane if depth > 1 else 0)
        self.points = tuple(
            self._first + x + y * self.row + z * self._plane
            for z in range(depth) for y in range(height) for x in range(width)
        )
        self.on_board = frozenset(self.points)
        self.directions = tuple(d for d in DIRECTIONS if depth > 1 or d[2] == 0)
        self.axes = tuple(dx + dy * self.row + dz * self._plane for dx, dy, dz in self.directions)
        self.steps = tuple(step for axis in self.axes for step in (axis, -axis))
        self.cells = self.points[-1] + max(self.axes) + 1
        self.slices = tuple(self._slices(5))

    def _slices(self, shortest: int) -> Iterator[tuple[int, int, int]]:
        # The lines of at least `shortest` points, as (first point, end, axis).
        for axis in self.axes:
            for first in self.points:
                if first - axis not in self.on_board:
                    end = first
                    while end in self.on_board:
                        end += axis
                    if end - first >= shortest * axis:
                        yield first, end, axis

    def __deepcopy__(self, memo: dict[int, Any]) -> "Lattice":
        return self

    def blank(self) -> bytearray:
        """Return an empty board: EMPTY on every point, BORDER on every other cell."""
        board = bytearray([BORDER]) * self.cells
        for point in self.points:
            board[point] = EMPTY
        return board

    def point(self, x: int, y: int, z: int = 0) -> int:
        """Return the point with these coordinates, each counted from 0 and inside the board."""
        return self._first + x + y * self.row + z * self._plane

    def coordinates(self, point: int) -> tuple[int, int, int]:
        """Return the (x, y, z) of a point, the inverse of `point`."""
        z, rest = divmod(point - self._first, self._plane)
        y, x = divmod(rest, self.row)
        return x, y, z

    @property
    def display_columns(self) -> int:
        """The number of columns of the displayed board; a cube has two levels side by side."""
        return self.width if self.depth == 1 else 2 * self.width

    @property
    def display_rows(self) -> int:
        """The number of rows of the displayed board; a cube has two levels above each other."""
        return self.height if self.depth == 1 else 2 * self.height

    @property
    def display_size(self) -> Size:
        """The size of the displayed board: the side of a square, else (columns, rows)."""
        return size_of(self.display_columns, self.display_rows)

    def display_place(self, point: int) -> tuple[int, int]:
        """Return the displayed column and row of a point, from the lower left corner.

        The levels of a cube form two rows; the lowest is at the lower left, the next one beside it.
        """
        x, y, z = self.coordinates(point)
        return x + z % 2 * self.width, y + z // 2 * self.height

    def middle(self) -> tuple[int, ...]:
        """Return the points nearest to the centre; there is one if all sides are odd."""
        def near(size: int) -> range:
            return range((size - 1) // 2, size // 2 + 1)
        return tuple(
            self.point(x, y, z)
            for z in near(self.depth) for y in near(self.height) for x in near(self.width)
        )

    def lines(self, length: int) -> Iterator[tuple[int, ...]]:
        """Yield every straight line of `length` points, once each."""
        points = set(self.points)
        for axis in self.axes:
            for start in self.points:
                line = tuple(start + i * axis for i in range(length))
                if points.issuperset(line):
                    yield line
