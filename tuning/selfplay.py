"""Play games of alphabeta against itself, and store positions for training.

    python tuning/selfplay.py games --game Gomoku --games 40000 --seed 1

Writes a file into the folder for every GAMES_IN_A_PART games.  Existing files are not played again,
so the same command continues an interrupted run.  A file has one row for each quiet position,
without a win by fours for the side to move or a threat to win at once:

    game, size  the name of the game, the size of the board
    side        uint8[n], the colour to move, 1 for Black and 2 for White
    cells       uint8[n, size * size], 0 empty, 1 the side to move, 2 the other side
    captured    uint8[n, 2], by the side to move and the other
    result      float32[n], 1 a win of the side to move, 0.5 a draw, 0 a loss, nan off the game
    score       int32[n], of the search
    move        uint16[n], of the search

A position off the game follows a random move from one of its positions: a search visits more
of these than of positions after good moves.  The same seed gives the same files.
"""

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
from rich.console import Console
from rich.progress import track

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY
from gtp_engine.kernels.plane.vcf import VCF_DEPTH
from gtp_engine.players.alphabeta.player import AlphaBeta
from gtp_engine.players.arrays import packed
from gtp_engine.players.base import Limits, Settings
from gtp_engine.players.openings.balanced import even_opening
from gtp_engine.players.quick_moves import near_stones
from gtp_engine.wire.files import write_file

GAMES_IN_A_PART = 20
EVEN = 100  # largest score of an opening
TRIES = 100  # for an opening
RANDOM_MOVES = 0.01  # share of random moves
OFF_GAME = 0.7  # positions off the game for each position


def is_quiet(position, search):
    """Is there no win by fours for the side to move and no threat to win at once?"""
    search.set_position(position, bytearray(2))
    return not (search.opponent_wins_next() or search.win_by_fours(2 * VCF_DEPTH + 1, 2000))


class Judge:
    """The alphabeta player, for positions of one kind of game on a board of one size."""

    def __init__(self, empty, nodes, rng):
        self.player = AlphaBeta(Settings(rng=rng, nodes=nodes, memory=4))
        self.points = empty.lattice.points

    def look(self, position):
        """(move, row of the position without its result), with row None if it is not quiet."""
        move = self.player.choose(position, Limits(bytearray(2)))
        if not is_quiet(position, self.player.plane):
            return move, None
        cells = np.array([position.cells[point] for point in self.points], np.uint8)
        if position.side != BLACK:
            cells = (3 - cells) * (cells > 0)
        own, other = position.captured[position.side], position.captured[3 - position.side]
        return move, (position.side, cells, (own, other),
                      self.player.report.figures.get("score", 0), self.points.index(move))


def write(path, game, size, rows):
    """Write rows, pairs of a result and a row of Judge, to a file, completely or not at all."""
    result, rows = zip(*rows)
    side, cells, captured, score, move = zip(*rows)
    write_file(path, packed(
        game=np.array(game), size=np.array(size), side=np.array(side, np.uint8),
        cells=np.array(cells), captured=np.array(captured, np.uint8),
        result=np.array(result, np.float32), score=np.array(score, np.int32),
        move=np.array(move, np.uint16)))


def play(task):
    """Play some games and write their rows to a file."""
    path, game, size, nodes, seed = task
    rng = Random(seed)
    empty = catalogue.start(catalogue.find(game), size)
    judge = Judge(empty, nodes, rng)
    rows = []
    for _ in range(GAMES_IN_A_PART):
        position = even_opening(empty, rng, bytearray(2), EVEN, tries=TRIES)
        game_rows = []
        while not position.outcome:
            move, row = judge.look(position)
            if row:
                game_rows.append((position.side, row))
            if rng.random() < RANDOM_MOVES:
                move = rng.choice(near_stones(position))
            if rng.random() < OFF_GAME:
                position.play(position.side, rng.choice(near_stones(position)))
                row = None if position.outcome else judge.look(position)[1]
                if row:
                    rows.append((np.nan, row))
                position.undo()
            position.play(position.side, move)
        for side, row in game_rows:
            winner = position.outcome.winner
            rows.append((0.5 if winner == EMPTY else float(winner == side), row))
    write(path, game, size, rows)


def main():
    """Play and write the files."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", default="Gomoku")
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--games", type=int, default=40000)
    parser.add_argument("--nodes", type=int, default=4000, help="for each move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    parts = [(options.folder / f"{options.game}-{options.size}-{options.seed}-{i:05}.npz",
              options.game, options.size, options.nodes, options.seed * 100_003 + i)
             for i in range(-(-options.games // GAMES_IN_A_PART))]
    missing = [part for part in parts if not part[0].exists()]
    with ProcessPoolExecutor(options.processes) as workers:
        for _ in track(workers.map(play, missing), "games", len(missing),
                       console=Console(stderr=True)):
            pass


if __name__ == "__main__":
    main()
