"""Values for all moves of a position, by searches that go deeper for the best moves."""

from math import copysign
from typing import Optional, Sequence

from ...games.rules import Position
from ...kernels.control import MATE, WON
from ..base import Report
from .search import SURE, Search

DEEPER = 10  # number of moves searched deeper than two plies


class Weighing:
    """The values of moves for the side to move, by a search.

    values  by move, -1 lost, 0 even, 1 won
    scores  by move, the score of the last depth, if any
    lines   by move, the principal variation that begins with it
    nodes   number of nodes searched
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
        """The move of the highest value; moves without a value come before lost ones."""
        return max(self.moves, key=lambda move: self.values.get(move, -SURE))

    def deepen(self, depth: int) -> bool:
        """Compute values by searches of that depth after each move; from depth 2 on, of the best.

        Afterwards these are at least as good as moves with a shallower search.  Returns False if
        time or nodes run out, or if all relevant moves are decided.
        """
        values, done = dict(self.values), set[int]()
        while True:
            best = sorted(self.moves, key=lambda move: -values.get(move, 0))
            todo = [move for move in (best[:DEEPER] if depth > 1 else best)
                    if move not in done and abs(values.get(move, 0)) < 1]
            if not todo:
                self.values = values
                return bool(done)
            for move in todo:
                if not self._value(move, depth, values):
                    self.values = self.values or values
                    return False
            done.update(todo)

    def _value(self, move: int, depth: int, values: dict[int, float]) -> bool:
        # Put the value of a move into `values`; False if the search was interrupted.
        search, after = self.search, self.position.copy()
        after.play(after.side, move)
        if after.outcome:
            won = after.outcome.winner == self.position.side
            values[move], self.scores[move] = float(won), won * (MATE - 1)
            return True
        search.set_position(after, self.stop)
        search.node_limit = self.most_nodes - self.nodes
        before, last = search.look(depth - 1, 0), search.look(depth, 0)
        self.nodes += search.nodes
        if not last.complete:
            return False
        values[move] = smooth(search.value(-before.score), search.value(-last.score))
        score = -last.score
        self.scores[move] = score if abs(score) <= WON else int(copysign(abs(score) - 1, score))
        self.lines[move] = (move, *expected(after, search.line()))
        return True


def plies_of(score: int) -> Optional[int]:
    """The plies to the end of the game of a decisive score, None for other scores."""
    return MATE - abs(score) if abs(score) > WON else None


def by_endurance(report: Report) -> list[int]:
    """The moves of a report, best first: of wins the shortest, of losses the longest."""
    def rank(move: int) -> tuple[float, int]:
        value, plies = report.values[move], plies_of(report.scores.get(move, 0))
        return value, 0 if plies is None else -plies if value > 0 else plies

    return sorted(report.values, key=rank, reverse=True)


def smooth(before: float, last: float) -> float:
    """The mean of the values of two successive depths: the side with the last move looks better."""
    return last if abs(last) == 1 else (before + last) / 2


def expected(position: Position, moves: Sequence[int]) -> tuple[int, ...]:
    """The longest playable beginning of these moves, up to the end of the game."""
    game = position.copy()
    for number, move in enumerate(moves):
        if game.complaint(game.side, move):
            return tuple(moves[:number])
        game.play(game.side, move)
    return tuple(moves)
