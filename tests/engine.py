"""An engine for the tests: in this process, or a real one behind pipes."""

import subprocess
import sys
from pathlib import Path
from random import Random

from gtp_engine.games import catalogue
from gtp_engine.players.base import Settings
from gtp_engine.protocols.gtp.analyze import AnalyzeCommands
from gtp_engine.protocols.gtp.dispatcher import Dispatcher
from gtp_engine.protocols.gtp.gogui import GoguiCommands
from gtp_engine.protocols.gtp.opening_commands import OpeningCommands
from gtp_engine.protocols.gtp.puzzle_commands import PuzzleCommands
from gtp_engine.protocols.gtp.session import Session

PATIENCE = 120  # seconds until a test that hangs is given up; far from what any test takes
SCRIPT = Path(__file__).parent.parent / "gomoku3.py"


class Engine:
    """A dispatcher with a session: `ask` gives the text of a success, `fail` that of a failure."""

    def __init__(self, game="Gomoku", size=7, player="random", strict=False, **settings):
        self.dispatcher = Dispatcher()
        settings.setdefault("rng", Random(1))
        self.session = Session(self.dispatcher, catalogue.start(catalogue.find(game), size),
                               player, Settings(**settings), strict)
        GoguiCommands(self.dispatcher, self.session)
        AnalyzeCommands(self.dispatcher, self.session)
        OpeningCommands(self.dispatcher, self.session)
        PuzzleCommands(self.dispatcher, self.session)

    def reply(self, line):
        """The whole reply to a line, or None."""
        return self.dispatcher.respond(line.encode())

    def ask(self, line):
        return text_of(self.reply(line), "=")

    def fail(self, line):
        return text_of(self.reply(line), "?")

    def play(self, moves):
        """Play moves written as `b A1 w B1`."""
        assert self.ask(f"gogui-play_sequence {moves}") == ""


def text_of(reply, mark):
    assert reply.startswith(mark + " ") and reply.endswith("\n\n"), reply
    assert "\n\n" not in reply[:-2], reply
    return reply[2:-2]


def start(*options, **streams):
    """A real engine process, all three streams piped and unbuffered."""
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) | streams
    return subprocess.Popen([sys.executable, str(SCRIPT), *options], bufsize=0, **pipes)


def run(commands, *options):
    """The replies of a real engine to these lines, without their empty lines, and its stderr."""
    process = start(*options)
    data = commands if isinstance(commands, bytes) else commands.encode()
    out, err = process.communicate(data, timeout=PATIENCE)
    assert process.returncode == 0, err
    blocks = out.decode().split("\n\n")
    assert blocks.pop() == ""
    return blocks, err.decode()
