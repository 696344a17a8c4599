"""A lesson: watchers see what the page that leads shows, and guess moves; over two real servers."""

import asyncio
import json
from collections import Counter

import pytest

from benchmarks import audience
from gtp_engine.web.lesson.lesson import GUESSES, LESSON
from tests.programs import until

MOVES = (40, 41, 31, 49)  # of a game on 9x9
DONE = {  # what holds for what the teacher hears when that is done
    "lead": lambda told: told["leads"],
    "ask": lambda told: told["asked"] and told["asked"]["answer"] is None,
    "show": lambda told: told["asked"] and told["asked"]["answer"] is not None,
    "withdraw": lambda told: told["asked"] is None,
    "end": lambda told: told["id"] is None,
}


class Class:
    """A teacher's page with a game, and the server of those who watch."""

    def __init__(self, own_server):
        self.servers = [own_server(), own_server("--watch-only")]
        self.teacher = self.servers[0].page()
        self.id = self.teacher.new()["id"]
        for point in MOVES:
            self.teacher.play(point)

    def go(self, node):
        self.teacher.say("goto", node=node)
        self.teacher.until("game", lambda state: state["cursor"] == node)

    def lead(self, node):
        """The lesson begins there; watchers hear of it."""
        self.go(node)
        lesson = self.do("lead")
        watcher = self.servers[1].page()
        told = watcher.until("lesson", lambda each: each["id"])
        assert told["id"] == lesson["id"] and told["asked"] is None
        watcher.close()

    def do(self, what):
        """What the teacher hears when that is done."""
        self.teacher.say("lesson", what=what)
        self.told = self.teacher.until("lesson", DONE[what])
        return self.told

    def ask(self, *watchers):
        """The number of the question, once these know it."""
        number = self.do("ask")["asked"]["number"]
        for watcher in watchers:
            watcher.until("lesson", lambda each: each["asked"] and each["asked"]["number"] == number
                          and each["asked"]["answer"] is None)
        return number

    def count(self, count):
        """Wait until the teacher knows of so many guesses."""
        return self.hear(lambda asked: asked["count"] == count)

    def hear(self, condition):
        """What the teacher was told last of the question, once the condition holds for it."""
        if not condition(self.told["asked"]):
            self.told = self.teacher.until(
                "lesson", lambda told: told["asked"] and condition(told["asked"]))
        return self.told

    def watcher(self, ticket="a"):
        """A page that follows, with its position."""
        page = self.servers[1].page()
        page.say("follow", ticket=ticket)
        page.until("game")
        page.until("lesson", lambda each: each["id"])
        return page


@pytest.fixture
def lesson(own_server):
    """The lesson is at the third move."""
    found = Class(own_server)
    found.lead(3)
    return found


def guess(page, number, point):
    page.say("guess", number=number, point=point)
    told = page.until("guessed")
    assert (told["number"], told["point"]) == (number, point)


def test_watchers_see_what_the_page_that_leads_shows(lesson):
    """The position, and what led to it; not what follows."""
    watcher = lesson.watcher()
    assert (watcher.node, watcher.path(), [*watcher.nodes]) == (3, [0, 1, 2, 3], [0, 1, 2, 3])
    assert not watcher.nodes[3].get("children") and watcher.state["watching"]
    lesson.go(4)
    assert watcher.until("game", lambda state: state["cursor"] == 4)["cells"][MOVES[3]] == "2"
    lesson.teacher.say("mark", id=lesson.id, kind="circle", point=0)
    watcher.until("tree", lambda tree: any(row.get("marks") for row in tree["nodes"]))
    lesson.go(1)
    assert watcher.until("game", lambda state: state["cursor"] == 1)["cells"].count("0") == 80
    assert [*watcher.nodes] == [0, 1]
    watcher.say("goto", node=0)
    watcher.until("game", lambda state: state["cursor"] == 0)
    lesson.go(2)
    watcher.until("tree", lambda tree: 2 in watcher.nodes)
    assert watcher.node == 0, "whoever looks back stays there"


def test_a_question(lesson):
    """From the question to the answer: who guessed what is known to nobody, how many did to all."""
    first, second, late = (lesson.watcher(ticket) for ticket in "abc")
    first.say("goto", node=1)
    first.until("game", lambda state: state["cursor"] == 1)
    number = lesson.ask(first, second, late)
    assert first.node == 3, "all look at the position that is asked about"
    guess(first, number, MOVES[3])
    guess(second, number, 0)
    guess(second, number, 1)
    told = lesson.count(2)
    assert told["watchers"] == 3 and told["asked"]["guesses"] == [], "not before the answer"
    lesson.go(4)
    lesson.go(0)
    told = lesson.do("show")["asked"]
    assert (told["answer"], lesson.teacher.node) == (MOVES[3], 3)
    guesses = lesson.hear(
        lambda asked: sorted(asked["guesses"]) == [[1, 1], [MOVES[3], 1]])["asked"]
    for watcher in (first, second, late):
        shown = watcher.until("lesson")["asked"]
        assert shown == {**guesses, "guesses": shown["guesses"]} and watcher.node == 3
        assert 4 not in watcher.nodes
    lesson.go(4)
    assert first.until("game", lambda state: state["cursor"] == 4)
    assert late.refusal("guess", number=number, point=0) == "this question is closed"


@pytest.mark.thorough
def test_the_lesson_stays_while_a_move_is_asked_for(lesson):
    """Wherever the page that leads goes, and whatever is played there; the move that was played at
    the position is the answer."""
    lesson.go(4)
    watcher = lesson.watcher()
    number = lesson.ask(watcher)
    guess(watcher, number, 10)
    assert lesson.teacher.refusal("lesson", what="show") == (
        "play the move at that position first, then show it")
    lesson.teacher.play(10)
    lesson.go(2)
    lesson.teacher.play(11)
    told = lesson.do("show")["asked"]
    assert (told["node"], told["answer"]) == (4, 10)
    shown = watcher.until("lesson")["asked"]
    assert (shown["answer"], shown["guesses"]) == (10, [[10, 1]])
    assert watcher.node == 4 and [*watcher.nodes] == [0, 1, 2, 3, 4]


@pytest.mark.thorough
def test_a_question_is_withdrawn(lesson):
    watcher = lesson.watcher()
    number = lesson.ask(watcher)
    guess(watcher, number, 0)
    lesson.count(1)
    assert lesson.do("withdraw")["asked"] is None
    assert watcher.until("lesson")["asked"] is None
    assert lesson.ask(watcher) == number + 1
    assert lesson.do("show")["asked"]["count"] == 0


@pytest.mark.thorough
def test_whoever_comes_again_guesses_once(lesson):
    """Its ticket stands for it; guesses of pages that have left count."""
    watcher = lesson.watcher("t")
    number = lesson.ask(watcher)
    guess(watcher, number, 0)
    watcher.close()
    other, again = lesson.watcher("u"), lesson.watcher("t")
    guess(again, number, 1)
    guess(other, number, 1)
    lesson.count(2)
    assert lesson.do("show")
    assert other.until("lesson")["asked"]["guesses"] == [[1, 2]]
    assert again.refusal("follow", ticket="v") == "the ticket of a page cannot change"


@pytest.mark.thorough
def test_another_game(lesson):
    """Watchers follow into another game; one that is only watched cannot be led through."""
    watcher = lesson.watcher()
    lesson.teacher.new("Qubic", 8)
    assert watcher.until("layout")["cube"]
    assert watcher.until("game")["cursor"] == 0 and [*watcher.nodes] == [0]
    lesson.teacher.play(21)
    watcher.until("game", lambda state: state["cells"][21] == "1")


def test_who_leads(lesson):
    """The page that has said so last, or asked last; when it has gone the lesson stays."""
    watcher, other = lesson.watcher(), lesson.servers[0].page()
    told = other.until("lesson", lambda each: each["watchers"] == 1)
    assert told["led"] and not told["leads"]
    other.say("open", id=lesson.id, node=1)
    other.until("game")
    other.say("lesson", what="ask")
    assert other.until("lesson", lambda each: each["asked"])["leads"]
    lesson.teacher.until("lesson", lambda each: each["asked"] and not each["leads"])
    assert watcher.until("game", lambda state: state["cursor"] == 1)
    other.close()
    lesson.teacher.until("lesson", lambda each: not each["led"])
    assert lesson.do("withdraw")["led"] is False
    assert lesson.do("lead")["leads"]
    watcher.until("game", lambda state: state["cursor"] == 3)


def test_the_end_of_a_lesson(lesson, tmp_path):
    """By the teacher, by the end of the server; the files are gone then."""
    watcher, passer = lesson.watcher(), lesson.servers[1].page()
    assert passer.until("lesson")["id"]
    assert lesson.do("end")["id"] is None
    for page in (watcher, passer):
        assert page.until("lesson", lambda each: each["id"] is None)["asked"] is None
    watcher.say("goto", node=1)
    assert watcher.until("game")["cursor"] == 1
    assert passer.refusal("follow", ticket="p") == "there is no lesson now"
    lesson.do("lead")
    passer.until("lesson", lambda each: each["id"])
    lesson.servers[0].end()
    passer.until("lesson", lambda each: each["id"] is None)
    assert not (tmp_path / "data" / LESSON).exists()
    assert not (tmp_path / "data" / GUESSES).exists()
    lesson.servers[1].end()


@pytest.mark.thorough
def test_what_is_left_of_a_server_that_was_killed(own_server, tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / LESSON).write_text(json.dumps({"lesson": "x", "game": "y", "node": 0, "asked": None}))
    page = own_server().page()
    assert page.refusal("lesson", what="lead") == "open a game of your own first"
    assert not page.hello["lesson"] and not (folder / LESSON).exists()
    page.new()
    (folder / GUESSES).write_text(json.dumps(
        {"lesson": "x", "number": 1, "watchers": 9, "guesses": [[0, 9]]}))
    page.say("lesson", what="ask")
    told = page.until("lesson", lambda each: each["id"])
    assert told["watchers"] is None and told["asked"]["count"] == 0


def test_a_damaged_file(own_server, tmp_path):
    """It is said once on standard error, and the lesson goes on when it is whole again."""
    server = own_server()
    page = server.page()
    page.new()
    page.say("lesson", what="lead")
    page.until("lesson", lambda each: each["id"])
    (tmp_path / "data" / GUESSES).write_text("{}")
    page.say("goto", node=0)
    page.until("game")
    watching = own_server("--watch-only")
    watcher = watching.page()
    watcher.until("lesson", lambda each: each["id"])
    page.until("lesson", lambda each: each["watchers"] == 0)
    status, errors = server.stop()
    assert status == 0 and errors.count("Traceback") <= 1
    watching.end()


ASKING = [  # what a teacher's page says, where, and why it cannot be done
    ("ask", None, "open a game of your own first"),
    ("show", 3, "no question is open"),
    ("withdraw", 3, "no question is open"),
]


@pytest.mark.parametrize("what, node, reason", ASKING, ids=lambda value: str(value))
@pytest.mark.few(1)
def test_what_a_teacher_cannot_do(lesson, what, node, reason):
    page = lesson.teacher if node is not None else lesson.servers[0].page()
    assert page.refusal("lesson", what=what) == reason
    assert lesson.watcher().node == 3


def test_what_cannot_be_asked(lesson):
    """A second question beside an open one, the end of a game, a position that is gone."""
    lesson.ask()
    assert lesson.teacher.refusal("lesson", what="ask") == (
        "show the move of the open question first")
    lesson.teacher.say("remove", node=3)
    lesson.teacher.until("removed")
    assert lesson.teacher.refusal("lesson", what="show") == "this position no longer exists"
    lesson.do("withdraw")
    lesson.teacher.new("Tic-tac-toe", 3)
    for point in (0, 3, 1, 4, 2):
        lesson.teacher.play(point)
    assert lesson.teacher.refusal("lesson", what="ask") == "the game is over"


GUESSING = [  # what a watcher says that is wrong, and what it hears
    ({"point": MOVES[0]}, "occupied"),
    ({"point": 81}, "there are 81 points"),
    ({"point": 10**6}, "point must be a whole number of 0 to 624, not 1000000"),
    ({"point": -1}, "point must be a whole number of 0 to 624, not -1"),
    ({"point": "H8"}, "point must be a whole number of 0 to 624, not 'H8'"),
    ({"point": None}, "point must be a whole number of 0 to 624, not None"),
    ({"point": True}, "point must be a whole number of 0 to 624, not True"),
    ({"number": 99}, "this question is closed"),
    ({"number": 0}, "this question is closed"),
    ({"number": -1}, "number must be a whole number of 0 to 1000000000, not -1"),
    ({"number": [1]}, "number must be a whole number of 0 to 1000000000, not [1]"),
    ({"ticket": "other"}, "ticket: there is no such field (the fields are: number point)"),
]


@pytest.mark.thorough
def test_wrong_guesses(lesson):
    """Each is refused in a sentence, and nothing is counted."""
    watcher, passer = lesson.watcher(), lesson.servers[1].page()
    number = lesson.ask(watcher)
    for fields, reason in GUESSING:
        assert watcher.refusal("guess", **{"number": number, "point": 0, **fields}) == reason
    assert passer.refusal("guess", number=number, point=0) == (
        "only pages that follow the lesson can guess")
    assert watcher.refusal("lesson", what="show") == "this page is read-only"
    for ticket in ("", "x" * 17, "a\nb", 7, None):
        assert "ticket must be a name of one line" in passer.refusal("follow", ticket=ticket)
    teacher = lesson.servers[0].page()
    for what, fields in (("follow", {"ticket": "t"}), ("guess", {"number": number, "point": 0})):
        assert teacher.refusal(what, **fields) == (
            "lessons can only be followed on a server with --watch-only")
    assert teacher.refusal("lesson", what="stop").startswith("what must be one of: lead ask show")
    guess(watcher, number, 2)
    assert lesson.count(1)["asked"]["number"] == number
    lesson.do("show")
    assert watcher.until("lesson")["asked"]["guesses"] == [[2, 1]]


def test_forbidden_points_are_no_guesses(own_server):
    """What the rules refuse to the side that is to move."""
    servers = own_server(), own_server("--watch-only")
    teacher = servers[0].page()
    teacher.new("Pente", 15)
    assert teacher.play(112)
    teacher.say("goto", node=0)
    teacher.until("game", lambda state: state["cursor"] == 0)
    teacher.say("lesson", what="ask")
    watcher = servers[1].page()
    watcher.until("lesson", lambda each: each["id"])
    watcher.say("follow", ticket="t")
    number = watcher.until("lesson")["asked"]["number"]
    assert watcher.refusal("guess", number=number, point=0) == "not in the center"
    guess(watcher, number, 112)


@pytest.mark.thorough
def test_a_crowd_guesses(tmp_path):
    """250 watchers at once: all guesses are counted, none is told to another watcher, and the
    teacher hears a few times how many there are."""
    async def hold():
        crowd = audience.Lesson(tmp_path / "data")
        try:
            await crowd.begin(250)
            await crowd.ask()
            quiet = [page.bytes for page in crowd.spectators]
            _, points = await crowd.guess(0.5, [126, 96, 127, 0])
            await crowd.counted(250)
            spent = {page.bytes - before for page, before in zip(crowd.spectators, quiet)}
            assert max(spent) < 100, "its own guess, confirmed"
            await crowd.show()
            await crowd.teacher.until(
                "lesson", lambda each: dict(each["asked"]["guesses"]) == Counter(points))
            told = crowd.teacher.last("lesson")["asked"]
            for page in crowd.spectators:
                assert page.last("lesson")["asked"] == told
            assert told["count"] == 250 and told["answer"] == audience.GAME[-1]
        finally:
            await crowd.end()

    asyncio.run(hold())
    until(lambda: not (tmp_path / "data" / GUESSES).exists())
