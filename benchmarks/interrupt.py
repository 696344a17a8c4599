"""Measure the reply time of an interrupted engine, and the time to attach it to GoGui.

    python benchmarks/interrupt.py [--runs N]

Each player starts a move that would take hours and receives `# interrupt` after a random time.
The rows marked (compiling) start with an empty cache, so that the interrupt meets the compiler at
work.  All times are in milliseconds.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

ENGINE = Path(__file__).parent.parent / "gomoku3.py"
MIDDLE = "gogui-play_sequence b h8 w h9 b g9 w j7 b g8"
LONG = ["--time", "100000"]

CASES = [  # name, options, commands before, command
    ("flat, random", ["--size", "15", "--simulations", "1000000000"], MIDDLE, "genmove w"),
    ("flat, rule_based", ["--size", "19", "--policy", "rule_based", *LONG], MIDDLE, "genmove w"),
    ("flat, Pente", ["--game", "Pente-free", "--policy", "rule_based", *LONG], MIDDLE, "genmove w"),
    ("flat, Qubic", ["--game", "Qubic", "--policy", "rule_based", *LONG], "play b a1", "genmove w"),
    ("alphabeta, Gomoku", ["--size", "15", "--player", "alphabeta", *LONG], MIDDLE, "genmove w"),
    ("alphabeta, Pente", ["--game", "Pente-free", "--player", "alphabeta", *LONG], MIDDLE,
     "genmove w"),
    ("alphabeta, Qubic", ["--game", "Qubic", "--player", "alphabeta", *LONG], "play b a1",
     "genmove w"),
    ("alphabeta, values", ["--size", "15", "--player", "alphabeta", *LONG], MIDDLE, "move_values"),
    ("solve", ["--size", "9", *LONG], "play b e5", "solve"),
]


class Engine:
    """An engine process behind pipes."""

    def __init__(self, options, cache=None):
        environment = os.environ | ({"XDG_CACHE_HOME": cache} if cache else {})
        self.process = subprocess.Popen(
            [sys.executable, str(ENGINE), *options], stdin=subprocess.PIPE, bufsize=0,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)

    def send(self, line):
        """Send a line without waiting."""
        self.process.stdin.write(line.encode() + b"\n")

    def ask(self, line):
        """Send a line and wait for the next reply."""
        self.send(line)
        self.wait()

    def wait(self):
        """Wait for the end of the next reply."""
        while self.process.stdout.readline().strip():
            pass

    def end(self):
        """Kill the process."""
        self.process.kill()
        self.process.communicate()


def interrupted(case, wait, cache=None):
    """Milliseconds from an interrupt, after `wait` seconds of search, to the reply."""
    name, options, before, command = case
    engine = Engine(options, cache)
    engine.ask("gogui-analyze_commands")  # with live graphics
    engine.ask(before)
    engine.send(command)
    time.sleep(wait)
    start = time.perf_counter()
    engine.ask("# interrupt")
    took = 1000 * (time.perf_counter() - start)
    engine.end()
    return took


def attached():
    """Milliseconds to start four processes, and of GoGui's rules queries in a game of 45 moves."""
    start = time.perf_counter()
    engines = [Engine(["--size", "15"]) for _ in range(4)]
    for engine in engines:
        engine.ask("list_commands")
    ready = time.perf_counter()
    rules, moves = engines[-1], [f"{c}{r}" for c in "ABCDE" for r in range(1, 10)]
    for number in range(1, 46):
        for _ in range(3):
            rules.ask("clear_board")
            for ply, point in enumerate(moves[:number]):
                rules.ask(f"play {'BW'[ply // 2 % 2]} {point}")
                rules.ask("gogui-rules_side_to_move")
        for _ in range(6):
            rules.ask("gogui-rules_board")
            rules.ask("gogui-rules_legal_moves")
    end = time.perf_counter()
    for engine in engines:
        engine.end()
    return 1000 * (ready - start), 1000 * (end - ready)


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20, help="for each row (default: %(default)s)")
    runs, rng = parser.parse_args().runs, Random(1)
    start, game = attached()
    print(f"four processes started: {start:.0f} ms; rules of a game of 45 moves: {game:.0f} ms\n")
    print("                                  milliseconds to answer\n"
          "                                  median  longest")
    for case in CASES:
        took = sorted(interrupted(case, rng.uniform(0, 4)) for _ in range(runs))
        print(f"{case[0]:30} {took[runs // 2]:9.0f} {took[-1]:8.0f}", flush=True)
    for case in CASES[1], CASES[4], CASES[8]:
        took = []
        for _ in range(5):
            with tempfile.TemporaryDirectory() as folder:
                took.append(interrupted(case, rng.uniform(0.5, 8), folder))
        print(f"{case[0] + ' (compiling)':30} {sorted(took)[2]:9.0f} {max(took):8.0f}", flush=True)


if __name__ == "__main__":
    main()
