"""Games as .pos: the number of moves in a byte, then a byte a move on 15x15."""

from typing import Iterator

from ..games import catalogue
from ..games.tree import GameTree
from .record import Line, Notes, Record, Source, choose_rules, choose_size, main_line, note_game

POS, SIZE = ".pos", 15
MOST_MOVES = 255  # by the byte of their number


def begins(data: bytes) -> bool:
    """Return whether these are the bytes of a whole .pos file."""
    return bool(data) and data[0] == len(data) - 1 and all(byte < SIZE * SIZE for byte in data[1:])


def read(source: Source) -> Iterator[Record]:
    """Yield the game of a .pos file.  A move is 15 * row from the top + column, from 0."""
    notes, data = Notes(), source.data()
    rules = choose_rules("", source, catalogue.GOMOKU, notes)
    tree = GameTree(rules, choose_size(SIZE, source, SIZE, notes))
    count = data[0] if data else 0
    if count != len(data) - 1:
        notes.add(f"the file has {max(len(data) - 1, 0)} moves, not {count} as its first byte says")
    line = Line(tree, notes)
    for byte in data[1:count + 1]:
        row, column = divmod(byte, SIZE)
        line.play((column, SIZE - 1 - row), str(byte))
    yield line.record(POS)


def write(tree: GameTree, notes: Notes) -> bytes:
    """Return the main line as a .pos file; add all losses to the notes.

    Raises ValueError for another size.
    """
    if tree.size != SIZE or tree.rules.cube:
        raise ValueError(f".pos has {SIZE}x{SIZE} only")
    note_game(tree, notes)
    moves = [(SIZE - 1 - row) * SIZE + column for _, (column, row) in main_line(tree, notes)]
    if len(moves) > MOST_MOVES:
        notes.add(f"only {MOST_MOVES} moves are kept")
        del moves[MOST_MOVES:]
    return bytes([len(moves), *moves])
