"""Players of one's own: in matches, over GTP, as seats, in tournaments, and what goes wrong."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import gtp_engine
from gtp_engine.arena.seats.spec import python_command
from gtp_engine.library.player import AdaptedPlayer, load_player, name_of
from gtp_engine.players.base import Limits, PlayerFault, Settings
from tests.engine import PATIENCE

TOP = Path(__file__).parent.parent
EXAMPLE = TOP / "examples" / "my_engine.py"

PLAYERS = '''
import time
import gtp_engine

def first(game):
    return game.legal_moves()[0]

class Slow:
    name = "slow  coach"

    def choose(self, game, limits):
        assert limits.seconds is None or limits.seconds > 0
        assert not limits.stopped
        game.play("A1")  # a copy
        return 1

class Broken:
    def __init__(self):
        raise RuntimeError("no weights")

def fails(game):
    return 1 // 0

def cheats(game):
    return "Z9"

def leaves(game):
    raise SystemExit(3)

class Waits:
    def choose(self, game, limits):
        while not limits.stopped:
            pass
        return game.legal_moves()[0]

class Late:
    def choose(self, game, limits):
        time.sleep(limits.seconds + 0.6)
        return game.legal_moves()[0]

def repeats(game):
    return game.moves[0]

nothing = 3
'''


@pytest.fixture
def module(tmp_path):
    """The file with these players."""
    path = tmp_path / "some_players.py"
    path.write_text(PLAYERS)
    return path


def chosen(player, *moves):
    """The choice of a player after these moves on 5x5."""
    game = gtp_engine.Game("Gomoku", 5)
    for move in moves:
        game.play(move)
    before = game.copy()
    point = AdaptedPlayer(player, Settings()).choose(game.position, Limits(bytearray(2)))
    assert game == before
    return game._name(point)


def test_every_form_of_a_player(module):
    players = [load_player(f"{module}:{name}") for name in ("first", "Slow")]
    assert [*map(name_of, players)] == ["first", "slow coach"]
    assert [chosen(player) for player in players] == ["A1", "B1"]
    for choice in ("C3", (2, 2), 12):
        assert chosen(lambda game: choice) == "C3"
    assert chosen(lambda game, limits: "C4") == "C4"


@pytest.mark.parametrize("name, text, illegal", [
    ("fails", "fails raised ZeroDivisionError: integer", False),
    ("leaves", "leaves raised SystemExit: 3", False),
    ("cheats", "cheats chose 'Z9': no such point", True),
    ("repeats", "repeats chose C3: occupied", True)])
def test_faults(name, text, illegal, module):
    with pytest.raises(PlayerFault) as caught:
        chosen(load_player(f"{module}:{name}"), "C3")
    assert str(caught.value).startswith(text) and caught.value.illegal == illegal


@pytest.mark.parametrize("text, reason", [
    ("{}:Broken", "Broken() raised RuntimeError: no weights"),
    ("nowhere:f", "nowhere:f: cannot import nowhere: No module named"),
    ("nowhere.py:f", "cannot import nowhere.py: there is no such file"),
    ("unknown", "no such player: unknown (MODULE:NAME, or an installed one"),
    ("{}:missing", "has no missing"), ("{}:nothing", "not a player: 3")])
def test_players_that_cannot_be_loaded(text, reason, module):
    with pytest.raises(ValueError) as caught:
        load_player(text.format(module))
    assert reason in str(caught.value)


def test_an_installed_player(tmp_path, module, monkeypatch):
    """An entry point of the group gtp_engine.players is a player by its name."""
    info = tmp_path / "some_players-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-players\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[gtp_engine.players]\nthe-first = some_players:first\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert chosen(load_player("the-first")) == "A1"


def test_a_match(module):
    """Faults lose the game, an equal name gets a number, each game has its own result."""
    first, fails = (load_player(f"{module}:{name}") for name in ("first", "fails"))
    games = []
    played = gtp_engine.match(first, fails, games=3, size=7, openings=[["D4", 0]],
                              progress=games.append)
    assert played == games and played.names == ("first", "fails")
    assert (played.wins, played.draws, played.losses, played.score) == (3, 0, 0, 1)
    assert [(game.first, game.opening, game.ending) for game in played] == [
        ("first", 2, "the program died"), ("fails", 2, "the program died"),
        ("first", 2, "the program died")]
    assert all(game.moves[:2] == ["D4", "A1"] for game in played)
    assert "fails raised ZeroDivisionError" in played[0].text
    twins = gtp_engine.match(first, first, games=2, size=7, openings="none")
    assert twins.names == ("first", "first 2") and {*twins.names} >= {
        game.winner for game in twins}
    assert repr(twins).startswith("<Match first - first 2: ")


def test_the_time_for_a_move(module):
    """`limits.stopped` becomes true by the clock; a late move loses, and so does no other."""
    waits, late = (load_player(f"{module}:{name}") for name in ("Waits", "Late"))
    played = gtp_engine.match(waits, late, games=1, size=5, time_per_move=0.1, openings="none")
    assert (played[0].winner, played[0].ending) == ("Waits", "out of time")
    assert "and 0.1 s were allowed" in played[0].text
    engine = gtp_engine.Engine("random", seed=1)
    assert len(gtp_engine.match(engine, type(waits), games=1, size=5, time_per_move=0.05,
                                openings="none")) == 1


def test_the_elo_of_a_match():
    def result(*winners):
        return gtp_engine.Match(("a", "b"), [
            gtp_engine.MatchGame("a", "b", winner, "a row", []) for winner in winners]).elo
    assert result() == result("a") == (None, None, None)
    assert result("a", "a")[0] is None and result("a", "a")[1] is not None
    assert result("a", "b") == result(None, None) and result("a", "b")[0] == 0
    assert result("a", "a", "a", "b")[0] > 100


def test_the_games_of_a_match_differ():
    played = gtp_engine.match("random", "random", games=4, size=7, seed=3)
    assert len({tuple(game.moves) for game in played}) == 4
    assert played == gtp_engine.match("random", "random", games=4, size=7, seed=3)
    even = gtp_engine.match("alphabeta,nodes=50", "alphabeta,nodes=50", games=4, size=9, seed=1)
    openings = [tuple(game.moves[:game.opening]) for game in even]
    assert openings[0] == openings[1] != openings[2] == openings[3]


@pytest.mark.parametrize("wrong, text", [
    ({"games": 0}, "games must be a whole number of 1 or more"),
    ({"openings": []}, "openings must not be empty"),
    ({"openings": [["Z9"]]}, "no such point: Z9"), ({"first": 3}, "not a player: 3"),
    ({"first": "alphabeta,tiem=1"}, "tiem"), ({"name": "Go"}, "no such game"),
    ({"size": (5, 9), "second": "alphabeta"}, "five in a row on square boards"),
    ({"openings": "/no/file"}, "/no/file: No such file"), ({"time_per_move": -1}, "time")])
def test_what_a_match_refuses(wrong, text):
    with pytest.raises(ValueError) as caught:
        gtp_engine.match(**{"first": "random", "second": "random", "games": 1, **wrong})
    assert text in str(caught.value)


def replies(command, *lines):
    """The replies of a program, and its standard error."""
    done = subprocess.run(command, input="\n".join([*lines, "quit", ""]), capture_output=True,
                          text=True, timeout=PATIENCE, cwd=TOP)
    return [reply.strip() for reply in done.stdout.strip().split("\n\n")], done.stderr


def test_a_program_of_ten_lines(module):
    """The example serves itself; a player in a module is served by name; a fault is a failure."""
    answers, _ = replies([sys.executable, str(EXAMPLE), "--size", "9"], "name", "genmove b",
                         "play b D5", "genmove w")
    assert answers == ["= my_engine", "= E5", "=", "= E4", "="]
    answers, errors = replies(shlex.split(python_command(f"{module}:fails")), "name", "genmove b",
                              "play b D5", "showboard")
    assert answers[:3] == ["= fails", "? fails raised ZeroDivisionError: integer division or "
                           "modulo by zero", "="]
    assert "return 1 // 0" in errors


def test_an_engine_in_a_process_of_its_own(module):
    with gtp_engine.Engine(f"python:{module}:Slow") as engine:
        assert engine.choose(gtp_engine.Game("Gomoku", 5)) == "B1"
        assert repr(engine) == "<Engine Slow>"
    with pytest.raises(gtp_engine.EngineError) as caught:
        gtp_engine.Engine("python:nowhere:f").choose(gtp_engine.Game("Gomoku", 5))
    assert "nowhere:f: cannot import nowhere" in str(caught.value)


def test_a_tournament(module, tmp_path):
    """It runs without a guard in the main module, goes on where it ended, and gives rows."""
    path, calls = tmp_path / "games.jsonl", []
    options = {"size": 7, "openings": "none", "path": path, "seed": 1}
    players = {"first": f"python:{module}:first", "lots": "random"}
    start = gtp_engine.Tournament(players, rounds=1, **options)
    assert start.games == 2 and start.rows() == []
    with pytest.raises(ValueError, match="no game was played yet"):
        assert start.summary
    start.play(lambda done, games, row: calls.append((done, games, row["winner"])))
    assert [call[:2] for call in calls] == [(1, 2), (2, 2)]
    more = gtp_engine.Tournament(players, rounds=2, **options)
    summary = more.play(lambda *call: calls.append(call), concurrency=1)
    assert len(calls) == 4 and summary == gtp_engine.read_results(path) == more.summary
    assert {player["name"] for player in summary["players"]} == {*players}
    rows = more.rows()
    assert [row["game"] for row in rows] == [1, 2, 3, 4] and rows[0]["moves"]
    with pytest.raises(ValueError, match="of another"):
        gtp_engine.Tournament({**players, "third": "random"}, **options).play()


@pytest.mark.parametrize("wrong, text", [
    ({"players": "random"}, "players must be a list"),
    ({"players": ["random", len]}, "a player of your own in a tournament"),
    ({"players": ["random"]}, "a tournament needs 2"), ({"rounds": 0}, "rounds"),
    ({"openings": "/no/such/file"}, "/no/such/file: No such file"),
    ({"test": (0, 1, 2)}, r"test must be \(elo0, elo1\)"), ({"players": None}, "players must be"),
    ({"time_per_move": "x"}, "not a time")])
def test_what_a_tournament_refuses(wrong, text):
    with pytest.raises(ValueError, match=text):
        gtp_engine.Tournament(**{"players": ["random", "flat"], **wrong})


def test_a_tournament_without_a_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import gtp_engine\nprint('once')\n"
                      "t = gtp_engine.Tournament(['random', 'random'], size=5, openings='none')\n"
                      "t.play()\nprint(len(t.rows()))\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True,
                          timeout=PATIENCE, cwd=TOP)
    assert done.stdout == "once\n2\n", done.stderr
