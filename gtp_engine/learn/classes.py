"""The classes of moves.

A proved result decides the class:

missed win    a win was proved; after the move it is neither proved nor almost certain
slower win    the move also wins, or almost certainly, but in more plies than the best move
allowed win   a loss was neither proved nor almost certain; after the move the other side has a
              proved win
slower loss   all moves lose, and this one holds out longest
lost already  all moves lose, and this one sooner than others; or a loss was almost certain

A result is almost certain if the winning chance differs from it by less than an inaccuracy.

In other positions the class depends on the loss in winning chance.  Winning chance is from 0 to 1:
a loss is half of the difference between two values, which are from -1 to 1.

best          the engine's choice, or a move with the same value
good          loses less than an inaccuracy
inaccuracy, mistake, blunder   loses at least the threshold of the class
"""

from typing import NamedTuple

from .analysis import Analysis

BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = "best", "good", "inaccuracy", "mistake", "blunder"
MISSED_WIN, ALLOWED_WIN, SLOWER_WIN = "missed win", "allowed win", "slower win"
SLOWER_LOSS, LOST_ALREADY = "slower loss", "lost already"
CLASSES = (BEST, GOOD, INACCURACY, MISTAKE, BLUNDER, MISSED_WIN, ALLOWED_WIN, SLOWER_WIN,
           SLOWER_LOSS, LOST_ALREADY)
FAULTS = (INACCURACY, MISTAKE, BLUNDER, MISSED_WIN, ALLOWED_WIN)


class Thresholds(NamedTuple):
    """The smallest loss in winning chance, from 0 to 1, for each class."""

    inaccuracy: float = 0.06
    mistake: float = 0.12
    blunder: float = 0.24


def loss_of(before: Analysis, after: Analysis, is_best: bool) -> float:
    """The loss in winning chance by a move.

    before, after  analyses of the positions before and after it, for the side that moved
    is_best        whether the move is the engine's choice; then the loss is 0
    """
    if before.value is None or after.value is None or is_best and not after.lost:
        return 0.0
    return max(before.value - after.value, 0.0) / 2


def class_of(before: Analysis, after: Analysis, is_best: bool, thresholds: Thresholds) -> str:
    """The class of a move; see `loss_of` for the parameters."""
    loss = loss_of(before, after, is_best)
    if before.won:
        if is_best or after.won and (after.plies or 0) <= (before.plies or 0):
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
