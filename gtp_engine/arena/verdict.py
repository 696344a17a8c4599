"""Every way in which a game between two programs can end, and the text for it."""

from enum import Enum
from typing import NamedTuple


class Ending(Enum):
    """How a game ended; the value is how a verdict puts it."""

    LINE = "a row"
    CAPTURES = "captures"
    BOARD_FULL = "board full"
    RESIGNATION = "resignation"
    INVALID_MOVE = "invalid move"
    FORBIDDEN = "forbidden move"
    FALSE_CLAIM = "false claim"
    OUT_OF_TURN = "out of order move"
    TIME = "out of time"
    CRASH = "the program died"
    SILENCE = "the program was not ready"
    INTERRUPTED = "the referee was interrupted"


class Verdict(NamedTuple):
    """How a game ended.

    winner  the colour, EMPTY for a draw or a game without a result
    ending  an Ending
    short   in the words of the courses, as A WINS! B LOSES! invalid move
    detail  what else there is to say, or ""
    """

    winner: int
    ending: Ending
    short: str
    detail: str = ""

    @property
    def text(self) -> str:
        """All of it, in one line."""
        return f"{self.short}: {self.detail}" if self.detail else self.short
