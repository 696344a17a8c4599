"""Playouts from a Position: between the objects of the rules and the arrays of the kernels."""

from typing import Sequence

import numpy as np

from ..games.lattice import BLACK, PASS, Lattice, opponent
from ..games.rules import Position, Rules
from ..kernels import board as boards
from ..kernels import playouts


class Simulator:
    """Playouts for one game on one lattice."""

    def __init__(self, rules: Rules, lattice: Lattice):
        self.rules, self.lattice = rules, lattice
        self.geometry = boards.make_geometry(
            lattice.points, lattice.axes, lattice.cells, lattice.row, lattice.middle(),
            (not rules.overline_wins, 2 in rules.capture_lengths, 3 in rules.capture_lengths,
             rules.captures_to_win, rules.centre_opening))
        self.axes = np.array(lattice.axes, np.int64)

    def simulate(self, position: Position, moves: Sequence[int], policy: str, simulations: int,
                 seeds: np.ndarray, stop: np.ndarray) -> np.ndarray:
        """Results of that many playouts after each of the moves of the side to move.

        Returns int64[moves, 3]: draws, wins of Black, wins of White.  A move that wins at once
        counts as so many wins.  `seeds` (uint64[moves]) are the generators of the moves' playouts
        and are left as these need them to go on.  `stop` (uint8[1]): when it is not 0, no further
        playout begins.
        """
        results = np.zeros((len(moves), 3), np.int64)
        points = np.array(moves, np.uint16)
        colour = position.side - BLACK
        if policy == "random" and not self.rules.capture_lengths:
            self._race(position, points, colour, simulations, seeds, results, stop)
        else:
            base = self.board(position)
            playouts.simulate(
                self.geometry, base, points, colour, policy == "rule_based", simulations, seeds,
                results, boards.make_board(self.geometry), boards.make_board(self.geometry),
                *self.scratch(), stop)
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

    def _race(self, position: Position, moves: np.ndarray, colour: int, simulations: int,
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
            not self.rules.overline_wins, colour, simulations, seeds, results,
            np.zeros(base.size, np.uint16), np.zeros(len(points), np.uint16), stop)
