"""Measure playouts per second: the kernels, a C program, and the policy in plain Python.

    python benchmarks/playouts.py

All three run in turn, and the best of three rounds counts.  Takes about 100 seconds.  The C program
is benchmarks/yardstick.c, compiled at the start if there is a C compiler.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from gtp_engine.games import catalogue
from gtp_engine.players.playout_policy import policy_moves
from gtp_engine.players.playouts import Simulator

HERE = Path(__file__).parent
SIZES = (7, 15, 19)
ROUNDS, SECONDS = 3, 0.25
YARDSTICKS = {("Gomoku", "random"): ("walk", "race"), ("Pente-free", "random"): ("pente",)}


def build_yardstick(folder):
    """Compile the C program; returns None without a compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return None
    program = folder / "yardstick"
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, HERE / "yardstick.c"],
                   check=True)
    return program


def yardstick(program, size, method):
    """Playouts per second of the C program."""
    out = subprocess.run([program, str(size), str(SECONDS), method], capture_output=True,
                         text=True, check=True)
    return float(out.stdout.split()[0])


class Measurement:
    """One game on one board with one policy: rates of the kernels on one and two threads."""

    def __init__(self, game, size, policy):
        self.position = catalogue.start(catalogue.find(game), size)
        self.moves, self.policy = self.position.legal_moves(), policy
        self.simulators = [Simulator(self.position.rules, self.position.lattice, threads)
                           for threads in (1, 2)]
        self.rates, self.ply = [0.0, 0.0], 0.0
        self.simulations = 1
        for index in (0, 1):  # the first round compiles
            self.run(index)
        while self.run(0)[0] < SECONDS / 2:
            self.simulations *= 2

    def run(self, index):
        """Run playouts; returns seconds, playouts and plies."""
        start = time.perf_counter()
        results = self.simulators[index].simulate(
            self.position, self.moves, self.policy, self.simulations, 1, np.zeros(2, np.uint8))
        return time.perf_counter() - start, results[:, :3].sum(), results[:, 3].sum()

    def round(self):
        """Run on one thread and on two threads; store the best rates."""
        for index in (0, 1):
            seconds, playouts, plies = self.run(index)
            if playouts / seconds > self.rates[index]:
                self.rates[index] = playouts / seconds
                if index == 0:
                    self.ply = seconds / plies


def seconds_per_ply_in_python(game, size, policy):
    """Seconds per ply of the plain-Python policy, over half a second of playouts."""
    rng, plies, start = Random(1), 0, time.perf_counter()
    while True:
        position = catalogue.start(catalogue.find(game), size)
        while not position.outcome:
            position.play(position.side, rng.choice(policy_moves(position, policy)[1]))
            plies += 1
            if time.perf_counter() - start > 2 * SECONDS:
                return (time.perf_counter() - start) / plies


def processor():
    """The name of the processor and the number of its cores."""
    info = Path("/proc/cpuinfo")
    names = [line.partition(":")[2].strip() for line in
             (info.read_text().splitlines() if info.exists() else ())
             if line.startswith("model name")]
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores"


def main():
    """Print the table."""
    print(f"{processor()}; Python {platform.python_version()}, empty boards\n")
    print("                                     one thread        two    times plain    times C\n"
          "game          policy      size  playouts/s  ns/ply  threads     Python")
    with tempfile.TemporaryDirectory() as folder:
        program = build_yardstick(Path(folder))
        for game in ("Gomoku", "Gomoku-exact", "Pente-free", "Keryo-Pente"):
            for policy in ("random", "rule_based"):
                for size in SIZES:
                    ours = Measurement(game, size, policy)
                    methods = YARDSTICKS.get((game, policy), ()) if program else ()
                    theirs = dict.fromkeys(methods, 0.0)
                    for _ in range(ROUNDS):
                        ours.round()
                        for method in methods:
                            theirs[method] = max(theirs[method], yardstick(program, size, method))
                    python = seconds_per_ply_in_python(game, size, policy)
                    ratios = " ".join(f"{method} {ours.rates[0] / rate:.2f}"
                                      for method, rate in theirs.items())
                    print(f"{game:13} {policy:11} {size:3} {ours.rates[0]:11,.0f} "
                          f"{ours.ply * 1e9:7.1f} {ours.rates[1] / ours.rates[0]:8.2f} "
                          f"{python / ours.ply:10,.0f}    {ratios}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
