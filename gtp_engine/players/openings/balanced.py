"""Openings that leave both sides about even."""

import time
from math import inf
from random import Random
from typing import Optional, cast

from ...games.rules import Position
from ..base import AnalysingPlayer, Limits, Settings
from ..first_moves import even_first_stones
from ..quick_moves import near_stones
from ..registry import make_player

JUDGE_NODES = 5000  # of the search that judges an opening
EVEN_SCORE = 15  # a score that hardly favours a side


def judge(position: Position, player: AnalysingPlayer, limits: Limits) -> tuple[int, int]:
    """The score for the side to move, and the best move, of a search in the plane."""
    if not position.history:
        return 0, player.choose(position, limits)
    player.look_ahead(position, limits)
    return player.report.figures.get("score", 0), player.report.line[0]


def even_opening(empty: Position, rng: Random, stop: bytearray, even: int,
                 stones: Optional[int] = None, seconds: Optional[float] = None,
                 tries: float = inf) -> Position:
    """A position after some random moves where a short search gives neither side more than `even`.

    By default three to six moves, each near the others.  After so many seconds, if any, so many
    tries or once `stop` is set, the most even of the positions that were looked at.  A single stone
    is put anywhere.
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
        kept = position.copy()
        kept.setup([])  # what the stones are worth where they are, whoever may still swap
        score = abs(judge(kept, player, Limits(bytearray(2)))[0])
        if score < least:
            best, least = position, score
    return best


Line = tuple[int, ...]  # moves in turn


def even_stones(empty: Position, count: int, rng: Random, limits: Limits) -> Line:
    """So many first moves of a game in which the opponent may take over what they make.

    It is about even: a single stone as games have shown, more as far as that can be found within
    the limits.
    """
    known = even_first_stones(empty) if count == 1 else []
    if known:
        return (rng.choice(known),)
    opened = even_opening(empty, rng, limits.stop, EVEN_SCORE, count, limits.seconds)
    return tuple(record.point for record in opened.history[len(empty.history):])
