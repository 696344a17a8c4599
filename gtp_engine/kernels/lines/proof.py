"""Proof-number search: can the attacker force a win?

The search is depth-first proof-number search (df-pn, Nagai 2002); it needs little memory besides
the table.  It takes the view of the side to move.  `phi` is the proof number for this side's goal
and `delta` for the other side's: 0 means reached, INFINITE unreachable.
"""

import numpy as np

from .. import inlined, kernel
from ..control import stopped
from ..rules import FREE, RENJU, breakable
from .board import POTENTIAL, canonical, make, unmake
from .moves import generate, wins_at
from .pairing import danger_of
from .renju import is_forbidden, may_move
from .threats import ANY_NUMBER, forced_win

INFINITE = 1 << 30
BUCKET = 4  # table slots that may hold a position


@inlined
def result(board, phi, delta):
    """Store phi and delta in `control`."""
    board.control[0].phi, board.control[0].delta = phi, delta


@inlined
def examine(board, mover, attacker):
    """Put phi and delta of a new leaf into `control`.

    In an undecided leaf, the defender's number grows with the attacker's potential.  Pairs of
    points do not help Renju's first colour to defend, since one of them may be forbidden.
    """
    control, opponent = board.control[0], 1 - mover
    other_answers = breakable(board.game)
    most = 1 << board.lines.shape[1]
    if wins_at(board, mover, board.out):
        result(board, 0, INFINITE)
        return
    danger = wins_at(board, opponent, board.other)
    full = board.counts[FREE] == 0 or board.game[RENJU] and not may_move(board, mover)
    if not full and not other_answers and (
            danger > 1 or danger and is_forbidden(board, mover, board.other[0])):
        result(board, INFINITE, 0)
        return
    if full:
        if mover == attacker:
            result(board, INFINITE, 0)
        else:
            result(board, 0, INFINITE)
        return
    if mover == attacker and control.threat_nodes and forced_win(board, attacker, ANY_NUMBER):
        result(board, 0, INFINITE)
        return
    hard = 0
    if not other_answers:
        if board.game[RENJU] and attacker:
            hard = board.counts[POTENTIAL + attacker]
            hard += most * (hard > 0)
        else:
            hard = danger_of(board, mover, attacker, danger)
        if hard < most:
            if mover == attacker:
                result(board, INFINITE, 0)
            else:
                result(board, 0, INFINITE)
            return
    hard = 1 + hard * 64 // most
    if mover == attacker:
        result(board, 1, hard)
    else:
        result(board, hard, 1)


@inlined
def look_up(board, key):
    """Put phi and delta from the table into `control`; is the position in the table?"""
    slot = np.int64(key & np.uint64(board.keys.size - BUCKET))
    for i in range(slot, slot + BUCKET):
        if board.keys[i] == key:
            result(board, board.entries[i] >> 32, board.entries[i] & 0xFFFFFFFF)
            return True
    return False


@inlined
def store(board, key, phi, delta, nodes):
    """Store a position in the table, in place of the one that took the fewest nodes."""
    slot = np.int64(key & np.uint64(board.keys.size - BUCKET))
    least = slot
    for i in range(slot, slot + BUCKET):
        if board.keys[i] == key:
            least = np.int64(i)
            nodes += board.work[i]
            break
        if board.work[i] < board.work[least]:
            least = np.int64(i)
    board.keys[least] = key
    board.entries[least] = phi << 32 | delta
    board.work[least] = nodes


@kernel
def prove(board, stop, mover, attacker, ply, phi_limit, delta_limit):
    """Search until phi or delta reaches its limit, or `stopped` is set.

    Puts phi and delta into `control`, and at ply 0 the best move.
    """
    control, moves = board.control[0], board.moves[ply]
    phis, deltas = board.phis[ply], board.deltas[ply]
    start, key = control.nodes, canonical(board, mover, attacker)
    n = generate(board, ply, mover, attacker)
    for i in range(n):
        make(board, ply, moves[i], mover)
        if not look_up(board, canonical(board, 1 - mover, attacker)):
            examine(board, 1 - mover, attacker)
            if control.threat_nodes and mover != attacker:
                store(board, canonical(board, 1 - mover, attacker), control.phi, control.delta, 0)
        phis[i], deltas[i] = control.phi, control.delta
        unmake(board, ply, moves[i], mover)
        if deltas[i] == 0:
            n = i + 1
            break
    while True:
        best, second, largest, open_ones = 0, INFINITE, 0, 0
        for i in range(n):
            if deltas[i] < deltas[best]:
                second = deltas[best]
                best = i
            elif i != best and deltas[i] < second:
                second = deltas[i]
            if phis[i] > 0:
                open_ones += 1
                largest = max(largest, phis[i])
        phi, delta = deltas[best], INFINITE
        if n == 0 or phi >= INFINITE:
            phi, delta = INFINITE, 0
            if n == 0 and mover != attacker:
                phi, delta = 0, INFINITE
        elif phi > 0:
            # The maximum in place of the sum, since moves often transpose into one position.
            delta = min(largest + open_ones - 1, INFINITE - 1)
        if stopped(stop) or control.nodes >= control.node_limit:
            control.stopped = 1
        if phi >= phi_limit or delta >= delta_limit or control.stopped:
            break
        move = moves[best]
        make(board, ply, move, mover)
        prove(board, stop, 1 - mover, attacker, ply + 1,
              delta_limit - open_ones + 1, min(phi_limit, second + second // 8 + 1))
        phis[best], deltas[best] = control.phi, control.delta
        unmake(board, ply, move, mover)
    store(board, key, phi, delta, control.nodes - start)
    result(board, phi, delta)
    if ply == 0:
        control.best = moves[best] if n else 0
