"""The tree of the proof of Gomoku: positions with Black to move, and proof numbers.

Each visit attacks a position with more nodes.  After the last attack, visits try its moves one by
one.  The children of a move are the positions after the answers that the attack leaves open.  The
tree merges transpositions and symmetric positions.  The proof number of a position is the least
expected work of its proof; the unit is a first attack.
"""

from math import exp
from typing import Optional, Sequence

from ...games.lattice import BLACK, WHITE
from ...players.proofs.gomoku import Hashes, Symmetric
from .attacks import BUDGETS, Choice, Plan
from .board import lattice_of
from .entries import Board
from .questions import Expansion

NEVER = 1 << 40  # the proof number of a position or move without a proof
BUSY = 500  # cost per worker below a move, in the selection of moves
WORK = (1, 8, 30, 200)  # proof number of a position after 0, 1, 2, 3 failed visits
MOVE_WORK = 10  # expected work to try a move
MOST_FACTOR = 6  # largest factor on the expected work after a strong answer
SCALE = 400.0  # the score difference that changes the expected work by a factor of e
NEXT_MOVE_FACTOR = 2  # times the expected work of the moves so far, before the next move


class Branch:
    """A move of Black, its open answers, and the distinct positions after them.

    plan  the plan that wins after all other answers, if there is one
    """

    __slots__ = ("point", "answers", "open", "other", "lost", "expected", "plan")

    def __init__(self, choice: Choice, positions: list["Node"], plan: Optional[Plan] = None):
        self.point, self.open, self.plan = choice.point, positions, plan
        self.answers = tuple(answer.point for answer in choice.open)
        self.other, self.lost = choice.other, choice.lost
        self.expected = self.pn

    @property
    def pn(self) -> int:
        """The proof number."""
        return NEVER if self.lost else min(NEVER, sum(node.pn for node in self.open))

    def cost(self) -> int:
        """Return the proof number plus a cost for each worker below."""
        return self.pn + BUSY * sum(node.workers for node in self.open)


class Node:
    """A position with Black to move.

    earlier   the position two plies before, on the first path here; None for a start
    moves     the moves from there
    hashes    one hash per symmetry
    factor    factor on the expected work
    visits    the number of failed attacks
    left      the number of untried moves
    pn        the proof number
    above     the parents
    workers   the number of workers at it or below it
    """

    __slots__ = ("earlier", "moves", "hashes", "factor", "visits", "won", "plan", "branches",
                 "left", "pn", "above", "workers", "stones")

    def __init__(self, earlier: Optional["Node"], moves: tuple[int, ...], hashes: Hashes,
                 factor: float = 1.0):
        self.earlier, self.moves, self.hashes, self.factor = earlier, moves, hashes, factor
        self.stones: int = len(moves) + (earlier.stones if earlier else 0)
        self.visits, self.won, self.workers, self.left = 0, False, 0, NEVER
        self.plan: Optional[Plan] = None
        self.branches: list[Branch] = []
        self.above: list[Node] = []
        self.update_pn()

    def path(self) -> tuple[int, ...]:
        """Return the moves from the empty board."""
        return (*self.earlier.path(), *self.moves) if self.earlier else self.moves

    @property
    def other(self) -> Optional[Plan]:
        """The winning plan if White passes instead of the last move, or None."""
        tried = self.earlier.branches if self.earlier else []
        return next((branch.other for branch in tried if branch.point == self.moves[0]), None)

    @property
    def winner(self) -> Optional[Branch]:
        """The proved move, where neither threats nor a plan win."""
        return next((branch for branch in self.branches if not branch.pn), None)

    @property
    def winning_plan(self) -> Optional[Plan]:
        """The plan of the proof, or None if threats or a move without a plan win."""
        if self.won:
            return self.plan
        return self.winner.plan if self.winner else None

    @property
    def work(self) -> int:
        """The expected work of the next visit."""
        return WORK[self.visits] if self.visits < len(BUDGETS) else MOVE_WORK

    @property
    def untried(self) -> int:
        """The proof number of the next attack, or of the untried moves."""
        if self.visits < len(BUDGETS) or not self.branches:
            return int(WORK[self.visits] * self.factor)
        expected = [branch.expected for branch in self.branches if not branch.lost]
        if not self.left:
            return NEVER
        return NEXT_MOVE_FACTOR * len(self.branches) * min(expected, default=0) + WORK[-1]

    def update_pn(self) -> None:
        """Update the proof number from the nodes below."""
        self.pn = 0 if self.won else min([self.untried, *(branch.pn for branch in self.branches)])


class Tree:
    """All positions of the proof for a board."""

    def __init__(self, board: Board):
        lattice = lattice_of(board)
        self._symmetric = Symmetric(lattice)
        self.number = {point: number for number, point in enumerate(lattice.points)}
        self.nodes: dict[int, Node] = {}
        self.proved = 0

    def hashes(self, moves: Sequence[int], before: Hashes = (), ply: int = 0) -> Hashes:
        """Return the hashes after moves from the position `before`, at that ply."""
        hashes = before or self._symmetric.nothing
        for number, move in enumerate(moves, ply):
            hashes = self._symmetric.play(hashes, (BLACK, WHITE)[number % 2], move)
        return hashes

    def start(self, moves: tuple[int, ...]) -> Node:
        """Return the node after these moves; add it if it is new."""
        hashes = self.hashes(moves)
        return self.nodes.setdefault(min(hashes), Node(None, moves, hashes))

    def find(self, moves: Sequence[int]) -> Optional[Node]:
        """Return the node after these moves, or None."""
        return self.nodes.get(min(self.hashes(moves)))

    def image(self, before: Hashes, after: Hashes) -> list[int]:
        """Return the symmetry from one position to its image, by the hashes of both."""
        image: list[int] = self._symmetric.images[before.index(after[0])]
        return image

    def add_answer(self, moves: tuple[int, ...]) -> bool:
        """Add the last of these moves to the open answers to the move before it.

        Returns whether it is new there.  A plan that wins the position before both is then part of
        that move, and is a win only together with this answer.
        """
        node, below = self.start(moves[:-2]), self.start(moves)
        point = self.image(self.hashes(moves[:-2]), node.hashes)[moves[-2]]
        branch = next((branch for branch in node.branches if branch.point == point), None)
        if branch is None:
            branch = Branch(Choice(point, ()), [], node.plan)
            node.branches.append(branch)
            if node.won:
                node.won, node.plan, node.visits = False, None, len(BUDGETS)
        if below in branch.open:
            return False
        branch.open.append(below)
        branch.expected += below.pn
        below.above.append(node)
        self.update(node)
        return True

    def grow(self, node: Node, result: Expansion) -> None:
        """Add the result for a position."""
        if result.choice:
            node.branches.append(self._branch(node, result.choice))
            node.left = result.left
        elif result.won:
            node.won, node.plan = True, result.plan
        else:
            node.visits += 1
        self.update(node)

    def _branch(self, node: Node, choice: Choice) -> Branch:
        # The branch of a move; positions after symmetric answers count once.
        positions: dict[int, Node] = {}
        before = self.hashes((choice.point,), node.hashes, node.stones)
        for answer in choice.open:
            hashes = self.hashes((answer.point,), before, node.stones + 1)
            key = min(hashes)
            if key not in self.nodes:
                factor = min(max(exp(-answer.score / SCALE), 1.0), MOST_FACTOR)
                self.nodes[key] = Node(node, (choice.point, answer.point), hashes, factor)
            positions[key] = self.nodes[key]
            if node not in positions[key].above:
                positions[key].above.append(node)
        return Branch(choice, list(positions.values()))

    def select(self, node: Node) -> list[Node]:
        """Return the path from an unproved node to the next node to expand.

        Follows the cheapest move, and the answer that most likely refutes it.
        """
        path = [node]
        while node.branches:
            best = min(node.branches, key=Branch.cost)
            if best.cost() > node.untried:
                break
            node = min((below for below in best.open if below.pn),
                       key=lambda below: (below.workers, -below.pn))
            path.append(node)
        return path

    def update(self, node: Node) -> None:
        """Update the proof numbers of a position and of all positions above it."""
        waiting = {node.stones: {node}}
        while waiting:
            level = waiting.pop(max(waiting))
            for each in level:
                before = each.pn
                each.update_pn()
                if each.pn != before or each is node:
                    self.proved += each.pn == 0 and before != 0
                    for upper in each.above:
                        waiting.setdefault(upper.stones, set()).add(upper)
