"""Openings that leave both sides about even."""

import time
from random import Random
from typing import Optional

from ..games.rules import Position
from . import Limits, Settings
from .alphabeta import AlphaBeta
from .policy import near_stones

NODES = 5000  # of the search that judges an opening
EVEN = 15  # a score that hardly favours a side


def judge(position: Position, player: AlphaBeta, limits: Limits) -> tuple[int, int]:
    """The score for the side to move, and the best move, of a search in the plane."""
    if not position.history:
        return 0, player.choose(position, limits)
    player.look_ahead(position, limits)
    return player.report.figures.get("score", 0), player.report.line[0]


def even_opening(empty: Position, rng: Random, stop: bytearray, even: int,
                 stones: Optional[int] = None, seconds: float = 1e9) -> Position:
    """A position after some random moves where a short search gives neither side more than `even`.

    By default three to six moves, each near the others.  After so many seconds, or once `stop` is
    set, the most even of the positions that were looked at.  A single stone is put anywhere.
    """
    player = AlphaBeta(Settings(rng=rng, nodes=NODES, memory=1))
    end, best, least = time.monotonic() + seconds, empty, 1 << 60
    while least > even and (best is empty or time.monotonic() < end and not any(stop)):
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
