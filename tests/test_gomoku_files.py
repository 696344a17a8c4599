"""Our player over files, by itself: what is left over, what ends a game, what is refused."""

import subprocess
import sys
import time
from argparse import ArgumentParser

import pytest

from gtp_engine.games.lattice import BLACK
from gtp_engine.protocols import gomoku_files
from tests.engine import PATIENCE
from tests.programs import EVIL, SHOWN_EVIL, is_harmless, until


def player(folder, *words, name="me"):
    return subprocess.Popen(
        [sys.executable, "-m", "gtp_engine", "movefile", name, "--player", "random", "--seed", "1",
         "--dir", str(folder), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ready(process):
    """Wait until it says so; returns the line."""
    line = process.stderr.readline()
    assert line.startswith("ready"), line
    return line


@pytest.mark.parametrize("words, seconds", [
    ((), gomoku_files.USED), (("--time", "10"), 8.5), (("--time", "1"), 0.5)])
def test_the_time_for_a_move(words, seconds, monkeypatch, tmp_path):
    parser, budgets = ArgumentParser(), []
    gomoku_files.add_options(parser)
    monkeypatch.setattr(gomoku_files, "serve", lambda files, *_: budgets.append(
        files.engine.clock.budget(BLACK).seconds))
    gomoku_files.start(parser, parser.parse_args(
        ["me", "--player", "random", "--dir", str(tmp_path), *words]))
    assert budgets == [pytest.approx(seconds, abs=0.03)]


class Referee:
    """Gives turns by me.go and reads move_file, as that of 2017 does; it sees no rows."""

    def __init__(self, folder):
        self.folder, self.shared = folder, folder / "move_file"
        self.go = folder / "me.go"

    def turn(self, given):
        """Give the opponent's move, and wait for the answer."""
        self.shared.write_text(given)
        self.go.write_text("go!\n")
        until(lambda: read(self.shared).startswith("me "))
        self.go.unlink()
        return read(self.shared)


def read(path):
    try:
        return path.read_text()
    except FileNotFoundError:
        return ""


def test_what_others_write_is_harmless(tmp_path):
    process = player(tmp_path, "--protocol", "in-out")
    ready(process)
    (tmp_path / "me.end").write_text(f"END: {EVIL}\n", encoding="utf-8")
    output, errors = process.communicate(timeout=PATIENCE)
    assert output == f"END: {SHOWN_EVIL}\n" and is_harmless(errors)


def test_it_stays_until_the_referee_ends_the_game(tmp_path):
    """Whoever has five may be asked for more moves, and leaves only at end_game."""
    process = player(tmp_path, "--protocol", "move-file", "--size", "5")
    assert str(tmp_path / "me.go") in ready(process)
    referee, free = Referee(tmp_path), [f"{c} {r}" for r in range(1, 6) for c in "ABCDE"]
    given, moves = "", []
    while len(free) > 1:
        moves.append(referee.turn(given).split(maxsplit=1)[1].strip())
        free.remove(moves[-1])
        moves.append(free.pop(0))
        given = f"you {moves[-1]}\n"
    (tmp_path / "end_game").write_text("END: you WINS! me LOSES! out of time\n")
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 and errors == ""
    lines = output.splitlines()
    assert lines[-1] == "END: you WINS! me LOSES! out of time"
    assert sum("wins: five in a row" in line for line in lines) == 1
    assert len([line for line in lines if " plays " in line]) == len(moves) - 1 == 23


def test_files_that_a_game_before_has_left(tmp_path):
    """They do not count until they change: neither its turn, nor its moves, nor its end."""
    (tmp_path / "move_file").write_text("you C 3\n")
    (tmp_path / "end_game").write_text("END: me WINS! you LOSES! 5 in a row!\n")
    (tmp_path / "me.go").write_text("go!\n")
    process = player(tmp_path, "--protocol", "move-file", "--size", "7")
    ready(process)
    for _ in range(20):  # it looks at them more often than that
        time.sleep(0.02)
        assert read(tmp_path / "move_file") == "you C 3\n" and process.poll() is None
    (tmp_path / "move_file").write_text("")
    time.sleep(0.1)
    assert read(tmp_path / "move_file") == ""
    referee = Referee(tmp_path)
    first = referee.turn("")
    assert referee.turn("you A 1\n" if "A 1" not in first else "you B 1\n") != first
    (tmp_path / "end_game").write_text("END: TIE! board full!\n")
    assert process.communicate(timeout=PATIENCE)[0].splitlines()[-1] == "END: TIE! board full!"


def test_a_turn_that_was_given_before_it_started(tmp_path):
    (tmp_path / "move_file").write_text("you C 3\n")
    (tmp_path / "me.go").write_text("go!\n")
    process = player(tmp_path, "--protocol", "move-file", "--size", "7")
    until(lambda: read(tmp_path / "move_file").startswith("me "))
    (tmp_path / "end_game").write_text("END: TIE! board full!\n")
    assert "white plays C 3" in process.communicate(timeout=PATIENCE)[0]


@pytest.mark.parametrize("text, complaint", [
    ("(W Z 9)", "no move on this board: (W Z 9)"), ("(W C 16)", "no move on this board: (W C 16)"),
    ("(B C 3)", "not a move of the other colour: (B C 3)"),
    ("(nonsense)", "no move on this board: (nonsense)")])
def test_faulty_moves_of_the_opponent(text, complaint, tmp_path):
    process = player(tmp_path)
    assert str(tmp_path / "me.in") in ready(process)
    (tmp_path / "me.in").write_text("B")
    until(lambda: not (tmp_path / "me.in").exists())
    (tmp_path / "me.in").write_text(text)
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1 and errors == ""
    assert complaint in output.splitlines()[-1]


@pytest.mark.parametrize("words, complaint", [
    (["--colour", "W", "--protocol", "in-out"], "--colour goes with --protocol move-file"),
    (["--colour", "W"], "--colour goes with --protocol move-file"),
    (["--dir", "/no/such/folder"], "no such directory"), (["--dir", "/proc/1"], "me.try"),
    (["--size", "99"], "sizes 3 to 25"), (["--time", "0"], "time must be above 0")])
def test_wrong_options(words, complaint, tmp_path):
    process = player(tmp_path, *words)
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2 and output == "" and complaint in errors.splitlines()[-1]


@pytest.mark.parametrize("name", ["a/b", "../me", ".", ""])
def test_names_that_are_no_file_names(name, tmp_path):
    process = player(tmp_path, name=name)
    assert "not a name for files" in process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 2


def test_a_full_disk(tmp_path, no_bytecode):
    """One line, and the exit status says that the game did not come to its end."""
    resource = pytest.importorskip("resource")
    process = player(tmp_path)
    ready(process)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (3, 3))
    (tmp_path / "me.in").write_text("W")
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert errors.startswith("cannot write ") and errors.count("\n") == 1
