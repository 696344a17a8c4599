"""The best moves of a position in the plane, by one search for each that leaves out the others."""

from ...games.rules import Position
from ...kernels.control import MATE
from ..base import Report, candidates
from .move_values import expected
from .plane_search import PlaneSearch


class Ranking:
    """The best `number` of some moves, by a search that is ready for the position.

    moves   these moves, the best one first; in the beginning those that look best
    scores  their scores, in the same order, as far as known; none is above the one before
    lines   by move the moves that are expected, itself the first
    """

    def __init__(self, search: PlaneSearch, position: Position, moves: list[int], number: int):
        self._search, self._position = search, position
        self._choice, self._empty = search.order(moves), {*candidates(position)}
        self.moves = self._choice[:number]
        self.scores: dict[int, int] = {}
        self.lines: dict[int, tuple[int, ...]] = {}

    def deepen(self, depth: int) -> bool:
        """Search all to that depth, or as many as there is time for; False if there was none for
        some."""
        search, found, complete = self._search, dict[int, int](), True
        while len(found) < len(self.moves) and complete:
            left = [move for move in [*self.moves, *self._choice] if move not in found]
            search.bar(self._empty.difference(left))
            search.best = left[0]
            before = self.scores.get(left[0], 0)
            score, best, complete = search.look(depth, before)
            if not complete:
                if found or best == left[0]:
                    break
                score = before  # a better move, but nobody knows how much better
            found[best] = score
            self.lines[best] = expected(self._position, search.line())
        known, least, number = {**self.scores, **found}, MATE, len(self.moves)
        self.moves = [*found, *(move for move in self.moves if move not in found)][:number]
        self.scores = {}
        for move in self.moves:
            if move in known:
                self.scores[move] = least = min(known[move], least)
        return complete

    def is_decided(self, depth: int) -> bool:
        """Does no search deeper than that change anything, since all moves win or lose?"""
        return all(depth >= MATE - abs(score) for score in self.scores.values())

    def report(self, depth: int) -> Report:
        """What is known after a search of that depth."""
        best, search = self.moves[0], self._search
        lines = {move: self.lines[move] for move in self.scores}
        figures = {"depth": depth, "score": self.scores.get(best, 0), "nodes": search.nodes}
        return Report(lines.get(best, (best,)),
                      {move: search.value(score) for move, score in self.scores.items()},
                      {}, figures, lines, self.scores)
