"""What a stone would make, slow and obvious: five, open four, four or open three."""

from typing import Optional

from ..games.lattice import BLACK, EMPTY, WHITE
from ..games.rules import Position
from .policy import is_open

FIVE, OPEN_FOUR, FOUR, OPEN_THREE = "five", "open four", "four", "open three"
SHAPES = (FIVE, OPEN_FOUR, FOUR, OPEN_THREE)  # the strongest first


def shapes(position: Position) -> dict[tuple[str, int], list[int]]:
    """By shape and colour, the points where a stone of that colour would make it, and no stronger.

    Where k in a row win, the shapes are k in a row; k - 1 that win at either end; k - 1 that win at
    one more point; k - 2 of which one more stone makes k - 1 that win at either end.  Captured
    stones are gone.  There are none once the game is over.
    """
    found: dict[tuple[str, int], list[int]] = {
        (shape, colour): [] for shape in SHAPES for colour in (BLACK, WHITE)}
    for point in position.lattice.points:
        for colour in (BLACK, WHITE):
            if position.cells[point] == EMPTY and not position.complaint(colour, point):
                shape = shape_of(position, colour, point)
                if shape:
                    found[shape, colour].append(point)
    return found


def shape_of(position: Position, colour: int, point: int) -> Optional[str]:
    """The strongest shape that a stone of `colour` on a point where it may play makes, if any."""
    if position.makes_row(colour, point):
        return FIVE
    position.play(colour, point)
    made = {shape for axis in position.lattice.axes
            for shape in shapes_along(position, colour, point, axis)}
    position.undo()
    return next((shape for shape in SHAPES if shape in made), None)


def shapes_along(position: Position, colour: int, point: int, axis: int) -> set[str]:
    """What the stone of `colour` on `point` is part of along an axis; no five is there."""
    in_a_row, cells = position.rules.in_a_row, position.cells
    starts = range(point - axis * (in_a_row - 1), point, axis)
    made = {shape for shape, stones in ((OPEN_FOUR, in_a_row - 1), (OPEN_THREE, in_a_row - 2))
            if any(is_open(position, colour, axis, start, stones) for start in starts)}
    for step in (axis, -axis):
        gap = point + step
        while cells[gap] == colour:
            gap += step
        if cells[gap] == EMPTY and position.wins_along(colour, gap, axis):
            made.add(FOUR)
    return made
