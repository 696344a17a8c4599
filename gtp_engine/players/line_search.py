"""What alpha-beta searches where rows are as long as the board; a perfect first player of 4x4x4."""

from math import copysign, tanh
from typing import TYPE_CHECKING, Optional

from ..games import catalogue
from ..games.lattice import BLACK, Lattice
from ..games.rules import Position, Rules
from . import Settings
from .move_values import SURE

if TYPE_CHECKING:
    import numpy as np

    from ..kernels.lines import Tally

ROOT_THREATS = 100_000  # nodes of the first search for threats
PROOF_THREATS = 20_000  # and of those for the shortest win
LONGEST_WIN = 65  # plies of threats and answers
MOST_WINS = 10_000  # positions that are remembered
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
        self._won: tuple[int, ...] = ()
        self._wins: dict[bytes, tuple[int, ...]] = {}

    def begin(self, position: Position, stop: bytearray) -> Optional[int]:
        """Get ready to search a position with more than one legal move.

        Returns the move, if the strategy knows one that wins, but no search for threats.  Otherwise
        the kernels are loaded, and numbers[BEST] is the move that looks best.
        """
        from ..kernels import node
        from ..kernels.forcing import ANY_NUMBER, forced_win
        from ..kernels.proof import generate
        from ..kernels.spanning import follow_spanning, search_spanning
        from . import strategy
        from .adapters import announce
        announce(forced_win)
        self.show(position, stop)
        tally, colour, numbers = self._arrays[0], self._colour, self.numbers
        self._won, move = self._wins.get(self._key(), ()), None
        if self._won:
            return None
        if self.by_strategy and position.rules == catalogue.QUBIC:
            move = strategy.load().winning_move(position, ROOT_THREATS, self._plan)
            stones = 0 if move is None else LONGEST_WIN
        else:
            numbers[node.THREAT_NODES] = ROOT_THREATS
            stones = forced_win(tally, colour, ANY_NUMBER)
        if stones and self._win_by_threats(stones):
            return None
        if move is not None:
            return move
        announce(search_spanning)
        search_spanning(*self._arrays, 0, -node.MATE, node.MATE, 0, colour)  # loads it
        follow_spanning(tally, colour, self._line[:0])
        numbers[node.STOPPED] = 0
        matter = generate(tally, 0, colour, -1)  # none if neither side can complete a row
        numbers[node.BEST] = tally.moves[0, 0] if matter else position.legal_moves()[0]
        return None

    def known_win(self) -> int:
        """The plies of a win by threats in the position, or 0."""
        return len(self._won)

    def winning_line(self, position: Position) -> tuple[int, ...]:
        """The moves of a win that was proved, with the defence that holds longest."""
        return self._won

    def prove(self, plies: int) -> int:
        """Find a whole proof of a win in so many plies at most: by threats, if need be after
        numbers[BEST] and any answer to it.

        Returns its plies, or 0 if there is none or it takes too long.  What is proved is remembered
        for the positions to come.
        """
        from ..kernels import lines, node
        tally, colour, best = self._arrays[0], self._colour, int(self.numbers[node.BEST])
        if self._win_by_threats(plies):
            self.numbers[node.BEST] = self._won[0]
            return len(self._won)
        lines.make(tally, 0, best, colour)
        longest: tuple[int, ...] = ()
        whole = not lines.wins_at(tally, 1 - colour, tally.out)
        for reply in [int(point) for point in tally.points if tally.cells[point] == 0]:
            lines.make(tally, 1, reply, 1 - colour)
            whole = whole and self._win_by_threats(plies - 2)
            lines.unmake(tally, 1, reply, 1 - colour)
            if not whole:
                break
            longest = max(longest, (best, reply, *self._won), key=len)
        lines.unmake(tally, 0, best, colour)
        self._won = longest if whole else ()
        return len(self._won)

    def _win_by_threats(self, most: int) -> bool:
        # Is there a win by threats in so many plies?  Then the shortest is remembered.
        from ..kernels import node
        from ..kernels.forcing import forced_win
        tally, colour = self._arrays[0], self._colour
        for threats in range(max(1, (most - 1) // 2)):
            self.numbers[node.THREAT_NODES] = PROOF_THREATS
            stones = forced_win(tally, colour, threats)
            if 0 < stones <= most:
                pairs = [tally.pairs[ply, last].tolist() for ply, last in enumerate(
                    tally.tried[:max(1, stones // 2), 1])]
                self._remember([point for pair in pairs for point in pair][:-1], stones)
                return True
        return False

    def _remember(self, moves: list[int], stones: int) -> None:
        # Remember a win in all its positions.  After these moves there are two threats at once.
        from ..kernels import lines
        tally, colour, keys = self._arrays[0], self._colour, []
        for number, point in enumerate(moves):
            keys.append(self._key())
            lines.make(tally, number + 2, point, (colour + number) & 1)
        if stones > 1:
            lines.wins_at(tally, colour, tally.out)
            moves = [*moves, *tally.out[:2].tolist()]
        if len(self._wins) > MOST_WINS:
            self._wins.clear()
        for number in range(len(keys) - 1, -1, -1):
            lines.unmake(tally, number + 2, moves[number], (colour + number) & 1)
        self._won = tuple(moves)
        for number in range(0, len(keys), 2):
            self._wins[keys[number]] = self._won[number:]

    def _key(self) -> bytes:
        # The position, with the colour that is searched to move.
        tally = self._arrays[0]
        return tally.cells[tally.points].tobytes() + bytes([self._colour])

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
        from .adapters import show, tally_of
        known = position.rules, position.lattice, self.settings.memory
        if self._tally is None or self._known != known:
            bits = (self.settings.memory * (1 << 20) // TABLE_ENTRY).bit_length() - 1
            self._known, self._tally = known, tally_of(position, bits, symmetric=False)
        show(position, self._tally)
        return self._tally
