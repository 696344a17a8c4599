"""A position as lines: for each of them, how many stones either colour has on it.

Works on any lattice and for rows of any length: a *line* is a set of points that wins when one side
holds all of it.  Colours are 0 and 1, as in `board`, but the board is its own.
"""

from collections import namedtuple

import numpy as np

from . import inlined, kernel
from .bits import lowest_bit
from .board import CARO, EXACT, PAIRS, TARGET, TRIPLES, taken
from .node import AGE, NODES

# Places in Tally.numbers after those that it shares with Search.numbers
FREE, PHI, DELTA, ATTACKER_WIDTH, THREATS = range(AGE + 1, AGE + 6)
STATE = AGE + 6  # as the first entries of Board.state, for `allowed` and captures
CAPTURED, OPENING, FIRST_STONE = STATE + 1, STATE + 3, STATE + 4
POTENTIAL = STATE + 8  # of either colour

MOST_THREATS = 33  # so many threats, each answered, and one more stone that wins
FAILED = 1 << 16  # more would not fit into the cache of a processor

Tally = namedtuple(
    "Tally", "points lines rows line_keys lines_at degree ends worth step steps middle game "
    "zobrist cells state rest sets numbers hash keys entries work failed moves phis deltas promise "
    "out other marks alive sums weights scratch undone before pairs tried")
Tally.__doc__ = """A position and all that a search of it needs; made by `make_tally`.

A line is in the state a + b * (in a row + 1) if the colours have a and b stones on it.

points    uint16[n], all points
lines     int64[lines, in a row], the points of each line
rows      int64[lines], the same for lines along the same row, which stand one after the other,
          each one point further than the one before
line_keys uint64[lines], random numbers
lines_at  int64[cells, m], the lines through each point, as many as degree int64[cells] says
ends      int64[lines, 2], the cells next to the ends of each line
worth     int64[states * 2], what a line is worth for either colour: 2 to the power of its stones
          there, 0 if the enemy has a stone on it or none of its points is empty
step      int64[2], what a stone of either colour adds to the state of a line
steps, middle, game   as in board.Geometry
zobrist   uint64[cells * 2 + 64, symmetries], by point and colour, then by stones captured
cells     uint8[cells], as in board.Board
state     int64[lines], the state of each line
rest      int64[lines], the sum of the empty points of each line
sets      int64[states, words], bit sets of the lines in each state
numbers   int64[n], as in Search; then the number of empty points; phi and delta that were found;
          how many moves an attacker may try where nothing forces him, 0 for all; how many nodes
          searches for threats had; then the first entries of a Board.state; then, for either
          colour, the sum of `worth` over the lines
hash      uint64[symmetries], of the position as each symmetry shows it
keys, entries, work   uint64[2**n], int64[2**n] and int64[2**n], the table of positions; of a proof,
          phi and delta, and how many nodes it took to find them
failed    uint64[FAILED], positions in which threats do not win
moves, phis, deltas   int64[n + 1, n], of each ply
promise   int64[n], scratch
marks     uint64[cells], scratch: the exclusive or of the keys of lines through a point
alive     int64[lines], scratch: lines
sums      int64[cells], scratch
weights   int64[lines], scratch
out, other   int64[n], scratch: winning points
scratch   int64[64], scratch
undone    int64[n + 1, 64], stones captured by the move of each ply
before    int64[n + 1, 3], number of those, OPENING and FIRST_STONE before the move
pairs     int64[MOST_THREATS, lines * 2, 2], threats and answers to them, of each depth
tried     int64[MOST_THREATS, 2], how many pairs there are and how many of them were tried
"""


def make_tally(lattice_points, lines, rows, ends, steps, middle, game, in_a_row, cells, symmetries,
               table_bits: int) -> Tally:
    """An empty board with an empty table of 2**table_bits entries of 24 bytes.

    `lines` are tuples of points, `rows` as in Tally, `ends` the cells before and after each of
    them, `symmetries` arrays int64[cells] that say where each point goes, `cells` the number of
    cells.
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
        sets[0, line // 64] |= np.int64(1) << np.int64(line % 64)
    numbers = np.zeros(POTENTIAL + 2, np.int64)
    numbers[FREE], numbers[POTENTIAL:] = n, len(lines)
    empty = np.full(cells, 3, np.uint8)
    empty[list(lattice_points)] = 0
    return Tally(
        np.array(lattice_points, np.uint16),
        np.array(lines, np.int64).reshape(len(lines), in_a_row), np.array(rows, np.int64),
        random[-len(lines):], lines_at, np.array(list(map(len, through)), np.int64),
        np.array(ends, np.int64).reshape(-1, 2), worth.reshape(-1), np.array([1, unit], np.int64),
        np.array(steps, np.int64), np.array(middle, np.uint16), np.array(game, np.int64),
        np.ascontiguousarray(zobrist.T), empty,
        np.zeros(len(lines), np.int64), np.array([sum(line) for line in lines], np.int64), sets,
        numbers, np.zeros(len(symmetries), np.uint64),
        np.zeros(1 << table_bits, np.uint64), np.zeros(1 << table_bits, np.int64),
        np.zeros(1 << table_bits, np.int64), np.zeros(FAILED, np.uint64),
        np.zeros((n + 1, n), np.int64), np.zeros((n + 1, n), np.int64),
        np.zeros((n + 1, n), np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64),
        np.zeros(n, np.int64), np.zeros(cells, np.uint64), np.zeros(len(lines), np.int64),
        np.zeros(cells, np.int64), np.zeros(len(lines), np.int64), np.zeros(64, np.int64),
        np.zeros((n + 1, 64), np.int64), np.zeros((n + 1, 3), np.int64),
        np.zeros((MOST_THREATS, 2 * len(lines), 2), np.int64),
        np.zeros((MOST_THREATS, 2), np.int64))


@kernel
def set_up(tally, cells, first_captured, second_captured, opening, first_stone):
    """Put the stones of `cells` (uint8) on the board in place of those that stand there."""
    numbers = tally.numbers
    for each in tally.points:
        point = np.int64(each)
        if tally.cells[point]:
            lift(tally, point, np.int64(tally.cells[point]) - 1)
    numbers[CAPTURED], numbers[CAPTURED + 1] = first_captured, second_captured
    numbers[OPENING], numbers[FIRST_STONE] = opening, first_stone
    captured = tally.cells.size * 2
    for s in range(tally.hash.size):
        tally.hash[s] = (tally.zobrist[captured + first_captured, s]
                         ^ tally.zobrist[captured + 32 + second_captured, s])
    for each in tally.points:
        point = np.int64(each)
        if cells[point]:
            put(tally, point, np.int64(cells[point]) - 1)


@inlined
def turn(tally, point, step, sign):
    """Count a stone whose `step` this is on the lines through `point`, or count it no more.

    `sign` is 1 to put it there, -1 to lift it.
    """
    state, sets, rest = tally.state, tally.sets, tally.rest
    for i in range(tally.degree[point]):
        line = tally.lines_at[point, i]
        word, bit, now = line >> 6, np.int64(1) << (line & 63), state[line]
        sets[now, word] ^= bit
        now += sign * step
        sets[now, word] ^= bit
        state[line] = now
        rest[line] -= sign * point


@inlined
def change(tally, point, colour, sign):
    # All that a stone changes but its cell.
    numbers, worth = tally.numbers, tally.worth
    numbers[FREE] -= sign
    first, second = np.int64(0), np.int64(0)
    for i in range(tally.degree[point]):
        at = tally.state[tally.lines_at[point, i]] * 2
        first -= worth[at]
        second -= worth[at + 1]
    turn(tally, point, tally.step[colour], sign)
    for i in range(tally.degree[point]):
        at = tally.state[tally.lines_at[point, i]] * 2
        first += worth[at]
        second += worth[at + 1]
    numbers[POTENTIAL] += first
    numbers[POTENTIAL + 1] += second
    at = point * 2 + colour
    for s in range(tally.hash.size):
        tally.hash[s] ^= tally.zobrist[at, s]


@kernel
def put(tally, point, colour):
    """Put a stone on an empty point."""
    tally.cells[point] = colour + 1
    change(tally, point, colour, 1)


@kernel
def lift(tally, point, colour):
    """Take a stone off the board, the inverse of `put`."""
    tally.cells[point] = 0
    change(tally, point, colour, -1)


@kernel
def make(tally, ply, point, colour):
    """Play on the empty `point` as the move of that ply."""
    numbers, before = tally.numbers, tally.before[ply]
    numbers[NODES] += 1
    stones = 0
    if tally.game[PAIRS] | tally.game[TRIPLES]:
        stones = taken(tally.cells, tally.steps, tally.game, point, colour, tally.undone[ply])
    before[0], before[1], before[2] = stones, numbers[OPENING], numbers[FIRST_STONE]
    if numbers[OPENING] >= 0:
        if numbers[OPENING] == 0:
            numbers[FIRST_STONE] = point
        numbers[OPENING] = numbers[OPENING] + 1 if numbers[OPENING] % 2 == colour else -1
    put(tally, point, colour)
    for i in range(stones):
        lift(tally, tally.undone[ply, i], 1 - colour)
    if stones:
        hash_captured(tally, colour, stones)


@kernel
def unmake(tally, ply, point, colour):
    """Take the move of that ply back."""
    before = tally.before[ply]
    if before[0]:
        hash_captured(tally, colour, -before[0])
    for i in range(before[0]):
        put(tally, tally.undone[ply, i], 1 - colour)
    lift(tally, point, colour)
    tally.numbers[OPENING], tally.numbers[FIRST_STONE] = before[1], before[2]


@kernel
def hash_captured(tally, colour, stones):
    """Count stones captured by `colour`, also in the hash."""
    at = tally.cells.size * 2 + 32 * colour
    for s in range(tally.hash.size):
        tally.hash[s] ^= (tally.zobrist[at + tally.numbers[CAPTURED + colour], s]
                          ^ tally.zobrist[at + tally.numbers[CAPTURED + colour] + stones, s])
    tally.numbers[CAPTURED + colour] += stones


@inlined
def add(out, n, point):
    """Append a point to out[:n] unless it is there; the new length."""
    for i in range(n):
        if out[i] == point:
            return n
    out[n] = point
    return n + 1


@kernel
def wins_at(tally, colour, out):
    """Put the points where `colour` wins at once into `out`; returns their number."""
    n = 0
    own = colour + 1
    nearly = (tally.lines.shape[1] - 1) * tally.step[colour]
    for word in range(tally.sets.shape[1]):
        bits = tally.sets[nearly, word]
        while bits:
            line = word * 64 + lowest_bit(bits)
            bits &= bits - 1
            before, after = tally.cells[tally.ends[line, 0]], tally.cells[tally.ends[line, 1]]
            if not (tally.game[EXACT] and (before == own or after == own)
                    or tally.game[CARO] and before == after == 3 - own):
                n = add(out, n, tally.rest[line])
    missing = tally.game[TARGET] - tally.numbers[CAPTURED + colour]
    if tally.game[TARGET] and missing <= 24:
        for each in tally.points:
            point = np.int64(each)
            if tally.cells[point] == 0 and taken(
                    tally.cells, tally.steps, tally.game, point, colour, tally.scratch) >= missing:
                n = add(out, n, point)
    return n
