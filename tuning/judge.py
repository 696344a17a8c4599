"""Judge positions of tuning/selfplay.py again with the current engine.

    python tuning/judge.py judged games --nodes 2500

Writes a file into the first folder for every file of the others: its rows with the score and the
move of a new search, without positions that this search does not call quiet.  The results of games
stay.  Existing files are not judged again, so the same command continues an interrupted run.  The
same engine gives the same files.
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
from gtp_engine.games.lattice import EMPTY, opponent
from tuning.selfplay import Judge, write


def judge_again(task):
    """Judge the rows of the file `source` and write them to the file `target`."""
    source, target, nodes = task
    with np.load(source, allow_pickle=False) as file:
        data = dict(file)
    game, size = str(data["game"]), int(data["size"])
    rules = catalogue.find(game)
    judge = Judge(catalogue.start(rules, size), nodes, Random(1))
    rows = []
    for side, cells, captured, result in zip(data["side"].tolist(), data["cells"].tolist(),
                                             data["captured"], data["result"]):
        position = catalogue.start(rules, size)
        colours = EMPTY, side, opponent(side)
        position.setup((colours[cell], point) for cell, point in zip(cells, judge.points))
        position.set_side(side)
        position.captured[side], position.captured[opponent(side)] = captured
        row = judge.look(position)[1]
        if row:
            rows.append((result, row))
    write(target, game, size, rows)


def main():
    """Judge the missing positions."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", type=Path, nargs="+", help="folders of tuning/selfplay.py")
    parser.add_argument("--nodes", type=int, default=2500, help="for each position")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    parts = [(path, options.folder / f"{folder.name}-{path.name}", options.nodes)
             for folder in options.games for path in sorted(folder.glob("*.npz"))]
    missing = [part for part in parts if not part[1].exists()]
    with ProcessPoolExecutor(options.processes) as workers:
        for _ in track(workers.map(judge_again, missing), "judged", len(missing),
                       console=Console(stderr=True)):
            pass


if __name__ == "__main__":
    main()
