"""What a search needs besides the board: its arrays, moves there and back, the static score.

Scores are from the side to move's point of view.  A win in n plies, counted from the root, scores
MATE - n; whatever is beyond WON is a proven win.  Colours are 0 and 1, as in `board`.
"""

from collections import namedtuple

import numpy as np

from . import inlined, kernel
from .bits import stopped
from .board import CAPTURED, FIRST_STONE, FREE, OPENING, TAKE, Geometry, count, flip, place, taken
from .shapes import SHAPES, best_shapes, shape_table, update_shapes

MATE, WON = 30000, 29000
LONGEST = 128  # plies from the root
MOST_CAPTURED = 24  # stones by one move
MOST_CHANGES = 1 << 17  # of codes: up to 72 for each stone that comes or goes
WINS = 1 << 17  # places for won positions of either colour
MOST_WINS = WINS * 3 // 4

# Places in Search.numbers, which Python reads while the search runs.
NODES, NODE_LIMIT, STOPPED, BEST, SCORE, THREAT_NODES, OFF, PROOF, AGE = range(9)
KNOWN = AGE + 1
LOWER, UPPER, EXACT = 1, 2, 3  # bounds in the transposition table

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
    "Search", "table value policy best codes sums counts extras margins reductions keys entries "
    "zobrist hash history killers excluded moves ranks threats scratch undone before changes top "
    "saved numbers")
Search.__doc__ = """All that a search needs besides the board; made by `make_search`.

table, value, codes, sums, counts   see `update_shapes`
policy    int16[2 * CODES], hundredths of the logarithm of how much likelier a move is the best one,
          by the code of its point for the side to move and for the other side
best      uint8[CODES], the best shape of a code
extras    int64[EXTRAS + 1], see TEMPO
margins   int64[len(MARGINS)]
reductions   int64[32 * 64], plies less for late moves, by depth and number of the move
keys, entries   uint64[2**n] and int64[2**n], the transposition table
zobrist   uint64[cells * 2 + 128 + 2 * WINS], for stones and numbers of captured stones; then the
          keys of positions that either colour, to move, is known to win, see `remember`
hash      uint64[1], of the position, without the side to move
history   int64[cells * 2 + 2 * WINS], by point and colour; then, for the known wins, the move and,
          from bit 16 on, the plies: three arrays more took a quarter of the speed of the search
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
numbers   int64[11]: moves made, how many may be, 1 if stopped, best move and its score, the moves
          that the present threat search may still make, features that are off, the number of the
          proof whose positions are remembered or 0 if none are, age of the table, and how many wins
          of either colour are known
"""


def make_search(geometry: Geometry, weights, table_bits: int, exact: bool) -> Search:
    """A search with an empty transposition table of 2**table_bits entries of 16 bytes.

    `weights` are (value, policy, extras, margins) as in Search.
    """
    cells = len(geometry.places)
    points = len(geometry.points)
    random = np.random.default_rng(2026).integers(0, 2**64, cells * 2 + 128, np.uint64)
    zobrist = np.concatenate([random, np.zeros(2 * WINS, np.uint64)])
    value, policy, extras, margins = weights
    depth, number = np.arange(1, 33)[:, None], np.arange(1, 65)
    reductions = (np.log(depth) * np.log(number) * margins[REDUCTION_SCALE]
                  + margins[REDUCTION]) / 100
    return Search(
        shape_table(exact), value, policy, best_shapes(), np.zeros(cells * 2, np.uint16),
        np.zeros(4, np.int64), np.zeros(2 * SHAPES, np.int64), extras, margins,
        reductions.astype(np.int64).reshape(-1), np.zeros(1 << table_bits, np.uint64),
        np.zeros(1 << table_bits, np.int64), zobrist, np.zeros(1, np.uint64),
        np.zeros(cells * 2 + 2 * WINS, np.int64), np.zeros(LONGEST * 2, np.int64),
        np.zeros(LONGEST, np.int64), np.zeros((LONGEST, points), np.uint16),
        np.zeros((LONGEST, points), np.int64), np.zeros(points, np.uint16),
        np.zeros(64, np.int64), np.zeros((LONGEST, 2 * MOST_CAPTURED), np.int64),
        np.zeros((LONGEST, 3), np.int64), np.zeros(MOST_CHANGES, np.uint32),
        np.zeros(1, np.int64), np.zeros((LONGEST, 5 + 2 * SHAPES), np.int64),
        np.zeros(KNOWN + 2, np.int64))


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
                  point, search.codes, search.sums, search.counts, search.changes,
                  search.top)


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
def out_of_time(search, stop):
    """Has the search to come to an end?  Then numbers[STOPPED] is 1."""
    numbers = search.numbers
    if stopped(stop) or numbers[NODES] >= numbers[NODE_LIMIT]:
        numbers[STOPPED] = 1
    return numbers[STOPPED]


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


@inlined
def key_of(search, colour):
    """The key of the position with `colour` to move."""
    return search.hash[0] ^ np.uint64(0x9E3779B97F4A7C15 * colour)


@kernel
def place_of_win(search, colour):
    """Where the position stands, or would stand, among the wins that `colour` is known to have.

    Places are counted from the ends of the arrays, so that one number serves both.
    """
    keys, key = search.zobrist, key_of(search, colour)
    first = (colour - 2) * WINS
    slot = np.int64(key & np.uint64(WINS - 1))
    while keys[keys.size + first + slot] and keys[keys.size + first + slot] != key:
        slot = (slot + 1) & (WINS - 1)
    return first + slot


@kernel
def recall(search, colour):
    """The entry of the position if `colour`, who is to move, is known to win it, or 0."""
    if search.numbers[KNOWN + colour] == 0:
        return np.int64(0)
    place = place_of_win(search, colour)
    if search.zobrist[search.zobrist.size + place] == 0:
        return np.int64(0)
    return search.history[search.history.size + place]


@kernel
def remember(search, colour, move, plies):
    """During a proof: `colour`, who is to move, wins the position by that move in so many plies.

    No more than MOST_WINS positions are kept; what is known already gives way to a shorter win.
    """
    if search.numbers[PROOF] == 0 or search.numbers[KNOWN + colour] >= MOST_WINS:
        return
    place = place_of_win(search, colour)
    entry = search.history.size + place
    if search.zobrist[search.zobrist.size + place] == 0:
        search.numbers[KNOWN + colour] += 1
        search.zobrist[search.zobrist.size + place] = key_of(search, colour)
    elif search.history[entry] >> 16 <= plies:
        return
    search.history[entry] = move | plies << 16


@kernel
def forget(search, colour):
    """No position is known to be won by `colour` any more."""
    if search.numbers[KNOWN + colour]:
        search.numbers[KNOWN + colour] = 0
        first = search.zobrist.size + (colour - 2) * WINS
        for i in range(first, first + WINS):
            search.zobrist[i] = np.uint64(0)


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
