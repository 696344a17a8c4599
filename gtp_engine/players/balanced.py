"""Openings and moves that leave both sides about even."""

import time
from math import inf
from random import Random
from typing import Optional, cast

from ..games.rules import Position
from .base import Analyst, Limits, Settings
from .first_moves import even_first_stones
from .policy import near_stones
from .registry import make_player

NODES = 5000  # of the search that judges an opening
ROUND = 600_000  # of all the searches together that judge the lines of a round
SURVIVORS = 4  # one in so many lines gets to the next round
FINALISTS = 3  # and the last one has so many at most
MOST_LINES = 2000
EVEN = 15  # a score that hardly favours a side


def judge(position: Position, player: Analyst, limits: Limits) -> tuple[int, int]:
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
    player = cast(Analyst, make_player("alphabeta", Settings(rng=rng, nodes=NODES, memory=1)))
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
    opened = even_opening(empty, rng, limits.stop, EVEN, count, limits.seconds)
    return tuple(record.point for record in opened.history[len(empty.history):])


def balancing_moves(position: Position, moves: list[int], count: int, worth: int,
                    limits: Limits) -> tuple[Line, Optional[int]]:
    """The next `count` of these legal moves after which the position is worth that, and its score.

    The score is that for the side that is to move now; it is the nearest that was found in the
    limits, None if there was no time for any.  In each round all lines are searched, and those that
    come nearest get to the next one, where each is searched longer.  Raises ValueError if all moves
    end the game.
    """
    player = cast(Analyst, make_player("alphabeta", Settings(memory=8)))
    end = inf if limits.seconds is None else time.monotonic() + limits.seconds
    lines = lines_of(position, moves, count)
    if not lines:
        raise ValueError("all moves end the game")
    best, score = lines[0], None
    while True:
        player.settings.nodes = ROUND // len(lines) + 1
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
