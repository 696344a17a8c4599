"""Sandboxes of every kind, as root and as a user without rights; what it means if one is broken."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from gtp_engine.classroom import sandbox, submissions
from gtp_engine.classroom.course import read_course
from gtp_engine.classroom.trial import trial, trial_program
from gtp_engine.classroom.unpack import Unpacking
from tests.programs import TOP
from tests.school import COURSE, KEEPING_APART, STRANGER, Class, fakes, gtp_engine, need

EVIL = ("reads-files", "deletes-files", "overwrites-files", "network", "daemon", "kills-all",
        "deletes-itself", "eats-memory", "right")
DOUBT = "no submission answers any command: check `engine` in the course"


def add(school, name, text):
    """Hand in a program of that text."""
    folder = school.folder / "submissions" / name
    folder.mkdir(parents=True)
    (folder / "gomoku.py").write_text(text)


@pytest.mark.parametrize("kind", KEEPING_APART)
@pytest.mark.few(1)
def test_programs_are_kept_apart(kind, tmp_path):
    need(kind)
    school = Class(tmp_path, EVIL)
    gtp_engine(*school.words("--isolation", kind))
    assert school.found() == school.table and school.is_unharmed()


@pytest.mark.parametrize("kind", KEEPING_APART)
@pytest.mark.thorough
def test_programs_of_a_user_without_rights_are_kept_apart(kind, stranger):
    school = Class(stranger.folder, EVIL)
    stranger.own()
    out = stranger.run(sys.executable, "-m", "gtp_engine",
                       *school.words("--isolation", kind), cwd=TOP)
    if "this system does not allow" in out.stderr:
        pytest.skip(out.stderr)
    assert school.found() == school.table and school.canary.read_text() == "alive", out.stderr
    assert (school.results / "summary.csv").stat().st_uid == STRANGER


@pytest.mark.parametrize("place", ["/tmp", "/var/tmp", "/dev/shm", "/opt"])
@pytest.mark.parametrize("kind", KEEPING_APART)
@pytest.mark.few(1)
def test_an_interpreter_is_seen_wherever_it_is(kind, place):
    """Also where the program has folders of its own; it cannot write to those of others there."""
    need(kind)
    if not os.access(place, os.W_OK):
        pytest.skip(f"{place} cannot be written to")
    with tempfile.TemporaryDirectory(dir=place) as folder:
        python = Path(folder, "venv", "bin", "python")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", python.parent.parent],
                       check=True)
        school = Class(Path(folder), ("writes",), f"{python} gomoku.py")  # no fake has this name
        inside = python.parent.parent / "pyvenv.cfg"
        add(school, "writes", f"import os\nfor path in ({str(inside)!r}, {folder + '/new'!r}):\n"
            "    try:\n        open(path, 'a').write('mine')\n    except OSError: pass\n"
            f"open('{place if place != '/opt' else '/tmp'}/own', 'w').write('mine')\n"
            + (COURSE / "solution" / "gomoku.py").read_text())
        before = inside.read_text()
        out = gtp_engine(*school.words("--isolation", kind))
        assert out.returncode == 0 and school.found() == {"writes": fakes.ALL}, out.stderr
        assert inside.read_text() == before and not Path(folder, "new").exists()
        assert not Path(place, "own").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no root")
def test_limits_alone_are_not_chosen_for_root(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "refusal",
                        lambda kind, scratch: "" if kind == sandbox.LIMITS else "forbidden")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(ValueError, match="install bubblewrap, or start this as another user"):
        sandbox.best(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert sandbox.best(tmp_path) == sandbox.LIMITS


# --- the trial before a class --------------------------------------------------------------------

def course(folder, engine):
    """A course whose submissions are started so."""
    school = Class(folder, ("right",), engine)
    return read_course(school.course)


KNOWN = [  # the command of a course, that of the trial, whether it can be started
    ("python3 gomoku.py", "python3 gomoku.py", True),
    ("python3 -O src/main.py --size 7", "python3 -O src/main.py --size 7", True),
    ("python3 -m gomoku", "python3 trial.py", True), ("sh run.sh", "sh run.sh", True),
    ("./run", "./run", True), ("bin/run.py", "bin/run.py", True), ("perl x", "perl trial.pl", True),
    ("awk -f gomoku.awk", "sh trial.sh awk", True), ("env python3 x.py", "env python3 x.py", True),
    ("no-such-python x.py", "no-such-python x.py", False),
    ("no-such-program x", "sh trial.sh no-such-program", False),
    ("/nowhere/python3 -m x", "/nowhere/python3 trial.py", False)]


@pytest.mark.parametrize("engine, words, starts", KNOWN)
@pytest.mark.parametrize("kind", sandbox.KINDS)
@pytest.mark.few(9)
def test_trials(kind, engine, words, starts, tmp_path):
    need(kind)
    if starts and engine.split()[0] in ("perl", "awk") and not shutil.which(engine.split()[0]):
        pytest.skip(f"there is no {engine.split()[0]}")
    own = course(tmp_path, engine)
    assert trial_program(own).words == words.split()
    said = trial(kind, own, tmp_path / "scratch")
    assert (said == "") == starts and "\n" not in said
    if not starts:
        assert said.startswith(f"the sandbox ({kind}) cannot run {words}: ")
        assert len(said) > len(f"the sandbox ({kind}) cannot run {words}: ")


def broken_bubblewrap(folder, lines):
    """A folder for the path, with a bubblewrap that does this first and then what it should."""
    path = folder / "bin" / "bwrap"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{lines}\nexec {shutil.which('bwrap')} \"$@\"\n")
    path.chmod(0o755)
    return {**os.environ, "PATH": f"{path.parent}:{os.environ['PATH']}"}


NEVER = [  # of a bubblewrap that runs `true` and no submission: what it does, what is said
    ("exit 127", "bwrap ended with status 127"),
    ("echo bwrap: No permissions >&2; exit 1", "bwrap: No permissions"),
    ("exec true", "bwrap ended with status 0"), ("kill -9 $$", "bwrap ended with status 137"),
    ("kill -9 $PPID; sleep 9", "was ended by signal 9"),
    ("printf 'started' >&2; exit 126", "ended with status 126"),
    ("printf '= hello\\n\\n'; exec sleep 99", "it answers 'hello'"),
    ('exec env python3 -c "print(0)"', "ended with status 0")]


@pytest.mark.parametrize("program, lines, said", [
    *(("regress", *each) for each in NEVER), ("league", *NEVER[0])])
@pytest.mark.few(2)
def test_nothing_is_graded_by_a_broken_sandbox(program, lines, said, tmp_path):
    need(sandbox.BWRAP)
    (tmp_path / "x").mkdir()
    school = Class(tmp_path / "x", ("right",))
    words = school.words("--isolation", "bwrap")
    if program == "league":
        words = ["league", "--submissions", school.folder / "submissions", "--course",
                 school.course, "--results", school.results, "--isolation", "bwrap"]
    environment = broken_bubblewrap(tmp_path, f'case "$*" in *true) ;; *) {lines};; esac')
    out = gtp_engine(*words, env=environment)
    error = out.stderr.splitlines()[-1]
    assert out.returncode == 2 and said in error, out.stderr
    assert f"the sandbox (bwrap) cannot run {sys.executable} gomoku.py: " in error
    assert not (school.results / "summary.csv").exists()
    assert not (school.results / "league.jsonl").exists()


# --- a sandbox that fails now and then -----------------------------------------------------------

SOMETIMES = ["exit 127", "exit 1", "kill -9 $PPID; sleep 9", "kill -9 $$", "exec true",
             "echo bwrap: No space left on device >&2; exit 1", "printf started >&2; exit 127"]


@pytest.mark.parametrize("faults", [
    pytest.param(SOMETIMES[:1], marks=pytest.mark.part, id="one"),
    pytest.param(SOMETIMES, marks=pytest.mark.thorough, id="all")])
def test_what_a_sandbox_does_is_not_booked_on_a_submission(faults, tmp_path):
    """It fails in another way for each submission but the right one."""
    need(sandbox.BWRAP)
    (tmp_path / "x").mkdir()
    school = Class(tmp_path / "x", ("right", "folder"))
    folder = school.folder / "submissions" / "folder"
    cases = {f"unlucky{number}": lines for number, lines in enumerate(faults)}
    for name in cases:
        shutil.copytree(folder, folder.parent / name)
    shutil.rmtree(folder)
    environment = broken_bubblewrap(tmp_path, "case \"$*\" in {} esac".format(" ".join(
        f"*{name}*) echo >> {tmp_path / name}; {lines};;" for name, lines in cases.items())))
    out = gtp_engine(*school.words("--isolation", "bwrap"), env=environment)
    rows = school.rows()
    assert out.returncode == 3 and f"{len(cases)} not graded" in out.stdout, out.stderr
    assert rows.keys() == {"right", *cases} and rows["right"]["passed"] == str(fakes.ALL)
    for name in [*cases][:5]:  # others are counted
        assert f"{name}: not graded: " in out.stderr, out.stderr
    for name in cases:
        row = rows[name]
        assert row["not graded"].startswith("not graded: ") and row["passed"] == row["failed"] == ""
        assert row["not run to the end"] == ""
        assert len((tmp_path / name).read_text()) >= 2
        for page in ("index.html", f"{name}/index.html", f"{name}/letter.txt",
                     f"{name}/results.json"):
            assert "ot graded: " in (school.results / page).read_text() or page == "index.html"
    again = gtp_engine(*school.words("--isolation", "bwrap"))  # repaired, only they are run
    assert again.returncode == 0 and again.stdout.count(" of ") == len(cases) + 1, again.stdout
    assert school.found() == dict.fromkeys(["right", *cases], fakes.ALL)


def test_a_sandbox_that_fails_once_is_tried_once_more(tmp_path):
    need(sandbox.BWRAP)
    (tmp_path / "x").mkdir()
    school = Class(tmp_path / "x", ("right", "folder"))
    environment = broken_bubblewrap(tmp_path, 'case "$*" in *folder*) '
                                    f'[ -e {tmp_path}/once ] || {{ > {tmp_path}/once; exit 1; }};; '
                                    'esac')
    out = gtp_engine(*school.words("--isolation", "bwrap"), env=environment)
    assert out.returncode == 0 and school.found() == school.table and out.stderr == ""


OWN_FAULTS = {  # programs that look as if the sandbox had failed
    "status 125": "import sys; sys.exit(125)", "status 126": "import sys; sys.exit(126)",
    "status 127": "import sys; sys.exit(127)",
    "signal": "import os; os.kill(os.getpid(), 10)",
    "words": "import sys; print('sandbox: cannot be made', file=sys.stderr); sys.exit(127)",
    "descriptors": "import os, sys\nfor each in range(3, 99):\n    try: os.write(each, b'no')\n"
                   "    except OSError: pass\nsys.exit(127)"}


@pytest.mark.parametrize("kind", KEEPING_APART)
@pytest.mark.few(1)
def test_what_a_submission_does_is_not_booked_on_the_sandbox(kind, tmp_path):
    need(kind)
    school = Class(tmp_path, ("right",))
    for name, text in OWN_FAULTS.items():
        add(school, name, text)
    add(school, "large", "print()")
    (school.folder / "submissions" / "large" / "data").write_bytes(bytes(17 << 20))
    out = gtp_engine(*school.words("--isolation", kind))
    assert out.returncode == 0 and out.stderr == "", out.stderr
    rows = school.rows()
    assert {name: row["passed"] for name, row in rows.items()} == {
        "right": str(fakes.ALL), **dict.fromkeys([*OWN_FAULTS, "large"], "0")}
    assert all(row["not graded"] == "" for row in rows.values())
    assert "more than 16 MB of files" in rows["large"]["not run to the end"]


@pytest.mark.parametrize("number, is_ours", [
    (errno.ENOSPC, True), (errno.EDQUOT, True), (errno.EACCES, True), (errno.EINVAL, False)])
def test_a_disk_that_is_full_is_not_the_fault_of_a_submission(number, is_ours, tmp_path,
                                                              monkeypatch):
    school = Class(tmp_path, ("zipped",))
    found, = submissions.submissions_in(school.folder / "submissions")
    job = submissions.Job(found, read_course(school.course), (str(COURSE / "tests" / "rules.gtp"),),
                          str(tmp_path / "work"), sandbox.LIMITS, "")

    def fail(unpacking, source, target):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Unpacking, "_zip", fail)
    graded = submissions.grade(job)
    assert (os.strerror(number) in graded.broken) == is_ours and bool(graded.problem) != is_ours


@pytest.mark.parametrize("engine, count, is_said", [
    ("python3 main.py", 3, True), ("python3 main.py", 2, False)])
@pytest.mark.thorough
def test_a_class_that_does_not_answer_at_all(engine, count, is_said, tmp_path):
    need(*KEEPING_APART)
    school = Class(tmp_path, ("right", "folder", "starter")[:count], engine)
    out = gtp_engine(*school.words())
    assert (DOUBT in out.stderr) == is_said and out.returncode == 0
    for name in ("summary.csv", "index.html"):
        assert (DOUBT in (school.results / name).read_text()) == is_said
