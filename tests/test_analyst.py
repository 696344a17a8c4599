"""What pages ask about positions, over a real socket."""


import pytest

from gtp_engine.games.lattice import BLACK, WHITE


def test_analysis(page):
    """Values, lines and figures arrive, are kept with the position, and stop when told to."""
    page.new(size=15)
    page.play(112)
    page.say("analyse", player="alphabeta", settings={"memory": "1"})
    told = page.until("analyse", lambda told: len(told["report"]["lines"]) > 5)
    report = told["report"]
    assert told["node"] == 1 and report["figures"]["depth"] > 1 and report["figures"]["nodes"] > 100
    assert all(line[0] == int(place) for place, line in report["lines"].items())
    assert max(report["values"].values()) <= report["values"][str(report["line"][0])] + 1e-3
    value = page.until("value")
    assert value["node"] == 1 and -1 <= value["value"] <= 1
    page.play(113)
    assert page.until("analyse", lambda told: told["node"] == 2)["report"]["line"]
    page.say("analyse", player=None, settings={})
    page.until("game", lambda state: not state["analysing"])
    page.say("copy")
    page.until("copied")
    page.say("save")
    while (message := page.hear())["do"] != "saved":
        assert message["do"] not in ("analyse", "value")


@pytest.mark.thorough
def test_another_analyst(page):
    """It takes over at once; when it is told to stop, the engine is free for other questions."""
    page.new(size=9)
    page.play(40)
    page.say("analyse", player="alphabeta", settings={"memory": "1"})
    page.until("analyse")
    page.say("analyse", player="flat", settings={"simulations": "1"})
    page.until("analyse", lambda told: told["report"]["playouts"])
    page.say("analyse", player="alphabeta", settings={})
    page.until("analyse", lambda told: not told["report"]["playouts"])
    page.say("analyse", player=None, settings={})
    page.say("ask", what="hint")
    assert page.until("hint")["node"] == 1
    page.say("analyse", player="alphabeta", settings={})
    page.until("analyse")
    page.say("ask", what="hint")
    page.until("hint")
    page.until("analyse")


def test_a_proof_that_is_not_wanted(page):
    """It is asked for once; it ends when it is told to, or when another position is shown."""
    page.new("Gomoku", 15)
    page.play(112)
    page.say("ask", what="solve")
    state = page.until("game", lambda state: state["asked"])
    assert state["asked"] == [{"what": "solve", "node": 1}]
    assert page.refusal("ask", what="solve") == "this is already being analysed"
    page.say("stop")
    page.until("game", lambda state: not state["asked"])
    page.say("ask", what="solve")
    page.until("game", lambda state: state["asked"])
    page.play(113)
    page.until("game", lambda state: not state["asked"])
    page.say("ask", what="hint")
    assert page.until("hint")["node"] == 2


@pytest.mark.thorough
def test_looking_back_in_a_game_that_goes_on(server, page):
    """All that is asked is about the position that the page shows, while others show another."""
    state = page.new(white={"player": "alphabeta", "settings": {"time": "600"}}, size=15)
    page.play(112)
    other = server.page()
    other.say("open", id=state["id"])
    other.until("game")
    page.say("goto", node=0)
    page.until("game", lambda state: state["cursor"] == 0)
    page.say("analyse", player="alphabeta", settings={"memory": "1"})
    told = page.until("analyse")
    assert told["node"] == 0
    for what in ("threats", "hint"):
        page.say("ask", what=what)
        assert page.until(what)["node"] == 0
    page.say("ask", what="solve")
    page.until("game", lambda state: state["asked"] == [{"what": "solve", "node": 0}])
    page.say("stop")
    assert page.until("game", lambda state: not state["asked"])["live"] == 1
    other.say("save")
    while (message := other.hear())["do"] != "saved":
        assert message["do"] not in ("analyse", "hint", "threats", "solve")
        assert message["do"] != "game" or message["live"] == 1 and not message["analysing"]
    other.close()


@pytest.mark.thorough
def test_analyses_of_two_positions(server, page):
    """They take turns, and each page hears of the position that it shows."""
    state = page.new(size=15)
    page.play(112)
    other = server.page()
    other.say("open", id=state["id"], node=0)
    assert other.until("game")["cursor"] == 0
    other.say("analyse", player="alphabeta", settings={"memory": "1"})
    assert other.until("analyse")["node"] == 0
    page.say("analyse", player="alphabeta", settings={"memory": "1"})
    assert page.until("analyse")["node"] == 1
    seconds = other.until("analyse", lambda told: told["seconds"] < 1)["seconds"]
    assert seconds < 1
    page.say("analyse", player=None, settings={})
    page.until("game", lambda state: not state["analysing"])
    page.say("goto", node=0)
    page.until("game", lambda state: state["cursor"] == 0)
    page.say("analyse", player="alphabeta", settings={"memory": "1"})
    assert page.until("analyse")["node"] == 0
    other.close()


def test_what_was_found_is_shown_again(page):
    """A page that comes back to a position that was analysed sees what was found at once."""
    page.new(size=15)
    page.play(112)
    page.say("analyse", player="alphabeta", settings={"memory": "1"})
    found = page.until("analyse", lambda told: told["report"]["figures"].get("depth", 0) > 3)
    page.say("goto", node=0)
    page.until("analyse", lambda told: told["node"] == 0)
    page.say("goto", node=1)
    again = page.until("analyse", lambda told: told["node"] == 1)
    assert again["report"]["figures"]["depth"] >= found["report"]["figures"]["depth"]


def test_a_hint_in_the_turn_of_the_opponent(page):
    page.new(white={"player": "alphabeta", "settings": {"time": "600"}}, size=15)
    page.play(112)
    assert page.refusal("ask", what="hint") == (
        "it is your opponent's turn: ask for a hint when it is yours")
    page.say("goto", node=0)
    page.until("game", lambda state: state["cursor"] == 0)
    page.say("ask", what="hint")
    assert page.until("hint")["node"] == 0


def test_a_weaker_analyst(page):
    """It changes neither a proved value nor that of a deeper search; the end of a won game has its
    value at once."""
    page.new(size=9)
    for point in (39, 0, 40, 8, 41, 80):
        page.play(point)
    page.say("analyse", player="alphabeta", settings={"memory": "1"})
    page.until("value", lambda told: told["value"] == 1)
    page.until("analyse", lambda told: "plies_to_win" in told["report"]["figures"])
    page.say("analyse", player="flat", settings={"simulations": "1"})
    page.until("analyse", lambda told: told["report"]["playouts"])
    page.say("analyse", player=None, settings={})
    page.until("game", lambda state: not state["analysing"])
    page.say("comment", id=page.state["id"], node=6, text="x")
    page.until("game", lambda state: "comment" in page.nodes[6])
    assert page.nodes[6]["value"] == 1
    for point in (42, 1, 38):
        state = page.play(point)
    assert state["over"]["winner"] == BLACK and page.nodes[9]["value"] == 1


def test_questions(page):
    """Threats, a hint and a proof: a four has to be answered; an open three wins."""
    page.new(size=9)
    for point in (39, 0, 40, 8, 41):
        state = page.play(point)
    assert state["side"] == WHITE
    page.say("goto", node=4)
    page.until("game", lambda state: state["cursor"] == 4)
    page.say("setup", stones=[[BLACK, 41]], side=BLACK)
    page.until("game", lambda state: state["side"] == BLACK and state["cells"][41] == "1")
    page.say("ask", what="threats")
    told = page.until("threats")
    assert ["open four", BLACK, [38, 42]] in told["shapes"]
    assert {told["rules"][str(point)] for point in (38, 42)} == {"OpenFour"}
    page.say("ask", what="hint")
    assert page.until("hint")["hint"] in (38, 42)
    page.say("ask", what="solve")
    proof = page.until("solve")["solved"]
    assert proof["winner"] == BLACK and proof["move"] in (38, 42)
    line, threats = proof["line"], proof["threats"]
    assert len(line) == 3 and len(threats[0]) == 2 and line[2] in threats[0]
    assert proof["move"] == line[0] and proof["reasons"] == [
        {"move": line[0], "line": line, "text": "5 in a row after 3 plies"}]
    page.play(0)
    page.say("goto", node=4)
    page.until("game", lambda state: state["cursor"] == 4)
    page.say("setup", stones=[[BLACK, 41], [BLACK, 42]], side=WHITE)
    page.until("game", lambda state: state["side"] == WHITE and state["cells"][42] == "1")
    page.say("ask", what="solve")
    proof = page.until("solve")["solved"]
    assert (proof["winner"], proof["move"]) == (BLACK, None) and len(proof["reasons"]) > 1
    assert {reason["text"] for reason in proof["reasons"]} == {"5 in a row after 2 plies"}


def test_how_long_lost_moves_hold(page):
    """The plies to the end are told of the moves that are proved to lose or win."""
    page.new(size=9)
    for point in (39, 0, 40, 8, 41):
        page.play(point)
    page.say("analyse", player="alphabeta", settings={"memory": "1"})
    report = page.until("analyse", lambda told: len(told["report"]["plies"]) > 60)["report"]
    plies = report["plies"]
    assert report["values"]["80"] == -1 and plies["80"] == 4
    assert min(plies.values()) == 4 < max(plies.values())
    page.say("analyse", player=None, settings={})
    page.play(80)
    page.say("analyse", player="alphabeta", settings={"memory": "1"})
    report = page.until("analyse", lambda told: "38" in told["report"]["plies"])["report"]
    assert report["plies"]["38"] == 3


@pytest.mark.thorough
def test_the_strategy_of_4x4x4(page):
    page.new("Qubic", 8)
    page.say("ask", what="solve")
    assert page.until("solve")["solved"]["winner"] == BLACK
