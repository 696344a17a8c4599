"""A position for the kernels: stones as bits of lines, with incrementally updated points.

Colours are 0 (first) and 1 (second) here.  A *word* holds a property of the points of one line: bit
i is the i-th point for colour 0, bit 32 + i for colour 1.  A line has at most 25 points, so a
shift by up to five points never carries a bit onto a point of the other colour.

Playouts take their arrays as separate arguments, which keeps the pointers in registers.
"""

from collections import namedtuple

import numpy as np

from .. import Arrays, Call, inlined, kernel, zeros
from ..bits import lowest_bit
from ..rules import (
    CAPTURED,
    CARO,
    CENTRE,
    EXACT,
    FIRST_STONE,
    FREE,
    OPENING,
    PAIRS,
    RENJU,
    TRIPLES,
    taken,
)
from ..windows import sides, windows

HALF = 32
HALF_MASK = 0xFFFFFFFF

# Columns of a line's words.  From WIN on they are kinds of points, derived from the first two:
# points where a stone wins, makes an open four, stops the opponent's open four, captures.
STONES, EMPTIES, WIN, OPEN_FOUR, BLOCK, TAKE = range(6)
KINDS = 4
COLUMNS = 8  # one cache line

# Offsets in Board.state after the numbers of kernels.rules.  COUNTS: for each kind and colour, the
# number of lines with such a point.  ACTIVE: for each kind, the bit sets of the lines with such a
# point for either colour.  WORDS: the words of all lines.
COUNTS, ACTIVE, WORDS = 8, 16, 40
LINES_PER_SET, SETS = 32, 5  # lines per bit set, and bit sets; 25 x 25 has 137 lines

_Geometry = namedtuple("_Geometry", "points places point_at steps middle game sides windows")


class Geometry(Arrays, _Geometry):
    """The lines of a lattice and the rules of a game; five in a row wins.

    points    uint16[n], all points
    places    uint16[cells, axes], 32 times the line through a point, plus the point's index in it;
              the last line stands for all that are too short
    point_at  uint16[lines * 32], the inverse of `places`
    steps     int64[2 * axes], the cell distances of all directions, forward ones first
    middle    uint16[1 to 4], the points nearest to the centre
    game      int64[9], see kernels.rules
    sides, windows   the tables of kernels.windows; empty in games without forbidden points
    """


_Board = namedtuple("_Board", "state cells free slot mark")


class Board(Arrays, _Board):
    """A position, changed in place; see `make_board`.

    state  int64: the numbers of kernels.rules, then COUNTS, ACTIVE and WORDS
    cells  uint8[cells]: 0 empty, 1 first, 2 second, 3 border
    free   uint16[n], the empty points in any order; their number is state[FREE]
    slot   uint16[cells], the index of each empty point in `free`
    mark   int64[cells], scratch for `gather`: marked points hold mark[0]
    """


def make_geometry(points, axes, cells, row, middle, game) -> Geometry:
    """Create the arrays of a lattice with `cells` cells, `row` of them in a row.

    `game` has the entries of kernels.rules without the last one.  Lines too short for a row of
    five, or for a capture in games with captures, are left out.
    """
    on_board = set(points)
    shortest = 4 if game[PAIRS] or game[TRIPLES] else 5
    lines = []
    for a, axis in enumerate(axes):
        for point in points:
            if point - axis not in on_board:
                line = [point]
                while line[-1] + axis in on_board:
                    line.append(line[-1] + axis)
                if len(line) >= shortest:
                    lines.append((a, line))
    places = np.full((cells, len(axes)), len(lines) * HALF, np.uint16)
    point_at = np.zeros((len(lines) + 1, HALF), np.uint16)
    for number, (a, line) in enumerate(lines):
        places[line, a] = [number * HALF + bit for bit in range(len(line))]
        point_at[number, :len(line)] = line
    return Geometry(points=np.array(points, np.uint16), places=places,
                    point_at=point_at.reshape(-1),
                    steps=np.array([*axes, *(-axis for axis in axes)], np.int64),
                    middle=np.array(middle, np.uint16), game=np.array([*game, row], np.int64),
                    sides=sides()[:None if game[RENJU] else 0],
                    windows=windows()[:None if game[RENJU] else 0])


def make_board(geometry: Geometry, cells=None, captured=(0, 0, 0), opening=-1,
               first_stone=0) -> Board:
    """Create a position from `cells`, uint8 as in Board; without them, a board to `copy` onto.

    captured     stones captured by colours 1 and 2, at index 1 and 2
    opening      plies of an opening that may be restricted, or -1
    first_stone  the point of its first stone
    """
    size = len(geometry.places)
    board = Board(state=zeros(WORDS + geometry.point_at.size // HALF * COLUMNS, np.int64),
                  cells=zeros(size, np.uint8), free=zeros(len(geometry.points), np.uint16),
                  slot=zeros(size, np.uint16), mark=zeros(size, np.int64))
    if cells is not None:
        board.cells[:] = cells
        board.state[CAPTURED:CAPTURED + 2] = captured[1:]
        board.state[OPENING] = opening if geometry.game[CENTRE] else -1
        board.state[FIRST_STONE] = first_stone
        _fill(*board[:4], geometry.points, geometry.places, geometry.game)
    return board


def calls_of_board(geometry: Geometry) -> list[Call]:
    """The kernel calls of `make_board`, for `load`."""
    board = make_board(geometry)
    return [Call(_fill, (*board[:4], geometry.points, geometry.places, geometry.game))]


@kernel
def _fill(state, cells, free, slot, points, places, game):
    # Derive the empty points and the words of a new board from its cells.
    for point in points:
        if cells[point] == 0:
            slot[point] = state[FREE]
            free[state[FREE]] = point
            state[FREE] += 1
        for a in range(places.shape[1]):
            place = np.int64(places[point, a])
            word = WORDS + place // HALF * COLUMNS
            bit = 1 << (place % HALF)
            if cells[point] == 0:
                state[word + EMPTIES] |= bit | bit << HALF
            else:
                state[word + STONES] |= bit << (HALF * (np.int64(cells[point]) - 1))
    for line in range((state.size - WORDS) // COLUMNS - 1):
        refresh(state, game, line)
    state[state.size - COLUMNS:] = 0


@kernel
def copy(state, cells, free, slot, source_state, source_cells, source_free, source_slot):
    """Copy a board of the same geometry."""
    for i in range(state.size):
        state[i] = source_state[i]
    for i in range(cells.size):
        cells[i] = source_cells[i]
    for i in range(slot.size):
        slot[i] = source_slot[i]
    for i in range(free.size):
        free[i] = source_free[i]


@inlined
def refresh(state, game, line):
    """Derive the points of every kind on a line from its stones and empty points."""
    stones, empty = state[WORDS + line * COLUMNS + STONES], state[WORDS + line * COLUMNS + EMPTIES]
    # r3: the next three points hold stones of the colour; l3: the three points before do.
    r1, l1 = stones >> 1, stones << 1
    r2, l2 = r1 & (stones >> 2), l1 & (stones << 2)
    r3, l3 = r2 & (stones >> 3), l2 & (stones << 3)
    r4, l4 = r3 & (stones >> 4), l3 & (stones << 4)
    # Points that make an open four of three stones, by the number of those before the point.
    four0 = empty & r3 & empty << 1 & empty >> 4
    four1 = empty & l1 & r2 & empty << 2 & empty >> 3
    four2 = empty & l2 & r1 & empty << 3 & empty >> 2
    four3 = empty & l3 & empty << 4 & empty >> 1
    if game[CARO] | game[RENJU]:
        other = (stones >> HALF & HALF_MASK) | (stones & HALF_MASK) << HALF
        longer, shut = stones * game[EXACT], other * game[CARO]
        if game[RENJU]:
            longer &= HALF_MASK
        win = empty & (
            r4 & ~(longer << 1 | longer >> 5 | shut << 1 & shut >> 5)
            | l1 & r3 & ~(longer << 2 | longer >> 4 | shut << 2 & shut >> 4)
            | l2 & r2 & ~(longer << 3 | longer >> 3 | shut << 3 & shut >> 3)
            | l3 & r1 & ~(longer << 4 | longer >> 2 | shut << 4 & shut >> 2)
            | l4 & ~(longer << 5 | longer >> 1 | shut << 5 & shut >> 1))
        # Caro: with an opponent's stone beyond one gap, a stone in the other gap stops both fives.
        ends = longer | shut
        four0 &= ~(ends << 2 | ends >> 5)
        four1 &= ~(ends << 3 | ends >> 4)
        four2 &= ~(ends << 4 | ends >> 3)
        four3 &= ~(ends << 5 | ends >> 2)
    elif game[EXACT]:
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
    _store(state, line, WIN, win)
    _store(state, line, OPEN_FOUR, four0 | four1 | four2 | four3)
    _store(state, line, BLOCK, block_of(four0, four1, four2, four3))
    if game[PAIRS] | game[TRIPLES]:
        other = (stones >> HALF & HALF_MASK) | (stones & HALF_MASK) << HALF
        pair_after, pair_before = other >> 1 & other >> 2, other << 1 & other << 2
        take = 0
        if game[PAIRS]:
            take |= pair_after & stones >> 3 | pair_before & stones << 3
        if game[TRIPLES]:
            take |= (pair_after & other >> 3 & stones >> 4
                     | pair_before & other << 3 & stones << 4)
        _store(state, line, TAKE, take & empty)


@inlined
def block_of(four0, four1, four2, four3):
    """The points that stop the open fours `four0` to `four3` of `refresh`."""
    # Three in a row with room on both sides are one group; its two far ends do not stop it.
    return (four0 | four0 << 4 | (four0 & ~(four3 >> 4)) >> 1
            | four3 | four3 >> 4 | (four3 & ~(four0 << 4)) << 1
            | four1 | four1 >> 2 | four1 << 3
            | four2 | four2 >> 3 | four2 << 2)


@inlined
def _store(state, line, column, word):
    if state[WORDS + line * COLUMNS + column] != word:
        _change(state, line, column, word)


@inlined
def _change(state, line, column, word):
    at = WORDS + line * COLUMNS + column
    old = state[at]
    state[at] = word
    kind = column - WIN
    state[COUNTS + 2 * kind] += (
        np.int64((word & HALF_MASK) != 0) - np.int64((old & HALF_MASK) != 0))
    state[COUNTS + 2 * kind + 1] += (
        np.int64((word >> HALF) != 0) - np.int64((old >> HALF) != 0))
    bit = 1 << (line & LINES_PER_SET - 1)
    if word == 0:
        state[ACTIVE + SETS * kind + (line >> 5)] &= ~bit
    else:
        state[ACTIVE + SETS * kind + (line >> 5)] |= bit


@inlined
def save_kinds(state, places, point, saved):
    """Save the words of all kinds on the lines through a point in `saved`, int64[KINDS * axes]."""
    for a in range(places.shape[1]):
        word = WORDS + (np.int64(places[point, a]) >> 5) * COLUMNS + WIN
        for kind in range(KINDS):
            saved[KINDS * a + kind] = state[word + kind]


@inlined
def lift(state, places, point, colour, saved):
    """Update the words after a stone was removed; `saved` are those from before it was placed."""
    for a in range(places.shape[1]):
        line = np.int64(places[point, a]) >> 5
        if WORDS + line * COLUMNS == state.size - COLUMNS:
            continue
        toggle(state, np.int64(places[point, a]), colour)
        for kind in range(KINDS):
            _store(state, line, WIN + kind, saved[KINDS * a + kind])


@inlined
def count(state, column, colour):
    """The number of lines with a point of the kind `column` for `colour`."""
    return state[COUNTS + 2 * (column - WIN) + colour]


@kernel
def gather(state, mark, point_at, column, colour, out, n):
    """Append the unmarked points of a kind for a colour to out[:n]; returns the new length.

    Each point is appended once, and then marked.
    """
    for i in range(SETS):
        lines = state[ACTIVE + SETS * (column - WIN) + i]
        while lines:
            line = i * LINES_PER_SET + lowest_bit(lines)
            lines &= lines - 1
            bits = state[WORDS + line * COLUMNS + column] >> (HALF * colour) & HALF_MASK
            while bits:
                point = point_at[line * HALF + lowest_bit(bits)]
                bits &= bits - 1
                if mark[point] != mark[0]:
                    mark[point] = mark[0]
                    out[n] = point
                    n += 1
    return n


@inlined
def place(state, cells, free, slot, point, colour, captured, stones):
    """Play on the empty `point` and remove captured[:stones]; the words are not updated."""
    if state[OPENING] >= 0:
        if state[OPENING] == 0:
            state[FIRST_STONE] = point
        state[OPENING] = state[OPENING] + 1 if state[OPENING] % 2 == colour else -1
    last = state[FREE] - 1
    state[FREE] = last + stones
    moved = free[last]
    free[slot[point]] = moved
    slot[moved] = slot[point]
    cells[point] = colour + 1
    for i in range(stones):
        slot[captured[i]] = last + i
        free[last + i] = captured[i]
        cells[captured[i]] = 0
    state[CAPTURED + colour] += stones


@inlined
def play(state, cells, free, slot, places, steps, game, point, colour, scratch):
    """Put a stone of `colour` on the empty `point` and remove the stones that it captures."""
    stones = 0
    if count(state, TAKE, colour):
        stones = taken(cells, steps, game, point, colour, scratch)
    place(state, cells, free, slot, point, colour, scratch, stones)
    _flip(state, places, game, point, colour)
    for i in range(stones):
        flip(state, places, game, scratch[i], 1 - colour)


@kernel
def flip(state, places, game, point, colour):
    """Update the words after a stone was placed on `point` or removed."""
    _flip(state, places, game, point, colour)


@inlined
def _flip(state, places, game, point, colour):
    for a in range(places.shape[1]):
        line = np.int64(places[point, a]) >> 5
        if WORDS + line * COLUMNS == state.size - COLUMNS:
            continue
        toggle(state, np.int64(places[point, a]), colour)
        refresh(state, game, line)


@inlined
def toggle(state, place, colour):
    """Add a stone at a place of a line to the line's words, or remove it."""
    word, bit = WORDS + (place >> 5) * COLUMNS, 1 << (place & HALF - 1)
    state[word + STONES] ^= bit << (HALF * colour)
    state[word + EMPTIES] ^= bit | bit << HALF
