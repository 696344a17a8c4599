"""The short file of a proof of Gomoku as its checker reads it, in plain Python.

players/gomoku_proof describes the bytes, and reads them in another way.
"""

from typing import NamedTuple

from ...kernels.plane.proof_file import ELSEWHERE, END, OPEN, THREATS
from ...players.proofs.gomoku import NO_STONE, POINTS, stream_of


class Entry(NamedTuple):
    """A position with Black to move.

    moves    the moves that lead there, those of the two colours in turns, NO_STONE among them
    move     Black's move
    plies    to the end of the game, at most; 0 if not all answers are known to lose
    answers  those that stand there, each with True if its entry follows, ELSEWHERE or THREATS
    """

    moves: tuple[int, ...]
    move: int
    plies: int
    answers: dict[int, int]


def entries(data: bytes) -> list[Entry]:
    """The entries of a file, each before those after its answers, points by number.

    Raises ValueError if it is damaged or something else.
    """
    stream = stream_of(data)
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
            elif mark in (ELSEWHERE, THREATS):
                answers[answer] = mark
                at += 2
            else:
                answers[answer] = True
                at += 1
                moves = (*entry.moves, move, answer)
                break
    return found, at
