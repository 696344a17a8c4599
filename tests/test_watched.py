"""A game that is watched, without a server."""

import asyncio
import json

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.games.tree import ROOT, GameTree, Step
from gtp_engine.web.fields import Refusal
from gtp_engine.web.games import Game
from gtp_engine.web.lesson.watched import WatchedGame
from gtp_engine.web.server.server import allow_connections
from tests.web import NO_CLOCK, PERSON


class Page:
    """Keeps what it is sent, as texts and as messages."""

    def __init__(self):
        self.texts, self.messages = [], []

    def send(self, text):
        self.texts.append(text)
        self.messages.append(json.loads(text))

    def say(self, **message):
        self.send(json.dumps(message))

    def last(self):
        """The last messages, by what they are."""
        found = {message["do"]: message for message in self.messages}
        self.messages = []
        return found


class Source:
    """A game that changes, and how often it was loaded."""

    def __init__(self):
        self.game = Game(GameTree(catalogue.GOMOKU, 9), {BLACK: PERSON, WHITE: {
            "player": "program", "command": "gtp:program --secret"}}, dict(NO_CLOCK))
        self.loaded, self.is_new = 0, True

    def play(self, place):
        points = self.game.position.lattice.points
        data = self.game.data()
        self.game = Game.of_data(data)
        self.game.live = self.game.tree.add(self.game.live, Step(
            move=(self.game.position.side, points[place])))
        self.is_new = True

    def load(self):
        if not self.is_new:
            return None
        self.loaded, self.is_new = self.loaded + 1, False
        return self.game


def test_watchers_share_a_game():
    """It is loaded once for all; each is sent what it has not seen, and stays where it looks."""
    source = Source()
    source.play(40)
    watched, pages = WatchedGame(source.load), [Page() for _ in range(3)]
    for page in pages:
        watched.enter(page)
        assert page.last()["tree"]["whole"]
    watched.goto(pages[0], ROOT)
    assert pages[0].last().keys() == {"game"}
    source.play(41)
    asyncio.run(watched.refresh())
    asyncio.run(watched.refresh())
    assert source.loaded == 2
    assert pages[1].texts[-1] is pages[2].texts[-1], "one text for all"
    told = [page.last() for page in pages]
    assert [each["game"]["cursor"] for each in told] == [ROOT, 2, 2]
    for each in told:
        assert not each["tree"]["whole"]
        assert [row["number"] for row in each["tree"]["nodes"]] == [1, 2]
    with pytest.raises(Refusal, match="this position does not exist"):
        watched.goto(pages[0], 7)


def test_watchers_see_no_command():
    source = Source()
    page, watched = Page(), WatchedGame(source.load)
    watched.enter(page, 99)
    assert "secret" not in "".join(page.texts)
    seats = page.last()["game"]["seats"]
    assert seats["black"] == {"player": "person", "name": "person"}


def test_connections():
    """A server that is watched may have more of them than programs usually may."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        allow_connections(100)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 256
        allow_connections(512)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 512
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
