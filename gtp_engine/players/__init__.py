"""Who chooses a move.

A player has a `name` and `choose(position, limits)`, which returns a legal point for the side to
move of a game that is not over and leaves the position as it found it.  Its randomness comes from
the generator in its settings.
"""

from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, Optional, Protocol

from ..games.rules import Position

PLAYERS = ("flat", "random")
POLICIES = ("random", "rule_based")


class Limits(NamedTuple):
    """When a player has to come to an end.

    stop  one byte; as soon as it is not 0 the player answers with the best move so far
    """

    stop: bytearray


@dataclass
class Settings:
    """What a user can set; shared by whoever sets it and the player, and read at each move.

    policy       who chooses the moves of a playout: one of POLICIES
    simulations  playouts for each legal move
    rng          the source of all randomness
    seconds      time for a move, instead of a number of simulations
    threads      how many threads share the simulations of a move
    """

    policy: str = "random"
    simulations: int = 10
    rng: Random = field(default_factory=Random)
    seconds: Optional[float] = None
    threads: int = 1


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
    raise KeyError(name)


def candidates(position: Position) -> list[int]:
    """The moves that a player chooses among, in point order.

    All legal ones; of several middle points that an opening allows, only the one at index
    size // 2 of each side.
    """
    moves = position.legal_moves()
    if position.rules.centre_opening and position.opening_plies == 0 and len(moves) <= 4:
        return moves[-1:]
    return moves
