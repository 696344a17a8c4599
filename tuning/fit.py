"""Fit the weights of the alphabeta player to games that tuning/selfplay.py made.

    python tuning/fit.py gomoku.npz gtp_engine/players/weights/gomoku.npz

The value of a position is a logistic function of the sum of what the combinations of shapes on its
empty points are worth, of captured stones and of lines with captures: fitted to the results of the
games.  The policy is a softmax over the empty points: fitted to the moves that were chosen.  What a
combination is worth is the sum of what its four shapes are worth, and a part of its own, which is
drawn towards zero.  Both are fitted by SciPy's L-BFGS from zero: the same games give the same
weights.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations_with_replacement
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np  # noqa: E402
from scipy.optimize import minimize  # noqa: E402

from gtp_engine.games import catalogue  # noqa: E402
from gtp_engine.kernels.plane import board as boards  # noqa: E402
from gtp_engine.kernels.plane import evaluation, state  # noqa: E402
from gtp_engine.kernels.plane.shapes import AXES, FIVE, SHAPES  # noqa: E402
from gtp_engine.players.adapters import board_of, geometry_of  # noqa: E402
from gtp_engine.players.weights import (  # noqa: E402
    COMBINATIONS, UNIT, combination_of, weights_of,
)

STEPS = 300
OWN_PART = 3e-5  # how much the own part of a combination is drawn towards zero
HELD_OUT = 10  # one position in so many is not fitted but measured
SHAPES_IN = np.array([[combination.count(shape) for shape in range(SHAPES)] for combination
                      in combinations_with_replacement(range(SHAPES), AXES)], np.float64)


def features(task):
    """Combinations of the empty points for both sides, moves, captures, of some positions."""
    game, size, rows = task
    position = catalogue.start(catalogue.find(game), size)
    points = np.array(position.lattice.points)
    geometry = geometry_of(position.rules, position.lattice)
    search = state.make_search(geometry, weights_of(position.rules), 4,
                               not position.rules.overline_wins)
    out = []
    for cells, captured, move in rows:
        for i, point in enumerate(points):
            position.cells[point] = cells[i]
        position.captured = [0, *captured]
        board = board_of(geometry, position)
        state.start(board, geometry, search)
        empty = np.flatnonzero(cells == 0)
        codes = combination_of()[search.codes.reshape(-1, 2)[points[empty]]].astype(np.int16)
        takes = [min(int(boards.count(board.state, boards.TAKE, side)), evaluation.MOST_TAKES - 1)
                 for side in range(2)]
        out.append((codes, int(np.searchsorted(empty, move)), takes))
    return out


def split(x):
    """The worth of each combination for either side, float64[2, COMBINATIONS]."""
    by_shape = x[:2 * SHAPES].reshape(2, SHAPES)
    return x[2 * SHAPES:][:2 * COMBINATIONS].reshape(2, COMBINATIONS) + by_shape @ SHAPES_IN.T


def merge(slope, x, known):
    """The gradient of the parameters from that of the worth of each combination."""
    by_shape = slope @ SHAPES_IN
    by_shape[:, 0] = 0
    own = slope + OWN_PART * x[2 * SHAPES:][:2 * COMBINATIONS].reshape(2, COMBINATIONS)
    own[~known] = 0
    return np.concatenate([by_shape.reshape(-1), own.reshape(-1)])


def penalty(x):
    """What the own parts of the combinations add to the loss."""
    return OWN_PART / 2 * np.sum(x[2 * SHAPES:][:2 * COMBINATIONS] ** 2)


def descend(loss, size, name):
    """The parameters, float64[size], where `loss(x)` (value, gradient, on held out) is least."""
    found = minimize(lambda x: loss(x)[:2], np.zeros(size), jac=True, method="L-BFGS-B",
                     options={"maxiter": STEPS})
    _, _, held_out = loss(found.x)
    print(f"{name}: loss {found.fun:.4f}, on positions held out {held_out:.4f}", flush=True)
    return found.x


def fit_value(codes, owner, results, extra, known, held):
    """(value, extras): float64[2, COMBINATIONS] and float64[EXTRAS], in natural units."""
    n = len(results)
    size = 2 * SHAPES + 2 * COMBINATIONS

    def loss(x):
        worth = split(x)
        points = worth[0][codes[:, 0]] - worth[1][codes[:, 1]]
        logits = np.bincount(owner, points, n) + extra @ x[size:]
        each = np.logaddexp(0, logits) - results * logits
        error = np.where(held, 0, 0.5 + 0.5 * np.tanh(logits / 2) - results) / n
        spread = error[owner]
        slope = np.stack([np.bincount(codes[:, 0], spread, COMBINATIONS),
                          -np.bincount(codes[:, 1], spread, COMBINATIONS)])
        return (each[~held].sum() / n + penalty(x) + OWN_PART / 2 * np.sum(x[size:] ** 2),
                np.concatenate([merge(slope, x, known), extra.T @ error + OWN_PART * x[size:]]),
                each[held].mean())

    x = descend(loss, size + extra.shape[1], "value")
    worth = split(x)
    worth[:, 0] = 0
    return worth, x[size:]


def fit_policy(codes, owner, chosen, known, held):
    """float64[2, COMBINATIONS], logarithms of odds."""
    n = len(chosen)
    starts = np.searchsorted(owner, np.arange(n))
    target = starts + chosen

    def loss(x):
        worth = split(x)
        logits = worth[0][codes[:, 0]] + worth[1][codes[:, 1]]
        logits -= np.maximum.reduceat(logits, starts)[owner]
        odds = np.exp(logits)
        share = odds / np.add.reduceat(odds, starts)[owner]
        each = -np.log(share[target] + 1e-12)
        share[target] -= 1
        share *= np.where(held, 0, 1 / n)[owner]
        slope = np.stack([np.bincount(codes[:, side], share, COMBINATIONS) for side in range(2)])
        return each[~held].sum() / n + penalty(x), merge(slope, x, known), each[held].mean()

    return split(descend(loss, 2 * SHAPES + 2 * COMBINATIONS, "policy"))


def main():
    """Read the games, fit, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="+", help="files of tuning/selfplay.py")
    parser.add_argument("weights", help="the file to write")
    options = parser.parse_args()
    codes, owner, chosen, extra, results, total = [], [], [], [], [], 0
    for path in options.games:
        data = {key: value for key, value in np.load(path).items()}
        rows = list(zip(data["cells"], data["captured"], data["move"]))
        tasks = [(str(data["game"]), int(data["size"]), rows[i:i + 2000])
                 for i in range(0, len(rows), 2000)]
        with ProcessPoolExecutor(2) as workers:
            found = [each for part in workers.map(features, tasks) for each in part]
        for (combinations, move, takes), captured in zip(found, data["captured"]):
            codes.append(combinations)
            owner.append(len(combinations))
            chosen.append(move)
            row = np.zeros(evaluation.EXTRAS)
            row[evaluation.TEMPO] = 1
            row[evaluation.TAKEN + min(captured[0], 15)] = 1
            row[evaluation.TAKEN + 16 + min(captured[1], 15)] = -1
            row[evaluation.TAKES + takes[0]] = 1
            row[evaluation.TAKES + evaluation.MOST_TAKES + takes[1]] = -1
            extra.append(row)
        results.append(data["result"])
        total += len(rows)
    points, owners = np.concatenate(codes).astype(np.int64), np.repeat(np.arange(total), owner)
    wins, extras = np.concatenate(results), np.array(extra)
    known = np.stack([np.bincount(points[:, side], minlength=COMBINATIONS) >= 30
                      for side in range(2)])
    held = np.arange(total) // 50 % HELD_OUT == 0
    print(f"{total} positions, {known.sum()} combinations with a part of their own")
    value, worth = fit_value(points, owners, wins, extras, known, held)
    policy = fit_policy(points, owners, np.array(chosen), known, held)
    numbers = np.append(np.round(UNIT * worth), 0).astype(np.int64)
    numbers[evaluation.CAPTURE_ORDER] = 60
    best_five = np.array([FIVE in combination for combination in
                          combinations_with_replacement(range(SHAPES), AXES)])
    for side in range(2):
        policy[side][best_five] = policy[side].max() + 3
    np.savez_compressed(
        options.weights, value=np.clip(np.round(UNIT * value), -8000, 8000).astype(np.int16),
        policy=np.clip(np.round(100 * policy), -8000, 8000).astype(np.int16), extras=numbers)
    for name, shape in zip("two open-two wide-two three open-three wide-three four open-four"
                           .split(), range(3, 11)):
        single = [(0, 0, 0, shape) == c for c in
                  combinations_with_replacement(range(SHAPES), AXES)].index(True)
        print(f"{name:11} value {UNIT * value[0, single]:+6.0f} {UNIT * value[1, single]:+6.0f} "
              f"policy {100 * policy[0, single]:+6.0f} {100 * policy[1, single]:+6.0f}")


if __name__ == "__main__":
    main()
