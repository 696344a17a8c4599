"""Joint ratings of several players: the model of Bradley and Terry."""

import math
from collections import Counter
from itertools import permutations
from typing import Iterable, NamedTuple, Sequence

import numpy as np

from .ratings import LOGIT, by_pairs, points_of
from .results import Played

CONFIDENCE = (2.5, 97.5)  # percentiles of the intervals
RESAMPLED = 1000  # samples of the bootstrap
PRIOR = np.array([3000 * LOGIT, 3000 * LOGIT, 5.0])  # deviations of rating, advantage, draws
LONGEST_STEP = 2.0  # of Newton's method


class Fit(NamedTuple):
    """Maximum-likelihood ratings, with bootstrap samples.

    elo         ratings, float64[players], with a mean of 0
    samples     ratings from resampled pairs, float64[RESAMPLED, players]
    advantage   advantage of the first move, in Elo
    advantages  the same from resampled pairs, float64[RESAMPLED]
    draws       share of draws between equal players without an advantage
    """

    elo: np.ndarray
    samples: np.ndarray
    advantage: float
    advantages: np.ndarray
    draws: float

    def superiority(self, i: int, j: int) -> float:
        """Return the probability that player i is stronger than player j."""
        above, below = self.samples[:, i], self.samples[:, j]
        return float(np.mean(above > below) + np.mean(above == below) / 2)


def fit(names: Sequence[str], games: Iterable[Played], rng: np.random.Generator,
        resampled: int = RESAMPLED) -> Fit:
    """Fit Bradley-Terry ratings with draws (Davidson 1970) and an advantage of the first move.

    The bootstrap resamples pairs of games, not games.  A prior of 3000 Elo limits ratings that the
    games leave open, such as that of a player with only wins.
    """
    cells = {(first, second): cell for cell, (first, second) in enumerate(permutations(names, 2))}
    units = Counter(frozenset(Counter((cells[game.first, game.second], 1 - points_of(game))
                                      for game in pair).items()) for pair in by_pairs(games))
    tables = np.zeros((len(units), len(cells), 3))
    for table, unit in zip(tables, units):
        for (cell, outcome), times in unit:
            table[cell, int(2 * outcome)] += times
    numbers = np.array([*units.values()], int)
    samples = rng.multinomial(numbers.sum(), numbers / numbers.sum(), resampled) if units else (
        np.zeros((resampled, 0)))
    counts = np.tensordot(np.vstack([numbers, samples]), tables, 1)
    theta = _likeliest(list(cells), list(names), counts)
    ratings = theta[:, :-2] - theta[:, :-2].mean(1, keepdims=True)
    return Fit(ratings[0] / LOGIT, ratings[1:] / LOGIT, theta[0, -2] / LOGIT,
               theta[1:, -2] / LOGIT, float(_share_of_draws(theta[0, -1])))


def _likeliest(cells: Sequence[tuple[str, str]], names: Sequence[str], counts: np.ndarray
               ) -> np.ndarray:
    # Newton's method on all tables of results at once: counts[tables, cells, won/drawn/lost] of the
    # first player.  Each row of the result has the ratings, the advantage and the logarithm of
    # Davidson's nu.
    size = len(names) + 2
    effect = np.zeros((len(cells), 3, size))
    for cell, (first, second) in enumerate(cells):
        lead = np.zeros(size)
        lead[[names.index(first), names.index(second), -2]] = 1, -1, 1
        effect[cell, 0], effect[cell, 2], effect[cell, 1, -1] = lead / 2, -lead / 2, 1
    tight = 1 / np.array([PRIOR[0]] * len(names) + [*PRIOR[1:]]) ** 2
    flat = effect.reshape(-1, size)
    products = (flat[:, :, None] * flat[:, None, :]).reshape(-1, size * size)
    totals = counts.sum(2)
    theta = np.zeros((len(counts), size))
    for _ in range(100):
        chances = np.exp(theta @ flat.T).reshape(counts.shape)
        chances /= chances.sum(2, keepdims=True)
        expected = (chances * totals[:, :, None]).reshape(len(counts), -1)
        means = np.einsum("tco,cok->tck", chances, effect, optimize=True)
        curve = (expected @ products).reshape(-1, size, size)
        curve -= np.einsum("tc,tck,tcl->tkl", totals, means, means, optimize=True)
        slope = (counts.reshape(len(counts), -1) - expected) @ flat - theta * tight
        step = np.linalg.solve(curve + np.diag(tight), slope[:, :, None])[:, :, 0]
        step = np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        theta += step
        if np.abs(step).max() < 1e-9:
            break
    return theta


def _share_of_draws(logarithm: float) -> float:
    nu = math.exp(logarithm)
    return nu / (2 + nu)
