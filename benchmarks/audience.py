"""Measure a lesson with many spectators, who all guess the next move within a second.

    python benchmarks/audience.py [SPECTATORS]

The benchmark runs two servers, one page that leads a lesson, and SPECTATORS (1000) pages that
follow it, without a browser.  Each page guesses at a random moment of one second.  The output has
the time of each step until the last page receives it, the memory and the processor time of the
servers, and the bytes that a spectator receives.
"""

import asyncio
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import psutil
from websockets.asyncio.client import connect

sys.path.insert(0, str(Path(__file__).parent.parent))
from gtp_engine.web.server.server import allow_connections
from tests.web import NO_CLOCK, PERSON, Server

PATIENCE = 120  # seconds; longest wait for a message
TOGETHER = 50  # pages that connect at once
GAME = (112, 113, 98, 97, 126)  # points of Gomoku on 15x15


class Page:
    """A client page of a server.

    received  the last message of each kind, with its time
    bytes  the number of bytes received
    """

    def __init__(self):
        self.received, self.bytes = {}, 0
        self._arrival = asyncio.Event()

    async def enter(self, server):
        """Connect to the server."""
        self._socket = await connect(f"ws{server.address[4:]}socket", max_size=None,
                                     origin=f"http://{server.host}", compression=None)
        self._reading = asyncio.create_task(self._read())
        await self.until("lesson")
        return self

    async def _read(self):
        async for text in self._socket:
            self.bytes += len(text)
            message = json.loads(text)
            self.received[message["do"]] = time.perf_counter(), message
            self._arrival.set()

    async def say(self, kind, /, **fields):
        """Send the server a message of that kind."""
        await self._socket.send(json.dumps({"do": kind, **fields}))

    async def until(self, kind, condition=lambda message: True):
        """Wait for a message of that kind that meets the condition; returns its time."""
        async with asyncio.timeout(PATIENCE):
            while True:
                when, message = self.received.get(kind, (0, None))
                if message and condition(message):
                    return when
                self._arrival.clear()
                await self._arrival.wait()

    def last(self, kind):
        """The last message of that kind."""
        return self.received[kind][1]

    async def close(self):
        """Close the connection after reading all messages."""
        await self._socket.close()
        await self._reading


class Lesson:
    """A lesson on two servers with the same folder.

    teacher, spectators  the pages
    servers              the server of the teacher, and the server of the spectators
    """

    def __init__(self, folder):
        self.servers = [Server(folder), Server(folder, "--watch-only")]
        self.teacher, self.spectators = Page(), []

    async def begin(self, count):
        """Show the second last move of a game to `count` spectators."""
        teacher = await self.teacher.enter(self.servers[0])
        await teacher.say("new", game="Gomoku", size=15, black=PERSON, white=PERSON,
                          control=NO_CLOCK)
        for node, point in enumerate(GAME):
            await teacher.say("play", node=node, point=point)
        await teacher.until("game", lambda state: state["cursor"] == len(GAME))
        await self.go(len(GAME) - 1)
        await teacher.say("lesson", what="lead")
        probe = await Page().enter(self.servers[1])
        await probe.until("lesson", lambda lesson: lesson["id"])
        await probe.close()
        for first in range(0, count, TOGETHER):
            pages = [Page() for _ in range(min(TOGETHER, count - first))]
            await asyncio.gather(*(page.enter(self.servers[1]) for page in pages))
            for number, page in enumerate(pages, first):
                await page.say("follow", ticket=f"spectator {number}")
            self.spectators += pages
        await self.all("game", lambda state: state["cursor"] == len(GAME) - 1)

    async def go(self, node):
        """Let the teacher show a node."""
        await self.teacher.say("goto", node=node)
        await self.teacher.until("game", lambda state: state["cursor"] == node)

    async def all(self, kind, condition):
        """The times at which each spectator received such a message."""
        return await asyncio.gather(*(page.until(kind, condition) for page in self.spectators))

    async def ask(self):
        """Ask for the next move; the times at which each spectator received it."""
        await self.teacher.say("lesson", what="ask")
        return await self.all("lesson", lambda lesson: is_open(lesson["asked"]))

    async def guess(self, seconds, choice):
        """Let each spectator guess a random point of `choice` within `seconds`.

        Returns the time that each waited for the confirmation, and the points.
        """
        points = [choice[random.randrange(len(choice))] for _ in self.spectators]
        number = self.spectators[0].last("lesson")["asked"]["number"]

        async def guess(page, point):
            await asyncio.sleep(seconds * random.random())
            begun = time.perf_counter()
            await page.say("guess", number=number, point=point)
            return await page.until("guessed", lambda message: (
                message["number"], message["point"]) == (number, point)) - begun

        return await asyncio.gather(*map(guess, self.spectators, points)), points

    async def counted(self, count):
        """The time at which the teacher's page shows `count` guesses."""
        return await self.teacher.until(
            "lesson", lambda lesson: lesson["asked"] and lesson["asked"]["count"] == count)

    async def show(self):
        """Show the move; the times at which each spectator received it."""
        await self.teacher.say("lesson", what="show")
        return await self.all("lesson", lambda lesson: lesson["asked"] and not is_open(
            lesson["asked"]))

    async def end(self):
        """Close all pages, and end both servers."""
        await asyncio.gather(*(page.close() for page in (self.teacher, *self.spectators)))
        for server in self.servers:
            server.end()


def is_open(question):
    """Is there a question without an answer?"""
    return question is not None and question["answer"] is None


async def measure(count, folder):
    """Hold a lesson for `count` spectators, and print its costs."""
    lesson = Lesson(folder)
    processes = [psutil.Process(server.process.pid) for server in lesson.servers]

    def used():
        return [sum(process.cpu_times()[:2]) for process in processes]

    def sent():
        return sum(page.bytes for page in lesson.spectators) / count

    before = processes[1].memory_info().rss
    begun = time.perf_counter()
    await lesson.begin(count)
    print(f"{count} spectators connected after {time.perf_counter() - begun:.1f} s, with "
          f"{sent() / 1000:.1f} kB each")
    before_question = sent()
    begun = time.perf_counter()
    received = await lesson.ask()
    print(f"question: the last one receives it after {max(received) - begun:.2f} s")
    cpu, begun = used(), time.perf_counter()
    waited, points = await lesson.guess(1.0, [126, 96, 127, 99, 84, 141])
    last = time.perf_counter()
    counted = await lesson.counted(count)
    busy = [after - earlier for after, earlier in zip(used(), cpu)]
    waited.sort()
    print(f"{count} guesses within {last - begun:.2f} s: confirmed after "
          f"{1000 * median(waited):.0f} ms (median), {1000 * waited[-1]:.0f} ms at most; "
          f"the teacher's page has all {max(0, counted - last):.2f} s after the last one")
    print(f"processor time meanwhile: {busy[1]:.2f} s on the spectators' server, "
          f"{busy[0]:.2f} s on the teacher's")
    begun = time.perf_counter()
    received = await lesson.show()
    print(f"answer: the last one receives it after {max(received) - begun:.2f} s")
    print(f"a spectator: {sent() - before_question:.0f} bytes from question to answer")
    begun = time.perf_counter()
    await lesson.go(len(GAME))
    received = await lesson.all("game", lambda state: state["cursor"] == len(GAME))
    print(f"move: the last one receives it after {max(received) - begun:.2f} s")
    after = processes[1].memory_info().rss
    print(f"memory of the spectators' server: {after / 2**20:.0f} MB, {before / 2**20:.0f} before")
    right = points.count(GAME[-1])
    message = lesson.spectators[0].last("lesson")["asked"]
    assert dict(message["guesses"])[message["answer"]] == right, message
    await lesson.end()


def main():
    """Print the figures."""
    count = int(sys.argv[1]) if sys.argv[1:] else 1000
    allow_connections(2 * count + 100)
    print(f"{os.cpu_count()} cores, load before {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(count, Path(folder) / "data"))


if __name__ == "__main__":
    main()
