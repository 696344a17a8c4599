"""Wins by threats, and moves that hold them off: what puzzles are made and solved with."""

from typing import Iterable, Iterator, NamedTuple, Optional, Union

from ..games.rules import Position, Rules
from ..players.alphabeta.line_search import LineSearch
from ..players.alphabeta.plane_search import PlaneSearch
from ..players.alphabeta.search import NO_LIMIT
from ..players.base import Settings

LONGEST_WIN = 13  # plies of a win that is looked for
FOURS_NODES = 2000  # of a search for a win by fours
MEMORY = 4  # MB


class Win(NamedTuple):
    """A win by threats that is proved: its plies, and the moves with the longest defence; `fours`
    says whether threats to win at once are enough."""

    plies: int
    line: tuple[int, ...]
    fours: bool


class Prover:
    """Proofs in positions of one game."""

    def __init__(self, rules: Rules):
        settings = Settings(memory=MEMORY)
        self.search: Union[LineSearch, PlaneSearch] = (
            LineSearch(settings, by_strategy=False) if rules.row_fills_board()
            else PlaneSearch(settings))
        self._stop = bytearray(2)

    def forget(self, position: Position) -> None:
        """Forget the wins of other positions, since they need not be the shortest."""
        self.search.begin(position, self._stop)

    def order(self, position: Position) -> list[int]:
        """The legal moves, those that look best first."""
        self.search.set_position(position, self._stop)
        return self.search.order(position.legal_moves())

    def win(self, position: Position, most: int = LONGEST_WIN, threes: bool = True
            ) -> Optional[Win]:
        """The shortest win that is found for the side to move, in so many plies at most; unless
        `threes`, by fours alone."""
        search = self.search
        if isinstance(search, LineSearch):
            search.begin(position, self._stop)
            plies = search.prove(min(search.proved_win(), most)) if search.proved_win() else 0
            return Win(plies, search.winning_line(), True) if plies else None
        search.set_position(position, self._stop)
        search.node_limit = NO_LIMIT
        fours = self._fours(most)
        plies = search.prove(fours or most) if fours or threes else 0
        if not plies:
            return None
        return Win(plies, search.winning_line(), fours == plies)

    def _fours(self, most: int) -> int:
        # The plies of the shortest win by fours, 0 if there is none.
        assert isinstance(self.search, PlaneSearch)
        found = self.search.win_by_fours(most, FOURS_NODES)
        for plies in range(1, found, 2):
            if self.search.win_by_fours(plies, FOURS_NODES):
                return plies
        return found

    def answers(self, position: Position, most: int, first: Iterable[int] = ()
                ) -> Iterator[tuple[int, Optional[Win]]]:
        """The legal moves, each with the win in so many plies at most that the other side then has,
        None if none is found; those in `first` are tried before the others.

        If the other side threatens to win at once, moves that cannot change that are left out.  The
        position is unchanged between two moves.
        """
        side = position.side
        for move in self._relevant(position, first):
            position.play(side, move)
            if position.outcome is None:
                found = self.win(position, most)
            else:
                found = Win(0, (), True) if position.outcome.winner == 3 - side else None
            position.undo()
            yield move, found

    def is_held(self, position: Position, most: int, first: Iterable[int] = ()) -> Optional[int]:
        """A move after which the other side has no win in so many plies at most, if one is found.
        """
        return next((move for move, win in self.answers(position, most, first) if win is None),
                    None)

    def _relevant(self, position: Position, first: Iterable[int]) -> list[int]:
        # The legal moves that may hold: if the other side threatens to win at once, those that
        # end that, win or could change more than their point.
        side, rules = position.side, position.rules
        legal = position.legal_moves()
        ordered = [*dict.fromkeys((*(move for move in first if move in legal), *legal))]
        if rules.capture_lengths or rules.caro:
            return ordered
        other = 3 - side
        threats = {move for move in position.lattice.points
                   if position.cells[move] == 0 and position.wins(other, move)
                   and not position.forbidden(other, move)}
        if not threats:
            return ordered
        return [move for move in ordered if move in threats or position.wins(side, move)]

    def proved(self, position: Position, nodes: int) -> int:
        """1 if a search of so many nodes proves that the side to move wins, -1 if it loses, else 0.
        """
        search = self.search
        search.begin(position, self._stop)
        search.node_limit = nodes
        score = 0
        for depth in range(1, position.vacant):
            found = search.look(depth, score)
            if not found.complete:
                break
            value = search.value(found.score)
            if abs(value) == 1:
                return int(value)
            score = found.score
        return 0
