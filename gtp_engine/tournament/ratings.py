"""Who of two is stronger, as far as games can tell: Elo and the sequential test.

It is told from pairs: the two games of an opening, each with the other colours.
"""

import math
from itertools import groupby
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence

from .results import MODELS, MOST_ELO, Played

MOST_NORMALIZED = 200  # beyond that hardly any law of results is possible
LOGIT = math.log(10) / 400  # of one Elo
NONE_SEEN = 1e-3  # stands for a count of 0
TWO_SIDED = 1.96  # deviations of a normal law that hold 95 %
ADDED = 2  # pairs lost and pairs won that intervals count besides
CLOSEST = 1e-3  # a share of points that is closer to none or all has no Elo
OPEN = "open"  # the end of an interval on a side of which the games say nothing

End = Optional[float]  # of an interval, None: it is open


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


def test_of(values: Mapping[str, Any]) -> Test:
    """The test with these values.  Raises ValueError if there can be no such test."""
    test = Test(**values)
    if test.elo0 >= test.elo1:
        raise ValueError("elo1 must be above elo0")
    most = MOST_NORMALIZED if test.model == "normalized" else MOST_ELO
    if max(-test.elo0, test.elo1) > most:
        raise ValueError(f"{test.model} Elo goes from -{most} to {most}")
    if not (0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
        raise ValueError("alpha and beta must be between 0 and 0.5")
    return test


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
    seen = [max(count, NONE_SEEN) for count in counts]
    total = sum(seen)
    shares, points = [count / total for count in seen], [i / (len(seen) - 1) for i in
                                                         range(len(seen))]
    if model == "logistic":
        law0, law1 = (_tilted(shares, [point - expected_score(elo) for point in points])
                      for elo in (elo0, elo1))
    else:
        scale = LOGIT / 2 * math.sqrt(2 if len(seen) == 5 else 1)
        law0, law1 = (_with_ratio(shares, points, elo * scale) for elo in (elo0, elo1))
    return total * sum(share * math.log(q1 / q0) for share, q0, q1 in zip(shares, law0, law1))


def _tilted(shares: Sequence[float], off: Sequence[float]) -> list[float]:
    # The likeliest law under which the mean of `off` is 0: its x is the root of a function that
    # falls from infinity to minus infinity between two poles.  Newton's method, or a half.
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
    # The likeliest law whose mean is `ratio` deviations above 1/2.
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


def expected_score(elo: float) -> float:
    """The share of points that goes with a difference in Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The difference in Elo that goes with a share of points; 1200 at most."""
    score = min(max(score, CLOSEST), 1 - CLOSEST)
    return 400 * math.log10(score / (1 - score))


def elo_of_pairs(pairs: Sequence[int]) -> tuple[float, End, End]:
    """Elo, and the ends of its interval of 95 %, from counts of pairs with 0, 1/2 ... 2 points.

    The interval is that of Agresti and Coull (1998), for the mean of a pair: the usual one of the
    normal law, after two lost and two won pairs have been added.  It holds the truth after few
    pairs too, and after pairs that ended alike.  Without pairs the rating is 0.
    """
    total = sum(pairs)
    if not total:
        return 0.0, None, None
    score = _mean_and_variance(pairs)[0]
    mean, variance = _mean_and_variance([pairs[0] + ADDED, *pairs[1:-1], pairs[-1] + ADDED])
    error = TWO_SIDED * math.sqrt(variance / (total + 2 * ADDED))
    low, high = mean - error, mean + error
    return (elo_of(score), elo_of(low) if low > CLOSEST else None,
            elo_of(high) if high < 1 - CLOSEST else None)


def _mean_and_variance(counts: Sequence[int]) -> tuple[float, float]:
    # Of the share of points of a pair.
    total = sum(counts)
    mean = sum(count * i / 4 for i, count in enumerate(counts)) / total
    return mean, sum(count * (i / 4 - mean) ** 2 for i, count in enumerate(counts)) / total


def elo_text(elo: End) -> str:
    """A difference in Elo, or the end of an interval, for people."""
    return OPEN if elo is None else f"{round(elo):+d}"


def interval_text(low: End, high: End, text: Callable[[End], str] = elo_text) -> str:
    """An interval for people; `text` writes an end."""
    return "too few games" if low is None and high is None else f"{text(low)} to {text(high)}"


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
