"""Measure how the strength of alphabeta grows with the nodes of a move.

    python benchmarks/scaling.py [--engine SEAT] [--most 1000000] [TOURNAMENT OPTION ...]

Each row of the table is a match of alphabeta with n nodes a move, n from 3,000 to `--most`: without
--engine against alphabeta with the nodes of the row before, otherwise against a seat of the referee
such as gomocup:./pbrain-rapfi.  That program has half a second a move.  Nodes do not depend on the
machine.

Other options go to `python -m gtp_engine tournament`, see docs/tournaments.md, as in --size 20 or
--rounds 200 (default: 50, of 15x15).  The files scaling-*.toml and scaling-*.jsonl have the
contests and the games, and the same command continues an interrupted run.
"""

import argparse
import json
import sys
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.strength import print_table, row
from gtp_engine.__main__ import main as gtp_engine
from gtp_engine.wire.files import write_file

NODES = 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000
CONTEST = """game = "Gomoku"
size = 15
rounds = 50
seed = 1
"""
PLAYER = """
[[player]]
name = {name}
seat = {seat}
time_per_move = {seconds}
"""
PATIENCE = 60  # seconds for a move of alphabeta, which only its nodes limit


def alphabeta(nodes: int) -> str:
    """The lines of alphabeta with this number of nodes."""
    return PLAYER.format(name=f'"{nodes}"', seat=f'"alphabeta,nodes={nodes},memory=64"',
                         seconds=PATIENCE)


def main() -> int:
    """Play the matches and print the table; returns the first exit status that is not 0."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--engine", metavar="SEAT", help="the opponent, a seat of the referee")
    parser.add_argument("--most", type=int, default=NODES[-1], help="most nodes of a move")
    options, others = parser.parse_known_args()
    rows = []
    for fewer, nodes in pairwise(each for each in NODES if each <= options.most):
        opponent = PLAYER.format(name='"engine"', seat=json.dumps(options.engine), seconds=0.5)
        path = Path(f"scaling-{'engine' if options.engine else 'self'}-{nodes}.toml")
        write_file(path, CONTEST + alphabeta(nodes)
                   + (opponent if options.engine else alphabeta(fewer)))
        status = gtp_engine(["tournament", str(path), *others])
        if status:
            return status
        rows.append(row(f"{nodes:,}", str(nodes), path.with_suffix(".jsonl")))
    print_table("nodes", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
