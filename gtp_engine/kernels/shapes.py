"""What a stone would make on a line, for every empty point, axis and colour, kept up to date.

A *shape* is the best that a row of nine points, four on either side of an empty one, comes to when
a stone is put on the middle: from DEAD, where five are out of reach, up to FIVE.
"""

from functools import lru_cache

import numpy as np

from . import kernel
from .board import COLUMNS, EMPTIES, HALF, HALF_MASK, STONES, WORDS

# One more stone turns a closed shape into the next closed one, an open one into the next open one.
DEAD, ONE, TWO, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = range(9)
SHAPES = 9


@lru_cache
def shape_table(exact: bool) -> np.ndarray:
    """uint8[65536], the shape by the eight neighbours of a point on a line.

    Bits 0..7 of the index are the neighbours with stones of the colour, bits 8..15 those that are
    blocked: an enemy stone or the border.  With `exact`, more than five are no five, as far as nine
    points show.
    """
    blocked = np.arange(512)
    shape = np.zeros((512, 512), np.uint8)  # by the nine points' stones and blocks
    for stones in reversed(range(512)):
        ways = np.zeros((SHAPES, 512), np.uint8)  # by shape, how many points lead there
        for point in range(9):
            if not stones >> point & 1:
                after = shape[stones | 1 << point]
                for better in range(ONE, SHAPES):
                    ways[better] += (after == better) & (blocked >> point & 1 == 0)
        shape[stones] = np.select(
            [ways[FIVE] >= 2, ways[FIVE] == 1, ways[OPEN_FOUR] > 0, ways[FOUR] > 0,
             ways[OPEN_THREE] > 0, ways[THREE] > 0, ways[ONE:].any(axis=0)],
            [OPEN_FOUR, FOUR, OPEN_THREE, THREE, OPEN_TWO, TWO, ONE], DEAD)
        runs = [len(run) for run in f"{stones:b}".split("0")]
        if 5 in runs or max(runs) > 5 and not exact:
            shape[stones] = FIVE
    key = np.arange(65536)
    own, blocks = ((bits & 15) | (bits & 0xF0) << 1 for bits in (key & 255, key >> 8))
    return shape[own | 16, blocks]


@kernel
def update_shapes(state, places, point_at, table, values, point, shapes, worth, counts):
    """Bring the shapes up to date after the words of the lines through `point` have changed.

    table    the shape_table of the game
    values   int64[SHAPES], what a shape adds to the worth of a point
    shapes   uint8[cells * axes * 2], by point, axis and colour; DEAD on stones
    worth    int64[cells * 2], the sum of the values by point and colour
    counts   int64[2 * SHAPES], how many there are of each shape, by colour
    """
    axes = places.shape[1]
    for a in range(axes):
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
            for colour in range(2):
                new = np.int64(DEAD)
                if is_empty:
                    own = (second if colour else first) >> shift
                    blocks = ~((second if colour else first) | empty) >> shift
                    new = np.int64(table[own & 15 | own >> 1 & 0xF0
                                         | (blocks & 15 | blocks >> 1 & 0xF0) << 8])
                index = (target * axes + a) * 2 + colour
                old = np.int64(shapes[index])
                if new != old:
                    shapes[index] = new
                    worth[target * 2 + colour] += values[new] - values[old]
                    counts[colour * SHAPES + old] -= 1
                    counts[colour * SHAPES + new] += 1
