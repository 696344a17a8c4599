"""How a level of alphabeta below full strength chooses its moves.

It looks around the last stones, judges moves by the rows that they belong to or by a shallow
search, and chooses among those that look about as good as the best one.  No level overlooks a move
that wins at once, neither its own nor one of the other side.
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

BLIND = ("fours", "threats")  # features of the search that see further than a level may
GROWTH = 4.0  # a row with one stone more is worth so many times as much
DEFENCE = 0.8  # what a row of the other side is worth, in rows of one's own
CAPTURED = 40.0  # what a captured stone is worth
NEAR = 2  # steps between a stone and the points around it
DEFENDERS = 40  # moves that are tried against a threat
THREAT_NODES = 2_000  # of a search for threats
NO_TIME = 1e6  # seconds where there is no limit


class LevelPlay:
    """The choices of all levels below FULL_STRENGTH."""

    def __init__(self, settings: Settings, tuning: Tuning):
        self.settings, own = settings, replace(settings, memory=1, threads=1)
        self.plane = PlaneSearch(own, tuning._replace(off=(*tuning.off, *BLIND)))
        self.lines = LineSearch(own, by_strategy=False)

    def choose(self, position: Position, level: Level, limits: Limits) -> Report:
        """A report on the position whose line is the move of that level.

        The generator of the settings decides among moves that look about equally good; nodes and
        depth of the settings may end the search earlier.  The position is unchanged.
        """
        if not have_meaning(position.rules):
            say_so(position.rules.name)
        search: Search = self.lines if position.rules.row_fills_board() else self.plane
        moves = urgent(position) or seen(search, position, level, limits.stop)
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
        # Values of the moves by a search after each of them, as deep as the level looks.
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
def say_so(game: str) -> None:
    """Say, once in a process, that levels mean little in this game."""
    logging.getLogger(__name__).warning(
        "levels mean little in %s: whoever looks two moves ahead plays as well as all others", game)


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


def seen(search: Search, position: Position, level: Level, stop: bytearray) -> list[int]:
    """The moves among which a level chooses where nobody wins at once.

    The first move of a win that it sees; else what stops a win of the other side that it sees, or
    where nothing stops that, a shorter one, or one of several; else the points around the last
    stones.
    """
    moves = attended(position, level.attention)
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
