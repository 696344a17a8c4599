"""The strategy with which the first player wins 4x4x4 whatever the second does, as a table.

It was found by `python -m gtp_engine solve-qubic`; `verify-qubic` tries every reply to it.  A
position stands there once for all that its symmetries show, the side to move first: points are
numbered in the order of the lattice, stones are bits of a word.  What is not in the table is won by
threats, or is not on the way.  Threats are looked for in the position as it would stand in the
table, with nothing remembered, and then followed to the end: as `verify-qubic` does it.
"""

from functools import lru_cache
from pathlib import Path
from typing import Mapping, Optional, Union

import numpy as np

from ...games import catalogue
from ...games.lattice import BLACK, EMPTY, PASS, WHITE
from ...games.rules import Position
from ...kernels.lines.board import LineBoard, set_up
from .. import DATA
from ..adapters import line_board_of, symmetries
from ..arrays import Kind, arrays_in
from .lines import threat_win

Key = tuple[int, int]
FILE = DATA / "qubic.npz"
POINTS = 64
KINDS: Mapping[str, Kind] = {
    "own": (np.uint64, (None,)), "enemy": (np.uint64, (None,)), "move": (np.uint8, (None,))}
THREATS = 20_000  # nodes of a search for threats, beyond which the table has to say what to do


class Strategy:
    """Moves by position: uint64[n] of the side to move and of its opponent, uint8[n] of moves."""

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
        self._seen_at = np.argsort(where, axis=1)  # what each symmetry shows at a point
        self._cells = np.zeros(lattice.cells, np.uint8)
        self._number = {int(point): i for i, point in enumerate(self.points)}
        self._board = line_board_of(empty, 0, symmetric=False)

    def winning_move(self, position: Position, threats: int,
                     plan: dict[bytes, int]) -> Optional[int]:
        """A point where the side to move wins, by the table or by threats, found in so many nodes.

        None if there is none, or none is found.  Threats that were found become the `plan`, and
        what is planned is not looked for again.
        """
        cells = np.frombuffer(position.cells, np.uint8)[self.points]
        if position.side == WHITE:
            cells = np.where(cells == EMPTY, cells, BLACK + WHITE - cells)
        key, seen_at = self.canonical(cells)
        move = self._move.get(key)
        if move is not None:
            return int(self.points[seen_at[move]])
        if cells.tobytes() not in plan:
            self.show(cells, seen_at, self._board)
            self._board.failed.fill(0)
            stones = threat_win(self._board, 0, threats)
            if not stones:
                return None
            plan.clear()
            plan.update(self._planned(cells.copy(), seen_at, max(1, stones // 2)))
        return plan[cells.tobytes()]

    def _planned(self, cells: np.ndarray, seen_at: np.ndarray, pairs: int) -> dict[bytes, int]:
        # The threat to make in each position of the win that was found.
        plan = {}
        for ply, last in enumerate(self._board.tried[:pairs, 1]):
            threat, answer = (int(seen_at[self._number[point]])
                              for point in self._board.pairs[ply, last])
            plan[cells.tobytes()] = int(self.points[threat])
            cells[threat], cells[answer] = BLACK, WHITE
        return plan

    def canonical(self, cells: np.ndarray) -> tuple[Key, np.ndarray]:
        """The key of a position, uint8[64] with Black to move, and the symmetry that shows it so.

        The key is the least of Black and White as words; a symmetry says for each point which one
        it shows.
        """
        shown = cells[self._seen_at]
        own, other = words(shown == BLACK), words(shown == WHITE)
        least = np.lexsort((other, own))[0]
        return (int(own[least]), int(other[least])), self._seen_at[least]

    def show(self, cells: np.ndarray, seen_at: np.ndarray, board: LineBoard) -> None:
        """Put a position, uint8[64], into the board as a symmetry shows it."""
        self._cells[self.points] = cells[seen_at]
        set_up(board, self._cells, 0, 0, -1, PASS)


def words(stones: np.ndarray) -> np.ndarray:
    """Rows of 64 booleans as uint64, the first one as the lowest bit."""
    return np.packbits(stones, axis=-1, bitorder="little").view("<u8")[..., 0].astype(np.uint64)


def read(path: Union[str, Path]) -> Strategy:
    """The strategy of a file.  Raises OSError or ValueError if there is none."""
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
    """The strategy that comes with the package."""
    return read(FILE)
