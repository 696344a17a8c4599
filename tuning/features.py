"""The inputs and the targets of training, from positions of self-play."""

from functools import lru_cache

import numpy as np

from gtp_engine.games.lattice import BLACK
from gtp_engine.kernels.control import WON
from gtp_engine.kernels.plane.evaluation import EXTRAS, MOST_TAKES, TAKEN, TAKES, TEMPO
from gtp_engine.kernels.plane.shapes import AXES, COMBINATIONS, REACH, combination_of, shape_pairs
from gtp_engine.players.alphabeta.weights import SCORE_UNIT, margins_of

BY_SCORE = 0.7  # share of the search score in the target
MOST_SCORE = 2500
LEFT_OUT = -100  # a move without a target, see ignore_index in torch
AXES_OF_BOARD = (0, 1), (1, 0), (1, 1), (1, -1)  # rows and columns of a step


def patterns_of(cells):
    """uint16[n, points, AXES], the patterns through the points of positions uint8[n, points].

    Bits 0..7 mark neighbours with stones of the side to move, bits 8..15 those with stones of the
    other side; the border has both.
    """
    size = int(cells.shape[1] ** 0.5)
    board = np.pad(cells.reshape(-1, size, size), ((0, 0), (REACH, REACH), (REACH, REACH)),
                   constant_values=3)
    patterns = np.zeros((*cells.shape, AXES), np.uint16)
    for axis, (down, right) in enumerate(AXES_OF_BOARD):
        for bit, k in enumerate((*range(-REACH, 0), *range(1, REACH + 1))):
            row, column = REACH + k * down, REACH + k * right
            cell = board[:, row:row + size, column:column + size].reshape(len(cells), -1)
            patterns[..., axis] |= (cell & 1).astype(np.uint16) << bit
            patterns[..., axis] |= (cell >> 1).astype(np.uint16) << bit + 8
    return patterns


@lru_cache
def shapes_by_pattern(rules, colour, to_move):
    """uint8[65536], by pattern: the shape of a colour, which is to move or waits."""
    pattern = np.arange(1 << 16)
    own, other = pattern & 255, pattern >> 8
    if not to_move:
        own, other = other, own
    pairs = shape_pairs(rules.exact(BLACK), rules.renju)
    return pairs[own | other << 8] & 15 if colour == 0 else pairs[other | own << 8] >> 4


def combinations_of(positions, patterns):
    """int16[n, points, 2], for the side to move and the other side; 0 on stones."""
    combinations = np.zeros((*positions.cells.shape, 2), np.int16)
    numbers = combination_of().astype(np.int16)
    colours = positions.side - BLACK
    for colour in np.unique(colours):
        rows = np.flatnonzero(colours == colour)
        for side in (0, 1):
            shapes = shapes_by_pattern(positions.rules, colour ^ side, side == 0)[
                patterns[rows]].astype(np.uint16)
            codes = sum(shapes[..., axis] << 4 * axis for axis in range(AXES))
            combinations[rows, :, side] = numbers[codes]
    combinations[positions.cells > 0] = 0
    return combinations


def moves_of(positions, combinations):
    """int64[n], the chosen moves; LEFT_OUT if the point is dead for both sides."""
    is_dead = (combinations[np.arange(len(combinations)), positions.move] == 0).all(1)
    return np.where(is_dead, LEFT_OUT, positions.move)


def takes_of(positions, patterns, side):
    """int64[n], the lines on which the side to move (0) or the other (1) can capture."""
    bits = patterns & ~(patterns << 8 | patterns >> 8)  # without the border
    own, other = (bits >> 8 * (side ^ way) & 255 for way in (0, 1))
    total = np.zeros(len(patterns), np.int64)
    if not positions.rules.capture_lengths:
        return total
    for axis, (down, right) in enumerate(AXES_OF_BOARD):
        take = np.zeros(patterns.shape[:2], bool)
        for length in positions.rules.capture_lengths:
            for steps in (range(REACH, REACH + length + 1),
                          range(REACH - 1, REACH - length - 2, -1)):
                *flanked, end = (1 << step for step in steps)
                take |= (other[..., axis] & sum(flanked) == sum(flanked)) & (
                    own[..., axis] & end > 0)
        take &= positions.cells == 0
        points = [*np.ndindex(positions.size, positions.size)]
        lines = [row * right - column * down + positions.size for row, column in points]
        on_line = np.zeros((len(points), 3 * positions.size), np.float32)
        on_line[range(len(points)), lines] = 1
        total += (take @ on_line > 0).sum(1)
    return total


def features(positions):
    """(combinations int16[n, points, 2], extras int8[n, EXTRAS], target float32[n]).

    The features of Positions.  The combinations are for the side to move and for the other side, 0
    on stones.
    """
    count = len(positions.cells)
    rows, patterns = np.arange(count), patterns_of(positions.cells)
    extras = np.zeros((count, EXTRAS), np.int8)
    extras[:, TEMPO] = 1
    for side, sign in enumerate((1, -1)):
        captured = np.minimum(positions.captured[:, side], 15)
        extras[rows, TAKEN + 16 * side + captured] = sign
        takes = takes_of(positions, patterns, side)
        extras[rows, TAKES + MOST_TAKES * side
               + np.minimum(takes, MOST_TAKES - 1)] = sign
    expected = 1 / (1 + np.exp(-np.clip(positions.score, -MOST_SCORE, MOST_SCORE) / SCORE_UNIT))
    decided = np.abs(positions.score) > WON
    expected[decided] = positions.score[decided] > 0
    result = np.where(np.isnan(positions.result), expected, positions.result)
    target = BY_SCORE * expected + (1 - BY_SCORE) * result
    return combinations_of(positions, patterns), extras, target.astype(np.float32)


def linear_values(weights, positions, combinations, extras):
    """float32[n], the values of Positions in logits, without the network."""
    colours = positions.side.astype(np.int64) - BLACK
    value = weights["value"].reshape(-1, 2, COMBINATIONS)
    own, other = (value[(colours ^ side)[:, None] % len(value), side,
                        combinations[:, :, side]].sum(1) for side in (0, 1))
    black = margins_of(positions.rules)["black"]
    score = own - other + extras @ weights["extras"][:extras.shape[1]] + black * (1 - 2 * colours)
    return (score / SCORE_UNIT).astype(np.float32)
