"""The `R,x,y,z` protocol: conversations, whatever may arrive, a real process."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE, Lattice
from gtp_engine.players.base import Settings
from gtp_engine.protocols.engine import Engine
from gtp_engine.protocols.qubic_pipe import converse
from gtp_engine.wire.clock import Clock
from gtp_engine.wire.notation import pipe_move, pipe_text
from tests.engine import PATIENCE

SCRIPT = Path(__file__).parent.parent / "qubic.py"
CUBE = Lattice(4, 4, 4)


def talk(lines, answers=()):
    """Our messages; we play these moves, written as 0,1,2, then the first free points."""
    waiting = list(answers)

    def choose(position, limits):
        if waiting:
            return position.lattice.point(*map(int, waiting.pop(0).split(",")))
        return position.legal_moves()[0]

    game = catalogue.QUBIC
    engine = Engine(catalogue.start(game, game.default_size), "random", Settings(), Clock(),
                    bytearray(2))
    engine.player.choose = choose
    return list(converse([line.encode() for line in lines], engine))


@pytest.mark.parametrize("lines, messages", [
    ([], []),
    (["exit"], []),
    (["R"], ["R,0,0,0"]),
    (["B"], []),
    (["B", "exit", "R,0,0,0"], []),
    (["", "R\r", "B,1,1,1\r"], ["R,0,0,0", "R,1,0,0"]),
    (["R\0\0\0\0\0\0\0\0", "B,1,1,1\0\0"], ["R,0,0,0", "R,1,0,0"]),
    (["\0\0B", "\0R,1,1,1\0"], ["B,0,0,0"]),
    (["R", "B,0,0,0", "B,1,1,1", "exit", "B,2,2,2"], ["R,0,0,0", "ERROR"]),
    (["x", "R", "exit"], ["ERROR"]),
    (["R", "\0\0", "B,1,1,1", "\0\0\0"], ["R,0,0,0", "R,1,0,0"]),
])
def test_conversations(lines, messages):
    assert talk(lines) == messages


@pytest.mark.parametrize("line", [
    "r,0,1,1", "b,1,1,1", "R,1,1,1", "B,0,4,3", "B,-1,0,0", "B,0,1", "B,0,1,1,1", "B 0 1 1",
    "B, 0,1,1", "B,0,0,0", "B,1,1,1 R,2,2,2", "", "B", "GAMEOVER", "ERROR", "EXIT", "B,١,1,1",
    "B,\xb2,1,1", "B,00,1,1", "B,1.0,1,1", "," * 5000])
def test_invalid_moves(line):
    """Each is answered by ERROR, and after that nothing but exit counts."""
    assert talk(["R", line, "B,3,3,3", "junk", "exit"]) == ["R,0,0,0", "ERROR"]


def test_the_end_of_a_game():
    lost = ["B"] + [f"R,{i},0,0" for i in range(4)]
    answers = ["0,1,1", "1,1,1", "2,1,1"]
    assert talk(lost, answers) == ["B,0,1,1", "B,1,1,1", "B,2,1,1", "GAMEOVER"]
    assert talk([*lost, "R,3,3,3", "exit"], answers)[3:] == ["GAMEOVER"]
    won = ["R"] + [f"B,{i},1,1" for i in range(3)]
    answers = [f"{i},0,0" for i in range(4)]
    assert talk(won, answers) == [*(f"R,{i},0,0" for i in range(4)), "GAMEOVER"]


def drawn_game():
    """A full board without a row, as moves in turn."""
    rng = Random(1)
    lines = list(CUBE.lines(4))
    while True:
        points = list(CUBE.points)
        rng.shuffle(points)
        first = set(points[:32])

        def rows():
            return sum(len(first.intersection(line)) in (0, 4) for line in lines)
        for _ in range(4000):
            if rows() == 0:
                return [p for pair in zip(sorted(first), sorted(set(points) - first))
                        for p in pair]
            before, a, b = rows(), rng.choice(sorted(first)), rng.choice(
                sorted(set(points) - first))
            first ^= {a, b}
            if rows() > before:
                first ^= {a, b}


def test_a_draw_is_a_game_over_for_both():
    moves = drawn_game()
    for symbol, own, other in (("R", 0, 1), ("B", 1, 0)):
        theirs = [pipe_text(CUBE, BLACK if symbol == "B" else WHITE, p) for p in moves[other::2]]
        ours = [pipe_text(CUBE, BLACK, p)[2:] for p in moves[own::2]]
        messages = talk([symbol, *theirs], ours)
        assert len(messages) == 33 and messages[-1] == "GAMEOVER"


def test_text_of_moves():
    for point in CUBE.points:
        for colour in (BLACK, WHITE):
            assert pipe_move(CUBE, pipe_text(CUBE, colour, point)) == (colour, point)
    small = catalogue.start(catalogue.QUBIC_3, 6).lattice
    assert pipe_move(small, "R,3,0,0") is None


def test_noise():
    """Whatever arrives, there is one answer to it at most, and no exception."""
    rng = Random(2)
    alphabet = "RB,0123 \0\r\texiGAMOVE\xff٣"
    for _ in range(3000):
        lines = ["".join(rng.choices(alphabet, k=rng.randrange(12))) for _ in range(4)]
        if rng.random() < 0.7:
            lines[0] = rng.choice("RB")
        messages = talk(lines)
        assert len(messages) <= len(lines)
        assert all(len(message) < 10 for message in messages)


def started(*options):
    return subprocess.Popen([sys.executable, str(SCRIPT), *options], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.slow
def test_a_process():
    """Messages come at once, in blocks of ten bytes; exit and the end of input end it."""
    process = started("--time", "0.1")
    process.stdin.write(b"R\n")
    process.stdin.flush()
    assert process.stdout.read(10) == b"R,0,0,0\0\0\n"
    process.stdin.write(b"B,1,1")
    process.stdin.flush()
    process.stdin.write(b",1\0\0\n")
    process.stdin.flush()
    assert process.stdout.read(10)[:2] == b"R,"
    process.stdin.write(b"B,9,9,9\n")
    process.stdin.flush()
    assert process.stdout.read(10) == b"ERROR\0\0\0\0\n"
    output, errors = process.communicate(b"exit\n", timeout=PATIENCE)
    assert (process.returncode, output) == (0, b"")
    assert b"Traceback" not in errors
    for words in ([], ["--player", "random", "--seed", "1", "--no-padding"]):
        process = started(*words)
        output, _ = process.communicate(b"", timeout=PATIENCE)
        assert (process.returncode, output) == (0, b"")
    process = started("--player", "random", "--seed", "1", "--no-padding")
    output, _ = process.communicate(b"R\n", timeout=PATIENCE)
    assert pipe_move(CUBE, output.decode().removesuffix("\n"))[0] == BLACK
    assert started("--player", "nobody").wait(PATIENCE) == 2
