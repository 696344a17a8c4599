"""Play games of alphabeta against itself, and store them for training.

    python tuning/selfplay.py games --game Gomoku --games 200000 --seed 1

Writes files of --part games (see tuning/games.py) into the folder.  Existing files are not played
again, so the same command continues an interrupted run.  The same seed gives the same files.
Workers of a Dask cluster need only the package.

Of four games two begin evenly, one with at most a clear advantage, one with random moves.  Some
moves are random, more of them at the beginning.  A game ends when a search proves a win.  Positions
off the game follow a random move from one of its positions: a search visits more of these than of
positions after good moves.
"""

import argparse
import os
import sys
from contextlib import closing
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from rich.console import Console
from rich.progress import track

from gtp_engine.arena.work import in_order
from gtp_engine.arena.workers import workers_for
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import opponent
from gtp_engine.kernels.control import WON
from gtp_engine.kernels.plane.vcf import VCF_DEPTH
from gtp_engine.players.alphabeta.player import AlphaBeta
from gtp_engine.players.base import Limits, Settings
from gtp_engine.players.openings.balanced import even_opening
from gtp_engine.players.quick_moves import near_stones
from gtp_engine.wire.files import write_file
from tuning.games import ASIDE, PLAYED, QUIET, SUFFIX, content

EVEN, UNEVEN = 100, 500  # largest scores of openings
TRIES = 100  # for an opening
RANDOM_STONES = 4, 10  # least and most stones of a random opening
EARLY = 12  # plies after the opening
RANDOM_EARLY, RANDOM_MOVES = 0.05, 0.01  # shares of random moves
OFF_GAME = 0.7  # positions off the game for each position


class Judge:
    """The alphabeta player, for positions of one kind of game on a board of one size."""

    def __init__(self, empty, nodes, rng):
        self.player = AlphaBeta(Settings(rng=rng, nodes=nodes, memory=4))
        self.number = {point: number for number, point in enumerate(empty.lattice.points)}

    def look(self, position):
        """Search a position: the best move, its number with QUIET or without, and the score."""
        move = self.player.choose(position, Limits(bytearray(2)))
        search = self.player.plane
        search.set_position(position, bytearray(2))
        quiet = not (search.opponent_wins_next()
                     or search.win_by_fours(2 * VCF_DEPTH + 1, 2000))
        return (move, self.number[move] | QUIET * quiet,
                self.player.report.figures.get("score", 0))


def opening(empty, number, rng):
    """The position after the opening of the game of that number."""
    if number % 4 < 3:
        return even_opening(empty, rng, bytearray(2), UNEVEN if number % 4 == 2 else EVEN,
                            tries=TRIES)
    position = empty.copy()
    for _ in range(rng.randint(*RANDOM_STONES)):
        if not position.outcome:
            position.play(position.side, rng.choice(near_stones(position)))
    return position


def play(task):
    """The entries and winners of the games of a file."""
    game, size, nodes, seed, count = task
    rng, empty = Random(seed), catalogue.start(catalogue.find(game), size)
    judge = Judge(empty, nodes, rng)
    return [one_game(opening(empty, number, rng), judge, rng)
            for number in range(count)]


def one_game(position, judge, rng):
    """The entries and the winner of a game that begins with the moves of a position."""
    number = judge.number
    entries = [(number[record.point] | PLAYED, 0) for record in position.history]
    begin = len(entries)
    while not position.outcome:
        if rng.random() < OFF_GAME:
            entries += aside(position, judge, rng)
        point, move, score = judge.look(position)
        entries.append((move, score))
        if abs(score) > WON:
            return entries, position.side if score > 0 else opponent(position.side)
        early = len(position.history) - begin < EARLY
        if rng.random() < (RANDOM_EARLY if early else RANDOM_MOVES):
            point = rng.choice(near_stones(position))
            entries.append((number[point] | PLAYED, 0))
        else:
            entries[-1] = move | PLAYED, score
        position.play(position.side, point)
    return entries, position.outcome.winner


def aside(position, judge, rng):
    """The entries of a position off the game after a random move; none if that ends the game."""
    point = rng.choice(near_stones(position))
    position.play(position.side, point)
    entries = []
    if not position.outcome:
        _, move, score = judge.look(position)
        entries = [(judge.number[point] | PLAYED, 0), (move | ASIDE, score)]
    position.undo()
    return entries


def main():
    """Play and write the files."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", default="Gomoku")
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--part", type=int, default=100, help="games of a file")
    parser.add_argument("--nodes", type=int, default=4000, help="for each move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--scheduler", help="play on the Dask cluster of this scheduler (extra "
                        "cluster)")
    options = parser.parse_args()
    rules = catalogue.find(options.game)
    options.folder.mkdir(parents=True, exist_ok=True)
    stem = f"{options.game}-{options.size}-{options.nodes}-{options.seed}"
    tasks = {options.folder / f"{stem}-{i:05}{SUFFIX}":
             (options.game, options.size, options.nodes, options.seed * 100_003 + i, options.part)
             for i in range(-(-options.games // options.part))}
    missing = [path for path in tasks if not path.exists()]
    with closing(workers_for(options.scheduler, options.processes, imports_main=True)) as workers:
        results = in_order(workers, play, [tasks[path] for path in missing])
        for path, games in track(zip(missing, results), "games", len(missing),
                                 console=Console(stderr=True)):
            write_file(path, content(rules, options.size, games))


if __name__ == "__main__":
    main()
