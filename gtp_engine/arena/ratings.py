"""Who is stronger, as far as games can tell: sequential tests, ratings, tables.

A contest is compared by pairs: the two games of an opening, each with the other colours.
"""

import math
from collections import Counter
from itertools import groupby, permutations
from typing import Iterable, Iterator, NamedTuple, Optional, Sequence

import numpy as np
from scipy.optimize import brentq

from .results import Played

MODELS = ("normalized", "logistic")
LOGIT = math.log(10) / 400  # of one Elo
NONE_SEEN = 1e-3  # stands for a count of 0
CONFIDENCE = (2.5, 97.5)  # per cent
TWO_SIDED = 1.96  # deviations of a normal law that hold 95 %
RESAMPLED = 1000
PRIOR = np.array([3000 * LOGIT, 3000 * LOGIT, 5.0])  # deviations of rating, advantage, draws
LONGEST_STEP = 2.0


class Test(NamedTuple):
    """A sequential test of elo1 against elo0, wrong with a probability of alpha (elo1 is accepted)
    and beta (elo0 is accepted); model: normalized or logistic Elo."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which elo0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which elo1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[float]) -> float:
        """The log-likelihood ratio of such counts, 0 if there are none."""
        return llr(counts, self.elo0, self.elo1, self.model) if sum(counts) else 0.0

    def decision(self, ratio: float) -> Optional[str]:
        """H1 or H0, the one that is accepted at that ratio; None if the test goes on."""
        return "H1" if ratio >= self.upper else "H0" if ratio <= self.lower else None


def llr(counts: Sequence[float], elo0: float, elo1: float, model: str = "normalized") -> float:
    """The log-likelihood ratio of elo1 against elo0 (generalised sequential test, Van den Bergh).

    counts  of pairs of games with 0, 1/2, 1, 3/2 and 2 points, or of games lost, drawn and won
    model   "normalized" or "logistic"

    Raises ValueError for other numbers of counts, no games, or another model.
    """
    if len(counts) not in (3, 5) or min(counts) < 0 or not sum(counts):
        raise ValueError("counts are three or five numbers from 0, not all of them 0")
    if model not in MODELS:
        raise ValueError(f"no such model: {model} (available: {' '.join(MODELS)})")
    seen = np.maximum(np.asarray(counts, float), NONE_SEEN)
    shares, points = seen / seen.sum(), np.arange(len(seen)) / (len(seen) - 1)
    if model == "logistic":
        laws = [_tilted(shares, points - expected_score(elo)) for elo in (elo0, elo1)]
    else:
        scale = LOGIT / 2 * math.sqrt(2 if len(seen) == 5 else 1)
        laws = [_with_ratio(shares, points, elo * scale) for elo in (elo0, elo1)]
    return float(seen.sum() * (shares @ np.log(laws[1] / laws[0])))


def _tilted(shares: np.ndarray, off: np.ndarray) -> np.ndarray:
    # The likeliest law under which the mean of `off` is 0.
    low, high = -1 / off.max(), -1 / off.min()
    edge = 1e-12 * (high - low)
    root = brentq(lambda x: shares @ (off / (1 + x * off)), low + edge, high - edge, xtol=1e-14)
    return shares / (1 + root * off)


def _with_ratio(shares: np.ndarray, points: np.ndarray, ratio: float) -> np.ndarray:
    # The likeliest law whose mean is `ratio` deviations above 1/2.
    law = np.full(len(points), 1 / len(points))
    for _ in range(10):
        mean = law @ points
        deviation = math.sqrt(law @ (points - mean) ** 2)
        before, law = law, _tilted(shares, points - 0.5 - ratio * deviation * (
            1 + ((mean - points) / deviation) ** 2) / 2)
        if np.abs(law - before).max() < 1e-9:
            break
    return law


def expected_score(elo: float) -> float:
    """The share of points that goes with a difference in Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The difference in Elo that goes with a share of points; 1200 at most."""
    score = min(max(score, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / score - 1)


def elo_of_pairs(pairs: Sequence[int]) -> tuple[float, float, float]:
    """Elo, and the ends of its interval of 95 %, from counts of pairs with 0, 1/2 ... 2 points.

    Without pairs anything from -1200 to 1200.
    """
    total, points = sum(pairs), np.arange(5) / 4
    if not total:
        return 0.0, elo_of(0.0), elo_of(1.0)
    shares = np.asarray(pairs) / total
    mean = float(shares @ points)
    error = TWO_SIDED * math.sqrt(float(shares @ (points - mean) ** 2) / total)
    return elo_of(mean), elo_of(mean - error), elo_of(mean + error)


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
    seen = np.array([*units.values()], int)
    drawn = rng.multinomial(seen.sum(), seen / seen.sum(), resampled) if units else (
        np.zeros((resampled, 0)))
    counts = np.tensordot(np.vstack([seen, drawn]), tables, 1)
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


def by_pairs(games: Iterable[Played]) -> Iterator[list[Played]]:
    """The games of one opening between two players together, in the order of their numbers."""
    ordered = sorted(games, key=lambda game: game.game)
    for _, pair in groupby(ordered, key=lambda game: (game.game - 1) // 2):
        yield list(pair)


def count_pairs(name: str, pairs: Iterable[Sequence[Played]]) -> list[int]:
    """How many whole pairs gave 0, 1/2, 1, 3/2 and 2 points to the player."""
    counts = [0] * 5
    for pair in pairs:
        if len(pair) == 2:
            counts[int(2 * sum(points_of(game, name) for game in pair))] += 1
    return counts


def points_of(game: Played, name: Optional[str] = None) -> float:
    """1, 1/2 or 0 for the player, the first one if no other is named."""
    return 0.5 if game.winner is None else float(game.winner == (name or game.first))
