"""Shapes: the best row that a stone would make, for every empty point, axis and colour.

A *shape* describes the nine points around an empty one, four on either side, after a stone is put
on it.  Shapes range from DEAD, where five are out of reach, up to FIVE.  A *code* packs the shapes
of a point along its four axes, four bits each.  A *combination* is a code without the order of its
axes; the weights are tables by combination, which are small.

A *pattern* has the eight neighbours of a point on a line: bits 0..7 mark stones of the first
colour, bits 8..15 those of the second, and the border has both.
"""

from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np

from .. import inlined, kernel
from ..bits import lowest_bit
from .board import COLUMNS, EMPTIES, HALF, HALF_MASK, STONES, WORDS

# One more stone turns a closed shape into the next closed one, an open one into the next open one.
# A wide shape has several points for this stone.
(DEAD, ONE, OPEN_ONE, TWO, OPEN_TWO, WIDE_TWO, THREE, OPEN_THREE, WIDE_THREE, FOUR, OPEN_FOUR,
 FIVE) = range(12)
SHAPES = 12
OVERLINE = 12  # no shape; forbidden to Renju's first colour unless another axis has FIVE
CODES = 1 << 16
AXES = 4
COMBINATIONS = len(list(combinations_with_replacement(range(SHAPES), AXES)))
PATTERNS = 1 << 16
REACH = 4  # steps between two stones of a row of five


@lru_cache
def shape_table(exact: bool, overline: int = DEAD) -> np.ndarray:
    """uint8[65536], the shape by the eight neighbours of a point on a line.

    Bits 0..7 of the index mark neighbours with stones of the colour, bits 8..15 blocked neighbours:
    a stone of the opponent or the border.  With `exact`, a row of more than five within the nine
    points is no five; its shape is `overline` unless that is DEAD.
    """
    bits = np.arange(512) >> np.arange(9)[:, None] & 1 == 1  # by point, and stones or blocks
    runs = [[len(run) for run in f"{stones:b}".split("0")] for stones in range(512)]
    fives = np.array([5 in run or max(run) > 5 and not exact for run in runs])
    shape = np.zeros((512, 512), np.uint8)  # by the nine points' stones and blocks
    for number in reversed(range(10)):
        these = np.flatnonzero(bits.sum(axis=0) == number)
        ways = dict.fromkeys((ONE, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE), np.uint8(0))
        for point in range(9):  # points whose stone leads to that shape or a better one
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
    if overline:
        shape[np.array([max(run) for run in runs]) > 5] = overline
    key = np.arange(65536)
    own, blocks = ((bits & 15) | (bits & 0xF0) << 1 for bits in (key & 255, key >> 8))
    return shape[own | 16, blocks]


@lru_cache
def shape_pairs(exact: bool, renju: bool) -> np.ndarray:
    """uint8[PATTERNS], the shapes of both colours by pattern, the first colour's in bits 0..3."""
    pattern = np.arange(PATTERNS)
    first, second = pattern & 255, pattern >> 8
    of_first = shape_table(exact or renju, OVERLINE if renju else DEAD)
    of_second = shape_table(exact and not renju)
    return of_first[first & ~second | second << 8] | of_second[second & ~first | first << 8] << 4


def shapes_of_codes() -> np.ndarray:
    """int64[AXES, CODES], the shapes of each code; DEAD in place of values that are no shape."""
    codes = np.arange(CODES)
    shapes = np.stack([codes >> 4 * axis & 15 for axis in range(AXES)])
    return np.where(shapes < SHAPES, shapes, DEAD)


@lru_cache
def combination_of() -> np.ndarray:
    """uint16[CODES], the number of each code's combination; invalid shapes count as DEAD."""
    shapes = np.sort(shapes_of_codes(), axis=0)
    number = np.zeros((SHAPES,) * AXES, np.uint16)
    for i, combination in enumerate(combinations_with_replacement(range(SHAPES), AXES)):
        number[combination] = i
    return np.asarray(number[tuple(shapes)])


@lru_cache
def best_shapes() -> np.ndarray:
    """uint8[65536], the best shape of each code."""
    return shapes_of_codes().max(axis=0).astype(np.uint8)


@lru_cache
def second_shapes() -> np.ndarray:
    """uint8[65536], the second best shape of each code."""
    return np.sort(shapes_of_codes(), axis=0)[-2].astype(np.uint8)


def has_overline() -> np.ndarray:
    """bool[65536], whether each code has an overline."""
    return np.any([np.arange(CODES) >> 4 * axis & 15 == OVERLINE for axis in range(AXES)], axis=0)


SUSPECT, UNSURE = 1, 2  # bits


@lru_cache
def suspicions() -> np.ndarray:
    """uint8[65536], bits for a point of Renju by its code for the first colour.

    SUSPECT   the point may be forbidden; without this bit it is not
    UNSURE    an open four there may be forbidden, or become so by a stone of the other colour;
              without this bit it is allowed and stays so
    """
    unsure = has_overline() | (second_shapes() >= OPEN_THREE)
    return (SUSPECT * (unsure | (best_shapes() >= OPEN_FOUR)) + UNSURE * unsure).astype(np.uint8)


# A colour's sum, and a combination's contribution to it, has three fields.  The lowest is the
# number of fours over all points and axes, with open fours counted three times.  The next, at bit
# VALUE, is the value with the colour to move.  The last is the value with the other one to move.
VALUE, VALUE_BITS = 16, 24


def worth_of(value: np.ndarray) -> np.ndarray:
    """int64[n * COMBINATIONS], the contribution of each combination to the sum of its colour.

    `value` is int16[2 * n, COMBINATIONS]: the values with their colour to move, then the values
    with the other colour to move.  n is 1 for both colours, or 2 for the first and the second.
    """
    shapes = np.array([*combinations_with_replacement(range(SHAPES), AXES)])
    fours = (shapes == FOUR).sum(axis=1) + 3 * (shapes == OPEN_FOUR).sum(axis=1)
    moving, waiting = value.astype(np.int64).reshape(-1, 2, COMBINATIONS).transpose(1, 0, 2)
    return (fours + (moving << VALUE) + (waiting << VALUE + VALUE_BITS)).reshape(-1)


@inlined
def reaches(codes, point, shape):
    """Would a stone of either colour on the point make `shape` or better on some axis?

    `shape` is one of the first eight shapes except DEAD.
    """
    both = np.int64(codes[2 * point]) | np.int64(codes[2 * point + 1]) << 4 * AXES
    # Adding 8 - shape to the lower three bits carries into the highest bit for better shapes.
    return ((both & 0x77777777) + (8 - shape) * 0x11111111 | both) & 0x88888888 != 0


@inlined
def value_to_move(total):
    """The value of the points for the colour with the sum `total`, if it is to move."""
    return total << 64 - VALUE - VALUE_BITS >> 64 - VALUE_BITS


@inlined
def value_waiting(total):
    """The value of the points for the colour with the sum `total`, if it is not to move."""
    return total + (1 << VALUE + VALUE_BITS - 1) >> VALUE + VALUE_BITS


@inlined
def number_of_fours(total):
    """The number of fours over all points and axes; open fours count three times."""
    return total & (1 << VALUE) - 1


@inlined
def pattern_at(first, second, shift):
    """The pattern at the middle of the nine points that begin at bit `shift` of a line.

    `first` and `second` have the stones of the colours, and both have the border.
    """
    first, second = first >> shift, second >> shift
    return first & 15 | first >> 1 & 0xF0 | (second & 15 | second >> 1 & 0xF0) << 8


@kernel
def update_shapes(state, places, point_at, pairs, combination, worth, point, codes, sums, changes,
                  top):
    """Update the codes after a change of the words of the lines through `point`.

    pairs    the result of `shape_pairs`
    combination   the result of `combination_of`
    worth    the result of `worth_of`
    codes    uint16[cells * 2], by point and colour; 0 on stones
    sums     int64[2], for each colour the sum of `worth` over the combinations of its codes
    changes  int64, a stack of changed points: the point and, in 16 bits each, the previous codes
             of both colours
    top      int64[1], the height of this stack
    """
    first_sum, second_sum, height = sums[0], sums[1], top[0]
    of_second = worth.size - COMBINATIONS
    for a in range(AXES):
        at = np.int64(places[point, a])
        word = WORDS + (at >> 5) * COLUMNS
        if word == state.size - COLUMNS:
            continue
        # Bit 4 is the first point of the line here.  The border counts as stones of both colours.
        empty = (state[word + EMPTIES] & HALF_MASK) << REACH
        first = ~((state[word + STONES] >> HALF) << REACH | empty)
        second = ~((state[word + STONES] & HALF_MASK) << REACH | empty)
        middle = at & HALF - 1
        near = (empty >> REACH & 0x1FF << middle >> REACH) | 1 << middle
        while near:
            shift = lowest_bit(near)
            near &= near - 1
            target = np.int64(point_at[(at >> 5) * HALF + shift])
            first_code, second_code = np.int64(codes[2 * target]), np.int64(codes[2 * target + 1])
            pair = np.int64(0)
            if shift != middle or empty >> middle + REACH & 1:
                pair = np.int64(pairs[pattern_at(first, second, shift)])
            first_new = first_code & ~(15 << 4 * a) | (pair & 15) << 4 * a
            second_new = second_code & ~(15 << 4 * a) | (pair >> 4) << 4 * a
            if first_new != first_code or second_new != second_code:
                changes[height] = target << 32 | first_code << 16 | second_code
                height += 1
                codes[2 * target], codes[2 * target + 1] = first_new, second_new
                first_sum += worth[combination[first_new]] - worth[combination[first_code]]
                second_sum += (worth[of_second + combination[second_new]]
                               - worth[of_second + combination[second_code]])
    sums[0], sums[1], top[0] = first_sum, second_sum, height
