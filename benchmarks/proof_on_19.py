"""How much of the proof of Gomoku on 15x15 holds on a larger board, with its moves in the middle.

    python benchmarks/proof_on_19.py [--entries 300] [--seed 1] [--size 19]

Of entries at random every answer is tried by the plain rules of the checker, for a board of that
size: answers with an entry of their own count as refuted, and for all others, those outside the
15x15 points included, a win by threats is looked for.
"""

import argparse
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Optional

sys.path.insert(0, str(Path(__file__).parent.parent))

from gtp_engine.players import gomoku_proof
from gtp_engine.solvers import gomoku_rules
from gtp_engine.solvers.verify_gomoku import Entry, read

NODES = 3_000  # of each search for threats


def rules_of(size: int) -> Any:
    """The plain rules for a board of that size."""
    source = Path(gomoku_rules.__file__).read_text(encoding="utf-8")
    source = source.replace("SIDE = 15\n", f"SIDE = {size}\n")
    rules = ModuleType("rules")
    exec(compile(source, gomoku_rules.__file__, "exec"), rules.__dict__)
    assert rules.SIDE == size
    return rules


class Larger:
    """The proof on a board of that size."""

    def __init__(self, size: int):
        self.rules, self._edge, self._size = rules_of(size), (size - gomoku_proof.SIZE) // 2, size

    def point(self, number: int) -> int:
        """Where a point of 15x15 is."""
        y, x = divmod(number, gomoku_proof.SIZE)
        return x + self._edge + self._size * (y + self._edge)

    def threats(self, own: int, other: int) -> Any:
        """A win by threats."""
        return self.rules.find(own, other, NODES)

    def plan(self, plan: Any) -> Any:
        """A plan there."""
        return plan and self.rules.Plan(
            self.point(plan.move),
            {self.point(answer): self.plan(after) for answer, after in plan.answers.items()},
            self.plan(plan.other))

    def failure(self, entry: Entry) -> Optional[str]:
        """An answer for which nothing is found, None if there is none."""
        rules, sides = self.rules, [0, 0]
        for ply, move in enumerate((*entry.moves, entry.move)):
            sides[ply % 2] |= 1 << self.point(move)
        own, other = sides
        rest = (rules.planned(self.plan(entry.plan), own, other, self.threats) if entry.plan
                else self.threats(own, other))
        if rest:
            rules.follow(rest, own, other, False)
        spoilt = rules.zone(rest, own, other) if rest else rules.ALL
        listed = {*map(self.point, entry.listed)}
        for answer in rules.bits(spoilt & ~own & ~other):
            white = other | 1 << answer
            if answer in listed:
                continue
            tree = self.threats(own, white)
            if not tree:
                y, x = divmod(answer, self._size)
                return f"x {x + 1}, y {y + 1}"
            rules.follow(tree, own, white, False)
        return None


def main() -> int:
    """Try entries and print how many hold."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--entries", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=19)
    options = parser.parse_args()
    larger, failed, tried = Larger(options.size), 0, 0
    whole = [entry for entry in read(gomoku_proof.FILE) if entry.whole]
    for entry in Random(options.seed).sample(whole, options.entries):
        failure, tried = larger.failure(entry), tried + 1
        if failure:
            failed += 1
            line = " ".join(map(gomoku_rules.name, (*entry.moves, entry.move)))
            print(f"{line}: nothing found after {failure}", flush=True)
        if tried % 10 == 0:
            print(f"{tried - failed} of {tried} entries hold on {options.size}x{options.size}",
                  flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
