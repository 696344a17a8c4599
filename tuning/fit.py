"""Fit the weights of the alphabeta player to positions of tuning/selfplay.py.

    python tuning/fit.py games gtp_engine/players/data/gomoku.npz

The value of a position is a logistic function of a sum: the values of the combinations of shapes on
its empty points, of the move, of captured stones and of lines with captures.  The target is a mean
of the score of the search and the result of the game.  The policy is a softmax over the empty
points; its targets are the chosen moves.  The value of a combination is the sum of the values of
its four shapes and of an own part.  A penalty draws the own part towards zero, so that rare
combinations are judged by their shapes.

The positions stay in memory, some kilobyte each.  One file in HELD_OUT is for validation: the
printed losses are on its positions.  The same games and the same seed give the same weights on the
same machine.  --policy FILE takes the policy from other weights, because the strength of play
depends most on the order of moves.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations_with_replacement
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
import torch
from rich.console import Console
from rich.progress import track
from torch import nn
from torch.nn import functional

from gtp_engine.kernels.plane import evaluation
from gtp_engine.kernels.plane.shapes import AXES, COMBINATIONS, FIVE, SHAPES
from gtp_engine.players.alphabeta.weights import SCORE_UNIT
from gtp_engine.players.arrays import packed
from gtp_engine.wire.files import write_file
from tuning.features import features, moves_of
from tuning.games import files_in, positions_of

HELD_OUT = 10
BATCH = 512
RATE = 1e-2  # highest learning rate
OWN_PART = 1.5e-5  # penalty for the square of the own part of a combination
BEST_FIVE = 3.0  # distance of the rank of a five above all others
NEVER = -1e4  # the logit of a stone, and of a point that is dead for both sides
CAPTURE_ORDER = 60  # added to the rank of a move for each captured stone
COMBINED = list(combinations_with_replacement(range(SHAPES), AXES))
SHAPES_IN = torch.tensor([[shapes.count(shape) for shape in range(SHAPES)] for shapes in COMBINED],
                         dtype=torch.float32)
console = Console(stderr=True)


class Model(nn.Module):
    """A number for each combination, for the side to move and for the other side.

    The first combination, that of stones, has 0.
    """

    def __init__(self):
        super().__init__()
        self.by_shape = nn.Parameter(torch.zeros(2, SHAPES))
        self.own_part = nn.Parameter(torch.zeros(2, COMBINATIONS))
        self.extras = nn.Parameter(torch.zeros(evaluation.EXTRAS))

    def worth(self):
        """The values of the combinations, float32[2, COMBINATIONS]."""
        worth = self.by_shape @ SHAPES_IN.T + self.own_part
        return worth - worth[:, :1]


def value_loss(model, combinations, extras, target, move):
    """The `cross_entropy` of the model."""
    worth = model.worth()
    return cross_entropy(
        worth[0][combinations[:, :, 0].long()].sum(1)
        - worth[1][combinations[:, :, 1].long()].sum(1) + extras.float() @ model.extras, target)


def cross_entropy(logits, target):
    """The cross-entropy of the expected results, minus that of the targets themselves."""
    return (functional.binary_cross_entropy_with_logits(logits, target)
            - functional.binary_cross_entropy(target, target))


def policy_loss(model, combinations, extras, target, move):
    """The cross-entropy of the chosen moves."""
    worth = model.worth()
    logits = worth[0][combinations[:, :, 0].long()] + worth[1][combinations[:, :, 1].long()]
    return functional.cross_entropy(
        logits.masked_fill((combinations == 0).all(2), NEVER), move)


def fit(name, loss_of, data, held, epochs, seed):
    """Train a model; prints its loss on the rows held out."""
    model, rows, held_out_rows = Model(), np.flatnonzero(~held), np.flatnonzero(held)
    steps = len(rows) // BATCH
    optimiser = torch.optim.Adam(model.parameters())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=epochs * steps)
    for epoch in range(epochs):
        order = np.random.default_rng((seed, epoch)).permutation(rows)
        for step in track(range(steps), f"{name}, epoch {epoch + 1}", console=console):
            batch = order[step * BATCH:(step + 1) * BATCH]
            loss = loss_of(model, *(part[batch] for part in data))
            (loss + OWN_PART * model.own_part.square().sum()).backward()
            optimiser.step()
            optimiser.zero_grad()
            schedule.step()
    with torch.no_grad():
        losses = [(float(loss_of(model, *(part[each] for part in data))), len(each))
                  for each in np.array_split(held_out_rows, len(held_out_rows) // BATCH + 1)]
    print(f"{name}: loss on positions held out "
          f"{sum(loss * n for loss, n in losses) / len(held_out_rows):.4f}", flush=True)
    return model


def rounded(array, unit):
    """The numbers in units of 1 / `unit`, rounded, int64."""
    return np.round(array.detach().numpy() * unit).astype(np.int64)


def examples_of(path):
    """The `features` of a file, and its `moves_of`."""
    positions = positions_of(path)
    combinations, extras, target = features(positions)
    return combinations, extras, target, moves_of(positions, combinations)


def main():
    """Read the games, fit, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", type=Path, nargs="+", help="folders of tuning/selfplay.py")
    parser.add_argument("weights", type=Path, help="the file to write")
    parser.add_argument("--policy", metavar="FILE", help="weights with the policy to use")
    parser.add_argument("--files", type=int, default=500, help="most files to read")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    paths = files_in(options.games)[:options.files]
    with ProcessPoolExecutor() as workers:
        parts = list(track(workers.map(examples_of, paths), "reading", len(paths), console=console))
    held = np.concatenate([np.full(len(part[0]), number % HELD_OUT == 0)
                           for number, part in enumerate(parts)])
    most = max(part[0].shape[1] for part in parts)
    parts = [(np.pad(part[0], ((0, 0), (0, most - part[0].shape[1]), (0, 0))), *part[1:])
             for part in parts]  # pad smaller boards with points that are dead for both sides
    data = [torch.from_numpy(np.concatenate(column)) for column in zip(*parts)]
    print(f"{len(held)} positions, {held.sum()} of them held out", flush=True)
    value = fit("value", value_loss, data, held, options.epochs, options.seed)
    if options.policy:
        moves = np.load(options.policy, allow_pickle=False)["policy"]
    else:
        worth = fit("policy", policy_loss, data, held, options.epochs, options.seed).worth()
        with_five = torch.tensor([FIVE in shapes for shapes in COMBINED])
        moves = rounded(
            torch.where(with_five, worth.max(1, keepdim=True)[0] + BEST_FIVE, worth), 100)
    write_file(options.weights, packed(
        value=np.clip(rounded(value.worth(), SCORE_UNIT), -8000, 8000).astype(np.int16),
        policy=np.clip(moves, -8000, 8000).astype(np.int16),
        extras=np.append(rounded(value.extras, SCORE_UNIT), CAPTURE_ORDER)))


if __name__ == "__main__":
    main()
