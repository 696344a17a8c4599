"""Games between programs of every protocol, and programs that misbehave in every way."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import psutil
import pytest

from gtp_engine.arena.verdict import Ending
from gtp_engine.arena.process import MARK
from gtp_engine.arena.referee import Record, play_game
from gtp_engine.arena.seat import TimeControl
from gtp_engine.arena.seat_spec import seat_of
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE
from gtp_engine.protocols.clock import EXPECTED_MOVES
from tests.engine import PATIENCE

FAKE = f"{sys.executable} {Path(__file__).parent / 'data' / 'fake.py'}"
TOP = Path(__file__).parent.parent
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


def fake(protocol, behaviour, folder=None, name="fake"):
    if protocol in ("in-out", "move-file"):
        path = folder / name
        return f"{protocol}:{path} {FAKE} {protocol} {behaviour} {path}"
    return f"{protocol}:{FAKE} {protocol} {behaviour}"


def game(first, second, name="Gomoku", size=7, seconds=PATIENCE, folder=None, alone=True):
    """The verdict, the position at the end and the events of the record.

    Afterwards nothing of the programs is left; other games may be played at a time if not `alone`.
    """
    rules = catalogue.find(name)
    position = catalogue.start(rules, rules.default_size if rules.cube else size)
    rng = Random(1)
    record = Record(folder)
    control = TimeControl(seconds)
    verdict = play_game(position, seat_of(first, control, rng), seat_of(second, control, rng),
                        record, lambda position: None)
    events = []
    if folder:
        events = [json.loads(line) for line in record.path.read_text().splitlines()]
        assert record.path.with_suffix(".sgf").stat().st_size > 40
    assert not alone or left_behind() == []
    return verdict, position, events


def left_behind():
    """The processes that seats of this process have started, or those have, and that still run."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK, "").startswith(f"{os.getpid()}-"):
                found.append(process)
        except psutil.Error:
            pass
    return found


@pytest.fixture(autouse=True)
def import_from_here(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(TOP))


MISBEHAVIOUR = [  # protocol, what, how the game ends
    *((protocol, behaviour, ending) for protocol in ("gtp", "gomocup") for behaviour, ending in (
        ("hang", Ending.TIME), ("spin", Ending.TIME), ("flood", Ending.TIME),
        ("flood-errors", Ending.TIME), ("half", Ending.TIME), ("long-line", Ending.TIME),
        ("endless", Ending.TIME), ("fork", Ending.TIME), ("close", Ending.CRASH),
        ("die", Ending.CRASH),
        ("killed", Ending.CRASH), ("daemon", Ending.CRASH), ("garbage", Ending.TIME))),
    ("gomocup", "chatter", Ending.TIME),
    *(("pipe", behaviour, ending) for behaviour, ending in (
        ("hang", Ending.TIME), ("flood", Ending.INVALID_MOVE), ("half", Ending.TIME),
        ("close", Ending.CRASH), ("die", Ending.CRASH), ("garbage", Ending.INVALID_MOVE),
        ("long-line", Ending.TIME), ("fork", Ending.TIME), ("invalid", Ending.INVALID_MOVE))),
    *((protocol, behaviour, ending) for protocol in ("in-out", "move-file")
      for behaviour, ending in (("hang", Ending.TIME), ("die", Ending.CRASH),
                                ("fork", Ending.TIME), ("flood", Ending.TIME))),
    ("in-out", "half", Ending.TIME), ("in-out", "fifo", Ending.TIME),
    ("in-out", "no-folder", Ending.TIME),
]


GAMES = {"gtp": "Gomoku", "gomocup": "Gomoku", "pipe": "Qubic", "in-out": "Gomoku-swap",
         "move-file": "Gomoku-swap"}


def misbehave(protocol, behaviour, ending, folder):
    """What is wrong with the game against such a program: it must lose, in time."""
    (folder / "game").mkdir(parents=True)
    verdict, position, events = game(fake(protocol, behaviour, folder / "game"), "random",
                                     GAMES[protocol], seconds=0.9, folder=folder, alone=False)
    wanted = ending, BLACK if GAMES[protocol] == "Gomoku-swap" else WHITE, 4
    found = verdict.ending, verdict.winner, len(position.history)
    moves = [event["event"] for event in events].count("move")
    if found != wanted or "fake" not in verdict.text.split("LOSES!")[0]:
        return verdict
    if moves != 4 + (behaviour == "invalid") or events[-1]["ending"] != ending.name:
        return events
    return None


@pytest.mark.first
def test_misbehaviour(tmp_path):
    """The one who misbehaves loses, in time, and nothing of it is left.

    The games wait most of the time, and so some are played at a time.
    """
    rss = psutil.Process().memory_info().rss
    with ThreadPoolExecutor(TOGETHER) as pool:
        games = {case: pool.submit(misbehave, *case, tmp_path.joinpath(*case[:2]))
                 for case in MISBEHAVIOUR}
    assert {case: played.result() for case, played in games.items() if played.result()} == {}
    assert psutil.Process().memory_info().rss - rss < 200 << 20
    assert left_behind() == []


def test_a_folder_in_the_place_of_a_file(tmp_path):
    verdict, _, _ = game(fake("in-out", "folder", tmp_path), "random", "Gomoku-swap")
    assert (verdict.winner, verdict.ending) == (BLACK, Ending.CRASH)
    assert "cannot write fake.in" in verdict.detail


def test_a_move_in_the_turn_of_the_other_one(tmp_path):
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


def test_an_invalid_move_is_passed_on_to_a_pipe_program():
    verdict, _, _ = game(fake("pipe", "invalid"), OURS["pipe"], "Qubic")
    assert verdict.ending == Ending.INVALID_MOVE
    assert verdict.text.endswith("recognised it") and "did not" not in verdict.text
    verdict, _, _ = game(fake("pipe", "invalid"), fake("pipe", "good"), "Qubic")
    assert verdict.text.endswith("recognised it")


def test_game_over_is_announced_by_pipe_programs():
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
        position.lattice.shown_at(record.point)[::-1] for record in position.history]


@pytest.mark.parametrize("protocol", ["in-out", "move-file"])
@pytest.mark.parametrize("second", ["fake", "ours", "other"])
def test_games_over_files(protocol, second, tmp_path):
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


def until(condition):
    """Wait, but not for ever."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


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
def test_many_games_leave_nothing_behind():
    """Two hundred in a row: no process, file descriptor or thread more than before."""
    us = psutil.Process()
    game(fake("gtp", "good"), "random", size=3)
    before = us.num_fds(), threading.active_count()
    rules = catalogue.find("Gomoku")
    rng = Random(1)
    for number in range(200):
        kind = ("gtp", "gomocup")[number % 2]
        position = catalogue.start(rules, 3)
        control = TimeControl(5.0)
        verdict = play_game(position, seat_of(fake(kind, "good"), control, rng),
                            seat_of("random", control, rng), Record(None), lambda position: None)
        assert verdict.winner == EMPTY
    assert (us.num_fds(), threading.active_count()) == before
    assert left_behind() == []


def referee(*words, **options):
    return subprocess.Popen([sys.executable, "-m", "gtp_engine", "referee", *words],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


REFUSED = [  # what is wrong is said in a line before anything starts
    (("random",), "two seats"), (("random", "foo"), "no such seat: foo"),
    (("random", "in-out:/no/where/x"), "no such directory"),
    (("random", "random", "--size", "99"), "sizes"),
    (("random", "flat,x=1"), "no such setting of flat: x=1"),
    (("random", "flat,policy=rulebased"), "policy must be one of: random rule_based"),
    (("random", "flat,simulations=-3"), "simulations must be 1 to 1000000000"),
    (("random", "alphabeta,depth=-1"), "depth must be 1 to"),
    (("random", "alphabeta,nodes=0"), "nodes must be 1 to"),
    (("random", "alphabeta,time=nan"), "not a time in seconds: nan"),
    (("random", "alphabeta,memory=99999999"), "memory must be 1 to 65536"),
    (("random", "flat,threads=0"), "threads must be 1 to"),
    (("random", "flat,depth=3"), "no such setting of flat: depth=3"),
    (("random", "random,seed=x"), "seed is not a whole number: x"),
    (("random", "pipe:true"), "play Qubic, not Gomoku"),
    (("random", "pipe:true", "--game", "Qubic-3"), "play Qubic, not Qubic-3"),
    (("random", "gomocup:true", "--game", "Pente"), "do not play Pente"),
    (("random", "in-out:/tmp/x", "--game", "Qubic"), "do not play Qubic"),
    (("random", "gtp:/no/such/program --size 7"), "no such program: /no/such/program"),
    (("random", "Ann=gtp:nosuchprogram"), "Ann: no such program: nosuchprogram"),
    (("random", "gtp:true 'x"), "No closing quotation"),
    (("random", "gtp:./nosuchprogram"), "no such program: ./nosuchprogram"),
    (("random", "in-out:''"), "no path with a name"), (("random", "in-out:/"), "no path with"),
    (("in-out:/tmp/x true", "in-out:/tmp/../tmp/x true"), "cannot have the same files"),
    (("in-out:/tmp/x true", "in-out:/tmp/X true"), "cannot have the same files"),
    (("random", "random", "--increment", "1"), "needs --time-per-game"),
    (("random", "random", "--time-per-game", "-5"), "not a time in seconds: -5"),
]


def test_the_command(tmp_path):
    process = referee("--first", "random", "--second", "random", "--size", "5", "--seed", "1",
                      "--record", str(tmp_path / "new"))
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 1, 3) and errors == ""
    assert output.startswith("Gomoku, black moves first\n") and "\033" not in output
    assert "WINS!" in output.splitlines()[-1] or "TIE" in output.splitlines()[-1]
    assert len(list((tmp_path / "new").iterdir())) == 2
    drawn = {referee("flat", "random", "--size", "3", "--seed", str(seed)).communicate()[0]
             .count("x") for seed in range(2)}
    assert drawn


def test_without_psutil(tmp_path):
    """It is said before anything starts, and by name."""
    (tmp_path / "psutil.py").write_text("raise ModuleNotFoundError('no', name='psutil')\n")
    out = subprocess.run(
        [sys.executable, "-m", "gtp_engine", "referee", "--first", fake("gtp", "good"), "--second",
         "random"], capture_output=True, text=True, timeout=PATIENCE, cwd=TOP,
        env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert out.returncode == 2 and out.stdout == ""
    assert "needs the package psutil" in out.stderr.splitlines()[-1]


def test_what_is_refused():
    processes = [referee(*words) for words, _ in REFUSED]
    for process, (_, complaint) in zip(processes, REFUSED):
        output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 2 and output == "" and complaint in errors
        assert "Traceback" not in errors


def running(mark):
    """The processes in whose command line the text is."""
    found = []
    for process in psutil.process_iter():
        try:
            if mark in " ".join(process.cmdline()):
                found.append(process)
        except psutil.Error:
            pass
    return found


SIGNALS = [  # and seconds between them
    ([signal.SIGINT], 0), ([signal.SIGINT] * 3, 0.3), ([signal.SIGTERM], 0),
    ([signal.SIGHUP], 0), ([signal.SIGTERM] * 2, 0.001), ([signal.SIGTERM] * 2, 0.05),
    ([signal.SIGTERM, signal.SIGHUP, signal.SIGTERM], 0.3)]


@pytest.mark.parametrize("signals, apart", SIGNALS)
def test_interrupt_keeps_the_record(signals, apart, tmp_path):
    process = referee("--first", fake("gtp", "hang") + f" {tmp_path}", "--second", "random",
                      "--record", str(tmp_path), start_new_session=True)
    while process.stdout.readline()[:2] != "4.":
        pass
    for number in signals:
        process.send_signal(number)
        time.sleep(apart)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    path, = tmp_path.glob("*.jsonl")
    assert json.loads(path.read_text().splitlines()[-1])["ending"] == "INTERRUPTED"
    assert b"RE[Void]" in path.with_suffix(".sgf").read_bytes()
    assert not running(str(tmp_path))


def test_a_person_at_the_terminal():
    process = subprocess.Popen(
        [sys.executable, "-m", "gtp_engine", "referee", "--first", "person", "--second", "random",
         "--size", "5", "--quiet"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    output, errors = process.communicate("z9\n\nA1\nA1\nresign\n", timeout=PATIENCE)
    assert process.returncode == 1
    assert "z9: no such point" in errors and "A1: occupied" in errors
    assert output == "random WINS! person LOSES! resignation: resign\n"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not end children")
def test_programs_end_with_a_referee_that_was_killed(tmp_path):
    process = referee("--first", fake("gtp", "hang") + f" {tmp_path}", "--second", "random")
    while process.stdout.readline()[:2] != "4.":
        pass
    assert running(str(tmp_path))
    process.kill()
    process.communicate(timeout=PATIENCE)
    until(lambda: not running(str(tmp_path)))


def test_names_that_are_given_and_own_ones(tmp_path):
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


def test_standard_error_is_kept_and_shown(tmp_path):
    process = referee("--first", "Ann=" + fake("gtp", "die"), "--second", "random", "--verbose",
                      "--record", str(tmp_path))
    output, errors = process.communicate(timeout=PATIENCE)
    assert "out of luck" in output.splitlines()[-1]
    for line in ("black ! thinking about move 2", "black > genmove b", "black < = A1"):
        assert line in errors.splitlines()
    record = next(tmp_path.glob("*.jsonl")).read_text()
    assert "! thinking about move 2" in record and "! out of luck" in record


def test_a_record_that_cannot_be_written(tmp_path):
    """It is said once, and the game goes on."""
    resource = pytest.importorskip("resource")
    process = referee("--first", "random", "--second", "random", "--record", str(tmp_path),
                      "--quiet", preexec_fn=lambda: resource.setrlimit(
                          resource.RLIMIT_FSIZE, (300, 300)))
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 1, 3)
    assert "WINS!" in output or "TIE!" in output
    assert errors.count("cannot be written") == 1 and "Traceback" not in errors


def test_time_for_the_whole_game(tmp_path):
    """The referee keeps it, and each protocol is told in its way."""
    control = TimeControl(None, 3.0, 0.5)
    position, record = catalogue.start(catalogue.GOMOKU, 7), Record(tmp_path)
    seats = [seat_of(text, control, Random(1)) for text in (fake("gtp", "hang"), "random")]
    verdict = play_game(position, *seats, record, lambda position: None)
    assert (verdict.winner, verdict.ending) == (WHITE, Ending.TIME)
    for seat, wanted in ((OURS["gtp"], ["time_settings 3 0 0", "time_left b 3 0"]),
                         (OURS["gomocup"], ["INFO timeout_match 3000", "INFO time_left 3000"])):
        position, record = catalogue.start(catalogue.GOMOKU, 7), Record(tmp_path)
        seats = [seat_of(text, TimeControl(2.0, 3.0, 0.5), Random(1)) for text in (seat, "random")]
        play_game(position, *seats, record, lambda position: None)
        lines = record.path.read_text()
        assert all(text in lines for text in wanted), wanted


def test_a_program_in_the_working_directory(tmp_path):
    program = tmp_path / "ann"
    program.write_text(f"#!/bin/sh\nexec {FAKE} gtp good\n")
    program.chmod(0o755)
    process = referee("--first", "Ann=gtp:./ann", "--second", "random", "--size", "3",
                      cwd=tmp_path)
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3 and errors == "" and "TIE!" in output


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


def test_names_are_one_short_line():
    seat = seat_of("gtp:true", TimeControl(1.0), Random(1))
    seat.known_as("Evil\n\033[1mBob WINS!" + 400 * "x")
    assert seat.name.startswith("Evil [1mBob WINS!xx") and len(seat.name) == 200


def test_signals_that_were_ignored_still_are(tmp_path):
    """As SIGHUP is under nohup."""
    process = referee("--first", fake("gtp", "hang") + f" {tmp_path}", "--second", "random",
                      preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    while process.stdout.readline()[:2] != "4.":
        pass
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130 and errors == "interrupted\n"


def test_what_is_shown_cannot_be_written():
    if not os.path.exists("/dev/full"):
        pytest.skip("needs a device that is always full")
    with open("/dev/full", "w") as full:
        process = subprocess.Popen(
            [sys.executable, "-m", "gtp_engine", "referee", "--first", fake("gtp", "good"),
             "--second", "random", "--size", "3", "--verbose"], stdout=subprocess.PIPE,
            stderr=full, text=True)
        output = process.communicate(timeout=PATIENCE)[0]
    assert process.returncode == 3 and "TIE!" in output


def test_our_players_share_out_the_time_for_a_game():
    position = catalogue.start(catalogue.GOMOKU, 15)
    seats = [seat_of("alphabeta", TimeControl(None, 30.0, 0.01), Random(seed)) for seed in (1, 2)]
    asked = []
    for seat in seats:
        def choose(position, limits):
            asked.append(limits.seconds)
            return position.legal_moves()[0] if len(asked) < 9 else position.legal_moves()[-1]
        seat.player.choose = choose
    seats[0].left = 0.3
    verdict = play_game(position, *seats, Record(None), lambda position: None)
    assert verdict.ending == Ending.LINE
    assert asked[0] == pytest.approx(0.3 / EXPECTED_MOVES + 0.005, abs=0.01)
    assert asked[1] == pytest.approx(30 / EXPECTED_MOVES + 0.005)


def typed(lines, *words):
    """What a person sees who types these lines against us: board and verdict, and the rest."""
    process = referee("--first", "person", *words, stdin=subprocess.PIPE)
    return process.communicate("".join(f"{line}\n" for line in lines), timeout=PATIENCE)


def test_a_person_takes_back_and_asks():
    output, errors = typed(["undo", "E5", "help", "hint", "undo", "D4", "z99", "D4", "resign"],
                           "--second", "random", "--game", "Pente-free", "--size", "9")
    assert "undo: no moves can be taken back" in errors and "hint: " in errors
    assert "resign; undo: take back" in errors and "z99: no such point" in errors
    assert "D4: occupied" in errors
    assert "(X) D4" in output and "captured by black: 0, by white: 0" in output
    assert output.count("Pente-free, black moves first") == 2, "the board before the first move"


def test_no_undo_against_a_program():
    _, errors = typed(["A1", "undo", "resign"], "--second", fake("gtp", "good"))
    assert "undo: this opponent cannot take back moves" in errors


def test_boards_in_the_notation_of_the_course():
    output, _ = typed(["1,2,3", "0 0 0", "resign"], "--second", "random", "--game", "Qubic")
    assert "1. red (R) 1,2,3" in output and "z = 3" in output and "2. blue (B) " in output
    output, _ = typed(["I 9", "resign"], "--second", "random", "--game", "Gomoku-swap", "--size",
                      "9")
    assert "1. white (O) I 9" in output
    assert " 9  .  .  .  .  .  .  .  . (O) 9" in output
