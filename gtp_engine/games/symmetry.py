"""Symmetries of boards, as maps of cells."""

from functools import lru_cache
from itertools import permutations, product

import numpy as np

from .lattice import Lattice
from .rules import Rules

PERMUTED = 5  # the longest rows whose points are permuted


def row_length(rules: Rules) -> int:
    """Return the `length` for `symmetries` of a game, 0 if not only its rows matter.

    Captures and centres do not stay in place if the points of a row are permuted.
    """
    return 0 if rules.capture_lengths or rules.centre_opening else rules.in_a_row


@lru_cache(maxsize=32)
def symmetries(lattice: Lattice, length: int) -> tuple[np.ndarray, ...]:
    """All symmetries of rows of `length` points, the identity first.

    Each is an array int64[cells] that maps cells to cells; border cells stay.  A square has eight
    symmetries, another rectangle four.  On boards as long as a row, permutations of the coordinates
    are symmetries too if mirror images stay mirror images.  So 4x4x4 has 192 symmetries, 48 of them
    those of a cube (Silver 1967).  Rows longer than PERMUTED are too many to permute.
    """
    sizes = lattice.width, lattice.height, lattice.depth
    orders = [order for order in permutations(range(3))
              if all(sizes[order[axis]] == sizes[axis] for axis in range(3))]
    swaps = [tuple(range(max(sizes)))]
    if length <= PERMUTED and {*sizes} <= {1, length}:
        # One of two mirror images is enough: the other one is the same with a flip.
        swaps = [swap for swap in permutations(range(length)) if swap[0] < length / 2 and all(
            swap[i] + swap[-1 - i] == length - 1 for i in range(length))]
    images = []
    for swap, order in product(swaps, orders):
        for flips in product(*((False, True) if size > 1 else (False,) for size in sizes)):
            where = np.arange(lattice.cells)
            for point in lattice.points:
                old = lattice.coordinates(point)
                new = [swap[old[axis]] if sizes[axis] > 1 else 0 for axis in order]
                where[point] = lattice.point(*(
                    size - 1 - value if flip else value
                    for size, flip, value in zip(sizes, flips, new)))
            images.append(where)
    return tuple(images)
