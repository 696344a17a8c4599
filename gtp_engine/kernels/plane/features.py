"""What of the search can be switched off, to measure its worth, and its numbers that can be tuned.
"""

import numpy as np

FEATURES = ("table", "killers", "history", "replies", "reductions", "count_pruning", "futility",
            "razoring", "singular", "fours", "threats", "aspiration", "network")
(TABLE, KILLERS, HISTORY, REPLIES, REDUCTIONS, COUNT_PRUNING, FUTILITY, RAZORING, SINGULAR, FOURS,
 THREATS, ASPIRATION, NETWORK) = (1 << i for i in range(len(FEATURES)))  # bits of `off`

MARGINS = dict(
    width=4, width_per_ply=3,  # so many moves are searched at a depth
    worse_width=50,  # and per cent of these where the static score has not grown in two plies
    futility_depth=20, futility=60,  # up to a depth, a score so far above beta for each ply is kept
    improving=1,  # plies that do not count in this where the static score has grown
    late_depth=3, late=80, late_per_ply=80,  # and quiet moves so far below alpha are left out
    razor_depth=2, razor=150, razor_per_ply=150,  # and positions so far below alpha
    singular_depth=7, singular=2,  # from a depth, a move so much better for each ply is extended
    killer=150, history=200, reply=100,  # what they add to the rank of a move, at most
    vcf_nodes=20,  # moves in all of a search for fours at a leaf
    reduction=20, reduction_scale=85,  # hundredths of plies by which late moves are searched less
    cut_reduction=120,  # and more of them where beta is expected
    history_reduction=100, reply_reduction=50,  # by how much at most these change that
    deeper=34, deeper_per_ply=11,  # one that is so much better for each such ply gets a ply more
    rise_depth=12,  # below it, moves after one that has raised alpha are searched a ply less
    black=0,  # what the first colour's shapes are worth beyond what the weights say
    iir_depth=4,  # internal iterative reduction: a ply less from there on without a table move
)
PENTE_MARGINS = MARGINS | dict(
    width=6, worse_width=100, futility_depth=6, improving=0, reduction_scale=70,
    reply=0,  # games have not shown more to be better
    rise_depth=0)  # more hid wins that are in tests/test_wins.py
RENJU_MARGINS = MARGINS | dict(
    black=-61)  # see tuning/colours.py
MARGIN = np.dtype([(name, np.int64) for name in MARGINS])
"""The record that a search has as `margins`, in an array of one."""
