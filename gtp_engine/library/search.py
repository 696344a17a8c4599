"""One search of an engine: its limits, its search info, and the way to stop it."""

import time
from threading import Lock
from typing import Callable, NamedTuple, Optional

from ..players.base import INTERRUPT
from .game import Game


class EngineError(RuntimeError):
    """A failure of a program: it ended, hung, or wrote no legal move.

    The first line of the text names the failure; the last lines of the program follow, with all
    unprintable characters escaped.
    """


class Info(NamedTuple):
    """Search info, during a search or at its end.

    depth  depth of the search in plies, None if the engine gives none
    nodes  number of nodes or playouts, or None
    time   seconds since the start of the search
    value  the value for the side to move, from -1 (lost) over 0 (even) to 1 (won), or None
    score  the value as a text on the engine's own scale, such as 278 or +M5, or ""
    line   the principal variation so far
    move   the chosen move; only the last info of a search has it
    text   the last line of a program as it wrote it, or ""
    """

    depth: Optional[int] = None
    nodes: Optional[int] = None
    time: float = 0.0
    value: Optional[float] = None
    score: str = ""
    line: tuple[str, ...] = ()
    move: Optional[str] = None
    text: str = ""


class Line(NamedTuple):
    """A move with its analysis.

    value  the value for the side to move, from -1 (lost) over 0 (even) to 1 (won); None if a
           program gives none
    moves  the principal variation, the move itself first
    plies  number of plies to the end of the game if the result is proved, else None
    """

    move: str
    value: Optional[float]
    moves: list[str]
    plies: Optional[int] = None


class SearchLimits(NamedTuple):
    """The limits of one search: seconds, nodes and plies; None means no limit."""

    time: Optional[float] = None
    nodes: Optional[int] = None
    depth: Optional[int] = None


class Call:
    """One search, which any thread may stop.

    position  an independent copy
    name      returns the text of a point
    lines     the number of moves to analyse
    news      called with each info during the search; None: without search info
    flags     the stop flags for players of this package
    """

    def __init__(self, game: Game, limits: SearchLimits, lines: int = 1):
        self.position, self.name = game.position.copy(), game._name
        self.limits, self.lines = limits, lines
        self.news: Optional[Callable[[Info], None]] = None
        self.flags = bytearray(2)
        self.begun = time.monotonic()
        self._on_stop: Optional[Callable[[], None]] = None
        self._lock = Lock()

    @property
    def stopped(self) -> bool:
        """Has the search been stopped?"""
        return self.flags[INTERRUPT] != 0

    @property
    def seconds(self) -> float:
        """The seconds since the start of the search."""
        return time.monotonic() - self.begun

    def begin(self) -> None:
        """Start the clock of the search."""
        self.begun = time.monotonic()

    def stop(self) -> None:
        """End the search soon, with its best move so far."""
        with self._lock:
            if not self.stopped:
                self.flags[INTERRUPT] = 1
                if self._on_stop is not None:
                    self._on_stop()

    def attach(self, on_stop: Optional[Callable[[], None]]) -> None:
        """Set the function that `stop` calls; call it now if the search has been stopped."""
        with self._lock:
            self._on_stop = on_stop
            if self.stopped and on_stop is not None:
                on_stop()

    def names(self, points: tuple[int, ...]) -> tuple[str, ...]:
        """Return the texts of points."""
        return tuple(map(self.name, points))
