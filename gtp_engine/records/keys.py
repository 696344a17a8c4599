"""Keys of positions: equal for positions that are equal by a symmetry of the board.

The key is the smallest 64-bit Zobrist key (1970) of the symmetric images, with the side to move and
the captured stones.  Among a million positions, two share a key with probability 3e-8.
"""

from functools import lru_cache
from random import Random
from typing import Any, Iterable, Iterator

import numpy as np

from ..games.lattice import BLACK, PASS, Lattice, opponent
from ..games.rules import Position
from ..games.symmetry import symmetries
from ..games.tree import ROOT, GameTree

MOST_CAPTURED = 64  # distinct counts of captured stones in a key


class Images:
    """The symmetries that map a position to its canonical image.

    inverse  by symmetry and by point of the image, the point of the position
    """

    def __init__(self, forward: np.ndarray, inverse: np.ndarray):
        self._forward, self.inverse = forward, inverse

    def points(self, move: int) -> tuple[int, ...]:
        """The points of the position for a point of the image, in point order."""
        return tuple(sorted({int(point) for point in self.inverse[:, move]}))

    def equal(self, point: int) -> tuple[int, ...]:
        """The points of the position that are equal to `point` by symmetry, in point order."""
        return self.points(self.canonical(point))

    def canonical(self, point: int) -> int:
        """The point of the canonical image for a point of the position."""
        return int(self._forward[:, point].min())


class PositionKeys:
    """Keys of positions on a lattice where `in_a_row` stones in a row win."""

    def __init__(self, lattice: Lattice, in_a_row: int):
        self._forward, self._inverse, self._stones, sides, captured = key_tables(lattice, in_a_row)
        self._cells, self._sides, self._captured = lattice.cells, sides, captured

    def of_history(self, position: Position) -> tuple[np.ndarray, np.ndarray]:
        """The keys of the positions before each record of the history, with the record's colour to
        move, and the points of the records in the canonical images."""
        records = position.history
        changed: list[int] = []
        starts: list[int] = []
        cells = position.cells[:]
        for record in reversed(records):
            starts.append(len(changed))
            changed.append(0)  # has key 0; no segment of reduceat may be empty
            for cell, content in record.before:
                changed += [self._place(cell, cells[cell]), self._place(cell, content)]
                cells[cell] = content
        if not records:
            return np.zeros(0, np.uint64), np.zeros(0, np.int64)
        steps = np.bitwise_xor.reduceat(self._stones[changed], starts)[::-1]
        before = np.zeros_like(steps)
        np.bitwise_xor.accumulate(steps[:-1], out=before[1:])
        least = before.min(axis=1)
        keys = least ^ np.array([self._extra(record.colour, record.captured)
                                 for record in records], np.uint64)
        points = self._forward[:, [record.point for record in records]].T
        return keys, np.where(before == least[:, None], points, self._cells).min(axis=1)

    def walk(self, tree: GameTree) -> Iterator[tuple[int, int]]:
        """Yield the key before each move of a tree, and its point in the canonical image.

        At the end of a line, yields the key of the last position with PASS.
        For trees of moves without captures and set-up stones, far faster than `of_history`.
        """
        stones = self._stones.tolist()
        forward = self._forward.T.tolist()
        rest = [(child, [0] * len(self._forward)) for child in reversed(tree.nodes[ROOT].children)]
        while rest:
            number, images = rest.pop()
            node = tree.nodes[number]
            if node.step.move is None:
                continue
            colour, point = node.step.move
            least = min(images)
            if point != PASS:
                maps = forward[point]
                yield (least ^ self._sides[colour],
                       min(to for to, image in zip(maps, images) if image == least))
                images = [image ^ key for image, key in zip(images, stones[point * 3 + colour])]
            if not node.children:
                yield min(images) ^ self._sides[opponent(colour)], PASS
            rest += [(child, images) for child in reversed(node.children)]

    def of_position(self, position: Position) -> tuple[int, Images]:
        """The key of a position, and the symmetries that map it to its canonical image."""
        places = [0, *(self._place(point, position.cells[point])
                       for point in position.lattice.points)]
        images = np.bitwise_xor.reduce(self._stones[places], axis=0)
        least = images.min()
        canonical = np.flatnonzero(images == least)
        return (int(least) ^ self._extra(position.side, position.captured),
                Images(self._forward[canonical], self._inverse[canonical]))

    def both(self, position: Position) -> tuple[int, int]:
        """The key of a position as it is, and the key up to symmetry."""
        places = [0, *(self._place(point, position.cells[point])
                       for point in position.lattice.points)]
        images = np.bitwise_xor.reduce(self._stones[places], axis=0)  # the identity comes first
        extra = self._extra(position.side, position.captured)
        return int(images[0]) ^ extra, int(images.min()) ^ extra

    def _place(self, cell: int, content: int) -> int:
        return cell * 3 + content

    def _extra(self, side: int, captured: Iterable[int]) -> int:
        _, black, white = captured
        key: int = self._sides[side] ^ self._captured[black % MOST_CAPTURED][0] ^ (
            self._captured[white % MOST_CAPTURED][1])
        return key


@lru_cache(maxsize=32)
def key_tables(lattice: Lattice, in_a_row: int) -> tuple[Any, ...]:
    """The maps of cells by symmetries, their inverses, and the tables of Zobrist keys.

    The tables are for stones (by cell and content, with a column for each symmetry; empty cells
    have key 0), for the side to move, and for captured stones.
    """
    rng = Random(1970)
    forward = np.array(symmetries(lattice, in_a_row))
    stones = np.zeros((lattice.cells, 3), np.uint64)
    for point in lattice.points:
        stones[point, BLACK:] = rng.getrandbits(64), rng.getrandbits(64)
    images = stones[forward].transpose(1, 2, 0).reshape(lattice.cells * 3, len(forward))
    sides = [0, 0, rng.getrandbits(64)]
    captured = [(rng.getrandbits(64), rng.getrandbits(64)) if count else (0, 0)
                for count in range(MOST_CAPTURED)]
    return forward, np.argsort(forward, axis=1), np.ascontiguousarray(images), sides, captured
