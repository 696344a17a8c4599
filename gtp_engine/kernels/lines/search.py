"""Alpha-beta search for boards as long as a row, as in 4x4x4."""

import numpy as np

from .. import kernel
from ..control import MATE, WON, out_of_time
from ..rules import FREE
from ..table import EXACT, LOWER, UPPER, cuts_off, entry_move, entry_score, key_of, probe, store
from .board import POTENTIAL, make, unmake
from .moves import generate, wins_at
from .threats import ANY_NUMBER, first_threat, forced_win

LEAF_THREATS, INNER_THREATS = 100, 1000  # nodes of a threat search
LATE, LATE_DEPTH = 4, 3  # late move reduction: the first late move, and the least depth


@kernel
def search_position(board, stop, depth, alpha, beta, ply, colour):
    """The score of the position for `colour`, the side to move, between alpha and beta.

    With ply 0, `best` and `score` of the record become the best move and its score.

    After `stopped` is set, the returned score is meaningless.  `best` is then the best completely
    searched move, or unchanged if there is none.
    """
    control, counts, opponent = board.control[0], board.counts, 1 - colour
    potential, theirs = counts[POTENTIAL + colour], counts[POTENTIAL + opponent]
    if out_of_time(board, stop) or counts[FREE] == 0 or potential == theirs == 0 and ply:
        return 0
    moves = board.moves[ply]
    if wins_at(board, colour, moves):
        if ply == 0:
            control.best, control.score = moves[0], MATE - 1
        return MATE - ply - 1
    forced = wins_at(board, opponent, moves)
    if forced > 1 and ply:
        return np.int64(ply + 2 - MATE)
    key = key_of(board.hash[0], colour)
    entry = probe(board, key)
    if ply and cuts_off(entry, depth, alpha, beta, ply, False):
        return entry_score(entry, ply)
    control.threat_nodes = LEAF_THREATS if depth <= 0 else INNER_THREATS
    stones = forced_win(board, colour, ANY_NUMBER)
    if stones:
        score = MATE - ply - stones
        if ply == 0:
            control.best, control.score = first_threat(board), score
        store(board, key, 0, LOWER, depth, score, ply)
        return score
    if depth <= 0 and not forced:
        return potential - theirs
    n, table_move = generate(board, ply, colour, -1), entry_move(entry)
    for i in range(n):
        if moves[i] == table_move:
            for j in range(i, 0, -1):
                moves[j] = moves[j - 1]
            moves[0] = table_move
    best, best_move, floor = -MATE, 0, alpha
    deeper = depth if forced else depth - 1
    for i in range(n):
        move, score = moves[i], alpha + 1
        make(board, ply, move, colour)
        if i:
            less = 1 if i >= LATE and depth >= LATE_DEPTH else 0
            score = -search_position(board, stop, deeper - less, -alpha - 1, -alpha, ply + 1,
                                     opponent)
            if score > alpha and less:
                score = -search_position(board, stop, deeper, -alpha - 1, -alpha, ply + 1, opponent)
        if i == 0 or alpha < score < beta:
            score = -search_position(board, stop, deeper, -beta, -alpha, ply + 1, opponent)
        unmake(board, ply, move, colour)
        if control.stopped:
            return 0
        if score > best:
            # After a losing move, a later or unproved loss is enough.
            if ply == 0 and (i == 0 or score > alpha or best < -WON):
                control.best, control.score = move, score
            best, best_move = score, move
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    if n:
        bound = LOWER if best >= beta else UPPER if best <= floor else EXACT
        store(board, key, best_move, bound, depth, best, ply)
        return best
    return 0


@kernel
def principal_variation(board, colour, line):
    """Put the principal variation, which begins with `best`, into `line`; returns its length.

    The moves come from the transposition table; the first missing entry ends the line.
    """
    control, nodes, n = board.control[0], board.control[0].nodes, 0
    move = control.best
    while n < line.size and move and board.cells[move] == 0:
        mover = (colour + n) & 1
        make(board, n, move, mover)
        line[n] = move
        n += 1
        move = entry_move(probe(board, key_of(board.hash[0], 1 - mover)))
    for i in range(n - 1, -1, -1):
        unmake(board, i, line[i], (colour + i) & 1)
    control.nodes = nodes
    return n
