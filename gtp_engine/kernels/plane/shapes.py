"""What a stone would make on a line, for every empty point, axis and colour, kept up to date.

A *shape* is the best that a row of nine points, four on either side of an empty one, comes to when
a stone is put on the middle: from DEAD, where five are out of reach, up to FIVE.  A *code* packs
the shapes of a point along its four axes, four bits each.
"""

from functools import lru_cache

import numpy as np

from .. import kernel
from .board import COLUMNS, EMPTIES, HALF, HALF_MASK, STONES, WORDS

# One more stone turns a closed shape into the next closed one, an open one into the next open one.
# A wide shape does so in more ways than one.
(DEAD, ONE, OPEN_ONE, TWO, OPEN_TWO, WIDE_TWO, THREE, OPEN_THREE, WIDE_THREE, FOUR, OPEN_FOUR,
 FIVE) = range(12)
SHAPES = 12
CODES = 1 << 16
AXES = 4
REACH = 4  # steps between two stones of a row of five


@lru_cache
def shape_table(exact: bool) -> np.ndarray:
    """uint8[65536], the shape by the eight neighbours of a point on a line.

    Bits 0..7 of the index are the neighbours with stones of the colour, bits 8..15 those that are
    blocked: a stone of the opponent or the border.  With `exact`, more than five are no five, as
    far as nine points show.
    """
    bits = np.arange(512) >> np.arange(9)[:, None] & 1 == 1  # by point and stones or blocks
    runs = [[len(run) for run in f"{stones:b}".split("0")] for stones in range(512)]
    fives = np.array([5 in run or max(run) > 5 and not exact for run in runs])
    shape = np.zeros((512, 512), np.uint8)  # by the nine points' stones and blocks
    for number in reversed(range(10)):
        these = np.flatnonzero(bits.sum(axis=0) == number)
        ways = dict.fromkeys((ONE, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE), np.uint8(0))
        for point in range(9):  # where one more stone may lead to that shape or a better one
            after = shape[these | 1 << point]
            after[bits[point, these]] = DEAD
            after[:, bits[point]] = DEAD
            for better in ways:
                ways[better] = ways[better] + (after >= better)
        fours = ways[FOUR] - ways[OPEN_FOUR]
        threes = ways[THREE] - ways[OPEN_THREE] + fours
        shape[these] = np.select(
            [fives[these, None], ways[FIVE] >= 2, ways[FIVE] == 1, ways[OPEN_FOUR] >= 2,
             ways[OPEN_FOUR] == 1, fours > 0, ways[OPEN_THREE] >= 3, ways[OPEN_THREE] > 0,
             threes > 0, ways[OPEN_TWO] > 0, ways[ONE] > 0],
            [FIVE, OPEN_FOUR, FOUR, WIDE_THREE, OPEN_THREE, THREE, WIDE_TWO, OPEN_TWO, TWO,
             OPEN_ONE, ONE], DEAD)
    key = np.arange(65536)
    own, blocks = ((bits & 15) | (bits & 0xF0) << 1 for bits in (key & 255, key >> 8))
    return shape[own | 16, blocks]


@lru_cache
def sorted_codes() -> np.ndarray:
    """int64[65536], for each code the one with the same shapes in ascending order."""
    codes = np.arange(CODES)
    shapes = np.sort(np.stack([codes >> 4 * axis & 15 for axis in range(AXES)]), axis=0)
    return sum(shapes[axis] << 4 * axis for axis in range(AXES))


@lru_cache
def best_shapes() -> np.ndarray:
    """uint8[65536], the best shape of each code."""
    codes = np.arange(CODES)
    return np.max([codes >> 4 * axis & 15 for axis in range(AXES)], axis=0).astype(np.uint8)


@lru_cache
def second_shapes() -> np.ndarray:
    """uint8[65536], the best of the other shapes of each code."""
    codes = np.arange(CODES)
    return np.sort([codes >> 4 * axis & 15 for axis in range(AXES)], axis=0)[-2].astype(np.uint8)


@kernel
def update_shapes(state, places, point_at, table, value, point, codes, sums, counts,
                  changes, top):
    """Bring the codes up to date after the words of the lines through `point` have changed.

    table    the shape_table of the game
    value    int16[2 * CODES], what a code is worth to its colour when that is to move, and when not
    codes    uint16[cells * 2], by point and colour; 0 on stones
    sums     int64[4], by colour, the sums of its two values
    counts   int64[2 * SHAPES], how many points and axes have each shape, by colour
    changes  int64, a stack of points whose codes were changed: the point and, in 16 bits each, the
             codes of both colours before
    top      int64[1], its height
    """
    for a in range(AXES):
        at = np.int64(places[point, a])
        word = WORDS + (at >> 5) * COLUMNS
        if word == state.size - COLUMNS:
            continue
        bit = at & HALF - 1
        first = (state[word + STONES] & HALF_MASK) << 4
        second = (state[word + STONES] >> HALF) << 4
        empty = (state[word + EMPTIES] & HALF_MASK) << 4
        for shift in range(max(bit - 4, 0), min(bit + 5, 25)):
            # Bit `shift` of the line is bit 4 of the nine.
            is_empty = empty >> (shift + 4) & 1
            if not is_empty and shift != bit:
                continue
            target = np.int64(point_at[(at >> 5) * HALF + shift])
            before = (target << 32 | np.int64(codes[target * 2]) << 16
                      | np.int64(codes[target * 2 + 1]))
            is_changed = False
            for colour in range(2):
                new = np.int64(DEAD)
                if is_empty:
                    own = (second if colour else first) >> shift
                    blocks = ~((second if colour else first) | empty) >> shift
                    new = np.int64(table[own & 15 | own >> 1 & 0xF0
                                         | (blocks & 15 | blocks >> 1 & 0xF0) << 8])
                code = np.int64(codes[target * 2 + colour])
                old = code >> 4 * a & 15
                if new != old:
                    changed = code ^ (new ^ old) << 4 * a
                    codes[target * 2 + colour] = changed
                    is_changed = True
                    sums[2 * colour] += np.int64(value[changed]) - np.int64(value[code])
                    sums[2 * colour + 1] += (np.int64(value[CODES + changed])
                                             - np.int64(value[CODES + code]))
                    counts[colour * SHAPES + old] -= 1
                    counts[colour * SHAPES + new] += 1
            if is_changed:
                changes[top[0]] = before
                top[0] += 1
