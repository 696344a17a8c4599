"""Positions that are proved to be won, with the move that wins and how long it takes."""

import numpy as np

from .. import inlined, kernel
from ..table import key_of

WINS = 1 << 19  # places for won positions of either colour
MOST_WINS = WINS * 3 // 4


@kernel
def place_of_win(search, colour):
    """Where the position stands, or would stand, among the wins that `colour` is known to have."""
    keys, key = search.won_keys, key_of(search.hash[0], colour)
    first, slot = colour * WINS, np.int64(key & np.uint64(WINS - 1))
    while keys[first + slot] and keys[first + slot] != key:
        slot = (slot + 1) & (WINS - 1)
    return first + slot


@inlined
def recall(search, colour):
    """The entry of the position if `colour`, who is to move, is known to win it, or 0."""
    if search.control[0].known[colour] == 0:
        return 0
    place = place_of_win(search, colour)
    if search.won_keys[place] == 0:
        return 0
    return np.int64(search.wins[place])


@inlined
def win_move(entry):
    """The move that wins, of an entry."""
    return entry & 0xFFFF


@inlined
def win_plies(entry):
    """In how many plies it wins; 0 if there is no entry."""
    return entry >> 16


@kernel
def remember(search, colour, move, plies):
    """During a proof: `colour`, who is to move, wins the position by that move in so many plies.

    No more than MOST_WINS positions are kept; what is known already gives way to a shorter win.
    """
    known = search.control[0].known
    if search.control[0].proof == 0 or known[colour] >= MOST_WINS:
        return
    place = place_of_win(search, colour)
    if search.won_keys[place] == 0:
        search.won_places[colour * WINS + known[colour]] = place
        known[colour] += 1
        search.won_keys[place] = key_of(search.hash[0], colour)
    elif win_plies(search.wins[place]) <= plies:
        return
    search.wins[place] = move | plies << 16


@kernel
def forget(search, colour):
    """No position is known to be won by `colour` any more."""
    known = search.control[0].known
    for i in range(known[colour]):
        search.won_keys[search.won_places[colour * WINS + i]] = np.uint64(0)
    known[colour] = 0
