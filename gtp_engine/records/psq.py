"""Games of the Piskvork manager: .psq, and .rec with the same lines."""

import re
from typing import Iterator, Optional

from ..games import catalogue
from ..games.rules import Rules
from ..games.tree import ROOT, GameTree
from .charsets import decoded
from .record import Line, Notes, Record, Source, choose_rules, choose_size, losses, quoted

PSQ = ".psq"
SIGNATURE = re.compile(rb"(?:\xef\xbb\xbf)?\s*Piskvorky\b")
_HEADER = re.compile(r"Piskvorky\s+([0-9]{1,3})\s*[xX]\s*([0-9]{1,3})\b.*")
_MOVE = re.compile(r"\s*(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})\s*(?:,\s*(-?[0-9]{1,10})\s*)?")
_RULE = re.compile(r"\s*([0-9]{1,3})\s*,\s*([A-Za-z]{3}[^,]*)")
_BROKEN_MOVE = re.compile(r"\s*[0-9]+\W+[^,\s]*\s*,\s*[0-9]+\s*|\s*[0-9]+\s*,.*")
# Rules by the beginning of the name in the last line, and by its number as in Gomocup's INFO rule.
NAMES = {"free": catalogue.GOMOKU, "fast": catalogue.GOMOKU, "unlim": catalogue.GOMOKU,
         "standard": catalogue.GOMOKU_EXACT, "renju": catalogue.RENJU, "caro": catalogue.CARO}
NUMBERS = {0: catalogue.GOMOKU, 1: catalogue.GOMOKU_EXACT, 4: catalogue.RENJU, 8: catalogue.CARO}
RULE_LINES = {catalogue.GOMOKU: "0,Freestyle", catalogue.GOMOKU_EXACT: "1,Standard",
              catalogue.RENJU: "4,Renju", catalogue.CARO: "8,Caro"}


def read(source: Source) -> Iterator[Record]:
    """Yield the game of a .psq file.

    The rule comes from the last line, the players' names from the lines before it.  A move is a
    line x,y,milliseconds, counted from 1 at the upper left corner.  Raises ValueError.
    """
    notes = Notes()
    text, note = decoded(source.data())
    if note:
        notes.add(note)
    lines = text.strip().splitlines()
    header = _HEADER.fullmatch(lines[0].strip())
    if not header:
        raise ValueError("line 1 is not of the form Piskvorky 15x15, 11:11, 0: "
                         f"{quoted(lines[0].strip())}")
    if int(header[1]) != int(header[2]):
        raise ValueError(f"the board is not a square: {header[1]} x {header[2]}")
    moves = [_MOVE.fullmatch(line) for line in lines[1:]]
    count = moves.index(None) if None in moves else len(moves)
    rest = [(number, line.strip()) for number, line in enumerate(lines[count + 1:], count + 2)]
    if rest and (any(moves[count:]) or not _RULE.fullmatch(rest[0][1])
                 and _BROKEN_MOVE.fullmatch(rest[0][1])):
        notes.add(f"line {rest[0][0]} is not a move of the form x,y,milliseconds: "
                  f"{quoted(rest[0][1])}; the game is read up to there")
    rule_lines = [match for _, line in rest if (match := _RULE.fullmatch(line))]
    rule_line = rule_lines[-1] if rule_lines else None
    named = _rules_of(rule_line, notes) if rule_line else None
    size = choose_size(int(header[1]), source, 15, notes)
    tree = GameTree(choose_rules(named or "", source, catalogue.GOMOKU, notes), size)
    names = [line for _, line in rest if not _RULE.fullmatch(line)
             and not re.fullmatch("-?[0-9]+", line) and line]
    tree.info.update(zip(("black", "white"), [_program(name) for name in names[:2]]))
    if rule_line:
        tree.info["event"] = rule_line[2].strip()
    line = Line(tree, notes)
    for move in moves[:count]:
        assert move is not None
        line.play((int(move[1]) - 1, size - int(move[2])), move[0].strip())
        if move[3] is not None and line.last != ROOT:
            tree.nodes[line.last].extra = (("TE", (move[3],)),)
    yield line.record(PSQ)


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
    """Return the main line as a .psq file; add all losses to the notes.

    Raises ValueError for games that Piskvork does not have.
    """
    if tree.rules not in RULE_LINES:
        raise ValueError(f".psq has no {tree.rules.name}")
    lattice = catalogue.start(tree.rules, tree.size).lattice
    lines = [f"Piskvorky {tree.size}x{tree.size}, 11:11, 0"]
    for number in losses(tree, notes, ("black", "white", "event")):
        move = tree.nodes[number].step.move
        assert move is not None
        column, row = lattice.display_place(move[1])
        time = dict(tree.nodes[number].extra).get("TE", ("0",))[0]
        lines.append(f"{column + 1},{tree.size - row},{time if time.isdigit() else 0}")
    lines += [_one_line(tree.info.get(key, key)) for key in ("black", "white")]
    lines += ["-1", RULE_LINES[tree.rules]]
    return "".join(f"{line}\r\n" for line in lines).encode()


def _one_line(name: str) -> str:
    return " ".join(name.split()) or "?"
