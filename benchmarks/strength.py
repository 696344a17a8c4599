"""Which of two players is stronger: many games from even openings, each with both colours.

    python benchmarks/strength.py alphabeta,nodes=20000 alphabeta,nodes=20000,off=singular
    python benchmarks/strength.py alphabeta,time=0.5 flat,policy=rule_based,time=5 --games 100
    python benchmarks/strength.py --features --games 200

A player is a name and what its settings are: policy, simulations, memory, depth, nodes, and time
in seconds for a move; for alphabeta also off=FEATURE+FEATURE, weights=FILE and any of
kernels.plane.features.  With --features, alphabeta meets itself with one feature after the other
switched off.  Two processes play at a time.  An opening is a few stones near the centre after which
a short search sees neither side ahead.  The error holds with a probability of 95 %; the last column
is the log-likelihood ratio of a sequential test of "stronger by --elo" against "equal", which is
decided beyond +-2.94 (generalised SPRT on pairs of games, Van den Bergh 2019).
"""

import argparse
import math
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np  # noqa: E402

from gtp_engine.games import catalogue  # noqa: E402
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE  # noqa: E402
from gtp_engine.kernels.plane.features import FEATURES, MARGIN, MARGINS  # noqa: E402
from gtp_engine.players.base import Limits  # noqa: E402
from gtp_engine.players.registry import make_player  # noqa: E402
from gtp_engine.players.alphabeta import AlphaBeta  # noqa: E402
from gtp_engine.players.balanced import even_opening  # noqa: E402
from gtp_engine.players.options import OPTIONS, settings_of  # noqa: E402
from gtp_engine.players.weights import read, weights_of  # noqa: E402

DECIDED = 2.94  # log(0.95 / 0.05)
EVEN = 120  # a short search gives neither side more
BASE = "alphabeta,nodes=20000,memory=16"


def player(text, rules, seed):
    """The player that the text describes, and its seconds for a move or None."""
    name, *words = text.split(",")
    given = dict(word.split("=", 1) for word in words)
    off = given.pop("off", "")
    file = given.pop("weights", None)
    margins = {key: int(given.pop(key)) for key in MARGINS if key in given}
    options = {key: OPTIONS[key].read(value) for key, value in given.items()}
    seconds = options.get("time")
    settings = settings_of({"seed": seed, **options})
    if name == "alphabeta":
        weights = read(file) if file else weights_of(rules)
        weights = weights._replace(margins=np.array([(*(MARGINS | margins).values(),)], MARGIN))
        return AlphaBeta(settings, off.split("+") if off else (), weights), seconds
    return make_player(name, settings), seconds


def play_pair(task):
    """The points of the first player, 0 to 2, in two games from one opening."""
    first, second, game, size, seed = task
    rules = catalogue.find(game)
    begin = even_opening(catalogue.start(rules, size), Random(seed), bytearray(2), EVEN)
    results = []
    for colour in (BLACK, WHITE):
        position = begin.copy()
        players = {colour: player(first, rules, seed),
                   BLACK + WHITE - colour: player(second, rules, seed + 1)}
        while not position.outcome:
            mover, seconds = players[position.side]
            position.play(position.side, mover.choose(position, Limits(bytearray(2), seconds)))
        winner = position.outcome.winner
        results.append(0.5 if winner == EMPTY else float(winner == colour))
    return results


def elo(score):
    """The difference in Elo that goes with a score between 0 and 1."""
    score = min(max(score, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / score - 1)


def likelihood(pairs, difference):
    """The log-likelihood ratio of that difference in Elo against none."""
    n, mean = len(pairs), sum(pairs) / len(pairs)
    variance = sum((pair - mean) ** 2 for pair in pairs) / n
    if variance == 0:
        return 0.0
    better = 1 / (1 + 10 ** (-difference / 400))
    return n * (better - 0.5) * (2 * mean - better - 0.5) / (2 * variance)


def match(first, second, options, workers):
    """Play the games, show the state now and then, stop early if --stop and decided."""
    tasks = [(first, second, options.game, options.size, options.seed + 1000 * i)
             for i in range(options.games // 2)]
    results, line = [], ""
    for pair in workers.map(play_pair, tasks):
        results.append(pair)
        games = [result for each in results for result in each]
        pairs = [sum(each) / 2 for each in results]
        mean = sum(pairs) / len(pairs)
        spread = math.sqrt(sum((p - mean) ** 2 for p in pairs) / len(pairs) / len(pairs))
        error = (elo(mean + 1.96 * spread) - elo(mean - 1.96 * spread)) / 2
        ratio = likelihood(pairs, options.elo)
        line = (f"{games.count(1.0):4} won {games.count(0.5):4} drawn {games.count(0.0):4} lost "
                f"{elo(mean):+6.0f} +-{error:3.0f} Elo, {ratio:+.2f}")
        if sys.stderr.isatty():
            print(f"\r{line}", end="", file=sys.stderr)
        elif len(results) % 5 == 0:
            print(line, file=sys.stderr, flush=True)
        if options.stop and abs(ratio) >= DECIDED:
            break
    return line


def main():
    """Play and print a line for each match."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("players", nargs="*", help="two players")
    parser.add_argument("--features", action="store_true", help="what each feature is worth")
    parser.add_argument("--game", default="Gomoku")
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--elo", type=float, default=20, help="what the sequential test looks for")
    parser.add_argument("--stop", action="store_true", help="stop once the test is decided")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    matches = [(feature, BASE, f"{BASE},off={feature}") for feature in FEATURES]
    if not options.features:
        if len(options.players) != 2:
            parser.error("two players are needed")
        matches = [(" against ".join(options.players), *options.players)]
    try:
        for text in options.players:
            player(text, catalogue.find(options.game), 0)
    except (KeyError, TypeError, ValueError, OSError) as error:
        parser.error(f"no such player or game: {error}")
    for title, first, second in matches:
        workers = ProcessPoolExecutor(options.processes)
        print(f"{title:13}", match(first, second, options, workers), flush=True)
        workers.shutdown(cancel_futures=True)


if __name__ == "__main__":
    main()
