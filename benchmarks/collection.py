"""Measure a collection: seconds, memory and megabytes of its index, milliseconds of an answer.

    python benchmarks/collection.py [--games N]

The games are random: 30 stones near each other on 15x15, with names and dates.  200,000 games take
two to three minutes.
"""

import resource
import sys
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path
from random import Random
from typing import Iterator

sys.path.insert(0, str(Path(__file__).parent.parent))

from gtp_engine.games import catalogue
from gtp_engine.records.collection import Collection
from gtp_engine.wire.files import write_file

PLIES, SIZE, SEED = 30, 15, 5


def random_games(count: int) -> Iterator[str]:
    """Yield games as SGF."""
    rng = Random(SEED)
    for number in range(count):
        stones: list[tuple[int, int]] = [(SIZE // 2, SIZE // 2)]
        while len(stones) < PLIES:
            x, y = (min(max(place + rng.randint(-2, 2), 0), SIZE - 1) for place in stones[-1])
            if (x, y) not in stones:
                stones.append((x, y))
            elif rng.random() < 0.1:
                stones.append(next((a, b) for a in range(SIZE) for b in range(SIZE)
                                   if (a, b) not in stones))
        moves = "".join(f";{'BW'[ply % 2]}[{chr(97 + x)}{chr(97 + y)}]"
                        for ply, (x, y) in enumerate(stones))
        yield (f"(;SZ[{SIZE}]PB[Player {rng.randrange(300)}]PW[Player {rng.randrange(300)}]"
               f"DT[{1990 + number % 35}]RE[{rng.choice(['B+', 'W+', '0'])}]{moves})\n")


def main() -> None:
    """Index the games, and ask for the answers along the most frequent line."""
    parser = ArgumentParser()
    parser.add_argument("--games", type=int, default=200_000)
    count = parser.parse_args().games
    with tempfile.TemporaryDirectory() as folder:
        games, path = Path(folder) / "games.sgf", Path(folder) / "x.games"
        write_file(games, random_games(count))
        start = time.perf_counter()
        with Collection(path) as collection:
            for name, _, error in collection.index([games]):  # a five may end a game early
                if error:
                    raise ValueError(f"{name}: {error}")
        seconds = time.perf_counter() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{count:,} games: {seconds:.0f} s, {memory} MB of memory, "
              f"{path.stat().st_size / 1e6:.0f} MB on the disk")
        with Collection(path) as collection:
            position = catalogue.start(catalogue.GOMOKU, SIZE)
            while position.vacant:
                start = time.perf_counter()
                answers = collection.answers(position)
                milliseconds = 1000 * (time.perf_counter() - start)
                reached = sum(answer.games for answer in answers)
                print(f"ply {len(position.history)}: {reached:,} games, {len(answers)} answers, "
                      f"{milliseconds:.1f} ms")
                if reached <= 1:
                    break
                position.play(position.side, answers[0].points[0])


if __name__ == "__main__":
    main()
