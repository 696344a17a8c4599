"""Playouts from a position, run by the kernels in several threads."""

from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from functools import cached_property
from typing import Any, Sequence, Union

import numpy as np

from ..games import catalogue
from ..games.lattice import BLACK, Lattice, opponent
from ..games.rules import Position, Rules
from ..kernels import Call, boards as many, load
from ..kernels.lines import playouts as line_playouts
from ..kernels.lines.board import LineBoard
from ..kernels.plane import board as boards, playouts
from .adapters import (
    board_of,
    calls_of_set_up,
    empty_line_board,
    games_of,
    geometry_of,
    put,
    set_up,
)

TASKS_PER_THREAD = 4  # more than one, since tasks take unequal times
STREAMS = 32  # least number of parts of the work, for any number of threads
FIVE, PAIR, TRIPLE = 5, 2, 3  # rows and captures of kernels.plane
Part = tuple[np.ndarray, ...]  # moves, numbers of playouts, seeds, results


class How(Enum):
    """The kernels: of kernels.plane.playouts, kernels.lines.playouts, and kernels.boards (ANY)."""

    RACE, AT_RANDOM, BY_RULES, FORKS, ANY = range(5)


class Simulator:
    """Playouts for one game on one lattice, distributed among threads."""

    def __init__(self, rules: Rules, lattice: Lattice, threads: int = 1):
        self.rules, self.lattice, self.threads = rules, lattice, threads
        self.points = np.array(lattice.points, np.uint16)
        self.axes = np.array(lattice.axes, np.int64)
        self._pool = ThreadPoolExecutor(threads)
        self._loaded: set[How] = set()
        self._line_boards: list[LineBoard] = []  # boards that no thread uses

    def __deepcopy__(self, memo: dict[int, Any]) -> "Simulator":
        return self  # calls leave no state behind that matters

    @cached_property
    def geometry(self) -> boards.Geometry:
        """The geometry of the lattice, in the plane."""
        return geometry_of(self.rules, self.lattice)

    def simulate(self, position: Position, moves: Sequence[int], policy: str, simulations: int,
                 seed: int, stop: np.ndarray) -> np.ndarray:
        """Run `simulations` playouts after each of the moves of the side to move.

        Returns int64[moves, 4]: draws, wins of Black, wins of White, plies of all playouts.  A
        move that wins at once counts as `simulations` wins.  The same seed gives the same results
        with any number of threads.  No further playout begins once an element of `stop`, uint8[2],
        is not 0.
        """
        streams = -(-STREAMS // len(moves))
        points = np.repeat(np.array(moves, np.uint16), streams)
        counts = (simulations + np.arange(points.size) % streams) // streams
        seeds = np.random.default_rng(seed).integers(0, 2**64, points.size, np.uint64)
        results = np.zeros((points.size, 4), np.int64)
        how = self._how(policy)
        if how not in self._loaded:
            # In this thread, since the process waits for threads of the pool before it exits.
            load(self.calls(policy))
            self._loaded.add(how)
        arrays = points, counts, seeds, results
        if self.threads == 1:
            self._run(how, position, arrays, stop)
        else:
            tasks = min(points.size, self.threads * TASKS_PER_THREAD)
            parts = zip(*(np.array_split(array, tasks) for array in arrays))
            running = [self._pool.submit(self._run, how, position, part, stop) for part in parts]
            for task in running:
                task.result()
        return np.asarray(results.reshape(len(moves), streams, 4).sum(axis=1))

    def _how(self, policy: str) -> How:
        if policy == "rule_based":
            return How.FORKS if self.rules.row_fills_board() else How.BY_RULES
        rules = self.rules
        if rules.capture_lengths or rules.caro or rules.renju:
            plane = rules.in_a_row == FIVE and self.lattice.depth == 1 and (
                {*rules.capture_lengths} <= {PAIR, TRIPLE})
            return How.AT_RANDOM if plane else How.ANY
        return How.RACE if 1 < rules.in_a_row <= FIVE else How.ANY

    def calls(self, policy: str) -> list[Call]:
        """The kernel calls of playouts by that policy, for `load`."""
        how = self._how(policy)
        nothing = (np.zeros(0, np.uint16), np.zeros(0, np.int64), np.zeros(0, np.uint64),
                   np.zeros((0, 4), np.int64))
        stop = np.zeros(2, np.uint8)
        if how == How.FORKS:
            board = empty_line_board(self.rules, self.lattice, 0, symmetric=False)
            return [*calls_of_set_up(board), self._forks(board, 0, nothing, stop)]
        if how == How.RACE:
            return [self._race(bytes(self.lattice.cells), BLACK, nothing, stop)]
        if how == How.ANY:
            games = games_of(self.rules, self.lattice, 3)
            return [Call(many.derive, (games, 0)), self._any(games, nothing, stop)]
        return [self._games(boards.make_board(self.geometry), 0, how, nothing, stop),
                *boards.calls_of_board(self.geometry)]

    def _run(self, how: How, position: Position, part: Part, stop: np.ndarray) -> None:
        colour = position.side - BLACK
        if how == How.FORKS:
            try:
                board = self._line_boards.pop()
            except IndexError:
                board = empty_line_board(self.rules, self.lattice, 0, symmetric=False)
            set_up(position, board)
            call = self._forks(board, colour, part, stop)
            call.kernel(*call.args)
            self._line_boards.append(board)
            return
        if how == How.RACE:
            call = self._race(position.cells, position.side, part, stop)
        elif how == How.ANY:
            games = games_of(self.rules, self.lattice, 3)
            put(position, games, 0)
            call = self._any(games, part, stop)
        else:
            call = self._games(board_of(self.geometry, position), colour, how, part, stop)
        call.kernel(*call.args)

    def scratch(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The arrays `out`, `threats` and `scratch` of the kernels."""
        points = len(self.lattice.points)
        return np.zeros(points, np.uint16), np.zeros(points, np.uint16), np.zeros(64, np.int64)

    def _games(self, base: boards.Board, colour: int, how: How, part: Part,
               stop: np.ndarray) -> Call:
        moves, counts, seeds, results = part
        return Call(playouts.simulate, (
            self.geometry, base, moves, colour, how == How.BY_RULES, counts, seeds, results,
            boards.make_board(self.geometry), boards.make_board(self.geometry), *self.scratch(),
            np.zeros(8, np.uint64), stop))

    def _any(self, games: many.Games, part: Part, stop: np.ndarray) -> Call:
        moves, counts, seeds, results = part
        return Call(many.simulate, (games, games.number[moves].astype(np.int64), counts, seeds,
                                    results, np.zeros(8, np.uint64), stop))

    def _race(self, stones: Union[bytes, bytearray], side: int, part: Part,
              stop: np.ndarray) -> Call:
        moves, counts, seeds, results = part
        in_a_row, points = self.rules.in_a_row, self.lattice.points
        second = self.lattice.cells + in_a_row * max(self.lattice.axes)
        base = np.full((2, second), playouts.NEVER, np.uint16)
        cells = np.frombuffer(stones, np.uint8)
        base[0, :cells.size][cells == opponent(side)] = 0
        base[1, :cells.size][cells == side] = 0
        return Call(playouts.race, (
            base.reshape(-1), moves, self.points, second, points[0],
            second + points[-1] - points[0] + 1, self.axes, in_a_row,
            not self.rules.overline_wins, side - BLACK, counts, seeds, results,
            np.zeros(base.size, np.uint16), np.zeros(len(points), np.uint16),
            np.zeros(len(points), np.uint16), np.zeros(8, np.uint64), stop))

    def _forks(self, board: LineBoard, colour: int, part: Part, stop: np.ndarray) -> Call:
        moves, counts, seeds, results = part
        points = self.points.size
        return Call(line_playouts.play_forks, (
            board, moves, colour, counts, seeds, results, np.zeros(points, np.int64),
            np.zeros(self.lattice.cells, np.int64), np.zeros(points, np.int64),
            np.zeros(8, np.uint64), stop))


def calls_of_playouts(rules: Rules, policy: str) -> list[Call]:
    """The kernel calls of playouts of a game by that policy, for `load`."""
    lattice = catalogue.start(rules, rules.default_size).lattice
    return Simulator(rules, lattice).calls(policy)
