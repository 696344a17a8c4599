"""The random player."""

from ..games.rules import Position
from . import Limits, Settings, candidates, swap_of


class RandomPlayer:
    """Each legal move with the same probability."""

    name = "random"

    def __init__(self, settings: Settings):
        self.settings = settings

    def choose(self, position: Position, limits: Limits) -> int:
        """A legal point for the side to move; the position is unchanged."""
        swap = swap_of(position)
        return self.settings.rng.choice(candidates(position) + ([swap] if swap else []))
