"""Playouts from a Position: between the objects of the rules and the arrays of the kernels."""

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Callable, Sequence

import numpy as np

from ..games import catalogue
from ..games.lattice import BLACK, Lattice, opponent
from ..games.rules import Position, Rules
from ..kernels.lines import playouts as line_playouts
from ..kernels.lines.board import LineBoard
from ..kernels.plane import board as boards
from ..kernels.plane import playouts
from .adapters import board_of, geometry_of, line_board_of, show

TASKS_PER_THREAD = 4  # more than one, since tasks take unequal times
STREAMS = 32  # at least so many parts, whatever the number of threads, can be shared out


class Simulator:
    """Playouts for one game on one lattice, shared out among threads."""

    def __init__(self, rules: Rules, lattice: Lattice, threads: int = 1):
        self.rules, self.lattice, self.threads = rules, lattice, threads
        self.points = np.array(lattice.points, np.uint16)
        self.axes = np.array(lattice.axes, np.int64)
        self._pool = ThreadPoolExecutor(threads)
        self._loaded: set[str] = set()
        self._line_boards: list[LineBoard] = []  # those that no thread is using

    def __deepcopy__(self, memo: dict) -> "Simulator":
        return self  # nothing that matters is kept from one call to the next

    @cached_property
    def geometry(self) -> boards.Geometry:
        """The lines of the lattice, in the plane."""
        return geometry_of(self.rules, self.lattice)

    def simulate(self, position: Position, moves: Sequence[int], policy: str, simulations: int,
                 seed: int, stop: np.ndarray) -> np.ndarray:
        """Results of that many playouts after each of the moves of the side to move.

        Returns int64[moves, 4]: draws, wins of Black, wins of White, plies of all playouts.  A
        move that wins at once counts as so many wins.  The same seed gives the same results on
        any number of threads.  `stop` (uint8[2]): when one is not 0, no further playout begins.
        """
        streams = -(-STREAMS // len(moves))
        points = np.repeat(np.array(moves, np.uint16), streams)
        counts = (simulations + np.arange(points.size) % streams) // streams
        seeds = np.random.default_rng(seed).integers(0, 2**64, points.size, np.uint64)
        results = np.zeros((points.size, 4), np.int64)
        rule_based = policy == "rule_based"
        kernel: Callable
        if rule_based and self.rules.row_fills_board():
            run, kernel = self._fork, line_playouts.play_forks
        elif rule_based or self.rules.capture_lengths or self.rules.caro:
            run, kernel = self._simulate, playouts.simulate
        else:
            run, kernel = self._race, playouts.race
        arrays = points, counts, seeds, results
        if kernel.__name__ not in self._loaded:
            # In this thread: the end of a process waits for those of the pool, compiling or not.
            run(position, rule_based, tuple(array[:0] for array in arrays), stop)
            self._loaded.add(kernel.__name__)
        if self.threads == 1:
            run(position, rule_based, arrays, stop)
        else:
            tasks = min(points.size, self.threads * TASKS_PER_THREAD)
            parts = zip(*(np.array_split(array, tasks) for array in arrays))
            running = [self._pool.submit(run, position, rule_based, part, stop) for part in parts]
            for task in running:
                task.result()
        return results.reshape(len(moves), streams, 4).sum(axis=1)

    def scratch(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The arrays `out`, `threats` and `scratch` of the kernels."""
        points = len(self.lattice.points)
        return np.zeros(points, np.uint16), np.zeros(points, np.uint16), np.zeros(64, np.int64)

    def _simulate(self, position: Position, rule_based: bool, part: tuple[np.ndarray, ...],
                  stop: np.ndarray) -> None:
        moves, counts, seeds, results = part
        playouts.simulate(
            self.geometry, board_of(self.geometry, position), moves, position.side - BLACK,
            rule_based, counts, seeds, results, boards.make_board(self.geometry),
            boards.make_board(self.geometry), *self.scratch(), np.zeros(8, np.uint64), stop)

    def _race(self, position: Position, rule_based: bool, part: tuple[np.ndarray, ...],
              stop: np.ndarray) -> None:
        moves, counts, seeds, results = part
        in_a_row, points = self.rules.in_a_row, self.lattice.points
        second = self.lattice.cells + in_a_row * max(self.lattice.axes)
        base = np.full((2, second), playouts.NEVER, np.uint16)
        cells = np.frombuffer(position.cells, np.uint8)
        base[0, :cells.size][cells == opponent(position.side)] = 0
        base[1, :cells.size][cells == position.side] = 0
        playouts.race(
            base.reshape(-1), moves, self.points, second, points[0],
            second + points[-1] - points[0] + 1, self.axes, in_a_row,
            not self.rules.overline_wins, position.side - BLACK, counts, seeds, results,
            np.zeros(base.size, np.uint16), np.zeros(len(points), np.uint16),
            np.zeros(len(points), np.uint16), np.zeros(8, np.uint64), stop)

    def _fork(self, position: Position, rule_based: bool, part: tuple[np.ndarray, ...],
              stop: np.ndarray) -> None:
        moves, counts, seeds, results = part
        try:
            board = self._line_boards.pop()
            show(position, board)
        except IndexError:
            board = line_board_of(position, 0, symmetric=False)
        points = self.points.size
        line_playouts.play_forks(
            board, moves, position.side - BLACK, counts, seeds, results,
            np.zeros(points, np.int64), np.zeros(self.lattice.cells, np.int64),
            np.zeros(points, np.int64), np.zeros(8, np.uint64), stop)
        self._line_boards.append(board)


def load_playouts(rules: Rules, policy: str) -> None:
    """Load the playouts of a game by that policy, compiled now if they are not in the cache."""
    position = catalogue.start(rules, rules.default_size)
    Simulator(rules, position.lattice).simulate(
        position, position.legal_moves()[:1], policy, 0, 0, np.zeros(2, np.uint8))
