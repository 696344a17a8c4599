"""The board in a real browser: looking back, analysis, variations, files."""

from base64 import b64decode
from urllib.request import urlopen

import pytest

from tests.browser import GAME
from tests.programs import until


@pytest.fixture
def keys():
    return pytest.importorskip("selenium.webdriver").Keys


def test_analysis(tab):
    """It appears, goes on with the game, and stops."""
    tab.new(white=GAME["black"])
    for place in (112, 97, 113, 98, 126):
        tab.play(place)
    tab.press("a")
    tab.wait("document.querySelectorAll('#best li').length === 5")
    tab.wait("/depth \\d+, [\\d,]+ nodes, [\\d,]+ k.s/.test("
             "document.getElementById('figures').textContent)")
    tab.wait("document.querySelectorAll('.flat .ghost').length > 2")
    tab.wait("document.querySelectorAll('.flat .hot').length > 5")
    assert tab.ask("document.querySelector('#graph .curve, #graph .dot')")
    first = tab.ask("document.querySelector('#best .line').textContent")
    tab.click("#best .line")
    tab.wait("document.querySelector('#best .line')?.textContent !== arguments[0]", first)
    tab.press("a")
    tab.wait("document.querySelectorAll('#best li').length === 0"
             " && !document.querySelector('.flat .hot')")


@pytest.mark.thorough
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
    assert words.startswith("Proved: Black wins with") and "threatens" in words
    assert "only one can be stopped" in words and "wins" in words.split("Black")[-1]
    assert tab.ask("document.querySelector('#proof button').textContent") == "Show on the board"
    tab.click("#proof button")
    tab.wait("document.querySelectorAll('.flat .ghost').length > 2")


@pytest.mark.thorough
def test_the_proof_of_gomoku(tab, keys):
    """Each position says what is proved of it, and its moves are played from there."""
    says = "document.getElementById('proved').textContent.includes(arguments[0])"
    tab.new(white=GAME["black"])
    tab.click("#tab-analysis")
    tab.wait(says, "Black has a proved win: H8, in at most 43 plies.")
    tab.click("#proved button")
    tab.wait(says, "White loses in at most 42 plies after every reply.")
    assert tab.ask("document.querySelector(\"[data-point='97'] .label\").textContent") == "−41"
    tab.play(97)
    tab.wait(says, "H7 loses: the proof has a reply to it.")
    assert "Black has a proved win: G7, in at most 41 plies." in tab.text("proved")
    for place in (96, 111, 125, 124, 140, 110, 141):  # moves of the proof, and answers to them
        tab.play(place)
    tab.wait(says, "White loses in at most 32 plies after every reply.")
    words = tab.text("proved")
    assert "Replies that change nothing: 175" in words
    assert "Replies that lose to threats: 36" in words
    lost = "document.querySelectorAll('.flat .hot.tone-lost').length === 216"
    tab.wait(lost)
    tab.play(0)
    tab.wait(says, "A1 changes nothing: Black continues as after a pass.")
    tab.press(keys.LEFT)
    tab.wait(lost)
    tab.play(tab.ask("document.querySelector(\"[aria-label*='loses to threats']\").dataset.place"))
    tab.wait(says, " loses to threats.")
    tab.click("#proved button")
    tab.wait("document.querySelector('#proof .why')")
    assert tab.text("proof").startswith("Proved: Black wins with")
    tab.play(224)
    tab.wait(says, "The proof of Gomoku on 15 × 15 does not cover this position.")


def test_variations(tab, keys):
    tab.new(white=GAME["black"])
    for place in (112, 113, 97):
        tab.play(place)
    tab.press(keys.LEFT)
    tab.wait("document.querySelectorAll('.flat .point.black:not(.ghost)').length === 1")
    tab.click(".flat [data-place='128']")
    tab.wait("document.querySelector('.variation')")
    assert tab.text("moves").split() == ["1.", "H8", "2.", "I8", "3.", "H7", "3.", "I9"]
    tab.browser.find_element("id", "comment").send_keys("A <b>remark</b>.")
    tab.wait("document.querySelector('.remark')?.textContent === 'A <b>remark</b>.'"
             " || (document.activeElement.blur(), false)")
    tab.click("#promote")
    tab.wait("document.getElementById('moves').textContent.indexOf('I9')"
             " < document.getElementById('moves').textContent.indexOf('H7')")
    tab.click("#remove")
    tab.wait("document.getElementById('dialog').open")
    tab.click("#dialog-ok")
    tab.wait("!document.getElementById('moves').textContent.includes('I9')")


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_looking_back(tab, keys):
    """The game goes on meanwhile; one button leads back."""
    tab.new(white={"player": "alphabeta", "settings": {"time": "600"}})
    tab.click(".flat [data-place='112']")
    tab.wait("document.getElementById('depth').textContent.startsWith('depth')")
    tab.press(keys.LEFT)
    tab.wait("document.getElementById('status').textContent.startsWith('Viewing move ')")
    until(lambda: tab.stones() == set())
    tab.click("#live")
    tab.wait("document.getElementById('status').textContent.includes('thinking')")
    until(lambda: tab.stones() == {112})
    tab.click("#move-now")
    until(lambda: len(tab.stones()) == 2)


@pytest.mark.thorough
def test_set_up(tab):
    tab.new()
    tab.click("#set-up")
    tab.frame()
    for brush, place in (("Black", 0), ("White", 1), ("White", 2), ("Empty", 2)):
        tab.ask("[...document.querySelectorAll('#brushes button')].find("
                "e => e.textContent === arguments[0]).click()", brush)
        tab.click(f".flat [data-place='{place}']")
        tab.wait("document.querySelector(`.flat [data-point='${arguments[0]}']`)"
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
    data = b64decode(address.split(",")[1]).replace(b"\n", b"")
    assert name.endswith(".sgf") and b";B[hh];W[ih];B[hi]" in data
    path = tmp_path / name
    path.write_bytes(data.replace(b";B[hi]", b";B[aa]C[loaded]"))
    before = tab.ask("location.hash")
    tab.browser.find_element("id", "file").send_keys(str(path))
    tab.wait("location.hash !== arguments[0]", before)
    until(lambda: tab.stones("black") == {112, 210})
    assert tab.ask("document.getElementById('comment').value") == "loaded"
    tab.click("#copy-position")
    tab.wait("document.getElementById('text').value.includes('X')")
    before = tab.ask("location.hash")
    tab.click("#paste")
    tab.wait("location.hash !== arguments[0]", before)
    until(lambda: tab.stones("black") == {112, 210})


@pytest.mark.thorough
def test_tools_act_on_the_position_that_is_shown(tab, keys):
    """While the game goes on: analysis, threats, a hint, the copy, and a move, which is a
    variation."""
    tab.new(size=9, white={"player": "alphabeta", "settings": {"time": "600"}})
    tab.click(".flat [data-place='40']")
    tab.wait("document.getElementById('depth').textContent.startsWith('depth')")
    tab.press(keys.LEFT)
    until(lambda: tab.stones() == set())
    tab.press("a")
    tab.wait("document.querySelectorAll('#best li').length === 5")
    tab.press("a")
    tab.press("i")
    tab.wait("document.getElementById('status').textContent.startsWith('Hint: ')")
    tab.click("#tab-file")
    tab.click("#copy-position")
    tab.wait("document.getElementById('text').value.length > 50")
    assert "X" not in tab.ask("document.getElementById('text').value")
    tab.click(".flat [data-place='0']")
    tab.wait("document.querySelector('.variation')")
    until(lambda: tab.stones() == {0})
    assert tab.text("status").startswith("Viewing move ")
    assert tab.ask("document.getElementById('undo').disabled")
    tab.press("u")
    tab.press("l")
    tab.wait("document.getElementById('status').textContent.includes('thinking')")
    until(lambda: tab.stones() == {40})
    tab.click("#move-now")
    until(lambda: len(tab.stones()) == 2)


@pytest.mark.thorough
def test_deleting_is_asked_and_undone(tab, keys):
    tab.new(white=GAME["black"])
    for place in (112, 113, 97):
        tab.play(place)
    tab.press(keys.LEFT)
    until(lambda: tab.stones() == {112, 113})
    tab.click("#remove")
    assert "2 positions" in tab.text("dialog-body")
    tab.click("#dialog-cancel")
    assert len(tab.ask("[...document.querySelectorAll('.move')].map(e => e.textContent)")) == 3
    tab.click("#remove")
    tab.click("#dialog-ok")
    tab.wait("document.querySelectorAll('.move').length === 1")
    until(lambda: tab.stones() == {112})
    assert tab.text("banner-text") == "2 positions deleted."
    tab.click("#banner-action")
    tab.wait("document.querySelectorAll('.move').length === 3")


@pytest.mark.thorough
def test_lost_positions_are_not_green(tab):
    """What holds longest comes first, and its plies are shown."""
    tab.new(size=9, white=GAME["black"])
    for place in (31, 0, 40, 8, 49, 72, 58):  # an open four
        tab.play(place)
    tab.press("a")
    tab.wait("document.querySelector('#best .tone-lost')")
    tab.wait("document.querySelector('#best .line').textContent.startsWith('loses in 2')")
    tab.wait("document.querySelectorAll('.flat .hot').length > 0")
    assert tab.ask("document.querySelectorAll('.flat .tone-won, .flat .tone-good').length") == 0
    tab.press("a")


def test_marks_of_a_file_are_shown(tab, tmp_path):
    """With the names of the players, and what else it says."""
    path = tmp_path / "marks.sgf"
    path.write_text("(;FF[4]GM[4]SZ[15]PB[Lin]PW[Osei]EV[Open]DT[2026-05-01];B[hh]"
                    "TR[hi]SQ[ii]CR[aa]MA[oo]LB[ga:x])", encoding="ascii")
    tab.new(white=GAME["black"])
    before = tab.ask("location.hash")
    tab.browser.find_element("id", "file").send_keys(str(path))
    tab.wait("location.hash !== arguments[0]", before)
    tab.wait("document.querySelectorAll('.flat .signed').length === 5")
    assert tab.ask("document.querySelectorAll('.flat .sign *').length") == 4
    assert tab.ask("[...document.querySelectorAll('.flat .signed')].map("
                   "e => e.querySelector('text').textContent).join('')") == "x"
    assert tab.text("first-player") == "Lin" and tab.text("second-player") == "Osei"
    assert tab.text("info") == "Open, 2026-05-01"


@pytest.mark.thorough
def test_brushes_stay_under_the_finger(tab):
    """The focus stays on them while stones are set."""
    tab.new(white=GAME["black"])
    tab.click("#set-up")
    tab.ask("(window.brush = document.querySelector('#brushes button:nth-child(2)'))")
    tab.click("#brushes button:nth-child(2)")
    for place in (0, 1, 2):
        tab.click(f".flat [data-place='{place}']")
        until(lambda: place in tab.stones("white"))
    assert tab.ask("window.brush.isConnected && window.brush.ariaPressed") == "true"


@pytest.mark.thorough
def test_moves_as_text(tab):
    """Copied as h8i9h7 and pasted again, with commas too."""
    tab.new(white=GAME["black"])
    for place in (112, 128, 97):
        tab.play(place)
    tab.click("#tab-file")
    tab.click("#copy-moves")
    tab.wait("document.getElementById('text').value === 'h8i9h7'")
    for words in ("h8i9h7", "h8, i9, h7"):
        before = tab.ask("location.hash")
        tab.ask("(document.getElementById('text').value = arguments[0])", words)
        tab.click("#paste")
        tab.wait("location.hash !== arguments[0]", before)
        until(lambda: (tab.stones("black"), tab.stones("white")) == ({112, 97}, {128}))


@pytest.mark.thorough
def test_a_link_leads_to_the_position(tab, keys):
    tab.new(white=GAME["black"])
    for place in (112, 113, 97):
        tab.play(place)
    tab.press(keys.LEFT)
    until(lambda: tab.stones() == {112, 113})
    tab.click("#tab-file")
    tab.click("#share")
    tab.wait("document.getElementById('text').value.includes('node=')")
    address = tab.ask("document.getElementById('text').value")
    tab.show()
    tab.browser.get("about:blank")
    tab.browser.get(address)
    tab.wait_for_game()
    until(lambda: tab.stones() == {112, 113})
    assert tab.ask("document.querySelectorAll('.move').length") == 3


@pytest.mark.thorough
def test_pictures_are_saved(tab):
    """As SVG and as PNG."""
    tab.new(white=GAME["black"])
    tab.play(112)
    tab.ask("(window.saved = null, HTMLAnchorElement.prototype.click = function () {"
            " window.saved = [this.download, this.href]; })")
    tab.click("#tab-file")
    tab.click("#save-png")
    tab.wait("window.saved?.[0].endsWith('png')")
    assert tab.ask("window.saved[1]").startswith("data:image/png;base64,iVBOR")
    tab.click("#save-svg")
    tab.wait("window.saved?.[0].endsWith('svg')")
    with urlopen(tab.ask("window.saved[1]")) as answer:
        assert "circle" in answer.read().decode()


@pytest.mark.thorough
def test_the_opening_explorer(tab, server, own_server):
    """Games that are over answer in the position that is shown, whichever way round they went."""
    from tests.browser import Tab
    tab = Tab(tab.browser, own_server().address)  # where no other test has ended a game
    two = {"game": "Tic-tac-toe", "size": 3, "white": GAME["black"]}
    for places in ((4, 0, 1, 3, 7), (4, 6, 7, 3, 1)):  # mirror images
        tab.new(**two)
        for place in places:
            tab.play(place)
        tab.wait("document.getElementById('ending').checkVisibility()")
    tab.new(**two)
    tab.click("#tab-explorer")
    rows = "[...document.querySelectorAll('#answers tbody tr')].map(e => [...e.cells].map("
    rows += "c => c.textContent.trim()).join('|'))"
    tab.wait("document.getElementById('answers').checkVisibility()")
    assert tab.ask(rows) == ["B2||2|100 %|100 %|+2 =0 −0|"]
    assert tab.ask("document.querySelector(\"[data-place='4']\").ariaLabel") == (
        "B2, empty, 100 percent of 2 games")
    tab.click("#answers .line")
    tab.wait(f"{rows}.join() === 'A1 ×4||2|100 %|0 %|+0 =0 −2|'")
    assert len(tab.stones()) == 1
    assert tab.ask("document.activeElement.matches('#answers .line')"), "the focus stays"
    assert tab.ask("document.querySelectorAll('.flat .hot.tone-bad').length") == 4
    tab.click("#answers .line")
    tab.wait(f"{rows}.join() === 'B1 ×2||2|100 %|100 %|+2 =0 −0|'")
    tab.click("#previous")
    tab.wait(f"{rows}.join().startsWith('A1 ×4')")
    tab.click("#tab-moves")
    tab.wait("!document.querySelector('.flat .hot')")
    assert not tab.console()
    Tab(tab.browser, server.address)  # no page waits for a server that has ended
