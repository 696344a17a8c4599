"""Programs that misbehave, and what runs of all that was started."""

import sys
import time
from pathlib import Path

import psutil

from gtp_engine.arena.process import MARK
from tests.engine import PATIENCE

FAKE = f"{sys.executable} -IS {Path(__file__).parent / 'data' / 'fake.py'}"  # starts sooner so
TOP = Path(__file__).parent.parent


def fake(protocol, behaviour, folder=None, name="fake"):
    if protocol in ("in-out", "move-file"):
        path = folder / name
        return f"{protocol}:{path} {FAKE} {protocol} {behaviour} {path}"
    return f"{protocol}:{FAKE} {protocol} {behaviour}"


EVIL = "\x1b]0;mine\x07\x9b2J\u202e=1"  # for a terminal, and for a table
SHOWN_EVIL = r"\x1b]0;mine\x07\x9b2J\u202e=1"


def evil(folder):
    """The seat of a program that says such things in its name, its moves and its errors."""
    program = folder / "evil.py"
    program.write_text(
        f"import sys\nfor line in sys.stdin:\n    sys.stderr.write({f'busy {EVIL}'!a} + chr(10))\n"
        f"    sys.stderr.flush()\n    said = {{'name': {f'Eve{EVIL}'!a}, "
        f"'genmove': {f'A1{EVIL}'!a}}}\n"
        "    print('=', said.get(line.split()[0], ''), end='\\n\\n', flush=True)\n",
        encoding="utf-8")
    return f"gtp:env PYTHONIOENCODING=utf-8 {sys.executable} {program}"


def is_harmless(text):
    """Is there nothing in these lines that a terminal might obey?"""
    return all(line.isprintable() for line in text.split("\n"))


def until(condition):
    """Wait, but not for ever: more and more rarely it looks, so that others may compute.

    Returns what the condition has found.
    """
    deadline, pause = time.monotonic() + PATIENCE, 0.01
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(pause)
        pause = min(1.3 * pause, 0.2)
    return found


def marked(pid):
    """The processes that programs of that process are, or have started, and that still run."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK, "").startswith(f"{pid}-"):
                found.append(process)
        except psutil.Error:
            pass
    return found


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
