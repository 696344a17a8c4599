"""Alpha-beta search with threats.

Scores are from the side to move's point of view.  A win in n plies, counted from the root, scores
MATE - n; whatever is beyond WON is a proven win.  Colours are 0 and 1, as in `board`.
"""

from collections import namedtuple

import numpy as np

from . import kernel
from .board import (
    BLOCK, CAPTURED, FIRST_STONE, FREE, OPENING, TAKE, TARGET, WIN, Geometry,
    add_blocking_captures, allowed, count, flip, gather, place, taken, winning_points,
)
from .board import FOUR as FOUR_POINTS
from .shapes import FOUR, OPEN_FOUR, SHAPES, shape_table, update_shapes

MATE, WON = 30000, 29000
LONGEST = 128  # plies from the root
MOST_CAPTURED = 24  # stones by one move
CAPTURE_RANK = 120  # what a captured stone adds to the worth of a point when moves are ordered
VCF_DEPTH, VCF_NODES_EACH = 12, 300  # fours in a line, and moves in all, at a leaf

# Places in Search.numbers, which Python reads while the search runs.
NODES, NODE_LIMIT, STOPPED, BEST, SCORE, VCF_LEFT = range(6)
LOWER, UPPER, EXACT = 1, 2, 3  # bounds in the transposition table

Search = namedtuple(
    "Search", "table values shapes worth counts weights keys entries zobrist hash history "
    "killers moves ranks threats scratch undone before numbers")
Search.__doc__ = """All that a search needs besides the board; made by `make_search`.

table, values, shapes, worth, counts   see `update_shapes`
weights   int64[2 * SHAPES + 4], of each shape of the side to move, of each one of the other side;
          of the move, of a captured stone, of a line with a capture for the side to move and for
          the other side
keys, entries   uint64[2**n] and int64[2**n], the transposition table
zobrist   uint64[cells * 2 + 128], for stones and numbers of captured stones
hash      uint64[1], of the position, without the side to move
history   int64[cells * 2], by point and colour
killers   int64[LONGEST * 2]
moves     uint16[LONGEST, points], the moves of each ply
ranks     int64[LONGEST, points], how early each of them is tried
threats   uint16[points], scratch
scratch   int64[64], scratch
undone    int64[LONGEST, 2 * MOST_CAPTURED], stones captured by the move of each ply, and their
          entries in Board.slot, which mean something again when the moves before are undone
before    int64[LONGEST, 3], number of those, OPENING and FIRST_STONE before the move
numbers   int64[6]: moves made, how many may be, 1 if stopped, best move and its score, the moves
          that the present search for fours may still make
"""


def make_search(geometry: Geometry, values, weights, table_bits: int, exact: bool) -> Search:
    """A search with an empty transposition table of 2**table_bits entries of 16 bytes."""
    cells, axes = geometry.places.shape
    points = len(geometry.points)
    zobrist = np.random.default_rng(2026).integers(0, 2**64, cells * 2 + 128, np.uint64)
    return Search(
        shape_table(exact), np.array(values, np.int64), np.zeros(cells * axes * 2, np.uint8),
        np.zeros(cells * 2, np.int64), np.zeros(2 * SHAPES, np.int64),
        np.array(weights, np.int64), np.zeros(1 << table_bits, np.uint64),
        np.zeros(1 << table_bits, np.int64), zobrist, np.zeros(1, np.uint64),
        np.zeros(cells * 2, np.int64), np.zeros(LONGEST * 2, np.int64),
        np.zeros((LONGEST, points), np.uint16), np.zeros((LONGEST, points), np.int64),
        np.zeros(points, np.uint16),
        np.zeros(64, np.int64), np.zeros((LONGEST, 2 * MOST_CAPTURED), np.int64),
        np.zeros((LONGEST, 3), np.int64), np.zeros(6, np.int64))


@kernel
def start(board, geometry, search):
    """Derive shapes and hash from a board; forget what another position left behind."""
    for i in range(search.shapes.size):
        search.shapes[i] = 0
    for i in range(search.worth.size):
        search.worth[i] = 0
        search.history[i] = 0
    for i in range(search.counts.size):
        search.counts[i] = 0
    for i in range(search.killers.size):
        search.killers[i] = 0
    state = board.state
    search.hash[0] = (search.zobrist[board.cells.size * 2 + state[CAPTURED]]
                      ^ search.zobrist[board.cells.size * 2 + 64 + state[CAPTURED + 1]])
    for point in geometry.points:
        update(board, geometry, search, np.int64(point))
        if board.cells[point]:
            search.hash[0] ^= search.zobrist[np.int64(point) * 2 + board.cells[point] - 1]


@kernel
def update(board, geometry, search, point):
    """Bring the shapes around a point up to date."""
    update_shapes(board.state, geometry.places, geometry.point_at, search.table, search.values,
                  point, search.shapes, search.worth, search.counts)


@kernel
def make(board, geometry, search, ply, point, colour):
    """Play on the empty `point` as the move of that ply."""
    state, before, captured = board.state, search.before[ply], search.undone[ply]
    stones = 0
    if count(state, TAKE, colour):
        stones = taken(board.cells, geometry.steps, geometry.game, point, colour, captured)
    before[0], before[1], before[2] = stones, state[OPENING], state[FIRST_STONE]
    for i in range(stones):
        captured[MOST_CAPTURED + i] = board.slot[captured[i]]
    hash_captured(board, search, colour)
    place(state, board.cells, board.free, board.slot, point, colour, captured, stones)
    hash_captured(board, search, colour)
    flip(state, geometry.places, geometry.game, point, colour)
    update(board, geometry, search, point)
    search.hash[0] ^= search.zobrist[point * 2 + colour]
    for i in range(stones):
        flip(state, geometry.places, geometry.game, captured[i], 1 - colour)
        update(board, geometry, search, captured[i])
        search.hash[0] ^= search.zobrist[captured[i] * 2 + 1 - colour]
    search.numbers[NODES] += 1


@kernel
def unmake(board, geometry, search, ply, point, colour):
    """Take the move of that ply back; every array is as it was before."""
    state, before, captured = board.state, search.before[ply], search.undone[ply]
    stones = before[0]
    hash_captured(board, search, colour)
    state[CAPTURED + colour] -= stones
    hash_captured(board, search, colour)
    state[OPENING], state[FIRST_STONE] = before[1], before[2]
    last = state[FREE] - stones
    slot = np.int64(board.slot[point])
    if slot != last:
        moved = board.free[slot]
        board.free[last] = moved
        board.slot[moved] = last
    board.free[slot] = point
    state[FREE] = last + 1
    board.cells[point] = 0
    flip(state, geometry.places, geometry.game, point, colour)
    update(board, geometry, search, point)
    search.hash[0] ^= search.zobrist[point * 2 + colour]
    for i in range(stones):
        board.cells[captured[i]] = 2 - colour
        board.slot[captured[i]] = captured[MOST_CAPTURED + i]
        flip(state, geometry.places, geometry.game, captured[i], 1 - colour)
        update(board, geometry, search, captured[i])
        search.hash[0] ^= search.zobrist[captured[i] * 2 + 1 - colour]


@kernel
def hash_captured(board, search, colour):
    """Put the number of stones captured by `colour` into the hash or take it out."""
    search.hash[0] ^= search.zobrist[
        board.cells.size * 2 + 64 * colour + board.state[CAPTURED + colour]]


@kernel
def evaluate(board, search, colour):
    """The static score: shapes, the right to move, and captured stones."""
    weights, counts = search.weights, search.counts
    score = weights[2 * SHAPES]
    for shape in range(1, SHAPES):
        score += weights[shape] * counts[colour * SHAPES + shape]
        score -= weights[SHAPES + shape] * counts[(1 - colour) * SHAPES + shape]
    score += weights[2 * SHAPES + 1] * (
        board.state[CAPTURED + colour] - board.state[CAPTURED + 1 - colour])
    score += weights[2 * SHAPES + 2] * count(board.state, TAKE, colour)
    score -= weights[2 * SHAPES + 3] * count(board.state, TAKE, 1 - colour)
    return max(-WON + 1000, min(WON - 1000, score))


@kernel
def wins_at(board, geometry, search, colour, out):
    """Put the points where `colour` wins at once into `out`; returns their number."""
    if not count(board.state, WIN, colour) | count(board.state, TAKE, colour):
        return 0
    return winning_points(board.state, board.cells, board.mark, geometry.point_at, geometry.steps,
                          geometry.game, colour, out, search.scratch)


@kernel
def add_captures_that_block(board, geometry, search, colour, out, n):
    """Append to the enemy's winning points out[:n] the captures that stop one; the new length."""
    if not count(board.state, TAKE, colour):
        return n
    for i in range(n):
        search.threats[i] = out[i]
    return add_blocking_captures(
        board.state, board.cells, board.mark, geometry.point_at, geometry.steps, geometry.game,
        colour, out, search.threats, n, search.scratch)


@kernel
def fours(board, geometry, search, colour, out, n):
    """Append to out[:n] the points where `colour` makes a four; returns the new length."""
    if not search.counts[colour * SHAPES + FOUR] + search.counts[colour * SHAPES + OPEN_FOUR]:
        return n
    axes = geometry.places.shape[1]
    for i in range(board.state[FREE]):
        point = np.int64(board.free[i])
        if search.worth[point * 2 + colour] >= search.values[FOUR]:
            for a in range(axes):
                if FOUR <= search.shapes[(point * axes + a) * 2 + colour] <= OPEN_FOUR:
                    out[n] = point
                    n += 1
                    break
    return n


@kernel
def win_by_fours(board, geometry, search, depth, ply, colour):
    """Victory by continuous fours: the ply of the winning stone, or 0 if none is found.

    At most `depth` fours, and numbers[VCF_LEFT] moves in all.  Every answer of the enemy is tried:
    where there are captures, also those that break the four.
    """
    numbers, moves, replies = search.numbers, search.moves[ply], search.moves[ply + 1]
    if wins_at(board, geometry, search, colour, moves):
        return ply + 1
    if depth == 0 or ply + 4 > LONGEST:
        return 0
    must = wins_at(board, geometry, search, 1 - colour, replies)
    capturing = geometry.game[TARGET] > 0
    if must > 1 and not capturing:
        return 0
    point_to_stop = np.int64(replies[0]) if must == 1 else 0
    if not must and not capturing and count(board.state, FOUR_POINTS, colour):
        return ply + 3
    n = fours(board, geometry, search, colour, moves, 0)
    for i in range(n):
        point = np.int64(moves[i])
        if point_to_stop and point != point_to_stop and not capturing:
            continue
        if numbers[VCF_LEFT] <= 0 or numbers[STOPPED]:
            return 0
        numbers[VCF_LEFT] -= 1
        make(board, geometry, search, ply, point, colour)
        end = 0
        if not wins_at(board, geometry, search, 1 - colour, replies):
            answers = wins_at(board, geometry, search, colour, replies)
            if answers > 1 and not capturing:
                end = ply + 3
            elif answers:
                answers = add_captures_that_block(
                    board, geometry, search, 1 - colour, replies, answers)
                for j in range(answers):
                    reply = np.int64(replies[j])
                    make(board, geometry, search, ply + 1, reply, 1 - colour)
                    end_here = win_by_fours(board, geometry, search, depth - 1, ply + 2, colour)
                    unmake(board, geometry, search, ply + 1, reply, 1 - colour)
                    end = max(end, end_here)
                    if not end_here:
                        end = 0
                        break
        unmake(board, geometry, search, ply, point, colour)
        if end:
            if ply == 0:
                numbers[BEST] = point
            return end
    return 0


@kernel
def generate(board, geometry, search, colour, moves):
    """Put the moves worth a thought into `moves`; returns their number.

    If the enemy threatens an open four, only what stops it, and fours of one's own.
    """
    state, capturing = board.state, geometry.game[TARGET] > 0
    if count(state, FOUR_POINTS, 1 - colour) and not capturing:
        board.mark[0] += 1
        n = fours(board, geometry, search, colour, moves, 0)
        for i in range(n):
            board.mark[moves[i]] = board.mark[0]
        return gather(state, board.mark, geometry.point_at, BLOCK, 1 - colour, moves, n)
    n = 0
    for i in range(state[FREE]):
        point = np.int64(board.free[i])
        if allowed(state, geometry.middle, geometry.game, point, colour):
            moves[n] = point
            n += 1
    return n


@kernel
def rank(board, geometry, search, ply, colour, move, table_move):
    """How early a move is tried; higher is earlier."""
    if move == table_move:
        return np.int64(1) << 40
    value = 5 * search.worth[move * 2 + colour] + 4 * search.worth[move * 2 + 1 - colour]
    for taker in range(2):
        if count(board.state, TAKE, taker):
            value += CAPTURE_RANK * taken(board.cells, geometry.steps, geometry.game, move, taker,
                                          search.scratch)
    if search.killers[ply * 2] == move or search.killers[ply * 2 + 1] == move:
        value += 200
    return (value << 12) + min(search.history[move * 2 + colour], np.int64(4095))


@kernel
def search_position(board, geometry, search, stop, depth, alpha, beta, ply, colour):
    """The score of the position for `colour`, who is to move, between alpha and beta.

    With ply 0 the best move is in numbers[BEST] and its score in numbers[SCORE]; once
    numbers[STOPPED] is set, by `stop` or NODE_LIMIT, what is returned means nothing, while BEST is
    the best of the moves that were searched to the end (unchanged if there was none).
    """
    numbers, state = search.numbers, board.state
    if numbers[NODES] & 255 == 0 and stop[0] or numbers[NODES] >= numbers[NODE_LIMIT]:
        numbers[STOPPED] = 1
    if numbers[STOPPED] or state[FREE] == 0:
        return np.int64(0)
    if ply + 8 > LONGEST:
        return evaluate(board, search, colour)
    capturing = geometry.game[TARGET] > 0
    moves = search.moves[ply]
    if wins_at(board, geometry, search, colour, moves):
        if ply == 0:
            numbers[BEST], numbers[SCORE] = np.int64(moves[0]), MATE - 1
        return np.int64(MATE - ply - 1)
    n = wins_at(board, geometry, search, 1 - colour, moves)
    forced = n > 0
    if forced:
        if n > 1 and not capturing and ply:
            return np.int64(ply + 2 - MATE)
        n = add_captures_that_block(board, geometry, search, colour, moves, n)
    elif count(state, FOUR_POINTS, colour) and not capturing and ply:
        return np.int64(MATE - ply - 3)
    if depth <= 0 and not forced:
        if search.counts[colour * SHAPES + FOUR] + search.counts[colour * SHAPES + OPEN_FOUR]:
            numbers[VCF_LEFT] = VCF_NODES_EACH
            # Not a literal: a second signature of a recursive kernel is not found in the cache.
            end = win_by_fours(board, geometry, search, np.int64(VCF_DEPTH), ply, colour)
            if end:
                return np.int64(MATE - end)
        return evaluate(board, search, colour)
    key = search.hash[0] ^ np.uint64(0x9E3779B97F4A7C15 * colour)
    slot = np.int64(key & np.uint64(search.keys.size - 1))
    table_move = np.int64(0)
    if search.keys[slot] == key:
        entry = search.entries[slot]
        table_move = entry & 0xFFFF
        bound, entry_depth = entry >> 16 & 3, (entry >> 18 & 0xFF) - 64
        score = (entry >> 32) - MATE
        if score > WON:
            score -= ply
        elif score < -WON:
            score += ply
        if ply and entry_depth >= depth and (
                bound == EXACT or bound == LOWER and score >= beta
                or bound == UPPER and score <= alpha):
            return score
    if not forced:
        n = generate(board, geometry, search, colour, moves)
    ranks = search.ranks[ply]
    for i in range(n):
        ranks[i] = rank(board, geometry, search, ply, colour, np.int64(moves[i]), table_move)
    limit = n if forced else min(n, 16 + 4 * max(depth, 0))
    best, best_move, floor = np.int64(-MATE), np.int64(0), alpha
    for i in range(n):
        if i >= limit and best > -WON:
            break  # but a loss is only claimed when every move was tried
        top = i
        for j in range(i + 1, n):
            if ranks[j] > ranks[top]:
                top = j
        move = np.int64(moves[top])
        moves[top], ranks[top] = moves[i], ranks[i]
        moves[i] = move
        quiet = search.worth[move * 2 + colour] < search.values[FOUR]
        make(board, geometry, search, ply, move, colour)
        deeper = depth if forced else depth - 1
        if i == 0:
            score = -search_position(board, geometry, search, stop, deeper, -beta, -alpha,
                                     ply + 1, 1 - colour)
        else:
            reduction = 0
            if quiet and not forced and depth >= 2 and i >= 3:
                reduction = 1 + (i >= 10)
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
            best, best_move = score, move
            if ply == 0 and (i == 0 or score > alpha):
                numbers[BEST], numbers[SCORE] = move, score
        alpha = max(alpha, score)
        if alpha >= beta:
            if quiet:
                search.history[move * 2 + colour] += depth * depth
                if search.killers[ply * 2] != move:
                    search.killers[ply * 2 + 1] = search.killers[ply * 2]
                    search.killers[ply * 2] = move
            break
    bound = LOWER if best >= beta else UPPER if best <= floor else EXACT
    stored = best + ply if best > WON else best - ply if best < -WON else best
    search.keys[slot] = key
    search.entries[slot] = (best_move | bound << 16 | (max(-63, min(depth, 127)) + 64) << 18
                            | (stored + MATE) << 32)
    return best


@kernel
def search_root(board, geometry, search, stop, depth, score, window, colour):
    """The score of the position at that depth, first tried in a window around `score`.

    See `search_position` for what else is true afterwards.
    """
    low, high = score - window, score + window
    while True:
        found = search_position(board, geometry, search, stop, depth, low, high, np.int64(0),
                                colour)
        if low < found < high or search.numbers[STOPPED]:
            return found
        if found <= low:
            low = np.int64(-MATE)
        else:
            high = np.int64(MATE)
