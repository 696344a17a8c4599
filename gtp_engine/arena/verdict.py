"""The endings of a game between two programs, and the texts for them."""

from enum import Enum
from typing import NamedTuple


class Ending(Enum):
    """The ending of a game; the value is the text for verdicts."""

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
    """The result of a game.

    winner  the colour, EMPTY for a draw or a game without a result
    ending  the reason
    short   the result in the format of the courses, as A WINS! B LOSES! invalid move
    detail  further details, or ""
    """

    winner: int
    ending: Ending
    short: str
    detail: str = ""

    @property
    def text(self) -> str:
        """The result and the details in one line."""
        return f"{self.short}: {self.detail}" if self.detail else self.short
