"""Check that Black wins a game after every answer, by a certificate: a long or a short file.

A short file is checked by compiled kernels, see `compiled`; a long file, or either one with an
option, by the plain rules of `rules`.
"""

import json
import time
from argparse import ArgumentParser, Namespace
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Optional, Protocol, Sequence

from ...command_line.options import add_processes, checked
from ...kernels import load
from ...players.options import whole
from ..progress import progress
from ..qubic.proof import follow_parent
from . import compiled, entries as gomoku_entries
from .entries import NO_STONE, THREATS, Board, shipped
from .rules import LARGEST, CheckFailed, Finder, NotFound, Plan, Rules, Tree, bits, rules_of

BATCH = 50  # entries per task of a worker
NODES, FAST_NODES = 100_000, 4_000_000  # limits of the plain threat search and the compiled one


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

    def trees(self, rules: Rules) -> tuple[dict[int, Tree], Optional[Tree]]:
        """Return the trees of the line: by answer, and after all other answers.

        Raises CheckFailed if a tree is damaged.
        """
        if not self.line:
            return {}, None
        try:
            *_, answers, other = json.loads(self.line)
            return ({rules.number(answer): _tree(rules, *tree) for answer, tree in answers.items()},
                    _tree(rules, *other) if other else None)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            raise CheckFailed("a tree is damaged") from None


class Certificate(NamedTuple):
    """The entries of a file, and the rules of its game."""

    rules: Rules
    entries: list[Entry]


def read(data: bytes) -> Certificate:
    """Read a long or short file.  Raises ValueError."""
    if not _is_long(data):
        rules, short = read_short(data)
        return Certificate(rules, _short(short))
    first, _, lines = data.partition(b"\n")
    try:
        header = str(json.loads(first)).encode()
    except ValueError:
        header = b""
    rules = _rules_of(gomoku_entries.board_of(header))
    try:
        return Certificate(rules, [_entry(rules, line) for line in lines.splitlines()])
    except (ValueError, TypeError, KeyError, IndexError):
        raise ValueError("it is damaged") from None


def read_short(data: bytes) -> tuple[Rules, list[gomoku_entries.Entry]]:
    """Read the rules and the entries of a short file.  Raises ValueError."""
    return _rules_of(gomoku_entries.board_of(data)), gomoku_entries.entries(data)


def _is_long(data: bytes) -> bool:
    return data[:1] in (b"[", b'"')


def _rules_of(board: Board) -> Rules:
    return rules_of(board.game, board.size)


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


def _entry(rules: Rules, line: bytes) -> Entry:
    moves, move, listed, is_whole, *_ = json.loads(line)
    return Entry(tuple(map(rules.number, moves.split())), rules.number(move),
                 frozenset(map(rules.number, listed.split())), is_whole, line=line)


def _tree(rules: Rules, move: str, answers: Mapping[str, Any] = {}, other: Any = None) -> Tree:
    return Tree(rules.number(move), {rules.number(answer): _tree(rules, *tree)
                                     for answer, tree in answers.items()},
                _tree(rules, *other) if other else None)


class Checker(NamedTuple):
    """A check of entries.

    rules     the rules of the game
    won_keys  the `positions` of all entries
    every     play every answer inside trees, too
    threats   searches for threats that the file does not list
    """

    rules: Rules
    won_keys: set[tuple[int, int]]
    every: bool
    threats: Finder

    def check(self, entry: Entry) -> list[int]:
        """Try every answer to an entry; return the plies of each win, 0 if an entry follows.

        Raises CheckFailed with the position that fails.
        """
        try:
            return [*check_entry(entry, *self)]
        except CheckFailed as failure:
            line = " ".join(map(self.rules.name, (*entry.moves, entry.move)))
            raise type(failure)(f"{line}: {failure}") from None


def positions(rules: Rules, listed: list[Entry]) -> set[tuple[int, int]]:
    """Return the keys of the entries where Black wins after every answer.  Raises CheckFailed."""
    return {rules.key(*rules.stones(entry.moves)) for entry in listed if entry.whole}


def check_entry(entry: Entry, rules: Rules, won_keys: set[tuple[int, int]], every: bool,
                threats: Finder) -> Iterator[int]:
    """Try every answer to the move of an entry; see Checker."""
    own, other = rules.stones((*entry.moves, entry.move))
    answers, rest = entry.trees(rules)
    empty = rules.all & ~own & ~other
    if not entry.line and not entry.listed.issuperset(bits(empty)):
        rest = (rules.planned(entry.plan, own, other, threats) if entry.plan
                else threats(own, other))
    plies = rules.follow(rest, own, other, every) if rest else 0
    spoilers = rules.zone(rest, own, other) if rest else rules.all
    for answer in bits(empty):
        white = other | 1 << answer
        if rules.completed(white, answer):
            raise CheckFailed(f"White wins by {rules.name(answer)}")
        if answer in entry.listed:
            if rules.key(own, white) not in won_keys:
                raise CheckFailed(f"after {rules.name(answer)} there is no entry")
            yield 0
        elif rest and answer not in answers and not spoilers >> answer & 1:
            yield rules.follow(rest, own, white, every) if every else plies
        else:
            tree = answers.get(answer) or (None if entry.line else threats(own, white))
            if not tree and entry.line:
                raise CheckFailed(f"after {rules.name(answer)} there is no tree")
            if not tree:
                raise NotFound(f"no win by threats found after {rules.name(answer)}")
            yield rules.follow(tree, own, white, every)


def slow(rules: Rules, nodes: int) -> Finder:
    """Return the plain threat search, with `nodes` nodes."""
    return partial(rules.find, nodes=nodes)


def fast(rules: Rules, nodes: int) -> Finder:
    """Return the compiled threat search, with `nodes` nodes; the plain rules check its trees."""
    return partial(compiled.Threats(rules).tree, nodes=nodes)


class _Check(Protocol):
    # A check of entries: Checker, or that of `compiled`.

    def check(self, entry: Any) -> Any:
        """Try every answer to an entry.  Raises CheckFailed."""


def _plain(rules: Rules, won_keys: set[tuple[int, int]], every: bool,
           finder: Callable[[Rules], Finder]) -> _Check:
    return Checker(rules, won_keys, every, finder(rules))


def checked_entries(listed: Sequence[Any], make: Callable[[], _Check], processes: int
                    ) -> Iterator[tuple[Any, Any]]:
    """Check entries in several processes; yield each with the result of its check.

    `make` creates the check in each process.  Raises CheckFailed with the first position that
    fails.
    """
    with (ProcessPoolExecutor(processes, initializer=_begin, initargs=(make,)) as pool,
          progress() as report):
        begun = time.monotonic()
        try:
            for number, (entry, result) in enumerate(
                    zip(listed, pool.map(_check, listed, chunksize=BATCH)), 1):
                report(number, len(listed), lambda: "positions, " + _remaining(
                    (time.monotonic() - begun) * (len(listed) / number - 1)))
                yield entry, result
        finally:
            pool.shutdown(cancel_futures=True)


def _remaining(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"about {minutes} minutes left" if minutes > 1 else "about a minute left"


_checks: list[_Check] = []  # the check of this process


def _begin(make: Callable[[], _Check]) -> None:
    follow_parent()
    _checks.append(make())


def _check(entry: Any) -> Any:
    return _checks[0].check(entry)


def longest(rules: Rules, followed: list[tuple[Entry, int]]) -> dict[tuple[int, ...], int]:
    """Compute the plies to the end of the game after each entry, from its own longest win."""
    plies_of, by_key = dict[tuple[int, ...], int](), dict[tuple[int, int], int]()
    for entry, plies in sorted(followed, key=lambda each: -len(each[0].moves)):
        own, other = rules.stones((*entry.moves, entry.move))
        after = [by_key[rules.key(own, other | 1 << answer)] for answer in entry.listed]
        plies_of[entry.moves] = 2 + max([plies, *after])
        by_key[rules.key(*rules.stones(entry.moves))] = plies_of[entry.moves]
    return plies_of


class Result(NamedTuple):
    """The result of a check.

    positions  the number of complete entries, all won
    answers    the number of White's answers to them
    plies      the plies of the longest win
    begins     does Black win from the empty board?
    """

    positions: int
    answers: int
    plies: int
    begins: bool


def plain_result(proof: Certificate, every: bool, finder: Callable[[Rules], Finder],
                 processes: int) -> Result:
    """Check a certificate by the plain rules.  Raises CheckFailed."""
    answers, followed = 0, list[tuple[Entry, int]]()
    make = partial(_plain, proof.rules, positions(*proof), every, finder)
    for entry, lengths in checked_entries([entry for entry in proof.entries if entry.whole], make,
                                          processes):
        answers += len(lengths)
        followed.append((entry, max(lengths)))
    plies = longest(proof.rules, followed)
    return Result(len(followed), answers, max(plies.values(), default=0), () in plies)


def compiled_result(rules: Rules, listed: list[gomoku_entries.Entry], nodes: int, processes: int
                    ) -> Result:
    """Check the entries of a short file by the compiled kernels.  Raises CheckFailed."""
    load(compiled.calls_of_check())
    whole = compiled.complete(listed)
    make = partial(compiled.Checker, rules, compiled.plans_of(listed),
                   compiled.plies_of(rules, whole), nodes)
    answers = sum(tried for _, tried in checked_entries(whole, make, processes))
    return Result(len(whole), answers, max((entry.plies for entry in whole), default=0),
                  any(not entry.moves for entry in whole))


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    default = gomoku_entries.GOMOKU
    parser.add_argument("file", nargs="?", metavar="FILE",
                        help="the certificate, long or short (default: one of the package)")
    parser.add_argument("--game", metavar="NAME", help="check the package's proof of this game "
                        f"(default: {default.game})")
    parser.add_argument("--size", type=checked(whole("size", LARGEST)), metavar="N",
                        help=f"check its proof on this board (default: {default.size})")
    parser.add_argument("--plain", action="store_true",
                        help="check a short file by slow, plain Python alone, too")
    parser.add_argument("--fast", action="store_true",
                        help="check a short file by the plain rules, but use the compiled search "
                        "for threats; the plain rules follow the trees that it finds")
    parser.add_argument("--every", action="store_true",
                        help="play every answer inside trees of threats, too, by the plain rules")
    parser.add_argument("--nodes", type=checked(whole("nodes", 10**9)), metavar="N",
                        help="positions per search for threats that the file does not list "
                        f"(default: {FAST_NODES}, or {NODES} by plain Python)")
    add_processes(parser)


def _path(options: Namespace) -> Path:
    # The file to check.  Raises ValueError if the options name none.
    if options.file is not None:
        if options.game is not None or options.size is not None:
            raise ValueError("a file has its own game and size: omit --game and --size")
        return Path(options.file)
    default = gomoku_entries.GOMOKU
    board, boards = Board(options.game or default.game, options.size or default.size), shipped()
    same = [each for each in boards if each.header().lower() == board.header().lower()]
    if not same:
        raise ValueError(f"the package has no proof of {board}, but of "
                         f"{', '.join(map(str, boards))}")
    return same[0].path()


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Check a certificate; the exit status is 1 if it fails."""
    plain = options.plain or options.fast or options.every
    try:
        path = _path(options)
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        parser.error(str(error))
    try:
        if plain or _is_long(data):
            proof = read(data)
            rules, entries = proof.rules, len(proof.entries)
            finder = (partial(fast, nodes=options.nodes or FAST_NODES) if options.fast
                      else partial(slow, nodes=options.nodes or NODES))
            result = plain_result(proof, options.every, finder, options.processes)
        else:
            rules, short = read_short(data)
            entries = sum(NO_STONE not in entry.moves for entry in short)
            result = compiled_result(rules, short, options.nodes or FAST_NODES, options.processes)
    except ValueError as error:
        parser.error(f"{path}: {error}")
    except NotFound as failure:
        print(f"the check is incomplete: {failure}; "
              "try more --nodes, --fast or the long file")
        return 1
    except CheckFailed as failure:
        print(f"the proof fails: {failure}")
        return 1
    print(f"{'All holds' if result.positions == entries else 'The proof holds'}: "
          f"{result.positions:,} of {entries:,} positions are won, {result.answers:,} answers "
          f"tried; the longest win takes {result.plies} plies.")
    if result.begins:
        print(f"Black wins {Board(rules.game, rules.size)} from the empty board.")
    return 0
