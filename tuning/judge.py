"""Judge positions of tuning/selfplay.py again with the current engine.

    python tuning/judge.py judged games --nodes 2500

Writes a file into the first folder for every file of the others: its games, with scores and moves
of new searches of the quiet positions.  Those that are no longer quiet are not used for training.
Existing files are not judged again, so the same command continues an interrupted run.  The same
engine gives the same files.
"""

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from rich.console import Console
from rich.progress import track

from gtp_engine.games import catalogue
from gtp_engine.wire.files import write_file
from tuning.games import ASIDE, PLAYED, POINT, QUIET, SUFFIX, content, read, replay
from tuning.selfplay import Judge


def judge_again(task):
    """Judge the positions of the file `source` and write its games to the file `target`."""
    source, target, nodes = task
    games = read(source)
    judge = Judge(catalogue.start(games.rules, games.size), nodes, Random(1))
    judged = [([], winner) for _, winner in games.games]
    for number, position, (move, score) in replay(games):
        entries = judged[number][0]
        if not move & QUIET:
            entries.append((move, score))
            continue
        _, best, score = judge.look(position)
        if move & PLAYED and best & POINT == move & POINT:
            best |= PLAYED
        entries.append((best | move & ASIDE, score))
        if move & PLAYED & ~best:
            entries.append((move & POINT | PLAYED, 0))
    write_file(target, content(games.rules, games.size, judged))


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
             for folder in options.games for path in sorted(folder.glob(f"*{SUFFIX}"))]
    missing = [part for part in parts if not part[1].exists()]
    with ProcessPoolExecutor(options.processes) as workers:
        for _ in track(workers.map(judge_again, missing), "judged", len(missing),
                       console=Console(stderr=True)):
            pass


if __name__ == "__main__":
    main()
