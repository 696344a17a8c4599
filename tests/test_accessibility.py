"""Every view of the board, in a language of no one, looked at by axe-core in light and dark."""

import re

import pytest

from gtp_engine.games.catalogue import FAMILY, GAMES
from gtp_engine.games.opening_rules import RULES as OPENINGS
from gtp_engine.players.registry import PLAYERS
from tests.browser import GAME, WIDTHS

TWO_PEOPLE = {"white": GAME["black"]}


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


def proved(tab):
    tab.new(**TWO_PEOPLE)
    tab.play(112)
    tab.click("#tab-analysis")
    tab.wait("document.querySelector('#proved ul')")


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


# What is the same in every language: games, players, rules, formats.
NAMES = {*GAMES, *PLAYERS, *OPENINGS, "gtp_engine", "SGF", "SVG", "PNG", "GTP", "Gomocup",
         "Shift", "Esc",
         "English", "Enter", "BlockWin", "BlockOpenFour", "OpenFour", "Win"}
PSEUDO = """
if (location.protocol === "http:") localStorage.setItem("gtp_engine.language", '"cs"');
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
            if set(re.findall(r"[A-Za-z]{3,}[\w-]*", text.replace(FAMILY, ""), re.ASCII)) - NAMES]


@pytest.fixture
def pseudo_language(browser):
    """From now on pages are in a language whose letters are not those of English."""
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument",
                                     {"source": PSEUDO})["identifier"]
    yield
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})


@pytest.mark.parametrize("shown", [game, threats, analysis, proved, openings, sharing, cube, end,
                                   set_up, games, puzzles, rules, form, players, view, help_])
@pytest.mark.few(1)
def test_views(pseudo_language, tab, shown):
    """axe-core finds nothing to say, and of English only names are left, also in labels for those
    who cannot see the page."""
    shown(tab)
    tab.frame()
    assert tab.ask("document.documentElement.lang") == "cs"
    assert in_english(tab) == []
    tab.check_accessibility(("wood", "slate", "paper") if shown in (game, threats) else ("wood",))


@pytest.mark.thorough
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
    tab.check_accessibility()


@pytest.mark.thorough
def test_targets_on_a_phone(tab):
    """Buttons and fields are 44 pixels high, however it is held."""
    tab.ask("localStorage.setItem('gtp_engine.twice', 'false')")
    tab.width("phone")
    tab.finger()
    tab.show()
    small = ("[...document.querySelectorAll('button, select, input, .button')].filter(e =>"
             " e.checkVisibility() && !e.closest('.hidden') && !['checkbox', 'radio'].includes("
             "e.type) && !e.classList.contains('line') && e.getBoundingClientRect().height < 44)"
             ".map(e => e.id || e.outerHTML)")
    for shown in (game, sharing, end, games, form):
        shown(tab)
        for width in ("landscape", "phone"):
            tab.width(width)
            assert tab.ask(small) == [], shown.__name__
            assert tab.ask("innerWidth") == WIDTHS[width][0]
        if tab.ask("document.getElementById('dialog').open"):
            tab.click("#dialog-cancel")


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_colours_that_are_forced(tab):
    """Where the system chooses colours, players and the chosen tab are still told apart."""
    game(tab)
    tab.media("forced-colors", "active")
    fill = "getComputedStyle(document.querySelector(arguments[0])).backgroundColor"
    assert tab.ask(fill, ".dot.black") != tab.ask(fill, ".dot.white")
    assert tab.ask(fill, "#tab-moves") != tab.ask(fill, "#tab-file")
