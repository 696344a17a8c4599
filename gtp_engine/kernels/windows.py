"""A table of the shapes that a black stone makes in Renju, for every row of eleven cells.

A *window* is the five cells on either side of a point.  Its number has two digits of base 243, one
for each side.  Each of these has five digits of base 3, one for each cell; the lowest digit belongs
to the lowest bit: see `sides`.
"""

from functools import lru_cache

import numpy as np

from . import inlined

SIDE = 5  # cells on either side
SIDES = 3 ** SIDE
CLEAR, STONE, SHUT = range(3)  # digits: empty, a black stone, a white one or the border

# The kind of an entry, in its lowest bits: what the stone makes.  From bit OPENS on, a bit for each
# cell where one more stone makes an open four; the lowest one is the third cell before the point.
NOTHING, THREE, FOUR, TWO_FOURS, SIX, FIVE = range(6)
KIND_MASK, OPENS, OPEN_REACH = 7, 4, 3


@lru_cache
def sides() -> np.ndarray:
    """uint8[1024], the number of a side by its black stones, five bits, and its empty cells above.
    """
    bits = np.arange(1 << 2 * SIDE)
    digits = [np.where(bits >> cell & 1, STONE, np.where(bits >> cell + SIDE & 1, CLEAR, SHUT))
              for cell in range(SIDE)]
    return sum(digit * 3 ** cell for cell, digit in enumerate(digits)).astype(np.uint8)


@lru_cache
def windows() -> np.ndarray:
    """uint16[59049], the entry of each window."""
    number = np.arange(SIDES * SIDES)
    digits = [number // SIDES // 3 ** cell % 3 for cell in range(SIDE)]
    digits += [np.full_like(number, STONE)]
    digits += [number % SIDES // 3 ** cell % 3 for cell in range(SIDE)]
    stones, empty = np.array(digits) == STONE, np.array(digits) == CLEAR
    six = sum(stones[first:first + 6].all(axis=0) for first in range(SIDE + 1)) > 0
    five = np.zeros_like(six)
    fours = []  # for each five cells, the bits of the four stones among them, or 0
    for first in range(1, SIDE + 1):
        cells = slice(first, first + 5)
        exact = ~stones[first - 1] & ~stones[first + 5]
        five |= exact & stones[cells].all(axis=0)
        is_four = exact & (stones[cells].sum(axis=0) == 4) & (empty[cells].sum(axis=0) == 1)
        fours.append(is_four * sum(stones[cell] << cell for cell in range(11)[cells]))
    masks = np.sort(np.array(fours), axis=0)
    number_of_fours = (masks[0] > 0) + ((masks[1:] != masks[:-1]) & (masks[1:] > 0)).sum(axis=0)
    opens = np.zeros_like(number)
    for more in range(SIDE - OPEN_REACH, SIDE + OPEN_REACH + 1):
        for first in range(2, SIDE + 1):
            if more != SIDE and first <= more < first + 4:
                four = [stones[cell] for cell in range(first, first + 4) if cell != more]
                is_open = (empty[more] & np.all(four, axis=0)
                           & empty[first - 1] & empty[first + 4]
                           & ~stones[first - 2] & ~stones[first + 5])
                opens |= is_open << more - SIDE + OPEN_REACH
    kind = np.select([five, six, number_of_fours > 1, number_of_fours > 0, opens > 0],
                     [FIVE, SIX, TWO_FOURS, FOUR, THREE], NOTHING)
    return (kind | np.where(kind == THREE, opens << OPENS, 0)).astype(np.uint16)


@inlined
def window_at(geometry, stones, empty, bit):
    """The entry of the window around a bit of a line with these black stones and empty points."""
    stones, empty = stones << SIDE >> bit, empty << SIDE >> bit  # the point is bit 5 now
    before, after = stones & 31 | (empty & 31) << SIDE, stones >> 6 & 31 | (empty >> 6 & 31) << SIDE
    return np.int64(geometry.windows[
        np.int64(geometry.sides[before]) * SIDES + np.int64(geometry.sides[after])])
