"""The proof that Black wins Gomoku on 15x15 from the centre, as far as it goes.

The parent has the tree and chooses by proof numbers which position comes next, workers look at it,
and each result is a line of the work file.  White's answers to the opening are proved one by
one, those nearest to Black's stone first.
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
from ..qubic.proof import follow
from .attacks import position_after
from .certificate import Certificate, write
from .lines import names, text
from .questions import Expansion, Question, expand
from .tree import NEVER, Node, Tree
from .work import EntryFile, WorkFile

OPENING = "H8"
LOOK_SECONDS = 1.0
SHARE = 20_000  # of work below an answer before it is the next one's turn, in first attacks


class Proof:
    """The proved part of an opening, and the next questions."""

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
        """The positions after the opening, with Black to move, that are not proved."""
        return [node for node in self.starts if node.pn]

    def next(self) -> list[Node]:
        """The positions from a start to that which is to be looked at; none if nothing can be done
        before others are."""
        able = [start for start in self.open if start.pn < NEVER]
        for start in sorted(able, key=lambda start: self.spent[start] // SHARE):
            way = self.tree.way(start)
            if not way[-1].workers:
                return way
        return []

    def add(self, start: Node, node: Node, found: Expansion) -> None:
        """Add the result for a position below that start."""
        self.spent[start] += node.work
        self.total += 1
        self.tree.grow(node, found)

    def read(self, work: WorkFile) -> None:
        """Add what stands in a work file.

        Raises OSError, and ValueError if a line is none or belongs to another opening.
        """
        starts = {node.path(): node for node in self.starts}
        for number, (start, moves, found) in enumerate(work.read(), 1):
            node = self.tree.find(moves)
            if start not in starts or node is None:
                raise ValueError(f"{work.path}, line {number} does not go on with the lines before "
                                 "it, or is of another opening")
            self.add(starts[start], node, found)

    def left(self) -> float:
        """The work that is left, in first attacks, if starts that were not looked at are like the
        others, and no position takes more than expected."""
        begun = [start for start in self.starts if self.spent[start]]
        each = sum(start.pn + self.spent[start] for start in begun) / max(1, len(begun))
        return sum(start.pn for start in begun) + each * (len(self.starts) - len(begun))


def beginnings(opening: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The ways to go on with an opening until Black is to move, White's nearest answers first."""
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
    """Continue the proof until nothing is left to do, or until the limit of positions.

    `report` is called after each, with the start that it was below.  Raises OSError, and
    RuntimeError if a position ends each worker that looks at it.
    """
    numbers, lost = count(), Counter[Node]()
    running: dict[int, list[Node]] = {}
    with work.path.open("a") as file:
        while True:
            while workers.free and proof.total + len(running) < most:
                way = proof.next()
                if not way:
                    break
                for node in way:
                    node.workers += 1
                number, last = next(numbers), way[-1]
                running[number] = way
                workers.submit(number, expand, Question(
                    last.path(), last.visits, tuple(branch.point for branch in last.branches),
                    last.other))
            if not running:
                return
            for number, found in workers.finished(LOOK_SECONDS):
                way = running.pop(number)
                for node in way:
                    node.workers -= 1
                start, node = way[0], way[-1]
                if isinstance(found, Lost):
                    lost[node] += found.tries
                    if lost[node] > REPEATED:
                        raise RuntimeError(f"{text(node.path())}: {found.text}")
                    continue
                proof.add(start, node, found)
                file.write(work.line(start.path(), node.path(), found))
                file.flush()
                report(start)


@contextmanager
def search_progress(proof: Proof) -> Iterator[Callable[[Node], None]]:
    """Show how far the proof is.

    Yields a function to call after each position, with the start of its proof.
    """
    begun, before, spent = time.monotonic(), proof.total, sum(proof.spent.values())

    def more(start: Node) -> str:
        seconds = max(time.monotonic() - begun, 1e-9)
        rate, work = (proof.total - before) / seconds, sum(proof.spent.values()) - spent
        return (f"{proof.total:,} positions looked at ({rate:.1f}/s), "
                f"{proof.tree.proved:,} proved; {text(start.path())} has proof number "
                f"{start.pn:,}; "
                f"at least {proof.left() / max(work, 1) * seconds / 3600:.1f} h left")

    with progress() as report:
        yield lambda start: report(len(proof.starts) - len(proof.open), len(proof.starts),
                                   lambda: more(start))


def add_options(parser: ArgumentParser) -> None:
    """What the command line may say."""
    parser.add_argument("--work", default="gomoku.work", metavar="FILE",
                        help="the results so far; a later run goes on from there, and from "
                             "FILE.entries (default: %(default)s)")
    parser.add_argument("--output", default="gomoku.proof", metavar="FILE",
                        help="the certificate of the proof (default: %(default)s)")
    parser.add_argument("--long", metavar="FILE",
                        help="also write every tree of threats, so that a check needs no search")
    parser.add_argument("--opening", default=OPENING, metavar="MOVES",
                        help="the moves of both that are given (default: %(default)s)")
    parser.add_argument("--positions", type=checked(whole("positions", 10**12)), default=10**12,
                        metavar="N", help="stop after N positions, those of the work file "
                        "included (default: %(default)s)")
    parser.add_argument("--scheduler", metavar="ADDRESS",
                        help="search on the Dask cluster of this scheduler")
    add_processes(parser)


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Prove as much as there is time for, and write the certificate."""
    try:
        proof = Proof(opening_of(options.opening))
        work = WorkFile(Path(options.work))
        proof.read(work)
        with (closing(workers_for(options.scheduler, options.processes)) as workers,
              search_progress(proof) as report):
            search(proof, work, workers, report, options.positions)
        certificate = Certificate(proof.tree, proof.opening)
        entry_file = EntryFile(Path(f"{options.work}.entries"))
        with (ProcessPoolExecutor(options.processes, initializer=follow) as pool,
              progress() as report_entries):
            found = certificate.refutations(pool, entry_file, lambda done, total: report_entries(
                done, total, lambda: "entries, and more may follow"))
            plies = write(certificate, found, Path(options.output),
                          Path(options.long) if options.long else None)
    except (OSError, ValueError, RuntimeError) as error:
        parser.error(str(error))
    done = len(proof.starts) - len(proof.open)
    print(f"{done} of {len(proof.starts)} answers to {options.opening} are proved to lose: "
          f"{len(certificate.lines):,} entries"
          + (f"; Black wins in at most {plies} plies" if plies else ""))
    return 0


def opening_of(text: str) -> tuple[int, ...]:
    """The moves of an opening.  Raises ValueError unless Black begins in the centre and all are
    legal."""
    position = position_after(())
    moves = [names().point_of(word) for word in text.split()]
    for word, move in zip(text.split(), moves):
        if not move or move == PASS or position.complaint(position.side, move):
            raise ValueError(f"no legal move in this opening: {word}")
        position.play(position.side, move)
    if not moves or moves[0] not in position.lattice.middle():
        raise ValueError(f"an opening begins in the centre, as {OPENING} does")
    return tuple(move for move in moves if move)
