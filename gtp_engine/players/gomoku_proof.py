"""The proof that Black wins Gomoku on 15x15 from the centre, as far as it goes: a move for each
position.

`python -m gtp_engine solve-gomoku` writes it, `verify-gomoku` checks it.  The file is HEADER and a
zlib stream of bytes: one entry, of the empty board.  An entry is Black's move, the plies to the end
of the game if White holds out as long as the tree lets it, and the answers that need an entry of
their own, each followed by that or by SEEN, where the position, or what a symmetry shows as it, has
an entry elsewhere.  Then END says that all other answers lose to threats, OPEN that nothing is said
of them; after OPEN the plies are 0.  Where there is an entry for NO_STONE, a pass, before END, it
wins after all other answers, as if they were passes, and answers that lose to threats are followed
by THREATS.  Below NO_STONE nothing is SEEN.  Points are numbered from A1 along the rows.
"""

import zlib
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple, Optional, Sequence, Union

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, PASS, WHITE, Lattice
from ..games.rules import Position
from .adapters import symmetries

SIZE = 15
POINTS = NO_STONE = SIZE * SIZE
HEADER = b"gtp_engine: Black wins Gomoku on 15x15, version 2\n"
THREATS, OPEN, SEEN, END = 252, 253, 254, 255
LARGEST = 1 << 26  # bytes of a stream
FILE = Path(__file__).parent / "data" / "gomoku.proof"

Hashes = tuple[int, ...]  # of a position, one for each symmetry


class Entry(NamedTuple):
    """A position with Black to move.

    moves    the moves that lead there, those of the two colours in turns, NO_STONE among them
    move     Black's move
    plies    to the end of the game, at most; 0 if not all answers are known to lose
    answers  those that stand there, each with True if its entry follows, SEEN or THREATS
    """

    moves: tuple[int, ...]
    move: int
    plies: int
    answers: dict[int, int]


def entries(data: bytes) -> list[Entry]:
    """The entries of a file, each before those after its answers, points by number.

    Raises ValueError if it is damaged or something else.
    """
    if not data.startswith(HEADER):
        raise ValueError("it does not begin as a proof of Gomoku does")
    unpacker = zlib.decompressobj()
    try:
        stream = unpacker.decompress(data[len(HEADER):], LARGEST)
    except zlib.error:
        raise ValueError("it is damaged") from None
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("it is damaged or too large")
    try:
        found, end = _read(stream)
    except IndexError:
        raise ValueError("it ends in the middle of an entry") from None
    if end != len(stream):
        raise ValueError("something follows its end")
    return found


def _read(stream: bytes) -> tuple[list[Entry], int]:
    # The first entry and those below it, and where it ends.
    found, above, at, moves = list[Entry](), list[Entry](), 0, tuple[int, ...]()
    while not found or above:
        entry = Entry(moves, stream[at], stream[at + 1], {})
        at += 2
        found.append(entry)
        above.append(entry)
        while above:
            _, move, plies, answers = entry = above[-1]
            answer, mark = stream[at], stream[at:at + 2][-1]
            if answer > NO_STONE:
                if (answer not in (OPEN, END) or (answer == END) != (plies > 0) or move >= POINTS
                        or answers.get(NO_STONE, True) is not True):
                    raise ValueError("it is damaged")
                above.pop()
                at += 1
            elif mark in (SEEN, THREATS):
                answers[answer] = mark
                at += 2
            else:
                answers[answer] = True
                at += 1
                moves = (*entry.moves, move, answer)
                break
    return found, at


def packed(stream: Sequence[int]) -> bytes:
    """The bytes of a file with this stream."""
    return HEADER + zlib.compress(bytes(stream), 9)


class Symmetric:
    """Positions by hashes, one for each symmetry of the board."""

    def __init__(self, lattice: Lattice):
        random, images = Random(15), symmetries(lattice, 5)
        word = {point: (random.getrandbits(64), random.getrandbits(64))
                for point in lattice.points}
        self.words = {(point, colour): [word[int(image[point])][colour - BLACK]
                                        for image in images]
                      for point in lattice.points for colour in (BLACK, WHITE)}
        self.images = [image.tolist() for image in images]
        self.nothing: Hashes = (0,) * len(images)

    def play(self, hashes: Hashes, colour: int, point: int) -> Hashes:
        """The hashes with one more stone, or without this one."""
        return tuple(a ^ b for a, b in zip(hashes, self.words[point, colour]))


class Advice(NamedTuple):
    """What the proof says of a position with Black to move.

    move     Black's move
    plies    to the end of the game, at most; 0 if not all answers are known to lose
    answers  those after which the proof does not take White's stone for a pass; None if no stone is
             taken for one
    """

    move: int
    plies: int
    answers: Optional[frozenset[int]]


class GomokuProof:
    """What is proved, by position.  Raises ValueError if the file is damaged."""

    def __init__(self, data: bytes):
        lattice = catalogue.start(catalogue.GOMOKU, SIZE).lattice
        self._board = Symmetric(lattice)
        points = [*lattice.points, PASS]
        # An entry stands as the file shows it; it is looked for as all symmetries show a position.
        plain = self._board.images.index([*range(lattice.cells)])
        black, white = ([*(self._board.words[point, colour][plain] for point in lattice.points), 0]
                        for colour in (BLACK, WHITE))
        self._advice: dict[int, Advice] = {}
        self._lost: dict[int, int] = {}
        known: dict[tuple[int, ...], int] = {(): 0}
        for moves, move, plies, answers in entries(data):
            here = known.pop(moves)
            after = here ^ black[move]
            self._advice[here] = Advice(
                points[move], plies,
                frozenset(map(points.__getitem__, answers)) if NO_STONE in answers else None)
            if plies and NO_STONE not in moves:
                self._lost[after] = plies - 1
            for answer, mark in answers.items():
                if mark is True:
                    known[(*moves, move, answer)] = after ^ white[answer]

    def advice(self, position: Position) -> Optional[Advice]:
        """What the proof says of this position, if anything; None if White is to move.

        White's stones that it has taken for passes, on the way that the game has come, are left
        out.
        """
        if position.side != BLACK:
            return None
        hashes, advice, follows = self._board.nothing, self._shown(self._board.nothing), False
        for record in position.history:
            if record.point == PASS:  # not only moves were made
                return self._shown(self._hashes(position))
            if record.colour == BLACK:
                follows = advice is not None and advice.move == record.point
                hashes = self._board.play(hashes, BLACK, record.point)
                continue
            if not (follows and advice and advice.answers and record.point not in advice.answers):
                hashes = self._board.play(hashes, WHITE, record.point)
            advice = self._shown(hashes)
        return advice

    def loss(self, position: Position) -> int:
        """The plies after which White, to move, has lost; 0 if nothing is known of that."""
        return next((self._lost[shown] for shown in self._hashes(position)
                     if shown in self._lost), 0) if position.side == WHITE else 0

    def _shown(self, hashes: Hashes) -> Optional[Advice]:
        for shown, image in zip(hashes, self._board.images):
            found = self._advice.get(shown)
            if found:
                return Advice(image.index(found.move), found.plies, found.answers and frozenset(
                    point if point == PASS else image.index(point) for point in found.answers))
        return None

    def _hashes(self, position: Position) -> Hashes:
        found = self._board.nothing
        for point in position.lattice.points:
            if position.cells[point] != EMPTY:
                found = self._board.play(found, position.cells[point], point)
        return found


def of(position: Position) -> Optional[GomokuProof]:
    """The proof that comes with the package, if it may say something of the position."""
    return load() if (position.rules == catalogue.GOMOKU and position.lattice.width == SIZE
                      and (position.vacant == POINTS or any(
                          position.cells[point] == BLACK for point in position.lattice.middle()))
                      ) else None


def read(path: Union[str, Path]) -> GomokuProof:
    """The proof of a file.  Raises OSError or ValueError if there is none."""
    try:
        return GomokuProof(Path(path).read_bytes())
    except ValueError as error:
        raise ValueError(f"not a proof of Gomoku: {path}: {error}") from None


@lru_cache(maxsize=None)
def load() -> GomokuProof:
    """The proof that comes with the package."""
    return read(FILE)
