"""The classes of moves.

Where a result is proved, the proof decides:

missed win    a win was proved, and after the move it is neither proved nor as good as certain
slower win    the move wins, too, or as good as certainly, but in more plies than was possible
allowed win   no loss was proved or as good as certain, and after the move the other side has a
              proved win
slower loss   all moves lost, and this one holds out as long as any
lost already  all moves lost, and this one sooner than others; or a loss was as good as certain

As good as certain is what lacks less winning chance than an inaccuracy costs.

Elsewhere the class depends on the loss in winning chance, which is from 0 to 1 and half of the way
from -1 to 1 that values have:

best          the engine's own choice, or a move worth as much
good          less is lost than by an inaccuracy
inaccuracy, mistake, blunder   at least as much is lost as the thresholds say
"""

from typing import NamedTuple

from .analysis import Analysis

BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = "best", "good", "inaccuracy", "mistake", "blunder"
MISSED_WIN, ALLOWED_WIN, SLOWER_WIN = "missed win", "allowed win", "slower win"
SLOWER_LOSS, LOST_ALREADY = "slower loss", "lost already"
CLASSES = (BEST, GOOD, INACCURACY, MISTAKE, BLUNDER, MISSED_WIN, ALLOWED_WIN, SLOWER_WIN,
           SLOWER_LOSS, LOST_ALREADY)
FAULTS = (INACCURACY, MISTAKE, BLUNDER, MISSED_WIN, ALLOWED_WIN)  # moves that cost something


class Thresholds(NamedTuple):
    """The least losses in winning chance, from 0 to 1, that make these classes."""

    inaccuracy: float = 0.06
    mistake: float = 0.12
    blunder: float = 0.24


def loss_of(before: Analysis, after: Analysis, chosen: bool) -> float:
    """What a move has cost in winning chance: nothing if it is the engine's choice.

    Both are for the side that has made it, `after` with what it is worth then.
    """
    if before.value is None or after.value is None or chosen and not after.lost:
        return 0.0
    return max(before.value - after.value, 0.0) / 2


def class_of(before: Analysis, after: Analysis, chosen: bool, thresholds: Thresholds) -> str:
    """The class of a move; see `loss_of` for what is given."""
    loss = loss_of(before, after, chosen)
    if before.won:
        if chosen or after.won and (after.plies or 0) <= (before.plies or 0):
            return BEST
        return MISSED_WIN if loss >= thresholds.inaccuracy else SLOWER_WIN
    if before.lost:
        holds = not after.lost or (after.plies or 0) >= (before.plies or 0)
        return SLOWER_LOSS if holds else LOST_ALREADY
    if after.lost:
        return ALLOWED_WIN if loss >= thresholds.inaccuracy else LOST_ALREADY
    if loss == 0:
        return BEST
    reached = [name for name in (BLUNDER, MISTAKE, INACCURACY)
               if loss >= getattr(thresholds, name)]
    return reached[0] if reached else GOOD
