"""The accumulator of the network: for each position of a search, sums over its empty points.

Each of the four lines through an empty point has a pattern, its eight neighbours there.  The sum of
the weight rows of these four patterns gives the point's channels, after negative values become 0.
The channels, summed over all empty points, are the input of the hidden layer.  Half of them show
the position from the first colour's side, the others from the second colour's side.

The accumulator is lazy, since a search never evaluates most of its positions.  It holds the last
evaluated position and is stepped to the next one."""

from collections import namedtuple
from functools import lru_cache

import numpy as np

from .. import Arrays, inlined, kernel, zeros
from ..rules import TARGET
from .shapes import AXES, PATTERNS, REACH

CHANNELS = 16  # per colour
INPUT_UNIT = 64  # the value of 1.0 in the weight rows
BORDER = 3  # in `cells`

_Accumulator = namedtuple(
    "_Accumulator", "rows input_bias patterns inputs totals path cells counts "
    "captured")


class Accumulator(Arrays, _Accumulator):
    """Sums over the empty points; see `make_accumulator`.

    rows, input_bias   the network's weights: int16[PATTERNS, 2 * CHANNELS], or no rows without a
              network, and int16[2 * CHANNELS]
    patterns  uint16[cells, AXES], the patterns of each point
    inputs    int16[cells, 2 * CHANNELS], the channels of each point
    totals    int32[plies + 1, 2 * CHANNELS], the sums at each ply
    path, cells   the accumulator's position: int64[plies + 1], the number of moves and the moves,
              and uint8[cells]
    counts, captured   int64[plies] and int64[plies, captured], the stones that each move captured
    """


def make_accumulator(rows, input_bias, cells: int, plies: int, captured: int) -> Accumulator:
    """Create an accumulator for lines of up to `plies` plies; `refresh` fills it."""
    return Accumulator(
        rows=rows, input_bias=input_bias,
        patterns=zeros((cells, AXES), np.uint16),
        inputs=zeros((cells, 2 * CHANNELS), np.int16),
        totals=zeros((plies + 1, 2 * CHANNELS), np.int32),
        path=zeros(plies + 1, np.int64),
        cells=zeros(cells, np.uint8),
        counts=zeros(plies, np.int64),
        captured=zeros((plies, captured), np.int64))


@lru_cache
def number_of_pattern() -> np.ndarray:
    """int64[PATTERNS], the row number of each pattern; a pattern and its mirror image share it."""
    patterns = np.arange(PATTERNS)
    backwards = np.zeros_like(patterns)
    for i in range(8):
        backwards |= (patterns >> i & 0x0101) << 7 - i
    return np.unique(np.minimum(patterns, backwards), return_inverse=True)[1]


@inlined
def bit_of(direction, k):
    """The pattern bit of the neighbour k + 1 steps away in `direction`."""
    return 3 - k if direction >= AXES else 4 + k


@inlined
def add_difference(inputs, total, old, new):
    """Replace weight row `old` by `new` in the inputs of a point and in the sums."""
    for i in range(inputs.size):
        before = inputs[i]
        after = np.int16(before + np.int16(new[i] - old[i]))
        inputs[i] = after
        total[i] += np.int32(max(after, np.int16(0))) - np.int32(max(before, np.int16(0)))


@inlined
def restore(inputs, old, new):
    """Replace weight row `old` by `new` in the inputs of a point; the sums are stored per ply."""
    for i in range(inputs.size):
        inputs[i] = np.int16(inputs[i] + np.int16(new[i] - old[i]))


@inlined
def toggle_stone(geometry, search, total, point, colour, forward):
    """Add a stone of `colour` to the patterns of the points around it, or remove it.

    Points with stones need patterns only in games with captures.
    """
    accumulator = search.accumulator
    cells, rows, patterns = accumulator.cells, accumulator.rows, accumulator.patterns
    for direction in range(2 * AXES):
        axis, step, neighbour = direction & AXES - 1, geometry.steps[direction], point
        for k in range(REACH):
            neighbour += step
            if cells[neighbour] == BORDER:
                break
            if cells[neighbour] and geometry.game[TARGET] == 0:
                continue
            old = np.int64(patterns[neighbour, axis])
            new = old ^ 1 << bit_of(direction ^ AXES, k) + 8 * colour
            patterns[neighbour, axis] = new
            if forward and cells[neighbour] == 0:
                add_difference(accumulator.inputs[neighbour], total, rows[old], rows[new])
            else:
                restore(accumulator.inputs[neighbour], rows[old], rows[new])


@inlined
def add_point(inputs, total, sign):
    """Add the channels of a point to the sums, or subtract them; `sign` is 1 or -1."""
    for i in range(total.size):
        total[i] += sign * np.int32(max(inputs[i], np.int16(0)))


@kernel
def push(geometry, search, n):
    """Step the accumulator forward over move `n` of the path."""
    accumulator = search.accumulator
    move, total, cells = search.stack.path[n], accumulator.totals[n + 1], accumulator.cells
    point, colour = move >> 1, move & 1
    for i in range(total.size):
        total[i] = accumulator.totals[n, i]
    add_point(accumulator.inputs[point], total, np.int32(-1))
    cells[point] = colour + 1
    toggle_stone(geometry, search, total, point, colour, True)
    for i in range(search.stack.before[n, 0]):
        stone = search.stack.undone[n, i]
        accumulator.captured[n, i] = stone
        toggle_stone(geometry, search, total, stone, 1 - colour, True)
        add_point(accumulator.inputs[stone], total, np.int32(1))
        cells[stone] = 0
    accumulator.path[n + 1], accumulator.counts[n] = move, search.stack.before[n, 0]


@kernel
def pop(geometry, search, n):
    """Step the accumulator back over its move at ply `n`."""
    accumulator = search.accumulator
    move, total, cells = accumulator.path[n + 1], accumulator.totals[n], accumulator.cells
    point, colour = move >> 1, move & 1
    for i in range(accumulator.counts[n]):
        stone = accumulator.captured[n, i]
        toggle_stone(geometry, search, total, stone, 1 - colour, False)
        cells[stone] = 2 - colour
    toggle_stone(geometry, search, total, point, colour, False)
    cells[point] = 0


@kernel
def refresh(board, geometry, search):
    """Recompute the accumulator from the board, with an empty path."""
    accumulator = search.accumulator
    cells, total, steps = board.cells, accumulator.totals[0], geometry.steps
    accumulator.path[0] = 0
    for i in range(cells.size):
        accumulator.cells[i] = cells[i]
    for i in range(total.size):
        total[i] = 0
    for place in geometry.points:
        point = np.int64(place)
        inputs = accumulator.inputs[point]
        for i in range(inputs.size):
            inputs[i] = accumulator.input_bias[i]
        for axis in range(AXES):
            pattern = 0
            for direction in range(axis, 2 * AXES, AXES):
                neighbour, cell = point, np.int64(0)
                for k in range(REACH):
                    if cell != BORDER:
                        neighbour += np.int64(steps[direction])
                        cell = np.int64(cells[neighbour])
                    bit = bit_of(direction, k)
                    pattern |= (cell & 1) << bit | (cell >> 1) << (bit + 8)
            accumulator.patterns[point, axis] = pattern
            row = accumulator.rows[pattern]
            for i in range(inputs.size):
                inputs[i] = np.int16(inputs[i] + row[i])
        if cells[point] == 0:
            add_point(inputs, total, np.int32(1))


@kernel
def step_to(geometry, search, ply):
    """Step the accumulator to the position after the first `ply` moves of the path."""
    accumulator = search.accumulator
    path, stepped, common = search.stack.path, accumulator.path, 0
    while common < min(ply, stepped[0]) and stepped[common + 1] == path[common]:
        common += 1
    for n in range(stepped[0] - 1, common - 1, -1):
        pop(geometry, search, n)
    for n in range(common, ply):
        push(geometry, search, n)
    stepped[0] = ply
