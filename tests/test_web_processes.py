"""The processes of a server that are not wanted any more before they have begun."""

import asyncio
import subprocess
import sys

import psutil
import pytest

from gtp_engine.web.processes import Processes
from tests.engine import PATIENCE


def test_the_end_while_one_is_being_started():
    """Nothing of it is left, and nothing is heard of it."""
    heard = []

    async def run():
        processes = Processes(lambda: None)
        starting = asyncio.create_task(
            processes.start("study.analyst", heard.append, lambda: heard.append("ended")))
        await asyncio.sleep(0)  # until it has begun
        assert processes.running
        await asyncio.wait_for(processes.close(), PATIENCE)
        await starting
        while processes.alive:
            await asyncio.sleep(0.01)

    before = {child.pid for child in psutil.Process().children()}
    asyncio.run(run())
    assert heard == [] and {child.pid for child in psutil.Process().children()} <= before


@pytest.mark.parametrize("module", ["study.analyst", "game.match", "study.reviewer"])
@pytest.mark.parametrize("told", [b"", b'{"do":"stop"}\n'])
@pytest.mark.few(2)
def test_one_that_is_not_wanted_before_it_was_told_anything(module, told):
    """It ends without a word."""
    ended = subprocess.run([sys.executable, "-m", f"gtp_engine.web.{module}"], input=told,
                           capture_output=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
