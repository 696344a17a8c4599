"""Alpha-beta search with threats."""

import numpy as np

from .. import inlined, kernel
from ..control import MATE, WON, out_of_time
from ..rules import FREE, RENJU, TARGET, breakable
from ..table import (
    EXACT,
    LOWER,
    UPPER,
    cuts_off,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    key_of,
    prefetch_entry,
    probe,
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

NO_SCORE = 1 << 20  # in place of a score


@inlined
def learn(scores, at, depth, good, most):
    """Raise or lower a history score within -most..most, in proportion to the depth squared."""
    if most == 0:
        return
    bonus = min(depth * depth, most)
    before = np.int64(scores[at])
    scores[at] = before + (bonus if good else -bonus) - before * bonus // most


@inlined
def reward(board, search, ply, colour, move, depth, tried):
    """Update histories and killers: the quiet `move` caused a cutoff, `tried` others did not."""
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
    """Store the static score of a ply, or NO_SCORE; has it grown in two plies?

    True if there is no score to compare it with.
    """
    statics = search.stack.statics
    statics[ply] = static
    return ply < 2 or static > statics[ply - 2] or statics[ply - 2] == NO_SCORE


@inlined
def likely_score(entry, ply, static):
    """The entry's score if it is a bound beyond `static`; else `static`."""
    score = entry_score(entry, ply)
    bound = LOWER if score > static else UPPER
    return score if entry_bound(entry) & bound and abs(score) < WON else static


@inlined
def score_without_search(board, geometry, search, stop, key, static, depth, alpha, beta, ply,
                         colour, improving):
    """The score of a position without immediate threats, or NO_SCORE if it needs a search.

    Three cases need no search:

    - a leaf, after a search for fours
    - near a leaf, a static score far below alpha, after a search for fours (razoring)
    - a static score far above beta (futility pruning)
    """
    off, margins = search.control[0].off, search.margins[0]
    narrow = ply and beta - alpha == 1
    low = (not off & RAZORING and depth <= margins.razor_depth and narrow
           and static + margins.razor + margins.razor_per_ply * depth <= alpha)
    if depth <= 0 or low:
        if not off & FOURS and static < beta and many_fours(search, colour):
            search.control[0].threat_nodes = margins.vcf_nodes
            # In games with captures, a selective search plays no better.
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
    """Remove the moves barred at the root; returns the new `n` and `ranked`."""
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
def check_wins(board, geometry, search, ply, colour):
    """Check for immediate wins of either side: (score or NO_SCORE, number of forced moves).

    A win sets the score and, with ply 0, `best`; a loss at the root does not set the score.  Forced
    moves stop the opponent from winning at once; they are put into moves[ply].
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
    """The score below which all other moves must stay to extend the entry's move, or NO_SCORE."""
    if (search.control[0].off & SINGULAR or ply == 0 or entry_move(entry) == 0
            or depth < search.margins[0].singular_depth or not entry_bound(entry) & LOWER
            or entry_depth(entry) < depth - 3 or abs(entry_score(entry, ply)) >= WON):
        return NO_SCORE
    return entry_score(entry, ply) - search.margins[0].singular * depth


@inlined
def rank_moves(board, geometry, search, ply, colour, ranked, table_move, forced):
    """Set the ranks of moves[ply][:ranked]; the table's move comes first."""
    rank_all(board, geometry, search, ply, colour, ranked)
    for i in range(ranked):
        if search.stack.moves[ply, i] == table_move:
            search.stack.ranks[ply, i] = 1 << 40
    if not forced and in_use(search):
        add_to_ranks(geometry, search, ply, colour, ranked)


@inlined
def width_of(search, depth, n, ranked, improving):
    """How many of `n` quiet moves are searched; the first `ranked` have a rank."""
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
    """The late move reduction of the i-th move, in plies; it leaves at least one ply."""
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
    """The change of depth, in plies, for the search of a move that raised alpha at `reduction`.

    A far better move gets a ply more, up to the depth of the root.  A move that is hardly better
    than the best one so far gets a ply less.
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
    """Are the moves after a move that raised alpha searched a ply less?"""
    return 2 < depth < search.margins[0].rise_depth and not search.control[0].off & REDUCTIONS


@kernel
def search_position(board, geometry, search, stop, depth, alpha, beta, ply, colour, cut):
    """The score of the position for `colour`, the side to move, between alpha and beta.

    `cut` marks a cut node, with an expected score of beta or more.

    With ply 0, `best` and `score` of the record become the best move and its score or a bound, if
    they are better than before.  Barred moves are not searched; a position where all other moves
    lose at once is lost.

    After `stopped` is set, the returned score is meaningless.  `best` is then the best completely
    searched move, or unchanged if there is none.

    The whole recursion is in this function, since kernels must not call each other in a circle.
    """
    control, stack = search.control[0], search.stack
    moves, ranks = stack.moves[ply], stack.ranks[ply]
    # Step 1. Stop at the limits, on a full board and at the greatest depth.
    if out_of_time(search, stop) or board.state[FREE] == 0:
        return 0
    if ply + 8 > LONGEST_PATH:
        return evaluate(board, geometry, search, ply, colour)
    # Step 2. Check for immediate wins of either side; n counts the forced moves.
    score, n = check_wins(board, geometry, search, ply, colour)
    if score != NO_SCORE:
        return score
    # Step 3. Mate distance pruning: step 2 found no win on this ply.
    if ply and MATE - ply - 3 <= alpha:
        return alpha
    # Step 4. Probe the transposition table.
    forced, excluded = n > 0, stack.excluded[ply]
    key = key_of(search.hash[0], colour)
    entry = 0
    if not control.off & TABLE and not excluded:
        entry = probe(search, key)
        # In games with captures, cutoffs by proofs of any depth play no better.
        if ply and cuts_off(entry, depth, alpha, beta, ply, geometry.game[TARGET] == 0):
            return entry_score(entry, ply)
    # Step 5. Evaluate the position statically.
    quiet_node = not forced and not excluded
    static = evaluate(board, geometry, search, ply, colour) if quiet_node else np.int64(NO_SCORE)
    improving = excluded > 0 or is_improving(search, ply, static)
    # Step 6. Internal iterative reduction: one ply less without a table move.
    if (quiet_node and ply and entry_move(entry) == 0
            and depth >= search.margins[0].iir_depth):
        depth -= 1
    # Step 7. Leaf search for fours, razoring and futility pruning.
    likely = likely_score(entry, ply, static) if quiet_node else static
    if quiet_node:
        score = score_without_search(board, geometry, search, stop, key, likely, depth, alpha, beta,
                                     ply, colour, improving)
        if score != NO_SCORE:
            return score
    # Step 8. Singular extension: extend the table move if all others are clearly worse.
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
    # Step 9. Generate and rank the moves.
    ranked = n
    if not forced:
        n, ranked = generate(board, geometry, search, colour, moves)
        if n == 0:
            return 0
    if ply == 0:
        # The table move may come from a narrower window in which all moves failed low.
        table_move = control.best
        n, ranked = without_barred(search, moves, n, ranked)
    limit = n if forced else width_of(search, depth, n, ranked, improving)
    rank_moves(board, geometry, search, ply, colour, ranked, table_move, forced)
    # Step 10. Search the moves.
    best, best_move, floor = np.int64(-MATE), np.int64(0), alpha
    for i in range(n):
        if i >= limit and best > -WON:
            break  # a loss needs a search of every move
        # Step 11. Pick the next move.
        move = pick(moves, ranks, i, ranked) if i < ranked else np.int64(moves[i])
        if move == excluded:
            continue
        quiet = search.best[search.codes[move * 2 + colour]] < shapes.FOUR
        # Step 12. Futility pruning of a quiet move.
        if (quiet_node and ply and i and quiet and best > -WON
                and is_hopeless(search, likely, depth, alpha)):
            best = max(best, likely)
            continue
        # Step 13. Set the depth: forced moves and singular moves are extended.
        deeper = depth if forced else depth - 1
        if move == table_move:
            deeper += extension
        if ply == 0:
            control.root = move
        # Step 14. Make the move.
        prefetch_entry(search, key_of(search.hash[0] ^ search.zobrist[move * 2 + colour],
                                      1 - colour))
        make(board, geometry, search, ply, move, colour)
        # Step 15. Zero window search of a later move, first with a late move reduction.
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
        # Step 16. Full window search of the first move and of a move that raised alpha.
        if i == 0 or alpha < score < beta:
            score = -search_position(board, geometry, search, stop, deeper, -beta, -alpha,
                                     ply + 1, 1 - colour, beta - alpha == 1 and not cut)
        # Step 17. Take the move back.
        unmake(board, geometry, search, ply, move, colour)
        if control.stopped:
            return 0
        # Step 18. Update the best move.
        if score > best:
            # At the root the first move counts unless it loses and `best` does not.  A later move
            # must raise alpha; after a losing move, a later or unproved loss is enough.
            if ply == 0 and (score > alpha or best < -WON if i
                             else score > min(control.score, -WON)):
                control.best, control.score = move, score
            best, best_move = score, move
        # Step 19. After a move that raised alpha, search the others a ply less.
        if alpha < score < beta and not forced and rest_is_late(search, depth):
            depth -= 1
        alpha = max(alpha, score)
        # Step 20. Cut off.
        if alpha >= beta:
            if quiet:
                reward(board, search, ply, colour, move, depth, i)
            break
    # Step 21. Store the result.
    if ply == 0 and best > floor and best_move:
        control.best, control.score = best_move, best
    if not excluded and not (ply == 0 and control.barred):
        bound = LOWER if best >= beta else UPPER if best <= floor else EXACT
        # If all moves failed low, the earlier table move orders better than the best of them.
        stored_move = table_move if bound == UPPER and table_move else best_move
        store(search, key, stored_move, bound, depth, best, ply)
    return best


@kernel
def search_root(board, geometry, search, stop, depth, score, window, colour):
    """Search the position to `depth`, first in an aspiration window around `score`; its score.

    `search_position` describes the other results.
    """
    if search.control[0].off & ASPIRATION:
        window = np.int64(2 * MATE)
    low, high = score - window, score + window
    search.control[0].score, search.control[0].depth = -2 * MATE, depth
    while True:
        root_score = search_position(board, geometry, search, stop, depth, low, high, 0,
                                     colour, False)
        if low < root_score < high or search.control[0].stopped:
            return root_score
        if root_score <= low:
            low = max(low - 4 * window, np.int64(-2 * MATE))
        else:
            high = min(high + 4 * window, np.int64(2 * MATE))
        window *= 4


@kernel
def principal_variation(board, geometry, search, colour, line):
    """Put the principal variation, which begins with `best`, into `line`; returns its length.

    The moves come from the transposition table; the first missing entry ends the line.
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
