"""Positions as the proof kernels see them: lines, symmetries, tables."""

from itertools import permutations, product
from typing import Iterator

import numpy as np

from ..games.lattice import PASS, Lattice
from ..games.rules import Position
from ..kernels import lines as kernel
from ..players.boards import first_stone, game_of


def symmetries(lattice: Lattice) -> Iterator[np.ndarray]:
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
    points = set(lattice.points)
    found = []
    for line in lattice.lines(rules.in_a_row):
        step, start = line[1] - line[0], line[0]
        while start - step in points:
            start -= step
        found.append(((step, start), line, (line[0] - step, line[-1] + step)))
    found.sort()
    numbers = {row: number for number, row in enumerate(dict.fromkeys(row for row, *_ in found))}
    proof = kernel.make_proof(
        lattice.points, [line for _, line, _ in found], [numbers[row] for row, *_ in found],
        [ends for *_, ends in found], [*lattice.axes, *(-axis for axis in lattice.axes)],
        lattice.middle(),
        (*game_of(rules), lattice.row), rules.in_a_row, lattice.cells, list(symmetries(lattice)),
        table_bits)
    opening, first = -1, PASS
    if rules.centre_opening and position.opening_plies >= 0:
        opening, first = position.opening_plies, first_stone(position)
    kernel.set_up(proof, np.frombuffer(position.cells, np.uint8), *position.captured[1:], opening,
                  first)
    return proof
