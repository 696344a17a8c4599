"""The report of a contest: its files, and its page in a browser."""

import csv
import json
import re
from html import unescape
from itertools import permutations
from random import Random

import pytest
from sgfmill import sgf, sgf_grammar

from gtp_engine.arena.display import BoardView
from gtp_engine.arena.record import sgf_result
from gtp_engine.arena.seats.base import TimeControl
from gtp_engine.arena.verdict import Ending
from gtp_engine.command_line.terminal import harmless
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE, opponent
from gtp_engine.tournament.report import write_report
from gtp_engine.tournament.results import Played
from gtp_engine.tournament.standings import summary_of
from gtp_engine.wire.notation import GtpPoints
from tests.positions import random_game

NAMES = ['<b>&"x', "Ann </script><!-- \u2028 ☃ [;B\\]", "@0@ $x$"]
CONTESTS = {"Gomoku": 9, "Pente": 9, "Qubic": 8, "Gomoku-swap": 7}
FORFEITS = ["RESIGNATION", "INVALID_MOVE", "CRASH", "TIME", "INTERRUPTED"]
BY_REASON = {"line": "LINE", "captures": "CAPTURES", "board full": "BOARD_FULL"}
CONTROL = TimeControl(0.5)
LETTERS = {BLACK: "b", WHITE: "w"}


def played(rules, size, rng, number, first, second, opened=2):
    """A game as a line of the results has it; every third one ends by a forfeit."""
    for position in random_game(rules, size, rng):
        if rules.swap and len(position.history) == 1 and number % 2:
            position.play(position.side, position.swap[0])
        if number % 3 == 0 and len(position.history) == 9:
            break
    name = GtpPoints(position.lattice).name
    points = [name[record.point] for record in position.history]
    moves = points[opened:]
    winner, ending = rng.choice((first, second)), FORFEITS[number // 3 % 5]
    if position.outcome:
        ending = BY_REASON[position.outcome.reason]
        winner = {rules.first: first, opponent(rules.first): second}.get(position.outcome.winner)
    elif ending == "INTERRUPTED":
        winner = None
    if ending == "INVALID_MOVE":
        moves.append(moves[0])
    movers = [(first, second)[ply % 2] for ply, _ in enumerate(moves, opened)]
    told = [{"depth": rng.randint(1, 9), "nodes": rng.randint(0, 10**6), "value": rng.random()}
            if mover == NAMES[0] and rng.random() < 0.7 else {} for mover in movers]
    return {"game": number, "round": (number + 5) // 6, "first": first, "second": second,
            "opening": points[:opened], "moves": moves,
            "seconds": [round(rng.expovariate(2), 4) for _ in moves], "told": told,
            "winner": winner, "ending": ending, "verdict": f"{winner} WINS! </script>",
            "at": 1.7e9 + number, "schedule": "5eed"}


def contest_of(name, size, games, names, test=None, **more):
    """The summary of these games."""
    contest = {
        "game": name, "size": size, "format": "match" if len(names) == 2 else "round-robin",
        "rounds": 2, "scheduled": 12, "openings": "a <b>path</b>", "seed": 1, "test": test,
        **CONTROL._asdict(), "points": {"win": 1, "draw": 0.5, "loss": 0}, "schedule": "5eed",
        "players": [{"name": name, "seat": "random", **CONTROL._asdict()} for name in names],
        **more}
    return summary_of(contest, [Played(**game) for game in games])


def contest(name, size, names=NAMES, test=None):
    """Summary and games: everybody meets everybody, twice with each colour."""
    rules, rng = catalogue.find(name), Random(f"{name} {size}")
    games = [played(rules, size, rng, number, *pair)
             for number, pair in enumerate([*permutations(names, 2)] * 2, 1)]
    return contest_of(name, size, games, names, test), games


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """By game: the folder of a report, its summary and its games."""
    made = {}
    for name, size in CONTESTS.items():
        folder = tmp_path_factory.mktemp(name) / "made" / "on the way"
        made[name] = (folder, *contest(name, size))
        write_report(*made[name])
    return made


def positions(summary, game):
    """The board before each of the moves that can be played, and after the last of them."""
    rules = catalogue.find(summary["contest"]["game"])
    position = catalogue.start(rules, summary["contest"]["size"])
    points = GtpPoints(position.lattice)
    yield position
    for text in game["opening"] + game["moves"]:
        if position.complaint(position.side, points.point_of(text)):
            return
        position.play(position.side, points.point_of(text))
        yield position


# --- files --------------------------------------------------------------------------------------


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def cell(text):
    """A name as a table has it."""
    return harmless(f"'{text}" if text[:1] in {*"=+-@"} else text)


@pytest.mark.parametrize("name", CONTESTS)
@pytest.mark.few(1)
def test_tables(name, reports):
    folder, summary, games = reports[name]
    assert json.loads((folder / "report.json").read_text()) == {
        "summary": json.loads(json.dumps(summary)), "games": games}
    found = rows(folder / "games.csv")
    assert len(found) == len(games)
    for row, game in zip(found, games):
        for key in ("game", "round", "ending"):
            assert row[key] == str(game[key])
        for key in ("first", "second", "winner"):
            assert row[key] == cell(game[key] or "")
        assert (row["opening"].split(), row["moves"].split()) == (game["opening"], game["moves"])
        assert int(row["plies"]) == len(game["opening"]) + len(game["moves"])
        for side, begin in (("first", 0), ("second", 1)):
            assert float(row[f"seconds_{side}"]) == pytest.approx(sum(game["seconds"][begin::2]))
    for row, player in zip(rows(folder / "players.csv"), summary["players"]):
        assert row["name"] == cell(player["name"])
        for key in ("rank", "points", "games", "won", "lost", "elo", "high", "nodes"):
            assert row[key] == ("" if player[key] is None else str(player[key]))
        assert int(row["second_drawn"]) == player["second"]["drawn"]
        assert int(row["lost_time"]) == player["losses"].get("TIME", 0)


@pytest.mark.parametrize("name", CONTESTS)
@pytest.mark.few(1)
def test_openings(name, reports):
    """The first rows of each level are answers that so many games have given."""
    folder, _, games = reports[name]
    page = (folder / "index.html").read_text()
    table = page[page.index('<table id="openings">'):]
    found = re.findall(r'<tr><th[^>]*: ([0-9.]+)rem">([^<]+)</th>\s*<td>([0-9]+)</td>',
                       table[:table.index("</table>")])
    counts = {level: [int(games) for each, _, games in found if each == level]
              for level, *_ in found}
    assert [*counts] == ["0.6", "2.0", "3.4"] and sum(counts["0.6"]) == len(games)
    assert sum(counts["2.0"]) <= len(games)


FORMULAS = [  # a name, what stands in the tables
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", r"'\tx"),
    ("\rx", r"'\rx"), ("'=1", "'=1"), ("1-1", "1-1"), ("a,=1", "a,=1"), ('a"\n=1', r'a"\n=1'),
]


@pytest.mark.thorough
def test_names_are_no_formulas(tmp_path):
    """And numbers below 0 are numbers."""
    names = [name for name, _ in FORMULAS]
    games = [played(catalogue.GOMOKU, 5, Random(number), number, *pair)
             for number, pair in enumerate(permutations(names, 2), 1)]
    write_report(tmp_path, contest_of("Gomoku", 5, games, names), games)
    assert {row["name"] for row in rows(tmp_path / "players.csv")} == {
        shown for _, shown in FORMULAS}
    found = rows(tmp_path / "games.csv")
    assert [(row["first"], row["second"]) for row in found] == [
        *permutations([shown for _, shown in FORMULAS], 2)]
    assert min(float(row["elo"]) for row in rows(tmp_path / "players.csv")) < 0


def test_seconds_after_an_odd_opening(tmp_path):
    game = played(catalogue.GOMOKU, 7, Random(1), 1, "a", "b", opened=3)
    write_report(tmp_path, contest_of("Gomoku", 7, [game], ["a", "b"]), [game])
    [row] = rows(tmp_path / "games.csv")
    assert float(row["seconds_second"]) == pytest.approx(sum(game["seconds"][::2]))


@pytest.mark.parametrize("name", CONTESTS)
@pytest.mark.few(1)
def test_sgf(name, reports):
    folder, summary, games = reports[name]
    trees = sgf_grammar.parse_sgf_collection((folder / "games.sgf").read_bytes())
    assert len(trees) == len(games)
    for tree, game in zip(trees, games):
        read = sgf.Sgf_game.from_coarse_game_tree(tree)
        *_, position = positions(summary, game)
        place = position.lattice.display_place
        expected = [(LETTERS[record.colour], place(record.point)[::-1])
                    for record in position.history]
        assert [node.get_move() for node in read.get_main_sequence()[1:]] == expected
        first = LETTERS[position.rules.first]
        colours = {game["first"]: first, game["second"]: "w" if first == "b" else "b"}
        assert {read.get_player_name(colour) for colour in "bw"} == set(colours)
        assert read.get_player_name(first) == game["first"]
        assert read.get_winner() == colours.get(game["winner"])
        assert read.get_root().get("C") == game["verdict"]


RESULTS = [
    (BLACK, "LINE", "B+"), (WHITE, "CAPTURES", "W+"), (WHITE, "RESIGNATION", "W+Resign"),
    (BLACK, "TIME", "B+Time"), (WHITE, "CRASH", "W+Forfeit"), (BLACK, "INVALID_MOVE", "B+Forfeit"),
    (EMPTY, "BOARD_FULL", "0"), (EMPTY, "INTERRUPTED", "Void"),
]


@pytest.mark.parametrize("winner, ending, text", RESULTS)
def test_results_in_sgf(winner, ending, text):
    assert sgf_result(winner, Ending[ending]) == text


def test_the_page_needs_nothing_but_itself(reports):
    for folder, _, _ in reports.values():
        text = (folder / "index.html").read_text(encoding="utf-8")
        text = text.replace('"http://www.w3.org/2000/svg"', "")  # a name, which nobody opens
        assert "http:" not in text and "https:" not in text and "@import" not in text
        for target in re.findall(r"""\b(?:href|src|srcset|action)=["']?([^"'\s>]*)""", text):
            assert target.startswith(("#", "data:,")), target
        assert {*re.findall(r"url\((.)", text)} <= {"#"}
        ids = re.findall(r'\bid(?:="|: ")([^"]*)"', text)
        assert len(ids) == len({*ids})
        assert {*re.findall(r"url\(#([^)]*)\)", text), *re.findall('href="#([^"]+)"', text)} <= {
            *ids}


def test_names_are_only_text(reports):
    for folder, _, games in reports.values():
        text = (folder / "index.html").read_text(encoding="utf-8")
        assert text.count("</script>") == 2 and "<b>&" not in text and "<b>path" not in text
        assert "&lt;b&gt;&amp;&#34;x" in text and NAMES[2] in text
        data = re.search('<script type="application/json" id="data">(.*)</script>', text)[1]
        assert "<" not in data and "\u2028" not in data
        assert {*json.loads(data)["players"]} == {*NAMES}
        assert [game["verdict"] for game in json.loads(data)["games"]] == [
            game["verdict"] for game in games]


def test_the_same_games_give_the_same_report(reports, tmp_path):
    folder, summary, games = reports["Gomoku"]
    write_report(tmp_path, summary, games)
    for path in folder.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {
        "games.csv", "players.csv", "report.json", "games.sgf", "index.html"}


def test_a_match_with_a_test(tmp_path):
    test = {"elo0": 0, "elo1": 5, "alpha": 0.05, "beta": 0.05, "model": "normalized"}
    summary, games = contest("Gomoku", 7, ["a", "b"], test)
    write_report(tmp_path, summary, games)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 'id="plot-test"' in page and "no decision yet" in page


def test_one_who_wins_everything(tmp_path):
    """Its interval is open, which is said and drawn; so are anchors, and no -0 is anywhere."""
    games = [{**played(catalogue.GOMOKU, 7, Random(1), number, *pair), "winner": "a",
              "ending": "LINE"} for number, pair in enumerate(3 * ["ab", "ba"], 1)]
    summary = contest_of("Gomoku", 7, games, "ab", anchor={"b": -1})
    write_report(tmp_path, summary, games)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "<td>1,199</td><td>556 to open</td>" in page
    assert "<td>−1</td><td>open to 642</td>" in page
    assert "a has won all its games: its rating is open upwards." in page
    assert "The mean of all players is 599 Elo." in page and "<dd>b −1 Elo</dd>" in page
    assert "worth 0 Elo (95 %: too few games)" in page and "−0" not in page
    assert [(row["low"], row["high"]) for row in rows(tmp_path / "players.csv")] == [
        ("556.3", ""), ("", "641.6")]


def test_before_the_first_game(tmp_path):
    write_report(tmp_path, contest_of("Pente", 9, [], NAMES), [])
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "0 of 12 played" in page and "<script" not in page and "<svg" not in page


def test_a_file_that_cannot_be_written(reports, tmp_path):
    _, summary, games = reports["Gomoku"]
    (tmp_path / "index.html").mkdir()
    with pytest.raises(OSError):
        write_report(tmp_path, summary, games)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    with pytest.raises(OSError):
        write_report(tmp_path / "games.csv", summary, games)


# --- the page -----------------------------------------------------------------------------------


@pytest.fixture
def no_child_outlives_its_test():
    """The browser does, until the end of the module."""


class Page:
    """A report in the browser; nothing may be said on the console."""

    def __init__(self, browser, folder, fragment=""):
        self.browser = browser
        browser.get("about:blank")
        browser.get(f"{(folder / 'index.html').as_uri()}{fragment}")

    def ask(self, script, *arguments):
        return self.browser.execute_script(f"return {script}", *arguments)

    def text(self, place):
        return self.ask("document.querySelector(arguments[0]).textContent", place)

    def texts(self, places):
        return self.ask("[...document.querySelectorAll(arguments[0])].map(e => e.textContent)",
                        places)

    def press(self, *keys):
        """Press keys wherever the focus is; the games are seen."""
        from selenium.webdriver.common.action_chains import ActionChains
        self.ask("document.getElementById('games').scrollIntoView()")
        ActionChains(self.browser).send_keys(*keys).perform()

    def choose(self, place, text):
        from selenium.webdriver.support.select import Select
        Select(self.browser.find_element("id", place)).select_by_visible_text(text)

    def emulate(self, command, **arguments):
        self.browser.execute_cdp_cmd(f"Emulation.{command}", arguments)


@pytest.fixture
def page(browser, reports):
    """A function that opens the report of a game."""
    browser.get("about:blank")
    browser.get_log("browser")  # what was said on pages of other tests
    yield lambda name, fragment="": Page(browser, reports[name][0], fragment)
    assert browser.get_log("browser") == []


@pytest.fixture
def keys():
    return pytest.importorskip("selenium.webdriver").Keys


def number(text):
    return float(text.replace("−", "-").replace(",", "").rstrip(" %"))


@pytest.mark.parametrize("name", ["Pente", "Gomoku-swap"])
def test_numbers_of_the_page(name, page, reports):
    _, summary, games = reports[name]
    shown = page(name)
    head = shown.texts("#standings thead th")
    lines = shown.ask("[...document.querySelectorAll('#standings tbody tr')].map("
                      "row => [...row.cells].map(cell => cell.textContent))")
    assert len(lines) == len(summary["players"])
    for line, player in zip(lines, summary["players"]):
        cells = dict(zip(head, line))
        assert cells["Player"] == player["name"]
        for title, key, off in (("Rank", "rank", 0), ("Elo", "elo", 0.5), ("Points", "points", 0),
                                ("Games", "games", 0), ("SB", "sonneborn_berger", 0.005),
                                ("Plies", "plies", 0.05), ("s/move", "seconds", 0.0005)):
            assert number(cells[title]) == pytest.approx(player[key], abs=off + 1e-9)
        for title, part in (("W–D–L", player), ("First", player["first"]),
                            ("Second", player["second"])):
            assert cells[title] == f"{part['won']}–{part['drawn']}–{part['lost']}"
        assert int(cells["out of time"]) == player["losses"].get("TIME", 0)
        assert (cells["Nodes"] == "–") == (player["nodes"] is None)
    names = [player["name"] for player in summary["players"]]
    for table, values in (("cross", summary["cross"]), ("superiority", summary["superiority"])):
        cells = iter(shown.texts(f"#{table} tbody td"))
        for a in names:
            for b in names:
                text, value = next(cells), values[a].get(b)
                if value is None:
                    assert text == ""
                elif table == "superiority":
                    assert number(text) == pytest.approx(100 * value, abs=0.0501)
                else:
                    score = f"{value['won']}–{value['drawn']}–{value['lost']}"
                    pairs = " ".join(map(str, value["pairs"]))
                    assert re.sub(r"\n\s*", "|", text) == f"{value['points']:.1f}|{score}{pairs}"
    assert shown.text("#count") == f"{len(games)} of {len(games)} games"
    assert unescape(shown.text("title")).startswith(f"{name}: round-robin of ")


STEPS = """
    const steps = [];
    for (const forward = document.getElementById("forward"); ; forward.click()) {
      steps.push([location.hash,
        [...document.querySelectorAll("#boards .flat [data-place]")].map(
          (point) => point.getAttribute("aria-label").split(", ")),
        [...document.querySelectorAll("#boards .flat .point")].map((mark) => mark.textContent)]);
      if (forward.disabled) return steps;
    }"""


@pytest.mark.parametrize("name", CONTESTS)
@pytest.mark.few(1)
def test_the_board_is_that_of_the_rules(name, page, reports):
    _, summary, games = reports[name]
    ended = {game["ending"]: game for game in games}
    for game in [games[0], *(ended[key] for key in ("INVALID_MOVE", "CAPTURES") if key in ended)]:
        shown = page(name, f"#game={game['game']}&ply=0")
        steps = shown.browser.execute_script(STEPS)
        assert len(steps) == 1 + len(game["opening"]) + len(game["moves"])
        for ply, (position, (address, labels, texts)) in enumerate(
                zip(positions(summary, game), steps)):
            view, points = BoardView(position), position.lattice.points
            words = {**view.colours, EMPTY: "empty"}
            assert [label[:2] for label in labels] == [
                [view.name(point), words[position.cells[point]]] for point in points]
            numbers = {record.point: str(number)
                       for number, record in enumerate(position.history, 1)}
            assert texts == [numbers[point] if position.cells[point] != EMPTY else ""
                             for point in points]
            assert address == f"#game={game['game']}&ply={ply}"
        if game["ending"] == "INVALID_MOVE":
            assert steps[-1][2] == steps[-2][2]
            shown.ask("document.getElementById('back').click()")
        marks = shown.ask("[...document.querySelectorAll('#boards .flat :is(.won, .last)')]"
                          ".map(mark => Number(mark.dataset.point))")
        assert {position.lattice.points[mark] for mark in marks} == {
            *position.winning_stones(), position.history[-1].point}


def test_a_press_on_a_stone(page, reports):
    """It leads to the move that put the stone there; on an empty point it does nothing."""
    _, summary, games = reports["Qubic"]
    game, shown = games[1], page("Qubic", "#game=2")
    *_, position = positions(summary, game)
    for board in ("cube", "flat"):
        for number in (1, len(position.history) // 2):
            shown.ask("document.getElementById('last').click()")
            place = position.lattice.points.index(position.history[number - 1].point)
            point = f"document.querySelector('#boards .{board} [data-place=\"{place}\"]')"
            shown.ask(f"{point}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
            assert shown.ask("location.hash") == f"#game=2&ply={number}"
    shown.ask("document.getElementById('first').click()")
    shown.ask(f"{point}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    assert shown.ask("location.hash") == "#game=2&ply=0"


@pytest.mark.thorough
def test_keys_and_the_address(page, reports, keys):
    _, summary, games = reports["Gomoku"]
    plies = [len(game["opening"]) + len(game["moves"]) for game in games]
    shown = page("Gomoku")

    def address():
        return shown.ask("location.hash")

    assert address() == "" and shown.text("#heading").startswith("Game 1: ")
    for key, expected in ((keys.ARROW_LEFT, f"#game=1&ply={plies[0] - 1}"),
                          (keys.HOME, "#game=1&ply=0"), (keys.ARROW_LEFT, "#game=1&ply=0"),
                          (keys.ARROW_RIGHT, "#game=1&ply=1"),
                          (keys.END, f"#game=1&ply={plies[0]}"),
                          ("n", f"#game=2&ply={plies[1]}"), ("p", f"#game=1&ply={plies[0]}"),
                          ("p", f"#game=1&ply={plies[0]}")):
        shown.press(key)
        assert address() == expected
    shown.ask("document.querySelector('#rows tr[tabindex=\"0\"]').focus()")
    shown.press(keys.ARROW_DOWN, keys.ARROW_DOWN, keys.ENTER, keys.HOME, keys.ARROW_RIGHT)
    assert address() == "#game=3&ply=1"
    assert shown.ask("document.getElementById('link').getAttribute('href')") == address()
    place = shown.text("#place")
    assert games[2]["first"] in place and games[2]["opening"][0] in place
    shown.browser.refresh()
    assert shown.text("#place") == place
    for button, expected in (("last", plies[2]), ("back", plies[2] - 1), ("first", 0),
                             ("forward", 1)):
        shown.browser.find_element("id", button).click()
        assert address() == f"#game=3&ply={expected}"
    shown.browser.find_element("css selector", "#rows tr[data-game='5'] a").click()
    assert address() == f"#game=5&ply={plies[4]}"
    ply = plies[4] - 2
    shown.browser.find_element("css selector", f"#move-rows tr[data-ply='{ply}']").click()
    assert address() == f"#game=5&ply={ply}"


def test_what_is_said_of_a_move(page, reports):
    _, _, games = reports["Gomoku"]
    game = next(game for game in games if game["ending"] == "INVALID_MOVE" and any(game["told"]))
    shown = page("Gomoku", f"#game={game['game']}")
    lines = shown.ask("[...document.querySelectorAll('#move-rows tr')].map("
                      "row => [...row.cells].map(cell => cell.textContent))")
    opened = len(game["opening"])
    assert [line[2] for line in lines[:opened]] == ["opening"] * opened
    for line, text, seconds, told in zip(lines[opened:], game["moves"], game["seconds"],
                                         game["told"]):
        assert line[1].split()[0] == text
        assert number(line[2]) == pytest.approx(seconds, abs=0.00051)
        assert line[3:5] == [str(told["depth"]), f"{told['nodes']:,}"] if told else ["", ""]
        assert line[5] == (f"{float(format(told['value'], '.4g'))}" if told else "")
    assert lines[-1][1] == f"{game['moves'][-1]} (not played)"
    assert shown.text("#verdict") == game["verdict"]
    assert len(shown.texts("#graph polyline")) == 1
    low, high = (min, max)
    values = [float(f"{told['value']:.4g}") for told in game["told"] if told]
    assert shown.text("#scales") == f"{NAMES[0]}: {low(values)} to {high(values)}"


@pytest.mark.thorough
def test_filters(page, reports):
    _, summary, games = reports["Pente"]
    shown = page("Pente")

    def listed():
        return [int(text) for text in shown.texts("#rows a")]

    for ending in {game["ending"] for game in games}:
        shown.choose("by-ending", Ending[ending].value)
        assert listed() == [game["game"] for game in games if game["ending"] == ending]
    shown.choose("by-ending", "all")
    shown.ask("(document.getElementById('by-player').selectedIndex = 1, document.getElementById("
              "'by-player').dispatchEvent(new Event('change')))")
    name = summary["players"][0]["name"]
    assert listed() == [game["game"] for game in games if name in (game["first"], game["second"])]
    shown.ask("document.activeElement.blur()")
    shown.press("n", "n")
    assert shown.text("#heading").startswith(f"Game {listed()[2]}: ")
    shown.ask("(document.getElementById('by-player').selectedIndex = 0)")
    found = games[4]["opening"]
    [choice] = [text for text in shown.texts("#by-opening option") if text.endswith(
        ": " + " ".join(found))]
    shown.choose("by-opening", choice)
    assert listed() == [game["game"] for game in games if game["opening"] == found]


@pytest.mark.thorough
def test_a_thousand_games(browser, tmp_path):
    """They open, the list grows as it is needed, and all of it is there on paper."""
    game = played(catalogue.GOMOKU, 7, Random(2), 1, *NAMES[:2])
    games = [{**game, "game": count, "at": float(count)} for count in range(1, 1001)]
    write_report(tmp_path, contest_of("Gomoku", 7, games, NAMES[:2]), games)
    shown = Page(browser, tmp_path)
    few = len(shown.texts("#rows tr"))
    assert 0 < few < 1000
    shown.ask("document.getElementById('list').scrollTo(0, 10**6)")
    browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame("
                                 "arguments[arguments.length - 1]))")
    assert len(shown.texts("#rows tr")) > few
    shown = Page(browser, tmp_path, "#game=999&ply=3")
    assert len(shown.texts("#rows tr[aria-current] a")) == 1
    assert shown.text("#heading").startswith("Game 999: ")
    shown.emulate("setEmulatedMedia", media="print")
    shown.ask("dispatchEvent(new Event('beforeprint'))")
    try:
        assert len(shown.texts("#rows tr")) == 1000
        for place, seen in (("viewer", False), ("by-player", False), ("list", True)):
            assert browser.find_element("id", place).is_displayed() == seen
    finally:
        shown.emulate("setEmulatedMedia", media="")
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("name", ["Gomoku", "Qubic"])
@pytest.mark.thorough
def test_a_narrow_screen_and_the_dark(name, page):
    shown = page(name)
    size = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    colours = set()
    try:
        shown.emulate("setDeviceMetricsOverride", **size)
        assert shown.ask("document.documentElement.scrollWidth") <= 360
        for scheme in ("light", "dark"):
            shown.emulate("setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": scheme}])
            colours |= {shown.ask("getComputedStyle(arguments[0])[arguments[1]]", found, style)
                        for found, style in ((shown.browser.find_element("tag name", "body"),
                                              "backgroundColor"),
                                             (shown.browser.find_element(
                                                 "css selector", ".plot text"), "fill"))}
    finally:
        shown.emulate("clearDeviceMetricsOverride")
        shown.emulate("setEmulatedMedia", features=[])
    assert len(colours) == 4
