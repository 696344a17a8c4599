"""Measure the time from the start of the process to the end of the first move.

    python benchmarks/start.py

Cold starts begin with an empty cache; warm starts (the fastest of five) use the cache of the cold
start.  The table has wall-clock time and, in brackets, processor time; for cold starts also in
units of an import of Numba.  Without the package gtp_engine_kernels: with it no start is cold.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
CASES = [  # a description, options of gomoku3.py
    ("random", "--player random"),
    ("flat, Gomoku", ""),
    ("flat, Pente", "--game Pente"),
    ("flat, Qubic", "--game Qubic"),
    ("flat, rule_based, Gomoku", "--policy rule_based"),
    ("flat, rule_based, Pente", "--policy rule_based --game Pente"),
    ("flat, rule_based, Qubic", "--policy rule_based --game Qubic"),
    ("alphabeta, Gomoku 15x15", "--player alphabeta --size 15 --time 0.01"),
    ("alphabeta, Pente", "--player alphabeta --game Pente --time 0.01"),
    ("alphabeta, Qubic", "--player alphabeta --game Qubic --time 0.01"),
]
WARM = 5  # starts


def run(words, commands, cache):
    """Run a process; returns wall-clock seconds and processor seconds."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, cwd=ROOT, env=os.environ | {"XDG_CACHE_HOME": cache})
    process.stdin.write(commands)
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(words)} ended with status {status}")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime


def main():
    """Print the table."""
    with tempfile.TemporaryDirectory() as cache:
        unit = min(run(["-c", "import numba"], b"", cache) for _ in range(WARM))
        print(f"import of Numba {unit[0]:.2f} ({unit[1]:.2f}) seconds")
        print(f"{'':26} {'cold':>15} {'imports of Numba':>18} {'warm':>8}")
        for name, options in CASES:
            commands = b"play b B2\ngenmove w\nquit\n" if "Qubic" not in name else (
                b"play b B6\ngenmove w\nquit\n")
            words = ["gomoku3.py", *options.split()]
            with tempfile.TemporaryDirectory() as empty:
                cold = run(words, commands, empty)
                warm = min(run(words, commands, empty) for _ in range(WARM))
            print(f"{name:26} {cold[0]:6.2f} ({cold[1]:6.2f}) {cold[0] / unit[0]:9.1f} "
                  f"({cold[1] / unit[1]:6.1f}) {warm[0]:8.2f}", flush=True)


if __name__ == "__main__":
    main()
