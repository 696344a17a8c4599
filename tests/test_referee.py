"""Games between programs of every protocol, and programs that misbehave in every way."""

import json
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

import psutil
import pytest

from gtp_engine.arena import process as arena_process
from gtp_engine.arena.record import GameRecord
from gtp_engine.arena.referee import play_game
from gtp_engine.arena.seats import files as file_seats, programs as process_seats
from gtp_engine.arena.seats.base import TimeControl
from gtp_engine.arena.seats.spec import seat_of
from gtp_engine.arena.verdict import Ending
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE
from gtp_engine.wire.clock import EXPECTED_MOVES
from tests.engine import PATIENCE
from tests.programs import TOP, fake, marked, running, until

TOGETHER = 6  # games at a time that wait for programs that misbehave
OURS = {
    "gtp": f"gtp:{sys.executable} {TOP / 'gomoku3.py'} --player random",
    "gomocup": f"gomocup:{sys.executable} {TOP / 'pbrain-gtpengine'} --time 0.05",
    "pipe": f"pipe:{sys.executable} {TOP / 'qubic.py'} --player random",
}


def ours(protocol, folder, name, size=7):
    """A seat of ours that plays over files in a folder, at random."""
    return (f"{protocol}:{folder / name} {sys.executable} -m gtp_engine movefile {name} "
            f"--protocol {protocol} --size {size} --player random --dir {folder}")


def game(first, second, name="Gomoku", size=7, seconds=PATIENCE, folder=None, alone=True):
    """The verdict, the position at the end and the events of the record.

    The first player has so many seconds for a move once four stones are on the board.  Afterwards
    nothing of the programs is left; other games may be played at a time if not `alone`.
    """
    rules = catalogue.find(name)
    position = catalogue.start(rules, rules.default_size if rules.cube else size)
    rng = Random(1)
    record = GameRecord(folder)
    seats = [seat_of(text, TimeControl(PATIENCE), rng) for text in (first, second)]

    def show(position):
        if len(position.history) == 4:
            seats[0].control = TimeControl(seconds)

    verdict = play_game(position, *seats, record, show)
    events = []
    if folder:
        events = [json.loads(line) for line in record.path.read_text().splitlines()]
        assert record.path.with_suffix(".sgf").stat().st_size > 40
    assert not alone or marked(os.getpid()) == []
    return verdict, position, events


@pytest.fixture(autouse=True)
def import_from_here(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(TOP))


@pytest.fixture
def patient(monkeypatch):
    """Programs that behave may take as long as a busy machine makes them."""
    monkeypatch.setattr(process_seats, "NOTICING", PATIENCE)
    monkeypatch.setattr(process_seats, "ABOUT_PATIENCE", PATIENCE)
    monkeypatch.setattr(file_seats, "SETTLED_SECONDS", PATIENCE)


MISBEHAVIOUR = [  # protocol, what, how the game ends
    *((protocol, behaviour, ending) for protocol in ("gtp", "gomocup") for behaviour, ending in (
        ("hang", Ending.TIME), ("spin", Ending.TIME), ("flood", Ending.TIME),
        ("flood-errors", Ending.TIME), ("flood-both", Ending.TIME), ("half", Ending.TIME),
        ("long-line", Ending.TIME), ("endless", Ending.TIME), ("fork", Ending.TIME),
        ("close", Ending.CRASH), ("twice", Ending.OUT_OF_TURN), ("die", Ending.CRASH),
        ("killed", Ending.CRASH), ("daemon", Ending.CRASH),
        ("garbage", Ending.INVALID_MOVE))),
    ("gomocup", "chatter", Ending.TIME),
    *(("pipe", behaviour, ending) for behaviour, ending in (
        ("hang", Ending.TIME), ("flood", Ending.INVALID_MOVE), ("flood-both", Ending.INVALID_MOVE),
        ("half", Ending.TIME), ("close", Ending.CRASH), ("twice", Ending.OUT_OF_TURN),
        ("die", Ending.CRASH), ("garbage", Ending.INVALID_MOVE),
        ("long-line", Ending.TIME), ("fork", Ending.TIME), ("invalid", Ending.INVALID_MOVE),
        ("says-error", Ending.FALSE_CLAIM), ("says-over", Ending.FALSE_CLAIM))),
    *((protocol, behaviour, ending) for protocol in ("in-out", "move-file")
      for behaviour, ending in (("hang", Ending.TIME), ("die", Ending.CRASH),
                                ("fork", Ending.TIME), ("flood-both", Ending.TIME),
                                ("no-folder", Ending.TIME))),
    ("in-out", "half", Ending.INVALID_MOVE), ("in-out", "fifo", Ending.TIME),
]
GAMES = {"gtp": "Gomoku", "gomocup": "Gomoku", "pipe": "Qubic", "in-out": "Gomoku-swap",
         "move-file": "Gomoku-swap"}


def misbehave(protocol, behaviour, ending, folder):
    """What is wrong with the game against such a program: it must lose, in time."""
    (folder / "game").mkdir(parents=True)
    verdict, position, events = game(
        fake(protocol, behaviour, folder / "game"), "random", GAMES[protocol],
        seconds=0.9 if ending == Ending.TIME else PATIENCE, folder=folder, alone=False)
    stones = 6 if behaviour == "twice" else 4  # it is seen in the next turn
    wanted = ending, BLACK if GAMES[protocol] == "Gomoku-swap" else WHITE, stones
    found = verdict.ending, verdict.winner, len(position.history)
    moves = [event["event"] for event in events].count("move")
    if found != wanted or "fake" not in verdict.text.split("LOSES!")[0]:
        return verdict
    if moves != stones + (behaviour == "invalid") or events[-1]["ending"] != ending.name:
        return events
    return None


@pytest.mark.first
@pytest.mark.parametrize("cases", [
    pytest.param(MISBEHAVIOUR[::3], marks=pytest.mark.part, id="third"),
    pytest.param(MISBEHAVIOUR, marks=pytest.mark.thorough, id="all")])
def test_misbehaviour(cases, tmp_path):
    """The one who misbehaves loses, in time, and nothing of it is left.

    The games wait most of the time, and so some are played at a time.
    """
    rss = psutil.Process().memory_info().rss
    with ThreadPoolExecutor(TOGETHER) as pool:
        games = {case: pool.submit(misbehave, *case, tmp_path.joinpath(*case[:2]))
                 for case in cases}
    assert {case: played.result() for case, played in games.items() if played.result()} == {}
    assert psutil.Process().memory_info().rss - rss < 200 << 20
    assert marked(os.getpid()) == []


# Programs in other words: a command, what it is answered by instead of what a good program says.
GOOD = {"gtp": {"boardsize": "= \n", "clear_board": "= \n", "list_commands": "= play\n",
                "name": "= odd\n", "play": "= \n", "genmove": "= A1\n", "quit": "= \n"},
        "gomocup": {"START": "OK", "ABOUT": 'name="odd"', "BEGIN": "0,0"}}
ODD = [  # protocol, what is odd, how the game ends, a part of what is said
    *(("gomocup", {"START": answer}, Ending.TIME, "") for answer in (
        "OK - everything is good", "ok", "OK\r", "MESSAGE hello\nOK.", "Brain 1.0\nOK")),
    *(("gomocup", {"START": answer}, Ending.SILENCE, said) for answer, said in (
        ("YES", "this is no answer: 'YES'"), ("ERROR too large", "ERROR too large"),
        ("0,0", "this is no answer: '0,0'"), ("MESSAGE so\nK.O.", "this is no answer: 'K.O.'"))),
    *(("gomocup", {"BEGIN": answer}, Ending.INVALID_MOVE, said) for answer, said in (
        ("A1", "this is no answer: 'A1'"), ("0,0,1", "this is no answer: '0,0,1'"),
        ("DEBUG deep\nwhat?", "this is no answer: 'what?'"))),
    ("gomocup", {"ABOUT": "I am odd"}, Ending.TIME, ""),
    *(("gtp", {"genmove": answer}, Ending.INVALID_MOVE, said) for answer, said in (
        ("A1\n", "this is no answer: 'A1'"), ("= A1", "this is no answer: '= A1 (without an empty"),
        ("= what\n", "not a point: what"))),
    ("gtp", {"name": "odd"}, Ending.SILENCE, "this is no answer: 'odd'"),
    ("gtp", {"clear_board": "ok\n"}, Ending.SILENCE, "this is no answer: 'ok'"),
]


@pytest.mark.parametrize("protocol, odd, ending, said", ODD)
@pytest.mark.few(4)
def test_what_is_no_answer_is_named_at_once(protocol, odd, ending, said, tmp_path, monkeypatch):
    """At once: a program that says nothing at all has a minute or more.

    One that only sounds odd plays on, until it has no answer any more.
    """
    monkeypatch.setattr(arena_process, "IDLE_SECONDS", 0.3)
    (tmp_path / "odd.py").write_text(
        f"import sys\nanswers = {GOOD[protocol] | odd!r}\nfor line in sys.stdin:\n"
        "    text = answers.get(line.split()[0])\n    if text: print(text, flush=True)\n")
    seat = seat_of(f"{protocol}:{sys.executable} {tmp_path / 'odd.py'}",
                   TimeControl(1.0 if ending == Ending.TIME else PATIENCE), Random(1))
    other = seat_of("random", TimeControl(), Random(1))
    verdict = play_game(catalogue.start(catalogue.GOMOKU, 7), seat, other, GameRecord(None),
                        lambda position: None)
    assert verdict.ending == ending and said in verdict.detail, verdict
    assert ending != Ending.TIME or not verdict.detail.startswith("this is")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell whose child it was")
def test_a_daemon_without_a_mark(tmp_path):
    """Its program is there until it is ended, and so is the way to the daemon."""
    verdict, _, _ = game(f"{fake('gtp', 'daemonise')} {tmp_path}", "random", seconds=0.5)
    assert (verdict.winner, verdict.ending) == (WHITE, Ending.TIME)
    until(lambda: not running(str(tmp_path)))


def test_a_folder_in_the_place_of_a_file(tmp_path):
    verdict, _, _ = game(fake("in-out", "folder", tmp_path), "random", "Gomoku-swap")
    assert (verdict.winner, verdict.ending) == (BLACK, Ending.CRASH)
    assert "cannot write fake.in" in verdict.detail


def test_a_move_in_the_turn_of_the_other_one(tmp_path, patient):
    """Who wrote it loses, not the one who was thinking."""
    def cheat():
        shared = tmp_path / "move_file"
        until(lambda: (tmp_path / "honest.go").exists() and shared.read_text().startswith("cheat"))
        shared.write_text("Cheat G 7\n")

    threading.Thread(target=cheat).start()
    verdict, _, _ = game(fake("move-file", "good", tmp_path, "cheat"),
                         fake("move-file", "slow", tmp_path, "honest"), "Gomoku-swap")
    assert (verdict.ending, verdict.winner) == (Ending.OUT_OF_TURN, BLACK), verdict
    assert (tmp_path / "end_game").read_text() == (
        "END: honest WINS! cheat LOSES! out of order move\n")


def test_a_program_that_will_not_go():
    verdict, _, _ = game(fake("gtp", "obstinate"), "random", size=5)
    assert verdict.ending in (Ending.LINE, Ending.BOARD_FULL)


@pytest.mark.parametrize("text, ending", [
    ("gtp:/no/such/program", Ending.CRASH), ("gomocup:true", Ending.CRASH),
    (f"gtp:{sys.executable} -c 'import sys; sys.exit(4)'", Ending.CRASH)])
def test_programs_that_do_not_start(text, ending):
    verdict, position, _ = game("random", text)
    assert (verdict.winner, verdict.ending) == (BLACK, ending)
    assert not position.history


def test_an_invalid_move_is_passed_on_to_a_pipe_program(patient):
    verdict, _, _ = game(fake("pipe", "invalid"), OURS["pipe"], "Qubic")
    assert verdict.ending == Ending.INVALID_MOVE
    assert verdict.text.endswith("recognised it") and "did not" not in verdict.text
    verdict, _, _ = game(fake("pipe", "invalid"), fake("pipe", "good"), "Qubic")
    assert verdict.text.endswith("recognised it")


def test_a_false_claim_has_its_own_words():
    """It is no move, so that the opponent has nothing to recognise."""
    for behaviour, words in (("says-error", "it said ERROR, but no move was invalid"),
                             ("says-over", "it said GAMEOVER, but the game is not over")):
        verdict, _, _ = game(fake("pipe", behaviour), f"Ann={OURS['pipe']}", "Qubic")
        assert verdict.text.endswith(f"LOSES! false claim: {words}")


def test_game_over_is_announced_by_pipe_programs(patient):
    strong = f"pipe:{sys.executable} {TOP / 'qubic.py'} --time 0.1"
    verdict, position, events = game(strong, fake("pipe", "good"), "Qubic")
    assert (verdict.winner, verdict.ending) == (BLACK, Ending.LINE)
    assert verdict.text.endswith("did not announce the end of the game")
    verdict, _, _ = game(strong, OURS["pipe"], "Qubic")
    assert verdict.text.endswith("4 in a row!")


@pytest.mark.parametrize("first, second, name", [
    ("gtp", "gomocup", "Gomoku"), ("gomocup", "gtp", "Gomoku"), ("pipe", "random", "Qubic"),
    ("alphabeta,nodes=200", "pipe", "Qubic"), ("gtp", "pipe", "Qubic"),
    ("flat,simulations=2", "random", "Pente"), ("gtp", "random", "Gomoku-swap"),
    ("gomocup", "random", "Gomoku-exact")])
@pytest.mark.few(3)
def test_games_across_protocols(first, second, name, tmp_path):
    """Played to the end by the rules, with a record that plays back to the same position."""
    seats = [OURS.get(text, text) for text in (first, second)]
    verdict, position, events = game(*seats, name, 9, folder=tmp_path)
    assert verdict.ending in (Ending.LINE, Ending.CAPTURES, Ending.BOARD_FULL), verdict
    assert position.outcome.winner == verdict.winner
    moves = [event for event in events if event["event"] == "move"]
    assert len(moves) == len(position.history)
    from sgfmill import sgf
    path, = tmp_path.glob("*.sgf")
    read = sgf.Sgf_game.from_bytes(path.read_bytes())
    assert b"GM" not in path.read_bytes().split(b";")[1].replace(b"GN", b"")
    played = [node.get_move() for node in read.get_main_sequence()[1:]]
    assert [(row, column) for _, (row, column) in played] == [
        position.lattice.display_place(record.point)[::-1] for record in position.history]


@pytest.mark.parametrize("protocol", ["in-out", "move-file"])
@pytest.mark.parametrize("second", ["fake", "ours", "other"])
@pytest.mark.few(2)
def test_games_over_files(protocol, second, tmp_path, patient):
    opponent = {"fake": fake(protocol, "good", tmp_path),
                "ours": ours(protocol, tmp_path, "two"), "other": OURS["gtp"]}[second]
    verdict, position, events = game(ours(protocol, tmp_path, "one"), opponent, "Gomoku-swap",
                                     folder=tmp_path)
    assert verdict.ending in (Ending.LINE, Ending.BOARD_FULL), verdict
    assert position.history[0].colour == WHITE and len(position.history) > 8
    assert not list(tmp_path.glob(".*")), "temporary files"
    assert not [path for path in tmp_path.iterdir() if path.suffix in (".in", ".out", ".go")]


def test_a_program_that_a_person_starts(tmp_path):
    """The referee waits for it, and leaves the verdict for it."""
    process = None

    def start():
        nonlocal process
        time.sleep(0.5)
        process = subprocess.Popen(
            [sys.executable, "-m", "gtp_engine", "movefile", "late", "--size", "7", "--player",
             "random", "--dir", str(tmp_path)], stdout=subprocess.PIPE, text=True)

    thread = threading.Thread(target=start)
    thread.start()
    verdict, position, _ = game("random", f"in-out:{tmp_path / 'late'}", "Gomoku-swap")
    thread.join()
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert verdict.ending in (Ending.LINE, Ending.BOARD_FULL)
    assert output.splitlines()[-1] in ("white wins: five in a row", "black wins: five in a row",
                                       "both players lose (board full)")


def test_a_game_over_one_file_without_a_referee(tmp_path):
    programs = [subprocess.Popen(
        [sys.executable, "-m", "gtp_engine", "movefile", colour, "--protocol", "move-file",
         "--colour", colour, "--size", "5", "--player", "random", "--dir", str(tmp_path)],
        stdout=subprocess.PIPE, text=True) for colour in "BW"]
    outputs = [program.communicate(timeout=PATIENCE)[0].splitlines() for program in programs]
    assert [program.returncode for program in programs] == [0, 0]
    assert outputs[0] == outputs[1] and outputs[0][0].startswith("white plays ")


def test_an_opponent_over_files_who_breaks_the_rules(tmp_path):
    """Our player says what was wrong and leaves."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gtp_engine", "movefile", "me", "--player", "random", "--dir",
         str(tmp_path)], stdout=subprocess.PIPE, text=True)
    (tmp_path / "me.in").write_text("b")
    until(lambda: not (tmp_path / "me.in").exists())
    for text in ("", "(W C", "( w  c 9 )\r\n"):
        (tmp_path / "me.in").write_text(text)
        time.sleep(0.1)
    until((tmp_path / "me.out").exists)
    assert (tmp_path / "me.out").read_text().startswith("(B ")
    (tmp_path / "me.in").write_text("(W C 16)")
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1 and "invalid" in output.splitlines()[-1]


@pytest.mark.first
@pytest.mark.thorough
def test_many_games_leave_nothing_behind():
    """Forty in a row: no process, file descriptor or thread more than before."""
    us = psutil.Process()
    game(fake("gtp", "good"), "random", size=3)
    before = us.num_fds(), threading.active_count()
    rules = catalogue.find("Gomoku")
    rng = Random(1)
    for number in range(40):
        kind = ("gtp", "gomocup")[number % 2]
        position = catalogue.start(rules, 3)
        control = TimeControl(PATIENCE)
        verdict = play_game(position, seat_of(fake(kind, "good"), control, rng),
                            seat_of("random", control, rng), GameRecord(None),
                            lambda position: None)
        assert verdict.winner == EMPTY
    assert (us.num_fds(), threading.active_count()) == before
    assert marked(os.getpid()) == []


def test_names_that_are_given_and_own_ones(tmp_path, patient):
    """In verdicts, records and SGF."""
    gtp, gomocup = fake("gtp", "good"), OURS["gomocup"]
    for first, second, names in ((f"Ann={gtp}", "Bob B.=random", ("Ann", "Bob B.")),
                                 (gtp, gomocup, ("fake", "gtp_engine")),
                                 ("flat,simulations=1", "Cy=alphabeta,nodes=50", ("flat", "Cy"))):
        folder = tmp_path / names[1]
        folder.mkdir()
        verdict, _, events = game(first, second, folder=folder)
        players, = [event for event in events if event["event"] == "players"]
        assert (players["black"], players["white"]) == names
        assert all(name in verdict.text for name in names) or "TIE" in verdict.text
        data = next(folder.glob("*.sgf")).read_bytes()
        assert all(f"[{name}]".encode() in data for name in names)


def test_an_engine_that_refuses_a_legal_move():
    verdict, _, _ = game(fake("gtp", "refuses"), "random")
    assert (verdict.winner, verdict.ending) == (WHITE, Ending.INVALID_MOVE)
    assert "illegal move" in verdict.detail


def test_a_folder_with_a_blank_in_its_name(tmp_path):
    folder = tmp_path / "my games"
    folder.mkdir()
    command = fake("in-out", "good", folder).partition(" ")[2]
    command = command.replace(str(folder / "fake"), f"'{folder / 'fake'}'")
    verdict, _, _ = game(f"in-out:'{folder / 'fake'}' {command[command.index(sys.executable):]}",
                         "random", "Gomoku-swap")
    assert verdict.ending in (Ending.LINE, Ending.BOARD_FULL), verdict


@pytest.mark.thorough
def test_time_for_the_whole_game(tmp_path):
    """The referee keeps it, and each protocol is told in its way."""
    control = TimeControl(None, 3.0, 0.5)
    position, record = catalogue.start(catalogue.GOMOKU, 7), GameRecord(tmp_path)
    seats = [seat_of(text, control, Random(1)) for text in (fake("gtp", "hang"), "random")]
    verdict = play_game(position, *seats, record, lambda position: None)
    assert (verdict.winner, verdict.ending) == (WHITE, Ending.TIME)
    for seat, wanted in ((OURS["gtp"], ["time_settings 3 0 0", "time_left b 3 0"]),
                         (OURS["gomocup"], ["INFO timeout_match 3000", "INFO time_left 3000"])):
        position, record = catalogue.start(catalogue.GOMOKU, 7), GameRecord(tmp_path)
        seats = [seat_of(text, TimeControl(2.0, 3.0, 0.5), Random(1)) for text in (seat, "random")]
        play_game(position, *seats, record, lambda position: None)
        lines = record.path.read_text()
        assert all(text in lines for text in wanted), wanted


def test_the_slack_is_there_once():
    """Of a time for the game; what a person thinks before an undo counts too."""
    seat = seat_of(fake("gtp", "good"), TimeControl(None, 1.0), Random(1))
    assert seat.spend(0.9) and seat.spend(0.3) and seat.limit < 0
    assert seat.spend(0.2) and not seat.spend(0.2)
    seat = seat_of(fake("gtp", "good"), TimeControl(2.0, 60.0), Random(1))
    seat.loading = 10.0
    assert seat.spend(9.0) and seat.left == 58.0
    assert seat.time_left() == "58 0"
    seat.left = 100.0
    assert seat.time_left() == "2 1"


@pytest.mark.parametrize("protocol", ["gtp", "gomocup"])
def test_the_first_move_may_load_what_it_needs(protocol):
    """It may be late; the ones after it may not, but here have time for a busy machine."""
    position, control = catalogue.start(catalogue.GOMOKU, 5), TimeControl(0.5, margin=0.4)
    seats = [seat_of(text, control, Random(1)) for text in (fake(protocol, "loads"), "random")]
    assert seats[0].deadline(first=True) - seats[0].deadline(first=False) > 9

    def show(position):
        if position.history:
            seats[0].control = TimeControl(PATIENCE)

    verdict = play_game(position, *seats, GameRecord(None), show)
    assert verdict.ending in (Ending.LINE, Ending.BOARD_FULL), verdict


def test_names_are_one_short_line():
    seat = seat_of("gtp:true", TimeControl(1.0), Random(1))
    seat.set_name("Evil\n\033[1mBob WINS!" + 400 * "x")
    assert seat.name.startswith("Evil [1mBob WINS!xx") and len(seat.name) == 200


def test_our_players_share_out_the_time_for_a_game():
    position = catalogue.start(catalogue.GOMOKU, 15)
    seats = [seat_of("alphabeta", TimeControl(None, 30.0, 0.01), Random(seed)) for seed in (1, 2)]
    asked = []
    for seat in seats:
        def choose(position, limits):
            asked.append(limits.seconds)
            seats[0].left = 30.0  # what a busy machine takes is no matter
            return position.legal_moves()[0] if len(asked) < 9 else position.legal_moves()[-1]
        seat.player.choose = choose
    seats[0].left = 0.3
    verdict = play_game(position, *seats, GameRecord(None), lambda position: None)
    assert verdict.ending == Ending.LINE
    assert asked[0] == pytest.approx(0.3 / EXPECTED_MOVES + 0.01, abs=0.01)
    assert asked[1] == pytest.approx(30 / EXPECTED_MOVES + 0.01)
