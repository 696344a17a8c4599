"""Test the proof of Gomoku on 15x15 on a larger board, or where only exactly five in a row win.

    python benchmarks/proof_holds.py gomoku.long [--size 19] [--exact] [--entries N] [--processes N]

On a larger board the moves of the proof lie in the middle.  The benchmark tries every answer in
each entry of a long file, by the plain rules of the checker, adapted to that board or game.
Answers with an entry of their own count as refuted.  The engine searches for a win by threats where
a tree of the file does not win, and after answers outside 15x15 that could matter.  The plain rules
check these wins, too.
"""

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple, Optional

sys.path.insert(0, str(Path(__file__).parent.parent))

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.players.alphabeta.threat_search import ThreatSearch
from gtp_engine.players.base import Settings
from gtp_engine.players.proofs import gomoku as gomoku_proof
from gtp_engine.players.proofs.win_trees import WinTree
from gtp_engine.solvers.gomoku import rules as gomoku_rules
from gtp_engine.solvers.gomoku.verify import Entry, read

NODES = 1_000_000  # of each search for threats
BATCH, LINES = 20, 1000  # entries per batch of a process, and per line of output


class Result(NamedTuple):
    """The number of answers tried, the number of new trees, and an answer without a refutation."""

    answers: int
    new_trees: int
    failure: Optional[str]


def rules_of(size: int, exact: bool) -> Any:
    """The plain rules for a board of that size; with `exact`, for exactly five in a row."""
    source = Path(gomoku_rules.__file__).read_text(encoding="utf-8")
    source = source.replace("SIDE = 15\n", f"SIDE = {size}\n")
    rules = ModuleType("rules")
    exec(compile(source, gomoku_rules.__file__, "exec"), rules.__dict__)
    assert rules.SIDE == size
    return only_five(rules) if exact else rules


def only_five(rules: Any) -> Any:
    """The plain rules, changed so that more than five stones in a row do not win.

    Zones still count such rows for White, which can only make a win of Black harder to prove.
    """
    longer = dict[int, list[int]]()  # by row: the rows that begin one point earlier or later
    for row in rules.ROWS:
        longer[row] = [other for other in rules.ROWS if (row & other).bit_count() == 4]
    fives = rules.fives

    def completed(own: int, point: int) -> bool:
        return any(row & own == row and not any(other & own == other for other in longer[row])
                   for row in rules.ROWS_AT[point])

    def only_fives(own: int, other: int) -> int:
        return sum(1 << point for point in rules.bits(fives(own, other))
                   if completed(own | 1 << point, point))

    rules.completed, rules.fives = completed, only_fives
    return rules


class AdaptedProof:
    """The proof on a board of that size, and in that game."""

    def __init__(self, size: int, exact: bool):
        self.rules, self._size = rules_of(size, exact), size
        self._edge = (size - gomoku_proof.SIZE) // 2
        self._empty = catalogue.start(
            catalogue.find("Gomoku-exact") if exact else catalogue.GOMOKU, size)
        self._search = ThreatSearch(Settings(memory=1))
        self.new_trees = 0

    def point(self, number: int) -> int:
        """The point for a point of 15x15."""
        y, x = divmod(number, gomoku_proof.SIZE)
        return x + self._edge + self._size * (y + self._edge)

    def tree(self, tree: Optional[gomoku_rules.Tree]) -> Any:
        """The tree for a tree of 15x15."""
        return tree and self.rules.Tree(
            self.point(tree.move),
            {self.point(answer): self.tree(after) for answer, after in tree.answers.items()},
            self.tree(tree.other))

    def wins(self, tree: Any, own: int, other: int) -> Any:
        """The tree if it wins, else a winning tree by the engine, None if there is none."""
        try:
            if tree:
                self.rules.follow(tree, own, other, False)
                return tree
        except self.rules.CheckFailed:
            pass
        self.new_trees += 1
        position, points = self._empty.copy(), self._empty.lattice.points
        sides = (BLACK, own), (WHITE, other)
        position.setup([(colour, points[number]) for colour, stones in sides
                        for number in self.rules.bits(stones)])
        position.set_side(BLACK)
        won = self._search.win(position, NODES)
        new = won and self._converted(won[0])
        if new:
            self.rules.follow(new, own, other, False)
        return new

    def _converted(self, tree: WinTree) -> Any:
        number = self._empty.lattice.points.index
        return self.rules.Tree(
            number(tree.move), {number(answer): self._converted(after)
                                for answer, after in tree.answers.items()},
            self._converted(tree.other) if tree.other else None)

    def result(self, entry: Entry) -> Result:
        """Try every answer in an entry."""
        rules, sides, before = self.rules, [0, 0], self.new_trees
        for ply, move in enumerate((*entry.moves, entry.move)):
            sides[ply % 2] |= 1 << self.point(move)
        own, other = sides
        answers, last = entry.trees()
        rest = self.wins(self.tree(last), own, other)
        spoilt = rules.zone(rest, own, other) if rest else rules.ALL
        trees = {self.point(answer): self.tree(tree) for answer, tree in answers.items()}
        listed, failure, tried = {*map(self.point, entry.listed)}, None, 0
        for answer in rules.bits(rules.ALL & ~own & ~other):
            tried += 1
            if answer not in listed and (answer in trees or spoilt >> answer & 1):
                white = other | 1 << answer
                if not self.wins(trees.get(answer), own, white):
                    y, x = divmod(answer, self._size)
                    failure = f"x {x + 1}, y {y + 1}"
        return Result(tried, self.new_trees - before, failure)


_proofs: list[AdaptedProof] = []  # one for this process


def _begin(size: int, exact: bool) -> None:
    _proofs.append(AdaptedProof(size, exact))


def _result(entry: Entry) -> Result:
    return _proofs[0].result(entry)


def main() -> int:
    """Try entries and print the number that hold."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, help="the long file")
    parser.add_argument("--entries", type=int, help="number of random entries (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=gomoku_proof.SIZE)
    parser.add_argument("--exact", action="store_true", help="only exactly five in a row win")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    whole = [entry for entry in read(options.file) if entry.whole]
    if options.entries is not None:
        whole = Random(options.seed).sample(whole, options.entries)
    failed = answers = new_trees = 0
    with ProcessPoolExecutor(options.processes, initializer=_begin,
                             initargs=(options.size, options.exact)) as pool:
        for tried, (entry, result) in enumerate(
                zip(whole, pool.map(_result, whole, chunksize=BATCH)), 1):
            answers, new_trees = answers + result.answers, new_trees + result.new_trees
            if result.failure:
                failed += 1
                line = " ".join(map(gomoku_rules.name, (*entry.moves, entry.move)))
                print(f"{line}: no win after {result.failure}", flush=True)
            if tried % LINES == 0 or tried == len(whole):
                print(f"{tried - failed:,} of {tried:,} entries hold: {answers:,} answers, "
                      f"{new_trees:,} new trees", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
