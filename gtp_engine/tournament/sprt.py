"""Sequential tests of one Elo difference against another."""

import math
from typing import Any, Mapping, NamedTuple, Optional, Sequence

from .ratings import LOGIT, expected_score
from .results import MODELS, MOST_ELO

MOST_NORMALIZED = 200  # beyond that hardly any distribution of results exists
ZERO_COUNT = 1e-3  # replaces a count of 0


class SequentialTest(NamedTuple):
    """A sequential test of elo1 against elo0.

    elo0, elo1  the Elo differences of H0 and H1
    alpha       the probability of accepting H1 although H0 is true
    beta        the probability of accepting H0 although H1 is true
    model       "normalized" or "logistic" Elo
    """

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
        """Return the log-likelihood ratio of counts as in `llr`; 0 if all are 0."""
        return llr(counts, self.elo0, self.elo1, self.model) if sum(counts) else 0.0

    def decision(self, ratio: float) -> Optional[str]:
        """Return H1 or H0 if the test accepts it at this ratio; None if the test goes on."""
        return "H1" if ratio >= self.upper else "H0" if ratio <= self.lower else None


def test_of(values: Mapping[str, Any]) -> SequentialTest:
    """Return the test with these values.  Raises ValueError for impossible values."""
    test = SequentialTest(**values)
    if test.elo0 >= test.elo1:
        raise ValueError("elo1 must be above elo0")
    most = MOST_NORMALIZED if test.model == "normalized" else MOST_ELO
    if max(-test.elo0, test.elo1) > most:
        raise ValueError(f"{test.model} Elo goes from -{most} to {most}")
    if not (0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
        raise ValueError("alpha and beta must be between 0 and 0.5")
    return test


def llr(counts: Sequence[float], elo0: float, elo1: float, model: str = "normalized") -> float:
    """Return the log-likelihood ratio of elo1 against elo0.

    This is the generalised sequential test of Van den Bergh.

    counts  numbers of pairs with 0, 1/2, 1, 3/2 and 2 points, or of games lost, drawn and won
    model   "normalized" or "logistic"

    Raises ValueError for other numbers of counts, no games, or another model.
    """
    if len(counts) not in (3, 5) or min(counts) < 0 or not sum(counts):
        raise ValueError("counts are three or five numbers from 0, not all of them 0")
    if model not in MODELS:
        raise ValueError(f"no such model: {model} (available: {' '.join(MODELS)})")
    smoothed = [max(count, ZERO_COUNT) for count in counts]
    total = sum(smoothed)
    shares, points = [count / total for count in smoothed], [i / (len(smoothed) - 1) for i in
                                                         range(len(smoothed))]
    if model == "logistic":
        law0, law1 = (_tilted(shares, [point - expected_score(elo) for point in points])
                      for elo in (elo0, elo1))
    else:
        scale = LOGIT / 2 * math.sqrt(2 if len(smoothed) == 5 else 1)
        law0, law1 = (_with_ratio(shares, points, elo * scale) for elo in (elo0, elo1))
    return total * sum(share * math.log(q1 / q0) for share, q0, q1 in zip(shares, law0, law1))


def _tilted(shares: Sequence[float], off: Sequence[float]) -> list[float]:
    # The most likely distribution under which the mean of `off` is 0.  Its x is the root of a
    # function that falls from infinity to minus infinity between two poles.  Newton's method, or
    # bisection.
    low, high, x = -1 / max(off), -1 / min(off), 0.0
    for _ in range(200):
        parts = [each / (1 + x * each) for each in off]
        value = sum(share * part for share, part in zip(shares, parts))
        low, high = (x, high) if value > 0 else (low, x)
        step = value / sum(share * part * part for share, part in zip(shares, parts))
        before, x = x, x + step if low < x + step < high else (low + high) / 2
        if abs(x - before) < 1e-13 * (1 + abs(x)):
            break
    return [share / (1 + x * each) for share, each in zip(shares, off)]


def _with_ratio(shares: Sequence[float], points: Sequence[float], ratio: float) -> list[float]:
    # The most likely distribution with a mean `ratio` standard deviations above 1/2.
    law = [1 / len(points)] * len(points)
    for _ in range(10):
        mean = sum(q * point for q, point in zip(law, points))
        deviation = math.sqrt(sum(q * (point - mean) ** 2 for q, point in zip(law, points)))
        before, law = law, _tilted(shares, [
            point - 0.5 - ratio * deviation * (1 + ((mean - point) / deviation) ** 2) / 2
            for point in points])
        if max(abs(q - old) for q, old in zip(law, before)) < 1e-9:
            break
    return law
