"""Every way in which a game between two programs can end."""

from enum import Enum


class Ending(Enum):
    """How a game ended; the value is how a verdict puts it."""

    LINE = "a row"
    CAPTURES = "captures"
    BOARD_FULL = "board full"
    RESIGNATION = "resignation"
    INVALID_MOVE = "invalid move"
    OUT_OF_TURN = "out of order move"
    TIME = "out of time"
    CRASH = "the program died"
    SILENCE = "the program was not ready"
    INTERRUPTED = "the referee was interrupted"
