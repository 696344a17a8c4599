"""The checker's reader of the short file of a Gomoku proof, in plain Python.

It uses nothing of the engine, whose reader is `players/proofs/gomoku`.  docs/proof-soundness.md
describes the bytes.
"""

import lzma
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).parents[2] / "players" / "data" / "gomoku.proof"
HEADER = b"gtp_engine: Black wins Gomoku on 15x15, version 3\n"
NO_STONE = 225  # a pass
THREATS, OPEN, ELSEWHERE, END = 252, 253, 254, 255
LARGEST = 1 << 26  # bytes of a stream


class Entry(NamedTuple):
    """A position with Black to move.

    moves    the alternating moves that lead to it; a pass is NO_STONE
    move     Black's move
    plies    the most plies to the end of the game; 0 if the proof is incomplete
    answers  the listed answers: True if the entry follows, else ELSEWHERE or THREATS
    """

    moves: tuple[int, ...]
    move: int
    plies: int
    answers: dict[int, int]


def entries(data: bytes) -> list[Entry]:
    """Read the entries of a file, each before the entries after its answers; points are numbers.

    Raises ValueError if the file is damaged or has another format.
    """
    return entries_of(stream_of(data))


def stream_of(data: bytes) -> bytes:
    """Return the stream of a file.  Raises ValueError if it is damaged or no proof."""
    if not data.startswith(HEADER):
        raise ValueError("it does not start with the header of a proof of Gomoku")
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    try:
        stream = unpacker.decompress(data[len(HEADER):], LARGEST)
    except lzma.LZMAError:
        raise ValueError("it is damaged") from None
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("it is damaged or too large")
    return stream


def entries_of(stream: bytes) -> list[Entry]:
    """Read the entries of a stream.  Raises ValueError if it is damaged."""
    try:
        listed, end = _read(stream)
    except IndexError:
        raise ValueError("it ends in the middle of an entry") from None
    if end != len(stream):
        raise ValueError("something follows its end")
    return listed


def _read(stream: bytes) -> tuple[list[Entry], int]:
    # The first entry and the entries below it, and their end.
    listed, above, at, moves = list[Entry](), list[Entry](), 0, tuple[int, ...]()
    while not listed or above:
        entry = Entry(moves, stream[at], stream[at + 1], {})
        at += 2
        listed.append(entry)
        above.append(entry)
        while above:
            _, move, plies, answers = entry = above[-1]
            answer, mark = stream[at], stream[at:at + 2][-1]
            if answer > NO_STONE:
                if (answer not in (OPEN, END) or (answer == END) != (plies > 0) or move >= NO_STONE
                        or answers.get(NO_STONE, True) is not True):
                    raise ValueError("it is damaged")
                above.pop()
                at += 1
            elif mark in (ELSEWHERE, THREATS):
                answers[answer] = mark
                at += 2
            else:
                answers[answer] = True
                at += 1
                moves = (*entry.moves, move, answer)
                break
    return listed, at
