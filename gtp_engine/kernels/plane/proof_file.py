"""The entries of a proof of Gomoku, found in the bytes that players/gomoku_proof describes."""

import numpy as np

from .. import kernel

THREATS, OPEN, SEEN, END = 252, 253, 254, 255
CUT, DAMAGED = -1, -2  # it ends in the middle of an entry; it is something else


@kernel
def find_entries(stream, words, above, begins, below, keys, answers):
    """Find the entries of a stream, uint8[n], in their order.

    words     uint64[2, NO_STONE + 1], of a stone of either colour on a point, 0 for NO_STONE
    above     int64[depth], scratch for the entries that others stand in
    begins    int64[n], becomes where each entry begins
    below     uint8[n], becomes 1 for those below an entry for NO_STONE
    keys      uint64[n], becomes the words of the stones of each, combined
    answers   int64[n, 2], becomes the number of an entry and an answer that stands in it

    Returns the number of entries and of answers; the first is CUT or DAMAGED if the stream is no
    proof.
    """
    found, told, at, level, no_stone = 0, 0, 0, 0, words.shape[1] - 1
    key, passed = np.uint64(0), 0
    begin = True
    while begin or level:
        if begin:
            if at + 1 >= stream.size:
                return CUT, 0
            if level == above.size or stream[at] >= no_stone:
                return DAMAGED, 0
            begins[found], below[found], keys[found] = at, passed, key
            above[level] = found
            found, level, at, begin = found + 1, level + 1, at + 2, False
        if at >= stream.size:
            return CUT, 0
        entry, answer = above[level - 1], np.int64(stream[at])
        move, plies = np.int64(stream[begins[entry]]), stream[begins[entry] + 1]
        at += 1
        if answer > no_stone:
            if answer != (END if plies else OPEN):
                return DAMAGED, 0
            level -= 1
            continue
        answers[told, 0], answers[told, 1] = entry, answer
        told += 1
        marked = at < stream.size and (stream[at] == SEEN or stream[at] == THREATS)
        if not marked:
            key = keys[entry] ^ words[0, move] ^ words[1, answer]
            passed = 1 if answer == no_stone else below[entry]
            begin = True
        elif answer == no_stone:
            return DAMAGED, 0
        else:
            at += 1
    return (found if at == stream.size else DAMAGED), told
