"""How near an attacker is to a line, from what the defender can do without looking ahead."""

import numpy as np

from . import inlined, kernel
from .lines import POTENTIAL

ASIDE = 4  # in Proof.cells, while pairs are tried


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
