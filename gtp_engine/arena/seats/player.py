"""The seat of one of our players, in this process."""

import time
from math import inf
from typing import Optional, cast

from ...games.opening_rules import Action, Agreement
from ...games.rules import Position
from ...players.base import DEFAULT_SECONDS, AnalysingPlayer, Limits, Player, Settings
from ...players.openings.choices import choice
from ...players.registry import make_player
from ...wire.clock import Budget, ClockState, Lateness
from ..display import BoardView
from ..verdict import Ending
from .base import Failure, Reply, Seat, TimeControl


class PlayerSeat(Seat):
    """One of our players, in this process; it takes `seconds` for a move at most, if any are given.

    flags  what ends its search for a move, see `players.base.Limits.stop`
    """

    takes_back = agrees = True

    def __init__(self, player: Player, seconds: Optional[float], control: TimeControl,
                 name: str = ""):
        super().__init__(control, name)
        self.known_as(player.name)
        self.seconds, self.player, self.flags = seconds, player, bytearray(2)
        self._lateness = Lateness()

    def start(self, position: Position, colour: int) -> None:
        """Load what the player needs, before its clock starts."""
        super().start(position, colour)
        self.player.load(position.rules)

    def ask(self, position: Position) -> Reply:
        """The player's move, in the time for it."""
        budget, begun = self.budget(), time.monotonic()
        try:
            point = self.player.choose(position, Limits(self.flags, *budget))
        except MemoryError:
            raise Failure(Ending.CRASH, "it needs more memory than there is") from None
        self._lateness.note(budget, time.monotonic() - begun)
        report = self.player.report
        self.search_info = {key: report.figures[key] for key in ("depth", "nodes")
                     if key in report.figures}
        if point in report.values:
            self.search_info["value"] = round(report.values[point], 3)
        return Reply(point, BoardView(position).text(self.colour, point))

    def budget(self) -> Budget:
        """The time for the next move; none if the player ends by itself and the game has no clock.
        """
        if self.seconds is None and self.left is None:
            return Budget()
        return ClockState(
            self.limit, inf if self.left is None else self.left,
            increment=self.control.increment, wanted=self.seconds or inf).budget(self._lateness)

    def open(self, opening: Agreement) -> Action:
        """The action of alphabeta, in the time of a move."""
        settings = Settings(rng=self.player.settings.rng)
        player = self.player if self.player.name == "alphabeta" else (
            make_player("alphabeta", settings))
        player.load(opening.position.rules)
        seconds = self.budget().seconds or min(DEFAULT_SECONDS, self.limit)
        return choice(opening, cast(AnalysingPlayer, player), self.player.settings.rng,
                      Limits(self.flags, seconds))
