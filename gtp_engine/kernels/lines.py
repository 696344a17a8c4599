"""A position as lines: for each of them, how many stones either colour has on it.

Works on any lattice and for rows of any length: a *line* is a set of points that wins when one side
holds all of it.  Colours are 0 and 1, as in `board`, but the board is its own.
"""

from collections import namedtuple

import numpy as np

from . import inlined, kernel
from .bits import lowest_bit
from .board import EXACT, PAIRS, TARGET, TRIPLES, taken

WORD_BITS = 32

# Places in Proof.numbers
(NODES, NODE_LIMIT, STOPPED, FREE, PHI, DELTA, BEST) = range(7)
STATE = 8  # as the first entries of Board.state, for `allowed` and captures
CAPTURED, OPENING, FIRST_STONE = STATE + 1, STATE + 3, STATE + 4
POTENTIAL = 16  # of either colour

Proof = namedtuple(
    "Proof", "points lines rows line_keys lines_at ends worth steps middle game zobrist cells "
    "counts rest threats numbers hash keys values work moves phis deltas promise out other marks "
    "alive sums weights scratch undone before")
Proof.__doc__ = """A position and all that a proof needs; made by `make_proof`.

points    uint16[n], all points
lines     int64[lines, in a row], the points of each line
rows      int64[lines], the same for lines along the same row, which stand one after the other,
          each one point further than the one before
line_keys uint64[lines], random numbers
lines_at  int64[cells, m], the lines through each point, then -1
ends      int64[lines, 2], the cells next to the ends of each line
worth     int64[in a row + 1], by how many stones of a line one has: 2 to that power, 0 for all
steps, middle, game   as in board.Geometry
zobrist   uint64[symmetries, cells * 2 + 64], by point and colour, then by stones captured
cells     uint8[cells], as in board.Board
counts    int64[lines * 2], stones by line and colour
rest      int64[lines], the sum of the empty points of each line
threats   int64[2, words], bit sets of the lines of which a colour has all points but one empty one
numbers   int64[18]: moves made, how many may be, 1 if stopped, empty points, what is found: phi,
          delta and best move; then the first entries of a Board.state; then, for either colour, the
          sum of `worth` over the lines without a stone of the other one
hash      uint64[symmetries], of the position as each symmetry shows it
keys, values, work   uint64[2**n], int64[2**n] and int64[2**n], the table: phi and delta, nodes
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
"""


def make_proof(lattice_points, lines, rows, ends, steps, middle, game, in_a_row, cells, symmetries,
               table_bits: int) -> Proof:
    """An empty board with an empty table of 2**table_bits entries of 24 bytes.

    `lines` are tuples of points, `rows` as in Proof, `ends` the cells before and after each of
    them, `symmetries` arrays int64[cells] that say where each point goes, `cells` the number of
    cells.
    """
    n = len(lattice_points)
    through: list[list[int]] = [[] for _ in range(cells)]
    for number, line in enumerate(lines):
        for point in line:
            through[point].append(number)
    most = max(1, *map(len, through))
    lines_at = np.full((cells, most), -1, np.int64)
    for point, numbers in enumerate(through):
        lines_at[point, :len(numbers)] = numbers
    random = np.random.default_rng(2026).integers(0, 2**64, cells * 2 + 64 + len(lines), np.uint64)
    zobrist = np.array([np.concatenate([random[:cells * 2].reshape(cells, 2)[where].reshape(-1),
                                        random[cells * 2:cells * 2 + 64]]) for where in symmetries])
    words = (len(lines) + WORD_BITS - 1) // WORD_BITS + 1
    worth = np.array([1 << own for own in range(in_a_row)] + [0], np.int64)
    return Proof(
        np.array(lattice_points, np.uint16),
        np.array(lines, np.int64).reshape(len(lines), in_a_row), np.array(rows, np.int64),
        random[-len(lines):], lines_at,
        np.array(ends, np.int64).reshape(-1, 2), worth, np.array(steps, np.int64),
        np.array(middle, np.uint16), np.array(game, np.int64), zobrist,
        np.full(cells, 3, np.uint8), np.zeros(len(lines) * 2, np.int64),
        np.array([sum(line) for line in lines], np.int64), np.zeros((2, words), np.int64),
        np.zeros(18, np.int64), np.zeros(len(symmetries), np.uint64),
        np.zeros(1 << table_bits, np.uint64), np.zeros(1 << table_bits, np.int64),
        np.zeros(1 << table_bits, np.int64), np.zeros((n + 1, n), np.int64),
        np.zeros((n + 1, n), np.int64), np.zeros((n + 1, n), np.int64), np.zeros(n, np.int64),
        np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(cells, np.uint64),
        np.zeros(len(lines), np.int64), np.zeros(cells, np.int64), np.zeros(len(lines), np.int64),
        np.zeros(64, np.int64),
        np.zeros((n + 1, 64), np.int64), np.zeros((n + 1, 3), np.int64))


@kernel
def set_up(proof, cells, first_captured, second_captured, opening, first_stone):
    """Put the stones of `cells` (uint8) on the board, which must be as `make_proof` left it."""
    numbers = proof.numbers
    numbers[POTENTIAL] = numbers[POTENTIAL + 1] = proof.lines.shape[0]
    numbers[CAPTURED], numbers[CAPTURED + 1] = first_captured, second_captured
    numbers[OPENING], numbers[FIRST_STONE] = opening, first_stone
    for s in range(proof.hash.size):
        proof.hash[s] = (proof.zobrist[s, proof.cells.size * 2 + first_captured]
                         ^ proof.zobrist[s, proof.cells.size * 2 + 32 + second_captured])
    for point in proof.points:
        proof.cells[point] = 0
        numbers[FREE] += 1
    for point in proof.points:
        if cells[point]:
            put(proof, np.int64(point), np.int64(cells[point]) - 1)


@kernel
def put(proof, point, colour):
    """Put a stone on an empty point."""
    counts, worth, numbers = proof.counts, proof.worth, proof.numbers
    nearly, enemy = worth.size - 2, 1 - colour
    proof.cells[point] = colour + 1
    numbers[FREE] -= 1
    for i in range(proof.lines_at.shape[1]):
        line = proof.lines_at[point, i]
        if line < 0:
            break
        own, theirs = counts[line * 2 + colour], counts[line * 2 + enemy]
        counts[line * 2 + colour] = own + 1
        proof.rest[line] -= point
        if theirs == 0:
            numbers[POTENTIAL + colour] += worth[own + 1] - worth[own]
            if own + 1 == nearly:
                proof.threats[colour, line >> 5] |= 1 << (line & 31)
            elif own == nearly:
                proof.threats[colour, line >> 5] &= ~(1 << (line & 31))
        if own == 0:
            numbers[POTENTIAL + enemy] -= worth[theirs]
            if theirs == nearly:
                proof.threats[enemy, line >> 5] &= ~(1 << (line & 31))
    for s in range(proof.hash.size):
        proof.hash[s] ^= proof.zobrist[s, point * 2 + colour]


@kernel
def lift(proof, point, colour):
    """Take a stone off the board, the inverse of `put`."""
    counts, worth, numbers = proof.counts, proof.worth, proof.numbers
    nearly, enemy = worth.size - 2, 1 - colour
    proof.cells[point] = 0
    numbers[FREE] += 1
    for i in range(proof.lines_at.shape[1]):
        line = proof.lines_at[point, i]
        if line < 0:
            break
        own, theirs = counts[line * 2 + colour] - 1, counts[line * 2 + enemy]
        counts[line * 2 + colour] = own
        proof.rest[line] += point
        if theirs == 0:
            numbers[POTENTIAL + colour] -= worth[own + 1] - worth[own]
            if own + 1 == nearly:
                proof.threats[colour, line >> 5] &= ~(1 << (line & 31))
            elif own == nearly:
                proof.threats[colour, line >> 5] |= 1 << (line & 31)
        if own == 0:
            numbers[POTENTIAL + enemy] += worth[theirs]
            if theirs == nearly:
                proof.threats[enemy, line >> 5] |= 1 << (line & 31)
    for s in range(proof.hash.size):
        proof.hash[s] ^= proof.zobrist[s, point * 2 + colour]


@kernel
def make(proof, ply, point, colour):
    """Play on the empty `point` as the move of that ply."""
    numbers, before = proof.numbers, proof.before[ply]
    numbers[NODES] += 1
    stones = 0
    if proof.game[PAIRS] | proof.game[TRIPLES]:
        stones = taken(proof.cells, proof.steps, proof.game, point, colour, proof.undone[ply])
    before[0], before[1], before[2] = stones, numbers[OPENING], numbers[FIRST_STONE]
    if numbers[OPENING] >= 0:
        if numbers[OPENING] == 0:
            numbers[FIRST_STONE] = point
        numbers[OPENING] = numbers[OPENING] + 1 if numbers[OPENING] % 2 == colour else -1
    put(proof, point, colour)
    for i in range(stones):
        lift(proof, proof.undone[ply, i], 1 - colour)
    if stones:
        hash_captured(proof, colour, stones)


@kernel
def unmake(proof, ply, point, colour):
    """Take the move of that ply back."""
    before = proof.before[ply]
    if before[0]:
        hash_captured(proof, colour, -before[0])
    for i in range(before[0]):
        put(proof, proof.undone[ply, i], 1 - colour)
    lift(proof, point, colour)
    proof.numbers[OPENING], proof.numbers[FIRST_STONE] = before[1], before[2]


@kernel
def hash_captured(proof, colour, stones):
    """Count stones captured by `colour`, also in the hash."""
    at = proof.cells.size * 2 + 32 * colour
    for s in range(proof.hash.size):
        proof.hash[s] ^= (proof.zobrist[s, at + proof.numbers[CAPTURED + colour]]
                          ^ proof.zobrist[s, at + proof.numbers[CAPTURED + colour] + stones])
    proof.numbers[CAPTURED + colour] += stones


@inlined
def add(out, n, point):
    """Append a point to out[:n] unless it is there; the new length."""
    for i in range(n):
        if out[i] == point:
            return n
    out[n] = point
    return n + 1


@kernel
def wins_at(proof, colour, out):
    """Put the points where `colour` wins at once into `out`; returns their number."""
    n = 0
    own = colour + 1
    for word in range(proof.threats.shape[1]):
        bits = proof.threats[colour, word]
        while bits:
            line = word * WORD_BITS + lowest_bit(bits)
            bits &= bits - 1
            if not proof.game[EXACT] or (proof.cells[proof.ends[line, 0]] != own
                                         and proof.cells[proof.ends[line, 1]] != own):
                n = add(out, n, proof.rest[line])
    missing = proof.game[TARGET] - proof.numbers[CAPTURED + colour]
    if proof.game[TARGET] and missing <= 24:
        for each in proof.points:
            point = np.int64(each)
            if proof.cells[point] == 0 and taken(
                    proof.cells, proof.steps, proof.game, point, colour, proof.scratch) >= missing:
                n = add(out, n, point)
    return n
