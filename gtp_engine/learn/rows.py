"""Rows that a line of moves makes: the threats in it."""

from typing import Iterator, Sequence

from ..games.lattice import EMPTY, PASS
from ..games.rules import Position

Row = tuple[int, ...]


def rows_of_line(position: Position, line: Sequence[int]) -> list[Row]:
    """The rows of the first move of a line, and of the last move of that side, without duplicates.
    """
    game, rows = position.copy(), []
    last = len(line) - 1 - (len(line) - 1) % 2
    for number, point in enumerate(line[:last + 1]):
        if number in (0, last) and point != PASS:
            rows += list(rows_through(game, point))
        game.play(game.side, point)
    return list(dict.fromkeys(rows))


def rows_through(position: Position, point: int) -> Iterator[Row]:
    """The rows that a stone of the side to move would make on a point, at most one on each axis.

    If k in a row win, a row is k points without stones of the other side, and with at least
    max(k - 2, 2) stones of this side.  Captured stones form a row with the stones at both ends.
    """
    side, cells, length = position.side, position.cells, position.rules.in_a_row
    for axis in position.lattice.axes:
        stretch = [point]
        for step in (-axis, axis):
            cell, left = point + step, length - 1
            while left and cells[cell] in (EMPTY, side):
                stretch.append(cell)
                cell, left = cell + step, left - 1
        stretch.sort()
        rows = [tuple(stretch[start:start + length])
                for start in range(len(stretch) - length + 1)
                if point in stretch[start:start + length]]
        counts = [sum(cell == point or cells[cell] == side for cell in row) for row in rows]
        if counts and max(counts) >= max(length - 2, 2):
            yield rows[counts.index(max(counts))]
    captured = set(position.captures(side, point))
    for step in position.lattice.steps:
        row = [point]
        while row[-1] + step in captured:
            row.append(row[-1] + step)
        if len(row) > 1:
            yield (*row, row[-1] + step)
