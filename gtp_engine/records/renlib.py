"""RenLib libraries: .lib, versions 3.0 and later.

A library is a tree of moves on 15x15 with comments and texts on the board.  A node has a byte for
its point and a byte of flags; nodes are in depth-first order.
"""

from typing import Iterator, NamedTuple, Optional

from ..games import catalogue
from ..games.lattice import BLACK, PASS, WHITE, opponent
from ..games.rules import IllegalMove
from ..games.tree import LONGEST_COMMENT, LONGEST_LABEL, ROOT, GameTree, Step, mark_of
from .charsets import decoded
from .record import MOST_NODES, Notes, Record, Source, choose_rules, choose_size, note_game, quoted

RENLIB, SIZE = "RenLib", 15
SIGNATURE = b"\xffRenLib\xff"
HEADER = 20  # bytes
LONGEST = 1 << 26  # bytes
SIBLING, LEAF, OLD_COMMENT, MARKED, COMMENT, START, EXTENDED = (
    0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x01)
BOARD_TEXT = 0x100
LEFT_OUT = -1
LONGEST_LINE = 1000  # moves; more than a board has points, for passes
LINE_BREAK = "\b"  # separates the one-line comment from the rest
START_MARK = ("RENLIB", ("start",))  # the extra property of a node with the flag START


class _Node(NamedTuple):
    position: int
    flags: int
    comment: Optional[bytes]
    board_text: Optional[bytes]


def read(source: Source) -> Iterator[Record]:
    """Yield the tree of a library.  Raises ValueError if the header is none."""
    notes, data = Notes(), source.data(LONGEST)
    check_header(data)
    if data[8] != 3 or data[9] > 4:
        notes.add(f"the library has version {data[8]}.{data[9]:02}; read as 3.4")
    rules = choose_rules("", source, catalogue.RENJU, notes)
    tree = GameTree(rules, choose_size(SIZE, source, SIZE, notes), MOST_NODES)
    texts: list[tuple[int, bytes, bool]] = []  # node, bytes, is it a text on the board?
    _build(data, tree, notes, texts)
    _annotate(tree, texts, notes)
    yield Record(tree, RENLIB, None, notes, library=True)


def check_header(data: bytes) -> None:
    """Raise ValueError if a file does not begin with the header of a library."""
    if len(data) < HEADER or not data.startswith(SIGNATURE):
        raise ValueError(f"not a library: it has no header of {HEADER} bytes")


def _nodes(data: bytes, notes: Notes) -> Iterator[_Node]:
    at, end = HEADER, len(data)
    while at + 1 < end:
        position, flags = data[at], data[at + 1]
        at += 2
        if flags & EXTENDED:
            if at + 1 >= end:
                at -= 1
                break
            flags |= data[at] << 16 | data[at + 1] << 8
            at += 2
        comment = board_text = None
        if flags & OLD_COMMENT:
            last = at
            while last < end and not data[last] & 0x80:
                last += 1
            comment = data[at:last] + bytes(byte & 0x7f for byte in data[last:last + 1])
            at = last + 1
        if flags & COMMENT:
            comment, at = _text(data, at)
        if flags & BOARD_TEXT:
            board_text, at = _text(data, at)
        if at > end:
            notes.add("the library ends within a text")
        yield _Node(position, flags, comment, board_text)
    if at < end:
        notes.add("the library ends within a node")


def _text(data: bytes, at: int) -> tuple[bytes, int]:
    # A text of whole pairs of bytes, the last of which has a 0; and the place behind it.
    end = data.find(0, at)
    if end < 0:
        return data[at:], len(data) + 1
    return data[at:end], end + 2 - (end - at) % 2


def _build(data: bytes, tree: GameTree, notes: Notes, texts: list[tuple[int, bytes, bool]]) -> None:
    # Adds the nodes of the file to the tree; illegal ones are left out with their descendants.
    position = catalogue.start(tree.rules, tree.size)
    points = {_byte(*position.lattice.display_place(point)): point
              for point in position.lattice.points}
    steps = {(colour, point): Step(move=(colour, point)) for colour in (BLACK, WHITE)
             for point in (PASS, *position.lattice.points)}
    marked = {point: (mark_of("circle", point),) for point in points.values()}
    line = [ROOT]  # the nodes from the root; LEFT_OUT for a node that was left out
    returns: list[int] = []  # the lengths of the line to which leaves return
    count = left_out = 0
    nodes = _nodes(data, notes)
    for node in nodes:
        count += 1
        if len(tree.nodes) == MOST_NODES:
            notes.add(f"the library has more than {MOST_NODES} positions; read up to there")
            break
        parent, number = line[-1], ROOT
        root = count == 1 and node.position == 0
        if not root:
            point = PASS if node.position == 0 else points.get(node.position)
            side = BLACK if len(line) % 2 else WHITE
            while len(position.history) >= len(line):
                position.undo()
            number = LEFT_OUT
            if parent != LEFT_OUT:
                try:
                    if point is None:
                        raise IllegalMove("no such point")
                    if len(line) > LONGEST_LINE:
                        raise IllegalMove(f"the line is longer than {LONGEST_LINE} moves")
                    position.play(side, point, foul_loses=True)
                    number = tree.append(parent, steps[side, point])
                    tree.set_outcome_value(number, position)
                except IllegalMove as complaint:
                    notes.add(f"node {count}, position {node.position:#04x}: {complaint}; it is "
                              "left out with all nodes after it")
            left_out += number == LEFT_OUT
        if number != LEFT_OUT:
            if node.flags & MARKED and not root and point:
                tree.nodes[number].marks = marked[point]
            if node.flags & START:
                tree.nodes[number].extra = (START_MARK,)
            texts += [(number, text, on_board) for text, on_board in (
                (node.comment, False), (node.board_text, True)) if text]
        if node.flags & SIBLING:
            returns.append(len(line))
        if node.flags & LEAF:
            if not returns:
                if next(nodes, None):
                    notes.add(f"nodes follow the last line, after node {count}; they are left out")
                break
            del line[returns.pop():]
        elif not root:
            line.append(number)
    if left_out:
        notes.add(f"nodes left out: {left_out}")


def _byte(column: int, row: int) -> int:
    # The byte of a point: columns and rows count from 1, rows from the top.
    return 16 * (SIZE - 1 - row) + column + 1


def _annotate(tree: GameTree, texts: list[tuple[int, bytes, bool]], notes: Notes) -> None:
    # Sets comments and board texts; all have the charset of their writer's Windows.
    text, note = decoded(b"\0".join(raw for _, raw, _ in texts))
    if note and not text.isascii():
        notes.add(note.replace("the file names no charset", "libraries name no charset"))
    same: dict[tuple[tuple[str, int, str], ...], tuple[tuple[str, int, str], ...]] = {}
    for (number, _, on_board), each in zip(texts, text.split("\0")):
        node = tree.nodes[number]
        each = each.replace("\r\n", "\n")
        if not on_board:
            if len(each) > LONGEST_COMMENT:
                notes.add(f"a comment is cut to {LONGEST_COMMENT} characters")
            node.comment = each.replace(LINE_BREAK, "\n").strip("\n")[:LONGEST_COMMENT]
        elif node.step.move and node.step.move[1]:
            if len(each) > LONGEST_LABEL:
                notes.add(f"the board text {quoted(each)} is cut to {LONGEST_LABEL} characters")
            marks = (*node.marks, mark_of("label", node.step.move[1], each[:LONGEST_LABEL]))
            node.marks = same.setdefault(marks, marks)


def write(tree: GameTree, notes: Notes) -> bytes:
    """Return a tree as a library of version 3.4, with texts as UTF-8 if they are not ASCII.

    Adds all losses to the notes.  Raises ValueError for other boards.
    """
    if tree.size != SIZE or tree.rules.cube:
        raise ValueError(f"RenLib has {SIZE}x{SIZE} only")
    note_game(tree, notes)
    lattice = catalogue.start(tree.rules, tree.size).lattice
    position = {point: _byte(*lattice.display_place(point)) for point in lattice.points}
    parts = [SIGNATURE + bytes([3, 4]) + 10 * b"\xff"]
    rest = [(ROOT, False, BLACK)]
    while rest:
        number, sibling, side = rest.pop()
        node = tree.nodes[number]
        step = node.step
        children = [child for child in node.children if _is_in_turn(tree.nodes[child].step, side)]
        if len(children) < len(node.children):
            notes.add("the format has only moves in turn; other nodes are left out with all nodes "
                      "after them")
        if node.value is not None and number != ROOT and node.depth == 0:
            notes.add("values are left out")
        point = step.move[1] if step.move else PASS
        labels = [text for kind, at, text in node.marks if kind == "label" and at == point]
        flags = ((SIBLING if sibling else 0) | (0 if children else LEAF)
                 | (MARKED if any(at == point and kind != "label" for kind, at, _ in node.marks)
                    else 0) | (COMMENT if node.comment else 0)
                 | (START if START_MARK in node.extra else 0)
                 | (EXTENDED if labels else 0))
        if len(node.marks) > len(labels[:1]) + bool(flags & MARKED) or node.arrows:
            notes.add("marks on other points than a node's own are left out")
        parts.append(bytes([position.get(point, 0), flags]))
        if labels:
            parts.append(bytes([0, BOARD_TEXT >> 8]))
        if node.comment:
            first, line_break, more = node.comment.partition("\n")
            parts.append(_padded(first + (LINE_BREAK + more.replace("\n", "\r\n")
                                          if line_break else "")))
        if labels:
            parts.append(_padded(labels[0]))
        rest += [(child, child != children[-1], opponent(side)) for child in reversed(children)]
        if any(each != START_MARK for each in node.extra):
            notes.add("properties are left out")
    if tree.info:
        notes.add(f"headers are left out: {', '.join(tree.info)}")
    return b"".join(parts)


def _is_in_turn(step: Step, side: int) -> bool:
    return step.move is not None and step == Step(move=(side, step.move[1]))


def _padded(text: str) -> bytes:
    data = text.replace("\0", " ").encode("utf-8", "replace")
    return data + bytes(2 - len(data) % 2)
