"""Check by the plain rules of `rules` that Black wins after every answer.

The certificate of Gomoku is a long or a short file.
"""

import json
from argparse import ArgumentParser, Namespace
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Optional

from ...command_line.options import add_processes, checked
from ...kernels.plane.proof_file import THREATS
from ...players.options import whole
from ...players.proofs.gomoku import FILE, NO_STONE
from ..progress import progress
from ..qubic.proof import follow_parent
from . import entries as gomoku_entries
from .rules import (
    ALL,
    CheckFailed,
    Finder,
    NotFound,
    Plan,
    Tree,
    bits,
    completed,
    find,
    follow,
    key,
    name,
    number,
    planned,
    zone,
)

BATCH = 50  # entries per task of a worker
NODES, FAST_NODES = 100_000, 1_000_000  # limits of the plain threat search and the engine's


class Entry(NamedTuple):
    """A position of the certificate.

    moves   the moves that lead to it
    move    Black's move
    listed  the answers with an entry of their own
    whole   does Black win after all other answers?
    plan    the plan after a pass, from a short file
    line    the line of a long file; unparsed, since trees take far more memory
    """

    moves: tuple[int, ...]
    move: int
    listed: frozenset[int]
    whole: bool
    plan: Optional[Plan] = None
    line: bytes = b""

    def trees(self) -> tuple[dict[int, Tree], Optional[Tree]]:
        """Return the trees of the line: by answer, and after all other answers.

        Raises CheckFailed if a tree is damaged.
        """
        if not self.line:
            return {}, None
        try:
            *_, answers, other = json.loads(self.line)
            return ({number(answer): _tree(*tree) for answer, tree in answers.items()},
                    _tree(*other) if other else None)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            raise CheckFailed("a tree is damaged") from None


def read(path: Path) -> list[Entry]:
    """Read the entries of a long or short file.  Raises OSError or ValueError."""
    data = path.read_bytes()
    if not data.startswith(b"["):
        return _short(gomoku_entries.entries(data))
    try:
        return [*map(_entry, data.splitlines())]
    except (ValueError, TypeError, KeyError, IndexError):
        raise ValueError(f"not a certificate: {path}") from None


def _short(listed: list[gomoku_entries.Entry]) -> list[Entry]:
    by_moves = {entry.moves: entry for entry in listed}

    def plan(moves: tuple[int, ...]) -> Optional[Plan]:
        entry = by_moves.get(moves)
        if not entry:
            return None
        after = (*moves, entry.move)
        return Plan(entry.move, {answer: plan((*after, answer)) for answer in entry.answers
                                 if answer != NO_STONE}, plan((*after, NO_STONE)))

    return [Entry(entry.moves, entry.move,
                  frozenset(answer for answer, mark in entry.answers.items()
                            if answer != NO_STONE and mark != THREATS),
                  entry.plies > 0, plan((*entry.moves, entry.move, NO_STONE)))
            for entry in listed if NO_STONE not in entry.moves]


def _entry(line: bytes) -> Entry:
    moves, move, listed, is_whole, *_ = json.loads(line)
    return Entry(tuple(map(number, moves.split())), number(move),
                 frozenset(map(number, listed.split())), is_whole, line=line)


def _tree(move: str, answers: Mapping[str, Any] = {}, other: Any = None) -> Tree:
    return Tree(number(move), {number(answer): _tree(*tree) for answer, tree in answers.items()},
                _tree(*other) if other else None)


def stones(moves: tuple[int, ...]) -> tuple[int, int]:
    """Return Black's and White's stones.

    Raises CheckFailed if a move is illegal or the game is over.
    """
    sides = [0, 0]
    for ply, move in enumerate(moves):
        if not 0 <= move < ALL.bit_length() or (sides[0] | sides[1]) >> move & 1:
            raise CheckFailed("an illegal move")
        sides[ply % 2] |= 1 << move
        if completed(sides[ply % 2], move):
            raise CheckFailed("the game is over")
    return sides[0], sides[1]


class Checker(NamedTuple):
    """A check of entries.

    won_keys  the `positions` of all entries
    every     play every answer inside trees, too
    threats   searches for threats that the file does not list
    """

    won_keys: set[tuple[int, int]]
    every: bool
    threats: Finder

    def check(self, entry: Entry) -> list[int]:
        """Try every answer to an entry; return the plies of each win, 0 if an entry follows.

        Raises CheckFailed with the position that fails.
        """
        try:
            return [*check_entry(entry, self.won_keys, self.every, self.threats)]
        except CheckFailed as failure:
            line = " ".join(map(name, (*entry.moves, entry.move)))
            raise type(failure)(f"{line}: {failure}") from None


def positions(listed: list[Entry]) -> set[tuple[int, int]]:
    """Return the keys of the entries where Black wins after every answer.  Raises CheckFailed."""
    return {key(*stones(entry.moves)) for entry in listed if entry.whole}


def check_entry(entry: Entry, won_keys: set[tuple[int, int]], every: bool, threats: Finder
                ) -> Iterator[int]:
    """Try every answer to the move of an entry; see Checker."""
    own, other = stones((*entry.moves, entry.move))
    answers, rest = entry.trees()
    empty = ALL & ~own & ~other
    if not entry.line and not entry.listed.issuperset(bits(empty)):
        rest = (planned(entry.plan, own, other, threats) if entry.plan
                else threats(own, other))
    plies = follow(rest, own, other, every) if rest else 0
    spoilers = zone(rest, own, other) if rest else ALL
    for answer in bits(empty):
        white = other | 1 << answer
        if completed(white, answer):
            raise CheckFailed(f"White wins by {name(answer)}")
        if answer in entry.listed:
            if key(own, white) not in won_keys:
                raise CheckFailed(f"after {name(answer)} there is no entry")
            yield 0
        elif rest and answer not in answers and not spoilers >> answer & 1:
            yield follow(rest, own, white, every) if every else plies
        else:
            tree = answers.get(answer) or (None if entry.line else threats(own, white))
            if not tree and entry.line:
                raise CheckFailed(f"after {name(answer)} there is no tree")
            if not tree:
                raise NotFound(f"no win by threats found after {name(answer)}")
            yield follow(tree, own, white, every)


def fast(nodes: int) -> Finder:
    """Return the engine's threat search, with `nodes` nodes; the plain rules check its trees."""
    from ...games.lattice import BLACK, WHITE
    from ...players.proofs.win_trees import WinTree
    from .attacks import position_after, threat_search

    empty, search = position_after(()), threat_search()
    points = empty.lattice.points
    numbers = {point: number for number, point in enumerate(points)}

    def plain(tree: WinTree) -> Tree:
        return Tree(numbers[tree.move], {numbers[answer]: plain(after)
                                         for answer, after in tree.answers.items()},
                    plain(tree.other) if tree.other else None)

    def threats(own: int, other: int) -> Optional[Tree]:
        position = empty.copy()
        position.setup([*((BLACK, points[number]) for number in bits(own)),
                        *((WHITE, points[number]) for number in bits(other))])
        position.set_side(BLACK)
        win = search.win(position, nodes)
        return plain(win[0]) if win else None

    return threats


def checked_entries(listed: list[Entry], every: bool, finder: Callable[[], Finder],
                    processes: int) -> Iterator[tuple[Entry, list[int]]]:
    """Check each whole entry in several processes; `finder` creates the search of a Checker.

    Raises CheckFailed with the first position that fails.
    """
    questions, won_keys = [entry for entry in listed if entry.whole], positions(listed)
    with (ProcessPoolExecutor(processes, initializer=_begin,
                              initargs=(won_keys, every, finder)) as pool, progress() as report):
        try:
            for number, (entry, lengths) in enumerate(
                    zip(questions, pool.map(_check, questions, chunksize=BATCH)), 1):
                report(number, len(questions), lambda: "positions")
                yield entry, lengths
        finally:
            pool.shutdown(cancel_futures=True)


_checkers: list[Checker] = []  # the checker of this process


def _begin(won_keys: set[tuple[int, int]], every: bool, finder: Callable[[], Finder]) -> None:
    follow_parent()
    _checkers.append(Checker(won_keys, every, finder()))


def _check(entry: Entry) -> list[int]:
    return _checkers[0].check(entry)


def longest(followed: list[tuple[Entry, int]]) -> dict[tuple[int, ...], int]:
    """Compute the plies to the end of the game after each entry, from its own longest win."""
    plies_of, by_key = dict[tuple[int, ...], int](), dict[tuple[int, int], int]()
    for entry, plies in sorted(followed, key=lambda each: -len(each[0].moves)):
        own, other = stones((*entry.moves, entry.move))
        after = [by_key[key(own, other | 1 << answer)] for answer in entry.listed]
        plies_of[entry.moves] = by_key[key(*stones(entry.moves))] = 2 + max([plies, *after])
    return plies_of


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", nargs="?", default=FILE, metavar="FILE",
                        help="the certificate, long or short (default: the engine's)")
    parser.add_argument("--every", action="store_true",
                        help="play every answer inside trees of threats, too")
    parser.add_argument("--fast", action="store_true",
                        help="use the engine's search for threats that the file does not list; "
                        "the plain rules still check its results")
    parser.add_argument("--nodes", type=checked(whole("nodes", 10**9)), metavar="N",
                        help="positions per search for threats that the file does not list "
                        f"(default: {NODES}, with --fast {FAST_NODES})")
    add_processes(parser)


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Check a certificate; the exit status is 1 if it fails."""
    finder = (partial(fast, options.nodes or FAST_NODES) if options.fast
              else partial(partial, find, nodes=options.nodes or NODES))
    answers, followed = 0, list[tuple[Entry, int]]()
    try:
        listed = read(Path(options.file))
        for entry, lengths in checked_entries(listed, options.every, finder, options.processes):
            answers += len(lengths)
            followed.append((entry, max(lengths)))
        plies = longest(followed)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    except NotFound as failure:
        print(f"the check is incomplete: {failure}; "
              "try more --nodes, --fast or the long file")
        return 1
    except CheckFailed as failure:
        print(f"the proof fails: {failure}")
        return 1
    print(f"The proof holds: {len(followed):,} of {len(listed):,} positions are won, "
          f"{answers:,} answers tried; the longest win takes {max(plies.values(), default=0)} "
          "plies.")
    if () in plies:
        print("Black wins from the empty board.")
    return 0
