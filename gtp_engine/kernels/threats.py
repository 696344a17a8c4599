"""Wins by threats that the enemy has to answer, one after the other."""

import numpy as np

from . import kernel
from .board import (
    BLOCK, CARO, FREE, TAKE, TARGET, WIN, add_blocks, allowed, breakable, count, gather,
    winning_points,
)
from .board import FOUR as FOUR_POINTS
from .node import (
    BEST, LONGEST, LOWER, MATE, NODES, PROOF, STOPPED, THREAT_NODES, UPPER, WON, entry_depth,
    entry_score, key_of, make, out_of_time, probe, recall, remember, store, unmake,
)
from .shapes import FOUR, OPEN_FOUR, OPEN_THREE, SHAPES, TWO

VCF_DEPTH = 12  # fours in a line
THREATS_KEY = 0x5851F42D4C957F2D  # sets entries of the threat search apart


@kernel
def wins_at(board, geometry, search, colour, out):
    """Put the points where `colour` wins at once into `out`; returns their number."""
    if not count(board.state, WIN, colour) | count(board.state, TAKE, colour):
        return 0
    return winning_points(board.state, board.cells, board.mark, geometry.point_at, geometry.steps,
                          geometry.game, colour, out, search.scratch)


@kernel
def add_other_blocks(board, geometry, search, colour, out, n):
    """Append to the enemy's winning points out[:n] the other points that stop one; the new length.
    """
    if not count(board.state, TAKE, colour) and not geometry.game[CARO]:
        return n
    for i in range(n):
        search.threats[i] = out[i]
    return add_blocks(
        board.state, board.cells, board.mark, geometry.point_at, geometry.steps, geometry.game,
        colour, out, search.threats, n, search.scratch)


@kernel
def has_fours(search, colour):
    """Is there a point where `colour` makes a four?"""
    return search.counts[colour * SHAPES + FOUR] + search.counts[colour * SHAPES + OPEN_FOUR] > 0


@kernel
def many_fours(search, colour):
    """Are there points where `colour` makes fours on more than one row of stones?"""
    return (search.counts[colour * SHAPES + FOUR] > 2
            or search.counts[colour * SHAPES + OPEN_FOUR] > 0)


@kernel
def at_least(board, search, colour, shape, out):
    """Put the points where `colour` makes that shape or better into `out`; returns their number."""
    n = 0
    for i in range(board.state[FREE]):
        point = np.int64(board.free[i])
        if search.best[search.codes[point * 2 + colour]] >= shape:
            out[n] = point
            n += 1
    return n


@kernel
def generate(board, geometry, search, colour, moves):
    """Put the legal moves into `moves`, those first that stand near stones.

    Returns the number of all and of these.  If the enemy threatens an open four, only what stops
    it, and fours of one's own.
    """
    state = board.state
    if count(state, FOUR_POINTS, 1 - colour) and not breakable(geometry.game):
        board.mark[0] += 1
        n = at_least(board, search, colour, FOUR, moves)
        for i in range(n):
            board.mark[moves[i]] = board.mark[0]
        n = gather(state, board.mark, geometry.point_at, BLOCK, 1 - colour, moves, n)
        return n, n
    near, n = 0, 0
    for i in range(state[FREE]):
        point = board.free[i]
        if not allowed(state, geometry.middle, geometry.game, np.int64(point), colour):
            continue
        moves[n] = point
        codes = np.int64(point) * 2
        if search.best[search.codes[codes]] >= TWO or search.best[search.codes[codes + 1]] >= TWO:
            moves[n] = moves[near]
            moves[near] = point
            near += 1
        n += 1
    return n, near


@kernel
def win_by_fours(board, geometry, search, stop, last, ply, colour):
    """Victory by continuous fours: the ply of the winning stone, or 0 if none is found.

    The first move is in numbers[BEST] if `ply` is 0.  The winning stone comes on the ply `last` at
    the latest, with at most numbers[THREAT_NODES] moves in all.  Every answer of the opponent is
    tried: also captures and, in Caro, ends that break the four.
    """
    numbers, moves, replies = search.numbers, search.moves[ply], search.moves[ply + 1]
    if wins_at(board, geometry, search, colour, moves):
        if ply == 0:
            numbers[BEST] = np.int64(moves[0])
        return ply + 1
    if ply + 3 > last or ply + 4 > LONGEST or not has_fours(search, colour):
        return 0
    must = wins_at(board, geometry, search, 1 - colour, replies)
    other_answers = breakable(geometry.game)
    if must > 1 and not other_answers:
        return 0
    point_to_stop = np.int64(replies[0]) if must == 1 else 0
    if not must and geometry.game[TARGET] == 0 and count(board.state, FOUR_POINTS, colour):
        board.mark[0] += 1
        gather(board.state, board.mark, geometry.point_at, FOUR_POINTS, colour, moves, 0)
        remember(search, colour, np.int64(moves[0]), np.int64(3))
        if ply == 0:
            numbers[BEST] = np.int64(moves[0])
        return ply + 3
    n = at_least(board, search, colour, FOUR, moves)
    for i in range(n):
        point = np.int64(moves[i])
        if point_to_stop and point != point_to_stop and not other_answers:
            continue
        if numbers[THREAT_NODES] <= 0 or out_of_time(search, stop):
            return 0
        numbers[THREAT_NODES] -= 1
        make(board, geometry, search, ply, point, colour)
        end = 0
        if not wins_at(board, geometry, search, 1 - colour, replies):
            answers = wins_at(board, geometry, search, colour, replies)
            if answers > 1 and not other_answers:
                end = ply + 3
            elif answers:
                answers = add_other_blocks(
                    board, geometry, search, 1 - colour, replies, answers)
                for j in range(answers):
                    reply = np.int64(replies[j])
                    make(board, geometry, search, ply + 1, reply, 1 - colour)
                    end_here = win_by_fours(board, geometry, search, stop, last, ply + 2, colour)
                    unmake(board, geometry, search, ply + 1, reply, 1 - colour)
                    end = max(end, end_here)
                    if not end_here:
                        end = 0
                        break
        unmake(board, geometry, search, ply, point, colour)
        if end:
            remember(search, colour, point, end - ply)
            if ply == 0:
                numbers[BEST] = point
            return end
    return 0


@kernel
def winning_move(search, last, ply, colour):
    """The move by which alpha-beta wins on the ply `last` at the latest, 0 if it knows none."""
    entry = probe(search, key_of(search, colour))
    score = entry_score(entry, ply)
    if entry and entry >> 16 & LOWER and score > WON and MATE - score <= last:
        return entry & 0xFFFF
    return np.int64(0)


@kernel
def put_first(moves, n, move):
    """Put a move in front of moves[:n], which may hold it already; returns the new length."""
    at = n
    for i in range(n):
        if moves[i] == move:
            at = i
    moves[at] = moves[0]
    moves[0] = move
    return max(n, at + 1)


@kernel
def win_by_threats(board, geometry, search, stop, depth, last, ply, colour):
    """Victory by continuous threats: the ply of the winning stone, or 0 if none is found.

    The first move is in numbers[BEST] if `ply` is 0.  At most `depth` moves that make a four or an
    open three, or answer a four of the opponent, before fours alone win; the winning stone comes on
    the ply `last` at the latest; and numbers[THREAT_NODES] moves in all.  Every answer that could
    help the opponent is tried: its own fours and whatever keeps a four from being open or, where
    there are captures and in Caro, every legal move.  If `last` is below LONGEST, moves by which
    alpha-beta wins are tried as well, threats or not.
    """
    numbers, moves, replies = search.numbers, search.moves[ply], search.moves[ply + 1]
    known = recall(search, colour)
    if known and ply + (known >> 16) <= last:
        if ply == 0:
            numbers[BEST] = known & 0xFFFF
        return ply + (known >> 16)
    # Not a literal: a second signature of a recursive kernel is not found in the cache.
    end = win_by_fours(board, geometry, search, stop,
                       min(last, ply + np.int64(2 * VCF_DEPTH + 1)), ply, colour)
    if end or depth == 0 or ply + 5 > last or ply + 8 > LONGEST:
        return end
    key, reach, hint = key_of(search, colour), depth, np.int64(0)
    if last < LONGEST:
        key ^= np.uint64(numbers[PROOF]) << np.uint64(48)
        reach, hint = last - ply, winning_move(search, last, ply, colour)
    key ^= np.uint64(THREATS_KEY)
    entry = probe(search, key)
    if entry and entry_depth(entry) >= reach:
        return 0
    other_answers = breakable(geometry.game)
    n = wins_at(board, geometry, search, 1 - colour, moves)
    if n > 1 and not other_answers:
        return 0
    if n:
        n = add_other_blocks(board, geometry, search, colour, moves, n)
    else:
        n = at_least(board, search, colour, OPEN_THREE, moves)
        if hint:
            n = put_first(moves, n, hint)
    for i in range(n):
        if numbers[THREAT_NODES] <= 0 or out_of_time(search, stop):
            return 0
        point = np.int64(moves[i])
        if not allowed(board.state, geometry.middle, geometry.game, point, colour):
            continue
        numbers[THREAT_NODES] -= 1
        make(board, geometry, search, ply, point, colour)
        answers = 0
        if not wins_at(board, geometry, search, 1 - colour, replies):
            answers = wins_at(board, geometry, search, colour, replies)
            if answers > 1 and not other_answers:
                end = ply + 3
                answers = 0
            elif answers:
                answers = add_other_blocks(
                    board, geometry, search, 1 - colour, replies, answers)
            elif point == hint or count(board.state, FOUR_POINTS, colour):
                answers, _ = generate(board, geometry, search, 1 - colour, replies)
        for j in range(answers):
            reply = np.int64(replies[j])
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
                numbers[BEST] = point
            return end
    if numbers[THREAT_NODES] > 0 and not numbers[STOPPED]:
        store(search, key, np.int64(0), np.int64(UPPER), reach, np.int64(0), ply)
    return 0


@kernel
def longest_defence(board, geometry, search, ply, colour):
    """The opponent's move after which the win of `colour` that `remember` has kept takes longest.

    0 if nothing is known of any.
    """
    replies, hardest, longest = search.moves[ply], np.int64(0), np.int64(0)
    n = wins_at(board, geometry, search, colour, replies)
    if n:
        n = add_other_blocks(board, geometry, search, 1 - colour, replies, n)
    else:
        n, _ = generate(board, geometry, search, 1 - colour, replies)
    for i in range(n):
        reply = np.int64(replies[i])
        make(board, geometry, search, ply, reply, 1 - colour)
        plies = recall(search, colour) >> 16
        if wins_at(board, geometry, search, colour, search.moves[ply + 1]):
            plies = np.int64(1)
        unmake(board, geometry, search, ply, reply, 1 - colour)
        if plies > longest:
            longest, hardest = plies, reply
    return hardest


@kernel
def follow_win(board, geometry, search, colour, line):
    """Put the moves of a win that `remember` has kept into `line`; returns their number.

    The opponent's are those that hold longest.  `colour` is to move.
    """
    nodes, made, most = search.numbers[NODES], 0, min(line.size, np.int64(LONGEST - 2))
    n = 0
    while n < most:
        mover = (colour + n) & 1
        if mover != colour:
            line[n] = longest_defence(board, geometry, search, n, colour)
        elif wins_at(board, geometry, search, colour, search.moves[n]):
            line[n] = search.moves[n, 0]
            n += 1
            break
        else:
            line[n] = recall(search, colour) & 0xFFFF
        if line[n] == 0:
            break
        make(board, geometry, search, n, line[n], mover)
        n += 1
        made = n
    for i in range(made - 1, -1, -1):
        unmake(board, geometry, search, i, line[i], (colour + i) & 1)
    search.numbers[NODES] = nodes
    return n
