"""The transposition table: results of searched positions, by key.

An entry is an int64 that holds, from bit 0 on, the best move, the bound, the depth, the age and the
score; 0 is no entry.  A table is two arrays of 2**n slots, `keys` and `entries` of a search.
Searches in several threads may share one.  `keys` holds the exclusive or of key and entry, so that
a key and an entry of two writers do not match.
"""

import numpy as np

from . import inlined
from .bits import prefetch
from .control import MATE, WON

LOWER, UPPER, EXACT = 1, 2, 3  # how an entry bounds the score; LOWER and UPPER are bits
DEEPER = 16  # added to the depth of an entry, which may be below 0
AGES = 16


@inlined
def key_of(word, number):
    """The key of the position with the hash `word`, as case `number`.

    The number stands for the side to move, or for the claim to be proved.
    """
    return word ^ np.uint64(0x9E3779B97F4A7C15 * number)


@inlined
def entry_move(entry):
    """The move of an entry that is tried first, 0 for none.

    For an UPPER bound this may be the best move of an earlier search.
    """
    return entry & 0xFFFF


@inlined
def entry_bound(entry):
    """The bound of an entry's score: LOWER, UPPER or EXACT."""
    return entry >> 16 & 3


@inlined
def entry_depth(entry):
    """The depth of an entry."""
    return (entry >> 18 & 0xFF) - DEEPER


@inlined
def entry_age(entry):
    """The age of the table, below AGES, when the entry was stored."""
    return entry >> 26 & AGES - 1


@inlined
def entry_score(entry, ply):
    """The score of an entry for a root that is `ply` plies earlier."""
    score = (entry >> 32) - MATE
    if score > WON:
        return score - ply
    if score < -WON:
        return score + ply
    return score


@inlined
def slot_of(search, key):
    """The first of the two slots for `key`."""
    return np.int64(key & np.uint64(search.keys.size - 2))


@inlined
def prefetch_entry(search, key):
    """Prefetch the slots of a key that is probed soon."""
    slot = slot_of(search, key)
    prefetch(search.keys, slot)
    prefetch(search.entries, slot)


@inlined
def probe(search, key):
    """The entry of `key`, or 0."""
    slot = slot_of(search, key)
    entry, other = search.entries[slot], search.entries[slot + 1]
    if search.keys[slot] ^ np.uint64(entry) == key:
        return entry
    if search.keys[slot + 1] ^ np.uint64(other) == key:
        return other
    return 0


@inlined
def is_proved(bound, score):
    """Does the score with this bound prove a win or a loss?"""
    return bound & LOWER != 0 and score > WON or bound & UPPER != 0 and score < -WON


@inlined
def store(search, key, move, bound, depth, score, ply):
    """Store an entry, in place of an older or shallower one.

    A proved win or loss of the position stays, unless the new entry is proved too.
    """
    slot = slot_of(search, key)
    depth = max(0, min(depth + DEEPER, 255))
    age = search.control[0].age
    old, other, same = search.entries[slot], search.entries[slot + 1], 0
    if search.keys[slot] ^ np.uint64(old) == key:
        same = old
    elif search.keys[slot + 1] ^ np.uint64(other) == key:
        same = other
        slot += 1
    elif entry_age(old) == age and entry_depth(old) > depth - DEEPER:
        slot += 1
    if (same and is_proved(entry_bound(same), entry_score(same, 0))
            and not is_proved(bound, score)):
        return
    if score > WON:
        score += ply
    elif score < -WON:
        score -= ply
    entry = move | bound << 16 | depth << 18 | age << 26 | (score + MATE) << 32
    search.keys[slot] = key ^ np.uint64(entry)
    search.entries[slot] = entry


@inlined
def cuts_off(entry, depth, alpha, beta, ply, proofs):
    """Does an entry, or 0 for none, cut off a search to this depth?

    With `proofs`, a proven win or loss outside the window cuts off at any depth.
    """
    if entry == 0:
        return False
    score, bound, deep = entry_score(entry, ply), entry_bound(entry), entry_depth(entry) >= depth
    return (deep and bound == EXACT
            or bound & LOWER != 0 and score >= beta and (deep or proofs and score > WON)
            or bound & UPPER != 0 and score <= alpha and (deep or proofs and score < -WON))
