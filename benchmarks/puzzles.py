"""Are all puzzles that come with the package right?

    python benchmarks/puzzles.py [--budget N]

Each win is held against every answer of the other side by rules in plain Python (of the package's
machine code only proposals of the winner's moves come); a win by fours is followed along its line,
where nothing else could be played.  A proof that needs more than N positions (default: 20,000) is
given up, and counted as such.  In each defence a search of a million nodes looks for a win of the
other side after the right move, and has to find none.
"""

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from rich.progress import track

from gtp_engine.puzzles.proofs import Prover
from gtp_engine.puzzles.puzzle import DEFENCE, FOURS, ROWS, shipped
from tests.puzzle_proofs import is_forced, is_won

HOLDS_NODES = 1_000_000


def verdict(puzzle, budget):
    """right, wrong or given up."""
    if puzzle.kind == DEFENCE:
        position = puzzle.position()
        position.play(position.side, puzzle.line[0])
        return "wrong" if Prover(puzzle.rules).proved(position, HOLDS_NODES) == 1 else "right"
    if puzzle.kind in (FOURS, ROWS) and not puzzle.rules.capture_lengths:
        return "right" if is_forced(puzzle) else "wrong"
    return {True: "right", False: "wrong", None: "given up"}[
        is_won(puzzle, Prover(puzzle.rules), budget)]


def main():
    """Print the table, and what is wrong."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--budget", type=int, default=20_000)
    budget = parser.parse_args().budget
    counts = Counter()
    for puzzle in track(shipped(), "puzzles"):
        found = verdict(puzzle, budget)
        counts[puzzle.kind, found] += 1
        if found == "wrong":
            print(puzzle.text(), flush=True)
    for (kind, found), number in sorted(counts.items()):
        print(f"{kind:10} {found:9} {number:5}")


if __name__ == "__main__":
    main()
