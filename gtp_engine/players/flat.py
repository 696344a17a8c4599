"""Flat Monte Carlo: playouts after each move, and the move that won most of them."""

from typing import Optional

import numpy as np

from ..games.rules import Position, Rules
from ..kernels import load
from .base import Limits, Report, Settings, alarm, candidates, with_swap
from .openings.balanced import even_stones
from .playout_policy import policy_moves
from .playouts import Simulator, calls_of_playouts
from .quick_moves import quick_move
from .registry import check, complaint, make_player

# The report is updated after BATCH playouts or an eighth of all playouts, or every UPDATE seconds.
BATCH, UPDATE = 1 << 16, 0.1


class FlatMonteCarlo:
    """Chooses the legal move with the highest share of wins in playouts; draws count half.

    By default every legal move gets the same number of playouts.  With a time per move, playouts
    are spent by sequential halving (Karnin, Koren and Somekh 2013).  There are log2(moves) rounds
    of equal length.  In each round all remaining moves get the same number of playouts, and the
    better half goes on.
    """

    name = "flat"

    def __init__(self, settings: Settings):
        self.settings = settings
        self._simulator: Optional[Simulator] = None
        self._report = Report()
        self._moves: list[int] = []
        self._winning: set[int] = set()
        self._preferred: frozenset[int] = frozenset()  # among moves with equal results
        self._side = 0
        self._results: Optional[np.ndarray] = None  # during playouts

    @property
    def report(self) -> Report:
        """The best move, and for each move its value by the share of wins and its playouts."""
        if self._results is None:
            return self._report
        results = self._results.copy()  # playouts go on
        share, playouts = shares(results, self._side), results[:, :3].sum(axis=1)
        bounds = 1 - 1 / (playouts + 1)  # playouts prove nothing
        values = {move: float(1 if move in self._winning else min(max(2 * each - 1, -bound), bound))
                  for move, each, bound in zip(self._moves, share, bounds) if bound}
        most = playouts.max()
        best = max((i for i in range(len(self._moves)) if playouts[i] == most),
                   key=lambda i: (share[i], -i))
        return Report((self._moves[best],), values, dict(zip(self._moves, playouts.tolist())),
                      {"simulations": int(playouts.sum())})

    def choose(self, position: Position, limits: Limits) -> int:
        """A legal point for the side to move; the position is unchanged.

        Playouts are made in rounds over all moves, so that an interrupted player returns the best
        move so far.  Among equal moves, the moves of the rule-based policy come first; the rest is
        random.  If no move wins half of its playouts and a swap is possible, the player swaps.  If
        the opponent may swap, the player chooses a first stone that alphabeta rates about even, or
        any one in games that alphabeta does not play.  Raises Unplayable for other games.
        """
        self._begin(position)
        if position.rules.swap and position.vacant == len(position.lattice.points):
            move = (self.settings.rng.choice(self._moves)
                    if complaint("alphabeta", position.rules, position.lattice) else
                    even_stones(position, 1, self.settings.rng, limits)[0])
            self._report = Report((move,))
            return move
        winning = sorted(self._winning)
        if winning or len(self._moves) == 1:
            move = self.settings.rng.choice(winning or self._moves)
            self._report = Report((move,), dict.fromkeys(winning, 1.0))
            return move
        return self._look(position, limits)

    def evaluate_moves(self, position: Position, limits: Limits) -> None:
        """Run playouts after all moves, as for a choice; the position is unchanged."""
        self._begin(position)
        self._look(position, limits)

    def load(self, rules: Rules) -> None:
        """Load the playout kernels of this game; compile kernels that the cache lacks."""
        if not complaint(self.name, rules, policy=self.settings.policy):
            load(calls_of_playouts(rules, self.settings.policy))
        if rules.swap and not complaint("alphabeta", rules):
            make_player("alphabeta", self.settings).load(rules)

    def simulate(self, position: Position, moves: list[int], simulations: int,
                 limits: Limits) -> np.ndarray:
        """Draws, wins of Black, wins of White and plies after each move, as int64[moves, 4]."""
        settings, simulator = self.settings, self._simulator
        if not simulator or (simulator.rules, simulator.lattice, simulator.threads) != (
                position.rules, position.lattice, settings.threads):
            simulator = self._simulator = Simulator(
                position.rules, position.lattice, settings.threads)
        return simulator.simulate(
            position, moves, settings.policy, simulations, settings.rng.getrandbits(64),
            np.frombuffer(limits.stop, np.uint8))

    def _begin(self, position: Position) -> None:
        check(self.name, position, self.settings.policy)
        self._moves, self._side = candidates(position), position.side
        self._report, self._results = Report(), None
        self._winning = {move for move in self._moves if position.wins(position.side, move)}
        rule, moves = policy_moves(position, "rule_based")
        self._preferred = frozenset(moves if rule != "Random" else ())

    def _look(self, position: Position, limits: Limits) -> int:
        # Run the playouts and set the report; returns the chosen move.
        # No playouts: this loads the kernels.
        results = self._results = self.simulate(position, self._moves, 0, limits)
        if limits.seconds is None:
            remaining = self._play_all(position, results, limits)
        else:
            remaining = self._halve(position, results, limits.seconds, limits)
        share = shares(results[remaining], position.side)
        if results[:, :3].any(axis=1).all():
            equal = [self._moves[i] for i, each in zip(remaining, share)
                     if each == share.max()]
            move = self.settings.rng.choice(
                [move for move in equal if move in self._preferred] or equal)
        else:  # interrupted before each move had a playout
            move = quick_move(position, self.settings.rng)
        self._report, self._results = self.report._replace(line=(move,)), None
        self._report = with_swap(self._report, position)
        return self._report.line[0]

    def _play_all(self, position: Position, results: np.ndarray, limits: Limits) -> list[int]:
        # Run the playouts of every move; returns the indices of all moves.
        moves, played, batch = self._moves, 0, 1
        while played < self.settings.simulations and not any(limits.stop):
            batch = min(batch, self.settings.simulations - played)
            results += self.simulate(position, moves, batch, limits)
            played += batch
            batch = min(played, max(BATCH // len(moves), played // 8))
        return list(range(len(moves)))

    def _halve(self, position: Position, results: np.ndarray, seconds: float,
               limits: Limits) -> list[int]:
        # Run sequential halving; returns the indices of the remaining moves.
        remaining = list(range(len(self._moves)))
        with alarm(limits.stop, seconds) as elapsed:
            rounds = max(1, (len(remaining) - 1).bit_length())
            for number in range(rounds):
                now = elapsed()
                end = now + (seconds - now) / (rounds - number)
                batch, took = 1, 0.0
                moves = [self._moves[i] for i in remaining]
                while not any(limits.stop) and now + took / 2 < end:
                    results[remaining] += self.simulate(position, moves, batch, limits)
                    now, before = elapsed(), now
                    took = now - before
                    if 4 * took < end - now and 2 * took < UPDATE:
                        batch, took = 2 * batch, 2 * took
                if any(limits.stop) or number == rounds - 1:
                    break
                share = shares(results, position.side)
                order = sorted(remaining, key=lambda i: (
                    -share[i], self._moves[i] not in self._preferred))
                remaining = sorted(order[:(len(remaining) + 1) // 2])
        return remaining


def shares(results: np.ndarray, side: int) -> np.ndarray:
    """The share of wins of `side` in each row of results; draws count half; 0 without playouts."""
    points = results[:, side] + results[:, 0] / 2
    return np.asarray(points / results[:, :3].sum(axis=1).clip(1))
