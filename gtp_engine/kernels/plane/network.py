"""A small network that looks at lines: what it adds to the static score of a position, and to the
ranks of its moves.

For each empty point, the four lines through it are looked up by the pattern of their eight
neighbours; the four rows of numbers that are found are added up, what is negative counts as 0, and
the sums over all empty points go through one hidden layer.  Half of the channels see the position
as the first colour does, the others as the second one.  The hidden layer also says how much each
channel of a point counts for a move there.

Positions of a search are visited out of order and most of them are never judged: the sums are those
of the position that was judged last, and are led from there to the one that is wanted.
"""

from functools import lru_cache

import numpy as np

from .. import inlined, kernel
from ..rules import TARGET
from .features import NETWORK
from .shapes import AXES, REACH

PATTERNS = 1 << 16
CHANNELS = 16  # for either colour
HIDDEN = 32
INPUT_UNIT = 64  # of the rows
BORDER = 3  # in Search.shown_cells

MOST_WEIGHT = 3276  # of a channel in a rank: the sum of all channels fits into 32 bits
RANK_UNIT = 256  # of these weights

# Where the parts of Search.layers begin: the hidden layer and its bias, the output, what goes
# around the hidden layer, and the weights of the channels of a point, with their bias.
BIAS = 2 * CHANNELS * HIDDEN
OUTPUT = BIAS + HIDDEN
DIRECT = OUTPUT + HIDDEN
OUTPUT_BIAS = DIRECT + 2 * CHANNELS
POLICY = OUTPUT_BIAS + 1
POLICY_BIAS = POLICY + HIDDEN * 2 * CHANNELS
LAYERS = POLICY_BIAS + 2 * CHANNELS


@lru_cache
def number_of_pattern() -> np.ndarray:
    """int64[PATTERNS], the row of each pattern: one that is read backwards has the same."""
    patterns = np.arange(PATTERNS)
    backwards = np.zeros_like(patterns)
    for i in range(8):
        backwards |= (patterns >> i & 0x0101) << 7 - i
    return np.unique(np.minimum(patterns, backwards), return_inverse=True)[1]


@inlined
def in_use(search):
    """Is there a network, and is it not switched off?"""
    return search.rows.shape[0] > 0 and not search.control[0].off & NETWORK


@inlined
def bit_of(direction, k):
    """The bit of a pattern for the neighbour k + 1 steps away in that direction."""
    return 3 - k if direction >= AXES else 4 + k


@inlined
def exchange(inputs, total, old, new):
    """A point has another pattern on a line: row `new` instead of `old`."""
    for i in range(inputs.size):
        before = inputs[i]
        after = np.int16(before + np.int16(new[i] - old[i]))
        inputs[i] = after
        total[i] += np.int32(max(after, np.int16(0))) - np.int32(max(before, np.int16(0)))


@inlined
def restore(inputs, old, new):
    """The same where totals are known: those of each ply are kept."""
    for i in range(inputs.size):
        inputs[i] = np.int16(inputs[i] + np.int16(new[i] - old[i]))


@inlined
def turn(geometry, search, total, point, colour, forward):
    """A stone of `colour` comes into the patterns of the points around, or goes.

    Points with stones matter only where these may be captured.
    """
    cells, rows, patterns = search.shown_cells, search.rows, search.patterns
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
                exchange(search.inputs[neighbour], total, rows[old], rows[new])
            else:
                restore(search.inputs[neighbour], rows[old], rows[new])


@inlined
def weigh(inputs, total, sign):
    """What a point comes to is added to the sums, or taken away."""
    for i in range(total.size):
        total[i] += sign * np.int32(max(inputs[i], np.int16(0)))


@kernel
def show_move(geometry, search, n):
    """Lead the sums from the first `n` moves of the path to the one after them."""
    move, total, cells = search.path[n], search.totals[n + 1], search.shown_cells
    point, colour = move >> 1, move & 1
    for i in range(total.size):
        total[i] = search.totals[n, i]
    weigh(search.inputs[point], total, np.int32(-1))
    cells[point] = colour + 1
    turn(geometry, search, total, point, colour, True)
    for i in range(search.before[n, 0]):
        stone = search.undone[n, i]
        search.shown_captured[n, i] = stone
        turn(geometry, search, total, stone, 1 - colour, True)
        weigh(search.inputs[stone], total, np.int32(1))
        cells[stone] = 0
    search.shown[n + 1], search.shown_stones[n] = move, search.before[n, 0]


@kernel
def take_back(geometry, search, n):
    """Lead the sums back from the move shown after the first `n` ones."""
    move, total, cells = search.shown[n + 1], search.totals[n], search.shown_cells
    point, colour = move >> 1, move & 1
    for i in range(search.shown_stones[n]):
        stone = search.shown_captured[n, i]
        turn(geometry, search, total, stone, 1 - colour, False)
        cells[stone] = 2 - colour
    turn(geometry, search, total, point, colour, False)
    cells[point] = 0


@kernel
def show_root(board, geometry, search):
    """The sums are those of the board now, and no move has been made since."""
    cells, total, steps = board.cells, search.totals[0], geometry.steps
    search.shown[0] = 0
    for i in range(cells.size):
        search.shown_cells[i] = cells[i]
    for i in range(total.size):
        total[i] = 0
    for place in geometry.points:
        point = np.int64(place)
        inputs = search.inputs[point]
        for i in range(inputs.size):
            inputs[i] = search.input_bias[i]
        for axis in range(AXES):
            pattern = np.int64(0)
            for direction in range(axis, 2 * AXES, AXES):
                neighbour, cell = point, np.int64(0)
                for k in range(REACH):
                    if cell != BORDER:
                        neighbour += np.int64(steps[direction])
                        cell = np.int64(cells[neighbour])
                    bit = bit_of(direction, k)
                    pattern |= (cell & 1) << bit | (cell >> 1) << (bit + 8)
            search.patterns[point, axis] = pattern
            row = search.rows[pattern]
            for i in range(inputs.size):
                inputs[i] = np.int16(inputs[i] + row[i])
        if cells[point] == 0:
            weigh(inputs, total, np.int32(1))


@inlined
def add_rows(hidden, rows, a, b, c, d):
    """Add four rows of numbers, each of them so many times."""
    for j in range(hidden.size):
        hidden[j] = (hidden[j] + a * rows[j] + b * rows[j + HIDDEN] + c * rows[j + 2 * HIDDEN]
                     + d * rows[j + 3 * HIDDEN])


@kernel
def show_position(geometry, search, ply):
    """Lead the sums to the position after the first `ply` moves of the path."""
    path, shown, common = search.path, search.shown, np.int64(0)
    while common < min(ply, shown[0]) and shown[common + 1] == path[common]:
        common += 1
    for n in range(shown[0] - 1, common - 1, -1):
        take_back(geometry, search, n)
    for n in range(common, ply):
        show_move(geometry, search, n)
    shown[0] = ply


@inlined
def fill_hidden(search, ply, colour):
    """Fill the hidden layer from the sums; returns what goes around it."""
    layers, hidden, total = search.layers, search.hidden, search.totals[ply]
    for j in range(hidden.size):
        hidden[j] = layers[BIAS + j]
    around = np.float32(0)
    half = total.size // 2
    for i in range(0, total.size, 4):  # four at a time: `hidden` is read and written less often
        first = (i + half * colour) % total.size
        a, b = np.float32(total[first]), np.float32(total[first + 1])
        c, d = np.float32(total[first + 2]), np.float32(total[first + 3])
        around += a * layers[DIRECT + i] + b * layers[DIRECT + i + 1]
        around += c * layers[DIRECT + i + 2] + d * layers[DIRECT + i + 3]
        add_rows(hidden, layers[i * HIDDEN:(i + 4) * HIDDEN], a, b, c, d)
    for j in range(hidden.size):
        hidden[j] = max(hidden[j], np.float32(0))
    return around


@kernel
def judge(geometry, search, ply, colour):
    """What the network adds to the score of the position after the first `ply` moves of the path.

    `colour` is to move.
    """
    show_position(geometry, search, ply)
    score = search.layers[OUTPUT_BIAS] + fill_hidden(search, ply, colour)
    for j in range(search.hidden.size):
        score += search.hidden[j] * search.layers[OUTPUT + j]
    return np.int64(score)


@inlined
def add_row(sums, row, times):
    """Add a row of numbers so many times."""
    for i in range(sums.size):
        sums[i] += times * row[i]


@inlined
def worth_of_point(inputs, weights):
    """The sum of the channels of a point, each with its weight."""
    worth = np.int32(0)
    for i in range(inputs.size):
        channel = np.int32(max(inputs[i], np.int16(0)))
        worth = np.int32(worth + np.int32(channel * np.int32(weights[i])))
    return np.int64(worth)


@kernel
def prefer(geometry, search, ply, colour, n):
    """Add what the network says of the first `n` moves of that ply to their ranks.

    `colour` is to move.
    """
    show_position(geometry, search, ply)
    fill_hidden(search, ply, colour)
    layers, sums, weights = search.layers, search.point_sums, search.point_weights
    size = sums.size
    for i in range(size):
        sums[i] = layers[POLICY_BIAS + i]
    for j in range(search.hidden.size):
        add_row(sums, layers[POLICY + j * size:POLICY + (j + 1) * size], search.hidden[j])
    for i in range(size):
        weight = max(min(sums[i], np.float32(MOST_WEIGHT)), np.float32(-MOST_WEIGHT))
        weights[(i + size // 2 * colour) % size] = np.int16(weight)
    for k in range(n):
        point = np.int64(search.moves[ply, k])
        search.ranks[ply, k] += worth_of_point(search.inputs[point], weights) // RANK_UNIT
