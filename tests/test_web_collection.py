"""Collections of games on the server of the board: answers, search, games to open."""

import os

import pytest

from gtp_engine.games import catalogue
from gtp_engine.records.collection import Answer, Collection, Game, merged
from gtp_engine.web.server.archive import Archive, open_archive
from tests.positions import after
from tests.test_records import RIF

NAMES = ("Ann", "Ben"), ("Žofie", "Ben"), ("Cid", "Dov")


def write_games(folder):
    """Three games on 9 × 9 in two files; two of them reach the same position, mirrored."""
    folder.mkdir(exist_ok=True)
    games = [f"(;SZ[9]PB[{black}]PW[{white}]EV[Cup]DT[200{i}-05-01]RE[{result}]{moves})"
             for i, ((black, white), result, moves) in enumerate(zip(NAMES, ("B+", "W+", "0"), (
                 ";B[ee];W[ed];B[aa]", ";B[ee];W[ef];B[bb]", ";B[aa];W[bb]")))]
    (folder / "a.sgf").write_text("".join(games[:2]), encoding="utf-8")
    (folder / "b.sgf").write_text(games[2], encoding="utf-8")


def make_collection(path, *files):
    with Collection(path) as collection:
        assert [error for _, _, error in collection.index(files) if error] == []
    return path


@pytest.fixture
def games(tmp_path):
    write_games(tmp_path / "files")
    return make_collection(tmp_path / "x.games", tmp_path / "files")


def ask(page, words="", skip=0):
    """The games that are found: Black, result; and their number."""
    page.say("collected", words=words, skip=skip)
    found = page.until("collected")
    return [f"{game['black']} {game['result']}" for game in found["games"]], found["count"]


def test_answers_of_all_games(own_server, games):
    """The games of the user and of the collection are summed up."""
    page = own_server("--collection", str(games)).page()
    assert page.hello["collections"] == 1
    page.new("Gomoku", 9)
    for place in (40, 0, 41, 1, 42, 2, 43, 3, 44):
        state = page.play(place)
    assert state["over"]
    page.say("explore", node=0)
    found = page.until("explored")
    assert found["games"] == 4
    assert [(len(each["points"]), *[each[key] for key in ("games", "won", "lost", "years")])
            for each in found["answers"]] == [
                (1, 3, 2, 1, [2000, 2001]), (4, 1, 0, 0, [2002, 2002])]


SEARCHES = [  # words, games that are found
    ("", "Cid 0, Žofie W+, Ann B+"), ("ŽOFIE", "Žofie W+"), ("ben cup", "Žofie W+, Ann B+"),
    ("ann cid", ""), ("2002", "Cid 0")]


def test_search_and_open(own_server, games, tmp_path):
    page = own_server("--collection", str(games)).page()
    page.new("Gomoku", 9)
    for words, expected in SEARCHES:
        names = expected.split(", ") if expected else []
        assert ask(page, words) == (names, len(names))
    page.play(40)
    page.play(39)
    assert ask(page) == (["Žofie W+", "Ann B+"], 2), "reached by symmetry"
    page.say("collected", words="ann", skip=0)
    row, = page.until("collected")["games"]
    assert row["event"] == "Cup" and row["date"] == "2000-05-01"
    place = {"collection": row["collection"], "id": row["id"]}
    page.say("open_collected", **place)
    state = page.until("game")
    assert len(page.path()) == 4 and state["info"]["names"]["black"] == "Ann"
    assert page.refusal("open_collected", collection=0, id=99) == "there is no such game"
    assert page.refusal("open_collected", collection=1, id=1) == "there is no such game"
    path = tmp_path / "files" / "a.sgf"
    os.utime(path, (1, 1))
    assert page.refusal("open_collected", **place) == (
        "the file of this game cannot be read: the file has changed")
    path.unlink()
    assert page.refusal("open_collected", **place) == "the file of this game is gone"


def test_pages_of_games(tmp_path):
    """Twenty games a page, from one collection after the other."""
    archive = Archive()
    for count in (15, 0, 30):
        archive.collections = [*archive.collections, Collection()]
        for number in range(count):
            archive.collections[-1].add(Game(after("E5 A1", catalogue.GOMOKU, 9), None, (),
                                             {"black": f"{count}-{number}"}))
    start, found = catalogue.start(catalogue.GOMOKU, 9), []
    for skip, size in ((0, 20), (20, 20), (40, 5), (60, 0)):
        rows, count = archive.search(start, "", skip)
        assert count == 45 and len(rows) == size
        found += [row["black"] for row in rows]
    assert found == [f"{count}-{number}" for count in (15, 30) for number in reversed(range(count))]
    assert archive.games(catalogue.GOMOKU, 9) == archive.answers(start)[0].games == 45
    assert archive.record(2, 30).headers["black"] == "30-29", "of the moves, without a file"


def test_renjunet_is_only_used_offline(tmp_path, own_server, caplog):
    write_games(tmp_path / "files")
    (tmp_path / "files" / "x.rif").write_text(RIF.format(result="1", moves="h8 i9 h10"))
    path = make_collection(tmp_path / "x.games", tmp_path / "files")
    archive = open_archive([path], watch_only=False)
    assert archive.collections[0].formats() == {"SGF", "RenjuNet"} and caplog.text == ""
    archive.close()
    assert open_archive([path], watch_only=True).collections == []
    assert len(caplog.messages) == 1 and "may only be used offline" in caplog.text
    other = make_collection(tmp_path / "y.games", tmp_path / "files" / "a.sgf")
    server = own_server("--watch-only", "--collection", str(path), "--collection", str(other))
    page = server.page()
    assert page.hello["collections"] == 1
    assert page.refusal("open_collected", collection=0, id=1) == "this page is read-only"
    _, errors = server.stop()
    assert "games of RenjuNet may only be used offline" in errors


@pytest.mark.parametrize("content, complaint", [
    (None, "No such file or directory"), (b"x" * 1000, "not a collection")])
def test_no_collection(content, complaint, tmp_path, ours):
    path = tmp_path / "x.games"
    if content:
        path.write_bytes(content)
    status, _, errors = ours("web", "--no-browser", "--data", tmp_path, "--collection", path)
    assert status == 2 and errors.splitlines()[-1].endswith(f"{path}: {complaint}")


@pytest.mark.thorough
def test_the_list_of_games(tab, server, own_server, tmp_path):
    """Under the table of the openings: search, further games, a game to open."""
    from tests.browser import GAME, STONES, Tab
    moves = ";B[ee];W[ed];B[aa]"
    (tmp_path / "a.sgf").write_text("".join(
        f"(;SZ[9]PB[Ann {i}]PW[Ben]EV[Cup]RE[B+]{moves})" for i in range(25)))
    path = make_collection(tmp_path / "x.games", tmp_path / "a.sgf")
    tab = Tab(tab.browser, own_server("--collection", str(path)).address)
    tab.new(size=9, white=GAME["black"])
    tab.click("#tab-explorer")
    rows = "document.querySelectorAll('#collected tbody tr').length"
    tab.wait(f"{rows} === 20")
    assert tab.text("collection-note") == "The last 20 of 25 games"
    tab.check_accessibility()
    tab.click("#collection-more")
    tab.wait(f"{rows} === 25 && !document.getElementById('collection-more').checkVisibility()")
    tab.click("#collection-search")
    tab.press(*"ann 22")
    tab.wait(f"{rows} === 1")
    assert tab.text("collection-note") == "1 game matches “ann 22”."
    assert tab.ask("[...document.querySelector('#collected tbody tr').cells].map("
                   "c => c.textContent).join('|')") == "Ann 22 – Ben|B+||Cup"
    tab.play(0)
    tab.wait(f"{rows} === 0")
    tab.click("#previous")
    tab.click("#collected tbody .line")
    tab.wait("document.querySelectorAll(arguments[0]).length === 3", STONES)
    assert not tab.console()
    Tab(tab.browser, server.address)  # no page waits for a server that has ended


def test_merged():
    one = Answer((1,), 3, 2, 0, 1, 0.5, "", (2001, 2003))
    two = Answer((1,), 1, 0, 1, 0, -0.5, "best", (1999, 1999))
    other = Answer((2, 4), 9)
    assert merged([[one], [two, other]]) == [
        other, Answer((1,), 4, 2, 1, 1, 0.25, "best", (1999, 2003))]
    assert merged([[one], [other._replace(points=(1,))]])[0].value == 0.5
