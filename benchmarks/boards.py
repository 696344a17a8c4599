"""Measure moves per second of games side by side: Boards, OpenSpiel, and plain NumPy.

    python benchmarks/boards.py [--n 4096] [--seconds 2]

A move is a random legal action on each board, with the mask of legal actions afterwards; finished
games begin anew.  "with planes" adds the observation.  OpenSpiel (pip install open_spiel) plays one
game at a time and makes its observation tensor and its mask for each move.  All run on one core, in
turn, and the best of three rounds counts.
"""

import argparse
import platform
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from gtp_engine import Boards

ROUNDS = 3
GAMES = (("Tic-tac-toe", 3), ("Gomoku", 7), ("Gomoku", 15), ("Gomoku", 19), ("Caro", 15),
         ("Pente", 15), ("Pente", 19), ("Keryo-Pente", 19), ("Renju", 15), ("Qubic", 8),
         ("4-in-a-row", (7, 6)), ("6-in-a-row", 19))
BURN_IN = 60  # moves before the measurement, so that games are at all stages


class NumpyGomoku:
    """n games of Gomoku in plain NumPy: five cells around the last stone, along each axis."""

    def __init__(self, size, n):
        self.size, self.n, self.row = size, n, size + 8
        self.cells = np.zeros((n, self.row * self.row), np.int8)  # a border of four cells
        self.mask = np.ones((n, size * size), bool)
        self.turn, self.left = np.ones(n, np.int8), np.full(n, size * size)
        y, x = np.divmod(np.arange(size * size), size)
        self.place = (y + 4) * self.row + x + 4
        steps = np.array([1, self.row - 1, self.row, self.row + 1])
        windows = np.arange(-4, 1)[:, None] + np.arange(5)
        self.windows = (steps[:, None, None] * windows).reshape(-1)  # 4 axes x 5 rows x 5 cells
        self.every = np.arange(n)

    def random_actions(self, rng):
        """A random legal action for each game."""
        return np.where(self.mask, rng.random(self.mask.shape, np.float32), -1).argmax(axis=1)

    def play(self, actions):
        """Play on all boards; returns which games are over, and begins them anew."""
        places = self.place[actions]
        self.cells[self.every, places] = self.turn
        self.mask[self.every, actions] = False
        near = self.cells[self.every[:, None], places[:, None] + self.windows]
        rows = (near == self.turn[:, None]).reshape(self.n, 20, 5).all(axis=2)
        self.left -= 1
        won = rows.any(axis=1)
        over = won | (self.left == 0)
        self.cells[over] = 0
        self.mask[over] = True
        self.left[over] = self.size * self.size
        self.turn = np.where(over, 1, 3 - self.turn).astype(np.int8)
        return over

    def check(self):
        """Does it end the same games as Boards, with the same masks?"""
        boards, rng = Boards("Gomoku", self.size, n=self.n), np.random.default_rng(1)
        for _ in range(self.size * self.size):
            actions = self.random_actions(rng)
            boards.play(actions)
            over = boards.done.copy()
            boards.reset(over)
            if (self.play(actions) != over).any() or (boards.mask != self.mask).any():
                return False
        return True


def repeat(step, seconds):
    """Calls of `step` per second: the best of the rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        calls, begun = 0, time.perf_counter()
        while calls == 0 or time.perf_counter() - begun < seconds / ROUNDS:
            step()
            calls += 1
        best = max(best, calls / (time.perf_counter() - begun))
    return best


def rate_of_boards(name, size, n, seconds, planes=False):
    """Moves per second of Boards."""
    boards, rng = Boards(name, size, n=n), np.random.default_rng(1)
    out = boards.observe()

    def step():
        boards.play(boards.random_actions(rng))
        boards.reset(boards.done)
        if planes:
            boards.observe(out)
    for _ in range(BURN_IN):
        step()
    return n * repeat(step, seconds)


def rate_of_numpy(size, n, seconds):
    """Moves per second of NumpyGomoku."""
    games, rng = NumpyGomoku(size, n), np.random.default_rng(1)
    for _ in range(BURN_IN):
        games.play(games.random_actions(rng))
    return n * repeat(lambda: games.play(games.random_actions(rng)), seconds)


def rate_of_openspiel(size, seconds):
    """Moves per second of OpenSpiel's gomoku with observation tensor and mask; None without it."""
    try:
        import pyspiel
    except ImportError:
        return None
    game, rng = pyspiel.load_game(f"gomoku(size={size})"), np.random.default_rng(1)
    moves = 0

    def play():
        nonlocal moves
        state = game.new_initial_state()
        while not state.is_terminal():
            np.array(state.observation_tensor(0), np.float32)
            actions = np.flatnonzero(state.legal_actions_mask())
            state.apply_action(int(actions[rng.integers(len(actions))]))
            moves += 1
    best = 0.0
    for _ in range(ROUNDS):
        moves, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < seconds / ROUNDS:
            play()
        best = max(best, moves / (time.perf_counter() - begun))
    return best


def processor():
    """The name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def main():
    """Print a table of moves per second."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--n", type=int, default=4096, help="boards side by side")
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each number")
    options = parser.parse_args()
    print(f"{processor()}, one core, {options.n} boards; thousands of moves per second")
    print(f"{'game':16} {'size':>6} {'moves':>9} {'with planes':>12}")
    for name, size in GAMES:
        rates = [rate_of_boards(name, size, options.n, options.seconds, planes) / 1000
                 for planes in (False, True)]
        text = "x".join(map(str, size)) if isinstance(size, tuple) else str(size)
        print(f"{name:16} {text:>6} {rates[0]:9,.0f} {rates[1]:12,.0f}", flush=True)
    print(f"{'NumPy, Gomoku':16} {15:>6} "
          f"{rate_of_numpy(15, options.n, options.seconds) / 1000:9,.0f}", flush=True)
    other = rate_of_openspiel(15, options.seconds)
    text = "not installed" if other is None else f"{other / 1000:12,.1f}"
    print(f"{'OpenSpiel gomoku':16} {15:>6} {'':9} {text:>12}")


if __name__ == "__main__":
    main()
