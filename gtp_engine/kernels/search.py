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
from .shapes import (
    CODES, FOUR, OPEN_FOUR, OPEN_THREE, SHAPES, TWO, best_shapes, shape_table, update_shapes,
)

MATE, WON = 30000, 29000
LONGEST = 128  # plies from the root
MOST_CAPTURED = 24  # stones by one move
MOST_CHANGES = 1 << 17  # of codes: up to 72 for each stone that comes or goes
VCF_DEPTH = 12  # fours in a line, at a leaf

# Places in Search.numbers, which Python reads while the search runs.
NODES, NODE_LIMIT, STOPPED, BEST, SCORE, THREAT_NODES, OFF, AGE = range(8)
LOWER, UPPER, EXACT = 1, 2, 3  # bounds in the transposition table
THREATS_KEY = 0x5851F42D4C957F2D  # sets entries of the threat search apart

# What can be switched off to measure its worth: bits of numbers[OFF].
FEATURES = ("table", "killers", "history", "reductions", "count_pruning", "futility", "razoring",
            "singular", "fours", "threats", "aspiration")
(TABLE, KILLERS, HISTORY, REDUCTIONS, COUNT_PRUNING, FUTILITY, RAZORING, SINGULAR, FOURS, THREATS,
 ASPIRATION) = (1 << i for i in range(len(FEATURES)))

# Entries of Search.extras, for the side to move and for the other side in turn.
TEMPO, TAKEN, TAKES = 0, 1, 33  # the move; by stones captured; by lines with a capture
MOST_TAKES = 4
EXTRAS = TAKES + 2 * MOST_TAKES
CAPTURE_ORDER = EXTRAS  # what a stone captured adds to the rank of a move

# Entries of Search.margins, each with its value unless the weights of a game say otherwise.
MARGINS = dict(
    width=6, width_per_ply=3,  # so many moves are searched at a depth
    futility_depth=6, futility=60,  # up to a depth, a score so far above beta for each ply is kept
    late_depth=3, late=80, late_per_ply=80,  # and quiet moves so far below alpha are left out
    razor_depth=2, razor=150, razor_per_ply=150,  # and positions so far below alpha
    singular_depth=7, singular=2,  # from a depth, a move so much better for each ply is extended
    killer=150, history=200,  # what they add to the rank of a move
    vcf_nodes=20,  # moves in all of a search for fours at a leaf
    reduction=20, reduction_scale=45,  # hundredths of plies
)
(WIDTH, WIDTH_PER_PLY, FUTILITY_DEPTH, FUTILITY_MARGIN, LATE_DEPTH, LATE, LATE_PER_PLY,
 RAZOR_DEPTH, RAZOR, RAZOR_PER_PLY, SINGULAR_DEPTH, SINGULAR_MARGIN, KILLER, MOST_HISTORY,
 VCF_NODES, REDUCTION, REDUCTION_SCALE) = range(len(MARGINS))

Search = namedtuple(
    "Search", "table value policy best codes sums counts extras margins reductions keys entries zobrist "
    "hash history killers excluded moves ranks threats scratch undone before changes top saved "
    "numbers")
Search.__doc__ = """All that a search needs besides the board; made by `make_search`.

table, value, codes, sums, counts   see `update_shapes`
policy    int16[2 * CODES], hundredths of the logarithm of how much likelier a move is the best one,
          by the code of its point for the side to move and for the other side
best      uint8[CODES], the best shape of a code
extras    int64[EXTRAS + 1], see TEMPO
margins   int64[len(MARGINS)]
reductions   int64[32 * 64], plies less for late moves, by depth and number of the move
keys, entries   uint64[2**n] and int64[2**n], the transposition table
zobrist   uint64[cells * 2 + 128], for stones and numbers of captured stones
hash      uint64[1], of the position, without the side to move
history   int64[cells * 2], by point and colour
killers   int64[LONGEST * 2]
excluded  int64[LONGEST], a move of each ply that is not searched, or 0
moves     uint16[LONGEST, points], the moves of each ply
ranks     int64[LONGEST, points], how early each of them is tried
threats   uint16[points], scratch
scratch   int64[64], scratch
undone    int64[LONGEST, 2 * MOST_CAPTURED], stones captured by the move of each ply, and their
          entries in Board.slot, which mean something again when the moves before are undone
before    int64[LONGEST, 3], number of those, OPENING and FIRST_STONE before the move
changes, top   see `update_shapes`
saved     int64[LONGEST, 5 + 2 * SHAPES], `top`, `sums` and `counts` before the move
numbers   int64[8]: moves made, how many may be, 1 if stopped, best move and its score, the moves
          that the present threat search may still make, features that are off, age of the table
"""


def make_search(geometry: Geometry, weights, table_bits: int, exact: bool) -> Search:
    """A search with an empty transposition table of 2**table_bits entries of 16 bytes.

    `weights` are (value, policy, extras, margins) as in Search.
    """
    cells = len(geometry.places)
    points = len(geometry.points)
    zobrist = np.random.default_rng(2026).integers(0, 2**64, cells * 2 + 128, np.uint64)
    value, policy, extras, margins = weights
    depth, number = np.arange(1, 33)[:, None], np.arange(1, 65)
    reductions = (np.log(depth) * np.log(number) * margins[REDUCTION_SCALE]
                  + margins[REDUCTION]) / 100
    return Search(
        shape_table(exact), value, policy, best_shapes(), np.zeros(cells * 2, np.uint16),
        np.zeros(4, np.int64), np.zeros(2 * SHAPES, np.int64), extras, margins,
        reductions.astype(np.int64).reshape(-1), np.zeros(1 << table_bits, np.uint64),
        np.zeros(1 << table_bits, np.int64), zobrist, np.zeros(1, np.uint64),
        np.zeros(cells * 2, np.int64), np.zeros(LONGEST * 2, np.int64),
        np.zeros(LONGEST, np.int64), np.zeros((LONGEST, points), np.uint16),
        np.zeros((LONGEST, points), np.int64), np.zeros(points, np.uint16),
        np.zeros(64, np.int64), np.zeros((LONGEST, 2 * MOST_CAPTURED), np.int64),
        np.zeros((LONGEST, 3), np.int64), np.zeros(MOST_CHANGES, np.uint32),
        np.zeros(1, np.int64), np.zeros((LONGEST, 5 + 2 * SHAPES), np.int64),
        np.zeros(8, np.int64))


@kernel
def start(board, geometry, search):
    """Derive shapes and hash from a board; forget what another position left behind.

    The transposition table and the weights stay.
    """
    for i in range(search.codes.size):
        search.codes[i] = 0
        search.history[i] = 0
    for i in range(search.sums.size):
        search.sums[i] = 0
    for i in range(search.counts.size):
        search.counts[i] = 0
    for i in range(search.killers.size):
        search.killers[i] = 0
    for i in range(search.excluded.size):
        search.excluded[i] = 0
    search.numbers[AGE] = (search.numbers[AGE] + 1) & 15
    state = board.state
    search.hash[0] = (search.zobrist[board.cells.size * 2 + state[CAPTURED]]
                      ^ search.zobrist[board.cells.size * 2 + 64 + state[CAPTURED + 1]])
    for point in geometry.points:
        search.top[0] = 0
        update(board, geometry, search, np.int64(point))
        if board.cells[point]:
            search.hash[0] ^= search.zobrist[np.int64(point) * 2 + board.cells[point] - 1]


@kernel
def update(board, geometry, search, point):
    """Bring the shapes around a point up to date."""
    update_shapes(board.state, geometry.places, geometry.point_at, search.table, search.value,
                  point, search.codes, search.sums, search.counts, search.changes, search.top)


@kernel
def make(board, geometry, search, ply, point, colour):
    """Play on the empty `point` as the move of that ply."""
    state, before, captured = board.state, search.before[ply], search.undone[ply]
    stones = 0
    if count(state, TAKE, colour):
        stones = taken(board.cells, geometry.steps, geometry.game, point, colour, captured)
    before[0], before[1], before[2] = stones, state[OPENING], state[FIRST_STONE]
    saved = search.saved[ply]
    saved[0] = search.top[0]
    for i in range(4):
        saved[1 + i] = search.sums[i]
    for i in range(2 * SHAPES):
        saved[5 + i] = search.counts[i]
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
    search.hash[0] ^= search.zobrist[point * 2 + colour]
    for i in range(stones):
        board.cells[captured[i]] = 2 - colour
        board.slot[captured[i]] = captured[MOST_CAPTURED + i]
        flip(state, geometry.places, geometry.game, captured[i], 1 - colour)
        search.hash[0] ^= search.zobrist[captured[i] * 2 + 1 - colour]
    saved = search.saved[ply]
    while search.top[0] > saved[0]:
        search.top[0] -= 1
        change = np.int64(search.changes[search.top[0]])
        search.codes[change >> 16] = change & 0xFFFF
    for i in range(4):
        search.sums[i] = saved[1 + i]
    for i in range(2 * SHAPES):
        search.counts[i] = saved[5 + i]


@kernel
def hash_captured(board, search, colour):
    """Put the number of stones captured by `colour` into the hash or take it out."""
    search.hash[0] ^= search.zobrist[
        board.cells.size * 2 + 64 * colour + board.state[CAPTURED + colour]]


@kernel
def evaluate(board, search, colour):
    """The static score: what every point is worth to both sides, the move, and captures."""
    extras, state = search.extras, board.state
    score = search.sums[2 * colour] - search.sums[2 * (1 - colour) + 1] + extras[TEMPO]
    score += extras[TAKEN + min(state[CAPTURED + colour], np.int64(15))]
    score -= extras[TAKEN + 16 + min(state[CAPTURED + 1 - colour], np.int64(15))]
    score += extras[TAKES + min(count(state, TAKE, colour), MOST_TAKES - 1)]
    score -= extras[TAKES + MOST_TAKES + min(count(state, TAKE, 1 - colour), MOST_TAKES - 1)]
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
def out_of_time(search, stop):
    """Has the search to come to an end?  Then numbers[STOPPED] is 1."""
    numbers = search.numbers
    if numbers[NODES] & 255 == 0 and stop[0] or numbers[NODES] >= numbers[NODE_LIMIT]:
        numbers[STOPPED] = 1
    return numbers[STOPPED]


@kernel
def win_by_fours(board, geometry, search, stop, depth, ply, colour):
    """Victory by continuous fours: the ply of the winning stone, or 0 if none is found.

    At most `depth` fours, and numbers[THREAT_NODES] moves in all.  Every answer of the enemy is
    tried: where there are captures, also those that break the four.
    """
    numbers, moves, replies = search.numbers, search.moves[ply], search.moves[ply + 1]
    if wins_at(board, geometry, search, colour, moves):
        if ply == 0:
            numbers[BEST] = np.int64(moves[0])
        return ply + 1
    if depth == 0 or ply + 4 > LONGEST or not has_fours(search, colour):
        return 0
    must = wins_at(board, geometry, search, 1 - colour, replies)
    capturing = geometry.game[TARGET] > 0
    if must > 1 and not capturing:
        return 0
    point_to_stop = np.int64(replies[0]) if must == 1 else 0
    if not must and not capturing and count(board.state, FOUR_POINTS, colour):
        return ply + 3
    n = at_least(board, search, colour, FOUR, moves)
    for i in range(n):
        point = np.int64(moves[i])
        if point_to_stop and point != point_to_stop and not capturing:
            continue
        if numbers[THREAT_NODES] <= 0 or out_of_time(search, stop):
            return 0
        numbers[THREAT_NODES] -= 1
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
                    end_here = win_by_fours(board, geometry, search, stop, depth - 1,
                                            ply + 2, colour)
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
    """Put the legal moves into `moves`, those first that stand near stones.

    Returns the number of all and of these.  If the enemy threatens an open four, only what stops
    it, and fours of one's own.
    """
    state, capturing = board.state, geometry.game[TARGET] > 0
    if count(state, FOUR_POINTS, 1 - colour) and not capturing:
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
def probe(search, key):
    """The entry of the transposition table for that key, or 0."""
    slot = np.int64(key & np.uint64(search.keys.size - 2))
    if search.keys[slot] == key:
        return search.entries[slot]
    if search.keys[slot + 1] == key:
        return search.entries[slot + 1]
    return np.int64(0)


@kernel
def store(search, key, move, bound, depth, score, ply):
    """Put an entry into the transposition table, in place of an older or shallower one."""
    slot = np.int64(key & np.uint64(search.keys.size - 2))
    depth = max(np.int64(0), min(depth + 16, np.int64(255)))
    age = search.numbers[AGE]
    if search.keys[slot] != key:
        old = search.entries[slot]
        if search.keys[slot + 1] == key or (old >> 26 & 15 == age and old >> 18 & 0xFF > depth):
            slot += 1
    if score > WON:
        score += ply
    elif score < -WON:
        score -= ply
    search.keys[slot] = key
    search.entries[slot] = move | bound << 16 | depth << 18 | age << 26 | (score + MATE) << 32


@kernel
def entry_depth(entry):
    """The depth of an entry of the transposition table."""
    return (entry >> 18 & 0xFF) - 16


@kernel
def entry_score(entry, ply):
    """The score of an entry, seen from a root that is `ply` plies earlier."""
    score = (entry >> 32) - MATE
    if score > WON:
        return score - ply
    if score < -WON:
        return score + ply
    return score


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
def win_by_threats(board, geometry, search, stop, depth, ply, colour):
    """Victory by continuous threats: the ply of the winning stone, or 0 if none is found.

    At most `depth` moves that make a four or an open three, or answer a four of the enemy, before
    fours alone win; and numbers[THREAT_NODES] moves in all.  Every answer that could help the enemy
    is tried: his own fours and whatever keeps a four from being open or, where there are captures,
    every legal move.
    """
    numbers, moves, replies = search.numbers, search.moves[ply], search.moves[ply + 1]
    # Not a literal: a second signature of a recursive kernel is not found in the cache.
    end = win_by_fours(board, geometry, search, stop, np.int64(VCF_DEPTH), ply, colour)
    if end or depth == 0 or ply + 8 > LONGEST:
        return end
    key = search.hash[0] ^ np.uint64(0x9E3779B97F4A7C15 * colour) ^ np.uint64(THREATS_KEY)
    entry = probe(search, key)
    if entry and entry_depth(entry) >= depth:
        return 0
    capturing = geometry.game[TARGET] > 0
    n = wins_at(board, geometry, search, 1 - colour, moves)
    if n > 1 and not capturing:
        return 0
    if n:
        n = add_captures_that_block(board, geometry, search, colour, moves, n)
    else:
        n = at_least(board, search, colour, OPEN_THREE, moves)
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
            if answers > 1 and not capturing:
                end = ply + 3
                answers = 0
            elif answers:
                answers = add_captures_that_block(
                    board, geometry, search, 1 - colour, replies, answers)
            elif count(board.state, FOUR_POINTS, colour):
                answers, _ = generate(board, geometry, search, 1 - colour, replies)
        for j in range(answers):
            reply = np.int64(replies[j])
            make(board, geometry, search, ply + 1, reply, 1 - colour)
            found = win_by_threats(board, geometry, search, stop, depth - 1, ply + 2, colour)
            unmake(board, geometry, search, ply + 1, reply, 1 - colour)
            end = max(end, found)
            if not found:
                end = 0
                break
        unmake(board, geometry, search, ply, point, colour)
        if end:
            if ply == 0:
                numbers[BEST] = point
            return end
    if numbers[THREAT_NODES] > 0 and not numbers[STOPPED]:
        store(search, key, np.int64(0), np.int64(UPPER), depth, np.int64(0), ply)
    return 0


@kernel
def search_position(board, geometry, search, stop, depth, alpha, beta, ply, colour):
    """The score of the position for `colour`, who is to move, between alpha and beta.

    With ply 0 the best move is in numbers[BEST] and its score in numbers[SCORE]; once
    numbers[STOPPED] is set, by `stop` or NODE_LIMIT, what is returned means nothing, while BEST is
    the best of the moves that were searched to the end (unchanged if there was none).
    """
    numbers, state = search.numbers, board.state
    if out_of_time(search, stop) or state[FREE] == 0:
        return np.int64(0)
    if ply + 8 > LONGEST:
        return evaluate(board, search, colour)
    off = numbers[OFF]
    capturing = geometry.game[TARGET] > 0
    moves, ranks, margins = search.moves[ply], search.ranks[ply], search.margins
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
    # Beyond this no line from here comes: a win on the next ply was looked for above.
    if ply and MATE - ply - 3 <= alpha:
        return alpha
    excluded = search.excluded[ply]
    key = search.hash[0] ^ np.uint64(0x9E3779B97F4A7C15 * colour)
    entry = np.int64(0)
    if not off & TABLE and not excluded:
        entry = probe(search, key)
    table_move = entry & 0xFFFF
    if entry and ply and entry_depth(entry) >= depth:
        score, bound = entry_score(entry, ply), entry >> 16 & 3
        if bound == EXACT or bound == LOWER and score >= beta or bound == UPPER and score <= alpha:
            return score
    static = np.int64(0)
    quiet_node = not forced and not excluded
    if quiet_node:
        static = evaluate(board, search, colour)
        threatened = count(state, FOUR_POINTS, 1 - colour) > 0
        hopeless = (not off & RAZORING and depth <= margins[RAZOR_DEPTH]
                    and static + margins[RAZOR] + margins[RAZOR_PER_PLY] * depth <= alpha)
        if depth <= 0 or hopeless:
            if not off & FOURS and static < beta and many_fours(search, colour):
                numbers[THREAT_NODES] = margins[VCF_NODES]
                # Not a literal: a second signature of a recursive kernel is not found in the cache.
                end = win_by_fours(board, geometry, search, stop, np.int64(VCF_DEPTH), ply,
                                   colour)
                if end:
                    store(search, key, np.int64(0), np.int64(LOWER), depth, np.int64(MATE - end), ply)
                    return np.int64(MATE - end)
                if depth <= 0:
                    store(search, key, np.int64(0), np.int64(EXACT), depth, static, ply)
            if depth <= 0 or ply and beta - alpha == 1:
                return static
        if (not off & FUTILITY and ply and beta - alpha == 1 and not threatened
                and depth <= margins[FUTILITY_DEPTH]
                and static - margins[FUTILITY_MARGIN] * depth >= beta and beta > -WON):
            return static
    extension = np.int64(0)
    if (not off & SINGULAR and ply and depth >= margins[SINGULAR_DEPTH] and table_move and not forced and not excluded
            and (entry >> 16 & 1) and entry_depth(entry) >= depth - 3):
        score = entry_score(entry, ply)
        if -WON < score < WON:
            target = score - margins[SINGULAR_MARGIN] * depth
            search.excluded[ply] = table_move
            found = search_position(board, geometry, search, stop, (depth - 1) // 2, target - 1,
                                    target, ply, colour)
            search.excluded[ply] = 0
            if numbers[STOPPED]:
                return np.int64(0)
            if found < target:
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
    limit = n if forced or off & COUNT_PRUNING else min(
        max(ranked, 1), margins[WIDTH] + margins[WIDTH_PER_PLY] * max(depth, 1))
    best, best_move, floor = np.int64(-MATE), np.int64(0), alpha
    for i in range(n):
        if i >= limit and best > -WON:
            break  # but a loss is only claimed when every move was tried
        move = pick(moves, ranks, i, ranked) if i < ranked else np.int64(moves[i])
        if move == excluded:
            continue
        quiet = search.best[search.codes[move * 2 + colour]] < FOUR
        if (not off & FUTILITY and quiet_node and ply and i and quiet and best > -WON
                and depth <= margins[LATE_DEPTH]
                and static + margins[LATE] + margins[LATE_PER_PLY] * depth <= alpha):
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
            best, best_move = score, move
            if ply == 0 and (i == 0 or score > alpha):
                numbers[BEST], numbers[SCORE] = move, score
        alpha = max(alpha, score)
        if alpha >= beta:
            if quiet:
                reward(search, ply, colour, move, depth, i)
            break
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
