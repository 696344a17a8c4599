"""The board in a real browser: what people do there who play."""

import pytest

from tests.browser import GAME, WIDTHS
from tests.programs import until


@pytest.fixture
def keys():
    return pytest.importorskip("selenium.webdriver").Keys


def win(tab):
    """Five in a row on a board of 9x9, against a player that does not look."""
    rows = [[9 * y + x + i for i in range(5)] for y in range(9) for x in range(5)]
    while not tab.over():
        held, own = tab.stones("white"), tab.stones("black")
        row = max((row for row in rows if not held & {*row}), key=lambda row: len(own & {*row}))
        tab.play(next(place for place in row if place not in own))


def test_winning(tab):
    tab.moving()
    tab.new(size=9, white={"player": "random", "settings": {}})
    win(tab)
    assert tab.text("status") == "Black wins: 5 in a row"
    tab.wait("document.querySelectorAll('.flat .won').length === 5")
    assert tab.ask("document.getElementById('resign').disabled")


@pytest.mark.thorough
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


def reasons(tab):
    """The stones that are lit since they make a point forbidden."""
    return {int(place) for place in tab.ask(
        "[...document.querySelectorAll('.flat .reason')].map(e => e.dataset.point)")}


def test_forbidden_points_of_renju(tab):
    """Crosses where Black may not play, with the reason, which a refused move says, too; the stones
    of the rows are lit while the mouse is there."""
    tab.new(game="Renju", size=15, white=GAME["black"])
    for place in (127, 0, 142, 14, 110, 210, 111, 224):
        assert tab.ask("document.querySelectorAll('.flat .forbidden').length") == 0
        tab.play(place)
    tab.wait("document.querySelector(\".flat [data-point='112'].forbidden .sign path\")")
    assert tab.ask("document.querySelectorAll('.flat .forbidden').length") == 1
    point = "document.querySelector(\".flat [data-place='112']\")"
    assert tab.ask(f"{point}.querySelector('title').textContent") == "forbidden: double three"
    assert tab.ask(f"{point}.getAttribute('aria-label')") == (
        "H8, empty, forbidden: double three, because of F8 G8 H9 H10")
    assert reasons(tab) == set()
    box = tab.box(".flat [data-place='112']")
    tab.hover((box["left"] + box["right"]) / 2, (box["top"] + box["bottom"]) / 2)
    until(lambda: reasons(tab) == {127, 142, 110, 111})
    tab.hover(2, 2)
    until(lambda: reasons(tab) == set())
    tab.click("#show-view")
    tab.click("#view-forbidden")
    tab.wait("!document.querySelector('.flat .forbidden')")
    tab.click("#dialog-ok")
    tab.click(".flat [data-place='112']")
    tab.wait("!document.getElementById('refusal').hidden")
    assert tab.text("refusal") == "H8: forbidden: double three"
    assert tab.text("announce") == "forbidden: double three"
    assert 112 not in tab.stones() and reasons(tab) == set()
    tab.play(1)
    assert tab.ask("document.querySelectorAll('.flat .forbidden').length") == 0


@pytest.mark.thorough
def test_an_opening_by_a_rule(tab):
    """Stones by the mouse, a colour and a number by buttons; what is refused says why."""
    from selenium.webdriver.support.select import Select
    tab.new(game="Renju", size=15, white=GAME["black"])
    tab.click("#new-game")
    tab.click("#dialog summary")
    Select(tab.browser.find_element("id", "opening-rule")).select_by_value("soosyrv-8")
    before = tab.ask("location.hash")
    tab.click("#dialog-ok")
    tab.wait("location.hash !== arguments[0]", before)

    def says(words):
        tab.wait("document.getElementById('status').textContent === arguments[0]",
                 f"soosyrv-8, {words}")

    def click(*places):
        for place in places:
            tab.click(f".flat [data-place='{place}']")
            tab.frame()

    def button(words):
        tab.browser.find_element("xpath", f"//*[@id='opening']/button[.='{words}']").click()

    says("Black: place 3 stones in alternating colours, one of the 26 openings")
    click(112, 127)
    says("Black: place 3 stones in alternating colours, one of the 26 openings (2 of 3)")
    assert tab.ask("document.querySelector(\"[data-place='127']\").ariaLabel") == (
        "H9, empty, selected")
    button("Clear")
    click(112, 127, 158)
    tab.wait("document.getElementById('banner-text').textContent.includes('26 openings')")
    click(112, 127, 142)
    says("White: choose a colour")
    assert tab.text("announce") == "Black H10. soosyrv-8, White: choose a colour"
    click(0)
    tab.wait("document.getElementById('banner-text').textContent === 'Please choose a colour.'")
    button("Play Black")
    says("White: place a stone")
    click(157)
    says("White: choose how many fifth moves Black offers, 1 to 8")
    button("2")
    says("Black: choose a colour")
    button("Play Black")
    says("Black: offer 2 fifth moves of Black")
    click(111, 113)
    tab.wait("document.getElementById('banner-text').textContent === 'G8 and I8 are symmetrical'")
    click(111, 0)
    says("White: choose one of the fifth moves")
    tab.wait("document.querySelectorAll('.flat .ghost.black').length === 2")
    click(0)
    tab.wait("document.getElementById('status').textContent === 'White to move: your turn'")
    assert tab.stones("black") == {112, 142, 0} and tab.stones("white") == {127, 157}
    assert not tab.ask("document.getElementById('opening').checkVisibility()")


def test_captures(tab):
    tab.new(game="Pente-free", size=9, white=GAME["black"])
    for place in (40, 41, 0, 42, 43):
        tab.click(f".flat [data-place='{place}']")
        tab.wait("document.querySelector(`.flat [data-point='${arguments[0]}'].last`)", place)
    assert tab.stones("white") == set()
    assert tab.ask("document.querySelectorAll('.flat .taken').length") == 2
    assert "1 of 5 pairs captured" in tab.ask("document.querySelector('.players').textContent")


def test_by_keyboard_alone(tab, keys):
    """From the form to the last stone without a mouse."""
    tab.press("n")
    tab.wait("document.getElementById('dialog').open")
    from selenium.webdriver.support.select import Select
    for place, value in (("game", "Tic-tac-toe"), ("opponent", "person")):
        Select(tab.browser.find_element("id", place)).select_by_value(value)
    before = tab.ask("location.hash")
    tab.browser.find_element("id", "dialog-ok").send_keys(keys.ENTER)
    tab.wait("location.hash !== arguments[0]", before)
    tab.wait("document.querySelectorAll('[data-place][aria-label]').length === 9")
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
    tab.wait("document.getElementById('status').textContent.startsWith('Analysis: Black to move')")


@pytest.mark.thorough
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


@pytest.mark.parametrize("game, size", [("Gomoku", 15), ("Pente", 19), ("Qubic", 8)])
@pytest.mark.thorough
def test_nothing_is_cut_off(tab, game, size):
    fits = "document.documentElement.scrollWidth <= innerWidth"
    tab.new(game=game, size=size)
    for width in WIDTHS:
        tab.width(width)
        for panel in ("moves", "analysis", "file"):
            tab.click(f"#tab-{panel}")
            assert tab.ask(fits), (width, panel)
        if width == "phone" and game != "Qubic":
            assert tab.box(".level svg")["width"] > 0.95 * WIDTHS[width][0]
    tab.click("#show-games")
    tab.wait("!document.getElementById('list-page').hidden")
    for width in WIDTHS:
        tab.width(width)
        assert tab.ask(fits), width
        assert tab.ask("document.getElementById('search').checkVisibility()"), width


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_dark_colours(tab):
    """The page follows the colour scheme of the system."""
    colour = "getComputedStyle(document.body).backgroundColor"
    tab.new()
    assert tab.ask(colour) == "rgb(251, 250, 248)"
    tab.scheme("dark")
    assert tab.ask(colour) != "rgb(251, 250, 248)"


def radio(tab, value):
    tab.click(f"input[name=colour][value={value}]")


@pytest.mark.thorough
def test_white_is_one_click(tab):
    """The engine begins then."""
    tab.new()
    tab.click("#new-game")
    radio(tab, "white")
    tab.click("#dialog-ok")
    tab.wait("document.getElementById('status').textContent === 'White to move: your turn'")
    until(lambda: len(tab.stones("black")) == 1)
    tab.click("#new-game")
    assert tab.ask("document.querySelector('input[name=colour]:checked').value") == "white"


def test_plain_words_and_details_agree(tab):
    """The opponent in plain words is who plays; one set in detail is shown as such."""
    from selenium.webdriver.support.select import Select
    tab.new()
    tab.click("#new-game")
    Select(tab.browser.find_element("id", "opponent")).select_by_value("strong")
    assert tab.ask("document.getElementById('white-time').value") == "1"
    tab.click("#dialog summary")
    tab.browser.find_element("id", "white-time").send_keys("0")
    assert tab.ask("document.getElementById('opponent').value") == "own"
    radio(tab, "white")
    assert tab.ask("document.getElementById('black-time').value") == "10"


def test_any_number_in_a_row_on_a_rectangle(tab):
    """The form offers only players that play the game; the board has its columns and rows."""
    from selenium.webdriver.support.select import Select
    tab.new()
    tab.click("#new-game")
    Select(tab.browser.find_element("id", "game")).select_by_value("K-in-a-row")
    assert tab.ask("document.getElementById('length').value") == "4"
    opponent = Select(tab.browser.find_element("id", "opponent"))
    assert opponent.first_selected_option.get_attribute("value") == "playouts"
    opponent.select_by_value("random")
    tab.click("#dialog summary")
    size = tab.browser.find_element("id", "size")
    size.clear()
    size.send_keys("12x10")
    before = tab.ask("location.hash")
    tab.click("#dialog-ok")
    tab.wait("location.hash !== arguments[0]", before)
    tab.wait("document.querySelectorAll('.flat .hit').length === 120")
    assert tab.ask("document.querySelectorAll('.flat .labels text').length") == 2 * (12 + 10)
    assert tab.ask("[...document.querySelectorAll('.flat .labels text')].filter("
                   "each => each.textContent === 'L').length") == 2
    box = tab.ask("(box => [box.width, box.height])("
                  "document.querySelector('.flat .wood').getBoundingClientRect())")
    assert box[0] / box[1] == pytest.approx((11 + 2.4) / (9 + 2.4), abs=0.01)
    tab.play(119)
    assert 119 in tab.stones("black") and tab.stones("white")
    tab.ask("document.querySelector('.flat [data-place=\"0\"]').focus()")
    tab.press("l10")
    assert tab.ask("document.activeElement.dataset.place") == "119"
    tab.click("#new-game")  # what was played last
    assert [tab.ask("document.getElementById(arguments[0]).value", each)
            for each in ("game", "length", "size", "opponent")] == [
                "K-in-a-row", "4", "12x10", "random"]


@pytest.mark.parametrize("field, wrong, right", [
    ("size", "99", "9"), ("white-time", "soon", "1"), ("per-move", "0.001", "5")])
@pytest.mark.thorough
def test_a_wrong_setting_is_said_at_its_field(tab, field, wrong, right):
    """The form stays as it is, and is sent again."""
    tab.new(white={"player": "alphabeta", "settings": {}})
    tab.click("#new-game")
    tab.click("#dialog summary")
    box = tab.browser.find_element("id", field)
    box.clear()
    box.send_keys(wrong)
    before = tab.ask("location.hash")
    tab.click("#dialog-ok")
    tab.wait("document.querySelector('.fault')")
    assert tab.ask("document.querySelector('.fault').previousElementSibling.id") == field
    assert tab.ask("document.activeElement.id") == field
    assert tab.ask("document.getElementById('dialog').open")
    assert tab.ask("getComputedStyle(document.getElementById('banner')).display") == "none"
    box.clear()
    box.send_keys(right)
    tab.click("#dialog-ok")
    tab.wait("location.hash !== arguments[0]", before)
    assert not tab.ask("document.getElementById('dialog').open")


@pytest.mark.thorough
def test_the_end_of_a_game(tab):
    """Who has won, and what next: a rematch, other colours, or a look at the game."""
    tab.new(size=9, white={"player": "random", "settings": {}})
    win(tab)
    tab.wait("document.getElementById('ending').checkVisibility()")
    assert (tab.text("ending-head"), tab.text("ending-text")) == (
        "You win!", "Black wins: 5 in a row")
    tab.click("#end-look")
    until(lambda: tab.stones() == set())
    assert not tab.ask("document.getElementById('ending').checkVisibility()")
    tab.click("#last")
    tab.wait("document.getElementById('status').textContent === 'Black wins: 5 in a row'")
    tab.click("#undo")
    tab.wait("document.getElementById('status').textContent === 'Black to move: your turn'")
    win(tab)
    tab.click("#end-rematch")
    tab.wait("document.querySelectorAll('.move').length === 0")
    win(tab)
    tab.click("#end-exchange")
    tab.wait("document.getElementById('status').textContent === 'White to move: your turn'")
    assert tab.text("second-player").startswith("you")
    tab.browser.back()
    tab.wait("document.getElementById('status').textContent === 'Black wins: 5 in a row'")


@pytest.mark.thorough
def test_a_finger_walks_through_the_moves(tab):
    """Aside: through the moves; a swipe is no tap.  A large board is tapped twice."""
    tab.width("phone")
    tab.finger()
    tab.new(white=GAME["black"])
    box = tab.box(".flat [data-place='112']")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.tap(x, y)
    tab.wait("document.getElementById('status').textContent === 'Tap again to play H8'")
    assert tab.stones() == set()
    tab.tap(x, y)
    until(lambda: tab.stones() == {112})
    tab.tap(x, y, to=(x + 90, y + 5))
    until(lambda: tab.stones() == set())
    tab.tap(x, y, to=(x - 90, y + 5))
    until(lambda: tab.stones() == {112})


@pytest.mark.thorough
def test_a_finger_on_a_forbidden_point_is_told_why_at_once(tab):
    tab.width("phone")
    tab.new(game="Renju", size=15, white=GAME["black"])
    for place in (127, 0, 142, 14, 110, 210, 111, 224):
        tab.play(place)
    tab.finger()
    box = tab.box(".flat [data-place='112']")
    tab.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.wait("document.getElementById('refusal').textContent === 'H8: forbidden: double three'")


@pytest.mark.thorough
def test_board_and_lines_are_seen_together(tab):
    """On a phone, upright and aside."""
    tab.width("phone")
    tab.new(white=GAME["black"])
    tab.click("#tab-analysis")
    tab.press("a")
    tab.wait("document.querySelectorAll('#best li').length === 5")
    tab.ask("scrollTo(0, 0)")
    for width in ("phone", "landscape"):
        tab.width(width)
        board, line = tab.box(".flat svg"), tab.box("#best li:nth-child(2)")
        assert board["top"] >= 0 and board["bottom"] <= WIDTHS[width][1], width
        assert line["bottom"] <= WIDTHS[width][1], width
    tab.press("a")


@pytest.mark.thorough
def test_the_plan_of_the_opponent_is_hidden(tab):
    """Unless one wants to see it."""
    tab.new(white={"player": "alphabeta", "settings": {"time": "600"}})
    tab.click(".flat [data-place='112']")
    tab.wait("document.getElementById('depth').textContent.startsWith('depth')")
    assert tab.ask("document.querySelectorAll('.ghost').length") == 0
    tab.click("#show-view")
    tab.click("#view-plan")
    tab.wait("document.querySelectorAll('.flat .ghost').length > 0")
    tab.click("#dialog-ok")
    tab.press("i")
    tab.wait("document.getElementById('banner-text').textContent.includes(\"opponent's turn\")")
    tab.click("#move-now")


@pytest.mark.thorough
def test_boards_and_names_of_points(tab):
    """They are chosen under View, and kept."""
    from selenium.webdriver.support.select import Select
    tab.new(game="Pente", size=19, white=GAME["black"])
    tab.wait("document.querySelector(\"[data-place='8']\").getAttribute('aria-label')"
             ".startsWith('J1,')")
    tab.click("#show-view")
    colour = "getComputedStyle(document.querySelector('.wood')).fill"
    seen = {tab.ask(colour)}
    for board in ("slate", "paper"):
        Select(tab.browser.find_element("id", "view-board")).select_by_value(board)
        seen.add(tab.ask(colour))
    assert len(seen) == 3
    Select(tab.browser.find_element("id", "view-notation")).select_by_value("with I")
    tab.wait("document.querySelector(\"[data-place='8']\").getAttribute('aria-label')"
             ".startsWith('I1,')")
    tab.browser.refresh()
    tab.wait_for_game()
    tab.wait("document.querySelector(\"[data-place='8']\")?.getAttribute('aria-label')"
             "?.startsWith('I1,')")
    assert tab.ask("document.documentElement.dataset.board") == "paper"


@pytest.mark.thorough
def test_a_level_that_suits(tab):
    """Two losses in a row lead down; the game that follows is played at the new level."""
    from selenium.webdriver.support.select import Select
    tab.new()
    before = tab.ask("location.hash")
    tab.click("#new-game")
    Select(tab.browser.find_element("id", "opponent")).select_by_value("suiting")
    assert tab.ask("document.getElementById('white-level').value") == "3"
    tab.click("#dialog-ok")
    for words, name in (("You stay at level 3.", "level 3, casual"),
                        ("Two losses in a row: you move down to level 2.", "level 2, novice")):
        tab.wait("location.hash !== arguments[0]", before)
        before = tab.ask("location.hash")
        tab.click("#resign")
        tab.click("#dialog-ok")
        tab.wait("document.getElementById('banner-text').textContent === arguments[0]", words)
        tab.click("#end-rematch")
        tab.wait("[...document.querySelectorAll('.name')].some("
                 "each => each.textContent === arguments[0])", name)
    tab.click("#new-game")
    assert tab.ask("document.getElementById('opponent').value") == "suiting"
