"""What a stone would make, slow and obvious: five, open four, four or open three."""

from typing import Optional

from ...games.lattice import BLACK, EMPTY, WHITE
from ...games.rules import Position
from ..playout_policy import is_open

FIVE, CAPTURES, OPEN_FOUR, FOUR, OPEN_THREE = (
    "five", "captures", "open four", "four", "open three")
SHAPES = (FIVE, CAPTURES, OPEN_FOUR, FOUR, OPEN_THREE)  # the strongest first


def shapes(position: Position) -> dict[tuple[str, int], list[int]]:
    """By shape and colour, the points where a stone of that colour would make it, and no stronger.

    Where k in a row win, the shapes are k in a row; captures that win; k - 1 that win at either
    end; a row that wins at a point where it did not win before; k - 2 of which one more stone makes
    k - 1 that win at either end.  In Caro, rows are open only if one stone of the other side cannot
    spoil both ends.  Captured stones are gone.  There are no shapes once the game is over.
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
    if position.wins(colour, point):
        return CAPTURES
    axes, in_a_row = position.lattice.axes, position.rules.in_a_row
    position.play(colour, point)

    def winning(cell: int, axis: int) -> bool:
        return position.cells[cell] == EMPTY and position.wins_along(colour, cell, axis)

    def opens(stones: int) -> bool:
        return any(is_open(position, colour, axis, start, stones) for axis in axes
                   for start in range(point - axis * (in_a_row - 1), point, axis))

    is_open_four, is_open_three = opens(in_a_row - 1), opens(in_a_row - 2)
    ends = [(cell, axis) for axis in axes for cell in position.run(colour, point, axis)
            if winning(cell, axis)]
    position.undo()
    if is_open_four:
        return OPEN_FOUR
    if not all(winning(*end) for end in ends):  # all: none of them is new
        return FOUR
    return OPEN_THREE if is_open_three else None
