"""Trial of another move in the position of a fault."""

from typing import NamedTuple, Optional

from ..games.rules import Position
from .analysis import Analysis, Effort, Task, analysis_of
from .classes import FAULTS, Thresholds, class_of
from .review import JudgedMove


class Trial(NamedTuple):
    """Whether a move is right, and its analysis for the side that moved, beginning with the move.
    """

    is_right: bool
    after: Analysis


def try_move(fault: JudgedMove, position: Position, point: int, effort: Effort,
             thresholds: Thresholds, stop: Optional[bytearray] = None) -> Trial:
    """Judge a move in the position before a fault: right if it keeps a win or is no fault.

    Searches until `stop` is set, and leaves the position unchanged.  Raises IllegalMove.
    """
    following = position.copy()
    following.play(following.side, point)
    after = fault.after
    if point != fault.point:
        after = analysis_of(Task(following, effort), stop).before(point)
    kind = class_of(fault.before, after, point == fault.better, thresholds)
    return Trial(kind not in FAULTS, after)
