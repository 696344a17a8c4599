"""Count late moves on a busy machine, with one second for each move.

    python benchmarks/lateness.py [--moves N] [--busy N]

The engine plays against itself with time_settings 0 1 1, next to N endless loops.  A move is late
if the reply to genmove takes more than a second.
"""

import argparse
import subprocess
import sys
import time

from interrupt import Engine


def main():
    """Print the late moves and their delays."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--moves", type=int, default=20, help="for each player")
    parser.add_argument("--busy", type=int, default=2, help="number of endless loops")
    options = parser.parse_args()
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
             for _ in range(options.busy)]
    try:
        for player in ("flat", "alphabeta"):
            engine = Engine(["--size", "15", "--player", player, "--seed", "1"])
            engine.ask("reg_genmove b")  # loads the code
            engine.ask("time_settings 0 1 1")
            late = []
            for number in range(options.moves):
                start = time.perf_counter()
                engine.ask(f"genmove {'bw'[number % 2]}")
                late.append(time.perf_counter() - start - 1)
            engine.end()
            print(f"{player:10} {sum(each > 0 for each in late):2} of {len(late)} moves late, "
                  f"first {1000 * late[0]:+.0f} ms, worst of the others "
                  f"{1000 * max(late[1:]):+.0f} ms", flush=True)
    finally:
        for loop in loops:
            loop.kill()


if __name__ == "__main__":
    main()
