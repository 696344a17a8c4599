"""The rows that a line of moves makes: what was threatened."""

from typing import Iterator, Sequence

from ..games.lattice import EMPTY, PASS
from ..games.rules import Position

Row = tuple[int, ...]


def rows_of_line(position: Position, line: Sequence[int]) -> list[Row]:
    """The rows of the first move of a line, and of the last one of the same side, without doubles.
    """
    game, found = position.copy(), []
    last = len(line) - 1 - (len(line) - 1) % 2
    for number, point in enumerate(line[:last + 1]):
        if number in (0, last) and point != PASS:
            found += list(rows_through(game, point))
        game.play(game.side, point)
    return list(dict.fromkeys(found))


def rows_through(position: Position, point: int) -> Iterator[Row]:
    """The rows that a stone of the side to move on a point would make, one on each axis at most.

    Where k in a row win, a row is k points of which at least k - 2, and not less than two, have
    stones of that side then, and no other has a stone; where stones are captured, these with both
    stones around them.
    """
    side, cells, wanted = position.side, position.cells, position.rules.in_a_row
    for axis in position.lattice.axes:
        stretch = [point]
        for step in (-axis, axis):
            cell, left = point + step, wanted - 1
            while left and cells[cell] in (EMPTY, side):
                stretch.append(cell)
                cell, left = cell + step, left - 1
        stretch.sort()
        rows = [tuple(stretch[start:start + wanted])
                for start in range(len(stretch) - wanted + 1)
                if point in stretch[start:start + wanted]]
        counts = [sum(cell == point or cells[cell] == side for cell in row) for row in rows]
        if counts and max(counts) >= max(wanted - 2, 2):
            yield rows[counts.index(max(counts))]
    captured = set(position.captures(side, point))
    for step in position.lattice.steps:
        row = [point]
        while row[-1] + step in captured:
            row.append(row[-1] + step)
        if len(row) > 1:
            yield (*row, row[-1] + step)
