"""The interface of a player, and the code that players share.

A player has a `name` and `choose(position, limits)`, which returns a legal point for the side to
move and leaves the position unchanged.  The game is not over.  Its randomness comes from the
generator in its settings.  Its `report` has the results of the search, and another thread may read
it at any time.
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
INTERRUPT, CLOCK = range(2)  # the flags of Limits.stop: set by an interruption, and by `alarm`


class Limits(NamedTuple):
    """The limits of a choice.

    stop     two bytes, INTERRUPT and CLOCK; once one is not 0, the player returns its best move so
             far
    seconds  time for this move, None for the player's default
    maximum  time for a hard choice, by a player that takes less than `seconds` for an easy one;
             None: `seconds` for every move
    """

    stop: bytearray
    seconds: Optional[float] = None
    maximum: Optional[float] = None

    @property
    def stopped(self) -> bool:
        """Is the player to return its move now?"""
        return any(self.stop)


class PlayerFault(Exception):
    """A fault in the code of a player that is not of this package; the text is one line.

    illegal  did the player choose an illegal move?
    """

    def __init__(self, text: str, illegal: bool = False):
        super().__init__(text)
        self.illegal = illegal


@dataclass
class Settings:
    """The user's settings; the player shares the object and reads it at each move.

    policy       the policy of playouts, one of POLICIES
    simulations  playouts for each legal move
    rng          the source of all randomness
    seed         the seed of `rng`; None: the system's randomness
    threads      threads that share the work on a move
    memory       MB of a search's transposition table
    depth        greatest depth of a search in plies, without forced moves; None: no limit
    nodes        most nodes of a search; None: no limit
    level        strength of alphabeta, 1 to FULL_STRENGTH
    book         path of a book of openings, or None
    """

    policy: str = "random"
    simulations: int = 10
    rng: Random = field(default_factory=Random)
    threads: int = 1
    memory: int = 64
    depth: Optional[int] = None
    nodes: Optional[int] = None
    level: int = FULL_STRENGTH
    book: Optional[str] = None
    seed: Optional[int] = None

    def start_from(self, seed: Optional[int]) -> None:
        """Seed the generator; None: with the system's randomness."""
        self.seed = seed
        self.rng.seed(seed)


class Report(NamedTuple):
    """A player's results for a position, final or so far.

    line      the principal variation; its first move is the player's choice
    values    by move, its value for the side to move: -1 lost, 0 even, 1 won
    playouts  by move, the number of playouts after it
    figures   other numbers, by name
    lines     by move, the principal variation that begins with it, for some moves
    scores    by move, the score in the unit of the figures, for some moves
    """

    line: tuple[int, ...] = ()
    values: Mapping[int, float] = {}
    playouts: Mapping[int, int] = {}
    figures: Mapping[str, int] = {}
    lines: Mapping[int, tuple[int, ...]] = {}
    scores: Mapping[int, int] = {}


class Player(Protocol):
    """The interface of every player."""

    name: str
    settings: Settings

    @property
    def report(self) -> Report:
        """The results of the last or the running call of `choose` or `evaluate_moves`."""

    def choose(self, position: Position, limits: Limits) -> int:
        """A legal point for the side to move; the position is unchanged.

        Raises ValueError if the game is over.
        """

    def evaluate_moves(self, position: Position, limits: Limits) -> None:
        """Compute a value for each move worth a look; `report` has the values afterwards.

        The game is not over; the position is unchanged.
        """

    def load(self, rules: Rules) -> None:
        """Load the kernels and data for this game; compile kernels that the cache lacks."""


class AnalysingPlayer(Player, Protocol):
    """A player that can analyse positions in the plane, such as alphabeta."""

    @property
    def root_move(self) -> int:
        """The root move of the running search, or of the last one; 0 if there was none."""

    @property
    def filled(self) -> float:
        """The used part of the transposition table, from 0 to 1."""

    def score_text(self, score: int) -> str:
        """The text of a score: +34, +M7 for a win in seven plies, -M6 for a loss in six."""

    def look_ahead(self, position: Position, limits: Limits) -> None:
        """Search a position that has stones; `report` has the score."""

    def best_moves(self, position: Position, moves: list[int], limits: Limits,
                   number: int = 1) -> list[int]:
        """The best `number` of these legal moves in order; `report` has scores and lines."""


@contextmanager
def alarm(stop: bytearray, seconds: float) -> Iterator[Callable[[], float]]:
    """Set the CLOCK flag after `seconds` seconds; yields a function of the elapsed seconds.

    On exit, the alarm is cancelled and its flag is 0.
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

    These are all legal points.  If an opening allows several middle points, only the one at index
    size // 2 of each side counts.  Raises ValueError if the game is over.
    """
    if position.outcome:
        raise ValueError("there is no move to choose: the game is over")
    moves = [move for move in position.legal_moves() if position.cells[move] == EMPTY]
    if position.rules.centre_opening and position.opening_plies == 0 and len(moves) <= 4:
        return moves[-1:]
    return moves


def with_swap(report: Report, position: Position) -> Report:
    """Add the swap, if the side to move may swap, to the report.

    A swap exchanges the prospects of the sides, so it is the choice if every move has a value below
    0.
    """
    swap = position.may_swap
    if swap is None or not report.values:
        return report
    best = max(report.values.values())
    return report._replace(line=(swap,) if best < 0 else report.line,
                           values={**report.values, swap: -best})
