"""What a puzzle is, how hard it is, and sets of them as text.

A set is a text file with a line for each puzzle, in which lines that begin with # say nothing:

    fours 7 4 Gomoku 15 h8i9g7... j10k11...

class, plies, false tries, game, size, the moves that led to the position, and the solution with the
longest defence; points as in h8i9, where I is a column and 1 is the bottom row.
"""

import re
from functools import lru_cache
from math import log2
from pathlib import Path
from typing import Iterable, Iterator, NamedTuple

from ..games import catalogue
from ..games.lattice import Lattice
from ..games.rules import Position, Rules
from ..players.adapters import symmetries
from ..wire.files import read_at_most

FOURS, THREATS, CAPTURES, ROWS, DEFENCE = CLASSES = (
    "fours", "threats", "captures", "rows", "defence")
SAID = {FOURS: "by fours alone", THREATS: "by fours and threes", CAPTURES: "with captures",
        ROWS: "by threats alone"}
EASIEST, HARDEST = 1, 10  # grades
FIRST_RATING, RATING_STEP = 600, 150  # the rating of grade 1, and what a grade is harder
SHIPPED = Path(__file__).with_name("puzzles.txt")
LONGEST_FILE = 1 << 24  # bytes
_POINT = re.compile("([a-z])([0-9]{1,2})")


class Puzzle(NamedTuple):
    """A position in which one move is right.

    kind   one of CLASSES: a win by FOURS alone, by THREATS (fours and threes), with CAPTURES, by
           ROWS that lack one stone, where rows are as long as the board; or DEFENCE, where all
           moves but one lose
    plies  of the win, the winning stone included; in a DEFENCE those in which the other side would
           win if nobody hindered it
    tries  of the other moves those that look right: threats or, in a DEFENCE, what ends the threat
           and loses nevertheless
    moves  from the empty board
    line   the right move and, if it wins, what follows with the longest defence
    """

    kind: str
    plies: int
    tries: int
    rules: Rules
    size: int
    moves: tuple[int, ...]
    line: tuple[int, ...]

    def position(self) -> Position:
        """The position, with the side to move that is to find the move."""
        position = catalogue.start(self.rules, self.size)
        for point in self.moves:
            position.play(position.side, point)
        return position

    @property
    def grade(self) -> int:
        """How hard it is, from EASIEST to HARDEST: moves + log2(1 + tries) - 1, rounded.

        The moves are those of the winner, and one more if some of them are not fours.
        """
        moves = (self.plies + 1) // 2 + (self.kind == THREATS)
        return min(max(round(moves + log2(1 + self.tries) - 1), EASIEST), HARDEST)

    @property
    def rating(self) -> int:
        """The grade on the scale of those who solve puzzles."""
        return FIRST_RATING + RATING_STEP * (self.grade - EASIEST)

    def task(self, side: str) -> str:
        """What is asked for, in a sentence, of the side that is called so."""
        if self.kind == DEFENCE:
            return f"{side} to move: only one move does not lose."
        moves = (self.plies + 1) // 2
        return (f"{side} to move and win in {moves} moves {SAID[self.kind]}: "
                "only one first move does it.")

    def text(self) -> str:
        """The line of a file."""
        names = names_of(catalogue.start(self.rules, self.size).lattice)
        return " ".join([self.kind, str(self.plies), str(self.tries), self.rules.name,
                         str(self.size), *("".join(names[point] for point in points)
                                           for points in (self.moves, self.line))])


def parsed(text: str) -> Puzzle:
    """The puzzle of a line, the inverse of `Puzzle.text`.  Raises ValueError."""
    words = text.split()
    if len(words) != 7 or words[0] not in CLASSES or not all(
            re.fullmatch("[0-9]{1,3}", words[place]) for place in (1, 2, 4)):
        raise ValueError("it is not as: CLASS PLIES TRIES GAME SIZE MOVES SOLUTION, with a class "
                         f"of {', '.join(CLASSES)}")
    kind, plies, tries, name, size, moves, line = words
    rules = catalogue.find(name)
    position = catalogue.start(rules, int(size))
    places = {name: point for point, name in names_of(position.lattice).items()}

    def played(text: str) -> tuple[int, ...]:
        if _POINT.sub("", text):
            raise ValueError(f"moves are not as h8i9: {text[:40]!r}")
        points = []
        for match in _POINT.finditer(text):
            if match[0] not in places:
                raise ValueError(f"{match[0]} is not on the board")
            points.append(places[match[0]])
            position.play(position.side, points[-1])
        return tuple(points)

    return Puzzle(kind, int(plies), int(tries), rules, int(size), played(moves), played(line))


@lru_cache(maxsize=None)
def names_of(lattice: Lattice) -> dict[int, str]:
    """The names of the points as h8, where I is a column."""
    return {point: f"{chr(ord('a') + column)}{row + 1}" for point in lattice.points
            for column, row in [lattice.shown_at(point)]}


def puzzles_in(path: Path) -> Iterator[Puzzle]:
    """The puzzles of a file, each read when it is asked for.

    Raises OSError, and ValueError with the number of the line that is wrong.
    """
    for number, line in enumerate(lines_of(path), 1):
        if line.strip() and not line.startswith("#"):
            try:
                yield parsed(line)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None


@lru_cache(maxsize=None)
def shipped() -> tuple[Puzzle, ...]:
    """The puzzles that come with the package."""
    return tuple(puzzles_in(SHIPPED))


def lines_of(path: Path) -> list[str]:
    """The lines of a set.  Raises OSError, and ValueError if it is too long."""
    return read_at_most(path, LONGEST_FILE).decode("utf-8", "replace").splitlines()


def text_of(puzzles: Iterable[Puzzle]) -> str:
    """A set as a file."""
    return "".join(f"{line}\n" for line in (
        f"# {len(CLASSES)} classes", *(puzzle.text() for puzzle in puzzles)))


def canonical(position: Position) -> tuple[bytes, bytes, int]:
    """What all positions have in common that a symmetry of the board shows as this one.

    The side to move counts as one colour, so that positions with colours exchanged are the same
    where both colours have the same rules.
    """
    rules, side, lattice = position.rules, position.side, position.lattice
    exchange = {side: 1, 3 - side: 2}
    cells = [exchange.get(held, 0) for held in position.cells] if not rules.renju else [
        *position.cells]
    own, other = position.captured[side], position.captured[3 - side]
    shown = min(bytes(cells[point] for point in where[list(lattice.points)])
                for where in symmetries(lattice, rules.in_a_row))
    return shown, rules.name.encode(), own * 100 + other
