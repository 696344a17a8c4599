"""Tune numbers of the alphabeta search by games against itself.

    python tuning/margins.py margins.json --game Gomoku --pairs 20000 late=60..120 futility=30..90

Simultaneous perturbation (J. C. Spall): each pair of games is played, with colours changed, between
two searches whose numbers lie a random step to either side of the present ones, and moves these
towards the winner.  A number is given with the range in which it may lie; steps begin at a tenth of
the range.  The state is kept in the file: the same command goes on from there.  What comes out is a
proposal: whether it is stronger is for a tournament to say.
"""

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from rich.console import Console  # noqa: E402
from rich.progress import track  # noqa: E402

from gtp_engine.arena.openings import made_opening, play_opening  # noqa: E402
from gtp_engine.games import catalogue  # noqa: E402
from gtp_engine.games.lattice import BLACK, WHITE  # noqa: E402
from gtp_engine.players.alphabeta import AlphaBeta  # noqa: E402
from gtp_engine.players.base import Limits, Settings  # noqa: E402
from gtp_engine.players.weights import Tuning, margins_of  # noqa: E402

OPENINGS = 2000
BATCH = 8  # pairs that are played with the same numbers before they move


def result(task):
    """The points of the first margins minus those of the second in a pair of games, -2 to 2."""
    game, size, nodes, first, second, opening = task
    rules, points = catalogue.find(game), 0
    for colour in (BLACK, WHITE):
        players = {colour: AlphaBeta(Settings(nodes=nodes, memory=2), Tuning(margins=first)),
                   3 - colour: AlphaBeta(Settings(nodes=nodes, memory=2), Tuning(margins=second))}
        position = catalogue.start(rules, size)
        play_opening(position, made_opening(rules, size, opening))
        while not position.outcome:
            side = position.side
            position.play(side, players[side].choose(position, Limits(bytearray(2))))
        points += {colour: 1, 3 - colour: -1}.get(position.outcome.winner, 0)
    return points


def main():
    """Play, and print the numbers as they move."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, help="what is kept")
    parser.add_argument("numbers", nargs="+", metavar="NAME=LEAST..MOST")
    parser.add_argument("--game", default="Gomoku")
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--nodes", type=int, default=5000, help="for each move")
    parser.add_argument("--pairs", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ranges = {name: tuple(map(float, text.split(".."))) for name, text in
              (word.split("=") for word in options.numbers)}
    margins = margins_of(catalogue.find(options.game))
    now, done = {name: float(margins[name]) for name in ranges}, 0
    if options.file.exists():
        kept = json.loads(options.file.read_text())
        now, done = kept["numbers"], kept["pairs"]
    batch = BATCH * os.cpu_count()
    console = Console(stderr=True)
    with ProcessPoolExecutor() as workers:
        for pair in track(range(done, options.pairs, batch), "batches of pairs", console=console):
            rng = Random(options.seed * 1_000_003 + pair)
            step = {name: (most - least) / 10 / (1 + pair / batch) ** 0.101 * rng.choice((-1, 1))
                    for name, (least, most) in ranges.items()}
            sides = [{name: round(min(max(now[name] + sign * step[name], ranges[name][0]),
                                      ranges[name][1])) for name in now} for sign in (1, -1)]
            tasks = [(options.game, options.size, options.nodes, *sides, rng.randrange(OPENINGS))
                     for _ in range(batch)]
            points = sum(workers.map(result, tasks)) / (2 * batch)
            rate = 0.6 / (1 + pair / options.pairs * 10) ** 0.602
            for name, (least, most) in ranges.items():
                now[name] = min(max(now[name] + rate * points * step[name], least), most)
            options.file.write_text(json.dumps({"numbers": now, "pairs": pair + batch}))
            if pair // batch % 20 == 19:
                print(pair + batch, {name: round(number) for name, number in now.items()},
                      flush=True)


if __name__ == "__main__":
    main()
