"""The server of the board in the browser, without a browser."""

import json
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from base64 import b64decode, b64encode
from contextlib import suppress
from pathlib import Path
from random import Random

import psutil
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.web.processes import MOST_PROCESSES
from gtp_engine.web.server.app import HEADERS, MOST_PAGES, is_this_computer, same
from gtp_engine.web.server.commands import COMMANDS
from gtp_engine.web.server.messages.games import LONGEST_FILE
from gtp_engine.web.server.server import listening
from tests.engine import PATIENCE
from tests.positions import fitting, random_game
from tests.programs import TOP, until
from tests.web import NO_CLOCK, PERSON, QUICK, RANDOM, tournament

GAMES = list(catalogue.GAMES.values())


# --- playing ------------------------------------------------------------------------------------


def test_the_first_game(own_server):
    """Whoever has no game finds one, in which alphabeta answers."""
    page = own_server().page()
    page.say("start")
    layout, state = page.until("layout"), page.until("game")
    assert (layout["game"], layout["size"], state["waiting"]) == ("Gomoku", 15, "you")
    assert len(layout["points"]) == len(layout["notations"]["GTP"]["names"]) == 225
    assert page.play(112)["waiting"] == "white"
    state = page.until("game", lambda state: state["waiting"] == "you")
    assert sorted(state["cells"]) == ["0"] * 223 + ["1", "2"]


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_whole_games(rules, page):
    """Two persons play: at each ply the page shows what the rules say."""
    size, places = fitting(rules, 7), {}
    page.new(rules.name, size)
    state = None
    for position in random_game(rules, size, Random(rules.name), by_policy=0.7):
        points = position.lattice.points
        places = {point: place for place, point in enumerate(points)}
        if position.history:
            page.say("play", point=places[position.history[-1].point])
            state = page.until("game")
        if state:
            assert state["cells"] == "".join(str(position.cells[point]) for point in points)
            assert state["captured"] == position.captured[1:]
            assert state["side"] == position.side
            assert state["last"] == places[position.history[-1].point]
    assert state["over"]["winner"] == position.outcome.winner
    assert state["row"] == [places[point] for point in position.winning_stones()]
    assert page.refusal("play", point=0) == "the game is over"


@pytest.mark.thorough
def test_programs_play(page):
    """Two programs play to the end; their values are kept, and they wait for nobody."""
    page.new("Tic-tac-toe", 3, black=RANDOM, white={"player": "alphabeta", "settings": {}})
    state = page.until("game", lambda state: state["over"])
    assert state["over"]["winner"] != BLACK and state["waiting"] is None


def test_the_opponent_answers(page):
    page.new("Pente", 9, white=QUICK)
    page.play(40)
    state = page.until("game", lambda state: state["waiting"] == "you")
    assert state["cells"].count("2") == 1
    page.say("undo")
    assert page.until("game", lambda state: not state["cells"].strip("0"))["waiting"] == "you"


def test_two_pages_show_the_same(server, page):
    state = page.new()
    other = server.page()
    other.say("open", id=state["id"])
    other.until("game")
    page.play(40)
    assert other.until("game", lambda state: state["cells"][40] == "1")["side"] == WHITE
    other.play(41)
    assert page.until("game", lambda state: state["cells"][41] == "2")["side"] == BLACK
    other.close()


def test_resigning(page):
    page.new(white=QUICK)
    page.say("resign")
    over = page.until("game", lambda state: state["over"])["over"]
    assert over == {"winner": WHITE, "text": "black resigns", "node": 0}
    assert page.refusal("play", point=0) == "the game is over"
    assert page.refusal("resign") == "there is no game to resign"
    page.say("undo")
    assert page.refusal("undo") == "there is no move to undo"


def test_clocks(page):
    """A person who does not move in time loses, and the clock is told."""
    state = page.new(control={"per_move": None, "per_game": 0.3, "increment": 0})
    assert state["left"] == [0.3, 0.3]
    state = page.until("game", lambda state: state["over"])
    assert state["over"] == {"winner": WHITE, "text": "out of time", "node": 0}
    page.say("seats", black=PERSON, white=PERSON,
             control={"per_move": None, "per_game": 60, "increment": 5})
    page.say("continue", playing=True)
    page.until("game", lambda state: not state["over"] and state["playing"])
    page.play(0)
    left = page.until("game", lambda state: state["left"][0] > 60)["left"]
    assert 60 < left[0] < 65 and left[1] == 60


def test_moves_before_the_referee_is_there(page):
    """Two persons with a clock who are quick: no move is lost."""
    page.new(control={"per_move": None, "per_game": 60, "increment": 0})
    for node, point in enumerate((40, 41, 42, 43)):
        page.say("play", point=point, node=node)
    page.until("game", lambda state: state["left"][0] < 60 and state["left"][1] < 60)
    page.say("play", point=44, node=4)
    state = page.until("game", lambda state: state["cells"][44] == "1")
    assert [state["cells"][point] for point in (40, 41, 42, 43)] == [*"1212"]
    assert page.path() == [0, 1, 2, 3, 4, 5]


def test_a_clock_is_not_set_back(server, page):
    """Neither by another page nor by a pause."""
    page.new(control={"per_move": None, "per_game": 60, "increment": 0})
    state = page.until("game", lambda state: state["running"] == BLACK)
    other = server.page()
    other.say("open", id=state["id"])
    elapsed = other.until("game")["elapsed"]
    assert elapsed > state["elapsed"]
    page.say("continue", playing=False)
    left = page.until("game", lambda state: not state["playing"])["left"]
    assert left[0] <= 60 - elapsed and left[1] == 60
    other.close()


def test_looking_back(server, page):
    """A page may look at other positions while the game goes on; a move there is a variation."""
    state = page.new(white={"player": "alphabeta", "settings": {"time": "600"}}, size=15)
    other = server.page()
    other.say("open", id=state["id"])
    page.play(112)
    other.until("game", lambda state: state["cells"][112] == "1")
    page.say("goto", node=0)
    state = page.until("game", lambda state: state["cursor"] == 0)
    assert (state["live"], state["waiting"], state["going_on"]) == (1, "white", True)
    other.until("thinking", lambda told: told["node"] == 1)
    page.play(0)
    assert (page.node, page.path()) == (2, [0, 2])
    other.say("now")
    state = other.until("game", lambda state: state["waiting"] == "you")
    assert state["cursor"] == state["live"] == 3 and state["going_on"]
    state = page.until("game", lambda state: state["live"] == 3)
    assert state["cursor"] == 2 and state["cells"][112] == "0"
    assert page.nodes[0]["children"] == [1, 2], "the game that is played is the main line"
    other.close()


def test_what_a_page_that_looks_back_does(page):
    """It sets up stones, copies and comments where it is; the game goes on."""
    page.new(white={"player": "alphabeta", "settings": {"time": "600"}}, size=15)
    page.play(112)
    page.say("goto", node=0)
    page.until("game", lambda state: state["cursor"] == 0)
    page.say("copy")
    assert "X" not in "".join(page.until("copied")["rows"])
    page.say("setup", stones=[[WHITE, 7]], side=WHITE)
    state = page.until("game", lambda state: state["cells"][7] == "2")
    assert (state["live"], state["going_on"], state["cells"][112]) == (1, True, "0")
    page.say("setup", stones=[[BLACK, 8]], side=None)
    page.until("game", lambda state: state["cells"][7:9] == "21" and state["cursor"] == 2)
    page.say("goto", node=1)
    page.until("game", lambda state: state["cursor"] == 1)
    page.say("setup", stones=[[WHITE, 7]], side=None)
    state = page.until("game", lambda state: state["cells"][7] == "2")
    assert (state["cursor"], state["live"], state["going_on"]) == (3, 1, True)
    page.say("undo")
    state = page.until("game", lambda state: state["live"] == 0)
    assert state["cursor"] == 3
    page.say("continue", playing=False)
    page.until("game", lambda state: state["live"] == 3 and not state["playing"])


def test_a_click_that_crosses_a_move(server, page):
    """Whoever clicks on a position that has just changed does not make a variation of it."""
    state = page.new()
    other = server.page()
    other.say("open", id=state["id"])
    other.until("game")
    page.play(40)
    assert other.refusal("play", point=41, node=0) == "the position has changed in the meantime"
    other.close()


def test_a_game_that_is_over_is_analysed(page):
    """Where nobody plays on, a move in any position goes on from there."""
    page.new(white=QUICK)
    page.play(40)
    page.until("game", lambda state: state["waiting"] == "you")
    page.say("resign")
    state = page.until("game", lambda state: state["over"])
    assert not state["going_on"] and state["over"]["node"] == 2
    page.say("goto", node=1)
    page.until("game", lambda state: state["cursor"] == 1 and not state["over"])
    page.say("play", point=0)
    state = page.until("game", lambda state: state["cells"][0] == "2")
    assert (state["cursor"], state["live"], state["playing"]) == (3, 3, False)


def test_a_move_sends_what_has_changed(page):
    """Not the whole tree, however long the game is."""
    page.new()
    page.play(0)
    page.say("goto", node=0)
    for point in range(1, 60):
        page.say("play", point=point, node=0)
        page.say("goto", node=0)
    page.until("game", lambda state: len(page.nodes) == 61 and state["cursor"] == 0)
    page.say("play", point=70)
    told = page.until("tree")
    assert not told["whole"] and {row["number"] for row in told["nodes"]} == {0, 61}
    page.until("game")
    page.say("goto", node=1)
    assert page.hear()["do"] == "game", "looking at a position changes nothing"


def test_the_game_that_was_played_is_the_main_line(page):
    """What was taken back is a variation."""
    page.new()
    page.play(40)
    page.play(41)
    page.say("undo")
    page.until("game", lambda state: state["cursor"] == 1)
    page.play(50)
    assert page.nodes[1]["children"] == [3, 2]


def test_pages_agree(server):
    """Whatever two pages do in turn, each knows the tree that a new page is sent."""
    rng, pages = Random(1), [server.page(), server.page()]
    id, tokens, largest = pages[0].new()["id"], [], 0
    pages[1].say("open", id=id)
    pages[1].until("game")

    def done(page):
        """All that was said before has been answered."""
        page.say("copy", node=0)
        while (message := page.hear())["do"] != "copied":
            if message["do"] == "removed":
                tokens.append(message["token"])
            assert message.get("text") != "internal error"

    for _ in range(400):
        page = rng.choice(pages)
        done(page)
        node, largest = rng.choice([*page.nodes]), max(largest, len(page.nodes))
        what, fields = rng.choice([
            *3 * [("goto", {"node": node})], *8 * [("play", {"point": rng.randrange(81)})],
            ("setup", {"stones": [[rng.randrange(3), rng.randrange(81)]], "side": None}),
            ("comment", {"id": id, "node": node, "text": str(node)}), ("undo", {}),
            ("remove", {"node": node}), ("promote", {"node": node}), ("resign", {}),
            ("restore", {"token": rng.choice(tokens or ["x"])}),
            ("continue", {"playing": rng.random() < 0.8, "node": node})])
        page.say(what, **fields)
    new = server.page()
    new.say("open", id=id)
    new.until("game")
    for page in pages:
        done(page)
        assert page.nodes == new.nodes and page.node in page.nodes
        page.close()
    assert largest > 10
    new.close()


def test_a_result_goes_with_its_position(page):
    page.new()
    page.play(40)
    page.say("resign")
    page.until("game", lambda state: state["over"])
    page.say("remove", node=1)
    page.until("game", lambda state: not state["over"] and state["cursor"] == 0)
    page.say("continue", playing=True)
    page.until("game", lambda state: state["playing"])
    assert not page.play(40)["over"]


def test_removing_is_taken_back(server, page):
    """The positions, the live one and the result are there again, for all pages."""
    state = page.new()
    other = server.page()
    other.say("open", id=state["id"])
    for point in (40, 41, 42):
        page.play(point)
    page.say("resign")
    before = page.until("game", lambda state: state["over"])
    rows = dict(page.nodes)
    page.say("remove", node=1)
    told = page.until("removed")
    assert (told["node"], told["parent"], told["count"]) == (1, 0, 3)
    state = page.until("game", lambda state: state["cursor"] == 0)
    assert page.nodes == {0: {"number": 0}} and not state["going_on"]
    other.until("game", lambda state: state["cursor"] == 0)
    page.say("restore", token=told["token"])
    after = page.until("game", lambda state: state["live"] == 3)
    assert page.nodes == rows and after["cells"] == before["cells"]
    assert after["over"] == before["over"]
    other.until("game", lambda state: state["live"] == 3)
    assert other.nodes == rows
    assert page.refusal("restore", token=told["token"]) == "this can no longer be undone"
    page.say("remove", node=0)
    token = page.until("removed", lambda told: told["count"] == 3)["token"]
    page.until("game", lambda state: state["cursor"] == 0)
    page.say("restore", token=token)
    page.until("game", lambda state: state["live"] == 3)
    assert page.nodes == rows
    other.close()


def test_removing_elsewhere(page):
    """A game that is going on goes on while a variation is removed."""
    page.new(white={"player": "alphabeta", "settings": {"time": "600"}}, size=15)
    page.play(112)
    page.say("goto", node=0)
    page.until("game", lambda state: state["cursor"] == 0)
    page.play(0)
    page.say("remove", node=2)
    state = page.until("game", lambda state: state["cursor"] == 0)
    assert (state["live"], state["going_on"]) == (1, True)
    page.say("remove", node=1)
    state = page.until("game", lambda state: state["live"] == 0)
    assert not state["going_on"]
    assert page.refusal("remove", node=0) == "no move follows this position"


def test_variations(page):
    page.new()
    page.play(40)
    page.play(41)
    page.say("goto", node=1)
    state = page.until("game", lambda state: state["cursor"] == 1)
    assert (state["playing"], state["live"]) == (True, 2)
    page.play(50)
    assert [page.nodes[number]["parent"] for number in (1, 2, 3)] == [0, 1, 1]
    page.say("comment", id=state["id"], node=3, text="<b>better</b>")
    page.say("promote", node=3)
    page.until("game", lambda state: page.nodes[1]["children"] == [3, 2])
    assert page.nodes[3]["comment"] == "<b>better</b>"
    page.say("remove", node=3)
    page.until("game", lambda state: len(page.nodes) == 3 and state["cursor"] == 1)
    assert page.refusal("goto", node=3) == "this position no longer exists"


def test_swap(page):
    """The first stone may be taken; that is a move on it."""
    state = page.new("Gomoku-swap", 9)
    assert state["swap"] is None
    state = page.play(40)
    assert (state["side"], state["swap"], state["cells"][40]) == (BLACK, 40, "2")
    page.say("play", point=40)
    page.until("game", lambda state: state["cells"][40] == "1" and state["swap"] is None)


def test_forbidden_points(page):
    """With the reason and the stones of its rows; for Black only, and in Renju only."""
    page.new("Renju", 15)
    for point in (127, 0, 142, 14, 110, 210, 111):
        assert page.play(point)["forbidden"] == []
    assert page.play(224)["forbidden"] == [[112, "double three", [110, 111, 127, 142]]]
    assert page.refusal("play", point=112) == "forbidden: double three"
    assert page.new("Gomoku", 9)["forbidden"] == []


def test_moving_at_once(page):
    page.new(black={"player": "alphabeta", "settings": {"time": "600"}}, size=13)
    page.play(0) if page.layout["first"] == WHITE else None
    page.until("game", lambda state: state["waiting"] == "you")  # an empty board takes no search
    page.play(0)
    page.until("thinking", lambda told: told["report"]["figures"].get("depth", 0) > 2)
    page.say("play", point=1)
    assert page.until("refused")["text"] == "it is not your turn"
    page.say("now")
    assert page.until("game", lambda state: state["waiting"] == "you")["cells"].count("1") == 2


# --- files --------------------------------------------------------------------------------------


def test_sgf(page):
    """A game with a variation and a comment, saved and loaded."""
    state = page.new("Pente", 9)
    page.play(40)
    page.play(41)
    page.say("goto", node=1)
    page.until("game", lambda state: state["cursor"] == 1)
    page.play(50)
    page.say("comment", id=state["id"], node=3, text="ö [x] \\")
    before = page.until("game", lambda state: "comment" in page.nodes[3])
    rows = dict(page.nodes)
    page.say("save")
    data = page.until("saved")["data"]
    assert b"GN[Pente]" in b64decode(data)
    page.say("load", data=data)
    layout, state = page.until("layout"), page.until("game")
    assert layout["game"] == "Pente" and layout["id"] == state["id"] != before["id"]
    assert not state["playing"] and page.nodes == rows


@pytest.mark.parametrize("text, game, size, cells, note", [
    ("Piskvorky 5x5, 11:11, 0\n1,5,0\n2,5,7\none\ntwo\n-1\n", "Caro", 5, "12", ""),
    ("a1b1", "Caro", 9, "12", ""),
    ("(;GN[Gomoku]SZ[7];B[ag])(;SZ[7])(;SZ[7])", "Gomoku", 7, "1",
     "the file has 3 games; this is the first one")])
def test_files_of_others(text, game, size, cells, note, page):
    """The game and the size are those of the file, else those that were shown."""
    page.new("Caro", 9)
    page.say("load", data=b64encode(text.encode()).decode())
    layout, state = page.until("layout"), page.until("game")
    assert (layout["game"], layout["size"]) == (game, size)
    assert state["cells"] == cells.ljust(size * size, "0") and not state["playing"]
    if note:
        assert page.until("notice")["text"] == note


def test_what_a_file_says_about_a_game(page):
    """It is shown, and saved again with what has come to it."""
    text = "(;SZ[9]PB[Ada]EV[Cup]DT[1999]RE[?]RU[Pente-free];B[ee]LB[aa:1]CR[ee];W[ef])"
    page.new()
    page.say("load", data=b64encode(text.encode()).decode())
    state = page.until("game", lambda state: state["info"])
    assert state["info"] == {"names": {"black": "Ada"}, "event": "Cup", "date": "1999",
                             "result": "?"}
    assert state["title"] == "Ada – person"
    assert page.nodes[1]["marks"] == [["circle", 40, ""], ["label", 72, "1"]]
    page.say("save")
    saved = b64decode(page.until("saved")["data"])
    for part in (b"PB[Ada]", b"PW[person]", b"EV[Cup]", b"DT[1999]", b"RE[?]", b"GN[Pente-free]",
                 b"LB[aa:1]", b"CR[ee]"):
        assert part in saved
    page.say("continue", playing=True)
    page.until("game", lambda state: state["going_on"])
    page.say("resign")
    page.until("game", lambda state: state["over"])
    page.say("save")
    assert b"RE[W+R]" in b64decode(page.until("saved")["data"])
    data = b64encode(text.replace("Pente-free", "Chinese").encode()).decode()
    page.say("load", data=data)
    assert page.until("notice")["text"] == (
        "the rules 'Chinese' are not supported; read as Pente-free")


def test_a_finished_game_is_saved_with_its_result(page):
    page.new("Tic-tac-toe", 3)
    for point in (0, 3, 1, 4, 2):
        page.play(point)
    page.say("save")
    saved = b64decode(page.until("saved")["data"])
    assert b"RE[B+]" in saved and b"DT[2" in saved


def test_moves_as_text(page):
    """They are pasted and copied, I being a column; not where stones were set up."""
    page.new(size=15)
    for text in ("h8i9h7", "H8, I9, H7", "(;SZ[15];B[hh];W[ig];B[hi])"):
        page.say("paste", text=text)
        state = page.until("game", lambda state: state["cursor"] == 3)
        assert [state["cells"][point] for point in (112, 128, 97)] == [*"121"], text
        page.say("copy")
        assert page.until("copied")["moves"] == "h8i9h7"
        page.say("copy", node=1)
        assert page.until("copied")["moves"] == "h8"
    page.say("setup", stones=[[BLACK, 0]], side=None)
    page.until("game", lambda state: state["cells"][0] == "1")
    page.say("copy")
    assert page.until("copied")["moves"] == ""


def test_a_link_to_a_position(server, page):
    """A game is opened at any of its positions, at the live one if that is gone."""
    id = page.new()["id"]
    for point in (40, 41):
        page.play(point)
    other = server.page()
    for node, shown in ((1, 1), (99, 2)):
        other.say("open", id=id, node=node)
        assert other.until("game")["cursor"] == shown
    other.close()


@pytest.mark.parametrize("game, size, lettering, name", [
    ("Gomoku", 15, "with I", "J1"), ("Pente", 19, "GTP", "K1"), ("Qubic", 8, "course", "1,2,0"),
    ("Gomoku-swap", 15, "course", "J 15")])
def test_letterings(game, size, lettering, name, page):
    """Each game has the letters that its players know."""
    page.new(game, size)
    assert page.layout["lettering"] == lettering
    assert page.layout["notations"][lettering]["names"][9] == name


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_positions_as_text(rules, page):
    page.new(rules.name, fitting(rules, 7))
    rng, cells = Random(rules.name), len(page.layout["points"])
    stones = [[rng.choice((1, 2)), point] for point in rng.sample(range(cells), cells // 4)]
    page.say("setup", stones=stones, side=None)
    state = page.until("game", lambda state: state["cells"].strip("0"))
    page.say("copy")
    rows = page.until("copied")["rows"]
    letters = "   " + " ".join("ABCDEFGHJKLMNOPQRSTUVWXYZ"[:len(rows)])
    drawn = [f"{len(rows) - i:2} {' '.join(row)} {len(rows) - i}" for i, row in enumerate(rows)]
    for picture in ("\n".join(rows), "\n".join([letters, *drawn, letters])):
        page.say("paste", text=picture)
        assert page.until("layout")["game"] == rules.name
        assert page.until("game")["cells"] == state["cells"]


def test_pages_show_texts_as_texts():
    """Nothing that comes from elsewhere can become a part of the page."""
    static = TOP / "gtp_engine" / "web" / "static"
    pages = [*(path for path in static.rglob("*.*") if path.suffix != ".png"),
             TOP / "gtp_engine" / "tournament" / "report.html"]
    for path in pages:
        text = path.read_text(encoding="utf-8")
        for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
                    "srcdoc", "|safe", "| safe"):
            assert way not in text, (path, way)


# --- refusals -----------------------------------------------------------------------------------

REFUSALS = [  # what is sent after a stone on point 40 of 9x9 Gomoku, what is said
    ('{"do":"play","point":40,"node":1}', "occupied"),
    ('{"do":"play","point":81,"node":1}', "there are 81 points"),
    ('{"do":"play","point":-1,"node":1}', "point must be a whole number of 0 to 624"),
    ('{"do":"play","point":true,"node":1}', "point must be a whole number of 0 to 624"),
    ('{"do":"play","point":1.0,"node":1}', "point must be a whole number of 0 to 624"),
    ('{"do":"play"}', "point is missing (the fields are: point node)"),
    ('{"do":"play","point":1,"node":1,"more":1}',
     "more: there is no such field (the fields are: point node)"),
    ('{"do":"play","point":1,"node":9}', "this position no longer exists"),
    ('{"do":"open","node":1}', "id is missing (the fields are: id node?)"),
    ('{"do":"undo","point":1}', "point: there is no such field (the fields are: none)"),
    ('{"do":"fly"}', f"do must be one of: {' '.join(COMMANDS)}"),
    ('{"do":["play"]}', f"do must be one of: {' '.join(COMMANDS)}"),
    ("[]", "a message must be an object of JSON"),
    ("{", "a message must be an object of JSON"),
    ("[" * 100_000, "a message must be an object of JSON"),
    ("", "a message must be an object of JSON"),
    ('{"do":"open","id":"0123456789abcdef"}', "there is no such game"),
    ('{"do":"open","id":"../../../etc/pas"}', "there is no such game"),
    ('{"do":"load","data":"%%"}', "the file cannot be read: "),
    (json.dumps({"do": "load", "data": b64encode(10**6 * b"(").decode()}),
     "the file cannot be read: not a game "),
    (json.dumps({"do": "load", "data": b64encode(b"(;" + 20_001 * b";C[x]").decode()}),
     "the file cannot be read: it has 20002 positions; a board shows at most 20000"),
    ('{"do":"load","data":""}', "the file cannot be read: not a game "),
    ('{"do":"paste","text":"XO\\n"}', "expected moves such as h8i9h7, or rows of X, O"),
    ('{"do":"copy","node":99}', "this position no longer exists"),
    ('{"do":"restore","token":"x"}', "this can no longer be undone"),
    ('{"do":"analyse","player":"alphabeta","settings":{"time":"0"}}',
     "settings.time must be above 0"),
    ('{"do":"analyse","player":"alphabeta","settings":{"policy":"random"}}',
     "settings: alphabeta has no setting policy (available: time threads memory depth nodes "
     "level)"),
    ('{"do":"analyse","player":"alphabeta","settings":{"memory":"60000"}}',
     "settings.memory must be at most 1024"),
    ('{"do":"analyse","player":"alphabeta","settings":{"weights":"/etc/passwd"}}',
     "settings: alphabeta has no setting weights"),
    ('{"do":"setup","stones":[[3,1]],"side":null,"node":1}',
     "stones[1][1] must be one of: 0 1 2, not 3"),
    ('{"do":"setup","stones":[[1,400]],"side":null,"node":1}', "there are 81 points"),
    ('{"do":"comment","id":"x","node":0,"text":"\\ud800"}', "text must be a text of at most"),
    ('{"do":"comment","id":"x","node":0,"text":"y"}', "this game is no longer displayed"),
    ('{"do":"remove","node":99}', "this position no longer exists"),
    ('{"do":"watch","tournament":0}', "there is no such tournament"),
    ('{"do":"replay","tournament":0,"game":1}', "there is no such tournament"),
]
SEATS = [  # a game and its seats, what is said, and of which field
    (dict(size=2), "Gomoku is played on sizes 3 to 25", "size"),
    (dict(size=-1), "Gomoku is played on sizes 3 to 25", "size"),
    (dict(size="x9"), "size: not a board size: x9 (examples: 15, 12x10)", "size"),
    (dict(size="12x10", white={"player": "alphabeta", "settings": {}}),
     "alphabeta plays five in a row on square boards, not Gomoku on 12x10", "white.player"),
    (dict(game="chess"), "game must be one of: Gomoku", "game"),
    (dict(black={"player": "nobody"}), "black.player must be one of: person program flat",
     "black.player"),
    (dict(white={"player": "alphabeta", "settings": {"time": "0"}}), "white.time must be above 0",
     "white.time"),
    (dict(white={"player": "alphabeta", "settings": {"memory": "60000"}}),
     "white.memory must be at most 1024", "white.memory"),
    (dict(black={"player": "program", "command": "gtp:rm -rf"}), "the page may not start programs",
     "black.player"),
    (dict(black={"player": "program", "command": "alphabeta,weights=x"}),
     "black.command: a program must be one of: gtp:... ", "black.command"),
    (dict(black={"player": "program", "command": 1}), "black.command must be a text",
     "black.command"),
    (dict(control={**NO_CLOCK, "per_move": 0}),
     "control.per_move must be a number of 0.05 to 86400, not 0",
     "control.per_move"),
    (dict(control={**NO_CLOCK, "increment": 1}), "control.increment needs per_game",
     "control.increment"),
    (dict(control={}), "control.per_move is missing (the fields are: per_move per_game increment)",
     "control.per_move"),
]


def test_refusals(page):
    page.new()
    before = page.play(40)
    for text, expected in REFUSALS:
        page.socket.send(text)
        assert page.until("refused")["text"].startswith(expected), text
    for change, expected, field in SEATS:
        page.say("new", **{"game": "Gomoku", "size": 9, "black": PERSON, "white": PERSON,
                           "control": NO_CLOCK, **change})
        told = page.until("refused")
        assert told["text"].startswith(expected) and told["field"] == field, change
    page.say("goto", node=0)
    page.until("game", lambda state: state["cursor"] == 0)
    page.say("goto", node=1)
    after = page.until("game", lambda state: state["cursor"] == 1)
    assert after["cells"] == before["cells"]


def test_what_needs_a_game(page):
    for what, fields in (("play", {"point": 1}), ("undo", {}), ("copy", {}), ("save", {})):
        assert page.refusal(what, **fields) == "open a game first"


@pytest.mark.thorough
def test_anything_may_be_sent(server):
    """Messages at random, well formed or not: the next page finds a server as before."""
    rng = Random(1)

    def value(depth=0):
        kinds = [rng.randint(-3, 300), rng.choice([None, True, 1.5, 1e400]),
                 rng.choice(["x", "Gomoku", "person", "alphabeta", "", "0" * 16, "hint"])]
        if depth < 3:
            kinds += [[value(depth + 1) for _ in range(rng.randint(0, 3))],
                      {rng.choice(names): value(depth + 1) for _ in range(rng.randint(0, 3))}]
        return rng.choice(kinds)

    names = sorted({name for _, fields, _ in COMMANDS.values() for name in fields})
    with connect(f"ws{server.address[4:]}socket", origin=f"http://{server.host}",
                 max_size=None) as socket:
        for _ in range(400):
            what = rng.choice([*COMMANDS])
            fields = COMMANDS[what][1]
            message = {"do": what, **{name: value() for name in fields}}
            text = json.dumps(message)
            if rng.random() < 0.2:
                at = rng.randrange(len(text))
                text = text[:at] + chr(rng.randrange(1, 0x2ff)) + text[at + 1:]
            socket.send(text if rng.random() < 0.95 else text.encode())
        socket.send('{"do":"fly"}')
        while True:
            message = json.loads(socket.recv(timeout=PATIENCE))
            assert message.get("text") != "internal error"
            if message["do"] == "refused" and message["text"].startswith("do must"):
                break
    page = server.page()
    assert page.new()["cells"] == "0" * 81
    page.close()


def test_too_long_messages(server):
    page = server.page()
    page.socket.send("x" * (2 * LONGEST_FILE))
    with pytest.raises(ConnectionClosed):
        while True:  # something may have been said before it was read
            page.hear()
    page = server.page()
    assert page.new()["cells"]
    page.close()


# --- processes ----------------------------------------------------------------------------------


def engines(server):
    """Those that play and analyse."""
    found = []
    for child in psutil.Process(server.process.pid).children():
        with suppress(psutil.Error):  # it has just ended
            if {"gtp_engine.web.game.match", "gtp_engine.web.study.analyst"} & {*child.cmdline()}:
                found.append(child)
    return found


@pytest.mark.thorough
def test_a_killed_engine(own_server):
    server = own_server()
    page = server.page()
    page.new(white={"player": "alphabeta", "settings": {"time": "600"}}, size=15)
    page.play(112)
    page.until("thinking")
    for engine in engines(server):
        engine.kill()
    assert page.until("notice")["text"] == "the engine has stopped; Continue restarts it"
    page.until("game", lambda state: not state["playing"])
    page.say("seats", black=PERSON, white=QUICK, control=NO_CLOCK)
    page.say("continue", playing=True)
    state = page.until("game", lambda state: state["waiting"] == "you")
    assert state["cells"].count("2") == 1
    page.say("analyse", player="alphabeta", settings={})
    page.until("analyse")
    for engine in engines(server):
        engine.kill()
    assert page.until("notice", lambda told: "analysis" in told["text"])
    page.say("ask", what="hint")
    assert page.until("hint")


@pytest.mark.thorough
def test_too_many_engines(own_server):
    """Games beyond the bound wait, and say so; nothing is left behind at the end."""
    server = own_server()
    pages = []
    for _ in range(MOST_PROCESSES + 1):
        pages.append(server.page())
        pages[-1].new(white=QUICK)
    assert pages[-1].until("notice")["text"] == "all engines are busy: close another game first"
    children = engines(server)
    assert len(children) == MOST_PROCESSES
    assert server.stop() == (0, "")
    assert not any(child.is_running() for child in children)


@pytest.mark.thorough
def test_engines_end_with_the_server(own_server):
    server = own_server()
    page = server.page()
    page.new(white={"player": "alphabeta", "settings": {"time": "600"}})
    page.play(40)
    page.say("analyse", player="alphabeta", settings={})
    page.until("analyse")
    children = engines(server)
    assert len(children) == 2
    server.stop(signal.SIGKILL)
    until(lambda: not any(child.is_running() for child in children))


def test_a_restart_loses_nothing(own_server):
    server = own_server()
    page = server.page()
    state = page.new("Pente", 9, white=QUICK)
    page.play(40)
    before = page.until("game", lambda state: state["waiting"] == "you")
    address = server.address
    server.stop(signal.SIGKILL)
    server.start()
    assert server.address.split("/")[-2] == address.split("/")[-2], "the token stays"
    page = server.page()
    page.say("open", id=state["id"])
    after = page.until("game")
    assert {key: after[key] for key in ("cells", "cursor", "seats", "playing", "live")} == {
        key: before[key] for key in ("cells", "cursor", "seats", "playing", "live")}
    page.play(0)
    assert page.until("game", lambda state: state["waiting"] == "you")["cells"].count("2") == 2
    page.say("games")
    assert [game["id"] for game in page.until("games")["games"]] == [state["id"]]
    page.say("discard", id=state["id"])
    assert page.until("games")["games"] == []


def occupied(data):
    rows = data["tree"]["nodes"]
    rows.append({**rows[-1], "number": 2, "parent": 1})


DAMAGES = {  # of a file with one move
    "no JSON": None,
    "an occupied point": occupied,
    "a circle": lambda data: data["tree"]["nodes"].append({"number": 2, "parent": 2}),
    "a strange cursor": lambda data: data.update(cursor=77),
    "a strange player": lambda data: data["seats"]["black"].update(player="nobody"),
    "a strange number": lambda data: data["tree"]["nodes"][-1].update(value=float("nan")),
    "a strange comment": lambda data: data["tree"]["nodes"][-1].update(comment=[1]),
    "a strange result": lambda data: data.update(result={"node": 1}),
    "strange times": lambda data: data.update(left=["x", None]),
    "a strange clock": lambda data: data["control"].update(per_game="x"),
}


def test_damaged_files(own_server, tmp_path):
    """They cannot be opened, and the other games are there."""
    server = own_server()
    page = server.page()
    whole, damaged = page.new()["id"], {}
    for damage in DAMAGES:
        damaged[damage] = page.new()["id"]
        page.play(40)
    assert server.stop() == (0, "")
    for damage, change in DAMAGES.items():
        path = tmp_path / "data" / "games" / f"{damaged[damage]}.json"
        data = json.loads(path.read_text())
        if change:
            change(data)
        path.write_text(json.dumps(data) if change else "{")
    server.start()
    page = server.page()
    for damage, id in damaged.items():
        assert page.refusal("open", id=id), damage
    page.say("games")
    assert [game["id"] for game in page.until("games")["games"]] == [whole]
    page.say("start")
    assert page.until("game")["id"] == whole


def test_a_command_in_a_file_is_not_run(own_server, tmp_path):
    """Unless programs are allowed."""
    server = own_server()
    page = server.page()
    first = page.new()["id"]
    server.stop()
    path, ran = tmp_path / "data" / "games" / f"{first}.json", tmp_path / "ran"
    data = json.loads(path.read_text())
    command = f"gtp:touch {ran}"
    data["seats"]["black"] = {"player": "program", "settings": {}, "command": command}
    path.write_text(json.dumps(data))
    server.start()
    page = server.page()
    page.say("start")
    assert page.until("notice")["text"].startswith("the page may not start programs")
    assert not page.until("game", lambda state: not state["playing"])["over"] and not ran.exists()


def test_a_game_that_is_removed_while_it_is_open(own_server, tmp_path):
    server = own_server()
    page, other = server.page(), server.page()
    state = page.new()
    other.say("open", id=state["id"])
    other.until("game")
    other.say("discard", id=state["id"])
    assert page.until("discarded")["id"] == state["id"]
    assert page.refusal("comment", id=state["id"], node=0, text="x") == "open a game first"
    assert not [*(tmp_path / "data" / "games").iterdir()]


# --- who may come in ----------------------------------------------------------------------------


def fetch(server, path, **headers):
    """Status and body of an answer over HTTP, from the server's own host."""
    request = urllib.request.Request(f"http://{server.host}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read(), error.headers


def test_addresses(server):
    token = server.address.split("/")[3]
    status, body, headers = fetch(server, f"/{token}/")
    assert status == 200 and b"main.js" in body
    assert all(headers[name] == value for name, value in HEADERS.items())
    assert fetch(server, f"/{token}/static/main.js")[0] == 200
    for path in ("/", "/static/main.js", f"/{token[:-1]}/", f"/{token}/static/../server.py",
                 f"/{token}/static/%2e%2e/server.py", f"/{token}/games", "/socket"):
        assert fetch(server, path)[0] == 404, path
    assert fetch(server, f"/{token}/", Host="example.org")[0] == 403
    assert fetch(server, f"/{token}/", Origin="http://example.org")[0] == 403


ORIGINS = [  # of a connection, whether it may come in
    ("http://{}", True), ("http://example.org", False), ("http://{}.example.org", False),
    ("null", False), (None, False),
]


@pytest.mark.parametrize("origin, allowed", ORIGINS)
def test_origins(server, origin, allowed):
    def enter(address):
        with connect(address, origin=origin and origin.format(server.host)) as socket:
            return json.loads(socket.recv(timeout=PATIENCE))["do"]

    address = f"ws{server.address[4:]}socket"
    if allowed:
        assert enter(address) == "hello"
        with pytest.raises(InvalidStatus):
            enter(address.replace(server.address.split("/")[3], "x" * 22))
    else:
        with pytest.raises(InvalidStatus):
            enter(address)


HOSTS = {"localhost": True, "localhost:80": True, "127.0.0.1:8765": True, "127.1.2.3": True,
         "[::1]:80": True, "[": False, "": False, "example.org": False, "10.0.0.1": False,
         "127.0.0.1.example.org": False, "localhost.example.org:80": False}


@pytest.mark.parametrize("host", HOSTS)
def test_hosts(host):
    assert is_this_computer(host) == HOSTS[host]


def test_an_address_without_the_secret(server, own_server, tmp_path):
    """Whoever comes without it is told where the address is, and not what it is."""
    status, body, _ = fetch(server, "/")
    assert status == 404 and b"The server prints it in its terminal" in body
    assert server.address.split("/")[3].encode() not in body
    status, body, _ = fetch(own_server("--watch-only", folder=tmp_path / "other"), "/x/")
    assert status == 404 and b"Ask the person who started the server for it." in body


def test_the_secret_is_not_on_a_command_line(own_server, tmp_path):
    """All users of a computer can read what a browser was started with: a file that leads on."""
    told, browser = tmp_path / "told", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" > {told}.part\nmv {told}.part {told}\n')
    browser.chmod(0o700)
    server = own_server(BROWSER=str(browser))
    until(told.exists)
    words, page = told.read_text(), tmp_path / "data" / "open.html"
    assert words.split() == [page.as_uri()]
    assert server.address in page.read_text() and page.stat().st_mode & 0o077 == 0


@pytest.mark.thorough
def test_too_many_pages(own_server):
    """The next one is told why it is not let in."""
    server = own_server()
    pages = [server.page() for _ in range(MOST_PAGES)]
    with pytest.raises(ConnectionClosed) as closed:
        server.page()
    assert closed.value.rcvd.code == 4001
    assert closed.value.rcvd.reason.startswith(f"this server has {MOST_PAGES} open pages")
    for page in pages:
        page.close()


def test_ctrl_c_twice(own_server):
    """The server ends without a word, whatever goes on."""
    server = own_server()
    pages = [server.page() for _ in range(2)]
    pages[0].new(white={"player": "alphabeta", "settings": {"time": "600"}}, size=15)
    pages[0].play(112)
    pages[1].new()
    pages[1].say("analyse", player="alphabeta", settings={})
    pages[1].until("analyse")
    server.process.send_signal(signal.SIGINT)
    assert server.stop() == (0, "")


def test_preparing(own_server, tmp_path):
    """On a computer where nothing was compiled before, a page hears that something is, at once."""
    page = own_server(XDG_CACHE_HOME=str(tmp_path / "cache")).page()
    assert page.hello["preparing"]
    told = page.until("preparing")
    assert told["done"] is False and told["seconds"] >= 1


def test_prepared(page):
    page.new()
    if page.hello["preparing"]:
        assert page.until("preparing", lambda told: told["done"])


def test_small_messages_are_sent_at_once():
    """asyncio sees to it where a socket says that it is one of TCP; else each move waits 40 ms."""
    with listening("127.0.0.1", None) as sock:
        assert sock.proto == socket.IPPROTO_TCP


def test_origins_of_the_same_host():
    assert same("http://localhost:80", "localhost:80")
    assert not same("http://localhost:81", "localhost:80") and not same(None, "localhost:80")


@pytest.mark.thorough
def test_a_second_server(own_server, tmp_path):
    """It says where the first one is; with other data it is a server of its own."""
    first = own_server()
    second = own_server()
    assert second.said == f"the board is already running at {first.address}\n"
    assert second.process.wait(PATIENCE) == 0
    assert own_server(folder=tmp_path / "other").host != first.host


WORDS = [  # of the command line, what is said
    (["--host", "0.0.0.0"], "--host needs --watch-only, since other computers may only watch"),
    (["--watch-only", "--allow-programs"], "--allow-programs and --watch-only exclude each other"),
    (["--watch-only", "--player", "a:b"], "--player and --watch-only exclude each other"),
    (["--player", "nowhere:f"], "nowhere:f: cannot import nowhere"),
    (["nothing.jsonl"], "no such file: nothing.jsonl"),
    (["--port", "70000"], "port must be 1 to 65535"),
]


@pytest.mark.parametrize("words, expected", WORDS)
def test_command_line(words, expected, tmp_path):
    done = subprocess.run([sys.executable, "-m", "gtp_engine", "web", "--no-browser", "--data",
                           str(tmp_path), *words], capture_output=True, text=True, cwd=TOP)
    assert done.returncode == 2 and expected in done.stderr


# --- programs and watchers ----------------------------------------------------------------------


def test_programs_that_were_allowed(own_server):
    server = own_server("--allow-programs")
    page = server.page()
    assert page.hello["programs"]
    command = f"gtp:{sys.executable} {TOP / 'gomoku3.py'} --player random"
    page.new(size=9, white={"player": "program", "command": command})
    page.play(40)
    assert page.until("game", lambda state: state["waiting"] == "you")["cells"].count("2") == 1
    watcher = own_server("--watch-only").page()
    watcher.say("start")
    seen = watcher.until("game")["seats"]["white"]
    assert seen == {"player": "program", "name": f"gtp: {Path(sys.executable).name}"}
    page.new(size=9, white={"player": "program", "command": "gtp:nothing-of-the-kind"})
    assert "no such program" in page.until("notice")["text"]
    page.new(size=9, white={"player": "program", "command": f"gtp:{sys.executable} -c 0"})
    assert page.until("game", lambda state: state["over"])["over"]["winner"] == BLACK


def test_players_of_ones_own(own_server):
    """They are offered by name, and no other program may be started."""
    player = f"{TOP / 'examples' / 'my_engine.py'}:my_engine"
    page = own_server("--player", player).page()
    assert page.hello["own"] == [{"command": f"python:{player}", "name": "my_engine"}]
    assert not page.hello["programs"]
    page.new(size=9, white={"player": "program", "command": f"python:{player}"})
    page.play(0)
    state = page.until("game", lambda state: state["waiting"] == "you")
    assert state["cells"][40] == "2" and state["seats"]["white"]["name"] == "my_engine"
    page.say("new", game="Gomoku", size=9, black={"player": "person"}, control=NO_CLOCK,
             white={"player": "program", "command": "python:os:getcwd"})
    assert page.until("refused")["text"].startswith("the page may not start programs")


def test_who_only_watches(own_server):
    """It sees what happens, from its own address, and can do nothing."""
    server = own_server()
    page = server.page()
    state = page.new()
    page.play(40)
    watcher = own_server("--watch-only")
    assert watcher.address.split("/")[3] != server.address.split("/")[3]
    other = watcher.page()
    assert other.hello["watch_only"]
    other.say("start")
    seen = other.until("game")
    assert (seen["id"], seen["cells"].count("1"), seen["watching"]) == (state["id"], 1, True)
    page.play(41)
    assert other.until("game", lambda state: state["cells"][41] == "2")["cursor"] == 2
    other.say("goto", node=0)
    assert other.until("game")["cursor"] == 0
    page.play(42)
    assert other.until("game", lambda state: len(other.nodes) == 4)["cursor"] == 0
    for what, (_, fields, watching) in COMMANDS.items():
        if not watching:
            other.say(what, **dict.fromkeys(fields))
            assert other.until("refused")["text"] == "this page is read-only", what


@pytest.mark.thorough
def test_a_class_that_watches(own_server):
    """Many more may watch than play."""
    page = own_server().page()
    page.new()
    page.play(40)
    watching = own_server("--watch-only")
    others = [watching.page() for _ in range(MOST_PAGES + 20)]
    for other in others:
        other.say("start")
    assert all(other.until("game")["cursor"] == 1 for other in others)
    page.play(41)
    for other in others:
        told = other.until("tree")
        assert not told["whole"] and [row["number"] for row in told["nodes"]] == [1, 2]
        assert other.until("game")["cursor"] == 2
        other.close()


@pytest.mark.thorough
def test_a_tournament(own_server, tmp_path):
    """Games, tables and games that are being played, as they come; each can be replayed."""
    path = tmp_path / "games.jsonl"
    with tournament(path, "a=random", "slow=alphabeta,time=0.2", "--size", "7", "--test", "0",
                    "100"):
        page = own_server(str(path)).page()
        assert page.hello["tournaments"] == ["games.jsonl"]
        page.say("watch", tournament=0)
        told = page.until("tournament", lambda told: told.get("running"))
        live = told["running"][0]
        assert {live["first"], live["second"]} == {"a", "slow"}
        page.say("replay", tournament=0, game=live["game"])
        seen = page.until("game")
        assert seen["watching"]
        later = page.until("game", lambda state: state["live"] > seen["live"])
        assert later["id"] == seen["id"], "a page would open it again, away from another view"
        page.until("tournament", lambda told: told.get("games"))
    assert not (tmp_path / "games.live").exists()
    page.say("watch", tournament=0)
    told = page.until("tournament", lambda told: told["known"] == 0)
    assert told["summary"]["games"] == len(told["games"]) and told["running"] == []
    assert {player["name"] for player in told["summary"]["players"]} == {"a", "slow"}
    game = told["games"][0]
    page.say("replay", tournament=0, game=game["game"])
    state = page.until("game")
    assert len(page.path()) == game["plies"] + 1 == state["live"] + 1
    assert page.refusal("replay", tournament=0, game=9999) == "there is no such game"
    page.say("replay", tournament=0, game=game["game"])
    assert page.refusal("play", point=0) == "this game can only be watched"
    assert {seat["name"] for seat in state["seats"].values()} == {"a", "slow"}
    page.say("take", node=2)
    taken = page.until("game", lambda state: not state["watching"])
    assert (taken["cursor"], taken["live"], taken["id"] != state["id"]) == (2, 2, True)
    assert taken["info"]["names"] == {"black": game["first"], "white": game["second"]}
    assert len(page.nodes) == game["plies"] + 1
    page.say("analyse", player="alphabeta", settings={"memory": "1"})
    assert page.until("analyse")["node"] == 2
    page.play(taken["cells"].index("0"))
    assert page.refusal("take", node=0) == "this game is yours already"
