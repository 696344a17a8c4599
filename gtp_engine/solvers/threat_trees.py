"""Wins by threats as trees that say what follows every answer, and which answers may matter at all.

**Lemma.**  Let a tree win position P for the attacker, who is to move.  Put one more stone of the
defender on an empty point r of P.  The tree still wins if

1. r is neither a move of the tree nor an answer that stands in it, and
2. no five points in a row that r is one of, none of them the attacker's in P, hold 4 - d stones of
   W or more besides r, where W are the defender's stones in P and all answers that stand in the
   tree, and d is how many answers on a way through the tree do not stand in it, at most.

Proof.  Play the tree in P with r.  By 1 the defender's answers are other points than r, so all
moves are legal in P too, and the tree goes on as it would there.  There it ends with a row of the
attacker; with r it can only end otherwise if the defender completes a row first that r is part of.
The row has five points without a stone of the attacker, r among them; of the other four at most d
are answers that do not stand in the tree, so at least 4 - d are in W, against 2.  []

A position after which the attacker would win if the defender passed is therefore lost for the
defender unless an answer in the zone, which is what 1 and 2 leave out, helps.
"""

from typing import Iterator, NamedTuple, Optional

import numpy as np

from ..games.lattice import BLACK, EMPTY, Lattice, opponent
from ..games.rules import Position
from ..kernels import Call
from ..kernels.control import WON
from ..kernels.plane.known_wins import forget, recall, win_move, win_plies
from ..kernels.plane.moves import generate, rank_all, wins_at
from ..kernels.plane.state import LONGEST_PATH, make, unmake
from ..kernels.plane.vcf import win_by_threats
from ..players.plane_search import PlaneSearch
from ..players.search import NO_LIMIT

DEPTHS = (0, 1, 2, 3, 4, 6, 8, 10, 14)  # moves that are no fours, of one search after the other


class ThreatTree(NamedTuple):
    """A move of the attacker, what follows some answers, and what follows any other one.

    move     completes a row if nothing follows
    answers  by answer the tree that wins after it
    other    the tree that wins after every answer that is not there
    """

    move: int
    answers: dict[int, "ThreatTree"] = {}
    other: Optional["ThreatTree"] = None

    def points(self) -> set[int]:
        """All moves and all answers that stand in the tree."""
        found = {self.move, *self.answers}
        for tree in self.following():
            found |= tree.points()
        return found

    def others(self) -> int:
        """How many answers on a way through the tree do not stand in it, at most."""
        return max([*(tree.others() for tree in self.answers.values()),
                    1 + self.other.others() if self.other else 0])

    def plies(self) -> int:
        """The plies to the row that wins, at most."""
        return 1 + max((1 + tree.plies() for tree in self.following()), default=0)

    def following(self) -> Iterator["ThreatTree"]:
        """The trees after the answers."""
        yield from self.answers.values()
        if self.other:
            yield self.other


class Zones:
    """Which answers may matter, on one lattice: the lemma above."""

    def __init__(self, lattice: Lattice):
        self._rows = [row for row in lattice.lines(5)]

    def zone(self, tree: ThreatTree, cells: bytearray, attacker: int) -> set[int]:
        """The empty points where one more stone of the defender could spoil the tree, which wins
        this position for the attacker."""
        points = tree.points()
        most, found = 4 - tree.others(), set(points)
        for row in self._rows:
            own = 0
            for point in row:
                if cells[point] == attacker:
                    break
                own += cells[point] != EMPTY or point in points
            else:
                if own >= most:
                    found.update(row)
        return {point for point in found if cells[point] == EMPTY}


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
        """Go on without a limit of nodes, and remember wins."""
        self._control.stopped, self._control.proof = 0, 1
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

    def promising(self, moves: list[int], nodes: int) -> tuple[int, int]:
        """The best of more than one legal move by a search of so many nodes, and its score.

        No move is played.
        """
        control, score = self._control, 0
        control.best = moves[0]
        control.node_limit = control.nodes + nodes
        for depth in range(1, LONGEST_PATH):
            found = self.look(depth, score)
            if not found.complete:
                break
            score = found.score
            if abs(score) > WON:
                break
        best = self.best
        self.remember()
        return best, score

    def tree(self, colour: int) -> ThreatTree:
        """The tree of a win that `wins` has found; the colour is to move."""
        board, geometry, search, _ = self._arrays
        fives = self.fives(colour)
        if fives:
            return ThreatTree(fives[0])
        known = recall(search, colour - BLACK)
        if not win_plies(known) and not self.wins(colour, NO_LIMIT):
            raise RuntimeError("a win that was remembered is forgotten")
        move = int(win_move(recall(search, colour - BLACK)))
        self.play(move, colour)
        fives = self.fives(colour)
        if fives:
            other = ThreatTree(fives[0])
            tree = ThreatTree(move, {fives[0]: self._after(fives[0], colour)}, other)
        else:
            self.wins(colour, NO_LIMIT, 0)
            other, ply = self.tree(colour), len(self._played)
            count, _ = generate(board, geometry, search, 2 - colour, search.stack.moves[ply])
            replies = {int(point) for point in search.stack.moves[ply, :count]} | other.points()
            tree = ThreatTree(move, {reply: self._after(reply, colour)
                                     for reply in sorted(replies)}, other)
        self.take_back()
        return tree

    def _after(self, reply: int, colour: int) -> ThreatTree:
        # The tree after an answer to a threat.
        self.play(reply, opponent(colour))
        tree = self.tree(colour)
        self.take_back()
        return tree

    def calls(self, position: Position) -> list[Call]:
        """What a search of this position calls, to be loaded."""
        calls = super().calls(position)
        board, geometry, search, *_ = calls[0].args
        return [*calls, Call(make, (board, geometry, search, 0, 0, 0)),
                Call(unmake, (board, geometry, search, 0, 0, 0)),
                Call(generate, (board, geometry, search, 0, search.stack.moves[0])),
                Call(win_move, (np.int64(0),))]
