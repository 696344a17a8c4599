"""The time policy: what clocks allow for a move, and that players are asked within it."""

import threading
import time
from random import Random

import pytest

from gtp_engine.arena.seats.base import TimeControl
from gtp_engine.arena.seats.spec import seat_of
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.players.alphabeta.player import Patience
from gtp_engine.players.alphabeta.weights import SCORE_UNIT
from gtp_engine.players.base import Report, Settings
from gtp_engine.protocols.engine import Engine as Driven
from gtp_engine.protocols.gomocup import Brain
from gtp_engine.protocols.qubic_pipe import converse
from gtp_engine.protocols.yixin import Yixin
from gtp_engine.wire.clock import (
    EXPECTED_MOVES,
    FADES,
    MARGIN,
    MATCH_MOVES,
    SHORTEST,
    STRETCH,
    Budget,
    Clock,
    ClockState,
    Lateness,
    MatchClock,
    TimeSettings,
    file_margin,
)
from tests.engine import PATIENCE, Engine

STATES = [  # what is allowed, seconds for a move, for a hard one
    ({}, None, None),
    ({"per_move": 3}, 3 - MARGIN, None),
    ({"per_move": 3, "margin": 0.5}, 2.5, None),
    ({"per_move": 3, "own_limit": 2}, 2, None),
    ({"own_limit": 2}, 2, None),
    ({"left": 300}, 10, 30),
    ({"left": 300, "per_move": 8}, 8 - MARGIN, None),
    ({"left": 300, "per_move": 20}, 10, 20 - MARGIN),
    ({"left": 300, "own_limit": 20}, 10, 20),
    ({"left": 300, "own_limit": 2}, 2, None),
    ({"left": 300, "moves": 12}, 25, 75),
    ({"left": 300, "increment": 2}, 12, 36),
    ({"left": 3, "increment": 2}, 1.5, None),  # half of what is left
    ({"left": 30, "moves": 3}, 10, 15),  # half of what is left
    ({"left": 30, "moves": 1}, 30 - MARGIN, None),
    ({"left": 60, "later": 10}, 10, 30),
    ({"left": 60, "later": 1}, 2, 6),
    ({"left": 6, "later": 10}, 6 - MARGIN, None),
    ({"left": 0}, SHORTEST, None),
    ({"left": -1, "per_move": 5}, SHORTEST, None),
    ({"per_move": 0.001}, SHORTEST, None),
]


def rounded(budget):
    """The times of a budget, which may be None, to a millisecond."""
    return tuple(each if each is None else round(each, 3) for each in budget)


@pytest.mark.parametrize("allowed, seconds, maximum", STATES)
def test_budget(allowed, seconds, maximum):
    assert rounded(ClockState(**allowed).budget(Lateness())) == (seconds, maximum)


@pytest.mark.parametrize("settings, left, seconds, maximum", [
    # time_settings, what time_left said of Black; seconds for Black's next move, for a hard one
    ((300, 0, 0), None, 300 / EXPECTED_MOVES, STRETCH * 300 / EXPECTED_MOVES),
    ((300, 0, 0), (3, 0), 3 / EXPECTED_MOVES, STRETCH * 3 / EXPECTED_MOVES),
    ((0, 30, 10), None, 3, STRETCH * 3),
    ((0, 30, 3), None, 10, 15),
    ((0, 30, 3), (10, 2), 5, None),
    ((0, 30, 3), (5, 1), 5 - MARGIN, None),
    ((0, 30, 1), None, 30 - MARGIN, None),
    ((300, 30, 3), None, 10, STRETCH * 10),
    ((300, 300, 3), None, 100, 150),
    ((60, 300, 3), (20, 0), 20 - MARGIN, None),  # not more than the main time that is left
    ((300, 30, 3), (12, 2), 6, None),
    ((10, 5, 0), None, None, None),  # GTP: byo-yomi time without stones means no limit
    ((0, 0, 0), None, SHORTEST, None),
    ((300, 0, 0), (0, 0), SHORTEST, None)])
def test_budget_by_gtp(settings, left, seconds, maximum):
    clock = Clock()
    clock.set_time(TimeSettings(*settings))
    if left:
        clock.set_left(BLACK, *left)
    assert rounded(clock.budget(BLACK)) == (seconds, maximum)


@pytest.mark.parametrize("told, seconds, maximum", [
    ({}, 29.9, None),
    ({"timeout_turn": 2000}, 1.9, None),
    ({"timeout_turn": 1000}, 0.95, None),
    ({"timeout_turn": 500}, 0.475, None),
    ({"timeout_turn": 50}, 0.03, None),
    ({"timeout_turn": 0}, SHORTEST, None),
    ({"timeout_match": 180000}, 180 / MATCH_MOVES, 29.9),
    ({"timeout_match": 180000, "time_left": 24000}, 24 / MATCH_MOVES, 6),
    ({"timeout_turn": 1900, "time_left": 24000}, 1.805, None),
    ({"time_left": 2400, "time_increment": 500}, 0.7, 1.2),
    ({"time_left": 2400, "time_increment": 5000}, 1.2, None),
    ({"time_left": -5}, SHORTEST, None)])
def test_budget_in_a_match(told, seconds, maximum):
    clock = MatchClock(1e5, 30)
    clock.spend(BLACK, 0)
    clock.info.update(told)
    assert rounded(clock.budget(BLACK)) == (seconds, maximum)


@pytest.mark.parametrize("control, text, seconds, maximum", [
    ((), "random", None, None),
    ((), "alphabeta,time=2", 2, None),
    ((), "alphabeta,time=100", 60 - MARGIN, None),  # as long as a referee waits
    ((), "alphabeta,nodes=9", None, None),
    ((2.0,), "alphabeta", 2 - MARGIN, None),
    ((2.0,), "alphabeta,nodes=9", None, None),
    ((2.0,), "flat", None, None),
    ((None, 300.0), "alphabeta", 10, 30),
    ((None, 300.0), "random", 10, 30),
    ((None, 300.0), "alphabeta,nodes=9", 10, 30),
    ((None, 300.0, 2.0), "alphabeta", 12, 36),
    ((None, 300.0), "alphabeta,time=2", 2, None),
    ((4.0, 300.0), "alphabeta", 4 - MARGIN, None)])
def test_budget_of_a_seat(control, text, seconds, maximum):
    seat = seat_of(text, TimeControl(*control), Random(1))
    assert rounded(seat.budget()) == (seconds, maximum)


class Watched:
    """A player that makes the first legal move; `limits` has those of its last one."""

    name = "watched"

    def __init__(self):
        self.report, self.limits = Report(), None

    def choose(self, position, limits):
        """The first legal move."""
        self.limits = limits
        return position.legal_moves()[0]

    def load(self, rules):
        """There is nothing to load."""

    def __deepcopy__(self, memo):
        return self


def over_gtp(*lines):
    """Answers the lines of a controller with that player."""
    engine = Engine(size=15)
    return engine.session.engine, lambda: [engine.ask(line) for line in lines]


def over_gomocup(kind, *lines):
    """The same for a manager, or for Yixin-Board."""
    brain = kind(Settings(), 1e5, bytearray(2))
    brain.clock.spend(BLACK, 0)
    return brain.engine, lambda: [reply for line in lines for reply in brain.answers(line)]


def over_a_pipe(*lines):
    """The same for the referee of 4x4x4."""
    clock = MatchClock(2, 57)
    clock.spend(BLACK, 0)
    driven = Driven(catalogue.start(catalogue.QUBIC, 8), "random", Settings(), clock, bytearray(2))
    return driven, lambda: [*converse(lines, driven)]


@pytest.mark.parametrize("road, lines, expected", [
    (over_gtp, ("time_settings 0 30 10", "genmove b"), (3, 9)),
    (over_gtp, ("time_settings 9 30 10", "time_left b 8 4", "genmove b"), (2, 4)),
    (over_gtp, ("time_settings 300 0 0", "reg_genmove b"), (10, None)),
    (over_gtp, ("timelimit 5", "genmove b"), (5, None)),
    (over_gomocup, (Brain, "START 15", "INFO time_left 24000", "TURN 7,7"), (2, 4.9)),
    (over_gomocup, (Yixin, "START 15", "INFO timeout_turn 2000", "TURN 7,7"), (1.9, None)),
    (over_a_pipe, (b"R\n",), (2, None))])
def test_players_are_asked_within_the_budget(road, lines, expected):
    """Less what loading took, which is nearly nothing here."""
    player = Watched()
    engine, answer = road(*lines)
    engine._player, engine._loading_job = player, lambda rules: ("", lambda: None)
    assert answer()
    assert player.limits[1:] == tuple(each and pytest.approx(each, abs=0.25) for each in expected)


def test_a_seat_asks_within_the_budget():
    """And keeps back what its moves have come late."""
    seat = seat_of("alphabeta", TimeControl(None, 300.0), Random(1))
    seat.player, position = Watched(), catalogue.start(catalogue.GOMOKU, 15)
    seat.ask(position)
    assert rounded(seat.player.limits[1:]) == (10, 30)
    seat.left = 0.3
    seat.player.choose = lambda position, limits: (
        time.sleep(limits.maximum + 0.1) or position.legal_moves()[0])
    seat.ask(position)
    seat.left = 300.0
    assert seat.budget().seconds <= 9.9


def test_the_margin_over_files():
    assert [file_margin(seconds) for seconds in (1, 10, 120)] == [0.5, 1.5, 12.5]
    assert Clock(10, file_margin(10)).budget(BLACK) == Budget(8.5)


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
    clock.set_time(TimeSettings(10, 6, 2))
    clock.spend(BLACK, 9)
    assert clock.budget(BLACK).seconds == pytest.approx(1 - MARGIN)
    assert clock.budget(WHITE).seconds == pytest.approx(3)
    clock.spend(BLACK, 2)  # one second of it, and one stone, of the first period
    assert clock.budget(BLACK).seconds == pytest.approx(5 - MARGIN)
    clock.spend(BLACK, 4)
    assert clock.budget(BLACK).seconds == pytest.approx(3)
    clock.spend(BLACK, 4)
    assert clock.budget(BLACK).seconds == pytest.approx(2 - MARGIN)
    clock.spend(BLACK, 1)
    assert clock.budget(BLACK).seconds == pytest.approx(3)
    clock.start()
    assert clock.budget(BLACK) == clock.budget(WHITE)


def test_lateness_is_kept_back():
    """As much as moves came late, less with each that was in time, and never nearly all."""
    clock = Clock(1)
    clock.lateness.note(clock.budget(BLACK), 1.28)
    assert clock.budget(BLACK).seconds == pytest.approx(0.7 - MARGIN)
    clock.lateness.note(clock.budget(BLACK), 0.5)
    assert clock.budget(BLACK).seconds == pytest.approx(1 - MARGIN - 0.3 * FADES)
    clock.lateness.note(Budget(), 100)
    clock.lateness.note(clock.budget(BLACK), 50)
    assert clock.budget(BLACK).seconds == pytest.approx((1 - MARGIN) / 10)


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
    assert engine.session.clock.budget(WHITE).seconds < 0.8 - MARGIN


def test_loading_that_was_interrupted_is_no_lateness():
    engine, loaded = Engine(size=9, player="random"), threading.Event()
    engine.ask("time_settings 0 1 1")

    def load():
        engine.dispatcher.stop[0] = 1
        loaded.wait(PATIENCE)

    engine.session.engine._loading_job = lambda rules: ("compiler", load)
    engine.ask("genmove b")
    loaded.set()
    assert engine.session.clock.budget(WHITE).seconds == pytest.approx(1 - MARGIN)


@pytest.mark.parametrize("change", ["ruleset Pente", "param player flat", "policy rule_based",
                                    "param memory 9", "boardsize 19", "time_left b 50 0"])
def test_loading_comes_before_the_clock(change):
    """All is there before the reply to what starts a clock, or changes what it runs for."""
    engine, loaded, seen = Engine(size=9, player="random"), [], []
    driven = engine.session.engine
    loading_job = driven._loading_job

    def noted(rules):
        name = loading_job(rules)[0]
        return name, lambda: loaded.append(name)

    driven._loading_job = noted
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
    assert not clock.counts_loading
    clock.set_time(TimeSettings(0, 2, 1))
    assert clock.counts_loading and MatchClock(5, 0.5).counts_loading


def test_loading_that_takes_too_long():
    """A move comes in time all the same, and the time it had is gone."""
    engine, loaded = Engine(size=9, player="random"), threading.Event()
    engine.ask("time_settings 0 1 3")
    engine.session.engine._loading_job = lambda rules: ("compiler", lambda: loaded.wait(PATIENCE))
    assert engine.ask("genmove b")
    assert engine.session.clock.budget(BLACK).seconds < 0.4
    loaded.set()


def test_loading_is_part_of_a_hard_move():
    engine, seen = Engine(size=9, player="random"), []
    engine.ask("time_settings 30 0 0")
    choose = engine.session.engine.player.choose
    engine.session.engine.player.choose = lambda position, limits: (
        seen.append(limits) or choose(position, limits))
    engine.session.engine._loading_job = lambda rules: ("compiler", lambda: time.sleep(0.5))
    engine.ask("genmove b")
    share = 30 / EXPECTED_MOVES
    assert seen[0].seconds <= share - 0.5 and seen[0].maximum <= STRETCH * share - 0.4


def test_the_latest_setting_holds():
    clock = Clock(7)
    assert clock.budget(BLACK).seconds == pytest.approx(7 - MARGIN)
    clock.set_time(TimeSettings(0, 2, 1))
    assert clock.budget(BLACK).seconds == pytest.approx(2 - MARGIN)
    clock.limit_moves(5)
    assert clock.budget(BLACK).seconds == pytest.approx(5 - MARGIN)
    assert Clock().budget(BLACK) == Budget()


def test_commands():
    engine = Engine()
    clock = engine.session.clock
    assert clock.budget(BLACK) == Budget()
    assert engine.ask("timelimit 3") == ""
    assert clock.budget(BLACK).seconds == pytest.approx(3 - MARGIN)
    for line in ("clear_board", "boardsize 9"):
        engine.ask(line)
        assert clock.budget(BLACK).seconds == pytest.approx(3 - MARGIN)
    assert engine.ask("time_settings 300 30 3") == ""
    assert engine.ask("time_left b 12 2") == ""
    assert clock.budget(BLACK).seconds == pytest.approx(6)
    assert clock.budget(WHITE).seconds == pytest.approx(10)
    engine.ask("clear_board")
    assert clock.budget(BLACK).seconds == pytest.approx(10)
    for seconds in ("0", "101", "-1"):
        assert engine.fail(f"timelimit {seconds}") == "time limit must be 1 to 100 seconds"
    assert engine.fail("timelimit 1.5") == "time limit is not a whole number: 1.5"
    assert engine.fail("time_settings 1 x 0") == "not a time in seconds: x"
    assert engine.fail("time_settings 1 -1 0") == "not a time in seconds: -1"
    assert engine.fail("time_left b 1 -2") == "stones is below 0: -2"
    assert engine.fail("time_left q 1 2") == "invalid color: q"
    assert clock.budget(BLACK).seconds == pytest.approx(10)
