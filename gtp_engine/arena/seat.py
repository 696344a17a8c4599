"""What every seat offers to the referee, and the seats that need no program.

A seat keeps the time of its program by deadlines as of time.monotonic, and raises Failure with the
ending that its program has brought about.
"""

import sys
from typing import Callable, NamedTuple, Optional

from ..games.lattice import BLACK
from ..games.rules import Position
from ..players import Limits, Settings, make_player
from ..protocols.notation import GtpPoints
from .ending import Ending, Verdict

HANDSHAKE = 60.0  # seconds for a program to be ready; the first start may compile


class Failure(Exception):
    """How a program has failed: the ending, the details, and its name if it is another one."""

    def __init__(self, ending: Ending, detail: str, by: str = ""):
        super().__init__(detail)
        self.ending, self.detail, self.by = ending, detail, by


class Reply(NamedTuple):
    """What a program answered: a point, or None if it resigned or passed; and its own words."""

    point: Optional[int]
    text: str


class Seat:
    """What every seat offers.

    name     for tables and verdicts
    colour   BLACK or WHITE, since `start`
    seconds  time for a move
    log      called with each line that was sent or read
    """

    name = ""
    colour = BLACK

    def __init__(self, seconds: float):
        self.seconds = seconds
        self.log: Callable[[str], None] = lambda line: None

    def start(self, position: Position, colour: int) -> None:
        """Get ready to play from this position.  Raises Failure."""
        self.colour = colour

    def ask(self, position: Position) -> Reply:
        """The move for the position, in which this side is to move.  Raises Failure."""
        raise NotImplementedError

    def notices(self, position: Position, text: str, valid: bool) -> Optional[bool]:
        """After the last move, the other side's or ours, or an invalid one of the other side: does
        the program see that the game is over, or that the move is invalid?  None if its protocol
        does not say so."""
        return None

    def stop(self, verdict: Verdict) -> None:
        """The game is over: say so as the protocol has it, and end the program."""


class PlayerSeat(Seat):
    """One of our players, in this process."""

    def __init__(self, name: str, settings: Settings, limit: Optional[float], seconds: float):
        super().__init__(seconds)
        self.name, self.limit = name, limit
        self.player = make_player(name, settings)

    def ask(self, position: Position) -> Reply:
        """The player's move, in its own time."""
        point = self.player.choose(position, Limits(bytearray(2), self.limit))
        return Reply(point, GtpPoints(position.lattice).name[point])


class PersonSeat(Seat):
    """A person at the terminal, who may resign."""

    name = "person"

    def ask(self, position: Position) -> Reply:
        """What is typed, once it is a legal move or resign; there is no limit of time."""
        points = GtpPoints(position.lattice)
        while True:
            print("your move (a point as D4, or resign): ", end="", flush=True, file=sys.stderr)
            text = sys.stdin.readline()
            if not text:
                raise Failure(Ending.CRASH, "the end of the input")
            point = points.point_of(text.strip())
            if text.strip().lower() == "resign":
                return Reply(None, "resign")
            if point and not position.complaint(position.side, point):
                return Reply(point, text.strip())
            reason = position.complaint(position.side, point) if point else "no such point"
            print(f"{text.strip()}: {reason}", file=sys.stderr)
