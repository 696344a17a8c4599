"""A hash table of positions with a proved win: the winning move and the number of plies."""

import numpy as np

from .. import inlined, kernel
from ..table import key_of

WINS = 1 << 19  # slots for won positions, per colour
MOST_WINS = WINS * 3 // 4


@kernel
def slot_of_win(search, colour):
    """The slot of the position among the wins of `colour`, or the free slot for it."""
    keys, key = search.won_keys, key_of(search.hash[0], colour)
    first, slot = colour * WINS, np.int64(key & np.uint64(WINS - 1))
    while keys[first + slot] and keys[first + slot] != key:
        slot = (slot + 1) & (WINS - 1)
    return first + slot


@inlined
def probe_win(search, colour):
    """The entry of the position, which `colour` is to move and wins, or 0."""
    if search.control[0].stored_wins[colour] == 0:
        return 0
    slot = slot_of_win(search, colour)
    if search.won_keys[slot] == 0:
        return 0
    return np.int64(search.wins[slot])


@inlined
def win_move(entry):
    """The winning move of an entry."""
    return entry & 0xFFFF


@inlined
def win_plies(entry):
    """The plies of the win; 0 without an entry."""
    return entry >> 16


@kernel
def store_win(search, colour, move, plies):
    """During a proof, store that `colour` is to move and wins by `move` in `plies` plies.

    The table holds at most MOST_WINS positions.  A shorter win replaces a longer one.
    """
    counts = search.control[0].stored_wins
    if search.control[0].proof == 0 or counts[colour] >= MOST_WINS:
        return
    slot = slot_of_win(search, colour)
    if search.won_keys[slot] == 0:
        search.won_places[colour * WINS + counts[colour]] = slot
        counts[colour] += 1
        search.won_keys[slot] = key_of(search.hash[0], colour)
    elif win_plies(search.wins[slot]) <= plies:
        return
    search.wins[slot] = move | plies << 16


@kernel
def clear_wins(search, colour):
    """Remove all wins of `colour`."""
    counts = search.control[0].stored_wins
    for i in range(counts[colour]):
        search.won_keys[search.won_places[colour * WINS + i]] = np.uint64(0)
    counts[colour] = 0
