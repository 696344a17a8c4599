"""Ratings of many players from all their games together: Bradley and Terry's model."""

import math
from collections import Counter
from itertools import permutations
from typing import Iterable, NamedTuple, Sequence

import numpy as np

from .ratings import LOGIT, by_pairs, points_of
from .results import Played

CONFIDENCE = (2.5, 97.5)  # per cent
RESAMPLED = 1000
PRIOR = np.array([3000 * LOGIT, 3000 * LOGIT, 5.0])  # deviations of rating, advantage, draws
LONGEST_STEP = 2.0


class Fit(NamedTuple):
    """Ratings of the likeliest kind, with what the resampled games make of them.

    elo       float64[players], with a mean of 0
    samples   float64[RESAMPLED, players]
    advantage, advantages   of the first move in Elo; float64[RESAMPLED]
    draws     the share of draws between equals without an advantage
    """

    elo: np.ndarray
    samples: np.ndarray
    advantage: float
    advantages: np.ndarray
    draws: float

    def superiority(self, i: int, j: int) -> float:
        """How likely player i is stronger than player j."""
        above, below = self.samples[:, i], self.samples[:, j]
        return float(np.mean(above > below) + np.mean(above == below) / 2)


def fit(names: Sequence[str], games: Iterable[Played], rng: np.random.Generator,
        resampled: int = RESAMPLED) -> Fit:
    """Bradley-Terry ratings with draws (Davidson 1970) and an advantage of the first move.

    Pairs of games, not games, are drawn anew for the intervals.  Ratings that the games leave
    open, as of one who has won all, are held by a prior of 3000 Elo.
    """
    cells = {(first, second): cell for cell, (first, second) in enumerate(permutations(names, 2))}
    units = Counter(frozenset(Counter((cells[game.first, game.second], 1 - points_of(game))
                                      for game in pair).items()) for pair in by_pairs(games))
    tables = np.zeros((len(units), len(cells), 3))
    for table, unit in zip(tables, units):
        for (cell, outcome), times in unit:
            table[cell, int(2 * outcome)] += times
    numbers = np.array([*units.values()], int)
    drawn = rng.multinomial(numbers.sum(), numbers / numbers.sum(), resampled) if units else (
        np.zeros((resampled, 0)))
    counts = np.tensordot(np.vstack([numbers, drawn]), tables, 1)
    solved = _likeliest(list(cells), list(names), counts)
    ratings = solved[:, :-2] - solved[:, :-2].mean(1, keepdims=True)
    return Fit(ratings[0] / LOGIT, ratings[1:] / LOGIT, solved[0, -2] / LOGIT,
               solved[1:, -2] / LOGIT, float(_share_of_draws(solved[0, -1])))


def _likeliest(cells: Sequence[tuple[str, str]], names: Sequence[str], counts: np.ndarray
               ) -> np.ndarray:
    # Newton's method on all the tables of results at once: counts[tables, cells, won/drawn/lost]
    # by the first player.  Ratings, advantage and the logarithm of Davidson's nu in a row each.
    size = len(names) + 2
    effect = np.zeros((len(cells), 3, size))
    for cell, (first, second) in enumerate(cells):
        lead = np.zeros(size)
        lead[[names.index(first), names.index(second), -2]] = 1, -1, 1
        effect[cell, 0], effect[cell, 2], effect[cell, 1, -1] = lead / 2, -lead / 2, 1
    tight = 1 / np.array([PRIOR[0]] * len(names) + [*PRIOR[1:]]) ** 2
    flat = effect.reshape(-1, size)
    products = (flat[:, :, None] * flat[:, None, :]).reshape(-1, size * size)
    played = counts.sum(2)
    theta = np.zeros((len(counts), size))
    for _ in range(100):
        chances = np.exp(theta @ flat.T).reshape(counts.shape)
        chances /= chances.sum(2, keepdims=True)
        expected = (chances * played[:, :, None]).reshape(len(counts), -1)
        means = np.einsum("tco,cok->tck", chances, effect, optimize=True)
        curve = (expected @ products).reshape(-1, size, size)
        curve -= np.einsum("tc,tck,tcl->tkl", played, means, means, optimize=True)
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
