"""A server of boards as a process, and a page without a browser."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from websockets.sync.client import connect

from gtp_engine.web.server.commands import COMMANDS
from tests.engine import PATIENCE
from tests.programs import until

TOP = Path(__file__).parent.parent
PERSON = {"player": "person", "settings": {}}
RANDOM = {"player": "random", "settings": {}}
QUICK = {"player": "alphabeta", "settings": {"nodes": "200", "memory": "1"}}
NO_CLOCK = {"per_move": None, "per_game": None, "increment": 0}


class Server:
    """`python -m gtp_engine web` with its data in that folder, and these changes of what stands in
    the environment; a browser is opened if that names one."""

    def __init__(self, folder, *words, **environment):
        self.folder, self.words, self.environment = folder, words, environment
        self.start()

    def start(self):
        silent = [] if "BROWSER" in self.environment else ["--no-browser"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gtp_engine", "web", *silent, "--data", str(self.folder),
             *self.words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=TOP,
            env={**os.environ, "PYTHONPATH": str(TOP), **self.environment})
        self.said = self.process.stdout.readline()
        self.address = self.said.split()[-1]
        self.host = self.address.split("/")[2]

    def stop(self, number=signal.SIGINT):
        """End it; its exit status and what it has said on standard error.

        asyncio's words about a child that ended in the very moment in which it let it go are left
        out.
        """
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, re.sub(
            r"^Unknown child process pid \d+, .*\n", "", errors, flags=re.MULTILINE)

    def end(self):
        """End it: nothing was wrong, and it has said nothing but what it has compiled."""
        status, errors = self.stop()
        assert status == 0
        assert [line for line in errors.splitlines() if not line.startswith("compiling ")] == []

    def page(self):
        return Page(self)


class Page:
    """What a page of the server hears.

    state  of the game, as it was told last
    node   the position that it shows
    nodes  those of the game, by number
    """

    def __init__(self, server):
        self.state, self.node, self.nodes = None, 0, {}
        self._connection = connect(f"ws{server.address[4:]}socket",
                                   origin=f"http://{server.host}", max_size=None,
                                   max_queue=None)
        self.socket = self._connection.__enter__()
        self.hello = self.until("hello")

    def say(self, what, /, **fields):
        """Send a message; it is about the position that the page shows if it does not say so."""
        needed = COMMANDS[what][1]
        usual = {"node": self.node, "search": ""}
        self.socket.send(json.dumps({"do": what, **{
            name: usual[name] for name in usual if name in needed}, **fields}))

    def hear(self):
        """The next message."""
        message = json.loads(self.socket.recv(timeout=PATIENCE))
        assert message.get("text") != "internal error"  # what is waited for would never come
        if message["do"] == "tree":
            if message["whole"]:
                self.nodes = {}
            self.nodes.update((row["number"], row) for row in message["nodes"])
            for number in message["removed"]:
                self.nodes.pop(number, None)  # it may have come and gone meanwhile
        elif message["do"] == "game":
            self.state, self.node = message, message["cursor"]
        return message

    def path(self):
        """The nodes from the first position to the one that the page shows."""
        found = [self.node]
        while "parent" in self.nodes[found[-1]]:
            found.append(self.nodes[found[-1]]["parent"])
        return found[::-1]

    def until(self, what, condition=lambda message: True):
        """The next message of that kind for which the condition holds."""
        while True:
            message = self.hear()
            if message["do"] == what and condition(message):
                return message

    def new(self, game="Gomoku", size=9, black=PERSON, white=PERSON, control=NO_CLOCK):
        """Begin a game; its first state."""
        self.say("new", game=game, size=size, black=black, white=white, control=control)
        self.layout = self.until("layout")
        return self.until("game")

    def play(self, point):
        """Play there; the state with the stone on it."""
        self.say("play", point=point)
        return self.until("game", lambda state: state["cells"][point] != "0")

    def refusal(self, what, /, **fields):
        """What is said of something that cannot be done."""
        self.say(what, **fields)
        return self.until("refused")["text"]

    def close(self):
        self._connection.__exit__(None, None, None)


@contextmanager
def tournament(path, *words):
    """While this lasts, a tournament runs, whose games are in that file."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gtp_engine", "tournament", *words, "--rounds", "500", "--games",
         str(path)], cwd=TOP, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(path.exists)
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
