"""The tree of a win by threats, written down as numbers."""

from .. import kernel
from .known_wins import recall, win_move
from .moves import generate, wins_at
from .state import LONGEST_PATH, make, unmake
from .vct import win_by_threats

DEPTHS = (0, 3, 5, 7, 10, 15)  # moves that are no fours, of one search after the other
NO_ROOM, FORGOTTEN = -1, -2  # instead of where a tree ends


@kernel
def write_tree(board, geometry, search, stop, ply, colour, tree, at, answers):
    """Write the tree of a win that `win_by_threats` has found for `colour`, who is to move.

    tree     int16[n], becomes from `at` on: the move; -1 less the number of answers; and, unless
             the move wins at once, the tree after a pass and each answer with the tree after it
    answers  uint8[LONGEST_PATH, cells], scratch

    Returns where it ends, NO_ROOM if it is too long, or FORGOTTEN if the win is not found again.
    The answers that stand there, in the order of their points, are those that could help: what
    completes the row that is threatened, or what `generate` gives and all points of the tree after
    a pass.
    """
    if at + 2 > tree.size:
        return NO_ROOM
    if wins_at(board, geometry, search, colour, search.threats):
        tree[at], tree[at + 1] = search.threats[0], -1
        return at + 2
    search.control[0].threat_nodes = search.control[0].node_limit
    for depth in DEPTHS:
        if recall(search, colour) or win_by_threats(board, geometry, search, stop, depth,
                                                    LONGEST_PATH, ply, colour):
            break
    move, end = win_move(recall(search, colour)), at + 2
    if move == 0:
        return FORGOTTEN
    make(board, geometry, search, ply, move, colour)
    found, replies = answers[ply], search.stack.moves[ply + 1]
    found[:] = 0
    if wins_at(board, geometry, search, colour, search.threats):
        found[search.threats[0]] = 1
        end = write_tree(board, geometry, search, stop, ply + 1, colour, tree, end, answers)
    else:
        search.control[0].threat_nodes = search.control[0].node_limit
        win_by_threats(board, geometry, search, stop, 0, LONGEST_PATH, ply + 1, colour)
        end = write_tree(board, geometry, search, stop, ply + 1, colour, tree, end, answers)
        for i in range(at + 2, end):
            if tree[i] > 0:
                found[tree[i]] = 1
        n, _ = generate(board, geometry, search, 1 - colour, replies)
        for i in range(n):
            found[replies[i]] = 1
    tree[at], tree[at + 1] = move, -1
    for point in range(found.size):
        if found[point] and end > 0:
            if end == tree.size:
                end = NO_ROOM
                break
            tree[at + 1] -= 1
            tree[end] = point
            make(board, geometry, search, ply + 1, point, 1 - colour)
            end = write_tree(board, geometry, search, stop, ply + 2, colour, tree, end + 1, answers)
            unmake(board, geometry, search, ply + 1, point, 1 - colour)
    unmake(board, geometry, search, ply, move, colour)
    return end
