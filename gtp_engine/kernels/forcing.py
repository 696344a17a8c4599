"""Victory by forcing moves where rows are as long as the board, as in 4x4x4.

A *threat* leaves a row one stone short of complete, so that there is only one answer.  Two threats
with one stone win.
"""

import numpy as np

from . import inlined, kernel
from .bits import lowest_bit
from .lines import MOST_THREATS, THREATS, turn
from .node import THREAT_NODES

ANY_NUMBER = MOST_THREATS - 2


@kernel
def gather_threats(tally, ply, two, must):
    """Put the threats on lines of that state, each with its answer, into pairs[ply].

    Only those on the point `must`, unless it is 0.  Returns a point that makes two threats, which
    is then in pairs[ply, 0], or 0; and how many pairs there are.
    """
    pairs, length, n = tally.pairs[ply], tally.lines.shape[1], 0
    for word in range(tally.sets.shape[1]):
        bits = tally.sets[two, word]
        while bits:
            line = word * 64 + lowest_bit(bits)
            bits &= bits - 1
            first = np.int64(0)
            for i in range(length):
                if tally.cells[tally.lines[line, i]] == 0:
                    first = tally.lines[line, i]
                    break
            both = tally.rest[line]
            for threat in (first, both - first):
                if must and threat != must:
                    continue
                for i in range(n):
                    if pairs[i, 0] == threat:
                        pairs[0, 0], pairs[0, 1] = threat, both - threat
                        return threat, n
                pairs[n, 0], pairs[n, 1] = threat, both - threat
                n += 1
    return np.int64(0), n


@kernel
def forced_win(tally, colour, most):
    """Does `colour`, who is to move, win by threats alone?  Returns the number of stones it takes.

    0 if not, or if it is not known after numbers[THREAT_NODES] more nodes of the search, or if it
    takes more than `most` threats, ANY_NUMBER at most, before the last two stones.  All but
    the last two stones are threats; each is with its answer in pairs[ply, tried[ply, 1]].  The last
    two are in the pair after those: one that makes two threats and one that completes a row, or
    twice the one that completes it at once.
    """
    cells, sets, rest, numbers = tally.cells, tally.sets, tally.rest, tally.numbers
    length = tally.lines.shape[1]
    step, enemy_step = tally.step[colour], tally.step[1 - colour]
    three, two, enemy_three = (length - 1) * step, (length - 2) * step, (length - 1) * enemy_step
    own, theirs = colour + 1, 2 - colour
    key = tally.hash[0] ^ np.uint64(0x9E3779B97F4A7C15 * (colour + 1))
    mask = np.uint64(tally.failed.size - 1)
    # What fails with so many threats may not fail with more.
    less = np.uint64(0x9E6C63D0876A9A47) if most < ANY_NUMBER else np.uint64(0)
    end = numbers[THREATS] + numbers[THREAT_NODES]
    ply = 0
    while True:
        numbers[THREATS] += 1
        n, win, must, lost = 0, np.int64(0), np.int64(0), False
        if ply > most or numbers[THREATS] > end:
            lost = True
        elif tally.failed[key & mask] == key ^ less * np.uint64(most - ply):
            lost = True
        else:
            for word in range(sets.shape[1]):
                if sets[three, word]:
                    win = rest[word * 64 + lowest_bit(sets[three, word])]
                    tally.pairs[ply, 0, 0] = tally.pairs[ply, 0, 1] = win
                    break
            if not win:
                for word in range(sets.shape[1]):
                    bits = sets[enemy_three, word]
                    while bits:
                        point = rest[word * 64 + lowest_bit(bits)]
                        bits &= bits - 1
                        lost |= must != 0 and must != point
                        must = point
            if not win and not lost:
                win, n = gather_threats(tally, ply, two, must)
        tally.tried[ply, 0], tally.tried[ply, 1] = n, -1
        last = ply
        # Back to a threat that was not tried, or out.
        while True:
            if not win:
                i = tally.tried[ply, 1] + 1
                if i < tally.tried[ply, 0]:
                    tally.tried[ply, 1] = i
                    break
                if numbers[THREATS] <= end:
                    tally.failed[key & mask] = key ^ less * np.uint64(most - ply)
            if ply == 0:
                if not win:
                    return np.int64(0)
                tally.tried[last, 1] = 0
                double = tally.pairs[last, 0, 0] != tally.pairs[last, 0, 1]
                return np.int64(2 * last + 3) if double else np.int64(2 * last + 1)
            ply -= 1
            i = tally.tried[ply, 1]
            threat, answer = tally.pairs[ply, i, 0], tally.pairs[ply, i, 1]
            cells[threat] = cells[answer] = 0
            turn(tally, answer, enemy_step, -1)
            turn(tally, threat, step, -1)
            key ^= (tally.zobrist[threat * 2 + colour, 0]
                    ^ tally.zobrist[answer * 2 + 1 - colour, 0])
        i = tally.tried[ply, 1]
        threat, answer = tally.pairs[ply, i, 0], tally.pairs[ply, i, 1]
        cells[threat], cells[answer] = own, theirs
        turn(tally, threat, step, 1)
        turn(tally, answer, enemy_step, 1)
        key ^= tally.zobrist[threat * 2 + colour, 0] ^ tally.zobrist[answer * 2 + 1 - colour, 0]
        ply += 1


@inlined
def first_threat(tally):
    """The first stone of the win that `forced_win` has found."""
    return tally.pairs[0, tally.tried[0, 1], 0]
