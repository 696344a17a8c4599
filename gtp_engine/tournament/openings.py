"""Moves that are made before a game begins: from a file, or made here."""

import re
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Iterator, Optional, cast

from ..command_line.terminal import print_notes
from ..games import catalogue
from ..games.lattice import PASS, Size, sides, size_text
from ..games.opening_rules import NAMED_OPENINGS, opening_points
from ..games.rules import IllegalMove, Position, Rules
from ..games.tree import ROOT
from ..players.base import AnalysingPlayer, Limits, Settings
from ..players.openings.balanced import JUDGE_NODES, even_opening, judge
from ..players.registry import make_player
from ..records.collection import SUFFIX, Collection
from ..records.reader import game_files, read_named
from ..records.record import Record
from ..wire.notation import GtpPoints, yixin_name

NONE, EVEN, RENJU26 = "none", "even", "renju26"
SCORE = 60  # of a short search, that an even opening gives to neither side: odds of 4 to 3
TRIES = 100  # to find one
MOST_GAMES = 10_000_000  # of a collection

Opening = tuple[str, ...]  # points in GTP's notation, played in turn


def openings_of(source: str, rules: Rules, size: Size, plies: Optional[int] = None,
                balance: Optional[int] = None) -> tuple[Opening, ...]:
    """Return the openings of a file, a collection, or all files of games in a folder, by name.

    Every game of a file is an opening, or its first `plies` moves; in a library, every line of
    `plies` moves.  See records/moves.py for lines of text; those that begin with # are left out.
    RENJU26 stands for the 26 openings of Renju.  With `balance`, openings stay out that a short
    search rates above it for a side.  Raises OSError, and ValueError for an opening that the game
    does not allow.
    """
    if source == RENJU26:
        found = [*renju_openings(rules, size)]
    elif Path(source).suffix.lower() == SUFFIX:
        found = [*_in_collection(Path(source), rules, size, plies)]
    else:
        found = [opening for path in game_files([Path(source)])
                 for opening in _in_file(path, rules, size, plies)]
    if balance is not None:
        found = [*filter(partial(_is_balanced, rules, size, balance), found)]
    if not found:
        raise ValueError(f"no openings in {source}")
    return tuple(found)


def renju_openings(rules: Rules, size: Size) -> tuple[Opening, ...]:
    """The 26 openings of Renju, in their order.  Raises ValueError if the board has no middle or
    the game does not allow one."""
    found = []
    for named in NAMED_OPENINGS:
        position = catalogue.start(rules, size)
        if len(position.lattice.middle()) != 1 or min(sides(size)) < 5:
            raise ValueError(f"{RENJU26} needs a board with a point in the middle, of 5 or more")
        names = GtpPoints(position.lattice).name
        opening = tuple(names[point] for point in opening_points(named, position.lattice))
        play_opening(position, opening)
        found.append(opening)
    return tuple(found)


@lru_cache(maxsize=64)
def made_opening(rules: Rules, size: Size, seed: int) -> Opening:
    """Some stones near the middle that our own search calls even; the same for the same seed."""
    position = even_opening(catalogue.start(rules, size), Random(seed), bytearray(2), SCORE,
                            tries=TRIES)
    return _names(position)


def play_opening(position: Position, opening: Opening) -> None:
    """Play the points in turn.  Raises ValueError where the game does not allow it, or is over."""
    points = GtpPoints(position.lattice)
    for name in opening:
        point = points.point_of(name)
        if not point:
            raise ValueError(f"no such point: {name}")
        try:
            position.play(position.side, point)
        except IllegalMove as complaint:
            raise ValueError(f"{name}: {complaint}") from None
    if position.outcome:
        raise ValueError("the game is over")


def _in_collection(path: Path, rules: Rules, size: Size, plies: Optional[int]) -> Iterator[Opening]:
    # The first moves of the games, each opening once.
    if plies is None:
        raise ValueError(f"{path}: a collection needs --plies")
    path.stat()
    with Collection(path) as collection:
        games, _ = collection.search(most=MOST_GAMES)
    lattice = catalogue.start(rules, size).lattice
    names = {yixin_name(lattice, point).lower(): GtpPoints(lattice).name[point]
             for point in lattice.points}
    openings = dict.fromkeys(
        tuple(names[move] for move in moves[:plies]) for game in games
        if (game.rules, game.size) == (rules.name, size)
        and len(moves := re.findall("[a-z][0-9]+", game.moves)) >= plies)
    for opening in openings:
        try:
            play_opening(catalogue.start(rules, size), opening)
        except ValueError:  # the game ended within these moves
            continue
        yield opening


def _is_balanced(rules: Rules, size: Size, balance: int, opening: Opening) -> bool:
    position = catalogue.start(rules, size)
    play_opening(position, opening)
    player = make_player("alphabeta", Settings(nodes=JUDGE_NODES, memory=1))
    score, _ = judge(position, cast(AnalysingPlayer, player), Limits(bytearray(2)))
    return abs(score) <= balance


def _in_file(path: Path, rules: Rules, size: Size, plies: Optional[int]) -> Iterator[Opening]:
    for name, record in read_named(path, rules, size):
        print_notes(name, [] if record.fault else record.notes)
        try:
            if record.error or record.fault:
                raise ValueError(record.error or record.fault)
            if (record.tree.rules, record.tree.size) != (rules, size):
                raise ValueError(f"the game is {record.tree.rules.name} on "
                                 f"{size_text(record.tree.size)}, "
                                 f"not {rules.name} on {size_text(size)}")
            if record.library and plies is None:
                raise ValueError("a library needs --plies")
            yield from _in_record(record, plies)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None


def _in_record(record: Record, plies: Optional[int]) -> Iterator[Opening]:
    # The main line up to `plies`, or all lines of a library that are as long.
    tree = record.tree
    names = GtpPoints(catalogue.start(tree.rules, tree.size).lattice).name
    if record.library:
        ends = [ROOT]
        for _ in range(plies or 0):
            ends = [child for each in ends for child in tree.nodes[each].children]
        boards: dict[bytes, int] = {}
        for end in ends:
            boards.setdefault(bytes(tree.position(end).cells), end)
        ends = [*boards.values()]
    else:
        ends = [tree.line(ROOT)[:None if plies is None else plies + 1][-1]]
    for end in ends:
        steps = tree.steps(end)
        if any(step.move is None or step.move[1] == PASS or step.stones for step in steps):
            raise ValueError("an opening has moves only")
        opening = tuple(names[step.move[1]] for step in steps if step.move)
        play_opening(catalogue.start(tree.rules, tree.size), opening)
        yield opening


def _names(position: Position) -> Opening:
    name = GtpPoints(position.lattice).name
    return tuple(name[record.point] for record in position.history)
