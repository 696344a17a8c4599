"""Moves that are made before a game begins: from a file, or made here."""

import re
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Callable, Iterator

from ..games import catalogue
from ..games.lattice import PASS
from ..games.opening_rules import NAMED_OPENINGS, opening_points
from ..games.rules import IllegalMove, Position, Rules
from ..players.openings.balanced import even_opening
from ..records.reader import LONGEST_FILE, PSQ, SGF, games_in, kind_of, position_of
from ..wire.files import read_at_most
from ..wire.notation import FILE_COLUMNS, GtpPoints

NONE, EVEN, RENJU26 = "none", "even", "renju26"
SCORE = 60  # of a short search, that an even opening gives to neither side: odds of 4 to 3
TRIES = 100  # to find one
SUFFIXES = (".sgf", ".psq", ".txt")  # of the files of a folder

Opening = tuple[str, ...]  # points in GTP's notation, played in turn


def openings_of(source: str, rules: Rules, size: int) -> tuple[Opening, ...]:
    """The openings in a file, or in all files of a folder that are named so, by name.

    Every game of an SGF file is an opening, and so is a .psq file.  In other files every line is
    one: points as in H8 G7 J9, or as in h8g7i9 with a column i, or steps to the right and down from
    the middle, as in 0,0,-1,1,1,1.  Empty lines and lines that begin with # are left out.
    RENJU26 stands for the 26 openings of Renju.  Raises OSError, and ValueError for an opening that
    the game does not allow.
    """
    if source == RENJU26:
        return renju_openings(rules, size)
    path = Path(source)
    paths = sorted(each for each in path.iterdir() if each.suffix.lower() in SUFFIXES) if (
        path.is_dir()) else [path]
    found = [opening for each in paths for opening in _in_file(each, rules, size)]
    if not found:
        raise ValueError(f"no openings in {path}")
    return tuple(found)


def renju_openings(rules: Rules, size: int) -> tuple[Opening, ...]:
    """The 26 openings of Renju, in their order.  Raises ValueError if the board has no middle or
    the game does not allow one."""
    found = []
    for named in NAMED_OPENINGS:
        position = catalogue.start(rules, size)
        if len(position.lattice.middle()) != 1 or size < 5:
            raise ValueError(f"{RENJU26} needs a board with a point in the middle, of 5 or more")
        names = GtpPoints(position.lattice).name
        opening = tuple(names[point] for point in opening_points(named, position.lattice))
        play_opening(position, opening)
        found.append(opening)
    return tuple(found)


@lru_cache(maxsize=64)
def made_opening(rules: Rules, size: int, seed: int) -> Opening:
    """Some stones near the middle that our own search calls even; the same for the same seed."""
    position = even_opening(catalogue.start(rules, size), Random(seed), bytearray(2), SCORE,
                            tries=TRIES)
    return _names(position)


def play_opening(position: Position, opening: Opening) -> None:
    """Play the points in turn.  Raises ValueError where the game does not allow it, or is over."""
    points = GtpPoints(position.lattice)
    for name in opening:
        point = points.point_of(name)
        if not point:
            raise ValueError(f"no such point: {name}")
        try:
            position.play(position.side, point)
        except IllegalMove as complaint:
            raise ValueError(f"{name}: {complaint}") from None
    if position.outcome:
        raise ValueError("the game is over")


def _in_file(path: Path, rules: Rules, size: int) -> Iterator[Opening]:
    try:
        data = read_at_most(path, LONGEST_FILE)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if kind_of(data) not in (SGF, PSQ):
        lines = data.decode("utf-8-sig", "replace").splitlines()
        for number, line in enumerate(map(str.strip, lines), 1):
            if line and not line.startswith("#"):
                yield _of_line(line, f"{path}, line {number}", rules, size)
        return
    games = [*games_in(data)]
    for number, game in enumerate(games, 1):
        where = f"{path}, game {number}" if len(games) > 1 else f"{path}"
        yield _of_game(game, where, rules, size)


def _of_line(line: str, where: str, rules: Rules, size: int) -> Opening:
    position = catalogue.start(rules, size)
    for pattern, read in FORMATS.items():
        if re.fullmatch(pattern, line):
            try:
                opening = read(line, position)
                play_opening(position, opening)
            except ValueError as error:
                raise ValueError(f"{where}: {error}") from None
            return opening
    raise ValueError(f"{where}: not an opening (as H8 G7 J9, h8g7i9 or 0,0,-1,1): {line[:80]}")


def _of_game(data: bytes, where: str, rules: Rules, size: int) -> Opening:
    try:
        played = position_of(data, rules, size)
        if played.lattice.display_size != size:
            raise ValueError(f"the board is not of size {size}")
        if any(record.point == PASS for record in played.history):
            raise ValueError("an opening has moves only")
        opening = _names(played)
        play_opening(catalogue.start(rules, size), opening)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    return opening


def _names(position: Position) -> Opening:
    name = GtpPoints(position.lattice).name
    return tuple(name[record.point] for record in position.history)


def _of_points(line: str, position: Position) -> Opening:
    words = line.upper().replace(",", " ").split()
    for word in words:
        if word.startswith("I"):
            raise ValueError(f"{word}: points that stand apart are GTP's, without a column I; "
                             "together, as in h8i9h7, they have one")
    return tuple(words)


def _of_squares(line: str, position: Position) -> Opening:
    found = []
    for column, row in re.findall("([a-z])([0-9]+)", line.lower()):
        found.append(_name(position, FILE_COLUMNS.index(column.upper()), int(row) - 1))
    return tuple(found)


def _of_steps(line: str, position: Position) -> Opening:
    numbers = [int(number) for number in re.findall("-?[0-9]+", line)]
    if len(numbers) % 2:
        raise ValueError("a step to the right has none down")
    middle, top = position.lattice.width // 2, position.lattice.height - 1
    return tuple(_name(position, middle + x, top - middle - y)
                 for x, y in zip(numbers[::2], numbers[1::2]))


def _name(position: Position, x: int, y: int) -> str:
    lattice = position.lattice
    if not (0 <= x < lattice.width and 0 <= y < lattice.height):
        raise ValueError(f"beside the board: column {x + 1}, row {y + 1}")
    return GtpPoints(lattice).name[lattice.point(x, y)]


FORMATS: dict[str, Callable[[str, Position], Opening]] = {
    r"[A-Za-z][0-9]+([ ,]+[A-Za-z][0-9]+)*": _of_points,
    r"([A-Za-z][0-9]+){2,}": _of_squares,
    r"-?[0-9]+([ ,]+-?[0-9]+)+": _of_steps,
}
