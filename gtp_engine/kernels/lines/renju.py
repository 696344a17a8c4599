"""Points that Renju forbids to the first colour, on a LineBoard."""

import numpy as np

from .. import inlined
from ..renju import FORBIDDEN, verdict as verdict_of_cells
from ..rules import RENJU


@inlined
def verdict(board, point):
    """The result of a stone of the first colour on the empty `point`, as in kernels.renju."""
    return verdict_of_cells(board.cells, board.steps, board.sides, board.windows, point)


@inlined
def is_forbidden(board, colour, point):
    """Does Renju forbid the empty `point` to `colour`?"""
    return board.game[RENJU] and colour == 0 and verdict(board, point) == FORBIDDEN


@inlined
def may_move(board, colour):
    """Is there an empty point that is not forbidden to `colour`?"""
    for each in board.points:
        point = np.int64(each)
        if board.cells[point] == 0 and not is_forbidden(board, colour, point):
            return True
    return False
