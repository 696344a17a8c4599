"""Numbers of points and lines that are known from elsewhere."""

import pytest

from gtp_engine.games.lattice import BORDER, EMPTY, Lattice

LINES = [  # width, height, depth, length, winning lines
    (3, 3, 1, 3, 8),
    (15, 15, 1, 5, 572),
    (19, 19, 1, 5, 1020),
    (6, 5, 1, 4, 39),
    (3, 3, 3, 3, 49),
    (4, 4, 4, 4, 76),
]


@pytest.mark.parametrize("width, height, depth, length, count", LINES)
def test_lines(width, height, depth, length, count):
    lines = list(Lattice(width, height, depth).lines(length))
    assert len(lines) == len({frozenset(line) for line in lines}) == count


@pytest.mark.parametrize("shape", [(3, 3), (7, 7), (5, 4), (25, 25), (2, 6), (3, 3, 3), (4, 4, 4)])
def test_steps_end_at_the_border(shape):
    """A step from a point along an axis changes the coordinates by the direction or meets the
    border."""
    lattice = Lattice(*shape)
    blank = lattice.blank()
    on_board = set(lattice.points)
    assert len(blank) == lattice.cells and min(on_board) > 0
    assert blank.count(EMPTY) == len(on_board) == lattice.width * lattice.height * lattice.depth
    for point in lattice.points:
        here = lattice.coordinates(point)
        assert lattice.point(*here) == point
        for axis, direction in zip(lattice.axes, lattice.directions):
            for sign in (1, -1):
                there = tuple(a + sign * b for a, b in zip(here, direction))
                inside = all(0 <= a < n for a, n in zip(
                    there, (lattice.width, lattice.height, lattice.depth)))
                target = point + sign * axis
                assert blank[target] == (EMPTY if inside else BORDER)
                if inside:
                    assert lattice.coordinates(target) == there
    assert len(set(lattice.axes)) == len(lattice.axes) == (4 if lattice.depth == 1 else 13)


@pytest.mark.parametrize("size, middle", [(7, {(3, 3)}), (8, {(3, 3), (3, 4), (4, 3), (4, 4)})])
def test_middle(size, middle):
    lattice = Lattice(size, size)
    assert {lattice.coordinates(point)[:2] for point in lattice.middle()} == middle
