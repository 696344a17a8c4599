"""The static score of a position."""


from .. import inlined
from ..control import WON
from ..rules import CAPTURED
from .board import TAKE, count
from .network import in_use, judge
from .shapes import value_to_move, value_waiting

# Entries of Search.extras, for the side to move and for the other side in turn.
TEMPO, TAKEN, TAKES = 0, 1, 33  # the move; by stones captured; by lines with a capture
MOST_TAKES = 4
EXTRAS = TAKES + 2 * MOST_TAKES
CAPTURE_ORDER = EXTRAS  # what a stone captured adds to the rank of a move


@inlined
def evaluate(board, geometry, search, ply, colour):
    """The static score after the first `ply` moves of the path: what every point is worth to both
    sides, the move, captures, and what the network adds."""
    extras, state = search.extras, board.state
    score = value_to_move(search.sums[colour]) - value_waiting(search.sums[1 - colour])
    score += extras[TEMPO] + (1 - 2 * colour) * search.margins[0].black
    score += extras[TAKEN + min(state[CAPTURED + colour], 15)]
    score -= extras[TAKEN + 16 + min(state[CAPTURED + 1 - colour], 15)]
    score += extras[TAKES + min(count(state, TAKE, colour), MOST_TAKES - 1)]
    score -= extras[TAKES + MOST_TAKES + min(count(state, TAKE, 1 - colour), MOST_TAKES - 1)]
    if in_use(search):
        score += judge(geometry, search, ply, colour)
    return max(-WON + 1000, min(WON - 1000, score))
