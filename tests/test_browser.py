"""The board in a real browser: what people do there, with pictures of it.

With GTP_ENGINE_PICTURES the pictures are kept in that folder: those of docs/web.html.
"""

import json
import os
from base64 import b64decode
from pathlib import Path

import psutil
import pytest

from tests.programs import until
from tests.web import Server, tournament

WIDTHS = {"desktop": (1280, 860), "phone": (375, 812)}
GAME = {"game": "Gomoku", "size": 15,
        "black": {"player": "person", "settings": {}},
        "white": {"player": "alphabeta", "settings": {"nodes": "300"}},
        "control": {"per_move": None, "per_game": None, "increment": 0}}


@pytest.fixture
def no_child_outlives_its_test():
    """The browser and the server do, until the end of the module."""


@pytest.fixture(scope="module")
def server(tmp_path_factory, browser):
    found = Server(tmp_path_factory.mktemp("data"))
    yield found
    assert found.stop() == (0, "")


class Tab:
    """The board in a tab of the browser."""

    def __init__(self, browser, address):
        self.browser = browser
        self.address = address
        self.show()

    def show(self, fragment=""):
        self.browser.get("about:blank")
        self.browser.get(f"{self.address}{fragment}")
        self.wait_for_game()

    def wait_for_game(self):
        """Wait until one is shown, after the page was loaded."""
        self.wait("document.getElementById('status').textContent.trim()")

    def ask(self, script, *arguments):
        return self.browser.execute_script(f"return {script}", *arguments)

    def wait(self, script, *arguments):
        """Wait until it holds."""
        until(lambda: self.ask(script, *arguments))

    def text(self, id):
        return self.ask("document.getElementById(arguments[0]).textContent", id)

    def click(self, selector):
        """Click as a person does, once it is shown: what is covered cannot be clicked."""
        found = self.browser.find_element("css selector", selector)
        self.wait("arguments[0].checkVisibility()", found)
        self.ask("arguments[0].scrollIntoView({block: 'nearest'})", found)
        found.click()

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.browser).send_keys(*keys).perform()

    def new(self, **fields):
        """Begin a game through the form, whose fields are filled in from what was played last."""
        self.ask("localStorage.setItem('gtp_engine.newGame', arguments[0])",
                 json.dumps({**GAME, **fields}))
        before = self.ask("location.hash")
        self.click("#new-game")
        self.click("#dialog-ok")
        self.wait("location.hash !== arguments[0]", before)

    def stones(self, colour=""):
        """The points with stones, of that colour."""
        kinds = [colour] if colour else ["black", "white"]
        return {int(place) for kind in kinds for place in self.ask(
            "[...document.querySelectorAll('.flat .point.' + arguments[0] + ':not(.ghost)')]"
            ".map(e => e.dataset.place)", kind)}

    def play(self, place):
        """Put a stone there, and wait for the answer if there is one."""
        count = len(self.stones())
        self.click(f".flat [data-place='{place}']")
        until(lambda: len(self.stones()) > count)
        self.wait("!document.getElementById('status').textContent.includes('thinking')")
        # The board is drawn a frame after the status.
        self.browser.execute_async_script("requestAnimationFrame(arguments[0])")

    def over(self):
        return "wins" in self.text("status") or "draw" in self.text("status")

    def picture(self, name):
        """Keep a picture of what is shown, if that is wanted."""
        folder = os.environ.get("GTP_ENGINE_PICTURES")
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.browser.save_screenshot(str(Path(folder) / f"{name}.png"))

    def width(self, kind):
        width, height = WIDTHS[kind]
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": kind == "phone"})

    def scheme(self, name):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": name}]})


@pytest.fixture
def tab(browser, server):
    """The board; nothing may be said on the console."""
    found = Tab(browser, server.address)
    found.width("desktop")
    yield found
    while len(browser.window_handles) > 1:
        browser.switch_to.window(browser.window_handles[-1])
        browser.close()
        browser.switch_to.window(browser.window_handles[0])
    if browser.find_elements("css selector", "dialog[open]"):
        found.click("#dialog-cancel")
    assert [line for line in browser.get_log("browser") if "ERR_CONNECTION_REFUSED" not in
            line["message"]] == []


@pytest.fixture
def keys():
    return pytest.importorskip("selenium.webdriver").Keys


def test_winning(tab):
    """Five in a row against a player that does not look."""
    tab.new(size=9, white={"player": "random", "settings": {}})
    rows = [[9 * y + x + i for i in range(5)] for y in range(9) for x in range(5)]
    while not tab.over():
        held, own = tab.stones("white"), tab.stones("black")
        row = max((row for row in rows if not held & {*row}), key=lambda row: len(own & {*row}))
        tab.play(next(place for place in row if place not in own))
    assert tab.text("status") == "Black wins: 5 in a row"
    assert tab.ask("document.querySelectorAll('.flat .won').length") == 5
    assert tab.ask("document.getElementById('resign').disabled")


def test_losing(tab):
    tab.new(size=9)
    for place in (0, 8, 72, 80, 4, 36, 44, 76, 2, 6, 74, 78):
        if tab.over():
            break
        if place not in tab.stones():
            tab.play(place)
    assert tab.text("status") == "White wins: 5 in a row"
    tab.click("#undo")
    tab.wait("document.getElementById('status').textContent.includes('your turn')")


def test_a_refused_move_says_why(tab):
    """At the point itself, and to those who listen."""
    tab.new(game="Pente", size=9, white=GAME["black"])
    tab.click(".flat [data-place='0']")
    tab.wait("!document.getElementById('refusal').hidden")
    assert tab.text("refusal") == "A1: not in the center"
    assert tab.text("announce") == "not in the center"
    box, point = (tab.ask(f"document.querySelector(\"{place}\").getBoundingClientRect().toJSON()")
                  for place in ("#refusal", ".flat [data-place='0']"))
    assert box["bottom"] <= point["top"] + 1 and box["top"] > point["top"] - 100
    assert box["left"] < point["right"] and box["right"] > point["left"]


def test_captures(tab):
    tab.new(game="Pente-free", size=9, white=GAME["black"])
    for place in (40, 41, 0, 42, 43):
        tab.click(f".flat [data-place='{place}']")
        tab.wait("document.querySelector(`.flat [data-place='${arguments[0]}'].last`)", place)
    assert tab.stones("white") == set()
    assert tab.ask("document.querySelectorAll('.flat .taken').length") == 2
    assert "2 of 10 captured" in tab.ask("document.querySelector('.players').textContent")


def test_by_keyboard_alone(tab, keys):
    """From the form to the last stone without a mouse."""
    tab.press("n")
    tab.wait("document.getElementById('dialog').open")
    from selenium.webdriver.support.select import Select
    for place, value in (("game", "Tic-tac-toe"), ("white-player", "person")):
        Select(tab.browser.find_element("id", place)).select_by_value(value)
    before = tab.ask("location.hash")
    tab.browser.find_element("id", "dialog-ok").send_keys(keys.ENTER)
    tab.wait("location.hash !== arguments[0]", before)
    tab.wait("document.querySelectorAll('[data-place]').length === 9")
    tab.press("b")
    assert tab.ask("document.activeElement.getAttribute('aria-label')") == "B2, empty"
    for moves, expected in ((["a", "1"], "A1"), ([keys.UP], "A2"), (["b", "1"], "B1"),
                            ([keys.UP], "B2"), (["c", "1"], "C1")):
        tab.press(*moves)
        assert tab.ask("document.activeElement.getAttribute('aria-label')").startswith(expected)
        tab.press(keys.ENTER)
        tab.wait("document.activeElement.getAttribute('aria-label').includes('last move')")
    assert tab.text("status") == "Black wins: 3 in a row"
    tab.ask("document.activeElement.blur()")
    tab.press(keys.LEFT)
    tab.wait("document.getElementById('status').textContent.startsWith('Black to move')")


def test_everything_has_a_name(tab):
    """For those who cannot see it: every point and every control; what is not shown is not
    reached."""
    tab.new()
    assert tab.ask("[...document.querySelectorAll('[data-place]')].every("
                   "e => e.getAttribute('aria-label') && e.getAttribute('role') === 'button')")
    assert tab.ask("[...document.querySelectorAll('[data-place][tabindex=\"0\"]')].length") == 1
    for button in ("#new-game", "#players", "#show-view", "#show-help"):
        tab.click(button)
        nameless = tab.ask(
            "[...document.querySelectorAll('button, input, select, textarea')].filter(e =>"
            " e.checkVisibility() && !e.textContent.trim() && !e.labels?.length"
            " && !e.getAttribute('aria-label')).map(e => e.outerHTML)")
        assert nameless == []
        tab.press("\ue00c")
        tab.wait("!document.getElementById('dialog').open")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("game, size", [("Gomoku", 15), ("Pente", 19), ("Qubic", 8)])
def test_nothing_is_cut_off(tab, width, game, size):
    tab.width(width)
    tab.new(game=game, size=size)
    for panel in ("moves", "analysis", "file"):
        tab.click(f"#tab-{panel}")
        assert tab.ask("document.documentElement.scrollWidth <= innerWidth")
    if width == "phone" and game != "Qubic":
        box = tab.ask("document.querySelector('.level svg').getBoundingClientRect().toJSON()")
        assert box["width"] > 0.95 * WIDTHS[width][0]
    tab.click("#show-games")
    tab.wait("!document.getElementById('list-page').hidden")
    assert tab.ask("document.documentElement.scrollWidth <= innerWidth")


def test_nothing_moves_by_itself(tab):
    """What stands around the board keeps its place while a game is played and analysed."""
    tab.new(white=GAME["black"])
    places = "['#status', '#tab-moves', '#graph', '.flat svg'].map(e => JSON.stringify(" \
             "document.querySelector(e).getBoundingClientRect()))"
    before = tab.ask(places)
    tab.play(112)
    tab.play(113)
    tab.press("a")
    tab.wait("document.querySelectorAll('#best li').length === 5")
    tab.press("a")
    tab.wait("document.querySelectorAll('#best li').length === 0")
    assert tab.ask(places) == before


def test_the_cube(tab, keys):
    """It is turned by keys, by its buttons and by dragging; a winning row lights up in it."""
    from selenium.webdriver.common.action_chains import ActionChains
    tab.new(game="Qubic", size=8, white=GAME["black"])

    def turned():
        return tab.ask("[...'yp'].map(e => Number(document.querySelector('.cube svg').dataset["
                       "e === 'y' ? 'yaw' : 'pitch']))")

    seen = [turned()]
    tab.press("b")

    def shifted(key):
        ActionChains(tab.browser).key_down(keys.SHIFT).send_keys(key).key_up(keys.SHIFT).perform()

    for action in (lambda: shifted(keys.RIGHT), lambda: shifted(keys.UP),
                   lambda: tab.click(".cube [aria-label='Turn left']"),
                   lambda: ActionChains(tab.browser).move_to_element_with_offset(
                       tab.browser.find_element("css selector", ".cube svg"), -150, -180)
                   .click_and_hold().move_by_offset(60, 30).release().perform()):
        action()
        assert turned() != seen[-1]
        seen.append(turned())
    assert tab.stones() == set(), "turning plays no move"
    tab.press("b", "0", "0", "0", keys.ENTER)
    tab.wait("document.querySelectorAll('.cube .black').length === 1")
    for place in (1, 21, 2, 42, 3, 63):
        tab.play(place)
    assert tab.text("status") == "Red wins: 4 in a row"
    assert tab.ask("[...document.querySelectorAll('.cube .won')].map(e => e.dataset.place)") == [
        "0", "21", "42", "63"] or tab.ask("document.querySelectorAll('.cube .won').length") == 4
    tab.picture("cube")


def test_a_touch_turns_the_cube(tab):
    tab.width("phone")
    tab.new(game="Qubic", size=8, white=GAME["black"])
    tab.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    box = tab.ask("document.querySelector('.cube svg').getBoundingClientRect().toJSON()")
    x, y = box["x"] + 8, box["y"] + 8
    before = tab.ask("document.querySelector('.cube svg').dataset.yaw")
    for kind, shift in (("touchStart", 0), ("touchMove", 30), ("touchMove", 60)):
        tab.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x + shift, "y": y}]})
    tab.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    tab.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    assert tab.ask("document.querySelector('.cube svg').dataset.yaw") != before


def test_analysis(tab):
    """It appears, goes on with the game, and stops."""
    tab.new(white=GAME["black"])
    for place in (112, 97, 113, 98, 126):
        tab.play(place)
    tab.press("a")
    tab.wait("document.querySelectorAll('#best li').length === 5")
    tab.wait("/depth \\d+, [\\d,]+ moves, [\\d,]+ k.s/.test("
             "document.getElementById('figures').textContent)")
    tab.wait("document.querySelectorAll('.flat .ghost').length > 2")
    tab.wait("document.querySelectorAll('.flat .hot').length > 5")
    assert tab.ask("document.querySelector('#graph .curve, #graph .dot')")
    tab.picture("analysis")
    first = tab.ask("document.querySelector('#best .line').textContent")
    tab.click("#best .line")
    tab.wait("document.querySelector('#best .line')?.textContent !== arguments[0]", first)
    tab.press("a")
    tab.wait("document.querySelectorAll('#best li').length === 0"
             " && !document.querySelector('.flat .hot')")


def test_a_proof_and_its_reasons(tab):
    tab.new(white=GAME["black"])
    for place in (112, 0, 113, 14, 128, 210, 143):
        tab.play(place)
    tab.press("t")
    tab.wait("document.querySelectorAll('.flat .marked').length > 3")
    tab.play(224)
    tab.press("p")
    tab.wait("document.querySelector('#proof .why')")
    words = tab.text("proof")
    assert words.startswith("Proved: black wins with") and "threatens" in words
    assert "only one can be stopped" in words and "wins" in words.split("black")[-1]
    tab.click("#proof button")
    tab.wait("document.querySelectorAll('.flat .ghost').length > 2")
    tab.picture("proof")


def test_variations(tab, keys):
    tab.new(white=GAME["black"])
    for place in (112, 113, 97):
        tab.play(place)
    tab.press(keys.LEFT)
    tab.wait("document.querySelectorAll('.flat .point.black:not(.ghost)').length === 1")
    tab.click(".flat [data-place='128']")
    tab.wait("document.querySelector('.variation')")
    assert tab.text("moves").split() == ["1.", "H8", "2.", "J8", "3.", "H7", "3.", "J9"]
    tab.browser.find_element("id", "comment").send_keys("A <b>remark</b>.")
    tab.wait("document.querySelector('.remark')?.textContent === 'A <b>remark</b>.'"
             " || (document.activeElement.blur(), false)")
    tab.click("#promote")
    tab.wait("document.getElementById('moves').textContent.indexOf('J9')"
             " < document.getElementById('moves').textContent.indexOf('H7')")
    tab.picture("variations")
    tab.click("#remove")
    tab.wait("!document.getElementById('moves').textContent.includes('J9')")


def test_a_comment_is_kept_while_the_engine_moves(tab):
    """With the position that it was written about."""
    tab.new(white={"player": "alphabeta", "settings": {"time": "600"}})
    tab.click(".flat [data-place='112']")
    tab.wait("document.getElementById('status').textContent.includes('thinking')")
    tab.browser.find_element("id", "comment").send_keys("about the first move")
    tab.ask("document.getElementById('move-now').click()")
    until(lambda: len(tab.stones("white")) == 1)
    tab.wait("document.querySelector('.remark')?.textContent === 'about the first move'")
    tab.wait("document.querySelector('.remark').previousElementSibling.textContent === '1. H8'")
    assert tab.ask("document.getElementById('comment').value") == ""


def test_looking_back(tab, keys):
    """The game goes on meanwhile; one button leads back."""
    tab.new(white={"player": "alphabeta", "settings": {"time": "600"}})
    tab.click(".flat [data-place='112']")
    tab.wait("document.getElementById('depth').textContent.startsWith('depth')")
    tab.press(keys.LEFT)
    tab.wait("document.getElementById('status').textContent.startsWith('Looking back')")
    until(lambda: tab.stones() == set())
    tab.click("#live")
    tab.wait("document.getElementById('status').textContent.includes('thinking')")
    until(lambda: tab.stones() == {112})
    tab.click("#move-now")
    until(lambda: len(tab.stones()) == 2)


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


def test_set_up(tab):
    tab.new()
    tab.click("#set-up")
    for brush, place in (("Black", 0), ("White", 1), ("White", 2), ("Empty", 2)):
        tab.ask("[...document.querySelectorAll('#brushes button')].find("
                "e => e.textContent === arguments[0]).click()", brush)
        tab.click(f".flat [data-place='{place}']")
        tab.wait("document.querySelector(`.flat [data-place='${arguments[0]}']`)"
                 ".classList.contains(arguments[1])", place, brush.lower())
    tab.ask("[...document.querySelectorAll('#brushes button')].find("
            "e => e.textContent === 'Done').click()")
    assert (tab.stones("black"), tab.stones("white")) == ({0}, {1})
    assert not tab.ask("document.getElementById('brushes').checkVisibility()")


def test_sgf(tab, tmp_path):
    """Saved by the button, loaded by the field for files: the same game."""
    tab.new(white=GAME["black"])
    for place in (112, 113, 97):
        tab.play(place)
    tab.ask("(window.saved = null, HTMLAnchorElement.prototype.click = function () {"
            " window.saved = [this.download, this.href]; })")
    tab.click("#tab-file")
    tab.click("#save")
    tab.wait("window.saved")
    name, address = tab.ask("window.saved")
    data = b64decode(address.split(",")[1])
    assert name.endswith(".sgf") and b";B[hh];W[ih];B[hi]" in data
    path = tmp_path / name
    path.write_bytes(data.replace(b";B[hi]", b";B[aa]C[loaded]"))
    before = tab.ask("location.hash")
    tab.browser.find_element("id", "file").send_keys(str(path))
    tab.wait("location.hash !== arguments[0]", before)
    until(lambda: tab.stones("black") == {112, 210})
    assert tab.ask("document.getElementById('comment').value") == "loaded"
    tab.click("#copy")
    tab.wait("document.getElementById('text').value.includes('X')")
    before = tab.ask("location.hash")
    tab.click("#paste")
    tab.wait("location.hash !== arguments[0]", before)
    until(lambda: tab.stones("black") == {112, 210})


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


def test_a_server_that_comes_back(browser, tmp_path):
    """The page says that it is gone, and goes on when it is there again."""
    from selenium.webdriver.support.expected_conditions import staleness_of
    server = Server(tmp_path)
    tab = Tab(browser, server.address)
    tab.new(white=GAME["black"])
    tab.play(112)
    server.stop()
    tab.wait("document.getElementById('banner').textContent.startsWith('The connection is lost')")
    port = server.host.split(":")[1]
    server.words = ("--port", port)
    board = tab.browser.find_element("css selector", ".flat")
    server.start()
    tab.wait("document.getElementById('banner').hidden")
    until(lambda: staleness_of(board)(browser))
    until(lambda: tab.stones("black") == {112})
    tab.play(113)
    assert server.stop() == (0, "")
    browser.get("about:blank")
    browser.get_log("browser")


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
        tab.picture("tournament")
        tab.wait("(live => live && (live.click(), true))(document.querySelector('#running .live'))")
        tab.wait("location.hash.includes('play=')")
        tab.wait("document.querySelectorAll('.move').length > 0")
        assert not tab.ask("document.getElementById('undo').checkVisibility()")
    tab.ask("(location.hash = 'watch=0')")
    tab.wait("document.querySelector('#played [data-game]')?.checkVisibility()")
    tab.ask("[...document.querySelectorAll('#played tbody tr')].find("
            "row => row.textContent.includes('a row')).querySelector('button').click()")
    tab.wait("document.getElementById('status').textContent.includes('wins')")
    tab.wait("document.querySelectorAll('.flat .won').length >= 5")
    assert server.stop() == (0, "")
    browser.get("about:blank")
    browser.get_log("browser")


def test_pictures(tab):
    """Light and dark, wide and narrow, for those who look."""
    tab.new()
    for place in (112, 127, 96):
        if place not in tab.stones():
            tab.play(place)
    tab.picture("board")
    tab.scheme("dark")
    assert tab.ask("getComputedStyle(document.body).backgroundColor") != "rgb(251, 250, 248)"
    tab.picture("dark")
    tab.width("phone")
    tab.picture("phone")
    tab.scheme("light")
    tab.width("desktop")
    tab.click("#new-game")
    tab.picture("form")
