"""Opening books: collections of games and libraries of RenLib, as moves to play."""

from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Optional, cast

from ...games.rules import Position, Rules
from ...records import renlib
from ...records.collection import SUFFIX, Collection
from ..base import AnalysingPlayer, Limits, Settings
from ..registry import complaint, make_player
from .balanced import JUDGE_NODES, judge

LIBRARY = ".lib"
LEAST_GAMES = 3  # of a move in a collection; in a library every move counts
# Loss of score in a short search from which a move is not played.  Such searches rate mirrored
# moves up to 70 apart.
OBJECTION = 150


class Book:
    """Moves by position, up to symmetry, from a collection of games or a library."""

    def __init__(self, path: Path):
        """Open a collection or a library.  Raises OSError and ValueError."""
        suffix = path.suffix.lower()
        if suffix not in (LIBRARY, SUFFIX):
            raise ValueError(
                f"a book is a library ({LIBRARY}) or a collection ({SUFFIX}), not {path}")
        with path.open("rb") as file:
            if suffix == LIBRARY:
                renlib.check_header(file.read(renlib.HEADER))
        self._path = path
        self._collection = Collection(path) if suffix == SUFFIX else None
        self._libraries: dict[Rules, Collection] = {}
        self._judge = cast(AnalysingPlayer, make_player(
            "alphabeta", Settings(nodes=JUDGE_NODES, memory=1)))

    def games_of(self, rules: Rules) -> tuple[Collection, int]:
        """The games for these rules, and the least number of games of a move.

        A library names no rules, so it is read at the first call for each.
        """
        if self._collection:
            return self._collection, LEAST_GAMES
        if rules not in self._libraries:
            self._libraries[rules] = Collection()
            for _ in self._libraries[rules].index([self._path], rules):
                pass
        return self._libraries[rules], 1

    def weights(self, position: Position) -> dict[int, tuple[float, int]]:
        """By move, its weight and its number of games.

        The weight is the points of the side that played it; a game without a result counts half.
        """
        found = {}
        games, least = self.games_of(position.rules)
        for answer in games.answers(position):
            open_games = answer.games - answer.won - answer.drawn - answer.lost
            weight = answer.won + (answer.drawn + open_games) / 2
            if answer.games >= least and weight > 0:
                legal = [point for point in answer.points
                         if not position.complaint(position.side, point)]
                found.update({point: (weight / len(legal), answer.games) for point in legal})
        return found

    def choose(self, position: Position, rng: Random, stop: bytearray
               ) -> Optional[tuple[int, int]]:
        """A move by weight and its number of games.

        None if the position is not in the book, or a short search rates the move OBJECTION below
        its best one.
        """
        weights = self.weights(position)
        if not weights:
            return None
        move = rng.choices([*weights], [weight for weight, _ in weights.values()])[0]
        if not self._objects(position, move, stop):
            return move, weights[move][1]
        return None

    def _objects(self, position: Position, move: int, stop: bytearray) -> bool:
        if position.rules.row_fills_board() or not position.history or complaint(
                "alphabeta", position.rules, position.lattice):
            return False
        limits = Limits(stop)
        best, choice = judge(position, self._judge, limits)
        if choice == move:
            return False
        after = position.copy()
        after.play(after.side, move)
        if after.outcome:
            return after.outcome.winner != position.side
        return best + judge(after, self._judge, limits)[0] > OBJECTION


@lru_cache(maxsize=4)
def open_book(path: str) -> Book:
    """The book of a file, always the same object.  Raises OSError and ValueError."""
    return Book(Path(path))
