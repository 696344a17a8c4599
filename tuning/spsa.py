"""Tune the numbers of the search as a whole, by games of the engine against itself.

    python tuning/spsa.py margins.json --game Gomoku --size 15 --nodes 4000 --pairs 5000 --seed 1

Simultaneous perturbation (Spall, 1992), as Fishtest does it: in each pair of games from one even
opening all numbers at once are moved a little to either side at random, one player has those of one
side and the other player those of the other, and the result moves them all.  The moves become
smaller with the number of pairs.  The file has the numbers as they are now, and how they have come
there.  It is written after every BATCH pairs, and the same command goes on from there.  The same
seed gives the same numbers on every computer, since nodes limit the games.

What comes out is worth nothing before `python -m gtp_engine tournament` has shown it to be better.
"""

import argparse
import json
import os
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from rich.console import Console
from rich.progress import track

from gtp_engine.arena.work import in_order
from gtp_engine.arena.workers import workers_for
from gtp_engine.games import catalogue
from gtp_engine.players.alphabeta.weights import margins_of
from gtp_engine.tournament.contest import contest_of
from gtp_engine.tournament.jobs import play, task_of
from gtp_engine.wire.files import write_file

STEPS = dict(  # by how much a number is moved to either side in the last pairs
    width=1, width_per_ply=0.7, worse_width=10, futility=12, late=20, late_per_ply=20, razor=40,
    razor_per_ply=40, singular=0.8, killer=40, history=50, reply=25, reduction=10,
    reduction_scale=8, cut_reduction=25, history_reduction=25, reply_reduction=15, deeper=10,
    deeper_per_ply=4, rise_depth=2)
BATCH = 8  # pairs that are played with the same numbers
RATE = 0.006  # by how many of its steps a game won moves a number in the last pairs
STEADY = 0.1  # the part of all pairs after which the rate begins to fall
RATE_FALLS, STEP_FALLS = 0.602, 0.101  # exponents, see Spall, 1998


def step_factor(pair, pairs):
    """How many times its last step a number is moved in a pair, counted from 0."""
    return (pairs / (pair + 1)) ** STEP_FALLS


def rate(pair, pairs):
    """By how many steps of that pair a point moves a number."""
    last = ((STEADY + 1) * pairs / (STEADY * pairs + pair + 1)) ** RATE_FALLS
    return RATE * last / step_factor(pair, pairs) ** 2


class Pair:
    """One pair of games: how each number is moved, from its own random numbers."""

    def __init__(self, options, number, values):
        rng = Random(f"{options.seed} {number}")
        factor = step_factor(number, options.pairs)
        self.moved = {name: rng.choice((-1, 1)) * STEPS[name] * factor for name in values}
        rounding = {name: rng.random() for name in values}
        seats = []
        for sign in (1, -1):
            numbers = ",".join(
                f"{name}={max(1, int(value + sign * self.moved[name] + rounding[name]))}"
                for name, value in values.items())
            seats.append(f"alphabeta,nodes={options.nodes},memory=4,{numbers}")
        self.contest = contest_of({
            "game": options.game, "size": options.size, "seed": options.seed * 10**6 + number,
            "player": [{"name": name, "seat": seat}
                       for name, seat in zip(("more", "less"), seats)]})

    def tasks(self):
        """The two games."""
        return [task_of(self.contest, game, "") for game in self.contest.schedule()]


def points(played):
    """By how many points the first player won these games."""
    return sum({"more": 1, "less": -1}.get(game.winner, 0) for game in played)


def tune(options, state, workers):
    """Play the missing games; the file is up to date after each batch."""
    values, history = state["values"], state["history"]
    for begin in track(range(state["pairs"], options.pairs, BATCH), "batches",
                       console=Console(stderr=True)):
        batch = range(begin, min(begin + BATCH, options.pairs))
        pairs = [Pair(options, number, values) for number in batch]
        tasks = [task for pair in pairs for task in pair.tasks()]
        games = [*in_order(workers, play, tasks)]
        for i, (number, pair) in enumerate(zip(batch, pairs)):
            gain = rate(number, options.pairs) * points(games[2 * i:2 * i + 2])
            for name, moved in pair.moved.items():
                values[name] = max(1.0, values[name] + gain * moved)
        state["pairs"] = batch.stop
        if batch.stop % (10 * BATCH) == 0 or batch.stop == options.pairs:
            history.append([batch.stop, {name: round(value, 2) for name, value in values.items()}])
        write_file(options.file, json.dumps(state, indent=1))
    return {name: round(value) for name, value in values.items()}


def main():
    """Tune, and print the numbers as a seat has them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--game", default="Gomoku")
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--nodes", type=int, default=4000, help="for each move")
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--names", nargs="+", choices=STEPS, default=list(STEPS), metavar="NAME",
                        help=f"of numbers that are tuned (default: {' '.join(STEPS)})")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--scheduler", metavar="ADDRESS", help="play on this Dask cluster")
    options = parser.parse_args()
    facts = {name: getattr(options, name) for name in ("game", "size", "nodes", "seed", "names")}
    facts["of"] = options.pairs
    before = margins_of(catalogue.find(options.game))
    state = {"asked": facts, "pairs": 0, "history": [],
             "values": {name: float(before[name]) for name in options.names}}
    if options.file.exists():
        state = json.loads(options.file.read_text())
        if state["asked"] != facts:
            sys.exit(f"{options.file} is of another run: {json.dumps(state['asked'])}")
    workers = workers_for(options.scheduler, options.processes)
    try:
        found = tune(options, state, workers)
    finally:
        workers.close()
    print(",".join(f"{name}={value}" for name, value in found.items()))


if __name__ == "__main__":
    main()
