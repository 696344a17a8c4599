"""Openings by a rule over GTP: by hand, and by the engine for both persons."""

import re

import pytest

from gtp_engine.games.opening_rules import RULES
from gtp_engine.players.openings import balanced, balancing, choices
from tests.engine import Engine


def test_an_opening_by_hand():
    """GTP's points, without a column I; stones are moves."""
    engine = Engine("Renju", 15)
    assert engine.ask("opening_rule") == "available: " + " ".join(RULES)
    assert engine.ask("opening_state") == "no opening: see opening_rule"
    assert engine.fail("opening_play swap yes") == "see opening_rule"
    assert engine.ask("opening_rule Soosyrv-8") == (
        "soosyrv-8: first has black\nfirst: place POINT... (3, one of the 26 openings)")
    for command, complaint in [
            ("offer I8", "invalid point: I8"), ("place H8", STONES),
            ("swap yes", "swap: it is time to place"), ("swap", "usage: swap yes|no"),
            ("jump", "no such action: jump (it is time to place)"),
            ("declare x", "usage: declare NUMBER"), ("declare", "usage: declare NUMBER")]:
        assert engine.fail(f"opening_play {command}") == complaint
    engine.play("b H8 w J9")
    assert engine.ask("opening_state") == (
        "soosyrv-8: first has black\n"
        "first: place POINT... (3, one of the 26 openings), of which 2 on the board")
    engine.play("b K10")
    assert engine.ask("opening_state").endswith(
        "first has black, opening I1 Chosei\nsecond: swap yes|no")
    assert engine.ask("opening_play swap yes").endswith("first: place POINT... (1)")
    engine.play("w A1")
    assert engine.ask("opening_state").endswith("first: declare NUMBER (1 to 8)")
    assert engine.ask("opening_play declare 2").endswith("second: swap yes|no")
    assert engine.ask("opening_play swap no").endswith("second: offer POINT... (2)")
    assert engine.fail("opening_play offer C1 C1") == "C1 is offered twice"
    assert engine.ask("opening_play offer C1 D1").endswith(
        "offered: C1 D1\nfirst: choose POINT")
    engine.play("b D1")
    assert engine.ask("opening_state").endswith("the opening is over, first is to move")
    assert engine.fail("opening_genmove") == "the opening is over"
    assert engine.ask("gogui-rules_side_to_move") == "white"
    engine.play("w C1")
    assert engine.ask("opening_state").endswith("the opening is over, second is to move")


STONES = "place: play stones with play and genmove"
LEFT = [
    ("play w A1", "place: it is time to swap"),
    ("play b A1", "the stones were not played in turn"),
    ("clear_board", "see opening_rule"), ("boardsize 13", "see opening_rule"),
    ("gogui-setup b A1", "the stones were not played in turn"),
]


@pytest.mark.parametrize("command, reason", LEFT)
def test_moves_that_the_rule_does_not_allow_end_an_opening(command, reason):
    engine = Engine("Renju", 15)
    engine.ask("opening_rule rif")
    engine.play("b H8 w J9 b K10")
    engine.ask(command)
    assert engine.ask("opening_state") == f"no opening: {reason}"
    assert engine.fail("opening_play swap yes") == reason


@pytest.mark.parametrize("rule, stones, reason", [
    ("rif", "b H8 w J9 b A1", "not one of the 26 openings"),
    ("taraguchi-10", "b H9", "H9 is not in the middle"),
    ("yamaguchi", "b H8 w J9 b K10 w A1", "place: it is time to declare")])
def test_stones_that_the_rule_does_not_allow(rule, stones, reason):
    """The reason is said; once they are taken back, the opening is there again."""
    engine = Engine("Renju", 15)
    engine.ask(f"opening_rule {rule}")
    engine.play(stones)
    assert engine.ask("opening_state") == f"no opening: {reason}"
    engine.ask("undo")
    assert engine.ask("opening_state").startswith(f"{rule}: first has black")


def test_what_was_said_belongs_to_its_stones():
    """An undo takes it back, the same stones bring it again, others do not."""
    engine = Engine("Renju", 15)
    engine.ask("opening_rule rif")
    engine.play("b H8 w J9 b K10")
    engine.ask("opening_play swap yes")
    engine.ask("undo")
    assert engine.ask("opening_state").endswith("of which 2 on the board")
    engine.play("b K10")
    assert engine.ask("opening_state").startswith("rif: second has black")
    engine.ask("undo")
    engine.play("b K9")
    assert engine.ask("opening_state").startswith("rif: first has black")


def test_openings_that_are_refused():
    engine = Engine("Renju", 14)
    assert engine.fail("opening_rule rif") == "rif needs a board with a point in the middle"
    assert engine.fail("opening_rule x").startswith("no such opening rule: x (available: swap ")
    engine.ask("opening_rule swap2")
    for command in ("opening_genmove", "genmove b"):
        assert engine.fail(command).startswith("only the player alphabeta chooses openings")
    engine.play("b A1")
    assert engine.fail("opening_rule rif") == "an opening begins on an empty board"


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.few(1)
def test_the_engine_opens_for_both_persons(rule, monkeypatch):
    """By every rule, to its end; all that it does is allowed."""
    monkeypatch.setattr(balancing, "ROUND_NODES", 20_000)
    for module in (balanced, choices):
        monkeypatch.setattr(module, "JUDGE_NODES", 200)
    engine = Engine("Renju", 15, player="alphabeta", nodes=300, memory=1)
    engine.session.clock.limit_moves(1)
    engine.ask(f"opening_rule {rule}")
    done = []
    while "is over" not in (state := engine.ask("opening_state")):
        due = state.splitlines()[-1]
        moving = f"genmove {engine.ask('gogui-rules_side_to_move')}"
        refused, answering = ((moving, "opening_genmove") if re.search(": (swap|decl|offer)", due)
                              else ("opening_genmove", moving))
        assert engine.fail(refused).startswith(due)
        done.append(engine.ask(answering))
        assert len(done) < 20
    stones = len(engine.session.position.history)
    assert 3 <= stones <= 6
    assert any(text.startswith("swap") for text in done)
    assert engine.ask(f"genmove {engine.ask('gogui-rules_side_to_move')}")
