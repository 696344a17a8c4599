"""How near an attacker is to a line, from what the defender can do without looking ahead."""

import numpy as np

from . import inlined, kernel
from .lines import POTENTIAL

ASIDE = 4  # in Tally.cells, while pairs are tried


@kernel
def danger_of(tally, mover, attacker, danger):
    """How near the attacker is, without looking ahead; below 2**in_a_row the defender holds.

    `danger` is not 0 if the enemy of the mover, who cannot win at once, could on tally.other[0].
    For a game without captures.  A defender to move holds if the sum of 2**-empty over the lines
    without a stone of his is below 1 (Erdos and Selfridge 1973), that is, the potential below
    2**in_a_row.  Before that he sets pairs of points aside, on one of which he answers when the
    attacker plays on the other: a line through both does not count, and of another line through
    one of them the attacker may be taken to own that point already.
    """
    most = np.int64(1) << tally.lines.shape[1]
    value = tally.numbers[POTENTIAL + attacker]
    if mover != attacker and value < most or value >= 8 * most:
        return value
    n = pair_for_nothing(tally, open_lines(tally, attacker))
    value, largest = np.int64(0), np.int64(0)
    for i in range(n):
        value += tally.weights[tally.alive[i]]
    while True:
        # A forced move on a point set aside is answered there, and the next one is free.
        forced = danger and tally.cells[tally.other[0]] == 0
        largest = add_up(tally, n, mover == attacker, forced)
        if value + largest < most or 2 * value > 3 * most:
            break
        gain, first, second = best_pair(tally, n)
        if gain == 0:
            break
        value -= gain
        n = set_aside(tally, n, first, second)
    for i in range(n):
        tally.weights[tally.alive[i]] = 0
    for point in tally.points:
        if tally.cells[point] == ASIDE:
            tally.cells[point] = 0
    return value + largest


@kernel
def open_lines(tally, attacker):
    """List the lines that the attacker can complete in `alive`; returns their number.

    Their worth is in `weights`, and `marks` holds for each point which of them go through it.
    """
    for point in tally.points:
        tally.marks[point] = 0
    n = 0
    for line in range(tally.lines.shape[0]):
        worth = tally.worth[tally.state[line] * 2 + attacker]
        if worth:
            tally.alive[n] = line
            tally.weights[line] = worth
            n += 1
            for i in range(tally.lines.shape[1]):
                tally.marks[tally.lines[line, i]] ^= tally.line_keys[line]
    return n


@kernel
def pair_for_nothing(tally, n):
    """Drop lines from alive[:n] that two empty points are on, and no other lines; what is left.

    The points are set aside.  Such a pair takes nothing from any other line, and dropping lines
    makes new such pairs.
    """
    lines, marks, length = tally.lines, tally.marks, tally.lines.shape[1]
    i = 0
    while i < n:
        line, shared, partner = tally.alive[i], np.int64(-1), np.int64(-1)
        for j in range(1, length):
            if tally.cells[lines[line, j]] == 0:
                for k in range(j):
                    if (marks[lines[line, k]] == marks[lines[line, j]]
                            and tally.cells[lines[line, k]] == 0):
                        shared, partner = lines[line, j], lines[line, k]
        if shared < 0:
            i += 1
            continue
        tally.cells[shared] = tally.cells[partner] = ASIDE
        i = k = 0
        while k < n:
            other = tally.alive[k]
            if passes(lines, other, shared, shared):
                for j in range(length):
                    marks[lines[other, j]] ^= tally.line_keys[other]
                tally.weights[other] = 0
                n -= 1
                tally.alive[k] = tally.alive[n]
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
def add_up(tally, n, attacking, forced):
    """Put what the lines alive[:n] through each point are worth into `sums`.

    Returns the most that the attacker, if it is to move, adds with one stone; if `forced`, it is on
    tally.other[0].
    """
    lines, sums, largest = tally.lines, tally.sums, np.int64(0)
    for i in range(n):
        for j in range(lines.shape[1]):
            sums[lines[tally.alive[i], j]] = 0
    for i in range(n):
        for j in range(lines.shape[1]):
            point = lines[tally.alive[i], j]
            sums[point] += tally.weights[tally.alive[i]]
            if (attacking and tally.cells[point] == 0
                    and (not forced or point == tally.other[0])):
                largest = max(largest, sums[point])
    return largest


@kernel
def best_pair(tally, n):
    """The pair of points to set aside that lessens the potential most: (by how much, points).

    A line through both is gone, one through one of them counts twice.
    """
    lines, rows, sums, length = tally.lines, tally.rows, tally.sums, tally.lines.shape[1]
    gain, first, second = np.int64(0), np.int64(0), np.int64(0)
    for i in range(n):
        line = tally.alive[i]
        for j in range(1, length):
            a = lines[line, j]
            if tally.cells[a]:
                continue
            for k in range(j):
                b = lines[line, k]
                if tally.cells[b]:
                    continue
                both = np.int64(0)
                for other in range(line + j - length + 1, line + k + 1):
                    if 0 <= other < rows.size and rows[other] == rows[line]:
                        both += tally.weights[other]
                if 3 * both - sums[a] - sums[b] > gain:
                    gain, first, second = 3 * both - sums[a] - sums[b], a, b
    return gain, first, second


@kernel
def set_aside(tally, n, first, second):
    """Let the defender answer on one of two points when the attacker plays on the other.

    Returns how many lines are left in `alive`.
    """
    k = 0
    while k < n:
        line = tally.alive[k]
        on = passes(tally.lines, line, first, second)
        if on == 2:
            tally.weights[line] = 0
            n -= 1
            tally.alive[k] = tally.alive[n]
        else:
            tally.weights[line] <<= on
            k += 1
    tally.cells[first] = tally.cells[second] = ASIDE
    return n
