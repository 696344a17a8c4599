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
    killed = []
    for child in psutil.Process(os.getpid()).children(recursive=True):
        try:
            if not any("from multiprocessing" in word for word in child.cmdline()):  # its servers
                child.kill()
                killed.append(child)
        except psutil.Error:
            pass
    psutil.wait_procs(killed)
