"""Values for all moves of a position, by searches that get deeper where moves look good."""

from math import copysign
from typing import Optional, Sequence

from ...games.rules import Position
from ...kernels.control import MATE, WON
from ..base import Report
from .search import SURE, Search

DEEPER = 10  # so many moves are looked at deeper than two plies


class Weighing:
    """What moves are worth to the side to move, by a search that is ready for the position.

    values  by move, -1 lost, 0 even, 1 won
    scores  by move the score of the last depth, as far as known
    lines   by move, the moves that are expected, itself the first
    nodes   how many were searched
    """

    def __init__(self, search: Search, position: Position, moves: list[int], stop: bytearray,
                 most_nodes: int):
        self.search, self.position, self.moves, self.stop = search, position, moves, stop
        self.most_nodes, self.nodes = most_nodes, 0
        self.values: dict[int, float] = {}
        self.scores: dict[int, int] = {}
        self.lines: dict[int, tuple[int, ...]] = {move: (move,) for move in moves}

    @property
    def best(self) -> int:
        """The move of the highest value; what is not known to lose is better than what does."""
        return max(self.moves, key=lambda move: self.values.get(move, -SURE))

    def deepen(self, depth: int) -> bool:
        """Find values by searches of that depth after each move, from depth 2 on for the best only.

        Those are at least as good afterwards as the ones that were not looked at so deep.  False if
        nothing came of it: time or nodes were over, or all that matters is decided.
        """
        found, done = dict(self.values), set[int]()
        while True:
            best = sorted(self.moves, key=lambda move: -found.get(move, 0))
            todo = [move for move in (best[:DEEPER] if depth > 1 else best)
                    if move not in done and abs(found.get(move, 0)) < 1]
            if not todo:
                self.values = found
                return bool(done)
            for move in todo:
                if not self._value(move, depth, found):
                    self.values = self.values or found
                    return False
            done.update(todo)

    def _value(self, move: int, depth: int, found: dict[int, float]) -> bool:
        # Put the value of a move into `found`; False if it was not found in time.
        search, after = self.search, self.position.copy()
        after.play(after.side, move)
        if after.outcome:
            won = after.outcome.winner == self.position.side
            found[move], self.scores[move] = float(won), won * (MATE - 1)
            return True
        search.show(after, self.stop)
        search.node_limit = self.most_nodes - self.nodes
        before, last = search.look(depth - 1, 0), search.look(depth, 0)
        self.nodes += search.nodes
        if not last.complete:
            return False
        found[move] = smooth(search.value(-before.score), search.value(-last.score))
        score = -last.score
        self.scores[move] = score if abs(score) <= WON else int(copysign(abs(score) - 1, score))
        self.lines[move] = (move, *expected(after, search.line()))
        return True


def plies_of(score: int) -> Optional[int]:
    """The plies to the end of the game that a score tells of, None if it tells of none."""
    return MATE - abs(score) if abs(score) > WON else None


def by_endurance(report: Report) -> list[int]:
    """The moves of a report, the best one first: quick wins before others, and of moves that lose
    those that hold longest."""
    def rank(move: int) -> tuple[float, int]:
        value, plies = report.values[move], plies_of(report.scores.get(move, 0))
        return value, 0 if plies is None else -plies if value > 0 else plies

    return sorted(report.values, key=rank, reverse=True)


def smooth(before: float, last: float) -> float:
    """The value by two depths, one ply apart: whoever has the last move looks better than it is."""
    return last if abs(last) == 1 else (before + last) / 2


def expected(position: Position, moves: Sequence[int]) -> tuple[int, ...]:
    """The moves as far as they can be played in turn; the game is over at the end at most."""
    game = position.copy()
    for number, move in enumerate(moves):
        if game.complaint(game.side, move):
            return tuple(moves[:number])
        game.play(game.side, move)
    return tuple(moves)
