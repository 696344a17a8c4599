"""Measure the overhead of the arena for a move of a program behind pipes, in microseconds.

    python benchmarks/pipes.py [--runs N]

An engine that replies at once receives a move and sends one, through a complete game.  The
benchmark compares a bare loop over the pipes, a seat, and the referee, which has two such seats and
checks the rules.  The three take turns, and the fastest run of each counts.  A seat takes at most
twice as long as the bare loop.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from gtp_engine.arena.record import GameRecord
from gtp_engine.arena.referee import play_game
from gtp_engine.arena.seats.base import TimeControl
from gtp_engine.arena.seats.spec import seat_of
from gtp_engine.arena.verdict import Ending, Verdict
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE
from gtp_engine.wire.notation import GtpPoints

SIZE = 15
ENGINE = """\
import os, sys
points = iter(sys.argv[1:])
for line in iter(lambda: os.read(0, 4096), b""):
    for word in line.split(b"\\n")[:-1]:
        point = next(points) if word.startswith(b"genmove") else ""
        os.write(1, b"= %s\\n\\n" % point.encode())
"""


def stones():
    """Points for both sides, the same number for each, without five in a row."""
    lattice = catalogue.lattice(SIZE, SIZE)
    halves = {BLACK: [], WHITE: []}
    for point in lattice.points:
        column, row = lattice.display_place(point)
        halves[WHITE if (column // 2 + row) % 2 else BLACK].append(point)
    fewest = min(map(len, halves.values()))
    return {colour: points[:fewest] for colour, points in halves.items()}


def words_of(points):
    """The command of an engine that plays these points."""
    name = GtpPoints(catalogue.lattice(SIZE, SIZE)).name
    return [sys.executable, "-S", "-c", ENGINE, *(name[point] for point in points)]


def bare(points):
    """Seconds for a move in a loop that only writes and reads."""
    name = GtpPoints(catalogue.lattice(SIZE, SIZE)).name
    process = subprocess.Popen(words_of(points[WHITE]), stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)

    def reply(line):
        process.stdin.write(line)
        process.stdin.flush()
        text = process.stdout.readline()
        while process.stdout.readline() != b"\n":
            pass
        return text

    def ask(position):
        reply(lines[len(position.history) // 2])
        reply(b"genmove w\n")

    lines = [b"play b %s\n" % name[point].encode() for point in points[BLACK]]
    reply(b"name\n")
    took = seconds_of(ask, points)
    process.communicate()
    return took


def seat(points):
    """Seconds for a move of a seat."""
    program = engine_seat(points[WHITE])
    program.start(catalogue.start(catalogue.GOMOKU, SIZE), WHITE)
    took = seconds_of(program.ask, points)
    program.stop(Verdict(EMPTY, Ending.INTERRUPTED, ""))
    return took


def seconds_of(ask, points):
    """Seconds for a call of `ask` in a game; the time between calls does not count."""
    position, took = catalogue.start(catalogue.GOMOKU, SIZE), 0.0
    for black, white in zip(points[BLACK], points[WHITE]):
        position.play(BLACK, black)
        start = time.perf_counter()
        ask(position)
        took += time.perf_counter() - start
        position.play(WHITE, white)
    return took / len(points[BLACK])


def referee(points):
    """Seconds for a move of a referee, without a game record."""
    rows = []
    play_game(catalogue.start(catalogue.GOMOKU, SIZE), engine_seat(points[BLACK]),
              engine_seat(points[WHITE]), GameRecord(None),
              lambda position: rows.append(time.perf_counter()))
    return (rows[-1] - rows[0]) / (len(rows) - 1)


def engine_seat(points):
    """A seat for an engine that plays these points."""
    words = " ".join(f"'{word}'" for word in words_of(points))
    return seat_of(f"gtp:{words}", TimeControl(10.0), Random(1))


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20, help="of each (default: %(default)s)")
    runs, points = parser.parse_args().runs, stones()
    ways = (("bare loop", bare), ("seat", seat), ("referee", referee))
    taken = {name: [] for name, _ in ways}
    for _ in range(runs):
        for name, way in ways:
            taken[name].append(1e6 * way(points))
    fastest = {name: min(times) for name, times in taken.items()}
    print("           us for a move   ratio   (median)")
    for name, took in fastest.items():
        print(f"{name:10} {took:13.1f} {took / fastest['bare loop']:7.2f} "
              f"{sorted(taken[name])[runs // 2]:10.1f}")


if __name__ == "__main__":
    main()
