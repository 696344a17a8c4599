"""The tree of the proof of Gomoku: positions with Black to move, and proof numbers.

A position has choices, Black's moves that have been tried; a choice has the positions after those
answers of White that threats do not refute.  What symmetries or other orders of moves show as the
same is one position.  The proof number of a position is how many positions, at least, have yet to
be proved before it is; its disproof number how many have to fail.
"""

from collections import Counter
from math import exp
from random import Random
from typing import Iterator, Optional, Sequence

from ..games.lattice import BLACK, WHITE, Lattice
from ..players.adapters import symmetries
from .gomoku_leaves import Choice, Expansion, position_after

NEVER = 1 << 40  # the proof number of what cannot be proved
BUSY = 30  # added to the numbers of a position that a worker looks at
QUIET = 250  # the proof number of a quiet move
MORE = 15  # the proof number of the moves that have not been tried, for each that has been
EASIEST, HARDEST, EVEN = 1, 200, 20  # how many positions an open answer is expected to take
SCALE = 300.0  # the score for which it takes fewer by a factor of e

Hashes = tuple[int, ...]  # of a position, one for each symmetry


def weight(score: int) -> int:
    """How many positions it is expected to take to prove one with that score."""
    return min(max(round(EVEN * exp(-score / SCALE)), EASIEST), HARDEST)


class Symmetric:
    """Positions by hashes, one for each symmetry of the board."""

    def __init__(self, lattice: Lattice):
        random, images = Random(15), symmetries(lattice, 5)
        word = {point: (random.getrandbits(64), random.getrandbits(64))
                for point in lattice.points}
        self.words = {(point, colour): [word[int(image[point])][colour - BLACK]
                                        for image in images]
                      for point in lattice.points for colour in (BLACK, WHITE)}
        self.images = [image.tolist() for image in images]
        self.nothing: Hashes = (0,) * len(images)

    def play(self, hashes: Hashes, colour: int, point: int) -> Hashes:
        """The hashes with one more stone, or without this one."""
        return tuple(a ^ b for a, b in zip(hashes, self.words[point, colour]))


class Branch:
    """A move of Black, the answers that are open, and the different positions after them."""

    __slots__ = ("point", "answers", "open", "complete", "lost")

    def __init__(self, choice: Choice, positions: list["Node"]):
        self.point, self.open = choice.point, positions
        self.answers = tuple(answer.point for answer in choice.open)
        self.complete, self.lost = choice.complete, choice.lost

    @property
    def pn(self) -> int:
        """The proof number."""
        if self.lost:
            return NEVER
        open_ones = [node.pn for node in self.open if node.pn]
        total = max(open_ones, default=0) + max(len(open_ones) - 1, 0)
        if not self.complete:
            return min(2 * total + MORE, NEVER) if self.open else QUIET
        return min(total, NEVER)

    @property
    def dn(self) -> int:
        """The disproof number."""
        if self.lost:
            return 0
        return min((node.dn for node in self.open), default=NEVER) if self.complete else 1


class Node:
    """A position with Black to move.

    earlier   the position that it was first met after, two plies before; None for a start
    moves     the moves that lead here from there
    hashes    one of each symmetry
    model     a similar position, proved when this one was looked at for the first time
    """

    __slots__ = ("earlier", "moves", "hashes", "model", "won", "branches", "left", "pn", "dn",
                 "above", "busy", "stones")

    def __init__(self, earlier: Optional["Node"], moves: tuple[int, ...], hashes: Hashes,
                 weight: int = 1):
        self.earlier, self.moves, self.hashes = earlier, moves, hashes
        self.model: Optional[Node] = None
        self.stones: int = len(moves) + (earlier.stones if earlier else 0)
        self.won, self.busy, self.left = False, False, NEVER
        self.branches: Optional[list[Branch]] = None
        self.above: list[Node] = []
        self.pn, self.dn = weight, 1

    def path(self) -> tuple[int, ...]:
        """The moves from the empty board."""
        return (*self.earlier.path(), *self.moves) if self.earlier else self.moves

    @property
    def winner(self) -> Optional[Branch]:
        """The move of the proof, where threats alone do not win."""
        if self.pn or self.branches is None:
            return None
        return next((branch for branch in self.branches if not branch.pn), None)

    def after(self, moves: tuple[int, ...]) -> Optional["Node"]:
        """The position after these two moves, if it was first met here."""
        return next((node for branch in self.branches or () if branch.point == moves[0]
                     for node in branch.open if node.earlier is self and node.moves == moves), None)

    def siblings(self) -> Iterator["Node"]:
        """The positions that were first met after the same move."""
        if self.earlier:
            for branch in self.earlier.branches or ():
                if branch.point == self.moves[0]:
                    yield from (node for node in branch.open if node.earlier is self.earlier
                                and node.moves[0] == self.moves[0])

    @property
    def more(self) -> int:
        """The proof number of the moves that have not been tried."""
        return MORE * len(self.branches or ()) if self.left else NEVER

    def count(self) -> None:
        """Bring the proof numbers up to date with those below."""
        if self.won:
            self.pn, self.dn = 0, NEVER
        elif self.branches is not None:
            self.pn = min([self.more, *(branch.pn for branch in self.branches)])
            self.dn = min(NEVER, sum(branch.dn for branch in self.branches) + (self.left > 0))
        if self.busy and self.pn:
            self.pn, self.dn = self.pn + BUSY, self.dn + BUSY


class Tree:
    """All positions that have been met."""

    def __init__(self) -> None:
        lattice = position_after(()).lattice
        self._board = Symmetric(lattice)
        self.number = {point: number for number, point in enumerate(lattice.points)}
        self.nodes: dict[int, Node] = {}
        self.proved = 0

    def hashes(self, moves: Sequence[int], before: Hashes = (), ply: int = 0) -> Hashes:
        """The hashes of a position that these moves lead to, the first of that ply."""
        found = before or self._board.nothing
        for number, move in enumerate(moves, ply):
            found = self._board.play(found, (BLACK, WHITE)[number % 2], move)
        return found

    def start(self, moves: tuple[int, ...]) -> Node:
        """The position after these moves from the empty board."""
        hashes = self.hashes(moves)
        return self.nodes.setdefault(min(hashes), Node(None, moves, hashes))

    def find(self, moves: Sequence[int]) -> Optional[Node]:
        """The position after these moves, if it has been met."""
        return self.nodes.get(min(self.hashes(moves)))

    def image(self, node: Node, moves: Sequence[int]) -> list[int]:
        """Where the points of a position go if it is shown as these moves lead to it."""
        image: list[int] = self._board.images[node.hashes.index(self.hashes(moves)[0])]
        return image

    def grow(self, node: Node, found: Expansion) -> None:
        """Add what was found out about a position."""
        node.won, node.busy = found.won, False
        if not found.won:
            fresh = [self._branch(node, choice) for choice in found.choices]
            if node.branches is None or len(fresh) != 1 or fresh[0].point not in {
                    branch.point for branch in node.branches}:
                node.branches, node.left = (node.branches or []) + fresh, found.left
            else:
                node.branches = [fresh[0] if branch.point == fresh[0].point else branch
                                 for branch in node.branches]
        self.update(node)

    def _branch(self, node: Node, choice: Choice) -> Branch:
        # The positions after the answers to a move, each once.
        positions: dict[int, Node] = {}
        before = self.hashes((choice.point,), node.hashes, node.stones)
        for answer in choice.open:
            hashes = self.hashes((answer.point,), before, node.stones + 1)
            key = min(hashes)
            if key not in self.nodes:
                self.nodes[key] = Node(node, (choice.point, answer.point), hashes,
                                       weight(answer.score))
            positions[key] = self.nodes[key]
            if node not in positions[key].above:
                positions[key].above.append(node)
        return Branch(choice, list(positions.values()))

    def hints(self, node: Node, others: Sequence[Node]) -> list[int]:
        """Moves that won similar positions, which the others are for one without an earlier one."""
        proved = [other for other in (node.siblings() if node.earlier else others)
                  if not other.pn]
        earlier = node.earlier
        if earlier and earlier.model:
            node.model = earlier.model.after(node.moves)
        if not node.model or node.model.pn:
            node.model = proved[-1] if proved else None
        won = Counter(other.winner.point for other in proved if other.winner)
        models = [node.model.winner] if node.model else []
        return list(dict.fromkeys([*(branch.point for branch in models if branch),
                                   *(point for point, _ in won.most_common(2))]))

    def leaf(self, node: Node) -> tuple[Node, Optional[int]]:
        """The position below this one, which is not proved, that a worker should look at.

        Also the move that is to be tried to the end, None for the next ones.
        """
        while True:
            if node.branches is None:
                return node, None
            best = min(node.branches, key=lambda branch: branch.pn)
            if best.pn > node.more:
                return node, None
            if not best.complete:
                return node, best.point
            least = min(below.dn for below in best.open)
            node = max((below for below in best.open if below.pn and below.dn == least),
                       key=lambda below: below.pn)

    def update(self, node: Node) -> None:
        """Bring the numbers of a position, and of all above it, up to date."""
        waiting = {node.stones: {node}}
        while waiting:
            level = waiting.pop(max(waiting))
            for one in level:
                before = one.pn, one.dn
                one.count()
                if (one.pn, one.dn) != before or one is node:
                    self.proved += one.pn == 0 and before[0] != 0
                    for upper in one.above:
                        waiting.setdefault(upper.stones, set()).add(upper)
