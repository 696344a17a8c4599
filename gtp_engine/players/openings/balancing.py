"""Moves that bring a position to a given score."""

import time
from math import inf
from typing import Optional, cast

from ...games.rules import Position
from ..base import AnalysingPlayer, Limits, Settings
from ..quick_moves import near_stones
from ..registry import make_player
from .balanced import Line, judge

ROUND_NODES = 600_000  # total nodes of the searches of one round
SURVIVORS = 4  # one of SURVIVORS lines reaches the next round
FINALISTS = 3  # lines of the last round, at most
MOST_LINES = 2000


def balancing_moves(position: Position, moves: list[int], count: int, worth: int,
                    limits: Limits) -> tuple[Line, Optional[int]]:
    """Search for `count` of these legal moves that bring the score nearest to `worth`.

    Returns the moves and the score for the side to move now, None if the time ends before the first
    score.  Each round searches all its lines.  The lines nearest to `worth` reach the next round,
    which searches each of them longer.  Raises ValueError if all moves end the game.
    """
    player = cast(AnalysingPlayer, make_player("alphabeta", Settings(memory=8)))
    end = inf if limits.seconds is None else time.monotonic() + limits.seconds
    lines = lines_of(position, moves, count)
    if not lines:
        raise ValueError("all moves end the game")
    best, score = lines[0], None
    while True:
        player.settings.nodes = ROUND_NODES // len(lines) + 1
        scores: dict[Line, int] = {}
        for line in lines:
            if any(limits.stop):
                break
            after = after_moves(position, line)
            value = judge(after, player, Limits(limits.stop))[0]
            if any(limits.stop) or time.monotonic() > end:
                break
            scores[line] = value if after.side == position.side else -value
        near = sorted(scores, key=lambda line: abs(scores[line] - worth))
        if near:
            best, score = near[0], scores[near[0]]
        if len(near) < len(lines) or len(lines) <= FINALISTS:
            return best, score
        lines = near[:max(len(near) // SURVIVORS, FINALISTS)]


def lines_of(position: Position, moves: list[int], count: int) -> list[Line]:
    """The lines of `count` of these legal moves that do not end the game.

    Moves near stones are preferred; on an empty board all moves count.  From more than MOST_LINES
    lines, takes a sample from all over the board.
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
