"""Playouts from a Position: between the objects of the rules and the arrays of the kernels."""

import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Sequence

import numpy as np

from ..games import catalogue
from ..games.lattice import BLACK, PASS, Lattice, opponent
from ..games.rules import Position, Rules
from ..kernels import board as boards
from ..kernels import is_compiled, playouts

TASKS_PER_THREAD = 4  # the moves are shared out in smaller parts, which take unequal times


class Simulator:
    """Playouts for one game on one lattice, shared out among threads."""

    def __init__(self, rules: Rules, lattice: Lattice, threads: int = 1):
        self.rules, self.lattice, self.threads = rules, lattice, threads
        self.geometry = boards.make_geometry(
            lattice.points, lattice.axes, lattice.cells, lattice.row, lattice.middle(),
            (not rules.overline_wins, 2 in rules.capture_lengths, 3 in rules.capture_lengths,
             rules.captures_to_win, rules.centre_opening))
        self.axes = np.array(lattice.axes, np.int64)
        self._pool = ThreadPoolExecutor(threads)

    def simulate(self, position: Position, moves: Sequence[int], policy: str, simulations: int,
                 seeds: np.ndarray, stop: np.ndarray) -> np.ndarray:
        """Results of that many playouts after each of the moves of the side to move.

        Returns int64[moves, 4]: draws, wins of Black, wins of White, plies of all playouts.  A
        move that wins at once counts as so many wins.  `seeds` (uint64[moves]) are the generators
        of the moves' playouts and are left as these need them to go on; the results depend on
        nothing else.  `stop` (uint8[1]): when it is not 0, no further playout begins.
        """
        results = np.zeros((len(moves), 4), np.int64)
        by_race = policy == "random" and not self.rules.capture_lengths
        announce(playouts.race if by_race else playouts.simulate)
        run = self._race if by_race else self._simulate
        parts = min(len(moves), self.threads * TASKS_PER_THREAD if self.threads > 1 else 1)
        shares = [np.array_split(array, parts)
                  for array in (np.array(moves, np.uint16), seeds, results)]
        tasks = [self._pool.submit(run, position, part, policy == "rule_based", simulations,
                                   part_seeds, part_results, stop)
                 for part, part_seeds, part_results in zip(*shares)]
        for task in tasks:
            task.result()
        return results

    def board(self, position: Position) -> boards.Board:
        """The position as the kernels see it."""
        first = next((r.point for r in position.history if r.point != PASS), PASS)
        return boards.make_board(self.geometry, np.frombuffer(position.cells, np.uint8),
                                 position.captured, position.opening_plies, first)

    def scratch(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The arrays `out`, `threats` and `scratch` of the kernels."""
        points = len(self.lattice.points)
        return np.zeros(points, np.uint16), np.zeros(points, np.uint16), np.zeros(64, np.int64)

    def _simulate(self, position: Position, moves: np.ndarray, rule_based: bool, simulations: int,
                  seeds: np.ndarray, results: np.ndarray, stop: np.ndarray) -> None:
        playouts.simulate(
            self.geometry, self.board(position), moves, position.side - BLACK, rule_based,
            simulations, seeds, results, boards.make_board(self.geometry),
            boards.make_board(self.geometry), *self.scratch(), stop)

    def _race(self, position: Position, moves: np.ndarray, rule_based: bool, simulations: int,
              seeds: np.ndarray, results: np.ndarray, stop: np.ndarray) -> None:
        in_a_row, points = self.rules.in_a_row, self.lattice.points
        second = self.lattice.cells + in_a_row * max(self.lattice.axes)
        base = np.full((2, second), playouts.NEVER, np.uint16)
        cells = np.frombuffer(position.cells, np.uint8)
        base[0, :cells.size][cells == opponent(position.side)] = 0
        base[1, :cells.size][cells == position.side] = 0
        playouts.race(
            base.reshape(-1), moves, self.geometry.points, second, points[0],
            second + points[-1] - points[0] + 1, self.axes, in_a_row,
            not self.rules.overline_wins, position.side - BLACK, simulations, seeds, results,
            np.zeros(base.size, np.uint16), np.zeros(len(points), np.uint16),
            np.zeros(len(points), np.uint16), np.zeros(1, np.uint64), stop)


def announce(function) -> None:
    """Say so on standard error if this kernel is about to be compiled."""
    if not is_compiled(function):
        logging.getLogger(__name__).warning(
            "compiling %s, once for this version; this takes some seconds", function.__name__)


def compile_playouts() -> None:
    """Compile every playout kernel that is not in the cache yet."""
    for rules in (catalogue.GOMOKU, catalogue.PENTE_FREE):
        position = catalogue.start(rules, 7)
        Simulator(rules, position.lattice).simulate(
            position, position.legal_moves()[:1], "random", 1, np.zeros(1, np.uint64),
            np.zeros(1, np.uint8))
