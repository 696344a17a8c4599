"""Which of two players is stronger, as far as games show it: Elo differences with intervals.

They are computed from pairs: the two games of an opening, each with the other colours.
"""

import math
from itertools import groupby
from typing import Callable, Iterable, Iterator, Optional, Sequence

from .results import Played

LOGIT = math.log(10) / 400  # of one Elo
TWO_SIDED = 1.96  # deviations of a normal law that hold 95 %
ADDED = 2  # pairs lost and pairs won that intervals count besides
CLOSEST = 1e-3  # a share of points that is closer to none or all has no Elo
OPEN_END = "open"  # the end of an interval on a side of which the games say nothing

End = Optional[float]  # of an interval, None: it is open


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
    return OPEN_END if elo is None else f"{round(elo):+d}"


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
