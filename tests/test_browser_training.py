"""The training of openings in a real browser: a library is asked move by move."""

from tests.browser import STONES
from tests.programs import until
from tests.test_book import library


def test_a_library(tab, tmp_path):
    """Black's moves are asked, White's are played; wrong moves, the solution, the next line."""
    library(tmp_path / "x.lib", "H8 H9 J9", "H8 J9 G9 H7 K7")
    tab.new(white={"player": "person", "settings": {}})
    tab.click("#tab-file")
    tab.browser.find_element("id", "file").send_keys(str(tmp_path / "x.lib"))
    tab.wait("document.querySelectorAll(arguments[0]).length === 3", STONES)
    tab.click("#first")
    tab.wait("document.querySelectorAll(arguments[0]).length === 0", STONES)
    tab.click("#tab-explorer")
    tab.click("#training-start")
    tab.wait("document.getElementById('training-text').textContent === 'Your move?'")
    tab.check_accessibility()
    tab.click(".flat [data-place='0']")
    until(lambda: tab.text("training-reply") == "A1 is not in the repertoire. Try again.")
    lines = 0
    while lines < 2:
        tab.click("#training-view")
        tab.wait("document.getElementById('training-reply').textContent.includes('plays')")
        move = tab.text("training-reply").split()[-1].rstrip(".")
        assert move in ("H8", "I9", "G9", "J7"), "the page has a column I"
        column, row = "ABCDEFGHIJKLMNO".index(move[0]), int(move[1:]) - 1
        tab.play(row * 15 + column)
        tab.wait("!document.getElementById('training-reply').textContent.includes('plays')")
        if tab.text("training-text") != "Your move?":
            lines += 1
            if lines == 1:
                assert tab.text("training-text") == "End of this line."
                tab.click("#training-next")
                tab.wait("document.querySelectorAll(arguments[0]).length === 0", STONES)
    assert tab.text("training-text") == "All lines are done."
    assert tab.text("training-count").startswith("Correct at the first try: 0 of ")
    tab.click("#training-end")
    tab.wait("document.getElementById('answers').checkVisibility() "
             "|| document.getElementById('explorer-note').checkVisibility()")
    assert not tab.console()
