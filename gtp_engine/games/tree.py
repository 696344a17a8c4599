"""A game with its variations."""

from collections import deque
from dataclasses import dataclass, field, replace
from typing import Any, Iterator, Mapping, NamedTuple, Optional

from . import catalogue
from .lattice import BLACK, EMPTY, PASS
from .rules import Position, Rules

ROOT = 0
MOST_NODES = 20_000
LONGEST_COMMENT = 10_000  # characters
LONGEST_INFO = 1000  # characters of a text about the game
LONGEST_LABEL = 20
MOST_MARKS = 1000  # of a node, and as many arrows
MARKS = ("circle", "square", "triangle", "cross", "label")
PROVED = 10_000  # the depth behind a value that is certain
KEPT_CHANGES = 2000  # of nodes; a page that is further behind receives the whole tree


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
    comment   text of the user
    value     of the position for Black, -1 to 1, None if unknown
    depth     of the search that found the value, 0 if it was another way, PROVED if it is certain
    marks     kind (one of MARKS), point and text each; only a label has a text
    arrows    from one point to another one each
    """

    parent: Optional[int]
    step: Step = Step()
    children: list[int] = field(default_factory=list)
    comment: str = ""
    value: Optional[float] = None
    depth: int = 0
    marks: tuple[tuple[str, int, str], ...] = ()
    arrows: tuple[tuple[int, int], ...] = ()


class Changes(NamedTuple):
    """The changes of a tree since a version of it.

    whole    everything has to be looked at again; `changed` names all nodes
    changed  nodes that are new or have another step, comment, value, marks, arrows or
             children
    removed  numbers of nodes that are not there any more
    """

    whole: bool
    changed: list[int]
    removed: list[int]


class Removed(NamedTuple):
    """Nodes that were removed from a tree, with the data to restore them.

    parent  the node before them, and `step` what led there
    places  of those that followed it, their places among its children, and their numbers
    nodes   all of them by number
    """

    parent: int
    step: Step
    places: list[tuple[int, int]]
    nodes: dict[int, Node]


class GameTree:
    """A game of some rules and size, from the empty board, with variations.

    nodes    by number; ROOT is the empty board
    info     facts about the game as texts: black and white (names), event, date, ...
    version  how often something has changed; a tree begins with 1
    """

    def __init__(self, rules: Rules, size: int):
        """Raises ValueError if the game is not played on that size."""
        self.rules, self.size = rules, size
        self.nodes: dict[int, Node] = {ROOT: Node(None)}
        self.info: dict[str, str] = {}
        self.version = 1
        self._log: deque[tuple[int, int]] = deque(maxlen=KEPT_CHANGES)  # version and node
        self._forgotten = 1  # the last version of which the log does not tell all
        self._next = ROOT + 1
        points = catalogue.start(rules, size).lattice.points
        self._points = points
        self._places = {point: place for place, point in enumerate(points)} | {PASS: -1}

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

    def up_to(self, number: int) -> "GameTree":
        """A tree of the same nodes from the root to that one, and no others.  Raises KeyError."""
        found, path = GameTree(self.rules, self.size), self.path(number)
        found.info = self.info
        found.nodes = {each: replace(self.nodes[each], children=path[ply + 1:ply + 2])
                       for ply, each in enumerate(path)}
        return found

    def changes(self, since: int) -> Changes:
        """The changes after that version; everything for 0, or for a version too long ago."""
        if since < self._forgotten:
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
        """The node that this step leads to, which is made unless it is there.

        Raises IllegalMove, and ValueError if there are MOST_NODES.
        """
        for child in self.nodes[parent].children:
            if self.nodes[child].step == step:
                return child
        position = self.position(parent)
        step.apply(position)
        number = self.append(parent, step)
        self.end_at(number, position)
        return number

    def append(self, parent: int, step: Step) -> int:
        """A new node for a step that is known to be possible.  Raises ValueError as `add` does."""
        if len(self.nodes) >= MOST_NODES:
            raise ValueError(f"a game has at most {MOST_NODES} positions")
        number, self._next = self._next, self._next + 1
        self.nodes[number] = Node(parent, step)
        self.nodes[parent].children.append(number)
        self._note(parent, number)
        return number

    def replace(self, number: int, step: Step) -> None:
        """Another step leads to a node that nothing follows; its value is forgotten.

        Raises IllegalMove or ValueError, the tree unchanged.
        """
        node = self.nodes[number]
        if node.parent is None or node.children:
            raise ValueError("only the last position of a line can be changed")
        position = self.position(node.parent)
        step.apply(position)
        node.step, node.value, node.depth = step, None, 0
        self.end_at(number, position)
        self._note(number)

    def value_at(self, number: int, value: float, depth: int) -> bool:
        """Keep what a position is worth to Black, unless a deeper search has said something else.

        True if that has changed the node.
        """
        node = self.nodes[number]
        if node.value is not None and depth < node.depth or (
                (value, depth) == (node.value, node.depth)):
            return False
        node.value, node.depth = value, depth
        self._note(number)
        return True

    def end_at(self, number: int, position: Position) -> None:
        """If the game is over in the position of a node, that is what the node is worth."""
        if position.outcome:
            winner = position.outcome.winner
            self.value_at(number, 0.0 if winner == EMPTY else 1.0 if winner == BLACK else -1.0,
                          PROVED)

    def write_comment(self, number: int, text: str) -> None:
        """Another comment stands at a node."""
        self.nodes[number].comment = text
        self._note(number)

    def mark(self, number: int, kind: str, point: int, text: str = "") -> None:
        """Another mark stands on a point at a node; the same one again, and it is gone.

        Raises ValueError.
        """
        node, mark = self.nodes[number], mark_of(kind, point, text)
        others = tuple(each for each in node.marks if each[1] != point)
        node.marks = others if mark in node.marks else (*others, mark)[:MOST_MARKS]
        self._note(number)

    def draw_arrow(self, number: int, start: int, end: int) -> None:
        """An arrow leads from one point to another at a node; the same one again, and it is gone.
        """
        node, arrow = self.nodes[number], (start, end)
        others = tuple(each for each in node.arrows if each != arrow)
        node.arrows = others if arrow in node.arrows else (*others, arrow)[:MOST_MARKS]
        self._note(number)

    def wipe(self, number: int) -> None:
        """There are neither marks nor arrows at a node."""
        node = self.nodes[number]
        node.marks, node.arrows = (), ()
        self._note(number)

    def remove(self, number: int) -> Removed:
        """Take a node and all that follows it away; of the root, all that follows it."""
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
        self._note(parent, *nodes)
        return Removed(parent, self.nodes[parent].step, places, nodes)

    def restore(self, removed: Removed) -> None:
        """Restore removed nodes.

        Raises ValueError if the position before it has changed or is gone, or there are
        MOST_NODES.
        """
        parent = self.nodes.get(removed.parent)
        if parent is None or parent.step != removed.step:
            raise ValueError("the position before it is not there any more")
        if any(number in self.nodes for number in removed.nodes):
            raise ValueError("that is there already")
        if len(self.nodes) + len(removed.nodes) > MOST_NODES:
            raise ValueError(f"a game has at most {MOST_NODES} positions")
        for place, number in removed.places:
            parent.children.insert(place, number)
        self.nodes.update(removed.nodes)
        self._note(removed.parent, *removed.nodes)

    def promote(self, number: int) -> None:
        """The line from the root to that node becomes the main line."""
        for each in self.path(number)[1:]:
            parent = self.nodes[each].parent or ROOT
            siblings = self.nodes[parent].children
            if siblings[0] != each:
                siblings.remove(each)
                siblings.insert(0, each)
                self._note(parent)

    def _note(self, *numbers: int) -> None:
        # These nodes have changed.
        self.version += 1
        for number in numbers:
            if len(self._log) == KEPT_CHANGES:
                self._forgotten = self._log[0][0]
            self._log.append((self.version, number))

    # --- as data ------------------------------------------------------------------------------

    def row(self, number: int) -> dict[str, Any]:
        """A node in the types of JSON, points by their places among the lattice's points; empty
        fields are left out."""
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
        return row

    def row_with_children(self, number: int) -> dict[str, Any]:
        """The same with the numbers of what follows, the main line first."""
        children = self.nodes[number].children
        return {**self.row(number), **({"children": children[:]} if children else {})}

    def data(self) -> dict[str, Any]:
        """All of it in the types of JSON; rows are in such an order that the parent comes before
        its children, and these in their order."""
        return {"game": self.rules.name, "size": self.size, "info": self.info,
                "nodes": [self.row(number) for number, _ in self._in_order()]}

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> "GameTree":
        """The inverse of `data`.  Raises ValueError, KeyError or TypeError for anything else."""
        tree = cls(catalogue.find(str(data["game"])), data["size"])
        position, points = tree.position(ROOT), tree._points
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
            comment, value, depth = row.get("comment", ""), row.get("value"), row.get("depth", 0)
            if not isinstance(comment, str) or value is not None and not -1 <= value <= 1:
                raise ValueError(f"no comment or no value at {number}")
            if type(depth) is not int or not 0 <= depth <= PROVED:
                raise ValueError(f"no depth at {number}: {depth}")
            node = tree.nodes[number]
            node.comment, node.value, node.depth = comment, value, depth
            node.marks = tuple(mark_of(kind, point_at(place), text)
                               for kind, place, text in row.get("marks", ()))
            node.arrows = tuple((point_at(start), point_at(end))
                                for start, end in row.get("arrows", ()))
            if value is None and number != ROOT:
                tree.end_at(number, position)
        for key, text in data.get("info", {}).items():
            if not isinstance(text, str) or len(text) > LONGEST_INFO:
                raise ValueError(f"no text about the game: {key}")
            tree.info[key] = text
        return tree

    def _in_order(self) -> Iterator[tuple[int, Node]]:
        # The parent before its children, these in their order.
        rest = [ROOT]
        while rest:
            number = rest.pop()
            yield number, self.nodes[number]
            rest += reversed(self.nodes[number].children)


def mark_of(kind: Any, point: int, text: Any = "") -> tuple[str, int, str]:
    """A mark, once it is known to be one.  Raises ValueError."""
    if kind not in MARKS or not isinstance(text, str) or len(text) > LONGEST_LABEL:
        raise ValueError(f"no such mark: {kind} {text!r}")
    return kind, point, text


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
    tree.end_at(last, position)
    return tree


def replayed(rules: Rules, size: int, steps: list[Step]) -> Position:
    """The position after these steps from the empty board.  Raises IllegalMove."""
    position = catalogue.start(rules, size)
    for step in steps:
        step.apply(position)
    return position
