"""Move generation and move ordering."""

import numpy as np

from .. import inlined, kernel
from ..rules import CAPTURED, CARO, FREE, RENJU, TARGET, allowed, breakable, taken, wins
from . import shapes
from .board import BLOCK, OPEN_FOUR, TAKE, WIN, count, gather
from .evaluation import CAPTURE_ORDER
from .features import HISTORY, KILLERS, REPLIES
from .renju import forbids, gather_blocks
from .shapes import REACH, SUSPECT, UNSURE, number_of_fours, reaches

# The rules of the playout policy, as returned by `choices`.
NONE, R_WIN, R_BLOCK_WIN, R_FOUR, R_BLOCK_FOUR, R_CAPTURE, R_RANDOM = range(7)


@inlined
def winning_points(state, cells, mark, point_at, steps, game, colour, out, scratch):
    """Put the points where `colour` wins at once into `out`; returns their number."""
    mark[0] += 1
    n = 0
    if count(state, WIN, colour):
        n = gather(state, mark, point_at, WIN, colour, out, 0)
    if game[TARGET] and count(state, TAKE, colour):
        end = gather(state, mark, point_at, TAKE, colour, out, n)
        missing = game[TARGET] - state[CAPTURED + colour]
        for i in range(n, end):
            if taken(cells, steps, game, np.int64(out[i]), colour, scratch) >= missing:
                out[n] = out[i]
                n += 1
    return n


@inlined
def gather_ends(cells, mark, steps, colour, out, threats, threatened, n):
    """Append the ends of the opponent's threatened rows to out[:n]; returns the new length.

    These are the empty, unmarked ends of the rows of five that the opponent of `colour` would make
    on one of threats[:threatened].
    """
    for i in range(threatened):
        for step in steps:
            cell = np.int64(threats[i]) + step
            while cells[cell] == 2 - colour:
                cell += step
            if cells[cell] == 0 and mark[cell] != mark[0]:
                mark[cell] = mark[0]
                out[n] = cell
                n += 1
    return n


@kernel
def add_blocks(state, cells, mark, point_at, steps, game, colour, out, threats, n, scratch):
    """Append the other moves of `colour` that stop a threat to out[:n]; returns the new length.

    Both out[:n] and threats[:n] hold the points where the opponent wins.  The other moves are
    captures and, in Caro, ends of rows after which the opponent no longer wins on all of them.
    """
    mark[0] += 1
    for i in range(n):
        mark[threats[i]] = mark[0]
    end = n
    if count(state, TAKE, colour):
        end = gather(state, mark, point_at, TAKE, colour, out, n)
    if game[CARO]:
        end = gather_ends(cells, mark, steps, colour, out, threats, n, end)
    blocks = n
    stolen = scratch[scratch.size // 2:]
    for i in range(n, end):
        point = np.int64(out[i])
        stones = taken(cells, steps, game, point, colour, stolen)
        cells[point] = colour + 1
        for j in range(stones):
            cells[stolen[j]] = 0
        for j in range(n):
            threat = np.int64(threats[j])
            if not wins(state, cells, steps, game, threat, 1 - colour, scratch):
                out[blocks] = point
                blocks += 1
                break
        cells[point] = 0
        for j in range(stones):
            cells[stolen[j]] = 2 - colour
    return blocks


@inlined
def wins_at(board, geometry, search, colour, out):
    """Put the points where `colour` wins at once into `out`; returns their number."""
    if not count(board.state, WIN, colour) | count(board.state, TAKE, colour):
        return 0
    return winning_points(board.state, board.cells, board.mark, geometry.point_at, geometry.steps,
                          geometry.game, colour, out, search.scratch)


@inlined
def add_other_blocks(board, geometry, search, colour, out, n):
    """Append other moves that stop one of the wins at out[:n] to them; returns the new length."""
    if not count(board.state, TAKE, colour) and not geometry.game[CARO]:
        return n
    for i in range(n):
        search.threats[i] = out[i]
    return add_blocks(
        board.state, board.cells, board.mark, geometry.point_at, geometry.steps, geometry.game,
        colour, out, search.threats, n, search.scratch)


@inlined
def has_fours(search, colour):
    """Is there a point where `colour` makes a four?"""
    return number_of_fours(search.sums[colour]) > 0


@inlined
def many_fours(search, colour):
    """Are there points where `colour` makes fours on more than one row of stones?"""
    return number_of_fours(search.sums[colour]) > 2


@inlined
def at_least(board, search, colour, shape, out):
    """Put the points where `colour` makes `shape` or better into `out`; returns their number."""
    n = 0
    for i in range(board.state[FREE]):
        point = np.int64(board.free[i])
        if search.best[search.codes[point * 2 + colour]] >= shape:
            out[n] = point
            n += 1
    return n


@inlined
def four_moves(board, search, colour, out):
    """Put the points where `colour` makes a four into `out`; returns their number."""
    n, left = 0, number_of_fours(search.sums[colour])
    for i in range(board.state[FREE]):
        if left == 0:
            break
        point = np.int64(board.free[i])
        code = np.int64(search.codes[point * 2 + colour])
        if search.best[code] >= shapes.FOUR:
            made = number_of_fours(search.worth[search.combination[code]])
            out[n] = point
            n += made > 0  # an overline, and in Caro a closed five, is no four
            left -= made
    return n


@inlined
def may_play(board, geometry, search, point, colour):
    """Do the restricted opening and Renju allow `colour` to play on the empty `point`?"""
    return allowed(board.state, geometry.middle, geometry.game, point, colour) and not (
        geometry.game[RENJU] and is_forbidden(board, geometry, search, point, colour))


@inlined
def is_forbidden(board, geometry, search, point, colour):
    """Does Renju forbid the empty `point` to `colour`?"""
    return (colour == 0 and search.suspects[search.codes[2 * point]] & SUSPECT
            and forbids(board.state, geometry, point, colour))


@kernel
def playable(board, geometry, search, colour, moves, n, near):
    """Remove the moves that Renju forbids to `colour` from moves[:n].

    Returns the new `n` and how many of the first `near` moves remain.
    """
    left = first = 0
    for i in range(n):
        if not is_forbidden(board, geometry, search, np.int64(moves[i]), colour):
            moves[left] = moves[i]
            left += 1
            first += i < near
    return left, first


@inlined
def open_fours(board, geometry, search, colour, out):
    """Put the points where `colour` may make an open four into `out`; returns their number."""
    if not count(board.state, OPEN_FOUR, colour):
        return 0
    board.mark[0] += 1
    n = np.int64(gather(board.state, board.mark, geometry.point_at, OPEN_FOUR, colour, out, 0))
    if geometry.game[RENJU] and colour == 0:
        n, _ = playable(board, geometry, search, colour, out, n, 0)
    return n


@inlined
def can_open_four(board, geometry, search, colour):
    """May `colour` make an open four?"""
    return count(board.state, OPEN_FOUR, colour) and (
        not geometry.game[RENJU] or open_fours(board, geometry, search, colour, search.threats) > 0)


@kernel
def sure_open_fours(board, geometry, search, out):
    """Put the sure open fours of Renju's first colour into `out`; returns their number.

    No stone of the other colour elsewhere makes such a point forbidden.
    """
    board.mark[0] += 1
    n = gather(board.state, board.mark, geometry.point_at, OPEN_FOUR, 0, out, 0)
    sure = 0
    for i in range(n):
        if not search.suspects[search.codes[2 * np.int64(out[i])]] & UNSURE:
            out[sure] = out[i]
            sure += 1
    return sure


@kernel
def stops_in_renju(board, geometry, search, colour, moves):
    """Put the moves against an open four of the opponent, and own fours, into `moves`.

    Returns their number.  It is 0 if every move could stop the open four, since a stone anywhere
    may make its point forbidden.  It is also 0 if all moves that stop it are forbidden.
    """
    holes = 0
    if colour:
        holes = sure_open_fours(board, geometry, search, search.threats)
        if holes == 0:
            return 0
    board.mark[0] += 1
    n = four_moves(board, search, colour, moves)
    for i in range(n):
        board.mark[moves[i]] = board.mark[0]
    if colour:
        return np.int64(gather_blocks(board.state, board.mark, geometry.point_at, search.threats,
                                      holes, moves, n))
    n = gather(board.state, board.mark, geometry.point_at, BLOCK, 1, moves, n)
    n, _ = playable(board, geometry, search, colour, moves, n, 0)
    return np.int64(n)


@inlined
def generate(board, geometry, search, colour, moves):
    """Put the legal moves into `moves`, moves near stones first.

    Returns the number of all moves and of moves near stones.  If the opponent threatens an open
    four, only the moves that stop it and own fours count.
    """
    state = board.state
    if count(state, OPEN_FOUR, 1 - colour) and not breakable(geometry.game):
        if geometry.game[RENJU]:
            n = stops_in_renju(board, geometry, search, colour, moves)
        else:
            board.mark[0] += 1
            n = four_moves(board, search, colour, moves)
            for i in range(n):
                board.mark[moves[i]] = board.mark[0]
            n = gather(state, board.mark, geometry.point_at, BLOCK, 1 - colour, moves, n)
        if n:
            return n, n
    near, n = 0, 0
    for i in range(state[FREE]):
        point = board.free[i]
        if not allowed(state, geometry.middle, geometry.game, np.int64(point), colour):
            continue
        moves[n] = point
        if reaches(search.codes, np.int64(point), shapes.TWO):
            moves[n] = moves[near]
            moves[near] = point
            near += 1
        n += 1
    if geometry.game[RENJU] and colour == 0:
        n, near = playable(board, geometry, search, colour, moves, n, near)
    return n, near


@inlined
def reply_at(board, search, ply, colour, move):
    """The index in Search.replies of `move` as an answer to the previous move."""
    before = search.stack.path[ply - 1] >> 1
    return (before * board.cells.size + move) * 2 + colour


@inlined
def policy_of(search, colour, move):
    """The policy score of a move, from the rows through its point; higher is better."""
    own = search.combination[search.codes[move * 2 + colour]]
    other = search.combination[search.codes[move * 2 + 1 - colour]]
    return np.int64(search.policy[0, own]) + np.int64(search.policy[1, other])


@inlined
def rank(board, geometry, search, ply, colour, move):
    """The rank of a move; the highest rank is searched first."""
    off = search.control[0].off
    value = policy_of(search, colour, move)
    for taker in range(2):
        if count(board.state, TAKE, taker):
            value += search.extras[CAPTURE_ORDER] * taken(
                board.cells, geometry.steps, geometry.game, move, taker, search.scratch)
    if not off & KILLERS and (
            search.stack.killers[ply * 2] == move or search.stack.killers[ply * 2 + 1] == move):
        value += search.margins[0].killer
    if not off & HISTORY:
        value += search.history[move * 2 + colour]
    if ply and not off & REPLIES:
        value += np.int64(search.replies[reply_at(board, search, ply, colour, move)])
    return value


@inlined
def rank_all(board, geometry, search, ply, colour, n):
    """Put the ranks of moves[ply][:n] into ranks[ply][:n]."""
    for i in range(n):
        search.stack.ranks[ply, i] = rank(board, geometry, search, ply, colour,
                                    np.int64(search.stack.moves[ply, i]))


@inlined
def in_reach(geometry, point, other):
    """Can one row of five contain both points?"""
    for a in range(geometry.places.shape[1]):
        steps = np.int64(geometry.places[point, a]) - np.int64(geometry.places[other, a])
        if abs(steps) <= REACH:
            return True
    return False


@inlined
def pick(moves, ranks, i, n):
    """Swap moves[i] with the move of highest rank among moves[i:n] and return it."""
    highest, top = ranks[i], i
    for j in range(i + 1, n):  # a maximum without its index gets vector instructions
        highest = max(highest, ranks[j])
    while ranks[top] != highest:
        top += 1
    move, value = moves[top], ranks[top]
    moves[top], ranks[top] = moves[i], ranks[i]
    moves[i], ranks[i] = move, value
    return np.int64(move)


@inlined
def put_first(moves, n, move):
    """Move `move` to the front of moves[:n], or insert it there; returns the new length."""
    at = n
    for i in range(n):
        if moves[i] == move:
            at = i
    moves[at] = moves[0]
    moves[0] = move
    return max(n, at + 1)
