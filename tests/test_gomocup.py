"""Gomocup's protocol: every command, whatever may arrive, a process that is suspended."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from threading import Event

import pytest

from gtp_engine.arena.seats.base import TimeControl
from gtp_engine.arena.seats.programs import GomocupSeat
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE, Lattice
from gtp_engine.players.base import INTERRUPT, Settings
from gtp_engine.protocols.gomocup import Brain
from gtp_engine.wire.clock import MatchClock
from gtp_engine.wire.notation import piskvork_point, piskvork_text
from tests.engine import PATIENCE

SCRIPT = Path(__file__).parent.parent / "pbrain-gtpengine"


class Manager:
    """A brain in this process; so few moves that its time does not matter."""

    def __init__(self, *lines):
        self.brain = Brain(Settings(rng=Random(1), memory=1, nodes=500), 5.0, bytearray(2))
        self.brain.clock.spend(BLACK, 0)  # what this process has done is no part of a first move
        for line in lines:
            self.tell(line)
        self.brain.engine.load()

    def tell(self, line):
        """The replies to a line, without what is said of a search."""
        return [reply for reply in self.brain.answers(line) if not reply.startswith("MESSAGE ")]

    def ask(self, *lines):
        """The only reply to these lines."""
        reply, = [reply for line in lines for reply in self.tell(line)]
        return reply

    def free(self, reply):
        """The point of a move, which must have been free."""
        position = self.brain.engine.position
        point = piskvork_point(position.lattice, reply)
        assert position.history[-1].before[0] == (point, EMPTY)
        return point


def test_renju_begins_in_the_centre():
    assert Manager("START 15", "INFO rule 4").ask("BEGIN") == "7,7"
    assert Manager("INFO rule 4", "START 20").ask("BEGIN") in ("9,9", "9,10", "10,9", "10,10")


def test_a_game_from_the_start():
    manager = Manager()
    assert manager.ask("TURN 1,1") == "ERROR START comes first"
    assert manager.ask("START 15\r") == "OK"
    assert manager.tell("INFO timeout_turn 100") == manager.tell("INFO nonsense 5") == []
    assert manager.tell("") == manager.tell("  \r") == []
    manager.free(manager.ask("BEGIN"))
    manager.free(manager.ask("TURN 0,0"))
    assert manager.ask("TURN 0,0") == "ERROR occupied: 0,0"
    assert manager.ask("TURN 15,0") == "ERROR no such point: 15,0"
    assert manager.ask("TURN -1,0") == "ERROR no such point: -1,0"
    assert manager.ask("TURN") == "ERROR no such point: "
    assert manager.ask("TAKEBACK 0,0") == "OK"
    assert manager.ask("TAKEBACK 0,0") == "ERROR no stone there: 0,0"
    assert manager.ask("PLAY 0,0") == "0,0"
    assert manager.ask("RESTART") == "OK"
    assert manager.brain.engine.position.vacant == 225
    manager.free(manager.ask("TURN 7 , 7"))
    assert manager.brain.own == WHITE
    assert manager.ask("ABOUT").startswith('name="gtp_engine", version="')
    assert manager.ask("LAUNCH rockets") == "UNKNOWN LAUNCH rockets"
    assert manager.tell("END") == [] and manager.brain.finished


@pytest.mark.parametrize("line, reply", [
    ("START 20", "OK"), ("START 5", "OK"), ("start 15", "OK"), ("RECTSTART 15,15", "OK"),
    ("RECTSTART 20,15", "ERROR only square boards"), ("START", "ERROR not a size: "),
    ("START x", "ERROR not a size: x"), ("RECTSTART 15", "ERROR not a size: 15"),
    ("START 26", "ERROR Gomoku is played on sizes 3 to 25")])
def test_start(line, reply):
    assert Manager().ask(line) == reply


def board(*stones):
    return ["BOARD", *stones, "DONE"]


FOUR = ["7,7,1", "8,8,1", "9,9,1", "10,10,1", "6,6,2", "0,1,2", "5,1,2", "9,1,2"]


def test_board_in_any_order():
    for seed in range(6):
        stones = FOUR[:]
        Random(seed).shuffle(stones)
        manager = Manager("START 15")
        assert manager.ask(*board(*stones)) == "11,11"
        assert manager.brain.own == BLACK
    manager = Manager("START 15")
    assert manager.ask(*board(*FOUR[:-1], "11,11,2", "12,12,2")) != "11,11"
    assert manager.brain.own == WHITE
    for stones, complaint in ((["1,1,3"], "not a stone: 1,1,3"), (["1,1"], "not a stone: 1,1"),
                              (["1,1,1", "1,1,2"], "two stones there: 1,1,2"),
                              (["99,1,1"], "no such point: 99,1"), (["x"], "not a stone: x")):
        assert manager.ask(*board(*stones)) == f"ERROR {complaint}"
    assert manager.ask("DONE") == "UNKNOWN DONE"
    assert manager.ask("BOARD", "1,1,1", "START 10") == "OK"
    over = [f"{x},0,2" for x in range(5)] + [f"{2 * x},3,1" for x in range(5)]
    assert manager.ask(*board(*over)) == "ERROR the game is over"


def test_rules():
    """Six in a row win free-style, and not where it has to be five."""
    six = ["1,1,1", "2,1,1", "3,1,1", "5,1,1", "6,1,1", "9,9,2", "9,7,2", "7,9,2", "3,9,2", "0,0,2"]
    assert Manager("START 10", "INFO rule 0").ask(*board(*six)) == "4,1"
    assert Manager("START 10", "INFO rule 1").ask(*board(*six)) != "4,1"
    blocked = ["0,0,2", "1,0,1", "2,0,1", "3,0,1", "4,0,1", "6,0,2", "9,9,1", "9,2,2", "2,9,2"]
    assert Manager("START 10", "INFO rule 0").ask(*board(*blocked)) == "5,0"
    for rule in (8, 9):
        assert Manager("START 10", f"INFO rule {rule}").ask(*board(*blocked)) != "5,0"
    for rule in (2, 6, 99):
        manager = Manager("START 10", f"INFO rule {rule}")
        for request in (["BEGIN"], ["TURN 1,1"], board("1,1,2"), ["SWAP2BOARD", "DONE"]):
            assert manager.ask(*request) == f"ERROR rule {rule} is not supported"
    assert manager.tell("INFO rule 0") == [] and "," in manager.ask(*board("3,3,2"))


def test_renju():
    """Neither side stops a row on a point that is forbidden to it, or plays there."""
    fork = ["4,7,{0}", "14,0,{1}", "5,7,{0}", "0,14,{1}", "7,5,{0}", "14,14,{1}", "7,6,{0}"]
    as_black = [line.format(1, 2) for line in [*fork, "0,0,{1}"]]
    assert Manager("START 15", "INFO rule 0").ask(*board(*as_black)) == "7,7"
    assert Manager("START 15", "INFO rule 4").ask(*board(*as_black)) != "7,7"
    manager = Manager("START 15", "INFO rule 4")
    assert "," in manager.ask(*board(*[line.format(2, 1) for line in fork]))
    assert manager.brain.own == WHITE
    six = ["1,1", "2,1", "3,1", "5,1", "6,1"]
    far = ["9,9", "9,7", "7,9", "3,9", "12,12"]
    for other, wins in ((far, False), ([*far, "14,3"], True)):  # as Black, and as White
        stones = [f"{at},1" for at in six] + [f"{at},2" for at in other]
        assert (Manager("START 15", "INFO rule 4").ask(*board(*stones)) == "4,1") == wins


def test_swap2():
    manager = Manager("START 15")
    points = manager.ask("SWAP2BOARD", "DONE").split()
    assert len(set(points)) == 3 and all(piskvork_point(Lattice(15, 15), p) for p in points)
    answer = manager.ask("SWAP2BOARD", *points, "DONE")
    assert answer == "SWAP" or piskvork_point(Lattice(15, 15), answer), "two are never added"
    # Black is far ahead, or White is: three and five stones.
    assert manager.ask("SWAP2BOARD", "7,7", "0,0", "7,8", "DONE") == "SWAP"
    assert manager.brain.own == BLACK
    manager.free(manager.ask("TURN 9,9"))
    assert manager.ask("SWAP2BOARD", "7,7", "0,0", "8,8", "14,0", "9,9", "DONE") == "SWAP"
    manager.free(manager.ask("SWAP2BOARD", "0,0", "7,7", "14,14", "8,8", "0,14", "DONE"))
    assert manager.brain.own == WHITE
    assert manager.ask("SWAP2BOARD", "1,1", "DONE") == "ERROR an opening has 0, 3 or 5 stones"


def test_time():
    """The first move pays for the start of the program, unless there is time enough."""
    clock = MatchClock(1e5, 5)
    assert clock.budget(BLACK).seconds < 4.9
    clock.spend(BLACK, 1)
    assert clock.budget(BLACK).seconds == pytest.approx(4.9)
    assert MatchClock(0.5, 1e6).budget(BLACK).seconds == 0.5


def test_a_first_move_does_not_pay_for_what_was_waited_for():
    clock, impatient = MatchClock(1e5, 0.4), MatchClock(1e5, 0.4)
    sum(range(10**7))  # some tenths of a second
    clock.start_first_move()
    assert clock.budget(BLACK).seconds == pytest.approx(0.38, abs=0.1)
    assert impatient.budget(BLACK).seconds == 0.02
    clock.spend(BLACK, 1)
    clock.start_first_move()
    assert clock.budget(BLACK).seconds == pytest.approx(0.38)


def test_our_player_is_loaded_before_ok():
    """Unless the manager has sent more than START: then a move is not to be kept waiting."""
    for behind, loaded in ((0, True), (3, False)):
        begun, manager = [], Manager()
        manager.brain.waiting = lambda: behind
        manager.brain.engine._loading_job = lambda rules: ("player", lambda: begun.append(
            not Event().wait(0.2)))
        assert manager.ask("START 15") == "OK" and bool(begun) == loaded


@pytest.mark.parametrize("waits", [True, False])
def test_the_first_move_of_a_new_process(waits):
    """An open three is blocked, with or without a search."""
    for _ in range(3):
        lines = ["INFO timeout_turn 500", *board("8,7,1", "6,6,2", "4,4,1", "7,6,2", "6,9,1",
                                                 "5,6,2"), "END", ""]
        process = subprocess.Popen([sys.executable, str(SCRIPT)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        with process:
            process.stdin.write("START 15\n")
            process.stdin.flush()
            if waits:
                assert process.stdout.readline() == "OK\n"
            process.stdin.write("\n".join(lines))
            process.stdin.close()
            assert process.stdout.read().split()[-1] in ("4,6", "8,6")


def test_lines_that_have_all_arrived():
    """With END among them: what alphabeta prefers without a search, and not any move."""
    moves = set()
    for seed in range(4):
        stop = bytearray(2)
        brain = Brain(Settings(rng=Random(seed), memory=1), 60.0, stop)
        list(brain.answers("INFO timeout_turn 60000"))
        stop[INTERRUPT] = 1
        replies = [reply for line in ("START 15", "BOARD", "7,7,2", "DONE")
                   for reply in brain.answers(line)]
        moves.add(replies[-1])
    assert len(moves) == 1


def test_a_move_does_not_wait_for_the_compiler_longer_than_it_may_take():
    """It stops a win then, or stands near the stones; loading goes on."""
    manager, compiled = Manager("START 15", "INFO timeout_turn 300"), Event()
    manager.brain.engine._loading_job = lambda rules: ("compiler", lambda: compiled.wait(PATIENCE))
    x, y = map(int, manager.ask("TURN 7,7").split(","))
    assert abs(x - 7) <= 2 and abs(y - 7) <= 2
    assert manager.ask("BOARD", "3,3,2", "4,3,2", "5,3,2", "6,3,2", "2,3,1", "DONE") == "7,3"
    assert not manager.brain.engine.loader.begin("compiler", compiled.wait).done(), "it waited"
    compiled.set()
    assert manager.brain.engine.loader.begin("compiler", compiled.wait).result(PATIENCE)


def test_memory():
    brain = Manager("START 15").brain
    brain.memory = 64
    for allowed, expected in ((350 << 20, 64), (300 << 20, 44), (1000, 1), (0, 64)):
        list(brain.answers(f"INFO max_memory {allowed}"))
        assert brain.engine.settings.memory == expected


def test_numbers_that_are_too_large():
    manager = Manager("START 15", f"INFO timeout_turn {'9' * 5000}", f"INFO rule {'9' * 400}")
    manager.free(manager.ask("BEGIN"))
    assert manager.ask(f"TURN {'9' * 5000},1").startswith("ERROR no such point")


def test_what_is_said_of_a_search():
    """One line before the move, in words that our own referee notes."""
    manager = Manager("START 15")
    said, move = [reply for line in board("7,7,2", "8,8,1", "7,8,2")
                  for reply in manager.brain.answers(line)]
    words = re.fullmatch(
        r"MESSAGE depth (\d+) value ([+-]\d+) nodes (\d+) line((?: \d+,\d+)+)", said)
    assert words[4].split()[0] == move
    seat = GomocupSeat("pbrain", TimeControl())
    seat.log_line(f"< {said}")
    depth, value, nodes = map(int, words.groups()[:3])
    assert seat.search_info == {"depth": depth, "value": value, "nodes": nodes}


def test_text_of_points():
    lattice = Lattice(19, 19)
    assert piskvork_text(lattice, lattice.point(0, 18)) == "0,0"
    for point in lattice.points:
        assert piskvork_point(lattice, piskvork_text(lattice, point)) == point


def test_noise():
    """Whatever arrives, the program lives and answers in the protocol's words."""
    rng = Random(3)
    words = ["START", "BEGIN", "TURN", "BOARD", "DONE", "INFO", "RESTART", "TAKEBACK", "PLAY",
             "SWAP2BOARD", "RECTSTART", "ABOUT", "rule", "max_memory", "timeout_turn", "0,0", "1,1",
             "2,2,1", "3,3,2", "5", "-1", "99999999999", "9" * 5000, "9" * 400,
             "x", ",", "\xff", "1", "2", "time_left"]
    manager = Manager("START 5", "INFO timeout_turn 20")
    manager.brain.engine.settings.nodes = 20
    for _ in range(4000):
        line = " ".join(rng.choices(words, k=rng.randrange(4)))
        for reply in manager.tell(line):
            first = reply.split()[0]
            assert first in ("OK", "ERROR", "UNKNOWN", "SWAP") or "," in first or "name" in first
            assert "\n" not in reply


def test_a_process_that_is_suspended():
    """As the judge does it: suspended between moves, END ends it, also while it thinks."""
    process = subprocess.Popen([sys.executable, str(SCRIPT)], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, bufsize=0)
    process.stdin.write(b"START 15\r\nINFO timeout_turn 400\r\nINFO rule 0\r\n")
    process.send_signal(signal.SIGSTOP)
    stones = ["7,7,2"]
    process.send_signal(signal.SIGCONT)
    assert process.stdout.readline() == b"OK\r\n"
    for _ in range(4):
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.3)
        process.send_signal(signal.SIGCONT)
        process.stdin.write("\r\n".join([*board(*stones), ""]).encode())
        while (line := process.stdout.readline()).startswith(b"MESSAGE "):
            pass
        x, y = map(int, line.split(b","))
        taken = {tuple(map(int, stone.split(",")[:2])) for stone in stones}
        assert (x, y) not in taken
        free = next((a, b) for a in range(15) for b in range(15) if (a, b) not in taken | {(x, y)})
        stones += [f"{x},{y},1", "{},{},2".format(*free)]
    process.stdin.write(b"START 15\r\nINFO timeout_turn 100000000\r\nTURN 7,7\r\n")
    assert process.stdout.readline() == b"OK\r\n"
    time.sleep(0.3)
    process.communicate(b"END\r\n", timeout=PATIENCE)
    assert process.returncode == 0


def test_a_package_that_is_missing():
    """It is named, whoever has started the program."""
    command = [sys.executable, "-c", "import sys; sys.modules['platformdirs'] = None\n"
               "from gtp_engine.__main__ import pbrain\nsys.exit(pbrain())"]
    done = subprocess.run(command, input="START 15\nBEGIN\nEND\n", capture_output=True, text=True,
                          cwd=Path(__file__).parent.parent, timeout=PATIENCE)
    assert done.stdout.split("\n")[1] == (
        "ERROR this needs the package platformdirs, which is not installed: python -m pip "
        "install . in the folder of the sources installs it")
