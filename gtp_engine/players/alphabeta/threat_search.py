"""Searches for wins by threats, and the trees of these wins."""

from functools import cached_property
from typing import Any, Iterator, Optional

import numpy as np

from ...games.lattice import BLACK, WHITE
from ...games.rules import Position
from ...kernels import Call
from ...kernels.plane.dfpn import SURE, prove
from ...kernels.plane.moves import rank_all
from ...kernels.plane.state import LONGEST_PATH, make, unmake
from ...kernels.plane.threat_tree import plies_of, write_tree
from ...kernels.plane.win_table import clear_wins
from ..base import Settings
from ..proofs.win_trees import Reach, WinTree, joined
from .plane_search import PlaneSearch
from .search import NO_LIMIT

CHECK_NODES = 100_000  # nodes of a search for the threats of a proof
MOST_NUMBERS = 1 << 24  # numbers of a tree of `write_tree`, at most


class ThreatWin:
    """A win by threats, as `write_tree` writes it.

    plies  the most plies to the winning row
    """

    def __init__(self, numbers: np.ndarray):
        self._numbers = numbers
        self.plies = int(plies_of(numbers, 0)[1])

    @property
    def tree(self) -> WinTree:
        """The tree of the win."""
        return self._read[0]

    @property
    def reach(self) -> Reach:
        """The reach of the tree."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[WinTree, Reach]:
        return _read(iter(self._numbers.tolist()))


class ThreatSearch(PlaneSearch):
    """A search for wins by threats, in games without captures and forbidden points.

    After `set_position`, moves may be played and taken back.  Wins are stored until the next
    `set_position`, which clears all stored results.  So results depend only on the position and the
    calls.

    threat_nodes  the nodes of the last `wins`
    """

    def __init__(self, settings: Settings):
        super().__init__(settings)
        self.threat_nodes = 0
        self._numbers = np.zeros(MOST_NUMBERS, np.int16)

    def set_position(self, position: Position, stop: bytearray) -> None:
        """Set the position to search."""
        super().set_position(position, stop)
        board, geometry, search, _ = self._arrays
        for colour in range(2):
            clear_wins(search, colour)
        search.keys.fill(0)
        search.entries.fill(0)
        search.control[0]["age"] = 0
        self._played: list[tuple[int, int]] = []
        self._after_pass: Optional[_Results] = None
        self._answers = np.zeros((LONGEST_PATH, search.barred.size), np.uint8)
        self.remember()

    def remember(self) -> None:
        """Store wins from now on, and remove the node limit."""
        self._control.stopped, self._control.proof = 0, 1
        self._control.node_limit, self._control.passed = NO_LIMIT, 0

    def play(self, point: int, colour: int) -> None:
        """Put a stone on an empty point."""
        board, geometry, search, _ = self._arrays
        make(board, geometry, search, len(self._played), point, colour - BLACK)
        self._played.append((point, colour - BLACK))

    def take_back(self) -> None:
        """Take back the last stone played."""
        board, geometry, search, _ = self._arrays
        unmake(board, geometry, search, len(self._played) - 1, *self._played.pop())

    def wins(self, colour: int, nodes: int, plies: int = LONGEST_PATH) -> bool:
        """Does a search of `nodes` nodes find a win by threats of `colour`, the side to move?

        The win takes at most `plies` plies.
        """
        control, ply = self._control, len(self._played)
        control.threat_nodes = nodes
        won = prove(*self._arrays, min(ply + plies, LONGEST_PATH), ply, colour - BLACK,
                    colour - BLACK, SURE, SURE)
        self.threat_nodes = nodes - max(control.threat_nodes, 0)
        return bool(won)

    def order_for(self, colour: int, moves: list[int]) -> list[int]:
        """These empty points, the most promising one for that colour first."""
        board, geometry, search, _ = self._arrays
        search.stack.moves[0, :len(moves)] = moves
        rank_all(board, geometry, search, 0, colour - BLACK, len(moves))
        return [move for _, move in sorted(zip((-search.stack.ranks[0]).tolist(), moves))]

    def win(self, position: Position, nodes: int, plies: int = LONGEST_PATH
            ) -> Optional[ThreatWin]:
        """Search `nodes` nodes for a win by threats of Black, to move.

        If it takes more than `plies` plies, another search looks for a shorter one.
        """
        self.set_position(position, bytearray(2))
        return self._short_win(nodes, plies)

    def _short_win(self, nodes: int, plies: int) -> Optional[ThreatWin]:
        win = self.found(BLACK) if self.wins(BLACK, nodes) else None
        if win and win.plies > plies and self.wins(BLACK, nodes, plies):
            shorter = self.found(BLACK)
            win = shorter if shorter and shorter.plies < win.plies else win
        return win

    def win_after(self, answer: int, nodes: int, plies: int = LONGEST_PATH
                  ) -> Optional[ThreatWin]:
        """Search `nodes` nodes for a win of Black after an answer of White, as `win` does.

        `win` must have found a win after a pass: the search begins with the moves of that win.
        Earlier answers make no difference.
        """
        search = self._arrays[2]
        if self._after_pass is None:
            self._after_pass = _Results(search)
        self._after_pass.restore(search)
        self.play(answer, WHITE)
        self._control.passed = search.zobrist[answer * 2 + WHITE - BLACK]
        win = self._short_win(nodes, plies)
        self._control.passed = 0
        self.take_back()
        return win

    def found(self, colour: int) -> Optional[ThreatWin]:
        """The win that `wins` found; `colour` is the side to move.

        None if its tree is too large, or needs a win that no search finds.
        """
        end = write_tree(*self._arrays, len(self._played), colour - BLACK, self._numbers, 0,
                         self._answers)
        return ThreatWin(self._numbers[:end].copy()) if end > 0 else None

    def calls(self, position: Position) -> list[Call]:
        """The kernel calls of a search of this position, for `load`."""
        calls = super().calls(position)
        board, geometry, search, stop, *_ = calls[0].args
        answers = np.zeros((LONGEST_PATH, search.barred.size), np.uint8)
        return [*calls, Call(make, (board, geometry, search, 0, 0, 0)),
                Call(unmake, (board, geometry, search, 0, 0, 0)),
                Call(write_tree, (board, geometry, search, stop, 0, 0, self._numbers, 0, answers)),
                Call(plies_of, (self._numbers, 0))]


class _Results:
    # A copy of the results that a threat search of Black has stored.

    def __init__(self, search: Any):
        self._keys, self._entries = search.keys.copy(), search.entries.copy()
        count = search.control[0]["stored_wins"][0]
        self._places = search.won_places[:count].copy()
        self._wins = search.wins[self._places]

    def restore(self, search: Any) -> None:
        search.keys[:], search.entries[:] = self._keys, self._entries
        stored = search.control[0]["stored_wins"]
        later = search.won_places[self._places.size:stored[0]]
        search.won_keys[later] = 0
        search.wins[self._places] = self._wins
        stored[0] = self._places.size


def _read(numbers: Iterator[int]) -> tuple[WinTree, Reach]:
    # Read the next tree of the numbers of `write_tree`.
    move, count = next(numbers), -1 - next(numbers)
    if not count:
        return WinTree(move), joined(move, {}, None)
    other, reach = _read(numbers)
    answers = {next(numbers): _read(numbers) for _ in range(count)}
    return (WinTree(move, {answer: tree for answer, (tree, _) in answers.items()}, other),
            joined(move, {answer: reach for answer, (_, reach) in answers.items()}, reach))
