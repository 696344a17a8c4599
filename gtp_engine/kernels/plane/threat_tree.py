"""The tree of a win by threats, written as a sequence of numbers."""

from .. import kernel
from .dfpn import SURE, prove
from .moves import generate, wins_at
from .state import LONGEST_PATH, make, unmake
from .vcf import ALL_FOURS, win_by_fours
from .win_table import probe_win, win_move

NODES = 100_000  # moves of a search for a win that no other search has found
NO_ROOM, FORGOTTEN = -1, -2  # in place of the end of a tree


@kernel
def write_tree(board, geometry, search, stop, ply, colour, tree, at, answers):
    """Write the tree of a stored win by threats of `colour`, the side to move.

    tree     int16[n], receives from index `at` on: the move; -1 minus the number of answers; and,
             unless the move wins at once, the tree after a pass and each answer with its tree
    answers  uint8[LONGEST_PATH, cells], scratch

    Returns the end of the tree, NO_ROOM if it is too long, or FORGOTTEN if the win is not found
    again.  The tree lists all answers that could help, in point order.  If the move threatens to
    complete a row, this is the point that stops it.  Otherwise these are the moves of `generate`
    and all points of the tree after a pass.
    """
    if at + 2 > tree.size:
        return NO_ROOM
    if wins_at(board, geometry, search, colour, search.threats):
        tree[at], tree[at + 1] = search.threats[0], -1
        return at + 2
    if probe_win(search, colour) == 0:
        search.control[0].threat_nodes = NODES
        prove(board, geometry, search, stop, LONGEST_PATH, ply, colour, colour, SURE, SURE)
    move, end = win_move(probe_win(search, colour)), at + 2
    if move == 0:
        return FORGOTTEN
    make(board, geometry, search, ply, move, colour)
    marked, replies = answers[ply], search.stack.moves[ply + 1]
    marked[:] = 0
    if wins_at(board, geometry, search, colour, search.threats):
        marked[search.threats[0]] = 1
        end = write_tree(board, geometry, search, stop, ply + 1, colour, tree, end, answers)
    else:
        search.control[0].threat_nodes = NODES
        win_by_fours(board, geometry, search, stop, LONGEST_PATH, ply + 1, colour, ALL_FOURS)
        end = write_tree(board, geometry, search, stop, ply + 1, colour, tree, end, answers)
        for i in range(at + 2, end):
            if tree[i] > 0:
                marked[tree[i]] = 1
        n, _ = generate(board, geometry, search, 1 - colour, replies)
        for i in range(n):
            marked[replies[i]] = 1
    tree[at], tree[at + 1] = move, -1
    for point in range(marked.size):
        if marked[point] and end > 0:
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


@kernel
def plies_of(tree, at):
    """The end of a tree of `write_tree` that begins at index `at`, and the plies of the win."""
    answers, end, longest = -1 - tree[at + 1], at + 2, 0
    if answers == 0:
        return end, 1
    for i in range(answers + 1):
        end, plies = plies_of(tree, end + (i > 0))
        longest = max(longest, plies)
    return end, 2 + longest
