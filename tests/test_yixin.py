"""Yixin-Board's protocol: a session with the board, every command, whatever may arrive."""

import os
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE, Lattice
from gtp_engine.players.base import INTERRUPT, Limits, Settings
from gtp_engine.players.openings import balancing
from gtp_engine.players.openings.balanced import judge
from gtp_engine.players.openings.balancing import after_moves, lines_of
from gtp_engine.players.registry import make_player
from gtp_engine.protocols import yixin_openings
from gtp_engine.protocols.yixin import Yixin
from gtp_engine.wire.notation import yixin_name, yixin_point, yixin_text
from tests.engine import PATIENCE
from tests.positions import random_game

SCRIPT = Path(__file__).parent.parent / "engine"
NO_MOVES = ("OK", "MESSAGE", "DETAIL", "DEBUG", "ERROR", "UNKNOWN", "FORBID")
MARK = re.compile(r"MESSAGE REALTIME (REFRESH|VAL -?\d+|PV [A-Z\d ]*|(BEST|POS|DONE|LOSE) \d+,\d+)")

EVERY = [f"{row},{column}" for row in range(15) for column in range(15)]


def moves(replies):
    """Those that the board takes as moves."""
    return [reply for reply in replies if not reply.startswith(NO_MOVES)]


class Board:
    """A program in this process, with few nodes and any time, so that a busy machine is no matter.
    """

    def __init__(self, *lines, nodes=2000):
        self.stop = bytearray(2)
        self.brain = Yixin(Settings(rng=Random(1), memory=1, nodes=nodes), 1e5, self.stop)
        self.tell("INFO timeout_turn 100000000")
        self.tell(*lines)
        self.brain.engine.load()

    def tell(self, *lines):
        """The replies to these lines."""
        return [reply for line in lines for reply in self.brain.answers(line)]

    def move(self, *lines):
        """The only move that these lines are answered by, which must have been free."""
        before = self.brain.engine.position
        reply, = moves(self.tell(*lines))
        assert yixin_point(before.lattice, reply) is not None
        return reply

    @property
    def position(self):
        return self.brain.engine.position


def stones(*played, command="yxboard"):
    """The lines that the board sends for these moves, as H8 or 7,7, in turn."""
    lattice = Lattice(15, 15)
    texts = [text if "," in text else yixin_text(lattice, point_named(lattice, text))
             for text in played]
    return ["start 15 15", command, *(f"{text},{1 if i % 2 == len(texts) % 2 else 2}"
                                      for i, text in enumerate(texts)), "done"]


def point_named(lattice, name):
    return next(point for point in lattice.points if yixin_name(lattice, point) == name)


@pytest.fixture(scope="module")
def calm():
    """Positions of 4 to 14 stones without a threat, by the moves in turn."""
    found = []
    for seed in range(6):
        for position in islice(random_game(catalogue.GOMOKU, 15, Random(seed)), 4 + 2 * seed, None):
            break
        found.append([yixin_text(position.lattice, record.point) for record in position.history])
    return found


# --- texts ----------------------------------------------------------------------------------------

def test_text_of_points():
    lattice = Lattice(19, 19)
    assert yixin_text(lattice, lattice.point(2, 18)) == "0,2"
    assert yixin_name(lattice, lattice.point(8, 0)) == "I1"
    for point in lattice.points:
        assert yixin_point(lattice, yixin_text(lattice, point)) == point
    for text in ("", "1", "19,0", "0,19", "-1,0", "1,2,3", "a,b", "1;2"):
        assert yixin_point(lattice, text) is None


REPLIES = [  # lines, all that they are answered by
    ("START 15 15", ["OK"]), ("start 20 20", ["OK"]), ("START 15", ["OK"]),
    ("START 20 15", ["ERROR only square boards"]), ("START x", ["ERROR not a size: x"]),
    ("START", ["ERROR not a size: "]),
    ("START 26 26", ["ERROR Gomoku is played on sizes 3 to 25"]),
    ("START 26 26|board|done", ["ERROR Gomoku is played on sizes 3 to 25",
                                "ERROR START comes first"]),
    ("yxstop", []), ("yxstop|YXSTOP|yxstop", []), ("yxhashclear", []), ("INFO nonsense 7", []),
    ("info usedatabase 1|INFO caution_factor 1|INFO pondering 0|INFO vcthread 2", []),
    ("info nbestsym 0|INFO show_detail x|INFO|INFO max_node", []),
    ("yxshowforbid", ["FORBID ."]), ("yxquerydatabaseall|7,7|7,8|done", []),
    ("yxquerydatabaseall|done", []), ("yxboard|7,7,2|done", []), ("yxboard|done|yxstop", []),
    ("yxmakeanopening|7,7|done", []), ("yxnonsense 1 2", []), ("done", []),
    ("7,7", []), ("nonsense", ["UNKNOWN nonsense"]), ("", []),
    ("yxblock|1,1|done|yxblockundo|1,1|done|yxblockreset", []),
    ("yxblockpath|1,1|2,2|done|yxblockpathundo|1,1|2,2|done|yxblockpathreset", []),
    ("yxblock|15,1|done", ["ERROR no such point: 15,1"]),
    ("yxblock|1,1,1|done", ["ERROR no such point: 1,1,1"]),
    ("yxblockpath|x|done", ["ERROR no such point: x"]),
    ("yxboard|7,7,3|done", ["ERROR not a stone: 7,7,3"]),
    ("yxboard|7,7,1|7,7,2|done", ["ERROR two stones there: 7,7,2"]),
    ("board|7,7|done", ["ERROR not a stone: 7,7"]),
    ("yxnbest x", ["ERROR not a valid number: x"]),
    ("yxnbest 0", ["ERROR not a valid number: 0"]),
    ("yxbalanceone 1.5", ["ERROR not a valid number: 1.5"]),
    (f"yxbalancetwo {'9' * 5000}", [f"ERROR not a valid number: {'9' * 5000}"]),
    ("turn 15,0", ["ERROR no such point: 15,0"]), ("turn", ["ERROR no such point: "]),
    ("yxboard|7,7,2|yxstop|yxshowforbid", ["FORBID ."]),  # a list that breaks off
    ("INFO rule 0|INFO rule 1|INFO rule 8|INFO rule 9", []),
    ("INFO rule 3", ["MESSAGE rule 3 is not supported: moves are those of Gomoku-exact"]),
    ("nonsense \0\xff\u2028.", ["UNKNOWN nonsense ???."]),
]


@pytest.mark.parametrize("lines, replies", REPLIES, ids=lambda value: str(value)[:30])
def test_replies(lines, replies):
    board = Board("START 15 15")
    assert board.tell(*lines.split("|")) == [reply[:1000] for reply in replies]
    assert board.tell("start 15 15") == ["OK"], "the session lives"


def test_what_can_be_set():
    board = Board("START 15 15")
    settings, told = board.brain.engine.settings, board.brain.clock.info
    cores = os.cpu_count()
    for line, value, expected in (
            ("max_node 10000", lambda: settings.nodes, 10000),
            ("max_node -1", lambda: settings.nodes, None),
            ("max_depth 9", lambda: settings.depth, 9),
            ("thread_num 1", lambda: settings.threads, 1),
            ("thread_num 0", lambda: settings.threads, 1),
            ("thread_num 999", lambda: settings.threads, cores),
            ("hash_size 4096", lambda: settings.memory, 4),
            ("hash_size 1", lambda: settings.memory, 1),
            ("hash_size 99999999", lambda: settings.memory, 1024),
            ("hash_size 0", lambda: settings.memory, 1),
            ("timeout_turn 3000", lambda: told["timeout_turn"], 3000),
            ("timeout_match 30000", lambda: told["timeout_match"], 30000),
            ("time_left 20000", lambda: told["time_left"], 20000),
            ("time_increment 500", lambda: told["time_increment"], 500),
            ("show_detail 1", lambda: board.brain.detail, True),
            ("show_detail 0", lambda: board.brain.detail, False)):
        assert board.tell(f"INFO {line}") == [] and value() == expected, line
    assert board.tell("yxshowinfo")[:2] == [f"MESSAGE INFO MAX_THREAD_NUM {cores}",
                                            "MESSAGE INFO MAX_HASH_SIZE 20"]


# --- moves ----------------------------------------------------------------------------------------

def test_rows_come_first():
    """In moves, marks and names, where turning the board would make a difference."""
    four = ["2,5", "9,1", "2,6", "11,3", "2,7", "9,8", "2,8", "2,9"]
    board = Board("START 15 15", "INFO show_detail 1")
    replies = board.tell(*stones(*four, command="board"))
    assert moves(replies) == ["2,4"]
    assert "MESSAGE REALTIME BEST 2,4" in replies and "MESSAGE REALTIME PV E13" in replies
    assert " line E13 nodes " in replies[-2]
    for command in ("yxnbest 1", "yxblock|4,2|done|yxnbest 2"):
        assert board.move(*stones(*four), *command.split("|")) == "2,4"
    assert board.move(*stones(*four), "yxblock", "2,4", "done", "yxnbest 2") != "2,4"
    board.tell("yxblockreset", *stones("2,8", "0,0", "2,9"))
    assert board.position.cells[board.position.lattice.point(8, 12)] == BLACK


def test_rules():
    """Six in a row win free-style, and not where it has to be five; Caro needs an open end."""
    six = ["1,1", "9,9", "1,2", "9,7", "1,3", "7,9", "1,5", "3,9", "1,6", "0,0"]
    assert Board("START 15 15").move(*stones(*six, command="board")) == "1,4"
    assert Board("INFO rule 1", "START 15 15").move(*stones(*six, command="board")) != "1,4"
    shut = ["0,1", "0,0", "0,2", "0,6", "0,3", "9,2", "0,4", "2,9"]
    assert Board("START 15 15", "INFO rule 0").move(*stones(*shut, command="board")) == "0,5"
    for rule in (8, 9):
        assert Board("START 15 15", f"INFO rule {rule}").move(
            *stones(*shut, command="board")) != "0,5"


def test_the_game_goes_on_from_where_it_was():
    """TURN is the move of whoever is to move, also after positions that were only looked at."""
    board = Board("START 15 15")
    board.move("TURN 7,7")
    assert board.position.cells.count(BLACK) == board.position.cells.count(WHITE) == 1
    assert board.tell(*stones("7,7", "7,8"), "yxshowforbid") == ["OK", "FORBID ."]
    assert board.position.side == BLACK
    board.move("turn 6,6")
    cells = board.position.cells
    assert cells.count(BLACK) == cells.count(WHITE) == 2 and board.position.side == BLACK
    assert cells[yixin_point(board.position.lattice, "6,6")] == BLACK
    assert board.tell("turn 6,6") == ["ERROR occupied: 6,6"]
    answer = board.move(*stones("7,7", "7,8"), "yxnbest 2")
    assert board.tell(f"turn {answer}") == [f"ERROR occupied: {answer}"], "it was played"
    over = ["0,0", "1,0", "0,1", "1,1", "0,2", "1,2", "0,3", "1,3", "0,4"]
    for command in ("yxnbest 2", "yxbalanceone", "yxsearchdefend", "turn 9,9"):
        assert board.tell(*stones(*over), command)[1].startswith("ERROR ")


def numbered(replies):
    """The last block of numbered lines: the first names of their best lines."""
    found = {}
    for reply in replies:
        match = re.fullmatch(r"MESSAGE \((\d+)\) value ([+-]M?\d+) line ([A-Z]\d+)"
                             r"( [A-Z]\d+)*", reply)
        if match:
            if match[1] == "1":
                found = {}
            found[int(match[1])] = match[3]
    return found


def test_several_best_moves(calm):
    board = Board("START 15 15", "INFO show_detail 1")
    for played in calm:
        replies = board.tell(*stones(*played), "yxnbest 4")
        best = numbered(replies)
        assert list(best) == [1, 2, 3, 4] and len({*best.values()}) == 4
        points = [point_named(board.position.lattice, name) for name in best.values()]
        assert not {*played}.intersection(yixin_text(board.position.lattice, p) for p in points)
        assert moves(replies) == [yixin_text(board.position.lattice, points[0])] == [replies[-1]]
        assert all(map(MARK.fullmatch, (r for r in replies if r.startswith("MESSAGE REALTIME"))))
    assert len(numbered(Board("START 15 15").tell("yxboard", "done", "yxnbest 3"))) == 3
    board = Board("START 5 5")
    assert len(numbered(board.tell("yxboard", "2,2,2", "done", "yxnbest 99"))) == 24


def test_what_is_shown():
    """A line for each depth with all that is known; marks only for who wants them."""
    board = Board("START 15 15", nodes=20000)
    replies = board.tell(*stones("7,7", "6,8", "6,6", "8,8", "8,6"))
    replies = board.tell("yxnbest")
    lines = [re.fullmatch(r"MESSAGE depth (\d+) value [+-]\S+ line(?: [A-O]\d+)+ nodes (\d+) "
                          r"speed \d+ time \d+ ms", reply) for reply in replies[:-1]]
    assert all(lines) and int(lines[-1][1]) > 5 and 5000 < int(lines[-1][2]) <= 20001
    depths = [int(line[1]) for line in lines]
    assert depths == sorted(depths)
    board.tell("INFO show_detail 1")
    marks = {reply.split()[2] for reply in board.tell(*stones("7,7", "6,8", command="board"))
             if reply.startswith("MESSAGE REALTIME")}
    assert marks >= {"REFRESH", "VAL", "PV", "BEST"}


# --- blocked points -------------------------------------------------------------------------------

@pytest.mark.thorough
def test_blocked_points_are_not_played(calm, monkeypatch):
    """Neither at random, nor if they win, nor if they alone do not lose."""
    monkeypatch.setattr(balancing, "ROUND_NODES", 500)
    monkeypatch.setattr(balancing, "MOST_LINES", 60)
    rng = Random(5)
    board = Board("START 15 15", nodes=300)
    four = ["7,4", "1,1", "7,5", "1,13", "7,6", "13,1", "7,7", "13,13"]
    for played in [*calm[:3], four, [*four[:7], "9,9", "0,7"]]:
        wins = ["7,3", "7,8"] if played[:7] == four[:7] else []
        free = [point for point in EVERY if point not in [*played, *wins]]
        for share in (0, len(free) - 12, len(free) - 1):
            blocked = {*rng.sample(free, share), *wins}
            board.tell("yxblockreset", "yxblock", *blocked, "done")
            for command in ("yxnbest 2", "board", "yxbalanceone 0", "yxbalancetwo 0"):
                if command == "board":
                    replies = board.tell(*stones(*played, command="board"))
                else:
                    replies = board.tell(*stones(*played), command)
                if command == "yxbalancetwo 0" and share == len(free) - 1:
                    assert not moves(replies), "there are no two moves"
                else:
                    assert moves(replies) and not blocked.intersection(moves(replies))
                    assert {*moves(replies)} <= {*free}


def test_all_points_blocked_and_free_again():
    four = ["7,4", "1,1", "7,5", "1,13", "7,6", "13,1", "7,7", "7,3"]
    board = Board("START 15 15")
    board.tell("yxblock", *EVERY, "done")
    for lines in (stones(*four, command="board"), ["yxnbest 2"], ["yxbalanceone"],
                  ["yxsearchdefend"]):
        assert board.tell(*lines)[-1] == "ERROR all points are blocked"
    board.tell("yxblockundo", "7,8", "1,2", "done")
    assert board.move(*stones(*four, command="board")) == "7,8"
    board.tell("yxblockundo", *EVERY, "done", "yxblock", "7,8", "done")
    assert board.move(*stones(*four, command="board")) != "7,8"
    board.tell("yxblockreset")
    assert board.move(*stones(*four, command="board")) == "7,8"
    board.tell("yxblock", "7,8", "done", "start 10 10", "start 15 15")
    assert board.move(*stones(*four, command="board")) == "7,8", "other boards have other points"


def test_blocked_paths():
    """The last move is blocked after the others only, whatever their order."""
    four = ["7,4", "1,1", "7,5", "1,13", "7,6", "13,1", "7,7", "7,3"]
    board = Board("START 15 15")
    path = ["yxblockpath", *four, "7,8", "done"]
    board.tell(*path)
    assert board.move(*stones(*four, command="board")) != "7,8"
    assert board.move(*stones(*four[2:4], *four[:2], *four[4:], command="board")) != "7,8"
    assert board.move(*stones(*four[:-1], "7,2", command="board")) in ("7,8", "7,3")
    assert board.move(*stones(*four, "0,0", "0,2", command="board")) == "7,8"
    board.tell(*path[:-2], "9,9", "done", "yxblockpathundo", *path[1:])
    assert board.move(*stones(*four, command="board")) == "7,8"
    board.tell(*path, "yxblockpathreset")
    assert board.move(*stones(*four, command="board")) == "7,8"


# --- balance, defence, Renju ----------------------------------------------------------------------

@pytest.mark.parametrize("count, played", [
    (1, "H6 H4 G2 J5 G5 F4 G4 G3"), (2, "H8 H9")])
@pytest.mark.few(1)
def test_balance(count, played, monkeypatch):
    """By a longer search, hardly any other moves come nearer."""
    monkeypatch.setattr(balancing, "ROUND_NODES", 60_000)
    board = Board("START 15 15")
    board.tell(*stones(*played.split()))
    before = board.position.copy()
    replies = board.tell(f"yxbalance{('one', 'two')[count - 1]} 0")
    chosen = tuple(yixin_point(before.lattice, move) for move in moves(replies))
    assert len(chosen) == count and board.position.cells == after_moves(before, chosen).cells
    player, rng = make_player("alphabeta", Settings(nodes=4_000, memory=4)), Random(2)

    def distance(line):
        after = after_moves(before, line)
        score = judge(after, player, Limits(bytearray(2)))[0]
        return abs(score)

    others = lines_of(before, before.legal_moves(), count)
    others = rng.sample(others, min(24, len(others)))
    nearer = [line for line in others if distance(line) < distance(chosen)]
    assert len(nearer) <= len(others) / 8, (distance(chosen), sorted(map(distance, others))[:5])


@pytest.mark.parametrize("command", ["yxbalanceone", "yxbalancetwo"])
@pytest.mark.few(1)
def test_balance_on_an_empty_board(command, monkeypatch):
    """All of the board is looked at: a stone near the middle is far from even."""
    monkeypatch.setattr(balancing, "ROUND_NODES", 30_000)
    board = Board("START 15 15")
    first, *_ = moves(board.tell(f"{command} 0"))
    x, y, _ = board.position.lattice.coordinates(yixin_point(board.position.lattice, first))
    assert command == "yxbalancetwo" or max(abs(x - 7), abs(y - 7)) > 2


def test_swap2():
    """The computer opens, takes Black where that is ahead, and else stays White."""
    board = Board("START 15 15")
    replies = board.tell("yxswap2step1")
    opened = [re.fullmatch(r"MESSAGE SWAP2 MOVE([123]) (\d+) (\d+)", reply) for reply in replies]
    assert [match[1] for match in opened] == ["1", "2", "3"] and not moves(replies)
    points = {yixin_point(Lattice(15, 15), f"{match[2]},{match[3]}") for match in opened}
    assert len(points) == 3 and board.position.vacant == 222 and board.position.side == WHITE
    for placed, answer in ((["7,7,2", "0,0,1", "7,8,2"], "YES"),
                           (["0,0,2", "7,7,1", "14,14,2"], "NO")):
        replies = board.tell("START 15 15", "yxboard", *placed, "done", "yxswap2step2")
        assert replies[-1] == f"MESSAGE SWAP2 SWAP1 {answer}"
    replies = board.tell("yxboard", "7,7,2", "0,0,1", "7,8,2", "14,0,1", "8,8,2", "done",
                         "yxswap2step3")
    assert replies[-1] == "MESSAGE SWAP2 SWAP2 YES"


def test_soosorv():
    """Each step of an opening that the computer plays against itself, and what the rule refuses."""
    board = Board("START 15 15", "INFO rule 2", nodes=500)

    def step(number, stones=(), rest=""):
        replies = board.tell(f"yxsoosorvstep{number}{rest}", *stones,
                             *(["done"] if number > 1 else []))
        assert all(reply.startswith("MESSAGE SOOSORV ") for reply in replies)
        return [reply.removeprefix("MESSAGE SOOSORV ") for reply in replies]

    opened = [re.fullmatch(r"MOVE([123]) (\d+) (\d+)", text) for text in step(1)]
    assert [match[1] for match in opened] == ["1", "2", "3"]
    stones = [f"{match[2]},{match[3]}" for match in opened]
    assert stones[0] == "7,7"
    assert step(2, stones) in (["SWAP1 Y"], ["SWAP1 N"])
    fourth, = (re.fullmatch(r"MOVE4 (\d+) (\d+) ([1-8])", text) for text in step(3, stones))
    stones.append(f"{fourth[1]},{fourth[2]}")
    assert step(4, stones, " 8") in (["SWAP2 Y"], ["SWAP2 N"])
    begin, *fifths, end = step(5, stones, " 3")
    assert (begin, end, len(fifths)) == ("MOVE5 REFRESH", "MOVE5 DONE", 3)
    offered = [text.removeprefix("MOVE5 ").replace(" ", ",") for text in fifths]
    chosen, = step(6, [*stones, *offered])
    assert chosen.removeprefix("MOVE5C ").replace(" ", ",") in offered
    assert board.tell("yxsoosorvstep2", "7,7", "0,0", "8,8", "done") == [
        "ERROR not one of the 26 openings"]
    assert board.tell("yxsoosorvstep4 9", *stones, "done") == [
        "ERROR declare 1 to 8 fifth moves, not 9"]


def test_a_step_of_an_opening_ends_though_the_level_has_no_limit(monkeypatch):
    """As the board sets it when it starts."""
    monkeypatch.setattr(yixin_openings, "STEP_SECONDS", 0.1)
    board = Board("START 15 15", "INFO timeout_match 100000000", "INFO time_left 100000000",
                  "INFO timeout_turn 2000000", "INFO max_depth 225", "INFO rule 2", nodes=None)
    stones = ["7,7", "6,7", "5,9"]
    assert board.tell("yxsoosorvstep2", *stones, "done")[-1].startswith("MESSAGE SOOSORV SWAP1 ")
    assert board.tell("yxsoosorvstep3", *stones, "done")[-1].startswith("MESSAGE SOOSORV MOVE4 ")
    board.tell("yxboard", "7,7,2", "0,0,1", "7,8,2", "done")
    assert board.tell("yxswap2step2")[-1].startswith("MESSAGE SWAP2 SWAP1 ")


def test_soosorv_takes_what_is_better():
    """White that stands well stays White, and of the fifth moves White chooses the worst."""
    board = Board("START 15 15", "INFO rule 2", nodes=2000)
    won, lost = ["7,7", "6,7", "5,7", "0,0"], ["7,7", "6,7", "5,7", "6,6"]
    assert board.tell("yxsoosorvstep4 1", *won, "done") == ["MESSAGE SOOSORV SWAP2 N"]
    assert board.tell("yxsoosorvstep6", *lost, "6,5", "14,14", "done") == [
        "MESSAGE SOOSORV MOVE5C 14 14"]


@pytest.mark.thorough
def test_balance_for_one_side(monkeypatch):
    """The value is that for the side that is to move: White, which is behind at its best."""
    monkeypatch.setattr(balancing, "ROUND_NODES", 15_000)
    for command in ("yxbalanceone", "yxbalancetwo"):
        found = []
        for worth in (-1000, 1000):
            reply, = (reply for reply in Board(*stones("H8", "I9", "H9")).tell(
                f"{command} {worth}") if reply.startswith("MESSAGE"))
            found.append(int(reply.split()[2]))
        assert found[0] < -100 and found[0] < found[1] - 200


def test_moves_that_defend():
    """Against an open four none, against a four and an open three what stops it."""
    three = ["7,5", "1,1", "7,6", "1,13", "7,7"]
    board = Board("START 15 15", "INFO show_detail 1", nodes=30000)
    replies = board.tell(*stones(*three), "yxsearchdefend")
    assert not moves(replies) and replies[-1].startswith("MESSAGE moves that defend: ")
    names = replies[-1].removeprefix("MESSAGE moves that defend: ").removesuffix(
        "; all others lose").split()
    assert replies[-1].endswith("; all others lose")
    defend = {yixin_text(Lattice(15, 15), point_named(Lattice(15, 15), name)) for name in names}
    assert {"7,4", "7,8"} <= defend <= {"7,3", "7,4", "7,8", "7,9"}
    assert "MESSAGE REALTIME LOSE" in " ".join(replies)
    replies = board.tell(*stones(*three, "9,9", "7,8"), "yxsearchdefend")
    assert replies[-1] == "MESSAGE moves that defend: none found"
    for played in ([], ["7,6"]):
        reply = board.tell(*stones(*played), "yxsearchdefend")[-1]
        assert reply.count(" ") == (13 if played else 12) and not reply.endswith("lose")
    replies = board.tell(*stones("7,7"), "yxsearchdefend")  # Gomoku is solved
    assert replies[-1] == "MESSAGE moves that defend: none found"


def test_renju():
    """Black does not stop a four where a double three is forbidden, and the board marks the point.
    """
    black, white = ["7,4", "7,5", "5,7", "6,7"], ["14,0", "0,14", "14,14", "0,0"]
    game = [move for pair in zip(black, white) for move in pair]
    for rule, places in ((0, ""), (1, ""), (2, "0707"), (4, "0707")):
        board = Board("START 15 15", f"INFO rule {rule}", *stones(*game, command="yxboard"))
        assert board.tell("yxshowforbid") == [f"FORBID {places}."]
        assert board.tell(*stones(*game, command="yxboard"), "turn 7,7")[-1].startswith(
            "ERROR forbidden: double three" if places else "7,") or not places
    board = Board("START 15 15", "INFO rule 2", *stones(*game[:7], command="yxboard"))
    assert board.tell("yxshowforbid") == ["FORBID ."]  # White is to move


def test_a_rule_that_is_not_known():
    board = Board("START 15 15")
    assert board.tell("INFO rule 5") == [
        "MESSAGE rule 5 is not supported: moves are those of Gomoku-exact"]
    assert board.move(*stones("7,7", command="board"))


# --- stops ----------------------------------------------------------------------------------------

def interrupted(board, line, after):
    """The replies to a line if the interrupt comes after so many of them."""
    replies = []
    board.stop[INTERRUPT] = after == 0
    for reply in board.brain.answers(line):
        replies.append(reply)
        if len(replies) >= after:
            board.stop[INTERRUPT] = 1
    board.stop[INTERRUPT] = 0
    return replies


@pytest.mark.parametrize("command, after", [
    *((command, after) for command in ("done", "yxnbest 3", "yxsearchdefend")
      for after in (0, 1, 2, 7)),
    ("yxbalanceone 0", 0), ("yxbalanceone 0", 1), ("yxbalancetwo 50", 0), ("yxbalancetwo 50", 1)])
@pytest.mark.few(3)
def test_stop(command, after, calm, monkeypatch):
    """An answer each time, if one is wanted; none for a position that is no longer there."""
    monkeypatch.setattr(balancing, "ROUND_NODES", 2000)
    monkeypatch.setattr(balancing, "MOST_LINES", 200)
    board = Board("START 15 15", "INFO show_detail 1", "INFO max_node -1")
    for played in calm[:1]:
        for goes_on in (["yxstop"], ["start 15 15", "yxstop"], ["turn 0,0", "yxstop"]):
            lines = stones(*played, command="board" if command == "done" else "yxboard")
            board.tell(*lines[:-1], *(["done"] if command != "done" else []))
            first = moves(interrupted(board, command, after))
            turn = moves(interrupted(board, goes_on[0], 1)) if len(goes_on) == 2 else []
            later = moves(board.tell(goes_on[-1]))
            assert not moves(board.tell("yxstop", "yxstop"))
            assert len(turn) == (goes_on[0] == "turn 0,0")
            wanted = {"yxsearchdefend": 0, "yxbalancetwo 50": 2}.get(command, 1)
            if command == "done":
                assert (len(first), len(later)) == (1, 0)
            else:
                assert not first and len(later) == (wanted if goes_on == ["yxstop"] else 0)
            assert not {*played}.intersection(first + later)


def test_noise(monkeypatch):
    """Whatever arrives, the program lives, and no move is sent that nobody has asked for."""
    rng = Random(3)
    words = ["START", "start", "BEGIN", "TURN", "BOARD", "DONE", "INFO", "RESTART", "TAKEBACK",
             "PLAY", "RECTSTART", "ABOUT", "yxboard", "yxnbest", "yxbalanceone", "yxbalancetwo",
             "yxsearchdefend", "yxstop", "yxblock", "yxblockundo", "yxblockreset", "yxblockpath",
             "yxblockpathundo", "yxblockpathreset", "yxhashclear", "yxshowhashusage", "yxshowinfo",
             "yxshowforbid", "yxquerydatabaseall", "yxfoo", "rule", "show_detail", "hash_size",
             "max_node", "thread_num", "time_left", "0,0", "1,1", "2,2,1", "3,3,2", "5", "5 5",
             "-1", "99999999999", "9" * 5000, "x", ",", "\xff", "\0", "1", "2", "2", "%s%n"]
    board, asked = Board("START 5 5", nodes=20), ""
    monkeypatch.setattr(balancing, "ROUND_NODES", 20)
    for _ in range(2000):
        line = " ".join(rng.choices(words, k=rng.choice((1, 1, 2, 3))))
        board.brain.engine.settings.nodes = 20
        board.brain.clock.info["timeout_turn"] = 120
        replies, word = board.tell(line), line.strip().split(" ")[0].upper()
        for reply in replies:
            assert re.fullmatch("[ -~]{1,1000}", reply)
        if word in ("BOARD", "YXBOARD", "YXQUERYDATABASEALL", "YXBLOCK", "YXBLOCKUNDO",
                    "YXBLOCKPATH", "YXBLOCKPATHUNDO"):
            asked = word
        wanted = 1 if word in ("BEGIN", "TURN", "PLAY", "YXNBEST", "YXBALANCEONE") or (
            word == "DONE" and asked == "BOARD") else 2 if word == "YXBALANCETWO" else 0
        found = [move for move in moves(replies) if not move.startswith('name="')]
        assert len(found) <= wanted, (line, replies)
        assert all(re.fullmatch(r"\d+,\d+", move) for move in found)
        assert "ERROR internal error" not in replies, line
    assert board.tell("START 15 15") == ["OK"]


# --- processes ------------------------------------------------------------------------------------

@pytest.fixture
def engine(tmp_path):
    """A real program, started as the board does it: by a link in another folder."""
    (tmp_path / "engine").symlink_to(SCRIPT)

    def start(*options):
        return subprocess.Popen([sys.executable, "./engine", *options], cwd=tmp_path, text=True,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    return start


def next_reply(process, seen):
    """The next line that is no message; all lines go to `seen`."""
    while True:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        seen.append(line.rstrip("\n"))
        if not line.startswith("MESSAGE"):
            return seen[-1]


def test_the_session_of_a_real_board(engine):
    """The same kinds of answers at the same places, and nothing else that is no message."""
    text = (SCRIPT.parent / "tests" / "data" / "yixin-board.txt").read_text()
    said = re.findall(r"^ *[0-9.]+ ([<>]) (.*)$", text, flags=re.MULTILINE)
    process, seen, answers = engine("--time", "0.2", "--memory", "1"), [], 0
    for who, line in said:
        if who == ">":
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
        elif not line.startswith("MESSAGE"):
            answers += 1
            reply = next_reply(process, seen)
            assert reply == line if line.startswith(("OK", "FORBID")) else re.fullmatch(
                r"\d+,\d+", reply), line
    out, err = process.communicate("END\n", timeout=PATIENCE)
    assert process.returncode == 0 and err == ""
    assert not [line for line in out.splitlines() if not line.startswith("MESSAGE")]
    marks = {line.split()[2] for line in seen if line.startswith("MESSAGE REALTIME")}
    assert answers == 14 and marks >= {"REFRESH", "BEST", "VAL", "PV"}


def test_stops_at_random_moments(engine):
    """Of a move and of every analysis: one answer for each, and none for a stop by itself.

    A START ends an analysis without an answer.
    """
    rng, process, seen = Random(4), engine("--memory", "1"), []

    def tell(*lines):
        process.stdin.write("".join(f"{line}\n" for line in lines))
        process.stdin.flush()

    tell("info show_detail 1", "START 15 15", "INFO timeout_turn 2000000", "INFO max_node -1")
    assert next_reply(process, seen) == "OK"
    for number in range(20):
        played = [f"{number % 15},{rng.randrange(15)}", f"{(number + 1) % 15},{rng.randrange(15)}"]
        command, count = rng.choice([("board", 1), ("yxnbest 3", 1), ("yxbalancetwo 0", 2)])
        tell(*(stones(*played, command="board") if command == "board" else
               [*stones(*played), command]))
        assert next_reply(process, seen) == "OK"
        for _ in range(rng.choice((0, 1, 5, 40)) if command != "yxbalancetwo 0" else 0):
            assert process.stdout.readline().startswith("MESSAGE")
        end = rng.choice(["yxstop", "start 15 15"])
        tell(end, "yxshowforbid")
        found = list(iter(lambda: next_reply(process, seen), "FORBID ."))
        assert len(moves(found)) == (count if end == "yxstop" or command == "board" else 0)
        assert {*found} - {*moves(found)} <= {"OK"} and not {*played}.intersection(found)
        assert all(re.fullmatch(r"\d+,\d+", move) for move in moves(found))
    tell(*stones("7,7", command="board"))
    assert next_reply(process, seen) == "OK"
    out, err = process.communicate("END\n", timeout=PATIENCE)
    assert process.returncode == 0 and err == "" and len(moves(out.splitlines())) == 1
