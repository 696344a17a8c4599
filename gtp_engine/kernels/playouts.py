"""Games played to the end by a policy, and who won them.

Results are counted as int64[3]: draws, wins of the first colour, wins of the second.
"""

import numpy as np

from . import inlined, kernel
from .bits import below, random_word, split
from .board import (
    CAPTURED, COLUMNS, EXACT, FREE, HALF, HALF_MASK, NONE, R_RANDOM, R_WIN, STONES, TARGET, WORDS,
    choices, copy, place, play, random_point, taken, wins,
)

NEVER = 65535  # a time after the end of every game


@kernel
def rule_based_playout(state, cells, free, slot, mark, places, point_at, steps, middle, game,
                       colour, random, out, threats, scratch):
    """Play on by the rule-based policy, `colour` first; returns 0 for a draw or the winner + 1."""
    while True:
        rule, n = choices(state, cells, mark, point_at, steps, game, colour, out, threats,
                          scratch)
        if rule == NONE:
            return 0
        if rule == R_WIN:
            return colour + 1
        if rule == R_RANDOM:
            point = random_point(state, free, middle, game, colour, random)
        else:
            point = np.int64(out[below(n, random)])
        play(state, cells, free, slot, places, steps, game, point, colour, scratch)
        colour = 1 - colour


@kernel
def random_playout(state, cells, free, slot, places, steps, middle, game, colour, random, scratch):
    """Play on at random, `colour` first; returns 0 for a draw or the winner + 1.

    Of the board's words only those of the stones are kept up to date.
    """
    while state[FREE]:
        point = random_point(state, free, middle, game, colour, random)
        row, capture = _add_stone(state, places, game, point, colour)
        if row:
            return colour + 1
        stones = 0
        if capture:
            stones = taken(cells, steps, game, point, colour, scratch)
            for i in range(stones):
                for a in range(places.shape[1]):
                    at = np.int64(places[scratch[i], a])
                    state[WORDS + at // HALF * COLUMNS + STONES] ^= (
                        1 << ((at & HALF - 1) + HALF * (1 - colour)))
        place(state, cells, free, slot, point, colour, scratch, stones)
        if stones and state[CAPTURED + colour] >= game[TARGET] > 0:
            return colour + 1
        colour = 1 - colour
    return 0


@inlined
def _add_stone(state, places, game, point, colour):
    # Put a stone into the words of its lines.  Returns whether a winning row stands there, and
    # whether the stone may capture; neither tests nor branches on single neighbours.
    row = capture = 0
    for a in range(places.shape[1]):
        at = np.int64(places[point, a])
        word = WORDS + (at >> 5) * COLUMNS + STONES
        bit = at & HALF - 1
        stones = state[word] | 1 << (bit + HALF * colour)
        state[word] = stones
        own, enemy = stones >> (HALF * colour) & HALF_MASK, stones >> (HALF - HALF * colour)
        five = own & own >> 1
        five &= five >> 2
        five &= own >> 4
        if game[EXACT]:
            five &= ~(own << 1 | own >> 5)
        row |= five
        # The point is bit 4 now.
        own, enemy = own << 4 >> bit, (enemy & HALF_MASK) << 4 >> bit
        pair_after, pair_before = enemy >> 5 & enemy >> 6, enemy >> 3 & enemy >> 2
        capture |= pair_after & (own >> 7 | enemy >> 7) | pair_before & (own >> 1 | enemy >> 1)
    return row, capture & 1


@kernel
def simulate(geometry, base, moves, colour, rule_based, simulations, seeds, results, child, board,
             out, threats, scratch, stop):
    """For each move of `colour` from the position `base`, add playouts after it to `results`.

    moves    uint16[m], empty points
    seeds    uint64[m], the generator of each move's playouts, changed
    results  int64[m, 3], by draw and winner
    child, board, out, threats, scratch   overwritten
    stop     uint8[1]; when it is not 0 no further playout begins
    """
    points, places, point_at, steps, middle, game = geometry
    base_state, base_cells, base_free, base_slot, _ = base
    child_state, child_cells, child_free, child_slot, _ = child
    state, cells, free, slot, mark = board
    for i in range(moves.size):
        move = np.int64(moves[i])
        if wins(base_state, base_cells, steps, game, move, colour, scratch):
            results[i, colour + 1] += simulations
            continue
        copy(child_state, child_cells, child_free, child_slot,
             base_state, base_cells, base_free, base_slot)
        play(child_state, child_cells, child_free, child_slot, places, steps, game, move, colour,
             scratch)
        random = seeds[i:i + 1]
        for _ in range(simulations):
            if stop[0]:
                return
            copy(state, cells, free, slot, child_state, child_cells, child_free, child_slot)
            if rule_based:
                winner = rule_based_playout(state, cells, free, slot, mark, places, point_at, steps,
                                            middle, game, 1 - colour, random, out, threats, scratch)
            else:
                winner = random_playout(state, cells, free, slot, places, steps, middle, game,
                                        1 - colour, random, scratch)
            results[i, winner] += 1


@kernel
def deal(order, n, times, second, random):
    """Shuffle order[:n] and give its points the times 1 .. n, alternately in the two halves.

    Odd times go to times[point], even ones to times[second + point].
    """
    time = 0
    while time < n:
        word = random_word(random)
        for _ in range(min(3, n - time)):
            offset, word = split(word, n - time)
            point = order[time + offset]
            order[time + offset] = order[time]
            order[time] = point
            times[second * (time & 1) + point] = time + 1
            time += 1


@kernel
def earliest(a, b, c, d, e):
    """The least over i of the greatest of a[i] .. e[i] (uint16 of one length)."""
    best = np.uint16(NEVER)
    for i in range(a.size):
        best = min(best, max(max(max(a[i], b[i]), max(c[i], d[i])), e[i]))
    return best


@kernel
def earliest_exact(before, a, b, c, d, e, after):
    """As `earliest`, over those i where before[i] and after[i] are later than the greatest."""
    best = np.uint16(NEVER)
    for i in range(a.size):
        last = max(max(max(a[i], b[i]), max(c[i], d[i])), e[i])
        best = min(best, last if min(before[i], after[i]) > last else np.uint16(NEVER))
    return best


@kernel
def first_row(times, first, span, axes, in_a_row, exact):
    """The time at which the first winning row of either colour is complete, NEVER if none is.

    times  uint16, the time at which each colour has a stone on each cell, one colour's cells after
           the other's with NEVER between them; the windows start in times[first:first + span]
    """
    best = np.uint16(NEVER)
    end = first + span
    for axis in axes:
        # A window shorter than five looks at its last cell more than once.
        b, c = axis, min(2, in_a_row - 1) * axis
        d, e = min(3, in_a_row - 1) * axis, (in_a_row - 1) * axis
        if exact:
            after = in_a_row * axis
            time = earliest_exact(
                times[first - axis:end - axis], times[first:end], times[first + b:end + b],
                times[first + c:end + c], times[first + d:end + d], times[first + e:end + e],
                times[first + after:end + after])
        else:
            time = earliest(times[first:end], times[first + b:end + b], times[first + c:end + c],
                            times[first + d:end + d], times[first + e:end + e])
        best = min(best, time)
    return best


@kernel
def race(base, moves, points, second, first, span, axes, in_a_row, exact, colour, simulations,
         seeds, results, times, order, stop):
    """As `simulate` with random playouts, for games without captures.

    A playout draws one order of all empty points.  A row is complete at the greatest time in it,
    and the first complete row wins.

    base   uint16, for each colour's cells 0 where it has a stone, else NEVER; laid out as in
           `first_row`, those of the colour not to move, which plays `moves`, second
    second, first, span, axes, in_a_row, exact   as in `deal` and `first_row`
    times, order                                 overwritten
    """
    for i in range(moves.size):
        move = second + moves[i]
        base[move] = 0
        n = 0
        for point in points:
            if base[point] and base[second + point]:
                order[n] = point
                n += 1
        if first_row(base, first, span, axes, in_a_row, exact) == 0:
            results[i, colour + 1] += simulations
        else:
            for _ in range(simulations):
                if stop[0]:
                    return
                for j in range(base.size):
                    times[j] = base[j]
                deal(order, n, times, second, seeds[i:i + 1])
                time = first_row(times, first, span, axes, in_a_row, exact)
                winner = 0
                if time != NEVER:
                    winner = 2 - colour if time & 1 else colour + 1
                results[i, winner] += 1
        base[move] = NEVER
