"""Real engine processes: pipes, signals, garbage, and what is loaded when."""

import os
import re
import shutil
import signal
import subprocess
import sys
from random import Random

import pytest

from tests.engine import PATIENCE, SCRIPT, run, start

REPLY = re.compile(r"[=?][0-9]* .*", re.DOTALL)
posix = pytest.mark.skipif(os.name != "posix", reason="sends POSIX signals")


def read_reply(process):
    lines = []
    while not lines or lines[-1] != b"\n":
        lines.append(process.stdout.readline())
        assert lines[-1], "the engine died"
    return b"".join(lines).decode()


def ask(process, line):
    process.stdin.write(line.encode() + b"\n")
    return read_reply(process)


def test_a_game_from_a_file_of_commands(tmp_path):
    commands = (SCRIPT.parent / "tests" / "data" / "short-game.gtp").read_text()
    replies, errors = run(commands, "--seed", "1")
    assert all(reply.startswith("=") for reply in replies)
    assert sorted(reply for reply in replies if reply[2:] in ("C5", "H5")) == ["= C5", "= H5"]
    assert replies[-2] == "= B+R"


def test_runs_from_any_directory_and_leaves_at_the_end_of_input(tmp_path):
    out = subprocess.run([sys.executable, str(SCRIPT)], input=b"1 name", cwd=tmp_path,
                         capture_output=True, timeout=PATIENCE)
    assert (out.stdout, out.stderr, out.returncode) == (b"=1 gtp_engine\n\n", b"", 0)


def test_nothing_heavy_is_loaded_before_a_move_is_asked_for():
    program = (
        "import sys, threading\n"
        "from gtp_engine.__main__ import run\n"
        "run('gtp', 'x')\n"
        "print([m for m in ('numpy', 'numba', 'logging', 'platformdirs') if m in sys.modules])")
    commands = "list_commands\nplay b a1\nshowboard\npolicy_moves\ngogui-rules_legal_moves\nquit\n"
    out = subprocess.run([sys.executable, "-c", program, "--size", "15"], text=True,
                         input=commands, capture_output=True, cwd=SCRIPT.parent, timeout=PATIENCE)
    assert out.stderr == "[]\n" and out.stdout.count("\n\n") == 6


def test_nothing_after_quit_is_answered():
    replies, errors = run("1 name\n2 quit\n3 name\n")
    assert replies == ["=1 gtp_engine", "=2 "] and errors == ""


def test_replies_come_at_once():
    process = start()
    for number in range(20):
        assert ask(process, f"{number} known_command play") == f"={number} true\n\n"
    assert process.communicate(timeout=PATIENCE) == (b"", b"")
    assert process.returncode == 0


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_an_idle_engine(number):
    process = start()
    ask(process, "name")
    process.send_signal(number)
    assert process.communicate(timeout=PATIENCE) == (b"", b"")
    assert process.returncode == 0


LONG = ("--size", "19", "--policy", "rule_based", "--simulations", "100000000", "--seed", "1")


@pytest.fixture
def busy():
    """A process in the middle of a genmove that would take hours, as its pictures show."""
    process = start(*LONG)
    ask(process, "play b k10")
    ask(process, "gogui-analyze_commands")
    process.stdin.write(b"7 genmove w\n")
    while not (line := process.stderr.readline()).startswith(b"LABEL"):
        assert line, "the engine died"
    yield process
    process.kill()
    process.wait()


@posix
def test_sigint_stops_a_running_command(busy):
    busy.send_signal(signal.SIGINT)
    assert re.fullmatch(r"=7 [A-T][0-9]+\n\n", read_reply(busy))
    assert ask(busy, "8 gogui-rules_side_to_move") == "=8 black\n\n"


@posix
def test_sigterm_ends_a_busy_engine_quietly(busy):
    busy.send_signal(signal.SIGTERM)
    errors = busy.communicate(timeout=PATIENCE)[1].decode()
    assert busy.returncode == 0
    assert {line.split(" ")[0] for line in errors.splitlines()} <= {
        "", "gogui-gfx:", "VAR", "COLOR", "LABEL", "TEXT"}


def test_interrupt_comment_stops_a_running_command(busy):
    busy.stdin.write(b"# interrupt\n")
    assert re.fullmatch(r"=7 [A-T][0-9]+\n\n", read_reply(busy))
    assert ask(busy, "8 gogui-rules_side_to_move") == "=8 black\n\n"


@pytest.mark.parametrize("by_signal", [
    pytest.param(True, marks=posix), False], ids=["SIGINT", "comment"])
def test_the_move_after_an_interrupt_takes_its_time(busy, by_signal):
    if by_signal:
        busy.send_signal(signal.SIGINT)
    else:
        busy.stdin.write(b"# interrupt\n")
    assert read_reply(busy).startswith("=7 ")
    ask(busy, "param simulations 2")
    ask(busy, "genmove b")
    assert "simulations: 718\n" in ask(busy, "search_statistics"), "two for each of 359 moves"


def test_interrupt_reaches_only_commands_before_it():
    replies, _ = run("1 genmove b\n# interrupt\n2 name\n", *LONG)
    assert re.fullmatch("=1 [A-T][0-9]+", replies[0]) and replies[1].startswith("=2 gtp_engine")


@posix
def test_a_closed_pipe_ends_the_engine_quietly():
    process = start()
    ask(process, "name")
    process.stdout.close()
    for _ in range(3):
        try:
            process.stdin.write(b"name\n" * 10)
        except BrokenPipeError:
            break
    assert process.wait(timeout=PATIENCE) == 0
    assert process.stderr.read() == b""


def test_the_same_seed_gives_the_same_game():
    commands = "boardsize 9\n" + "genmove b\ngenmove w\n" * 8
    games = [run(commands, "--player", player, "--seed", seed)[0]
             for player in ("random", "flat") for seed in ("5", "5", "6")]
    assert games[0] == games[1] != games[2]
    assert games[3] == games[4] != games[5]


def test_log_is_a_transcript(tmp_path):
    path = tmp_path / "log.txt"
    for _ in range(2):
        run("1 name\n\nnonsense # comment\n", "--log", str(path))
    lines = [line.split(" ", 3)[3] for line in path.read_text().splitlines()]
    assert lines == 2 * ["> 1 name", "< =1 gtp_engine", "> ", "> nonsense # comment",
                         "< ? unknown command"]


WRONG_OPTIONS = [
    (["--size", "26"], "Gomoku is played on sizes 3 to 25"),
    (["--size", "0"], "Gomoku is played on sizes 3 to 25"),
    (["--game", "pente", "--size", "6"], "Pente is played on sizes 7 to 25"),
    (["--game", "chess"], "no such game: chess (available: Gomoku "),
    (["--simulations", "0"], "argument --simulations: "),
    (["--simulations", "99999999999999999999"], "argument --simulations: "),
    (["--time", "0"], "argument --time: "),
    (["--time", "nan"], "argument --time: "),
    (["--threads", "-1"], "argument --threads: "),
    (["--player", "nobody"], "argument --player: "),
    (["--log", "no/such/folder/log"], "No such file or directory"),
]


@pytest.mark.parametrize("options, message", WRONG_OPTIONS, ids=lambda value: str(value)[:30])
@pytest.mark.few(4)
def test_wrong_options(options, message):
    process = start(*options)
    out, errors = process.communicate(b"name\n", timeout=PATIENCE)
    assert process.returncode == 2 and out == b""
    assert message in errors.decode().splitlines()[-1]


@posix
def test_sigterm_while_compiling(tmp_path):
    process = start("--policy", "rule_based", env=caching_in(tmp_path))
    process.stdin.write(b"genmove b\n")
    assert process.stderr.readline().startswith(b"compiling")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert not list(tmp_path.rglob("*.simulate-*")), "it waited for the compiler"


@posix
def test_nobody_reads_and_nobody_writes(busy):
    busy.stdin.close()
    busy.stdout.close()
    assert busy.wait(timeout=PATIENCE) == 0


def test_interrupt_behind_many_commands(busy):
    for number in range(200):
        busy.stdin.write(b"name\n")
    busy.stdin.write(b"# interrupt\n")
    assert read_reply(busy).startswith("=7 ")


def test_replies_that_cannot_be_written():
    if not os.path.exists("/dev/full"):
        pytest.skip("needs a device that is always full")
    with open("/dev/full", "wb") as full:
        process = start(stdout=full)
        errors = process.communicate(b"name\n", timeout=PATIENCE)[1].decode()
    assert re.fullmatch("cannot write a reply: .*\n", errors)


@pytest.mark.thorough
def test_all_copies_of_the_same_sources_share_their_machine_code(tmp_path):
    said = []
    for name in ("one", "two"):
        shutil.copytree(SCRIPT.parent / "gtp_engine", tmp_path / name / "gtp_engine")
        shutil.copy(SCRIPT, tmp_path / name)
        out = subprocess.run([sys.executable, str(tmp_path / name / SCRIPT.name)], timeout=PATIENCE,
                             input=b"genmove b\n", capture_output=True, check=True,
                             env=caching_in(tmp_path))
        said.append(out.stderr)
    assert said[0].startswith(b"compiling race") and said[1] == b""


def garbage(rng, count):
    """Random lines: bytes, commands cut short, too many and too few words, odd numbers."""
    words = [b"play", b"boardsize", b"genmove", b"gg-undo", b"b", b"w", b"a1", b"t19", b"pass",
             b"99999999999999999999", b"-1", b"1e9", b"\xff\xfe", b"\x00", b"#", b"=", b"?", b"",
             b"gogui-setup", b"gogui-play_sequence", b"ruleset", b"policy", b"komi", b"help",
             b"undo", b"policy_moves", b"\xe2\x80\xa8", b"12", b"007", b"known_command", b"x" * 300]
    for _ in range(count):
        kind = rng.random()
        if kind < 0.3:
            line = bytes(rng.choices(range(256), k=rng.randrange(40))).replace(b"\n", b"")
        else:
            line = b" ".join(rng.choices(words, k=rng.randrange(5)))
            line = line[:rng.randrange(len(line) + 1)] if kind < 0.6 else line
        if not line.strip().split()[-1:] == [b"quit"]:
            yield line


def is_command(line):
    """Does the line hold anything but blanks, control characters and a comment?"""
    return bool(line.partition(b"#")[0].strip(bytes([*range(33), 127])))


@pytest.mark.thorough
def test_garbage():
    """Every line that holds a command gets one well-formed reply; failures leave the board."""
    lines = list(garbage(Random(3), 20_000))
    process = start("--player", "random", "--size", "5", "--strict-gtp")
    data = b"".join(line + b"\n999 gogui-rules_board\n" for line in lines)
    out, errors = process.communicate(data, timeout=PATIENCE)
    assert process.returncode == 0 and errors == b""
    replies = out.decode().split("\n\n")
    assert replies.pop() == ""
    before, position = "\n".join(["....."] * 5), 0
    for line in lines:
        first = replies[position]
        if is_command(line):
            assert REPLY.fullmatch(first), (line, first)
            position += 1
        board = replies[position].removeprefix("=999 ")
        assert "internal error" not in first, line
        if not is_command(line) or first.startswith("?"):
            assert board == before, line
        before, position = board, position + 1
    assert position == len(replies)


def caching_in(folder):
    """The environment of a user whose cache folder is this one."""
    return os.environ | {"XDG_CACHE_HOME": str(folder), "LOCALAPPDATA": str(folder),
                         "HOME": str(folder)}


def first_genmove(folder):
    out = subprocess.run([sys.executable, str(SCRIPT)], input=b"genmove b\n", capture_output=True,
                         env=caching_in(folder), timeout=PATIENCE, check=True)
    assert re.fullmatch(rb"= [A-G][1-7]\n\n", out.stdout)
    return out.stderr.decode()


@pytest.mark.thorough
def test_kernels_are_compiled_once_and_old_versions_removed(tmp_path):
    assert re.fullmatch("compiling race, once for this version.*\n", first_genmove(tmp_path))
    kernels, = tmp_path.rglob("kernels")
    current, = kernels.iterdir()
    assert first_genmove(tmp_path) == ""
    for age in range(1, 6):
        (kernels / f"old{age}").mkdir()
        os.utime(kernels / f"old{age}", (1e9 - age, 1e9 - age))
    next(current.glob("plane.playouts.race-*")).unlink()
    assert first_genmove(tmp_path).startswith("compiling race")
    assert {path.name for path in kernels.iterdir()} == {current.name, "old1", "old2", "old3"}


@pytest.mark.thorough
def test_a_cache_folder_that_cannot_be_made(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    warning, compiling = first_genmove(blocked).splitlines()
    assert warning.startswith("compiled code cannot be kept: ")


@pytest.mark.thorough
def test_a_user_without_a_home(tmp_path):
    """Nor does the system know the user: nothing is written into the working directory."""
    program = (
        "import os, pwd, sys\n"
        "def unknown(*_): raise KeyError\n"
        "pwd.getpwuid = pwd.getpwnam = unknown\n"
        "sys.argv = ['gomoku3.py']\n"
        f"sys.path.insert(0, {str(SCRIPT.parent)!r})\n"
        "from gtp_engine.__main__ import run\n"
        "run('gtp', 'x')\n")
    env = {key: value for key, value in os.environ.items()
           if key not in ("HOME", "XDG_CACHE_HOME")}
    out = subprocess.run([sys.executable, "-c", program], input=b"genmove b\n", env=env,
                         capture_output=True, cwd=tmp_path, timeout=PATIENCE)
    assert re.fullmatch(rb"= [A-G][1-7]\n\n", out.stdout)
    assert out.stderr.startswith(b"compiled code cannot be kept: ")
    assert b"Traceback" not in out.stderr and not list(tmp_path.iterdir())


@pytest.mark.thorough
def test_a_disk_that_is_full(tmp_path, no_bytecode):
    """Nothing at all can be written, neither in the cache folder nor elsewhere."""
    resource = pytest.importorskip("resource")
    out = subprocess.run([sys.executable, str(SCRIPT)], input=b"genmove b\n", capture_output=True,
                         env=caching_in(tmp_path), timeout=PATIENCE,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    assert re.fullmatch(rb"= [A-G][1-7]\n\n", out.stdout)
    assert out.stderr.count(b"compiled code cannot be kept") == 1
    assert b"Traceback" not in out.stderr


def test_old_versions_that_somebody_else_removes(tmp_path, monkeypatch):
    """Directories that vanish while they are looked at do not matter."""
    from gtp_engine.kernels.machine import cache
    for number in range(6):
        (tmp_path / f"old{number}").mkdir()
        os.utime(tmp_path / f"old{number}", (1e9 + number, 1e9 + number))
    scandir = os.scandir

    def racing(folder):
        entries = list(scandir(folder))
        (tmp_path / "old1").rmdir()
        return entries

    monkeypatch.setattr(os, "scandir", racing)
    cache._remove_old(tmp_path)
    monkeypatch.undo()
    assert {path.name for path in tmp_path.iterdir()} == {"old2", "old3", "old4", "old5"}


def test_a_transcript_that_cannot_be_written():
    if not os.path.exists("/dev/full"):
        pytest.skip("needs a device that is always full")
    replies, errors = run("1 name\n2 name\n3 quit\n", "--log", "/dev/full")
    assert replies == ["=1 gtp_engine", "=2 gtp_engine", "=3 "]
    assert errors.count("cannot be written") == 1 and len(errors.splitlines()) == 1


def test_without_docstrings():
    """Python -OO forgets them; the commands and their usage are there all the same."""
    out = subprocess.run([sys.executable, "-OO", str(SCRIPT)], input=b"help play\nplay b\n",
                         capture_output=True, timeout=PATIENCE)
    assert out.stdout.startswith(b"= play COLOUR POINT\nPlay a stone, or pass.")
    assert out.stdout.endswith(b"\n\n? usage: play COLOUR POINT\n\n") and out.stderr == b""


NAMES = [([], "gtp_engine"), (["--player", "alphabeta"], "gtp_engine alphabeta"),
         (["--policy", "rule_based", "--simulations", "50", "--seed", "3"],
          "gtp_engine flat policy=rule_based simulations=50"),
         (["--player", "alphabeta", "--time", "0.5", "--simulations", "50"],
          "gtp_engine alphabeta time=0.5"), (["--name", "Me  too"], "Me too")]


@pytest.mark.parametrize("options, name", NAMES, ids=[name for _, name in NAMES])
def test_the_name_tells_the_player(options, name):
    assert run("name\n", *options)[0] == [f"= {name}"]


@pytest.mark.parametrize("options, replies", [
    ("", ["= Gomoku", "= 0 0", "= A1 A2", "= Win A1"]),
    ("--course 2021", ["= Gomoku", "= 0 0", "= A1 A2", "= Win A1"]),
    ("--course 2019", ["= Gomoku", "= 0 0", "= a1 a2", "= Win A1"]),
    ("--course 2023", ["= Ninuki", "= 0 2", "= a1 a2", "= Win a1"]),
    ("--course 2023 --game Pente-free", ["= Pente-free", "= 0 2", "= a1 a2", "= Win a1"])])
@pytest.mark.few(2)
def test_courses(options, replies):
    """What the years differ in: the game, the case of points, whose captures come first."""
    lines = ["gogui-rules_game_id", "boardsize 7", "play w d2", "play w e2", "play b c2",
             "play b f2", "gogui-rules_captured_count", "boardsize 7",
             *(f"play b {column}1" for column in "bcde"), "policy rule_based", "play w f1",
             "play b a5", "play w g7", "gogui-rules_legal_moves", "policy_moves", "quit"]
    answers, errors = run("".join(f"{line}\n" for line in lines), *options.split())
    told = [answers[0], answers[6], answers[-3][:7], answers[-2]]
    assert told == replies and errors == ""


def test_lower_case():
    replies, _ = run("boardsize 3\ngogui-rules_legal_moves\nplay b A1\ngenmove w\nplay b a1\n",
                     "--lower-case", "--player", "random")
    assert replies[1] == "= a1 a2 a3 b1 b2 b3 c1 c2 c3"
    assert re.fullmatch("= [a-c][1-3]", replies[3])
    assert replies[4] == '= illegal move: "a1" occupied'


@pytest.mark.first
@pytest.mark.thorough
def test_compile_room():
    """It leaves nothing to compile; in the folder of all tests, so that they do not either."""
    for number in range(2):
        out = subprocess.run([sys.executable, "-m", "gtp_engine", "compile"], capture_output=True,
                             cwd=SCRIPT.parent, text=True, timeout=PATIENCE)
        assert out.returncode == 0 and out.stdout == ""
        said = [line.split()[0] for line in out.stderr.splitlines()]
        assert said == ["compiling"] * (len(said) - 1) + ["all"]
    assert said == ["all"]
    from gtp_engine.command_line.programs.compile import every_kernel
    from gtp_engine.kernels.machine import cache
    assert all(cache.is_stored(each.symbol) for each in every_kernel())


@pytest.mark.thorough
def test_time_and_threads():
    commands = "boardsize 9\n" + "genmove b\ngenmove w\n" * 3
    timed, _ = run(commands, "--time", "0.1", "--threads", "2", "--policy", "rule_based")
    assert all(re.fullmatch("= [A-J][1-9]", reply) for reply in timed[1:])
    one, two = (run(commands, "--threads", threads, "--seed", "3")[0] for threads in ("1", "2"))
    assert one == two
