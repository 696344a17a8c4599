"""The tables of a contest: standings, cross table, ratings and speed."""

from collections import Counter
from itertools import permutations
from statistics import fmean
from typing import Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from ..arena.verdict import Ending
from .bradley_terry import CONFIDENCE, Fit, fit
from .ratings import End, by_pairs, count_pairs, elo_of_pairs, points_of
from .results import Played
from .sprt import SequentialTest, test_of

CHECKPOINTS = 100  # most points of a curve over the games
BY_THE_RULES = {Ending.LINE.name, Ending.CAPTURES.name, Ending.BOARD_FULL.name}


class Standing(NamedTuple):
    """The score of a player from some or all of its games."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: float = 0.0

    @classmethod
    def of(cls, name: str, games: Iterable[Played], worth: Mapping[str, float]) -> "Standing":
        """Return the score of a player from its games.

        worth  the points for a win, a draw and a loss
        """
        results = Counter(points_of(game, name) for game in games)
        won, drawn, lost = results[1.0], results[0.5], results[0.0]
        return cls(won, drawn, lost,
                   won * worth["win"] + drawn * worth["draw"] + lost * worth["loss"])


class Rating(NamedTuple):
    """Elo, with the ends of its 95 % interval."""

    elo: float
    low: End
    high: End

    def shifted(self, shift: float = 0.0) -> dict[str, End]:
        """Return the rating and its interval plus `shift`, rounded to tenths."""
        return {key: None if value is None else round(value + shift, 1) + 0.0  # no -0
                for key, value in self._asdict().items()}


class Table:
    """The games of a contest, grouped by pairing.

    names     the players, in the order of the contest
    pairings  the games of each pairing, under both orders of the names, sorted by number
    """

    def __init__(self, names: Sequence[str], games: Iterable[Played], worth: Mapping[str, float]):
        self.names, self.worth = names, worth
        self.games = sorted(games, key=lambda game: game.game)
        self.pairings: dict[tuple[str, str], list[Played]] = {}
        for game in self.games:
            self.pairings.setdefault((game.first, game.second), []).append(game)
        for a, b in list(self.pairings):
            if (b, a) not in self.pairings or names.index(a) < names.index(b):
                both = sorted(self.pairings[a, b] + self.pairings.get((b, a), []),
                              key=lambda game: game.game)
                self.pairings[a, b] = self.pairings[b, a] = both

    def against(self, a: str, b: str) -> Standing:
        """Return the score of a from its games against b."""
        return Standing.of(a, self.pairings.get((a, b), []), self.worth)

    def ranked(self) -> list[tuple[int, str, float]]:
        """Return rank, name and Sonneborn-Berger score of each player, the best first.

        The first criterion is points.  The second is the points against the players with the same
        points.  The third is Sonneborn-Berger: the points against each opponent times the
        opponent's points.  Players equal in all three share a rank, in the order of the contest.
        """
        scored = {pair: self.against(*pair).points for pair in permutations(self.names, 2)}
        others = {a: [b for b in self.names if b != a] for a in self.names}
        points = {a: sum(scored[a, b] for b in others[a]) for a in self.names}
        direct = {a: sum(scored[a, b] for b in others[a] if points[b] == points[a])
                  for a in self.names}
        berger = {a: sum(scored[a, b] * points[b] for b in others[a]) for a in self.names}
        scores = {a: (points[a], direct[a], berger[a]) for a in self.names}
        order = sorted(self.names, key=scores.__getitem__, reverse=True)
        return [(1 + sum(scores[b] > scores[a] for b in self.names), a, berger[a]) for a in order]

    def of(self, name: str) -> list[Played]:
        """Return the games of a player."""
        return [game for game in self.games if name in (game.first, game.second)]


def summary_of(contest: Mapping[str, Any], games: Iterable[Played]) -> dict[str, Any]:
    """Return the data of all tables, plots and reports of a contest; deterministic.

    players      by rank: points, ratings with intervals, losses, plies, times, search info
    notes        warnings about ratings and results
    mean         the mean of the ratings: 0 without anchors
    cross        scores by player and opponent, with numbers of pairs of 0, 1/2, 1, 3/2 and 2 points
    superiority  by player and opponent, the probability that the player is stronger
    advantage    advantage of the first move, in Elo
    progress     ratings and the log-likelihood ratio after each number of games
    test         the sequential test of the first player against the second one, or None
    """
    names = [player["name"] for player in contest["players"]]
    anchor = {name: elo for name, elo in contest.get("anchor", {}).items() if name in names}
    table = Table(names, games, contest["points"])
    model = fit(names, table.games, np.random.default_rng(0))
    ratings = _ratings(names, table, model)
    shift = _shift(anchor, ratings)
    test = test_of(contest["test"]) if contest["test"] else None
    players = [{"rank": rank, "name": name, **_player(table, name),
                **ratings[name].shifted(shift), "sonneborn_berger": berger}
               for rank, name, berger in table.ranked()]
    return {
        "contest": {key: value for key, value in contest.items()
                    if key not in ("schedule", "scheduled")},
        "schedule": contest["schedule"], "games": len(table.games),
        "scheduled": contest["scheduled"], "players": players,
        "notes": [note for player in players for note in _notes(player)],
        "mean": round(shift, 1) + 0.0,
        "cross": {a: {b: {**table.against(a, b)._asdict(),
                          "pairs": count_pairs(a, by_pairs(table.pairings[a, b]))}
                      for b in names if (a, b) in table.pairings} for a in names},
        "superiority": {a: {b: model.superiority(i, j) for j, b in enumerate(names) if j != i}
                        for i, a in enumerate(names)},
        "advantage": Rating(model.advantage, *_ends(model.advantages, table.games)).shifted(),
        "draws": model.draws,
        "endings": dict(Counter(game.ending for game in table.games)),
        "progress": _progress(names, table.games, test, anchor),
        "test": test and _test_data(test, count_pairs(names[0], by_pairs(table.games))),
    }


def _ratings(names: Sequence[str], table: Table, model: Fit) -> dict[str, Rating]:
    if len(names) == 2:
        return _match(names, table.games)
    return {name: Rating(float(model.elo[number]),
                         *_ends(model.samples[:, number], table.of(name), name))
            for number, name in enumerate(names)}


def _match(names: Sequence[str], games: Iterable[Played]) -> dict[str, Rating]:
    # The ratings of two players from their pairs, with a mean of 0.
    elo, low, high = (end if end is None else end / 2
                      for end in elo_of_pairs(count_pairs(names[0], by_pairs(games))))
    assert elo is not None
    below, above = (end if end is None else -end for end in (high, low))
    return {names[0]: Rating(elo, low, high), names[1]: Rating(-elo, below, above)}


def _ends(samples: np.ndarray, games: Iterable[Played], name: Optional[str] = None
          ) -> tuple[End, End]:
    # The interval of the samples; open if all pairs have the same result, for the player or for the
    # first move.  All samples are equal then.
    results = {fmean(points_of(game, name) for game in pair) for pair in by_pairs(games)}
    low, high = np.percentile(samples, CONFIDENCE)
    return (float(low), float(high)) if len(results) > 1 else (None, None)


def _shift(anchor: Mapping[str, float], ratings: Mapping[str, Rating]) -> float:
    # The shift of all ratings that fits the anchors on average.
    return fmean(elo - ratings[name].elo for name, elo in anchor.items()) if anchor else 0.0


def _player(table: Table, name: str) -> dict[str, Any]:
    games = table.of(name)
    seconds, infos = [], []
    for game in games:
        seconds += game.seconds[game.own(name)]
        infos += game.told[game.own(name)]
    sides = {side: Standing.of(name, [game for game in games if getattr(game, side) == name],
                               table.worth)._asdict() for side in ("first", "second")}
    lost = Counter(game.ending for game in games
                   if game.winner not in (None, name) and game.ending not in BY_THE_RULES)
    return {**Standing.of(name, games, table.worth)._asdict(), "games": len(games), **sides,
            "losses": dict(lost), "unready": sum(game.unready == name for game in games),
            "plies": _mean(len(game.opening) + len(game.moves) for game in games),
            "seconds": _mean(seconds), "longest": max(seconds, default=None),
            **{key: _mean(each[key] for each in infos if key in each)
               for key in ("depth", "nodes")}}


def _notes(player: Mapping[str, Any]) -> Iterator[str]:
    name, games = player["name"], player["games"]
    if games and games in (player["won"], player["lost"]):
        result, side = ("won", "upwards") if player["won"] else ("lost", "downwards")
        yield f"{name} has {result} all its games: its rating is open {side}."
    if player["unready"]:
        yield (f"{name} lost {player['unready']} of {games} games before or at its first move, on "
               "time or because its program did not run.")


def _mean(numbers: Iterable[float]) -> Optional[float]:
    values = [*numbers]
    return fmean(values) if values else None


def _test_data(test: SequentialTest, pairs: Sequence[int]) -> dict[str, Any]:
    ratio = test.ratio(pairs)
    return {**test._asdict(), "llr": ratio, "lower": test.lower, "upper": test.upper,
            "decision": test.decision(ratio), "pairs": pairs}


def _progress(names: Sequence[str], games: Sequence[Played], test: Optional[SequentialTest],
              anchor: Mapping[str, float]) -> dict[str, Any]:
    # Ratings in the order in which the games ended; for two players with the interval of their
    # pairs.
    ended = sorted(games, key=lambda game: (game.at, game.game))
    step = max(1, -(-len(ended) // CHECKPOINTS))
    checkpoints = sorted({*range(step, len(ended), step), len(ended)} - {0})
    lines: dict[str, dict[str, list[End]]] = {
        key: {name: [] for name in names} for key in Rating._fields}
    ratios = []
    for count in checkpoints:
        if len(names) == 2:
            ratings = _match(names, ended[:count])
        else:
            model = fit(names, ended[:count], np.random.default_rng(0), 0)
            ratings = {name: Rating(float(elo), None, None) for name, elo in zip(names, model.elo)}
        for name in names:
            for key, value in ratings[name].shifted(_shift(anchor, ratings)).items():
                lines[key][name].append(value)
        if test:
            ratios.append(test.ratio(count_pairs(names[0], by_pairs(ended[:count]))))
    match = len(names) == 2
    return {"games": checkpoints, "elo": lines["elo"], "low": lines["low"] if match else None,
            "high": lines["high"] if match else None, "llr": ratios if test else None}
