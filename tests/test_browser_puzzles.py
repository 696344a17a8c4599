"""Puzzles in a real browser: solved, failed, looked at; by the mouse, by keys, by a finger."""

import json

import pytest

from gtp_engine.puzzles.puzzle import shipped_puzzles
from tests.programs import until

REPLY = "document.getElementById('puzzle-reply').textContent"
STONES = ("[...document.querySelectorAll('#puzzle-boards .flat .point:not(.empty, .ghost)')].map("
          "e => [Number(e.dataset.point), e.classList.contains('black') ? 1 : 2])")
GHOSTS = "document.querySelectorAll('#puzzle-boards .flat .ghost').length"


@pytest.fixture
def keys():
    return pytest.importorskip("selenium.webdriver").Keys


class Shown:
    """The puzzle that a tab shows: what its set knows of it, with the numbers of points on the
    page."""

    def __init__(self, tab):
        self.tab = tab
        tab.frame()
        stones = {tuple(stone) for stone in tab.ask(STONES)}
        self.puzzle, = [puzzle for puzzle in shipped_puzzles() if stones_of(puzzle) == stones
                        and puzzle.rules.name in tab.text("puzzle-title")]
        self.position = self.puzzle.position()
        points = [*self.position.lattice.points]
        self.line = [points.index(point) for point in self.puzzle.line]
        self.wrong = next(points.index(point) for point in self.position.legal_moves()
                          if point not in self.puzzle.line)

    def press(self, place):
        self.tab.click(f"#puzzle-boards .flat [data-place='{place}']")

    def solve(self):
        """Play the moves of the solution; each is answered."""
        for number, place in enumerate(self.line[::2], 1):
            self.press(place)
            self.tab.wait(f"{REPLY}.startsWith(arguments[0])",
                          "Solved." if 2 * number > len(self.line) else "Correct. The reply is ")


def stones_of(puzzle):
    position = puzzle.position()
    return {(place, position.cells[point]) for place, point in enumerate(position.lattice.points)
            if position.cells[point]}


@pytest.fixture
def puzzles(tab):
    """A function that shows a puzzle of a game and a class."""
    def show(game="Gomoku", kind="fours"):
        tab.ask("localStorage.setItem('gtp_engine.puzzles', arguments[0])",
                json.dumps({"game": game, "kind": kind}))
        tab.show()
        tab.click("#show-puzzles")
        tab.wait("document.getElementById('puzzle-task').textContent")
        return Shown(tab)

    return show


def numbers(tab):
    """Rating, streak, solved and tried."""
    tab.frame()
    solved, tried = tab.text("puzzle-solved").split(" of ")
    return (int(tab.text("puzzle-rating").split()[0]), int(tab.text("puzzle-streak")), int(solved),
            int(tried))


def following(tab):
    """The next puzzle."""
    before = tab.ask(STONES)
    tab.click("#puzzle-next")
    tab.wait(f"JSON.stringify({STONES}) !== JSON.stringify(arguments[0])", before)
    return Shown(tab)


def test_solving(tab, puzzles):
    """Every move is answered; the rating rises; the next puzzle is another one."""
    shown = puzzles()
    before = numbers(tab)
    assert "fours alone" in tab.text("puzzle-task") and "Gomoku" in tab.text("puzzle-title")
    shown.press(shown.line[0])
    tab.wait(f"{REPLY}.startsWith('Correct. The reply is ')")
    until(lambda: len(tab.ask(STONES)) == len(shown.puzzle.moves) + 2)
    shown.line = shown.line[2:]
    shown.solve()
    tab.wait("document.querySelectorAll('#puzzle-boards .flat .won').length >= 5")
    after = numbers(tab)
    assert after[0] > before[0]
    assert after[1:] == (before[1] + 1, before[2] + 1, before[3] + 1)
    assert f"(+{after[0] - before[0]})" in tab.text("puzzle-rating")
    assert tab.text("puzzle-next") == "Next puzzle"
    assert not tab.ask("document.getElementById('puzzle-hint').checkVisibility()")
    assert following(tab).puzzle != shown.puzzle and numbers(tab)[1:] == after[1:]


@pytest.mark.thorough
def test_a_wrong_move(tab, puzzles):
    """It is refuted on the board, and costs rating and streak once; then the puzzle can still be
    solved.  A point that is taken is refused at the point."""
    puzzles().solve()
    shown = following(tab)
    before = numbers(tab)
    assert before[1] > 0
    shown.press(shown.wrong)
    tab.wait(f"{REPLY}.includes('Try again.')")
    tab.wait(f"{GHOSTS} > 1")
    after = numbers(tab)
    assert after[0] < before[0] and after[1:] == (0, before[2], before[3] + 1)
    shown.press(stones_of(shown.puzzle).pop()[0])
    tab.wait("document.getElementById('refusal').textContent.includes('occupied')")
    shown.solve()
    assert numbers(tab) == after


@pytest.mark.thorough
def test_by_keys_alone(tab, puzzles, keys):
    """Hint, the board, the solution that is walked and closed, skip, another puzzle."""
    puzzles()
    before = numbers(tab)
    tab.press("i")
    tab.wait(f"{REPLY}.startsWith('The best move is in row ')")
    tab.press("s")
    tab.wait(f"{REPLY} === ''")
    shown = Shown(tab)
    assert numbers(tab)[1:] == (0, *before[2:])
    name = tab.ask("document.querySelector(`#puzzle-boards .flat [data-place='${arguments[0]}']`)"
                   ".ariaLabel.split(',')[0]", shown.line[0])
    tab.press("b", *name.lower(), keys.ENTER)
    tab.wait(f"{REPLY}.startsWith('Correct. ') || {REPLY} === 'Solved.'")
    tab.press("s")
    tab.wait(f"{REPLY} === ''")
    tab.press(keys.TAB)  # on the board arrows lead from point to point
    tab.press("v")
    tab.wait(f"{REPLY}.startsWith('Best line: ')")
    shown = len(tab.text("puzzle-reply").split()) - 2
    tab.wait(f"{GHOSTS} === arguments[0]", shown)
    tab.press(keys.ARROW_LEFT)
    tab.wait(f"{GHOSTS} === arguments[0]", shown - 1)
    assert tab.text("puzzle-walked") == f"{shown - 1} of {shown}"
    tab.press(keys.ARROW_RIGHT)
    tab.wait(f"{GHOSTS} === arguments[0]", shown)
    tab.press(keys.ESCAPE)
    tab.wait(f"{GHOSTS} === 0")
    tab.press("s")
    tab.wait(f"{REPLY} === ''")


@pytest.mark.parametrize("game, kind, task", [
    ("Renju", "threats", "by fours and threes"), ("Pente-free", "captures", "with captures"),
    ("Qubic", "rows", "by threats alone"),
    ("Gomoku-exact", "defence", "find the only move that does not lose")])
@pytest.mark.thorough
def test_games_and_classes(tab, puzzles, game, kind, task):
    shown = puzzles(game, kind)
    assert (shown.puzzle.rules.name, shown.puzzle.kind) == (game, kind)
    assert task in tab.text("puzzle-task")
    if game == "Qubic":
        tab.wait("document.querySelector('#puzzle-boards .cube')")
    shown.press(shown.wrong)
    tab.wait(f"{REPLY}.includes('Try again.')")
    shown.solve()


def choose(tab, key, value):
    found = tab.browser.find_element("id", f"puzzle-{key}")
    found.find_element("css selector", f"option[value='{value}']").click()


@pytest.mark.thorough
def test_choosing(tab, puzzles):
    """A game that has no puzzle of the class has all classes; the choice is kept."""
    puzzles()
    for game in ("Qubic", "Renju"):
        choose(tab, "game", game)
        tab.wait("document.getElementById('puzzle-title').textContent.startsWith(arguments[0])",
                 game)
        assert tab.ask("document.getElementById('puzzle-kind').value") == ""
    choose(tab, "kind", "defence")
    tab.wait("document.getElementById('puzzle-task').textContent.endsWith('that does not lose.')")
    tab.show()
    tab.click("#show-puzzles")
    tab.wait("document.getElementById('puzzle-title').textContent.startsWith('Renju')")
    assert Shown(tab).puzzle.kind == "defence"


@pytest.mark.thorough
def test_leaving_and_coming_back(tab, puzzles):
    """The puzzle is the same; a game that is begun meanwhile is shown at once."""
    shown = puzzles()
    tab.click("#show-games")
    tab.wait("document.getElementById('list-page').checkVisibility()")
    tab.ask("history.back()")
    tab.wait("document.getElementById('puzzles-page').checkVisibility()")
    assert Shown(tab).puzzle == shown.puzzle
    tab.new()
    tab.wait("document.getElementById('game-page').checkVisibility()")
    tab.click("#show-puzzles")
    tab.wait("document.getElementById('puzzles-page').checkVisibility()")
    shown = Shown(tab)
    shown.solve()


@pytest.mark.thorough
def test_on_a_phone(tab, puzzles):
    """A point is tapped twice; nothing is smaller than a finger or wider than the screen."""
    tab.width("phone")
    tab.finger()
    shown = puzzles("Renju")  # all of 15x15: on small boards once is enough
    box = tab.box(f"#puzzle-boards .flat [data-place='{shown.line[0]}']")
    for _ in range(2):
        assert tab.ask(REPLY) == ""
        tab.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        tab.wait("document.querySelector('#puzzle-boards .aimed') || " + REPLY)
    tab.wait(f"{REPLY}.startsWith('Correct. ')")
    assert tab.ask("[...document.querySelectorAll('.top button, #puzzle button, #puzzle select')]"
                   ".filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44)"
                   ".map(e => e.id)") == []
    assert tab.ask("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", ["desktop", "phone"])
@pytest.mark.thorough
def test_views(tab, puzzles, width):
    """Nothing for axe-core to say, before and after a move, in light and dark."""
    tab.width(width)
    shown = puzzles()
    for state in ("task", "wrong", "solution"):
        if state == "wrong":
            shown.press(shown.wrong)
            tab.wait(f"{REPLY}.includes('Try again.')")
        elif state == "solution":
            tab.press("v")
            tab.wait(f"{REPLY}.startsWith('Best line: ')")
        tab.check_accessibility()
