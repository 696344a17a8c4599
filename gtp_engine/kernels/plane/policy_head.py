"""The policy head of the network: a term of the ranks of moves.

The hidden layer gives each channel of a point its weight for a move there."""

import numpy as np

from .. import inlined, kernel
from .accumulator import step_to
from .network import POLICY, POLICY_BIAS, fill_hidden

MOST_WEIGHT = 3276  # of a channel: the weighted sum of all channels fits into 32 bits
RANK_UNIT = 256  # the weighted sum of one unit of rank


@inlined
def add_row(sums, row, times):
    """Add `times` times a row of numbers to the sums."""
    for i in range(sums.size):
        sums[i] += times * row[i]


@inlined
def point_score(inputs, weights):
    """The weighted sum of the channels of a point."""
    score = np.int32(0)
    for i in range(inputs.size):
        channel = np.int32(max(inputs[i], np.int16(0)))
        score = np.int32(score + np.int32(channel * np.int32(weights[i])))
    return np.int64(score)


@kernel
def add_to_ranks(geometry, search, ply, colour, n):
    """Add the policy head's scores of the first `n` moves of that ply to their ranks.

    `colour` is the side to move.
    """
    step_to(geometry, search, ply)
    fill_hidden(search, ply, colour)
    layers, sums, weights = search.heads.layers, search.heads.point_sums, search.heads.point_weights
    size = sums.size
    for i in range(size):
        sums[i] = layers[POLICY_BIAS + i]
    for j in range(search.heads.hidden.size):
        add_row(sums, layers[POLICY + j * size:POLICY + (j + 1) * size], search.heads.hidden[j])
    for i in range(size):
        weight = max(min(sums[i], np.float32(MOST_WEIGHT)), np.float32(-MOST_WEIGHT))
        weights[(i + size // 2 * colour) % size] = np.int16(weight)
    for k in range(n):
        inputs = search.accumulator.inputs[np.int64(search.stack.moves[ply, k])]
        search.stack.ranks[ply, k] += point_score(inputs, weights) // RANK_UNIT
