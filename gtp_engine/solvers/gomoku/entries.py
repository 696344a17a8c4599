"""The checker's reader of the short file of a Gomoku proof, in plain Python.

`players/proofs/gomoku` describes the bytes, and has an independent reader.
"""

from typing import NamedTuple

from ...kernels.plane.proof_file import ELSEWHERE, END, OPEN, THREATS
from ...players.proofs.gomoku import NO_STONE, POINTS, stream_of


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
    stream = stream_of(data)
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
                if (answer not in (OPEN, END) or (answer == END) != (plies > 0) or move >= POINTS
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
