"""Measure the time of `solve` on empty boards and on boards with random stones.

    python benchmarks/solve.py
"""

import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE
from gtp_engine.players.base import Limits, Settings
from gtp_engine.solvers.solve import load_proof, solve

LIMIT, COUNT = 60.0, 40
NAMES = {BLACK: "Black wins", WHITE: "White wins", EMPTY: "draw", None: "unknown"}


def timed_solve(position):
    """Solve a position; returns the winner and the seconds."""
    start = time.perf_counter()
    value = solve(position, Settings(), Limits(bytearray(2), LIMIT))
    return value.winner, time.perf_counter() - start


def random_position(game, size, stones, rng):
    """An unfinished position after `stones` random moves."""
    while True:
        position = catalogue.start(catalogue.find(game), size)
        for point in rng.sample(position.lattice.points, stones):
            if not position.outcome:
                position.play(position.side, point)
        if not position.outcome:
            return position


def main():
    """Print the table."""
    load_proof(catalogue.GOMOKU)
    for rules in (catalogue.GOMOKU, catalogue.GOMOKU_EXACT):  # compiles
        timed_solve(catalogue.start(rules, 4))
    for game, size in (("Gomoku", 5), ("Gomoku", 6), ("Gomoku-exact", 6), ("Gomoku", 7)):
        winner, seconds = timed_solve(catalogue.start(catalogue.find(game), size))
        print(f"{game:13} {size}x{size}, empty       {NAMES[winner]}, {seconds:.2f} s", flush=True)
    for game, size, stones in (("Gomoku", 7, 12), ("Gomoku", 7, 20), ("Gomoku-exact", 7, 14),
                               ("Gomoku", 8, 20)):
        rng = Random(1)
        results = [timed_solve(random_position(game, size, stones, rng)) for _ in range(COUNT)]
        times = sorted(seconds for _, seconds in results)
        counts = ", ".join(f"{NAMES[winner]} {sum(value == winner for value, _ in results)}"
                           for winner in NAMES if any(value == winner for value, _ in results))
        print(f"{game:13} {size}x{size}, {stones} stones   half {times[COUNT // 2]:.2f} s, "
              f"all {times[-1]:.2f} s; {counts}", flush=True)


if __name__ == "__main__":
    main()
