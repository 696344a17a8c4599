"""The winning strategy of the first player of 4x4x4, as a table.

`python -m gtp_engine solve-qubic` computes it; `verify-qubic` tries every reply to it.  The table
has one of all symmetrical positions, the stones of the side to move first.  Points are numbered in
the order of the lattice, stones are bits of a word.

A position on the way that the table lacks is won by threats.  The threat search starts from the
table's symmetry of the position, with no stored results.  The player then follows the win to the
end, as `verify-qubic` does.
"""

from functools import lru_cache
from pathlib import Path
from typing import Mapping, Optional, Union

import numpy as np

from ...games import catalogue
from ...games.lattice import BLACK, EMPTY, PASS, WHITE
from ...games.rules import Position
from ...games.symmetry import symmetries
from ...kernels.lines.board import LineBoard, set_up
from .. import DATA
from ..adapters import line_board_of
from ..arrays import Kind, arrays_in
from .lines import threat_win

Key = tuple[int, int]
FILE = DATA / "qubic.npz"
POINTS = 64
KINDS: Mapping[str, Kind] = {
    "own": (np.uint64, (None,)), "enemy": (np.uint64, (None,)), "move": (np.uint8, (None,))}
THREATS = 20_000  # nodes of a threat search; the table covers longer wins


class Strategy:
    """Moves by position: stones of both sides, uint64[n] each, and moves, uint8[n]."""

    def __init__(self, own: np.ndarray, other: np.ndarray, move: np.ndarray):
        self.own, self.other, self.moves = own, other, move
        self._move = dict(zip(zip(own.tolist(), other.tolist()), move.tolist()))
        empty = catalogue.start(catalogue.QUBIC, catalogue.QUBIC.default_size)
        lattice = empty.lattice
        self.points = np.array(lattice.points)
        number = np.zeros(lattice.cells, np.int64)
        number[self.points] = np.arange(self.points.size)
        where = np.array([number[image[self.points]]
                          for image in symmetries(lattice, catalogue.QUBIC.in_a_row)])
        self._sources = np.argsort(where, axis=1)  # the point that each symmetry moves to a point
        self._cells = np.zeros(lattice.cells, np.uint8)
        self._number = {int(point): i for i, point in enumerate(self.points)}
        self._board = line_board_of(empty, 0, symmetric=False)

    def winning_move(self, position: Position, threats: int,
                     plan: dict[bytes, int]) -> Optional[int]:
        """A winning move for the side to move, from the table or by a search for threats.

        The search has `threats` nodes.  Returns None if it finds no win.  `plan` receives the moves
        of the win, which later calls use without a search.
        """
        cells = np.frombuffer(position.cells, np.uint8)[self.points]
        if position.side == WHITE:
            cells = np.where(cells == EMPTY, cells, BLACK + WHITE - cells)
        key, sources = self.canonical(cells)
        move = self._move.get(key)
        if move is not None:
            return int(self.points[sources[move]])
        if cells.tobytes() not in plan:
            self.set_up(cells, sources, self._board)
            self._board.failed.fill(0)
            stones = threat_win(self._board, 0, threats)
            if not stones:
                return None
            plan.clear()
            plan.update(self._planned(cells.copy(), sources, max(1, stones // 2)))
        return plan[cells.tobytes()]

    def _planned(self, cells: np.ndarray, sources: np.ndarray, pairs: int) -> dict[bytes, int]:
        # The threat to make in each position of the win on the board.
        plan = {}
        for ply, last in enumerate(self._board.tried[:pairs, 1]):
            threat, answer = (int(sources[self._number[point]])
                              for point in self._board.pairs[ply, last])
            plan[cells.tobytes()] = int(self.points[threat])
            cells[threat], cells[answer] = BLACK, WHITE
        return plan

    def canonical(self, cells: np.ndarray) -> tuple[Key, np.ndarray]:
        """The key of a position, uint8[64] with Black to move, and the symmetry of this key.

        The key is the least pair of words, Black's and White's, over all symmetries.  The symmetry
        has, for each point, the point that it moves there.
        """
        images = cells[self._sources]
        own, other = words(images == BLACK), words(images == WHITE)
        least = np.lexsort((other, own))[0]
        return (int(own[least]), int(other[least])), self._sources[least]

    def set_up(self, cells: np.ndarray, sources: np.ndarray, board: LineBoard) -> None:
        """Set up the image of a position, uint8[64], under a symmetry on the board."""
        self._cells[self.points] = cells[sources]
        set_up(board, self._cells, 0, 0, -1, PASS)


def words(stones: np.ndarray) -> np.ndarray:
    """Pack rows of 64 booleans into uint64, the first one as the lowest bit."""
    return np.packbits(stones, axis=-1, bitorder="little").view("<u8")[..., 0].astype(np.uint64)


def read(path: Union[str, Path]) -> Strategy:
    """Read the strategy of a file.  Raises OSError or ValueError."""
    try:
        data = arrays_in(path, KINDS)
        own, other, move = data["own"], data["enemy"], data["move"]
        if not own.size == other.size == move.size:
            raise ValueError("the arrays are not equally long")
        if (move >= POINTS).any():
            raise ValueError(f"the array move has points that are not 0 to {POINTS - 1}")
    except ValueError as error:
        raise ValueError(f"not a strategy: {path}: {error}") from None
    return Strategy(own, other, move)


@lru_cache(maxsize=None)
def load() -> Strategy:
    """The strategy of the package."""
    return read(FILE)
