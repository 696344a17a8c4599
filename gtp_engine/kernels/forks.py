"""Playouts by rules where rows are as long as the board: win, stop a win, fork, stop a fork."""

import numpy as np

from . import kernel
from .bits import below, lowest_bit, stopped
from .lines import turn, wins_at
from .playouts import PLIES, seed_playout


@kernel
def forks_at(tally, colour, out):
    """Put the points where a stone of `colour` makes two threats into `out`; returns their number.

    For a colour that cannot win at once.
    """
    n, length = 0, tally.lines.shape[1]
    two = (length - 2) * tally.step[colour]
    for point in tally.points:
        tally.sums[point] = 0
    for word in range(tally.sets.shape[1]):
        bits = tally.sets[two, word]
        while bits:
            line = word * 64 + lowest_bit(bits)
            bits &= bits - 1
            for i in range(length):
                point = tally.lines[line, i]
                if tally.cells[point] == 0:
                    tally.sums[point] += 1
                    if tally.sums[point] == 2:
                        out[n] = point
                        n += 1
    return n


@kernel
def considered(tally, colour, out):
    """Put the points that the policy considers for `colour` into `out`.

    Returns their number, and the number of the rule: 0 wins, 1 stops a win, 2 forks, 3 stops a
    fork, 4 takes any point, which are not put anywhere.
    """
    for rule in range(4):
        who = colour if rule % 2 == 0 else 1 - colour
        n = wins_at(tally, who, out) if rule < 2 else forks_at(tally, who, out)
        if n:
            return n, rule
    return 0, 4


@kernel
def play_forks(tally, moves, colour, simulations, seeds, results, free, slot, played, random, stop):
    """For each move of `colour`, add playouts after it to `results`; the tally is unchanged.

    moves, simulations, seeds, results, random, stop   as in playouts.simulate
    free, slot, played   int64[points], int64[cells] and int64[points], overwritten
    """
    step = tally.step
    for i in range(moves.size):
        move, wins = np.int64(moves[i]), False
        for j in range(wins_at(tally, colour, tally.out)):
            wins |= tally.out[j] == move
        if wins:
            results[i, colour + 1] += simulations[i]
            continue
        for number in range(simulations[i]):
            if stopped(stop):
                return
            seed_playout(random, seeds[i], number)
            n = 0
            for each in tally.points:
                point = np.int64(each)
                if tally.cells[point] == 0:
                    free[n], slot[point] = point, n
                    n += 1
            point, who, plies, rule = move, colour, 0, 4
            while True:
                tally.cells[point] = who + 1
                turn(tally, point, step[who], 1)
                played[plies] = point
                plies += 1
                n -= 1
                free[slot[point]], slot[free[n]] = free[n], slot[point]
                if rule == 0 or n == 0:
                    break
                who = 1 - who
                count, rule = considered(tally, who, tally.out)
                point = tally.out[below(count, random)] if count else free[below(n, random)]
            results[i, who + 1 if rule == 0 else 0] += 1
            results[i, PLIES] += plies - 1
            for k in range(plies):
                point = played[k]
                who = np.int64(tally.cells[point]) - 1
                tally.cells[point] = 0
                turn(tally, point, step[who], -1)
