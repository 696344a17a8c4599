"""The seat of one of our players, in this process."""

from typing import Optional, cast

from ...games.opening_rules import Action, Agreement
from ...games.rules import Position
from ...players.base import DEFAULT_SECONDS, AnalysingPlayer, Limits, Player, Settings
from ...players.opening_choices import choice
from ...players.registry import make_player
from ...wire.clock import EXPECTED_MOVES, stretched
from ..display import BoardView
from ..verdict import Ending
from .base import Failure, Reply, Seat, TimeControl

SHORTEST = 0.02  # seconds of a move of ours


class PlayerSeat(Seat):
    """One of our players, in this process; `seconds` for a move if it was told.

    flags  what ends its search for a move, see `players.base.Limits.stop`
    """

    takes_back = agrees = True

    def __init__(self, player: Player, seconds: Optional[float], control: TimeControl,
                 name: str = ""):
        super().__init__(control, name)
        self.known_as(player.name)
        self.seconds, self.player, self.flags = seconds, player, bytearray(2)

    def start(self, position: Position, colour: int) -> None:
        """Load what it needs, so that this is not part of its time."""
        super().start(position, colour)
        self.player.load(position.rules)

    def ask(self, position: Position) -> Reply:
        """The player's move, in its own time."""
        seconds, most = self.seconds, None
        if self.left is not None:
            share = self.left / EXPECTED_MOVES + self.control.increment / 2
            if seconds is None:
                most = stretched(share, min(self.left, 2 * self.limit))
            seconds = min(seconds or share, share, self.left)
        if seconds is not None:
            seconds = max(SHORTEST, min(seconds, self.limit))
        try:
            point = self.player.choose(position, Limits(self.flags, seconds, most))
        except MemoryError:
            raise Failure(Ending.CRASH, "it needs more memory than there is") from None
        report = self.player.report
        self.told = {key: report.figures[key] for key in ("depth", "nodes")
                     if key in report.figures}
        if point in report.values:
            self.told["value"] = round(report.values[point], 3)
        return Reply(point, BoardView(position).text(self.colour, point))

    def open(self, opening: Agreement) -> Action:
        """What alphabeta would do, in the time of a move."""
        settings = Settings(rng=self.player.settings.rng)
        player = self.player if self.player.name == "alphabeta" else (
            make_player("alphabeta", settings))
        player.load(opening.position.rules)
        seconds = min(self.seconds or DEFAULT_SECONDS, self.limit)
        return choice(opening, cast(AnalysingPlayer, player), self.player.settings.rng,
                      Limits(self.flags, seconds))
