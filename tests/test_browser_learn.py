"""The review of a game in a real browser, learning from its mistakes, and marks on the board."""

import re
from base64 import b64decode

import pytest

from tests.browser import GAME

LOST = (112, 96, 97, 83, 82, 0, 67, 127, 52)  # White overlooks an open three at move 6
REVIEWED = "document.getElementById('review-text').textContent.startsWith('Review complete')"


@pytest.fixture
def no_child_outlives_its_test():
    """The browser and the server do, until the end of the module."""


@pytest.fixture
def keys():
    return pytest.importorskip("selenium.webdriver").Keys


@pytest.fixture(scope="module")
def game(browser, server):
    """The address of a game that was lost."""
    from tests.browser import Tab
    tab = Tab(browser, server.address)
    tab.width("desktop")
    tab.new(white=GAME["black"])
    for place in LOST:
        tab.play(place)
    return tab.ask("location.hash")


@pytest.fixture
def lost(tab, game):
    """The same, shown and reviewed, however it came."""
    tab.show(game)
    tab.frame()
    if tab.ask("!document.getElementById('review').hidden"):
        tab.ask("(document.getElementById('review-effort').value = 'quick')")
        tab.ask("document.getElementById('tab-review').click()")
        tab.ask("document.getElementById('review').click()")
    tab.wait(REVIEWED)
    tab.click("#tab-review")
    tab.ask("document.activeElement.blur()")  # where arrows go from tab to tab
    return tab


def ghosts(tab):
    return tab.ask("[...document.querySelectorAll('.flat .ghost')].map(e => "
                   "[e.querySelector('text').textContent, Number(e.dataset.point)])"
                   ".sort((a, b) => a[0] - b[0]).map(e => e[1])")


def threatened(tab):
    return set(tab.ask(
        "[...document.querySelectorAll('.flat .threat')].map(e => Number(e.dataset.point))"))


@pytest.mark.thorough
def test_from_a_lost_game_to_the_reason(tab):
    """In two clicks: the end of the game, and the moment; the review goes on meanwhile."""
    tab.new(white=GAME["black"])
    for place in LOST:
        tab.play(place)
    tab.wait("document.getElementById('ending').checkVisibility()")
    tab.ask("(document.getElementById('review-effort').value = 'quick')")
    tab.click("#end-review")
    tab.wait("document.querySelector('#moments .kind-allowed-win')")
    tab.click("#moments .kind-allowed-win")
    tab.wait("document.querySelectorAll('.flat .ghost').length === 3")
    assert ghosts(tab)[0] in (67, 127) and {82, 97, 112} <= threatened(tab)
    assert tab.ask("document.querySelectorAll('.flat .threatened').length") > 0
    assert "Black now wins in 3 plies" in tab.text("verdict-text")
    tab.wait(REVIEWED)


@pytest.mark.thorough
def test_marks_and_mistakes(lost, keys):
    """In the list of moves, on the curve, in the table; from mistake to mistake by button and key;
    a line is walked, and closed."""
    tab = lost
    marks = tab.ask("[...document.querySelectorAll('.move')].map(e => e.textContent)")
    assert marks[5] == "6. A1L?, allowed win" and len(marks) == len(LOST)
    assert all(", " in words for words in marks)
    assert tab.ask("document.querySelectorAll('#graph .dot.kind-allowed-win').length") == 1
    rows = dict(tab.ask("[...document.querySelectorAll('#review-table tbody tr')].map("
                        "e => [e.children[0].textContent.trim(), e.children[2].textContent])"))
    assert rows["L? allowed win"] == "1" and rows["accuracy"].endswith("%")
    tab.press("M")
    tab.wait("document.getElementById('verdict-text').textContent.startsWith('6. White')")
    tab.wait("document.querySelectorAll('.flat .ghost').length === 3")
    tab.press(keys.ARROW_LEFT)
    tab.wait("document.querySelectorAll('.flat .ghost').length === 2")
    tab.click("#walk-on")
    tab.wait("document.querySelectorAll('.flat .ghost').length === 3")
    tab.press("w")
    tab.wait("document.getElementById('better').ariaPressed === 'true'")
    tab.wait("document.querySelectorAll('.flat .signed').length === 1")
    assert tab.stones() == {112, 96, 97, 83, 82}
    tab.press(keys.ESCAPE)
    tab.wait("!document.querySelector('.flat .ghost')")
    tab.wait("document.querySelectorAll('.flat .signed').length === 0")
    tab.click("#first")  # how many mistakes come before that one depends on the time there was
    for _ in LOST:
        before = tab.ask("location.hash + document.getElementById('verdict-text').textContent")
        tab.ask("document.getElementById('next-mistake').click()")
        tab.wait("location.hash + document.getElementById('verdict-text').textContent"
                 " !== arguments[0]", before)
        if tab.text("verdict-text").startswith("6. White"):
            break
    assert tab.text("verdict-text").startswith("6. White")
    box = tab.box("#graph")
    tab.ask("document.getElementById('graph').dispatchEvent(new MouseEvent('click', {clientX:"
            " arguments[0], clientY: arguments[1], bubbles: true}))",
            box["x"] + 8 / 20 * box["width"], box["y"] + 9)
    tab.wait("document.getElementById('verdict-text').textContent.startsWith('8. White')")


def test_learning(lost, keys):
    """A move that is no better is refuted on the board, a better one is right; hint, solution,
    skip; all of it by the keyboard."""
    tab = lost
    tab.moving()
    better, = re.findall(r"(\w+) was better", tab.ask(
        "document.querySelector('#moments .kind-allowed-win').textContent"))
    tab.ask("(document.getElementById('practice-side').value = '2')")
    tab.click("#practise")
    tab.wait("document.getElementById('practice').checkVisibility()")
    while "allowed win" not in tab.text("practice-text"):
        before = tab.text("practice-text")
        tab.press("v")
        tab.wait("document.querySelector('.flat .ghost')")
        tab.press("s")
        tab.wait("document.getElementById('practice-text').textContent !== arguments[0]", before)
    tab.wait("document.querySelectorAll('.flat .signed').length === 1")
    assert "White to move. The game move A1 is crossed out" in tab.text("practice-text")
    tab.press("i")
    tab.wait("document.getElementById('practice-reply').textContent.includes('in row')")
    tab.ask("document.querySelector('.flat [data-place=\"224\"]').focus()")
    tab.press(keys.ENTER)
    tab.wait("document.getElementById('practice-reply').textContent.includes('is refuted')")
    tab.wait("document.querySelectorAll('.flat .ghost').length === 4")
    assert ghosts(tab)[0] == 224 and {82, 97, 112} <= threatened(tab)
    tab.click(".flat [data-place='82']")
    tab.wait("!document.getElementById('refusal').hidden")
    tab.press("b", *better.lower(), keys.ENTER)
    tab.wait("document.getElementById('practice-reply').textContent.startsWith('Correct: ')")
    tab.ask("document.activeElement.blur()")
    tab.press("s")
    tab.wait("document.getElementById('practice-text').textContent.startsWith('That was the last')")
    tab.press(keys.ESCAPE)
    tab.wait("!document.getElementById('practice').checkVisibility()")


@pytest.mark.thorough
def test_saving_and_reloading(lost):
    """The file has the comments; a page that is loaded again shows the review."""
    tab = lost
    tab.ask("(window.saved = null, HTMLAnchorElement.prototype.click = function () {"
            " window.saved = [this.download, this.href]; })")
    tab.click("#review-save")
    tab.wait("window.saved")
    name, data = tab.ask("window.saved")
    assert name.endswith("-reviewed.sgf")
    assert b"Allowed win. Black now wins in 3 plies" in b64decode(data.split(",")[1])
    tab.show(tab.ask("location.hash"))
    tab.wait(REVIEWED)
    tab.wait("document.querySelectorAll('.move .verdict').length === 9")


@pytest.mark.thorough
def test_marks_on_the_board(tab):
    """By tools, by the other button of the mouse, and by a finger that stays; no stone is put."""
    tab.new(white=GAME["black"])
    tab.play(112)
    tab.press("d")
    signed = 0
    for tool, places in (("square", [112]), ("triangle", [50]), ("cross", [51]),
                         ("label", [52, 53]), ("arrow", [60, 94])):
        tab.click(f"[data-tool={tool}]")
        for place in places:
            tab.click(f".flat [data-place='{place}']")
            signed += tool != "arrow"
            tab.wait("document.querySelectorAll('.flat .signed').length === arguments[0]", signed)
    tab.wait("document.querySelectorAll('.flat .arrow').length === 1")
    assert tab.ask("[52, 53].map(e => document.querySelector(`.flat [data-point='${e}'] text`)"
                   ".textContent).join('')") == "AB"
    assert "arrow to E7" in tab.ask(
        "document.querySelector('.flat [data-place=\"60\"]').ariaLabel")
    tab.click("#tools-done")
    boxes = [tab.box(f".flat [data-place='{place}']") for place in (200, 150)]
    (x, y), end = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    for to in ((x, y), end):
        for kind, (across, down) in (("mousePressed", (x, y)), ("mouseReleased", to)):
            tab.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": kind, "x": across, "y": down, "button": "right", "clickCount": 1})
    tab.wait("document.querySelectorAll('.flat .signed').length === 6")
    tab.wait("document.querySelectorAll('.flat .arrow').length === 2")
    tab.finger()
    tab.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {
        "type": "touchStart", "touchPoints": [{"x": end[0], "y": end[1]}]})
    tab.wait("document.querySelectorAll('.flat .signed').length === 7")
    tab.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    tab.press("d")
    tab.click("#wipe")
    tab.wait("document.querySelectorAll('.flat .signed, .flat .arrow').length === 0")
    assert tab.stones() == {112}


@pytest.mark.parametrize("width", ["desktop", "phone"])
@pytest.mark.thorough
def test_views(lost, width):
    """Nothing for axe-core to say in light and dark, nothing smaller than a finger on a phone."""
    tab = lost
    tab.width(width)
    tab.finger(width == "phone")
    for shown in ("review", "learn"):
        tab.click("#next-mistake" if shown == "review" else "#practise")
        tab.wait("document.querySelector('.flat .ghost, .flat .signed')")
        if width == "phone":
            assert tab.ask("document.getElementById('boards').getBoundingClientRect().top") > -1
            assert tab.ask(
                "[...document.querySelectorAll('#review-panel button, #review-panel select')]"
                ".filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44)"
                ".map(e => e.id)") == []
        tab.check_accessibility()
