"""Puzzles, their grades, and sets of puzzles as text.

A set is a text file with a line for each puzzle; lines that begin with # are comments:

    fours 7 4 Gomoku 15 h8i9g7... j10k11...

The fields are class, plies, false tries, game, size, the moves to the position, and the solution
with the longest defence.  Points are written as in h8i9: I is a column, and 1 is the bottom row.
"""

import re
from functools import lru_cache
from math import log2
from pathlib import Path
from typing import Iterable, Iterator, NamedTuple

from ..games import catalogue
from ..games.lattice import Lattice, Size, size_of_text, size_text
from ..games.rules import Position, Rules
from ..games.symmetry import row_length, symmetries
from ..wire.files import read_at_most

FOURS, THREATS, CAPTURES, ROWS, DEFENCE = CLASSES = (
    "fours", "threats", "captures", "rows", "defence")
MEANS = {FOURS: "by fours alone", THREATS: "by fours and threes", CAPTURES: "with captures",
         ROWS: "by threats alone"}
EASIEST, HARDEST = 1, 10  # grades
FIRST_RATING, RATING_STEP = 600, 150  # the rating of grade 1, and the difference between grades
SHIPPED = Path(__file__).with_name("puzzles.txt")
LONGEST_FILE = 1 << 24  # bytes
_POINT = re.compile("([a-z])([0-9]{1,2})")


class Puzzle(NamedTuple):
    """A position with a single right move.

    kind   one of CLASSES: FOURS, THREATS (fours and threes), CAPTURES or ROWS, the means of the
           win; or DEFENCE, if all moves but one lose.  ROWS is for games in which rows are as long
           as the board.
    plies  the length of the win, with the winning stone; in a DEFENCE, of the threatened win
    tries  the number of other moves that look right: threats; in a DEFENCE, losing moves that
           block the threat
    moves  the moves from the empty board
    line   the right move; if it wins, the whole line with the longest defence
    """

    kind: str
    plies: int
    tries: int
    rules: Rules
    size: Size
    moves: tuple[int, ...]
    line: tuple[int, ...]

    def position(self) -> Position:
        """The position; the solver is the side to move."""
        position = catalogue.start(self.rules, self.size)
        for point in self.moves:
            position.play(position.side, point)
        return position

    @property
    def grade(self) -> int:
        """The grade from EASIEST to HARDEST: moves + log2(1 + tries) - 1, rounded.

        Counts the moves of the winner, plus one if some of them are not fours.
        """
        moves = (self.plies + 1) // 2 + (self.kind == THREATS)
        return min(max(round(moves + log2(1 + self.tries) - 1), EASIEST), HARDEST)

    @property
    def rating(self) -> int:
        """The grade on the rating scale of users."""
        return FIRST_RATING + RATING_STEP * (self.grade - EASIEST)

    def task(self, side: str) -> str:
        """The task as a sentence; `side` is the name of the side to move."""
        if self.kind == DEFENCE:
            return f"{side} to play: find the only move that does not lose."
        moves = (self.plies + 1) // 2
        return (f"{side} to play and win in {moves} moves {MEANS[self.kind]}: "
                "find the only first move.")

    def text(self) -> str:
        """The line of the puzzle in a file."""
        names = names_of(catalogue.start(self.rules, self.size).lattice)
        return " ".join([self.kind, str(self.plies), str(self.tries), self.rules.name,
                         size_text(self.size), *("".join(names[point] for point in points)
                                           for points in (self.moves, self.line))])


def puzzle_of_text(text: str) -> Puzzle:
    """Parse a line of a file, the inverse of `Puzzle.text`.  Raises ValueError."""
    words = text.split()
    if len(words) != 7 or words[0] not in CLASSES or not all(
            re.fullmatch("[0-9]{1,3}", words[place]) for place in (1, 2)):
        raise ValueError("a puzzle must be: CLASS PLIES TRIES GAME SIZE MOVES SOLUTION, with a "
                         f"class of {', '.join(CLASSES)}")
    kind, plies, tries, name, size, moves, line = words
    rules = catalogue.find(name)
    board = size_of_text(size)
    position = catalogue.start(rules, board)
    places = {name: point for point, name in names_of(position.lattice).items()}

    def play(text: str) -> tuple[int, ...]:
        if _POINT.sub("", text):
            raise ValueError(f"moves must be written as in h8i9, not {text[:40]!r}")
        points = []
        for match in _POINT.finditer(text):
            if match[0] not in places:
                raise ValueError(f"{match[0]} is not on the board")
            points.append(places[match[0]])
            position.play(position.side, points[-1])
        return tuple(points)

    return Puzzle(kind, int(plies), int(tries), rules, board, play(moves), play(line))


@lru_cache(maxsize=None)
def names_of(lattice: Lattice) -> dict[int, str]:
    """The names of the points as in h8; I is a column."""
    return {point: f"{chr(ord('a') + column)}{row + 1}" for point in lattice.points
            for column, row in [lattice.display_place(point)]}


def puzzles_in(path: Path) -> Iterator[Puzzle]:
    """Parse the puzzles of a file lazily.

    Raises OSError, and ValueError with the number of the wrong line.
    """
    for number, line in enumerate(lines_of(path), 1):
        if line.strip() and not line.startswith("#"):
            try:
                yield puzzle_of_text(line)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None


@lru_cache(maxsize=None)
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """The puzzles that come with the package."""
    return tuple(puzzles_in(SHIPPED))


def lines_of(path: Path) -> list[str]:
    """Read the lines of a set.  Raises OSError, and ValueError if it is too long."""
    return read_at_most(path, LONGEST_FILE).decode("utf-8", "replace").splitlines()


def text_of(puzzles: Iterable[Puzzle]) -> str:
    """The text of a set."""
    return "".join(f"{line}\n" for line in (
        f"# {len(CLASSES)} classes", *(puzzle.text() for puzzle in puzzles)))


def canonical_key(position: Position) -> tuple[bytes, bytes, int]:
    """A key that is equal for positions that are equal by a symmetry of the board.

    If both colours have the same rules, positions with exchanged colours also have equal keys.
    """
    rules, side, lattice = position.rules, position.side, position.lattice
    exchange = {side: 1, 3 - side: 2}
    cells = [exchange.get(colour, 0) for colour in position.cells] if not rules.renju else [
        *position.cells]
    own, other = position.captured[side], position.captured[3 - side]
    stones = min(bytes(cells[point] for point in image[list(lattice.points)])
                 for image in symmetries(lattice, row_length(rules)))
    return stones, rules.name.encode(), own * 100 + other
