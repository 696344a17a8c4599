"""Programs that misbehave, and what runs of all that was started."""

import sys
import time
from pathlib import Path

import psutil

from gtp_engine.arena.process import MARK
from tests.engine import PATIENCE

FAKE = f"{sys.executable} {Path(__file__).parent / 'data' / 'fake.py'}"
TOP = Path(__file__).parent.parent


def fake(protocol, behaviour, folder=None, name="fake"):
    if protocol in ("in-out", "move-file"):
        path = folder / name
        return f"{protocol}:{path} {FAKE} {protocol} {behaviour} {path}"
    return f"{protocol}:{FAKE} {protocol} {behaviour}"


def until(condition):
    """Wait, but not for ever."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


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
