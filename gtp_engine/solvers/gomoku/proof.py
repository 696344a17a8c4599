"""The search for a proof that Black wins Gomoku on 15x15 from the centre.

The parent process holds the tree and selects the next position by proof numbers.  Workers expand
it, and each result becomes a line of the work file.  The search proves White's answers to the
opening in turn, nearest to Black's stone first.
"""

import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Callable, Iterator, Sequence

from ...arena.work import REPEATED, Lost, Workers
from ...arena.workers import workers_for
from ...command_line.options import add_processes, checked
from ...games.lattice import EMPTY, PASS
from ...players.options import whole
from ..progress import progress
from ..qubic.proof import follow_parent
from .attacks import position_after
from .certificate import Certificate, write
from .lines import names, text
from .questions import Expansion, Question, expand
from .tree import NEVER, Node, Tree
from .work import EntryFile, WorkFile

OPENING = "H8"
LOOK_SECONDS = 1.0
SHARE = 20_000  # work below an answer before the next answer's turn; the unit is a first attack


class Proof:
    """The proof of an opening: its tree, and the next positions to expand."""

    def __init__(self, opening: Sequence[int]):
        self.tree = Tree()
        self.opening = tuple(opening)
        self.starts: list[Node] = []
        for moves in beginnings(self.opening):
            node = self.tree.start(moves)
            if node not in self.starts:
                self.starts.append(node)
        self.spent = dict.fromkeys(self.starts, 0)
        self.total = 0

    @property
    def open(self) -> list[Node]:
        """The unproved positions after the opening, with Black to move."""
        return [node for node in self.starts if node.pn]

    def next(self) -> list[Node]:
        """Return the path from a start to the next position to expand.

        It is empty if all candidates wait for results of other positions.
        """
        provable = [start for start in self.open if start.pn < NEVER]
        for start in sorted(provable, key=lambda start: self.spent[start] // SHARE):
            path = self.tree.select(start)
            if not path[-1].workers:
                return path
        return []

    def add(self, start: Node, node: Node, result: Expansion) -> None:
        """Add the result for a position below a start."""
        self.spent[start] += node.work
        self.total += 1
        self.tree.grow(node, result)

    def read(self, work: WorkFile) -> None:
        """Add the results of a work file.

        Raises OSError, and ValueError if a line is damaged or belongs to another opening.
        """
        starts = {node.path(): node for node in self.starts}
        for number, (start, moves, result) in enumerate(work.read(), 1):
            node = self.tree.find(moves)
            if start not in starts or node is None:
                raise ValueError(f"{work.path}, line {number} does not continue the lines before "
                                 "it, or belongs to another opening")
            self.add(starts[start], node, result)

    def left(self) -> float:
        """Estimate the remaining work; the unit is a first attack.

        Assumes that new starts take as long as the others, and every position as long as expected.
        """
        begun = [start for start in self.starts if self.spent[start]]
        each = sum(start.pn + self.spent[start] for start in begun) / max(1, len(begun))
        return sum(start.pn for start in begun) + each * (len(self.starts) - len(begun))


def beginnings(opening: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Extend an opening until Black is to move; White's nearest answers come first."""
    if len(opening) % 2 == 0:
        return [opening]
    position = position_after(opening)
    lattice = position.lattice
    middle = lattice.coordinates(opening[0])

    def distance(point: int) -> int:
        return sum((a - b) ** 2 for a, b in zip(lattice.coordinates(point), middle))
    answers = [point for point in lattice.points if position.cells[point] == EMPTY]
    return [(*opening, point) for point in sorted(answers, key=distance)]


def search(proof: Proof, work: WorkFile, workers: Workers, report: Callable[[Node], None],
           most: int) -> None:
    """Continue the proof until nothing is left to do, or until `most` positions.

    Calls `report` after each position, with its start.  Raises OSError, and RuntimeError if a
    position repeatedly ends its worker.
    """
    numbers, lost = count(), Counter[Node]()
    running: dict[int, list[Node]] = {}
    with work.path.open("a") as file:
        while True:
            while workers.free and proof.total + len(running) < most:
                path = proof.next()
                if not path:
                    break
                for node in path:
                    node.workers += 1
                number, last = next(numbers), path[-1]
                running[number] = path
                workers.submit(number, expand, Question(
                    last.path(), last.visits, tuple(branch.point for branch in last.branches),
                    last.other))
            if not running:
                return
            for number, result in workers.finished(LOOK_SECONDS):
                path = running.pop(number)
                for node in path:
                    node.workers -= 1
                start, node = path[0], path[-1]
                if isinstance(result, Lost):
                    lost[node] += result.tries
                    if lost[node] > REPEATED:
                        raise RuntimeError(f"{text(node.path())}: {result.text}")
                    continue
                proof.add(start, node, result)
                file.write(work.line(start.path(), node.path(), result))
                file.flush()
                report(start)


@contextmanager
def search_progress(proof: Proof) -> Iterator[Callable[[Node], None]]:
    """Show the progress of the proof.

    Yields a function to call after each position, with its start.
    """
    begun, before, spent = time.monotonic(), proof.total, sum(proof.spent.values())

    def describe(start: Node) -> str:
        seconds = max(time.monotonic() - begun, 1e-9)
        rate, work = (proof.total - before) / seconds, sum(proof.spent.values()) - spent
        return (f"{proof.total:,} positions expanded ({rate:.1f}/s), "
                f"{proof.tree.proved:,} proved; {text(start.path())} has proof number "
                f"{start.pn:,}; "
                f"at least {proof.left() / max(work, 1) * seconds / 3600:.1f} h left")

    with progress() as report:
        yield lambda start: report(len(proof.starts) - len(proof.open), len(proof.starts),
                                   lambda: describe(start))


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--work", default="gomoku.work", metavar="FILE",
                        help="the results so far; a later run continues from FILE and "
                             "FILE.entries (default: %(default)s)")
    parser.add_argument("--output", default="gomoku.proof", metavar="FILE",
                        help="the certificate of the proof (default: %(default)s)")
    parser.add_argument("--long", metavar="FILE",
                        help="also write a file with every tree of threats, for a check without "
                        "search")
    parser.add_argument("--opening", default=OPENING, metavar="MOVES",
                        help="the opening, moves of both sides (default: %(default)s)")
    parser.add_argument("--positions", type=checked(whole("positions", 10**12)), default=10**12,
                        metavar="N", help="stop after N positions, including the work file "
                        "(default: %(default)s)")
    parser.add_argument("--scheduler", metavar="ADDRESS",
                        help="search on the Dask cluster of this scheduler")
    add_processes(parser)


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Continue the proof and write the certificate."""
    try:
        proof = Proof(opening_of(options.opening))
        work = WorkFile(Path(options.work))
        proof.read(work)
        with (closing(workers_for(options.scheduler, options.processes)) as workers,
              search_progress(proof) as report):
            search(proof, work, workers, report, options.positions)
        certificate = Certificate(proof.tree, proof.opening)
        entry_file = EntryFile(Path(f"{options.work}.entries"))
        with (ProcessPoolExecutor(options.processes, initializer=follow_parent) as pool,
              progress() as report_entries):
            wins = certificate.refutations(pool, entry_file, lambda done, total: report_entries(
                done, total, lambda: "entries, and more may follow"))
            plies = write(certificate, wins, Path(options.output),
                          Path(options.long) if options.long else None)
    except (OSError, ValueError, RuntimeError) as error:
        parser.error(str(error))
    done = len(proof.starts) - len(proof.open)
    print(f"{done} of {len(proof.starts)} answers to {options.opening} are proved to lose: "
          f"{len(certificate.lines):,} entries"
          + (f"; Black wins in at most {plies} plies" if plies else ""))
    return 0


def opening_of(text: str) -> tuple[int, ...]:
    """Return the moves of an opening.

    Raises ValueError if a move is illegal, or if Black does not begin in the centre.
    """
    position = position_after(())
    moves = [names().point_of(word) for word in text.split()]
    for word, move in zip(text.split(), moves):
        if not move or move == PASS or position.complaint(position.side, move):
            raise ValueError(f"illegal move in the opening: {word}")
        position.play(position.side, move)
    if not moves or moves[0] not in position.lattice.middle():
        raise ValueError(f"an opening begins in the centre, such as {OPENING}")
    return tuple(move for move in moves if move)
