"""Proofs by proof numbers: can one side force a win?

A position is asked one question: does the attacker win, whatever the defender does?  The search is
depth-first proof-number search (df-pn, Nagai 2002), which needs little more than a table.  It takes
the side of whoever is to move: `phi` is how hard it is for him to succeed (0: done), `delta` how
hard for the other one, INFINITE once the other one never can.
"""

import numpy as np

from . import inlined, kernel
from .bits import stopped
from .board import EXACT, allowed, breakable
from .forcing import ANY_NUMBER, forced_win
from .lines import ATTACKER_WIDTH, DELTA, FREE, PHI, STATE, make, unmake, wins_at
from .node import BEST, NODE_LIMIT, NODES, STOPPED, THREAT_NODES
from .pairing import danger_of

INFINITE = 1 << 30
BUCKET = 4  # entries of the table where a position may stand


@inlined
def result(tally, phi, delta):
    """Report phi and delta."""
    tally.numbers[PHI], tally.numbers[DELTA] = phi, delta


@kernel
def examine(tally, mover, attacker):
    """Judge a position without looking ahead: phi and delta are in numbers afterwards.

    Where it is not decided, whoever wants to stop the attacker has it the harder the nearer he is.
    """
    numbers, enemy = tally.numbers, 1 - mover
    other_answers = breakable(tally.game)
    most = np.int64(1) << tally.lines.shape[1]
    if wins_at(tally, mover, tally.out):
        result(tally, 0, INFINITE)
        return
    danger = wins_at(tally, enemy, tally.other)
    if danger > 1 and not other_answers:
        result(tally, INFINITE, 0)
        return
    if numbers[FREE] == 0:
        if mover == attacker:
            result(tally, INFINITE, 0)
        else:
            result(tally, 0, INFINITE)
        return
    if mover == attacker and numbers[THREAT_NODES] and forced_win(tally, attacker, ANY_NUMBER):
        result(tally, 0, INFINITE)
        return
    hard = np.int64(0)
    if not other_answers:
        hard = danger_of(tally, mover, attacker, danger)
        if hard < most:
            if mover == attacker:
                result(tally, INFINITE, 0)
            else:
                result(tally, 0, INFINITE)
            return
    hard = 1 + hard * 64 // most
    if mover == attacker:
        result(tally, 1, hard)
    else:
        result(tally, hard, 1)


@kernel
def canonical(tally, mover, attacker):
    """The key of the position, the same for all that its symmetries show."""
    least = tally.hash[0]
    for s in range(1, tally.hash.size):
        least = min(least, tally.hash[s])
    return least ^ np.uint64(0x9E3779B97F4A7C15 * (2 * attacker + mover))


@kernel
def look_up(tally, key):
    """Put phi and delta of a position in the table into numbers; returns whether it is there."""
    slot = np.int64(key & np.uint64(tally.keys.size - BUCKET))
    for i in range(slot, slot + BUCKET):
        if tally.keys[i] == key:
            result(tally, tally.entries[i] >> 32, tally.entries[i] & 0xFFFFFFFF)
            return True
    return False


@kernel
def store(tally, key, phi, delta, nodes):
    """Put a position into the table, instead of the one that took the fewest nodes."""
    slot = np.int64(key & np.uint64(tally.keys.size - BUCKET))
    least = slot
    for i in range(slot, slot + BUCKET):
        if tally.keys[i] == key:
            least = np.int64(i)
            nodes += tally.work[i]
            break
        if tally.work[i] < tally.work[least]:
            least = np.int64(i)
    tally.keys[least] = key
    tally.entries[least] = phi << 32 | delta
    tally.work[least] = nodes


@kernel
def generate(tally, ply, mover, attacker):
    """Put the moves that may matter into moves[ply], the most promising first; their number.

    A point that lies on no line that either side can still complete does not matter; of points
    that lie on the same of these lines, one does.
    """
    moves, promise, marks = tally.moves[ply], tally.promise, tally.marks
    other_answers = breakable(tally.game)
    if not other_answers and wins_at(tally, 1 - mover, moves):
        return 1
    n = 0
    for each in tally.points:
        point = np.int64(each)
        if tally.cells[point]:
            continue
        value, mark = np.int64(0), np.uint64(0)
        for i in range(tally.degree[point]):
            line = tally.lines_at[point, i]
            for colour in range(2):
                worth = tally.worth[tally.state[line] * 2 + colour]
                if worth:
                    value += worth
                    mark ^= tally.line_keys[line] * np.uint64(2 * colour + 1)
        if other_answers:
            if not allowed(tally.numbers[STATE:], tally.middle, tally.game, point, mover):
                continue
        elif value == 0:
            continue
        i = n
        known = False
        while i > 0 and promise[i - 1] <= value:
            i -= 1
            known |= promise[i] == value and marks[moves[i]] == mark
        if known and not other_answers and not tally.game[EXACT]:
            continue
        i = n
        while i > 0 and promise[i - 1] < value:
            promise[i], moves[i] = promise[i - 1], moves[i - 1]
            i -= 1
        promise[i], moves[i], marks[point] = value, point, mark
        n += 1
    if mover == attacker and tally.numbers[ATTACKER_WIDTH]:
        n = min(n, tally.numbers[ATTACKER_WIDTH])
    return n


@kernel
def prove(tally, stop, mover, attacker, ply, phi_limit, delta_limit):
    """Search until phi or delta reaches its limit, or numbers[STOPPED] is set.

    They are in numbers then, with the best move of ply 0.
    """
    numbers, moves = tally.numbers, tally.moves[ply]
    phis, deltas = tally.phis[ply], tally.deltas[ply]
    start, key = numbers[NODES], canonical(tally, mover, attacker)
    n = generate(tally, ply, mover, attacker)
    for i in range(n):
        make(tally, ply, moves[i], mover)
        if not look_up(tally, canonical(tally, 1 - mover, attacker)):
            examine(tally, 1 - mover, attacker)
            if numbers[THREAT_NODES] and mover != attacker:
                store(tally, canonical(tally, 1 - mover, attacker), numbers[PHI], numbers[DELTA], 0)
        phis[i], deltas[i] = numbers[PHI], numbers[DELTA]
        unmake(tally, ply, moves[i], mover)
        if deltas[i] == 0:
            n = i + 1
            break
    while True:
        best, second, largest, open_ones = 0, np.int64(INFINITE), np.int64(0), 0
        for i in range(n):
            if deltas[i] < deltas[best]:
                second = deltas[best]
                best = i
            elif i != best and deltas[i] < second:
                second = deltas[i]
            if phis[i] > 0:
                open_ones += 1
                largest = max(largest, phis[i])
        phi, delta = deltas[best], np.int64(INFINITE)
        if n == 0 or phi >= INFINITE:
            phi, delta = np.int64(INFINITE), np.int64(0)
            if n == 0 and mover != attacker:
                phi, delta = np.int64(0), np.int64(INFINITE)
        elif phi > 0:
            # Not the sum: what two moves lead to is often the same position.
            delta = min(largest + open_ones - 1, np.int64(INFINITE - 1))
        if stopped(stop) or numbers[NODES] >= numbers[NODE_LIMIT]:
            numbers[STOPPED] = 1
        if phi >= phi_limit or delta >= delta_limit or numbers[STOPPED]:
            break
        move = moves[best]
        make(tally, ply, move, mover)
        prove(tally, stop, 1 - mover, attacker, ply + 1,
              delta_limit - open_ones + 1, min(phi_limit, second + second // 8 + 1))
        phis[best], deltas[best] = numbers[PHI], numbers[DELTA]
        unmake(tally, ply, move, mover)
    store(tally, key, phi, delta, numbers[NODES] - start)
    result(tally, phi, delta)
    if ply == 0:
        numbers[BEST] = moves[best] if n else 0
