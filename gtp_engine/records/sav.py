"""Games of Yixin-Board: .sav."""

import re
from typing import Iterator

from ..games import catalogue
from ..games.lattice import sides, size_of
from ..games.tree import GameTree
from .record import Line, Notes, Record, Source, choose_rules, choose_size, main_line, note_game

SAV = ".sav"
_NUMBERS = re.compile(rb"\s*[0-9]{1,2}\s*\n\s*[0-9]{1,2}\s*\n\s*[0-9]{1,4}\s*(\n|\Z)")


def begins(data: bytes) -> bool:
    """Return whether a file begins with height, width and number of moves, a line each."""
    return bool(_NUMBERS.match(data))


def read(source: Source) -> Iterator[Record]:
    """Yield the game of a .sav file: height, width, number of moves, then row and column of each
    move, from 0 at the upper left.  Raises ValueError."""
    notes = Notes()
    words = source.data().decode("ascii", "replace").split()
    numbers = [int(word) for word in words if re.fullmatch("-?[0-9]{1,4}", word)]
    if len(numbers) < 3:
        raise ValueError("the file does not begin with height, width and number of moves")
    if len(numbers) < len(words):
        notes.add("words that are no numbers are left out")
    height, width, count = numbers[:3]
    rules = choose_rules("", source, catalogue.GOMOKU, notes)
    tree = GameTree(rules, choose_size(size_of(width, height), source, height, notes))
    places = numbers[3:]
    if len(places) != 2 * count:
        notes.add(f"the file has {len(places) // 2} moves, not {count} as it says")
    line = Line(tree, notes)
    for row, column in zip(places[:2 * count:2], places[1:2 * count:2]):
        line.play((column, height - 1 - row), f"{row} {column}")
    yield line.record(SAV)


def write(tree: GameTree, notes: Notes) -> bytes:
    """Return the main line as a .sav file; add all losses to the notes.

    Raises ValueError for cubes.
    """
    if tree.rules.cube:
        raise ValueError(".sav has no cubes")
    note_game(tree, notes)
    width, height = sides(tree.size)
    rows = [f"{height - 1 - row} {column}" for _, (column, row) in main_line(tree, notes)]
    return "".join(f"{line}\n" for line in (height, width, len(rows), *rows)).encode()
