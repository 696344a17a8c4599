"""Fit the values of shapes by colour, for a game whose rules differ by colour.

    python tuning/colours.py games new.npz --base gtp_engine/players/data/gomoku_exact.npz

The new weights extend those of the base by two rows of values of combinations, for the second
colour.  The fit determines the difference of each colour from the base, for the side to move and
for the other side: a part for each shape, a part for each kind of combination in KINDS, which Renju
may forbid, and a number for the move.  These few numbers need only few games.  The target is that
of tuning/fit.py.  A network of the base contributes to the values, but is not fitted here:
tuning/network.py may follow.

Cross-validation in FOLDS parts gives the losses.  The output has the extra value of the first
colour's move, which belongs to the margins of the game as `black`, see kernels/plane/features.py.
The same games give the same weights on the same machine.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
import torch
from rich.progress import track
from torch.nn import functional

from gtp_engine.games.lattice import BLACK
from gtp_engine.kernels.plane.evaluation import TEMPO
from gtp_engine.kernels.plane.shapes import (
    COMBINATIONS,
    FIVE,
    FOUR,
    OPEN_FOUR,
    OPEN_THREE,
    WIDE_THREE,
)
from gtp_engine.players.alphabeta.weights import SCORE_UNIT, margins_of
from gtp_engine.players.arrays import packed
from gtp_engine.wire.files import write_file
from tuning.features import features, linear_values
from tuning.fit import COMBINED, SHAPES_IN, console, cross_entropy, rounded
from tuning.games import files_in, positions_of, read
from tuning.network import BATCH, PARTS, Network, lines_of

FOLDS = 4
PENALTY = 1e-2  # for the square of a number whose input has a deviation of 1
STEPS = 100
MOST = 8000  # of a value


def kinds_of(shapes):
    """Flags: two threes, two fours, a four and a three, a four and two threes; none with a five."""
    threes = sum(shape in (OPEN_THREE, WIDE_THREE) for shape in shapes)
    fours = sum(shape in (FOUR, OPEN_FOUR) for shape in shapes)
    free = FIVE not in shapes
    return (free and fours == 0 and threes >= 2, free and fours >= 2,
            free and fours == 1 and threes == 1, free and fours == 1 and threes >= 2)


KINDS = torch.tensor([kinds_of(shapes) for shapes in COMBINED], dtype=torch.float32)
PARTS_OF = torch.cat([SHAPES_IN - SHAPES_IN[:1], KINDS], 1)  # of a combination; stones have none


def examples_of(path, weights):
    """(features float32[n, numbers], values by the base in logits, targets) of a file.

    The features are the factors of the numbers for PARTS_OF, by colour and side, and of the numbers
    for the move.
    """
    torch.set_num_threads(1)
    positions = positions_of(path)
    combinations, extras, target = features(positions)
    base, cells = linear_values(weights, positions, combinations, extras), positions.cells
    colours = positions.side.astype(np.int64) - BLACK
    if "rows" in weights:
        network = Network(True)
        network.load_parts(*(weights[name] for name in PARTS))
        with torch.no_grad():
            base += np.concatenate([network(lines_of(part))[0].numpy() for part in
                                    np.array_split(cells, len(cells) // BATCH + 1)])
    rows, parts = np.arange(len(cells)), torch.zeros(len(cells), 2, 2, PARTS_OF.shape[1])
    for side, sign in enumerate((1, -1)):
        parts[rows, colours ^ side, side] = sign * PARTS_OF[
            combinations[:, :, side].astype(np.int64)].sum(1)
    move = functional.one_hot(torch.from_numpy(colours), 2).float()
    return (torch.cat([parts.flatten(1), move], 1).numpy(), base, target)


def fit_numbers(inputs, base, target):
    """The numbers with the least loss."""
    scale = inputs.std(0).clamp(min=1e-6)
    numbers = torch.zeros(inputs.shape[1], requires_grad=True)
    optimiser = torch.optim.LBFGS([numbers], max_iter=STEPS, line_search_fn="strong_wolfe")

    def loss():
        optimiser.zero_grad()
        total = (cross_entropy(base + (inputs / scale) @ numbers, target)
                 + PENALTY * numbers.square().sum())
        total.backward()
        return total

    optimiser.step(loss)
    return numbers.detach() / scale


def main():
    """Read the games, fit, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", type=Path, nargs="+", help="folders of tuning/selfplay.py")
    parser.add_argument("weights", type=Path, help="the file to write")
    parser.add_argument("--base", type=Path, required=True, help="weights for both colours")
    options = parser.parse_args()
    with np.load(options.base, allow_pickle=False) as file:
        weights = dict(file)
    paths = files_in(options.games)
    if len(paths) < FOLDS:
        parser.error(f"there are fewer than {FOLDS} files of games")
    with ProcessPoolExecutor() as workers:
        parts = list(track(workers.map(partial(examples_of, weights=weights), paths), "reading",
                           len(paths), console=console))
    data = [torch.from_numpy(np.concatenate(column)) for column in zip(*parts)]
    fold = np.concatenate([np.full(len(part[1]), i % FOLDS) for i, part in enumerate(parts)])
    before = after = 0.0
    for number in range(FOLDS):
        inputs, base, target = (column[fold == number] for column in data)
        added = inputs @ fit_numbers(*(column[fold != number] for column in data))
        before += float(cross_entropy(base, target)) * len(base) / len(fold)
        after += float(cross_entropy(base + added, target)) * len(base) / len(fold)
    print(f"{len(fold)} positions: loss {before:.4f} with the base, {after:.4f} fitted to "
          "the others", flush=True)
    *table, first, second = fit_numbers(*data)
    worth = torch.stack(table).reshape(2, 2, -1) @ PARTS_OF.T
    value = weights["value"] + rounded(worth, SCORE_UNIT)
    weights["value"] = np.clip(value, -MOST, MOST).astype(np.int16).reshape(4, COMBINATIONS)
    weights["extras"][TEMPO] += rounded((first + second) / 2, SCORE_UNIT)
    black = margins_of(read(paths[0]).rules)["black"]
    print(f"black={black + int(rounded((first - second) / 2, SCORE_UNIT))}")
    write_file(options.weights, packed(**weights))


if __name__ == "__main__":
    main()
