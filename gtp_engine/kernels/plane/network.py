"""A small network that corrects the static score by how shapes on the board go together.

An empty point has a *class* for either colour, its two best shapes, and a *pair*, the classes of
both.  Each pair has a row of numbers; the rows of all points are summed, as either colour sees the
points.  The sums, those of the side to move first, go through three layers.  What goes into a layer
is cut off below 0 and above ONE, which stands for 1.

The sums of a ply are only counted when they are asked for: from those of the last ply that has
them, and the points that have changed since.
"""

from collections import namedtuple
from functools import lru_cache
from typing import NamedTuple, Optional

import numpy as np

from .. import Arrays, inlined, kernel
from .shapes import AXES, CODES, SHAPES

CLASSES = SHAPES * (SHAPES + 1) // 2
WIDTH = 32  # of the sums of a colour, and of the first two layers
BITS = 8
ONE = 1 << BITS

_Network = namedtuple("_Network", "classes rows bias first second third biases sums counted seen "
                      "inputs hidden")


class Network(Arrays, _Network):
    """The weights of a network, and its sums in a search; made by `make_network`.

    classes   uint8[CODES]
    rows      int16[CLASSES * CLASSES, 2 * WIDTH], by pair, the class for the first colour times
              CLASSES plus that for the second: as the first colour sees it, then as the second
              does; empty if there is no network
    bias      int16[2 * WIDTH], the sums of no points
    first, second   int16[WIDTH, 2 * WIDTH] and int16[WIDTH, WIDTH]
    third     int32[WIDTH], to the score, times ONE
    biases    int64[2 * WIDTH + 1], of all three layers
    sums      int16[plies, 2 * WIDTH]
    counted   uint8[plies], whether a ply has its sums
    seen      int64[cells + 1], scratch: points that were looked at hold the number at the end
    inputs, hidden   int16[2 * WIDTH] and int16[2, WIDTH], scratch
    """


class NetworkWeights(NamedTuple):
    """What is learned: as in Network, but for one colour only.

    rows is int16[CLASSES * CLASSES, WIDTH], as that colour sees a pair of which the first class is
    its own, and bias int16[WIDTH].
    """

    rows: np.ndarray
    bias: np.ndarray
    first: np.ndarray
    second: np.ndarray
    third: np.ndarray
    biases: np.ndarray


@lru_cache
def code_classes() -> np.ndarray:
    """uint8[CODES], the class of each code; 0 for stones and points that are dead."""
    codes = np.arange(CODES)
    shapes = np.sort(np.stack([codes >> 4 * axis & 15 for axis in range(AXES)]), axis=0)
    second, best = np.minimum(shapes[-2:], SHAPES - 1)
    return (best * (best + 1) // 2 + second).astype(np.uint8)


def make_network(weights: Optional[NetworkWeights], cells: int, plies: int) -> Network:
    """A network for a search of so many plies on a board of so many cells.

    Without weights it has no rows, and corrects nothing.
    """
    if weights is None:
        zeros = np.zeros
        weights = NetworkWeights(
            zeros((0, WIDTH), np.int16), zeros(WIDTH, np.int16), zeros((WIDTH, 2 * WIDTH), np.int16),
            zeros((WIDTH, WIDTH), np.int16), zeros(WIDTH, np.int32), zeros(2 * WIDTH + 1, np.int64))
        rows = zeros((0, 2 * WIDTH), np.int16)
    else:
        own = weights.rows.reshape(CLASSES, CLASSES, WIDTH)
        rows = np.concatenate([own, own.transpose(1, 0, 2)], axis=2).reshape(-1, 2 * WIDTH)
    return Network(
        classes=code_classes(), rows=rows, bias=np.tile(weights.bias, 2), first=weights.first,
        second=weights.second, third=weights.third, biases=weights.biases,
        sums=np.zeros((plies, 2 * WIDTH), np.int16), counted=np.zeros(plies, np.uint8),
        seen=np.zeros(cells + 1, np.int64), inputs=np.zeros(2 * WIDTH, np.int16),
        hidden=np.zeros((2, WIDTH), np.int16))


@inlined
def pair(network, first, second):
    """The pair of a point with these codes for the colours."""
    return np.int64(network.classes[first]) * CLASSES + np.int64(network.classes[second])


@kernel
def begin_sums(network, codes):
    """Count the sums of ply 0 from the codes of all points, uint16[cells * 2]."""
    sums = network.sums[0]
    for i in range(sums.size):
        sums[i] = network.bias[i]
    for i in range(network.counted.size):
        network.counted[i] = 0
    network.counted[0] = 1
    if network.rows.shape[0]:
        for point in range(codes.size // 2):
            row = network.rows[pair(network, codes[2 * point], codes[2 * point + 1])]
            for i in range(sums.size):
                sums[i] = np.int16(sums[i] + row[i])


@inlined
def count_sums(search, ply):
    """Count the sums of a ply, which may have them already; the board is that of the ply."""
    network = search.network
    known = ply
    while not network.counted[known]:
        known -= 1
    if known == ply:
        return
    network.counted[ply] = 1
    sums, before, seen = network.sums[ply], network.sums[known], network.seen
    for i in range(sums.size):
        sums[i] = before[i]
    seen[seen.size - 1] += 1
    for at in range(search.saved[known, 0], search.top[0]):
        change = search.changes[at]
        point = change >> 32
        if seen[point] == seen[seen.size - 1]:
            continue
        seen[point] = seen[seen.size - 1]
        old = pair(network, change >> 16 & 0xFFFF, change & 0xFFFF)
        new = pair(network, search.codes[2 * point], search.codes[2 * point + 1])
        if old != new:
            gone, come = network.rows[old], network.rows[new]
            for i in range(sums.size):
                sums[i] = np.int16(sums[i] + np.int16(come[i] - gone[i]))


@inlined
def put_layer(weights, inputs, biases, outputs):
    """Put into `outputs` what a layer makes of `inputs`, cut off below 0 and above ONE."""
    for i in range(outputs.size):
        row = weights[i]
        total = np.int32(0)
        for j in range(row.size):
            total = np.int32(total + np.int32(np.int32(row[j]) * np.int32(inputs[j])))
        value = (np.int64(total) + biases[i]) >> BITS
        outputs[i] = np.int16(min(max(value, np.int64(0)), np.int64(ONE)))


@kernel
def correction(search, ply, colour):
    """What the network adds to the static score of a ply for `colour`, who is to move."""
    network = search.network
    if network.rows.shape[0] == 0:
        return np.int64(0)
    count_sums(search, ply)
    sums, inputs = network.sums[ply], network.inputs
    own, other = sums[colour * WIDTH:], sums[(1 - colour) * WIDTH:]
    for i in range(WIDTH):
        inputs[i] = min(max(own[i], np.int16(0)), np.int16(ONE))
        inputs[WIDTH + i] = min(max(other[i], np.int16(0)), np.int16(ONE))
    hidden, biases = network.hidden, network.biases
    put_layer(network.first, inputs, biases, hidden[0])
    put_layer(network.second, hidden[0], biases[WIDTH:], hidden[1])
    total = biases[2 * WIDTH]
    for i in range(WIDTH):
        total += np.int64(hidden[1, i]) * np.int64(network.third[i])
    return total >> 2 * BITS
