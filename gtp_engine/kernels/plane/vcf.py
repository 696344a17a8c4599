"""VCF, victory by continuous fours: the opponent must answer each of them."""

import numpy as np

from .. import inlined, kernel
from ..control import out_of_time
from ..rules import RENJU, TARGET, breakable
from . import shapes
from .moves import (
    add_other_blocks,
    four_moves,
    has_fours,
    in_reach,
    is_forbidden,
    open_fours,
    wins_at,
)
from .state import LONGEST_PATH, make, unmake
from .win_table import store_win

VCF_DEPTH = 12  # fours in a line
IN_VAIN, NO_FOUR = -1, -2  # in place of a number of answers
ALL_FOURS, FIRST_FOUR = -1, 0  # in place of the last four


@inlined
def answers_to(board, geometry, search, colour, replies):
    """Put the opponent's answers to a four of `colour` into `replies`; returns their number.

    Returns IN_VAIN if no answer stops the four, NO_FOUR if there is no four, and 0 if the opponent
    wins at once.
    """
    if wins_at(board, geometry, search, 1 - colour, replies):
        return 0
    answers = wins_at(board, geometry, search, colour, replies)
    if answers == 0:
        return NO_FOUR
    if answers > 1 and not breakable(geometry.game):
        return IN_VAIN
    if geometry.game[RENJU] and is_forbidden(board, geometry, search, np.int64(replies[0]),
                                             1 - colour):
        return IN_VAIN
    return add_other_blocks(board, geometry, search, 1 - colour, replies, answers)


@inlined
def continues(geometry, search, colour, point, last_four):
    """Does a stone on `point` extend a second row, and is it in reach of the last four?"""
    if search.second[search.codes[point * 2 + colour]] < shapes.TWO:
        return False
    return last_four == FIRST_FOUR or in_reach(geometry, point, last_four)


@kernel
def win_by_fours(board, geometry, search, stop, last, ply, colour, last_four):
    """Search for a victory by continuous fours; returns the ply of the winning stone, or 0.

    With ply 0, `best` of the record becomes the first move.  The winning stone comes on ply `last`
    at the latest.  The search makes at most `threat_nodes` moves.  It tries every answer of the
    opponent, including captures and, in Caro, ends that break the four.

    `last_four` is ALL_FOURS, or FIRST_FOUR for a selective search.  A selective search skips fours
    that answer no threat, unless their stone extends another row and is in reach of the last four.
    """
    control = search.control[0]
    moves, replies = search.stack.moves[ply], search.stack.moves[ply + 1]
    if wins_at(board, geometry, search, colour, moves):
        if ply == 0:
            control.best = np.int64(moves[0])
        return ply + 1
    if ply + 3 > last or ply + 4 > LONGEST_PATH or not has_fours(search, colour):
        return 0
    must = wins_at(board, geometry, search, 1 - colour, replies)
    other_answers = breakable(geometry.game)
    if must > 1 and not other_answers:
        return 0
    if not must and geometry.game[TARGET] == 0 and open_fours(
            board, geometry, search, colour, moves):
        store_win(search, colour, np.int64(moves[0]), 3)
        if ply == 0:
            control.best = np.int64(moves[0])
        return ply + 3
    if must and not other_answers:
        moves[0] = replies[0]
        n = np.int64(search.best[search.codes[np.int64(moves[0]) * 2 + colour]] >= shapes.FOUR)
    else:
        n = four_moves(board, search, colour, moves)
    for i in range(n):
        point = np.int64(moves[i])
        if last_four != ALL_FOURS and not must and not continues(geometry, search, colour, point,
                                                                 last_four):
            continue
        if geometry.game[RENJU] and is_forbidden(board, geometry, search, point, colour):
            continue
        if control.threat_nodes <= 0 or out_of_time(search, stop):
            return 0
        control.threat_nodes -= 1
        make(board, geometry, search, ply, point, colour)
        answers = answers_to(board, geometry, search, colour, replies)
        end = ply + 3 if answers == IN_VAIN else 0
        for j in range(answers):
            reply = np.int64(replies[j])
            make(board, geometry, search, ply + 1, reply, 1 - colour)
            reply_end = win_by_fours(board, geometry, search, stop, last, ply + 2, colour,
                                     last_four if last_four == ALL_FOURS else point)
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
    return 0
