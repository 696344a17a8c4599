"""Client of the process that plays an open game, with the running clock."""

import time
from secrets import randbits
from typing import Any, Callable, Mapping, Optional

from ...arena.seats.base import usual_time
from ...games.tree import ROOT
from ...wire.notation import COLOUR_NAMES
from ..games import Game, text_of_seat
from ..pipe import data_of_position
from ..processes import Child, Processes


class Referee:
    """Runs a process that plays a game from its live node, with clocks.

    on_message  callback for each message of the process, see match.py; `died` after a fault
    node        the node that the process has reached; the owner updates it
    """

    def __init__(self, processes: Processes, on_message: Callable[[Mapping[str, Any]], None]):
        self._processes, self._report = processes, on_message
        self._child: Optional[Child] = None
        self._clock_start: Optional[float] = None
        self._games = 0  # starts and ends so far; identifies messages of earlier processes
        self.node = ROOT

    @property
    def is_playing(self) -> bool:
        """Whether a process plays the game."""
        return self._child is not None

    @property
    def is_asking(self) -> bool:
        """Whether the process waits for a move, so that a clock runs."""
        return self._child is not None and self._clock_start is not None

    @property
    def elapsed(self) -> float:
        """The seconds that the running clock has measured."""
        return 0.0 if self._clock_start is None else time.monotonic() - self._clock_start

    async def start(self, game: Game) -> None:
        """Start to play a game, or to take the next step of its opening.  Raises TooMany."""
        self._games += 1
        number, self._clock_start = self._games, None
        child = await self._processes.start(
            "game.match", lambda message: self._on_message(number, message),
            lambda: self._on_message(number, {"do": "died"}))
        if number != self._games:  # `end` was called during the start
            child.end()
            return
        self._child, self.node = child, game.live
        seats = {COLOUR_NAMES[colour]: {
            "seat": text_of_seat(seat), "left": game.left[colour],
            "control": {**usual_time(game.tree.rules)._asdict(), **game.control}}
            for colour, seat in game.seats.items()}
        child.tell(position=data_of_position(game.position), seed=randbits(64), **seats,
                   opening=game.opening.data() if game.opening and game.is_opening else None)

    def play(self, colour: int, place: int) -> None:
        """Send the move of a person to the process, if there is one."""
        if self._child:
            self._child.tell(do="play", point=place, colour=colour)

    def move_now(self, colour: int) -> None:
        """Make the player of a colour move at once."""
        if self._child:
            self._child.tell(do="now", colour=colour)

    def end(self) -> float:
        """End the process; return the elapsed seconds of the side to move."""
        elapsed = self.elapsed
        self._games += 1
        if self._child:
            self._child.end()
        self._child = self._clock_start = None
        return elapsed

    def _on_message(self, number: int, message: Mapping[str, Any]) -> None:
        if number != self._games or self._child is None:  # of an earlier process
            return
        if message["do"] in ("begin", "move"):
            self._clock_start = time.monotonic()
        elif message["do"] in ("end", "opened", "failed", "died"):
            self._child = self._clock_start = None
        self._report(message)
