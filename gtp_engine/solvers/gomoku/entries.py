"""The checker's reader of the short files of Gomoku proofs, in plain Python.

It uses nothing of the engine, whose reader is `players/proofs/gomoku`.  docs/proof-soundness.md
describes the bytes.
"""

import lzma
import re
import struct
from pathlib import Path
from typing import NamedTuple, Sequence

FOLDER = Path(__file__).parents[2] / "players" / "data"
SUFFIX = ".proof"
HEADER = "gtp_engine: Black wins {} on {}x{}, version 4"
NO_STONE = -1  # a pass, in the moves and answers of entries
THREATS, OPEN, ELSEWHERE, END = 0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF
LARGEST = 1 << 27  # bytes of a stream


class Board(NamedTuple):
    """The game of a proof, such as "Gomoku", and the lines of its square board."""

    game: str
    size: int

    def __str__(self) -> str:
        return f"{self.game} on {self.size}x{self.size}"

    def header(self) -> str:
        """Return the first line of a file, without its end."""
        return HEADER.format(self.game, self.size, self.size)

    def path(self) -> Path:
        """Return the path of the file in the package, which may not exist."""
        return FOLDER / f"{self.game.lower()}-{self.size}{SUFFIX}"


GOMOKU = Board("Gomoku", 15)


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


def shipped() -> list[Board]:
    """Return the boards whose files are in the package."""
    return sorted(board_of(path.read_bytes()) for path in FOLDER.glob(f"*{SUFFIX}"))


def board_of(data: bytes) -> Board:
    """Return the board of a file or of its first line.  Raises ValueError."""
    line = data.partition(b"\n")[0].decode("latin-1")
    found = re.fullmatch(HEADER.format("(.+)", r"(\d{1,4})", r"\2"), line)
    if not found:
        raise ValueError("it does not start with the header of a proof of Gomoku")
    return Board(found[1], int(found[2]))


def entries(data: bytes) -> list[Entry]:
    """Read the entries of a file, each before the entries after its answers; points are numbers.

    Raises ValueError if the file is damaged or has another format.
    """
    return entries_of(stream_of(data), board_of(data).size)


def stream_of(data: bytes) -> tuple[int, ...]:
    """Return the symbols of a file.  Raises ValueError if it is damaged or no proof."""
    board_of(data)
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    try:
        stream = unpacker.decompress(data.partition(b"\n")[2], LARGEST)
    except lzma.LZMAError:
        raise ValueError("it is damaged") from None
    if not unpacker.eof or unpacker.unused_data or len(stream) % 2:
        raise ValueError("it is damaged or too large")
    return struct.unpack(f"<{len(stream) // 2}H", stream)


def entries_of(stream: Sequence[int], size: int) -> list[Entry]:
    """Read the entries of the symbols of a file.  Raises ValueError if they are damaged."""
    try:
        listed, end = _read(stream, size * size)
    except IndexError:
        raise ValueError("it ends in the middle of an entry") from None
    if end != len(stream):
        raise ValueError("something follows its end")
    return listed


def _read(stream: Sequence[int], points: int) -> tuple[list[Entry], int]:
    # The first entry and the entries below it, and their end.
    listed, above, at, moves = list[Entry](), list[Entry](), 0, tuple[int, ...]()
    while not listed or above:
        entry = Entry(moves, stream[at], stream[at + 1], {})
        if entry.move >= points:
            raise ValueError("it is damaged")
        at += 2
        listed.append(entry)
        above.append(entry)
        while above:
            _, move, plies, answers = entry = above[-1]
            symbol, mark = stream[at], stream[at:at + 2][-1]
            answer = NO_STONE if symbol == points else symbol
            if symbol > points:
                if (symbol not in (OPEN, END) or (symbol == END) != (plies > 0)
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
