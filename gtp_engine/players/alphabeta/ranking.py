"""The best moves of a position in the plane: each search leaves out the moves found before."""

from ...games.rules import Position
from ...kernels.control import MATE
from ..base import Report, candidates
from .move_values import expected
from .plane_search import PlaneSearch


class Ranking:
    """The best `number` of some moves, by repeated searches.

    moves   these moves, the best one first; before the first search, the most promising ones
    scores  their scores, in the same descending order, as far as there are any
    lines   by move, the principal variation that begins with it
    """

    def __init__(self, search: PlaneSearch, position: Position, moves: list[int], number: int):
        self._search, self._position = search, position
        self._choice, self._empty = search.order(moves), {*candidates(position)}
        self.moves = self._choice[:number]
        self.scores: dict[int, int] = {}
        self.lines: dict[int, tuple[int, ...]] = {}

    def deepen(self, depth: int) -> bool:
        """Search the best moves to that depth; False if the time ends before all are searched."""
        search, ranked, complete = self._search, dict[int, int](), True
        while len(ranked) < len(self.moves) and complete:
            left = [move for move in [*self.moves, *self._choice] if move not in ranked]
            search.bar(self._empty.difference(left))
            search.best = left[0]
            before = self.scores.get(left[0], 0)
            score, best, complete = search.look(depth, before)
            if not complete:
                if ranked or best == left[0]:
                    break
                score = before  # a better move, but by an unknown margin
            ranked[best] = score
            self.lines[best] = expected(self._position, search.line())
        scores, least, number = {**self.scores, **ranked}, MATE, len(self.moves)
        self.moves = [*ranked, *(move for move in self.moves if move not in ranked)][:number]
        self.scores = {}
        for move in self.moves:
            if move in scores:
                self.scores[move] = least = min(scores[move], least)
        return complete

    def is_decided(self, depth: int) -> bool:
        """Are all scores final, since all moves win or lose within `depth` plies?"""
        return all(depth >= MATE - abs(score) for score in self.scores.values())

    def report(self, depth: int) -> Report:
        """The results of a search of that depth."""
        best, search = self.moves[0], self._search
        lines = {move: self.lines[move] for move in self.scores}
        figures = {"depth": depth, "score": self.scores.get(best, 0), "nodes": search.nodes}
        return Report(lines.get(best, (best,)),
                      {move: search.value(score) for move, score in self.scores.items()},
                      {}, figures, lines, self.scores)
