"""Tune all numbers of the search together, by games of the engine against itself.

    python tuning/spsa.py margins.json --game Gomoku --size 15 --nodes 4000 --pairs 5000 --seed 1

Simultaneous perturbation (Spall, 1992), as in Fishtest: each pair of games starts from one even
opening.  It shifts all numbers at once, each a little up or down at random; one player has the
shifts, the other their opposites.  The result moves the numbers.  The shifts shrink with the number
of pairs.  The file has the current numbers and their history.  It is written after every BATCH
pairs, and the same command continues from it.  The same seed gives the same numbers on every
computer, because nodes limit the games.

Use the result only after `python -m gtp_engine tournament` shows that it is better.
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

STEPS = dict(  # the shift of each number in the last pairs
    width=1, width_per_ply=0.7, worse_width=10, futility=12, late=20, late_per_ply=20, razor=40,
    razor_per_ply=40, singular=0.8, killer=40, history=50, reply=25, reduction=10,
    reduction_scale=8, cut_reduction=25, history_reduction=25, reply_reduction=15, deeper=10,
    deeper_per_ply=4, rise_depth=2)
BATCH = 8  # pairs with the same numbers
RATE = 0.006  # steps by which a win moves a number in the last pairs
STEADY = 0.1  # share of pairs before the rate begins to fall
RATE_FALLS, STEP_FALLS = 0.602, 0.101  # exponents, see Spall, 1998


def step_factor(pair, pairs):
    """The shift in a pair, counted from 0, as a multiple of the last shift."""
    return (pairs / (pair + 1)) ** STEP_FALLS


def rate(pair, pairs):
    """The steps of a pair by which a point moves a number."""
    last = ((STEADY + 1) * pairs / (STEADY * pairs + pair + 1)) ** RATE_FALLS
    return RATE * last / step_factor(pair, pairs) ** 2


class Pair:
    """One pair of games, with a random shift of each number."""

    def __init__(self, options, number, values):
        rng = Random(f"{options.seed} {number}")
        factor = step_factor(number, options.pairs)
        self.shifts = {name: rng.choice((-1, 1)) * STEPS[name] * factor for name in values}
        rounding = {name: rng.random() for name in values}
        seats = []
        for sign in (1, -1):
            numbers = ",".join(
                f"{name}={max(1, int(value + sign * self.shifts[name] + rounding[name]))}"
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
    """The points of the first player minus those of the second in these games."""
    return sum({"more": 1, "less": -1}.get(game.winner, 0) for game in played)


def tune(options, state, workers):
    """Play the missing games, write the file after each batch; returns the numbers."""
    values, history = state["values"], state["history"]
    for begin in track(range(state["pairs"], options.pairs, BATCH), "batches",
                       console=Console(stderr=True)):
        batch = range(begin, min(begin + BATCH, options.pairs))
        pairs = [Pair(options, number, values) for number in batch]
        tasks = [task for pair in pairs for task in pair.tasks()]
        games = [*in_order(workers, play, tasks)]
        for i, (number, pair) in enumerate(zip(batch, pairs)):
            gain = rate(number, options.pairs) * points(games[2 * i:2 * i + 2])
            for name, shift in pair.shifts.items():
                values[name] = max(1.0, values[name] + gain * shift)
        state["pairs"] = batch.stop
        if batch.stop % (10 * BATCH) == 0 or batch.stop == options.pairs:
            history.append([batch.stop, {name: round(value, 2) for name, value in values.items()}])
        write_file(options.file, json.dumps(state, indent=1))
    return {name: round(value) for name, value in values.items()}


def main():
    """Tune, and print the numbers in the form of a seat."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--game", default="Gomoku")
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--nodes", type=int, default=4000, help="for each move")
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--names", nargs="+", choices=STEPS, default=list(STEPS), metavar="NAME",
                        help=f"numbers to tune (default: {' '.join(STEPS)})")
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
    workers = workers_for(options.scheduler, options.processes, imports_main=True)
    try:
        numbers = tune(options, state, workers)
    finally:
        workers.close()
    print(",".join(f"{name}={value}" for name, value in numbers.items()))


if __name__ == "__main__":
    main()
