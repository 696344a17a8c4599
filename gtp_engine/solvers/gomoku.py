"""The proof that Black wins Gomoku on 15x15 from the centre, as far as it goes.

The parent has the tree and chooses by proof numbers which position comes next, workers look at it,
and what they find is a line of the work file.  White's answers to the opening are proved one by
one, those farthest from Black's stone first.
"""

import json
import os
import sys
import time
from argparse import ArgumentParser, Namespace
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Iterator, Optional, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from ..command_line import add_processes, checked
from ..games.lattice import EMPTY, PASS
from ..players.options import whole
from ..wire.notation import GtpPoints
from .gomoku_certificate import Certificate, write
from .gomoku_leaves import Choice, Expansion, Open, expand, position_after
from .gomoku_tree import NEVER, Node, Tree
from .qubic import follow

OPENING = "H8"
LINE_SECONDS = 60
FIRST_SHARE = 500  # positions that are looked at below an answer before it is the next one's turn


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
        self.looked = {node: 0 for node in self.starts}
        self.total = 0

    @property
    def open(self) -> list[Node]:
        """The positions after the opening, with Black to move, that are not proved."""
        return [node for node in self.starts if node.pn]

    def next(self) -> Optional[tuple[Node, Node, Optional[int]]]:
        """The start below which to go on, the position to look at, and the move to try there."""
        share = FIRST_SHARE
        able = [node for node in self.open if node.pn < NEVER]
        while able:
            for start in able:
                if self.looked[start] < share:
                    node, only = self.tree.leaf(start)
                    return None if node.busy else (start, node, only)
            share *= 2
        return None

    def hints(self, node: Node) -> list[int]:
        """Moves to try first."""
        return self.tree.hints(node, self.starts)

    def add(self, start: Node, node: Node, found: Expansion) -> None:
        """Add what was found out about a position below that start."""
        self.looked[start] += 1
        self.total += 1
        self.tree.grow(node, found)


def beginnings(opening: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The ways to go on with an opening until Black is to move, White's farthest answers first."""
    if len(opening) % 2 == 0:
        return [opening]
    position = position_after(opening)
    lattice = position.lattice
    middle = lattice.coordinates(opening[0])

    def distance(point: int) -> int:
        return sum((a - b) ** 2 for a, b in zip(lattice.coordinates(point), middle))
    answers = [point for point in lattice.points if position.cells[point] == EMPTY]
    return [(*opening, point) for point in sorted(answers, key=distance, reverse=True)]


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
                first, at, won, choices, left = json.loads(line)
                start = nodes[first]
                node = self.proof.tree.find(self.moves(at))
                if node is None:
                    raise ValueError
                self.proof.hints(node)
                self.proof.add(start, node, Expansion(won, tuple(
                    Choice(self.moves(move)[0], tuple(map(Open, self.moves(answers), scores)),
                           complete, lost)
                    for move, answers, scores, complete, lost in choices), left))
            except (ValueError, KeyError, TypeError, IndexError):
                raise ValueError(f"{self.path}, line {number} does not go on with the lines before "
                                 "it, or is of another opening") from None

    def line(self, start: Node, node: Node, found: Expansion) -> str:
        """What was found out about a position below that start."""
        return json.dumps([self.text(start.path()), self.text(node.path()), found.won, [
            [self.text([choice.point]), self.text([answer.point for answer in choice.open]),
             [answer.score for answer in choice.open], choice.complete, choice.lost]
            for choice in found.choices], found.left]) + "\n"

    def text(self, moves: Sequence[int]) -> str:
        """The names of these points."""
        return " ".join(self.points.name[move] for move in moves)

    def moves(self, text: str) -> tuple[int, ...]:
        """The points of these names.  Raises ValueError if a word is none."""
        found = [self.points.point_of(word) for word in text.split()]
        if not all(found):
            raise ValueError
        return tuple(point for point in found if point)


def search(proof: Proof, work: WorkFile, processes: int, report: Callable[[Node], None],
           most: int) -> None:
    """Go on with the proof until there is nothing left to do, or so many positions were looked at.

    `report` is called after each, with the start that it was below.  Raises OSError.
    """
    running: dict[Future[Expansion], tuple[Node, Node]] = {}
    with work.path.open("a") as file, ProcessPoolExecutor(processes, initializer=follow) as pool:
        while True:
            while len(running) < processes and proof.total + len(running) < most:
                chosen = proof.next()
                if chosen is None:
                    break
                start, node, only = chosen
                hints = proof.hints(node)
                tried = [branch.point for branch in node.branches or ()]
                node.busy = True
                proof.tree.update(node)
                running[pool.submit(expand, node.path(), hints, tried, only)] = start, node
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                start, node = running.pop(future)
                found = future.result()
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
    begun, before, last = time.monotonic(), proof.total, time.monotonic()

    def text(start: Node) -> str:
        rate = (proof.total - before) / max(time.monotonic() - begun, 1e-9)
        return (f"{proof.total:,} positions looked at ({rate:.1f}/s), "
                f"{proof.tree.proved:,} proved; below {name(start)} at least {start.pn:,} to "
                "prove; "
                f"{estimate(proof, rate)}")

    points = GtpPoints(position_after(()).lattice)

    def name(start: Node) -> str:
        return " ".join(map(points.name.__getitem__, start.path()))

    def in_lines(start: Node) -> None:
        nonlocal last
        if not start.pn or time.monotonic() - last > LINE_SECONDS:
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


def estimate(proof: Proof, rate: float) -> str:
    """How long the rest takes if it is like what is done; unknown before some of it is."""
    done = [proof.looked[start] for start in proof.starts if not start.pn]
    spent = sum(proof.looked[start] for start in proof.open)
    if not done or not rate:
        return "time left unknown"
    left = max(len(proof.open) * sum(done) / len(done) - spent, 0)
    return f"{left / rate / 3600:.1f} h left if the others are like the {len(done)} that are done"


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
                        metavar="N", help="stop after so many positions (default: %(default)s)")
    add_processes(parser)


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Prove as much as there is time for, and write the certificate."""
    try:
        proof = Proof(opening_of(options.opening))
        work = WorkFile(Path(options.work), proof)
        work.read()
        with progress(proof) as report:
            search(proof, work, options.processes, report, options.positions)
        certificate = Certificate(proof.tree, proof.opening)
        with ProcessPoolExecutor(options.processes, initializer=follow) as pool:
            plies = write(certificate, pool, Path(options.output),
                          Path(options.long) if options.long else None)
    except (OSError, ValueError) as error:
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
