"""Time the compiled check of a short file of a Gomoku proof: all of it, or random entries.

    python benchmarks/proof_check.py [FILE] [--entries N] [--seed 1] [--nodes N]
        [--processes N]

Unlike `verify-gomoku`, it goes on after an entry that fails.  It prints the seconds on the clock
and of the processor, the slowest entries, and the entries that fail.
"""

import argparse
import os
import resource
import sys
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import Mapping, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from gtp_engine.kernels import load
from gtp_engine.solvers.gomoku import compiled, entries as gomoku_entries
from gtp_engine.solvers.gomoku.rules import CheckFailed, Rules
from gtp_engine.solvers.gomoku.verify import FAST_NODES, checked_entries, read_short

SLOWEST = 10  # entries in the output


class Result(NamedTuple):
    """The number of answers tried, the seconds of the processor, and a complaint."""

    answers: int
    seconds: float
    failure: str


class Timed:
    """A check of entries that measures its time and reports failures."""

    def __init__(self, rules: Rules, plans: Mapping[tuple[int, ...], gomoku_entries.Entry],
                 plies_of: Mapping[compiled.Key, int], nodes: int):
        self._checker = compiled.Checker(rules, plans, plies_of, nodes)

    def check(self, entry: gomoku_entries.Entry) -> Result:
        """Check an entry."""
        begun = time.process_time()
        try:
            answers, failure = self._checker.check(entry), ""
        except CheckFailed as error:
            answers, failure = 0, str(error)
        return Result(answers, time.process_time() - begun, failure)


def main() -> int:
    """Check entries, and print times and failures; the exit status is 1 if an entry fails."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=gomoku_entries.GOMOKU.path())
    parser.add_argument("--entries", type=int, help="number of random entries (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=FAST_NODES)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    load(compiled.calls_of_check())
    begun = time.monotonic()
    rules, listed = read_short(options.file.read_bytes())
    whole = compiled.complete(listed)
    tried = (Random(options.seed).sample(whole, options.entries) if options.entries is not None
             else whole)
    make = partial(Timed, rules, compiled.plans_of(listed), compiled.plies_of(rules, whole),
                   options.nodes)
    results = [*checked_entries(tried, make, options.processes)]
    seconds = time.monotonic() - begun
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    user = time.process_time() + children.ru_utime + children.ru_stime
    answers = sum(result.answers for _, result in results)
    failures = [result.failure for _, result in results if result.failure]
    print(f"{len(results) - len(failures):,} of {len(results):,} entries hold, {answers:,} answers")
    print(f"{seconds:.0f} seconds, {user:.0f} of the processor; "
          f"{1000 * sum(result.seconds for _, result in results) / max(1, len(results)):.1f} ms "
          "per entry")
    for entry, result in sorted(results, key=lambda each: -each[1].seconds)[:SLOWEST]:
        print(f"{result.seconds:7.2f} s  {' '.join(map(rules.name, (*entry.moves, entry.move)))}")
    for failure in failures:
        print(f"fails: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
