"""Play games after each first move, and store the results of the second player.

    python tuning/first_moves.py gtp_engine/players/data/first_moves.json --game Pente

In a game with a swap the moves are all first stones, each named by its distances from the edges.
In other games they are the answers to a first stone in the middle, each named by its distances from
it along both axes.  Symmetrical moves count as one.  After each, alphabeta plays games against
itself; random node limits make the games differ.  By game, the file has the points of the second
player, who does not swap, and the number of games.  Other games in the file do not change.  The
same seed gives the same file.
"""

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from rich.console import Console
from rich.progress import track

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import EMPTY, opponent
from gtp_engine.players.alphabeta.player import AlphaBeta
from gtp_engine.players.base import Limits, Settings
from gtp_engine.wire.files import write_file

FARTHEST = 4  # distance of an answer from the first stone


def first_moves(rules, size):
    """The moves by name: first stones, or answers to a stone in the middle."""
    middle = size // 2
    farthest = (size - 1) // 2 if rules.swap else FARTHEST
    for far in range(farthest + 1):
        for near in range(far + 1):
            if rules.swap:
                yield (far, near), [(far, near)]
            elif far:
                yield (far, near), [(middle, middle), (middle + far, middle + near)]


def points_of_second(task, nodes):
    """Play a game that begins at these coordinates; returns the points of the second player."""
    rules, size, start, seed = task
    rng, position = Random(seed), catalogue.start(rules._replace(swap=False), size)
    player = AlphaBeta(Settings(rng=rng, memory=4))
    for x, y in start:
        position.play(position.side, position.lattice.point(x, y))
    while not position.outcome:
        player.settings.nodes = rng.randint(nodes // 2, nodes + nodes // 2)
        position.play(position.side, player.choose(position, Limits(bytearray(2))))
    winner = position.outcome.winner
    return 0.5 if winner == EMPTY else float(winner == opponent(rules.first))


def main():
    """Play and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--game", default="Gomoku")
    parser.add_argument("--size", type=int, help="default: the size of the game, at least 15")
    parser.add_argument("--games", type=int, default=60, help="after each move")
    parser.add_argument("--nodes", type=int, default=10_000, help="mean number for a move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    rules = catalogue.find(options.game)
    size = options.size or max(rules.default_size, 15)
    moves = dict(first_moves(rules, size))
    names = [name for name in moves for _ in range(options.games)]
    tasks = [(rules, size, moves[name], f"{options.seed} {number}")
             for number, name in enumerate(names)]
    points = dict.fromkeys(moves, 0.0)
    with ProcessPoolExecutor(options.processes) as workers:
        played = workers.map(partial(points_of_second, nodes=options.nodes), tasks)
        for name, point in zip(names, track(played, rules.name, len(tasks),
                                            console=Console(stderr=True))):
            points[name] += point
    stored = json.loads(options.file.read_text()) if options.file.exists() else {}
    stored[rules.name] = {f"{far} {near}": [points[far, near], options.games]
                         for far, near in moves}
    lines = [f"{json.dumps(name)}: {json.dumps(stored[name])}" for name in sorted(stored)]
    write_file(options.file, "{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
