"""A move that is tried where another one was a fault."""

from typing import NamedTuple, Optional

from ..games.rules import Position
from .analysis import Analysis, Effort, Task, analysis_of
from .classes import FAULTS, Thresholds, class_of
from .review import JudgedMove


class Trial(NamedTuple):
    """Whether a move is right, and what the position after it is worth to the side that made it;
    the line begins with the move."""

    is_right: bool
    after: Analysis


def tried(fault: JudgedMove, position: Position, point: int, effort: Effort,
          thresholds: Thresholds, stop: Optional[bytearray] = None) -> Trial:
    """Is that move right in the position before a fault: does it keep a win, or lose less than an
    inaccuracy?

    It is searched with that effort, until `stop` is set.  The position is unchanged.  Raises
    IllegalMove.
    """
    following = position.copy()
    following.play(following.side, point)
    after = fault.after
    if point != fault.point:
        after = analysis_of(Task(following, effort), stop).before(point)
    kind = class_of(fault.before, after, point == fault.better, thresholds)
    return Trial(kind not in FAULTS, after)
