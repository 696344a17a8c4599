"""Openings that favour neither side."""

import time
from math import inf
from random import Random
from typing import Optional, cast

from ...games.rules import Position
from ..base import AnalysingPlayer, Limits, Settings
from ..first_moves import even_first_stones
from ..quick_moves import near_stones
from ..registry import make_player

JUDGE_NODES = 5000  # nodes of the search that rates an opening
EVEN_SCORE = 15  # the greatest score of an even opening


def judge(position: Position, player: AnalysingPlayer, limits: Limits) -> tuple[int, int]:
    """Search a position in the plane: the score for the side to move, and the best move."""
    if not position.history:
        return 0, player.choose(position, limits)
    player.look_ahead(position, limits)
    return player.report.figures.get("score", 0), player.report.line[0]


def even_opening(empty: Position, rng: Random, stop: bytearray, even: int,
                 stones: Optional[int] = None, seconds: Optional[float] = None,
                 tries: float = inf) -> Position:
    """A position after random moves that a short search rates within `even` for either side.

    The number of moves is `stones`, by default three to six.  Each move is near the others; a
    single stone is put anywhere.  After `seconds` seconds or `tries` tries, or once `stop` is set,
    returns the most even position so far.
    """
    settings = Settings(rng=rng, nodes=JUDGE_NODES, memory=1)
    player = cast(AnalysingPlayer, make_player("alphabeta", settings))
    end = inf if seconds is None else time.monotonic() + seconds
    best, least = empty, 1 << 60
    tried = 0
    while least > even and (best is empty or tried < tries and time.monotonic() < end
                            and not any(stop)):
        tried += 1
        position = empty.copy()
        for _ in range(stones or rng.randint(3, 6)):
            if not position.outcome:
                moves = position.legal_moves() if stones == 1 else near_stones(position)
                position.play(position.side, rng.choice(moves))
        if position.outcome:
            continue
        without_swap = position.copy()
        without_swap.setup([])  # rates the stones as they are, without a later swap
        score = abs(judge(without_swap, player, Limits(bytearray(2)))[0])
        if score < least:
            best, least = position, score
    return best


Line = tuple[int, ...]  # moves in turn


def even_stones(empty: Position, count: int, rng: Random, limits: Limits) -> Line:
    """About even first `count` moves of a game in which the opponent may swap afterwards.

    A single stone comes from the book of first moves, more stones from a search within the limits.
    """
    stones = even_first_stones(empty) if count == 1 else []
    if stones:
        return (rng.choice(stones),)
    opened = even_opening(empty, rng, limits.stop, EVEN_SCORE, count, limits.seconds)
    return tuple(record.point for record in opened.history[len(empty.history):])
