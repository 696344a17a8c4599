"""Points that Renju forbids to the first colour, and their effect on open fours."""

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

# Results of `verdict`: an allowed move, a five, or the reason why the point is forbidden.
ALLOWED, MAKES_FIVE, DOUBLE_THREE, DOUBLE_FOUR, OVERLINE = range(5)


@kernel
def verdict(state, geometry, point):
    """The result of a stone of the first colour on the empty `point`, one of the above.

    The state is unchanged afterwards.
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
    """Add a stone of the first colour to the words of its lines, or remove it."""
    for a in range(4):
        place = np.int64(places[point, a])
        if WORDS + (place >> 5) * COLUMNS != state.size - COLUMNS:
            toggle(state, place, 0)


@inlined
def forbids(state, geometry, point, colour):
    """Does Renju forbid the empty `point` to `colour`?"""
    return colour == 0 and verdict(state, geometry, point) > MAKES_FIVE


@inlined
def keep_allowed(state, geometry, colour, points, n):
    """Remove the points forbidden to `colour` from points[:n]; returns the new length."""
    if colour:
        return n
    allowed = 0
    for i in range(n):
        if not forbids(state, geometry, np.int64(points[i]), colour):
            points[allowed] = points[i]
            allowed += 1
    return allowed


@kernel
def gather_blocks(state, mark, point_at, holes, n_holes, out, n):
    """Append the points that stop an open four on holes[:n_holes] to out[:n]; the new length.

    The open fours are the first colour's.  Each point comes once, and points with mark[0] are left
    out.  As with BLOCK, a point must stop all open fours of the same three stones on these holes;
    other points do not count.
    """
    listed, hole, both = mark[0], mark[0] + 1, mark[0] + 2
    mark[0] += 2
    for i in range(n_holes):
        mark[holes[i]] = both if mark[holes[i]] == listed else hole
    for i in range(SETS):
        lines = state[ACTIVE + SETS * (OPEN_FOUR - WIN) + i]
        while lines:
            line = i * LINES_PER_SET + lowest_bit(lines)
            lines &= lines - 1
            word, bits = WORDS + line * COLUMNS, 0
            open_fours = state[word + OPEN_FOUR] & HALF_MASK
            while open_fours:
                bit = lowest_bit(open_fours)
                open_fours &= open_fours - 1
                if mark[point_at[line * HALF + bit]] > listed:
                    bits |= 1 << bit
            if bits == 0:
                continue
            blocks = blocks_on(state[word + STONES] & HALF_MASK, state[word + EMPTIES] & HALF_MASK,
                               bits)
            while blocks:
                point = point_at[line * HALF + lowest_bit(blocks)]
                blocks &= blocks - 1
                if mark[point] != listed and mark[point] != both:
                    mark[point] = both if mark[point] == hole else listed
                    out[n] = point
                    n += 1
    return n


@inlined
def blocks_on(stones, empty, holes):
    """The points of a line that stop one colour's open fours on `holes`."""
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
    """Append the points that stop the allowed open fours of `colour` to out[:n]; the new length."""
    if colour:
        return gather(state, mark, geometry.point_at, BLOCK, colour, out, n)
    n_holes = gather(state, mark, geometry.point_at, OPEN_FOUR, colour, holes, 0)
    n_holes = keep_allowed(state, geometry, colour, holes, n_holes)
    mark[0] += 1
    return gather_blocks(state, mark, geometry.point_at, holes, n_holes, out, n)


@inlined
def random_allowed(state, free, slot, geometry, colour, random):
    """A uniformly random allowed empty point; 0 if all are forbidden."""
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
