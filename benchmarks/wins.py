"""Count the distant wins that alphabeta finds, and those that it proves completely.

    python benchmarks/wins.py [--seconds 0.5]
    python benchmarks/wins.py --nodes 500000 [--memory 64]

Each line of wins.txt has a game, a size and moves.  The positions come from games of the engine
against itself: each is the first of its game that a search of a million nodes wins at a depth of 8
or more.  A win is found if the score is a win, and proved if every answer was refuted.  A number of
nodes in place of a time gives the same result on every machine.
"""

import sys
import time
from argparse import ArgumentParser
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.search import position as position_after
from gtp_engine.kernels.control import WON
from gtp_engine.players.alphabeta.player import AlphaBeta
from gtp_engine.players.base import Limits, Settings
from gtp_engine.wire.notation import GtpPoints


def positions():
    """The positions of wins.txt, in its order."""
    for line in Path(__file__).with_name("wins.txt").read_text().splitlines():
        game, size, *moves = line.split()
        yield position_after(game, " ".join(moves), int(size))


def main():
    """Search each position and print the result and the time."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=0.5, help="for each position")
    parser.add_argument("--nodes", type=int, help="for each position, in place of a time")
    parser.add_argument("--memory", type=int, default=Settings.memory,
                        help="MB of the table (default: %(default)s)")
    options = parser.parse_args()
    seconds = None if options.nodes else options.seconds
    settings = Settings(nodes=options.nodes, memory=options.memory)
    player, total, nodes = AlphaBeta(settings), Counter(), 0
    for rules in {position.rules for position in positions()}:
        player.load(rules)
    for number, position in enumerate(positions(), 1):
        player, begun = AlphaBeta(replace(settings, rng=Random(1))), time.monotonic()
        move = player.choose(position, Limits(bytearray(2), seconds))
        figures, name = player.report.figures, GtpPoints(position.lattice).name[move]
        score = figures.get("score", 0)
        kind = "proved" if score > WON else "found" if score == WON else "not found"
        total[kind] += 1
        nodes += figures.get("nodes", 0)
        size = position.lattice.width
        print(f"{number:2} {position.rules.name} {size}x{size}: {name} {kind}", figures,
              f"{time.monotonic() - begun:.2f} s", flush=True)
    limit = f"{options.nodes} nodes" if options.nodes else f"{seconds} s"
    print(f"{limit}: {total['found'] + total['proved']} of {total.total()} found, "
          f"{total['proved']} proved; {nodes:,} nodes in all")


if __name__ == "__main__":
    main()
