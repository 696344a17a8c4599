"""Contests: schedules, openings and results; tournaments as real processes that are killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from io import StringIO
from random import Random

import psutil
import pytest

from gtp_engine.__main__ import main
from gtp_engine.arena import cluster
from gtp_engine.arena.process import MARK
from gtp_engine.arena.work import REPEATED, Lost, in_order
from gtp_engine.games import catalogue
from gtp_engine.games.tree import ROOT, GameTree, Step
from gtp_engine.records import reader
from gtp_engine.records.collection import Collection, Game
from gtp_engine.records.record import LONGEST_FILE
from gtp_engine.tournament.contest import contest_of
from gtp_engine.tournament.jobs import play, task_of
from gtp_engine.tournament.live import RUNNING, Running, games_now, live_games
from gtp_engine.tournament.openings import openings_of, play_opening
from gtp_engine.tournament.progress import Score, print_tables, progress_on
from gtp_engine.tournament.report import write_report
from gtp_engine.tournament.results import CONTEST, CONTROL, GAME, LONGEST_LINE, Played, Results
from gtp_engine.tournament.standings import summary_of
from gtp_engine.wire.files import LONGEST_TOML_BYTES
from gtp_engine.wire.notation import GtpPoints
from tests.engine import PATIENCE
from tests.positions import after
from tests.programs import EVIL, FAKE, SHOWN_EVIL, TOP, evil, is_harmless, until


def described(*seats, **data):
    return contest_of({"size": 5, "openings": "none", **data,
                       "player": [{"seat": seat} for seat in seats or ("random", "random")]})


# --- what is played -------------------------------------------------------------------------------

REFUSED_CONTESTS = [
    ({"size": 99}, "sizes"), ({"game": "Chess"}, "no such game: Chess"),
    ({"rounds": 0}, "rounds must be 1"), ({"rounds": "x"}, "rounds is not a whole number"),
    ({"turns": 3}, "turns: there is no such field .the fields are: game. size. "),
    ({"format": "swiss"}, "format must be one of: round-robin gauntlet"),
    ({"time_per_move": 0}, "time must be above 0"), ({"increment": 1}, "increment needs"),
    ({"rounds": True}, "rounds must be a number or a text, not True"),
    ({"points": {"win": "much"}}, "points.win is not a number: much"),
    ({"points": 3}, "points must be an object .the fields are: win. draw. loss.., not 3"),
    ({"points": {"swap": 1}}, "points.swap: there is no such field"),
    ({"test": {"elo0": 5, "elo1": 0}}, "elo1 must be above elo0"),
    ({"test": {"elo0": 0, "elo1": 201}}, "normalized Elo goes from -200 to 200"),
    ({"test": {"alpha": 0.7}}, "alpha and beta"),
    ({"test": {"model": "bayes"}}, "model must be one of: normalized logistic"),
    ({"test": {}, "player": 3 * [{"seat": "random"}]}, "a test needs exactly two players"),
    ({"player": [{"seat": "random"}]}, "a tournament needs"),
    ({"player": "random"}, "player must be a list of tables: begin each with"),
    ({"player": [{"seat": "random"}, {"name": "x"}]}, r"player\[2\].seat is missing"),
    ({"player": [{"seat": "random"}, {"seat": ""}]}, r"player\[2\].seat must be a seat, as in"),
    ({"player": [{"seat": "random"}, {"seat": "random", "nodes": 0}]},
     r"player\[2\].nodes must be 1 to"),
    ({"player": [{"seat": "random", "increment": 1}, {"seat": "random"}]},
     r"player\[1\].increment needs time_per_game"),
    ({"player": 2 * [{"seat": "random", "name": "x"}]}, "two players have the name x"),
    ({"player": [{"seat": "random", "speed": 1}, {"seat": "random"}]},
     r"player\[1\].speed: there is no such field"),
    ({"openings": "/no/where"}, "No such file"),
    ({"anchor": 3}, "anchor must be an object of at most 1000"),
    ({"anchor": {"x": "much"}}, "anchor.x: Elo is not a number: much"),
    ({"test": {"model": "logistic", "elo1": 1e9}}, "elo1 must be -4000 to 4000"),
    ({"points": {"win": float("nan")}}, "win must be -1e\\+09 to 1e\\+09"),
    ({"time_per_move": float("inf")}, "not a time in seconds: inf"),
    ({"size": [[[]]]}, "size must be a number or a text, not "),
    ({"player": [3]}, r"player\[1\] must be an object"),
    ({"player": 1001 * [{"seat": "random"}]}, "player must be a list of at most 1000"),
    ({"player": 30 * [{"seat": "random"}], "rounds": 10**6}, "at most 10000000 games, not 870"),
    ({"seed": 1 << 20_000}, "Exceeds the limit"), ({"game": "\x1b[2J"}, "no such game"),
]


@pytest.mark.parametrize("data, reason", REFUSED_CONTESTS)
def test_contests_that_are_refused(data, reason):
    with pytest.raises((ValueError, OSError), match=reason):
        contest_of({"player": 2 * [{"seat": "random"}], **data})


@pytest.mark.parametrize("format, players, meetings", [
    ("round-robin", 4, 6), ("gauntlet", 4, 3), ("round-robin", 2, 1)])
def test_schedule(format, players, meetings):
    """Two who meet play as many games with each colour, each two from one opening."""
    contest = described(*(f"p{i}=random" for i in range(players)), format=format, rounds=3)
    games = list(contest.schedule())
    assert [game.number for game in games] == [*range(1, contest.games + 1)]
    assert len(games) == 3 * 2 * meetings
    colours = Counter((game.first.name, game.second.name) for game in games)
    assert set(colours.values()) == {3} and len(colours) == 2 * meetings
    for one, other in zip(games[::2], games[1::2]):
        assert (one.first, one.second, one.round) == (other.second, other.first, other.round)
    if format == "gauntlet":
        assert all("p0" in pair for pair in colours)


def test_the_fingerprint():
    """The same for more rounds and for other anchors, another one for anything else."""
    base = described(seed=1)
    assert described(seed=1, rounds=9, anchor={"x": 5}).fingerprint() == base.fingerprint()
    assert base.fingerprint() == "dfa3392329d2aeb5", "files of before are resumed"
    others = [described(seed=2), described(seed=1, size=6), described("random", "flat", seed=1),
              described("a=random", "random", seed=1), described(seed=1, time_per_move=1),
              described(seed=1, openings="even")]
    assert len({contest.fingerprint() for contest in (base, *others)}) == 1 + len(others)


@pytest.mark.parametrize("seats, game, openings", [
    (("random", "random"), "Gomoku", "even"), (("random", "random"), "Qubic", "none"),
    (("random", "in-out:/tmp/x"), "Gomoku", "none"), (("random", "random"), "Gomoku-swap", "none")])
def test_usual_openings(seats, game, openings):
    size = catalogue.find(game).default_size
    assert described(*seats, game=game, size=size, openings="").openings == openings


def test_clocks_of_each_player():
    """What a player says goes before what is said for all."""
    contest = contest_of({"time_per_move": 2, "nodes": 9, "player": [
        {"seat": "alphabeta"}, {"seat": "alphabeta", "time_per_move": 0.5, "depth": 3}]})
    one, other = (player.control for player in contest.players)
    assert (one.per_move, one.nodes, one.depth) == (2, 9, None)
    assert (other.per_move, other.nodes, other.depth) == (0.5, 9, 3)


# --- openings -------------------------------------------------------------------------------------

LINES = [  # on 5x5: a line, and what it means
    ("C3 B2 A1", "C3 B2 A1"), ("c3, b2,a1", "C3 B2 A1"), ("c3b2a1", "C3 B2 A1"),
    ("0,0,-1,-1,2,2", "C3 B4 E1"), ("0,0 -1,-1 2,2", "C3 B4 E1"),
    ("C3 C3", ValueError), ("C9", ValueError), ("0,0,1", ValueError), ("9,9", ValueError),
    ("hello", ValueError), ("A1 E5 B1 E4 C1 D4 D1 D5 E1", ValueError),
    (10_000 * "a1", ValueError), (5000 * "9" + ",1", ValueError), (10**6 * "[", ValueError),
]


@pytest.mark.parametrize("line, meaning", LINES)
def test_lines_of_openings(line, meaning, tmp_path):
    (tmp_path / "openings.txt").write_text(f"# some\n\n{line}\n")
    source = str(tmp_path / "openings.txt")
    if meaning is ValueError:
        with pytest.raises(ValueError, match=r"openings\.txt(, line 3)?: "):
            openings_of(source, catalogue.GOMOKU, 5)
    else:
        assert openings_of(source, catalogue.GOMOKU, 5) == (tuple(meaning.split()),)


def test_a_column_i_is_there_where_letters_and_numbers_stand_together(tmp_path):
    (tmp_path / "x").write_text("i1j1\nI1 J1\n")
    assert openings_of(str(tmp_path / "x"), catalogue.GOMOKU, 15) == (("J1", "K1"), ("J1", "K1"))
    (tmp_path / "x").write_text("H1 J1\n")
    assert openings_of(str(tmp_path / "x"), catalogue.GOMOKU, 15) == (("H1", "J1"),)


def test_openings_from_a_library(tmp_path):
    """Every line of so many plies; the same stones in another order count once."""
    path = tmp_path / "x.lib"
    tree = GameTree(catalogue.GOMOKU, 15)
    names = GtpPoints(tree.position(ROOT).lattice)
    for line in ("H8 J9 K10", "K10 J9 H8", "H8 J9 L11", "H8 H9"):
        node = ROOT
        for ply, name in enumerate(line.split()):
            node = tree.add(node, Step(move=(1 + ply % 2, names.point_of(name))))
    path.write_bytes(reader.write(tree, "lib")[0])
    assert openings_of(str(path), catalogue.GOMOKU, 15, 3) == (
        ("H8", "J9", "K10"), ("H8", "J9", "L11"))
    with pytest.raises(ValueError, match="x.lib: a library needs --plies"):
        openings_of(str(path), catalogue.GOMOKU, 15)
    (tmp_path / "x.sgf").write_text("(;SZ[15];B[hh];W[hi];B[aa])")
    assert openings_of(str(tmp_path / "x.sgf"), catalogue.GOMOKU, 15, 2) == (("H8", "H7"),)


def test_openings_from_sgf(tmp_path):
    (tmp_path / "b.sgf").write_text("(;SZ[5];B[cc];W[bd])")
    (tmp_path / "a.SGF").write_text("(;SZ[5];B[ae])")
    assert openings_of(str(tmp_path), catalogue.GOMOKU, 5) == (("A1",), ("C3", "B2"))
    with pytest.raises(ValueError, match="the game is Gomoku on 5, not Gomoku on 6"):
        openings_of(str(tmp_path), catalogue.GOMOKU, 6)
    (tmp_path / "b.sgf").write_text("(;SZ[5]AB[cc];W[bd])")
    with pytest.raises(ValueError, match="b.sgf: an opening has moves only"):
        openings_of(str(tmp_path / "b.sgf"), catalogue.GOMOKU, 5)


def test_openings_from_a_collection_with_balance(tmp_path):
    """The first moves of its games, each opening once; those with a clear leader stay out."""
    path = tmp_path / "x.games"
    with Collection(path) as games:
        for moves in ("H8 J9 K10 A1", "H8 J9 K10 B1", "H8 A1 J8 B1", "H8"):
            games.add(Game(after(moves, catalogue.GOMOKU, 15)))
    openings = openings_of(str(path), catalogue.GOMOKU, 15, 4)
    assert {*openings} == {("H8", "J9", "K10", "A1"), ("H8", "J9", "K10", "B1"),
                           ("H8", "A1", "J8", "B1")}
    assert {*openings_of(str(path), catalogue.GOMOKU, 15, 3)} == {
        ("H8", "J9", "K10"), ("H8", "A1", "J8")}
    (tmp_path / "x.txt").write_text("H8 A1 J8 B1\nH8 J9 K10\n")
    assert openings_of(str(tmp_path / "x.txt"), catalogue.GOMOKU, 15, balance=400) == (
        ("H8", "J9", "K10"),)
    with pytest.raises(ValueError, match="no openings in"):
        openings_of(str(path), catalogue.GOMOKU, 15, 4, balance=1)
    with pytest.raises(ValueError, match="a collection needs --plies"):
        openings_of(str(path), catalogue.GOMOKU, 15)


def test_openings_from_a_folder_of_files_of_every_kind(tmp_path):
    """Of an SGF file all games, in the order of the file; what is named otherwise is left out."""
    (tmp_path / "a.sgf").write_text("(;SZ[5];B[ae])\n(;SZ[5];B[cc];W[bd])")
    (tmp_path / "b.PSQ").write_text("Piskvorky 5x5, 11:11, 0\n3,3,0\n2,4,0\none\ntwo\n-1\n")
    (tmp_path / "c.txt").write_text("# mine\nc3b2\n\nA1\n")
    (tmp_path / "d.md").write_text("hello")
    expected = (("A1",), ("C3", "B2"), ("C3", "B2"), ("C3", "B2"), ("A1",))
    assert openings_of(str(tmp_path), catalogue.GOMOKU, 5) == expected
    assert openings_of(str(tmp_path / "a.sgf"), catalogue.GOMOKU, 5) == expected[:2]
    (tmp_path / "a.sgf").write_text("(;SZ[5];B[ae])\n(;SZ[5];B[cc];W[cc])")
    with pytest.raises(ValueError, match="a.sgf, game 2: move 2 is illegal: occupied"):
        openings_of(str(tmp_path), catalogue.GOMOKU, 5)
    (tmp_path / "e.txt").write_bytes((LONGEST_FILE // 3 + 1) * b"A1\n")
    with pytest.raises(ValueError, match="e.txt: the file is longer than 16777216 bytes"):
        openings_of(str(tmp_path / "e.txt"), catalogue.GOMOKU, 5)


@pytest.mark.parametrize("game", ["Gomoku", "Pente", "Qubic-3"])
@pytest.mark.few(1)
def test_made_openings(game):
    """The same for the same seed, others for others, with both colours in a pair; played first."""
    rules = catalogue.find(game)
    contest = described(game=game, size=rules.default_size, openings="even", rounds=3, seed=7)
    games = [play(task_of(contest, game, "x")) for game in contest.schedule()]
    assert [game.opening for game in games[::2]] == [game.opening for game in games[1::2]]
    assert len({tuple(game.opening) for game in games}) > 1
    again = play(task_of(contest, next(contest.schedule()), "x"))
    assert again == games[0]._replace(at=again.at, seconds=again.seconds)
    assert again.moves == games[0].moves
    position = contest.start()
    play_opening(position, (*games[0].opening, *games[0].moves[:-1]))
    assert len(games[0].seconds) == len(games[0].told) == len(games[0].moves)


# --- results --------------------------------------------------------------------------------------

FACTS = described("a=random", "b=random").facts()


def game(number, schedule="x"):
    return Played(number, 1, "a", "b", [], ["A1"], [0.1], [{}], "a", "LINE", "a WINS!", 1.0,
                  schedule)


def results_of(path, **more):
    results = Results.resume(path, {**FACTS, **more}, "x")
    results.close()
    return results


def test_results_come_back(tmp_path):
    path = tmp_path / "games.jsonl"
    results = Results.resume(path, FACTS, "x")
    results.add([game(2)])
    results.add([game(1), game(5)])
    assert len(path.read_bytes().splitlines()) == 4, "on the disk at once"
    results.close()
    for found in (Results.read(path), results_of(path)):
        assert found.games == {number: game(number) for number in (2, 1, 5)}
        assert not found.was_partial and found.contest == {**FACTS, "schedule": "x"}
    assert results_of(path, rounds=3).contest["rounds"] == 3
    assert Results.read(path).contest["rounds"] == 3
    assert len(path.read_bytes().splitlines()) == 5


@pytest.mark.parametrize("cut", [1, 40, 150])
def test_a_half_written_line_is_dropped(tmp_path, cut):
    path = tmp_path / "games.jsonl"
    results = Results.resume(path, FACTS, "x")
    results.add([game(1)])
    whole = path.read_bytes()
    results.add([game(2)])
    results.close()
    path.write_bytes(path.read_bytes()[:-cut])
    found = results_of(path)
    assert found.was_partial and {*found.games} == {1} and path.read_bytes() == whole


HEAD = json.dumps({**FACTS, "schedule": "x"}) + "\n"


@pytest.mark.parametrize("text, reason", [
    ("{}\n", "line 1 is not a game"), ("hello\n", "line 1 is not a game"),
    (HEAD.replace('"x"', '"y"'), "another tournament"),
    (HEAD + '{"game":1}\n', "line 2 is not a game"),
    (HEAD + 2 * f"{json.dumps(game(1)._asdict())}\n",
     "line 3 is not a game: not of this tournament, or a duplicate"),
    (HEAD + f"{json.dumps(game(1, 'z')._asdict())}\n", "line 2 is not a game"),
    (HEAD + f"{json.dumps(game(1)._asdict())}\nnonsense\n", "games.jsonl, line 3 is not a game"),
    (HEAD + 100_000 * "[" + "\n", "line 2 is not a game"),
], ids=lambda value: value[-40:].strip())
def test_files_that_are_refused(tmp_path, text, reason):
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    with pytest.raises(ValueError, match=reason):
        results_of(path)
    assert path.read_text() == text


ODD_GAMES = [  # a field, what it is, what is said
    ("game", -1, "game must be a whole number of 1 to"),
    ("game", 1.0, "game must be a whole number"),
    ("game", True, "game must be a whole number"), ("game", None, "game must be a whole number"),
    ("round", 0, "round must be a whole number"),
    ("first", ["a"], "first must be a name of one line, of 1 to 200 characters, not ['a']"),
    ("first", "", "first must be a name"), ("first", "a\x1b[2J", "first must be a name"),
    ("first", "a\u202e", "first must be a name"), ("first", "\ud800", "first must be a name"),
    ("first", 201 * "a", "first must be a name"), ("first", "b", "not two players of this"),
    ("second", "c", "not two players of this tournament: a, c"),
    ("winner", "c", "winner is neither of the players: c"), ("winner", 1, "winner must be a name"),
    ("winner", {}, "winner must be a name"), ("opening", None, "opening must be a list"),
    ("moves", "A1", "moves must be a list of at most 1000, not 'A1'"),
    ("moves", [1], "moves[1] must be a text of at most 200 characters, not 1"),
    ("moves", 1001 * ["A1"], "moves must be a list of at most 1000"),
    ("moves", [201 * "A"], "moves[1] must be a text"),
    ("moves", [], "moves, seconds and told must have the same length"),
    ("seconds", [float("nan")], "NaN is no number"),
    ("seconds", [float("inf")], "Infinity is no number"),
    ("seconds", [-0.1], "seconds[1] must be a number of 0 to 1e+09, not -0.1"),
    ("seconds", ["1"], "seconds[1] must be a number"),
    ("seconds", [None], "seconds[1] must be a number"),
    ("seconds", [10**400], "seconds[1] must be a number of 0 to 1e+09, not 1000"),
    ("seconds", [False], "seconds[1] must be a number"),
    ("told", [[]], "told[1] must be an object (the fields are: depth? nodes? value?), not []"),
    ("told", [{"depth": "1"}], "told[1].depth must be a number"),
    ("told", [{"x": 1}], "told[1].x: there is no such field"),
    ("ending", "ROW", "ending must be one of: LINE"), ("ending", [], "ending must be one of: LINE"),
    ("verdict", 7, "verdict must be a text"), ("verdict", 10_001 * "a", "verdict must be a text"),
    ("at", -1, "at must be a number"), ("at", "now", "at must be a number"),
    ("schedule", "z", "not of this tournament"), ("schedule", 3, "schedule must be a text"),
    ("more", 1, "more: there is no such field (the fields are: game "),
]
ODD_CONTESTS = [
    ("game", "Chess", "game must be one of: Gomoku "), ("game", [], "game must be one of: Gomoku "),
    ("size", 99, "Gomoku is played on sizes 3 to 25"), ("size", "x5", "size: not a board size"),
    ("rounds", 0, "rounds must be a whole number"), ("scheduled", -2, "scheduled must be a whole"),
    ("seed", 0.5, "seed must be a whole number"), ("per_move", [], "per_move must be a number"),
    ("increment", None, "increment must be a number"),
    ("nodes", 1.5, "nodes must be a whole number"),
    ("points", {"win": 1}, "points.draw is missing"),
    ("points", {"win": "x", "draw": 0, "loss": 0}, "points.win must be a number"),
    ("test", {"elo0": 0}, "test.elo1 is missing"),
    ("test", 5, "test must be an object (the fields are: elo0 elo1 "),
    ("players", {}, "players must be a list of at most 1000"),
    ("players", [], "players must be two or more with different names"),
    ("players", 2 * FACTS["players"][:1], "players must be two or more with different names"),
    ("players", [{"name": "a"}, {"name": "b"}], "players[1].seat is missing"),
    ("players", [{**FACTS["players"][0], "name": 3}],
     "players[1].name must be a name of one line, of 1 to 200 characters, not 3"),
    ("schedule", None, "schedule must be a text"),
    ("more", 1, "more: there is no such field (the fields are: game "),
]
TEST = {"elo0": 0, "elo1": 5, "alpha": 0.05, "beta": 0.05, "model": "normalized"}


def refused_file(path, text, line, reason):
    """Whoever reads it says the same in one harmless line, and it is left as it is."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = path.read_bytes()
    for read in (Results.read, results_of):
        with pytest.raises(ValueError) as error:
            read(path)
        said = str(error.value)
        assert said.startswith(f"{path}, line {line} is not a game: {reason}"), said
        assert said.isprintable() and len(said) < 600
    assert path.read_bytes() == before


@pytest.mark.parametrize("field, value, reason", ODD_GAMES)
def test_odd_games(field, value, reason, tmp_path):
    line = json.dumps({**game(1)._asdict(), field: value}) + "\n"
    refused_file(tmp_path / "games.jsonl", HEAD + line, 2, reason)


@pytest.mark.parametrize("field", Played._fields)
def test_games_that_lack_something(field, tmp_path):
    content = game(1)._asdict()
    del content[field]
    refused_file(tmp_path / "games.jsonl", f"{HEAD}{json.dumps(content)}\n", 2,
                 f"{field} is missing")


@pytest.mark.parametrize("field, value, reason", ODD_CONTESTS)
def test_odd_contests(field, value, reason, tmp_path):
    contest = {**FACTS, "schedule": "x"}
    line = json.dumps({**contest, field: value}) + "\n"
    refused_file(tmp_path / "games.jsonl", line, 1, reason)
    if field != "rounds" and "schedule" not in field:  # nor when it is said once more
        refused_file(tmp_path / "games.jsonl", HEAD + line, 2, "")


def test_a_contest_that_is_not_the_same(tmp_path):
    """Only more rounds may be said later; what is said of a test is looked at with the games."""
    path = tmp_path / "games.jsonl"
    other = {**FACTS, "schedule": "x", "rounds": 3, "size": 6}
    refused_file(path, f"{HEAD}{json.dumps(other)}\n", 2, "not of this tournament")
    for test, reason in (({**TEST, "elo1": 300}, "normalized Elo goes from -200 to 200"),
                         ({**TEST, "alpha": 0.5}, "alpha and beta must be between 0 and 0.5"),
                         ({**TEST, "elo0": 5}, "elo1 must be above elo0")):
        path.write_text(json.dumps({**FACTS, "schedule": "x", "test": test}) + "\n")
        with pytest.raises(ValueError, match=reason):
            results = Results.read(path)
            summary_of(results.contest, results.games.values())


@pytest.mark.parametrize("line, reason", [
    (10**6 * b"[", "too many nested brackets"),
    (b'{"a":' + 10**5 * b'{"a":', "too many nested brackets"),
    (b"[]", "it must be an object (the fields"), (b"1e400", "it must be an object"),
    (b'"players"', "it must be an object"), (b'["players"]', "it must be an object"),
    (b"\xff", "'utf-8' codec can't decode byte 0xff"),
    (b"{\x1b[2J}", "Expecting property name"), (b"", "Expecting value"), (b"9" * 5000, "Exceeds"),
    (b" " * (LONGEST_LINE + 1), f"longer than {LONGEST_LINE} bytes")],
    ids=lambda value: str(value)[:20])
def test_lines_that_are_no_games(line, reason, tmp_path):
    path = tmp_path / "games.jsonl"
    refused_file(path, line + b"\n" + HEAD.encode(), 1, reason)
    refused_file(path, HEAD.encode() + line + b"\n", 2, reason)


def test_flipped_bytes(tmp_path):
    """In the middle of a line: other results, or one line; tables and the report never fail."""
    contest = contest_of({"size": 5, "openings": "none", "rounds": 2, "test": {},
                          "player": [{"seat": "a=random"}, {"seat": "b=random"}]})
    path, rng = tmp_path / "games.jsonl", Random(1)
    results = Results.resume(path, contest.facts(), "x")
    results.add([play(task_of(contest, each, "x"))._replace(told=[], moves=[], seconds=[])
                 if number == 3 else play(task_of(contest, each, "x"))
                 for number, each in enumerate(contest.schedule())])
    results.close()
    whole, refused = path.read_bytes(), 0
    for number in range(300):
        data = bytearray(whole)
        place = rng.randrange(len(data))
        data[place] = rng.randrange(256) if number % 2 else data[place] ^ 1 << rng.randrange(8)
        path.write_bytes(data)
        try:
            found = Results.read(path)
        except ValueError as error:
            refused += 1
            assert str(error).isprintable()
            continue
        games = [game._asdict() for game in found.games.values()]
        summary = summary_of(found.contest, found.games.values())
        if number % 10 == 0:
            write_report(tmp_path / "report", summary, games)
    assert 100 < refused < 300


def test_declarations_are_whole():
    """Each field that is written has its declaration."""
    assert {*GAME} == {*Played._fields} and {*CONTEST} == {*FACTS, "schedule"}
    running = Running(1, "a", "b", [], ["A1"], 1)
    assert RUNNING("", running._asdict()) == running._asdict()
    assert {*FACTS["players"][0]} == {"name", "seat", *CONTROL}


@pytest.mark.parametrize("change", [
    {"game": "1"}, {"runner": -1}, {"runner": 10**30}, {"moves": 3}, {"first": []}, {"more": 1}])
def test_odd_games_that_are_being_played(change, tmp_path):
    """They are not shown."""
    path = tmp_path / "x.jsonl"
    running = Running(1, "a", "b", [], ["A1"], os.getpid())
    with live_games(path) as folder:
        for name, content in (("1", running._asdict()), ("2", {**running._asdict(), **change})):
            (folder / f"{name}.json").write_text(json.dumps(content))
        (folder / "3.json").write_text(10**5 * "[")
        assert games_now(path) == [running]


def test_a_file_in_use_is_refused(tmp_path):
    results = Results.resume(tmp_path / "x", FACTS, "x")
    with pytest.raises(ValueError, match="in use"):
        results_of(tmp_path / "x")
    results.close()
    results_of(tmp_path / "x")


# --- processes ------------------------------------------------------------------------------------

def tournament(*words, **options):
    """One that has begun; with one worker, which is there sooner than two, if words say no more."""
    if "--concurrency" not in words and "--scheduler" not in words:
        words = (*words, "--concurrency", "1")
    return subprocess.Popen(
        [sys.executable, "-m", "gtp_engine", "tournament", *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(TOP)}, **options)


def finished(process, status=0):
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, errors
    return output, errors


def family(pid):
    """The process and all that came from it and still runs, those too that have left it."""
    found = set()
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and (os.getsid(process.pid) == pid or any(
                    process.environ().get(MARK, "").startswith(f"{known}-") for known in found)):
                found.add(process.pid)
        except (psutil.Error, OSError):
            pass
    return found


def running(pids):
    """Those of the processes that still run."""
    return {pid for pid in pids if psutil.pid_exists(pid)
            and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE}


REFUSED = [
    (("random",), "a tournament needs"), (("random", "foo"), "no such seat: foo"),
    (("random", "flat,x=1"), "no such setting of flat: x=1"),
    (("random", "alphabeta,off=x"), "no such feature: x"),
    (("random", "alphabeta,weights=/no/file"), "No such file"),
    (("random", f"alphabeta,weights={__file__}"), "not a file of arrays"),
    (("random", "alphabeta,width=x"), "width is not a whole number"),
    (("random", "gtp:/no/such/program"), "no such program"), (("random", "gomocup:true"), "ended"),
    (("random", "pipe:true"), "play Qubic, not Gomoku"), (("random", "person"), "a person takes"),
    (("random", f"gtp:{FAKE} gtp good", "--size", "30"), "sizes 3 to 25"),
    (("random", f"gtp:{FAKE} gtp boardsize", "--size", "9"), "unacceptable size"),
    (("random", f"pipe:{sys.executable} {TOP / 'qubic.py'} --tme 1", "--game", "Qubic"),
     "unrecognized arguments: --tme"),
    (("random", f"pipe:{FAKE} pipe good", "--game", "Qubic", "--openings", "even"),
     "it cannot begin with an opening"),
    (("random", "random", "--nodes", "9"), "it does not support a limit of nodes"),
    (("alphabeta", f"gtp:{FAKE} gtp param", "--nodes", "9"), "param nodes 9"),
    (("random", "random", "--anchor", "x=5"), "no such player for an anchor: x (players: random, "),
    (("random", "random", "--anchor", "x"), "an anchor is NAME=ELO, not x"),
    (("random", "foo", "--skip-bad"), "a tournament needs"),
    (("foo", "random", "flat", "--format", "gauntlet", "--skip-bad"), "needs its first player"),
    (("no.toml",), "No such file"), (("random", "random", "--test", "5", "0"), "elo1 must be"),
]


@pytest.mark.parametrize("words, reason", REFUSED, ids=[row[1] for row in REFUSED])
@pytest.mark.few(6)
def test_what_is_refused(words, reason, tmp_path, monkeypatch, ours):
    """In a line, before the first game, with status 2; no file is made."""
    monkeypatch.chdir(tmp_path)
    status, output, errors = ours("tournament", *words, "--games", tmp_path / "x.jsonl",
                                  "--concurrency", "1")
    assert status == 2 and reason in errors.splitlines()[-1] and output == ""
    assert not list(tmp_path.iterdir())


ODD_FILES = [  # what is in a TOML file, what is said
    (b"a = " + 10**6 * b"[", "too many nested brackets"),
    (b"a = " + 10**5 * b"{a=", "too many nested brackets"),
    (10**6 * b"[", "Invalid initial character"),
    (b"size = \xff", "'utf-8' codec can't decode byte 0xff"),
    (b"size = 9 \x1b", "Expected newline or end of document"), (b"game", "Expected '='"),
    (b"size = 1979-05-27", "size must be a number or a text, not datetime.date(1979, 5, 27)"),
    (b'"\\u001b]0;mine\\u0007" = 1', r"'\x1b]0;mine\x07': there is no such field ("),
    (b"test = 3", "test must be an object"),
    (b"[player]\nseat = 1", "player must be a list of tables: begin each with [[player]]"),
    (b"#" * (LONGEST_TOML_BYTES + 1), f"the file is longer than {LONGEST_TOML_BYTES} bytes"),
]


@pytest.mark.parametrize("content, reason", ODD_FILES, ids=lambda value: str(value)[:20])
def test_odd_files(content, reason, tmp_path, capsys):
    """One harmless line and status 2."""
    path = tmp_path / "club.toml"
    path.write_bytes(content)
    for more in ([], ["--test", "0", "5"]):
        if more and b"test" in content:
            reason = "test must be an object"
        with pytest.raises(SystemExit) as end:
            main(["tournament", str(path), *more])
        said = capsys.readouterr().err.splitlines()[-1]
        assert end.value.code == 2 and reason in said and said.isprintable()
        assert len(said) < 1000


def test_results_of_others(tmp_path, capsys):
    """One harmless line and status 2."""
    path = tmp_path / "games.jsonl"
    path.write_text(f"{HEAD}{json.dumps({**game(1)._asdict(), 'winner': EVIL})}\n")
    with pytest.raises(SystemExit) as end:
        main(["tournament", str(path)])
    output, errors = capsys.readouterr()
    assert end.value.code == 2 and output == "" and is_harmless(errors)
    reason = "winner must be a name of one line"
    assert f"{path}, line 2 is not a game: {reason}" in errors.splitlines()[-1]


@pytest.mark.thorough
def test_what_programs_say_is_harmless(tmp_path):
    """On the terminal, in tables and in the report."""
    process = tournament("+1=random", evil(tmp_path), "--size", "5", "--openings", "none",
                         "--verbose", "--games", tmp_path / "x.jsonl", "--report",
                         tmp_path / "report", encoding="utf-8")
    output, errors = finished(process)
    assert is_harmless(output) and is_harmless(errors)
    assert f"not a point: A1{SHOWN_EVIL}" in errors and "Eve ]0;mine 2J =1" in output
    assert all(game.verdict.endswith(f"not a point: A1{EVIL}")
               for game in Results.read(tmp_path / "x.jsonl").games.values())
    table = (tmp_path / "report" / "players.csv").read_text()
    assert ",'+1," in table and ",+1," not in table


class Screen(StringIO):
    """A terminal, or a file."""

    def __init__(self, is_terminal):
        super().__init__()
        self.isatty = lambda: is_terminal


@pytest.mark.parametrize("is_terminal", [False, True])
def test_progress_is_harmless(is_terminal, capsys):
    contest = described("a=random", "b=random").with_names([f"a{EVIL}", "b"])
    names, screen = [player.name for player in contest.players], Screen(is_terminal)
    played = game(1)._replace(first=names[0], second="b", winner=names[0], verdict=EVIL)
    score = Score(contest)
    with progress_on(screen, contest, score, True) as show:
        score.add([played])
        show([played])
    text = "".join(screen.getvalue().split("\n"))
    assert EVIL not in text and text.count(SHOWN_EVIL) >= 3
    assert is_terminal or text.isprintable()
    print_tables(summary_of({**contest.facts(), "schedule": "x"}, [played]))
    output = capsys.readouterr().out
    assert is_harmless(output) and SHOWN_EVIL in output


BAD = ("foo", "Ann=gtp:/no/such/program", "flat,x=1", "in-out:/no/where/x")
WRONG = ("no such seat: foo", "Ann: no such program: /no/such/program",
         "flat,x=1: no such setting of flat: x=1", "x: no such directory: /no/where")


def test_all_bad_seats_are_named_in_one_go(tmp_path):
    _, errors = finished(tournament("random", *BAD, "--games", tmp_path / "x.jsonl"), 2)
    lines = errors[errors.index("error: "):].splitlines()
    assert len(lines) == 4 and all(each in line for each, line in zip(WRONG, lines)), errors


@pytest.mark.thorough
def test_bad_seats_are_left_out(tmp_path):
    """The tournament is then that of those who play: resumed with the bad ones, or without them;
    another one once one of them can play."""
    def words(*seats):
        return (*seats, "--size", "5", "--seed", "1", "--games", tmp_path / "x.jsonl")

    good = "random", "b=random"
    output, errors = finished(tournament(*words(good[0], *BAD, good[1]), "--skip-bad"))
    for text in WRONG:
        assert any(line.startswith("left out: ") and text in line for line in errors.splitlines())
    results = Results.read(tmp_path / "x.jsonl")
    assert [player["name"] for player in results.contest["players"]] == ["random", "b"]
    assert (len(results.games), results.contest["format"]) == (2, "match")
    assert results.contest["openings"] == "even", "which in-out cannot be told"
    for seats in ((*BAD[:2], *good), good):
        assert finished(tournament(*words(*seats), "--skip-bad"))[0] == output
    finished(tournament(*words(*good), "--rounds", "2"))
    assert len(Results.read(tmp_path / "x.jsonl").games) == 4
    _, errors = finished(tournament(*words(*good, "flat"), "--skip-bad"), 2)
    assert "another tournament" in errors


@pytest.mark.thorough
def test_anchors_are_kept(tmp_path):
    """With the games, so that they are shown again; others can be given later."""
    (tmp_path / "x.toml").write_text(
        'size = 5\n[anchor]\nAnn = 1500\n[[player]]\nname = "Ann"\nseat = "random"\n'
        '[[player]]\nseat = "flat,simulations=1"\n')
    path = tmp_path / "x.jsonl"
    output, _ = finished(tournament(tmp_path / "x.toml"))
    assert "+1500" in output and finished(tournament(path))[0] == output
    assert "+7 " in finished(tournament(path, "--anchor", "flat=7"))[0]
    assert "no such player" in finished(tournament(path, "--anchor", "x=7"), 2)[1]
    output, errors = finished(tournament(tmp_path / "x.toml", "--anchor", "flat=-3"))
    assert "-3 " in output and "2 already played" in errors
    assert Results.read(path).contest["anchor"] == {"flat": -3}


def test_who_loses_before_its_first_move_is_named(tmp_path):
    """Once while it is played, and below the ratings."""
    output, errors = finished(tournament(
        f"slow=gtp:{FAKE} gtp deaf", "random", "--size", "5", "--rounds", "3", "--openings", "none",
        "--games", tmp_path / "x.jsonl"))
    assert errors.count("slow lost before or at its first move") == 1
    assert "slow lost 6 of 6 games before or at its first move" in output
    assert "slow has lost all its games" in output


@pytest.mark.thorough
def test_from_a_file(tmp_path):
    """The first use: a description, its games beside it, tables; a second run plays nothing."""
    (tmp_path / "club.toml").write_text(
        'game = "Gomoku"\nsize = 5\nrounds = 2\nopenings = "book.txt"\n'
        'points = {win = 3, draw = 1}\n'
        '[[player]]\nname = "Ann"\nseat = "random"\n[[player]]\nseat = "flat,simulations=1"\n'
        f'[[player]]\nseat = "gtp:{FAKE} gtp good"\ntime_per_move = 5\n')
    (tmp_path / "book.txt").write_text("C3\nB2 C2\n")
    output, errors = finished(tournament(tmp_path / "club.toml"))
    results = Results.read(tmp_path / "club.jsonl")
    assert {*results.games} == {*range(1, 13)}
    assert [player["name"] for player in results.contest["players"]] == ["Ann", "flat", "fake"]
    assert {game.round: game.opening for game in results.games.values()} == {
        1: ["C3"], 2: ["B2", "C2"]}
    assert all(name in output for name in ("Ann", "flat", "fake")) and "12/12 games" in errors
    before = (tmp_path / "club.jsonl").read_bytes()
    again, errors = finished(tournament(tmp_path / "club.toml"))
    assert again == output and "12 already played" in errors
    assert (tmp_path / "club.jsonl").read_bytes() == before
    shown, _ = finished(tournament(tmp_path / "club.jsonl", "--report", tmp_path / "report"))
    assert shown == output
    report = json.loads((tmp_path / "report" / "report.json").read_text())
    assert len(report["games"]) == 12
    finished(tournament(tmp_path / "club.toml", "--rounds", "3"))
    assert len(Results.read(tmp_path / "club.jsonl").games) == 18
    _, errors = finished(tournament(tmp_path / "club.toml", "--size", "6"), 2)
    assert "another tournament" in errors


def test_points_and_a_test_by_options(tmp_path, ours):
    """They are those of the tables, and of the file."""
    status, output, _ = ours(
        "tournament", "a=random", "b=random", "--size", "3", "--rounds", "1", "--concurrency", "1",
        "--points", "3", "1", "0", "--test", "0", "10", "--alpha", "0.1", "--beta", "0.2",
        "--model", "logistic", "--games", tmp_path / "x.jsonl")
    contest = Results.read(tmp_path / "x.jsonl").contest
    assert contest["points"] == {"win": 3, "draw": 1, "loss": 0}
    assert contest["test"] == {
        "elo0": 0, "elo1": 10, "alpha": 0.1, "beta": 0.2, "model": "logistic"}
    assert status == 0 and output.count(" 2 (0-2-0) 50%") == 2, "two draws each"


def test_bad_seats_are_kept(tmp_path, ours):
    """They lose each game, which the others win."""
    status, output, _ = ours(
        "tournament", "random", "Ann=gtp:/no/such/program", "--size", "5", "--keep-bad",
        "--concurrency", "1", "--games", tmp_path / "x.jsonl")
    games = Results.read(tmp_path / "x.jsonl").games.values()
    assert status == 0 and [(game.winner, game.ending) for game in games] == 2 * [
        ("random", "CRASH")], output


@pytest.mark.thorough
def test_names_are_told_apart(tmp_path):
    finished(tournament("random", "random", "random 2=flat,simulations=1", "--size", "3",
                        "--games", tmp_path / "x.jsonl"))
    assert [player["name"] for player in Results.read(tmp_path / "x.jsonl").contest["players"]] == [
        "random", "random 3", "random 2"]


@pytest.mark.thorough
def test_a_test_stops_when_it_is_decided(tmp_path):
    """And a second run plays no more."""
    words = ("a=flat,simulations=20", "b=random", "--size", "7", "--test", "0", "200", "--games",
             tmp_path / "x.jsonl", "--seed", "1")
    output, errors = finished(tournament(*words))
    assert "H1" not in errors and "stronger by 200 Elo is accepted" in output
    played = len(Results.read(tmp_path / "x.jsonl").games)
    assert 8 <= played < 100
    assert finished(tournament(*words))[0] == output
    assert len(Results.read(tmp_path / "x.jsonl").games) == played


def test_killed_and_resumed(tmp_path):
    """Killed with all it has started every so often: every game is there once, none is half."""
    path = tmp_path / "x.jsonl"
    words = ("a=random", "b=random", f"gtp:{FAKE} gtp good", "--size", "5", "--rounds", "15",
             "--openings", "none", "--games", path, "--concurrency", "2")
    count = 0
    for games in (5, 20, 35, 50):
        process = tournament(*words)
        until(lambda: path.exists() and len(path.read_bytes().splitlines()) > games)
        whole = family(process.pid)
        for pid in whole:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.communicate(timeout=PATIENCE)
        until(lambda: not family(process.pid))
        before, count = count, len(Results.read(path).games)
        assert count > before
        with path.open("ab") as file:  # as if it had been killed while it wrote
            file.write(b'{"game":9')
    _, errors = finished(tournament(*words))
    assert "removed the incomplete last line" in errors
    results = Results.read(path)
    assert {*results.games} == {*range(1, 91)}
    assert Counter(game.first for game in results.games.values()) == {"a": 30, "b": 30, "fake": 30}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.few(1)
def test_an_interrupt(number, tmp_path):
    """The games that run have no result, the command to go on with is shown, nothing is left."""
    path = tmp_path / "x.jsonl"
    process = tournament("random", f"gtp:{FAKE} gtp hang", "--size", "5", "--games", path)
    until(lambda: path.exists() and path.stat().st_size and any(
        "fake.py" in " ".join(psutil.Process(pid).cmdline()) for pid in family(process.pid)))
    left = family(process.pid)
    if number == signal.SIGINT:  # as a terminal sends it
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    _, errors = finished(process, 130)
    assert "to continue: " in errors and "gtp_engine tournament random" in errors
    until(lambda: not running(left))
    assert b'"moves"' not in path.read_bytes(), "no game has ended"


@pytest.mark.parametrize("behaviour, how", [
    ("kill-parent", "the worker has ended with status -9"),
    ("stop-parent", "the worker was stopped by a signal")])
@pytest.mark.thorough
def test_a_worker_that_dies(behaviour, how, tmp_path):
    """Its game is played again; after the third time it is given up, the others are played."""
    path = tmp_path / "x.jsonl"
    process = tournament("a=random", f"b=gtp:{FAKE} gtp {behaviour}", "c=random", "--size", "5",
                         "--openings", "none", "--concurrency", "2", "--games", path)
    output, errors = finished(process, 4)
    assert "4 games could not be played (their workers died): 1 2 5 6" in errors
    for number, players in ((1, "a against b"), (2, "b against a"), (5, "b against c"),
                            (6, "c against b")):
        assert errors.count(f"game {number}, {players}: {how}\n") == 4
    assert {*Results.read(path).games} == {3, 4}
    until(lambda: not family(process.pid))


@pytest.mark.thorough
def test_who_misbehaves_loses_its_games_only(tmp_path):
    path = tmp_path / "x.jsonl"
    kinds = ("die", "fork", "flood", "hang")
    process = tournament(*(f"{kind}=gtp:{FAKE} gtp {kind}" for kind in kinds), "good=random",
                         "--format", "gauntlet", "--size", "5", "--time-per-move", "1", "--margin",
                         "0.2", "--openings", "none", "--concurrency", "4", "--games", path)
    whole = set()
    while process.poll() is None:
        whole |= family(process.pid)
        time.sleep(0.1)
    finished(process)
    until(lambda: not running(whole))
    results = Results.read(path)
    assert len(results.games) == 8
    for game in results.games.values():
        if "good" in (game.first, game.second):
            assert game.winner == "good" and game.ending in ("CRASH", "TIME"), game


@pytest.mark.parametrize("behaviour", ["append", "empty", "forge", "remove"])
@pytest.mark.few(1)
def test_who_changes_the_results(behaviour, tmp_path):
    """Every game is there once, as it was played, and nothing else."""
    path = tmp_path / "x.jsonl"
    output, errors = finished(tournament(
        "a=random", f"b=gtp:{FAKE} gtp {behaviour} {path}", "--size", "5", "--rounds", "3",
        "--openings", "none", "--seed", "1", "--games", path))
    assert f"another program has changed {path}; rewriting it" in errors
    results = Results.read(path)
    assert {*results.games} == {*range(1, 7)} and "a" in {
        game.winner for game in results.games.values()}
    assert finished(tournament(path))[0] == output, "what was counted as the games ended"


@pytest.mark.thorough
def test_a_full_disk(tmp_path, no_bytecode):
    """One line and status 4; with room again the same command goes on."""
    words = ("random", "random", "--size", "5", "--rounds", "40", "--openings", "none", "--games",
             tmp_path / "x.jsonl")
    command = [sys.executable, "-m", "gtp_engine", "tournament", *map(str, words)]
    script = f"ulimit -f 8; trap '' XFSZ; exec {' '.join(command)}"  # blocks of 1 kB or 512 bytes
    process = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=TOP,
                             timeout=PATIENCE)
    assert process.returncode == 4 and "File too large; fix this" in process.stderr
    assert "Traceback" not in process.stderr
    kept = Results.read(tmp_path / "x.jsonl").games
    assert 1 <= len(kept) < 80 and (tmp_path / "x.jsonl").read_bytes().endswith(b"\n")
    finished(tournament(*words))
    assert len(Results.read(tmp_path / "x.jsonl").games) == 80


# --- clusters -------------------------------------------------------------------------------------

def dask(kind, *words, folder):
    with (folder / f"{kind}.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words], cwd=folder,
            stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": str(TOP)})


def ended(*processes):
    for process in processes:
        process.kill()
        process.wait()


def test_a_scheduler_that_is_not_there(monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.1)
    with pytest.raises(ValueError, match="no Dask scheduler at 127.0.0.1:1"):
        cluster.Cluster("127.0.0.1:1")


class Forgetful:
    """Two workers that end the later of their jobs first, and lose each so many times."""

    def __init__(self, losses):
        self.losses, self.running, self.ended = losses, [], Counter()

    @property
    def free(self):
        return 2 - len(self.running)

    def submit(self, key, job, argument):
        self.running.append((key, job(argument)))

    def finished(self, seconds):
        key, result = self.running.pop()
        self.ended[key] += 1
        yield key, result if self.ended[key] > self.losses else Lost(f"job {key} is lost")


def test_in_order():
    for losses in (0, REPEATED):
        assert [*in_order(Forgetful(losses), str, range(7))] == [*map(str, range(7))]
    with pytest.raises(RuntimeError, match="job 1 is lost"):
        [*in_order(Forgetful(REPEATED + 1), str, range(7))]


@pytest.mark.first
@pytest.mark.thorough
def test_a_cluster(tmp_path):
    """One of two workers is killed in the middle, then the scheduler: every game is there once."""
    path, port = tmp_path / "x.jsonl", str(Random().randrange(20_000, 30_000))
    address = f"tcp://127.0.0.1:{port}"

    def worker():
        return dask("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny",
                    folder=tmp_path)

    def scheduler():
        """One that listens: who looks for it does not wait for ever."""
        log, listens = tmp_path / "scheduler.log", "Scheduler at:"
        before = log.read_text().count(listens) if log.exists() else 0
        started = dask("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard",
                       folder=tmp_path)
        until(lambda: log.read_text().count(listens) > before)
        return started

    master, workers = scheduler(), [worker(), worker()]
    process = tournament("a=random", "b=random", "--size", "7", "--rounds", "100", "--openings",
                         "none", "--scheduler", address, "--games", path)
    until(lambda: path.exists() and len(path.read_bytes().splitlines()) > 20)
    ended(workers.pop())
    until(lambda: len(path.read_bytes().splitlines()) > 50)
    ended(master)
    master, workers = scheduler(), [*workers, worker()]
    _, errors = finished(process)
    ended(master, *workers)
    assert {*Results.read(path).games} == {*range(1, 201)}
    assert "Traceback" not in errors
