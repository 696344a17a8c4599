"""What a player is, and what players share.

A player has a `name` and `choose(position, limits)`, which returns a legal point for the side to
move of a game that is not over and leaves the position as it found it.  Its randomness comes from
the generator in its settings.  What it found out on the way is in its `report`, which another
thread may read at any time.
"""

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from threading import TIMEOUT_MAX, Timer
from typing import Callable, Iterator, Mapping, NamedTuple, Optional, Protocol

from ..games.lattice import EMPTY
from ..games.rules import Position, Rules

POLICIES = ("random", "rule_based")
DEFAULT_SECONDS = 1.0  # for a move of a search that has no limit
FULL_STRENGTH = 10  # the highest level
INTERRUPT, CLOCK = range(2)  # the flags of Limits.stop: of whoever interrupts, and of `alarm`


class Limits(NamedTuple):
    """When a player has to come to an end.

    stop     two bytes, INTERRUPT and CLOCK; as soon as one is not 0 the player answers with the
             best move so far
    seconds  time for this move, None for what the player does without a time
    maximum  time that it may take where the choice is hard, if it takes less than `seconds` where
             that is easy; None: `seconds` for every move
    """

    stop: bytearray
    seconds: Optional[float] = None
    maximum: Optional[float] = None


@dataclass
class Settings:
    """What a user can set; shared by whoever sets it and the player, and read at each move.

    policy       who chooses the moves of a playout: one of POLICIES
    simulations  playouts for each legal move
    rng          the source of all randomness
    seed         what it was started from; None: the system's own randomness
    threads      how many share the work on a move
    memory       MB for the transposition table of a search
    depth        plies that a search looks ahead at most, apart from forced moves; None: no limit
    nodes        nodes that a search visits at most; None: no limit
    level        how strong alphabeta plays, 1 to FULL_STRENGTH
    """

    policy: str = "random"
    simulations: int = 10
    rng: Random = field(default_factory=Random)
    threads: int = 1
    memory: int = 64
    depth: Optional[int] = None
    nodes: Optional[int] = None
    level: int = FULL_STRENGTH
    seed: Optional[int] = None

    def start_from(self, seed: Optional[int]) -> None:
        """All randomness from now on comes from this seed; None: from the system."""
        self.seed = seed
        self.rng.seed(seed)


class Report(NamedTuple):
    """What a player makes of a position, in the end or so far.

    line      the moves of both sides that it expects; the first is its choice
    values    by move what it is worth to the side to move: -1 lost, 0 even, 1 won
    playouts  by move how many were made after it
    figures   whatever else there is to say, by name
    lines     by move the moves that are expected if it is made, itself the first, as far as known
    scores    by move the score in the unit of the figures, as far as known
    """

    line: tuple[int, ...] = ()
    values: Mapping[int, float] = {}
    playouts: Mapping[int, int] = {}
    figures: Mapping[str, int] = {}
    lines: Mapping[int, tuple[int, ...]] = {}
    scores: Mapping[int, int] = {}


class Player(Protocol):
    """What every player offers."""

    name: str
    settings: Settings

    @property
    def report(self) -> Report:
        """What was found by the last call of `choose` or `evaluate_moves`, or by the running one.
        """

    def choose(self, position: Position, limits: Limits) -> int:
        """A legal point for the side to move; the position is unchanged.

        Raises ValueError if the game is over.
        """

    def evaluate_moves(self, position: Position, limits: Limits) -> None:
        """Find a value for each move that is worth a look; `report` has them afterwards.

        The game is not over; the position is unchanged.
        """

    def load(self, rules: Rules) -> None:
        """Load all that a choice in this game needs; compiled now if it is not in the cache."""


class AnalysingPlayer(Player, Protocol):
    """A player that can say more about a position in the plane, as alphabeta can."""

    @property
    def root_move(self) -> int:
        """The move that is searched now, or was the last one; 0 if there was none."""

    @property
    def filled(self) -> float:
        """How much of what it can remember is in use, from 0 to 1."""

    def score_text(self, score: int) -> str:
        """The score of a report as +34, or as +M7 where seven more plies win, -M6 where six lose.
        """

    def look_ahead(self, position: Position, limits: Limits) -> None:
        """Search a position with stones on it; `report` has the score."""

    def best_moves(self, position: Position, moves: list[int], limits: Limits,
                   number: int = 1) -> list[int]:
        """So many of these legal moves, the best one first; `report` has scores and lines."""


@contextmanager
def alarm(stop: bytearray, seconds: float) -> Iterator[Callable[[], float]]:
    """Set the flag of the clock after so many seconds; yields what says how many are over.

    At the end the alarm is off and its flag is 0 again.
    """
    start = time.monotonic()
    timer = Timer(min(seconds, TIMEOUT_MAX), stop.__setitem__, (CLOCK, 1))
    timer.daemon = True
    timer.start()
    try:
        yield lambda: time.monotonic() - start
    finally:
        timer.cancel()
        timer.join()
        stop[CLOCK] = 0


def candidates(position: Position) -> list[int]:
    """The empty points that a player chooses among, in point order.

    All legal ones; of several middle points that an opening allows, only the one at index
    size // 2 of each side.  Raises ValueError if the game is over.
    """
    if position.outcome:
        raise ValueError("there is no move to choose: the game is over")
    moves = [move for move in position.legal_moves() if position.cells[move] == EMPTY]
    if position.rules.centre_opening and position.opening_plies == 0 and len(moves) <= 4:
        return moves[-1:]
    return moves


def with_swap(report: Report, position: Position) -> Report:
    """The report with the stone that may be taken, if there is one.

    Whoever takes it is as well off as the opponent would otherwise be, and so takes it if no move
    is worth more than 0.
    """
    swap = position.may_swap
    if swap is None or not report.values:
        return report
    best = max(report.values.values())
    return report._replace(line=(swap,) if best < 0 else report.line,
                           values={**report.values, swap: -best})
