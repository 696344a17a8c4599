"""Reading and writing points, colours and opening actions as text."""

import re
from functools import lru_cache
from typing import Optional, Sequence

from ..games.lattice import BLACK, EMPTY, PASS, WHITE, Lattice
from ..games.opening_rules import CHOOSE, DECLARE, NO, OFFER, PLACE, SWAP, YES, Action, Agreement

GTP_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I
COLOUR_NAMES = {BLACK: "black", WHITE: "white"}
SYMBOLS = {EMPTY: ".", BLACK: "X", WHITE: "O"}
_COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


def colour_of(text: str) -> Optional[int]:
    """Return BLACK or WHITE for b, w, black, white in any case; None for other texts."""
    return _COLOURS.get(text.lower())


class GtpPoints:
    """The points of a lattice in GTP's notation: A1 is the lower left corner, without a column I.

    A cube has the names of the square that displays it, see `Lattice.display_place`.  Names are in
    upper case unless `lower_case`; `point_of` accepts any case.

    name  the name of each point
    """

    def __init__(self, lattice: Lattice, lower_case: bool = False):
        self.name, self._point = _names_and_points(lattice, lower_case)

    def point_of(self, text: str) -> Optional[int]:
        """Return the point of a name in any case, PASS for pass; None for other texts."""
        return self._point.get(text.lower())

    def text(self, points: list[int]) -> str:
        """Return the names of points, sorted as strings (A1 A10 A2), joined by single spaces."""
        return " ".join(sorted(self.name[point] for point in points))


@lru_cache(maxsize=None)
def _names_and_points(lattice: Lattice, lower_case: bool) -> tuple[dict[int, str], dict[str, int]]:
    columns = GTP_COLUMNS.lower() if lower_case else GTP_COLUMNS
    names = {}
    for point in lattice.points:
        column, row = lattice.display_place(point)
        names[point] = f"{columns[column]}{row + 1}"
    return names, {name.lower(): point for point, name in names.items()} | {"pass": PASS}


def board_rows(lattice: Lattice, cells: bytearray, no_point: str = SYMBOLS[EMPTY]) -> list[str]:
    """Return the rows of the displayed board from the top, with X, O and . for the cells."""
    columns, height = lattice.display_columns, lattice.display_rows
    rows = [[no_point] * columns for _ in range(height)]
    for point in lattice.points:
        column, row = lattice.display_place(point)
        rows[height - 1 - row][column] = SYMBOLS[cells[point]]
    return ["".join(row) for row in rows]


def board_drawing(lattice: Lattice, cells: bytearray) -> list[str]:
    """Return the lines of the board with coordinates; the levels of a cube are side by side."""
    drawings = []
    for z in range(lattice.depth):
        column, row = lattice.display_place(lattice.point(0, 0, z))
        letters = "   " + " ".join(GTP_COLUMNS[column:column + lattice.width])
        lines = [letters]
        for y in reversed(range(lattice.height)):
            stones = " ".join(SYMBOLS[cells[lattice.point(x, y, z)]] for x in range(lattice.width))
            lines.append(f"{row + y + 1:2} {stones} {row + y + 1}")
        drawings.append([*lines, letters])
    if lattice.depth == 1:
        return drawings[0]
    width = len(drawings[0][1])
    return ["  ".join(line.ljust(width) for line in lines).rstrip() for lines in zip(*drawings)]


def percent(value: float) -> str:
    """Return a value of -1 to 1 in percent; 0 and 100 are only for certain results."""
    number = round(50 + 50 * value)
    return str(number if abs(value) == 1 else min(max(number, 1), 99))


OPENING_USAGE = {PLACE: f"{PLACE} POINT...", SWAP: f"{SWAP} {YES}|{NO}",
                 DECLARE: f"{DECLARE} NUMBER", OFFER: f"{OFFER} POINT...",
                 CHOOSE: f"{CHOOSE} POINT"}


def opening_action(words: Sequence[str], points: GtpPoints) -> Action:
    """Parse an action in an opening by a rule.  Raises ValueError."""
    word, rest = words[0].lower(), words[1:]
    if word == SWAP:
        if len(rest) != 1 or rest[0].lower() not in (YES, NO):
            raise ValueError(f"usage: {OPENING_USAGE[SWAP]}")
        return Action(SWAP, yes=rest[0].lower() == YES)
    if word == DECLARE:
        if len(rest) != 1 or not re.fullmatch("[0-9]{1,4}", rest[0]):
            raise ValueError(f"usage: {OPENING_USAGE[DECLARE]}")
        return Action(DECLARE, number=int(rest[0]))
    numbers = []
    for text in rest:
        point = points.point_of(text)
        if not point:
            raise ValueError(f"invalid point: {text}")
        numbers.append(point)
    return Action(word, tuple(numbers))


def opening_text(action: Action, points: GtpPoints) -> str:
    """Return the text of an action, the inverse of `opening_action`."""
    if action.word == SWAP:
        return f"{SWAP} {YES if action.yes else NO}"
    if action.word == DECLARE:
        return f"{DECLARE} {action.number}"
    return f"{action.word} {' '.join(points.name[point] for point in action.points)}"


def opening_question(opening: Agreement) -> str:
    """Return a text for the next action of an unfinished opening, such as place POINT... (1)."""
    step, parts = opening.step, []
    for action in opening.actions:
        detail = ""
        if action == DECLARE:
            detail = f" (1 to {opening.quota})"
        elif action == OFFER:
            detail = f" ({opening.quota})"
        elif step is not None and action == step.action == PLACE:
            named = ", one of the 26 openings" if step.named else ""
            window = f", in the central {step.window} x {step.window}" if step.window else ""
            detail = f" ({step.number}{named}{window})"
        parts.append(OPENING_USAGE[action] + detail)
    return " or ".join(parts)


PIPE_SYMBOLS = {BLACK: "R", WHITE: "B"}  # Red moves first
EXIT, ERROR, GAMEOVER = "exit", "ERROR", "GAMEOVER"  # the other messages in the pipe


def pipe_text(lattice: Lattice, colour: int, point: int) -> str:
    """Return a move in the notation of the 4x4x4 course: R,0,3,1."""
    return ",".join([PIPE_SYMBOLS[colour], *map(str, lattice.coordinates(point))])


def pipe_move(lattice: Lattice, text: str) -> Optional[tuple[int, int]]:
    """Return colour and point of a move, the inverse of `pipe_text`; None for other texts."""
    match = re.fullmatch("([RB]),([0-9]),([0-9]),([0-9])", text)
    if not match:
        return None
    x, y, z = map(int, match.group(2, 3, 4))
    if x >= lattice.width or y >= lattice.height or z >= lattice.depth:
        return None
    return BLACK if match[1] == PIPE_SYMBOLS[BLACK] else WHITE, lattice.point(x, y, z)


def piskvork_text(lattice: Lattice, point: int) -> str:
    """Return a point in Gomocup's notation: x,y from the upper left corner, counted from 0."""
    x, y, _ = lattice.coordinates(point)
    return f"{x},{lattice.height - 1 - y}"


def piskvork_point(lattice: Lattice, text: str) -> Optional[int]:
    """Return the point of a text x,y, with or without blanks around the comma, or None."""
    match = re.fullmatch("([0-9]{1,3}) *, *([0-9]{1,3})", text)
    if not match or int(match[1]) >= lattice.width or int(match[2]) >= lattice.height:
        return None
    return lattice.point(int(match[1]), lattice.height - 1 - int(match[2]))


def yixin_text(lattice: Lattice, point: int) -> str:
    """Return a point for Yixin-Board: row,column from the upper left corner, counted from 0."""
    column, y, _ = lattice.coordinates(point)
    return f"{lattice.height - 1 - y},{column}"


def yixin_point(lattice: Lattice, text: str) -> Optional[int]:
    """Return the point of a text, the inverse of `yixin_text`; None for other texts."""
    row, comma, column = text.partition(",")
    return piskvork_point(lattice, f"{column.strip()}{comma}{row.strip()}")


def yixin_name(lattice: Lattice, point: int) -> str:
    """Return a point as Yixin-Board displays it: H8, with a column I, rows from below."""
    x, y, _ = lattice.coordinates(point)
    return f"{FILE_COLUMNS[x]}{y + 1}"


FILE_COLOURS = {WHITE: "W", BLACK: "B"}
FILE_COLUMNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # the course of 1997 has a column I


def file_text(lattice: Lattice, point: int) -> str:
    """Return a point in the notation of the Go-moku course: C 9, with rows from the top."""
    x, y, _ = lattice.coordinates(point)
    return f"{FILE_COLUMNS[x]} {lattice.height - y}"


def file_point(lattice: Lattice, column: str, row: str) -> Optional[int]:
    """Return the point in a column, in any case, and a row; None if there is none."""
    x = FILE_COLUMNS.find(column.upper()) if len(column) == 1 else -1
    if not (0 <= x < lattice.width and re.fullmatch("[0-9]{1,3}", row)
            and 1 <= int(row) <= lattice.height):
        return None
    return lattice.point(x, lattice.height - int(row))


def file_move(lattice: Lattice, text: str) -> Optional[tuple[int, int]]:
    """Return colour and point of a move such as (W C 9), in any case; None for other texts."""
    words = re.fullmatch(r"\(\s*(\S+)\s+(\S+)\s+(\S+)\s*\)", text.strip())
    colour = words and colour_of(words[1])
    point = words and file_point(lattice, words[2], words[3])
    return (colour, point) if words and colour and point else None


def file_message_is_whole(text: str) -> bool:
    """Is the text complete: a colour, or a move with its closing parenthesis?"""
    return text.strip().upper() in ("W", "B") or ")" in text
