"""Alpha-beta search with threats."""

import numpy as np

from .. import inlined, kernel
from ..control import MATE, WON, out_of_time
from ..rules import FREE, RENJU, TARGET, breakable
from ..table import (
    EXACT,
    LOWER,
    UPPER,
    announce,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    key_of,
    probe,
    settles,
    store,
)
from . import shapes
from .board import OPEN_FOUR, count
from .evaluation import evaluate
from .features import (
    ASPIRATION,
    COUNT_PRUNING,
    FOURS,
    FUTILITY,
    HISTORY,
    RAZORING,
    REDUCTIONS,
    REPLIES,
    SINGULAR,
    TABLE,
)
from .moves import (
    add_other_blocks,
    can_open_four,
    generate,
    many_fours,
    pick,
    playable,
    rank_all,
    reply_at,
    wins_at,
)
from .network import in_use
from .policy_head import add_to_ranks
from .state import LONGEST_PATH, make, unmake
from .vcf import ALL_FOURS, FIRST_FOUR, VCF_DEPTH, win_by_fours

NO_SCORE = 1 << 20  # no score


@inlined
def learn(scores, at, depth, good, most):
    """Move a score, from -most to most, the further the deeper was the search that says so."""
    if most == 0:
        return
    bonus = min(depth * depth, most)
    before = np.int64(scores[at])
    scores[at] = before + (bonus if good else -bonus) - before * bonus // most


@inlined
def reward(board, search, ply, colour, move, depth, tried):
    """Remember a quiet move that refuted the one before it, and that `tried` others did not."""
    moves, margins = search.stack.moves[ply], search.margins[0]
    if depth == 0:
        return
    for i in range(tried + 1):
        other = np.int64(moves[i])
        learn(search.history, other * 2 + colour, depth, i == tried, margins.history)
        if ply:
            learn(search.replies, reply_at(board, search, ply, colour, other), depth, i == tried,
                  margins.reply)
    killers = search.stack.killers
    if killers[ply * 2] != move:
        killers[ply * 2 + 1] = killers[ply * 2]
        killers[ply * 2] = move


@inlined
def is_improving(search, ply, static):
    """Note the static score of a ply, NO_SCORE if there is none; has it grown in two plies?

    Where there is nothing to compare it with, it has.
    """
    statics = search.stack.statics
    statics[ply] = static
    return ply < 2 or static > statics[ply - 2] or statics[ply - 2] == NO_SCORE


@inlined
def likely_score(entry, ply, static):
    """The score of the entry if it is a bound beyond the static score, and this one otherwise."""
    score = entry_score(entry, ply)
    bound = LOWER if score > static else UPPER
    return score if entry_bound(entry) & bound and abs(score) < WON else static


@inlined
def stand(board, geometry, search, stop, key, static, depth, alpha, beta, ply, colour, improving):
    """The score of a position without threats to win at once, if it needs no search, or NO_SCORE.

    It does not at a leaf, where fours in a row are tried first, near a leaf if the static score is
    hopelessly low and there are no such fours, and if it is far too high.
    """
    off, margins = search.control[0].off, search.margins[0]
    narrow = ply and beta - alpha == 1
    low = (not off & RAZORING and depth <= margins.razor_depth and narrow
           and static + margins.razor + margins.razor_per_ply * depth <= alpha)
    if depth <= 0 or low:
        if not off & FOURS and static < beta and many_fours(search, colour):
            search.control[0].threat_nodes = margins.vcf_nodes
            # With captures, games have shown a selective search to be no better.
            fours = ALL_FOURS if geometry.game[TARGET] else FIRST_FOUR
            end = win_by_fours(board, geometry, search, stop, ply + 2 * VCF_DEPTH + 1, ply, colour,
                               fours)
            score = MATE - end if end else static
            if end or depth <= 0:
                bound = LOWER if end else EXACT
                store(search, key, 0, bound, depth, score, ply)
            return score
        return static
    if (not off & FUTILITY and narrow and beta > -WON and depth <= margins.futility_depth
            and not count(board.state, OPEN_FOUR, 1 - colour)
            and static - margins.futility * (depth - improving * margins.improving) >= beta):
        return static
    return NO_SCORE


@inlined
def without_barred(search, moves, n, ranked):
    """Leave out what is barred at the root; returns how many are left, and of the first ones."""
    if search.control[0].barred == 0:
        return n, ranked
    left, first = 0, 0
    for i in range(n):
        if not search.barred[moves[i]]:
            moves[left] = moves[i]
            left += 1
            first += i < ranked
    return left, first


@inlined
def decided(board, geometry, search, ply, colour):
    """What the threats to win at once say: (score or NO_SCORE, number of moves that are forced).

    A win is shown by its score, with ply 0 also by `best`; a loss at the root is not.  Forced moves
    are those that stop the opponent from winning at once; they are put into moves[ply].
    """
    moves = search.stack.moves[ply]
    wins = wins_at(board, geometry, search, colour, moves)
    if wins and ply == 0:
        wins, _ = without_barred(search, moves, wins, 0)
    if wins:
        if ply == 0:
            search.control[0].best, search.control[0].score = np.int64(moves[0]), MATE - 1
        return MATE - ply - 1, 0
    n = wins_at(board, geometry, search, 1 - colour, moves)
    if n > 1 and not breakable(geometry.game) and ply:
        return np.int64(ply + 2 - MATE), n
    if n and geometry.game[RENJU] and colour == 0:
        n, _ = playable(board, geometry, search, colour, moves, n, 0)
        if n == 0:
            return np.int64(ply + 2 - MATE if ply else NO_SCORE), n
    if n:
        return NO_SCORE, add_other_blocks(board, geometry, search, colour, moves, n)
    if geometry.game[TARGET] == 0 and ply and can_open_four(board, geometry, search, colour):
        return MATE - ply - 3, 0
    return NO_SCORE, 0


@inlined
def singular_target(search, entry, depth, ply):
    """The move of the entry is extended if all others score less; NO_SCORE: not worth asking."""
    if (search.control[0].off & SINGULAR or ply == 0 or entry_move(entry) == 0
            or depth < search.margins[0].singular_depth or not entry_bound(entry) & LOWER
            or entry_depth(entry) < depth - 3 or abs(entry_score(entry, ply)) >= WON):
        return NO_SCORE
    return entry_score(entry, ply) - search.margins[0].singular * depth


@inlined
def rank_moves(board, geometry, search, ply, colour, ranked, table_move, forced):
    """Say of moves[ply][:ranked] how early they are tried, the move of the table first."""
    rank_all(board, geometry, search, ply, colour, ranked)
    for i in range(ranked):
        if search.stack.moves[ply, i] == table_move:
            search.stack.ranks[ply, i] = 1 << 40
    if not forced and in_use(search):
        add_to_ranks(geometry, search, ply, colour, ranked)


@inlined
def width_of(search, depth, n, ranked, improving):
    """How many of n quiet moves are searched, of which some are ranked."""
    if search.control[0].off & COUNT_PRUNING:
        return n
    margins = search.margins[0]
    width = margins.width + margins.width_per_ply * max(depth, 1)
    return min(max(ranked, 1), width if improving else width * margins.worse_width // 100)


@inlined
def is_hopeless(search, static, depth, alpha):
    """Is the static score so far below alpha that a quiet move need not be searched?"""
    margins = search.margins[0]
    return (not search.control[0].off & FUTILITY and depth <= margins.late_depth
            and alpha >= static + margins.late + margins.late_per_ply * depth)


@inlined
def reduction_of(board, search, ply, depth, i, move, colour, narrow, cut):
    """By how many plies less the i-th move is searched at first; one ply is left."""
    if depth < 2 or search.control[0].off & REDUCTIONS:
        return 0
    margins = search.margins[0]
    reduction = search.reductions[min(depth - 1, 31) * 64 + min(i, 63)]
    if cut:
        reduction += margins.cut_reduction
    if not narrow:
        reduction -= 100
    if not search.control[0].off & HISTORY:
        reduction -= (search.history[move * 2 + colour] * margins.history_reduction
                      // margins.history)
    if ply and margins.reply and not search.control[0].off & REPLIES:
        reply = np.int64(search.replies[reply_at(board, search, ply, colour, move)])
        reduction -= reply * margins.reply_reduction // margins.reply
    return min(max(reduction, 0) // 100, depth - 2)


@inlined
def change_of_depth(search, deeper, reduction, score, alpha, best):
    """By how many plies more, or less, a move is searched after it raised alpha at that reduction.

    More if it is far better, but not beyond the depth of the root, and less if it is hardly better
    than the best of those before.
    """
    margins, change = search.margins[0], 0
    if (score > alpha + margins.deeper + margins.deeper_per_ply * reduction
            and deeper < search.control[0].depth):
        change += 1
    if score < best + deeper and reduction > 1:
        change -= 1
    return change


@inlined
def rest_is_late(search, depth):
    """Are the moves after one that has raised alpha searched a ply less?"""
    return 2 < depth < search.margins[0].rise_depth and not search.control[0].off & REDUCTIONS


@kernel
def search_position(board, geometry, search, stop, depth, alpha, beta, ply, colour, cut):
    """The score of the position for `colour`, who is to move, between alpha and beta.

    In a cut node, `cut`, it is expected to be beta or more.  With ply 0 no barred move is looked
    at, a position where only such moves do not lose at once is lost, and the best move and its
    score, or a bound of it, are in `best` and `score` of the record; they replace what was there if
    they are better.  Once `stopped` is set there, what is returned means nothing, while `best` is
    the best of the moves that were searched to the end (unchanged if there was none).

    All that calls itself is in this one function, see `kernel` on circles.
    """
    control, stack = search.control[0], search.stack
    moves, ranks = stack.moves[ply], stack.ranks[ply]
    if out_of_time(search, stop) or board.state[FREE] == 0:
        return 0
    if ply + 8 > LONGEST_PATH:
        return evaluate(board, geometry, search, ply, colour)
    score, n = decided(board, geometry, search, ply, colour)
    if score != NO_SCORE:
        return score
    # Beyond this no line from here comes: a win on the next ply was looked for above.
    if ply and MATE - ply - 3 <= alpha:
        return alpha
    forced, excluded = n > 0, stack.excluded[ply]
    key = key_of(search.hash[0], colour)
    entry = 0
    if not control.off & TABLE and not excluded:
        entry = probe(search, key)
        # With captures, games have not shown proofs at any depth to be better.
        if ply and settles(entry, depth, alpha, beta, ply, geometry.game[TARGET] == 0):
            return entry_score(entry, ply)
    quiet_node = not forced and not excluded
    static = evaluate(board, geometry, search, ply, colour) if quiet_node else np.int64(NO_SCORE)
    improving = excluded > 0 or is_improving(search, ply, static)
    if (quiet_node and ply and entry_move(entry) == 0
            and depth >= search.margins[0].iir_depth):
        depth -= 1
    likely = likely_score(entry, ply, static) if quiet_node else static
    if quiet_node:
        score = stand(board, geometry, search, stop, key, likely, depth, alpha, beta, ply, colour,
                      improving)
        if score != NO_SCORE:
            return score
    table_move, extension = entry_move(entry), 0
    target = singular_target(search, entry, depth, ply) if quiet_node else NO_SCORE
    if target != NO_SCORE:
        stack.excluded[ply] = table_move
        score = search_position(board, geometry, search, stop, (depth - 1) // 2, target - 1,
                                target, ply, colour, cut)
        stack.excluded[ply] = 0
        if control.stopped:
            return 0
        if score < target:
            extension = 1
        elif target >= beta:
            return target
    ranked = n
    if not forced:
        n, ranked = generate(board, geometry, search, colour, moves)
        if n == 0:
            return 0
    if ply == 0:
        # The table's move may be the best of moves that all failed low in a narrower window.
        table_move = control.best
        n, ranked = without_barred(search, moves, n, ranked)
    limit = n if forced else width_of(search, depth, n, ranked, improving)
    rank_moves(board, geometry, search, ply, colour, ranked, table_move, forced)
    best, best_move, floor = np.int64(-MATE), np.int64(0), alpha
    for i in range(n):
        if i >= limit and best > -WON:
            break  # but a loss is only claimed when every move was tried
        move = pick(moves, ranks, i, ranked) if i < ranked else np.int64(moves[i])
        if move == excluded:
            continue
        quiet = search.best[search.codes[move * 2 + colour]] < shapes.FOUR
        if (quiet_node and ply and i and quiet and best > -WON
                and is_hopeless(search, likely, depth, alpha)):
            best = max(best, likely)
            continue
        deeper = depth if forced else depth - 1
        if move == table_move:
            deeper += extension
        if ply == 0:
            control.root = move
        announce(search, key_of(search.hash[0] ^ search.zobrist[move * 2 + colour], 1 - colour))
        make(board, geometry, search, ply, move, colour)
        score = alpha + 1
        if i:
            reduction = 0
            if not forced:
                reduction = reduction_of(board, search, ply, depth, i, move, colour,
                                         beta - alpha == 1, cut)
            score = -search_position(board, geometry, search, stop, deeper - reduction, -alpha - 1,
                                     -alpha, ply + 1, 1 - colour, reduction > 0 or not cut)
            if score > alpha and reduction:
                deeper += change_of_depth(search, deeper, reduction, score, alpha, best)
                score = -search_position(board, geometry, search, stop, deeper, -alpha - 1, -alpha,
                                         ply + 1, 1 - colour, not cut)
        if i == 0 or alpha < score < beta:
            score = -search_position(board, geometry, search, stop, deeper, -beta, -alpha,
                                     ply + 1, 1 - colour, beta - alpha == 1 and not cut)
        unmake(board, geometry, search, ply, move, colour)
        if control.stopped:
            return 0
        if score > best:
            # The first one, unless it loses and the best so far does not; then what is better and,
            # after a move that loses, also one that is only known to lose later or not at all.
            if ply == 0 and (score > alpha or best < -WON if i
                             else score > min(control.score, -WON)):
                control.best, control.score = move, score
            best, best_move = score, move
        if alpha < score < beta and not forced and rest_is_late(search, depth):
            depth -= 1
        alpha = max(alpha, score)
        if alpha >= beta:
            if quiet:
                reward(board, search, ply, colour, move, depth, i)
            break
    if ply == 0 and best > floor and best_move:
        control.best, control.score = best_move, best
    if not excluded and not (ply == 0 and control.barred):
        bound = LOWER if best >= beta else UPPER if best <= floor else EXACT
        # Where all moves failed low, the one that was good before says more than the best of them.
        told = table_move if bound == UPPER and table_move else best_move
        store(search, key, told, bound, depth, best, ply)
    return best


@kernel
def search_root(board, geometry, search, stop, depth, score, window, colour):
    """The score of the position at that depth, first tried in a window around `score`.

    See `search_position` for what else is true afterwards.
    """
    if search.control[0].off & ASPIRATION:
        window = np.int64(2 * MATE)
    low, high = score - window, score + window
    search.control[0].score, search.control[0].depth = -2 * MATE, depth
    while True:
        found = search_position(board, geometry, search, stop, depth, low, high, 0,
                                colour, False)
        if low < found < high or search.control[0].stopped:
            return found
        if found <= low:
            low = max(low - 4 * window, np.int64(-2 * MATE))
        else:
            high = min(high + 4 * window, np.int64(2 * MATE))
        window *= 4


@kernel
def follow(board, geometry, search, colour, line):
    """Put the expected moves from `best` on into `line`; returns their number.

    They are those of the transposition table, and end where it knows no more.
    """
    nodes, move, n = search.control[0].nodes, search.control[0].best, 0
    while n < line.size and move and board.cells[move] == 0:
        make(board, geometry, search, n, move, (colour + n) & 1)
        line[n] = move
        n += 1
        move = entry_move(probe(search, key_of(search.hash[0], (colour + n) & 1)))
    for i in range(n - 1, -1, -1):
        unmake(board, geometry, search, i, line[i], (colour + i) & 1)
    search.control[0].nodes = nodes
    return n
