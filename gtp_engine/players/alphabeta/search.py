"""The interface of a search for players and solvers, in the plane and on lines."""

from abc import ABC, abstractmethod
from math import copysign, tanh
from typing import Any, ContextManager, NamedTuple, Optional

from ...games.rules import Position
from ...kernels import Call
from ...kernels.control import WON

SURE = 0.999  # the highest value without a proof
NO_LIMIT = 1 << 60  # nodes


class SearchResult(NamedTuple):
    """The result of a search to one depth.

    score     the score for the side to move; above WON or below -WON it is proved
    best      the best move
    complete  False if a flag or the node limit ended the search; then `best` is the best move so
              far, and `score` is meaningless
    """

    score: int
    best: int
    complete: bool


class Search(ABC):
    """A search of one position, depth by depth.

    score_unit  the score of a position that is won with odds of e to 1
    """

    score_unit: int
    _control: Any  # the record shared with the running kernel, see kernels.control

    @abstractmethod
    def begin(self, position: Position, stop: bytearray) -> Optional[int]:
        """Prepare the search of a position with more than one legal move; sets `best`.

        Returns the move if it needs no search.
        """

    @abstractmethod
    def set_position(self, position: Position, stop: bytearray) -> None:
        """Set the position to search; `nodes` becomes 0."""

    @abstractmethod
    def look(self, depth: int, guess: int) -> SearchResult:
        """Search to `depth`, with an expected score near `guess`."""

    @abstractmethod
    def prove(self, plies: int) -> int:
        """Search for a complete proof of a win in at most `plies` plies; its plies, or 0."""

    @abstractmethod
    def win_by_fours(self, plies: int, nodes: int) -> int:
        """Search `nodes` nodes for a win by continuous fours within `plies` plies.

        Returns its plies and sets `best` to its first move; 0 if none is found.
        """

    @abstractmethod
    def proved_win(self) -> int:
        """The plies of a win without a search, or 0."""

    @abstractmethod
    def winning_line(self) -> tuple[int, ...]:
        """The moves of a proved win, with the longest defence."""

    @abstractmethod
    def line(self) -> list[int]:
        """The principal variation, as far as it is known."""

    @abstractmethod
    def order(self, moves: list[int]) -> list[int]:
        """The moves, the most promising one first."""

    @abstractmethod
    def helped(self) -> ContextManager[None]:
        """Let further threads, if any, search the position while the context is open."""

    @abstractmethod
    def calls(self, position: Position) -> list[Call]:
        """The kernel calls of a search of this position, for `load`."""

    @property
    def nodes(self) -> int:
        """Nodes searched since `set_position`."""
        return int(self._control.nodes)

    @property
    def node_limit(self) -> int:
        """The limit of nodes since `set_position`."""
        return int(self._control.node_limit)

    @node_limit.setter
    def node_limit(self, nodes: int) -> None:
        self._control.node_limit = nodes

    @property
    def best(self) -> int:
        """The best move so far; another thread may read it during a search."""
        return int(self._control.best)

    @best.setter
    def best(self, move: int) -> None:
        self._control.best = move

    def result(self, score: int) -> SearchResult:
        """The result of a search with this score."""
        return SearchResult(int(score), self.best, not self._control.stopped)

    def go_on(self) -> None:
        """Allow a search that its node limit ended to continue."""
        self._control.stopped = 0

    def value(self, score: int) -> float:
        """The value of a score, from -1 to 1: the expected result."""
        return (copysign(1, score) if abs(score) > WON
                else SURE * tanh(score / (2 * self.score_unit)))
