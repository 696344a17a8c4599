"""The layers of the network: the hidden layer over the accumulator, and the value head.

The network adds to the static score of a position; see accumulator for its inputs and policy_head
for what it adds to the ranks of moves.
"""

import numpy as np

from .. import inlined, kernel
from .accumulator import CHANNELS, step_to
from .features import NETWORK

HIDDEN = 32

# Where the parts of Search.layers begin: the hidden layer and its bias, the output, what goes
# around the hidden layer, and the weights of the channels of a point, with their bias.
BIAS = 2 * CHANNELS * HIDDEN
OUTPUT = BIAS + HIDDEN
DIRECT = OUTPUT + HIDDEN
OUTPUT_BIAS = DIRECT + 2 * CHANNELS
POLICY = OUTPUT_BIAS + 1
POLICY_BIAS = POLICY + HIDDEN * 2 * CHANNELS
LAYERS = POLICY_BIAS + 2 * CHANNELS


@inlined
def in_use(search):
    """Is there a network, and is it not switched off?"""
    return search.rows.shape[0] > 0 and not search.control[0].off & NETWORK


@inlined
def add_rows(hidden, rows, a, b, c, d):
    """Add four rows of numbers, each of them so many times."""
    for j in range(hidden.size):
        hidden[j] = (hidden[j] + a * rows[j] + b * rows[j + HIDDEN] + c * rows[j + 2 * HIDDEN]
                     + d * rows[j + 3 * HIDDEN])


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
    step_to(geometry, search, ply)
    score = search.layers[OUTPUT_BIAS] + fill_hidden(search, ply, colour)
    for j in range(search.hidden.size):
        score += search.hidden[j] * search.layers[OUTPUT + j]
    return np.int64(score)
