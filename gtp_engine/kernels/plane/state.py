"""The arrays of a search, and the making and unmaking of moves."""

from collections import namedtuple

import numpy as np

from .. import Arrays, inlined, kernel, zeros
from ..control import CONTROL
from ..rules import CAPTURED, EXACT, FIRST_STONE, FREE, OPENING, RENJU, taken
from ..table import AGES
from .accumulator import make_accumulator, refresh
from .board import KINDS, TAKE, Geometry, count, flip, lift, place, save_kinds
from .network import make_heads
from .shapes import (
    AXES,
    best_shapes,
    combination_of,
    second_shapes,
    shape_pairs,
    suspicions,
    update_shapes,
    worth_of,
)
from .win_table import WINS

LONGEST_PATH = 128  # plies from the root
MOST_CAPTURED = 24  # stones captured by one move
MOST_CHANGES = 1 << 16  # changed codes: up to 36 for each stone placed or removed

_Stack = namedtuple(
    "_Stack", "moves ranks statics killers excluded path undone before kinds saved")


class Stack(Arrays, _Stack):
    """The data of a search for each ply from the root on; see `make_stack`.

    moves     uint16[LONGEST_PATH, points], the moves of each ply
    ranks     int64[LONGEST_PATH, points], their ranks: the highest is searched first
    statics   int64[LONGEST_PATH], the static score at each ply, or NO_SCORE of plane.search
    killers   int64[LONGEST_PATH * 2]
    excluded  int64[LONGEST_PATH], the move that each ply does not search, or 0
    path      int64[LONGEST_PATH], the moves since the root: 2 * point + colour
    undone    int64[LONGEST_PATH, 2 * MOST_CAPTURED], stones captured by the move of each ply, then
              their entries in Board.slot, which are valid again once the moves before are undone
    before    int64[LONGEST_PATH, 3], number of captured stones, and OPENING and FIRST_STONE before
              the move
    kinds     int64[LONGEST_PATH, KINDS * AXES], see `save_kinds` of plane.board, before the move
    saved     int64[LONGEST_PATH, 3], `top` and `sums` of Search before the move
    """


def make_stack(points: int) -> Stack:
    """The stack of a search on a board of `points` points."""
    return Stack(
        moves=zeros((LONGEST_PATH, points), np.uint16),
        ranks=zeros((LONGEST_PATH, points), np.int64),
        statics=zeros(LONGEST_PATH, np.int64),
        killers=zeros(LONGEST_PATH * 2, np.int64),
        excluded=zeros(LONGEST_PATH, np.int64),
        path=zeros(LONGEST_PATH, np.int64),
        undone=zeros((LONGEST_PATH, 2 * MOST_CAPTURED), np.int64),
        before=zeros((LONGEST_PATH, 3), np.int64),
        kinds=zeros((LONGEST_PATH, KINDS * AXES), np.int64),
        saved=zeros((LONGEST_PATH, 3), np.int64))


_Search = namedtuple("_Search", [
    "pairs", "combination", "worth", "policy", "best", "second", "suspects", "codes", "sums",
    "extras", "margins", "reductions", "keys", "entries", "won_keys", "wins", "won_places",
    "zobrist", "hash", "history", "replies", "barred", "threats", "scratch", "changes", "top",
    "stack", "accumulator", "heads", "control"])


class Search(Arrays, _Search):
    """The arrays of a search besides the board; see `make_search`.

    pairs, combination, worth, codes, sums   see `update_shapes`
    policy    int16[2, COMBINATIONS], by the combination of a point for the side to move, and for
              the other side: how much likelier a move there is the best one, as a logarithm in
              hundredths
    best, second   uint8[CODES], the best shape of a code and the best of its other shapes
    suspects  uint8[CODES], see `suspicions`
    extras    int64[EXTRAS + 1], see plane.evaluation
    margins   MARGIN[1], see plane.features
    reductions   int64[32 * 64], late move reductions in hundredths of a ply, by depth and number
    keys, entries   uint64[2**n] and int64[2**n], the transposition table
    won_keys, wins   uint64[2 * WINS] and int32[2 * WINS], keys of won positions by colour, and the
              moves and plies of these wins, see plane.win_table
    won_places   int32[2 * WINS], the slots of these wins, in the order of storing
    zobrist   uint64[cells * 2 + 128], for stones and numbers of captured stones
    hash      uint64[1], the hash of the position, without the side to move
    history   int64[cells * 2], history scores of refutations, by point and colour
    replies   int16[cells * cells * 2], the same by point of the refuted move, point and colour
    barred    uint8[cells], 1 at points excluded at the root; ignored while `barred` of the record
              is 0
    threats   uint16[points], scratch
    scratch   int64[64], scratch
    changes, top   see `update_shapes`
    stack, accumulator, heads   see Stack, plane.accumulator and plane.network
    control   CONTROL[1], the record shared with Python
    """


def make_search(geometry: Geometry, weights, table_bits: int) -> Search:
    """Create a search with an empty transposition table of 2**table_bits entries of 16 bytes.

    `weights` are (value, policy, extras, margins, network), see Search.
    """
    cells, points = len(geometry.places), len(geometry.points)
    random = np.random.default_rng(2026).integers(0, 2**64, cells * 2 + 128, np.uint64)
    value, policy, extras, margins, network = weights
    depth, number = np.arange(1, 33)[:, None], np.arange(1, 65)
    reductions = (np.log(depth) * np.log(number) * margins["reduction_scale"]
                  + margins["reduction"])
    return Search(
        pairs=shape_pairs(bool(geometry.game[EXACT]), bool(geometry.game[RENJU])),
        combination=combination_of(),
        worth=worth_of(value),
        policy=policy,
        best=best_shapes(),
        second=second_shapes(),
        suspects=suspicions(),
        codes=zeros(cells * 2, np.uint16),
        sums=zeros(2, np.int64),
        extras=extras,
        margins=margins,
        reductions=reductions.astype(np.int64).reshape(-1),
        keys=zeros(1 << table_bits, np.uint64),
        entries=zeros(1 << table_bits, np.int64),
        won_keys=zeros(2 * WINS, np.uint64),
        wins=zeros(2 * WINS, np.int32),
        won_places=zeros(2 * WINS, np.int32),
        zobrist=random,
        hash=zeros(1, np.uint64),
        history=zeros(cells * 2, np.int64),
        replies=zeros(cells * cells * 2, np.int16),
        barred=zeros(cells, np.uint8),
        threats=zeros(points, np.uint16),
        scratch=zeros(64, np.int64),
        changes=zeros(MOST_CHANGES, np.int64),
        top=zeros(1, np.int64),
        stack=make_stack(points),
        accumulator=make_accumulator(network.rows, network.input_bias, cells, LONGEST_PATH,
                                     MOST_CAPTURED),
        heads=make_heads(network.layers),
        control=zeros(1, CONTROL))


@kernel
def start(board, geometry, search):
    """Derive codes and hash from a board, and clear the data of the previous position.

    The transposition table, the reply history and the weights stay.
    """
    for i in range(search.codes.size):
        search.codes[i] = 0
        search.history[i] = 0
    for i in range(search.sums.size):
        search.sums[i] = 0
    for i in range(search.stack.killers.size):
        search.stack.killers[i] = 0
    for i in range(search.stack.excluded.size):
        search.stack.excluded[i] = 0
    search.control[0].age = (search.control[0].age + 1) % AGES
    state = board.state
    search.hash[0] = (search.zobrist[board.cells.size * 2 + state[CAPTURED]]
                      ^ search.zobrist[board.cells.size * 2 + 64 + state[CAPTURED + 1]])
    for point in geometry.points:
        search.top[0] = 0
        update(board, geometry, search, np.int64(point))
        if board.cells[point]:
            search.hash[0] ^= search.zobrist[np.int64(point) * 2 + board.cells[point] - 1]
    if search.accumulator.rows.shape[0]:
        refresh(board, geometry, search)


@inlined
def update(board, geometry, search, point):
    """Update the shapes around a point."""
    update_shapes(board.state, geometry.places, geometry.point_at, search.pairs,
                  search.combination, search.worth, point, search.codes, search.sums,
                  search.changes, search.top)


@inlined
def make(board, geometry, search, ply, point, colour):
    """Play on the empty `point` as the move of that ply."""
    state, stack = board.state, search.stack
    before, captured, saved = stack.before[ply], stack.undone[ply], stack.saved[ply]
    stack.path[ply] = 2 * point + colour
    stones = 0
    if count(state, TAKE, colour):
        stones = taken(board.cells, geometry.steps, geometry.game, point, colour, captured)
    before[0], before[1], before[2] = stones, state[OPENING], state[FIRST_STONE]
    saved[0], saved[1], saved[2] = search.top[0], search.sums[0], search.sums[1]
    for i in range(stones):
        captured[MOST_CAPTURED + i] = board.slot[captured[i]]
    search.hash[0] ^= search.zobrist[point * 2 + colour]
    hash_captured(board, search, colour)
    place(state, board.cells, board.free, board.slot, point, colour, captured, stones)
    hash_captured(board, search, colour)
    save_kinds(state, geometry.places, point, stack.kinds[ply])
    flip(state, geometry.places, geometry.game, point, colour)
    update(board, geometry, search, point)
    for i in range(stones):
        flip(state, geometry.places, geometry.game, captured[i], 1 - colour)
        update(board, geometry, search, captured[i])
        search.hash[0] ^= search.zobrist[captured[i] * 2 + 1 - colour]
    search.control[0].nodes += 1


@inlined
def unmake(board, geometry, search, ply, point, colour):
    """Take back the move of that ply; restores every array."""
    state, stack = board.state, search.stack
    before, captured, saved = stack.before[ply], stack.undone[ply], stack.saved[ply]
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
    search.hash[0] ^= search.zobrist[point * 2 + colour]
    for i in range(stones):
        board.cells[captured[i]] = 2 - colour
        board.slot[captured[i]] = captured[MOST_CAPTURED + i]
        flip(state, geometry.places, geometry.game, captured[i], 1 - colour)
        search.hash[0] ^= search.zobrist[captured[i] * 2 + 1 - colour]
    lift(state, geometry.places, point, colour, stack.kinds[ply])
    for i in range(search.top[0] - 1, saved[0] - 1, -1):
        change = search.changes[i]
        search.codes[(change >> 32) * 2] = change >> 16 & 0xFFFF
        search.codes[(change >> 32) * 2 + 1] = change & 0xFFFF
    search.top[0] = saved[0]
    search.sums[0], search.sums[1] = saved[1], saved[2]


@inlined
def hash_captured(board, search, colour):
    """Add the number of stones captured by `colour` to the hash, or remove it."""
    search.hash[0] ^= search.zobrist[
        board.cells.size * 2 + 64 * colour + board.state[CAPTURED + colour]]
