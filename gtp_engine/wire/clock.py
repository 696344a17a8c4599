"""The time policy of the players: the time budget of a move under each kind of clock.

Each kind of controller has a clock that holds the state of the time (`ClockState`).  `Clock` is for
GTP and for plain limits, `MatchClock` for Gomocup, Yixin-Board and the pipe of 4x4x4.  A seat of
the referee has its own.  One formula (`ClockState.budget`) computes the budget, in seconds:

    share    = the highest of   left / moves                        a part of the rest
                                min(left, later)                    for byo-yomi
                                min(left / moves + increment, left / 2)
    limit    = min(per_move, left) - margin                         no move may exceed it
    seconds  = min(share, limit, own_limit)                         a usual move
    maximum  = min(STRETCH * share, left / 2, limit, own_limit)     a hard move, if longer

The lateness of the last moves is subtracted from both.  Both are at least SHORTEST.
"""

import time
from math import inf
from typing import NamedTuple, Optional

MARGIN = 0.02  # seconds in reserve for everything but the search
MOST_MARGIN = 0.1  # largest reserve with a Gomocup manager
MOST_LATE = 1.0  # largest reserve, in seconds: a later move is an exception
FADES = 0.8  # factor of the lateness after each move in time
EXPECTED_MOVES = 30  # number of moves that share the main time
MATCH_MOVES = 12  # the same for the rest of a match of Gomocup
STRETCH = 3  # most shares for a hard move
SHORTEST = 0.02  # least seconds for a move
UNLIMITED = 2147483647  # the value of a Gomocup manager for no limit


class Budget(NamedTuple):
    """The time budget of a move.

    seconds  seconds for a usual move; None: no limit
    maximum  seconds for a hard move; None: the same as for a usual one
    """

    seconds: Optional[float] = None
    maximum: Optional[float] = None

    def after(self, used: float) -> "Budget":
        """Return the rest of the budget after `used` seconds."""
        if self.seconds is None:
            return self
        seconds = max(self.seconds - used, SHORTEST)
        return Budget(seconds, self.maximum and max(self.maximum - used, seconds))


class Lateness:
    """The lateness of recent moves, in seconds, which becomes a reserve.

    Moves are late on a busy machine.
    """

    def __init__(self) -> None:
        self._late = 0.0

    def note(self, budget: Budget, took: float) -> None:
        """Record a move with this budget that took `took` seconds."""
        if budget.seconds is not None:
            late = took - (budget.maximum or budget.seconds)
            self._late = max(min(late, MOST_LATE), self._late * FADES)

    def reduce(self, seconds: float) -> float:
        """Return the seconds for a move less the reserve, at least a tenth of them."""
        return max(seconds - self._late, seconds / 10)


class ClockState(NamedTuple):
    """The time of a side, in seconds.

    per_move   limit for the next move
    left       time for the rest of the game, or for a period of byo-yomi
    moves      the number of moves that share `left`
    increment  time that each move adds to `left`
    later      time for each move after `left` has run out
    margin     reserve in the limit of a move
    own_limit  the player's own limit for a move
    """

    per_move: float = inf
    left: float = inf
    moves: int = EXPECTED_MOVES
    increment: float = 0.0
    later: float = 0.0
    margin: float = MARGIN
    own_limit: float = inf

    def budget(self, lateness: Lateness) -> Budget:
        """Return the budget for the next move, by the formula of this module."""
        left = max(self.left, 0.0)
        share = max(left / self.moves, min(left, self.later),
                    min(left / self.moves + self.increment, left / 2))
        limit = min(self.per_move, left) - self.margin
        seconds = min(share, limit, self.own_limit)
        if seconds == inf:
            return Budget()
        maximum = min(STRETCH * share, left / 2, limit, self.own_limit)
        usual, longest = (max(lateness.reduce(each), SHORTEST) for each in (seconds, maximum))
        return Budget(usual, longest if longest > usual else None)


class TimeSettings(NamedTuple):
    """GTP's time_settings.

    main     seconds of main time
    byo_yomi seconds of a byo-yomi period
    stones   stones in a byo-yomi period
    """

    main: float
    byo_yomi: float
    stones: int


class Clock:
    """The clocks of both colours for GTP.

    Without settings, each move has `per_move` seconds, less a margin.  None means no limit.
    """

    def __init__(self, per_move: Optional[float] = None, margin: float = MARGIN):
        self.per_move, self._margin = per_move, margin
        self._settings: Optional[TimeSettings] = None
        self._left: dict[int, tuple[float, int]] = {}  # seconds and stones, 0 stones: main time
        self.lateness = Lateness()

    def limit_moves(self, seconds: Optional[float]) -> None:
        """Limit each move to `seconds`; None removes all limits.  Removes the time settings."""
        self.per_move, self._settings, self._left = seconds, None, {}

    def set_time(self, settings: TimeSettings) -> None:
        """Use these time settings, and reset both clocks."""
        self._settings = settings
        self.start()

    def start(self) -> None:
        """Reset both clocks for a new game."""
        self._left = {}

    def set_left(self, colour: int, seconds: float, stones: int) -> None:
        """Set the seconds that a colour has left for `stones` stones; 0 stones: main time.

        Without time settings, this holds until the end of the game.
        """
        self._left[colour] = (seconds, stones)

    @property
    def is_set(self) -> bool:
        """Has the controller set the time, by settings or by the time left?"""
        return self._settings is not None or bool(self._left)

    @property
    def counts_loading(self) -> bool:
        """Does the time for a move include loading the player?"""
        return self.is_set

    def budget(self, colour: int) -> Budget:
        """Return the budget for the next move of a colour."""
        return self._state(colour).budget(self.lateness)

    def _state(self, colour: int) -> ClockState:
        settings = self._in_force(colour)
        if settings is None:
            return ClockState(inf if self.per_move is None else self.per_move, margin=self._margin)
        if settings.byo_yomi > 0 and settings.stones == 0:
            return ClockState()  # GTP's settings for no time limit
        left, stones = self._left.get(colour, _start(settings))
        if stones:
            return ClockState(left=left, moves=stones)
        return ClockState(left=left, later=settings.byo_yomi / max(settings.stones, 1))

    def spend(self, colour: int, seconds: float) -> None:
        """Subtract the seconds of a move from the clock of a colour."""
        settings = self._in_force(colour)
        if settings is None:
            return
        left, stones = self._left.get(colour, _start(settings))
        left -= seconds
        if left <= 0 and not stones and settings.stones:  # the first stone of byo-yomi
            left, stones = left + settings.byo_yomi, settings.stones
        if stones:
            stones -= 1
            if stones == 0:
                left, stones = settings.byo_yomi, settings.stones
        self._left[colour] = (max(left, 0.0), stones)

    def _in_force(self, colour: int) -> Optional[TimeSettings]:
        if self._settings is None and colour in self._left:
            return TimeSettings(0.0, 0.0, 0)  # the controller sent only time_left
        return self._settings


class MatchClock:
    """The clock of this engine with a controller that includes the start in the first move.

    The start does not count if the controller has waited for its end.  Only the time of the moves
    themselves counts: a controller may suspend the program between moves.

    own_limit  the engine's own limit for a move, in seconds
    allowed    seconds for a move until the controller sets another limit
    info       milliseconds by the keys of INFO: for a move, for the match, left, added by a move
    """

    counts_loading = True

    def __init__(self, own_limit: float, allowed: float):
        self.own_limit = own_limit
        self.info = {"timeout_turn": round(1000 * allowed), "timeout_match": 0,
                     "time_left": UNLIMITED, "time_increment": 0}
        self.lateness = Lateness()
        self._start: Optional[float] = 0.0  # processor time; None after the first move

    def start(self) -> None:
        """Begin a new game; the controller sends the time that is left of a match."""

    def start_first_move(self) -> None:
        """Begin the time of the first move now, because the controller has waited until now."""
        if self._start is not None:
            self._start = time.process_time()

    def budget(self, colour: int) -> Budget:
        """Return the budget for the next move."""
        info, used = self.info, 0.0
        if self._start is not None:
            used = time.process_time() - self._start
        left = inf
        if info["time_left"] < UNLIMITED:
            left = info["time_left"] / 1000
        elif info["timeout_match"] > 0:
            left = info["timeout_match"] / 1000
        per_move = info["timeout_turn"] / 1000
        return ClockState(
            per_move - used, left - used, MATCH_MOVES, info["time_increment"] / 1000,
            margin=match_margin(per_move), own_limit=self.own_limit).budget(self.lateness)

    def spend(self, colour: int, seconds: float) -> None:
        """Record a move; the start counts only for the first one."""
        self._start = None


def match_margin(per_move: float) -> float:
    """Return the reserve, in seconds, of a Gomocup manager's limit for a move."""
    return min(max(per_move / 20, MARGIN), MOST_MARGIN)


def file_margin(per_move: float) -> float:
    """Return the reserve, in seconds, of a limit for a controller that polls files."""
    return min(0.1 * per_move + 0.5, 0.5 * per_move)


def _start(settings: TimeSettings) -> tuple[float, int]:
    if settings.main > 0 or not settings.stones:
        return settings.main, 0
    return settings.byo_yomi, settings.stones
