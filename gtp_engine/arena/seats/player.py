"""The seat of a player of this package, in this process."""

import time
from math import inf
from typing import Optional, cast

from ...games.lattice import Lattice
from ...games.opening_rules import Action, Agreement
from ...games.rules import Position, Rules
from ...players.base import DEFAULT_SECONDS, AnalysingPlayer, Limits, Player, PlayerFault, Settings
from ...players.openings.choices import choice
from ...players.registry import Unplayable, check, complaint, make_player
from ...wire.clock import Budget, ClockState, Lateness
from ..display import BoardView
from ..verdict import Ending
from .base import Failure, Reply, Seat, TimeControl


class PlayerSeat(Seat):
    """A player of this package, in this process.

    seconds  limit for each move, or None
    flags    flags that end its search for a move, see `players.base.Limits.stop`
    """

    takes_back = agrees = True

    def __init__(self, player: Player, seconds: Optional[float], control: TimeControl,
                 name: str = ""):
        super().__init__(control, name)
        self.set_name(player.name)
        self.seconds, self.player, self.flags = seconds, player, bytearray(2)
        self._lateness = Lateness()

    def complaint(self, rules: Rules, lattice: Lattice) -> Optional[str]:
        """Return the reason why the player does not play this game on this board, or None."""
        return complaint(self.player.name, rules, lattice, self.player.settings.policy)

    def start(self, position: Position, colour: int) -> None:
        """Load the player's data, before its clock starts."""
        super().start(position, colour)
        self.player.load(position.rules)

    def ask(self, position: Position) -> Reply:
        """Return the player's move, within its time budget.  Raises Failure."""
        budget, begin = self.budget(), time.monotonic()
        try:
            point = self.player.choose(position, Limits(self.flags, *budget))
        except MemoryError:
            raise Failure(Ending.CRASH, "out of memory") from None
        except PlayerFault as fault:
            raise Failure(Ending.INVALID_MOVE if fault.illegal else Ending.CRASH,
                          str(fault)) from None
        self._lateness.note(budget, time.monotonic() - begin)
        report = self.player.report
        self.search_info = {key: report.figures[key] for key in ("depth", "nodes", "book")
                            if key in report.figures}
        if point in report.values:
            self.search_info["value"] = round(report.values[point], 3)
        return Reply(point, BoardView(position).text(self.colour, point))

    def budget(self) -> Budget:
        """Return the time budget for the next move; without limits if there is no clock."""
        if self.seconds is None and self.left is None:
            return Budget()
        return ClockState(
            self.limit, inf if self.left is None else self.left,
            increment=self.control.increment, own_limit=self.seconds or inf).budget(self._lateness)

    def open(self, opening: Agreement) -> Action:
        """Return alphabeta's action, within the time for a move."""
        settings = Settings(rng=self.player.settings.rng)
        player = self.player if self.player.name == "alphabeta" else (
            make_player("alphabeta", settings))
        try:
            check(player.name, opening.position)
        except Unplayable as error:
            raise Failure(Ending.SILENCE, str(error)) from None
        player.load(opening.position.rules)
        seconds = self.budget().seconds or min(DEFAULT_SECONDS, self.limit)
        return choice(opening, cast(AnalysingPlayer, player), self.player.settings.rng,
                      Limits(self.flags, seconds))
