"""The seat of a player of one's own in this process."""

import time

from ..arena.seats.base import Failure, Reply
from ..arena.seats.player import PlayerSeat
from ..arena.seats.programs import SLACK
from ..arena.verdict import Ending
from ..games.rules import Position


class OwnSeat(PlayerSeat):
    """A player of one's own, which loses if its move is late."""

    def ask(self, position: Position) -> Reply:
        """Return the player's move.  Raises Failure, also if it took longer than its limit."""
        begin = time.monotonic()
        reply = super().ask(position)
        seconds = time.monotonic() - begin
        if self.control.per_move is not None and seconds > self.limit + SLACK:
            raise Failure(Ending.TIME, f"a move took {seconds:.1f} s, and {self.limit:g} s were "
                                       "allowed")
        return reply
