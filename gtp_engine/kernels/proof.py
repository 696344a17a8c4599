"""Proofs by proof numbers: can one side force a win?

Works on any lattice and for rows of any length: a *line* is a set of points that wins when one side
holds all of it.  Colours are 0 and 1, as in `board`, but the board is its own: for each line, the
number of stones of either colour.

A position is asked one question: does the attacker win, whatever the defender does?  The search is
depth-first proof-number search (df-pn, Nagai 2002), which needs little more than a table.  It takes
the side of whoever is to move: `phi` is how hard it is for him to succeed (0: done), `delta` how
hard for the other one, INFINITE once the other one never can.
"""

from collections import namedtuple

import numpy as np

from . import inlined, kernel
from .bits import lowest_bit
from .board import EXACT, PAIRS, TARGET, TRIPLES, allowed, taken

INFINITE = 1 << 30
BUCKET = 4
ASIDE = 4  # in Proof.cells, while pairs are tried
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
    for i in range(proof.lines.shape[0]):
        numbers[POTENTIAL] += 1
        numbers[POTENTIAL + 1] += 1
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
            if proof.game[EXACT] and (proof.cells[proof.ends[line, 0]] == own
                                      or proof.cells[proof.ends[line, 1]] == own):
                continue
            point = proof.rest[line]
            known = False
            for i in range(n):
                known |= out[i] == point
            if not known:
                out[n] = point
                n += 1
    missing = proof.game[TARGET] - proof.numbers[CAPTURED + colour]
    if proof.game[TARGET] and missing <= 24:
        for point in proof.points:
            if proof.cells[point] == 0 and taken(
                    proof.cells, proof.steps, proof.game, np.int64(point), colour,
                    proof.scratch) >= missing:
                known = False
                for i in range(n):
                    known |= out[i] == point
                if not known:
                    out[n] = point
                    n += 1
    return n


@kernel
def potential(proof, point, colour):
    """By how much a stone on the empty point adds to the potential of a colour."""
    value = 0
    for i in range(proof.lines_at.shape[1]):
        line = proof.lines_at[point, i]
        if line < 0:
            break
        if proof.counts[line * 2 + 1 - colour] == 0:
            value += proof.worth[proof.counts[line * 2 + colour]]
    return value


@inlined
def result(proof, phi, delta):
    """Report phi and delta."""
    proof.numbers[PHI], proof.numbers[DELTA] = phi, delta


@kernel
def danger_of(proof, mover, attacker, danger):
    """How near the attacker is, without looking ahead; below 2**in_a_row the defender holds.

    `danger` is not 0 if the enemy of the mover, who cannot win at once, could on proof.other[0].
    For a game without captures.  A defender to move holds if the sum of 2**-empty over the lines
    without a stone of his is below 1 (Erdos and Selfridge 1973), that is, the potential below
    2**in_a_row.  Before that he sets pairs of points aside, on one of which he answers when the
    attacker plays on the other: a line through both does not count, and of another line through
    one of them the attacker may be taken to own that point already.
    """
    most = np.int64(1) << (proof.worth.size - 1)
    value = proof.numbers[POTENTIAL + attacker]
    if mover != attacker and value < most or value >= 8 * most:
        return value
    n = pair_for_nothing(proof, open_lines(proof, attacker))
    value, largest = np.int64(0), np.int64(0)
    for i in range(n):
        value += proof.weights[proof.alive[i]]
    while True:
        largest = add_up(proof, n, mover == attacker, danger)
        if value + largest < most or 2 * value > 3 * most:
            break
        gain, first, second = best_pair(proof, n)
        if gain == 0:
            break
        value -= gain
        n = set_aside(proof, n, first, second)
    for i in range(n):
        proof.weights[proof.alive[i]] = 0
    for point in proof.points:
        if proof.cells[point] == ASIDE:
            proof.cells[point] = 0
    return value + largest


@kernel
def open_lines(proof, attacker):
    """List the lines that the attacker can complete in `alive`; returns their number.

    Their worth is in `weights`, and `marks` holds for each point which of them go through it.
    """
    for point in proof.points:
        proof.marks[point] = 0
    n = 0
    for line in range(proof.lines.shape[0]):
        worth = proof.worth[proof.counts[line * 2 + attacker]]
        if worth and proof.counts[line * 2 + 1 - attacker] == 0:
            proof.alive[n] = line
            proof.weights[line] = worth
            n += 1
            for i in range(proof.lines.shape[1]):
                proof.marks[proof.lines[line, i]] ^= proof.line_keys[line]
    return n


@kernel
def pair_for_nothing(proof, n):
    """Drop lines from alive[:n] that two empty points are on, and no other lines; what is left.

    Such a pair takes nothing from any other line, and dropping lines makes new such pairs.
    """
    lines, marks, length = proof.lines, proof.marks, proof.lines.shape[1]
    i = 0
    while i < n:
        line, shared = proof.alive[i], np.int64(-1)
        for j in range(1, length):
            if proof.cells[lines[line, j]] == 0:
                for k in range(j):
                    if (marks[lines[line, k]] == marks[lines[line, j]]
                            and proof.cells[lines[line, k]] == 0):
                        shared = lines[line, j]
        if shared < 0:
            i += 1
            continue
        i = k = 0
        while k < n:
            other = proof.alive[k]
            if passes(lines, other, shared, shared):
                for j in range(length):
                    marks[lines[other, j]] ^= proof.line_keys[other]
                proof.weights[other] = 0
                n -= 1
                proof.alive[k] = proof.alive[n]
            else:
                k += 1
    return n


@inlined
def passes(lines, line, first, second):
    """On how many of two points is a line; twice as many if they are one and the same."""
    on = 0
    for i in range(lines.shape[1]):
        on += (lines[line, i] == first) + (lines[line, i] == second)
    return on


@kernel
def add_up(proof, n, attacking, danger):
    """Put what the lines alive[:n] through each point are worth into `sums`.

    Returns the most that the attacker, if it is to move, adds with one stone.
    """
    lines, sums, largest = proof.lines, proof.sums, np.int64(0)
    for i in range(n):
        for j in range(lines.shape[1]):
            sums[lines[proof.alive[i], j]] = 0
    for i in range(n):
        for j in range(lines.shape[1]):
            point = lines[proof.alive[i], j]
            sums[point] += proof.weights[proof.alive[i]]
            if (attacking and proof.cells[point] == 0
                    and (not danger or point == proof.other[0])):
                largest = max(largest, sums[point])
    return largest


@kernel
def best_pair(proof, n):
    """The pair of points to set aside that lessens the potential most: (by how much, points).

    A line through both is gone, one through one of them counts twice.
    """
    lines, rows, sums, length = proof.lines, proof.rows, proof.sums, proof.lines.shape[1]
    gain, first, second = np.int64(0), np.int64(0), np.int64(0)
    for i in range(n):
        line = proof.alive[i]
        for j in range(1, length):
            a = lines[line, j]
            if proof.cells[a]:
                continue
            for k in range(j):
                b = lines[line, k]
                if proof.cells[b]:
                    continue
                both = np.int64(0)
                for other in range(line + j - length + 1, line + k + 1):
                    if 0 <= other < rows.size and rows[other] == rows[line]:
                        both += proof.weights[other]
                if 3 * both - sums[a] - sums[b] > gain:
                    gain, first, second = 3 * both - sums[a] - sums[b], a, b
    return gain, first, second


@kernel
def set_aside(proof, n, first, second):
    """Let the defender answer on one of two points when the attacker plays on the other.

    Returns how many lines are left in `alive`.
    """
    k = 0
    while k < n:
        line = proof.alive[k]
        on = passes(proof.lines, line, first, second)
        if on == 2:
            proof.weights[line] = 0
            n -= 1
            proof.alive[k] = proof.alive[n]
        else:
            proof.weights[line] <<= on
            k += 1
    proof.cells[first] = proof.cells[second] = ASIDE
    return n


@kernel
def examine(proof, mover, attacker):
    """Judge a position without looking ahead: phi and delta are in numbers afterwards.

    """
    numbers, enemy = proof.numbers, 1 - mover
    capturing = proof.game[TARGET] > 0
    most = np.int64(1) << (proof.worth.size - 1)
    if wins_at(proof, mover, proof.out):
        result(proof, 0, INFINITE)
        return
    danger = wins_at(proof, enemy, proof.other)
    if danger > 1 and not capturing:
        result(proof, INFINITE, 0)
        return
    if numbers[FREE] == 0:
        if mover == attacker:
            result(proof, INFINITE, 0)
        else:
            result(proof, 0, INFINITE)
        return
    hard = np.int64(0)
    if not capturing:
        hard = danger_of(proof, mover, attacker, danger)
        if hard < most:
            if mover == attacker:
                result(proof, INFINITE, 0)
            else:
                result(proof, 0, INFINITE)
            return
    hard = 1 + hard * 64 // most
    if mover == attacker:
        result(proof, 1, hard)
    else:
        result(proof, hard, 1)


@kernel
def canonical(proof, mover, attacker):
    """The key of the position, the same for all that its symmetries show."""
    least = proof.hash[0]
    for s in range(1, proof.hash.size):
        least = min(least, proof.hash[s])
    return least ^ np.uint64(0x9E3779B97F4A7C15 * (2 * attacker + mover))


@kernel
def look_up(proof, key):
    """Put phi and delta of a position in the table into numbers; returns whether it is there."""
    slot = np.int64(key & np.uint64(proof.keys.size - BUCKET))
    for i in range(slot, slot + BUCKET):
        if proof.keys[i] == key:
            result(proof, proof.values[i] >> 32, proof.values[i] & 0xFFFFFFFF)
            return True
    return False


@kernel
def store(proof, key, phi, delta, nodes):
    """Put a position into the table, instead of the one that took the fewest nodes."""
    slot = np.int64(key & np.uint64(proof.keys.size - BUCKET))
    least = slot
    for i in range(slot, slot + BUCKET):
        if proof.keys[i] == key:
            least = np.int64(i)
            nodes += proof.work[i]
            break
        if proof.work[i] < proof.work[least]:
            least = np.int64(i)
    proof.keys[least] = key
    proof.values[least] = phi << 32 | delta
    proof.work[least] = nodes


@kernel
def generate(proof, ply, mover):
    """Put the moves that may matter into moves[ply], the most promising first; their number.

    A point that lies on no line that either side can still complete does not matter; of points
    that lie on the same of these lines, one does.
    """
    moves, promise, marks = proof.moves[ply], proof.promise, proof.marks
    capturing = proof.game[TARGET] > 0
    if not capturing and wins_at(proof, 1 - mover, moves):
        return 1
    n = 0
    for each in proof.points:
        point = np.int64(each)
        if proof.cells[point]:
            continue
        value, mark = np.int64(0), np.uint64(0)
        for i in range(proof.lines_at.shape[1]):
            line = proof.lines_at[point, i]
            if line < 0:
                break
            for colour in range(2):
                own = proof.counts[line * 2 + colour]
                if proof.counts[line * 2 + 1 - colour] == 0 and proof.worth[own]:
                    value += proof.worth[own]
                    mark ^= proof.line_keys[line] * np.uint64(2 * colour + 1)
        if capturing:
            if not allowed(proof.numbers[STATE:], proof.middle, proof.game, point, mover):
                continue
        elif value == 0:
            continue
        i = n
        known = False
        while i > 0 and promise[i - 1] <= value:
            i -= 1
            known |= promise[i] == value and marks[moves[i]] == mark
        if known and not capturing and not proof.game[EXACT]:
            continue
        i = n
        while i > 0 and promise[i - 1] < value:
            promise[i], moves[i] = promise[i - 1], moves[i - 1]
            i -= 1
        promise[i], moves[i], marks[point] = value, point, mark
        n += 1
    return n


@kernel
def prove(proof, stop, mover, attacker, ply, phi_limit, delta_limit):
    """Search until phi or delta reaches its limit, or numbers[STOPPED] is set.

    They are in numbers then, with the best move of ply 0.
    """
    numbers, moves = proof.numbers, proof.moves[ply]
    phis, deltas = proof.phis[ply], proof.deltas[ply]
    start, key = numbers[NODES], canonical(proof, mover, attacker)
    n = generate(proof, ply, mover)
    for i in range(n):
        make(proof, ply, moves[i], mover)
        if not look_up(proof, canonical(proof, 1 - mover, attacker)):
            examine(proof, 1 - mover, attacker)
        phis[i], deltas[i] = numbers[PHI], numbers[DELTA]
        unmake(proof, ply, moves[i], mover)
        if deltas[i] == 0:
            n = i + 1
            break
    while True:
        best, second, largest, open_ones = 0, np.int64(INFINITE), np.int64(0), 0
        for i in range(n):
            if deltas[i] < deltas[best]:
                second = deltas[best]
                best = i
            elif i != best and deltas[i] < second:
                second = deltas[i]
            if phis[i] > 0:
                open_ones += 1
                largest = max(largest, phis[i])
        phi, delta = deltas[best], np.int64(INFINITE)
        if n == 0 or phi >= INFINITE:
            phi, delta = np.int64(INFINITE), np.int64(0)
            if n == 0 and mover != attacker:
                phi, delta = np.int64(0), np.int64(INFINITE)
        elif phi > 0:
            # Not the sum: what two moves lead to is often the same position.
            delta = min(largest + open_ones - 1, np.int64(INFINITE - 1))
        if stop[0] or numbers[NODES] >= numbers[NODE_LIMIT]:
            numbers[STOPPED] = 1
        if phi >= phi_limit or delta >= delta_limit or numbers[STOPPED]:
            break
        move = moves[best]
        make(proof, ply, move, mover)
        prove(proof, stop, 1 - mover, attacker, ply + 1,
              delta_limit - open_ones + 1, min(phi_limit, second + second // 8 + 1))
        phis[best], deltas[best] = numbers[PHI], numbers[DELTA]
        unmake(proof, ply, move, mover)
    store(proof, key, phi, delta, numbers[NODES] - start)
    result(proof, phi, delta)
    if ply == 0:
        numbers[BEST] = moves[best] if n else 0
