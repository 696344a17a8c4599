"""Alpha-beta search with threats."""

import numpy as np

from . import kernel
from .board import FREE, TAKE, TARGET, breakable, count, taken
from .board import FOUR as FOUR_POINTS
from .node import (
    ASPIRATION, BEST, CAPTURE_ORDER, COUNT_PRUNING, EXACT, FOURS, FUTILITY, FUTILITY_DEPTH,
    FUTILITY_MARGIN, HISTORY, KILLER, KILLERS, LATE, LATE_DEPTH, LATE_PER_PLY, LONGEST, LOWER,
    MATE, MOST_HISTORY, NODES, OFF, RAZOR, RAZOR_DEPTH, RAZOR_PER_PLY, RAZORING, REDUCTIONS, SCORE,
    SINGULAR, SINGULAR_DEPTH, SINGULAR_MARGIN, STOPPED, TABLE, THREAT_NODES, UPPER, VCF_NODES,
    WIDTH, WIDTH_PER_PLY, WON, entry_depth, entry_score, evaluate, key_of, make, out_of_time, probe,
    store, unmake,
)
from .shapes import CODES, FOUR
from .threats import (
    VCF_DEPTH, add_other_blocks, generate, many_fours, win_by_fours, wins_at,
)

OPEN = 1 << 20  # no score


@kernel
def rank(board, geometry, search, ply, colour, move):
    """How early a move is tried; higher is earlier."""
    off = search.numbers[OFF]
    value = (np.int64(search.policy[search.codes[move * 2 + colour]])
             + np.int64(search.policy[CODES + np.int64(search.codes[move * 2 + 1 - colour])]))
    for taker in range(2):
        if count(board.state, TAKE, taker):
            value += search.extras[CAPTURE_ORDER] * taken(
                board.cells, geometry.steps, geometry.game, move, taker, search.scratch)
    if not off & KILLERS and (
            search.killers[ply * 2] == move or search.killers[ply * 2 + 1] == move):
        value += search.margins[KILLER]
    if not off & HISTORY:
        value += search.history[move * 2 + colour]
    return value


@kernel
def reward(search, ply, colour, move, depth, tried):
    """Remember a quiet move that refuted the one before it, and that `tried` others did not."""
    moves = search.moves[ply]
    most = search.margins[MOST_HISTORY]
    bonus = min(depth * depth, most)
    if bonus <= 0:
        return
    for i in range(tried + 1):
        at = np.int64(moves[i]) * 2 + colour
        change = bonus if i == tried else -bonus
        search.history[at] += change - search.history[at] * bonus // most
    if search.killers[ply * 2] != move:
        search.killers[ply * 2 + 1] = search.killers[ply * 2]
        search.killers[ply * 2] = move


@kernel
def pick(moves, ranks, i, n):
    """Exchange moves[i] with the one of highest rank among moves[i:n] and return it."""
    top = i
    for j in range(i + 1, n):
        if ranks[j] > ranks[top]:
            top = j
    move, value = moves[top], ranks[top]
    moves[top], ranks[top] = moves[i], ranks[i]
    moves[i], ranks[i] = move, value
    return np.int64(move)


@kernel
def settles(entry, depth, alpha, beta, ply):
    """Does an entry of the table, if it is one, make a search to that depth superfluous?"""
    if entry == 0 or entry_depth(entry) < depth:
        return False
    score, bound = entry_score(entry, ply), entry >> 16 & 3
    return bound == EXACT or bound == LOWER and score >= beta or bound == UPPER and score <= alpha


@kernel
def stand(board, geometry, search, stop, key, static, depth, alpha, beta, ply, colour):
    """The score of a position without threats to win at once, if it needs no search, or OPEN.

    It does not at a leaf, where fours in a row are tried first, near a leaf if the static score is
    hopelessly low and there are no such fours, and if it is far too high.
    """
    off, margins = search.numbers[OFF], search.margins
    narrow = ply and beta - alpha == 1
    low = (not off & RAZORING and depth <= margins[RAZOR_DEPTH] and narrow
           and static + margins[RAZOR] + margins[RAZOR_PER_PLY] * depth <= alpha)
    if depth <= 0 or low:
        if not off & FOURS and static < beta and many_fours(search, colour):
            search.numbers[THREAT_NODES] = margins[VCF_NODES]
            end = win_by_fours(board, geometry, search, stop, ply + 2 * VCF_DEPTH + 1, ply, colour)
            score = np.int64(MATE - end) if end else static
            if end or depth <= 0:
                bound = np.int64(LOWER) if end else np.int64(EXACT)
                store(search, key, np.int64(0), bound, depth, score, ply)
            return score
        return static
    if (not off & FUTILITY and narrow and beta > -WON and depth <= margins[FUTILITY_DEPTH]
            and not count(board.state, FOUR_POINTS, 1 - colour)
            and static - margins[FUTILITY_MARGIN] * depth >= beta):
        return static
    return np.int64(OPEN)


@kernel
def search_position(board, geometry, search, stop, depth, alpha, beta, ply, colour):
    """The score of the position for `colour`, who is to move, between alpha and beta.

    With ply 0 the best move is in numbers[BEST] and its score, or a bound of it, in numbers[SCORE];
    it replaces what was there if it is better.  Once numbers[STOPPED] is set, by `stop` or
    NODE_LIMIT, what is returned means nothing, while BEST is the best of the moves that were
    searched to the end (unchanged if there was none).
    """
    numbers, state = search.numbers, board.state
    if out_of_time(search, stop) or state[FREE] == 0:
        return np.int64(0)
    if ply + 8 > LONGEST:
        return evaluate(board, search, colour)
    off = numbers[OFF]
    capturing = geometry.game[TARGET] > 0
    moves, ranks = search.moves[ply], search.ranks[ply]
    if wins_at(board, geometry, search, colour, moves):
        if ply == 0:
            numbers[BEST], numbers[SCORE] = np.int64(moves[0]), MATE - 1
        return np.int64(MATE - ply - 1)
    n = wins_at(board, geometry, search, 1 - colour, moves)
    forced = n > 0
    if forced:
        if n > 1 and not breakable(geometry.game) and ply:
            return np.int64(ply + 2 - MATE)
        n = add_other_blocks(board, geometry, search, colour, moves, n)
    elif count(state, FOUR_POINTS, colour) and not capturing and ply:
        return np.int64(MATE - ply - 3)
    # Beyond this no line from here comes: a win on the next ply was looked for above.
    if ply and MATE - ply - 3 <= alpha:
        return alpha
    excluded = search.excluded[ply]
    key = key_of(search, colour)
    entry = np.int64(0)
    if not off & TABLE and not excluded:
        entry = probe(search, key)
        if ply and settles(entry, depth, alpha, beta, ply):
            return entry_score(entry, ply)
    static = np.int64(0)
    quiet_node = not forced and not excluded
    if quiet_node:
        static = evaluate(board, search, colour)
        score = stand(board, geometry, search, stop, key, static, depth, alpha, beta, ply, colour)
        if score != OPEN:
            return score
    table_move, extension = entry & 0xFFFF, np.int64(0)
    if (not off & SINGULAR and ply and not forced and not excluded and table_move
            and depth >= search.margins[SINGULAR_DEPTH] and entry >> 16 & LOWER
            and entry_depth(entry) >= depth - 3 and abs(entry_score(entry, ply)) < WON):
        target = entry_score(entry, ply) - search.margins[SINGULAR_MARGIN] * depth
        search.excluded[ply] = table_move
        score = search_position(board, geometry, search, stop, (depth - 1) // 2, target - 1,
                                target, ply, colour)
        search.excluded[ply] = 0
        if numbers[STOPPED]:
            return np.int64(0)
        if score < target:
            extension = np.int64(1)
        elif target >= beta:
            return target
    ranked = n
    if not forced:
        n, ranked = generate(board, geometry, search, colour, moves)
    for i in range(ranked):
        ranks[i] = rank(board, geometry, search, ply, colour, np.int64(moves[i]))
        if moves[i] == table_move:
            ranks[i] = np.int64(1) << 40
    limit = n
    if not forced and not off & COUNT_PRUNING:
        limit = min(max(ranked, 1), search.margins[WIDTH]
                    + search.margins[WIDTH_PER_PLY] * max(depth, 1))
    best, best_move, floor = np.int64(-MATE), np.int64(0), alpha
    for i in range(n):
        if i >= limit and best > -WON:
            break  # but a loss is only claimed when every move was tried
        move = pick(moves, ranks, i, ranked) if i < ranked else np.int64(moves[i])
        if move == excluded:
            continue
        quiet = search.best[search.codes[move * 2 + colour]] < FOUR
        if (not off & FUTILITY and quiet_node and ply and i and quiet and best > -WON
                and depth <= search.margins[LATE_DEPTH] and alpha >= (
                    static + search.margins[LATE] + search.margins[LATE_PER_PLY] * depth)):
            best = max(best, static)
            continue
        deeper = depth if forced else depth - 1
        if move == table_move:
            deeper += extension
        make(board, geometry, search, ply, move, colour)
        if i == 0:
            score = -search_position(board, geometry, search, stop, deeper, -beta, -alpha,
                                     ply + 1, 1 - colour)
        else:
            reduction = np.int64(0)
            if quiet and not forced and depth >= 2 and not off & REDUCTIONS:
                reduction = search.reductions[min(depth - 1, 31) * 64 + min(i, 63)]
                if beta - alpha > 1 and reduction:
                    reduction -= 1
            score = -search_position(board, geometry, search, stop, deeper - reduction, -alpha - 1,
                                     -alpha, ply + 1, 1 - colour)
            if score > alpha and reduction:
                score = -search_position(board, geometry, search, stop, deeper, -alpha - 1, -alpha,
                                         ply + 1, 1 - colour)
            if alpha < score < beta:
                score = -search_position(board, geometry, search, stop, deeper, -beta, -alpha,
                                         ply + 1, 1 - colour)
        unmake(board, geometry, search, ply, move, colour)
        if numbers[STOPPED]:
            return np.int64(0)
        if score > best:
            # The first one, unless it loses and the best so far does not; then what is better and,
            # after a move that loses, also one that is only known to lose later or not at all.
            if ply == 0 and (score > alpha or best < -WON if i
                             else score > min(numbers[SCORE], np.int64(-WON))):
                numbers[BEST], numbers[SCORE] = move, score
            best, best_move = score, move
        alpha = max(alpha, score)
        if alpha >= beta:
            if quiet:
                reward(search, ply, colour, move, depth, i)
            break
    if ply == 0 and best > floor:
        numbers[BEST], numbers[SCORE] = best_move, best
    if not excluded:
        bound = LOWER if best >= beta else UPPER if best <= floor else EXACT
        store(search, key, best_move, bound, depth, best, ply)
    return best


@kernel
def search_root(board, geometry, search, stop, depth, score, window, colour):
    """The score of the position at that depth, first tried in a window around `score`.

    See `search_position` for what else is true afterwards.
    """
    if search.numbers[OFF] & ASPIRATION:
        window = np.int64(2 * MATE)
    low, high = score - window, score + window
    search.numbers[SCORE] = -2 * MATE
    while True:
        found = search_position(board, geometry, search, stop, depth, low, high, np.int64(0),
                                colour)
        if low < found < high or search.numbers[STOPPED]:
            return found
        if found <= low:
            low = max(low - 4 * window, np.int64(-2 * MATE))
        else:
            high = min(high + 4 * window, np.int64(2 * MATE))
        window *= 4


@kernel
def follow(board, geometry, search, colour, line):
    """Put the expected moves from numbers[BEST] on into `line`; returns their number.

    They are those of the transposition table, and end where it knows no more.
    """
    nodes, move, n = search.numbers[NODES], search.numbers[BEST], 0
    while n < line.size and move and board.cells[move] == 0:
        make(board, geometry, search, n, move, (colour + n) & 1)
        line[n] = move
        n += 1
        move = probe(search, key_of(search, (colour + n) & 1)) & 0xFFFF
    for i in range(n - 1, -1, -1):
        unmake(board, geometry, search, i, line[i], (colour + i) & 1)
    search.numbers[NODES] = nodes
    return n
