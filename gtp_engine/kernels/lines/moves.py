"""Move generation, the most promising moves first."""

import numpy as np

from .. import inlined
from ..bits import lowest_bit
from ..rules import CAPTURED, CARO, EXACT, RENJU, TARGET, allowed, breakable, exact, taken
from .renju import is_forbidden


@inlined
def add(out, n, point):
    """Append a point to out[:n] unless it is there; returns the new length."""
    for i in range(n):
        if out[i] == point:
            return n
    out[n] = point
    return n + 1


@inlined
def wins_at(board, colour, out):
    """Put the points where `colour` wins at once into `out`; returns their number."""
    n = 0
    own = colour + 1
    nearly = (board.lines.shape[1] - 1) * board.step[colour]
    for word in range(board.sets.shape[1]):
        bits = board.sets[nearly, word]
        while bits:
            line = word * 64 + lowest_bit(bits)
            bits &= bits - 1
            before, after = board.cells[board.ends[line, 0]], board.cells[board.ends[line, 1]]
            if not (exact(board.game, colour) and (before == own or after == own)
                    or board.game[CARO] and before == after == 3 - own):
                n = add(out, n, board.rest[line])
    missing = board.game[TARGET] - board.counts[CAPTURED + colour]
    if board.game[TARGET] and missing <= 24:
        for each in board.points:
            point = np.int64(each)
            if board.cells[point] == 0 and taken(
                    board.cells, board.steps, board.game, point, colour, board.scratch) >= missing:
                n = add(out, n, point)
    return n


@inlined
def generate(board, ply, mover, attacker):
    """Put the relevant moves into moves[ply], the most promising first; returns their number.

    A point is irrelevant if it lies on no line that a side can still complete.  Of several points
    on the same of these lines, one is relevant.  In Renju every allowed point is relevant, since a
    stone anywhere may change which points are forbidden.
    """
    moves, promise, marks = board.moves[ply], board.promise, board.marks
    other_answers = breakable(board.game)
    if not other_answers and wins_at(board, 1 - mover, moves) and not is_forbidden(
            board, mover, moves[0]):
        return 1
    n = 0
    for each in board.points:
        point = np.int64(each)
        if board.cells[point]:
            continue
        value, mark = 0, np.uint64(0)
        for i in range(board.degree[point]):
            line = board.lines_at[point, i]
            for colour in range(2):
                worth = board.worth[board.state[line] * 2 + colour]
                if worth:
                    value += worth
                    mark ^= board.line_keys[line] * np.uint64(2 * colour + 1)
        if other_answers:
            if not allowed(board.counts, board.middle, board.game, point, mover):
                continue
        elif board.game[RENJU]:
            if is_forbidden(board, mover, point):
                continue
        elif value == 0:
            continue
        i = n
        is_duplicate = False
        while i > 0 and promise[i - 1] <= value:
            i -= 1
            is_duplicate |= promise[i] == value and marks[moves[i]] == mark
        if is_duplicate and not other_answers and not board.game[EXACT]:
            continue
        i = n
        while i > 0 and promise[i - 1] < value:
            promise[i], moves[i] = promise[i - 1], moves[i - 1]
            i -= 1
        promise[i], moves[i], marks[point] = value, point, mark
        n += 1
    if mover == attacker and board.control[0].attacker_width:
        n = min(n, board.control[0].attacker_width)
    return n
