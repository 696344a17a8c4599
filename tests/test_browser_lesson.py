"""A lesson in a real browser: a teacher's page in one tab, a watcher's page in another one."""

import pytest

from tests.browser import GAME
from tests.programs import until
from tests.test_accessibility import PSEUDO, in_english

MOVES = (112, 113, 98, 97, 126, 84)
RIGHT, WRONG = MOVES[4], 96


class Tabs:
    """Both tabs; one of them is to be seen, and what is done is done there."""

    def __init__(self, browser, servers):
        from tests.browser import Tab
        self.browser, self.servers = browser, servers
        self.handles = {"teacher": browser.current_window_handle}
        self.tab = Tab(browser, servers[0].address)
        self.tab.width("desktop")
        self.tab.new(white=GAME["black"])
        for place in MOVES:
            self.tab.play(place)
        self.back(2)
        self.watch("watcher")
        self.at("teacher")

    def watch(self, name):
        """A tab with a watcher's page."""
        from tests.browser import Tab
        self.browser.switch_to.new_window("tab")
        self.handles[name] = self.browser.current_window_handle
        self.tab = Tab(self.browser, self.servers[1].address)
        self.tab.width("desktop")

    def at(self, name):
        """What is done from now on is done in that tab."""
        self.browser.switch_to.window(self.handles[name])
        self.tab.address = self.servers[name != "teacher"].address
        return self.tab

    def back(self, count):
        """The teacher goes so many moves back."""
        for _ in range(count):
            before = len(self.tab.stones())
            self.tab.click("#previous")
            until(lambda: len(self.tab.stones()) == before - 1)

    def begin(self):
        """The lesson begins, and the watcher follows."""
        teacher = self.at("teacher")
        teacher.click("#tab-file")
        teacher.click("#lesson-begin")
        said(teacher, "Spectators see what this page shows.")
        watcher = self.at("watcher")
        watcher.click("#lesson-follow")
        said(watcher, "You see what the teacher shows.")

    def ask(self):
        self.at("teacher").press("q")
        said(self.tab, "which move comes next?")
        said(self.at("watcher"), "Choose a point")


def said(tab, words, id="lesson-text"):
    tab.wait("document.getElementById(arguments[0]).textContent.includes(arguments[1])", id, words)


def counts(tab):
    """What stands on the points, by point."""
    return {int(place): words for place, words in tab.ask(
        "[...document.querySelectorAll('.flat .hot')].map(e => "
        "[e.dataset.point, e.querySelector('.label').textContent])")}


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """The teacher's and the watchers'."""
    from tests.web import Server
    folder = tmp_path_factory.mktemp("lesson") / "data"
    found = [Server(folder), Server(folder, "--watch-only")]
    yield found
    for server in found:
        server.end()


@pytest.fixture
def lesson(browser, servers):
    """Both tabs, at the last but two positions of a game; nothing may be said on their consoles."""
    browser.switch_to.window(browser.window_handles[0])
    tabs = Tabs(browser, servers)
    yield tabs
    teacher = tabs.at("teacher")
    if teacher.ask("document.getElementById('lesson-end').checkVisibility()"):
        teacher.click("#lesson-end")
        teacher.wait("document.getElementById('lesson').hidden")
    console = tabs.tab.console()
    for handle in browser.window_handles[1:]:
        browser.switch_to.window(handle)
        console += tabs.tab.console()
        browser.close()
    browser.switch_to.window(browser.window_handles[0])
    console += tabs.tab.console()
    browser.execute_script("localStorage.clear(), sessionStorage.clear()")
    browser.get("about:blank")
    browser.get_log("browser")
    assert console == []


def test_a_lesson(lesson):
    """From its beginning to the score of a watcher, by mouse and keyboard."""
    lesson.begin()
    watcher = lesson.at("watcher")
    until(lambda: watcher.stones() == {*MOVES[:4]})
    assert watcher.ask("location.hash") == "#lesson"
    watcher.click(f".flat [data-place='{RIGHT}']")  # nothing is asked yet
    lesson.ask()
    watcher.click(f".flat [data-place='{WRONG}']")
    said(watcher, "Your guess: G7.")
    assert watcher.stones() == {*MOVES[:4]}, "a guess is no move"
    watcher.frame()
    watcher.check_accessibility()
    watcher.press("b", "h", "9", "\ue007")
    said(watcher, "Your guess: H9.")
    watcher.click(f".flat [data-place='{WRONG}']")
    said(watcher, "Your guess: G7.")
    teacher = lesson.at("teacher")
    said(teacher, "1 of 1 have guessed.", "lesson-count")
    assert counts(teacher) == {}
    teacher.press("\ue014")
    until(lambda: len(teacher.stones()) == 5)
    teacher.press("q")
    said(teacher, "Question 1: 0 of 1 guessed correctly.")
    until(lambda: counts(teacher) == {RIGHT: "0", WRONG: "1"})
    assert len(teacher.stones()) == 4, "the position that was asked about is shown again"
    teacher.check_accessibility()
    watcher = lesson.at("watcher")
    said(watcher, "The move was G9; you guessed G7.")
    said(watcher, "0 of 1 guessed correctly.", "lesson-count")
    said(watcher, "Your score: 0 of 1.", "lesson-score")
    until(lambda: counts(watcher) == {RIGHT: "0", WRONG: "1"})
    assert watcher.ask(f"document.querySelector('[data-place=\"{WRONG}\"]').ariaLabel"
                       ) == "G7, empty, 1 guess, your guess"
    watcher.check_accessibility()
    lesson.at("teacher").press("\ue014")
    until(lambda: len(teacher.stones()) == 5)
    lesson.ask()
    until(lambda: len(watcher.stones()) == 5)
    watcher.click(f".flat [data-place='{MOVES[5]}']")
    said(watcher, "Your guess: ")
    lesson.at("teacher").click("#lesson-show")
    said(teacher, "Question 2: 1 of 1 guessed correctly.")
    watcher = lesson.at("watcher")
    said(watcher, "Correct: ")
    said(watcher, "Your score: 1 of 2.", "lesson-score")
    watcher.show()
    said(watcher, "Correct: ")
    assert watcher.text("lesson-score") == "Your score: 1 of 2.", "it is kept"
    lesson.at("teacher").click("#lesson-end")
    teacher.wait("document.getElementById('lesson').hidden")
    lesson.at("watcher")
    said(watcher, "The lesson is over.", "banner-text")
    assert watcher.ask("document.getElementById('lesson').hidden")


@pytest.mark.thorough
def test_pages_that_are_loaded_again(lesson):
    """The teacher's leads on, the watcher's has its guess; a page that came later has no score."""
    lesson.begin()
    lesson.ask()
    watcher = lesson.at("watcher")
    watcher.click(f".flat [data-place='{RIGHT}']")
    said(watcher, "Your guess: G9.")
    watcher.show()
    said(watcher, "Your guess: G9.")
    watcher.click("#first")
    until(lambda: watcher.stones() == set())
    watcher.click(f".flat [data-place='{WRONG}']")
    assert watcher.ask("document.getElementById('lesson-question').checkVisibility()")
    watcher.click("#lesson-question")
    until(lambda: watcher.stones() == {*MOVES[:4]})
    teacher = lesson.at("teacher")
    teacher.show(teacher.ask("location.hash"))
    teacher.wait("document.getElementById('lesson-lead').hidden")
    said(teacher, "1 of 1 have guessed.", "lesson-count")
    teacher.click("#lesson-show")
    said(teacher, "1 of 1 guessed correctly.")
    lesson.watch("late")
    late = lesson.at("late")
    said(late, "The move was G9.")
    assert late.text("lesson-score") == ""
    said(lesson.at("watcher"), "Correct: G9.")


@pytest.mark.thorough
def test_a_watcher_elsewhere(lesson):
    """A page that looks at another game is not taken away from it, and is told of the lesson."""
    watcher = lesson.at("watcher")
    watcher.click("#show-games")
    watcher.click("#games a")
    until(lambda: watcher.ask("location.hash").startswith("#game="))
    lesson.at("teacher").click("#tab-file")
    lesson.tab.click("#lesson-begin")
    said(lesson.at("watcher"), "A lesson is in progress.")
    assert watcher.ask("location.hash").startswith("#game=")
    said(watcher, "A lesson is in progress.", "banner-text")
    watcher.click("#banner-action")
    said(watcher, "You see what the teacher shows.")
    assert watcher.ask("location.hash") == "#lesson"
    lesson.at("teacher").press("q")
    said(lesson.tab, "which move")
    lesson.tab.click("#lesson-withdraw")
    said(lesson.tab, "Spectators see what this page shows.")
    said(lesson.at("watcher"), "You see what the teacher shows.")


@pytest.mark.thorough
def test_on_a_phone(lesson):
    """A finger taps twice; what it has to hit is 44 pixels high."""
    lesson.begin()
    watcher = lesson.at("watcher")
    watcher.width("phone")
    watcher.finger()
    watcher.show()
    said(watcher, "You see what the teacher shows.")
    lesson.ask()
    watcher = lesson.at("watcher")
    box = watcher.box(f".flat [data-place='{RIGHT}']")
    for words in ("Tap again", "Your guess: G9."):
        watcher.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        said(watcher, words, "status" if words == "Tap again" else "lesson-text")
    watcher.check_accessibility()
    small = ("[...document.querySelectorAll('button')].filter(e => e.checkVisibility() && "
             "e.getBoundingClientRect().height < 44).map(e => e.id)")
    assert watcher.ask(small) == []
    assert watcher.ask("document.documentElement.scrollWidth <= innerWidth")
    watcher.finger(False)
    teacher = lesson.at("teacher")
    teacher.width("phone")
    teacher.frame()
    assert teacher.ask("document.documentElement.scrollWidth <= innerWidth")
    assert teacher.ask("document.getElementById('lesson-show').checkVisibility()")
    teacher.check_accessibility()
    teacher.width("desktop")


@pytest.mark.thorough
def test_no_english_is_left(lesson):
    """In a language whose letters are not English, neither for the teacher nor for a watcher."""
    left = set()
    scripts = {}
    for name in ("teacher", "watcher"):
        tab = lesson.at(name)
        scripts[name] = tab.browser.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument", {"source": PSEUDO})["identifier"]
        tab.ask("localStorage.setItem('gtp_engine.language', '\"cs\"')")
        tab.show(tab.ask("location.hash"))

    def look(name):
        tab = lesson.at(name)
        tab.frame()
        left.update(in_english(tab))

    def shown(name, id):
        lesson.at(name).wait("document.getElementById(arguments[0]).checkVisibility()", id)

    lesson.at("teacher").click("#tab-file")
    lesson.back(2)
    look("teacher")
    lesson.tab.click("#lesson-begin")
    shown("watcher", "lesson-follow")
    look("watcher")
    lesson.tab.click("#lesson-follow")
    for _ in range(2):
        shown("teacher", "lesson-ask")
        look("teacher")
        lesson.tab.press("q")
        shown("teacher", "lesson-show")
        lesson.at("watcher").wait("document.querySelector('.flat .open-black')")
        look("watcher")
        lesson.tab.click(f".flat [data-place='{RIGHT}']")
        lesson.tab.wait("document.querySelector('.flat .ghost')")
        look("watcher")
        lesson.at("teacher").press("q")
        lesson.tab.wait("document.querySelector('.flat .hot')")
        for name in lesson.handles:
            lesson.at(name).wait("document.querySelector('.flat .hot')")
            look(name)
    for name, script in scripts.items():
        lesson.at(name).browser.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        lesson.tab.ask("localStorage.clear()")
    assert left == set()


@pytest.mark.thorough
def test_a_class_of_25(lesson):
    """The teacher sees the number of guesses on each point."""
    lesson.begin()
    lesson.ask()
    lesson.tab.click(f".flat [data-place='{RIGHT}']")
    said(lesson.tab, "Your guess")
    others = [lesson.servers[1].page() for _ in range(24)]
    places = [*10 * [RIGHT], *6 * [WRONG], *4 * [99], *3 * [127], 84]
    for number, (page, place) in enumerate(zip(others, places)):
        page.say("follow", ticket=f"other {number}")
        asked = page.until("lesson", lambda told: told["asked"])["asked"]
        page.say("guess", number=asked["number"], point=place)
        page.until("guessed")
    teacher = lesson.at("teacher")
    said(teacher, "25 of 25 have guessed.", "lesson-count")
    teacher.click("#lesson-show")
    said(teacher, "Question 1: 11 of 25 guessed correctly.")
    until(lambda: counts(teacher) == {RIGHT: "11", WRONG: "6", 99: "4", 127: "3", 84: "1"})
    for page in others:
        page.close()
