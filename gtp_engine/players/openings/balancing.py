"""Moves after which a position is worth what is wanted."""

import time
from math import inf
from typing import Optional, cast

from ...games.rules import Position
from ..base import AnalysingPlayer, Limits, Settings
from ..quick_moves import near_stones
from ..registry import make_player
from .balanced import Line, judge

ROUND_NODES = 600_000  # of all the searches together that judge the lines of a round
SURVIVORS = 4  # one in so many lines gets to the next round
FINALISTS = 3  # and the last one has so many at most
MOST_LINES = 2000


def balancing_moves(position: Position, moves: list[int], count: int, worth: int,
                    limits: Limits) -> tuple[Line, Optional[int]]:
    """The next `count` of these legal moves after which the position is worth that, and its score.

    The score is that for the side that is to move now; it is the nearest that was found in the
    limits, None if there was no time for any.  In each round all lines are searched, and those that
    come nearest get to the next one, where each is searched longer.  Raises ValueError if all moves
    end the game.
    """
    player = cast(AnalysingPlayer, make_player("alphabeta", Settings(memory=8)))
    end = inf if limits.seconds is None else time.monotonic() + limits.seconds
    lines = lines_of(position, moves, count)
    if not lines:
        raise ValueError("all moves end the game")
    best, score = lines[0], None
    while True:
        player.settings.nodes = ROUND_NODES // len(lines) + 1
        found: dict[Line, int] = {}
        for line in lines:
            if any(limits.stop):
                break
            after = after_moves(position, line)
            value = judge(after, player, Limits(limits.stop))[0]
            if any(limits.stop) or time.monotonic() > end:
                break
            found[line] = value if after.side == position.side else -value
        near = sorted(found, key=lambda line: abs(found[line] - worth))
        if near:
            best, score = near[0], found[near[0]]
        if len(near) < len(lines) or len(lines) <= FINALISTS:
            return best, score
        lines = near[:max(len(near) // SURVIVORS, FINALISTS)]


def lines_of(position: Position, moves: list[int], count: int) -> list[Line]:
    """The lines of `count` of these legal moves that do not end the game.

    Moves that are near stones, if there are any; on an empty board all.  Of very many lines, some
    from all over the board.
    """
    lines: list[Line] = [()]
    for _ in range(count):
        longer = []
        for line in lines:
            after = after_moves(position, line)
            legal = sorted({*moves}.intersection(after.legal_moves()))
            near = [] if after.vacant == len(after.lattice.points) else sorted(
                {*near_stones(after)}.intersection(legal))
            longer += [(*line, move) for move in near or legal
                       if not after_moves(after, (move,)).outcome]
        lines = longer
    return lines[::len(lines) // MOST_LINES + 1]


def after_moves(position: Position, moves: Line) -> Position:
    """The position after these moves in turn."""
    after = position.copy()
    for move in moves:
        after.play(after.side, move)
    return after
