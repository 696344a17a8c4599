"""Playouts: games played to the end by a policy.

Results are int64[4]: draws, wins of the first colour, wins of the second, and the total of plies.
"""

import numpy as np

from .. import inlined, kernel
from ..bits import below, random_word, seed_playout, split
from ..control import PLIES, stopped
from ..rules import BLOCK_FOUR, CAPTURED, CARO, EXACT, FREE, RENJU, TARGET, allowed, taken, wins
from .board import (
    BLOCK,
    COLUMNS,
    HALF,
    HALF_MASK,
    OPEN_FOUR,
    STONES,
    TAKE,
    WIN,
    WORDS,
    copy,
    count,
    gather,
    place,
    play,
)
from .moves import (
    NONE,
    R_BLOCK_FOUR,
    R_BLOCK_WIN,
    R_CAPTURE,
    R_FOUR,
    R_RANDOM,
    R_WIN,
    add_blocks,
    winning_points,
)
from .renju_playouts import renju_playout

NEVER = 65535  # a time after the end of every game


@inlined
def choices(state, cells, mark, point_at, steps, game, colour, points, threats, scratch):
    """The rule of the rule-based policy that decides for `colour`, and the number of its points.

    `points` receives the points; `threats` is overwritten.  With R_RANDOM, `points` is not set: its
    points are all empty points that the opening allows.  With NONE there is no empty point.
    """
    if state[FREE] == 0:
        return NONE, 0
    other = 1 - colour
    if count(state, WIN, colour) | count(state, TAKE, colour):
        n = winning_points(state, cells, mark, point_at, steps, game, colour, points, scratch)
        if n:
            return R_WIN, n
    if count(state, WIN, other) | count(state, TAKE, other):
        n = winning_points(state, cells, mark, point_at, steps, game, other, points, scratch)
        if n:
            if count(state, TAKE, colour) or game[CARO]:
                for i in range(n):
                    threats[i] = points[i]
                n = add_blocks(state, cells, mark, point_at, steps, game, colour, points, threats,
                               n, scratch)
            return R_BLOCK_WIN, n
    mark[0] += 1
    if count(state, OPEN_FOUR, colour):
        return R_FOUR, gather(state, mark, point_at, OPEN_FOUR, colour, points, 0)
    if game[BLOCK_FOUR] and count(state, OPEN_FOUR, other):
        return R_BLOCK_FOUR, gather(state, mark, point_at, BLOCK, other, points, 0)
    if count(state, TAKE, colour):
        return R_CAPTURE, gather(state, mark, point_at, TAKE, colour, points, 0)
    return R_RANDOM, state[FREE]


@inlined
def random_point(state, free, middle, game, colour, random):
    """One of the empty points that the opening allows, each with the same probability."""
    point = np.int64(free[below(state[FREE], random)])
    while not allowed(state, middle, game, point, colour):
        point = np.int64(free[below(state[FREE], random)])
    return point


@kernel
def rule_based_playout(state, cells, free, slot, mark, places, point_at, steps, middle, game,
                       colour, random, out, threats, scratch):
    """Play to the end by the rule-based policy, `colour` first.

    Returns 0 for a draw or the winner + 1, and the number of plies.
    """
    plies = 0
    while True:
        rule, n = choices(state, cells, mark, point_at, steps, game, colour, out, threats,
                          scratch)
        if rule == NONE:
            return 0, plies
        plies += 1
        if rule == R_WIN:
            return colour + 1, plies
        if rule == R_RANDOM:
            point = random_point(state, free, middle, game, colour, random)
        else:
            point = np.int64(out[below(n, random)])
        play(state, cells, free, slot, places, steps, game, point, colour, scratch)
        colour = 1 - colour


@kernel
def random_playout(state, cells, free, slot, places, steps, middle, game, colour, random, scratch):
    """Play to the end at random, `colour` first.

    Returns 0 for a draw or the winner + 1, and the number of plies.  Of the board's words, only
    STONES are updated.
    """
    plies = 0
    while state[FREE]:
        plies += 1
        point = random_point(state, free, middle, game, colour, random)
        row, capture = _add_stone(state, places, game, point, colour)
        if row:
            return colour + 1, plies
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
            return colour + 1, plies
        colour = 1 - colour
    return 0, plies


@inlined
def _add_stone(state, places, game, point, colour):
    # Put a stone into the words of its lines.  Returns whether it completes a winning row, and
    # whether it may capture.  Bit operations replace tests of single neighbours.
    row = capture = 0
    for a in range(places.shape[1]):
        at = np.int64(places[point, a])
        word = WORDS + (at >> 5) * COLUMNS + STONES
        bit = at & HALF - 1
        stones = state[word] | 1 << (bit + HALF * colour)
        state[word] = stones
        own, other = stones >> (HALF * colour) & HALF_MASK, stones >> (HALF - HALF * colour)
        five = own & own >> 1
        five &= five >> 2
        five &= own >> 4
        if game[EXACT]:
            five &= ~(own << 1 | own >> 5)
        if game[CARO]:
            five &= ~(other << 1 & other >> 5)
        row |= five
        # The point is bit 4 now.
        own, other = own << 4 >> bit, (other & HALF_MASK) << 4 >> bit
        pair_after, pair_before = other >> 5 & other >> 6, other >> 3 & other >> 2
        capture |= pair_after & (own >> 7 | other >> 7) | pair_before & (own >> 1 | other >> 1)
    return row, capture & 1


@kernel
def simulate(geometry, base, moves, colour, rule_based, simulations, seeds, results, child, board,
             out, threats, scratch, random, stop):
    """For each move of `colour` from the position `base`, add playouts after it to `results`.

    moves        uint16[m], empty points
    simulations  int64[m], the number of playouts
    seeds        uint64[m]; equal seeds give equal playouts
    results      int64[m, 4]
    child, board, out, threats, scratch, random   overwritten
    stop         uint8[2]; no further playout begins once one of them is not 0
    """
    places, point_at, steps = geometry.places, geometry.point_at, geometry.steps
    middle, game = geometry.middle, geometry.game
    child_state, child_cells, child_free, child_slot = (
        child.state, child.cells, child.free, child.slot)
    state, cells, free, slot, mark = board.state, board.cells, board.free, board.slot, board.mark
    for i in range(moves.size):
        move = np.int64(moves[i])
        if wins(base.state, base.cells, steps, game, move, colour, scratch):
            results[i, colour + 1] += simulations[i]
            continue
        copy(child_state, child_cells, child_free, child_slot,
             base.state, base.cells, base.free, base.slot)
        play(child_state, child_cells, child_free, child_slot, places, steps, game, move, colour,
             scratch)
        for number in range(simulations[i]):
            if stopped(stop):
                return
            seed_playout(random, seeds[i], number)
            copy(state, cells, free, slot, child_state, child_cells, child_free, child_slot)
            if game[RENJU]:
                winner, plies = renju_playout(board, geometry, 1 - colour, rule_based, random, out,
                                              threats, scratch)
            elif rule_based:
                winner, plies = rule_based_playout(
                    state, cells, free, slot, mark, places, point_at, steps, middle, game,
                    1 - colour, random, out, threats, scratch)
            else:
                winner, plies = random_playout(state, cells, free, slot, places, steps, middle,
                                               game, 1 - colour, random, scratch)
            results[i, winner] += 1
            results[i, PLIES] += plies


@inlined
def deal(order, start, stop, n, times, second, random):
    """Shuffle order[:n] further, and assign times start + 1 .. stop to its next points.

    The first `start` points, a multiple of three, already have times.  Odd times go to
    times[point], even times to times[second + point].  All numbers are uint64, since int64 makes a
    playout 5 % slower.
    """
    one = np.uint64(1)
    time = start
    while time < stop:
        word = random_word(random)
        for _ in range(min(np.uint64(3), stop - time)):
            offset, word = split(word, n - time)
            point = order[time + offset]
            order[time + offset] = order[time]
            order[time] = point
            times[second * (time & one) + np.uint64(point)] = np.uint16(time + one)
            time += one


@inlined
def earliest(a, b, c, d, e):
    """The minimum over i of max(a[i], ..., e[i]); all are uint16 arrays of one length."""
    best = np.uint16(NEVER)
    for i in range(a.size):
        best = min(best, max(max(max(a[i], b[i]), max(c[i], d[i])), e[i]))
    return best


@inlined
def earliest_exact(before, a, b, c, d, e, after):
    """As `earliest`, over those i where before[i] and after[i] exceed the maximum."""
    best = np.uint16(NEVER)
    for i in range(a.size):
        last = max(max(max(a[i], b[i]), max(c[i], d[i])), e[i])
        best = min(best, last if min(before[i], after[i]) > last else np.uint16(NEVER))
    return best


@kernel
def first_row(times, first, span, axes, in_a_row, exact):
    """The time at which the first winning row of either colour is complete, or NEVER.

    times  uint16, the time of each colour's stone on each cell, one colour's cells after the
           other's with NEVER between them; the windows start in times[first:first + span]
    """
    best = np.uint16(NEVER)
    end = first + span
    for axis in axes:
        # A window of fewer than five cells repeats its last cell.
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
         seeds, results, times, empty, order, random, stop):
    """As `simulate` with random playouts, for games without captures.

    A playout draws one random order of all empty points.  A row is complete at the greatest time in
    it, and the first complete row wins.

    Points get their times up to a horizon, and beyond it only if no row is complete yet.  The
    horizon follows the time by which 95 % of the playouts are over.  Results do not depend on it,
    since each playout starts from its own seed and from `empty`.

    base   uint16, 0 on each colour's stones, else NEVER; laid out as in `first_row`, with the cells
           of the colour that plays `moves` second
    second, first, span, axes, in_a_row, exact   as in `deal` and `first_row`
    times, empty, order, random                  overwritten
    """
    horizon = points.size
    for i in range(moves.size):
        move = second + moves[i]
        base[move] = 0
        n = 0
        for point in points:
            if base[point] and base[second + point]:
                empty[n] = point
                n += 1
        if first_row(base, first, span, axes, in_a_row, exact) == 0:
            results[i, colour + 1] += simulations[i]
        else:
            for number in range(simulations[i]):
                if stopped(stop):
                    return
                for j in range(base.size):
                    times[j] = base[j]
                for j in range(n):
                    order[j] = empty[j]
                seed_playout(random, seeds[i], number)
                dealt = min(max(horizon // 3 * 3, 0), n)
                deal(order, np.uint64(0), np.uint64(dealt), np.uint64(n), times,
                     np.uint64(second), random)
                time = first_row(times, first, span, axes, in_a_row, exact)
                if time == NEVER and dealt < n:
                    deal(order, np.uint64(dealt), np.uint64(n), np.uint64(n), times,
                         np.uint64(second), random)
                    time = first_row(times, first, span, axes, in_a_row, exact)
                    horizon += 19
                else:
                    horizon -= 1
                winner = 0
                if time != NEVER:
                    winner = 2 - colour if time & 1 else colour + 1
                results[i, winner] += 1
                results[i, PLIES] += min(np.int64(time), n)
        base[move] = NEVER
