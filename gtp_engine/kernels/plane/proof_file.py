"""A parser for the stream of a proof that Black wins; players/proofs/gomoku.py has the format."""

import numpy as np

from .. import kernel

THREATS, OPEN, ELSEWHERE, END = 0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF
CUT, DAMAGED = -1, -2  # the stream ends inside an entry; it is no proof


@kernel
def find_entries(stream, words, above, begins, below, keys, answers):
    """Find the entries of a stream, uint16[n], in their order.

    words     uint64[2, NO_STONE + 1], the hash of a stone by colour and point, 0 for NO_STONE
    above     int64[depth], scratch for the enclosing entries
    begins    int64[n], becomes the offset of each entry
    below     uint8[n], becomes 1 for entries below an entry for NO_STONE
    keys      uint64[n], becomes the exclusive or of the words of each entry's stones
    answers   int64[n, 2], becomes pairs of an entry's number and one of its answers

    Returns the numbers of entries and of answers; the first is CUT or DAMAGED if the stream is no
    proof.
    """
    n_entries, n_answers, at, level, no_stone = 0, 0, 0, 0, words.shape[1] - 1
    key, passed = np.uint64(0), 0
    begin = True
    while begin or level:
        if begin:
            if at + 1 >= stream.size:
                return CUT, 0
            if level == above.size or stream[at] >= no_stone:
                return DAMAGED, 0
            begins[n_entries], below[n_entries], keys[n_entries] = at, passed, key
            above[level] = n_entries
            n_entries, level, at, begin = n_entries + 1, level + 1, at + 2, False
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
        answers[n_answers, 0], answers[n_answers, 1] = entry, answer
        n_answers += 1
        marked = at < stream.size and (stream[at] == ELSEWHERE or stream[at] == THREATS)
        if not marked:
            key = keys[entry] ^ words[0, move] ^ words[1, answer]
            passed = 1 if answer == no_stone else below[entry]
            begin = True
        elif answer == no_stone:
            return DAMAGED, 0
        else:
            at += 1
    return (n_entries if at == stream.size else DAMAGED), n_answers
