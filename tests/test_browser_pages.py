"""The pages beside the board in a real browser: lists, tournaments, and servers that end."""

import json
from pathlib import Path

import psutil
import pytest

from tests.browser import GAME, Tab
from tests.programs import until
from tests.web import Server, tournament


@pytest.mark.thorough
def test_removing_games(tab):
    """The list stays, and the game that was open is gone."""
    tab.new(white=GAME["black"])
    tab.play(112)
    tab.click("#show-games")
    tab.wait("document.querySelectorAll('#games tbody tr').length > 0")
    count = tab.ask("document.querySelectorAll('#games tbody tr').length")
    tab.click("#games tbody tr button")
    tab.click("#dialog-ok")
    tab.wait("document.querySelectorAll('#games tbody tr').length === arguments[0]", count - 1)
    assert tab.ask("document.getElementById('list-page').checkVisibility()")


@pytest.mark.thorough
def test_two_tabs(tab, browser):
    """Both show the game; a move in one is seen in the other."""
    tab.new(white=GAME["black"])
    first = browser.current_window_handle
    address = tab.ask("location.href")
    browser.switch_to.new_window("tab")
    browser.get(address)
    tab.wait_for_game()
    tab.play(112)
    browser.switch_to.window(first)
    until(lambda: tab.stones("black") == {112})
    tab.play(113)
    browser.switch_to.window(browser.window_handles[-1])
    until(lambda: tab.stones("white") == {113})


@pytest.mark.thorough
def test_a_killed_engine(tab, server):
    """The page says so; the game goes on when it is told to."""
    tab.new(white={"player": "alphabeta", "settings": {"time": "600"}})
    tab.click(".flat [data-place='112']")
    tab.wait("document.getElementById('depth').textContent.startsWith('depth')")
    for engine in psutil.Process(server.process.pid).children():
        engine.kill()
    tab.wait("document.getElementById('banner').textContent.includes('the engine has stopped')")
    tab.click("#continue")
    tab.wait("document.getElementById('depth').textContent.startsWith('depth')")
    tab.click("#move-now")
    until(lambda: len(tab.stones("white")) == 1)


@pytest.mark.thorough
def test_a_server_that_comes_back(browser, tmp_path):
    """The page says that it is gone, and goes on when it is there again."""
    from selenium.webdriver.support.expected_conditions import staleness_of
    server = Server(tmp_path)
    tab = Tab(browser, server.address)
    tab.new(white=GAME["black"])
    tab.play(112)
    server.stop()
    tab.wait("document.getElementById('banner').textContent.startsWith('Connection lost.')")
    port = server.host.split(":")[1]
    server.words = ("--port", port)
    board = tab.browser.find_element("css selector", ".flat")
    server.start()
    tab.wait("document.getElementById('banner').hidden")
    until(lambda: staleness_of(board)(browser))
    until(lambda: tab.stones("black") == {112})
    tab.play(113)
    server.end()
    browser.get("about:blank")
    browser.get_log("browser")


@pytest.mark.thorough
def test_a_tournament_that_runs(browser, tmp_path):
    """Its games come while it is watched; a running game is seen move by move, another replayed."""
    path = tmp_path / "games.jsonl"
    with tournament(path, "a=random", "b=alphabeta,time=0.1", "c=alphabeta,nodes=50", "--size", "9",
                    "--concurrency", "1"):
        server = Server(tmp_path / "data", str(path))
        tab = Tab(browser, server.address)
        tab.width("desktop")
        tab.click("#show-tournament")
        tab.wait("document.querySelectorAll('#played tbody tr').length > 3")
        count = tab.ask("document.querySelectorAll('#played tbody tr').length")
        tab.wait("document.querySelectorAll('#played tbody tr').length > arguments[0]", count)
        assert tab.ask("document.querySelectorAll('#standings tbody tr').length") == 3
        tab.wait("document.querySelectorAll('#ratings .curve').length === 3")
        tab.wait("(live => live && (live.click(), true))(document.querySelector('#running .live'))")
        tab.wait("location.hash.includes('play=')")
        tab.wait("document.querySelectorAll('.move').length > 0")
        assert not tab.ask("document.getElementById('undo').checkVisibility()")
        assert "you" not in tab.ask("document.querySelector('.players').textContent")
    tab.ask("location.hash = 'watch=0'")
    tab.wait("document.querySelector('#played a')?.checkVisibility()")
    tab.ask("[...document.querySelectorAll('#played tbody tr')].find("
            "row => row.textContent.includes('a row')).querySelector('a').click()")
    tab.wait("document.getElementById('status').textContent.includes('wins')")
    tab.wait("document.querySelectorAll('.flat .won').length >= 5")
    tab.click("#first")
    until(lambda: tab.stones() == set())
    tab.click("#take")
    tab.wait("location.hash.startsWith('#game=')")
    tab.click(".flat [data-place='0']")
    until(lambda: tab.stones() == {0})
    tab.press("a")
    tab.wait("document.querySelectorAll('#best li').length === 5")
    assert tab.console() == []
    server.end()
    browser.get("about:blank")
    browser.get_log("browser")


@pytest.mark.thorough
def test_reloading_in_the_middle(tab):
    tab.new()
    tab.play(112)
    before = tab.stones()
    assert len(before) == 2
    tab.browser.refresh()
    tab.wait_for_game()
    until(lambda: tab.stones() == before)
    tab.play(0)
    assert len(tab.stones()) == 4


def test_the_way_back(tab):
    """Back of the browser leads to what was seen before."""
    tab.new(white=GAME["black"])
    tab.play(112)
    first = tab.ask("location.hash")
    tab.new(game="Pente", size=9, white=GAME["black"])
    second = tab.ask("location.hash")
    tab.click("#show-games")
    tab.wait("!document.getElementById('list-page').hidden")
    tab.click("#show-rules")
    tab.wait("document.getElementById('rules-page').textContent.includes('Rules of Pente')")
    tab.browser.back()
    tab.wait("!document.getElementById('list-page').hidden")
    tab.browser.back()
    tab.wait("!document.getElementById('game-page').hidden && location.hash === arguments[0]",
             second)
    tab.browser.back()
    tab.wait("location.hash === arguments[0]", first)
    until(lambda: tab.stones() == {112})
    tab.browser.forward()
    tab.wait("location.hash === arguments[0]", second)
    until(lambda: tab.stones() == set())


@pytest.mark.thorough
def test_games_are_searched(tab):
    """By game, players and result; each has a small picture."""
    tab.new(game="Caro", size=9, white=GAME["black"])
    tab.play(0)
    tab.new(game="Ninuki", size=7, white=GAME["black"])
    tab.click("#show-games")
    tab.wait("document.querySelectorAll('#games tbody tr').length >= 2")
    tab.browser.find_element("id", "search").send_keys("caro")
    tab.wait("[...document.querySelectorAll('#games tbody tr')].every("
             "e => e.textContent.includes('Caro'))")
    assert "Caro, 9 × 9" in tab.ask("document.querySelector('#games tbody').textContent")
    tab.wait("document.querySelector('#games img').naturalWidth > 0")
    tab.browser.find_element("id", "search").clear()
    tab.browser.find_element("id", "search").send_keys("x\b")
    tab.click("#games tbody a")
    tab.wait("!document.getElementById('game-page').hidden")


@pytest.mark.thorough
def test_a_tournament_without_a_finished_game(browser, tmp_path):
    """The game that is played is seen; its link stays the same while moves are made."""
    path = tmp_path / "games.jsonl"
    with tournament(path, "a=alphabeta,time=2", "b=alphabeta,time=2", "--size", "25",
                    "--concurrency", "1"):
        server = Server(tmp_path / "data", str(path))
        tab = Tab(browser, server.address)
        tab.click("#show-tournament")
        tab.wait("(window.link = document.querySelector('#running .live'))")
        assert tab.ask("document.querySelectorAll('#played tbody tr').length") == 0
        tab.ask("(window.link.focus(), window.words = window.link.textContent)")
        tab.wait("window.link.textContent !== window.words")
        assert tab.ask("document.activeElement === window.link")
        assert tab.console() == []
    server.end()
    browser.get("about:blank")


@pytest.mark.thorough
def test_a_page_too_many(browser, tmp_path):
    """It says why it is blank."""
    server = Server(tmp_path)
    pages = [server.page() for _ in range(64)]
    browser.get(server.address)
    until(lambda: "pages" in browser.execute_script(
        "return document.getElementById('banner-text').textContent"))
    pages.pop().close()
    until(lambda: browser.execute_script(
        "return document.getElementById('status').textContent.trim()"))
    assert browser.execute_script("return document.getElementById('banner').hidden")
    for page in pages:
        page.close()
    server.end()
    browser.get("about:blank")


def test_whoever_only_watches(browser, tmp_path):
    """Sees the game, and nothing that could change it."""
    server = Server(tmp_path)
    tab = Tab(browser, server.address)
    tab.new(white=GAME["black"])
    tab.play(112)
    others = Server(tmp_path, "--watch-only")
    watching = Tab(browser, others.address)
    until(lambda: watching.stones() == {112})
    for id in ("new-game", "undo", "take", "comment", "analyse", "remove", "load", "paste"):
        assert not watching.ask("document.getElementById(arguments[0]).checkVisibility()", id), id
    watching.click("#first")
    until(lambda: watching.stones() == set())
    assert "you" not in watching.ask("document.querySelector('.players').textContent")
    assert watching.console() == []
    others.end()
    server.end()
    browser.get("about:blank")
    browser.get_log("browser")


@pytest.mark.thorough
def test_a_player_of_ones_own_is_the_first_opponent(browser, own_server):
    player = f"{Path(__file__).parents[1] / 'examples' / 'my_engine.py'}:my_engine"
    tab = Tab(browser, own_server("--player", player).address)
    tab.ask("localStorage.clear()")
    browser.refresh()
    tab.click("#new-game")
    assert tab.ask("[...document.getElementById('opponent').selectedOptions].map(e => e.text)") == [
        "my_engine"]
    tab.click("#dialog-ok")
    tab.wait("location.hash !== ''")
    tab.wait("document.getElementById('status').textContent === 'Black to move: your turn'")
    tab.play(0)
    until(lambda: tab.stones() == {0, 112})


def test_an_even_opening_instead_of_a_proved_loss(tab):
    """The form offers it to White against full strength; the game keeps the plies to itself."""
    keys = pytest.importorskip("selenium.webdriver").Keys
    offer = "document.querySelector('.even p').textContent"
    question = "On 15 × 15 Black has a proved win. Play an even opening?"
    pressed = "document.querySelector('.even [aria-pressed=true]')?.textContent ?? ''"
    rule = "document.getElementById('opening-rule').value"

    def opponent(name):
        tab.ask("(each => (each.value = arguments[0],"
                " each.dispatchEvent(new Event('change', {bubbles: true}))))"
                "(document.getElementById('opponent'))", name)

    tab.ask("localStorage.setItem('gtp_engine.newGame', arguments[0])", json.dumps(GAME))
    tab.click("#new-game")
    assert tab.ask(offer) == ""
    opponent("strong")
    tab.click("#colour-white")
    assert tab.ask(offer) == question and tab.ask(pressed) == ""
    tab.ask("document.querySelector('.even button').focus()")
    tab.press(keys.ENTER)
    assert tab.ask(pressed) == "Swap2" and tab.ask(rule) == "swap2"
    assert "choose a colour" in tab.ask("document.querySelector('.even small').textContent")
    for change in (lambda: opponent("level-3"), lambda: tab.click("#colour-black")):
        change()
        assert tab.ask(offer) == "" and tab.ask(rule) == "free"
        opponent("strong")
        tab.click("#colour-white")
        assert tab.ask(offer) == question and tab.ask(pressed) == ""
        tab.press(keys.TAB, keys.TAB, keys.SPACE)
        assert tab.ask(pressed) == "Three balanced stones" and tab.ask(rule) == "swap"
    tab.width("phone")
    tab.check_accessibility()
    tab.click(".even button:last-child")
    assert tab.ask(pressed) == "Play White anyway" and tab.ask(rule) == "free"
    tab.click("#dialog-ok")
    until(lambda: tab.stones("black") == {112})
    tab.width("desktop")
    tab.click("#tab-analysis")
    tab.wait("document.getElementById('proved').textContent.startsWith('White loses after every')")
    numbers = "document.getElementById('proved').textContent.match(/in at most \\d+|loses in \\d+/)"
    assert not tab.ask(numbers)
    assert not tab.ask("document.querySelector('.flat .hot')")
    tab.press("a")
    tab.wait("document.querySelector('#best li')")
    tab.wait("document.querySelector('.flat .hot')")
    assert not tab.ask("/(wins|loses) in|[−+]\\d/.test("
                       "document.querySelector('main').textContent)")
    tab.press("a")
    tab.wait("!document.querySelector('#best li')")
    tab.click("#proved > .buttons:last-child button")
    tab.wait(numbers)
    tab.wait("document.querySelector(\"[data-point='97'] .label\").textContent === '−41'")
