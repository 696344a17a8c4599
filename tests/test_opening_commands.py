"""Openings by a rule over GTP: by hand, and by the engine for both persons."""

import pytest

from gtp_engine.games.opening_rules import RULES
from tests.engine import Engine


def test_an_opening_by_hand():
    """GTP's points, without a column I."""
    engine = Engine("Renju", 15)
    assert engine.ask("opening_rule") == "available: " + " ".join(RULES)
    assert engine.ask("opening_state") == "no opening"
    assert engine.fail("opening_play swap yes") == "no opening: see opening_rule"
    assert engine.ask("opening_rule Soosyrv-8") == (
        "soosyrv-8: first has black\nfirst: place POINT... (3, one of the 26 openings)")
    for command, complaint in [
            ("place H8 H9", "3 stones are to be put, not 2"), ("place I8", "invalid point: I8"),
            ("swap yes", "swap: it is time to place"), ("swap", "usage: swap yes|no"),
            ("jump", "no such action: jump (it is time to place)"),
            ("declare x", "usage: declare NUMBER"), ("declare", "usage: declare NUMBER")]:
        assert engine.fail(f"opening_play {command}") == complaint
    assert engine.ask("opening_play place H8 J9 K10").endswith(
        "first has black, opening I1 Chosei\nsecond: swap yes|no")
    assert engine.ask("opening_play swap yes").endswith("first: place POINT... (1)")
    assert engine.ask("opening_play place A1").endswith("first: declare NUMBER (1 to 8)")
    assert engine.ask("opening_play declare 2").endswith("second: swap yes|no")
    assert engine.ask("opening_play swap no").endswith("second: offer POINT... (2)")
    assert engine.fail("opening_play offer C1 C1") == "C1 is offered twice"
    assert engine.ask("opening_play offer C1 D1").endswith(
        "offered: C1 D1\nfirst: choose POINT")
    assert engine.ask("opening_play choose D1").endswith("the opening is over, first is to move")
    assert engine.fail("opening_genmove") == "the opening is over"
    assert engine.ask("gogui-rules_side_to_move") == "white"
    assert engine.ask("play w C1") == ""


@pytest.mark.parametrize("command", ["undo", "play w A1", "clear_board", "boardsize 13"])
def test_other_commands_end_an_opening(command):
    engine = Engine("Renju", 15)
    engine.ask("opening_rule rif")
    engine.ask("opening_play place H8 J9 K10")
    engine.ask(command)
    assert engine.ask("opening_state") == "no opening"


def test_openings_that_are_refused():
    engine = Engine("Renju", 14)
    assert engine.fail("opening_rule rif") == "rif needs a board with a point in the middle"
    assert engine.fail("opening_rule x").startswith("no such opening rule: x (available: swap ")
    engine.ask("opening_rule swap2")
    assert engine.fail("opening_genmove").startswith("only the player alphabeta chooses openings")


@pytest.mark.parametrize("rule", RULES)
def test_the_engine_opens_for_both_persons(rule):
    """By every rule, to its end; all that it does is allowed."""
    engine = Engine("Renju", 15, player="alphabeta", nodes=300, memory=1)
    engine.session.clock.limit_moves(1)
    engine.ask(f"opening_rule {rule}")
    done = []
    while "is over" not in engine.ask("opening_state"):
        done.append(engine.ask("opening_genmove"))
        assert len(done) < 20
    stones = len(engine.session.position.history)
    assert 3 <= stones <= 6
    words = [text.split()[0] for text in done]
    assert "swap" in words and (words[-1] == "choose") == ("offer" in words)
    assert engine.ask(f"genmove {engine.ask('gogui-rules_side_to_move')}")
