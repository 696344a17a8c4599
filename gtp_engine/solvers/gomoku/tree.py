"""The tree of the proof of Gomoku: positions with Black to move, and proof numbers.

A position is attacked, harder with each visit, until it is won or its moves are tried one by one;
a move has the positions after those answers of White that are not refuted at once.  What symmetries
or other orders of moves show as the same is one position.  The proof number of a position is how
much work, at least, it is expected to take: 1 stands for the first attack.
"""

from math import exp
from typing import Optional, Sequence

from ...games.lattice import BLACK, WHITE
from ...players.proofs.gomoku import Hashes, Symmetric
from .attacks import Choice, Plan, position_after
from .questions import Expansion

NEVER = 1 << 40  # the proof number of what cannot be proved
BUSY = 500  # added to the number of a position for each worker below it, to choose a move
WORK = (1, 8, 30, 200)  # proof number of a position after 0, 1, 2, 3 failed visits
LOOK = 10  # how much it takes to try a move
MOST_TIMES = 6  # by how much an answer that looks bad is expected to take longer
SCALE = 400.0  # the score for which it takes less by a factor of e
MORE_TIMES = 2  # factor over the expected cost after which another move is tried


class Branch:
    """A move of Black, the answers that are open, and the different positions after them."""

    __slots__ = ("point", "answers", "open", "other", "lost", "expected")

    def __init__(self, choice: Choice, positions: list["Node"]):
        self.point, self.open = choice.point, positions
        self.answers = tuple(answer.point for answer in choice.open)
        self.other, self.lost = choice.other, choice.lost
        self.expected = self.pn

    @property
    def pn(self) -> int:
        """The proof number."""
        return NEVER if self.lost else min(NEVER, sum(node.pn for node in self.open))

    def cost(self) -> int:
        """The proof number, more if workers are at it already."""
        return self.pn + BUSY * sum(node.workers for node in self.open)


class Node:
    """A position with Black to move.

    earlier   the position that it was first met after, two plies before; None for a start
    moves     the moves that lead here from there
    hashes    one of each symmetry
    visits    how many attacks were in vain
    workers   number of workers at it or below it
    """

    __slots__ = ("earlier", "moves", "hashes", "times", "visits", "won", "plan", "branches", "left",
                 "pn", "above", "workers", "stones")

    def __init__(self, earlier: Optional["Node"], moves: tuple[int, ...], hashes: Hashes,
                 times: float = 1.0):
        self.earlier, self.moves, self.hashes, self.times = earlier, moves, hashes, times
        self.stones: int = len(moves) + (earlier.stones if earlier else 0)
        self.visits, self.won, self.workers, self.left = 0, False, 0, NEVER
        self.plan: Optional[Plan] = None
        self.branches: list[Branch] = []
        self.above: list[Node] = []
        self.count()

    def path(self) -> tuple[int, ...]:
        """The moves from the empty board."""
        return (*self.earlier.path(), *self.moves) if self.earlier else self.moves

    @property
    def other(self) -> Optional[Plan]:
        """The plan that wins if White passes instead of the last move, if one is known."""
        tried = self.earlier.branches if self.earlier else []
        return next((branch.other for branch in tried if branch.point == self.moves[0]), None)

    @property
    def winner(self) -> Optional[Branch]:
        """The move of the proof, where neither threats nor a plan win."""
        return next((branch for branch in self.branches if not branch.pn), None)

    @property
    def work(self) -> int:
        """How much the next look at it takes."""
        return WORK[self.visits] if self.visits + 1 < len(WORK) else LOOK

    @property
    def more(self) -> int:
        """The proof number of the moves that have not been tried."""
        if not self.branches:
            return int(WORK[self.visits] * self.times)
        able = [branch.expected for branch in self.branches if not branch.lost]
        return (MORE_TIMES * len(self.branches) * min(able, default=0) + WORK[-1] if self.left
                else NEVER)

    def count(self) -> None:
        """Bring the proof number up to date with those below."""
        self.pn = 0 if self.won else min([self.more, *(branch.pn for branch in self.branches)])


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
        """Add the result for a position."""
        if found.choice:
            node.branches.append(self._branch(node, found.choice))
            node.left = found.left
        elif found.won:
            node.won, node.plan = True, found.plan
        else:
            node.visits += 1
        self.update(node)

    def _branch(self, node: Node, choice: Choice) -> Branch:
        # The positions after the answers to a move, each once.
        positions: dict[int, Node] = {}
        before = self.hashes((choice.point,), node.hashes, node.stones)
        for answer in choice.open:
            hashes = self.hashes((answer.point,), before, node.stones + 1)
            key = min(hashes)
            if key not in self.nodes:
                times = min(max(exp(-answer.score / SCALE), 1.0), MOST_TIMES)
                self.nodes[key] = Node(node, (choice.point, answer.point), hashes, times)
            positions[key] = self.nodes[key]
            if node not in positions[key].above:
                positions[key].above.append(node)
        return Branch(choice, list(positions.values()))

    def way(self, node: Node) -> list[Node]:
        """The positions from this one, which is not proved, to that which is to be looked at next.

        It is there that the proof of a move is most likely to fail.
        """
        way = [node]
        while node.branches:
            best = min(node.branches, key=Branch.cost)
            if best.cost() > node.more:
                break
            node = min((below for below in best.open if below.pn),
                       key=lambda below: (below.workers, -below.pn))
            way.append(node)
        return way

    def update(self, node: Node) -> None:
        """Bring the numbers of a position, and of all above it, up to date."""
        waiting = {node.stones: {node}}
        while waiting:
            level = waiting.pop(max(waiting))
            for one in level:
                before = one.pn
                one.count()
                if one.pn != before or one is node:
                    self.proved += one.pn == 0 and before != 0
                    for upper in one.above:
                        waiting.setdefault(upper.stones, set()).add(upper)
