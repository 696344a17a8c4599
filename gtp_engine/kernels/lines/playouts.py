"""Rule-based playouts on boards as long as a row: win, stop a win, fork, stop a fork."""

import numpy as np

from .. import kernel
from ..bits import below, lowest_bit, seed_playout
from ..control import PLIES, stopped
from .board import turn
from .moves import wins_at


@kernel
def forks_at(board, colour, out):
    """Put the points where a stone of `colour` makes two threats into `out`; returns their number.

    The colour cannot win at once.
    """
    n, length = 0, board.lines.shape[1]
    two = (length - 2) * board.step[colour]
    for point in board.points:
        board.sums[point] = 0
    for word in range(board.sets.shape[1]):
        bits = board.sets[two, word]
        while bits:
            line = word * 64 + lowest_bit(bits)
            bits &= bits - 1
            for i in range(length):
                point = board.lines[line, i]
                if board.cells[point] == 0:
                    board.sums[point] += 1
                    if board.sums[point] == 2:
                        out[n] = point
                        n += 1
    return n


@kernel
def considered(board, colour, out):
    """Put the points that the policy considers for `colour` into `out`.

    Returns their number and the rule: 0 wins, 1 stops a win, 2 forks, 3 stops a fork.  Rule 4
    allows any point and leaves `out` unset.
    """
    for rule in range(4):
        who = colour if rule % 2 == 0 else 1 - colour
        n = wins_at(board, who, out) if rule < 2 else forks_at(board, who, out)
        if n:
            return n, rule
    return 0, 4


@kernel
def play_forks(board, moves, colour, simulations, seeds, results, free, slot, played, random, stop):
    """For each move of `colour`, add playouts after it to `results`; the board is unchanged.

    moves, simulations, seeds, results, random, stop   as in plane.playouts.simulate
    free, slot, played   int64[points], int64[cells] and int64[points], overwritten
    """
    step = board.step
    for i in range(moves.size):
        move, wins = np.int64(moves[i]), False
        for j in range(wins_at(board, colour, board.out)):
            wins |= board.out[j] == move
        if wins:
            results[i, colour + 1] += simulations[i]
            continue
        for number in range(simulations[i]):
            if stopped(stop):
                return
            seed_playout(random, seeds[i], number)
            n = 0
            for each in board.points:
                point = np.int64(each)
                if board.cells[point] == 0:
                    free[n], slot[point] = point, n
                    n += 1
            point, who, plies, rule = move, colour, 0, 4
            while True:
                board.cells[point] = who + 1
                turn(board, point, step[who], 1)
                played[plies] = point
                plies += 1
                n -= 1
                free[slot[point]], slot[free[n]] = free[n], slot[point]
                if rule == 0 or n == 0:
                    break
                who = 1 - who
                count, rule = considered(board, who, board.out)
                point = board.out[below(count, random)] if count else free[below(n, random)]
            results[i, who + 1 if rule == 0 else 0] += 1
            results[i, PLIES] += plies - 1
            for k in range(plies):
                point = played[k]
                who = np.int64(board.cells[point]) - 1
                board.cells[point] = 0
                turn(board, point, step[who], -1)
