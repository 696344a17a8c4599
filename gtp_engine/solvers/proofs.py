"""Positions as the proof kernels see them: lines, symmetries, tables."""

from itertools import permutations, product
from typing import Iterator

import numpy as np

from ..games.lattice import PASS, Lattice
from ..games.rules import Position
from ..kernels import proof as kernel


def symmetries(lattice: Lattice, length: int) -> Iterator[np.ndarray]:
    """Every way to turn and mirror the lattice onto itself, the identity first.

    Each is an array int64[cells] that says where a cell goes; border cells stay.
    """
    sizes = lattice.width, lattice.height, lattice.depth
    for order in permutations(range(3)):
        if any(sizes[order[axis]] != sizes[axis] for axis in range(3)):
            continue
        for flips in product(*((False, True) if size > 1 else (False,) for size in sizes)):
            where = np.arange(lattice.cells)
            for point in lattice.points:
                old = lattice.coordinates(point)
                new = [old[order[axis]] for axis in range(3)]
                where[point] = lattice.point(*(
                    sizes[axis] - 1 - value if flips[axis] else value
                    for axis, value in enumerate(new)))
            yield where


def make_proof(position: Position, table_bits: int) -> kernel.Proof:
    """The position, ready to be proved, with a table of 2**table_bits entries of 24 bytes."""
    rules, lattice = position.rules, position.lattice
    lines = list(lattice.lines(rules.in_a_row))
    ends = []
    for line in lines:
        step = line[1] - line[0] if len(line) > 1 else 0
        ends.append((line[0] - step, line[-1] + step))
    proof = kernel.make_proof(
        lattice.points, lines, ends, [*lattice.axes, *(-axis for axis in lattice.axes)],
        lattice.middle(),
        (not rules.overline_wins, 2 in rules.capture_lengths, 3 in rules.capture_lengths,
         rules.captures_to_win, rules.centre_opening, lattice.row),
        rules.in_a_row, lattice.cells, list(symmetries(lattice, rules.in_a_row)), table_bits)
    first = next((record.point for record in position.history if record.point != PASS), PASS)
    kernel.set_up(proof, np.frombuffer(position.cells, np.uint8), *position.captured[1:],
                  position.opening_plies if rules.centre_opening else -1, first)
    return proof
