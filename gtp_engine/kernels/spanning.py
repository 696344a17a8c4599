"""Alpha-beta where rows are as long as the board, as in 4x4x4.  Scores are those of `node`."""

import numpy as np

from . import kernel
from .forcing import ANY_NUMBER, first_threat, forced_win
from .lines import FREE, POTENTIAL, make, unmake, wins_at
from .node import (
    BEST, EXACT, LOWER, MATE, NODES, SCORE, STOPPED, THREAT_NODES, UPPER, WON, entry_score,
    out_of_time, probe, store,
)
from .proof import generate
from .search import settles

LEAF_THREATS, INNER_THREATS = 100, 1000  # nodes of a search for threats
LATE, LATE_DEPTH = 4, 3  # moves that are tried first to the full depth, and from which depth


@kernel
def search_spanning(tally, stop, depth, alpha, beta, ply, colour):
    """The score of the position for `colour`, who is to move, between alpha and beta.

    With ply 0 the best move is in numbers[BEST] and its score in numbers[SCORE]; once
    numbers[STOPPED] is set, what is returned means nothing, while BEST is the best of the moves
    that were searched to the end (unchanged if there was none).
    """
    numbers, enemy = tally.numbers, 1 - colour
    potential, theirs = numbers[POTENTIAL + colour], numbers[POTENTIAL + enemy]
    if out_of_time(tally, stop) or numbers[FREE] == 0 or potential == theirs == 0 and ply:
        return np.int64(0)
    moves = tally.moves[ply]
    if wins_at(tally, colour, moves):
        if ply == 0:
            numbers[BEST], numbers[SCORE] = moves[0], MATE - 1
        return np.int64(MATE - ply - 1)
    forced = wins_at(tally, enemy, moves)
    if forced > 1 and ply:
        return np.int64(ply + 2 - MATE)
    key = tally.hash[0] ^ np.uint64(0x9E3779B97F4A7C15 * (colour + 1))
    entry = probe(tally, key)
    if ply and settles(entry, depth, alpha, beta, ply):
        return entry_score(entry, ply)
    numbers[THREAT_NODES] = LEAF_THREATS if depth <= 0 else INNER_THREATS
    stones = forced_win(tally, colour, ANY_NUMBER)
    if stones:
        score = np.int64(MATE - ply) - stones
        if ply == 0:
            numbers[BEST], numbers[SCORE] = first_threat(tally), score
        store(tally, key, np.int64(0), np.int64(LOWER), depth, score, ply)
        return score
    if depth <= 0 and not forced:
        return potential - theirs
    n, table_move = generate(tally, ply, colour, np.int64(-1)), entry & 0xFFFF
    for i in range(n):
        if moves[i] == table_move:
            for j in range(i, 0, -1):
                moves[j] = moves[j - 1]
            moves[0] = table_move
    best, best_move, floor = np.int64(-MATE), np.int64(0), alpha
    deeper = depth if forced else depth - 1
    for i in range(n):
        move, score = moves[i], alpha + 1
        make(tally, ply, move, colour)
        if i:
            less = np.int64(1) if i >= LATE and depth >= LATE_DEPTH else np.int64(0)
            score = -search_spanning(tally, stop, deeper - less, -alpha - 1, -alpha, ply + 1, enemy)
            if score > alpha and less:
                score = -search_spanning(tally, stop, deeper, -alpha - 1, -alpha, ply + 1, enemy)
        if i == 0 or alpha < score < beta:
            score = -search_spanning(tally, stop, deeper, -beta, -alpha, ply + 1, enemy)
        unmake(tally, ply, move, colour)
        if numbers[STOPPED]:
            return np.int64(0)
        if score > best:
            # After a move that loses, also one that is only known to lose later or not at all.
            if ply == 0 and (i == 0 or score > alpha or best < -WON):
                numbers[BEST], numbers[SCORE] = move, score
            best, best_move = score, move
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    if n:
        bound = LOWER if best >= beta else UPPER if best <= floor else EXACT
        store(tally, key, best_move, bound, depth, best, ply)
        return best
    return np.int64(0)


@kernel
def follow_spanning(tally, colour, line):
    """Put the expected moves from numbers[BEST] on into `line`; returns their number.

    They are those of the transposition table, and end where it knows no more.
    """
    numbers, nodes, n = tally.numbers, tally.numbers[NODES], 0
    move = numbers[BEST]
    while n < line.size and move and tally.cells[move] == 0:
        mover = (colour + n) & 1
        make(tally, n, move, mover)
        line[n] = move
        n += 1
        key = tally.hash[0] ^ np.uint64(0x9E3779B97F4A7C15 * (2 - mover))
        move = probe(tally, key) & 0xFFFF
    for i in range(n - 1, -1, -1):
        unmake(tally, i, line[i], (colour + i) & 1)
    numbers[NODES] = nodes
    return n
