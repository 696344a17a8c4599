"""The layers of the network: the hidden layer over the accumulator, and the value head.

The network adds to the static score of a position; see accumulator for its inputs and policy_head
for what it adds to the ranks of moves.
"""

from collections import namedtuple

import numpy as np

from .. import Arrays, inlined, kernel, zeros
from .accumulator import CHANNELS, step_to
from .features import NETWORK

HIDDEN = 32

# Where the parts of Heads.layers begin: the hidden layer and its bias, the output, what goes
# around the hidden layer, and the weights of the channels of a point, with their bias.
BIAS = 2 * CHANNELS * HIDDEN
OUTPUT = BIAS + HIDDEN
DIRECT = OUTPUT + HIDDEN
OUTPUT_BIAS = DIRECT + 2 * CHANNELS
POLICY = OUTPUT_BIAS + 1
POLICY_BIAS = POLICY + HIDDEN * 2 * CHANNELS
LAYERS = POLICY_BIAS + 2 * CHANNELS

_Heads = namedtuple("_Heads", "layers hidden point_sums point_weights")


class Heads(Arrays, _Heads):
    """What comes after the accumulator; made by `make_heads`.

    layers    float32[LAYERS], the weights
    hidden    float32[HIDDEN], the hidden layer of the position judged last
    point_sums, point_weights   scratch of the policy head: float32[2 * CHANNELS] and
              int16[2 * CHANNELS]
    """


def make_heads(layers) -> Heads:
    """The heads of a network with these layers."""
    return Heads(layers, zeros(HIDDEN, np.float32), zeros(2 * CHANNELS, np.float32),
                 zeros(2 * CHANNELS, np.int16))


@inlined
def in_use(search):
    """Is there a network, and is it not switched off?"""
    return search.accumulator.rows.shape[0] > 0 and not search.control[0].off & NETWORK


@inlined
def add_rows(hidden, rows, a, b, c, d):
    """Add four rows of numbers, each of them so many times."""
    for j in range(hidden.size):
        hidden[j] = (hidden[j] + a * rows[j] + b * rows[j + HIDDEN] + c * rows[j + 2 * HIDDEN]
                     + d * rows[j + 3 * HIDDEN])


@inlined
def fill_hidden(search, ply, colour):
    """Fill the hidden layer from the sums; returns what goes around it."""
    layers, hidden, total = search.heads.layers, search.heads.hidden, search.accumulator.totals[ply]
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
    score = search.heads.layers[OUTPUT_BIAS] + fill_hidden(search, ply, colour)
    for j in range(search.heads.hidden.size):
        score += search.heads.hidden[j] * search.heads.layers[OUTPUT + j]
    return np.int64(score)
