"""Measure the cost of a tournament game for the scheduler of a cluster.

    python benchmarks/cluster.py [--games N]

The costs are messages, bytes and processor time.  The scheduler runs in this process, with two
worker processes, and a tournament of random players in a separate process.  The costs of an idle
scheduler over the same time are subtracted.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from distributed import LocalCluster
from distributed.comm import tcp

TOP = Path(__file__).parent.parent


class Traffic:
    """Counters of messages, bytes and processor time of this process."""

    def __init__(self):
        self.messages = self.bytes = 0
        self.begun, self.used = time.monotonic(), time.process_time()

    def count(self, size):
        """Count a message of `size` bytes, received or sent."""
        self.messages += 1
        self.bytes += size

    def figures(self):
        """Messages, bytes and processor seconds per second, and the seconds of the measurement."""
        seconds = time.monotonic() - self.begun
        return [figure / seconds for figure in
                (self.messages, self.bytes, time.process_time() - self.used)], seconds


traffic = Traffic()


def watch():
    """Count every message from now on."""
    write, read = tcp.TCP.write, tcp.from_frames

    async def counted_write(self, *args, **kwargs):
        size = await write(self, *args, **kwargs)
        traffic.count(size)
        return size

    def counted_read(frames, *args, **kwargs):
        traffic.count(sum(map(len, frames)))
        return read(frames, *args, **kwargs)

    tcp.TCP.write, tcp.from_frames = counted_write, counted_read


def main():
    """Play the tournament and print the figures."""
    global traffic
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=1000)
    games = parser.parse_args().games
    watch()
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, (
            tempfile.TemporaryDirectory()) as folder:
        traffic = Traffic()
        time.sleep(5)
        idle, _ = traffic.figures()
        traffic = Traffic()
        subprocess.run([sys.executable, "-m", "gtp_engine", "tournament", "a=random", "b=random",
                        "--openings", "none", "--size", "15", "--rounds", str(games // 2),
                        "--games", f"{folder}/games.jsonl", "--scheduler",
                        cluster.scheduler_address], cwd=TOP, check=True, capture_output=True)
        busy, seconds = traffic.figures()
        size = (Path(folder) / "games.jsonl").stat().st_size
    each = [(a - b) * seconds / games for a, b in zip(busy, idle)]
    print(f"{games} games in {seconds:.0f} s; a game has {size / games:.0f} bytes in the file")
    print(f"for each game: {each[0]:.1f} messages, {each[1] / 1000:.1f} kB, "
          f"{1000 * each[2]:.2f} ms of processor time")
    print(f"without games: {idle[0]:.1f} messages, {idle[1] / 1000:.1f} kB, "
          f"{1000 * idle[2]:.1f} ms a second")


if __name__ == "__main__":
    main()
