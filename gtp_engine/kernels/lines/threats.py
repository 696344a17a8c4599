"""Victory by threats on boards as long as a row, as in 4x4x4.

A *threat* leaves a row one stone short of complete, so that the opponent has only one answer.  Two
threats with one stone win.
"""

import numpy as np

from .. import inlined, kernel
from ..bits import lowest_bit
from ..table import key_of
from .board import MOST_THREATS, turn

ANY_NUMBER = MOST_THREATS - 2


@kernel
def gather_threats(board, ply, two, must):
    """Put the threats on lines in state `two`, each with its answer, into pairs[ply].

    If `must` is not 0, only threats on this point count.  Returns a point that makes two threats,
    or 0, and the number of pairs.  A point with two threats is in pairs[ply, 0].
    """
    pairs, length, n = board.pairs[ply], board.lines.shape[1], 0
    for word in range(board.sets.shape[1]):
        bits = board.sets[two, word]
        while bits:
            line = word * 64 + lowest_bit(bits)
            bits &= bits - 1
            first = 0
            for i in range(length):
                if board.cells[board.lines[line, i]] == 0:
                    first = board.lines[line, i]
                    break
            both = board.rest[line]
            for threat in (first, both - first):
                if must and threat != must:
                    continue
                for i in range(n):
                    if pairs[i, 0] == threat:
                        pairs[0, 0], pairs[0, 1] = threat, both - threat
                        return threat, n
                pairs[n, 0], pairs[n, 1] = threat, both - threat
                n += 1
    return 0, n


@inlined
def to_complete(board, own, theirs):
    """Find the points that complete a line in one of two states, `own` and `theirs`.

    Returns a point for `own`, or 0; a point for `theirs`, or 0; and whether `theirs` has two such
    points.
    """
    sets, rest = board.sets, board.rest
    must, two = 0, False
    for word in range(sets.shape[1]):
        if sets[own, word]:
            return rest[word * 64 + lowest_bit(sets[own, word])], must, two
    for word in range(sets.shape[1]):
        bits = sets[theirs, word]
        while bits:
            point = rest[word * 64 + lowest_bit(bits)]
            bits &= bits - 1
            two |= must != 0 and must != point
            must = point
    return 0, must, two


@inlined
def change_pair(board, ply, colour, sign):
    """Place the current threat of `colour` at that ply and its answer, or remove them.

    `sign` is 1 to place them, -1 to remove them.  Returns the change of the key.
    """
    i = board.tried[ply, 1]
    threat, answer = board.pairs[ply, i, 0], board.pairs[ply, i, 1]
    board.cells[threat] = colour + 1 if sign > 0 else 0
    board.cells[answer] = 2 - colour if sign > 0 else 0
    turn(board, threat, board.step[colour], sign)
    turn(board, answer, board.step[1 - colour], sign)
    return board.zobrist[threat * 2 + colour, 0] ^ board.zobrist[answer * 2 + 1 - colour, 0]


@kernel
def forced_win(board, colour, most):
    """Does `colour`, the side to move, win by threats alone?  Returns the number of stones.

    Returns 0 if there is no win within `threat_nodes` more nodes and `most` threats, at most
    ANY_NUMBER, before the last two stones.

    All stones but the last two are threats; pairs[ply, tried[ply, 1]] holds each with its answer.
    The next pair holds the last two stones: one that makes two threats and one that completes a
    row.  If a stone completes a row at once, the pair holds it twice.
    """
    control, length = board.control[0], board.lines.shape[1]
    step, their_step = board.step[colour], board.step[1 - colour]
    key = key_of(board.hash[0], colour)
    mask = np.uint64(board.failed.size - 1)
    # A failure within a number of threats may be a win with more threats.
    less = np.uint64(0x9E6C63D0876A9A47) if most < ANY_NUMBER else np.uint64(0)
    nodes = control.threats
    end = nodes + control.threat_nodes
    ply = 0
    while True:
        nodes += 1
        n, win = 0, 0
        if (ply <= most and nodes <= end
                and board.failed[key & mask] != key ^ less * np.uint64(most - ply)):
            win, must, lost = to_complete(board, (length - 1) * step, (length - 1) * their_step)
            if win:
                board.pairs[ply, 0, 0] = board.pairs[ply, 0, 1] = win
            elif not lost:
                win, n = gather_threats(board, ply, (length - 2) * step, must)
        board.tried[ply, 0], board.tried[ply, 1] = n, -1
        last = ply
        # Go back to an untried threat, or return.
        while True:
            if not win:
                i = board.tried[ply, 1] + 1
                if i < board.tried[ply, 0]:
                    board.tried[ply, 1] = i
                    break
                if nodes <= end:
                    board.failed[key & mask] = key ^ less * np.uint64(most - ply)
            if ply == 0:
                control.threats = nodes
                if not win:
                    return 0
                board.tried[last, 1] = 0
                double = board.pairs[last, 0, 0] != board.pairs[last, 0, 1]
                return np.int64(2 * last + 3) if double else np.int64(2 * last + 1)
            ply -= 1
            key ^= change_pair(board, ply, colour, -1)
        key ^= change_pair(board, ply, colour, 1)
        ply += 1


@inlined
def first_threat(board):
    """The first stone of the win that `forced_win` found."""
    return board.pairs[0, board.tried[0, 1], 0]
