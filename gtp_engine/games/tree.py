"""Games with variations."""

from collections import deque
from dataclasses import dataclass, field, replace
from typing import Any, Iterator, Mapping, NamedTuple, Optional

from . import catalogue
from .lattice import BLACK, EMPTY, PASS, Size, as_size, size_data
from .rules import Position, Rules

ROOT = 0
MOST_NODES = 20_000
LONGEST_COMMENT = 10_000  # characters
LONGEST_INFO = 1000  # characters of a text about the game
LONGEST_LABEL = 20  # characters
MOST_MARKS = 1000  # of a node; also the limit of arrows
MARKS = ("circle", "square", "triangle", "cross", "label")
PROVED = 10_000  # the depth of a proved value
LOGGED_CHANGES = 2000  # a page that is further behind receives the whole tree


class Step(NamedTuple):
    """The change from a node's parent: set-up stones, a new side to move, a move.

    stones  (colour, point) each; EMPTY removes a stone
    side    the new side to move; None: unchanged
    move    (colour, point), PASS for a pass; None: no move
    """

    stones: tuple[tuple[int, int], ...] = ()
    side: Optional[int] = None
    move: Optional[tuple[int, int]] = None

    def apply(self, position: Position, foul_loses: bool = False) -> None:
        """Apply the stones, the side and the move to a position, in this order.

        `foul_loses` as in `Position.play`.  Raises IllegalMove or ValueError; earlier parts of the
        step then stay applied.
        """
        if self.stones:
            position.setup(self.stones)
        if self.side is not None:
            position.set_side(self.side)
        if self.move:
            position.play(*self.move, foul_loses)


@dataclass(slots=True)
class Node:
    """A position of a game.

    parent    the number of the parent node, None for the root
    step      the change from the parent
    children  the numbers of the children, the main line first
    comment   text of the user
    value     the value for Black, -1 to 1, None if unknown
    depth     the depth of the search behind the value, PROVED for a proof, otherwise 0
    marks     (kind, point, text) each; the kind is one of MARKS, and only a label has a text
    arrows    (start, end) each
    extra     (name, values) of other SGF properties
    """

    parent: Optional[int]
    step: Step = Step()
    children: list[int] = field(default_factory=list)
    comment: str = ""
    value: Optional[float] = None
    depth: int = 0
    marks: tuple[tuple[str, int, str], ...] = ()
    arrows: tuple[tuple[int, int], ...] = ()
    extra: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Changes(NamedTuple):
    """The changes of a tree since one of its versions.

    whole    is the whole tree to be sent again?  Then `changed` has all nodes
    changed  nodes that are new, or have a new step, comment, value, marks, arrows or children
    removed  numbers of removed nodes
    """

    whole: bool
    changed: list[int]
    removed: list[int]


class Removed(NamedTuple):
    """Nodes that were removed from a tree, with the data to restore them.

    parent  the number of their parent
    step    the step of the parent
    places  for each removed child of the parent, its place among the children, and its number
    nodes   the removed nodes by number
    """

    parent: int
    step: Step
    places: list[tuple[int, int]]
    nodes: dict[int, Node]


class GameTree:
    """A game with variations, from the empty board.

    nodes    the nodes by number; ROOT is the empty board
    size     the side of the board, or its columns and rows
    info     facts about the game as texts: black and white (names), event, date, ...
    most     the largest number of nodes
    version  increases with each change; a new tree has version 1
    """

    def __init__(self, rules: Rules, size: Size, most: int = MOST_NODES):
        """Create a tree of the empty board.  Raises ValueError if the game has no such size."""
        self.rules, self.size, self.most = rules, as_size(size), most
        self.nodes: dict[int, Node] = {ROOT: Node(None)}
        self.info: dict[str, str] = {}
        self.version = 1
        self._log: deque[tuple[int, int]] = deque(maxlen=LOGGED_CHANGES)  # version and node
        self._log_start = 1  # the oldest version whose later changes are all in the log
        self._next = ROOT + 1
        points = catalogue.start(rules, size).lattice.points
        self._points = points
        self._places = {point: place for place, point in enumerate(points)} | {PASS: -1}

    def path(self, number: int) -> list[int]:
        """Return the nodes from the root to a node, both included."""
        path = [number]
        while (parent := self.nodes[path[-1]].parent) is not None:
            path.append(parent)
        return path[::-1]

    def steps(self, number: int) -> list[Step]:
        """Return the steps from the empty board to a node."""
        return [self.nodes[each].step for each in self.path(number)[1:]]

    def position(self, number: int) -> Position:
        """Return the position of a node."""
        return replayed(self.rules, self.size, self.steps(number))

    def line(self, number: int) -> list[int]:
        """Return the nodes from the root through a node to the end of its main line."""
        path = self.path(number)
        while children := self.nodes[path[-1]].children:
            path.append(children[0])
        return path

    def up_to(self, number: int) -> "GameTree":
        """Return a tree with only the nodes from the root to a node.  Raises KeyError."""
        tree, path = GameTree(self.rules, self.size), self.path(number)
        tree.info = self.info
        tree.nodes = {each: replace(self.nodes[each], children=path[ply + 1:ply + 2])
                      for ply, each in enumerate(path)}
        return tree

    def changes(self, since: int) -> Changes:
        """Return the changes after a version; the whole tree for 0 or a version before the log."""
        if since < self._log_start:
            return Changes(True, [number for number, _ in self._in_order()], [])
        touched: dict[int, None] = {}
        for version, number in reversed(self._log):
            if version <= since:
                break
            touched[number] = None
        return Changes(False, [number for number in touched if number in self.nodes],
                       [number for number in touched if number not in self.nodes])

    # --- changes ------------------------------------------------------------------------------

    def add(self, parent: int, step: Step) -> int:
        """Return the child after a step; add it if it is new.

        Raises IllegalMove, and ValueError if the tree is full.
        """
        for child in self.nodes[parent].children:
            if self.nodes[child].step == step:
                return child
        position = self.position(parent)
        step.apply(position)
        number = self.append(parent, step)
        self.set_outcome_value(number, position)
        return number

    def append(self, parent: int, step: Step) -> int:
        """Add a node for a legal step, without checks.  Raises ValueError as `add` does."""
        if len(self.nodes) >= self.most:
            raise ValueError(f"a game has at most {self.most} positions")
        number, self._next = self._next, self._next + 1
        self.nodes[number] = Node(parent, step)
        self.nodes[parent].children.append(number)
        self._log_changes(parent, number)
        return number

    def replace(self, number: int, step: Step) -> None:
        """Replace the step of a node without children, and clear its value.

        Raises IllegalMove or ValueError, with the tree unchanged.
        """
        node = self.nodes[number]
        if node.parent is None or node.children:
            raise ValueError("only the last position of a line can be changed")
        position = self.position(node.parent)
        step.apply(position)
        node.step, node.value, node.depth = step, None, 0
        self.set_outcome_value(number, position)
        self._log_changes(number)

    def set_value(self, number: int, value: float, depth: int) -> bool:
        """Store the value for Black, unless the stored value has a greater depth.

        Returns whether the node has changed.
        """
        node = self.nodes[number]
        if node.value is not None and depth < node.depth or (
                (value, depth) == (node.value, node.depth)):
            return False
        node.value, node.depth = value, depth
        self._log_changes(number)
        return True

    def set_outcome_value(self, number: int, position: Position) -> None:
        """Store the result as the value of a node if its game is over."""
        if position.outcome:
            winner = position.outcome.winner
            self.set_value(number, 0.0 if winner == EMPTY else 1.0 if winner == BLACK else -1.0,
                          PROVED)

    def write_comment(self, number: int, text: str) -> None:
        """Replace the comment of a node."""
        self.nodes[number].comment = text
        self._log_changes(number)

    def mark(self, number: int, kind: str, point: int, text: str = "") -> None:
        """Replace the mark on a point; the same mark again removes it.

        Raises ValueError if there is no such mark.
        """
        node, mark = self.nodes[number], mark_of(kind, point, text)
        others = tuple(each for each in node.marks if each[1] != point)
        node.marks = others if mark in node.marks else (*others, mark)[:MOST_MARKS]
        self._log_changes(number)

    def draw_arrow(self, number: int, start: int, end: int) -> None:
        """Add an arrow from one point to another; the same arrow again removes it."""
        node, arrow = self.nodes[number], (start, end)
        others = tuple(each for each in node.arrows if each != arrow)
        node.arrows = others if arrow in node.arrows else (*others, arrow)[:MOST_MARKS]
        self._log_changes(number)

    def wipe(self, number: int) -> None:
        """Remove all marks and arrows of a node."""
        node = self.nodes[number]
        node.marks, node.arrows = (), ()
        self._log_changes(number)

    def remove(self, number: int) -> Removed:
        """Remove a node with its descendants; of the root, only the descendants."""
        parent = self.nodes[number].parent
        if parent is None:
            parent, roots = number, list(self.nodes[number].children)
        else:
            roots = [number]
        siblings = self.nodes[parent].children
        places = [(siblings.index(root), root) for root in roots]
        self.nodes[parent].children = [each for each in siblings if each not in roots]
        nodes, rest = {}, roots
        while rest:
            each = rest.pop()
            nodes[each] = self.nodes.pop(each)
            rest += nodes[each].children
        self._log_changes(parent, *nodes)
        return Removed(parent, self.nodes[parent].step, places, nodes)

    def restore(self, removed: Removed) -> None:
        """Restore removed nodes.

        Raises ValueError if the parent has changed or no longer exists, or if the tree would exceed
        its largest number of nodes.
        """
        parent = self.nodes.get(removed.parent)
        if parent is None or parent.step != removed.step:
            raise ValueError("the position before it no longer exists")
        if any(number in self.nodes for number in removed.nodes):
            raise ValueError("the position already exists")
        if len(self.nodes) + len(removed.nodes) > self.most:
            raise ValueError(f"a game has at most {self.most} positions")
        for place, number in removed.places:
            parent.children.insert(place, number)
        self.nodes.update(removed.nodes)
        self._log_changes(removed.parent, *removed.nodes)

    def promote(self, number: int) -> None:
        """Make the line from the root to a node the main line."""
        for each in self.path(number)[1:]:
            parent = self.nodes[each].parent or ROOT
            siblings = self.nodes[parent].children
            if siblings[0] != each:
                siblings.remove(each)
                siblings.insert(0, each)
                self._log_changes(parent)

    def _log_changes(self, *numbers: int) -> None:
        self.version += 1
        for number in numbers:
            if len(self._log) == LOGGED_CHANGES:
                self._log_start = self._log[0][0]
            self._log.append((self.version, number))

    # --- as data ------------------------------------------------------------------------------

    def row(self, number: int) -> dict[str, Any]:
        """Return a node as JSON data, without empty fields.

        A point is its index among the lattice's points.
        """
        node, places = self.nodes[number], self._places
        stones, side, move = node.step
        row: dict[str, Any] = {"number": number}
        if node.parent is not None:
            row["parent"] = node.parent
        if stones:
            row["stones"] = [[colour, places[point]] for colour, point in stones]
        if side is not None:
            row["side"] = side
        if move:
            row["move"] = [move[0], places[move[1]]]
        if node.comment:
            row["comment"] = node.comment
        if node.value is not None:
            row["value"] = node.value
        if node.depth:
            row["depth"] = node.depth
        if node.marks:
            row["marks"] = [[kind, places[point], text] for kind, point, text in node.marks]
        if node.arrows:
            row["arrows"] = [[places[start], places[end]] for start, end in node.arrows]
        if node.extra:
            row["extra"] = [[name, [*values]] for name, values in node.extra]
        return row

    def row_with_children(self, number: int) -> dict[str, Any]:
        """Return the same with the numbers of the children, the main line first."""
        children = self.nodes[number].children
        return {**self.row(number), **({"children": children[:]} if children else {})}

    def data(self) -> dict[str, Any]:
        """Return the tree as JSON data; a parent comes before its children."""
        return {"game": self.rules.name, "size": size_data(self.size), "info": self.info,
                "nodes": [self.row(number) for number, _ in self._in_order()]}

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> "GameTree":
        """Return the tree of some `data`.  Raises ValueError, KeyError or TypeError."""
        tree = cls(catalogue.find(str(data["game"])), as_size(data["size"]))
        position = tree.position(ROOT)
        path, depths = [ROOT], {ROOT: 0}  # path of the position; length of its history by node
        for row in data["nodes"]:
            number = row["number"]
            step = tree._step_of(row)
            if number != ROOT:
                if number in tree.nodes or row["parent"] not in path:
                    raise ValueError(f"the nodes are not in order at {number}")
                while path[-1] != row["parent"]:
                    path.pop()
                while len(position.history) > depths[path[-1]]:
                    position.undo()
                step.apply(position, foul_loses=True)
                tree.nodes[number] = Node(path[-1], step)
                tree.nodes[path[-1]].children.append(number)
                path.append(number)
                depths[number] = len(position.history)
                tree._next = max(tree._next, number + 1)
            tree._annotate(row)
            if row.get("value") is None and number != ROOT:
                tree.set_outcome_value(number, position)
        for key, text in data.get("info", {}).items():
            if not isinstance(text, str) or len(text) > LONGEST_INFO:
                raise ValueError(f"invalid text about the game: {key}")
            tree.info[key] = text
        return tree

    def _point_at(self, place: int) -> int:
        # The point of a place in a row.  Raises ValueError.
        if not -1 <= place < len(self._points):
            raise ValueError(f"no such point: {place}")
        return PASS if place < 0 else self._points[place]

    def _step_of(self, row: Mapping[str, Any]) -> Step:
        # The step of a row.  Raises ValueError, KeyError or TypeError.
        number, move = row["number"], row.get("move")
        if type(number) is not int or number < ROOT:
            raise ValueError(f"invalid node number: {number}")
        return Step(
            tuple((colour, self._point_at(place)) for colour, place in row.get("stones", ())),
            row.get("side"), (move[0], self._point_at(move[1])) if move else None)

    def _annotate(self, row: Mapping[str, Any]) -> None:
        # Set all but the step of a row's node.  Raises ValueError.
        number, value = row["number"], row.get("value")
        comment, depth = row.get("comment", ""), row.get("depth", 0)
        if not isinstance(comment, str) or value is not None and not -1 <= value <= 1:
            raise ValueError(f"invalid comment or value at node {number}")
        if type(depth) is not int or not 0 <= depth <= PROVED:
            raise ValueError(f"invalid depth at node {number}: {depth}")
        node = self.nodes[number]
        node.comment, node.value, node.depth = comment, value, depth
        node.marks = tuple(mark_of(kind, self._point_at(place), text)
                           for kind, place, text in row.get("marks", ()))
        node.arrows = tuple((self._point_at(start), self._point_at(end))
                            for start, end in row.get("arrows", ()))
        node.extra = tuple((str(name), tuple(map(str, values)))
                           for name, values in row.get("extra", ()))

    def _in_order(self) -> Iterator[tuple[int, Node]]:
        # The nodes, parents before their children.
        rest = [ROOT]
        while rest:
            number = rest.pop()
            yield number, self.nodes[number]
            rest += reversed(self.nodes[number].children)


def mark_of(kind: Any, point: int, text: Any = "") -> tuple[str, int, str]:
    """Return a valid mark.  Raises ValueError if there is no such mark."""
    if kind not in MARKS or not isinstance(text, str) or len(text) > LONGEST_LABEL:
        raise ValueError(f"no such mark: {kind} {text!r}")
    return kind, point, text


def tree_of(position: Position) -> GameTree:
    """Return the game that has led to a position, without variations."""
    tree = GameTree(position.rules, position.lattice.display_size)
    replay, steps = position.copy(), []
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
    tree.set_outcome_value(last, position)
    return tree


def replayed(rules: Rules, size: Size, steps: list[Step]) -> Position:
    """Return the position after steps from the empty board.

    A forbidden move of Renju loses the game.  Raises IllegalMove.
    """
    position = catalogue.start(rules, size)
    for step in steps:
        step.apply(position, foul_loses=True)
    return position
