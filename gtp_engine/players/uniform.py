"""The random player."""

from ..games.rules import Position
from . import Limits, Settings, candidates


class RandomPlayer:
    """Each legal move with the same probability."""

    name = "random"

    def __init__(self, settings: Settings):
        self.settings = settings

    def choose(self, position: Position, limits: Limits) -> int:
        """A legal point for the side to move; the position is unchanged."""
        return self.settings.rng.choice(candidates(position))
