"""The random player."""

from ..games.rules import Position, Rules
from .base import Limits, Report, Settings, candidates


class RandomPlayer:
    """Chooses each legal move with the same probability."""

    name = "random"

    def __init__(self, settings: Settings):
        self.settings = settings
        self.report = Report()

    def choose(self, position: Position, limits: Limits) -> int:
        """A legal point for the side to move; the position is unchanged."""
        swap = position.may_swap
        move = self.settings.rng.choice(candidates(position) + ([swap] if swap else []))
        self.report = Report((move,))
        return move

    def evaluate_moves(self, position: Position, limits: Limits) -> None:
        """Reset the report: this player has no values for moves."""
        self.report = Report()

    def load(self, rules: Rules) -> None:
        """Do nothing: this player uses no kernels."""
