"""The process that plays a game which is open, and the clock that runs meanwhile."""

import time
from secrets import randbits
from typing import Any, Callable, Mapping, Optional

from ...arena.seats.base import usual_time
from ...games.tree import ROOT
from ...wire.notation import COLOUR_NAMES
from ..games import Game, text_of_seat
from ..pipe import sent_position
from ..processes import Child, Processes


class Referee:
    """Lets programs and persons play a game from its live node on, by their clocks.

    on_message  called with each message of the process (see match.py); `died` after a fault
    node   where it began, and then whatever its owner says
    """

    def __init__(self, processes: Processes, on_message: Callable[[Mapping[str, Any]], None]):
        self._processes, self._report = processes, on_message
        self._child: Optional[Child] = None
        self._asked_at: Optional[float] = None
        self._games = 0  # begun and ended
        self.node = ROOT

    @property
    def is_playing(self) -> bool:
        """Is there a process that plays?"""
        return self._child is not None

    @property
    def is_asking(self) -> bool:
        """Has it asked a side for a move, so that its clock runs?"""
        return self._child is not None and self._asked_at is not None

    @property
    def elapsed(self) -> float:
        """Seconds since it has asked for the move."""
        return 0.0 if self._asked_at is None else time.monotonic() - self._asked_at

    async def start(self, game: Game) -> None:
        """Play a game that is not over, or take the next step of its opening.  Raises TooMany."""
        self._games += 1
        number, self._asked_at = self._games, None
        child = await self._processes.start(
            "game.match", lambda message: self._on_message(number, message),
            lambda: self._on_message(number, {"do": "died"}))
        if number != self._games:  # it was ended meanwhile
            child.end()
            return
        self._child, self.node = child, game.live
        seats = {COLOUR_NAMES[colour]: {
            "seat": text_of_seat(seat), "left": game.left[colour],
            "control": {**usual_time(game.tree.rules)._asdict(), **game.control}}
            for colour, seat in game.seats.items()}
        child.tell(position=sent_position(game.position), seed=randbits(64), **seats,
                   opening=game.opening.data() if game.opening and game.is_opening else None)

    def play(self, colour: int, place: int) -> None:
        """Pass on the move of a person, if a process plays."""
        if self._child:
            self._child.tell(do="play", point=place, colour=colour)

    def move_now(self, colour: int) -> None:
        """The player of that colour is to move at once."""
        if self._child:
            self._child.tell(do="now", colour=colour)

    def end(self) -> float:
        """Nothing is played any more; the seconds that the side to move has used."""
        elapsed = self.elapsed
        self._games += 1
        if self._child:
            self._child.end()
        self._child = self._asked_at = None
        return elapsed

    def _on_message(self, number: int, message: Mapping[str, Any]) -> None:
        if number != self._games or self._child is None:  # of an earlier process
            return
        if message["do"] in ("begin", "move"):
            self._asked_at = time.monotonic()
        elif message["do"] in ("end", "opened", "failed", "died"):
            self._child = self._asked_at = None
        self._report(message)
