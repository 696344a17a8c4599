"""Who chooses a move.

A player has a `name` and `choose(position, limits)`, which returns a legal point for the side to
move of a game that is not over and leaves the position as it found it.  Its randomness comes from
the generator in its settings.
"""

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from threading import Timer
from typing import Callable, Iterator, NamedTuple, Optional, Protocol

from ..games.lattice import EMPTY
from ..games.rules import Position

PLAYERS = ("flat", "random", "alphabeta")
POLICIES = ("random", "rule_based")


class Limits(NamedTuple):
    """When a player has to come to an end.

    stop     one byte; as soon as it is not 0 the player answers with the best move so far
    seconds  time for this move, None for what the player does without a time
    """

    stop: bytearray
    seconds: Optional[float] = None


@dataclass
class Settings:
    """What a user can set; shared by whoever sets it and the player, and read at each move.

    policy       who chooses the moves of a playout: one of POLICIES
    simulations  playouts for each legal move
    rng          the source of all randomness
    threads      how many threads share the simulations of a move
    memory       MB for the transposition table of a search
    depth        plies that a search looks ahead at most, apart from forced moves; None: no limit
    nodes        moves that a search makes at most; None: no limit
    """

    policy: str = "random"
    simulations: int = 10
    rng: Random = field(default_factory=Random)
    threads: int = 1
    memory: int = 64
    depth: Optional[int] = None
    nodes: Optional[int] = None


class Player(Protocol):
    """What every player offers."""

    name: str

    def choose(self, position: Position, limits: Limits) -> int:
        """A legal point for the side to move; the position is unchanged."""


def make_player(name: str, settings: Settings) -> Player:
    """The player of that name, one of PLAYERS.  Raises KeyError if there is none."""
    if name == "flat":
        from .flat import FlatMonteCarlo
        return FlatMonteCarlo(settings)
    if name == "random":
        from .uniform import RandomPlayer
        return RandomPlayer(settings)
    if name == "alphabeta":
        from .alphabeta import AlphaBeta
        return AlphaBeta(settings)
    raise KeyError(name)


@contextmanager
def alarm(stop: bytearray, seconds: float) -> Iterator[Callable[[], float]]:
    """Set `stop` after so many seconds; yields a function that says how many are over.

    At the end the alarm is off, and `stop` is 0 again if it was the alarm that set it.
    """
    start = time.monotonic()
    timer = Timer(seconds, stop.__setitem__, (0, 1))
    timer.daemon = True
    timer.start()
    try:
        yield lambda: time.monotonic() - start
    finally:
        timer.cancel()
        if time.monotonic() >= start + seconds:
            stop[0] = 0


def candidates(position: Position) -> list[int]:
    """The empty points that a player chooses among, in point order.

    All legal ones; of several middle points that an opening allows, only the one at index
    size // 2 of each side.
    """
    moves = [move for move in position.legal_moves() if position.cells[move] == EMPTY]
    if position.rules.centre_opening and position.opening_plies == 0 and len(moves) <= 4:
        return moves[-1:]
    return moves


def swap_of(position: Position) -> Optional[int]:
    """The point where the side to move may take the enemy's stone, None if it may not."""
    swap = position.swap
    return swap[0] if swap and swap[1] == position.side else None
