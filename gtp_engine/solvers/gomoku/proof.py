"""The search for a proof that Black wins Gomoku from the centre.

The parent process holds the tree and selects the next position by proof numbers.  Workers expand
it, and each result becomes a line of the work file.  The search proves White's answers to the
opening in turn, nearest to Black's stone first.  With advice, the proof follows the certificate of
another board, and the search proves the positions where this fails, or leaves the advice earlier.
"""

import time
from argparse import ArgumentParser, Namespace
from collections import Counter, deque
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Callable, Iterable, Iterator, Optional

from ...arena.work import REPEATED, Lost, Workers
from ...arena.workers import workers_for
from ...command_line.options import add_processes, checked
from ...games.lattice import EMPTY, PASS
from ...players.options import whole, whole_number
from ..progress import progress
from ..qubic.proof import follow_parent
from .advice import Advice
from .board import Moves, names, position_after, text
from .certificate import Certificate, write
from .entries import GOMOKU, Board
from .questions import Expansion, Question, expand
from .rules import GAMES
from .tree import NEVER, Node, Tree
from .work import EntryFile, WorkFile

SMALLEST, LARGEST = 15, 20  # sides of a board
LONGEST = LARGEST**2  # plies of a game
LOOK_SECONDS = 1.0
SHARE = 20_000  # work below an answer before the next answer's turn; the unit is a first attack

Result = tuple[Moves, Moves, Expansion]  # of a work file: the start, the position and the result


class Proof:
    """The proof of positions with Black to move: its tree, and the next positions to expand."""

    def __init__(self, board: Board, opening: Moves):
        self.board, self.tree = board, Tree(board)
        self.first = len(opening) + len(opening) % 2  # the number of moves before a start
        self.spent: dict[Node, int] = {}  # by start
        self.total = 0

    @property
    def starts(self) -> list[Node]:
        """The positions to prove."""
        return [*self.spent]

    def add_starts(self, positions: Iterable[Moves]) -> None:
        """Add positions to prove, by their moves."""
        for moves in positions:
            self.spent.setdefault(self.tree.start(moves), 0)

    def add_open(self, positions: Iterable[Moves]) -> bool:
        """Add open positions of a certificate to the tree, each below all positions before it.

        The search then proves them, or finds other moves earlier.  If none is new, those whose
        start is proved without them become starts, or the latest positions before them that the
        search may still prove.  Returns whether anything is new.
        """
        positions, starts, new = [*positions], len(self.spent), False
        for moves in positions:
            self.add_starts([moves[:self.first]])
            for ply in range(len(moves), self.first, -2):
                new |= self.tree.add_answer(moves[:ply])
        if not new and len(self.spent) == starts:
            for moves in positions:
                path = [moves[:ply] for ply in range(len(moves), self.first, -2)]
                if not self.tree.start(moves[:self.first]).pn:
                    self.add_starts([each for each in path
                                     if 0 < self.tree.start(each).pn < NEVER][:1])
        return new or len(self.spent) > starts

    @property
    def open(self) -> list[Node]:
        """The unproved starts."""
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

    def read(self, work: WorkFile, results: deque[Result]) -> None:
        """Add results of a work file, up to the first one for a position outside the tree.

        Raises ValueError if a position of the tree needs a search before that one.
        """
        while results and (node := self.tree.find(results[0][1])):
            start = self.tree.find(results[0][0][:self.first])
            if start not in self.spent:
                break
            self.add(start, node, results.popleft()[2])
        if results and any(start.pn < NEVER for start in self.open):
            raise ValueError(foreign(work, self.total + 1))

    def left(self) -> float:
        """Estimate the remaining work; the unit is a first attack.

        Assumes that new starts take as long as the others, and every position as long as expected.
        """
        begun = [start for start in self.starts if self.spent[start]]
        each = sum(start.pn + self.spent[start] for start in begun) / max(1, len(begun))
        return sum(start.pn for start in begun) + each * (len(self.starts) - len(begun))


def foreign(work: WorkFile, line: int) -> str:
    """Return the complaint about a line of a work file that belongs to another proof."""
    return (f"{work.path}, line {line} does not continue the lines before it, or belongs to "
            "another opening")


def beginnings(board: Board, opening: Moves) -> list[Moves]:
    """Extend an opening until Black is to move; White's nearest answers come first."""
    if len(opening) % 2 == 0:
        return [opening]
    position = position_after(board, opening)
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
                    proof.board, last.path(), last.visits,
                    tuple(branch.point for branch in last.branches), last.other))
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
                        raise RuntimeError(f"{text(proof.board, node.path())}: {result.text}")
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
                f"{proof.tree.proved:,} proved; {text(proof.board, start.path())} has proof number "
                f"{start.pn:,}; "
                f"at least {proof.left() / max(work, 1) * seconds / 3600:.1f} h left")

    with progress() as report:
        yield lambda start: report(len(proof.starts) - len(proof.open), len(proof.starts),
                                   lambda: describe(start))


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--game", type=checked(game_of), default=GOMOKU.game, metavar="NAME",
                        help=f"{', '.join(GAMES)} (default: %(default)s)")
    parser.add_argument("--size", type=checked(size_of), default=GOMOKU.size, metavar="N",
                        help="the points of a side of the board (default: %(default)s)")
    parser.add_argument("--advice", metavar="FILE",
                        help="follow this certificate, of any game on this board or a smaller one, "
                        "where it holds")
    parser.add_argument("--work", metavar="FILE",
                        help="the results so far; a later run continues from FILE and "
                             "FILE.entries (default: gomoku-15.work for Gomoku on 15x15)")
    parser.add_argument("--output", metavar="FILE",
                        help="the certificate of the proof (default: gomoku-15.proof)")
    parser.add_argument("--long", metavar="FILE",
                        help="also write a file with every tree of threats, for a check without "
                        "search")
    parser.add_argument("--opening", metavar="MOVES",
                        help="the opening, moves of both sides (default: the centre)")
    parser.add_argument("--plies", type=checked(whole("plies", LONGEST)), default=LONGEST,
                        metavar="N", help="look for wins that end the game within N plies")
    parser.add_argument("--positions", type=checked(whole("positions", 10**12)), default=10**12,
                        metavar="N", help="stop after N positions, including the work file "
                        "(default: %(default)s)")
    parser.add_argument("--scheduler", metavar="ADDRESS",
                        help="search on the Dask cluster of this scheduler")
    add_processes(parser)


def start(parser: ArgumentParser, options: Namespace, kind: type[Certificate] = Certificate
          ) -> int:
    """Continue the proof and write the certificate, one of this kind."""
    board = Board(options.game, options.size)
    name = f"{board.game.lower()}-{board.size}"
    try:
        advice = advice_of(board, Path(options.advice)) if options.advice else None
        opening = opening_of(board, options.opening)
        proof, path = Proof(board, opening), options.work or f"{name}.work"
        proof.add_starts([] if advice else beginnings(board, opening))
        certificate, entry_file = prove(proof, opening, advice, Path(path), options, kind)
        plies = write(certificate, entry_file, Path(options.output or f"{name}.proof"),
                      Path(options.long) if options.long else None)
    except (OSError, ValueError, RuntimeError) as error:
        parser.error(str(error))
    answers = len({min(proof.tree.hashes(moves)) for moves in beginnings(board, opening)})
    print(f"{answers - len(proof.open)} of {answers} answers to {text(board, opening)} are proved "
          f"to lose: {len(certificate.lines):,} entries"
          + (f"; Black wins in at most {plies} plies" if plies else ""))
    return 0


def prove(proof: Proof, opening: Moves, advice: Optional[Advice], path: Path, options: Namespace,
          kind: type[Certificate] = Certificate) -> tuple[Certificate, EntryFile]:
    """Search until all positions are proved or the number of positions is reached.

    Each round adds the positions that the certificate needs and no search for threats wins, or
    wins that are shorter.
    Returns the certificate and the file of its wins.  Raises OSError, ValueError and RuntimeError.
    """
    work, entry_file = WorkFile(proof.board, path), EntryFile(proof.board, Path(f"{path}.entries"))
    results, tried = deque(work.read()), set[tuple[Moves, int]]()
    with (closing(workers_for(options.scheduler, options.processes)) as workers,
          ProcessPoolExecutor(options.processes, initializer=follow_parent) as pool):
        while True:
            proof.read(work, results)
            if proof.open:
                with search_progress(proof) as report:
                    search(proof, work, workers, report, options.positions)
            certificate = kind(proof.board, proof.tree, opening, options.plies, advice)
            with progress() as report_entries:
                certificate.refute(
                    pool, entry_file, options.long is not None, lambda done, total: report_entries(
                        done, total, lambda: "entries, and more may follow"))
            if not proof.add_open(certificate.open) and not certificate.shorten(pool, tried):
                break
    if results:
        raise ValueError(foreign(work, proof.total + 1))
    return certificate, entry_file


def advice_of(board: Board, path: Path) -> Advice:
    """Read a certificate as advice.  Raises OSError, and ValueError with the name of the file."""
    data = path.read_bytes()
    try:
        return Advice(board, data)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def game_of(name: str) -> str:
    """Return a game of GAMES in its own letters.  Raises ValueError if there is none."""
    for game in GAMES:
        if game.lower() == name.lower():
            return game
    raise ValueError(f"use one of {', '.join(GAMES)}, not {name}")


def size_of(text: str) -> int:
    """Return the size of a board.  Raises ValueError if it is not from SMALLEST to LARGEST."""
    size = whole_number("size", text)
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(f"size must be {SMALLEST} to {LARGEST}")
    return size


def opening_of(board: Board, words: Optional[str]) -> Moves:
    """Return the moves of an opening, by default the centre.

    Raises ValueError if a move is illegal, or if Black does not begin in the centre.
    """
    position = position_after(board, ())
    middle = position.lattice.middle()
    if words is None:
        return middle[:1]
    moves = [names(board).point_of(word) for word in words.split()]
    for word, move in zip(words.split(), moves):
        if not move or move == PASS or position.complaint(position.side, move):
            raise ValueError(f"illegal move in the opening: {word}")
        position.play(position.side, move)
    if not moves or moves[0] not in middle:
        raise ValueError(f"an opening begins in the centre, such as {text(board, middle[:1])}")
    return tuple(move for move in moves if move)
