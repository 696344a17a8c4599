"""Wins as trees with a continuation for every answer, and the zones of answers that matter.

**Terms.**  A *path* leads from the root of a tree to one of its ends.  The tree lists some answers
of the defender; all others are unlisted.  For k >= 0, A(k) is the set of all listed answers on
paths with at least k unlisted answers.

**Lemma.**  Let a tree win position P for the attacker, the side to move.  Put one more stone of the
defender on an empty point r of P.  The tree still wins if

1. r is neither a move nor a listed answer of the tree, and
2. no open row has, for any k, 4 - k or more points besides r that are stones of the defender in P
   or in A(k).  An *open row* is five points through r without a stone of the attacker in P.

Proof.  Play the tree in P with r.  By 1, no move and no answer is on r.  So all moves are legal in
P too, and the tree continues as it does there.  In P it ends with a row of the attacker.  With r,
it can only end otherwise if the defender first completes a row through r.  Let the path to this row
have k unlisted answers.  The row has five points without a stone of the attacker, one of them r.
Of the other four at most k are unlisted answers.  So at least 4 - k are stones of the defender in P
or listed answers on this path, which contradicts 2.  []

In Caro, stones of the defender beyond both ends of a row close it.  So 3. the point r must not be
beyond the end of a row whose points are stones of the attacker in P, or moves or listed answers of
the tree: then the row that ends a path has the same stones beyond it as in P.

Let the attacker move, and let a tree win if the defender then passes.  The *zone* of this tree
consists of the points that violate a condition.  The tree refutes every answer outside its zone.
"""

from typing import Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence

from ...games.lattice import EMPTY, Lattice, opponent


class WinTree(NamedTuple):
    """A move of the attacker, and the winning trees after the answers.

    move     the move; without trees after it, it completes a row
    answers  by listed answer, the tree that wins after it
    other    the tree that wins after every unlisted answer
    """

    move: int
    answers: Mapping[int, "WinTree"] = {}
    other: Optional["WinTree"] = None

    def plies(self) -> int:
        """The most plies to the winning row."""
        return 1 + max((1 + tree.plies() for tree in self.following()), default=0)

    def line(self) -> list[int]:
        """The moves to the winning row, with the longest defence."""
        if not self.answers:
            return [self.move]
        answer = max(self.answers, key=lambda answer: self.answers[answer].plies())
        return [self.move, answer, *self.answers[answer].line()]

    def following(self) -> Iterator["WinTree"]:
        """The trees after the answers."""
        yield from self.answers.values()
        if self.other:
            yield self.other


class Reach(NamedTuple):
    """The sets of points that the lemma needs of a tree, with a bit for each point.

    points   all moves and all listed answers
    answers  by k, the set A(k)
    """

    points: int
    answers: tuple[int, ...]

    def listed(self) -> Iterator[int]:
        """The points, in order."""
        points = self.points
        while points:
            lowest = points & -points
            yield lowest.bit_length() - 1
            points ^= lowest


def joined(move: int, answers: Mapping[int, Reach], other: Optional[Reach]) -> Reach:
    """The reach of a tree, from the reaches of the trees after its move."""
    points = 1 << move
    on_paths = [0] * (1 + max([*(len(after.answers) - 1 for after in answers.values()),
                              len(other.answers) if other else 0], default=0))
    for answer, after in answers.items():
        points |= after.points | 1 << answer
        for k, listed in enumerate(after.answers):
            on_paths[k] |= listed | 1 << answer
    if other:
        points |= other.points
        for k, listed in enumerate((other.answers[0], *other.answers)):
            on_paths[k] |= listed
    return Reach(points, tuple(on_paths))


class Zones:
    """The zones of trees on one lattice, by the lemma above.

    `closed` means that stones beyond the ends of a row can close it.
    """

    def __init__(self, lattice: Lattice, closed: bool = False):
        self._points = lattice.points
        self._rows = [_set_of(row) for row in lattice.lines(5)]
        self._beyond = dict.fromkeys(self._rows if closed else (), 0)
        for first, *row, last in lattice.lines(6) if closed else ():
            self._beyond[_set_of((first, *row))] |= 1 << last
            self._beyond[_set_of((*row, last))] |= 1 << first

    def zone(self, reach: Reach, cells: Sequence[int], attacker: int) -> list[int]:
        """The zone of a tree that wins this position for the attacker, in point order.

        These are the empty points where one more stone of the defender could spoil the win.
        """
        points = reach.points
        for row in self._completed(reach, cells, attacker, self._rows):
            points |= row
        points |= self._ends(reach, cells, attacker)
        return [point for point in self._points if points >> point & 1 and cells[point] == EMPTY]

    def spoils(self, reach: Reach, cells: Sequence[int], attacker: int, stone: int) -> bool:
        """Could this stone of the defender in `cells` spoil a tree that wins without it?"""
        rows = (row for row in self._rows if row >> stone & 1)
        points = reach.points | self._ends(reach, cells, attacker)
        return bool(points >> stone & 1
                    or any(self._completed(reach, cells, attacker, rows, 1 << stone)))

    def _ends(self, reach: Reach, cells: Sequence[int], attacker: int) -> int:
        # The points that violate condition 3.
        points, row_points = 0, reach.points | self._stones(cells, attacker)
        for row, beyond in self._beyond.items():
            if row & row_points == row:
                points |= beyond
        return points

    def _stones(self, cells: Sequence[int], colour: int) -> int:
        return _set_of(point for point in self._points if cells[point] == colour)

    def _completed(self, reach: Reach, cells: Sequence[int], attacker: int,
                   rows: Iterable[int], stone: int = 0) -> Iterator[int]:
        # Those of the rows that violate condition 2 of the lemma; ignores the stone.
        own, other = self._stones(cells, attacker), self._stones(cells, opponent(attacker))
        other &= ~stone
        for row in rows:
            if not row & own and any((row & (other | listed)).bit_count() >= 4 - k
                                     for k, listed in enumerate(reach.answers)):
                yield row


def _set_of(points: Iterable[int]) -> int:
    return sum(1 << point for point in points)
