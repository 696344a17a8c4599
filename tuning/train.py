"""Learn the weights of the alphabeta player from positions that tuning/selfplay.py made.

    python tuning/train.py games gtp_engine/players/data/gomoku.npz

The value of a position is a logistic function of what the combinations of shapes on its empty
points are worth, the move, captured stones, lines with captures, and of a small network, see
kernels.plane.network; it is fitted to a mean of the search's score and the result of the game.  The
policy is a softmax over the empty points, fitted to the moves that were chosen.  What a combination
is worth is the sum of what its four shapes are worth and a part of its own, and the row of a pair
that of its two classes and a part of its own, so that rare ones are judged by what they are made of.

One part of the games in HELD_OUT is not learned from; the losses printed are on these positions.
The state is kept in the folder of the games after each epoch: the same command goes on from there,
and gives the same weights for the same seed and the same games on the same machine.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations_with_replacement
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np  # noqa: E402
import torch  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.progress import track  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

from gtp_engine.games import catalogue  # noqa: E402
from gtp_engine.kernels.control import WON  # noqa: E402
from gtp_engine.kernels.plane import board as boards  # noqa: E402
from gtp_engine.kernels.plane import evaluation, state  # noqa: E402
from gtp_engine.kernels.plane.network import CLASSES, ONE, WIDTH, NetworkWeights  # noqa: E402
from gtp_engine.kernels.plane.shapes import AXES, FIVE, SHAPES  # noqa: E402
from gtp_engine.players.adapters import board_of, geometry_of  # noqa: E402
from gtp_engine.players.weights import (  # noqa: E402
    COMBINATIONS, UNIT, combination_of, weights_of,
)

HELD_OUT = 10
BATCH = 512
RATE = 4e-3  # highest rate of learning
BY_SCORE = 0.7  # share of the search's score in what is fitted
MOST_SCORE = 2500
COMBINED = list(combinations_with_replacement(range(SHAPES), AXES))
SHAPES_IN = torch.tensor([[shapes.count(shape) for shape in range(SHAPES)] for shapes in COMBINED],
                         dtype=torch.float32)
CLASS = torch.tensor([shapes[-1] * (shapes[-1] + 1) // 2 + shapes[-2] for shapes in COMBINED])
console = Console(stderr=True)


def features(path):
    """(combinations int16[n, points, 2], extras int8[n, EXTRAS], target, move) of a file.

    Combinations are those for the side to move and the other side, 0 on stones.  The move is that
    of the search, as the index of a point.
    """
    data = np.load(path)
    position = catalogue.start(catalogue.find(str(data["game"])), int(data["size"]))
    points = np.array(position.lattice.points)
    geometry = geometry_of(position.rules, position.lattice)
    search = state.make_search(geometry, weights_of(position.rules), 4,
                               not position.rules.overline_wins)
    combinations = np.zeros((len(data["cells"]), len(points), 2), np.int16)
    extras = np.zeros((len(data["cells"]), evaluation.EXTRAS), np.int8)
    extras[:, evaluation.TEMPO] = 1
    for i, (cells, captured) in enumerate(zip(data["cells"], data["captured"])):
        for point, cell in zip(points, cells):
            position.cells[point] = cell
        position.captured = [0, *captured]
        board = board_of(geometry, position)
        state.start(board, geometry, search)
        combinations[i] = combination_of()[search.codes.reshape(-1, 2)[points]]
        for side, sign in enumerate((1, -1)):
            takes = min(int(boards.count(board.state, boards.TAKE, side)),
                        evaluation.MOST_TAKES - 1)
            extras[i, evaluation.TAKEN + 16 * side + min(captured[side], 15)] = sign
            extras[i, evaluation.TAKES + evaluation.MOST_TAKES * side + takes] = sign
    expected = 1 / (1 + np.exp(-np.clip(data["score"], -MOST_SCORE, MOST_SCORE) / UNIT))
    expected[np.abs(data["score"]) > WON] = data["score"][np.abs(data["score"]) > WON] > 0
    result = np.where(np.isnan(data["result"]), expected, data["result"])
    target = BY_SCORE * expected + (1 - BY_SCORE) * result
    return (combinations, extras, target.astype(np.float32), data["move"].astype(np.int64))


class Worth(nn.Module):
    """A number for each combination, for the side to move and for the other side; 0 for the first.
    """

    def __init__(self):
        super().__init__()
        self.by_shape = nn.Parameter(torch.zeros(2, SHAPES))
        self.own_part = nn.Parameter(torch.zeros(2, COMBINATIONS))

    def table(self):
        """float[2, COMBINATIONS]"""
        table = self.by_shape @ SHAPES_IN.T + self.own_part
        return table - table[:, :1]


class Value(nn.Module):
    """The logit of the expected result."""

    def __init__(self):
        super().__init__()
        self.worth, self.extras = Worth(), nn.Parameter(torch.zeros(evaluation.EXTRAS))
        self.pairs = nn.Parameter(torch.zeros(CLASSES * CLASSES, WIDTH))
        self.classes = nn.Parameter(0.02 * torch.randn(2, CLASSES, WIDTH))
        self.bias = nn.Parameter(torch.full((WIDTH,), 0.3))
        self.first, self.second = nn.Linear(2 * WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.third = nn.Linear(WIDTH, 1)
        nn.init.zeros_(self.third.weight)
        nn.init.zeros_(self.third.bias)

    def rows(self):
        """float[CLASSES * CLASSES, WIDTH], the first row 0."""
        rows = self.pairs + (self.classes[0, :, None] + self.classes[1]).reshape(-1, WIDTH)
        return rows - rows[:1]

    def forward(self, combinations, extras):
        own, other = combinations[:, :, 0].long(), combinations[:, :, 1].long()
        table, rows = self.worth.table(), self.rows()
        linear = table[0][own].sum(1) - table[1][other].sum(1) + extras.float() @ self.extras
        sums = torch.cat([
            self.bias + functional.embedding_bag(CLASS[a] * CLASSES + CLASS[b], rows, mode="sum")
            for a, b in ((own, other), (other, own))], 1)
        hidden = self.first(sums.clamp(0, 1)).clamp(0, 1)
        return linear + self.third(self.second(hidden).clamp(0, 1))[:, 0]

    def loss(self, combinations, extras, target, move):
        """The cross-entropy, beyond that of the targets themselves."""
        logits = self(combinations, extras)
        return (functional.binary_cross_entropy_with_logits(logits, target)
                - functional.binary_cross_entropy(target, target))


class Policy(nn.Module):
    """The logits of the moves."""

    def __init__(self):
        super().__init__()
        self.worth = Worth()

    def loss(self, combinations, extras, target, move):
        """The cross-entropy of the moves that were chosen."""
        own, other = combinations[:, :, 0].long(), combinations[:, :, 1].long()
        table = self.worth.table()
        logits = table[0][own] + table[1][other]
        return functional.cross_entropy(logits.masked_fill((own == 0) & (other == 0), -1e9), move)


def learn(name, model, data, held, path, epochs, seed):
    """Train a model, from where the file at `path` says; the loss on held out rows is printed."""
    rate = torch.optim.lr_scheduler.OneCycleLR
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE)
    rows, kept = np.flatnonzero(~held), np.flatnonzero(held)
    steps = len(rows) // BATCH
    schedule = rate(optimiser, RATE, total_steps=epochs * steps + 1)
    done = 0
    if path.exists():
        kept_state = torch.load(path)
        done = kept_state["epochs"]
        model.load_state_dict(kept_state["model"])
        optimiser.load_state_dict(kept_state["optimiser"])
        schedule.load_state_dict(kept_state["schedule"])
    for epoch in range(done, epochs):
        order = np.random.default_rng((seed, epoch)).permutation(rows)
        for step in track(range(steps), f"{name}, epoch {epoch + 1}", console=console):
            batch = order[step * BATCH:(step + 1) * BATCH]
            loss = model.loss(*(part[batch] for part in data))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        with torch.no_grad():
            losses = [(float(model.loss(*(part[each] for part in data))), len(each))
                      for each in np.array_split(kept, len(kept) // BATCH + 1)]
        print(f"{name}: epoch {epoch + 1}, loss on positions held out "
              f"{sum(loss * n for loss, n in losses) / len(kept):.4f}", flush=True)
        unfinished = path.with_suffix(".part")
        torch.save({"epochs": epoch + 1, "model": model.state_dict(),
                    "optimiser": optimiser.state_dict(), "schedule": schedule.state_dict()},
                   unfinished)
        unfinished.rename(path)


def rounded(array, unit, kind):
    """An array in whole units, of that type; raises OverflowError."""
    numbers, limits = np.round(array.detach().numpy() * unit), np.iinfo(kind)
    if numbers.min() < limits.min or numbers.max() > limits.max:
        raise OverflowError(f"a weight does not fit into {kind.__name__}")
    return numbers.astype(kind)


def main():
    """Read the games, learn, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", type=Path, help="folder of tuning/selfplay.py")
    parser.add_argument("weights", type=Path, help="the file to write")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    paths = sorted(options.games.glob("*.npz"))
    with ProcessPoolExecutor() as workers:
        parts = list(track(workers.map(features, paths), "reading", len(paths), console=console))
    held = np.concatenate([np.full(len(part[0]), number % HELD_OUT == 0)
                           for number, part in enumerate(parts)])
    data = [torch.from_numpy(np.concatenate(column)) for column in zip(*parts)]
    print(f"{len(held)} positions, {held.sum()} of them held out", flush=True)
    value, policy = Value(), Policy()
    learn("policy", policy, data, held, options.games / "policy.pt", 6, options.seed)
    learn("value", value, data, held, options.games / "value.pt", options.epochs, options.seed)
    moves = policy.worth.table()
    best_five = torch.tensor([FIVE in combination for combination in COMBINED])
    moves = torch.where(best_five, moves.max(1, keepdim=True)[0] + 3, moves)
    extras = np.append(rounded(value.extras, UNIT, np.int64), 60)  # the last: CAPTURE_ORDER
    network = NetworkWeights(
        rounded(value.rows(), ONE, np.int16), rounded(value.bias, ONE, np.int16),
        rounded(value.first.weight, ONE, np.int16), rounded(value.second.weight, ONE, np.int16),
        rounded(value.third.weight[0], UNIT * ONE, np.int32),
        np.concatenate([rounded(value.first.bias, ONE * ONE, np.int64),
                        rounded(value.second.bias, ONE * ONE, np.int64),
                        rounded(value.third.bias, UNIT * ONE * ONE, np.int64)]))
    np.savez_compressed(
        options.weights, value=rounded(value.worth.table(), UNIT, np.int16),
        policy=rounded(moves, 100, np.int16), extras=extras, **network._asdict())


if __name__ == "__main__":
    main()
