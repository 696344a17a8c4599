"""Bounds on an attacker's chances, by a pairing strategy of the defender and without a search."""

from .. import inlined, kernel
from .board import POTENTIAL

ASIDE = 4  # in LineBoard.cells, while the pairing is computed


@kernel
def danger_of(board, mover, attacker, danger):
    """The attacker's potential, without a search; below 2**in_a_row the defender holds.

    The mover cannot win at once.  `danger` is not 0 if its opponent could, on board.other[0].  The
    game has no captures.

    A defender to move holds if the sum of 2**-empty over the lines without its stones is below 1
    (Erdos and Selfridge 1973).  This means a potential below 2**in_a_row.  First, the defender
    sets pairs of points aside: if the attacker plays on one point, it answers on the other.  A line
    through both points does not count.  On a line through one of them, the attacker is assumed to
    own this point already.
    """
    most = 1 << board.lines.shape[1]
    value = board.counts[POTENTIAL + attacker]
    if mover != attacker and value < most or value >= 8 * most:
        return value
    n = pair_for_nothing(board, open_lines(board, attacker))
    value, largest = 0, 0
    for i in range(n):
        value += board.weights[board.alive[i]]
    while True:
        # A forced move on a point set aside is answered on its partner; the next move is free.
        forced = danger and board.cells[board.other[0]] == 0
        largest = sum_weights(board, n, mover == attacker, forced)
        if value + largest < most or 2 * value > 3 * most:
            break
        gain, first, second = best_pair(board, n)
        if gain == 0:
            break
        value -= gain
        n = set_aside(board, n, first, second)
    for i in range(n):
        board.weights[board.alive[i]] = 0
    for point in board.points:
        if board.cells[point] == ASIDE:
            board.cells[point] = 0
    return value + largest


@inlined
def open_lines(board, attacker):
    """List the lines that the attacker can complete in `alive`; returns their number.

    Sets `weights` to their worth, and `marks` to a key of the lines through each point.
    """
    for point in board.points:
        board.marks[point] = 0
    n = 0
    for line in range(board.lines.shape[0]):
        worth = board.worth[board.state[line] * 2 + attacker]
        if worth:
            board.alive[n] = line
            board.weights[line] = worth
            n += 1
            for i in range(board.lines.shape[1]):
                board.marks[board.lines[line, i]] ^= board.line_keys[line]
    return n


@inlined
def pair_for_nothing(board, n):
    """Pair empty points that lie on the same lines, and drop these from alive[:n]; the new length.

    Such a pair weakens no other line.  Dropped lines may create new pairs.
    """
    lines, marks, length = board.lines, board.marks, board.lines.shape[1]
    i = 0
    while i < n:
        line, shared, partner = board.alive[i], -1, -1
        for j in range(1, length):
            if board.cells[lines[line, j]] == 0:
                for k in range(j):
                    if (marks[lines[line, k]] == marks[lines[line, j]]
                            and board.cells[lines[line, k]] == 0):
                        shared, partner = lines[line, j], lines[line, k]
        if shared < 0:
            i += 1
            continue
        board.cells[shared] = board.cells[partner] = ASIDE
        i = k = 0
        while k < n:
            other = board.alive[k]
            if passes(lines, other, shared, shared):
                for j in range(length):
                    marks[lines[other, j]] ^= board.line_keys[other]
                board.weights[other] = 0
                n -= 1
                board.alive[k] = board.alive[n]
            else:
                k += 1
    return n


@inlined
def passes(lines, line, first, second):
    """How many of two points lie on a line; two equal points on it count as 2."""
    on = 0
    for i in range(lines.shape[1]):
        on += (lines[line, i] == first) + (lines[line, i] == second)
    return on


@inlined
def sum_weights(board, n, attacking, forced):
    """Put the sum of the weights of alive[:n] through each point into `sums`.

    Returns the greatest gain by one stone of the attacker, 0 if it is not to move.  With `forced`
    this stone is on board.other[0].
    """
    lines, sums, largest = board.lines, board.sums, 0
    for i in range(n):
        for j in range(lines.shape[1]):
            sums[lines[board.alive[i], j]] = 0
    for i in range(n):
        for j in range(lines.shape[1]):
            point = lines[board.alive[i], j]
            sums[point] += board.weights[board.alive[i]]
            if (attacking and board.cells[point] == 0
                    and (not forced or point == board.other[0])):
                largest = max(largest, sums[point])
    return largest


@inlined
def best_pair(board, n):
    """The pair of points to set aside that reduces the potential most: (reduction, point, point).

    A line through both points is dropped; a line through one of them doubles its weight.
    """
    lines, rows, sums, length = board.lines, board.rows, board.sums, board.lines.shape[1]
    gain, first, second = 0, 0, 0
    for i in range(n):
        line = board.alive[i]
        for j in range(1, length):
            a = lines[line, j]
            if board.cells[a]:
                continue
            for k in range(j):
                b = lines[line, k]
                if board.cells[b]:
                    continue
                both = 0
                for other in range(line + j - length + 1, line + k + 1):
                    if 0 <= other < rows.size and rows[other] == rows[line]:
                        both += board.weights[other]
                if 3 * both - sums[a] - sums[b] > gain:
                    gain, first, second = 3 * both - sums[a] - sums[b], a, b
    return gain, first, second


@inlined
def set_aside(board, n, first, second):
    """Set a pair of points aside, and drop or reweight its lines.

    Returns the number of lines left in `alive`.
    """
    k = 0
    while k < n:
        line = board.alive[k]
        on = passes(board.lines, line, first, second)
        if on == 2:
            board.weights[line] = 0
            n -= 1
            board.alive[k] = board.alive[n]
        else:
            board.weights[line] <<= on
            k += 1
    board.cells[first] = board.cells[second] = ASIDE
    return n
