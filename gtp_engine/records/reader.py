"""A reader for all formats of game files: SGF, .psq of Piskvork, and moves such as h8i9h7.

The content decides the format.  In .psq the first line has the size.  Each move is a line
x,y,milliseconds, counted from 1 at the upper left corner.  In moves as text, I is a column and 1
is the bottom row; commas and white space are optional, and the caller gives the size.
"""

import re
from typing import Iterator, Optional

from ..games import catalogue
from ..games.lattice import PASS
from ..games.rules import IllegalMove, Position, Rules
from ..games.tree import GameTree, tree_of
from . import sgf

SGF, PSQ, MOVES = "SGF", ".psq", "moves"  # formats
LONGEST_FILE = 1 << 24  # bytes
_PSQ_MOVE = re.compile(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*(,\s*-?[0-9]+\s*)?")
_MOVE = re.compile("([A-Za-z])([0-9]{1,2})")


def kind_of(data: bytes) -> Optional[str]:
    """Return the format of a file: SGF, PSQ, MOVES or None."""
    text = _text(data)
    if text.startswith("Piskvorky"):
        return PSQ
    if sgf.BEGINNING.search(data):
        return SGF
    return None if not text or _MOVE.sub("", text).strip(", \t\r\n") else MOVES


def games_in(data: bytes) -> Iterator[bytes]:
    """Yield the games of a file, each as a file of its own."""
    return sgf.games_in(data) if kind_of(data) == SGF else iter([data])


def note_on(data: bytes) -> str:
    """Return a note that only the first game is read; "" if the file has one game."""
    count = sum(1 for _ in games_in(data))
    return f"the file has {count} games; this is the first one" if count > 1 else ""


def position_of(data: bytes, rules: Rules, size: int, before_move: Optional[int] = None
                ) -> Position:
    """Return the position at the end of a game's main line, or before move `before_move`, from 1.

    `rules` override the game that the file names; `size` applies if the file names no size.
    Raises ValueError.
    """
    kind = kind_of(data)
    if kind == SGF:
        return sgf.position_of(data, rules, before_move)
    text = _text(data)
    if kind is None:
        raise ValueError("not a game (as SGF, .psq of Piskvork or moves such as h8i9h7): "
                         f"{text[:40]!r}")
    position = catalogue.start(rules, _size_of_psq(text) if kind == PSQ else size)
    side = position.lattice.display_size
    points = {position.lattice.display_place(point): point for point in position.lattice.points}
    places = _places_in_psq(text, side) if kind == PSQ else _places_in_moves(text)
    for number, (place, move) in enumerate(places, 1):
        if before_move is not None and number >= before_move:
            break
        if place not in points:
            raise ValueError(f"move {number} is not on the board of {side} x {side}: {move}")
        try:
            position.play(position.side, points[place])
        except IllegalMove as complaint:
            raise ValueError(f"move {number} is illegal: {complaint}") from None
    return position


def tree_in(data: bytes, rules: Rules, size: int) -> GameTree:
    """Return the game of a file, with its variations, comments and values.

    `rules` and `size` apply if the file names no others.  Raises ValueError.
    """
    if kind_of(data) == SGF:
        return sgf.tree_of_sgf(data, rules)
    return tree_of(position_of(data, rules, size))


def moves_of(position: Position) -> Optional[str]:
    """Return the moves of a position such as h8i9h7; None after a pass or set-up stones."""
    moves = []
    for record in position.history:
        if record.point == PASS:
            return None
        column, row = position.lattice.display_place(record.point)
        moves.append(f"{chr(ord('a') + column)}{row + 1}")
    return "".join(moves)


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace").strip()


def _size_of_psq(text: str) -> int:
    head = text.partition("\n")[0].strip()
    sizes = re.fullmatch(r"Piskvorky\s+([0-9]{1,3})x([0-9]{1,3}),.*", head)
    if not sizes:
        raise ValueError(f"line 1 is not of the form Piskvorky 15x15, 11:11, 0: {head[:40]!r}")
    if int(sizes[1]) != int(sizes[2]):
        raise ValueError(f"the board is not a square: {sizes[1]} x {sizes[2]}")
    return int(sizes[1])


def _places_in_psq(text: str, side: int) -> list[tuple[tuple[int, int], str]]:
    # Column and row, counted from 0 at the lower left, and the text of each move.  The names and
    # results after the moves never have the form of a move.
    lines = text.splitlines()[1:]
    moves = [_PSQ_MOVE.fullmatch(line) for line in lines]
    count = moves.index(None) if None in moves else len(moves)
    if any(moves[count:]) or re.match(r"\s*[0-9]+\s*,", "".join(lines[count:count + 1])):
        raise ValueError(f"line {count + 2} is not a move of the form x,y,milliseconds: "
                         f"{lines[count][:40]!r}")
    return [((int(move[1]) - 1, side - int(move[2])), move[0].strip())
            for move in moves[:count] if move]


def _places_in_moves(text: str) -> list[tuple[tuple[int, int], str]]:
    # The same for moves as text.
    return [((ord(move[1].upper()) - ord("A"), int(move[2]) - 1), move[0])
            for move in _MOVE.finditer(text)]
