"""Points that Renju forbids to the first colour, from the cells of a board in the plane.

plane.renju does the same with bit sets of stones.
"""

import numpy as np

from . import inlined, kernel
from .bits import lowest_bit
from .windows import FIVE, FOUR, KIND_MASK, OPEN_REACH, OPENS, SIDE, SIDES, SIX, THREE, TWO_FOURS

BORDER = 3  # in the cells: 0 empty, 1 first colour, 2 second
ALLOWED, MAKES_FIVE, FORBIDDEN = range(3)


@inlined
def side_of(cells, sides, point, step, forward):
    """The number of the side of five cells before a point, or with `forward` after it."""
    bits, cell = np.int64(0), point
    for k in range(SIDE):
        cell += step if forward else -step
        value, bit = np.int64(cells[cell]), k if forward else SIDE - 1 - k
        if value == BORDER:
            break
        bits |= (value == 1) << bit | (value == 0) << bit + SIDE
    return np.int64(sides[bits])


@kernel
def verdict(cells, steps, sides, windows, point):
    """The result of a stone of the first colour on the empty `point`, one of the above.

    The cells are unchanged afterwards.

    steps           int64, the cell distances of all directions, forward ones first
    sides, windows  the tables of kernels.windows
    """
    rows, axes = np.int64(0), steps.size // 2
    fives = sixes = fours = threes = 0
    for a in range(axes):
        step = steps[a]
        row = np.int64(windows[side_of(cells, sides, point, step, False) * SIDES
                               + side_of(cells, sides, point, step, True)])
        rows |= row << 16 * a
        kind = row & KIND_MASK
        fives += kind == FIVE
        sixes += kind == SIX
        fours += (kind == FOUR) + 2 * (kind == TWO_FOURS)
        threes += kind == THREE
    if fives:
        return np.int64(MAKES_FIVE)
    if sixes or fours > 1:
        return np.int64(FORBIDDEN)
    if threes < 2:
        return np.int64(ALLOWED)
    cells[point] = 1
    for a in range(axes):
        row = rows >> 16 * a & 0xFFFF
        if row & KIND_MASK == THREE:
            opens, real = row >> OPENS, 0
            while opens and not real:
                fourth = point + (lowest_bit(opens) - OPEN_REACH) * steps[a]
                opens &= opens - 1
                real = verdict(cells, steps, sides, windows, fourth) == ALLOWED
            threes -= not real
    cells[point] = 0
    return np.int64(FORBIDDEN if threes > 1 else ALLOWED)
