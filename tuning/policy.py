"""Fit the policy of the alphabeta player to the moves chosen in tuning/selfplay.py.

    python tuning/policy.py games gtp_engine/players/data/gomoku.npz

The probability that a move is the best one is a softmax over the empty points of the sum of two
values.  The first is the value of the combination of shapes there; the fit starts from the file.
The second comes from the network, which has to be in the file (tuning/network.py); only its last
layer is fitted.  A search without the network uses the first value alone, which therefore has a
weight in the loss.  The proof of Gomoku depends on the table of gomoku.npz, see
players/alphabeta/threat_search.py: a new table needs a new certificate.

The same games and the same seed give the same policy on the same machine.  After each epoch the
state is saved next to the file, and the same command continues from it.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from gtp_engine.kernels.plane.network import POLICY
from gtp_engine.players.arrays import packed
from gtp_engine.wire.files import write_file
from tuning.features import combinations_of, moves_of, patterns_of
from tuning.fit import NEVER, rounded
from tuning.games import files_in, positions_of
from tuning.network import LIKELIHOOD_UNIT, PARTS, Network, Source, fit, lines_of

RATE = 3e-3  # highest learning rate
ALONE = 0.1  # weight of the loss without the network


class Choices(NamedTuple):
    """Positions on boards of one size.

    cells         uint8[n, points]
    combinations  int16[n, points, 2]
    move          int64[n], see `moves_of`
    """

    cells: np.ndarray
    combinations: np.ndarray
    move: np.ndarray


def choices_of(path):
    """The Choices of a file."""
    positions = positions_of(path)
    combinations = combinations_of(positions, patterns_of(positions.cells))
    return Choices(positions.cells, combinations, moves_of(positions, combinations))


class Policy(nn.Module):
    """Logits of moves, by a table of combinations and a network."""

    def __init__(self, table, network):
        super().__init__()
        self.network = network.requires_grad_(False)
        self.network.policy.requires_grad_(True)
        self.register_buffer("table", torch.from_numpy(table).float() / LIKELIHOOD_UNIT)
        self.own_part = nn.Parameter(torch.zeros_like(self.table))

    def forward(self, cells, combinations):
        """(logits float32[n, points] of the table alone, additions by the network)"""
        table = self.table + self.own_part
        alone = table[0][combinations[..., 0]] + table[1][combinations[..., 1]]
        return (alone.masked_fill((combinations == 0).all(2), NEVER),
                self.network(lines_of(cells))[1])


def losses_of(policy, choices):
    """The cross-entropy of the chosen moves, and the weighted one of the table alone."""
    alone, added = policy(choices.cells,
                          torch.from_numpy(choices.combinations.astype(np.int64)))
    move = torch.from_numpy(choices.move)
    return (functional.cross_entropy(alone + added, move),
            ALONE * functional.cross_entropy(alone, move))


def main():
    """Read the games, fit, write the policy into the weights."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", type=Path, nargs="+", help="folders of tuning/selfplay.py")
    parser.add_argument("weights", type=Path, help="the file that gets the policy")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with np.load(options.weights, allow_pickle=False) as file:
        weights = dict(file)
    if "rows" not in weights:
        parser.error(f"{options.weights} has no network: run tuning/network.py first")
    paths = files_in(options.games)
    network = Network(False)
    network.load_parts(*(weights[name] for name in PARTS))
    policy = Policy(weights["policy"], network)
    try:
        with ProcessPoolExecutor() as workers:
            fit(policy, losses_of, Source(workers, paths, choices_of), RATE, options.epochs,
                options.seed, options.weights.with_suffix(".policy_epoch"))
    except ValueError as error:
        parser.error(str(error))
    change = rounded(policy.own_part, LIKELIHOOD_UNIT)
    weights["policy"] = np.clip(weights["policy"] + change, -8000, 8000).astype(np.int16)
    weights["layers"] = np.append(weights["layers"][:POLICY], network.parts()["layers"][POLICY:])
    write_file(options.weights, packed(**weights))


if __name__ == "__main__":
    main()
