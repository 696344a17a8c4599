"""Sequential tests, ratings and tables, held against figures from outside and slow fits."""

import math
from collections import Counter
from random import Random
from statistics import fmean, pstdev

import numpy as np
import pytest

from gtp_engine.tournament import progress
from gtp_engine.tournament.bradley_terry import fit
from gtp_engine.tournament.ratings import (
    elo_of,
    elo_of_pairs,
    elo_text,
    expected_score,
    interval_text,
)
from gtp_engine.tournament.results import Played
from gtp_engine.tournament.sprt import SequentialTest, llr
from gtp_engine.tournament.standings import Table, summary_of

VECTORS = [  # counts of pairs (0 to 2 points) or of games, model, hypotheses, log-likelihood ratio
    ((365, 16618, 36229, 16974, 390), "normalized", 0, 2, 2.250368),
    ((127, 4883, 10712, 5150, 104), "normalized", -1.75, 0.25, 3.010154),
    ((223, 9863, 21279, 10037, 246), "logistic", 0.5, 2.5, -3.074126),
    ((5, 0, 20, 0, 25), "logistic", 0, 10, 0.930825),
    ((0, 0, 10, 0, 0), "logistic", 0, 10, -0.285796),
    ((36027, 68692, 36433), "normalized", 0, 2, 0.923293),
]


@pytest.mark.parametrize("counts, model, elo0, elo1, ratio", VECTORS)
def test_log_likelihood_ratios(counts, model, elo0, elo1, ratio):
    assert llr(counts, elo0, elo1, model) == pytest.approx(ratio, abs=1e-6)
    assert llr(counts, elo1, elo0, model) == pytest.approx(-ratio, abs=1e-6)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_the_ratio_grows_with_the_points(model):
    ratios = [llr(counts, 0, 20, model) for counts in (
        (9, 5, 5, 1, 0), (5, 5, 5, 5, 5), (1, 5, 9, 5, 3), (0, 0, 5, 5, 9), (0, 0, 0, 0, 20))]
    assert ratios == sorted(ratios) and ratios[0] < 0 < ratios[-1]


@pytest.mark.parametrize("counts, model", [
    ((1, 2), "normalized"), ((0, 0, 0), "logistic"), ((-1, 1, 1), "logistic"), ((1, 1, 1), "x")])
def test_counts_that_are_refused(counts, model):
    with pytest.raises(ValueError):
        llr(counts, 0, 5, model)


def test_bounds():
    test = SequentialTest(0, 5, 0.05, 0.1)
    assert (test.lower, test.upper) == (pytest.approx(math.log(0.1 / 0.95)),
                                        pytest.approx(math.log(0.9 / 0.05)))
    assert [test.decision(ratio) for ratio in (test.lower, -1, 1, test.upper)] == [
        "H0", None, None, "H1"]
    assert test.ratio((0, 0, 0, 0, 0)) == 0


@pytest.mark.parametrize("true, wrong", [(0, "H1"), (100, "H0")])
@pytest.mark.few(1)
def test_error_rates(true, wrong):
    """Of 200 tests of 0 against 100 Elo no more are wrong than chance allows.

    Expected are at most 10; more than 19 come in one of 300 such runs.
    """
    rng, test = np.random.default_rng(1), SequentialTest(0, 100)
    law = np.array([0.25, 0.0, 0.5, 0.0, 0.25])  # deviation of a pair's share: sqrt(1/8)
    shift = true * math.sqrt(2) * math.log(10) / 800 * math.sqrt(1 / 8) / 2
    law += np.array([-2, 0, 0, 0, 2]) * shift
    assert (law @ np.arange(5) / 4 - 0.5) / math.sqrt(1 / 8) == pytest.approx(
        true * math.sqrt(2) * math.log(10) / 800)
    found = []
    for _ in range(200):
        counts, decision = np.zeros(5), None
        while decision is None:
            counts += rng.multinomial(5, law)
            decision = test.decision(test.ratio(counts))
        found.append(decision)
    assert found.count(wrong) < 20


def played(number, first, second, points, **more):
    """A game in which the first player made so many points."""
    winner = {1: first, 0.5: None, 0: second}[points]
    return Played(**{
        "game": number, "round": 1, "first": first, "second": second, "opening": [],
        "moves": ["A1", "B2", "C3"], "seconds": [0.1, 0.2, 0.3], "told": [{}, {"depth": 4}, {}],
        "winner": winner, "ending": "LINE" if winner else "BOARD_FULL", "verdict": "", "at": number,
        "schedule": "x", **more})


def simulated(rng, ratings, advantage, nu, rounds):
    """Games by Davidson's law, each two players twice in a round."""
    names, games = list(ratings), []
    for _ in range(rounds):
        for i, a in enumerate(names):
            for b in names[i + 1:]:
                for first, second in ((a, b), (b, a)):
                    lead = 10 ** ((ratings[first] - ratings[second] + advantage) / 400)
                    weights = [lead, nu * math.sqrt(lead), 1]
                    result, = rng.choices((1, 0.5, 0), weights)
                    games.append(played(len(games) + 1, first, second, result))
    return games


def slow_fit(names, games):
    """The same ratings by trial and error: of each player, and of the first move, in Elo."""
    counts = Counter((game.first, game.second, game.winner) for game in games)

    def likelihood(theta):
        total = -sum((theta / 17.27) ** 2) / 2  # the prior of 3000 Elo
        for (first, second, winner), count in counts.items():
            lead = theta[names.index(first)] - theta[names.index(second)] + theta[-2]
            logits = {first: lead / 2, None: theta[-1], second: -lead / 2}
            total += count * (logits[winner] - math.log(sum(map(math.exp, logits.values()))))
        return total

    found, step = np.zeros(len(names) + 2), 0.5
    while step > 1e-4:  # up the hill, along each axis in turn
        tries = [found + sign * step * axis for axis in np.eye(len(found)) for sign in (1, -1)]
        best = max(tries, key=likelihood)
        if likelihood(best) > likelihood(found):
            found = best
        else:
            step /= 2
    found = found * 400 / math.log(10)
    return found[:-2] - found[:-2].mean(), found[-2]


@pytest.mark.thorough
def test_ratings_are_the_likeliest():
    games = simulated(Random(1), {"a": 0, "b": 100, "c": 300}, 60, 0.7, 20)
    found = fit("abc", games, np.random.default_rng(1), 10)
    elo, advantage = slow_fit("abc", games)
    assert found.elo == pytest.approx(elo, abs=0.5)
    assert found.advantage == pytest.approx(advantage, abs=0.5)


def test_intervals_hold_the_truth():
    """Of 80 intervals of 95 % in 20 runs, four are expected to fail, and ten do by rare chance."""
    rng, failed = Random(2), 0
    truth = {"a": 0, "b": 100, "c": 300}
    for run in range(20):
        games = simulated(rng, truth, 60, 0.5, 100)
        found = fit("abc", games, np.random.default_rng(run), 200)
        for i, name in enumerate("abc"):
            low, high = np.percentile(found.samples[:, i], (2.5, 97.5))
            failed += not low <= truth[name] - 400 / 3 <= high
        low, high = np.percentile(found.advantages, (2.5, 97.5))
        failed += not low <= 60 <= high
    assert failed < 10


def test_the_games_of_an_opening_are_drawn_together():
    """Pairs that always end 1 : 1 leave no doubt, however the single games ended."""
    games = [played(number, *("ab" if number % 2 else "ba"), 1) for number in range(1, 41)]
    found = fit("ab", games, np.random.default_rng(1))
    assert found.elo == pytest.approx([0, 0], abs=1e-6)
    assert np.ptp(found.samples[:, 0]) < 1e-6 and found.advantage > 500
    assert found.superiority(0, 1) == pytest.approx(0.5, abs=0.5)


def test_elo_and_scores():
    assert [expected_score(elo_of(score)) for score in (0.1, 0.5, 0.9)] == pytest.approx(
        [0.1, 0.5, 0.9])
    assert elo_of_pairs([1, 2, 3, 4, 5])[0] == pytest.approx(elo_of((2 + 6 + 12 + 20) / 4 / 15))


INTERVALS = [  # counts of pairs, and what people are shown
    ((0, 0, 0, 0, 0), "+0 (too few games)"), ((0, 0, 1, 0, 0), "+0 (-367 to +367)"),
    ((0, 0, 0, 0, 1), "+1200 (-275 to open)"), ((0, 0, 0, 0, 3), "+1200 (-85 to open)"),
    ((3, 0, 0, 0, 0), "-1200 (open to +85)"), ((0, 0, 20, 0, 0), "+0 (-57 to +57)"),
    ((0, 0, 200, 0, 0), "+0 (-7 to +7)"), ((1, 0, 0, 0, 1), "+0 (-382 to +382)"),
    ((0, 0, 1, 0, 40), "+763 (+348 to open)"), ((1000, 0, 0, 1, 999), "+0 (-15 to +15)"),
]


@pytest.mark.parametrize("pairs, text", INTERVALS)
def test_intervals_of_pairs(pairs, text):
    """As they are worked out slowly, from every pair; of a width above 0, with no -0."""
    elo, low, high = elo_of_pairs(pairs)
    assert f"{elo_text(elo)} ({interval_text(low, high)})" == text
    if sum(pairs):
        shares = [i / 4 for i, count in enumerate(pairs) for _ in range(count)] + [0, 0, 1, 1]
        error = 1.96 * pstdev(shares) / math.sqrt(len(shares))
        for end, share in ((low, fmean(shares) - error), (high, fmean(shares) + error)):
            assert end == (pytest.approx(elo_of(share)) if 0.001 < share < 0.999 else None)


LAWS = [  # chances of 0, 1/2 ... 2 points of a pair
    (0.25, 0, 0.5, 0, 0.25), (0.01, 0, 0.18, 0, 0.81), (0.02, 0.05, 0.86, 0.05, 0.02),
    (0.5, 0, 0, 0, 0.5), (0, 0, 0.02, 0, 0.98), (0.01, 0.1, 0.7, 0.18, 0.01)]


@pytest.mark.parametrize("law", LAWS)
def test_intervals_of_few_pairs_hold_the_truth(law):
    """Nine of ten at least, however few pairs there are; of many pairs 95 %."""
    truth, rng = elo_of(sum(chance * i / 4 for i, chance in enumerate(law))), (
        np.random.default_rng(1))
    for pairs, least in ((2, 0.9), (5, 0.9), (20, 0.92), (200, 0.93)):
        found = [elo_of_pairs(counts.tolist()) for counts in rng.multinomial(pairs, law, 1000)]
        held = [(low is None or low <= truth) and (high is None or truth <= high)
                for _, low, high in found]
        assert fmean(held) >= least, pairs


WORTH = {"win": 1, "draw": 0.5, "loss": 0}
RANKS = [  # results as first, second, points of the first; ranks; Sonneborn-Berger
    ("points", [("a", "b", 0), ("b", "c", 1), ("c", "a", 0)], "1b 2a 3c", {"b": 1, "a": 0}),
    ("direct result", [("a", "b", 1), ("b", "c", 1), ("c", "d", 0), ("a", "d", 0), ("b", "d", 0.5),
                       ("a", "c", 0.5)], "1d 2a 3b 4c", {}),
    ("Sonneborn-Berger", [("a", "b", 0.5), ("a", "c", 1), ("b", "d", 1), ("c", "d", 1)],
     "1a 2b 3c 4d", {"a": 1.75, "b": 0.75}),
    ("the direct result comes first", [("a", "b", 1), ("c", "a", 1), ("d", "a", 1), ("b", "c", 1),
                                       ("d", "b", 1), ("c", "d", 1)], "1c 2d 3a 4b",
     {"a": 1, "b": 2}),
    ("level", [("a", "b", 1), ("b", "a", 1), ("a", "c", 1), ("b", "c", 1)], "1a 1b 3c", {}),
]


@pytest.mark.parametrize("name, results, ranks, berger", RANKS, ids=[row[0] for row in RANKS])
def test_ranks(name, results, ranks, berger):
    games = [played(number, *result) for number, result in enumerate(results, 1)]
    names = sorted({name for first, second, _ in results for name in (first, second)})
    found = Table(names, games, WORTH).ranked()
    assert " ".join(f"{rank}{name}" for rank, name, _ in found) == ranks
    assert {name: score for _, name, score in found if name in berger} == berger


def test_a_summary():
    contest = {"players": [{"name": "a"}, {"name": "b"}], "format": "match",
               "rounds": 4, "scheduled": 8, "schedule": "x",
               "points": {"win": 3, "draw": 1, "loss": 0},
               "test": {"elo0": 0, "elo1": 5, "alpha": 0.05, "beta": 0.05, "model": "normalized"}}
    games = [played(1, "a", "b", 1), played(2, "b", "a", 0.5),
             played(3, "a", "b", 0, ending="TIME"), played(4, "b", "a", 1, opening=["H8"]),
             played(5, "a", "b", 1)]
    summary = summary_of(contest, games)
    assert (summary["games"], summary["scheduled"]) == (5, 8)
    a = next(player for player in summary["players"] if player["name"] == "a")
    assert (a["won"], a["drawn"], a["lost"], a["points"]) == (2, 1, 2, 7)
    assert a["first"] == {"won": 2, "drawn": 0, "lost": 1, "points": 6}
    assert a["losses"] == {"TIME": 1}
    # First in games 1, 3, 5 (0.1 and 0.3 s); second in game 2 (0.2 s), and in game 4 after an
    # opening of one stone (0.1 and 0.3 s).
    assert a["seconds"] == pytest.approx((4 * 0.4 + 0.2) / 9) and a["longest"] == 0.3
    assert a["depth"] == 4 and a["nodes"] is None and a["plies"] == 3.2
    assert summary["cross"]["a"]["b"]["pairs"] == [1, 0, 0, 1, 0]
    assert summary["test"]["pairs"] == [1, 0, 0, 1, 0]
    assert summary["test"]["llr"] == pytest.approx(llr((1, 0, 0, 1, 0), 0, 5))
    assert summary["progress"]["games"] == [1, 2, 3, 4, 5]
    assert summary["progress"]["llr"][-1] == summary["test"]["llr"]
    assert summary["endings"] == {"LINE": 3, "BOARD_FULL": 1, "TIME": 1}
    assert summary_of(contest, games) == summary


def contest_of(names, **more):
    return {"players": [{"name": name} for name in names], "format": "round-robin", "rounds": 4,
            "scheduled": 99, "schedule": "x", "points": WORTH, "test": None, **more}


def summary(results, **more):
    """From rounds of pairs: who meets whom, and the points of the first one in both games."""
    games = []
    for first, second, *points in results:
        for pair, value in zip(((first, second), (second, first)), points):
            value = value if pair[0] == first else 1 - value
            games.append(played(len(games) + 1, *pair, value))
    names = sorted({name for first, second, *_ in results for name in (first, second)})
    return summary_of(contest_of(names, **more), games)


def tables(summary, capsys):
    progress.print_tables(summary)
    return capsys.readouterr().out


NO_INTERVALS = [  # results, and the ends of the interval of a
    ("one pair 1 : 1", [("a", "b", 1, 0)], (-183.4, 183.4)),
    ("6 : 0", 3 * [("a", "b", 1, 1)], (-42.7, None)),
    ("0 : 6", 3 * [("a", "b", 0, 0)], (None, 42.7)),
    ("all pairs 1 : 1", [("a", "b", 1, 0), ("b", "c", 1, 0), ("a", "c", 1, 0)], (None, None)),
    ("all won", [("a", "b", 1, 1), ("b", "c", 1, 0), ("a", "c", 1, 1), ("b", "c", 1, 1)],
     (None, None)),
]


@pytest.mark.parametrize("name, results, ends", NO_INTERVALS, ids=[row[0] for row in NO_INTERVALS])
def test_no_interval_has_a_width_of_0(name, results, ends, capsys):
    """Nor is there a -0, in the summary or in the tables."""
    found = summary(results)
    rated = {player["name"]: player for player in found["players"]}
    assert (rated["a"]["low"], rated["a"]["high"]) == ends
    for each in (*rated.values(), found["advantage"]):
        assert "-0.0" not in map(str, (each["elo"], each["low"], each["high"]))
        assert each["low"] is None or each["high"] is None or each["high"] - each["low"] > 1
    shown = tables(found, capsys)
    assert "-0 " not in shown and "+0 (+0" not in shown
    assert ("Elo (too few games)" in shown) == (name != "all won")


def test_the_rating_of_a_match_is_that_of_its_pairs():
    """In the table as in the curve over the games; the other player's is its mirror image."""
    found = summary([("a", "b", 1, 1), ("a", "b", 1, 0), ("a", "b", 0.5, 1)])
    elo, low, high = elo_of_pairs([0, 0, 1, 1, 1])
    a, b = found["players"]
    assert [a[key] for key in ("elo", "low", "high")] == [
        round(value / 2, 1) for value in (elo, low, high)]
    assert (b["elo"], b["low"], b["high"]) == (-a["elo"], -a["high"], -a["low"])
    assert found["progress"]["elo"]["a"][-1] == a["elo"]
    assert found["progress"]["low"]["b"][-1] == b["low"]


ANCHORS = [({"b": 1000}, 0), ({"b": 1000, "c": 1500}, 0.1), ({"a": -50.5, "x": 7}, 0)]


@pytest.mark.parametrize("anchor, off", ANCHORS)
@pytest.mark.parametrize("names", ["ab", "abc"])
def test_anchors(anchor, off, names):
    """They move all ratings alike, intervals and curves too; of several ones on average."""
    results = [(first, second, 1, points) for first in names for second in names if first < second
               for points in (1, 0, 0.5, 0)]
    free, found = summary(results), summary(results, anchor=anchor)
    anchor = {name: elo for name, elo in anchor.items() if name in names}
    before, after = ({player["name"]: player for player in each["players"]}
                     for each in (free, found))
    assert fmean(after[name]["elo"] - elo for name, elo in anchor.items()) == pytest.approx(
        0, abs=0.1)
    for name in names:
        for key in ("elo", "low", "high"):
            assert after[name][key] - before[name][key] == pytest.approx(found["mean"], abs=0.11)
        assert found["progress"]["elo"][name][-1] == after[name]["elo"]
    assert free["mean"] == 0


def test_what_needs_care_is_said(capsys):
    """Below the ratings: who has won or lost everything, and who lost before it had moved."""
    games = [played(1, "a", "b", 1, ending="TIME", moves=[], seconds=[], told=[]),
             played(2, "b", "a", 0, ending="CRASH", moves=["A1"], seconds=[1], told=[{}]),
             played(3, "a", "b", 1, ending="TIME", moves=[], opening=["B1"], seconds=[], told=[]),
             played(4, "b", "a", 0, ending="LINE", moves=[], seconds=[], told=[]),
             played(5, "a", "c", 1), played(6, "c", "a", 1), played(7, "b", "c", 0)]
    assert [game.unready for game in games] == ["b", None, "b", None, None, None, None]
    found = summary_of(contest_of("abc"), games)
    assert found["notes"] == [
        "b has lost all its games: its rating is open downwards.",
        "b lost 2 of 5 games before or at its first move, on time or because its program did not "
        "run."]
    shown = tables(found, capsys)
    assert all(note in shown for note in found["notes"])
    assert summary(3 * [("a", "b", 1, 1)])["notes"] == [
        "a has won all its games: its rating is open upwards.",
        "b has lost all its games: its rating is open downwards."]
    assert summary_of(contest_of("ab"), [])["notes"] == []


@pytest.mark.parametrize("players, width", [(3, 40), (8, 60), (8, 160), (12, 80), (3, 160)])
@pytest.mark.few(2)
def test_tables_are_not_cut(players, width, monkeypatch, capsys):
    """Ratings are whole, every result is there, every name; cross tables come in parts."""
    names = [f"player {chr(97 + number)} of many" for number in range(players)]
    found = summary([(a, b, 1, 0.5) for a in names for b in names if a < b])
    monkeypatch.setattr(progress, "WIDTH", width)
    shown = tables(found, capsys)
    assert "…" not in shown and max(map(len, shown.splitlines())) <= width
    whole = "".join(shown.split())
    assert whole.count("1.5(1-1-0)") + whole.count("0.5(0-1-1)") == players * (players - 1)
    for player in found["players"]:
        assert f"{elo_text(player['elo'])} " in shown
        assert "".join(player["name"].split()) in whole
