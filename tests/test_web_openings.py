"""Openings by a rule in games of the server, without a browser."""

import re

import pytest

from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.games.opening_rules import FIRST, SECOND
from tests.test_opening_rules import WHOLE
from tests.web import NO_CLOCK, PERSON, QUICK


def begin(page, rule, black=PERSON, white=PERSON, game="Renju", size=15):
    """Begin a game with an opening by that rule; its first state."""
    page.say("new", game=game, size=size, black=black, white=white, control=NO_CLOCK,
             opening=rule)
    page.until("layout")
    return page.until("game")


def act(page, action):
    """Do that; the state after it."""
    page.say("opening", action=action)
    return page.until("game")


def without_i(actions):
    """The actions with names of points as GTP has them."""
    return re.sub("[I-O](?=[0-9])", lambda name: chr(ord(name[0]) + 1), actions)


@pytest.mark.parametrize("rule, text, actors, black, count, mover", WHOLE)
@pytest.mark.few(5)
def test_two_persons_open(page, rule, text, actors, black, count, mover):
    """Each rule to its end, after which they play."""
    state = begin(page, rule)
    holders, found = {BLACK: FIRST, WHITE: SECOND}, []
    for action in without_i(text).split(", "):
        assert state["waiting"] == "you" and state["rule"] == rule
        found.append(holders[state["opening"]["colour"]])
        assert page.refusal("play", point=0) == "finish the opening first"
        state = act(page, action)
        if action == "swap yes":
            holders = {BLACK: holders[WHITE], WHITE: holders[BLACK]}
    assert found == actors and holders[BLACK] == black and holders[state["side"]] == mover
    assert state["opening"] is None and len(state["numbers"]) == count
    assert page.refusal("opening", action="swap no") == "no step of an opening rule is due"
    free = state["cells"].rindex("0")
    assert page.play(free)["cells"][free] == "12"[state["side"] - 1]


@pytest.mark.parametrize("rule, before, action, why", [
    ("rif", [], "place H8 H9 H11", "not one of the 26 openings"),
    ("rif", [], "swap yes", "swap: it is time to place"),
    ("rif", [], "", "no such action:  (it is time to place)"),
    ("rif", [], "place H8 H9 Z9", "invalid point: Z9"),
    ("taraguchi-10", [], "place A1", "A1 is not in the middle"),
    ("taraguchi-10", ["place H8"], "swap maybe", "usage: swap yes|no"),
    ("rif", ["place H8 H9 H10", "swap no", "place H11"], "offer G8 J8",
     "G8 and J8 are symmetrical"),
    ("rif", ["place H8 H9 H10", "swap no", "place H11", "offer A1 B1"], "choose C1",
     "C1 was not offered (choose one of: A1 B1)"),
])
def test_what_a_rule_does_not_allow(page, rule, before, action, why):
    """It is said in one line, and the opening stands where it stood."""
    state = begin(page, rule)
    for each in before:
        state = act(page, each)
    assert page.refusal("opening", action=action) == why
    page.say("goto")
    assert page.until("game")["opening"] == state["opening"]


@pytest.mark.parametrize("fields, why", [
    ({"game": "Qubic", "size": 8}, "rif is for games in the plane that Black begins"),
    ({"size": 14}, "rif needs a board with a point in the middle")])
def test_games_without_opening_rules(page, fields, why):
    refuses(page, fields, why)


def test_programs_and_opening_rules(own_server):
    program = {"player": "program", "settings": {}, "command": "gtp:true"}
    refuses(own_server("--allow-programs").page(), {"black": program},
            "external programs do not support opening rules")


def refuses(page, fields, why):
    """An opening by a rule is not begun in this game, and the field is named."""
    game = {"game": "Renju", "size": 15, "black": PERSON, "white": PERSON, **fields}
    page.say("new", **game, control=NO_CLOCK, opening="rif")
    refused = page.until("refused")
    assert (refused["text"], refused["field"]) == (why, "opening")


@pytest.mark.parametrize("rule", [  # each sequence of steps; tests/test_opening_commands.py has all
    "swap", "swap2", "rif", "yamaguchi", "soosyrv-8", "taraguchi-10"])
@pytest.mark.few(1)
def test_engines_open(page, rule):
    """By such a rule to its end, and play on."""
    state = begin(page, rule, QUICK, QUICK)
    state = page.until("game", lambda state: not state["opening"] and len(state["numbers"]) > 7)
    assert state["playing"] and state["rule"] == rule
    page.say("continue", playing=False)
    page.until("game", lambda state: not state["playing"])


def test_a_person_and_an_engine(page):
    """The engine opens, and the person takes its colour."""
    begin(page, "swap", QUICK, PERSON)
    state = page.until("game", lambda state: state["waiting"] == "you")
    assert state["opening"]["colour"] == WHITE and len(state["numbers"]) == 3
    assert state["opening"]["words"] == "choose a colour"
    state = act(page, "swap yes")
    assert [state["seats"][colour]["player"] for colour in ("black", "white")] == [
        "person", "alphabeta"]
    page.until("game", lambda state: len(state["numbers"]) == 4 and state["waiting"] == "you")


def test_the_name_of_an_opening(page):
    """In whatever way its stones are put."""
    begin(page, "rif")
    for action in ("place H8 H7 H6", "swap no", "place A1"):
        assert act(page, action)["info"]["opening"] == "D1 Kansei"
    page.say("goto", node=2)
    assert "opening" not in page.until("game")["info"]


def test_an_opening_is_kept(own_server):
    """By a server that is started again, and while the game goes on elsewhere."""
    server = own_server()
    page = server.page()
    begin(page, "swap2")
    act(page, "place H8 H9 H10")
    assert page.refusal("undo") == "steps of an opening rule cannot be undone"
    page.say("continue", playing=True, node=1)
    page.until("game", lambda state: state["live"] == 1 and not state["opening"])
    page.say("goto", node=3)
    page.say("continue", playing=True, node=3)
    state = page.until("game", lambda state: state["live"] == 3 and state["opening"])
    page.close()
    assert server.stop() == (0, "")
    server.start()
    again = server.page()
    again.say("start")
    assert again.until("game")["opening"] == state["opening"] == {
        "colour": WHITE, "words": "choose a colour or place 2 stones in alternating colours",
        "swap": True, "most": 0, "stones": ["place", 2], "offered": []}
    assert len(act(again, "place A1 B2")["numbers"]) == 5
    again.close()


def test_where_black_has_a_proved_win(page):
    """The form of the page offers an even opening there; the engine then places three stones."""
    assert ["Gomoku", 15] in page.hello["proofs"]
    assert all(game != "Renju" for game, _ in page.hello["proofs"])
    state = begin(page, "swap", black=QUICK, game="Gomoku")
    while state["waiting"] != "you":
        state = page.until("game")
    assert len(state["numbers"]) == 3 and state["opening"]["swap"]
