"""Playouts of Renju: as plane.playouts, with forbidden points."""

import numpy as np

from .. import inlined, kernel
from ..bits import below
from ..rules import BLOCK_FOUR, FREE, wins
from .board import COLUMNS, OPEN_FOUR, WIN, WORDS, count, gather, place, play, toggle
from .moves import NONE, R_BLOCK_FOUR, R_BLOCK_WIN, R_FOUR, R_RANDOM, R_WIN
from .renju import blocks_of_open_fours, keep_allowed, random_allowed


@inlined
def renju_choices(board, geometry, colour, points, holes):
    """The rule that decides for `colour`, and the number of its points, as in plane.playouts.

    `points` receives the points; `holes` is overwritten.  With R_RANDOM, `points` is not set: its
    points are all empty points that are not forbidden.
    """
    state, mark, point_at = board.state, board.mark, geometry.point_at
    other = 1 - colour
    if state[FREE] == 0:
        return NONE, 0
    if count(state, WIN, colour):
        mark[0] += 1
        return R_WIN, gather(state, mark, point_at, WIN, colour, points, 0)
    if count(state, WIN, other):
        mark[0] += 1
        n = keep_allowed(state, geometry, colour, points,
                         gather(state, mark, point_at, WIN, other, points, 0))
        if n:
            return R_BLOCK_WIN, n
    if count(state, OPEN_FOUR, colour):
        mark[0] += 1
        n = keep_allowed(state, geometry, colour, points,
                         gather(state, mark, point_at, OPEN_FOUR, colour, points, 0))
        if n:
            return R_FOUR, n
    if geometry.game[BLOCK_FOUR] and count(state, OPEN_FOUR, other):
        mark[0] += 1
        n = keep_allowed(state, geometry, colour, points, blocks_of_open_fours(
            state, mark, geometry, other, holes, points, 0))
        if n:
            return R_BLOCK_FOUR, n
    return R_RANDOM, state[FREE]


@kernel
def renju_playout(board, geometry, colour, rule_based, random, points, holes, scratch):
    """Play to the end by the rule-based policy or at random, `colour` first.

    Returns 0 for a draw or the winner + 1, and the number of plies.  At random, only STONES and
    EMPTIES of the board's words are updated.
    """
    state, cells, places = board.state, board.cells, geometry.places
    plies = 0
    while True:
        rule, n = R_RANDOM, 0
        if rule_based:
            rule, n = renju_choices(board, geometry, colour, points, holes)
        if rule == R_WIN:
            return colour + 1, plies + 1
        if rule == R_RANDOM:
            point = random_allowed(state, board.free, board.slot, geometry, colour, random)
        elif rule == NONE:
            point = 0
        else:
            point = np.int64(points[below(n, random)])
        if point == 0:
            return 0, plies
        plies += 1
        if rule_based:
            play(state, cells, board.free, board.slot, places, geometry.steps, geometry.game,
                 point, colour, scratch)
        else:
            if wins(state, cells, geometry.steps, geometry.game, point, colour, scratch):
                return colour + 1, plies
            place(state, cells, board.free, board.slot, point, colour, scratch, 0)
            for a in range(4):
                at = np.int64(places[point, a])
                if WORDS + (at >> 5) * COLUMNS != state.size - COLUMNS:
                    toggle(state, at, colour)
        colour = 1 - colour
