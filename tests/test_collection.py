"""Collections of games: held against slow code; files that change; a run that is killed."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

import gtp_engine
from gtp_engine.__main__ import main
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE
from gtp_engine.games.tree import ROOT, tree_of
from gtp_engine.records import collection as collections, reader
from gtp_engine.records.collection import Collection, Game
from gtp_engine.records.keys import PositionKeys
from gtp_engine.records.sgf import sgf_of
from tests.positions import after, random_game
from tests.test_records import random_tree

HEADERS = ({"PB": "Ann", "PW": "Ben", "EV": "Cup 1", "DT": "2001-02-03", "RE": "B+",
            "ON": "Direct"},
           {"PB": "Cid", "PW": "Ann", "EV": "Cup 2", "DT": "1999", "RE": "W+R", "RU": "Swap2"},
           {"PB": "Dov", "PW": "Eve", "EV": "cup 2", "RE": "0"})


def position(moves, rules=catalogue.GOMOKU, size=9):
    return after(moves, rules, size)


@pytest.fixture
def folder(tmp_path):
    """Three games in two files."""
    games = [sgf_of(position(moves), headers) for moves, headers in zip(
        ("E5 E6 F7", "E5 D5 A1", "E5 F6"), HEADERS)]
    (tmp_path / "a.sgf").write_bytes(games[0] + games[1])
    (tmp_path / "b.sgf").write_bytes(games[2])
    return tmp_path


def index(collection, *paths):
    """Index files; return the errors."""
    return [error for _, _, error in collection.index(paths) if error]


def table(collection, moves=""):
    """The answers to a position: points, games, won, drawn, lost, years."""
    return [(len(each.points), *each[1:5], each.years) for each in collection.answers(
        position(moves))]


def test_display(folder):
    with gtp_engine.Collection() as collection, gtp_engine.Collection(folder / "games.db") as other:
        assert repr(collection) == "<Collection in memory: 0 games>"
        assert repr(other) == f"<Collection {folder / 'games.db'}: 0 games>"


def test_answers_and_years(folder):
    with Collection() as collection:
        assert index(collection, folder) == []
        assert table(collection) == [(1, 3, 1, 1, 1, (1999, 2001))]
        assert table(collection, "E5") == [(4, 2, 1, 0, 1, (1999, 2001)), (4, 1, 0, 1, 0, None)]
        assert table(collection, "A1") == []
        assert collection.kinds() == {(catalogue.GOMOKU, 9): 3}
        assert collection.answers(after("C3", catalogue.GOMOKU, 5)) == []


SEARCHES = [  # words of a search, the players of Black in the games that are found
    ({}, "Dov Cid Ann"), ({"player": "ann"}, "Cid Ann"), ({"event": "CUP 2"}, "Dov Cid"),
    ({"year": 1999}, "Cid"), ({"result": "W+"}, "Cid"), ({"result": "0"}, "Dov"),
    ({"opening": "dir"}, "Ann"), ({"rule": "swap"}, "Cid"), ({"player": "x"}, ""),
    ({"player": "ann", "year": 2001}, "Ann"), ({"position": "E5 E6"}, "Cid Ann"),
    ({"position": "E5 E6 F7"}, "Ann"),
    ({"position": "E5 E6 F8"}, ""), ({"skip": 1}, "Cid Ann"), ({"most": 1}, "Dov"),
]


@pytest.mark.parametrize("words, expected", SEARCHES)
def test_searches(words, expected, folder):
    with Collection() as collection:
        index(collection, folder)
        if "position" in words:
            words = {**words, "position": position(words["position"])}
        found, count = collection.search(**words)
        assert [game.black for game in found] == expected.split()
        assert count == (3 if {*words} <= {"skip", "most"} else len(found))
        for game in found:
            record = [*reader.read(game.path)][game.number - 1]
            assert collections.moves_text(record.position) == game.moves


def test_changed_files(folder):
    """New and changed files are added, the others are not read again."""
    path = folder / "x.games"
    with Collection(path) as collection:
        index(collection, folder)
    (folder / "c.sgf").write_bytes(sgf_of(position("A1 B1"), {}))
    (folder / "b.sgf").write_bytes(sgf_of(position("E5 E6"), {"RE": "W+"}))
    os.utime(folder / "b.sgf", (1, 1))
    stamp = (folder / "a.sgf").stat()
    (folder / "a.sgf").write_bytes(b"x" * stamp.st_size)
    os.utime(folder / "a.sgf", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    with Collection(path) as collection:
        assert index(collection, folder) == []
        assert table(collection)[0][:3] == (1, 3, 1) and table(collection, "E5")[0][1] == 3
        assert sum(collection.kinds().values()) == 4


def test_frequent_positions_have_sums(monkeypatch):
    """The sums in their table are those of the rows, also after games were removed."""
    def sums(collection):
        return collection._db.execute("select count(*) from sums").fetchone()[0]

    rng = Random(4)
    games = []
    for _ in range(60):
        for game in random_game(catalogue.TIC_TAC_TOE, 3, rng, alternate=True):
            pass
        games.append(game)
    monkeypatch.setattr(collections, "MANY", 10)
    monkeypatch.setattr(collections, "SOME", 3)
    few, many = Collection(), Collection()
    removed = []
    for number, game in enumerate(games):
        values = [rng.choice([None, 0.5, -1.0]) for _ in game.history]
        added = Game(game, rng.choice([BLACK, WHITE, EMPTY, None]), values,
                     {"date": str(1990 + number)})
        ids = {collection.add(added) for collection in (few, many)}
        if number % 7 == 0:
            removed += ids
        if number % 10 == 0:
            many.commit()
    many.commit()
    assert sums(many) > 5
    for id in removed:
        few.remove(id)
        many.remove(id)
    few._db.execute("delete from sums")
    for game in games:
        at = game.copy()
        while at.history:
            at.undo()
            assert many.answers(at) == few.answers(at)


@pytest.mark.parametrize("seed", range(3))
def test_a_library(seed, tmp_path):
    """Every node of a tree is an answer; equal ones count once."""
    tree = random_tree(Random(seed))
    (tmp_path / "x.lib").write_bytes(reader.write(tree, "lib")[0])
    with Collection() as collection:
        assert index(collection, tmp_path) == []
        keys = PositionKeys(tree.position(ROOT).lattice, 5)
        for number in tree.nodes:
            before = tree.position(number)
            if before.outcome:
                continue
            expected = set()
            for other in tree.nodes:
                at = tree.position(other)
                if keys.of_position(at)[0] == keys.of_position(before)[0]:
                    for child in tree.nodes[other].children:
                        expected.add(keys.of_position(tree.position(child))[0])
            found = set()
            for answer in collection.answers(before):
                assert answer.games == 1
                before.play(before.side, answer.points[0])
                found.add(keys.of_position(before)[0])
                before.undo()
            assert found == expected
            assert len(collection.search(before)[0]) == 1, "the library reaches it"


def test_an_unreadable_file_is_tried_again(folder):
    """The next run names it again, and reads it once it is readable."""
    path = folder / "x.games"
    (folder / "c.sgf").write_bytes(b"no game")
    for _ in range(2):
        with Collection(path) as collection:
            assert [error[:10] for error in index(collection, folder)] == ["not a game"]
    with Collection(path) as collection:
        collection._db.execute("update files set size = 60, changed = 7 where path like '%c.sgf'")
    (folder / "c.sgf").write_bytes(b"(;SZ[9];B[aa])".ljust(60))
    os.utime(folder / "c.sgf", ns=(7, 7))
    with Collection(path) as collection:
        assert index(collection, folder) == []
        assert sum(collection.kinds().values()) == 4


def test_bad_games_cost_themselves(folder):
    (folder / "c.sgf").write_bytes(b"(;SZ[99];B[aa])(;SZ[9];B[aa];W[aa];B[bb])")
    with Collection() as collection:
        said = [each for each in collection.index([folder]) if "c.sgf" in each[0]]
        assert [(name.rpartition("/")[2], error[:18]) for name, _, error in said] == [
            ("c.sgf, game 1", "Gomoku is played o"), ("c.sgf, game 2", "")]
        assert said[1][1] == ["move 2 is illegal: occupied; the line is read up to there"]
        assert sum(collection.kinds().values()) == 4


def test_files_that_are_no_collections(tmp_path):
    (tmp_path / "x.games").write_bytes(b"hello" * 1000)
    with pytest.raises(ValueError, match="x.games: not a collection"):
        Collection(tmp_path / "x.games")
    with sqlite3.connect(tmp_path / "y.games") as database:
        database.execute("create table t (x)")
    with pytest.raises(ValueError, match="not a collection of this version"):
        Collection(tmp_path / "y.games")
    with pytest.raises(OSError, match="unable to open"):
        Collection(tmp_path / "no" / "x.games")


KILLED = """
import sys
from pathlib import Path
from gtp_engine.records import collection
collection.MOST_MOVES = 100
with collection.Collection(sys.argv[1]) as games:
    for each in games.index([Path(sys.argv[2])]):
        pass
print("end", flush=True)
"""


def test_a_killed_run_continues(tmp_path):
    """A run is killed several times; the last one ends with each game once."""
    data = b"".join(sgf_of(position(f"E5 {'ABCDEFGHJ'[n % 9]}{n // 9 % 4 + 1}"), {})
                    for n in range(6000))
    (tmp_path / "a.sgf").write_bytes(data)
    path = tmp_path / "x.games"
    command = [sys.executable, "-c", KILLED, str(path), str(tmp_path / "a.sgf")]
    counts = []
    for _ in range(2):
        with subprocess.Popen(command, cwd=Path(__file__).parent.parent,
                              stdout=subprocess.PIPE) as process:
            before = counts[-1] if counts else 0
            while process.poll() is None and (not path.exists() or count(path) < before + 300):
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
        counts.append(count(path))
    assert 0 < counts[0] < counts[1] < 6000
    subprocess.run(command, cwd=Path(__file__).parent.parent, check=True)
    with Collection(path) as collection:
        assert table(collection)[0][1] == 6000 == sum(collection.kinds().values())


def count(path):
    """The number of committed games, read by another connection while a process writes."""
    try:
        with sqlite3.connect(path) as database:
            return database.execute("select count(*) from games").fetchone()[0]
    except sqlite3.OperationalError:  # the tables are not there yet
        return 0


def test_the_library(folder):
    game = gtp_engine.Game("Gomoku", 9)
    with gtp_engine.Collection(folder / "x.games") as collection:
        collection.index([folder])
        assert (len(collection), collection.errors, collection.notes) == (
            3, [], [f"{folder / 'a.sgf'}, game 2: the rules 'Swap2' are not supported; read as "
                    "Gomoku"])
        answer, = collection.answers(game)
        assert (answer.points, answer.games, answer.years) == (["E5"], 3, (1999, 2001))
        found, count = collection.search(player="Ann")
        assert count == 2 and found[0].moves == "e5d5a1"
        assert repr(collection).endswith("x.games: 3 games>")


def test_explore(folder, capsys):
    path = folder / "x.games"
    assert main(["explore", str(folder), "--index", str(path), "--position", "E5"]) == 0
    assert "3 games, white to move" in capsys.readouterr().out
    assert main(["explore", str(path), "--player", "ann", "--list", "1"]) == 0
    out = capsys.readouterr().out
    assert "1 of 2 games" in out and "Cid" in out and "Dov" not in out
    with pytest.raises(SystemExit):
        main(["explore"])
    assert "no games: name files, folders or a collection" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["explore", str(folder / "none.games")])


def test_convert(folder, capsys):
    """Several games to one file or to a folder; losses are said."""
    out = folder / "out.txt"
    assert main(["convert", str(folder), "--to", "text", "-o", str(out)]) == 0
    assert out.read_text() == "e5e6f7\ne5d5a1\ne5f6\n"
    err = capsys.readouterr().err.splitlines()
    assert f"{folder / 'b.sgf'}: headers are left out: black, white, result, event" in err
    out.unlink()
    assert main(["convert", str(folder), "--to", "psq", "-o", str(folder / "psq")]) == 0
    assert sorted(path.name for path in (folder / "psq").iterdir()) == [
        "a-1.psq", "a-2.psq", "b.psq"]
    with pytest.raises(SystemExit):
        main(["convert", str(folder / "a.sgf"), "--to", "psq", "-o", str(folder / "x.psq")])
    assert "a file of psq holds one game, and there are 2" in capsys.readouterr().err
    assert main(["convert", str(folder / "a.sgf"), "--to", "lib", "-o", "-"]) == 1
    assert "cannot write" in capsys.readouterr().err
    assert tree_of(position("E5")).nodes
