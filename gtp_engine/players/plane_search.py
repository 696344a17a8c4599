"""What alpha-beta searches in the plane, where five in a row win."""

from math import copysign, tanh
from typing import TYPE_CHECKING, Iterable, Optional

from ..games.lattice import BLACK
from ..games.rules import Position
from . import Settings, candidates
from .move_values import SURE

if TYPE_CHECKING:
    import numpy as np

    from ..kernels.board import Geometry
    from ..kernels.node import Search
    from .weights import Weights

TABLE_ENTRY = 16  # bytes
WINDOW = 60  # half the width of the first window around the last score
THREATS_FROM_DEPTH = 4  # what is won by fewer plies is found without a search for threats
ROOT_FOURS = 40
LONGEST_LINE = 32  # moves that are told
THREAT_SHARE = 4  # the search for threats makes at most one in so many moves
PROOF_NODES = 20_000  # moves of a search for a proof, beyond as many as were made so far


class PlaneSearch:
    """A position of Gomoku or Pente that is searched, one depth after the other.

    The features named in `off`, of kernels.node.FEATURES, are not used.  Without `weights` they
    are those that belong to the game.
    """

    numbers: "np.ndarray"  # as in kernels.node.Search

    def __init__(self, settings: Settings, off: Iterable[str] = (),
                 weights: Optional["Weights"] = None):
        self.settings = settings
        self.off = tuple(off)
        self.weights = weights
        self._known: tuple = ()
        self._proofs = self._won = 0
        self._geometry: Optional["Geometry"] = None
        self.search: Optional["Search"] = None

    def begin(self, position: Position, stop: bytearray) -> Optional[int]:
        """Get ready to search a position with more than one legal move.

        The kernels are loaded, and numbers[BEST] is the move that looks best.  Returns the only
        move that does not lose at once, if it is the only one and no win is known.
        """
        from ..kernels import node, threats
        from ..kernels.search import follow, search_root
        from .adapters import announce
        announce(search_root)
        self.show(position, stop)
        arrays, colour, numbers = self._arrays, self._colour, self.numbers
        board, geometry, search, _ = arrays
        numbers[node.BEST] = best = self.order(candidates(position))[0]
        search_root(*arrays, 0, 0, WINDOW, colour)  # loads it
        threats.win_by_threats(*arrays, 0, node.LONGEST, 0, colour)
        follow(board, geometry, search, colour, self._line[:0])
        threats.follow_win(board, geometry, search, colour, self._line[:0])
        numbers[node.BEST] = best
        if numbers[node.KNOWN + colour] >= node.MOST_WINS:
            node.forget(search, colour)
        self._won = self._win_at_hand()
        numbers[node.STOPPED] = 0
        if self._won:
            return None
        node.forget(search, colour)
        if (not threats.wins_at(board, geometry, search, colour, search.threats)
                and threats.wins_at(board, geometry, search, 1 - colour, search.threats) == 1
                and not (position.rules.capture_lengths or position.rules.caro)):
            return int(search.threats[0])
        return None

    def show(self, position: Position, stop: bytearray) -> None:
        """Search this position from now on."""
        import numpy as np

        from ..kernels import node
        from .adapters import board_of
        geometry, search = self._prepared(position)
        board, self.numbers, self._colour = (
            board_of(geometry, position), search.numbers, position.side - BLACK)
        self._arrays = board, geometry, search, np.frombuffer(stop, np.uint8)
        self._line = np.zeros(LONGEST_LINE, np.int64)
        node.start(board, geometry, search)
        self.numbers[:node.AGE] = 0
        self.numbers[node.OFF] = sum(1 << node.FEATURES.index(name) for name in self.off)

    def order(self, moves: list[int]) -> list[int]:
        """The moves, the one that looks best first."""
        from ..kernels.search import rank
        board, geometry, search, _ = self._arrays
        return sorted(moves, key=lambda move: (
            -rank(board, geometry, search, 0, self._colour, move), move))

    def look(self, depth: int, score: int) -> int:
        """Search to that depth, first in a window around `score`, and then for threats that win.

        Returns the new score; numbers[BEST] is the move that goes with it.  `prove` knows of wins
        by threats.
        """
        from ..kernels import node
        from ..kernels.search import search_root
        numbers, colour = self.numbers, self._colour
        score = search_root(*self._arrays, depth, score, WINDOW, colour)
        if depth >= THREATS_FROM_DEPTH and abs(score) < node.WON and not numbers[node.STOPPED]:
            best = numbers[node.BEST]
            numbers[node.THREAT_NODES] = numbers[node.NODES] // THREAT_SHARE
            end = self._wins_by_threats(depth)
            if end:
                return node.MATE - end
            numbers[node.BEST] = best
        return score

    def prove(self, plies: int) -> int:
        """Find a whole proof of a win in so many plies at most, and the shortest that is near.

        Returns its plies, numbers[BEST] its first move; 0, and BEST unchanged, if there is none or
        it takes too many moves.  What is proved is remembered for the positions to come.
        """
        from ..kernels import node, threats
        numbers, colour = self.numbers, self._colour
        best = numbers[node.BEST]
        self._proofs += 1
        numbers[node.PROOF] = self._proofs
        numbers[node.THREAT_NODES] = PROOF_NODES + numbers[node.NODES]

        def wins(last: int) -> int:
            return threats.win_by_threats(*self._arrays, node.LONGEST, last, 0, colour)

        known, shorter = wins(plies), 1
        numbers[node.THREAT_NODES] = (PROOF_NODES + numbers[node.NODES]) // THREAT_SHARE
        while 0 < shorter < known and numbers[node.THREAT_NODES] > 0:
            known = wins(shorter) or known
            shorter += 2
        complete = numbers[node.KNOWN + colour] < node.MOST_WINS
        known = wins(known) if known and complete else 0
        numbers[node.PROOF] = 0
        if not known:
            numbers[node.BEST] = best
        return known

    def known_win(self) -> int:
        """The plies of a win that needs no search, since it was proved in an earlier position or
        takes at most three, or 0; see `prove`."""
        return self._won and self.prove(self._won)

    def _win_at_hand(self) -> int:
        from ..kernels import node, threats
        numbers, search, colour = self.numbers, self._arrays[2], self._colour
        self._proofs += 1
        numbers[node.PROOF] = self._proofs
        numbers[node.THREAT_NODES] = 0
        plies = int(node.recall(search, colour)) >> 16 or int(
            threats.win_by_fours(*self._arrays, 3, 0, colour))
        numbers[node.PROOF] = 0
        return plies

    def winning_line(self, position: Position) -> tuple[int, ...]:
        """The moves of a win that was proved, with the defence that holds longest."""
        from ..kernels.threats import follow_win
        board, geometry, search, _ = self._arrays
        count = follow_win(board, geometry, search, self._colour, self._line)
        return tuple(self._line[:count].tolist())

    def line(self) -> list[int]:
        """numbers[BEST] and the moves after it, as far as the transposition table has them."""
        from ..kernels.search import follow
        board, geometry, search, _ = self._arrays
        return self._line[:follow(board, geometry, search, self._colour, self._line)].tolist()

    def value(self, score: int) -> float:
        """What a score is worth, from -1 to 1: the expected result."""
        from ..kernels.node import WON
        from .weights import UNIT
        return copysign(1, score) if abs(score) > WON else SURE * tanh(score / (2 * UNIT))

    def _wins_by_threats(self, depth: int) -> int:
        from ..kernels import node, threats
        if "threats" in self.off:
            return 0
        self.numbers[node.PROOF] = self._proofs = self._proofs + 1
        if depth == THREATS_FROM_DEPTH:
            end = threats.win_by_fours(*self._arrays, 2 * ROOT_FOURS + 1, 0, self._colour)
        else:
            end = threats.win_by_threats(
                *self._arrays, depth - THREATS_FROM_DEPTH, node.LONGEST, 0, self._colour)
        self.numbers[node.PROOF] = 0
        return end

    def _prepared(self, position: Position) -> tuple["Geometry", "Search"]:
        from ..kernels import node
        from .adapters import geometry_of
        from .weights import load
        rules, lattice = position.rules, position.lattice
        known = rules, lattice, self.settings.memory
        if self.search is None or self._geometry is None or self._known != known:
            bits = (self.settings.memory * (1 << 20) // TABLE_ENTRY).bit_length() - 1
            geometry = geometry_of(rules, lattice)
            self.search = node.make_search(geometry, self.weights or load(rules), bits,
                                           not rules.overline_wins)
            self._known, self._geometry = known, geometry
        return self._geometry, self.search
