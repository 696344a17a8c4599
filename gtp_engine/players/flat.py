"""Flat Monte Carlo: playouts after each move, and the move that won most of them."""

import time
from threading import Timer
from typing import TYPE_CHECKING, Optional

from ..games.rules import Position
from . import Limits, Settings, candidates

if TYPE_CHECKING:
    import numpy as np

    from .simulation import Simulator


class FlatMonteCarlo:
    """The legal move with the highest share of wins, a draw counting half.

    By default every legal move gets the same number of playouts.  With a time per move, they are
    spent by sequential halving (Karnin, Koren and Somekh 2013): in each of log2(moves) rounds,
    equally long, all moves that are left get the same number; the better half goes on.
    """

    name = "flat"

    def __init__(self, settings: Settings):
        self.settings = settings
        self._simulator: Optional["Simulator"] = None

    def choose(self, position: Position, limits: Limits) -> int:
        """A legal point for the side to move; the position is unchanged.

        Interrupted, it answers with the best move so far.  Ties are broken by the generator.
        """
        moves = candidates(position)
        if self.settings.seconds is None:
            results = self.simulate(position, moves, self.settings.simulations, limits)
            return self._best(moves, shares(results, position.side))
        winning = [move for move in moves if position.wins(position.side, move)]
        if winning or len(moves) == 1:
            return (winning or moves)[0]
        return self._halve(position, moves, self.settings.seconds, limits)

    def simulate(self, position: Position, moves: list[int], simulations: int,
                 limits: Limits) -> "np.ndarray":
        """Draws, wins of Black, wins of White and plies after each move, as int64[moves, 4]."""
        import numpy as np

        from .simulation import Simulator
        settings, known = self.settings, self._simulator
        if not known or (known.rules, known.lattice, known.threads) != (
                position.rules, position.lattice, settings.threads):
            known = self._simulator = Simulator(position.rules, position.lattice, settings.threads)
        return known.simulate(position, moves, settings.policy, simulations,
                              settings.rng.getrandbits(64), np.frombuffer(limits.stop, np.uint8))

    def _halve(self, position: Position, moves: list[int], seconds: float, limits: Limits) -> int:
        start = time.monotonic()
        alarm = Timer(seconds, limits.stop.__setitem__, (0, 1))
        alarm.daemon = True
        alarm.start()
        try:
            rounds = (len(moves) - 1).bit_length()
            results = 0 * self.simulate(position, moves, 0, limits)  # loads the kernels
            for number in range(rounds):
                now = time.monotonic()
                end = now + (start + seconds - now) / (rounds - number)
                batch, took = 1, 0.0
                while not limits.stop[0] and now + took / 2 < end:
                    results += self.simulate(position, moves, batch, limits)
                    now, before = time.monotonic(), now
                    took = now - before
                    if 4 * took < end - now:
                        batch, took = 2 * batch, 2 * took
                share = shares(results, position.side)
                if limits.stop[0] or number == rounds - 1:
                    break
                kept = sorted(sorted(range(len(moves)), key=lambda i: -share[i])[
                    :(len(moves) + 1) // 2])
                moves, results = [moves[i] for i in kept], results[kept]
            return self._best(moves, share)
        finally:
            alarm.cancel()
            if time.monotonic() >= start + seconds:
                limits.stop[0] = 0  # it was the alarm

    def _best(self, moves: list[int], share: "np.ndarray") -> int:
        highest = share.max()
        return self.settings.rng.choice([m for m, s in zip(moves, share) if s == highest])


def shares(results: "np.ndarray", side: int) -> "np.ndarray":
    """The share of wins of `side` in each row of results, draws counting half; 0 if not played."""
    return (results[:, side] + results[:, 0] / 2) / results[:, :3].sum(axis=1).clip(1)
