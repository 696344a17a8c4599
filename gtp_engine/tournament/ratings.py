"""Elo differences of two players, with confidence intervals.

The unit is the pair: the two games of an opening, with the colours swapped.
"""

import math
from itertools import groupby
from typing import Callable, Iterable, Iterator, Optional, Sequence

from .results import Played

LOGIT = math.log(10) / 400  # logits of one Elo
TWO_SIDED = 1.96  # standard deviations of a two-sided 95 % interval
ADDED = 2  # lost pairs, and won pairs, that intervals add
CLOSEST = 1e-3  # a share of points closer to 0 or 1 has no Elo
OPEN_END = "open"  # the end of an interval without a limit on this side

End = Optional[float]  # the end of an interval; None: open


def expected_score(elo: float) -> float:
    """Return the expected share of points for a difference in Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """Return the difference in Elo for a share of points, from -1200 to 1200."""
    score = min(max(score, CLOSEST), 1 - CLOSEST)
    return 400 * math.log10(score / (1 - score))


def elo_of_pairs(pairs: Sequence[int]) -> tuple[float, End, End]:
    """Return Elo and the ends of its 95 % interval.

    pairs  counts of pairs with 0, 1/2, 1, 3/2 and 2 points

    The interval is that of Agresti and Coull (1998) for the mean of a pair: the normal interval
    after adding two lost and two won pairs.  It is also valid after few pairs, and after pairs with
    equal results.  Without pairs the rating is 0.
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
    # The mean and variance of a pair's share of points.
    total = sum(counts)
    mean = sum(count * i / 4 for i, count in enumerate(counts)) / total
    return mean, sum(count * (i / 4 - mean) ** 2 for i, count in enumerate(counts)) / total


def elo_text(elo: End) -> str:
    """Return the text of a difference in Elo, or of the end of an interval."""
    return OPEN_END if elo is None else f"{round(elo):+d}"


def interval_text(low: End, high: End, text: Callable[[End], str] = elo_text) -> str:
    """Return the text of an interval; `text` returns the text of an end."""
    return "too few games" if low is None and high is None else f"{text(low)} to {text(high)}"


def by_pairs(games: Iterable[Played]) -> Iterator[list[Played]]:
    """Yield the games of each opening between two players, in the order of their numbers."""
    ordered = sorted(games, key=lambda game: game.game)
    for _, pair in groupby(ordered, key=lambda game: (game.game - 1) // 2):
        yield list(pair)


def count_pairs(name: str, pairs: Iterable[Sequence[Played]]) -> list[int]:
    """Return the numbers of complete pairs in which the player has 0, 1/2, 1, 3/2 and 2 points."""
    counts = [0] * 5
    for pair in pairs:
        if len(pair) == 2:
            counts[int(2 * sum(points_of(game, name) for game in pair))] += 1
    return counts


def points_of(game: Played, name: Optional[str] = None) -> float:
    """Return the points of a player, 1, 1/2 or 0; by default of the first player."""
    return 0.5 if game.winner is None else float(game.winner == (name or game.first))
