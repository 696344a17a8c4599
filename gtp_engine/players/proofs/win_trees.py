"""Wins as trees that say what follows every answer, and which answers may matter at all.

**Lemma.**  Let a tree win position P for the attacker, who is to move.  Put one more stone of the
defender on an empty point r of P.  The tree still wins if

1. r is neither a move of the tree nor an answer that stands in it, and
2. no five points in a row that r is one of, none of them the attacker's in P, hold for any k from
   0 on 4 - k stones or more besides r that are the defender's in P or answers on ways through the
   tree along which at least k answers do not stand in it.

Proof.  Play the tree in P with r.  By 1 the defender's answers are other points than r, so all
moves are legal in P too, and the tree goes on as it would there.  There it ends with a row of the
attacker; with r it can only end otherwise if the defender completes a row first that r is part of.
Let k answers on the way to that row not stand in the tree.  The row has five points without a stone
of the attacker, r among them; of the other four at most k are such answers, so at least 4 - k are
stones of P or answers that stand on this way, against 2.  []

After a move of the attacker, let a tree win what follows if the defender passes.  An answer outside
its zone, which is what 1 and 2 leave out, is then refuted by that tree.
"""

from typing import Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence

from ...games.lattice import EMPTY, Lattice, opponent


class WinTree(NamedTuple):
    """A move of the attacker, what follows some answers, and what follows any other one.

    move     completes a row if nothing follows
    answers  by answer the tree that wins after it
    other    the tree that wins after every answer that is not there
    """

    move: int
    answers: Mapping[int, "WinTree"] = {}
    other: Optional["WinTree"] = None

    def plies(self) -> int:
        """The plies to the row that wins, at most."""
        return 1 + max((1 + tree.plies() for tree in self.following()), default=0)

    def line(self) -> list[int]:
        """The moves to the row that wins, with the answers that hold longest."""
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
    """What the lemma has to know of a tree.  Sets of points have a bit for each.

    points   all moves and all answers that stand in it
    answers  by k, those on ways along which at least k answers do not stand in it
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
    """That of a tree, from those of what follows its move."""
    points = 1 << move
    on_ways = [0] * (1 + max([*(len(after.answers) - 1 for after in answers.values()),
                              len(other.answers) if other else 0], default=0))
    for answer, after in answers.items():
        points |= after.points | 1 << answer
        for k, standing in enumerate(after.answers):
            on_ways[k] |= standing | 1 << answer
    if other:
        points |= other.points
        for k, standing in enumerate((other.answers[0], *other.answers)):
            on_ways[k] |= standing
    return Reach(points, tuple(on_ways))


class Zones:
    """Which answers may matter, on one lattice: the lemma above."""

    def __init__(self, lattice: Lattice):
        self._points = lattice.points
        self._rows = [sum(1 << point for point in row) for row in lattice.lines(5)]

    def zone(self, known: Reach, cells: Sequence[int], attacker: int) -> list[int]:
        """The empty points, in order, where one more stone of the defender could spoil a tree that
        wins this position for the attacker, which is known by its reach."""
        found = known.points
        for row in self._completed(known, cells, attacker, self._rows):
            found |= row
        return [point for point in self._points if found >> point & 1 and cells[point] == EMPTY]

    def spoils(self, known: Reach, cells: Sequence[int], attacker: int, stone: int) -> bool:
        """Can this stone of the defender, of these cells, spoil a tree that wins without it?"""
        rows = (row for row in self._rows if row >> stone & 1)
        return bool(known.points >> stone & 1
                    or any(self._completed(known, cells, attacker, rows, 1 << stone)))

    def _completed(self, known: Reach, cells: Sequence[int], attacker: int,
                   rows: Iterable[int], stone: int = 0) -> Iterator[int]:
        # The rows of these that the lemma does not rule out; the stone does not count.
        own, other = (sum(1 << point for point in self._points if cells[point] == colour)
                      for colour in (attacker, opponent(attacker)))
        other &= ~stone
        for row in rows:
            if not row & own and any((row & (other | standing)).bit_count() >= 4 - k
                                     for k, standing in enumerate(known.answers)):
                yield row
