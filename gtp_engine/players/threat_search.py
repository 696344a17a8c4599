"""Searches for wins by threats, and the trees of what they find."""

from typing import Optional

import numpy as np

from ..games.lattice import BLACK, opponent
from ..games.rules import Position
from ..kernels import Call
from ..kernels.plane.known_wins import forget, recall, win_move, win_plies
from ..kernels.plane.moves import generate, rank_all, wins_at
from ..kernels.plane.state import LONGEST_PATH, make, unmake
from ..kernels.plane.vcf import win_by_threats
from .plane_search import PlaneSearch
from .search import NO_LIMIT
from .win_trees import Reach, WinTree, joined

CHECK_NODES = 1_000_000  # of a search for the threats of a proof
DEPTHS = (0, 3, 5, 7, 10, 15)  # moves that are no fours, of one search after the other


class ThreatSearch(PlaneSearch):
    """Searches a position of a game without captures or forbidden points for wins by threats.

    After `show`, moves may be played and taken back; wins are remembered until the next position is
    shown, and what was remembered of another one is forgotten, so that what is found depends on the
    position and the calls alone.
    """

    def show(self, position: Position, stop: bytearray) -> None:
        """Search this position from now on."""
        super().show(position, stop)
        board, geometry, search, _ = self._arrays
        for colour in range(2):
            forget(search, colour)
        search.keys.fill(0)
        search.entries.fill(0)
        search.control[0]["age"] = 0
        self._played: list[tuple[int, int]] = []
        self.remember()

    def remember(self) -> None:
        """Go on without a limit of nodes, try first what the policy prefers, and remember wins."""
        self._control.stopped, self._control.proof, self._control.threat_order = 0, 1, 1
        self._control.node_limit = NO_LIMIT

    def play(self, point: int, colour: int) -> None:
        """Put a stone on an empty point."""
        board, geometry, search, _ = self._arrays
        make(board, geometry, search, len(self._played), point, colour - BLACK)
        self._played.append((point, colour - BLACK))

    def take_back(self) -> None:
        """Take the stone that was played last from the board."""
        board, geometry, search, _ = self._arrays
        unmake(board, geometry, search, len(self._played) - 1, *self._played.pop())

    def fives(self, colour: int) -> list[int]:
        """The points where that colour completes a row at once."""
        board, geometry, search, _ = self._arrays
        count = wins_at(board, geometry, search, colour - BLACK, search.threats)
        return [int(point) for point in search.threats[:count]]

    def wins(self, colour: int, nodes: int, depth: int = DEPTHS[-1]) -> bool:
        """Does that colour, to move, win by threats, found in so many nodes?  Of its moves at most
        `depth` are no fours before fours alone win."""
        control, ply = self._control, len(self._played)
        control.threat_nodes = nodes
        for moves in DEPTHS:
            if moves > depth or control.threat_nodes <= 0:
                break
            if win_by_threats(*self._arrays, moves, LONGEST_PATH, ply, colour - BLACK):
                return True
        return False

    def order_for(self, colour: int, moves: list[int]) -> list[int]:
        """These empty points, the one that looks best for that colour first."""
        board, geometry, search, _ = self._arrays
        search.stack.moves[0, :len(moves)] = moves
        rank_all(board, geometry, search, 0, colour - BLACK, len(moves))
        return [move for _, move in sorted(zip((-search.stack.ranks[0]).tolist(), moves))]

    def win(self, position: Position, nodes: int) -> Optional[tuple[WinTree, Reach]]:
        """The tree of a win by threats of Black, to move in this position, that so many nodes find,
        and its reach."""
        self.show(position, bytearray(2))
        return self.tree(BLACK) if self.wins(BLACK, nodes) else None

    def tree(self, colour: int) -> tuple[WinTree, Reach]:
        """The tree of a win that `wins` has found, and its reach; the colour is to move."""
        board, geometry, search, _ = self._arrays
        fives = self.fives(colour)
        if fives:
            return _grown(fives[0], {}, None)
        known = recall(search, colour - BLACK)
        if not win_plies(known) and not self.wins(colour, NO_LIMIT):
            raise RuntimeError("a win that was remembered is forgotten")
        move = int(win_move(recall(search, colour - BLACK)))
        self.play(move, colour)
        fives = self.fives(colour)
        if fives:
            other, replies = _grown(fives[0], {}, None), fives[:1]
        else:
            self.wins(colour, NO_LIMIT, 0)
            other, ply = self.tree(colour), len(self._played)
            count, _ = generate(board, geometry, search, 2 - colour, search.stack.moves[ply])
            replies = sorted({*map(int, search.stack.moves[ply, :count])} | {*other[1].listed()})
        found = _grown(move, {reply: self._after(reply, colour) for reply in replies}, other)
        self.take_back()
        return found

    def _after(self, reply: int, colour: int) -> tuple[WinTree, Reach]:
        # The tree after an answer to a threat.
        self.play(reply, opponent(colour))
        found = self.tree(colour)
        self.take_back()
        return found

    def calls(self, position: Position) -> list[Call]:
        """What a search of this position calls, to be loaded."""
        calls = super().calls(position)
        board, geometry, search, *_ = calls[0].args
        return [*calls, Call(make, (board, geometry, search, 0, 0, 0)),
                Call(unmake, (board, geometry, search, 0, 0, 0)),
                Call(generate, (board, geometry, search, 0, search.stack.moves[0])),
                Call(win_move, (np.int64(0),))]


def _grown(move: int, answers: dict[int, tuple[WinTree, Reach]],
           other: Optional[tuple[WinTree, Reach]]) -> tuple[WinTree, Reach]:
    return (WinTree(move, {answer: tree for answer, (tree, _) in answers.items()},
                    other and other[0]),
            joined(move, {answer: reach for answer, (_, reach) in answers.items()},
                   other and other[1]))
