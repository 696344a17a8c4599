"""Proofs of wins by threats and of defences, for making and solving puzzles."""

from typing import Iterable, Iterator, NamedTuple, Optional, Union

from ..games.rules import Position, Rules
from ..players.alphabeta.line_search import LineSearch
from ..players.alphabeta.plane_search import PlaneSearch
from ..players.alphabeta.search import NO_LIMIT
from ..players.base import Settings

LONGEST_WIN = 13  # plies of a win to search for
FOURS_NODES = 2000  # node limit of a search for a win by fours
MEMORY = 4  # MB


class Win(NamedTuple):
    """A proved win by threats: its plies, and its line with the longest defence.

    fours  whether all threats are fours
    """

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

    def reset(self, position: Position) -> None:
        """Drop the stored wins of other positions, which need not be the shortest."""
        self.search.begin(position, self._stop)

    def order(self, position: Position) -> list[int]:
        """The legal moves, the most promising first."""
        self.search.set_position(position, self._stop)
        return self.search.order(position.legal_moves())

    def win(self, position: Position, most: int = LONGEST_WIN, threes: bool = True
            ) -> Optional[Win]:
        """Search for a short win of the side to move in at most `most` plies; by fours alone unless
        `threes`."""
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
        # The plies of the shortest win by fours, or 0.
        assert isinstance(self.search, PlaneSearch)
        longest = self.search.win_by_fours(most, FOURS_NODES)
        for plies in range(1, longest, 2):
            if self.search.win_by_fours(plies, FOURS_NODES):
                return plies
        return longest

    def answers(self, position: Position, most: int, first: Iterable[int] = ()
                ) -> Iterator[tuple[int, Optional[Win]]]:
        """Yield the legal moves, those in `first` before the others, each with the other side's win
        in at most `most` plies, or None.

        If the other side threatens to win at once, skips moves that do not prevent that.  Restores
        the position between two moves.
        """
        side = position.side
        for move in self._relevant(position, first):
            position.play(side, move)
            if position.outcome is None:
                win = self.win(position, most)
            else:
                win = Win(0, (), True) if position.outcome.winner == 3 - side else None
            position.undo()
            yield move, win

    def defence(self, position: Position, most: int, first: Iterable[int] = ()) -> Optional[int]:
        """A move after which the other side has no win in at most `most` plies, or None."""
        return next((move for move, win in self.answers(position, most, first) if win is None),
                    None)

    def _relevant(self, position: Position, first: Iterable[int]) -> list[int]:
        # The legal moves that may be a defence.  Against a threat to win at once, only moves that
        # block it or win; all moves in games where moves can capture or rows can be blocked.
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

    def proved_value(self, position: Position, nodes: int) -> int:
        """1 if a search of `nodes` nodes proves a win of the side to move, -1 for a loss, else 0.
        """
        search = self.search
        search.begin(position, self._stop)
        search.node_limit = nodes
        score = 0
        for depth in range(1, position.vacant):
            result = search.look(depth, score)
            if not result.complete:
                break
            value = search.value(result.score)
            if abs(value) == 1:
                return int(value)
            score = result.score
        return 0
