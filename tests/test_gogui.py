"""Under a scripted GoGui: attaching, whole games, navigation, live graphics, Esc, the clock."""

import os
import re
import signal
import sys
import threading
import time
from random import Random

import pytest

from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.protocols.gtp import analyze
from gtp_engine.wire.background import Loader
from gtp_engine.wire.clock import EXPECTED_MOVES
from tests.engine import Engine
from tests.gogui import GoGui, Process, check, check_gfx
from tests.test_process import caching_in, posix

ATTACHED = [  # options, time settings
    (("--game", "Caro", "--size", "7", "--player", "random"), "0 1 25"),
    (("--size", "7"), "30 3 3"),
    (("--size", "7", "--policy", "rule_based"), None),
    (("--game", "Pente", "--size", "9", "--player", "alphabeta", "--nodes", "300"), None),
    (("--game", "Keryo-Pente", "--size", "8", "--player", "random"), None),
    (("--game", "Gomoku-swap", "--size", "7", "--player", "alphabeta", "--nodes", "300"), None),
    (("--game", "Qubic", "--player", "alphabeta", "--nodes", "300"), None),
    (("--game", "Qubic-3", "--simulations", "2"), None),
]


@pytest.mark.parametrize("options, time_settings", ATTACHED, ids=lambda value: str(value)[2:20])
@pytest.mark.few(1)
def test_a_whole_game(options, time_settings):
    """Clicks and generated moves in turn to the end; then back and forth through the game."""
    gogui, rng = GoGui(*options, "--seed", "1", time_settings=time_settings), Random(1)
    first = gogui.side
    while not gogui.over:
        if gogui.side == first and len(gogui.moves) > 1:
            gogui.click(rng.choice(gogui.legal))
        else:
            gogui.genmove("1 10" if time_settings else None)
    result, gfx, rows = gogui.result(), gogui.rules_gfx, gogui.rows
    assert result in ("black", "white", "draw")
    by_captures = any(int(count) >= 10 for count in gogui.captured.split())
    assert ("SQUARE" in gfx) == (result != "draw" and not by_captures)
    count = len(gogui.moves)
    for steps in (1, 1, count - 2):
        gogui.back(steps)
    assert not gogui.moves and not gogui.over
    for steps in (1, 2, count - 3):
        gogui.forward(steps)
    assert (gogui.result(), gogui.rules_gfx, gogui.rows) == (result, gfx, rows)
    gogui.back(2)
    gogui.genmove()
    gogui.new_game()
    gogui.genmove()
    gogui.close()
    assert gogui.player.errors == gogui.rules.errors == []


def test_a_position_that_was_set_up():
    gogui = GoGui("--size", "9", "--player", "alphabeta", "--nodes", "1000")
    stones = [("B", "C3"), ("B", "D3"), ("B", "E3"), ("B", "F3"), ("W", "C7"), ("W", "D7")]
    gogui.set_up_stones(stones, "W")
    assert gogui.player.ask("gogui-rules_board").split("\n")[6] == "..XXXX..."
    assert gogui.player.ask("genmove w") in ("B3", "G3")
    assert gogui.player.ask("genmove b") in ("B3", "G3")
    assert gogui.player.ask("gogui-rules_final_result") == "black"
    gogui.new_game()
    gogui.genmove()
    gogui.close()


def test_saving_and_opening(tmp_path):
    """GoGui opens a file by replaying it; the engine itself reads and writes the same files."""
    gogui = GoGui("--game", "Pente", "--size", "9", "--player", "random", "--seed", "4")
    while len(gogui.moves) < 40 and not gogui.over:
        gogui.genmove()
    path = tmp_path / "game.sgf"
    assert gogui.player.ask(f"printsgf {path}") == ""
    rows, captured = gogui.rows, gogui.captured
    gogui.new_game()
    assert gogui.player.ask(f"loadsgf {path}") == ""
    assert gogui.player.ask("gogui-rules_board").split("\n") == rows
    assert gogui.player.ask("gogui-rules_captured_count") == captured
    gogui.close()


# --- live graphics and Esc ------------------------------------------------------------------------

HOURS = {  # options with which a genmove takes hours, by player
    "flat": ("--size", "13", "--simulations", "1000000000"),
    "flat with time": ("--size", "13", "--policy", "rule_based", "--time", "100000"),
    "alphabeta": ("--size", "13", "--player", "alphabeta", "--time", "100000"),
    "pente": ("--game", "Pente", "--size", "13", "--player", "alphabeta", "--time", "100000"),
    "qubic": ("--game", "Qubic", "--player", "alphabeta", "--time", "100000"),
    "qubic by simulations": ("--game", "Qubic", "--policy", "rule_based", "--time", "100000"),
}


def a_long_think(options):
    """GoGui in the middle of a genmove; a picture of it has come."""
    gogui = GoGui(*options, time_settings=None)
    for point in ("G7", "G8") if gogui.size == 13 else ("A1",):
        gogui.click(point)
    gogui.player.send(f"genmove {gogui.side[0]}")
    gogui.wait_for_gfx(1)
    return gogui


@pytest.mark.parametrize("name", HOURS)
@pytest.mark.few(2)
def test_live_graphics_and_escape(name):
    """Pictures come until Esc; then the best move so far is played, and no more pictures come."""
    gogui = a_long_think(HOURS[name])
    gogui.wait_for_gfx(1)
    gogui.escape()
    before = gogui.side[0] + " "
    point = gogui.generated()
    for text in gogui.player.gfx:
        check_gfx(text, gogui.size)
        lines = dict(line.split(" ", 1) for line in text.split("\n") if line[:5] != "LABEL")
        if lines["TEXT"].startswith("compiling"):
            continue
        assert list(lines) in (["VAR", "COLOR", "TEXT"], ["VAR", "TEXT"])
        assert lines["VAR"][:2] == before and lines["TEXT"].split()[0] in ("flat", "alphabeta")
    assert gogui.player.ask("search_statistics").split("\n")[1].split()[1] == point
    gogui.player.send("move_values")
    gogui.wait_for_gfx(2)
    gogui.escape()
    check_gfx(gogui.player.reply(), gogui.size)
    check("gfx", gogui.player.ask("simulation_counts"), gogui.size)
    time.sleep(0.5)
    count = len(gogui.player.gfx)
    time.sleep(0.5)
    assert len(gogui.player.gfx) == count
    gogui.agree()
    assert gogui.player.ask("param time 0.1") == ""
    gogui.genmove()
    gogui.close()
    assert gogui.player.errors == []


@pytest.mark.thorough
def test_what_is_compiled_is_shown(tmp_path):
    """It begins with GoGui's asking for the menu; a move that has to wait says for how long."""
    process = Process("--size", "9", "--policy", "rule_based", env=caching_in(tmp_path))
    process.ask("gogui-analyze_commands")
    while not process.compiling:
        time.sleep(0.01)
    process.send("genmove b")
    assert re.fullmatch("[A-J][1-9]", process.reply())
    process.close()
    shown = [text for text in process.gfx if text.startswith("TEXT compiling ... ")]
    assert shown and all(re.fullmatch("TEXT compiling [.]{3} [1-9][0-9]* s", text)
                         for text in shown)


@posix
def test_sigint_is_another_escape():
    """Also sent too late or twice, once the engine has said that it may be sent."""
    gogui = a_long_think(HOURS["alphabeta"])
    pid = gogui.player.process.pid
    os.kill(pid, signal.SIGINT)
    gogui.generated()
    assert gogui.player.ask("gogui-sigint") == str(pid)
    for _ in range(3):
        os.kill(pid, signal.SIGINT)
        assert gogui.player.ask("name").startswith("gtp_engine")
    gogui.close()


@posix
def test_nobody_reads_the_pictures(monkeypatch):
    """They are left out while an earlier one waits, so that the engine never waits itself."""
    waits = []

    class Over:
        def wait(self, seconds):
            waits.append(seconds)
            return len(waits) > 1000

    source, sink = os.pipe()
    with os.fdopen(source, "rb", 0) as reader, os.fdopen(sink, "w") as writer:
        monkeypatch.setattr(sys, "stderr", writer)
        analyze.show_until(Over(), lambda: f"TEXT {len(waits)} " + 400 * "x")
        first = reader.read(10_000)
        assert first.startswith(b"gogui-gfx:\nTEXT 1 x") and first.count(b"TEXT") == 1
        waits.clear()
        analyze.show_until(Over(), lambda: f"TEXT {len(waits)}")
        assert reader.read(10_000) == b"gogui-gfx:\nTEXT 1\n\n"


@pytest.mark.thorough
def test_no_graphics_where_they_are_not_wanted():
    gogui = GoGui("--size", "9", "--time", "1")
    assert gogui.player.ask("param live_graphics 0") == ""
    gogui.genmove()
    gogui.close()
    assert gogui.player.gfx == gogui.player.errors == []


def test_only_new_pictures_are_shown_and_not_too_often(capfd):
    waits, pictures = [], iter(["", "A", "A\nB", "A\nB", "", "A\nB", "C"])

    class Over:
        def wait(self, seconds):
            waits.append(seconds)
            return len(waits) > 7

    analyze.show_until(Over(), lambda: next(pictures))
    assert waits == [0.2] * 8
    captured = capfd.readouterr()
    assert captured.err == "".join(f"gogui-gfx:\n{text}\n\n" for text in ("A", "A\nB", "C"))
    assert captured.out == ""


@pytest.mark.parametrize("player, command, kernel", [
    ("alphabeta", "genmove w", "search_root"), ("flat", "genmove w", "simulate"),
    ("alphabeta", "move_values", "search_root"), ("random", "solve", "prove")])
@pytest.mark.few(1)
def test_escape_while_code_is_compiled(player, command, kernel, tmp_path):
    """The answer does not wait for the compiler, and a move is not a blunder."""
    process = Process("--size", "9", "--player", player, "--policy", "rule_based",
                      env=caching_in(tmp_path))
    process.ask("gogui-play_sequence b c3 w c7 b d3 w d7 b e3 w a9 b f3")
    process.send(command)
    while not process.compiling:
        time.sleep(0.01)
    assert process.compiling[0].startswith(f"compiling {kernel}")
    process.send("# interrupt")
    reply = process.reply()
    assert not list(tmp_path.rglob(f"*.{kernel}-*"))
    assert reply in {"genmove w": ("B3", "G3"), "solve": ("unknown",),
                     "move_values": ("TEXT no values by alphabeta",)}[command]
    assert process.ask("search_statistics") == "no search yet"
    assert process.ask("name").startswith("gtp_engine")
    process.close()


def test_the_clock_after_an_interrupt():
    """What an interrupted move took is gone, no more; the rest is there for the next one."""
    engine = Engine(size=9, player="flat", simulations=10**9)
    engine.ask("time_settings 60 0 0")
    engine.ask("time_left b 30 0")
    engine.dispatcher.stop[0] = 1
    start = time.monotonic()
    engine.ask("genmove b")
    took = time.monotonic() - start
    clock = engine.session.clock
    assert 0 <= 30 - clock.budget(BLACK).seconds * EXPECTED_MOVES <= took
    assert clock.budget(WHITE).seconds == pytest.approx(60 / EXPECTED_MOVES)
    engine.dispatcher.stop[0] = 1
    before = clock.budget(WHITE)
    engine.ask("reg_genmove w")
    engine.dispatcher.stop[0] = 1
    engine.ask("move_values")
    assert clock.budget(WHITE) == before


def test_loading_goes_on_after_an_interrupt():
    stop, begun, may_end = bytearray(2), [], threading.Event()
    loader = Loader(stop)

    def load():
        begun.append(1)
        may_end.wait()

    stop[0] = 1
    assert not loader.finishes("slow", load)
    stop[0] = 0
    assert loader.finishes("fast", lambda: None)
    may_end.set()
    assert loader.finishes("slow", load) and begun == [1]


def test_an_interrupt_before_the_first_playout_is_no_reason_to_lose():
    engine = Engine("Gomoku", 9, player="flat", policy="rule_based")
    engine.play("b a9 w c5 b b9 w d5 b a7 w e5 b b5 w f5")
    engine.ask("move_values")  # loads the kernels
    for command in ("genmove b", "reg_genmove b"):
        for _ in range(10):
            engine.dispatcher.stop[0] = 1
            assert engine.ask(command) == "G5"
            if command == "genmove b":
                engine.ask("undo")
