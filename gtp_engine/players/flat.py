"""Flat Monte Carlo: the same number of playouts for each move, and the move that won most."""

from typing import Any

from ..games.rules import Position
from . import Limits, Settings, candidates


class FlatMonteCarlo:
    """The legal move with the highest share of wins, a draw counting half."""

    name = "flat"

    def __init__(self, settings: Settings):
        self.settings = settings
        self._simulator: Any = None

    def choose(self, position: Position, limits: Limits) -> int:
        """A legal point for the side to move; the position is unchanged.

        Interrupted, it answers with the best move so far.  Ties are broken by the generator.
        """
        moves = candidates(position)
        results = self.results(position, moves, limits)
        played = results.sum(axis=1)
        value = (results[:, position.side] + results[:, 0] / 2) / played.clip(1)
        best = [move for move, v in zip(moves, value) if v == value.max()]
        return self.settings.rng.choice(best)

    def results(self, position: Position, moves: list[int], limits: Limits):
        """Draws, wins of Black and wins of White after each move, as int64[moves, 3]."""
        import numpy as np

        from .simulation import Simulator
        known = self._simulator
        if not known or (known.rules, known.lattice) != (position.rules, position.lattice):
            known = self._simulator = Simulator(position.rules, position.lattice)
        settings = self.settings
        generator = np.random.default_rng(settings.rng.getrandbits(128))
        seeds = generator.integers(0, 2**64, len(moves), np.uint64)
        return known.simulate(position, moves, settings.policy, settings.simulations, seeds,
                              np.frombuffer(limits.stop, np.uint8))
