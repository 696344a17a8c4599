"""Flat Monte Carlo: playouts after each move, and the move that won most of them."""

from typing import TYPE_CHECKING, Optional

from ..games.rules import Position
from . import Limits, Settings, alarm, candidates, swap_of

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

        Playouts are made in rounds over all moves, so that an interrupted player answers with what
        is best so far.  Ties are broken by the generator.  A stone that may be taken is, if no move
        wins half of its playouts.
        """
        moves = candidates(position)
        winning = [move for move in moves if position.wins(position.side, move)]
        if winning or len(moves) == 1:
            return self.settings.rng.choice(winning or moves)
        if limits.seconds is not None:
            move, share = self._halve(position, moves, limits.seconds, limits)
        else:
            move, share = self._play_all(position, moves, limits)
        swap = swap_of(position)
        return swap if swap and share < 0.5 else move

    def _play_all(self, position: Position, moves: list[int],
                  limits: Limits) -> tuple[int, float]:
        played, results = 1, self.simulate(position, moves, 1, limits)
        while played < self.settings.simulations and not limits.stop[0]:
            batch = min(played, self.settings.simulations - played)
            results += self.simulate(position, moves, batch, limits)
            played += batch
        return self._best(moves, shares(results, position.side))

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

    def _halve(self, position: Position, moves: list[int], seconds: float,
               limits: Limits) -> tuple[int, float]:
        results = self.simulate(position, moves, 0, limits)  # loads the kernels
        with alarm(limits.stop, seconds) as elapsed:
            rounds = (len(moves) - 1).bit_length()
            for number in range(rounds):
                now = elapsed()
                end = now + (seconds - now) / (rounds - number)
                batch, took = 1, 0.0
                while not limits.stop[0] and now + took / 2 < end:
                    results += self.simulate(position, moves, batch, limits)
                    now, before = elapsed(), now
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

    def _best(self, moves: list[int], share: "np.ndarray") -> tuple[int, float]:
        # The best move and its share.
        highest = share.max()
        best = [move for move, each in zip(moves, share) if each == highest]
        return self.settings.rng.choice(best), float(highest)


def shares(results: "np.ndarray", side: int) -> "np.ndarray":
    """The share of wins of `side` in each row of results, draws counting half; 0 if not played."""
    return (results[:, side] + results[:, 0] / 2) / results[:, :3].sum(axis=1).clip(1)
