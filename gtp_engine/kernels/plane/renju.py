"""Points that Renju forbids to the first colour, and what they mean for open fours."""

import numpy as np

from .. import inlined, kernel
from ..bits import below, lowest_bit
from ..rules import FREE
from ..windows import FIVE, FOUR, KIND_MASK, OPEN_REACH, OPENS, SIX, THREE, TWO_FOURS, window_at
from .board import (
    ACTIVE,
    BLOCK,
    COLUMNS,
    EMPTIES,
    HALF,
    HALF_MASK,
    LINES_PER_SET,
    OPEN_FOUR,
    SETS,
    STONES,
    WIN,
    WORDS,
    block_of,
    gather,
    toggle,
)

# What a stone on a point makes: nothing of all this, five, or what forbids it.
ALLOWED, MAKES_FIVE, DOUBLE_THREE, DOUBLE_FOUR, OVERLINE = range(5)


@kernel
def verdict(state, geometry, point):
    """What a stone of the first colour makes on the empty `point`: one of the above.

    The state is the same afterwards.
    """
    rows, places = 0, geometry.places
    fives = sixes = fours = threes = 0
    for a in range(4):
        place = np.int64(places[point, a])
        word = WORDS + (place >> 5) * COLUMNS
        row = window_at(geometry, state[word + STONES] & HALF_MASK,
                        state[word + EMPTIES] & HALF_MASK, place & HALF - 1)
        rows |= row << 16 * a
        kind = row & KIND_MASK
        fives += kind == FIVE
        sixes += kind == SIX
        fours += (kind == FOUR) + 2 * (kind == TWO_FOURS)
        threes += kind == THREE
    if fives:
        return MAKES_FIVE
    if sixes:
        return OVERLINE
    if fours > 1:
        return DOUBLE_FOUR
    if threes < 2:
        return ALLOWED
    turn_stone(state, places, point)
    for a in range(4):
        row, place = rows >> 16 * a & 0xFFFF, np.int64(places[point, a])
        if row & KIND_MASK == THREE:
            opens, real = row >> OPENS, 0
            while opens and not real:
                at = place + lowest_bit(opens) - OPEN_REACH
                opens &= opens - 1
                real = verdict(state, geometry, np.int64(geometry.point_at[at])) == ALLOWED
            threes -= not real
    turn_stone(state, places, point)
    return np.int64(DOUBLE_THREE if threes > 1 else ALLOWED)


@inlined
def turn_stone(state, places, point):
    """Put a stone of the first colour into the words of its lines, or take it out of them."""
    for a in range(4):
        place = np.int64(places[point, a])
        if WORDS + (place >> 5) * COLUMNS != state.size - COLUMNS:
            toggle(state, place, 0)


@inlined
def forbids(state, geometry, point, colour):
    """Does Renju forbid the empty `point` to that colour?"""
    return colour == 0 and verdict(state, geometry, point) > MAKES_FIVE


@inlined
def keep_allowed(state, geometry, colour, points, n):
    """Leave out of points[:n] what is forbidden to the colour; the new length."""
    if colour:
        return n
    kept = 0
    for i in range(n):
        if not forbids(state, geometry, np.int64(points[i]), colour):
            points[kept] = points[i]
            kept += 1
    return kept


@kernel
def gather_blocks(state, mark, point_at, holes, n_holes, out, n):
    """Append to out[:n] the points that keep the first colour from an open four on holes[:n_holes];
    returns the new length.

    Each comes once; those that hold mark[0] are left out.  As with BLOCK, a point has to stop all
    that the same stones can do, but what they would do on other points does not count.
    """
    told, hole, both = mark[0], mark[0] + 1, mark[0] + 2
    mark[0] += 2
    for i in range(n_holes):
        mark[holes[i]] = both if mark[holes[i]] == told else hole
    for i in range(SETS):
        lines = state[ACTIVE + SETS * (OPEN_FOUR - WIN) + i]
        while lines:
            line = i * LINES_PER_SET + lowest_bit(lines)
            lines &= lines - 1
            word, bits = WORDS + line * COLUMNS, 0
            found = state[word + OPEN_FOUR] & HALF_MASK
            while found:
                bit = lowest_bit(found)
                found &= found - 1
                if mark[point_at[line * HALF + bit]] > told:
                    bits |= 1 << bit
            if bits == 0:
                continue
            blocks = blocks_on(state[word + STONES] & HALF_MASK, state[word + EMPTIES] & HALF_MASK,
                               bits)
            while blocks:
                point = point_at[line * HALF + lowest_bit(blocks)]
                blocks &= blocks - 1
                if mark[point] != told and mark[point] != both:
                    mark[point] = both if mark[point] == hole else told
                    out[n] = point
                    n += 1
    return n


@inlined
def blocks_on(stones, empty, holes):
    """The points of a line that stop all open fours on these holes, of one colour."""
    holes &= empty
    r1, l1 = stones >> 1, stones << 1
    r2, l2 = r1 & (stones >> 2), l1 & (stones << 2)
    return block_of(
        holes & r2 & stones >> 3 & empty << 1 & empty >> 4 & ~(stones << 2 | stones >> 5),
        holes & l1 & r2 & empty << 2 & empty >> 3 & ~(stones << 3 | stones >> 4),
        holes & l2 & r1 & empty << 3 & empty >> 2 & ~(stones << 4 | stones >> 3),
        holes & l2 & stones << 3 & empty << 4 & empty >> 1 & ~(stones << 5 | stones >> 2))


@inlined
def blocks_of_open_fours(state, mark, geometry, colour, holes, out, n):
    """Append to out[:n] the points that keep `colour` from open fours where it may make one."""
    if colour:
        return gather(state, mark, geometry.point_at, BLOCK, colour, out, n)
    n_holes = gather(state, mark, geometry.point_at, OPEN_FOUR, colour, holes, 0)
    n_holes = keep_allowed(state, geometry, colour, holes, n_holes)
    mark[0] += 1
    return gather_blocks(state, mark, geometry.point_at, holes, n_holes, out, n)


@inlined
def random_allowed(state, free, slot, geometry, colour, random):
    """One of the empty points that are not forbidden, each with the same probability; 0 if all are.
    """
    n = state[FREE]
    while n:
        i = below(n, random)
        point = np.int64(free[i])
        if not forbids(state, geometry, point, colour):
            return point
        n -= 1
        free[i], free[n] = free[n], free[i]
        slot[free[i]], slot[free[n]] = i, n
    return 0
