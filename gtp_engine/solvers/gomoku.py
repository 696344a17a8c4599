"""The proof that Black wins Gomoku on 15x15 from the centre, as far as it goes.

The parent has the tree and chooses by proof numbers which position comes next, workers look at it,
and what they find is a line of the work file.  White's answers to the opening are proved one by
one, those nearest to Black's stone first.
"""

import json
import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Callable, Iterator, Optional, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from ..arena.work import REPEATED, Lost, Workers
from ..arena.workers import workers_for
from ..command_line import add_processes, checked
from ..games.lattice import EMPTY, PASS
from ..players.options import whole
from ..wire.notation import GtpPoints
from .gomoku_attacks import Choice, Open, Plan, position_after
from .gomoku_certificate import Certificate, write
from .gomoku_questions import Expansion, Question, expand
from .gomoku_tree import NEVER, Node, Tree
from .qubic import follow

OPENING = "H8"
LINE_SECONDS = 60
LOOK_SECONDS = 1.0
SHARE = 20_000  # of work below an answer before it is the next one's turn, in first attacks


class Proof:
    """What is proved of an opening, and what is to be done next."""

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
        """Add what was found out about a position below that start."""
        self.spent[start] += node.work
        self.total += 1
        self.tree.grow(node, found)

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


class WorkFile:
    """What workers found out, one line for each position that they looked at."""

    def __init__(self, path: Path, proof: Proof):
        self.path, self.proof = path, proof
        self.points = GtpPoints(position_after(()).lattice)

    def read(self) -> None:
        """Add all lines to the proof; a last line that was not finished is cut off the file.

        Raises OSError, and ValueError if a line is none or belongs to another opening.
        """
        if not self.path.exists():
            return
        whole, _, rest = self.path.read_bytes().rpartition(b"\n")
        if rest:
            os.truncate(self.path, len(whole) + bool(whole))
        nodes = {self.text(node.path()): node for node in self.proof.starts}
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                first, at, won, plan, choice, left = json.loads(line)
                node = self.proof.tree.find(self.moves(at))
                if node is None:
                    raise ValueError
                self.proof.add(nodes[first], node, Expansion(
                    won, self.plan(plan), choice and self.choice(*choice), left))
            except (ValueError, KeyError, TypeError, IndexError):
                raise ValueError(f"{self.path}, line {number} does not go on with the lines before "
                                 "it, or is of another opening") from None

    def line(self, start: Node, node: Node, found: Expansion) -> str:
        """What was found out about a position below that start."""
        choice = found.choice
        return json.dumps([
            self.text(start.path()), self.text(node.path()), found.won, self.listed(found.plan),
            choice and [self.text([choice.point]),
                        self.text([answer.point for answer in choice.open]),
                        [answer.score for answer in choice.open], self.listed(choice.other),
                        choice.lost],
            found.left], separators=(",", ":")) + "\n"

    def choice(self, move: str, answers: str, scores: list[int], other: Any, lost: bool) -> Choice:
        """A move as `line` says it."""
        return Choice(self.moves(move)[0], tuple(map(Open, self.moves(answers), scores)),
                      self.plan(other), lost)

    def listed(self, plan: Optional[Plan]) -> Any:
        """A plan for a line: [move, {answer: plan}, plan after a pass]."""
        return plan and [self.points.name[plan.move], {
            self.points.name[answer]: self.listed(after) for answer, after in plan.answers.items()
            }, self.listed(plan.other)]

    def plan(self, listed: Any) -> Optional[Plan]:
        """What `listed` says."""
        if listed is None:
            return None
        move, answers, other = listed
        return Plan(self.moves(move)[0], {
            self.moves(answer)[0]: self.plan(after) for answer, after in answers.items()},
            self.plan(other))

    def text(self, moves: Sequence[int]) -> str:
        """The names of these points."""
        return " ".join(self.points.name[move] for move in moves)

    def moves(self, text: str) -> tuple[int, ...]:
        """The points of these names.  Raises ValueError if a word is none."""
        found = [self.points.point_of(word) for word in text.split()]
        if not all(found):
            raise ValueError
        return tuple(point for point in found if point)


def search(proof: Proof, work: WorkFile, workers: Workers, report: Callable[[Node], None],
           most: int) -> None:
    """Go on with the proof until there is nothing left to do, or so many positions were looked at.

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
                        raise RuntimeError(f"{work.text(node.path())}: {found.text}")
                    continue
                proof.add(start, node, found)
                file.write(work.line(start, node, found))
                file.flush()
                report(start)


@contextmanager
def progress(proof: Proof) -> Iterator[Callable[[Node], None]]:
    """Show on standard error how far the proof is: a bar on a terminal, else a line a minute.

    Yields what is called after each position that was looked at, with its start.
    """
    console = Console(stderr=True, highlight=False, markup=False)
    begun = last = time.monotonic()
    before, spent = proof.total, sum(proof.spent.values())

    def text(start: Node) -> str:
        seconds = max(time.monotonic() - begun, 1e-9)
        rate, work = (proof.total - before) / seconds, sum(proof.spent.values()) - spent
        return (f"{proof.total:,} positions looked at ({rate:.1f}/s), "
                f"{proof.tree.proved:,} proved; {name(start)} has proof number {start.pn:,}; "
                f"at least {proof.left() / max(work, 1) * seconds / 3600:.1f} h left")

    points = GtpPoints(position_after(()).lattice)

    def name(start: Node) -> str:
        return " ".join(map(points.name.__getitem__, start.path()))

    def in_lines(start: Node) -> None:
        nonlocal last
        if time.monotonic() - last > LINE_SECONDS:
            last = time.monotonic()
            done = len(proof.starts) - len(proof.open)
            print(f"{done} of {len(proof.starts)}: {text(start)}", file=sys.stderr, flush=True)

    if not console.is_terminal:
        yield in_lines
        return
    columns = BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False)
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=len(proof.starts))
        yield lambda start: bar.update(
            task, completed=len(proof.starts) - len(proof.open), description=text(start))


def add_options(parser: ArgumentParser) -> None:
    """What the command line may say."""
    parser.add_argument("--work", default="gomoku.work", metavar="FILE",
                        help="what is found so far; a later run goes on from there "
                             "(default: %(default)s)")
    parser.add_argument("--output", default="gomoku.proof", metavar="FILE",
                        help="the certificate of what is proved (default: %(default)s)")
    parser.add_argument("--long", metavar="FILE",
                        help="also write every tree of threats, so that a check needs no search")
    parser.add_argument("--opening", default=OPENING, metavar="MOVES",
                        help="the moves of both that are given (default: %(default)s)")
    parser.add_argument("--positions", type=checked(whole("positions", 10**12)), default=10**12,
                        metavar="N", help="stop after so many positions, those of the work file "
                        "included (default: %(default)s)")
    parser.add_argument("--scheduler", metavar="ADDRESS",
                        help="search on the Dask cluster of this scheduler")
    add_processes(parser)


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Prove as much as there is time for, and write the certificate."""
    try:
        proof = Proof(opening_of(options.opening))
        work = WorkFile(Path(options.work), proof)
        work.read()
        with (closing(workers_for(options.scheduler, options.processes)) as workers,
              progress(proof) as report):
            search(proof, work, workers, report, options.positions)
        certificate = Certificate(proof.tree, proof.opening)
        with ProcessPoolExecutor(options.processes, initializer=follow) as pool:
            plies = write(certificate, pool, Path(options.output),
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
    position, points = position_after(()), GtpPoints(position_after(()).lattice)
    moves = [points.point_of(word) for word in text.split()]
    for word, move in zip(text.split(), moves):
        if not move or move == PASS or position.complaint(position.side, move):
            raise ValueError(f"no legal move in this opening: {word}")
        position.play(position.side, move)
    if not moves or moves[0] not in position.lattice.middle():
        raise ValueError(f"an opening begins in the centre, as {OPENING} does")
    return tuple(move for move in moves if move)
