"""Points that Renju forbids to the first colour, from the cells of a board.

plane.renju does the same with bit sets of stones, which a LineBoard does not have.
"""

import numpy as np

from .. import inlined, kernel
from ..bits import lowest_bit
from ..rules import RENJU
from ..windows import FIVE, FOUR, KIND_MASK, OPEN_REACH, OPENS, SIDE, SIDES, SIX, THREE, TWO_FOURS

BORDER = 3  # in LineBoard.cells
ALLOWED, MAKES_FIVE, FORBIDDEN = range(3)


@inlined
def side_of(board, point, step, forward):
    """The number of the side of five cells before a point, or with `forward` after it."""
    bits, cell = np.int64(0), point
    for k in range(SIDE):
        cell += step if forward else -step
        value, bit = np.int64(board.cells[cell]), k if forward else SIDE - 1 - k
        if value == BORDER:
            break
        bits |= (value == 1) << bit | (value == 0) << bit + SIDE
    return np.int64(board.sides[bits])


@kernel
def verdict(board, point):
    """The result of a stone of the first colour on the empty `point`, one of the above.

    The board is unchanged afterwards.
    """
    rows, axes = np.int64(0), board.steps.size // 2
    fives = sixes = fours = threes = 0
    for a in range(axes):
        step = board.steps[a]
        row = np.int64(board.windows[side_of(board, point, step, False) * SIDES
                                     + side_of(board, point, step, True)])
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
    board.cells[point] = 1
    for a in range(axes):
        row = rows >> 16 * a & 0xFFFF
        if row & KIND_MASK == THREE:
            opens, real = row >> OPENS, 0
            while opens and not real:
                fourth = point + (lowest_bit(opens) - OPEN_REACH) * board.steps[a]
                opens &= opens - 1
                real = verdict(board, fourth) == ALLOWED
            threes -= not real
    board.cells[point] = 0
    return np.int64(FORBIDDEN if threes > 1 else ALLOWED)


@inlined
def is_forbidden(board, colour, point):
    """Does Renju forbid the empty `point` to `colour`?"""
    return board.game[RENJU] and colour == 0 and verdict(board, point) == FORBIDDEN


@inlined
def may_move(board, colour):
    """Is there an empty point that is not forbidden to `colour`?"""
    for each in board.points:
        point = np.int64(each)
        if board.cells[point] == 0 and not is_forbidden(board, colour, point):
            return True
    return False
