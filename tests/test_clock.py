"""What the clock makes of timelimit, time_settings and time_left."""

import threading
import time

import pytest

from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.players.alphabeta import Patience
from gtp_engine.players.weights import SCORE_UNIT
from gtp_engine.wire.clock import (
    EXPECTED_MOVES,
    FADES,
    MARGIN,
    STRETCH,
    Clock,
    MatchClock,
    TimeSettings,
)
from tests.engine import PATIENCE, Engine

BUDGETS = [  # settings, what time_left said of Black, seconds for Black's next move, for a hard one
    ((300, 0, 0), None, 300 / EXPECTED_MOVES, STRETCH * 300 / EXPECTED_MOVES),
    ((300, 0, 0), (3, 0), 3 / EXPECTED_MOVES, STRETCH * 3 / EXPECTED_MOVES),
    ((0, 30, 10), None, 3, STRETCH * 3),
    ((0, 30, 3), None, 10, 15),  # half of what is left
    ((0, 30, 3), (10, 2), 5, None),
    ((0, 30, 3), (5, 1), 5, None),
    ((0, 30, 1), None, 30, None),
    ((300, 30, 3), None, 10, STRETCH * 10),
    ((300, 300, 3), None, 100, 150),
    ((60, 300, 3), (20, 0), 20, None),  # not more than the main time that is left
    ((300, 30, 3), (12, 2), 6, None),
    ((10, 5, 0), None, None, None),  # GTP: byo-yomi time without stones means no limit
    ((0, 0, 0), None, 0.001 + MARGIN, None),
    ((300, 0, 0), (0, 0), 0.001 + MARGIN, None),
]


@pytest.mark.parametrize("settings, left, seconds, most", BUDGETS)
def test_budget(settings, left, seconds, most):
    clock = Clock()
    clock.settle(TimeSettings(*settings))
    if left:
        clock.tell(BLACK, *left)
    for limit, expected in ((clock.budget(BLACK), seconds), (clock.most(BLACK), most)):
        assert limit == (None if expected is None else pytest.approx(expected - MARGIN))


def test_without_settings_all_moves_are_alike():
    assert Clock().most(BLACK) is Clock(3).most(BLACK) is None


@pytest.mark.parametrize("told, seconds", [
    ({}, None),
    ({"timeout_match": 180000}, 29.9),  # the limit for a move
    ({"timeout_match": 180000, "time_left": 24000}, 6),
    ({"timeout_turn": 1900, "time_left": 24000}, None),
    ({"time_left": 0}, None)])
def test_most_of_a_match(told, seconds):
    clock = MatchClock(1e5, 30)
    clock.spend(BLACK, 0)
    clock.told.update(told)
    assert clock.most(BLACK) == (None if seconds is None else pytest.approx(seconds))


@pytest.mark.parametrize("shown, elapsed, is_over", [  # best move and score of the depths
    ([(7, 10)], 0.41, False),  # the first best move counts as a change
    ([(7, 10)] * 8, 0.41, False), ([(7, 10)] * 8, 0.43, True),
    ([(7, 10)] * 8 + [(8, 10)], 0.7, False), ([(7, 10)] * 8 + [(8, 10)], 0.78, True),
    ([(7, 10)] * 8 + [(7, -SCORE_UNIT)], 1.0, False),
    ([(7, 10)] * 8 + [(7, -9 * SCORE_UNIT)], 1.13, True),
    ([(7, 10)] * 8 + [(7, 9 * SCORE_UNIT)], 0.43, True)])
def test_patience(shown, elapsed, is_over, monkeypatch):
    """A stable search of a second ends early, one whose move or score has changed late."""
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    patience = Patience(now - elapsed, 1.0)
    for each in shown:
        over = patience.is_over(*each)
    assert over == is_over


def test_time_is_spent_through_main_time_and_periods():
    clock = Clock()
    clock.settle(TimeSettings(10, 6, 2))
    clock.spend(BLACK, 9)
    assert clock.budget(BLACK) == pytest.approx(1 - MARGIN)
    assert clock.budget(WHITE) == pytest.approx(3 - MARGIN)
    clock.spend(BLACK, 2)  # one second of it, and one stone, of the first period
    assert clock.budget(BLACK) == pytest.approx(5 - MARGIN)
    clock.spend(BLACK, 4)
    assert clock.budget(BLACK) == pytest.approx(3 - MARGIN)
    clock.spend(BLACK, 4)
    assert clock.budget(BLACK) == pytest.approx(2 - MARGIN)
    clock.spend(BLACK, 1)
    assert clock.budget(BLACK) == pytest.approx(3 - MARGIN)
    clock.start()
    assert clock.budget(BLACK) == clock.budget(WHITE)


def test_lateness_is_kept_back():
    """As much as moves came late, less with each that was in time, and never nearly all."""
    clock = Clock(1)
    clock.lateness.note(clock.budget(BLACK), 1.28)
    assert clock.budget(BLACK) == pytest.approx(0.7 - MARGIN)
    clock.lateness.note(clock.budget(BLACK), 0.5)
    assert clock.budget(BLACK) == pytest.approx(1 - MARGIN - 0.3 * FADES)
    clock.lateness.note(None, 100)
    clock.lateness.note(clock.budget(BLACK), 50)
    assert clock.budget(BLACK) == pytest.approx((1 - MARGIN) / 10)


def test_a_move_that_came_late():
    """Of the whole of genmove, only what loading took is not counted."""
    engine = Engine(size=9, player="random")
    engine.ask("time_settings 0 1 1")
    choose = engine.session.engine.player.choose

    def late(position, limits):
        time.sleep(limits.seconds + 0.2)
        return choose(position, limits)

    engine.session.engine.player.choose = late
    engine.ask("genmove b")
    assert engine.session.clock.budget(WHITE) < 0.8 - MARGIN


def test_loading_that_was_interrupted_is_no_lateness():
    engine, loaded = Engine(size=9, player="random"), threading.Event()
    engine.ask("time_settings 0 1 1")

    def load():
        engine.dispatcher.stop[0] = 1
        loaded.wait(PATIENCE)

    engine.session.engine._what_to_load = lambda rules: ("compiler", load)
    engine.ask("genmove b")
    loaded.set()
    assert engine.session.clock.budget(WHITE) == pytest.approx(1 - MARGIN)


@pytest.mark.parametrize("change", ["ruleset Pente", "param player flat", "policy rule_based",
                                    "param memory 9", "boardsize 19", "time_left b 50 0"])
def test_loading_comes_before_the_clock(change):
    """All is there before the reply to what starts a clock, or changes what it runs for."""
    engine, loaded, seen = Engine(size=9, player="random"), [], []
    driven = engine.session.engine
    what_to_load = driven._what_to_load

    def noted(rules):
        name = what_to_load(rules)[0]
        return name, lambda: loaded.append(name)

    driven._what_to_load = noted
    engine.ask("clear_board")
    assert loaded == [], "there is no clock yet"
    engine.ask("time_settings 60 0 0")
    assert loaded == [noted(driven.position.rules)[0]]
    engine.ask(change)
    assert loaded[-1] == noted(driven.position.rules)[0]
    before = len(loaded)
    driven.player.choose = lambda position, limits: (
        seen.append(limits.seconds) or position.legal_moves()[0])
    engine.ask("genmove b")
    assert len(loaded) == before and len(seen) == 1


def test_loading_takes_as_long_as_it_does_unless_a_controller_keeps_a_clock():
    clock = Clock(7)
    assert clock.for_loading(BLACK) is None
    clock.settle(TimeSettings(0, 2, 1))
    assert clock.for_loading(BLACK) == clock.budget(BLACK) == pytest.approx(2 - MARGIN)
    assert MatchClock(5, 0.5).for_loading(BLACK) <= 0.5


def test_loading_that_takes_too_long():
    """A move comes in time all the same, and the time it had is gone."""
    engine, loaded = Engine(size=9, player="random"), threading.Event()
    engine.ask("time_settings 0 1 3")
    engine.session.engine._what_to_load = lambda rules: ("compiler", lambda: loaded.wait(PATIENCE))
    assert engine.ask("genmove b")
    assert engine.session.clock.budget(BLACK) < 0.4
    loaded.set()


def test_loading_is_part_of_a_hard_move():
    engine, seen = Engine(size=9, player="random"), []
    engine.ask("time_settings 30 0 0")
    choose = engine.session.engine.player.choose
    engine.session.engine.player.choose = lambda position, limits: (
        seen.append(limits) or choose(position, limits))
    engine.session.engine._what_to_load = lambda rules: ("compiler", lambda: time.sleep(0.5))
    engine.ask("genmove b")
    share = 30 / EXPECTED_MOVES - MARGIN
    assert seen[0].seconds <= share - 0.5 and seen[0].most <= STRETCH * share - 0.4


def test_the_latest_setting_holds():
    clock = Clock(7)
    assert clock.budget(BLACK) == pytest.approx(7 - MARGIN)
    clock.settle(TimeSettings(0, 2, 1))
    assert clock.budget(BLACK) == pytest.approx(2 - MARGIN)
    clock.limit_moves(5)
    assert clock.budget(BLACK) == pytest.approx(5 - MARGIN)
    assert Clock().budget(BLACK) is None


def test_commands():
    engine = Engine()
    budget = engine.session.clock.budget
    assert budget(BLACK) is None
    assert engine.ask("timelimit 3") == ""
    assert budget(BLACK) == pytest.approx(3 - MARGIN)
    for line in ("clear_board", "boardsize 9"):
        engine.ask(line)
        assert budget(BLACK) == pytest.approx(3 - MARGIN)
    assert engine.ask("time_settings 300 30 3") == ""
    assert engine.ask("time_left b 12 2") == ""
    assert budget(BLACK) == pytest.approx(6 - MARGIN)
    assert budget(WHITE) == pytest.approx(10 - MARGIN)
    engine.ask("clear_board")
    assert budget(BLACK) == pytest.approx(10 - MARGIN)
    for seconds in ("0", "101", "-1"):
        assert engine.fail(f"timelimit {seconds}") == "time limit must be 1 to 100 seconds"
    assert engine.fail("timelimit 1.5") == "time limit is not a whole number: 1.5"
    assert engine.fail("time_settings 1 x 0") == "not a time in seconds: x"
    assert engine.fail("time_settings 1 -1 0") == "not a time in seconds: -1"
    assert engine.fail("time_left b 1 -2") == "stones is below 0: -2"
    assert engine.fail("time_left q 1 2") == "invalid color: q"
    assert budget(BLACK) == pytest.approx(10 - MARGIN)
