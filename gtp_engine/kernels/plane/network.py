"""The layers of the network: the hidden layer over the accumulator, and the value head.

The network adds a term to the static score of a position.  See accumulator for its inputs and
policy_head for the term of the ranks of moves.
"""

from collections import namedtuple

import numpy as np

from .. import Arrays, inlined, kernel, zeros
from ..table import key_of
from .accumulator import CHANNELS, step_to
from .features import NETWORK

HIDDEN = 32

# Offsets in Heads.layers: the hidden layer (at 0) and its bias, the output, the direct connections
# past the hidden layer, the output's bias, and the policy head with its bias.
BIAS = 2 * CHANNELS * HIDDEN
OUTPUT = BIAS + HIDDEN
DIRECT = OUTPUT + HIDDEN
OUTPUT_BIAS = DIRECT + 2 * CHANNELS
POLICY = OUTPUT_BIAS + 1
POLICY_BIAS = POLICY + HIDDEN * 2 * CHANNELS
LAYERS = POLICY_BIAS + 2 * CHANNELS

SCORES = 1 << 16  # entries of Heads.scores; 1 << 20 get a quarter more hits
SCORE_BITS = 24

_Heads = namedtuple("_Heads", "layers hidden point_sums point_weights scores")


class Heads(Arrays, _Heads):
    """The layers after the accumulator; see `make_heads`.

    layers    float32[LAYERS], the weights
    hidden    float32[HIDDEN], the hidden layer of the last position
    point_sums, point_weights   scratch of the policy head: float32[2 * CHANNELS] and
              int16[2 * CHANNELS]
    scores    int64[SCORES], the last scores: the upper bits of the position's key, and the score in
              the lower SCORE_BITS bits
    """


def make_heads(layers) -> Heads:
    """Create the heads of a network with these layers."""
    return Heads(layers, zeros(HIDDEN, np.float32), zeros(2 * CHANNELS, np.float32),
                 zeros(2 * CHANNELS, np.int16), zeros(SCORES, np.int64))


@inlined
def in_use(search):
    """Is there a network, and is it enabled?"""
    return search.accumulator.rows.shape[0] > 0 and not search.control[0].off & NETWORK


@inlined
def add_rows(hidden, rows, a, b, c, d):
    """Add four rows of numbers, multiplied by `a`, `b`, `c` and `d`, to the hidden layer."""
    for j in range(hidden.size):
        hidden[j] = (hidden[j] + a * rows[j] + b * rows[j + HIDDEN] + c * rows[j + 2 * HIDDEN]
                     + d * rows[j + 3 * HIDDEN])


@inlined
def fill_hidden(search, ply, colour):
    """Fill the hidden layer from the sums; returns the output of the direct connections."""
    layers, hidden, total = search.heads.layers, search.heads.hidden, search.accumulator.totals[ply]
    for j in range(hidden.size):
        hidden[j] = layers[BIAS + j]
    direct = np.float32(0)
    half = total.size // 2
    for i in range(0, total.size, 4):  # four rows at once: fewer reads and writes of `hidden`
        first = (i + half * colour) % total.size
        a, b = np.float32(total[first]), np.float32(total[first + 1])
        c, d = np.float32(total[first + 2]), np.float32(total[first + 3])
        direct += a * layers[DIRECT + i] + b * layers[DIRECT + i + 1]
        direct += c * layers[DIRECT + i + 2] + d * layers[DIRECT + i + 3]
        add_rows(hidden, layers[i * HIDDEN:(i + 4) * HIDDEN], a, b, c, d)
    for j in range(hidden.size):
        hidden[j] = max(hidden[j], np.float32(0))
    return direct


@kernel
def network_score(geometry, search, ply, colour):
    """The network's term of the static score after the first `ply` moves of the path.

    `colour` is the side to move.  If the score is in the table, the accumulator is not stepped.
    """
    key = np.int64(key_of(search.hash[0], colour))
    slot = key & SCORES - 1
    entry = search.heads.scores[slot]
    if (entry ^ key) >> SCORE_BITS == 0:
        return entry << 64 - SCORE_BITS >> 64 - SCORE_BITS
    step_to(geometry, search, ply)
    score = search.heads.layers[OUTPUT_BIAS] + fill_hidden(search, ply, colour)
    for j in range(search.heads.hidden.size):
        score += search.heads.hidden[j] * search.heads.layers[OUTPUT + j]
    rounded = np.int64(score)
    search.heads.scores[slot] = key >> SCORE_BITS << SCORE_BITS | rounded & (1 << SCORE_BITS) - 1
    return rounded
