"""Fit the network of the alphabeta player to positions of tuning/selfplay.py.

    python tuning/network.py games gtp_engine/players/data/gomoku.npz

The network adds to the value by the weights of the file, and to the logits of moves by its policy.
See kernels/plane/network.py for its inputs.  tuning/fit.py, which comes first, describes the
targets and the games that are held out.  Values and moves are fitted together, because the targets
of moves also improve the rows.  Training continues from a network in the file.  The row of a
pattern is a sum of two parts: one for all patterns with the same shapes for both sides, and an own
part, which a penalty draws towards the one before training, zero in a new network.

Files are read anew in each epoch.  The same games and the same seed give the same network on the
same machine, without an accelerator.  After each epoch the state is saved next to the file, and the
same command continues from it.
"""

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
import torch
from rich.progress import track
from torch import nn
from torch.nn import functional

from gtp_engine.games.lattice import BLACK
from gtp_engine.kernels.plane.accumulator import CHANNELS, INPUT_UNIT, number_of_pattern
from gtp_engine.kernels.plane.network import (
    BIAS,
    DIRECT,
    HIDDEN,
    OUTPUT,
    OUTPUT_BIAS,
    POLICY,
    POLICY_BIAS,
)
from gtp_engine.kernels.plane.policy_head import RANK_UNIT
from gtp_engine.kernels.plane.shapes import PATTERNS, SHAPES, shape_table
from gtp_engine.players.alphabeta.weights import SCORE_UNIT
from gtp_engine.players.arrays import packed
from gtp_engine.wire.files import write_file
from tuning.features import features, linear_values, moves_of, patterns_of
from tuning.fit import HELD_OUT, NEVER, console, cross_entropy
from tuning.games import count_of, files_in, positions_of, read

BATCH = 2048
POOL = 64  # files that are shuffled together
MOST_HELD = 40  # files
NEW_RATE, TRAINED_RATE = 5e-3, 1e-3  # learning rates of a new and of a trained network
MOVES = 0.15  # weight of the loss of moves
OWN_PART = 3e-5  # penalty for the squared change of the own part of a pattern
TOTAL_UNIT = 16  # divisor of the sums over the board
LIKELIHOOD_UNIT = 100  # ranks per factor of e in the likelihood of a move
POLICY_UNIT = LIKELIHOOD_UNIT * RANK_UNIT / INPUT_UNIT
MOST = 1 << 12  # largest number in a row: four of them and the bias fit into 16 bits
PARTS = "rows", "input_bias", "layers"  # of a network, in a file of weights
EXCHANGED = np.arange(PATTERNS) >> 8 | (np.arange(PATTERNS) & 255) << 8


class Examples(NamedTuple):
    """Positions on boards of one size.

    cells   uint8[n, points]
    linear  float32[n], values by the combinations
    target  float32[n]
    alone   float16[n, points], ranks of moves by the policy of the file
    move    int64[n], see `moves_of`
    """

    cells: np.ndarray
    linear: np.ndarray
    target: np.ndarray
    alone: np.ndarray
    move: np.ndarray


class Lines(NamedTuple):
    """The inputs of the network for some positions.

    own, other   int64[near, AXES], the rows of the patterns of the empty points near a stone, for
                 the side to move and for the other side
    of, point    int64[near], the position and the point of each of them
    far          float32[n, points], 1 for the empty points without a stone in reach
    far_own, far_other   int64[points, AXES], the rows of the points of an empty board
    """

    own: torch.Tensor
    other: torch.Tensor
    of: torch.Tensor
    point: torch.Tensor
    far: torch.Tensor
    far_own: torch.Tensor
    far_other: torch.Tensor


@lru_cache
def patterns_of_empty_board(points):
    """The patterns of an empty board, uint16[points, AXES]."""
    return patterns_of(np.zeros((1, points), np.uint8))[0]


def lines_of(cells, device="cpu"):
    """The Lines of positions uint8[n, points]."""
    patterns, far_patterns = patterns_of(cells), patterns_of_empty_board(cells.shape[1])
    empty, near = cells == 0, (patterns != far_patterns).any(2)
    of, point = np.nonzero(empty & near)
    near_patterns, number = patterns[of, point], number_of_pattern()
    parts = (number[near_patterns], number[EXCHANGED[near_patterns]], of, point,
             (empty & ~near).astype(np.float32), number[far_patterns],
             number[EXCHANGED[far_patterns]])
    return Lines(*(torch.from_numpy(part).to(device) for part in parts))


def examples_of(path, weights):
    """The Examples of a file."""
    positions = positions_of(path)
    combinations, extras, target = features(positions)
    table = weights["policy"] / np.float32(LIKELIHOOD_UNIT)
    alone = table[0][combinations[..., 0]] + table[1][combinations[..., 1]]
    alone[(combinations == 0).all(2)] = NEVER
    linear = linear_values(weights, positions, combinations, extras)
    return Examples(positions.cells, linear, target, alone.astype(np.float16),
                    moves_of(positions, combinations))


def size_of(examples):
    """The size of the boards of examples."""
    return int(examples.cells.shape[1] ** 0.5)


def rows_of(examples, rows):
    """These rows of all columns."""
    return type(examples)(*(column[rows] for column in examples))


def joined_by_size(parts):
    """For each size of the board, all examples of that size."""
    groups = {}
    for part in parts:
        if len(part.move):
            groups.setdefault(size_of(part), []).append(part)
    return [type(group[0])(*map(np.concatenate, zip(*group)))
            for _, group in sorted(groups.items())]


class Source:
    """The examples of files, which other processes read anew in each epoch.

    `examples_of` returns the examples of a file, a named tuple of columns with `cells` and `move`.
    Raises ValueError if there are too few for a batch.

    held   for each size of the board, the examples of one file in HELD_OUT, MOST_HELD at most
    steps  batches of an epoch
    """

    def __init__(self, workers, paths, examples_of):
        self._workers, self._examples_of = workers, examples_of
        held = paths[::HELD_OUT][:MOST_HELD]
        self._paths = sorted({*paths} - {*held})
        counts = Counter()
        for size, count in workers.map(count_of, self._paths, chunksize=8):
            counts[size] += count
        self.steps = sum(count // BATCH for count in counts.values())
        if not self.steps:
            raise ValueError(f"there are fewer than {BATCH} positions")
        self.held = joined_by_size(track(workers.map(examples_of, held), "reading", len(held),
                                         console=console))
        print(*(f"{count} positions of {size} x {size} points" for size, count in
                sorted(counts.items())), sep=", ", end="; ")
        print(sum(len(examples.move) for examples in self.held), "held out", flush=True)

    def batches(self, rng):
        """Yield `steps` batches of the other examples, in random order, POOL files at a time."""
        order = [self._paths[i] for i in rng.permutation(len(self._paths))]
        pools = [order[i:i + POOL] for i in range(0, len(order), POOL)]
        reading, rest = self._read(pools[0]), []
        try:
            for following in [*pools[1:], []]:
                pool = joined_by_size(rest + [each.result() for each in reading])
                reading = self._read(following)
                batches, rest = [], []
                for examples in pool:
                    rows = rng.permutation(len(examples.move))
                    whole = len(rows) // BATCH * BATCH
                    batches += [(examples, rows[i:i + BATCH]) for i in range(0, whole, BATCH)]
                    rest.append(rows_of(examples, rows[whole:]))
                for i in rng.permutation(len(batches)):
                    yield rows_of(*batches[i])
        finally:
            for each in reading:
                each.cancel()

    def _read(self, paths):
        return [self._workers.submit(self._examples_of, path) for path in paths]


def shapes_of_patterns(exact):
    """int64[rows], the shapes of both sides on the middle of each pattern, as one number."""
    row = np.unique(number_of_pattern(), return_index=True)[1]
    own, other = row & 255, row >> 8
    table = shape_table(exact).astype(np.int64)
    return table[own & ~other | other << 8] * SHAPES + table[other & ~own | own << 8]


class Network(nn.Module):
    """The network of kernels.plane.network, in logits."""

    def __init__(self, exact):
        super().__init__()
        self.register_buffer("shapes", torch.from_numpy(shapes_of_patterns(exact)))
        self.by_shapes = nn.Parameter(0.1 * torch.randn(SHAPES * SHAPES, CHANNELS))
        self.own_part = nn.Parameter(torch.zeros(len(self.shapes), CHANNELS))
        self.bias = nn.Parameter(0.1 * torch.randn(CHANNELS))
        self.hidden = nn.Linear(2 * CHANNELS, HIDDEN)
        self.output, self.direct = nn.Linear(HIDDEN, 1), nn.Linear(2 * CHANNELS, 1, bias=False)
        self.policy = nn.Linear(HIDDEN, 2 * CHANNELS)
        for part in (self.direct.weight, self.policy.weight, self.policy.bias):
            nn.init.zeros_(part)

    def rows(self):
        """The rows of all patterns, float32[rows, CHANNELS]."""
        return self.by_shapes[self.shapes] + self.own_part

    def channels(self, own, other, rows):
        """float32[n, 2 * CHANNELS], the channels of points with rows int64[n, AXES]."""
        return torch.cat([functional.relu(
            functional.embedding_bag(side, rows, mode="sum") + self.bias)
            for side in (own, other)], 1)

    def forward(self, lines):
        """(float32[n], values of positions; float32[n, points], additions to logits of moves)"""
        rows = self.rows()
        near = self.channels(lines.own, lines.other, rows)
        far = self.channels(lines.far_own, lines.far_other, rows)
        totals = (lines.far @ far).index_add(0, lines.of, near) / TOTAL_UNIT
        hidden = functional.relu(self.hidden(totals))
        weights = self.policy(hidden)
        moves = (lines.far * (weights @ far.T)).index_put(
            (lines.of, lines.point), (near * weights[lines.of]).sum(1))
        return (self.output(hidden) + self.direct(totals))[:, 0], moves

    @torch.no_grad()
    def parts(self):
        """The arrays for players.alphabeta.weights: rows, input_bias, layers."""
        scale = 1 / (TOTAL_UNIT * INPUT_UNIT)
        rows, bias = (np.clip(np.round(part.numpy() * INPUT_UNIT), -MOST, MOST).astype(np.int16)
                      for part in (self.rows(), self.bias))
        layers = [self.hidden.weight.T * scale, self.hidden.bias, self.output.weight * SCORE_UNIT,
                  self.direct.weight * SCORE_UNIT * scale, self.output.bias * SCORE_UNIT,
                  self.policy.weight.T * POLICY_UNIT, self.policy.bias * POLICY_UNIT]
        layers = torch.cat([part.reshape(-1) for part in layers]).numpy()
        return dict(zip(PARTS, (rows, bias, layers)))

    @torch.no_grad()
    def load_parts(self, rows, input_bias, layers):
        """Load the arrays of `parts`."""
        scale = 1 / (TOTAL_UNIT * INPUT_UNIT)
        rows = torch.from_numpy(rows).float() / INPUT_UNIT
        mean = torch.zeros_like(self.by_shapes).index_add_(0, self.shapes, rows)
        number = torch.bincount(self.shapes, minlength=len(mean)).clamp(min=1)
        self.by_shapes.copy_(mean / number[:, None])
        self.own_part.copy_(rows - self.by_shapes[self.shapes])
        self.bias.copy_(torch.from_numpy(input_bias) / INPUT_UNIT)
        into, bias, output, direct, output_bias, policy, policy_bias = torch.from_numpy(
            layers).tensor_split((BIAS, OUTPUT, DIRECT, OUTPUT_BIAS, POLICY, POLICY_BIAS))
        self.hidden.weight.copy_(into.reshape(2 * CHANNELS, HIDDEN).T / scale)
        self.hidden.bias.copy_(bias)
        self.output.weight.copy_(output[None] / SCORE_UNIT)
        self.direct.weight.copy_(direct[None] / (SCORE_UNIT * scale))
        self.output.bias.copy_(output_bias / SCORE_UNIT)
        self.policy.weight.copy_(policy.reshape(HIDDEN, 2 * CHANNELS).T / POLICY_UNIT)
        self.policy.bias.copy_(policy_bias / POLICY_UNIT)


def losses_of(network, examples):
    """The `cross_entropy` of the expected results, and the weighted one of the chosen moves."""
    device = network.bias.device
    linear, target, alone, move = (torch.from_numpy(part).to(device) for part in (
        examples.linear, examples.target, examples.alone, examples.move))
    values, moves = network(lines_of(examples.cells, device))
    return (cross_entropy(values + linear, target),
            MOVES * functional.cross_entropy(moves + alone.float(), move))


def validate(network, losses_of, examples):
    """The losses on examples that are held out."""
    total = len(examples.move)
    with torch.no_grad():
        losses = [[float(loss) * len(rows) for loss in losses_of(network, rows_of(examples, rows))]
                  for rows in np.array_split(np.arange(total), total // BATCH + 1)]
    return np.sum(losses, axis=0) / total


def fit(network, losses_of, source, rate, epochs, seed, state_file):
    """Minimise the sum of the losses.  `state_file` has the state between two epochs.

    `rate` is the highest learning rate; the own part has half of it, and a penalty.  Raises
    ValueError if the state is of a run with other games or options.
    """
    run = source.steps, rate, epochs, seed
    own_part, device = network.own_part.detach().clone(), network.own_part.device
    torch.use_deterministic_algorithms(device.type == "cpu")
    parameters = [part for name, part in network.named_parameters() if name != "own_part"]
    optimiser = torch.optim.Adam([{"params": parameters}, {"params": [network.own_part]}])
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, [rate, rate / 2],
                                                   epochs * source.steps, pct_start=0.1)
    stateful, first = (network, optimiser, schedule), 0
    if state_file.exists():
        first, before, *states = torch.load(state_file, map_location=device)
        if before != run:
            raise ValueError(f"{state_file} is of another run: remove it, or repeat its command")
        for part, state in zip(stateful, states):
            part.load_state_dict(state)
    for epoch in range(first, epochs):
        batches = source.batches(np.random.default_rng((seed, epoch)))
        for examples in track(batches, f"epoch {epoch + 1} of {epochs}", source.steps,
                              console=console):
            loss = sum(losses_of(network, examples))
            change = (network.own_part - own_part).square().sum()
            (loss + OWN_PART * change).backward()
            optimiser.step()
            optimiser.zero_grad()
            schedule.step()
        torch.save((epoch + 1, run, *(part.state_dict() for part in stateful)), state_file)
        losses_text = (" ".join(f"{loss:.4f}" for loss in validate(network, losses_of, examples))
                       for examples in source.held)
        print(f"epoch {epoch + 1}: losses on positions held out {', '.join(losses_text)}",
              flush=True)
    state_file.unlink(missing_ok=True)


def main():
    """Read the games, fit, add the network to the weights."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", type=Path, nargs="+", help="folders of tuning/selfplay.py")
    parser.add_argument("weights", type=Path, help="the file that gets the network")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, help=f"highest learning rate (default: {NEW_RATE}, "
                        f"or {TRAINED_RATE} for a trained network)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu",
                        help="device of torch (default: an accelerator if there is one)")
    options = parser.parse_args()
    with np.load(options.weights, allow_pickle=False) as file:
        weights = dict(file)
    before = [weights.pop(name) for name in PARTS if name in weights]
    paths = files_in(options.games)
    if not paths:
        parser.error("no games in these folders")
    torch.manual_seed(options.seed)
    network = Network(read(paths[0]).rules.exact(BLACK))
    if before:
        network.load_parts(*before)
    rate = options.rate or (TRAINED_RATE if before else NEW_RATE)
    try:
        with ProcessPoolExecutor() as workers:
            source = Source(workers, paths, partial(examples_of, weights=weights))
            fit(network.to(options.device), losses_of, source, rate, options.epochs, options.seed,
                options.weights.with_suffix(".epoch"))
    except ValueError as error:
        parser.error(str(error))
    write_file(options.weights, packed(**weights, **network.to("cpu").parts()))


if __name__ == "__main__":
    main()
