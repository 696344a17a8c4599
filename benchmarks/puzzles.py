"""Verify all puzzles of the package.

    python benchmarks/puzzles.py [--budget N]
    python benchmarks/puzzles.py --rapfi PROGRAM [--count N] [--nodes N] [--seed N]

Rules in plain Python check each win against every answer of the other side; the machine code only
proposes moves of the winner.  A win by fours is checked along its line, in which every answer is
forced.  A proof with more than --budget positions (default: 20,000) counts as given up.  In each
defence a search of a million nodes must find no win of the other side after the right move.

With --rapfi another engine judges --count random puzzles (default: 200) of the games that Rapfi
plays.  It searches each puzzle twice with --nodes nodes: unchanged, and with the right move
forbidden.  The table counts the wins and losses that it proves.  With the right move forbidden it
should find no win in the plies of the puzzle, and in a defence a loss.  The benchmark prints the
puzzles that Rapfi contradicts.
"""

import re
import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from random import Random
from subprocess import PIPE, Popen

sys.path.insert(0, str(Path(__file__).parent.parent))

from rich.progress import track

from gtp_engine.puzzles.proofs import Prover
from gtp_engine.puzzles.puzzle import DEFENCE, FOURS, ROWS, shipped_puzzles
from tests.puzzle_proofs import is_forced, is_won

HOLDS_NODES = 1_000_000
RAPFI_RULES = {"Gomoku": 0, "Gomoku-exact": 1, "Renju": 4}


def verdict(puzzle, budget):
    """The verdict on a puzzle: right, wrong or given up."""
    if puzzle.kind == DEFENCE:
        position = puzzle.position()
        position.play(position.side, puzzle.line[0])
        return "wrong" if Prover(puzzle.rules).proved_value(position, HOLDS_NODES) == 1 else "right"
    if puzzle.kind in (FOURS, ROWS) and not puzzle.rules.capture_lengths:
        return "right" if is_forced(puzzle) else "wrong"
    return {True: "right", False: "wrong", None: "given up"}[
        is_won(puzzle, Prover(puzzle.rules), budget)]


class Rapfi:
    """A Rapfi process, which reads its weights and settings from its own folder."""

    def __init__(self, program, nodes):
        path = Path(program).resolve()
        self.process = Popen([path], cwd=path.parent, stdin=PIPE, stdout=PIPE, text=True)
        self.nodes = nodes

    def mate(self, puzzle, without_right):
        """The plies to the win of the side to move, negative for a loss, 0 if neither is proved.

        `without_right` forbids the right move.
        """
        lattice = puzzle.position().lattice
        at = {point: ",".join(map(str, lattice.display_place(point)))
              for point in (*puzzle.moves, puzzle.line[0])}
        own = len(puzzle.moves) % 2
        blocked = ["YXBLOCK", at[puzzle.line[0]], "DONE"] if without_right else []
        self.process.stdin.write("\n".join([
            f"START {puzzle.size}", f"INFO rule {RAPFI_RULES[puzzle.rules.name]}",
            "INFO thread_num 1", "INFO timeout_turn 600000", "INFO timeout_match 100000000",
            "INFO time_left 100000000", f"INFO max_node {self.nodes}", "YXHASHCLEAR",
            "YXBLOCKRESET", *blocked, "YXBOARD",
            *(f"{at[point]},{1 + (ply + own) % 2}" for ply, point in enumerate(puzzle.moves)),
            "DONE", "YXNBEST 1", ""]))
        self.process.stdin.flush()
        plies = 0
        for line in self.process.stdout:
            if match := re.search(r"Eval (?:([+-])M(\d+)|-?\d+)", line):
                plies = int(f"{match[1]}{match[2]}") if match[1] else 0
            if re.fullmatch(r"\d+,\d+", line.strip()):
                return plies
        raise EOFError("Rapfi has ended")


def rapfi_verdicts(puzzle, rapfi):
    """Rapfi's verdicts on a puzzle: on the right move, and on the others."""
    right, others = (rapfi.mate(puzzle, without_right) for without_right in (False, True))
    if puzzle.kind == DEFENCE:
        return ("lost" if right < 0 else "holds",
                "all lost" if others < 0 else "not proved lost")
    return ("wins" if right > 0 else "no win found",
            "no win found" if others <= 0 else
            "as short a win" if others <= puzzle.plies else "a longer win")


def judge_by_rapfi(options):
    """Print the table of Rapfi's verdicts, and the puzzles that they contradict."""
    puzzles = [puzzle for puzzle in shipped_puzzles() if puzzle.rules.name in RAPFI_RULES]
    rapfi, counts = Rapfi(options.rapfi, options.nodes), Counter()
    chosen = Random(options.seed).sample(puzzles, min(options.count, len(puzzles)))
    for puzzle in track(chosen, "puzzles"):
        right, others = rapfi_verdicts(puzzle, rapfi)
        counts[puzzle.kind, right, others] += 1
        if right == "lost" or others == "as short a win":
            print(right, others, puzzle.text(), flush=True)
    rapfi.process.communicate("END\n")
    for (kind, right, others), number in sorted(counts.items()):
        print(f"{kind:10} right move: {right:13} others: {others:16} {number:5}")


def prove_all(budget):
    """Print the table of verdicts, and the wrong puzzles."""
    counts = Counter()
    for puzzle in track(shipped_puzzles(), "puzzles"):
        result = verdict(puzzle, budget)
        counts[puzzle.kind, result] += 1
        if result == "wrong":
            print(puzzle.text(), flush=True)
    for (kind, result), number in sorted(counts.items()):
        print(f"{kind:10} {result:9} {number:5}")


def main():
    """Verify the puzzles by proofs or by Rapfi."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--budget", type=int, default=20_000)
    parser.add_argument("--rapfi", metavar="PROGRAM")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.rapfi:
        judge_by_rapfi(options)
    else:
        prove_all(options.budget)


if __name__ == "__main__":
    main()
