"""The static score of a position."""

from .. import inlined
from ..control import WON
from ..rules import CAPTURED
from .board import TAKE, count
from .network import in_use, network_score
from .shapes import value_to_move, value_waiting

# Entries of Search.extras: the worth of the move; of captured stones, by their number; of captures,
# by the number of lines with one.  The last two have the side to move first, then the other side.
TEMPO, TAKEN, TAKES = 0, 1, 33
MOST_TAKES = 4
EXTRAS = TAKES + 2 * MOST_TAKES
CAPTURE_ORDER = EXTRAS  # what a captured stone adds to the rank of a move


@inlined
def evaluate(board, geometry, search, ply, colour):
    """The static score after the first `ply` moves of the path.

    It sums the values of all points for both sides, the move, captures, and the network's score.
    """
    extras, state = search.extras, board.state
    score = value_to_move(search.sums[colour]) - value_waiting(search.sums[1 - colour])
    score += extras[TEMPO] + (1 - 2 * colour) * search.margins[0].black
    score += extras[TAKEN + min(state[CAPTURED + colour], 15)]
    score -= extras[TAKEN + 16 + min(state[CAPTURED + 1 - colour], 15)]
    score += extras[TAKES + min(count(state, TAKE, colour), MOST_TAKES - 1)]
    score -= extras[TAKES + MOST_TAKES + min(count(state, TAKE, 1 - colour), MOST_TAKES - 1)]
    if in_use(search):
        score += network_score(geometry, search, ply, colour)
    return max(-WON + 1000, min(WON - 1000, score))
