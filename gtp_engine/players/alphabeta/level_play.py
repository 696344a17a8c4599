"""The choice of moves at the levels of alphabeta below full strength.

A level considers moves around the last stones.  It rates them by the rows through their points or
by a shallow search, and chooses among those about as good as the best one.  No level overlooks an
immediate win of either side.
"""

import logging
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ...games.lattice import EMPTY, Lattice, opponent
from ...games.rules import Position, Rules
from ..base import Limits, Report, Settings, alarm, candidates
from ..playout_policy import block_fork, block_open_four, block_win, win
from .levels import Level, have_meaning
from .line_search import LineSearch
from .move_values import Weighing
from .plane_search import PlaneSearch
from .search import Search
from .weights import Tuning

BLIND = ("fours", "threats")  # disabled features of the search: they look further than a level
GROWTH = 4.0  # the factor of a row's worth for each stone
DEFENCE = 0.8  # the worth of an opponent's row relative to an own row
CAPTURED = 40.0  # the worth of a captured stone
NEAR = 2  # steps between a stone and the points around it
DEFENDERS = 40  # moves tried against a threat
THREAT_NODES = 2_000  # nodes of a threat search
NO_TIME = 1e6  # seconds without a limit


class LevelPlay:
    """The choices of all levels below FULL_STRENGTH."""

    def __init__(self, settings: Settings, tuning: Tuning):
        self.settings, own = settings, replace(settings, memory=1, threads=1)
        self.plane = PlaneSearch(own, tuning._replace(off=(*tuning.off, *BLIND)))
        self.lines = LineSearch(own, by_strategy=False)

    def choose(self, position: Position, level: Level, limits: Limits) -> Report:
        """Choose the move of that level; returns a report whose line begins with it.

        The choice among about equal moves is random.  The settings' nodes and depth may end the
        search earlier.  The position is unchanged.
        """
        if not have_meaning(position.rules):
            warn_of_equal_levels(position.rules.name)
        search: Search = self.lines if position.rules.row_fills_board() else self.plane
        moves = urgent_moves(position) or considered_moves(search, position, level, limits.stop)
        looks = impressions(position)
        moves = sorted(moves, key=lambda move: -looks[move])[:level.width]
        values = {move: looks[move] / looks[moves[0]] for move in moves}
        report = Report()
        if level.depth and len(moves) > 1:
            report = self._compared(search, position, moves, level, limits)
            values = {**dict.fromkeys(moves, -1.0), **report.values} if report.values else values
        least = max(values.values()) - level.budget
        move = self.settings.rng.choice([move for move in moves if values[move] >= least])
        return report._replace(
            line=report.lines.get(move, (move,)),
            values={other: min(value, values[move]) for other, value in report.values.items()})

    def _compared(self, search: Search, position: Position, moves: list[int], level: Level,
                  limits: Limits) -> Report:
        # The values of the moves, by a search of the level's depth after each of them.
        own = self.settings
        depth = min(level.depth, own.depth or level.depth, position.vacant)
        weighing = Weighing(search, position, moves, limits.stop,
                            min(level.nodes, own.nodes or level.nodes))
        with alarm(limits.stop, NO_TIME if limits.seconds is None else limits.seconds):
            for plies in range(1, depth + 1):
                if not weighing.deepen(plies):
                    break
        return Report((), weighing.values, {}, {"depth": depth, "nodes": weighing.nodes},
                      weighing.lines)


@lru_cache
def warn_of_equal_levels(game: str) -> None:
    """Warn, once in a process, that levels mean little in this game."""
    logging.getLogger(__name__).warning(
        "levels mean little in %s: a player that looks two moves ahead plays as well as any other",
        game)


def urgent_moves(position: Position) -> list[int]:
    """An immediate win; else the moves that leave the opponent the fewest immediate wins.

    Empty if neither side could win at once.  The position is unchanged.
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


def considered_moves(search: Search, position: Position, level: Level, stop: bytearray
                     ) -> list[int]:
    """The moves among which a level chooses if neither side wins at once.

    The first of these lists that is not empty:

    1. the first move of a win within the level's sight
    2. moves that stop a win of the opponent within its sight, or if there are none a shorter win,
       or one of several wins
    3. the points around the last stones; also if the opponent has no win within its sight
    """
    moves = near_last_stones(position, level.attention)
    if level.sight == 1:
        return moves
    if winning := threat(search, position, level.sight, stop):
        return [winning]
    other = position.copy()
    other.set_side(opponent(position.side))
    if other.outcome or not threat(search, other, level.sight, stop):
        return moves
    looks, after = impressions(position), {}
    for move in sorted(candidates(position), key=lambda move: -looks[move])[:DEFENDERS]:
        after[move] = position.copy()
        after[move].play(position.side, move)
    for plies in range(level.sight, 1, -2):
        if safe := [move for move, board in after.items()
                    if board.outcome or not threat(search, board, plies, stop)]:
            return safe
    stop_one = block_fork if position.rules.row_fills_board() else block_open_four
    return stop_one(position, candidates(position)) or moves


def threat(search: Search, position: Position, plies: int, stop: bytearray) -> int:
    """The first move of a win by fours within `plies` plies for the side to move, or 0."""
    search.set_position(position, stop)
    return search.best if search.win_by_fours(plies, THREAT_NODES) else 0


def near_last_stones(position: Position, number: int) -> list[int]:
    """The candidate points within NEAR steps of the last `number` stones.

    All candidates on boards as long as a row, or if none is near.
    """
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
    """By point, the first impression of a stone of the side to move.

    It counts the rows that the stone extends or stops, and stones that it captures or saves.
    """
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
    values: list[float] = (looks + 1).tolist()
    return values


@lru_cache(maxsize=8)
def rows_of(rules: Rules, lattice: Lattice) -> np.ndarray:
    """int64[rows, in a row], the points of every possible winning row."""
    return np.array([*lattice.lines(rules.in_a_row)], np.int64).reshape(-1, rules.in_a_row)
