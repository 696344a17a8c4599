"""What holds for every test: children can be interrupted, and none outlives its test."""

import os
import signal

import psutil
import pytest

# A suite that a shell has started in the background ignores the signal, and so would its children.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def no_child_outlives_its_test():
    """Whatever a test has started and not ended is ended after it."""
    yield
    children = psutil.Process(os.getpid()).children(recursive=True)
    for child in children:
        try:
            child.kill()
        except psutil.NoSuchProcess:
            pass
    psutil.wait_procs(children)
