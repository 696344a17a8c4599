"""Games of the Piskvork manager: .psq, and .rec with the same lines."""

import re
from typing import Iterator, Optional, Sequence

from ..games import catalogue
from ..games.lattice import BLACK, WHITE, opponent, sides, size_of
from ..games.rules import Rules
from ..games.tree import ROOT, GameTree
from .charsets import decoded
from .record import (
    MILLISECONDS,
    Line,
    Notes,
    Record,
    Source,
    board_text,
    choose_rules,
    choose_size,
    main_line,
    quoted,
)

PSQ, REC = ".psq", ".rec"
SIGNATURE = re.compile(rb"(?:\xef\xbb\xbf)?\s*Piskvorky\b")
REC_SIGNATURE = re.compile(rb"[^\n,]+\n[^\n,]+\n(?:[0-9]{1,2},[0-9]{1,2},[0-9]+\r?\n)")
REC_SIZE = 20
# Codes of the end of a game; 1 and 2 are the line of the winner's name.
UNAVAILABLE, STANDARD, TIMEOUT = -1, 0, 15
_HEADER = re.compile(r"Piskvorky\s+([0-9]{1,3})\s*[xX]\s*([0-9]{1,3})\b(.*)")
_MOVE = re.compile(r"\s*(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})\s*(?:,\s*(-?[0-9]{1,10})\s*)?")
_RULE = re.compile(r"\s*([0-9]{1,3})\s*,\s*([A-Za-z]{3}[^,]*)")
_CODE = re.compile("-?[0-9]{1,9}")
_BROKEN_MOVE = re.compile(r"\s*[0-9]+\W+[^,\s]*\s*,\s*[0-9]+\s*|\s*[0-9]+\s*,.*")
# Rules by the beginning of the name in the last line, and by its number as in Gomocup's INFO rule.
NAMES = {"free": catalogue.GOMOKU, "fast": catalogue.GOMOKU, "unlim": catalogue.GOMOKU,
         "standard": catalogue.GOMOKU_EXACT, "renju": catalogue.RENJU, "caro": catalogue.CARO}
NUMBERS = {0: catalogue.GOMOKU, 1: catalogue.GOMOKU_EXACT, 4: catalogue.RENJU, 8: catalogue.CARO}
RULE_LINES = {catalogue.GOMOKU: "0,Freestyle", catalogue.GOMOKU_EXACT: "1,Standard",
              catalogue.RENJU: "4,Renju", catalogue.CARO: "8,Caro"}


def read(source: Source) -> Iterator[Record]:
    """Yield the game of a .psq file.

    The header has the columns and rows of the board; its last number is 1 if the second player
    began.  The rule comes from the last line, the players' names from the lines before it.  A move
    is a line x,y,milliseconds, counted from 1 at the upper left corner.  Raises ValueError.
    """
    notes = Notes()
    lines = _lines(source, notes)
    header = _HEADER.fullmatch(lines[0].strip())
    if not header:
        raise ValueError("line 1 is not of the form Piskvorky 15x15, 11:11, 0: "
                         f"{quoted(lines[0].strip())}")
    moves, rest = _moves(lines, 1, notes)
    rule_lines = [match for line in rest if (match := _RULE.fullmatch(line))]
    rules = _rules_of(rule_lines[-1], notes) if rule_lines else None
    size = choose_size(size_of(int(header[1]), int(header[2])), source, 15, notes)
    tree = GameTree(choose_rules(rules or "", source, catalogue.GOMOKU, notes), size)
    names = [line for line in rest if line and not _RULE.fullmatch(line)
             and not _CODE.fullmatch(line)]
    swapped = bool(re.fullmatch(r".*,\s*1\s*", header[3]))
    if rule_lines:
        tree.info["event"] = rule_lines[-1][2].strip()
    codes = [int(line) for line in rest if _CODE.fullmatch(line)]
    yield _record(tree, PSQ, moves, names, swapped, codes, 1, notes)


def read_rec(source: Source) -> Iterator[Record]:
    """Yield the game of a .rec file: two names, moves from 0 on 20x20, the code of the end."""
    notes = Notes()
    lines = _lines(source, notes)
    moves, rest = _moves(lines, 2, notes)
    size = choose_size(REC_SIZE, source, REC_SIZE, notes)
    tree = GameTree(choose_rules("", source, catalogue.GOMOKU, notes), size)
    codes = [int(line) for line in rest if _CODE.fullmatch(line)]
    yield _record(tree, REC, moves, lines[:2], False, codes, 0, notes)


def _lines(source: Source, notes: Notes) -> list[str]:
    text, note = decoded(source.data())
    if note:
        notes.add(note)
    return text.strip().splitlines()


def _moves(lines: Sequence[str], first: int, notes: Notes
           ) -> tuple[list["re.Match[str]"], list[str]]:
    # The moves from line `first` on, counted from 0, and the lines after them.
    moves = [_MOVE.fullmatch(line) for line in lines[first:]]
    count = moves.index(None) if None in moves else len(moves)
    rest = [line.strip() for line in lines[first + count:]]
    if rest and (any(moves[count:]) or not _RULE.fullmatch(rest[0])
                 and _BROKEN_MOVE.fullmatch(rest[0])):
        notes.add(f"line {first + count + 1} is not a move of the form x,y,milliseconds: "
                  f"{quoted(rest[0])}; the game is read up to there")
    return [move for move in moves[:count] if move], rest


def _record(tree: GameTree, format: str, moves: Sequence["re.Match[str]"], names: Sequence[str],
            swapped: bool, codes: Sequence[int], first: int, notes: Notes) -> Record:
    # The record of a game whose places are counted from `first`; `swapped`: the second name began.
    colours = (WHITE, BLACK) if swapped else (BLACK, WHITE)
    for colour, name in zip(colours, names):
        tree.info["black" if colour == BLACK else "white"] = _program(name)
    line, rows = Line(tree, notes), sides(tree.size)[1]
    for move in moves:
        line.play((int(move[1]) - first, rows - 1 + first - int(move[2])), move[0].strip())
        if move[3] is not None and line.last != ROOT:
            tree.nodes[line.last].extra = ((MILLISECONDS, (move[3],)),)
    code = codes[-1] if codes else UNAVAILABLE
    winner = None
    if code == TIMEOUT and not line.position.outcome:
        winner = opponent(line.position.side)
        tree.info["result"] = f"{'B' if winner == BLACK else 'W'}+T"
    elif code in (1, 2) and len(names) > 1:  # the line of the winner
        winner = colours[code - 1]
        tree.info["result"] = f"{'B' if winner == BLACK else 'W'}+"
    elif code not in (UNAVAILABLE, STANDARD):
        notes.add(f"the code {code} of the end of the game is not understood")
    return line.record(format, winner)


def _rules_of(line: "re.Match[str]", notes: Notes) -> Optional[Rules]:
    name = line[2].strip().lower()
    for beginning, rules in NAMES.items():
        if beginning in name:
            return rules
    if int(line[1]) in NUMBERS:
        return NUMBERS[int(line[1])]
    notes.add(f"the rule {quoted(line[0])} is not supported")
    return None


def _program(name: str) -> str:
    # The name of a program without its folder.
    return re.split(r"[\\/]", name)[-1]


def write(tree: GameTree, notes: Notes) -> bytes:
    """Return the main line as a .psq file; add all main_line to the notes.

    Raises ValueError for games that Piskvork does not have.
    """
    if tree.rules not in RULE_LINES:
        raise ValueError(f".psq has no {tree.rules.name}")
    rows = sides(tree.size)[1]
    lines = [f"Piskvorky {board_text(tree.size)}, 11:11, 0"]
    for node, (column, row) in main_line(tree, notes, ("black", "white"), (MILLISECONDS,)):
        time = dict(node.extra).get(MILLISECONDS, ("0",))[0]
        lines.append(f"{column + 1},{rows - row},{time if time.isdigit() else 0}")
    lines += [_one_line(tree.info.get(key, key)) for key in ("black", "white")]
    lines += ["-1", RULE_LINES[tree.rules]]
    return "".join(f"{line}\r\n" for line in lines).encode()


def _one_line(name: str) -> str:
    return " ".join(name.split()) or "?"
