"""The time policy of our players: how long a move may take, under each kind of clock.

A clock for each kind of controller holds the state of the time (`ClockState`): `Clock` for GTP and
for plain limits, `MatchClock` for Gomocup, Yixin-Board and the pipe of 4x4x4; a seat of the referee
has its own.  What a state allows is one formula (`ClockState.budget`), in seconds:

    share    = the highest of   left / moves                     a part of the rest
                                min(left, later)                 if later moves have that much
                                min(left / moves + increment, left / 2)
    limit    = min(per_move, left) - margin                      what no move may exceed
    seconds  = min(share, limit, wanted)                         for a move as a rule
    maximum  = min(STRETCH * share, left / 2, limit, wanted)     for a hard one, if that is more

of both the lateness of the last moves is kept back, and both are SHORTEST at least.
"""

import time
from math import inf
from typing import NamedTuple, Optional

MARGIN = 0.02  # seconds kept back for everything but the search
MATCH_MARGIN = 0.1  # and of those that a Gomocup manager allows
MOST_LATE = 1.0  # largest reserve, in seconds: a later move is an exception
FADES = 0.8  # factor of the lateness after each move in time
EXPECTED_MOVES = 30  # moves to come that share the main time
MATCH_MOVES = 12  # the same for the rest of a match of Gomocup
STRETCH = 3  # shares that a hard move takes at most
SHORTEST = 0.02  # seconds for a move, however little is left
UNLIMITED = 2147483647  # what a Gomocup manager says if there is no limit


class Budget(NamedTuple):
    """Seconds for a move; None: no limit.

    maximum  seconds for a hard move; None: no more than for any other
    """

    seconds: Optional[float] = None
    maximum: Optional[float] = None

    def after(self, used: float) -> "Budget":
        """The rest of the budget after `seconds`."""
        if self.seconds is None:
            return self
        seconds = max(self.seconds - used, SHORTEST)
        return Budget(seconds, self.maximum and max(self.maximum - used, seconds))


class Lateness:
    """The lateness of recent moves, in seconds: a reserve of that size is kept.

    A busy machine makes them late.
    """

    def __init__(self) -> None:
        self._late = 0.0

    def note(self, budget: Budget, took: float) -> None:
        """Note a move with that budget that took `seconds`."""
        if budget.seconds is not None:
            late = took - (budget.maximum or budget.seconds)
            self._late = max(min(late, MOST_LATE), self._late * FADES)

    def keep_back(self, seconds: float) -> float:
        """The seconds for a move less the reserve; at least a tenth of them."""
        return max(seconds - self._late, seconds / 10)


class ClockState(NamedTuple):
    """What a side may use for its moves, in seconds.

    per_move   for the next move
    left       for all moves to come, or for a period of byo-yomi
    moves      the number of moves that share `left`
    increment  what each move adds to `left`
    later      for each move after `left` is used up
    margin     what a move keeps back of its limit
    wanted     what our player wants for a move at most
    """

    per_move: float = inf
    left: float = inf
    moves: int = EXPECTED_MOVES
    increment: float = 0.0
    later: float = 0.0
    margin: float = MARGIN
    wanted: float = inf

    def budget(self, lateness: Lateness) -> Budget:
        """Seconds for the next move, by the formula of this module."""
        left = max(self.left, 0.0)
        share = max(left / self.moves, min(left, self.later),
                    min(left / self.moves + self.increment, left / 2))
        limit = min(self.per_move, left) - self.margin
        seconds = min(share, limit, self.wanted)
        if seconds == inf:
            return Budget()
        maximum = min(STRETCH * share, left / 2, limit, self.wanted)
        usual, longest = (max(lateness.keep_back(each), SHORTEST) for each in (seconds, maximum))
        return Budget(usual, longest if longest > usual else None)


class TimeSettings(NamedTuple):
    """GTP's time_settings: seconds of main time, then stones in each byo-yomi period."""

    main: float
    byo_yomi: float
    stones: int


class Clock:
    """The time of both colours by GTP.

    Without settings, `per_move` seconds for every move, less a margin, or None: as long as the
    player likes.
    """

    def __init__(self, per_move: Optional[float] = None, margin: float = MARGIN):
        self.per_move, self._margin = per_move, margin
        self._settings: Optional[TimeSettings] = None
        self._left: dict[int, tuple[float, int]] = {}  # seconds and stones, 0 stones: main time
        self.lateness = Lateness()

    def limit_moves(self, seconds: Optional[float]) -> None:
        """Limit every move from now on, in seconds; None removes all limits.
        """
        self.per_move, self._settings, self._left = seconds, None, {}

    def settle(self, settings: TimeSettings) -> None:
        """Time by these settings from now on, both clocks at the start."""
        self._settings = settings
        self.start()

    def start(self) -> None:
        """A new game: both clocks at the start."""
        self._left = {}

    def tell(self, colour: int, seconds: float, stones: int) -> None:
        """Set the seconds that a colour has left for `stones` stones; 0 stones: main time.

        Without settings this holds until the game ends.
        """
        self._left[colour] = (seconds, stones)

    @property
    def settled(self) -> bool:
        """Does the time come from settings or from the controller, not from a limit per move?"""
        return self._settings is not None or bool(self._left)

    @property
    def counts_loading(self) -> bool:
        """Does loading the player before a move take from the time for it?"""
        return self.settled

    def budget(self, colour: int) -> Budget:
        """The time for the next move of a colour."""
        return self._state(colour).budget(self.lateness)

    def _state(self, colour: int) -> ClockState:
        settings = self._in_force(colour)
        if settings is None:
            return ClockState(inf if self.per_move is None else self.per_move, margin=self._margin)
        if settings.byo_yomi > 0 and settings.stones == 0:
            return ClockState()  # this is what GTP has for no time limit
        left, stones = self._left.get(colour, _start(settings))
        if stones:
            return ClockState(left=left, moves=stones)
        return ClockState(left=left, later=settings.byo_yomi / max(settings.stones, 1))

    def spend(self, colour: int, seconds: float) -> None:
        """Count the seconds of a move of a colour."""
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
            return TimeSettings(0.0, 0.0, 0)  # the controller sent no more
        return self._settings


class MatchClock:
    """Our time with a controller that counts what starting took as part of the first move, unless
    it has waited for that.

    It allows the default time for a move until it sets another; we use at most `wanted`. Between
    moves a program may be suspended, so that only what a move itself takes is counted.

    info  what INFO has said, by its keys: milliseconds for a move, for the match, left of the
          match, and added by each move
    """

    counts_loading = True

    def __init__(self, wanted: float, allowed: float):
        self.wanted = wanted
        self.info = {"timeout_turn": round(1000 * allowed), "timeout_match": 0,
                     "time_left": UNLIMITED, "time_increment": 0}
        self.lateness = Lateness()
        self._charged_from: Optional[float] = 0.0  # processor time; None once a move was made

    def start(self) -> None:
        """Begin a new game; the controller sends the time that is left of a match."""

    def waited_for(self) -> None:
        """The controller has waited until now: the first move pays only for what comes after."""
        if self._charged_from is not None:
            self._charged_from = time.process_time()

    def budget(self, colour: int) -> Budget:
        """The time for the next move."""
        info, used = self.info, 0.0
        if self._charged_from is not None:
            used = time.process_time() - self._charged_from
        left = inf
        if info["time_left"] < UNLIMITED:
            left = info["time_left"] / 1000
        elif info["timeout_match"] > 0:
            left = info["timeout_match"] / 1000
        return ClockState(
            info["timeout_turn"] / 1000 - used, left - used, MATCH_MOVES,
            info["time_increment"] / 1000, margin=MATCH_MARGIN, wanted=self.wanted
        ).budget(self.lateness)

    def spend(self, colour: int, seconds: float) -> None:
        """Count the seconds of a move."""
        self._charged_from = None


def file_margin(per_move: float) -> float:
    """Seconds of a limit that are kept back if the other end looks at files now and then."""
    return min(0.1 * per_move + 0.5, 0.5 * per_move)


def _start(settings: TimeSettings) -> tuple[float, int]:
    if settings.main > 0 or not settings.stones:
        return settings.main, 0
    return settings.byo_yomi, settings.stones
