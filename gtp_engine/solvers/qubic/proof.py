"""The proof that the first player wins 4x4x4, and the resulting strategy.

The first stone goes on a corner.  The program refutes the replies one by one, symmetric replies
once.  A proof-number search tries the first player's most promising quiet moves; each leaf is a
threat search.
"""

import json
import os
import signal
import threading
from argparse import ArgumentParser, Namespace
from multiprocessing import Pool, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np

from ...command_line.options import add_processes
from ...games import catalogue
from ...games.lattice import BLACK
from ...games.rules import Position
from ...kernels.lines.board import LineBoard, canonical, make, unmake
from ...kernels.lines.threats import first_threat
from ...players.adapters import line_board_of
from ...players.arrays import packed
from ...players.proofs import qubic as strategy
from ...players.proofs.lines import ProofSearch, threat_win
from ...wire.files import finished_lines, write_file

WIDTH = 16  # quiet moves of the first player to try; 8 give no proof
TABLE_BITS = 21
NO_LIMIT = 1 << 60
FIRST = 0  # the number of the point of the first move


class Entry(NamedTuple):
    """The first player's move in a position, and the positions after it that need an entry."""

    move: int
    next: list[strategy.Key]


Entries = dict[strategy.Key, Entry]


class Proof(NamedTuple):
    """The refutation of a reply: entries of the strategy, and the work of the search."""

    reply: int
    start: strategy.Key  # the position after the reply
    entries: Entries
    expanded: int  # moves of the proof-number search
    threats: int  # nodes of the threat searches


def replies() -> list[int]:
    """Return the distinct replies to the first stone, by point number."""
    position = opened()
    classes: dict[int, int] = {}
    for point in position.legal_moves():
        position.play(position.side, point)
        key = int(canonical(line_board_of(position, 0), 0, 0))
        classes.setdefault(key, position.lattice.points.index(point))
        position.undo()
    return sorted(classes.values())


def opened() -> Position:
    """Return the position after the first stone."""
    position = catalogue.start(catalogue.QUBIC, catalogue.QUBIC.default_size)
    position.play(BLACK, position.lattice.points[FIRST])
    return position


def refute(reply: int) -> Proof:
    """Prove that the first player wins after a reply."""
    position = opened()
    position.play(position.side, position.lattice.points[reply])
    board, entries = line_board_of(position, TABLE_BITS), Entries()
    extraction = _Extraction(board, entries)
    start = extraction.visit(0)
    return Proof(reply, start, entries, *extraction.proofs.nodes())


class _Extraction:
    # Visits every position that can arise while the first player follows the proof.

    def __init__(self, board: LineBoard, entries: Entries):
        self.board, self.entries = board, entries
        self.proofs = ProofSearch(board, NO_LIMIT, WIDTH)
        self.probe = line_board_of(opened(), 0, symmetric=False)
        self.table = strategy.Strategy(*(np.zeros(0, np.uint64),) * 3)
        self.number = {int(point): i for i, point in enumerate(board.points)}

    def visit(self, ply: int) -> strategy.Key:
        """Add the entries of the position and of all positions after it; return its key."""
        board = self.board
        key, symmetry = self.table.canonical(board.cells[board.points])
        if key in self.entries:
            return key
        move, following = self.winning_move(), set()
        make(board, ply, move, 0)
        for reply in [int(point) for point in board.points if board.cells[point] == 0]:
            make(board, ply + 1, reply, 1)
            if not self.is_leaf():
                following.add(self.visit(ply + 2))
            unmake(board, ply + 1, reply, 1)
        unmake(board, ply, move, 0)
        image = int(np.flatnonzero(symmetry == self.number[move])[0])
        self.entries[key] = Entry(image, sorted(following))
        return key

    def winning_move(self) -> int:
        """Return a winning move."""
        if threat_win(self.board, 0, NO_LIMIT):
            return int(first_threat(self.board))
        result = self.proofs.prove(0, 0, NO_LIMIT)
        if not result.won:
            raise RuntimeError(f"no win with {WIDTH} moves")
        return result.best

    def is_leaf(self) -> bool:
        """Return whether a player without the table wins by a short threat search."""
        cells = self.board.cells[self.board.points]
        self.table.set_up(cells, self.table.canonical(cells)[1], self.probe)
        self.probe.failed.fill(0)
        return bool(threat_win(self.probe, 0, strategy.THREATS))


def solve_qubic(output: Path, work: Path, processes: int, report: Callable[[str], None]) -> None:
    """Write the strategy of the first player to `output`.

    Stores each refuted reply as a line of `work`, and skips the replies that `work` contains.
    Calls `report` with a line for each reply.  Raises OSError if a file cannot be read or written,
    ValueError if `work` is no work file.
    """
    for path in (output, work):
        with path.open("ab"):
            pass
    proofs = read_work(work)
    todo = [reply for reply in replies() if reply not in proofs]
    count = len(todo) + len(proofs)
    report(f"{len(proofs)} of {count} replies are refuted")
    with Pool(processes, follow_parent) as pool, work.open("a") as file:
        for proof in pool.imap_unordered(refute, todo):
            json.dump({"reply": proof.reply, "start": proof.start, "entries": [
                [*key, *entry] for key, entry in proof.entries.items()]}, file)
            file.write("\n")
            file.flush()
            proofs[proof.reply] = proof
            report(f"{len(proofs)} of {count} replies are refuted; this one took "
                   f"{proof.expanded:,} moves, {proof.threats:,} nodes of threat searches and "
                   f"{len(proof.entries):,} positions")
    entries = {key: entry for proof in proofs.values() for key, entry in proof.entries.items()}
    entries[0, 0] = Entry(FIRST, [proof.start for proof in proofs.values()])
    reached, waiting = set(), [(0, 0)]
    while waiting:
        key = waiting.pop()
        if key not in reached:
            reached.add(key)
            waiting += entries[key].next
    keys = sorted(reached)
    own, other = np.array(keys, np.uint64).T
    write_file(output, packed(own=own, enemy=other,
                              move=np.array([entries[key].move for key in keys], np.uint8)))
    report(f"{len(keys):,} positions in {output}, {output.stat().st_size:,} bytes")


def read_work(work: Path) -> dict[int, Proof]:
    """Read the stored proofs by reply; remove an unfinished last line from the file.

    Raises OSError or ValueError.
    """
    proofs: dict[int, Proof] = {}
    for number, line in enumerate(finished_lines(work), 1):
        try:
            data = json.loads(line)
            entries = {(own, other): Entry(move, [(a, b) for a, b in following])
                       for own, other, move, following in data["entries"]}
            start = data["start"][0], data["start"][1]
            proofs[data["reply"]] = Proof(data["reply"], start, entries, 0, 0)
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            raise ValueError(f"{work}, line {number} is no refuted reply") from None
    return proofs


def follow_parent() -> None:
    """Tie a worker process to its parent: it ignores interrupts and ends with the parent."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=watch, daemon=True).start()


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--output", default="qubic.npz", metavar="FILE",
                        help="the table to write (default: %(default)s)")
    parser.add_argument("--work", default="qubic.jsonl", metavar="FILE",
                        help="the proofs so far; a later run continues from FILE "
                             "(default: %(default)s)")
    add_processes(parser)


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Prove 4x4x4 and write the strategy."""
    try:
        solve_qubic(Path(options.output), Path(options.work), options.processes,
                    lambda line: print(line, flush=True))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    return 0
