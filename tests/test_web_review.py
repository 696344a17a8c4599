"""The review of a game on the server of boards: its process, what is held of it, and a real one;
and the marks with which somebody explains a game."""

import asyncio
import json
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, PASS, WHITE
from gtp_engine.games.tree import ROOT, GameTree, Step, tree_of
from gtp_engine.learn.analysis import Analysis, Effort, analysis_of
from gtp_engine.learn.review import played_moves, review
from gtp_engine.learn.rows import rows_of_line
from gtp_engine.records import reader
from gtp_engine.web.fields import Refusal
from gtp_engine.web.pipe import places_of
from gtp_engine.web.processes import ENGINES_BUSY, TooMany
from gtp_engine.web.study.judged import line_data, move_of_row, points_of, row_of
from gtp_engine.web.study.review import FINISHED, PAUSED, RUNNING, STOPPED, GameReview
from gtp_engine.web.study.reviewer import Reviewer
from gtp_engine.wire.notation import GtpPoints
from tests.positions import drawing, picture, random_game
from tests.web import Server

EFFORT = Effort(nodes=200, memory=1, seed=1)
LOST = (112, 98, 97, 113, 82, 0, 67, 127, 52)  # White overlooks an open three at move 6


def tree_with(places, rules=catalogue.GOMOKU, size=15):
    """The game of these moves in turn, by the numbers of their points."""
    tree, node = GameTree(rules, size), ROOT
    points = tree.position(ROOT).lattice.points
    for place in places:
        node = tree.add(node, Step(move=(tree.position(node).side, points[place])))
    return tree


# --- rows that were overlooked -------------------------------------------------------------------

ROWS = [  # game, position, the line of Black, the rows that are drawn
    ("an open three becomes four, and wins", catalogue.GOMOKU, """
        .........
        .........
        ..XXX....
        .O.O.....
        .O.......
    """, "F3 B3 G3", [".*****...", "..*****.."]),
    ("a first move that only makes two is no threat", catalogue.GOMOKU, """
        .........
        .........
        ..X......
        .O.......
        .........
    """, "D3", []),
    ("what is blocked on both sides is no row", catalogue.GOMOKU, """
        .........
        .........
        .OXX.O...
        .........
        .........
    """, "E3", []),
    ("captured stones", catalogue.PENTE_FREE, """
        .........
        .........
        .XOO.....
        .........
        .........
    """, "E3", [".****...."]),
]


@pytest.mark.parametrize("rules, rows, line, drawn", [case[1:] for case in ROWS],
                         ids=[case[0] for case in ROWS])
def test_rows(rules, rows, line, drawn):
    """A row is drawn on the third line of an empty board."""
    position = picture(rules, rows)
    names = GtpPoints(position.lattice)
    found = rows_of_line(position, [names.point_of(name) for name in line.split()])
    position.setup([(EMPTY, point) for point in position.lattice.points])
    assert [drawing(position, row).split()[2] for row in found] == drawn


def test_captures_along_a_line():
    """Who walks through a line sees which stones go."""
    position = picture(catalogue.PENTE_FREE, ".XOO. ..... ..... ..... .....")
    places = places_of(position)
    points = [position.lattice.point(*at) for at in ((4, 4), (0, 0), (2, 2))]
    shown = line_data(position, points)
    assert shown["moves"] == [places[point] for point in points] and shown["side"] == BLACK
    assert shown["taken"] == [[places[position.lattice.point(x, 4)] for x in (2, 3)], [], []]


# --- the process that reviews --------------------------------------------------------------------


def told_by(tree, analyse=analysis_of, threads=1):
    """What a reviewer says of a game."""
    said = []
    with ThreadPoolExecutor(threads) as pool:
        Reviewer({"tree": tree.data(), "effort": EFFORT._asdict()},
                 lambda **message: said.append(json.loads(json.dumps(message))),
                 pool, analyse, threads).review()
    return said


def test_moves_as_data():
    """They are the same when they have been told; a pass has a number, too."""
    tree = tree_with(LOST)
    tree.add(tree.line(ROOT)[2], Step(move=(BLACK, PASS)))
    tree.promote(max(tree.nodes))
    played, points = played_moves(tree), points_of(tree.position(ROOT))
    judged = review(tree, EFFORT, lambda tasks: map(analysis_of, tasks)).moves
    assert judged[2].point == PASS
    for move, around in zip(judged, played):
        told = move_of_row(json.loads(json.dumps(row_of(move, around))), points)
        assert told._replace(loss=move.loss) == move


@pytest.mark.parametrize("rules", catalogue.GAMES.values(), ids=lambda rules: rules.name)
@pytest.mark.few(5)
def test_what_a_process_tells(rules):
    """In the end the same as a review says, for every game; only what has changed is told again."""
    game = None
    for game in random_game(rules, 7, Random(rules.name)):
        if len(game.history) == 8:
            break
    tree = tree_of(game)
    said = told_by(tree, threads=2)
    assert said.pop() == {"finished": True}
    assert (said[0]["done"], said[0]["is_deeper"]) == (1, False)
    rows, played = {}, played_moves(tree)
    for message in said:
        assert all(rows.get(row["ply"]) != row for row in message["rows"])
        rows.update((row["ply"], row) for row in message["rows"])
    found = review(tree, EFFORT, lambda tasks: map(analysis_of, tasks))
    assert [rows[ply] for ply in sorted(rows)] == [
        json.loads(json.dumps(row_of(move, around))) for move, around in zip(found.moves, played)]
    assert said[-1]["moments"] == [move.ply for move in found.moments()]
    assert said[-1]["accuracy"] == [found.accuracy(colour) for colour in (BLACK, WHITE)]


def test_a_pause():
    """Before each position it is asked whether work goes on; `pause` and `resume` decide that."""
    reviewer = Reviewer({"tree": tree_with(LOST[:3]).data(), "effort": EFFORT._asdict()},
                        lambda **message: None, ThreadPoolExecutor(1),
                        lambda task: Analysis(0.0), 1)
    reviewer.listen([{"do": "pause"}])
    assert not reviewer.going.is_set()
    asked = []

    class Gate:
        def wait(self):
            asked.append(reviewer._done)

    reviewer.listen([{"do": "resume"}])
    assert reviewer.going.is_set()
    reviewer.going = Gate()
    reviewer.review()
    assert asked == [0, 1, 2, 3, 4]


# --- what a room holds ---------------------------------------------------------------------------


class Children:
    """Processes that only keep what they are told."""

    def __init__(self):
        self.begun, self.is_full = [], False

    async def start(self, module, listen, ended):
        if self.is_full:
            raise TooMany
        self.begun.append(Child(listen, ended))
        return self.begun[-1]


class Child:
    def __init__(self, listen, ended):
        self.listen, self.ended, self.told, self.is_over = listen, ended, [], False

    def tell(self, **message):
        self.told.append(message)

    def end(self):
        self.is_over = True


ROW = {"colour": WHITE, "point": 0, "kind": "blunder", "is_fault": True, "loss": 0.3,
       "before": {"value": 0.1, "line": [67, 0], "plies": None},
       "after": {"value": -0.5, "line": [0, 67], "plies": None}}


def held(places=LOST):
    """A review of a game that has begun: the tree, the review, its processes, and what was said."""
    tree, children, said = tree_with(places), Children(), []
    found = GameReview(tree, children, lambda **message: said.append(message))
    asyncio.run(found.begin(3, "quick"))
    return tree, found, children, said


def test_results_are_sent_as_changes():
    """All that a page hears together is what another one is told that comes later."""
    _, found, children, said = held()
    child, = children.begun
    assert child.told[0]["effort"]["seconds"] == 0.1
    assert len(child.told[0]["tree"]["nodes"]) == len(LOST) + 1
    child.listen({"rows": [{**ROW, "ply": 1, "at": 1}], "done": 1, "of": 3})
    child.listen({"rows": [{**ROW, "ply": 2, "at": 2}], "done": 2, "of": 3})
    assert [len(message["rows"]) for message in said] == [0, 1, 1]
    child.listen({"finished": True})
    assert child.is_over and (said[-1]["status"], said[-1]["rows"]) == (FINISHED, [])

    class Recipient:
        def say(self, **message):
            self.heard = message

    page = Recipient()
    found.tell(page)
    assert page.heard["whole"] and [row["node"] for row in page.heard["rows"]] == [1, 2]
    assert (page.heard["done"], page.heard["of"]) == (2, 3)


def test_a_variation_is_reviewed():
    """The nodes are those of the tree, not of the line."""
    tree, found, children, said = held()
    node = tree.add(3, Step(move=(WHITE, tree.position(ROOT).lattice.points[0])))
    asyncio.run(found.begin(node, "usual"))
    first, second = children.begun
    assert first.is_over and len(second.told[0]["tree"]["nodes"]) == 5
    first.listen({"rows": [{**ROW, "ply": 4, "at": 4}]})  # what an earlier one says is not heard
    second.listen({"rows": [{**ROW, "ply": 4, "at": 4}], "done": 5, "of": 5})
    assert [row["node"] for row in said[-1]["rows"]] == [node]
    assert found.fault(4)[0] == 3
    with pytest.raises(Refusal, match="the review has no mistake there"):
        found.fault(3)


def test_pausing_and_going_on():
    _, found, children, _ = held()
    found.pause()
    assert found.status == PAUSED
    asyncio.run(found.go_on())
    assert found.status == RUNNING
    assert [message["do"] for message in children.begun[0].told[1:]] == ["pause", "resume"]
    found.pause()
    found.end()
    assert found.status == STOPPED and children.begun[0].is_over
    asyncio.run(found.go_on())
    assert found.status == RUNNING and len(children.begun) == 2


def test_a_process_that_dies():
    _, found, children, said = held()
    children.begun[0].ended()
    assert (said[-1]["status"], said[-1]["text"]) == (STOPPED, "the review has stopped")
    children.is_full = True
    asyncio.run(found.go_on())
    assert (said[-1]["status"], said[-1]["text"]) == (STOPPED, ENGINES_BUSY)


def remove(tree):
    tree.remove(8)


def set_up(tree):
    tree.replace(9, Step(((BLACK, tree.position(ROOT).lattice.points[30]),)))


def play_on(tree):
    tree.add(4, Step(move=(BLACK, tree.position(ROOT).lattice.points[30])))
    tree.promote(max(tree.nodes))


@pytest.mark.parametrize("change, status", [(remove, None), (set_up, None), (play_on, RUNNING)])
def test_a_game_that_changes(change, status):
    """The review is dropped when a position of its line is not there any more, and not before."""
    tree, found, children, said = held()
    change(tree)
    found.check()
    assert (found.status, children.begun[0].is_over) == (status, status is None)
    if status is None:
        assert (said[-1]["whole"], said[-1]["status"], said[-1]["rows"]) == (True, None, [])


def test_nothing_to_review():
    found = GameReview(GameTree(catalogue.GOMOKU, 15), Children(), lambda **message: None)
    with pytest.raises(Refusal, match="there is no move to review"):
        asyncio.run(found.begin(ROOT, "usual"))
    with pytest.raises(Refusal, match="there is no review yet"):
        found.sgf({})
    assert found.status is None


# --- over a real socket --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    found = Server(tmp_path_factory.mktemp("data"))
    yield found
    assert found.stop() == (0, "")


@pytest.fixture
def no_child_outlives_its_test():
    """The server does, until the end of the module."""


@pytest.fixture
def page(server):
    found = server.page()
    yield found
    found.close()


def test_a_review(server, page):
    """White's oversight is found; the review outlives the page; other moves are tried; it is saved;
    it ends with the position that it is about."""
    assert page.new(size=15)
    assert page.refusal("review", effort="usual") == "there is no move to review"
    assert page.refusal("save_review") == "there is no review yet"
    for point in LOST:
        page.play(point)
    page.say("review", effort="quick")
    rows = {}
    told = page.until("review")
    assert told["whole"] and told["status"] == RUNNING
    while told["status"] != FINISHED:
        told = page.until("review")
        rows.update((row["ply"], row) for row in told["rows"])
    assert len(rows) == len(LOST) and rows[6]["kind"] == "allowed win" and 6 in told["moments"]
    assert rows[6]["better"] in (37, 52, 67, 127) and len(rows[6]["refutation"]["moves"]) == 3
    assert {67, 82, 97, 112} <= {point for row in rows[6]["refutation"]["rows"] for point in row}
    assert page.refusal("judge", ply=1, point=0) == "the review has no mistake there"
    assert page.refusal("judge", ply=6, point=0) == "the position has changed in the meantime"
    id = page.state["id"]
    page.close()
    page = server.page()
    page.say("open", id=id, node=rows[6]["node"] - 1)
    page.until("game")
    again = page.until("review")
    assert again["whole"] and {row["ply"]: row for row in again["rows"]} == rows
    assert page.refusal("judge", ply=6, point=82) == "occupied"
    for point, is_right in ((0, False), (224, False), (rows[6]["better"], True)):
        page.say("judge", ply=6, point=point)
        judged = page.until("judge")
        assert (judged["point"], judged["is_right"]) == (point, is_right)
        assert is_right or judged["refutation"]["moves"][0] == point
        assert is_right or len(judged["refutation"]["moves"]) == 4 and judged["refutation"]["rows"]
    page.say("save_review")
    saved = page.until("saved")
    data = b64decode(saved["data"])
    assert saved["name"].endswith("-reviewed.sgf") and b"PB[" in data
    tree = reader.first(data, catalogue.GOMOKU, 15).tree
    assert any(node.comment.startswith("Allowed win. Black now wins in 3 plies")
               for node in tree.nodes.values())
    page.say("remove", node=rows[5]["node"])
    dropped = page.until("review")
    assert (dropped["whole"], dropped["status"]) == (True, None)
    page.close()


def test_marks(server, page):
    """All pages of the game see them; they are in its file."""
    id = page.new(size=9)["id"]
    other = server.page()
    other.say("open", id=id)
    other.until("game")
    page.say("mark", id=id, kind="label", point=3, text="A")
    page.say("arrow", id=id, point=3, to=5)
    told = other.until("tree", lambda told: "arrows" in told["nodes"][0])
    assert told["nodes"][0]["arrows"] == [[3, 5]]
    assert told["nodes"][0]["marks"] == [["label", 3, "A"]]
    other.close()
    page.say("save")
    data = b64decode(page.until("saved")["data"])
    assert b"AR[di:fi]" in data and b"LB[di:A]" in data
    page.say("wipe", id=id)
    page.until("tree", lambda told: "marks" not in told["nodes"][0])
    assert page.refusal("arrow", id=id, point=3, to=3) == "an arrow needs two different points"
    assert page.refusal("mark", id=id, kind="circle", point=600) == "there are 81 points"
    assert page.refusal("mark", id="x", kind="circle", point=6) == (
        "this game is no longer displayed")
