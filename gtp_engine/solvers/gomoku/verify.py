"""Does Black win after every answer?  A certificate of Gomoku, long or short, checked by the plain
rules of `rules`."""

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
from ..qubic.proof import follow as follow_parent
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

BATCH = 50  # entries that a worker gets at a time
NODES, FAST_NODES = 100_000, 1_000_000  # of a search for threats, and of the engine's


class Entry(NamedTuple):
    """Black's move after these moves, the answers with an entry of their own, and whether Black
    wins after all others: by the trees of the line of a long file, or by a plan, if there is one,
    and threats that are looked for.  Lines are kept as they are, which takes far less memory."""

    moves: tuple[int, ...]
    move: int
    listed: frozenset[int]
    whole: bool
    plan: Optional[Plan] = None
    line: bytes = b""

    def trees(self) -> tuple[dict[int, Tree], Optional[Tree]]:
        """By answer the tree that wins after it, and that after all others, as far as they stand
        there.  Raises CheckFailed if one is damaged."""
        if not self.line:
            return {}, None
        try:
            *_, answers, other = json.loads(self.line)
            return ({number(answer): _tree(*tree) for answer, tree in answers.items()},
                    _tree(*other) if other else None)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            raise CheckFailed("a tree is damaged") from None


def read(path: Path) -> list[Entry]:
    """The entries of a long or short file.  Raises OSError or ValueError."""
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
    """Black's and White's stones.  Raises CheckFailed if a move is illegal or the game is over."""
    sides = [0, 0]
    for ply, move in enumerate(moves):
        if not 0 <= move < ALL.bit_length() or (sides[0] | sides[1]) >> move & 1:
            raise CheckFailed("an illegal move")
        sides[ply % 2] |= 1 << move
        if completed(sides[ply % 2], move):
            raise CheckFailed("the game is over")
    return sides[0], sides[1]


class Checker(NamedTuple):
    """Tries answers in entries.

    won_keys the `positions` of all of them
    every    play every answer inside trees, too
    threats  finds those that do not stand there
    """

    won_keys: set[tuple[int, int]]
    every: bool
    threats: Finder

    def check(self, entry: Entry) -> list[int]:
        """Try every answer in an entry; the plies of the win that was followed after each, or 0
        where an entry follows.

        Raises CheckFailed with the position that fails.
        """
        try:
            return [*check_entry(entry, self.won_keys, self.every, self.threats)]
        except CheckFailed as failure:
            line = " ".join(map(name, (*entry.moves, entry.move)))
            raise type(failure)(f"{line}: {failure}") from None


def positions(found: list[Entry]) -> set[tuple[int, int]]:
    """The keys of the entries where Black wins after every answer.  Raises CheckFailed."""
    return {key(*stones(entry.moves)) for entry in found if entry.whole}


def check_entry(entry: Entry, won_keys: set[tuple[int, int]], every: bool, threats: Finder
                ) -> Iterator[int]:
    """Try every answer to the move of an entry, as Checker does."""
    own, other = stones((*entry.moves, entry.move))
    answers, rest = entry.trees()
    empty = ALL & ~own & ~other
    if not entry.line and not entry.listed.issuperset(bits(empty)):
        rest = (planned(entry.plan, own, other, threats) if entry.plan
                else threats(own, other))
    sound = follow(rest, own, other, every) if rest else 0
    spoilt = zone(rest, own, other) if rest else ALL
    for answer in bits(empty):
        white = other | 1 << answer
        if completed(white, answer):
            raise CheckFailed(f"White wins by {name(answer)}")
        if answer in entry.listed:
            if key(own, white) not in won_keys:
                raise CheckFailed(f"after {name(answer)} there is no entry")
            yield 0
        elif rest and answer not in answers and not spoilt >> answer & 1:
            yield follow(rest, own, white, every) if every else sound
        else:
            tree = answers.get(answer) or (None if entry.line else threats(own, white))
            if not tree and entry.line:
                raise CheckFailed(f"after {name(answer)} there is no tree")
            if not tree:
                raise NotFound(f"no win by threats found after {name(answer)}")
            yield follow(tree, own, white, every)


def fast(nodes: int) -> Finder:
    """The engine's search for threats, within `nodes` nodes; the trees are checked by the plain
    rules all the same."""
    from ...games.lattice import BLACK, WHITE
    from ...players.proofs.win_trees import WinTree
    from .attacks import position_after, threat_search

    empty, search = position_after(()), threat_search()
    points = empty.lattice.points
    numbers = {point: number for number, point in enumerate(points)}

    def tree(found: WinTree) -> Tree:
        return Tree(numbers[found.move], {numbers[answer]: tree(after)
                                          for answer, after in found.answers.items()},
                    tree(found.other) if found.other else None)

    def threats(own: int, other: int) -> Optional[Tree]:
        position = empty.copy()
        position.setup([*((BLACK, points[number]) for number in bits(own)),
                        *((WHITE, points[number]) for number in bits(other))])
        position.set_side(BLACK)
        won = search.win(position, nodes)
        return tree(won[0]) if won else None

    return threats


def checked_entries(found: list[Entry], every: bool, finder: Callable[[], Finder], processes: int
                    ) -> Iterator[tuple[Entry, list[int]]]:
    """Check each whole entry, by several processes; `finder` makes the search of a Checker.

    Raises CheckFailed with the first position that fails.
    """
    questions, won_keys = [entry for entry in found if entry.whole], positions(found)
    with (ProcessPoolExecutor(processes, initializer=_begin,
                              initargs=(won_keys, every, finder)) as pool, progress() as report):
        try:
            for number, (entry, lengths) in enumerate(
                    zip(questions, pool.map(_check, questions, chunksize=BATCH)), 1):
                report(number, len(questions), lambda: "positions")
                yield entry, lengths
        finally:
            pool.shutdown(cancel_futures=True)


_checkers: list[Checker] = []  # that of this process


def _begin(won_keys: set[tuple[int, int]], every: bool, finder: Callable[[], Finder]) -> None:
    follow_parent()
    _checkers.append(Checker(won_keys, every, finder()))


def _check(entry: Entry) -> list[int]:
    return _checkers[0].check(entry)


def longest(followed: list[tuple[Entry, int]]) -> dict[tuple[int, ...], int]:
    """The plies to the end of the game after the moves of each entry, from the longest win that was
    followed in it."""
    found, by_key = dict[tuple[int, ...], int](), dict[tuple[int, int], int]()
    for entry, plies in sorted(followed, key=lambda each: -len(each[0].moves)):
        own, other = stones((*entry.moves, entry.move))
        after = [by_key[key(own, other | 1 << answer)] for answer in entry.listed]
        found[entry.moves] = by_key[key(*stones(entry.moves))] = 2 + max([plies, *after])
    return found


def add_options(parser: ArgumentParser) -> None:
    """What the command line may say."""
    parser.add_argument("file", nargs="?", default=FILE, metavar="FILE",
                        help="the certificate, long or short (default: that of the engine)")
    parser.add_argument("--every", action="store_true",
                        help="play every answer inside trees of threats, too")
    parser.add_argument("--fast", action="store_true",
                        help="look for threats that are not in the file with the engine's search; "
                        "the plain rules check its results all the same")
    parser.add_argument("--nodes", type=checked(whole("nodes", 10**9)), metavar="N",
                        help="positions that each search for threats that are not in the file "
                        f"looks at (default: {NODES}, with --fast {FAST_NODES})")
    add_processes(parser)


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Check a certificate; the exit status is 1 if it fails."""
    finder = (partial(fast, options.nodes or FAST_NODES) if options.fast
              else partial(partial, find, nodes=options.nodes or NODES))
    answers, followed = 0, list[tuple[Entry, int]]()
    try:
        found = read(Path(options.file))
        for entry, lengths in checked_entries(found, options.every, finder, options.processes):
            answers += len(lengths)
            followed.append((entry, max(lengths)))
        plies = longest(followed)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    except NotFound as failure:
        print(f"the proof is not shown: {failure}; "
              "more --nodes, --fast or the long file may show it")
        return 1
    except CheckFailed as failure:
        print(f"the proof fails: {failure}")
        return 1
    print(f"All holds: {len(followed):,} of {len(found):,} positions are won, {answers:,} answers "
          f"tried; the longest win takes {max(plies.values(), default=0)} plies.")
    if () in plies:
        print("Black wins from the empty board.")
    return 0
