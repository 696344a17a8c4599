"""A board and the check of wins by threats, for the check of the proofs of Gomoku.

This module shares nothing with the players and their kernels.  Its board counts the stones in each
*row*, five points in a line.  `follow` plays a tree of threats and rejects it unless it wins;
`zone` is the set of answers that could spoil a win.  docs/proof-soundness.md proves both.

A point of a board with N lines is x + N * y.  The shapes of the arrays have the size of the board,
so all boards and rules share the compiled code.  Black is to move in each position of a tree.
"""

from collections import namedtuple
from itertools import product

import numpy as np

from . import Arrays, inlined, kernel, zeros
from .bits import lowest_bit

POINT_BITS = 10  # of a point in a packed number
NO_POINT = (1 << POINT_BITS) - 1
BLACK, WHITE = 0, 1

# The rules for rows:
FREE = 0  # five or more win
EXACT = 1  # exactly five win: a row counts while no stone of its side is just beyond its ends
# A row of exactly five black stones between two white ones does not win.  All rows of White count,
# which can only make a proof harder.
CARO = 2

# Kinds of rows: rows with stones of one side alone, or OTHER.  Rows that do not count are OTHER,
# too.  SHUT_FOUR, in CARO: it wins now, but not after a white stone beyond its other end.
TWO, THREE, FOUR, FIVE, WHITE_THREE, WHITE_FOUR, SHUT_FOUR, OTHER = range(8)
KINDS = 8
STATES = 1 << 14  # of a row: see Board

HASH, BLACKS, TICK, RULE = range(4)  # numbers of a board: see Board

# The reach of a tree, int64[REACH, words].  Row 0 has the points of the tree.  Row LISTED + k has
# the listed answers on paths with at least k unlisted answers, for k up to MOST_UNLISTED.  The
# first number of row NUMBERS is the largest k, the second one the plies to the end.
LISTED, MOST_UNLISTED = 1, 3
NUMBERS = LISTED + MOST_UNLISTED + 1
UNLISTED, PLIES = range(2)
REACH = NUMBERS + 1
LEAST_WORDS = 2  # of a set of points, so that NUMBERS has room

# A tree is a move, its kind, and by kind
COMPLETES = 0  # a row: nothing
TWO_ENDS = 1  # threatens to complete rows: the two points
ONE_END = 2  # threatens to complete a row: the point, and the tree after White's stone there
# threatens an open four: its move and its ends, the number of answers in its zone, and for each of
# them, in the order of points, the answer and the tree after it
QUIET = 3

ROOM = 8  # numbers after the start of a tree, so that no node is read past the end
MOST_MOVES = 64  # of Black on a path of a tree
LOST = -1  # the result of `follow` if a tree does not win

_Board = namedtuple("_Board", "rows beyond rows_at bits_at counts_at kinds hashes states sets "
                    "cells numbers ends end_ticks zones reaches")


class Board(Arrays, _Board):
    """The board, and scratch memory; see `make_board`.

    A set of points has `words` int64 numbers, a set of rows `row_words`.

    rows       int16[n, 5], the points of each row
    beyond     int16[n, 2], the points just beyond its ends, or NO_POINT
    rows_at    int16[points, 28], the rows through each point, then the rows that it bounds
    bits_at    int16[2, points, 28], by colour the bits of a stone in the states of these rows
    counts_at  int64[2, points], by colour the number of these rows whose state a stone changes
    kinds      uint8[STATES], the kind of a row by its state
    hashes     int64[2, points], the hash of a stone by colour and point
    states     int16[n], by row: five bits for the black stones, five for the white ones.  Where
               stones beyond the ends matter, two more bits for black ones and two for white ones
    sets       int64[KINDS, row_words], the set of rows of each kind
    cells      uint8[points], 1 for a stone
    numbers    int64[4], the hash of the stones, the number of black stones, the last tick, and the
               rule
    ends, end_ticks   int16[points], int64[points]: a point that completes a row after a move on
               this point; valid only for the last tick
    zones      int64[MOST_MOVES, words], by ply, the answers that `follow` has not yet tried
    reaches    int64[MOST_MOVES, REACH, words], the reach of a tree by ply
    """


def make_board(size: int, rule: int) -> Board:
    """The empty board with `size` lines, up to 31; the rule is FREE, EXACT or CARO."""
    def number(x: int, y: int) -> int:
        return x + size * y if 0 <= x < size and 0 <= y < size else NO_POINT

    rows, beyond = [], []
    for x, y, (right, up) in product(range(size), range(size), ((1, 0), (0, 1), (1, 1), (1, -1))):
        before, *row, after = [number(x + i * right, y + i * up) for i in range(-1, 6)]
        if NO_POINT not in row:
            rows.append(row)
            beyond.append((before, after))
    points = size * size
    words = words_of(points)
    board = Board(
        rows=np.array(rows, np.int16), beyond=np.array(beyond, np.int16),
        rows_at=zeros((points, 28), np.int16), bits_at=zeros((2, points, 28), np.int16),
        counts_at=zeros((2, points), np.int64), kinds=zeros(STATES, np.uint8),
        hashes=np.random.default_rng(15).integers(-1 << 63, (1 << 63) - 1, (2, points), np.int64),
        states=zeros(len(rows), np.int16), sets=zeros((KINDS, -(-len(rows) // 64)), np.int64),
        cells=zeros(points, np.uint8), numbers=zeros(4, np.int64),
        ends=zeros(points, np.int16), end_ticks=zeros(points, np.int64),
        zones=zeros((MOST_MOVES, words), np.int64),
        reaches=zeros((MOST_MOVES, REACH, words), np.int64))
    board.numbers[RULE] = rule
    for number_of_row, row in enumerate(rows):
        for i, point in enumerate(row):
            _add_row(board, number_of_row, point, (1 << i, 1 << i + 5))
    for number_of_row, ends in enumerate(beyond):
        for i, point in enumerate(ends):
            if point != NO_POINT and rule != FREE:
                _add_row(board, number_of_row, point,
                         (1 << i + 10 if rule == EXACT else 0, 1 << i + 12))
    for state in range(STATES):
        board.kinds[state] = _kind(state, rule)
    return board


def words_of(points: int) -> int:
    """The int64 numbers of a set of points."""
    return max(LEAST_WORDS, -(-points // 64))


def _add_row(board: Board, row: int, point: int, bits: tuple[int, int]) -> None:
    # List a row at a point; black and white stones there change these bits of its state.
    at = int(board.counts_at[:, point].max())
    board.rows_at[point, at] = row
    for colour, bit in enumerate(bits):
        if bit:
            board.bits_at[colour, point, at] = bit
            board.counts_at[colour, point] = at + 1


def _kind(state: int, rule: int) -> int:
    black, white = (state & 31).bit_count(), (state >> 5 & 31).bit_count()
    own, other = (state >> 10 & 3, state >> 12) if black else (state >> 12, state >> 10 & 3)
    kind = {(2, 0): TWO, (3, 0): THREE, (4, 0): FOUR, (5, 0): FIVE, (0, 3): WHITE_THREE,
            (0, 4): WHITE_FOUR}.get((black, white), OTHER)
    if rule == EXACT and own:
        return OTHER
    if rule == CARO and black and other:
        return OTHER if other == 3 else {FOUR: SHUT_FOUR, FIVE: FIVE}.get(kind, OTHER)
    return kind


# --- stones -------------------------------------------------------------------------------------


@kernel
def place(board, colour, point):
    """Put a stone on an empty point."""
    board.cells[point] = 1
    for i in range(board.counts_at[colour, point]):
        row = np.int64(board.rows_at[point, i])
        _change(board, row, board.states[row] | np.int64(board.bits_at[colour, point, i]))
    board.numbers[HASH] ^= board.hashes[colour, point]
    board.numbers[BLACKS] += 1 - colour


@kernel
def lift(board, colour, point):
    """Remove a stone."""
    board.cells[point] = 0
    for i in range(board.counts_at[colour, point]):
        row = np.int64(board.rows_at[point, i])
        _change(board, row, board.states[row] & ~np.int64(board.bits_at[colour, point, i]))
    board.numbers[HASH] ^= board.hashes[colour, point]
    board.numbers[BLACKS] -= 1 - colour


@inlined
def _change(board, row, state):
    bit = np.int64(1) << (row & 63)
    board.sets[board.kinds[board.states[row]], row >> 6] ^= bit
    board.sets[board.kinds[state], row >> 6] ^= bit
    board.states[row] = state


@kernel
def set_stones(board, black, white):
    """Set the position; `black` and `white` are sets of points."""
    board.states[:] = 0
    board.sets[:] = 0
    board.sets[OTHER] = -1
    board.cells[:] = 0
    board.numbers[HASH] = board.numbers[BLACKS] = 0
    for colour in range(2):
        for i in range(black.size):
            points = white[i] if colour else black[i]
            while points:
                place(board, colour, 64 * i + lowest_bit(points))
                points &= points - 1


@inlined
def add_point(points, point):
    """Add a point to a set."""
    points[point >> 6] |= np.int64(1) << (point & 63)


@inlined
def empty_point(board, row, n):
    """The n-th empty point of a row, from 0."""
    state = np.int64(board.states[row])
    empty = ~(state | state >> 5) & 31
    for _ in range(n):
        empty &= empty - 1
    return np.int64(board.rows[row, lowest_bit(empty)])


@inlined
def last_points(board, kind):
    """Two of the points that complete a row of this kind, with four stones.

    Missing points are NO_POINT.
    """
    first = second = np.int64(NO_POINT)
    for i in range(board.sets.shape[1]):
        rows = board.sets[kind, i]
        while rows:
            point = empty_point(board, 64 * i + lowest_bit(rows), 0)
            rows &= rows - 1
            if first == NO_POINT:
                first = point
            elif point != first:
                second = point
    return first, second


@inlined
def open_four(board):
    """A point where a black stone would threaten two rows, and the points that complete them.

    The first one in the order of the rows; NO_POINT three times if there is none.
    """
    board.numbers[TICK] += 1
    tick = board.numbers[TICK]
    for i in range(board.sets.shape[1]):
        rows = board.sets[THREE, i]
        while rows:
            row = 64 * i + lowest_bit(rows)
            rows &= rows - 1
            a, b = empty_point(board, row, 0), empty_point(board, row, 1)
            for _ in range(2):
                if board.end_ticks[a] != tick:
                    board.end_ticks[a], board.ends[a] = tick, b
                elif board.ends[a] != b:
                    return a, np.int64(board.ends[a]), b
                a, b = b, a
    return np.int64(NO_POINT), np.int64(NO_POINT), np.int64(NO_POINT)


# --- zones --------------------------------------------------------------------------------------


@kernel
def zone(board, black, white, reach, out):
    """Set `out` to the zone of a tree in this position, by its reach."""
    set_stones(board, black, white)
    for i in range(out.size):
        out[i] = reach[0, i]
    for row in range(board.states.size):
        state = np.int64(board.states[row])
        if board.numbers[RULE] == CARO:
            count = np.int64(0)
            for i in range(5):
                point = np.int64(board.rows[row, i])
                count += (state >> i | reach[0, point >> 6] >> (point & 63)) & 1
            if count == 5:
                _add_beyond(board, out, row)
        if state & 31 or board.numbers[RULE] == EXACT and state >> 12:
            continue
        for k in range(reach[NUMBERS, UNLISTED] + 1):
            count = np.int64(0)
            for i in range(5):
                point = np.int64(board.rows[row, i])
                listed = k <= MOST_UNLISTED and reach[
                    LISTED + min(k, MOST_UNLISTED), point >> 6] >> (point & 63) & 1
                count += 1 if listed else state >> (5 + i) & 1
            if count >= 4 - k:
                for i in range(5):
                    add_point(out, np.int64(board.rows[row, i]))
                break
    for stone in range(board.cells.size):
        if board.cells[stone]:
            out[stone >> 6] &= ~(np.int64(1) << (stone & 63))


@inlined
def _add_beyond(board, out, row):
    for i in range(2):
        point = np.int64(board.beyond[row, i])
        if point != NO_POINT and not board.cells[point]:
            add_point(out, point)


@inlined
def open_four_zone(board, out, x, a, b):
    """Set `out` to the zone of an open four, Black's move x and then a or b; returns its size.

    This is `zone` of its tree: after x White's answer a is listed, all others are unlisted.  White
    has no row of four stones.
    """
    for i in range(out.size):
        out[i] = 0
    add_point(out, x)
    add_point(out, a)
    add_point(out, b)
    for i in range(board.sets.shape[1]):
        rows = board.sets[WHITE_THREE, i]
        while rows:
            row = 64 * i + lowest_bit(rows)
            rows &= rows - 1
            add_point(out, empty_point(board, row, 0))
            add_point(out, empty_point(board, row, 1))
    if board.numbers[RULE] == CARO:
        for i in range(board.sets.shape[1]):
            rows = board.sets[THREE, i]
            while rows:
                row = 64 * i + lowest_bit(rows)
                rows &= rows - 1
                if completed_by(board, row, x, a, b):
                    _add_beyond(board, out, row)
    size = 0
    for i in range(out.size):
        points = out[i]
        while points:
            points &= points - 1
            size += 1
    return size


@inlined
def completed_by(board, row, x, a, b):
    """Are the two empty points of a row of three among x, a and b?"""
    first, second = empty_point(board, row, 0), empty_point(board, row, 1)
    return ((first == x or first == a or first == b)
            and (second == x or second == a or second == b))


# --- trees --------------------------------------------------------------------------------------


@kernel
def join(reach, after, answer):
    """Add to the reach of a tree the reach of the tree after an answer.

    The answer is NO_POINT for the tree after all unlisted answers.
    """
    most, passed = after[NUMBERS, UNLISTED], answer == NO_POINT
    for i in range(reach.shape[1]):
        reach[0, i] |= after[0, i]
        if passed:
            reach[LISTED, i] |= after[LISTED, i]
    for k in range(min(most, MOST_UNLISTED - passed) + 1):
        for i in range(reach.shape[1]):
            reach[LISTED + k + passed, i] |= after[LISTED + k, i]
        if not passed:
            add_point(reach[LISTED + k], answer)
    if not passed:
        add_point(reach[0], answer)
    reach[NUMBERS, UNLISTED] = max(reach[NUMBERS, UNLISTED], most + passed)
    reach[NUMBERS, PLIES] = max(reach[NUMBERS, PLIES], 2 + after[NUMBERS, PLIES])


@kernel
def follow(board, ply, tree, at):
    """Play the tree at tree[at:], int16; returns its end, or LOST if it does not win.

    Sets reaches[ply] to its reach.
    """
    if at + ROOM > tree.size or ply + 1 >= MOST_MOVES:
        return LOST
    move, kind, reach = np.int64(tree[at]), np.int64(tree[at + 1]), board.reaches[ply]
    if move < 0 or move >= board.cells.size or board.cells[move]:
        return LOST
    reach[:] = 0
    add_point(reach[0], move)
    reach[NUMBERS, PLIES] = 1
    place(board, BLACK, move)
    end = at + 2
    wins = white_wins = False
    for i in range(board.sets.shape[1]):
        wins = wins or board.sets[FIVE, i] != 0
        white_wins = white_wins or board.sets[WHITE_FOUR, i] != 0
    first, second = last_points(board, FOUR)
    if wins or white_wins:
        end = end if wins and kind == COMPLETES else LOST
    elif kind == TWO_ENDS and second != NO_POINT:
        # After White's stone on the first end Black completes a row at the second one; after all
        # unlisted answers at the first one.
        add_point(reach[0], first)
        add_point(reach[0], second)
        add_point(reach[LISTED], first)
        reach[NUMBERS, UNLISTED], reach[NUMBERS, PLIES] = 1, 3
        end = end + 2 if tree[end] == first and tree[end + 1] == second else LOST
    elif kind == ONE_END and first == tree[end] and second == NO_POINT:
        place(board, WHITE, first)
        end = follow(board, ply + 1, tree, end + 1)
        lift(board, WHITE, first)
        join(reach, board.reaches[ply + 1], first)
        reach[NUMBERS, UNLISTED] = max(reach[NUMBERS, UNLISTED], 1)
    elif kind == QUIET and first == NO_POINT:
        x, a, b = open_four(board)
        if x == NO_POINT or tree[end] != x or tree[end + 1] != a or tree[end + 2] != b:
            end = LOST
        else:
            # The tree after unlisted answers is the open four x, with White's answer a listed.
            n = open_four_zone(board, board.zones[ply], x, a, b)
            add_point(reach[0], x)
            add_point(reach[0], a)
            add_point(reach[0], b)
            add_point(reach[LISTED], a)
            add_point(reach[LISTED + 1], a)
            reach[NUMBERS, UNLISTED], reach[NUMBERS, PLIES] = 2, 5
            end = end + 4 if tree[end + 3] == n else LOST
            for i in range(board.zones.shape[1]):
                while board.zones[ply, i] and end >= 0:
                    answer = 64 * i + lowest_bit(board.zones[ply, i])
                    board.zones[ply, i] &= board.zones[ply, i] - 1
                    if end >= tree.size or tree[end] != answer:
                        end = LOST
                    else:
                        place(board, WHITE, answer)
                        end = follow(board, ply + 1, tree, end + 1)
                        lift(board, WHITE, answer)
                        join(reach, board.reaches[ply + 1], answer)
    else:
        end = LOST
    lift(board, BLACK, move)
    return end


@kernel
def wins_too(board, black, white, tree, end):
    """Does the tree at tree[:end] win this position, too?  Sets reaches[0] to its reach there."""
    set_stones(board, black, white)
    return follow(board, 0, tree, 0) == end
