"""The proof that Black wins Gomoku on 15x15 from the centre, as far as it goes: a move for each
position.

`python -m gtp_engine solve-gomoku` writes it, `verify-gomoku` checks it.  The file is HEADER and a
zlib stream of bytes: one entry, of the empty board.  An entry is Black's move, the plies to the end
of the game if White holds out as long as the tree lets it, and the answers that need an entry of
their own, each followed by that or by SEEN, where the position, or what a symmetry shows as it, has
an entry elsewhere; then perhaps PASS and what wins after a pass, an entry again, but without SEEN;
then END, or OPEN.  After END all other answers lose: after those that could spoil what wins after a
pass Black wins by threats, after the rest by what wins after a pass, by threats if nothing stands
there.  After OPEN nothing is said of them, and the plies are 0.  Points are numbered from A1 along
the rows.
"""

import zlib
from typing import Iterator, NamedTuple, Sequence

POINTS = 15 * 15
HEADER = b"gtp_engine: Black wins Gomoku on 15x15, version 2\n"
PASS = POINTS
OPEN, SEEN, END = 253, 254, 255
LARGEST = 1 << 26  # bytes of a stream


class Entry(NamedTuple):
    """A position with Black to move.

    moves    the moves that lead there, those of the two colours in turns, PASS among them
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
    while stream[at] <= PASS:
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
