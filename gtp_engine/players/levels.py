"""Players for people: ten levels of alphabeta, each of which sees more than the one below.

A level is a row of LEVELS.  It looks around the last stones, judges moves by the rows that they
belong to or by a shallow search, and chooses among those that look about as good as the best one.
No level overlooks a row that wins at once, of its own or of the other side.
"""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, Optional, Sequence

import numpy as np

from ..games.lattice import EMPTY, Lattice, opponent
from ..games.rules import Position, Rules
from .base import FULL_STRENGTH, Limits, Report, Settings, alarm, candidates
from .line_search import LineSearch
from .move_values import Weighing
from .plane_search import PlaneSearch
from .playout_policy import block_win, win
from .search import Search
from .weights import Tuning

BLIND = ("fours", "threats")  # features of the search that see further than a level may
GROWTH = 4.0  # a row with one stone more is worth so many times as much
DEFENCE = 0.8  # what a row of the other side is worth, in rows of one's own
CAPTURED = 40.0  # what a captured stone is worth
NEAR = 2  # steps between a stone and the points around it
DEFENDERS = 40  # moves that are tried against a threat
THREAT_NODES = 2_000  # of a search for threats
NO_TIME = 1e6  # seconds where there is no limit


class Level(NamedTuple):
    """What a level sees, and how it chooses.

    name       for people
    attention  it looks for moves around so many of the last stones; all points where rows are as
               long as the board
    sight      plies of the longest win by fours that it sees, for itself and for the other side
    width      moves that it compares
    depth      plies that it looks ahead; 0: it goes by its first impression
    nodes      that it visits at most
    budget     what a move may be worth less than the best one: a part of its impression, or the
               value of a search, from -1 for lost to 1 for won
    """

    name: str
    attention: int
    sight: int
    width: int
    depth: int
    nodes: int
    budget: float


LEVELS = (
    Level("beginner", 2, 1, 8, 0, 0, 0.6),
    Level("novice", 3, 1, 8, 0, 0, 0.45),
    Level("casual", 4, 3, 8, 0, 0, 0.2),
    Level("improver", 8, 5, 8, 0, 0, 0.05),
    Level("club player", 8, 5, 6, 1, 2_000, 0.3),
    Level("good player", 12, 7, 8, 1, 2_000, 0.08),
    Level("strong player", 16, 9, 10, 2, 4_000, 0.05),
    Level("expert", 40, 15, 16, 4, 20_000, 0.03),
    Level("master", 400, 21, 20, 6, 40_000, 0.02),
)


class Levels:
    """The choices of all levels below FULL_STRENGTH."""

    def __init__(self, settings: Settings, tuning: Tuning):
        self.settings, own = settings, replace(settings, memory=1, threads=1)
        self.plane = PlaneSearch(own, tuning._replace(off=(*tuning.off, *BLIND)))
        self.lines = LineSearch(own, by_strategy=False)

    def choose(self, position: Position, level: Level, limits: Limits) -> Report:
        """A report on the position whose line is the move of that level.

        The generator of the settings decides among moves that look about equally good; their
        nodes may end the search earlier.  The position is unchanged.
        """
        search: Search = self.lines if position.rules.row_fills_board() else self.plane
        moves = urgent(position)
        if len(moves) == 1:
            return Report((moves[0],))
        if not moves:
            moves = attended(position, level.attention)
            if level.sight > 1:
                winning = threat(search, position, level.sight, limits.stop)
                if winning:
                    return Report((winning,))
                moves = self._defended(search, position, moves, level.sight, limits.stop)
        looks = impressions(position)
        moves = sorted(moves, key=lambda move: -looks[move])[:level.width]
        values, nodes = {move: looks[move] / looks[moves[0]] for move in moves}, 0
        shown: dict[int, float] = {}
        if level.depth and len(moves) > 1:
            nodes = min(level.nodes, self.settings.nodes or level.nodes)
            weighing = Weighing(search, position, moves, limits.stop, nodes)
            seconds = NO_TIME if limits.seconds is None else limits.seconds
            with alarm(limits.stop, seconds):
                for depth in range(1, min(level.depth, self.settings.depth or level.depth,
                                          position.vacant) + 1):
                    if not weighing.deepen(depth):
                        break
            shown, nodes = weighing.values, weighing.nodes
            values = {move: shown.get(move, -1.0) for move in moves} if shown else values
        best = max(values.values())
        move = self.settings.rng.choice([move for move in moves if values[move] >= best - level.budget])
        return Report((move,), shown, {}, {"depth": level.depth, "nodes": nodes})

    def _defended(self, search: Search, position: Position, moves: list[int], sight: int,
                  stop: bytearray) -> list[int]:
        # Those of the moves, or else of all, after which the other side has no win in sight.
        other = position.copy()
        other.set_side(opponent(position.side))
        if other.outcome or not threat(search, other, sight, stop):
            return moves
        looks = impressions(position)
        every = sorted(candidates(position), key=lambda move: -looks[move])
        safe = []
        for move in every[:DEFENDERS]:
            after = position.copy()
            after.play(after.side, move)
            if after.outcome or not threat(search, after, sight, stop):
                safe.append(move)
        return safe or moves


def urgent(position: Position) -> list[int]:
    """The moves that win at once; else those that keep the other side from it, on as many points
    as can be; none if neither side could win.

    The position is unchanged.
    """
    legal = candidates(position)
    if wins := win(position, legal):
        return wins[:1]
    left, blocks = {}, block_win(position, legal)
    for move in blocks:
        position.play(position.side, move)
        left[move] = len(win(position, position.legal_moves()))
        position.undo()
    return [move for move in blocks if left[move] == min(left.values())]


def threat(search: Search, position: Position, plies: int, stop: bytearray) -> int:
    """The first move of a win by fours within so many plies for the side to move, 0 if none is
    found."""
    search.show(position, stop)
    return search.best if search.win_by_fours(plies, THREAT_NODES) else 0


def attended(position: Position, number: int) -> list[int]:
    """The points where a stone may be put, near so many of the last stones; all where rows are as
    long as the board, or nothing is near."""
    moves = candidates(position)
    if position.rules.row_fills_board():
        return moves
    lattice, cells = position.lattice, position.cells
    last = [record.point for record in reversed(position.moves) if cells[record.point] != EMPTY]
    stones = last[:number] or [point for point in lattice.points if cells[point] != EMPTY]
    near = {(x + right, y + up) for x, y, _ in map(lattice.coordinates, stones)
            for right in range(-NEAR, NEAR + 1) for up in range(-NEAR, NEAR + 1)}
    return [move for move in moves if lattice.coordinates(move)[:2] in near] or moves


def impressions(position: Position) -> list[float]:
    """By point what a stone of the side to move looks worth: the rows that it lengthens or stops,
    and stones that it captures or saves."""
    rows = rows_of(position.rules, position.lattice)
    cells, side = np.frombuffer(position.cells, np.uint8), position.side
    own, theirs = ((cells[rows] == colour).sum(axis=1) for colour in (side, opponent(side)))
    worth = np.where(theirs == 0, GROWTH ** own, 0) + np.where(
        own == 0, DEFENCE * GROWTH ** theirs, 0)
    looks = np.zeros(cells.size)
    np.add.at(looks, rows, worth[:, None])
    if position.rules.capture_lengths:
        for point in candidates(position):
            looks[point] += CAPTURED * (len(position.captures(side, point)) + DEFENCE * len(
                position.captures(opponent(side), point)))
    found: list[float] = (looks + 1).tolist()
    return found


@lru_cache(maxsize=8)
def rows_of(rules: Rules, lattice: Lattice) -> np.ndarray:
    """int64[rows, in a row], the points of every row that could win."""
    return np.array([*lattice.lines(rules.in_a_row)], np.int64).reshape(-1, rules.in_a_row)


def level_of(number: int) -> Optional[Level]:
    """The row of a level, None for FULL_STRENGTH."""
    return None if number == FULL_STRENGTH else LEVELS[number - 1]


def names() -> Sequence[str]:
    """The names of the levels, from 1 on."""
    return (*(level.name for level in LEVELS), "full strength")
