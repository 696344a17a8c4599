"""What alpha-beta searches where rows are as long as the board; a perfect first player of 4x4x4."""

from math import copysign, tanh
from typing import TYPE_CHECKING, Optional

from ..games import catalogue
from ..games.lattice import BLACK, Lattice, opponent
from ..games.rules import Position, Rules
from . import Settings
from .weighing import SURE

if TYPE_CHECKING:
    import numpy as np

    from ..kernels.lines import Tally

ROOT_THREATS = 100_000  # nodes of the first search for threats
TABLE_ENTRY = 24  # bytes
UNIT = 100  # score of a position that is won with odds of e to 1, roughly: it says little


class SpanningSearch:
    """A position of tic-tac-toe, in the plane or in a cube, that is searched depth by depth.

    Unless `by_strategy`, the table of the moves that win 4x4x4 is not used.
    """

    numbers: "np.ndarray"  # as in kernels.lines.Tally

    def __init__(self, settings: Settings, by_strategy: bool = True):
        self.settings, self.by_strategy = settings, by_strategy
        self._known: Optional[tuple[Rules, Lattice, int]] = None
        self._tally: Optional["Tally"] = None
        self._plan: dict[bytes, int] = {}

    def begin(self, position: Position, stop: bytearray) -> Optional[int]:
        """Get ready to search a position with more than one legal move.

        Returns the move, if a search for threats or the strategy knows one that wins.  Otherwise
        the kernels are loaded, and numbers[BEST] is the move that looks best.
        """
        from ..kernels import node
        from ..kernels.forcing import first_threat, forced_win
        from ..kernels.proof import generate
        from ..kernels.spanning import follow_spanning, search_spanning
        from . import strategy
        from .boards import announce
        announce(forced_win)
        if self.by_strategy and position.rules == catalogue.QUBIC:
            move = strategy.load().winning_move(position, ROOT_THREATS, self._plan)
            if move is not None:
                return move
        announce(search_spanning)
        self.show(position, stop)
        tally, colour, numbers = self._arrays[0], self._colour, self.numbers
        numbers[node.THREAT_NODES] = ROOT_THREATS
        if forced_win(tally, colour):
            return int(first_threat(tally))
        search_spanning(*self._arrays, 0, -node.MATE, node.MATE, 0, colour)  # loads it
        follow_spanning(tally, colour, self._line[:0])
        numbers[node.STOPPED] = 0
        matter = generate(tally, 0, colour, -1)  # none if neither side can complete a row
        numbers[node.BEST] = tally.moves[0, 0] if matter else position.legal_moves()[0]
        return None

    def winning_line(self, position: Position, first: int, stop: bytearray) -> tuple[int, ...]:
        """The moves of a win that begins with `first`, as far as the answers to them are forced."""
        move: Optional[int] = first
        game, line = position.copy(), list[int]()
        while move is not None:
            line.append(move)
            game.play(game.side, move)
            answers = [point for point in game.legal_moves()
                       if game.wins(opponent(game.side), point)]
            if not answers:
                break
            line.append(answers[0])
            game.play(game.side, answers[0])
            move = None if game.outcome else self.begin(game, stop)
        return tuple(line)

    def show(self, position: Position, stop: bytearray) -> None:
        """Search this position from now on."""
        import numpy as np

        from ..kernels import node
        tally = self._prepared(position)
        self.numbers, self._colour = tally.numbers, position.side - BLACK
        self._arrays = tally, np.frombuffer(stop, np.uint8)
        self._line = np.zeros(position.vacant, np.int64)
        self.numbers[:node.AGE] = 0

    def order(self, moves: list[int]) -> list[int]:
        """The moves, those on the most rows first."""
        tally = self._arrays[0]
        return sorted(moves, key=lambda move: (-tally.degree[move], move))

    def look(self, depth: int, score: int) -> int:
        """Search to that depth; returns the score, numbers[BEST] is the move that goes with it."""
        from ..kernels import node
        from ..kernels.spanning import search_spanning
        return search_spanning(*self._arrays, depth, -node.MATE, node.MATE, 0, self._colour)

    def line(self) -> list[int]:
        """numbers[BEST] and the moves after it, as far as the transposition table has them."""
        from ..kernels.spanning import follow_spanning
        return self._line[:follow_spanning(self._arrays[0], self._colour, self._line)].tolist()

    def value(self, score: int) -> float:
        """What a score is worth, from -1 to 1."""
        from ..kernels.node import WON
        return copysign(1, score) if abs(score) > WON else SURE * tanh(score / (2 * UNIT))

    def _prepared(self, position: Position) -> "Tally":
        from .boards import show, tally_of
        known = position.rules, position.lattice, self.settings.memory
        if self._tally is None or self._known != known:
            bits = (self.settings.memory * (1 << 20) // TABLE_ENTRY).bit_length() - 1
            self._known, self._tally = known, tally_of(position, bits, symmetric=False)
        show(position, self._tally)
        return self._tally
