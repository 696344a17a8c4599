"""How long a move may take, from what a controller says about time."""

import time
from math import inf
from typing import NamedTuple, Optional

MARGIN = 0.02  # seconds kept back for everything but the search
MATCH_MARGIN = 0.1  # and of those that a Gomocup manager allows
MOST_LATE = 1.0  # seconds that are kept back at most: what is later says nothing of the next move
FADES = 0.8  # what is left of a lateness after each move that was in time
EXPECTED_MOVES = 30  # a share of the main time for each of so many moves to come
MATCH_MOVES = 12  # and of what is left of a match
STRETCH = 3  # a hard move takes at most so many shares, and half of what is left
SHORTEST = 0.02  # seconds for a move in a match, however little is left
UNLIMITED = 2147483647  # what a Gomocup manager says if there is no limit


class TimeSettings(NamedTuple):
    """GTP's time_settings: seconds of main time, then so many stones in each byo-yomi period."""

    main: float
    byo_yomi: float
    stones: int


class Lateness:
    """How much later than they had to the moves have come of late: so much is kept back.

    A busy machine makes them late.
    """

    def __init__(self) -> None:
        self._late = 0.0

    def note(self, allowed: Optional[float], took: float) -> None:
        """A move that was allowed so many seconds has taken so many."""
        if allowed is not None:
            self._late = max(min(took - allowed, MOST_LATE), self._late * FADES)

    def keep_back(self, seconds: float) -> float:
        """What is left of the seconds for a move; a tenth at least."""
        return max(seconds - self._late, seconds / 10)


class Clock:
    """The time of both colours.

    Without settings, `per_move` seconds for every move, or None: as long as the player likes.
    """

    def __init__(self, per_move: Optional[float] = None):
        self.per_move = per_move
        self._settings: Optional[TimeSettings] = None
        self._left: dict[int, tuple[float, int]] = {}  # seconds and stones, 0 stones: main time
        self.lateness = Lateness()

    def limit_moves(self, seconds: Optional[float]) -> None:
        """So many seconds for every move from now on, None: no limit, whatever was settled before.
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
        """A colour has so many seconds left, for so many stones; 0 stones: it is main time.

        Without settings this holds until the game ends.
        """
        self._left[colour] = (seconds, stones)

    @property
    def settled(self) -> bool:
        """Is the time that of settings, or of what was told, and not so much for every move?"""
        return self._settings is not None or bool(self._left)

    def budget(self, colour: int) -> Optional[float]:
        """Seconds for the next move of a colour; None: no limit is known."""
        shared = self._share(colour)
        if shared:
            return self._kept(shared[0])
        if self.per_move is None or self._in_force(colour):
            return None
        return self._kept(self.per_move)

    def most(self, colour: int) -> Optional[float]:
        """Seconds that a hard move of a colour may take; None: no more than any other."""
        shared = self._share(colour)
        longest = stretched(*shared) if shared else None
        return longest and self._kept(longest)

    def _share(self, colour: int) -> Optional[tuple[float, float]]:
        # Seconds for the next move, of those that are left; None: no limit is known.
        settings = self._in_force(colour)
        if settings is None or settings.byo_yomi > 0 and settings.stones == 0:
            return None  # the latter is what GTP has for no time limit
        seconds, stones = self._left.get(colour, _start(settings))
        if stones:
            return seconds / stones, seconds
        share = seconds / EXPECTED_MOVES
        if settings.stones:
            share = max(share, min(seconds, settings.byo_yomi / settings.stones))
        return min(share, seconds), seconds

    def for_loading(self, colour: int) -> Optional[float]:
        """Seconds that loading may take before the next move; None: as long as it does."""
        return self.budget(colour) if self.settled else None

    def _kept(self, seconds: float) -> float:
        return self.lateness.keep_back(max(seconds - MARGIN, 0.001))

    def spend(self, colour: int, seconds: float) -> None:
        """A colour has made a move in so many seconds."""
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
            return TimeSettings(0.0, 0.0, 0)  # there is no more than was told
        return self._settings


class MatchClock:
    """Our time with a controller that counts what starting took as part of the first move, unless
    it has waited for that.

    It allows so many seconds for a move until it says otherwise; we take at most `longest`. Between
    moves a program may be suspended, so that only what a move itself takes is counted.

    told  milliseconds for a move, for the match, left of it, and that each move adds, by the keys
          of INFO in Gomocup's protocol
    """

    def __init__(self, longest: float, allowed: float):
        self.longest = longest
        self.told = {"timeout_turn": round(1000 * allowed), "timeout_match": 0,
                     "time_left": UNLIMITED, "time_increment": 0}
        self.lateness = Lateness()
        self._charged_from: Optional[float] = 0.0  # processor time; None once a move was made

    def start(self) -> None:
        """A new game, which changes nothing: what is left of a match is told."""

    def waited_for(self) -> None:
        """The controller has waited until now: the first move pays only for what comes after."""
        if self._charged_from is not None:
            self._charged_from = time.process_time()

    def budget(self, colour: int) -> float:
        """Seconds for the next move."""
        left = self._left()
        return self._kept(inf if left is None else self._share(left))

    def most(self, colour: int) -> Optional[float]:
        """Seconds that a hard move may take; None: no more than any other."""
        left = self._left()
        longest = stretched(self._share(left), left) if left else None
        kept = longest and self._kept(longest)
        return kept if kept and kept > self.budget(colour) else None

    def _left(self) -> Optional[float]:
        # Seconds that are left of the match; None: no limit.
        told = self.told
        if told["timeout_match"] <= 0 and told["time_left"] == UNLIMITED:
            return None
        left = told["time_left"] if told["time_left"] < UNLIMITED else told["timeout_match"]
        return left / 1000

    def _share(self, left: float) -> float:
        # Of what is left, the seconds for a move.
        return min(left / MATCH_MOVES + self.told["time_increment"] / 1000, max(left / 2, 0))

    def _kept(self, seconds: float) -> float:
        seconds = min(seconds, self.told["timeout_turn"] / 1000 - MATCH_MARGIN)
        if self._charged_from is not None:
            seconds -= time.process_time() - self._charged_from
        return max(self.lateness.keep_back(min(seconds, self.longest)), SHORTEST)

    def for_loading(self, colour: int) -> float:
        """Seconds that loading may take before the next move."""
        return self.budget(colour)

    def spend(self, colour: int, seconds: float) -> None:
        """A move has been made in so many seconds."""
        self._charged_from = None


def stretched(share: float, left: float) -> Optional[float]:
    """Seconds for a move that is worth more than its share of what is left, None if none are."""
    longest = min(STRETCH * share, left / 2)
    return longest if longest > share else None


def _start(settings: TimeSettings) -> tuple[float, int]:
    if settings.main > 0 or not settings.stones:
        return settings.main, 0
    return settings.byo_yomi, settings.stones
