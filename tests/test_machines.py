"""Machines that lack a home, a package or a Python that is new enough; the command line."""

import ast
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_engine import __version__
from gtp_engine.__main__ import PROGRAMS
from gtp_engine.command_line import terminal
from gtp_engine.puzzles.score import Score
from gtp_engine.wire import files
from tests.engine import PATIENCE
from tests.programs import TOP

SCRIPTS = ("gomoku3.py", "qubic.py", "engine", "pbrain-gtpengine")
BEFORE_THE_VERSION_IS_KNOWN = (*SCRIPTS, "gtp_engine/__init__.py")


# --- the command line ----------------------------------------------------------------------------

def test_programs_say_what_they_do_without_any_extra():
    code = f"""
import sys
for name in {sorted(terminal.EXTRAS)}:
    sys.modules[name] = None
from gtp_engine.__main__ import PROGRAMS, main
for name in PROGRAMS:
    for word in ("--help", "--version"):
        try:
            main([name, word])
        except SystemExit as left:
            assert not left.code, (name, word)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True,
                          timeout=PATIENCE)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    lines = done.stdout.splitlines()
    assert lines.count(f"gtp_engine {__version__}") == len(PROGRAMS)
    assert sum(line.startswith("usage: python -m gtp_engine ") for line in lines) == len(PROGRAMS)


@pytest.mark.parametrize("words, status, output, errors", [
    ([], 0, "gtp-engine PROGRAM ...", ""), (["--help"], 0, "gtp-engine PROGRAM ...", ""),
    (["--version"], 0, f"gtp_engine {__version__}", ""),
    (["turnament"], 2, "", "gtp-engine: turnament: did you mean tournament?"),
    (["\x1b"], 2, "", r"gtp-engine: \x1b: there is no such program; `gtp-engine` lists them all"),
    (["check", "--help"], 0, "usage: gtp-engine check [-h]", ""),
    (["check"], 2, "", "gtp-engine check: error: the following arguments are required: ENGINE")])
def test_an_installed_command_calls_itself_as_it_was_typed(words, status, output, errors, ours,
                                                           monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/gtp-engine"])
    found = ours(*words)
    assert (found[0] or 0) == status and output in found[1] and errors in found[2]
    if not words:
        listed = [line.split()[0] for line in found[1].splitlines()
                  if line.startswith("  ") and line[2] != "-"]
        assert listed == [*PROGRAMS]


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_know_their_version(name):
    done = subprocess.run([sys.executable, TOP / name, "--version"], capture_output=True, text=True,
                          timeout=PATIENCE)
    assert (done.stdout, done.returncode) == (f"gtp_engine {__version__}\n", 0)


def test_puzzles_are_solved_without_any_extra(tmp_path):
    names = sorted(name for name, extra in terminal.EXTRAS.items() if extra != "compile")
    code = f"import sys\nfor name in {names}: sys.modules[name] = None\n" \
           "from gtp_engine.__main__ import main; raise SystemExit(main())"
    done = subprocess.run([sys.executable, "-c", code, "puzzles", "--count", "1", "--score",
                           tmp_path / "score"], input="quit\n", cwd=TOP, capture_output=True,
                          text=True, timeout=PATIENCE)
    assert done.returncode == 0 and "solved: 0 of 0" in done.stdout, done.stderr


@pytest.mark.parametrize("installed, command", [
    ("clone", "python -m pip install '.[web]' in the folder of the sources"),
    ("pip", "python -m pip install 'gtp_engine[web]'"), ("uv", "uv pip install 'gtp_engine[web]'"),
    ("pipx", "pipx inject gtp_engine uvicorn")])
def test_hints_fit_how_it_was_installed(installed, command, tmp_path, monkeypatch):
    if installed != "clone":
        monkeypatch.setattr(terminal, "__file__", str(tmp_path / "gtp_engine" / "terminal.py"))
        monkeypatch.syspath_prepend(tmp_path)
        info = tmp_path / "gtp_engine-0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Name: gtp_engine\nVersion: 0\n")
        (info / "INSTALLER").write_text(f"{installed}\n")
    if installed == "pipx":
        monkeypatch.setattr(sys, "prefix", str(tmp_path))
        (tmp_path / "pipx_metadata.json").touch()
    assert terminal.import_error_text(ModuleNotFoundError(name="uvicorn.config")) == (
        f"this needs the package uvicorn, which is not installed: {command} installs it")


# --- homes ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("fault, said", [
    (RuntimeError("no home"), "this user has no home"),
    (PermissionError(13, "Permission denied", "/nowhere"), "/nowhere: Permission denied")])
def test_without_a_folder_of_the_user_nothing_is_kept(fault, said, ours, monkeypatch, caplog):
    def fail(*words, **options):
        raise fault

    monkeypatch.setattr("platformdirs.user_data_path", fail)
    monkeypatch.setattr(Score, "write", fail)
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    status, output, _ = ours("puzzles", "--count", "1", "--seed", "1")
    assert status == 0 and "solved: 0 of 0" in output
    assert [record.getMessage() for record in caplog.records] == [
        f"your score is not saved: {said}; --score names another file"]


def test_a_folder_that_cannot_be_written_to(tmp_path, monkeypatch):
    monkeypatch.setattr("platformdirs.user_data_path", lambda *words, **options: tmp_path / "new")
    assert files.user_folder() == tmp_path / "new" and (tmp_path / "new").is_dir()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(PermissionError) as caught:
        files.user_folder()
    assert files.reason_of(caught.value) == f"{tmp_path / 'new'}: Permission denied"


@pytest.mark.parametrize("home", [[], ["HOME=/nonexistent"]], ids=["none", "unwritable"])
@pytest.mark.few(1)
def test_a_user_without_a_home(home, stranger):
    """The programs work, and say once what is not kept."""
    own = ["env", "-i", "PATH=/usr/bin:/bin", f"PYTHONPATH={TOP}", *home, sys.executable, "-m",
           "gtp_engine"]
    said = "/nonexistent: " if home else "this user has no home"
    done = stranger.run(*own, "puzzles", "--count", "1", input="quit\n")
    assert done.returncode == 0 and done.stderr.count("\n") == 1 and said in done.stderr
    done = stranger.run(*own, "gtp", "--player", "random", input="genmove b\n")
    assert done.returncode == 0 and done.stderr == "" and done.stdout.startswith("= ")
    errors = stranger.folder / "errors"
    with errors.open("w") as file:
        server = subprocess.Popen(stranger.words(*own, "web", "--no-browser"), stderr=file,
                                  stdout=subprocess.PIPE, text=True, cwd=stranger.folder)
        assert "the board is at http" in server.stdout.readline()
        server.terminate()
        server.wait(PATIENCE)
    assert errors.read_text().count("\n") == 1 and said in errors.read_text()


# --- packages and Pythons ------------------------------------------------------------------------

@pytest.mark.parametrize("program, question, answer", [
    ("gomoku3.py", "genmove b\n", "? "), ("pbrain-gtpengine", "START 15\nBEGIN\n", "ERROR ")])
def test_a_numba_that_cannot_be_imported_says_why(program, question, answer, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import numpy\nnumpy.__version__ = '9.9.9'\n")
    done = subprocess.run(
        [sys.executable, TOP / program, *(["--player", "alphabeta"] * (answer == "? "))],
        input=question, capture_output=True, text=True, timeout=PATIENCE,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)})
    last = done.stdout.split("\n")[-2 if answer == "ERROR " else 0].strip()
    assert last.startswith(f"{answer}Numba cannot be imported: Numba needs NumPy "), done.stderr
    assert "Traceback" not in done.stderr and "internal error" not in done.stdout


@pytest.mark.parametrize("name", BEFORE_THE_VERSION_IS_KNOWN)
def test_an_old_python_can_read_that_it_is_too_old(name):
    ast.parse((TOP / name).read_text(encoding="utf-8"), feature_version=(3, 6))


OLD = sorted(Path.home().glob(".pyenv/versions/3.[6-9].*/bin/python"))


@pytest.mark.parametrize("python", [None, *OLD], ids=lambda path: path and path.parts[-3])
@pytest.mark.parametrize("name", [*SCRIPTS, "-m"])
@pytest.mark.few(6)
def test_old_pythons_are_refused_in_a_line(name, python):
    words = [python, *(["-m", "gtp_engine"] if name == "-m" else [name])]
    if python is None:  # this one says that it is old
        words = [sys.executable, "-c", "import runpy, sys\nsys.version_info = (3, 9, 1)\n"
                 + (f"runpy.run_path({name!r}, run_name='__main__')" if name != "-m" else
                    "runpy.run_module('gtp_engine', run_name='__main__')")]
    done = subprocess.run(words, cwd=TOP, capture_output=True, text=True, timeout=PATIENCE,
                          input="name\n", env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("gtp_engine needs Python 3.10 or newer, and this is 3.")
    assert done.stderr.count("\n") == 1


# --- packages ------------------------------------------------------------------------------------

def test_modules_of_an_older_checkout_are_not_packed(tmp_path):
    """build/lib keeps the files of earlier builds, and a wheel is made of that folder."""
    pytest.importorskip("setuptools")
    for name in ("setup.py", "setup.cfg", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(TOP / name, tmp_path)
    shutil.copytree(TOP / "gtp_engine" / "games", tmp_path / "gtp_engine" / "games")
    shutil.copy(TOP / "gtp_engine" / "__init__.py", tmp_path / "gtp_engine")
    deleted = tmp_path / "build" / "lib" / "gtp_engine" / "deleted.py"
    deleted.parent.mkdir(parents=True)
    deleted.touch()
    subprocess.run([sys.executable, "setup.py", "-q", "build_py"], cwd=tmp_path, check=True,
                   capture_output=True, timeout=PATIENCE)
    assert (deleted.parent / "games" / "rules.py").exists() and not deleted.exists()
