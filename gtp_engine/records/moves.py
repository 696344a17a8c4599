"""Games as moves in text: h8i9h7, H8 J9, 1. H8 2. J9, or 8,8 9,8; a game a line."""

import re
from typing import Iterator, Optional, Sequence

from ..games import catalogue
from ..games.lattice import Size, sides
from ..games.tree import GameTree
from .charsets import decoded
from .record import (
    GTP,
    PLAIN,
    Line,
    Notes,
    Record,
    Source,
    choose_rules,
    main_line,
    note_game,
    quoted,
)

MOVES = "moves"
NOWHERE = (-1, -1)  # the place of a step to the right without one down
SIZES = (15, 19, 20)  # of boards that a text does not name, after the size of the game
GTP_COLUMNS = "abcdefghjklmnopqrstuvwxyz"
PLAIN_COLUMNS = "abcdefghijklmnopqrstuvwxyz"
_NUMBER = re.compile(r"[0-9]{1,3}\.(?!\d)(?:\.\.)?")  # of a move, as in 1. or 1...
_POINT = re.compile(r"([A-Za-z])([0-9]{1,2})|(--|pass)(?![a-z])", re.IGNORECASE)
_LETTERS = re.compile(rf"(?:{_NUMBER.pattern}|{_POINT.pattern}|[\s,;|-])+", re.IGNORECASE)
_PAIR = r"\(?[0-9]{1,2},[0-9]{1,2}\)?"
_PAIRS = re.compile(rf"[\s;]*{_PAIR}(?:[\s;]+{_PAIR})*[\s;]*")
_STEPS = re.compile(r"\s*-?[0-9]{1,2}(?:[ ,]+-?[0-9]{1,2})+[\s,]*")
Move = tuple[Optional[tuple[int, int]], str]  # place, None for a pass; text


def begins(data: bytes) -> bool:
    """Return whether the first line with a text has moves."""
    lines = _lines(decoded(data[:4000])[0])
    return bool(lines) and (_is_moves(lines[0][1]))


def _is_moves(line: str) -> bool:
    return bool(_PAIRS.fullmatch(line) or _STEPS.fullmatch(line)
                or _LETTERS.fullmatch(line) and _POINT.search(line))


def _lines(text: str) -> list[tuple[int, str]]:
    # The lines with a text that is no remark, with their numbers.
    return [(number, line) for number, each in enumerate(text.splitlines(), 1)
            if (line := each.strip()) and not line.startswith("#")]


def read(source: Source) -> Iterator[Record]:
    """Yield the games of a text, a line each.

    A line that begins with a move number above 1 continues the game before it, and lines of one
    move each are one game.  Letters are GTP's, without I, or have an I: as the text shows by an I
    or by a column beyond the board, else as the caller says, else with I if the moves are written
    together.  Pairs such as 8,8 9,8 count from 1 at the upper left, or from 0 if there is a 0.
    Numbers with commas only, as in 0,0,-1,1, are steps to the right and down from the middle.
    """
    text, charset = decoded(source.data())
    lines = _lines(text)
    games: list[tuple[int, str]] = []
    one_each = len(lines) > 1 and all(len(_POINT.findall(line)) == 1 for _, line in lines)
    for number, line in lines:
        continued = re.match(r"([0-9]{1,3})\.", line)
        if games and (one_each or continued and int(continued[1]) > 1):
            games[-1] = games[-1][0], f"{games[-1][1]} {line}"
        else:
            games.append((number, line))
    together = re.search("[A-Za-z][0-9]{1,2}[A-Za-z][0-9]", text)
    columns, is_open = columns_of(text, source.size, source.letters, PLAIN if together else GTP)
    words = "without a column I, as in GTP" if columns == GTP_COLUMNS else "with a column I"
    for index, (number, line) in enumerate(games):
        notes = Notes()
        if index == 0 and charset:
            notes.add(charset)
        if index == 0 and is_open:
            notes.add(f"letters are read {words}")
        place = f"line {number}" if max(number, len(games)) > 1 else ""
        yield _record(line, place, columns, source, notes)


def _record(line: str, where: str, columns: str, source: Source, notes: Notes) -> Record:
    rules = choose_rules("", source, catalogue.GOMOKU, notes)
    if not _is_moves(line):
        return Record(GameTree(rules, rules.default_size), MOVES, notes=notes,
                      error=f"not moves: {quoted(line)}", place=where)
    size = source.size
    if size is None:
        size = next((each for each in (rules.default_size, *SIZES, rules.largest)
                     if all(place in (None, NOWHERE) or 0 <= min(place) <= max(place) < each
                            for place, _ in _moves(line, each, columns, Notes()))), 15)
        notes.add(f"the text names no board size; read as {size}x{size}")
    played = Line(GameTree(rules, size), notes)
    for place, text in _moves(line, size, columns, notes):
        played.play(place, text)
    record = played.record(MOVES)
    record.place = where
    return record


def _moves(line: str, size: Size, columns: str, notes: Notes) -> list[Move]:
    width, height = sides(size)
    if _PAIRS.fullmatch(line):
        pairs = [(int(x), int(y)) for x, y in re.findall(r"([0-9]+),([0-9]+)", line)]
        first = 0 if any(0 in pair for pair in pairs) else 1
        notes.add(f"pairs are column and row, from {first} at the upper left")
        return [((x - first, height - 1 - (y - first)), f"{x},{y}") for x, y in pairs]
    if _STEPS.fullmatch(line):
        numbers = [int(number) for number in re.findall("-?[0-9]+", line)]
        middle, centre = width // 2, height - 1 - height // 2
        steps: list[Move] = [((middle + x, centre - y), f"{x},{y}")
                 for x, y in zip(numbers[::2], numbers[1::2])]
        return steps + [(NOWHERE, str(numbers[-1]))] * (len(numbers) % 2)
    return [(None if found[3] else (columns.find(found[1].lower()), int(found[2]) - 1), found[0])
            for found in _POINT.finditer(_NUMBER.sub(" ", line))]


def columns_of(text: str, size: Optional[Size], letters: Optional[str], default: str
               ) -> tuple[str, bool]:
    """The letters of columns in a text with moves such as H8, and whether it leaves them open.

    A column I, or one beyond a board of `size`, decides; then the caller's `letters`, GTP or PLAIN;
    then the default.
    """
    columns = {found[1].lower() for found in _POINT.finditer(_NUMBER.sub(" ", text)) if found[1]}
    if "i" in columns:
        return PLAIN_COLUMNS, False
    width = sides(size)[0] if size else len(PLAIN_COLUMNS)
    if width < len(PLAIN_COLUMNS) and PLAIN_COLUMNS[width] in columns:
        return GTP_COLUMNS, False
    is_open = bool(columns & set("jklmnopqrstuvwxyz"))
    return GTP_COLUMNS if (letters or default) == GTP else PLAIN_COLUMNS, is_open


def moves_of(tree: GameTree, path: Sequence[int]) -> Optional[str]:
    """The moves on a path of nodes, as in h8i9h7; None if there are passes or set-up stones."""
    lattice = catalogue.start(tree.rules, tree.size).lattice
    names = []
    for number in path:
        step = tree.nodes[number].step
        if step.stones or step.side is not None or step.move and not step.move[1]:
            return None
        if step.move:
            names.append(text_of(lattice.display_place(step.move[1])))
    return "".join(names)


def text_of(place: tuple[int, int]) -> str:
    """The text of a displayed column and row, with a column I, as in h8."""
    return f"{PLAIN_COLUMNS[place[0]]}{place[1] + 1}"


def write(tree: GameTree, notes: Notes) -> bytes:
    """Return the main line as a line such as h8i9h7; add all losses to the notes."""
    note_game(tree, notes, size=True)
    return "".join([*(text_of(place) for _, place in main_line(tree, notes)), "\n"]).encode()
