"""The referee on the command line: what it refuses, shows, and keeps when it is interrupted."""

import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from gtp_engine.arena.display import BoardView
from gtp_engine.games import catalogue
from tests.engine import PATIENCE
from tests.programs import EVIL, FAKE, SHOWN_EVIL, TOP, evil, fake, is_harmless, running, until


@pytest.fixture(autouse=True)
def import_from_here(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(TOP))


def referee(*words, **options):
    return subprocess.Popen([sys.executable, "-m", "gtp_engine", "referee", *words],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


GTP, GOMOCUP, PIPE = (f"{sys.executable} {TOP / name}" for name in (
    "gomoku3.py", "pbrain-gtpengine", "qubic.py"))
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
    (("random", f"gtp:{GTP} --playr random"), "unrecognized arguments: --playr"),
    (("random", f"Ann=gomocup:{GOMOCUP} --tme 1"), "unrecognized arguments: --tme"),
    (("random", f"Constantin=pipe:{PIPE}", "--game", "Qubic"),
     "Constantin: a name in its course is one word of at most 9 letters"),
    (("random", f"Ann B=pipe:{PIPE}", "--game", "Qubic"), "one word of at most 9 letters"),
    (("random", "gomocup:true"), "true: the program has ended with status 0"),
    (("random", f"gtp:{FAKE} gtp boardsize"), "unacceptable size"),
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
    assert ("needs the package psutil, which is not installed: python -m pip install '.[arena]' "
            in out.stderr.splitlines()[-1])


def test_what_is_refused(tmp_path, ours):
    """Nothing is kept of it."""
    for words, complaint in REFUSED:
        status, output, errors = ours("referee", *words, "--record", tmp_path)
        assert status == 2 and output == "" and complaint in errors
    assert not list(tmp_path.iterdir())


def test_a_silent_program_that_does_not_run():
    """A pipe program says nothing before a move; that it has ended is seen all the same."""
    process = referee("Ann=random", f"Bob=pipe:{PIPE} --tme 1", "--game", "Qubic")
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2 and output == ""
    assert "error: Bob: the program has ended with status 2: " in errors
    assert "unrecognized arguments: --tme 1" in errors.splitlines()[-1]


def until_move(process, number):
    """Wait until a referee shows the move of that number."""
    while not (line := process.stdout.readline()).startswith(f"{number}."):
        assert line, process.stderr.read()


SIGNALS = [  # and seconds between them
    ([signal.SIGINT], 0), ([signal.SIGINT] * 3, 0.3), ([signal.SIGTERM], 0),
    ([signal.SIGHUP], 0), ([signal.SIGTERM] * 2, 0.001), ([signal.SIGTERM] * 2, 0.05),
    ([signal.SIGTERM, signal.SIGHUP, signal.SIGTERM], 0.3)]


@pytest.mark.parametrize("signals, apart", SIGNALS)
@pytest.mark.few(2)
def test_interrupt_keeps_the_record(signals, apart, tmp_path):
    process = referee("--first", fake("gtp", "hang") + f" {tmp_path}", "--second", "random",
                      "--record", str(tmp_path), start_new_session=True)
    until_move(process, 4)
    for number in signals:
        process.send_signal(number)
        time.sleep(apart)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    path, = tmp_path.glob("*.jsonl")
    assert json.loads(path.read_text().splitlines()[-1])["ending"] == "INTERRUPTED"
    assert b"RE[Void]" in path.with_suffix(".sgf").read_bytes()
    assert not running(str(tmp_path))


def test_interrupt_of_compiled_text():
    """As in an import that makes a data class: the process still ends by itself."""
    code = ("import os\nfrom gtp_engine.arena.referee import interrupt_once\ninterrupt_once()\n"
            "try:\n    exec('os.kill(os.getpid(), %d)')\nexcept KeyboardInterrupt:\n    pass"
            % signal.SIGTERM)
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_a_person_at_the_terminal():
    process = subprocess.Popen(
        [sys.executable, "-m", "gtp_engine", "referee", "--first", "person", "--second", "random",
         "--size", "5", "--quiet"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    output, errors = process.communicate("z9\n\nA1\nA1\nresign\n", timeout=PATIENCE)
    assert process.returncode == 1
    assert "z9: no such point" in errors and "A1: occupied" in errors
    assert output == "random WINS! person LOSES! resignation: resign\n"


def test_a_person_quits():
    output, errors = typed(["?", "quit"], "--second", "random")
    assert output.endswith("random WINS! person LOSES! resignation: resign\n")
    assert "resign or quit: the game is lost" in errors
    output, errors = typed(["help", "quit"], "--second", "random", "--size", "15", "--opening",
                           "swap2")
    assert "resignation: in the opening: quit" in output and "quit: the game is lost" in errors


@pytest.mark.parametrize("behaviour", ["flood-both", "long-line", "endless"])
@pytest.mark.few(1)
def test_memory(behaviour, tmp_path):
    """Some 20 MB are enough, whatever a program writes."""
    process = referee("--first", fake("gomocup", behaviour), "--second", "random", "--quiet",
                      "--time-per-move", "1", "--record", str(tmp_path))
    us, most = psutil.Process(process.pid), 0
    while process.poll() is None:
        most = max(most, us.memory_info().rss)
        time.sleep(0.01)
    assert "WINS! fake LOSES! out of time" in process.communicate()[0]
    assert 0 < most < 64 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not end children")
def test_programs_end_with_a_referee_that_was_killed(tmp_path):
    process = referee("--first", fake("gtp", "hang") + f" {tmp_path}", "--second", "random")
    until_move(process, 4)
    assert running(str(tmp_path))
    process.kill()
    process.communicate(timeout=PATIENCE)
    until(lambda: not running(str(tmp_path)))


def test_standard_error_is_kept_and_shown(tmp_path):
    process = referee("--first", "Ann=" + fake("gtp", "die"), "--second", "random", "--verbose",
                      "--record", str(tmp_path))
    output, errors = process.communicate(timeout=PATIENCE)
    assert "out of luck" in output.splitlines()[-1]
    for line in ("black ! thinking about move 2", "black > genmove b", "black < = A1"):
        assert line in errors.splitlines()
    record = next(tmp_path.glob("*.jsonl")).read_text()
    assert "! thinking about move 2" in record and "! out of luck" in record


def test_what_programs_say_is_harmless(tmp_path):
    """On the terminal; the record has it as it was."""
    process = referee("--first", evil(tmp_path), "--second", "random", "--verbose",
                      "--record", str(tmp_path))
    output, errors = process.communicate(timeout=PATIENCE)
    assert is_harmless(output) and is_harmless(errors)
    assert output.splitlines()[-1].startswith("random WINS! Eve ]0;mine 2J =1 LOSES! ")
    assert f"not a point: A1{SHOWN_EVIL}" in output and f"black ! busy {SHOWN_EVIL}" in errors
    record, game = (next(tmp_path.glob(name)).read_text(encoding="utf-8")
                    for name in ("*.jsonl", "*.sgf"))
    assert f"not a point: A1{EVIL}" in json.loads(record.splitlines()[-1])["verdict"]
    assert "not a point: A1\x1b]0;".replace("]", "\\]") in game


def test_a_record_that_cannot_be_written(tmp_path, no_bytecode):
    """It is said once, and the game goes on."""
    resource = pytest.importorskip("resource")
    process = referee("--first", "random", "--second", "random", "--record", str(tmp_path),
                      "--quiet", preexec_fn=lambda: resource.setrlimit(
                          resource.RLIMIT_FSIZE, (300, 300)))
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 1, 3)
    assert "WINS!" in output or "TIE!" in output
    assert errors.count("cannot be written") == 1 and "Traceback" not in errors


def test_a_program_in_the_working_directory(tmp_path):
    program = tmp_path / "ann"
    program.write_text(f"#!/bin/sh\nexec {FAKE} gtp good\n")
    program.chmod(0o755)
    process = referee("--first", "Ann=gtp:./ann", "--second", "random", "--size", "3",
                      cwd=tmp_path)
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3 and errors == "" and "TIE!" in output


def test_signals_that_were_ignored_still_are(tmp_path):
    """As SIGHUP is under nohup."""
    process = referee("--first", fake("gtp", "hang") + f" {tmp_path}", "--second", "random",
                      preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    until_move(process, 4)
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
            stderr=full, text=True, env=os.environ | {"PYTHONUNBUFFERED": ""})
        output = process.communicate(timeout=PATIENCE)[0]
    assert process.returncode == 3 and "TIE!" in output


def typed(lines, *words):
    """What a person sees who types these lines against us: board and verdict, and the rest."""
    process = referee("--first", "person", *words, stdin=subprocess.PIPE)
    return process.communicate("".join(f"{line}\n" for line in lines), timeout=PATIENCE)


def test_a_person_takes_back_and_asks():
    output, errors = typed(["undo", "E5", "help", "hint", "undo", "D4", "z99", "D4", "resign"],
                           "--second", "random", "--game", "Pente-free", "--size", "9")
    assert "undo: no moves can be taken back" in errors and "hint: " in errors
    assert "the game is lost; undo: take back" in errors and "z99: no such point" in errors
    assert "D4: occupied" in errors
    assert "(X) D4" in output and "captured by black: 0, by white: 0" in output
    assert output.count("Pente-free, black moves first") == 2, "the board before the first move"


@pytest.mark.parametrize("words, asked_again", [
    ((), True), (("--forbidden", "loses", "--delay", "0.01"), False)])
def test_a_forbidden_move_of_a_person(words, asked_again):
    """It is refused, or loses as that of a program does."""
    moves = "H9 A1 H10 O1 F8 A15 G8 O15 H8".split()
    output, errors = typed([*moves, "resign"], "--second", "Bo=person", "--game", "Renju", *words)
    assert ("H8: forbidden: double three" in errors) == asked_again
    assert ("resignation" in output) == asked_again
    assert ("LOSES! forbidden" in output.splitlines()[-1]) == (not asked_again), output


def test_no_undo_against_a_program():
    _, errors = typed(["A1", "undo", "resign"], "--second", fake("gtp", "good"))
    assert "undo: this opponent cannot take back moves" in errors


TYPED = [  # game, size, what is typed, and what it means: a colour or -, and a point
    ("Gomoku-swap", 15, "H 8", "- H 8"), ("Gomoku-swap", 15, "h8", "- H 8"),
    ("Gomoku-swap", 15, "(W H 8)", "white H 8"), ("Gomoku-swap", 15, "( w  h 8 )", "white H 8"),
    ("Gomoku-swap", 15, "white H 8", "white H 8"), ("Gomoku-swap", 15, "W H8", "white H 8"),
    ("Gomoku-swap", 15, "Black i 15", "black I 15"), ("Gomoku-swap", 15, "(B B 1)", "black B 1"),
    ("Gomoku-swap", 15, "b 8", "- B 8"), ("Gomoku-swap", 15, "b b 8", "black B 8"),
    ("Gomoku-swap", 25, "w 8", "- W 8"), ("Gomoku-swap", 15, "w 8", None),
    ("Gomoku-swap", 15, "red H 8", None), ("Gomoku-swap", 15, "(W H)", None),
    ("Gomoku-swap", 15, "()", None), ("Gomoku-swap", 15, "W H 16", None),
    ("Qubic", 8, "0,1,2", "- 0,1,2"), ("Qubic", 8, "0 1 2", "- 0,1,2"),
    ("Qubic", 8, "R,0,1,2", "red 0,1,2"), ("Qubic", 8, "b,0,1,2", "blue 0,1,2"),
    ("Qubic", 8, "(Blue 0, 1, 2)", "blue 0,1,2"), ("Qubic", 8, "W,0,1,2", None),
    ("Qubic", 8, "0,1,4", None), ("Qubic", 8, "R,0,1", None),
    ("Gomoku", 15, "j9", "- J9"), ("Gomoku", 15, "White J9", "white J9"),
    ("Gomoku", 15, "b b2", "black B2"), ("Gomoku", 15, "pass", None), ("Gomoku", 15, "i9", None),
]


@pytest.mark.parametrize("name, size, text, meaning", TYPED)
def test_what_a_person_may_type(name, size, text, meaning):
    view = BoardView(catalogue.start(catalogue.find(name), size))
    move = view.move_of(text)
    assert (move and f"{view.colours.get(move[0], '-')} {view.name(move[1])}") == meaning


def test_a_person_types_as_the_course_has_it():
    output, errors = typed(["(W C 9)", "(b a 6)", "resign"], "--second", "random",
                           "--game", "Gomoku-swap")
    assert "1. white (O) C 9" in output and "(b a 6): you play white" in errors
    output, errors = typed(["b,0,1,2", "R,0,1,2", "resign"], "--second", "random", "--game",
                           "Qubic")
    assert "1. red (R) 0,1,2" in output and "b,0,1,2: you play red" in errors


def test_boards_in_the_notation_of_the_course():
    output, _ = typed(["1,2,3", "0 0 0", "resign"], "--second", "random", "--game", "Qubic")
    assert "1. red (R) 1,2,3" in output and "z = 3" in output and "2. blue (B) " in output
    output, _ = typed(["I 9", "resign"], "--second", "random", "--game", "Gomoku-swap", "--size",
                      "9")
    assert "1. white (O) I 9" in output
    assert " 9  .  .  .  .  .  .  .  . (O) 9" in output
