"""The suite itself: nothing in it depends on who has started it."""

import signal
import subprocess
import sys

from gtp_engine.arena.referee import ENDING_SIGNALS
from tests.engine import PATIENCE
from tests.programs import TOP

IGNORED = ("import signal, sys\n"
           "print([n for n in map(int, sys.argv[1:]) if signal.getsignal(n) == signal.SIG_IGN])")


def test_children_hear_signals():
    numbers = [str(int(number)) for number in ENDING_SIGNALS]
    said = subprocess.run([sys.executable, "-c", IGNORED, *numbers], capture_output=True, text=True)
    assert said.stdout == "[]\n", said.stderr


def test_a_suite_that_ignores_signals():
    """As one does that was started by nohup or in the background."""
    def ignore():
        for number in ENDING_SIGNALS:
            signal.signal(number, signal.SIG_IGN)

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:xdist", "-o", "addopts=",
         f"{__file__}::{test_children_hear_signals.__name__}"], cwd=TOP,
        capture_output=True, text=True, preexec_fn=ignore, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout
