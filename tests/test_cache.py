"""Where machine code is kept, and how kernels get from their sources to it."""

import os
import pickle
import shutil
import subprocess
import sys

import numpy as np
import psutil
import pytest

from benchmarks import crowd
from gtp_engine.command_line.programs.compile import every_kernel
from gtp_engine.games import catalogue
from gtp_engine.kernels import Call, kernel, load
from gtp_engine.kernels.machine import cache, prebuilt
from gtp_engine.kernels.machine.native import requests_for
from gtp_engine.players.alphabeta.player import AlphaBeta
from gtp_engine.players.base import POLICIES, Settings
from gtp_engine.players.playouts import calls_of_playouts
from gtp_engine.solvers.solve import calls_of_proof
from tests.engine import PATIENCE, SCRIPT
from tests.programs import until


@kernel
def bits_and_sum(numbers, bytes_, start):
    """For the tests: three results of three types."""
    total = start
    for number in numbers:
        total += number
    return total, bytes_[0] > 2, np.uint64(bytes_.size) << np.uint64(63)


@kernel
def largest(table):
    """For the tests: an array of two dimensions."""
    best = table[0, 0]
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            best = max(best, table[i, j])
    return best


@kernel
def is_even(number):
    """For the tests, in a circle with the next one."""
    return number == 0 or is_odd(number - 1)


@kernel
def is_odd(number):
    """For the tests: half of a circle."""
    return number != 0 and is_even(number - 1)


def test_arguments_and_results():
    numbers = np.array([3, -5, 2**62], np.int64)
    assert bits_and_sum(numbers, np.array([3], np.uint8), -7) == (2**62 - 9, True, 2**63)
    assert bits_and_sum(numbers[:0], np.array([2, 3], np.uint8), True) == (1, False, 0)
    table = np.arange(12, dtype=np.uint16).reshape(3, 4)
    assert largest(table) == 11
    assert largest(table[1:2]) == 7
    with pytest.raises(TypeError, match="contiguous"):
        largest(table[:, 1:])


def test_one_kernel_has_one_signature():
    """Whatever integers it is given; what is loaded is not loaded again."""
    numbers, bytes_ = np.zeros(1, np.int64), np.zeros(1, np.uint8)
    for start in (0, 1, True, np.int64(5), np.uint8(200), np.uint16(7)):
        assert bits_and_sum(numbers, bytes_, start)[0] == start
    assert len(bits_and_sum._loaded) == 1
    load([Call(bits_and_sum, (numbers, bytes_, 0))])
    assert len(bits_and_sum._loaded) == 1


def test_code_survives_being_written_and_read():
    code = cache.Code("a.b-12", "a.b-12-entry", ["int64", "bool"], ["c-3"], b"\n\x00object\n")
    content = cache.pack(code)
    assert cache.unpack(content) == code
    for damaged in (b"", content[:-1], content[1:], content + b"x", b"{}\n", b"[]\nx",
                    content.replace(b"object_file", b"object_line")):
        assert cache.unpack(damaged) is None


@pytest.fixture
def filled(tmp_path):
    """A cache folder of its own, with the machine code that all tests share."""
    load(calls_of_playouts(catalogue.GOMOKU, "random"))
    shared = cache.folder()
    shutil.copytree(shared, tmp_path.joinpath(*shared.parts[-cache.OWN_FOLDERS - 1:]))
    return tmp_path


def test_a_damaged_file_is_compiled_anew(filled):
    assert first_move(filled).stderr == b""
    file, = filled.rglob("plane.playouts.race-*")
    good = file.read_bytes()
    file.write_bytes(good.replace(b"race", b"rice"))
    assert b"compiling race" in first_move(filled).stderr
    assert file.read_bytes()[:100] == good[:100]
    assert first_move(filled).stderr == b""


def first_move(folder, *words, umask=-1, **variables):
    out = subprocess.run([sys.executable, str(SCRIPT), *words], input=b"genmove b\n", check=True,
                         capture_output=True, timeout=PATIENCE, umask=umask,
                         env=os.environ | {"XDG_CACHE_HOME": str(folder)} | variables)
    assert out.stdout.startswith(b"= ")
    return out


def test_an_engine_with_machine_code_needs_no_numba():
    program = ("import sys\n"
               "from gtp_engine.__main__ import run\n"
               "run('gtp', 'x', ['--player', 'alphabeta', '--time', '0.05'])\n"
               "sys.stderr.write(str([n for n in sys.modules if n.startswith('numba')]))\n")
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=PATIENCE,
                         input=b"play b D4\ngenmove w\n", cwd=SCRIPT.parent, check=True)
    assert out.stderr.endswith(b"[]")


def test_the_compiler_that_fails(tmp_path, capfd):
    """Its own words are on standard error; the next try is free to succeed."""
    @kernel
    def not_in_a_module(numbers):
        return numbers

    with pytest.raises(RuntimeError, match="the compiler failed"):
        not_in_a_module(np.zeros(1, np.int64))
    assert "not_in_a_module" in capfd.readouterr().err


def test_a_circle_of_kernels_is_refused(capfd):
    with pytest.raises(RuntimeError, match="the compiler failed"):
        is_even(4)
    assert "not each other in a circle" in capfd.readouterr().err


def test_the_compiler_ends_when_nobody_waits_for_it():
    """It does once it has read what it is asked for, not when all is compiled."""
    wanted = requests_for(calls_of_playouts(catalogue.GOMOKU, "rule_based"))
    command = [sys.executable, "-m", "gtp_engine.kernels.machine.start_compiler", ""]
    with subprocess.Popen(command, cwd=SCRIPT.parent, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as asked:
        pickle.dump((wanted, []), asked.stdin)
        asked.stdin.close()
        assert asked.wait(PATIENCE) == 1
        assert b"simulate" not in asked.stdout.read()


def test_nothing_of_the_compiler_is_left_when_its_caller_dies(tmp_path):
    """Not even the workers of a process that it has forked."""
    script = tmp_path / "caller.py"
    script.write_text(
        "from gtp_engine.games import catalogue\n"
        "from gtp_engine.kernels.machine.cache import compiled\n"
        "from gtp_engine.kernels.machine.native import requests_for\n"
        "from gtp_engine.players.playouts import calls_of_playouts\n"
        "for code in compiled(requests_for(calls_of_playouts(catalogue.GOMOKU, 'rule_based'))):\n"
        "    print(code.symbol, flush=True)\n")
    caller = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE,
                              env={**os.environ, "PYTHONPATH": str(SCRIPT.parent)})
    assert caller.stdout.readline(), "workers are there"
    left = psutil.Process(caller.pid).children(recursive=True)
    assert len(left) > 1
    caller.kill()
    until(lambda: not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE
                          for process in left))


@pytest.mark.thorough
def test_one_process_compiles_for_all(tmp_path, monkeypatch):
    """Of four that begin together: one compiler runs for all, and the files are whole.

    `python benchmarks/crowd.py` starts a hundred, with players that take longer to compile.
    """
    monkeypatch.setattr(crowd, "LINES", (
        "1 genmove b", "2 policy random", "3 param simulations 1", "4 genmove w", "5 quit"))
    outputs, compilers = crowd.crowd(4, tmp_path)
    assert all(crowd.REPLIES.fullmatch(answers) for answers, _ in outputs), outputs
    assert compilers <= 1
    assert not any("Traceback" in errors for _, errors in outputs)
    folder = next(tmp_path.rglob("lock")).parent
    assert not list(folder.glob("*.[0-9]*")), "a file that was not finished"


# --- who may write there ------------------------------------------------------------------------

posix = pytest.mark.skipif(os.name != "posix", reason="folders have no such modes")


def linked(path):
    """The folder is elsewhere, and a link leads there."""
    elsewhere = path.parent / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    return elsewhere


FOLDERS = [  # which one, what is done to it, what is said
    *((name, chmod, "other users may write to") for name in ("gtp_engine", "kernels", "key")
      for chmod in (lambda path: path.chmod(0o720), lambda path: path.chmod(0o702),
                    lambda path: path.chmod(0o1777), lambda path: linked(path).chmod(0o770))),
    *((name, linked, None) for name in ("top", "gtp_engine", "kernels", "key")),
    ("top", lambda path: path.chmod(0o770), None), ("top", lambda path: path.chmod(0o1777), None),
    ("top", lambda path: path.chmod(0o777), "other users may write to"),
    ("gtp_engine", lambda path: path.chmod(0o755), None), ("gtp_engine", shutil.rmtree, None),
    ("kernels", lambda path: shutil.rmtree(path) or path.symlink_to("nowhere"), None),
]


@posix
@pytest.mark.parametrize("name, change, said", FOLDERS)
def test_folders_that_others_may_write_to(name, change, said, tmp_path, monkeypatch):
    """Each level counts, and where links lead to."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "top"))
    key = cache.folder()
    key.mkdir(parents=True)
    path = dict(zip(("key", "kernels", "gtp_engine", "top"), (key, *key.parents)))[name]
    change(path)
    if said is None:
        assert cache.folder() == key
    else:
        with pytest.raises(OSError, match=f"{said} {path}$"):
            cache.folder()


@posix
@pytest.mark.parametrize("levels", range(1, 4))
def test_folders_of_another_user(levels, tmp_path, monkeypatch):
    """Who had made one first in a shared folder could put machine code there."""
    tmp_path.chmod(0o1777)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = tmp_path.joinpath(*cache.folder().relative_to(tmp_path).parts[:levels])
    path.mkdir(parents=True)
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    with pytest.raises(OSError, match=f"{path} belongs to another user"):
        cache.folder()


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root gives away a link")
def test_links_of_another_user(tmp_path, monkeypatch):
    """Whatever they lead to: here to what is the user's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    key = cache.folder()
    key.mkdir(parents=True)
    linked(key.parent)
    os.lchown(key.parent, 65534, -1)
    with pytest.raises(OSError, match="kernels belongs to another user"):
        cache.folder()


@posix
@pytest.mark.thorough
def test_folders_are_made_for_the_user_alone(tmp_path):
    """All that are missing, whatever the umask."""
    out = first_move(tmp_path / "home" / "cache", umask=0)
    made = [path for path in tmp_path.rglob("*") if path.is_dir()]
    assert len(made) == 5 and {path.stat().st_mode & 0o777 for path in made} == {0o700}
    assert b"cannot be kept" not in out.stderr


@posix
@pytest.mark.thorough
def test_an_engine_whose_folder_is_refused(filled):
    """It plays; what is there is neither used nor changed, and a line says why."""
    kernels, = filled.rglob("kernels")
    kernels.chmod(0o777)
    before = {path: path.stat().st_mtime_ns for path in filled.rglob("*")}
    warning, compiling = first_move(filled).stderr.decode().splitlines()
    assert warning == ("compiled code cannot be kept: other users may write to "
                       f"{kernels}") and compiling.startswith("compiling race")
    assert {path: path.stat().st_mtime_ns for path in filled.rglob("*")} == before


# --- keys ---------------------------------------------------------------------------------------


@pytest.fixture
def own_sources(tmp_path, monkeypatch):
    """A folder of sources in place of that of the kernels; keys are computed each time."""
    for folder in ("", "plane"):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "one.py").write_text("1")
    monkeypatch.setattr(prebuilt, "__file__", str(tmp_path / "prebuilt.py"))
    monkeypatch.setattr(prebuilt, "source_key", prebuilt.source_key.__wrapped__)
    return tmp_path


def test_the_key_covers_every_level_of_folders(own_sources, monkeypatch):
    """And what Numba is told by its environment."""
    key = cache._native_key.__wrapped__
    keys = [key()]
    for folder in ("", "plane"):
        (own_sources / folder / "one.py").write_text("2")
        keys.append(key())
    (own_sources / "plane" / "one.py").rename(own_sources / "plane" / "two.py")
    keys.append(key())
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    keys.append(key())
    monkeypatch.setattr(cache, "version", lambda name: "0.0")
    keys.append(key())
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("rules", catalogue.GAMES.values(), ids=lambda rules: rules.name)
def test_every_kernel(rules):
    """What is compiled ahead, and what a package has, is all that players and proofs call."""
    calls = [*AlphaBeta(Settings()).calls(rules),
             *calls_of_proof(catalogue.start(rules, rules.default_size)),
             *(call for policy in POLICIES for call in calls_of_playouts(rules, policy))]
    assert {each.symbol for each in requests_for(calls)} <= {each.symbol for each in every_kernel()}


@pytest.mark.thorough
def test_sources_of_the_same_name_in_the_folder_of_the_user(tmp_path):
    """The compiler takes those of its caller."""
    (tmp_path / "gtp_engine").mkdir()
    (tmp_path / "gtp_engine" / "__init__.py").write_text("raise SystemExit(1)\n")
    answers = subprocess.run(
        [sys.executable, SCRIPT, "--simulations", "1"], input="genmove b\nquit\n", text=True,
        capture_output=True, cwd=tmp_path, check=True,
        env=os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}).stdout
    assert answers.startswith("= ") and not answers.startswith("= \n"), answers
