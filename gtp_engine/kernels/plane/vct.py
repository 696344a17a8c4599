"""VCT, victory by continuous threats: the opponent must answer each of them.

Together with moves of alpha-beta, a threat search completes proofs of wins.
"""

import numpy as np

from .. import inlined, kernel
from ..control import MATE, WON, out_of_time
from ..rules import RENJU, TARGET, breakable
from ..table import (
    LOWER,
    UPPER,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    key_of,
    probe,
    store,
)
from . import shapes
from .board import OPEN_FOUR, count
from .moves import (
    add_other_blocks,
    at_least,
    generate,
    may_play,
    playable,
    put_first,
    sure_open_fours,
    wins_at,
)
from .search import search_position
from .state import LONGEST_PATH, make, unmake
from .vcf import ALL_FOURS, FIRST_FOUR, IN_VAIN, NO_FOUR, VCF_DEPTH, answers_to, win_by_fours
from .win_table import probe_win, store_win, win_move, win_plies

THREATS_KEY = 0x5851F42D4C957F2D  # distinguishes entries of the threat search


@inlined
def winning_entry(search, last, ply, colour):
    """The table entry of a win by alpha-beta on ply `last` at the latest, or 0.

    The entry has no move if alpha-beta won by fours alone.
    """
    entry = probe(search, key_of(search.hash[0], colour))
    score = entry_score(entry, ply)
    if entry and entry_bound(entry) & LOWER and score > WON and MATE - score <= last:
        return entry
    return np.int64(0)


@kernel
def entry_of_proof(board, geometry, search, stop, last, ply, colour):
    """The table entry of a win by alpha-beta on ply `last` at the latest, or 0.

    If the entry was overwritten, alpha-beta searches the position again.  The depth is the one that
    the position had from the root, and the node limit is the rest of `threat_nodes`.
    """
    control = search.control[0]
    entry = winning_entry(search, last, ply, colour)
    if entry or ply == 0 or ply > control.depth:
        return entry
    before, limit, left = control.nodes, control.node_limit, control.threat_nodes
    control.node_limit = min(limit, before + left)
    search_position(board, geometry, search, stop, control.depth - ply, MATE - last - 1,
                    MATE - last, ply, colour, True)
    control.node_limit, control.threat_nodes = limit, left - (control.nodes - before)
    control.stopped = 0
    if out_of_time(search, stop):
        return np.int64(0)
    return winning_entry(search, last, ply, colour)


@inlined
def threatens_open_four(board, geometry, search, colour):
    """Does `colour` threaten an open four?  In Renju, the first colour's must be a sure one."""
    return count(board.state, OPEN_FOUR, colour) and (
        colour or not geometry.game[RENJU]
        or sure_open_fours(board, geometry, search, search.threats) > 0)


@inlined
def threats_of(board, geometry, search, colour, moves, hint):
    """Put the moves that may continue a victory by threats into `moves`; returns their number.

    `hint` comes first unless it is 0.
    """
    n = wins_at(board, geometry, search, 1 - colour, moves)
    if n > 1 and not breakable(geometry.game):
        return 0
    if n:
        return add_other_blocks(board, geometry, search, colour, moves, n)
    n = at_least(board, search, colour, shapes.OPEN_THREE, moves)
    return put_first(moves, n, hint) if hint else n


@kernel
def win_by_threats(board, geometry, search, stop, depth, last, ply, colour):
    """Search for a victory by continuous threats; returns the ply of the winning stone, or 0.

    With ply 0, `best` of the record becomes the first move.  The limits are:

    depth         moves that make a four or an open three, or answer a four of the opponent, before
                  fours alone win
    last          the ply of the winning stone
    threat_nodes  of the record: all moves

    The search tries every answer that could help the opponent: its own fours and the moves against
    an open four.  In Caro and in games with captures it tries every legal move.

    If `last` is below LONGEST_PATH, the search first tries the wins of alpha-beta, which include
    moves that are no threats: see `entry_of_proof`.
    """
    control = search.control[0]
    moves, replies = search.stack.moves[ply], search.stack.moves[ply + 1]
    stored = probe_win(search, colour)
    if stored and ply + win_plies(stored) <= last:
        if ply == 0:
            control.best = win_move(stored)
        return ply + win_plies(stored)
    fours, last_four = min(last, ply + 2 * VCF_DEPTH + 1), ALL_FOURS
    is_short = depth == 0 or ply + 5 > last or ply + 8 > LONGEST_PATH
    won = np.int64(0)
    if last < LONGEST_PATH and not is_short:
        won = entry_of_proof(board, geometry, search, stop, last, ply, colour)
    hint = entry_move(won)
    if won and geometry.game[TARGET] == 0:
        last_four = FIRST_FOUR
    end = win_by_fours(board, geometry, search, stop, ply + 1 if hint else fours, ply, colour,
                       last_four)
    if end:
        return end
    if is_short:
        return 0
    key, reach = key_of(search.hash[0], colour), depth
    if last < LONGEST_PATH:
        key ^= np.uint64(control.proof) << np.uint64(48)
        reach = last - ply
    key ^= np.uint64(THREATS_KEY)
    entry = probe(search, key)
    if entry and entry_depth(entry) >= reach:
        return 0
    n = threats_of(board, geometry, search, colour, moves, hint)
    for i in range(n):
        if control.threat_nodes <= 0 or out_of_time(search, stop):
            return 0
        if won and i == min(hint, 1):
            end = win_by_fours(board, geometry, search, stop, fours, ply, colour, ALL_FOURS)
            if end:
                return end
            threats_of(board, geometry, search, colour, moves, hint)
        point = hint if hint and i == 0 else np.int64(moves[i])
        if not may_play(board, geometry, search, point, colour):
            continue
        control.threat_nodes -= 1
        make(board, geometry, search, ply, point, colour)
        answers = answers_to(board, geometry, search, colour, replies)
        end = ply + 3 if answers == IN_VAIN else 0
        if answers == NO_FOUR and (point == hint or threatens_open_four(
                board, geometry, search, colour)):
            answers, _ = generate(board, geometry, search, 1 - colour, replies)
        for j in range(answers):
            reply = np.int64(replies[j])
            make(board, geometry, search, ply + 1, reply, 1 - colour)
            reply_end = win_by_threats(board, geometry, search, stop, depth - 1, last, ply + 2,
                                       colour)
            unmake(board, geometry, search, ply + 1, reply, 1 - colour)
            end = max(end, reply_end)
            if not reply_end:
                end = 0
                break
        unmake(board, geometry, search, ply, point, colour)
        if end:
            store_win(search, colour, point, end - ply)
            if ply == 0:
                control.best = point
            return end
    if control.threat_nodes > 0 and not control.stopped:
        store(search, key, 0, UPPER, reach, 0, ply)
    return 0


@kernel
def longest_defence(board, geometry, search, ply, colour):
    """The opponent's move after which the stored win of `colour` takes longest.

    Returns 0 if no win is stored after any move.
    """
    replies, hardest, longest = search.stack.moves[ply], np.int64(0), np.int64(0)
    n = wins_at(board, geometry, search, colour, replies)
    if n and geometry.game[RENJU]:
        n, _ = playable(board, geometry, search, 1 - colour, replies, n, 0)
    if n:
        n = add_other_blocks(board, geometry, search, 1 - colour, replies, n)
    else:
        n, _ = generate(board, geometry, search, 1 - colour, replies)
    for i in range(n):
        reply = np.int64(replies[i])
        make(board, geometry, search, ply, reply, 1 - colour)
        plies = win_plies(probe_win(search, colour))
        if wins_at(board, geometry, search, colour, search.stack.moves[ply + 1]):
            plies = 1
        unmake(board, geometry, search, ply, reply, 1 - colour)
        if plies > longest:
            longest, hardest = plies, reply
    return hardest


@kernel
def winning_variation(board, geometry, search, colour, line):
    """Put the moves of a stored win into `line`, with the longest defence; returns their number.

    `colour` is the side to move.
    """
    nodes, made, most = search.control[0].nodes, 0, min(line.size, LONGEST_PATH - 2)
    n = 0
    while n < most:
        mover = (colour + n) & 1
        if mover != colour:
            line[n] = longest_defence(board, geometry, search, n, colour)
        elif wins_at(board, geometry, search, colour, search.stack.moves[n]):
            line[n] = search.stack.moves[n, 0]
            n += 1
            break
        else:
            line[n] = win_move(probe_win(search, colour))
        if line[n] == 0:
            break
        make(board, geometry, search, n, line[n], mover)
        n += 1
        made = n
    for i in range(made - 1, -1, -1):
        unmake(board, geometry, search, i, line[i], (colour + i) & 1)
    search.control[0].nodes = nodes
    return n
