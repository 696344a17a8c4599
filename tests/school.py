"""A class of fake submissions, the sandboxes of this machine, and users that it may run them as."""

import csv
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

import pytest

from gtp_engine.classroom import sandbox
from tests.engine import PATIENCE
from tests.programs import TOP, running

COURSE = TOP / "course"
sys.path.insert(0, str(COURSE))
import fakes

STRANGER = 54321  # a user and a group that this machine does not know
KEEPING_APART = (sandbox.BWRAP, sandbox.NAMESPACES)  # kinds of sandbox


def gtp_engine(*words, **options):
    return subprocess.run([sys.executable, "-m", "gtp_engine", *map(str, words)], text=True,
                          capture_output=True, cwd=TOP, timeout=PATIENCE, **options)


class Class:
    """A class of fake submissions, a file that they want to harm, and a server they want to reach.

    table  what must come out, as far as it was asked for
    """

    def __init__(self, folder, only=(), engine=f"{sys.executable} gomoku.py"):
        self.folder, self.results = folder / "class", folder / "results"
        self.canary = folder / "canary"
        self.canary.write_text("alive")
        self.server = socket.create_server(("127.0.0.1", 0))
        self.table = fakes.write(self.folder, str(self.canary), self.server.getsockname()[1], only)
        self.course = folder / "course.toml"
        self.begin_with(engine)

    def begin_with(self, engine):
        """The command by which the course starts submissions."""
        text = (COURSE / "course.toml").read_text()
        assert text.count('"python3 gomoku.py"') == 1
        self.course.write_text(text.replace('"python3 gomoku.py"', f"'{engine}'"))

    def words(self, *options):
        return ["regress", "--submissions", self.folder / "submissions", "--tests",
                COURSE / "tests", "--course", self.course, "--results", self.results, *options]

    def rows(self):
        """The table of the results, by submissions."""
        with (self.results / "summary.csv").open(encoding="utf-8") as file:
            return {row["submission"]: row for row in csv.DictReader(file)}

    def found(self):
        return {name: int(row["passed"]) for name, row in self.rows().items()
                if row["tests"] == str(fakes.ALL)}

    def is_unharmed(self):
        """Is the file as it was, is nothing left, and was nothing written beside the results?"""
        return (self.canary.read_text() == "alive" and not running(str(self.canary))
                and {path.name for path in self.folder.parent.iterdir()} == {
                    "class", "results", "canary", "course.toml"}
                and not (self.results / "work").exists())


@lru_cache(maxsize=None)
def refusal(kind):
    """Why this system does not allow the kind of sandbox, "" if it does."""
    with tempfile.TemporaryDirectory() as folder:
        return sandbox.refusal(kind, Path(folder))


def need(*kinds):
    """Skip the test if this system allows none of these kinds of sandbox."""
    reasons = [refusal(kind) for kind in kinds]
    if all(reasons):
        pytest.skip("; ".join(f"{kind}: {reason}" for kind, reason in zip(kinds, reasons)))


class Stranger:
    """A user without rights, whose own folder this is, and who can reach the sources and Python.

    Whatever hides them from him is hidden itself, in mounts of his own.
    """

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp())
        self.hidden = Path(tempfile.mkdtemp())
        for path in self.folder, self.hidden:
            path.chmod(0o755)

    def words(self, *words):
        """The command by which he runs this one."""
        lines = ["set -e"]
        needed = {str(path) for path in (TOP, sys.prefix, sys.base_prefix, self.folder)}
        for number, path in enumerate(sorted(needed)):
            hold = self.hidden / str(number)
            hold.mkdir(exist_ok=True)
            lines.append(shlex.join(["mount", "--rbind", path, str(hold)]))
        covered = {next((str(each) for each in [*Path(path).parents][::-1]
                         if not each.stat().st_mode & 0o001), "") for path in needed} - {""}
        lines += [f"mount -t tmpfs -o mode=755 none {shlex.quote(each)}"
                  for each in sorted(covered)]
        for number, path in enumerate(sorted(needed)):
            if any(Path(each) in Path(path).parents for each in covered):
                lines.append(f"mkdir -p {shlex.quote(path)} && " + shlex.join(
                    ["mount", "--rbind", str(self.hidden / str(number)), path]))
        lines.append(shlex.join(["exec", "setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}",
                                 "--clear-groups", "env", "-u",
                                 "XDG_CACHE_HOME", f"HOME={self.folder}",
                                 "PYTHONDONTWRITEBYTECODE=1", *words]))
        return ["unshare", "--mount", "sh", "-c", "\n".join(lines)]

    def run(self, *words, **options):
        return subprocess.run(self.words(*map(str, words)), text=True, capture_output=True,
                              timeout=PATIENCE, **{"cwd": self.folder, **options})

    def end(self):
        for path in self.folder, self.hidden:
            shutil.rmtree(path, ignore_errors=True)

    def own(self):
        """Give him all that is in his folder."""
        for path in (self.folder, *self.folder.rglob("*")):
            os.chown(path, STRANGER, STRANGER, follow_symlinks=False)
