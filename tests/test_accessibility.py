"""Every view of the board, looked at by axe-core in light and dark: it finds nothing to say."""

import json
import re

import pytest

from gtp_engine.games.catalogue import GAMES
from gtp_engine.games.opening_rules import RULES as OPENINGS
from gtp_engine.players.registry import PLAYERS
from tests.browser import GAME, WIDTHS

axe = pytest.importorskip("selenium_axe_python")
TWO_PEOPLE = {"white": GAME["black"]}
ALL = json.dumps({
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {"label-content-name-mismatch": {"enabled": True}}})
COLOURS = json.dumps({"runOnly": {"type": "rule", "values": [  # what a board or scheme changes
    "color-contrast", "link-in-text-block"]}})


def game(tab):
    tab.new(**TWO_PEOPLE)
    for place in (112, 113, 97, 98, 82):
        tab.play(place)


def threats(tab):
    game(tab)
    tab.press("t")
    tab.wait("document.querySelectorAll('.flat .marked').length > 3")


def analysis(tab):
    game(tab)
    tab.press("a")
    tab.wait("document.querySelectorAll('#best li').length === 5")
    tab.press("a")
    tab.wait("document.querySelectorAll('#best li').length === 0")


def openings(tab):
    end(tab)
    tab.new(game="Tic-tac-toe", size=3, **TWO_PEOPLE)
    tab.click("#tab-explorer")
    tab.wait("document.querySelectorAll('.flat .hot').length")


def sharing(tab):
    game(tab)
    tab.click("#tab-file")


def cube(tab):
    tab.new(game="Qubic", size=8, **TWO_PEOPLE)
    tab.play(21)


def end(tab):
    tab.new(game="Tic-tac-toe", size=3, **TWO_PEOPLE)
    for place in (0, 3, 1, 4, 2):
        tab.play(place)
    tab.wait("document.getElementById('ending').checkVisibility()")


def set_up(tab):
    tab.new(**TWO_PEOPLE)
    tab.click("#set-up")


def games(tab):
    game(tab)
    tab.click("#show-games")
    tab.wait("document.querySelectorAll('#games tbody tr').length")


def puzzles(tab):
    tab.click("#show-puzzles")
    tab.wait("document.getElementById('puzzle-task').textContent")


def rules(tab):
    tab.click("#show-rules")
    tab.wait("document.querySelector('.rules img')?.complete")


def form(tab):
    tab.click("#new-game")
    tab.click("#dialog summary")


def players(tab):
    tab.new()
    tab.click("#players")


def view(tab):
    tab.click("#show-view")


def help_(tab):
    tab.click("#show-help")


@pytest.mark.parametrize("shown", [game, threats, analysis, openings, sharing, cube, end, set_up,
                                   games, puzzles, rules, form, players, view, help_])
def test_views(tab, shown):
    shown(tab)
    tab.browser.execute_async_script(  # colours of what appears are not those that stay
        "Promise.allSettled(document.getAnimations().map((each) => each.finished))"
        ".then(() => arguments[arguments.length - 1]())")
    found = axe.Axe(tab.browser)
    found.inject()
    options = ALL
    for board in ("wood", "slate", "paper") if shown in (game, threats) else ("wood",):
        tab.ask("(document.documentElement.dataset.board = arguments[0])", board)
        for scheme in ("light", "dark"):
            tab.scheme(scheme)
            violations = found.run(options=options)["violations"]
            assert violations == [], found.report(violations)
            options = COLOURS


# What is the same in every language: games, players, rules, formats.
NAMES = {*GAMES, *PLAYERS, *OPENINGS, "gtp_engine", "SGF", "SVG", "PNG", "GTP", "Gomocup",
         "Shift", "Esc",
         "English", "Enter", "BlockWin", "BlockOpenFour", "OpenFour", "Win"}
PSEUDO = """
const before = window.fetch;
const other = (words) => words.replace(/\\{\\w+\\}|[a-z]/gi, (each) => (each.length > 1 ? each
  : String.fromCodePoint(each.codePointAt(0) + 0xfee0)));
window.fetch = async (address) => {
  if (!address.endsWith("texts/cs.json")) return before(address);
  const table = await (await before(address)).json();
  const spoken = Object.keys(table).map((key) => [key, other(key)]);
  return new Response(JSON.stringify(Object.fromEntries(spoken)));
};
"""
ENGLISH = """(() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement, nodeValue } = texts.currentNode;
    const left_out = parentElement.closest("[translate=no], noscript, style");
    if (parentElement.checkVisibility() && !left_out) found.push(nodeValue);
  }
  for (const node of document.querySelectorAll("*")) {
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      found.push(node.getAttribute(name) ?? "");
    }
  }
  return [document.title, ...found];
})()"""


def in_english(tab):
    """The texts of the page in which more than names is English."""
    return [text.strip() for text in tab.ask(ENGLISH)
            if set(re.findall(r"[A-Za-z]{3,}[\w-]*", text, re.ASCII)) - NAMES]


def test_no_english_is_left(tab):
    """In a language whose letters are not those of English, only names are; labels for those who
    cannot see the page as well."""
    script = tab.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument",
                                         {"source": PSEUDO})["identifier"]
    left = {}
    try:
        tab.ask("localStorage.setItem('gtp_engine.language', '\"cs\"')")
        for shown in (game, threats, analysis, openings, sharing, cube, end, set_up, games, puzzles,
                      rules, form, players, view, help_):
            tab.show()
            shown(tab)
            tab.frame()
            for text in in_english(tab):
                left.setdefault(text, shown.__name__)
    finally:
        tab.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument",
                                    {"identifier": script})
    assert left == {}, "\n".join(left)
    assert tab.ask("document.documentElement.lang") == "cs"


def test_the_language_is_chosen(tab):
    """In the settings, and it is kept; readers of the screen know which one it is."""
    tab.new(**TWO_PEOPLE)
    tab.click("#show-view")
    tab.browser.find_element("id", "view-language").send_keys("Čeština")
    tab.wait("document.documentElement.lang === 'cs' && document.readyState === 'complete'")
    tab.wait_for_game()
    assert tab.text("new-game") == "Nová hra" and tab.text("status") == "Černý na tahu: hrajete vy"
    tab.show()
    assert tab.text("show-rules") == "Pravidla"
    found = axe.Axe(tab.browser)
    found.inject()
    assert found.run(options=ALL)["violations"] == []


@pytest.mark.parametrize("width", ["phone", "landscape"])
def test_targets_on_a_phone(tab, width):
    """Buttons and fields are 44 pixels high."""
    tab.ask("localStorage.setItem('gtp_engine.twice', 'false')")
    tab.width(width)
    tab.finger()
    tab.show()
    small = ("[...document.querySelectorAll('button, select, input, .button')].filter(e =>"
             " e.checkVisibility() && !e.closest('.hidden') && !['checkbox', 'radio'].includes("
             "e.type) && !e.classList.contains('line') && e.getBoundingClientRect().height < 44)"
             ".map(e => e.id || e.outerHTML)")
    for shown in (game, sharing, end, games, form):
        shown(tab)
        assert tab.ask(small) == [], shown.__name__
        if tab.ask("document.getElementById('dialog').open"):
            tab.click("#dialog-cancel")
    assert tab.ask("innerWidth") == WIDTHS[width][0]


def test_one_announcement_a_move(tab):
    """Of all that changes at a move, one place is read aloud, and once."""
    tab.new(**TWO_PEOPLE)
    tab.ask("(window.heard = [], new MutationObserver(changes => changes.forEach(each => {"
            " const live = (each.target.closest ? each.target : each.target.parentElement)"
            ".closest('[aria-live], [role=status], [role=alert]');"
            " if (live) window.heard.push(live.textContent); }))"
            ".observe(document.body, {subtree: true, childList: true, characterData: true}))")
    tab.play(112)
    assert tab.ask("window.heard") == ["Black H8. White to move: your turn"]


def test_colours_that_are_forced(tab):
    """Where the system chooses colours, players and the chosen tab are still told apart."""
    game(tab)
    tab.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "forced-colors", "value": "active"}]})
    fill = "getComputedStyle(document.querySelector(arguments[0])).backgroundColor"
    assert tab.ask(fill, ".dot.black") != tab.ask(fill, ".dot.white")
    assert tab.ask(fill, "#tab-moves") != tab.ask(fill, "#tab-file")
