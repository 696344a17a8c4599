"""A game of a file: its tree of moves, its headers, and notes on everything else."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import BinaryIO, Iterable, Mapping, NamedTuple, Optional, Union

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, PASS, WHITE, Lattice, Size, opponent, sides, size_text
from ..games.rules import IllegalMove, Outcome, Position, Rules
from ..games.tree import LONGEST_INFO, PROVED, ROOT, GameTree, Node, Step, replayed

LONGEST_FILE = 1 << 24  # bytes of a file that is read as a whole
MOST_NODES = 1_000_000  # of a record
GTP, PLAIN = "gtp", "plain"  # letters of columns: without I, with I
MOST_NOTES = 1000  # of a record; the others are counted
SHOWN_NOTES = 5
MILLISECONDS = "MSEC"  # the extra property of the time of a move; TE of SGF is a good move
COLOUR = {BLACK: "Black", WHITE: "White"}
# Names of rules in files of other programs, besides the names of the catalogue.
RULES = {
    "freestyle": catalogue.GOMOKU, "free style": catalogue.GOMOKU, "free": catalogue.GOMOKU,
    "five in a row": catalogue.GOMOKU, "gomoku freestyle": catalogue.GOMOKU,
    "freestyle gomoku": catalogue.GOMOKU, "standard": catalogue.GOMOKU_EXACT,
    "standard gomoku": catalogue.GOMOKU_EXACT, "gomoku standard": catalogue.GOMOKU_EXACT,
    "exactly five": catalogue.GOMOKU_EXACT, "rif": catalogue.RENJU,
    "keryo": catalogue.KERYO_PENTE, "keryo pente": catalogue.KERYO_PENTE,
}
# Results as files write them, without spaces, in lower case.
_WON = {
    BLACK: ("b", "black", "x", "1-0", "1:0", "blackwins", "blackwin", "blackwon", "黑胜", "黑勝",
            "黒勝", "黒勝ち", "黑方胜", "黑方勝", "先手勝", "先手胜", "先手勝ち", "흑승", "흑"),
    WHITE: ("w", "white", "o", "0-1", "0:1", "whitewins", "whitewin", "whitewon", "白胜", "白勝",
            "白勝ち", "白方胜", "白方勝", "後手勝", "后手胜", "後手勝ち", "백승", "백"),
    EMPTY: ("0", "draw", "drawn", "d", "=", "½", "½-½", "1/2", "1/2-1/2", "0.5", "0.5-0.5", "jigo",
            "tie", "和棋", "和局", "和", "平局", "引き分け", "引分", "引分け", "持碁", "持将棋",
            "무승부"),
}
_WINNERS = {text: winner for winner, texts in _WON.items() for text in texts}
_NO_RESULT = ("", "?", "*", "void", "unknown", "unfinished", "-", "n")


class Source(NamedTuple):
    """A file to read, and the caller's wishes where it says nothing.

    stream   the file, from its beginning
    rules    the rules of games without a name, or None
    size     the size of boards without one, or None
    letters  GTP or PLAIN for moves as text, or None
    quiet    no notes where the file contradicts the rules or the size?
    skip     the number of games whose records may stay empty
    """

    stream: BinaryIO
    rules: Optional[Rules] = None
    size: Optional[Size] = None
    letters: Optional[str] = None
    quiet: bool = False
    skip: int = 0

    def data(self, most: int = LONGEST_FILE) -> bytes:
        """The whole file.  Raises ValueError if it is longer than `most` bytes."""
        data = self.stream.read(most + 1)
        if len(data) > most:
            raise ValueError(f"the file is longer than {most} bytes")
        return data


@dataclass
class Record:
    """A game of a file.

    tree      the moves with variations, comments, marks and values
    format    the name of the file's format
    winner    BLACK, WHITE or EMPTY for a draw, as the file claims; None without a claim
    notes     a sentence for each part of the file that was not understood or was changed
    fault     the first fault of the main line, which ends before it; "" if all moves are read
    error     why the game could not be read; the tree is then empty
    place     the place in the file, as in "line 3"; "" for the number of the game
    library   the tree is an analysis of positions rather than one played game
    end       the position at the end of the main line, if the reader has it
    """

    tree: GameTree
    format: str
    winner: Optional[int] = None
    notes: list[str] = field(default_factory=list)
    fault: str = ""
    error: str = ""
    place: str = ""
    library: bool = False
    end: Optional[Position] = None

    @property
    def headers(self) -> dict[str, str]:
        """The facts about the game: black, white, date, result, ... as in `GameTree.info`."""
        return self.tree.info

    @property
    def outcome(self) -> Optional[Outcome]:
        """The end of the game by its moves; see `winner` for the claim of the file."""
        return self.position.outcome

    @property
    def position(self) -> Position:
        """The position at the end of the main line."""
        return self.end.copy() if self.end else self.tree.position(self.tree.line(ROOT)[-1])

    def position_before(self, move: Optional[int]) -> Position:
        """The position before a move of the main line, counted from 1; after the end for None."""
        steps, moves = [], 0
        for number in self.tree.line(ROOT)[1:]:
            step = self.tree.nodes[number].step
            moves += step.move is not None
            if move is not None and moves >= move:
                steps.append(step._replace(move=None))
                break
            steps.append(step)
        return replayed(self.tree.rules, self.tree.size, steps)


def empty_record(format: str) -> Record:
    """The record of a game that is not read, see `Source.skip`."""
    return Record(GameTree(catalogue.GOMOKU, catalogue.GOMOKU.default_size), format)


class Notes(list[str]):
    """The notes on one game: at most MOST_NOTES, each once."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: set[str] = set()
        self._more = 0

    def add(self, text: str) -> None:
        """Add a sentence; the same sentence again has no effect."""
        text = " ".join(text.split())
        if text in self._texts:
            return
        if len(self) < MOST_NOTES:
            self._texts.add(text)
            self.append(text)
        else:
            self._more += 1
            self[MOST_NOTES - 1:] = [f"{self._more + 1} more notes"]


def some_of(notes: Iterable[str], most: int = SHOWN_NOTES) -> list[str]:
    """The first notes, and the number of the others in a line."""
    notes = [*notes]
    rest = len(notes) - most
    return notes[:most] + ([f"and {rest} more note{'s' if rest > 1 else ''}"] if rest > 0 else [])


def quoted(text: str) -> str:
    """The beginning of a text from a file, for a message."""
    return repr(text[:40])


def winner_of(result: str) -> Optional[int]:
    """The winner in a result such as B+R, W+, 0, 1-0 or Draw; EMPTY for a draw, None for no result.

    Raises ValueError for a text that is not understood.
    """
    text = "".join(result.lower().split()).strip("。.!")
    if text in _NO_RESULT:
        return None
    if text in _WINNERS:
        return _WINNERS[text]
    head = re.match(r"(b|w|black|white|黑|黒|白|흑|백|x|o)\+", text)
    if head:
        return BLACK if head[1] in ("b", "black", "x", "黑", "黒", "흑") else WHITE
    head = re.match("(black|white|draw|黑|黒|白|和)", text)
    if head and not re.match("(black|white)[^ a-z]", text):
        if head[1] in ("draw", "和"):
            return EMPTY
        loses = re.match(".{1,6}(lo(s|st)|resign|负|負|投了|的?认输)", text)
        return BLACK if (head[1] in ("black", "黑", "黒")) != bool(loses) else WHITE
    raise ValueError(f"the result {quoted(result)} is not understood")


def rules_named(name: str) -> Optional[Rules]:
    """The rules with a name in a file, or None."""
    words = " ".join(name.lower().replace("-", " ").replace("_", " ").split())
    for rules in catalogue.GAMES.values():
        if rules.name.lower().replace("-", " ") == words:
            return rules
    try:
        return RULES.get(words) or catalogue.find(words.replace(" ", "-") if re.fullmatch(
            "[0-9]{1,2} in a row", words, re.ASCII) else name.strip())
    except ValueError:
        return None


def choose_rules(name: Union[str, Rules], source: Source, default: Rules, notes: Notes) -> Rules:
    """The rules of a game: the file's, else those that the caller asked for, else the default.

    name  the rules, or their name in the file; "" if it names none
    """
    named = name if isinstance(name, Rules) else rules_named(name)
    if source.rules and name == source.rules.name:  # rules outside the catalogue
        named = source.rules
    if name and named is None:
        notes.add(f"the rules {quoted(str(name))} are not supported; read as "
                  f"{(source.rules or default).name}")
    if named and source.rules and named != source.rules and not source.quiet:
        notes.add(f"the file is {named.name}, not {source.rules.name}")
    return named or source.rules or default


def choose_size(size: Optional[Size], source: Source, default: int, notes: Notes) -> Size:
    """The size of the board: the file's, else the one that the caller asked for, else `default`."""
    given = source.size
    if size is not None and given is not None and size != given and not source.quiet:
        notes.add(f"the board of the file is {board_text(size)}, not {board_text(given)}")
    if size is None and given is None:
        notes.add(f"the file names no board size; read as {board_text(default)}")
    return next(each for each in (size, given, default) if each is not None)


def board_text(size: Size, between: str = "x") -> str:
    """The columns and rows of a size: 15x15, 12x10."""
    return between.join(map(str, sides(size)))


def set_headers(tree: GameTree, headers: Mapping[str, str], notes: Notes) -> None:
    """Set the facts about a game, without empty ones; long ones are cut."""
    for key, text in headers.items():
        text = text.strip()
        if len(text) > LONGEST_INFO:
            notes.add(f"the {key} is cut to {LONGEST_INFO} characters")
        if text:
            tree.info[key] = text[:LONGEST_INFO]


@lru_cache(maxsize=64)
def points_of(lattice: Lattice) -> dict[tuple[int, int], int]:
    """The points by displayed column and row, from 0 at the lower left."""
    return {lattice.display_place(point): point for point in lattice.points}


class Line:
    """Plays the moves of a main line into a tree, up to the first move that cannot be played."""

    def __init__(self, tree: GameTree, notes: Notes):
        self.tree, self.notes, self.last = tree, notes, ROOT
        self.position = tree.position(ROOT)
        self.moves = 0
        self.fault = ""
        self._points = points_of(self.position.lattice)

    def play(self, place: Optional[tuple[int, int]], text: str) -> None:
        """Play a move of the side to move; after a move that cannot be played, nothing more.

        place  displayed column and row, from 0 at the lower left; None for a pass
        text   the move as the file writes it
        """
        self.moves += 1
        if self.fault:
            return
        if place is not None and place not in self._points:
            self._stop(f"is not on the board of {board_text(self.tree.size, ' x ')}: "
                       f"{text}")
            return
        step = Step(move=(self.position.side, PASS if place is None else self._points[place]))
        try:
            step.apply(self.position, foul_loses=True)
        except IllegalMove as complaint:
            self._stop(f"is illegal: {complaint}")
            return
        self.last = self.tree.append(self.last, step)
        self.tree.set_outcome_value(self.last, self.position)

    def _stop(self, reason: str) -> None:
        self.fault = f"move {self.moves} {reason}"
        self.notes.add(f"{self.fault}; the game is read up to there")

    def record(self, format: str, winner: Optional[int] = None) -> Record:
        """The record of the game, with the result that the file claims."""
        record = Record(self.tree, format, winner, self.notes, self.fault, end=self.position)
        note_result(record)
        return record


def note_result(record: Record) -> None:
    """Add a note if the moves end with another result than the file claims."""
    outcome = record.end.outcome if record.end else None
    if outcome and record.winner is not None and outcome.winner != record.winner:
        record.notes.append(
            f"the file says {_result(record.winner)}, the moves end with {_result(outcome.winner)}")


def main_line(tree: GameTree, notes: Notes, headers: Iterable[str] = (),
              properties: Iterable[str] = ()) -> list[tuple[Node, tuple[int, int]]]:
    """The nodes of the main line with the places of their moves, up to a pass or a set-up.

    A place is the displayed column and row, from 0 at the lower left.  Adds the losses of a file of
    plain moves to the notes; `headers` and extra `properties` are no losses.
    """
    nodes = [tree.nodes[number] for number in tree.line(ROOT)]
    if len(nodes) < len(tree.nodes):
        notes.add("variations are left out")
    for name, text in (("comment", "comments"), ("marks", "marks"), ("arrows", "arrows")):
        if any(getattr(node, name) for node in nodes):
            notes.add(f"{text} are left out")
    if any(node.value is not None and node.depth != PROVED for node in nodes):
        notes.add("values are left out")
    if left := [key for key in tree.info if key not in headers]:
        notes.add(f"headers are left out: {', '.join(left)}")
    if extra := dict.fromkeys(name for node in nodes for name, _ in node.extra
                              if name not in properties):
        notes.add(f"properties are left out: {' '.join([*extra][:20])}")
    place_of = catalogue.start(tree.rules, tree.size).lattice.display_place
    side, found = tree.rules.first, []
    for number, node in enumerate(nodes[1:], 1):
        step = node.step
        if not step.move or step.move[1] == PASS or step != Step(move=(side, step.move[1])):
            notes.add(f"the format has only moves in turn; the game ends before move {number}")
            break
        found.append((node, place_of(step.move[1])))
        side = opponent(side)
    return found


def note_game(tree: GameTree, notes: Notes, size: bool = False) -> None:
    """Note that a format has no name of the game, unless its readers expect five in a row.

    size  does the format lack a board size, too?
    """
    if tree.rules.in_a_row != catalogue.GOMOKU.in_a_row and not tree.rules.cube:
        notes.add(f"the name of the game is left out: {tree.rules.name}")
    if size and not isinstance(tree.size, int):
        notes.add(f"the board size is left out: {size_text(tree.size)}")


def _result(winner: int) -> str:
    return f"a win of {COLOUR[winner]}" if winner in COLOUR else "a draw"
