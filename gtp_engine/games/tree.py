"""A game with its variations."""

from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, NamedTuple, Optional

from . import catalogue
from .lattice import PASS
from .rules import Position, Rules

ROOT = 0
MOST_NODES = 20_000
LONGEST_COMMENT = 10_000  # characters


class Step(NamedTuple):
    """What leads to a node: stones that are put on the board, whose turn it is, a move.

    stones  (colour, point) each, EMPTY where one is taken away
    side    the colour to move from there on, None: as it was
    move    colour and point, PASS for a pass; None: no move
    """

    stones: tuple[tuple[int, int], ...] = ()
    side: Optional[int] = None
    move: Optional[tuple[int, int]] = None

    def apply(self, position: Position) -> None:
        """Change the position accordingly.

        Raises IllegalMove or ValueError; what stands before that in a step has been done then.
        """
        if self.stones:
            position.setup(self.stones)
        if self.side is not None:
            position.set_side(self.side)
        if self.move:
            position.play(*self.move)


@dataclass
class Node:
    """A position of a game.

    parent    the number of the node before it, None for the root
    step      what leads here from there
    children  the numbers of what follows, the main line first
    comment   what somebody has written
    value     what the position is worth to Black, -1 to 1, None if nobody knows
    """

    parent: Optional[int]
    step: Step = Step()
    children: list[int] = field(default_factory=list)
    comment: str = ""
    value: Optional[float] = None


class GameTree:
    """A game of some rules and size, from the empty board, with variations.

    nodes  by number, the parent always before its children; ROOT is the empty board
    """

    def __init__(self, rules: Rules, size: int):
        """Raises ValueError if the game is not played on that size."""
        self.rules, self.size = rules, size
        self.nodes: dict[int, Node] = {ROOT: Node(None)}
        self._next = ROOT + 1
        catalogue.start(rules, size)

    def path(self, number: int) -> list[int]:
        """The nodes from the root to that one, both included."""
        path = [number]
        while (parent := self.nodes[path[-1]].parent) is not None:
            path.append(parent)
        return path[::-1]

    def steps(self, number: int) -> list[Step]:
        """What leads from the empty board to that node."""
        return [self.nodes[each].step for each in self.path(number)[1:]]

    def position(self, number: int) -> Position:
        """The position of that node."""
        return replayed(self.rules, self.size, self.steps(number))

    def line(self, number: int) -> list[int]:
        """The nodes from the root through that one to the end of its main line."""
        path = self.path(number)
        while children := self.nodes[path[-1]].children:
            path.append(children[0])
        return path

    def add(self, parent: int, step: Step) -> int:
        """The node that this step leads to, which is made unless it is there.

        Raises IllegalMove, and ValueError if there are MOST_NODES.
        """
        for child in self.nodes[parent].children:
            if self.nodes[child].step == step:
                return child
        step.apply(self.position(parent))
        return self.append(parent, step)

    def append(self, parent: int, step: Step) -> int:
        """A new node for a step that is known to be possible.  Raises ValueError as `add` does."""
        if len(self.nodes) >= MOST_NODES:
            raise ValueError(f"a game has at most {MOST_NODES} positions")
        number, self._next = self._next, self._next + 1
        self.nodes[number] = Node(parent, step)
        self.nodes[parent].children.append(number)
        return number

    def remove(self, number: int) -> int:
        """Take a node and all that follows it away; the node before it.  The root stays."""
        parent = self.nodes[number].parent
        if parent is None:
            for child in list(self.nodes[number].children):
                self.remove(child)
            return number
        self.nodes[parent].children.remove(number)
        gone = [number]
        while gone:
            gone += self.nodes.pop(gone.pop()).children
        return parent

    def promote(self, number: int) -> None:
        """The line from the root to that node becomes the main line."""
        for each in self.path(number)[1:]:
            siblings = self.nodes[self.nodes[each].parent or ROOT].children
            siblings.remove(each)
            siblings.insert(0, each)

    # --- as data ------------------------------------------------------------------------------

    def data(self) -> dict[str, Any]:
        """All of it in the types of JSON, points by their places among the lattice's points."""
        places = {point: place for place, point in enumerate(self._points())} | {PASS: -1}

        def placed(step: Step) -> dict[str, Any]:
            return {"stones": [[colour, places[point]] for colour, point in step.stones],
                    "side": step.side,
                    "move": step.move and [step.move[0], places[step.move[1]]]}

        rows = []
        for number, node in self._in_order():
            row = {"number": number, "parent": node.parent, **placed(node.step),
                   "comment": node.comment, "value": node.value}
            rows.append({key: value for key, value in row.items()
                         if value not in (None, [], "")})
        return {"game": self.rules.name, "size": self.size, "nodes": rows}

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> "GameTree":
        """The inverse of `data`.  Raises ValueError, KeyError or TypeError for anything else."""
        tree = cls(catalogue.find(str(data["game"])), data["size"])
        position, points = tree.position(ROOT), tree._points()
        path, depths = [ROOT], {ROOT: 0}  # of the position; changes of it by node

        def point_at(place: int) -> int:
            if not -1 <= place < len(points):
                raise ValueError(f"no such point: {place}")
            return PASS if place < 0 else points[place]

        for row in data["nodes"]:
            number, move = row["number"], row.get("move")
            if type(number) is not int or number < ROOT:
                raise ValueError(f"no number of a node: {number}")
            step = Step(tuple((colour, point_at(place)) for colour, place in row.get("stones", ())),
                        row.get("side"), (move[0], point_at(move[1])) if move else None)
            if number != ROOT:
                if number in tree.nodes or row["parent"] not in path:
                    raise ValueError(f"the nodes are not in order at {number}")
                while path[-1] != row["parent"]:
                    path.pop()
                while len(position.history) > depths[path[-1]]:
                    position.undo()
                step.apply(position)
                tree.nodes[number] = Node(path[-1], step)
                tree.nodes[path[-1]].children.append(number)
                path.append(number)
                depths[number] = len(position.history)
                tree._next = max(tree._next, number + 1)
            comment, value = row.get("comment", ""), row.get("value")
            if not isinstance(comment, str) or value is not None and not -1 <= value <= 1:
                raise ValueError(f"no comment or no value at {number}")
            tree.nodes[number].comment, tree.nodes[number].value = comment, value
        return tree

    def _points(self) -> tuple[int, ...]:
        return catalogue.start(self.rules, self.size).lattice.points

    def _in_order(self) -> Iterator[tuple[int, Node]]:
        # The parent before its children, these in their order.
        rest = [ROOT]
        while rest:
            number = rest.pop()
            yield number, self.nodes[number]
            rest += reversed(self.nodes[number].children)


def tree_of(position: Position) -> GameTree:
    """The game that has led to a position, without variations."""
    tree, replay, steps = GameTree(position.rules, position.lattice.shown_size), position.copy(), []
    while replay.history:
        record = replay.history[-1]
        if record.point != PASS:
            steps.append(Step(move=(record.colour, record.point)))
        elif record.before:
            steps.append(Step(tuple((replay.cells[cell], cell)
                                    for cell in dict(record.before))))
        elif replay.side == record.colour:
            steps.append(Step(side=record.colour))
        else:
            steps.append(Step(move=(record.colour, PASS)))
        replay.undo()
    last = ROOT
    for step in reversed(steps):
        last = tree.append(last, step)
    return tree


def replayed(rules: Rules, size: int, steps: list[Step]) -> Position:
    """The position after these steps from the empty board.  Raises IllegalMove."""
    position = catalogue.start(rules, size)
    for step in steps:
        step.apply(position)
    return position
