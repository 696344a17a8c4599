"""Games on the disk: the files, what a list of them says, and what happens when the disk fails."""

import json
import os
import sqlite3

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.games.tree import ROOT, GameTree, Step
from gtp_engine.web.fields import Refusal
from gtp_engine.web.games import Game, Store
from gtp_engine.web.server.index import Index
from tests.programs import until
from tests.web import NO_CLOCK, PERSON, QUICK, Server


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "games")


@pytest.fixture
def server(tmp_path):
    found = Server(tmp_path / "data")
    yield found
    if found.process.poll() is None:
        found.stop()


def new_game(rules=catalogue.PENTE_FREE, size=9, places=(0,), **info):
    """A game between persons, with stones on these points."""
    game = Game(GameTree(rules, size), {BLACK: PERSON, WHITE: PERSON}, dict(NO_CLOCK))
    game.tree.info = info
    points = game.position.lattice.points
    for place in places:
        game.live = game.tree.add(game.live, Step(move=(game.position.side, points[place])))
    return game


def keep(store, game, at):
    """Write a game as at that time, in seconds."""
    store.write(game.id, game.data())
    os.utime(store.folder / f"{game.id}.json", (at, at))
    return game.id


def reader(store, read):
    """What an index reads games with; it notes their names in a list."""
    def load(id):
        read.append(id)
        try:
            return store.read(id)
        except ValueError as error:
            raise Refusal(str(error)) from None
    return load


# --- files --------------------------------------------------------------------------------------


def test_store(store):
    assert store.names() == {}
    game = new_game()
    store.write(game.id, game.data())
    assert [*store.names()] == [game.id] and store.read(game.id).data() == game.data()
    for name in ("0" * 16, "../" + game.id, "", "x"):
        with pytest.raises(KeyError):
            store.read(name)
    store.remove(game.id)
    assert store.names() == {}


def test_a_file_is_written_whole_and_at_once(store, monkeypatch):
    """It is synced before it takes the place of the old one; a fault leaves the old one."""
    game, steps = new_game(), []
    store.write(game.id, game.data())
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda file: (steps.append("sync"), fsync(file)))
    monkeypatch.setattr(os, "replace", lambda *names: (steps.append("replace"), replace(*names)))
    store.write(game.id, game.data())
    assert steps == ["sync", "replace"]

    def fail(*names):
        raise OSError(28, "No space left on device")

    before = store.read(game.id).data()
    monkeypatch.setattr(os, "fsync", fail)
    game.playing = False
    with pytest.raises(OSError, match="No space"):
        store.write(game.id, game.data())
    assert store.read(game.id).data() == before
    assert [path.name for path in store.folder.iterdir()] == [f"{game.id}.json"]


def test_looking_at_a_game_does_not_change_its_file(server):
    """Nor its place in the list, which has the game that was changed last first."""
    page = server.page()
    first = page.new()["id"]
    page.play(40)
    second = page.new()["id"]
    path = server.folder / "games" / f"{first}.json"
    before = path.stat().st_mtime_ns, path.read_bytes()
    assert server.stop() == (0, "")
    server.start()
    page = server.page()
    page.say("open", id=first)
    page.until("game")
    page.say("goto", node=0)
    page.until("game", lambda state: state["cursor"] == 0)
    page.say("ask", what="threats")
    page.until("threats")
    page.say("open", id=second)
    page.until("game", lambda state: state["id"] == second)
    page.say("games")
    assert [game["id"] for game in page.until("games")["games"]] == [second, first]
    assert server.stop() == (0, "")
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before


@pytest.mark.thorough
def test_a_file_that_cannot_be_written(server):
    """The pages are told once, the game goes on, and it is kept as soon as that is possible."""
    page = server.page()
    id = page.new()["id"]
    folder = server.folder / "games"
    away = folder.rename(server.folder / "away")
    folder.write_text("in the way")
    page.say("play", point=40)
    text = "the game cannot be saved: File exists; trying again"
    assert page.until("notice")["text"] == text
    page.until("game")
    page.play(41)
    folder.unlink()
    until((folder / f"{id}.json").exists)
    data = json.loads((folder / f"{id}.json").read_text())
    assert len(data["tree"]["nodes"]) == 3 and away.exists()
    status, errors = server.stop()
    assert status == 0 and "cannot be saved" in errors


def test_a_game_that_cannot_be_removed(server):
    page = server.page()
    id = page.new()["id"]
    path = server.folder / "games" / f"{id}.json"
    path.rename(server.folder / "away")
    path.mkdir()  # in the way, for a user who may write everywhere, too
    assert page.refusal("discard", id=id).startswith("the game cannot be deleted: ")
    path.rmdir()
    page.play(40)
    page.say("discard", id=id)
    page.until("discarded")
    assert not path.exists()


# --- summaries ----------------------------------------------------------------------------------


def test_summaries(store, tmp_path):
    """The latest game first, with its players, result, day and last position; found by words."""
    index = Index(tmp_path / "games.sqlite", store, reader(store, []))
    assert index.games("", 10) == ([], 0)
    one = keep(store, new_game(places=[40, 0, 1], black="Ada", white="Grace", event="Cup"), 1000)
    two = keep(store, new_game(catalogue.TIC_TAC_TOE, 3, [0, 3, 1, 4, 2]), 2000)
    (second, first), count = index.games("", 10)
    assert (count, first["id"], second["id"], first["changed"]) == (2, one, two, 1000)
    assert first["players"] == {"black": "Ada", "white": "Grace"}
    assert (first["game"], first["size"], first["plies"]) == ("Pente-free", 9, 3)
    assert first["result"] == "open"
    assert first["cells"].count("1") == 2 and first["last"] == 1
    assert second["result"] == "black won"
    for search, expected in (("", [two, one]), ("ada", [one]), ("GRACE cup", [one]),
                             ("pente-free ada grace", [one]), ("black won", [two]), ("bob", [])):
        found, count = index.games(search, 10)
        assert [game["id"] for game in found] == expected and count == len(expected), search
    assert [game["id"] for game in index.games("", 1)[0]] == [two] and index.games("", 1)[1] == 2


def test_an_index_reads_what_has_changed(store, tmp_path):
    """The files are the truth: what was changed or removed is so in the list; nothing else is
    read, by another server neither."""
    read = []
    index = Index(tmp_path / "games.sqlite", store, reader(store, read))
    games = [new_game(places=range(each)) for each in (1, 2, 3)]
    ids = [keep(store, game, 1000 + at) for at, game in enumerate(games)]
    assert [game["plies"] for game in index.games("", 10)[0]] == [3, 2, 1]
    assert sorted(read) == sorted(ids)
    index.close()
    read.clear()
    index = Index(tmp_path / "games.sqlite", store, reader(store, read))
    assert len(index.games("", 10)[0]) == 3 and not read
    games[0].live = games[0].tree.add(games[0].live, Step(
        move=(WHITE, games[0].position.lattice.points[50])))
    keep(store, games[0], 5000)
    store.remove(ids[1])
    (store.folder / f"{ids[2]}.json").write_text("{")
    assert [(game["id"], game["plies"]) for game in index.games("", 10)[0]] == [(ids[0], 2)]
    assert sorted(read) == sorted([ids[0], ids[2]])
    read.clear()
    assert index.games("", 10)[1] == 1 and not read, "what cannot be read is not tried again"


DAMAGES = {"no database": b"nonsense" * 1000, "empty": b"", "a part": None}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index(damage, store, tmp_path):
    """It is made anew, as one that is missing is."""
    path = tmp_path / "games.sqlite"
    index = Index(path, store, reader(store, []))
    ids = [keep(store, new_game(places=range(each % 4)), 1000 + each) for each in range(40)]
    before = index.games("", 100)
    index.close()
    data = path.read_bytes()
    path.write_bytes(data[:4096] + bytes(len(data) - 4096) if DAMAGES[damage] is None
                     else DAMAGES[damage])
    assert Index(path, store, reader(store, [])).games("", 100) == before
    path.unlink()
    assert Index(path, store, reader(store, [])).games("", 100) == before
    assert before[1] == len(ids)


def test_an_index_that_cannot_be_written(store, tmp_path):
    keep(store, new_game(), 1000)
    folder = tmp_path / "games.sqlite"
    folder.mkdir()
    assert Index(folder, store, reader(store, [])).games("", 10)[1] == 1


def test_an_index_that_is_damaged_meanwhile(store, tmp_path):
    path = tmp_path / "games.sqlite"
    index = Index(path, store, reader(store, []))
    keep(store, new_game(), 1000)
    assert index.games("", 10)[1] == 1
    with sqlite3.connect(path) as connection:
        connection.execute("drop table games")
    assert index.games("", 10)[1] == 1


@pytest.mark.thorough
def test_long_games_are_listed_while_others_play(server):
    """Nobody waits for somebody else's list."""
    store = Store(server.folder / "games")
    rows = [0, 5, 1, 6, 10, 2, 15, 11], [5, 0, 6, 1, 2, 10, 11, 15]
    game = new_game(catalogue.GOMOKU, 19, [19 * row + place for row in range(10)
                                           for place in rows[row % 2]])
    for number in range(3000):
        game.tree.append(ROOT, Step(move=(BLACK, game.position.lattice.points[number % 361])))
    data = game.data()
    for number in range(80):
        id = f"{number:016x}"
        store.write(id, {**data, "id": id})
    page, other = server.page(), server.page()
    page.new()
    other.say("games")
    for point in range(5):
        page.play(point)
    with pytest.raises(TimeoutError):
        while True:
            assert json.loads(other.socket.recv(timeout=0))["do"] != "games"
    assert other.until("games")["count"] == 81


# --- what a list shows --------------------------------------------------------------------------


def test_a_list_with_a_search(server):
    page = server.page()
    first = page.new(white=QUICK)["id"]
    page.play(40)
    page.say("resign")
    page.until("game", lambda state: state["over"])
    second = page.new("Pente", 9)["id"]
    page.say("games")
    told = page.until("games")
    assert [game["id"] for game in told["games"]] == [second, first] and told["count"] == 2
    assert told["games"][1]["result"] == "white won" and told["games"][1]["cells"][40] == "1"
    assert told["games"][1]["players"]["black"] == "person"
    page.say("games", search="pente")
    told = page.until("games", lambda told: told["search"] == "pente")
    assert [game["id"] for game in told["games"]] == [second]
