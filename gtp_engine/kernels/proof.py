"""Proofs by proof numbers: can one side force a win?

A position is asked one question: does the attacker win, whatever the defender does?  The search is
depth-first proof-number search (df-pn, Nagai 2002), which needs little more than a table.  It takes
the side of whoever is to move: `phi` is how hard it is for him to succeed (0: done), `delta` how
hard for the other one, INFINITE once the other one never can.
"""

import numpy as np

from . import inlined, kernel
from .board import EXACT, TARGET, allowed
from .lines import BEST, DELTA, FREE, NODE_LIMIT, NODES, PHI, STATE, STOPPED, make, unmake, wins_at
from .pairing import danger_of

INFINITE = 1 << 30
BUCKET = 4  # entries of the table where a position may stand


@inlined
def result(proof, phi, delta):
    """Report phi and delta."""
    proof.numbers[PHI], proof.numbers[DELTA] = phi, delta


@kernel
def examine(proof, mover, attacker):
    """Judge a position without looking ahead: phi and delta are in numbers afterwards.

    Where it is not decided, whoever wants to stop the attacker has it the harder the nearer he is.
    """
    numbers, enemy = proof.numbers, 1 - mover
    capturing = proof.game[TARGET] > 0
    most = np.int64(1) << (proof.worth.size - 1)
    if wins_at(proof, mover, proof.out):
        result(proof, 0, INFINITE)
        return
    danger = wins_at(proof, enemy, proof.other)
    if danger > 1 and not capturing:
        result(proof, INFINITE, 0)
        return
    if numbers[FREE] == 0:
        if mover == attacker:
            result(proof, INFINITE, 0)
        else:
            result(proof, 0, INFINITE)
        return
    hard = np.int64(0)
    if not capturing:
        hard = danger_of(proof, mover, attacker, danger)
        if hard < most:
            if mover == attacker:
                result(proof, INFINITE, 0)
            else:
                result(proof, 0, INFINITE)
            return
    hard = 1 + hard * 64 // most
    if mover == attacker:
        result(proof, 1, hard)
    else:
        result(proof, hard, 1)


@kernel
def canonical(proof, mover, attacker):
    """The key of the position, the same for all that its symmetries show."""
    least = proof.hash[0]
    for s in range(1, proof.hash.size):
        least = min(least, proof.hash[s])
    return least ^ np.uint64(0x9E3779B97F4A7C15 * (2 * attacker + mover))


@kernel
def look_up(proof, key):
    """Put phi and delta of a position in the table into numbers; returns whether it is there."""
    slot = np.int64(key & np.uint64(proof.keys.size - BUCKET))
    for i in range(slot, slot + BUCKET):
        if proof.keys[i] == key:
            result(proof, proof.values[i] >> 32, proof.values[i] & 0xFFFFFFFF)
            return True
    return False


@kernel
def store(proof, key, phi, delta, nodes):
    """Put a position into the table, instead of the one that took the fewest nodes."""
    slot = np.int64(key & np.uint64(proof.keys.size - BUCKET))
    least = slot
    for i in range(slot, slot + BUCKET):
        if proof.keys[i] == key:
            least = np.int64(i)
            nodes += proof.work[i]
            break
        if proof.work[i] < proof.work[least]:
            least = np.int64(i)
    proof.keys[least] = key
    proof.values[least] = phi << 32 | delta
    proof.work[least] = nodes


@kernel
def generate(proof, ply, mover):
    """Put the moves that may matter into moves[ply], the most promising first; their number.

    A point that lies on no line that either side can still complete does not matter; of points
    that lie on the same of these lines, one does.
    """
    moves, promise, marks = proof.moves[ply], proof.promise, proof.marks
    capturing = proof.game[TARGET] > 0
    if not capturing and wins_at(proof, 1 - mover, moves):
        return 1
    n = 0
    for each in proof.points:
        point = np.int64(each)
        if proof.cells[point]:
            continue
        value, mark = np.int64(0), np.uint64(0)
        for i in range(proof.lines_at.shape[1]):
            line = proof.lines_at[point, i]
            if line < 0:
                break
            for colour in range(2):
                own = proof.counts[line * 2 + colour]
                if proof.counts[line * 2 + 1 - colour] == 0 and proof.worth[own]:
                    value += proof.worth[own]
                    mark ^= proof.line_keys[line] * np.uint64(2 * colour + 1)
        if capturing:
            if not allowed(proof.numbers[STATE:], proof.middle, proof.game, point, mover):
                continue
        elif value == 0:
            continue
        i = n
        known = False
        while i > 0 and promise[i - 1] <= value:
            i -= 1
            known |= promise[i] == value and marks[moves[i]] == mark
        if known and not capturing and not proof.game[EXACT]:
            continue
        i = n
        while i > 0 and promise[i - 1] < value:
            promise[i], moves[i] = promise[i - 1], moves[i - 1]
            i -= 1
        promise[i], moves[i], marks[point] = value, point, mark
        n += 1
    return n


@kernel
def prove(proof, stop, mover, attacker, ply, phi_limit, delta_limit):
    """Search until phi or delta reaches its limit, or numbers[STOPPED] is set.

    They are in numbers then, with the best move of ply 0.
    """
    numbers, moves = proof.numbers, proof.moves[ply]
    phis, deltas = proof.phis[ply], proof.deltas[ply]
    start, key = numbers[NODES], canonical(proof, mover, attacker)
    n = generate(proof, ply, mover)
    for i in range(n):
        make(proof, ply, moves[i], mover)
        if not look_up(proof, canonical(proof, 1 - mover, attacker)):
            examine(proof, 1 - mover, attacker)
        phis[i], deltas[i] = numbers[PHI], numbers[DELTA]
        unmake(proof, ply, moves[i], mover)
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
        if stop[0] or numbers[NODES] >= numbers[NODE_LIMIT]:
            numbers[STOPPED] = 1
        if phi >= phi_limit or delta >= delta_limit or numbers[STOPPED]:
            break
        move = moves[best]
        make(proof, ply, move, mover)
        prove(proof, stop, 1 - mover, attacker, ply + 1,
              delta_limit - open_ones + 1, min(phi_limit, second + second // 8 + 1))
        phis[best], deltas[best] = numbers[PHI], numbers[DELTA]
        unmake(proof, ply, move, mover)
    store(proof, key, phi, delta, numbers[NODES] - start)
    result(proof, phi, delta)
    if ply == 0:
        numbers[BEST] = moves[best] if n else 0
