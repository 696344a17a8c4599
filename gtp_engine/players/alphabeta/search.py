"""What players and solvers ask of a search: the facade of alpha-beta in the plane and in lines."""

from abc import ABC, abstractmethod
from math import copysign, tanh
from typing import Any, ContextManager, NamedTuple, Optional

from ...games.rules import Position
from ...kernels import Call
from ...kernels.control import WON

SURE = 0.999  # the highest value of what is not proved
NO_LIMIT = 1 << 60  # nodes


class Found(NamedTuple):
    """What a search to some depth has found.

    score     for the side to move; beyond WON in either direction it is proved
    best      the best move
    complete  False if a flag or the node limit has ended it: `best` is the best move so far then,
              and `score` says nothing
    """

    score: int
    best: int
    complete: bool


class Search(ABC):
    """A position that is searched, one depth after the other.

    score_unit  the score of a position that is won with odds of e to 1
    """

    score_unit: int
    _control: Any  # what a kernel shares with us while it runs, see kernels.control

    @abstractmethod
    def begin(self, position: Position, stop: bytearray) -> Optional[int]:
        """Get ready to search a position with more than one legal move; `best` is one of them.

        Returns the move if no search is needed to find it.
        """

    @abstractmethod
    def show(self, position: Position, stop: bytearray) -> None:
        """Search this position from now on; `nodes` is 0."""

    @abstractmethod
    def look(self, depth: int, guess: int) -> Found:
        """Search to that depth, where the score is expected to be near `guess`."""

    @abstractmethod
    def prove(self, plies: int) -> int:
        """Find a whole proof of a win in at most so many plies; its plies, 0 if there is none."""

    @abstractmethod
    def win_by_fours(self, plies: int, nodes: int) -> int:
        """The plies of a win by threats to complete a row, one after the other, within so many; 0
        if so many nodes show none.  `best` is its first move."""

    @abstractmethod
    def known_win(self) -> int:
        """The plies of a win that is known without a search, or 0."""

    @abstractmethod
    def winning_line(self) -> tuple[int, ...]:
        """The moves of a win that was proved, with the defence that holds longest."""

    @abstractmethod
    def line(self) -> list[int]:
        """The best move and the moves after it, as far as they are known."""

    @abstractmethod
    def order(self, moves: list[int]) -> list[int]:
        """The moves, the one that looks best first."""

    @abstractmethod
    def helped(self) -> ContextManager[None]:
        """While this lasts, further threads search the position, too, if there are any."""

    @abstractmethod
    def calls(self, position: Position) -> list[Call]:
        """The calls of kernels that a search of this position makes, to be loaded."""

    @property
    def nodes(self) -> int:
        """Nodes searched since `show`."""
        return int(self._control.nodes)

    @property
    def node_limit(self) -> int:
        """How many nodes may be searched from `show` on."""
        return int(self._control.node_limit)

    @node_limit.setter
    def node_limit(self, nodes: int) -> None:
        self._control.node_limit = nodes

    @property
    def best(self) -> int:
        """The best move so far; another thread may ask for it during a search."""
        return int(self._control.best)

    @best.setter
    def best(self, move: int) -> None:
        self._control.best = move

    def found(self, score: int) -> Found:
        """What a search with that score has found, as far as it got."""
        return Found(int(score), self.best, not self._control.stopped)

    def go_on(self) -> None:
        """A search that was ended by its node limit may be continued."""
        self._control.stopped = 0

    def value(self, score: int) -> float:
        """What a score is worth, from -1 to 1: the expected result."""
        return (copysign(1, score) if abs(score) > WON
                else SURE * tanh(score / (2 * self.score_unit)))
