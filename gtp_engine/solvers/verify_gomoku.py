"""Does Black win after every answer?  A certificate of Gomoku, long or short, checked by the plain
rules of `gomoku_rules`."""

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Iterator, NamedTuple, Optional

from ..command_line import checked
from ..players.options import whole
from .gomoku_bytes import entries
from .gomoku_rules import (
    ALL,
    CheckFailed,
    Tree,
    bits,
    completed,
    find,
    follow,
    key,
    name,
    number,
    zone,
)


class Entry(NamedTuple):
    """Black's move after these moves, the answers with an entry of their own, and whether threats
    refute all others: by `answers` and `other`, if they stand there."""

    moves: tuple[int, ...]
    move: int
    listed: frozenset[int]
    whole: bool
    answers: dict[int, Tree]
    other: Optional[Tree]


def read(path: Path) -> list[Entry]:
    """The entries of a long or short file.  Raises OSError or ValueError."""
    data = path.read_bytes()
    if not data.startswith(b"["):
        return [Entry(entry.moves, entry.move, frozenset(answer for answer, _ in entry.answers),
                      entry.plies > 0, {}, None) for entry in entries(data)]
    try:
        return [*map(_entry, data.splitlines())]
    except (ValueError, TypeError, KeyError, IndexError):
        raise ValueError(f"not a certificate: {path}") from None


def _entry(line: bytes) -> Entry:
    moves, move, listed, is_whole, answers, other = json.loads(line)
    return Entry(tuple(map(number, moves.split())), number(move),
                 frozenset(map(number, listed.split())), is_whole,
                 {number(answer): _tree(tree) for answer, tree in answers.items()},
                 other and _tree(other))


def _tree(listed: list) -> Tree:  # type: ignore[type-arg]
    if len(listed) == 1:
        return [number(listed[0])]
    move, answers, other = listed
    return [number(move), {number(answer): _tree(tree) for answer, tree in answers.items()},
            _tree(other)]


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


def check(found: list[Entry], every: bool, nodes: int) -> Iterator[int]:
    """Try every answer in every whole entry; yields how many were tried, and the longest win.

    Raises CheckFailed with the position that fails.
    """
    known = {key(*stones(entry.moves)) for entry in found if entry.whole}
    for entry in found:
        if entry.whole:
            try:
                yield from check_entry(entry, known, every, nodes)
            except CheckFailed as failure:
                line = " ".join(map(name, (*entry.moves, entry.move)))
                raise CheckFailed(f"{line}: {failure}") from None


def check_entry(entry: Entry, known: set[tuple[int, int]], every: bool, nodes: int
                ) -> Iterator[int]:
    """Try every answer to the move of an entry; yields the plies of each win by threats."""
    own, other = stones((*entry.moves, entry.move))
    rest = entry.other or find(own, other, nodes)
    sound = follow(rest, own, other, every) if rest else 0
    spoilt = ALL if every or not rest else zone(rest, own, other)
    for answer in bits(ALL & ~own & ~other):
        white = other | 1 << answer
        if completed(white, answer):
            raise CheckFailed(f"White wins by {name(answer)}")
        if answer in entry.listed:
            if key(own, white) not in known:
                raise CheckFailed(f"after {name(answer)} there is no entry")
            yield 0
        elif answer not in entry.answers and not spoilt >> answer & 1:
            yield sound
        else:
            tree = entry.answers.get(answer) or find(own, white, nodes)
            if not tree:
                raise CheckFailed(f"no win by threats after {name(answer)}")
            yield follow(tree, own, white, every)


def add_options(parser: ArgumentParser) -> None:
    """What the command line may say."""
    parser.add_argument("file", metavar="FILE", help="the certificate, long or short")
    parser.add_argument("--every", action="store_true",
                        help="play every answer inside trees of threats, too")
    parser.add_argument("--nodes", type=checked(whole("nodes", 10**9)), default=100_000,
                        metavar="N", help="positions that each search for threats that are not in "
                        "the file looks at (default: %(default)s)")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Check a certificate; the exit status is 1 if it fails."""
    try:
        found = read(Path(options.file))
        lengths = list(check(found, options.every, options.nodes))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    except CheckFailed as failure:
        print(f"the proof fails: {failure}")
        return 1
    count = sum(entry.whole for entry in found)
    print(f"All holds: {count:,} of {len(found):,} positions are won, {len(lengths):,} answers "
          f"tried; the longest win by threats takes {max(lengths, default=0)} plies.")
    return 0
