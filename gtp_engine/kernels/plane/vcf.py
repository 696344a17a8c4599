"""Wins by threats that the opponent has to answer, one after the other: VCF (victory by continuous
fours) and VCT (by continuous threats)."""

import numpy as np

from .. import inlined, kernel
from ..control import MATE, WON, out_of_time
from ..rules import RENJU, TARGET, breakable
from ..table import (
    LOWER,
    UPPER,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    key_of,
    probe,
    store,
)
from . import shapes
from .board import OPEN_FOUR, count
from .known_wins import recall, remember, win_move, win_plies
from .moves import (
    add_other_blocks,
    at_least,
    generate,
    has_fours,
    in_reach,
    is_forbidden,
    may_play,
    open_fours,
    pick,
    playable,
    policy_of,
    put_first,
    sure_open_fours,
    wins_at,
)
from .state import LONGEST_PATH, make, unmake

VCF_DEPTH = 12  # fours in a line
IN_VAIN, NO_FOUR = -1, -2  # instead of a number of answers
ALL_FOURS, FIRST_FOUR = -1, 0  # instead of the last four
THREATS_KEY = 0x5851F42D4C957F2D  # sets entries of the threat search apart


@inlined
def answers_to(board, geometry, search, colour, replies):
    """Put the opponent's answers to a four that `colour` has made into `replies`; their number.

    IN_VAIN if the four wins whatever the answer; NO_FOUR if there is none; 0 if the opponent wins
    at once.
    """
    if wins_at(board, geometry, search, 1 - colour, replies):
        return 0
    answers = wins_at(board, geometry, search, colour, replies)
    if answers == 0:
        return NO_FOUR
    if answers > 1 and not breakable(geometry.game):
        return IN_VAIN
    if geometry.game[RENJU] and is_forbidden(board, geometry, search, np.int64(replies[0]),
                                             1 - colour):
        return IN_VAIN
    return add_other_blocks(board, geometry, search, 1 - colour, replies, answers)


@inlined
def goes_on(geometry, search, colour, point, last_four):
    """Does a stone on `point` add to more than one row, and is it in reach of the last four?"""
    if search.second[search.codes[point * 2 + colour]] < shapes.TWO:
        return False
    return last_four == FIRST_FOUR or in_reach(geometry, point, last_four)


@kernel
def win_by_fours(board, geometry, search, stop, last, ply, colour, last_four):
    """Victory by continuous fours: the ply of the winning stone, or 0 if none is found.

    The first move is in `best` of the record if `ply` is 0.  The winning stone comes on the ply
    `last` at the latest, with at most `threat_nodes` moves in all.  Every answer of the opponent is
    tried: also captures and, in Caro, ends that break the four.

    `last_four` is ALL_FOURS, or FIRST_FOUR for a selective search: fours that answer nothing are
    then left out unless their stone adds to another row as well and is in reach of the last four.
    """
    control = search.control[0]
    moves, replies = search.stack.moves[ply], search.stack.moves[ply + 1]
    if wins_at(board, geometry, search, colour, moves):
        if ply == 0:
            control.best = np.int64(moves[0])
        return ply + 1
    if ply + 3 > last or ply + 4 > LONGEST_PATH or not has_fours(search, colour):
        return 0
    must = wins_at(board, geometry, search, 1 - colour, replies)
    other_answers = breakable(geometry.game)
    if must > 1 and not other_answers:
        return 0
    if not must and geometry.game[TARGET] == 0 and open_fours(
            board, geometry, search, colour, moves):
        remember(search, colour, np.int64(moves[0]), 3)
        if ply == 0:
            control.best = np.int64(moves[0])
        return ply + 3
    if must and not other_answers:
        moves[0] = replies[0]
        n = np.int64(search.best[search.codes[np.int64(moves[0]) * 2 + colour]] >= shapes.FOUR)
    else:
        n = at_least(board, search, colour, shapes.FOUR, moves)
    for i in range(n):
        point = np.int64(moves[i])
        if last_four != ALL_FOURS and not must and not goes_on(geometry, search, colour, point,
                                                               last_four):
            continue
        if geometry.game[RENJU] and is_forbidden(board, geometry, search, point, colour):
            continue
        if control.threat_nodes <= 0 or out_of_time(search, stop):
            return 0
        control.threat_nodes -= 1
        make(board, geometry, search, ply, point, colour)
        answers = answers_to(board, geometry, search, colour, replies)
        end = ply + 3 if answers == IN_VAIN else 0
        for j in range(answers):
            reply = np.int64(replies[j])
            make(board, geometry, search, ply + 1, reply, 1 - colour)
            found = win_by_fours(board, geometry, search, stop, last, ply + 2, colour,
                                 last_four if last_four == ALL_FOURS else point)
            unmake(board, geometry, search, ply + 1, reply, 1 - colour)
            end = max(end, found)
            if not found:
                end = 0
                break
        unmake(board, geometry, search, ply, point, colour)
        if end:
            remember(search, colour, point, end - ply)
            if ply == 0:
                control.best = point
            return end
    return 0


@kernel
def winning_entry(search, last, ply, colour):
    """The entry by which alpha-beta wins on the ply `last` at the latest, 0 if there is none.

    It has no move if alpha-beta won there by fours alone.
    """
    entry = probe(search, key_of(search.hash[0], colour))
    score = entry_score(entry, ply)
    if entry and entry_bound(entry) & LOWER and score > WON and MATE - score <= last:
        return entry
    return 0


@inlined
def threatens_open_four(board, geometry, search, colour):
    """Does `colour` threaten an open four, in Renju one that only a few stones stop?"""
    return count(board.state, OPEN_FOUR, colour) and (
        colour or not geometry.game[RENJU]
        or sure_open_fours(board, geometry, search, search.threats) > 0)


@inlined
def rank_threats(search, ply, colour, n):
    """Say of moves[ply][:n] how early they are tried, if a search for threats has an order."""
    if search.control[0].threat_order:
        for i in range(n):
            search.stack.ranks[ply, i] = policy_of(search, colour,
                                                   np.int64(search.stack.moves[ply, i]))


@inlined
def pick_threat(search, ply, i, n):
    """The next of moves[ply][:n] after i of them, by rank if a search for threats has an order."""
    moves = search.stack.moves[ply]
    if search.control[0].threat_order:
        return pick(moves, search.stack.ranks[ply], i, n)
    return np.int64(moves[i])


@inlined
def threats_of(board, geometry, search, colour, moves, hint):
    """Put the moves that may go on a victory by threats into `moves`, `hint` first unless it is 0;
    their number."""
    n = wins_at(board, geometry, search, 1 - colour, moves)
    if n > 1 and not breakable(geometry.game):
        return 0
    if n:
        return add_other_blocks(board, geometry, search, colour, moves, n)
    n = at_least(board, search, colour, shapes.OPEN_THREE, moves)
    return put_first(moves, n, hint) if hint else n


@kernel
def win_by_threats(board, geometry, search, stop, depth, last, ply, colour):
    """Victory by continuous threats: the ply of the winning stone, or 0 if none is found.

    The first move is in `best` of the record if `ply` is 0.  At most `depth` moves that make a four
    or an open three, or answer a four of the opponent, before fours alone win; the winning stone
    comes on the ply `last` at the latest; and `threat_nodes` moves in all.  Every answer that could
    help the opponent is tried: its own fours and whatever keeps a four from being open or, where
    there are captures and in Caro, every legal move.  With `threat_order` those that the policy
    prefers come first.  If `last` is below LONGEST_PATH, the ways in which alpha-beta wins are
    tried first, moves that are no threats among them.
    """
    control = search.control[0]
    moves, replies = search.stack.moves[ply], search.stack.moves[ply + 1]
    known = recall(search, colour)
    if known and ply + win_plies(known) <= last:
        if ply == 0:
            control.best = win_move(known)
        return ply + win_plies(known)
    fours, last_four = min(last, ply + 2 * VCF_DEPTH + 1), ALL_FOURS
    won = winning_entry(search, last, ply, colour) if last < LONGEST_PATH else 0
    hint = entry_move(won)
    if won and geometry.game[TARGET] == 0:
        last_four = FIRST_FOUR
    end = win_by_fours(board, geometry, search, stop, ply + 1 if hint else fours, ply, colour,
                       last_four)
    if end or depth == 0 or ply + 5 > last or ply + 8 > LONGEST_PATH:
        return end
    key, reach = key_of(search.hash[0], colour), depth
    if last < LONGEST_PATH:
        key ^= np.uint64(control.proof) << np.uint64(48)
        reach = last - ply
    key ^= np.uint64(THREATS_KEY)
    entry = probe(search, key)
    if entry and entry_depth(entry) >= reach:
        return 0
    n = threats_of(board, geometry, search, colour, moves, hint)
    rank_threats(search, ply, colour, n)
    for i in range(n):
        if control.threat_nodes <= 0 or out_of_time(search, stop):
            return 0
        if won and i == min(hint, 1):
            end = win_by_fours(board, geometry, search, stop, fours, ply, colour, ALL_FOURS)
            if end:
                return end
            threats_of(board, geometry, search, colour, moves, hint)
            rank_threats(search, ply, colour, n)
        point = hint if hint and i == 0 else pick_threat(search, ply, i, n)
        if not may_play(board, geometry, search, point, colour):
            continue
        control.threat_nodes -= 1
        make(board, geometry, search, ply, point, colour)
        answers = answers_to(board, geometry, search, colour, replies)
        end = ply + 3 if answers == IN_VAIN else 0
        if answers == NO_FOUR and (point == hint or threatens_open_four(
                board, geometry, search, colour)):
            answers, _ = generate(board, geometry, search, 1 - colour, replies)
        rank_threats(search, ply + 1, 1 - colour, answers)
        for j in range(answers):
            reply = pick_threat(search, ply + 1, j, answers)
            make(board, geometry, search, ply + 1, reply, 1 - colour)
            found = win_by_threats(board, geometry, search, stop, depth - 1, last, ply + 2, colour)
            unmake(board, geometry, search, ply + 1, reply, 1 - colour)
            end = max(end, found)
            if not found:
                end = 0
                break
        unmake(board, geometry, search, ply, point, colour)
        if end:
            remember(search, colour, point, end - ply)
            if ply == 0:
                control.best = point
            return end
    if control.threat_nodes > 0 and not control.stopped:
        store(search, key, 0, UPPER, reach, 0, ply)
    return 0


@kernel
def longest_defence(board, geometry, search, ply, colour):
    """The opponent's move after which the win of `colour` that `remember` has kept takes longest.

    0 if nothing is known of any.
    """
    replies, hardest, longest = search.stack.moves[ply], np.int64(0), np.int64(0)
    n = wins_at(board, geometry, search, colour, replies)
    if n and geometry.game[RENJU]:
        n, _ = playable(board, geometry, search, 1 - colour, replies, n, 0)
    if n:
        n = add_other_blocks(board, geometry, search, 1 - colour, replies, n)
    else:
        n, _ = generate(board, geometry, search, 1 - colour, replies)
    for i in range(n):
        reply = np.int64(replies[i])
        make(board, geometry, search, ply, reply, 1 - colour)
        plies = win_plies(recall(search, colour))
        if wins_at(board, geometry, search, colour, search.stack.moves[ply + 1]):
            plies = 1
        unmake(board, geometry, search, ply, reply, 1 - colour)
        if plies > longest:
            longest, hardest = plies, reply
    return hardest


@kernel
def follow_win(board, geometry, search, colour, line):
    """Put the moves of a win that `remember` has kept into `line`; returns their number.

    The opponent's are those that hold longest.  `colour` is to move.
    """
    nodes, made, most = search.control[0].nodes, 0, min(line.size, LONGEST_PATH - 2)
    n = 0
    while n < most:
        mover = (colour + n) & 1
        if mover != colour:
            line[n] = longest_defence(board, geometry, search, n, colour)
        elif wins_at(board, geometry, search, colour, search.stack.moves[n]):
            line[n] = search.stack.moves[n, 0]
            n += 1
            break
        else:
            line[n] = win_move(recall(search, colour))
        if line[n] == 0:
            break
        make(board, geometry, search, n, line[n], mover)
        n += 1
        made = n
    for i in range(made - 1, -1, -1):
        unmake(board, geometry, search, i, line[i], (colour + i) & 1)
    search.control[0].nodes = nodes
    return n
