"""The cube in a real browser: it is turned and played on by mouse, finger and keys."""

import pytest

from tests.browser import GAME, ActionChains
from tests.programs import until

TWO_PEOPLE = {"game": "Qubic", "size": 8, "white": GAME["black"]}


@pytest.fixture
def keys():
    return pytest.importorskip("selenium.webdriver").Keys


def centre(tab, place):
    """Where a point of the cube is on the screen."""
    box = tab.box(f".cube [data-place='{place}']")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def turned(tab):
    return tab.ask("[...'yp'].map(e => Number(document.querySelector('.cube svg').dataset["
                   "e === 'y' ? 'yaw' : 'pitch']))")


def pointed(tab):
    """The points where a stone is shown before it is put there."""
    return tab.ask("[...document.querySelectorAll('.cube .pointed')].map("
                   "e => Number(e.dataset.point))")


@pytest.mark.parametrize("turns", [[], ["Turn left"], ["Turn right", "Tilt up", "Tilt up"]])
@pytest.mark.thorough
def test_every_dot_answers_with_itself(tab, turns):
    """64 of 64, each exactly at its centre; a stone is shown there first."""
    tab.new(**TWO_PEOPLE)
    for words in turns:
        tab.click(f".cube [aria-label='{words}']")
    seen = []
    for place in range(64):
        tab.hover(*centre(tab, place))
        seen += pointed(tab)
    assert seen == [*range(64)]
    tab.hover(2, 2)
    assert pointed(tab) == []


def test_a_click_plays_the_dot_that_is_shown(tab):
    tab.new(**TWO_PEOPLE)
    for count, place in enumerate((63, 0, 22, 41), 1):
        x, y = centre(tab, place)
        for kind in ("mousePressed", "mouseReleased"):
            tab.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})
        until(lambda: len(tab.stones()) == count)
        assert place in tab.stones()


def test_a_finger_plays_and_turns(tab):
    """A tap plays at the nearest dot; a finger that moves turns the cube and plays nothing."""
    tab.width("phone")
    tab.new(**TWO_PEOPLE)
    tab.finger()
    before, (x, y) = turned(tab), centre(tab, 37)
    tab.tap(x + 3, y - 2)
    until(lambda: tab.stones() == {37})
    assert turned(tab) == before
    tab.tap(x, y, to=(x + 60, y))
    until(lambda: turned(tab) != before)
    assert tab.stones() == {37}


def test_the_cube(tab, keys):
    """It is turned by keys, by its buttons and by dragging; a winning row lights up in it."""
    tab.new(**TWO_PEOPLE)
    seen = [turned(tab)]
    tab.press("b")

    def shifted(key):
        ActionChains(tab.browser).key_down(keys.SHIFT).send_keys(key).key_up(keys.SHIFT).perform()

    for action in (lambda: shifted(keys.RIGHT), lambda: shifted(keys.UP),
                   lambda: tab.click(".cube [aria-label='Turn left']"),
                   lambda: ActionChains(tab.browser).move_to_element_with_offset(
                       tab.browser.find_element("css selector", ".cube svg"), -120, -180)
                   .click_and_hold().move_by_offset(60, 30).release().perform()):
        action()
        assert turned(tab) != seen[-1]
        seen.append(turned(tab))
    assert tab.stones() == set(), "turning plays no move"
    tab.press("b", "0", "0", "0", keys.ENTER)
    tab.wait("document.querySelectorAll('.cube .black').length === 1")
    for place in (1, 21, 2, 42, 3, 63):
        tab.play(place)
    assert tab.text("status") == "Red wins: 4 in a row"
    until(lambda: {*tab.ask("[...document.querySelectorAll('.cube .won')].map("
                            "e => Number(e.dataset.point))")} == {0, 21, 42, 63})
