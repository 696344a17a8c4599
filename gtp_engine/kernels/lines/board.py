"""A position as lines, with the number of each colour's stones on every line.

A *line* is a set of points that wins once one side occupies all of it.  The lattice and the length
of rows are arbitrary.  Colours are 0 and 1.
"""

from collections import namedtuple

import numpy as np

from .. import Arrays, inlined, kernel
from ..control import CONTROL
from ..rules import CAPTURED, FIRST_STONE, FREE, OPENING, PAIRS, RENJU, TRIPLES, taken
from ..table import key_of
from ..windows import sides, windows

POTENTIAL = FIRST_STONE + 1  # index of both colours' potentials in LineBoard.counts

MOST_THREATS = 33  # answered threats and the winning stone, at most
FAILED = 1 << 16  # fits into a processor's cache

_LineBoard = namedtuple("_LineBoard", [
    "points", "lines", "rows", "line_keys", "lines_at", "degree", "ends", "worth", "step", "steps",
    "middle", "game", "sides", "windows", "zobrist", "cells", "state", "rest", "sets", "counts",
    "hash", "keys", "entries", "work", "failed", "moves", "phis", "deltas", "promise", "out",
    "other", "marks", "alive", "sums", "weights", "scratch", "undone", "before", "pairs", "tried",
    "control"])


class LineBoard(Arrays, _LineBoard):
    """A position and the arrays of its search; see `make_board`.

    A line with a and b stones of the two colours is in the state a + b * (in a row + 1).

    points    uint16[n], all points
    lines     int64[lines, in a row], the points of each line
    rows      int64[lines], the number of each line's row; the lines of a row are consecutive, each
              one point further than the previous one
    line_keys uint64[lines], random numbers
    lines_at  int64[cells, m], the lines through each point
    degree    int64[cells], the number of lines through each point
    ends      int64[lines, 2], the cells next to the ends of each line
    worth     int64[states * 2], the worth of a line for either colour: 2 to the power of its stones
              there; 0 if the opponent has a stone on it, or if it is full
    step      int64[2], the change of a line's state by a stone of either colour
    steps     int64[2 * axes], the cell distances of all directions, forward ones first
    middle    uint16[1 to 8], the points nearest to the centre
    game      int64[9], see `kernels.rules`
    sides, windows   the tables of kernels.windows; empty in games without forbidden points
    zobrist   uint64[cells * 2 + 64, symmetries], by point and colour, then by stones captured
    cells     uint8[cells]: 0 empty, 1 first, 2 second, 3 border
    state     int64[lines], the state of each line
    rest      int64[lines], the sum of the empty points of each line
    sets      int64[states, words], bit sets of the lines in each state
    counts    int64[7], the first entries of a board's state, see `kernels.rules`; then, for either
              colour, the sum of `worth` over the lines
    hash      uint64[symmetries], the hash of the position under each symmetry
    keys, entries, work   uint64[2**n], int64[2**n] and int64[2**n], the table of positions; for a
              proof-number search, entries hold phi and delta, and `work` the nodes spent
    failed    uint64[FAILED], positions without a win by threats
    moves, phis, deltas   int64[n + 1, n], moves and proof numbers of each ply
    promise   int64[n], scratch
    out, other   int64[n], scratch: winning points
    marks     uint64[cells], scratch: the exclusive or of the keys of a point's lines
    alive     int64[lines], scratch: lines
    sums      int64[cells], scratch
    weights   int64[lines], scratch
    scratch   int64[64], scratch
    undone    int64[n + 1, 64], stones captured by the move of each ply
    before    int64[n + 1, 3], number of captured stones, and OPENING and FIRST_STONE before the
              move
    pairs     int64[MOST_THREATS, lines * 2, 2], threats and their answers, by depth
    tried     int64[MOST_THREATS, 2], by depth, the number of pairs and the index of the current one
    control   CONTROL[1], the record shared with Python
    """


def make_board(lattice_points, lines, rows, ends, steps, middle, game, in_a_row, cells, symmetries,
               table_bits: int) -> LineBoard:
    """Create an empty board with an empty table of 2**table_bits entries of 24 bytes.

    lines       tuples of points
    rows        as in LineBoard
    ends        the cells before and after each line
    cells       the number of cells
    symmetries  arrays int64[cells] that map cells to cells
    """
    n = len(lattice_points)
    through: list[list[int]] = [[] for _ in range(cells)]
    for number, line in enumerate(lines):
        for point in line:
            through[point].append(number)
    lines_at = np.full((cells, max(1, *map(len, through))), -1, np.int64)
    for point, crossing in enumerate(through):
        lines_at[point, :len(crossing)] = crossing
    random = np.random.default_rng(2026).integers(0, 2**64, cells * 2 + 64 + len(lines), np.uint64)
    zobrist = np.array([np.concatenate([random[:cells * 2].reshape(cells, 2)[where].reshape(-1),
                                        random[cells * 2:cells * 2 + 64]]) for where in symmetries])
    unit = in_a_row + 1
    worth = np.zeros((unit * unit, 2), np.int64)
    for own in range(in_a_row):
        worth[own, 0] = worth[own * unit, 1] = 1 << own
    sets = np.zeros((unit * unit, len(lines) // 64 + 1), np.int64)
    for line in range(len(lines)):
        sets[0, line // 64] |= 1 << np.int64(line % 64)
    counts = np.zeros(POTENTIAL + 2, np.int64)
    counts[FREE], counts[POTENTIAL:] = n, len(lines)
    empty = np.full(cells, 3, np.uint8)
    empty[list(lattice_points)] = 0
    return LineBoard(
        points=np.array(lattice_points, np.uint16),
        lines=np.array(lines, np.int64).reshape(len(lines), in_a_row),
        rows=np.array(rows, np.int64),
        line_keys=random[-len(lines):],
        lines_at=lines_at,
        degree=np.array(list(map(len, through)), np.int64),
        ends=np.array(ends, np.int64).reshape(-1, 2),
        worth=worth.reshape(-1),
        step=np.array([1, unit], np.int64),
        steps=np.array(steps, np.int64),
        middle=np.array(middle, np.uint16),
        game=np.array(game, np.int64),
        sides=sides()[:None if game[RENJU] else 0],
        windows=windows()[:None if game[RENJU] else 0],
        zobrist=np.ascontiguousarray(zobrist.T),
        cells=empty,
        state=np.zeros(len(lines), np.int64),
        rest=np.array([sum(line) for line in lines], np.int64),
        sets=sets,
        counts=counts,
        hash=np.zeros(len(symmetries), np.uint64),
        keys=np.zeros(1 << table_bits, np.uint64),
        entries=np.zeros(1 << table_bits, np.int64),
        work=np.zeros(1 << table_bits, np.int64),
        failed=np.zeros(FAILED, np.uint64),
        moves=np.zeros((n + 1, n), np.int64),
        phis=np.zeros((n + 1, n), np.int64),
        deltas=np.zeros((n + 1, n), np.int64),
        promise=np.zeros(n, np.int64),
        out=np.zeros(n, np.int64),
        other=np.zeros(n, np.int64),
        marks=np.zeros(cells, np.uint64),
        alive=np.zeros(len(lines), np.int64),
        sums=np.zeros(cells, np.int64),
        weights=np.zeros(len(lines), np.int64),
        scratch=np.zeros(64, np.int64),
        undone=np.zeros((n + 1, 64), np.int64),
        before=np.zeros((n + 1, 3), np.int64),
        pairs=np.zeros((MOST_THREATS, 2 * len(lines), 2), np.int64),
        tried=np.zeros((MOST_THREATS, 2), np.int64),
        control=np.zeros(1, CONTROL))


@kernel
def set_up(board, cells, first_captured, second_captured, opening, first_stone):
    """Replace the stones on the board by those of `cells`, uint8[cells]."""
    counts = board.counts
    for each in board.points:
        point = np.int64(each)
        if board.cells[point]:
            lift(board, point, np.int64(board.cells[point]) - 1)
    counts[CAPTURED], counts[CAPTURED + 1] = first_captured, second_captured
    counts[OPENING], counts[FIRST_STONE] = opening, first_stone
    captured = board.cells.size * 2
    for s in range(board.hash.size):
        board.hash[s] = (board.zobrist[captured + first_captured, s]
                         ^ board.zobrist[captured + 32 + second_captured, s])
    for each in board.points:
        point = np.int64(each)
        if cells[point]:
            put(board, point, np.int64(cells[point]) - 1)


@inlined
def turn(board, point, step, sign):
    """Add a stone to the states of the lines through `point`, or remove it.

    `step` is the step of the stone's colour; `sign` is 1 to add the stone, -1 to remove it.
    """
    state, sets, rest = board.state, board.sets, board.rest
    for i in range(board.degree[point]):
        line = board.lines_at[point, i]
        word, bit, now = line >> 6, 1 << (line & 63), state[line]
        sets[now, word] ^= bit
        now += sign * step
        sets[now, word] ^= bit
        state[line] = now
        rest[line] -= sign * point


@inlined
def change(board, point, colour, sign):
    """Update all arrays but `cells` for a stone added or removed; `sign` as in `turn`."""
    counts, worth = board.counts, board.worth
    counts[FREE] -= sign
    first, second = 0, 0
    for i in range(board.degree[point]):
        at = board.state[board.lines_at[point, i]] * 2
        first -= worth[at]
        second -= worth[at + 1]
    turn(board, point, board.step[colour], sign)
    for i in range(board.degree[point]):
        at = board.state[board.lines_at[point, i]] * 2
        first += worth[at]
        second += worth[at + 1]
    counts[POTENTIAL] += first
    counts[POTENTIAL + 1] += second
    at = point * 2 + colour
    for s in range(board.hash.size):
        board.hash[s] ^= board.zobrist[at, s]


@inlined
def put(board, point, colour):
    """Put a stone on an empty point."""
    board.cells[point] = colour + 1
    change(board, point, colour, 1)


@inlined
def lift(board, point, colour):
    """Take a stone off the board, the inverse of `put`."""
    board.cells[point] = 0
    change(board, point, colour, -1)


@inlined
def make(board, ply, point, colour):
    """Play on the empty `point` as the move of that ply."""
    counts, before = board.counts, board.before[ply]
    board.control[0].nodes += 1
    stones = 0
    if board.game[PAIRS] | board.game[TRIPLES]:
        stones = taken(board.cells, board.steps, board.game, point, colour, board.undone[ply])
    before[0], before[1], before[2] = stones, counts[OPENING], counts[FIRST_STONE]
    if counts[OPENING] >= 0:
        if counts[OPENING] == 0:
            counts[FIRST_STONE] = point
        counts[OPENING] = counts[OPENING] + 1 if counts[OPENING] % 2 == colour else -1
    put(board, point, colour)
    for i in range(stones):
        lift(board, board.undone[ply, i], 1 - colour)
    if stones:
        hash_captured(board, colour, stones)


@inlined
def unmake(board, ply, point, colour):
    """Take the move of that ply back."""
    before = board.before[ply]
    if before[0]:
        hash_captured(board, colour, -before[0])
    for i in range(before[0]):
        put(board, board.undone[ply, i], 1 - colour)
    lift(board, point, colour)
    board.counts[OPENING], board.counts[FIRST_STONE] = before[1], before[2]


@inlined
def hash_captured(board, colour, stones):
    """Add stones captured by `colour` to the count and update the hash."""
    at = board.cells.size * 2 + 32 * colour
    for s in range(board.hash.size):
        board.hash[s] ^= (board.zobrist[at + board.counts[CAPTURED + colour], s]
                          ^ board.zobrist[at + board.counts[CAPTURED + colour] + stones, s])
    board.counts[CAPTURED + colour] += stones


@inlined
def canonical(board, mover, attacker):
    """The key of the position; all positions symmetrical to it share it."""
    least = board.hash[0]
    for s in range(1, board.hash.size):
        least = min(least, board.hash[s])
    return key_of(least, 2 * attacker + mover)
