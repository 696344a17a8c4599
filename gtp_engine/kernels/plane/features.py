"""Features of the search that can be disabled for measurements, and its tunable numbers."""

import numpy as np

FEATURES = ("table", "killers", "history", "replies", "reductions", "count_pruning", "futility",
            "razoring", "singular", "fours", "threats", "aspiration", "network")
(TABLE, KILLERS, HISTORY, REPLIES, REDUCTIONS, COUNT_PRUNING, FUTILITY, RAZORING, SINGULAR, FOURS,
 THREATS, ASPIRATION, NETWORK) = (1 << i for i in range(len(FEATURES)))  # bits of `off`

MARGINS = dict(
    width=4, width_per_ply=3,  # number of moves searched at a depth
    worse_width=50,  # per cent of `width` if the static score has not grown in two plies
    futility_depth=20, futility=60,  # futility pruning: greatest depth, margin over beta per ply
    improving=1,  # plies less in this margin if the static score has grown
    late_depth=3, late=80, late_per_ply=80,  # the same for quiet moves: margin under alpha
    razor_depth=2, razor=150, razor_per_ply=150,  # razoring: greatest depth, margin under alpha
    singular_depth=7, singular=2,  # singular extension: least depth, margin per ply
    killer=150, history=200, reply=100,  # greatest bonus to the rank of a move
    vcf_nodes=20,  # nodes of a search for fours at a leaf
    reduction=20, reduction_scale=85,  # late move reduction, in hundredths of a ply
    cut_reduction=120,  # additional reduction in cut nodes
    history_reduction=100, reply_reduction=50,  # greatest change of the reduction by these scores
    deeper=34, deeper_per_ply=11,  # margin for a deeper second search, per ply of reduction
    rise_depth=12,  # below this depth, moves after one that raised alpha lose a ply
    black=0,  # bonus to the static score of the first colour, beyond the weights
    iir_depth=4,  # internal iterative reduction: least depth
)
PENTE_MARGINS = MARGINS | dict(
    width=6, worse_width=100, futility_depth=6, improving=0, reduction_scale=70,
    reply=0,  # higher values play no better
    rise_depth=0)  # higher values miss wins of tests/test_wins.py
RENJU_MARGINS = MARGINS | dict(
    black=-61)  # see tuning/colours.py
MARGIN = np.dtype([(name, np.int64) for name in MARGINS])
"""The type of a search's `margins`, an array of one record."""
