"""The proof that Black wins Gomoku on 15x15 from the centre, as far as it goes: a move for each
position.

`python -m gtp_engine solve-gomoku` writes it, `verify-gomoku` checks it.  The file is HEADER and a
zlib stream of bytes: one entry, of the empty board.  An entry is Black's move, the plies to the end
of the game if White holds out as long as the tree lets it, and the answers that need an entry of
their own, each followed by that or by SEEN, where the position, or what a symmetry shows as it, has
an entry elsewhere; then END, or OPEN.  After END all other answers lose to threats; after OPEN
nothing is said of them, and the plies are 0.  Points are numbered from A1 along the rows.
"""

import zlib
from pathlib import Path
from random import Random
from typing import Iterator, NamedTuple, Optional, Sequence, Union

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, WHITE, Lattice
from ..games.rules import Position
from .adapters import symmetries

SIZE = 15
POINTS = SIZE * SIZE
HEADER = b"gtp_engine: Black wins Gomoku on 15x15, version 1\n"
OPEN, SEEN, END = 253, 254, 255
LARGEST = 1 << 26  # bytes of a stream
Hashes = tuple[int, ...]


class Entry(NamedTuple):
    """A position with Black to move.

    moves    the moves that lead there, those of the two colours in turns
    move     Black's move
    plies    to the end of the game, at most; 0 if not all answers are known to lose
    answers  those that have an entry, and whether it follows in the file
    """

    moves: tuple[int, ...]
    move: int
    plies: int
    answers: tuple[tuple[int, bool], ...]


def entries(data: bytes) -> Iterator[Entry]:
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
    found: list[Entry] = []
    try:
        end = _read(stream, 0, (), found)
    except (IndexError, RecursionError):
        raise ValueError("it ends in the middle of an entry") from None
    if end != len(stream):
        raise ValueError("something follows its end")
    return iter(found)


def _read(stream: bytes, at: int, moves: tuple[int, ...], found: list[Entry]) -> int:
    # Append the entry that begins there, and those below it; returns where it ends.
    move, plies, answers, number = stream[at], stream[at + 1], [], len(found)
    found.append(Entry(moves, move, plies, ()))
    at += 2
    while stream[at] < POINTS:
        answer = stream[at]
        answers.append((answer, stream[at + 1] != SEEN))
        at = (at + 2 if stream[at + 1] == SEEN
              else _read(stream, at + 1, (*moves, move, answer), found))
    if stream[at] not in (OPEN, END) or (stream[at] == END) != (plies > 0) or move >= POINTS:
        raise ValueError("it is damaged")
    found[number] = found[number]._replace(answers=tuple(answers))
    return at + 1


def packed(root: Sequence[int]) -> bytes:
    """The bytes of a file with this stream."""
    return HEADER + zlib.compress(bytes(root), 9)


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


class GomokuProof:
    """What is proved, by position.  Raises ValueError if the file is damaged."""

    def __init__(self, data: bytes):
        lattice = catalogue.start(catalogue.GOMOKU, SIZE).lattice
        self._board, self._lattice = Symmetric(lattice), lattice
        points = lattice.points
        known: dict[tuple[int, ...], Hashes] = {(): self._board.nothing}
        self._move: dict[int, tuple[int, int]] = {}
        self._lost: dict[int, int] = {}
        for entry in entries(data):
            hashes, move = known[entry.moves], points[entry.move]
            least = min(hashes)
            image = self._board.images[hashes.index(least)]
            self._move[least] = image[move], entry.plies
            after = self._board.play(hashes, BLACK, move)
            if entry.plies:
                self._lost[min(after)] = entry.plies - 1
            for answer, follows in entry.answers:
                if follows:
                    known[(*entry.moves, entry.move, answer)] = self._board.play(
                        after, WHITE, points[answer])

    def __len__(self) -> int:
        return len(self._move)

    def move(self, position: Position) -> Optional[tuple[int, int]]:
        """Black's move and the plies to the end, at most; 0 if some answers are still open.

        None if the position is none of the proof, or White is to move.
        """
        hashes = self._hashes(position)
        found = self._move.get(min(hashes)) if position.side == BLACK else None
        if found is None:
            return None
        image = self._board.images[hashes.index(min(hashes))]
        return image.index(found[0]), found[1]

    def loss(self, position: Position) -> int:
        """The plies after which White, to move, has lost; 0 if nothing is known of that."""
        return self._lost.get(min(self._hashes(position)), 0) if position.side == WHITE else 0

    def is_refuted(self, position: Position) -> bool:
        """Has White, who is not to move, just answered so that Black wins by threats?"""
        if position.side != BLACK:
            return False
        hashes, board = self._hashes(position), self._board
        return min(hashes) not in self._move and any(
            min(board.play(hashes, WHITE, point)) in self._lost
            for point in self._lattice.points if position.cells[point] == WHITE)

    def _hashes(self, position: Position) -> Hashes:
        found = self._board.nothing
        for point in self._lattice.points:
            if position.cells[point] != EMPTY:
                found = self._board.play(found, position.cells[point], point)
        return found


def is_for(position: Position) -> bool:
    """Is this the game, and the board, that the proof is of?"""
    return position.rules == catalogue.GOMOKU and position.lattice.width == SIZE


def read(path: Union[str, Path]) -> GomokuProof:
    """The proof in a file.  Raises OSError or ValueError if there is none."""
    try:
        return GomokuProof(Path(path).read_bytes())
    except ValueError as error:
        raise ValueError(f"not a proof of Gomoku: {path}: {error}") from None
