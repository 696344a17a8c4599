"""The shapes that stones would make, in plain Python: five, open four, four or open three."""

from typing import Optional

from ...games.lattice import BLACK, EMPTY, WHITE
from ...games.rules import Position
from ..playout_policy import is_open

FIVE, CAPTURES, OPEN_FOUR, FOUR, OPEN_THREE = (
    "five", "captures", "open four", "four", "open three")
SHAPES = (FIVE, CAPTURES, OPEN_FOUR, FOUR, OPEN_THREE)  # the strongest first


def shapes(position: Position) -> dict[tuple[str, int], list[int]]:
    """By shape and colour, the points where this shape is the strongest of a stone of that colour.

    If k in a row win, the shapes are:

    - five: k in a row
    - captures: captures that win
    - open four: k - 1 in a row that win at either end
    - four: a row with a new point where it wins
    - open three: k - 2 in a row that one more stone makes an open four

    In Caro, a row is open only if one stone of the other side cannot stop both ends.  Captured
    stones do not count.  There are no shapes once the game is over.
    """
    points: dict[tuple[str, int], list[int]] = {
        (shape, colour): [] for shape in SHAPES for colour in (BLACK, WHITE)}
    for point in position.lattice.points:
        for colour in (BLACK, WHITE):
            if position.cells[point] == EMPTY and not position.complaint(colour, point):
                shape = shape_of(position, colour, point)
                if shape:
                    points[shape, colour].append(point)
    return points


def shape_of(position: Position, colour: int, point: int) -> Optional[str]:
    """The strongest shape of a stone of `colour` on a legal point, if any."""
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
