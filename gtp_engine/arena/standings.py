"""The tables of a contest: who has how many points against whom, how fast, how strong."""

from collections import Counter
from itertools import permutations
from statistics import fmean
from typing import Any, Iterable, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from .bradley_terry import CONFIDENCE, Fit, fit
from .ratings import Test, by_pairs, count_pairs, elo_of_pairs, points_of, test_of
from .results import Played
from .verdict import Ending

CHECKPOINTS = 100  # at most, of what is shown over the games
BY_THE_RULES = {Ending.LINE.name, Ending.CAPTURES.name, Ending.BOARD_FULL.name}


class Standing(NamedTuple):
    """What a player has from its games, or from some of them; points by the contest's count."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: float = 0.0

    @classmethod
    def of(cls, name: str, games: Iterable[Played], worth: Mapping[str, float]) -> "Standing":
        """From these games, in which the player took part; worth: of a win, a draw and a loss."""
        results = Counter(points_of(game, name) for game in games)
        won, drawn, lost = results[1.0], results[0.5], results[0.0]
        return cls(won, drawn, lost,
                   won * worth["win"] + drawn * worth["draw"] + lost * worth["loss"])


class Table:
    """Games of a contest, sorted by who met whom.

    names  the players, in the order of the contest
    met    the games of each two players that have met, in both orders, sorted by number
    """

    def __init__(self, names: Sequence[str], games: Iterable[Played], worth: Mapping[str, float]):
        self.names, self.worth = names, worth
        self.games = sorted(games, key=lambda game: game.game)
        self.met: dict[tuple[str, str], list[Played]] = {}
        for game in self.games:
            self.met.setdefault((game.first, game.second), []).append(game)
        for a, b in list(self.met):
            if (b, a) not in self.met or names.index(a) < names.index(b):
                both = sorted(self.met[a, b] + self.met.get((b, a), []),
                              key=lambda game: game.game)
                self.met[a, b] = self.met[b, a] = both

    def against(self, a: str, b: str) -> Standing:
        """What a has from its games against b."""
        return Standing.of(a, self.met.get((a, b), []), self.worth)

    def ranked(self) -> list[tuple[int, str, float]]:
        """Rank, name and Sonneborn-Berger score, the best first.

        Points decide, then the points of those who have as many against each other, then
        Sonneborn-Berger: the points against each opponent times those of the opponent.  Who is
        level in all of it has the same rank, in the order of the contest.
        """
        met = {pair: self.against(*pair).points for pair in permutations(self.names, 2)}
        others = {a: [b for b in self.names if b != a] for a in self.names}
        points = {a: sum(met[a, b] for b in others[a]) for a in self.names}
        direct = {a: sum(met[a, b] for b in others[a] if points[b] == points[a])
                  for a in self.names}
        berger = {a: sum(met[a, b] * points[b] for b in others[a]) for a in self.names}
        scores = {a: (points[a], direct[a], berger[a]) for a in self.names}
        order = sorted(self.names, key=scores.__getitem__, reverse=True)
        return [(1 + sum(scores[b] > scores[a] for b in self.names), a, berger[a]) for a in order]

    def of(self, name: str) -> list[Played]:
        """The games of a player."""
        return [game for game in self.games if name in (game.first, game.second)]


def summary_of(contest: Mapping[str, Any], games: Iterable[Played]) -> dict[str, Any]:
    """All that the games of a contest say, as it is shown, kept and drawn; the same each time.

    players      by rank: points, ratings with the ends of their intervals, habits
    cross        by player and opponent, with counts of pairs of 0, 1/2, 1, 3/2 and 2 points
    superiority  by player and opponent, how likely the player is stronger
    advantage    of the first move, in Elo
    progress     ratings after so many games, and what the sequential test said
    test         of the first player against the second one, None where there is none
    """
    names = [player["name"] for player in contest["players"]]
    table = Table(names, games, contest["points"])
    ratings = fit(names, table.games, np.random.default_rng(0))
    low, high = np.percentile(ratings.advantages, CONFIDENCE)
    test = test_of(contest["test"]) if contest["test"] else None
    return {
        "contest": {key: value for key, value in contest.items()
                    if key not in ("schedule", "scheduled")},
        "schedule": contest["schedule"], "games": len(table.games),
        "scheduled": contest["scheduled"],
        "players": [{"rank": rank, "name": name, **_player(table, ratings, name),
                     "sonneborn_berger": berger} for rank, name, berger in table.ranked()],
        "cross": {a: {b: {**table.against(a, b)._asdict(),
                          "pairs": count_pairs(a, by_pairs(table.met[a, b]))}
                      for b in names if (a, b) in table.met} for a in names},
        "superiority": {a: {b: ratings.superiority(i, j) for j, b in enumerate(names) if j != i}
                        for i, a in enumerate(names)},
        "advantage": {"elo": ratings.advantage, "low": float(low), "high": float(high)},
        "draws": ratings.draws,
        "endings": dict(Counter(game.ending for game in table.games)),
        "progress": _progress(names, table.games, test),
        "test": test and _tested(test, count_pairs(names[0], by_pairs(table.games))),
    }


def _player(table: Table, ratings: Fit, name: str) -> dict[str, Any]:
    games, number = table.of(name), table.names.index(name)
    seconds, told = [], []
    for game in games:
        own = slice((name != game.first) ^ len(game.opening) % 2, None, 2)
        seconds += game.seconds[own]
        told += game.told[own]
    low, high = np.percentile(ratings.samples[:, number], CONFIDENCE)
    sides = {side: Standing.of(name, [game for game in games if getattr(game, side) == name],
                               table.worth)._asdict() for side in ("first", "second")}
    lost = Counter(game.ending for game in games
                   if game.winner not in (None, name) and game.ending not in BY_THE_RULES)
    return {**Standing.of(name, games, table.worth)._asdict(), "games": len(games),
            "elo": float(ratings.elo[number]), "low": float(low), "high": float(high), **sides,
            "losses": dict(lost), "plies": _mean(len(game.opening) + len(game.moves)
                                                 for game in games),
            "seconds": _mean(seconds), "longest": max(seconds, default=None),
            **{what: _mean(each[what] for each in told if what in each)
               for what in ("depth", "nodes")}}


def _mean(numbers: Iterable[float]) -> Optional[float]:
    found = [*numbers]
    return fmean(found) if found else None


def _tested(test: Test, pairs: Sequence[int]) -> dict[str, Any]:
    ratio = test.ratio(pairs)
    return {**test._asdict(), "llr": ratio, "lower": test.lower, "upper": test.upper,
            "decision": test.decision(ratio), "pairs": pairs}


def _progress(names: Sequence[str], games: Sequence[Played], test: Optional[Test]
              ) -> dict[str, Any]:
    # As the games ended; of two players with the interval of their pairs.
    ended = sorted(games, key=lambda game: (game.at, game.game))
    step = max(1, -(-len(ended) // CHECKPOINTS))
    shown = sorted({*range(step, len(ended), step), len(ended)} - {0})
    match = len(names) == 2
    ratings: dict[str, dict[str, list[float]]] = {
        key: {name: [] for name in names} for key in ("elo", "low", "high")}
    ratios = []
    for count in shown:
        if match:
            pairs = count_pairs(names[0], by_pairs(ended[:count]))
            ratios.append(test.ratio(pairs) if test else 0.0)
            elo, low, high = (value / 2 for value in elo_of_pairs(pairs))
            for name, values in zip(names, ((elo, low, high), (-elo, -high, -low))):
                for key, value in zip(ratings, values):
                    ratings[key][name].append(value)
        else:
            found = fit(names, ended[:count], np.random.default_rng(0), 0)
            for name, elo in zip(names, found.elo):
                ratings["elo"][name].append(float(elo))
    return {"games": shown, "elo": ratings["elo"], "low": ratings["low"] if match else None,
            "high": ratings["high"] if match else None,
            "llr": ratios if test else None}
