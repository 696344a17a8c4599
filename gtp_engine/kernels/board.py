"""A position for the kernels: stones as bits of lines, with the points that matter kept up to date.

Colours are 0 (first) and 1 (second) here.  A word holds a property of the points of one line: bit
i is the i-th point for colour 0, bit 32 + i for colour 1.  A line has at most 25 points, so a
shift by up to five points never carries a bit onto a point of the other colour.
"""

from collections import namedtuple

import numpy as np

from . import kernel
from .bits import below, lowest_bit

HALF = 32
HALF_MASK = 0xFFFFFFFF
LINES_PER_SET = 32  # lines that one word of `Board.active` covers

# Columns of Board.words.  From WIN on they are kinds of points, derived from the first two.
STONES, EMPTIES, WIN, FOUR, BLOCK, TAKE = range(6)
COLUMNS = 8  # one cache line
KINDS = 4

# Rules that decide, as `choices` reports them.
NONE, R_WIN, R_BLOCK_WIN, R_FOUR, R_BLOCK_FOUR, R_CAPTURE, R_RANDOM = range(7)

# Entries of Geometry.game
EXACT, PAIRS, TRIPLES, TARGET, CENTRE, ROW = range(6)

# Entries of Board.numbers
FREE, FIRST_CAPTURED, SECOND_CAPTURED, STAMP, OPENING, FIRST_STONE = range(6)

Geometry = namedtuple("Geometry", "points line_of bit_of point_at steps middle game")
Geometry.__doc__ = """The lines of a lattice and the rules of a game; five in a row wins.

points    uint16[n], all points
line_of   uint16[cells, axes], the line through a point; the last line where it is too short
bit_of    uint8[cells, axes], the place of the point in that line
point_at  uint16[lines, 32], the inverse
steps     int64[2 * axes], the cell distances of all directions
middle    uint16[1 to 4], the points nearest to the centre
game      int64[6]: EXACT does only exactly five win, PAIRS and TRIPLES are those captured, TARGET
          captured stones that win or 0, CENTRE the opening is restricted, ROW cells in a row
"""

Board = namedtuple("Board", "cells words counts active free slot numbers mark")
Board.__doc__ = """A position, changed in place; made by `make_board`.

cells    uint8[cells]: 0 empty, 1 first, 2 second, 3 border
words    int64[lines, COLUMNS]
counts   int64[KINDS, 2], how many lines have a point of that kind for that colour
active   int64[KINDS, sets], which lines have one for either colour
free     uint16[n], the empty points in any order, numbers[FREE] of them
slot     uint16[cells], the index of each empty point in `free`
numbers  int64[6]: empty points, stones captured by each colour, the last mark, plies of a
         restricted opening (-1: free), its first stone
mark     int64[cells], scratch for `gather`
"""


def make_geometry(points, axes, cells, row, middle, game) -> Geometry:
    """The arrays for a lattice with these points, axes, number of cells and cells in a row.

    `game` is (exact, pairs, triples, target, centre) as in Geometry.  Lines too short for a row
    of five, or for a capture where there are captures, are left out.
    """
    on_board = set(points)
    shortest = 4 if game[1] or game[2] else 5
    lines = []
    for a, axis in enumerate(axes):
        for point in points:
            if point - axis not in on_board:
                line = [point]
                while line[-1] + axis in on_board:
                    line.append(line[-1] + axis)
                if len(line) >= shortest:
                    lines.append((a, line))
    line_of = np.full((cells, len(axes)), len(lines), np.uint16)
    bit_of = np.zeros((cells, len(axes)), np.uint8)
    point_at = np.zeros((len(lines) + 1, HALF), np.uint16)
    for number, (a, line) in enumerate(lines):
        point_at[number, :len(line)] = line
        line_of[line, a] = number
        bit_of[line, a] = range(len(line))
    return Geometry(np.array(points, np.uint16), line_of, bit_of, point_at,
                    np.array([*axes, *(-axis for axis in axes)], np.int64),
                    np.array(middle, np.uint16), np.array([*game, row], np.int64))


def make_board(geometry: Geometry, cells=None, captured=(0, 0, 0), opening=-1,
               first_stone=0) -> Board:
    """The position with these cells (uint8, as in Board) and stones captured by 1 and 2.

    `opening` is the number of plies of an opening that may be restricted, or -1, `first_stone`
    the point of its first stone.  Without `cells`, a board to `copy` onto.
    """
    size, lines = len(geometry.line_of), len(geometry.point_at)
    board = Board(np.zeros(size, np.uint8), np.zeros((lines, COLUMNS), np.int64),
                  np.zeros((KINDS, 2), np.int64),
                  np.zeros((KINDS, lines // LINES_PER_SET + 1), np.int64),
                  np.zeros(len(geometry.points), np.uint16), np.zeros(size, np.uint16),
                  np.zeros(6, np.int64), np.zeros(size, np.int64))
    if cells is not None:
        board.cells[:] = cells
        board.numbers[FIRST_CAPTURED:SECOND_CAPTURED + 1] = captured[1:]
        board.numbers[OPENING] = opening if geometry.game[CENTRE] else -1
        board.numbers[FIRST_STONE] = first_stone
        _fill(board, geometry)
    return board


@kernel
def _fill(board, geometry):
    # Derive words and empty points from the cells of a board that has none yet.
    for point in geometry.points:
        stone = np.int64(board.cells[point])
        if stone == 0:
            board.slot[point] = board.numbers[FREE]
            board.free[board.numbers[FREE]] = point
            board.numbers[FREE] += 1
        for a in range(geometry.line_of.shape[1]):
            line = geometry.line_of[point, a]
            if line == geometry.point_at.shape[0] - 1:
                continue
            bit = 1 << np.int64(geometry.bit_of[point, a])
            if stone == 0:
                board.words[line, EMPTIES] |= bit | bit << HALF
            else:
                board.words[line, STONES] |= bit << (HALF * (stone - 1))
    for line in range(geometry.point_at.shape[0] - 1):
        refresh(board, geometry, line)


@kernel
def copy(board, source):
    """Make `board` equal to `source`, a board of the same geometry."""
    for i in range(source.cells.size):
        board.cells[i] = source.cells[i]
        board.slot[i] = source.slot[i]
    words, source_words = board.words.reshape(-1), source.words.reshape(-1)
    for i in range(source_words.size):
        words[i] = source_words[i]
    for kind in range(KINDS):
        board.counts[kind, 0] = source.counts[kind, 0]
        board.counts[kind, 1] = source.counts[kind, 1]
        for i in range(source.active.shape[1]):
            board.active[kind, i] = source.active[kind, i]
    for i in range(source.numbers[FREE]):
        board.free[i] = source.free[i]
    for i in range(source.numbers.size):
        if i != STAMP:
            board.numbers[i] = source.numbers[i]


@kernel
def refresh(board, geometry, line):
    """Derive the points of every kind on a line from its stones and empty points."""
    words = board.words
    stones, empty = words[line, STONES], words[line, EMPTIES]
    # r3: the next three points hold stones of the colour; l3: the three before.
    r1, l1 = stones >> 1, stones << 1
    r2, l2 = r1 & (stones >> 2), l1 & (stones << 2)
    r3, l3 = r2 & (stones >> 3), l2 & (stones << 3)
    r4, l4 = r3 & (stones >> 4), l3 & (stones << 4)
    after1, after2, after3, after4 = empty >> 1, empty >> 2, empty >> 3, empty >> 4
    before1, before2, before3, before4 = empty << 1, empty << 2, empty << 3, empty << 4
    # The window of six around a point that makes four of three, by the stones before the point.
    four0, four1 = before1 & r3 & after4, before2 & l1 & r2 & after3
    four2, four3 = before3 & l2 & r1 & after2, before4 & l3 & after1
    if geometry.game[EXACT]:
        win = empty & (
            r4 & ~(l1 | stones >> 5) | l1 & r3 & ~(stones << 2 | stones >> 4)
            | l2 & r2 & ~(stones << 3 | stones >> 3)
            | l3 & r1 & ~(stones << 4 | stones >> 2) | l4 & ~(stones << 5 | r1))
        four0 &= ~(stones << 2 | stones >> 5)
        four1 &= ~(stones << 3 | stones >> 4)
        four2 &= ~(stones << 4 | stones >> 3)
        four3 &= ~(stones << 5 | stones >> 2)
    else:
        win = empty & (r4 | l1 & r3 | l2 & r2 | l3 & r1 | l4)
    four0 &= empty
    four1 &= empty
    four2 &= empty
    four3 &= empty
    # Three in a row with room on both sides are one group, which its two far ends do not stop.
    block = (four0 | four0 << 4 | (four0 & ~(four3 >> 4)) >> 1
             | four3 | four3 >> 4 | (four3 & ~(four0 << 4)) << 1
             | four1 | four1 >> 2 | four1 << 3
             | four2 | four2 >> 3 | four2 << 2)
    _store(board, line, WIN, win)
    _store(board, line, FOUR, four0 | four1 | four2 | four3)
    _store(board, line, BLOCK, block)
    if geometry.game[PAIRS] or geometry.game[TRIPLES]:
        enemy = (stones >> HALF & HALF_MASK) | (stones & HALF_MASK) << HALF
        pair_after, pair_before = (enemy >> 1) & (enemy >> 2), (enemy << 1) & (enemy << 2)
        take = np.int64(0)
        if geometry.game[PAIRS]:
            take |= pair_after & (stones >> 3) | pair_before & (stones << 3)
        if geometry.game[TRIPLES]:
            take |= (pair_after & (enemy >> 3) & (stones >> 4)
                     | pair_before & (enemy << 3) & (stones << 4))
        _store(board, line, TAKE, take & empty)


@kernel
def _store(board, line, column, word):
    old = board.words[line, column]
    if word == old:
        return
    board.words[line, column] = word
    kind = column - WIN
    board.counts[kind, 0] += np.int64((word & HALF_MASK) != 0) - np.int64((old & HALF_MASK) != 0)
    board.counts[kind, 1] += np.int64((word >> HALF) != 0) - np.int64((old >> HALF) != 0)
    bit = 1 << (line % LINES_PER_SET)
    if word == 0:
        board.active[kind, line // LINES_PER_SET] &= ~bit
    else:
        board.active[kind, line // LINES_PER_SET] |= bit


@kernel
def gather(board, geometry, column, colour, out, n):
    """Append the points of a kind for a colour to out[:n], each once; returns the new length.

    Points that already carry the mark numbers[STAMP] count as present.
    """
    stamp = board.numbers[STAMP]
    kind = column - WIN
    for i in range(board.active.shape[1]):
        lines = board.active[kind, i]
        while lines:
            line = i * LINES_PER_SET + lowest_bit(lines)
            lines &= lines - 1
            bits = board.words[line, column] >> (HALF * colour) & HALF_MASK
            while bits:
                point = geometry.point_at[line, lowest_bit(bits)]
                bits &= bits - 1
                if board.mark[point] != stamp:
                    board.mark[point] = stamp
                    out[n] = point
                    n += 1
    return n


@kernel
def taken(board, geometry, point, colour, out):
    """How many stones a stone of `colour` on the empty `point` captures; they are put in `out`."""
    cells, n = board.cells, 0
    own, enemy = colour + 1, 2 - colour
    for step in geometry.steps:
        if cells[point + step] == enemy and cells[point + 2 * step] == enemy:
            third = cells[point + 3 * step]
            length = 0
            if third == own:
                length = 2 * geometry.game[PAIRS]
            elif geometry.game[TRIPLES] and third == enemy and cells[point + 4 * step] == own:
                length = 3
            for i in range(length):
                out[n] = point + (i + 1) * step
                n += 1
    return n


@kernel
def wins(board, geometry, point, colour, scratch):
    """Does a stone of `colour` on `point`, whose cell is empty, win?  Looks at the cells alone."""
    cells = board.cells
    own = colour + 1
    axes = geometry.steps.size // 2
    for a in range(axes):
        run = 1
        for step in (geometry.steps[a], geometry.steps[a + axes]):
            cell = point + step
            while cells[cell] == own:
                run += 1
                cell += step
        if run == 5 or run > 5 and not geometry.game[EXACT]:
            return True
    target = geometry.game[TARGET]
    return target > 0 and (board.numbers[FIRST_CAPTURED + colour]
                           + taken(board, geometry, point, colour, scratch) >= target)


@kernel
def winning_points(board, geometry, colour, out, scratch):
    """Put the points where `colour` wins at once into `out`; returns their number."""
    board.numbers[STAMP] += 1
    n = 0
    if board.counts[WIN - WIN, colour]:
        n = gather(board, geometry, WIN, colour, out, 0)
    target = geometry.game[TARGET]
    if target and board.counts[TAKE - WIN, colour]:
        end = gather(board, geometry, TAKE, colour, out, n)
        for i in range(n, end):
            if (board.numbers[FIRST_CAPTURED + colour]
                    + taken(board, geometry, out[i], colour, scratch) >= target):
                out[n] = out[i]
                n += 1
    return n


@kernel
def _captures_that_block(board, geometry, colour, out, threats, n, scratch):
    # Append to out[:n] the captures of `colour` after which the enemy no longer wins at one, at
    # least, of the points in threats[:n], which out[:n] holds too.
    cells = board.cells
    board.numbers[STAMP] += 1
    for i in range(n):
        board.mark[threats[i]] = board.numbers[STAMP]
    end = gather(board, geometry, TAKE, colour, out, n)
    m = n
    stolen = scratch[scratch.size // 2:]
    for i in range(n, end):
        point = out[i]
        count = taken(board, geometry, point, colour, stolen)
        cells[point] = colour + 1
        for j in range(count):
            cells[stolen[j]] = 0
        for j in range(n):
            if not wins(board, geometry, threats[j], 1 - colour, scratch):
                out[m] = point
                m += 1
                break
        cells[point] = 0
        for j in range(count):
            cells[stolen[j]] = 2 - colour
    return m


@kernel
def choices(board, geometry, colour, out, scratch):
    """The rule of the rule-based policy that decides for `colour`, and how many points it has.

    The points are in `out` (uint16[2, n], the second row is scratch), unless the rule is R_RANDOM,
    whose points are board.free as far as `allowed`.  NONE: no empty point is left.
    """
    points, threats = out[0], out[1]
    if board.numbers[FREE] == 0:
        return NONE, 0
    capturing = geometry.game[PAIRS] or geometry.game[TRIPLES]
    if board.counts[WIN - WIN, colour] or capturing and board.counts[TAKE - WIN, colour]:
        n = winning_points(board, geometry, colour, points, scratch)
        if n:
            return R_WIN, n
    enemy = 1 - colour
    if board.counts[WIN - WIN, enemy] or capturing and board.counts[TAKE - WIN, enemy]:
        n = winning_points(board, geometry, enemy, points, scratch)
        if n:
            if capturing and board.counts[TAKE - WIN, colour]:
                for i in range(n):
                    threats[i] = points[i]
                n = _captures_that_block(board, geometry, colour, points, threats, n, scratch)
            return R_BLOCK_WIN, n
    board.numbers[STAMP] += 1
    if board.counts[FOUR - WIN, colour]:
        return R_FOUR, gather(board, geometry, FOUR, colour, points, 0)
    if board.counts[FOUR - WIN, enemy]:
        return R_BLOCK_FOUR, gather(board, geometry, BLOCK, enemy, points, 0)
    if capturing and board.counts[TAKE - WIN, colour]:
        return R_CAPTURE, gather(board, geometry, TAKE, colour, points, 0)
    return R_RANDOM, board.numbers[FREE]


@kernel
def allowed(board, geometry, point, colour):
    """Does a restricted opening let `colour` play on the empty `point`?"""
    opening = board.numbers[OPENING]
    if opening > 2 or opening < 0 or opening == 1 or colour:
        return True
    if opening == 0:
        for middle in geometry.middle:
            if middle == point:
                return True
        return False
    row = geometry.game[ROW]
    first = board.numbers[FIRST_STONE]
    return abs(point // row - first // row) > 2 or abs(point % row - first % row) > 2


@kernel
def random_point(board, geometry, colour, random):
    """One of the empty points that the opening allows, each with the same probability."""
    while True:
        point = np.int64(board.free[below(board.numbers[FREE], random)])
        if allowed(board, geometry, point, colour):
            return point


@kernel
def play(board, geometry, point, colour, scratch):
    """Put a stone of `colour` on the empty `point` and remove what it captures."""
    count = 0
    if board.counts[TAKE - WIN, colour]:
        count = taken(board, geometry, point, colour, scratch)
    place(board, point, colour, scratch, count)
    _flip(board, geometry, point, colour)
    for i in range(count):
        _flip(board, geometry, scratch[i], 1 - colour)


@kernel
def place(board, point, colour, captured, count):
    """As `play`, but leave the words as they are; captured[:count] are the stones to remove."""
    numbers, free, slot = board.numbers, board.free, board.slot
    if numbers[OPENING] >= 0:
        if numbers[OPENING] == 0:
            numbers[FIRST_STONE] = point
        numbers[OPENING] = numbers[OPENING] + 1 if numbers[OPENING] % 2 == colour else -1
    numbers[FREE] -= 1
    moved = free[numbers[FREE]]
    free[slot[point]] = moved
    slot[moved] = slot[point]
    board.cells[point] = colour + 1
    for i in range(count):
        slot[captured[i]] = numbers[FREE]
        free[numbers[FREE]] = captured[i]
        numbers[FREE] += 1
        board.cells[captured[i]] = 0
    numbers[FIRST_CAPTURED + colour] += count


@kernel
def _flip(board, geometry, point, colour):
    # Bring the words up to date with a stone put on the point or taken away.
    for a in range(geometry.line_of.shape[1]):
        line = geometry.line_of[point, a]
        bit = 1 << np.int64(geometry.bit_of[point, a])
        if line == geometry.point_at.shape[0] - 1:
            continue
        board.words[line, STONES] ^= bit << (HALF * colour)
        board.words[line, EMPTIES] ^= bit | bit << HALF
        refresh(board, geometry, line)
