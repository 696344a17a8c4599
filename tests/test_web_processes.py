"""The processes of a server: one that is not wanted any more while it is being started."""

import asyncio

import psutil

from gtp_engine.web.processes import Processes
from tests.engine import PATIENCE


def test_the_end_while_one_is_being_started():
    """Nothing of it is left, and nothing is heard of it."""
    heard = []

    async def run():
        processes = Processes(lambda: None)
        starting = asyncio.create_task(
            processes.start("analyst", heard.append, lambda: heard.append("ended")))
        await asyncio.sleep(0)  # until it has begun
        assert processes.running
        await asyncio.wait_for(processes.close(), PATIENCE)
        await starting
        while processes.alive:
            await asyncio.sleep(0.01)

    before = {child.pid for child in psutil.Process().children()}
    asyncio.run(run())
    assert heard == [] and {child.pid for child in psutil.Process().children()} <= before
