"""Games as SGF, FF[1] to FF[4] (Hollosi 1999), also with the faults of common programs."""

import re
from itertools import chain
from typing import BinaryIO, Iterator, Mapping, Optional, Sequence

from ..games.catalogue import GAMES, GOMOKU, start
from ..games.lattice import BLACK, EMPTY, PASS, WHITE, Size, sides, size_of, size_text
from ..games.rules import IllegalMove, Position
from ..games.tree import (
    LONGEST_COMMENT,
    LONGEST_LABEL,
    MOST_MARKS,
    ROOT,
    GameTree,
    Node,
    Step,
    mark_of,
    tree_of,
)
from .charsets import codec_of, decoded, guess, has_ascii_trails
from .moves import GTP_COLUMNS, columns_of
from .record import (
    GTP,
    MILLISECONDS,
    MOST_NODES,
    Notes,
    Record,
    Source,
    board_text,
    choose_rules,
    choose_size,
    empty_record,
    note_result,
    points_of,
    quoted,
    rules_named,
    set_headers,
    winner_of,
)

SGF = "SGF"
LONGEST_GAME = 1 << 24  # bytes
CHUNK = 1 << 18  # bytes
DEFAULT_SIZE, FIVE_IN_A_ROW_SIZE = 19, 15  # without SZ; the second one for GM[4]
LETTERS = {BLACK: "b", WHITE: "w"}
SIDES = {"b": BLACK, "black": BLACK, "1": BLACK, "w": WHITE, "white": WHITE, "2": WHITE}
# SGF properties of the facts about a game, by the names in GameTree.info.
INFO = {"title": "GN", "black": "PB", "white": "PW", "black rank": "BR", "white rank": "WR",
        "black team": "BT", "white team": "WT", "result": "RE", "date": "DT", "event": "EV",
        "round": "RO", "place": "PC", "time limit": "TM", "overtime": "OT", "rule": "RU",
        "opening": "ON", "about": "GC", "annotator": "AN", "source": "SO", "user": "US",
        "copyright": "CP"}
SETUP = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
MOVES = {"B": BLACK, "W": WHITE}
MARKS = {"circle": "CR", "square": "SQ", "triangle": "TR", "cross": "MA"}
ALL_MARKS = (*MARKS, "label")
MARK_OF = {key: kind for kind, key in MARKS.items()} | {"M": "cross"}  # M: FF[1] to FF[3]
DOUBTFUL, BAD, VERY_BAD = "doubtful", "bad", "very bad"
VERDICTS = {DOUBTFUL: ("DO", ""), BAD: ("BM", "1"), VERY_BAD: ("BM", "2")}  # of moves
TECHNICAL = ("FF", "CA", "SZ", "GM")  # properties of the file rather than of the game
# Other properties of FF[1] to FF[4]; a record keeps their values.
STANDARD = {"AP", "ST", "KO", "MN", "BM", "DO", "IT", "TE", "DM", "GB", "GW", "HO", "UC", "N",
            "FG", "PM", "VW", "DD", "SL", "LN", "BL", "WL", "OB", "OW", "HA", "KM", "TB", "TW",
            "BS", "WS", "CH", "EL", "EX", "ID", "LT", "OM", "OP", "OV", "RG", "SC", "SE", "SI",
            "TC", "L", MILLISECONDS}
TEXTS = {"C", "N", *INFO.values()}  # properties with a single value
BEGINNING = re.compile(rb"\(\s*;")  # the beginning of a game
_HEADERS = rb"FF|GM|SZ|CA|AP|PB|PW|EV|GN|US|DT|RE"
_NEW_GAME = re.compile(rb"\(\s{0,9};\s{0,9}(?:" + _HEADERS + rb")\[")
_NEW_GAME_IN_VALUE = re.compile(rb"\n" + _NEW_GAME.pattern)  # the value has no end
_CHARSET = re.compile(rb"CA\s?\[([^\]]{1,40})\]")
_SYNTAX = re.compile(rb"[\[()]")
# A bracket ends a value if a further value, property, node or variation can follow.
_PROPERTY = r"[A-Z][A-Za-z0-9]{0,19}\[|[0-9][A-Z][A-Za-z0-9]{0,18}\[|[a-z]{1,20}\["
_END = r"\s{0,99}(?:[;()]|\Z|" + _PROPERTY + ")"
_END_OF_TEXT = re.compile(_END)
_END_OF_VALUE = re.compile(rf"\s{{0,99}}\[|{_END}")
_END_IN_BYTES = re.compile(_END_OF_VALUE.pattern.encode())
_STOP = re.compile(r"[\]\\]")
_STOP_IN_BYTES = re.compile(rb"[\]\\]")
_STOP_OR_DOUBLE = re.compile(rb"[\x81-\xfe][\x40-\xfe]|[\]\\]")  # passes over two-byte characters
_TOKEN = re.compile(r"\s*(?:([;()])|([A-Za-z0-9]+)\s*(?=\[)|(\[)|([^\s;()\[]+)|\Z)")
_PLAIN_MOVE = re.compile(r";([BW])\[([a-y])([a-y])\]\s*(?=[;()])")  # a node with nothing else
_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_SIZE = re.compile(r"([0-9]{1,3})(?:\s*[:xX*,]\s*([0-9]{1,3}))?")
_NAMED_POINT = re.compile("([A-Za-z])([0-9]{1,2})")
Place = tuple[int, int]  # column and row, from 0 at the lower left
Properties = list[tuple[str, list[str]]]


# --- reading --------------------------------------------------------------------------------------


def read(source: Source) -> Iterator[Record]:
    """Yield the games of an SGF file; a game that cannot be read is a record with an error."""
    for number, (game, declared, default) in enumerate(_games(source.stream)):
        if number < source.skip:
            yield empty_record(SGF)
            continue
        text, note = decoded(game, declared, default)
        yield _record(text, note, source)


def _games(stream: BinaryIO) -> Iterator[tuple[bytes, str, Optional[str]]]:
    # The games as bytes, each with the charset that it declares, and the charset of the file
    # without one.  Raises ValueError if a game is longer than LONGEST_GAME.
    buffer, at, final = stream.read(CHUNK), 0, False
    default = None if _is_utf8(buffer) else guess(buffer)
    first_declared = ""
    while True:
        begin = BEGINNING.search(buffer, at)
        if begin:
            head = _CHARSET.search(buffer, begin.start(), begin.start() + 4000)
            declared = head[1].decode("ascii", "replace") if head else first_declared
            first_declared = first_declared or declared
            codec = codec_of(declared) or default
            double = bool(default and codec and has_ascii_trails(codec))
            end = _end_of_game(buffer, begin.start(), double, final)
            if end is not None:
                at = end
                yield buffer[begin.start():end], declared, default
                continue
        if final:
            return
        buffer = buffer[begin.start() if begin else max(at, len(buffer) - 100):]
        if len(buffer) > LONGEST_GAME:
            raise ValueError(f"a game is longer than {LONGEST_GAME} bytes")
        more = stream.read(max(CHUNK, len(buffer)))
        buffer, at, final = buffer + more, 0, not more


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return True


def _end_of_game(data: bytes, begin: int, double: bool, final: bool) -> Optional[int]:
    # The end of the game at `begin`; None if more data decide.  The header of another game ends it,
    # too.
    depth, at, stop = 0, begin, _STOP_OR_DOUBLE if double else _STOP_IN_BYTES
    while found := _SYNTAX.search(data, at):
        at = found.end()
        bracket = found[0]
        if bracket == b"[":
            end = _end_of_bytes(data, at, stop)
            cut = _NEW_GAME_IN_VALUE.search(data, at, end)
            if cut:
                return cut.start() + 1
            at = end
        elif bracket == b")":
            depth -= 1
            if depth == 0:
                return at
        elif depth and _NEW_GAME.match(data, at - 1):
            return at - 1
        else:
            depth += 1
        if not final and at > len(data) - 200:
            return None
    return len(data) if final else None


def _end_of_bytes(data: bytes, at: int, stop: "re.Pattern[bytes]") -> int:
    # The end of the value that contains `at`.
    while found := stop.search(data, at):
        at = found.end()
        if found[0] == b"\\":
            at += 1
        elif found[0] == b"]" and _END_IN_BYTES.match(data, at):
            return at
    return len(data)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    # Yield ("move", its letters as in Bhh), ("syntax", one of ;()), ("name", a property), ("value",
    # its raw text), ("cut", a value without an end) or ("junk", other text).
    at, length, name = 0, len(text), ""
    while at < length:
        while plain := _PLAIN_MOVE.match(text, at):
            at = plain.end()
            yield "move", plain[1] + plain[2] + plain[3]
        found = _TOKEN.match(text, at)
        assert found is not None
        at = found.end()
        if found[1]:
            yield "syntax", found[1]
        elif found[2]:
            name = _short_name(found[2])
            yield "name", name
        elif found[3]:
            end = _END_OF_TEXT if name in TEXTS else _END_OF_VALUE
            first = at
            while stop := _STOP.search(text, at):
                at = stop.end()
                if stop[0] == "\\":
                    at += 1
                elif end.match(text, at):
                    yield "value", text[first:at - 1]
                    break
            else:
                yield "cut", text[first:]
                return
        elif found[4]:
            yield "junk", found[4]


def _short_name(name: str) -> str:
    # Names of FF[1] to FF[3] have lower-case letters without a meaning, as in SiZe.
    return name if name.islower() else re.sub("[a-z]", "", name)


def _record(text: str, note: str, source: Source) -> Record:
    builder = _Builder(source)
    if note:
        builder.notes.add(note)
    try:
        builder.read(text)
    except ValueError as error:
        rules = source.rules or GOMOKU
        return Record(GameTree(rules, rules.default_size), SGF, notes=builder.notes,
                      error=str(error))
    record = Record(builder.tree, SGF, builder.winner, builder.notes, builder.main_fault,
                    end=builder.end)
    note_result(record)
    return record


class _Builder:
    # Builds the tree of a game from its tokens.

    tree: GameTree
    position: Position

    def __init__(self, source: Source):
        self.source, self.notes = source, Notes()
        self.nodes = self.moves = 0
        self.last = ROOT
        self.broken = False  # is the present line cut at an illegal move?
        self.winner: Optional[int] = None
        self.end: Optional[Position] = None  # of the main line
        self.extended: list[str] = []  # names of unknown properties
        self.text = self.columns = self.main_fault = ""

    def read(self, text: str) -> None:
        """Read a game.  Raises ValueError if it has no board."""
        self.text = text
        stack: list[tuple[int, int, int, bool]] = []
        node: Optional[Properties] = None
        values: list[str] = []
        for kind, token in _tokens(text):
            if kind == "move":
                if node is not None:
                    self.node(node)
                    node = None
                self.plain_move(token)
            elif kind == "name":
                values = []
                if node is not None:
                    node.append((token, values))
            elif kind == "value":
                values.append(token)
            elif kind == "cut":
                self.notes.add("the file ends within a value")
                values.append(token)
                if node and node[-1][0] not in TEXTS:
                    node.pop()
            elif kind == "junk":
                self.notes.add(f"unexpected text {quoted(token)} between the properties")
            else:
                if node is not None:
                    self.node(node)
                node = [] if token == ";" else None
                if token == "(":
                    stack.append((self.last, len(self.position.history) if self.nodes else 0,
                                  self.moves, self.broken))
                elif token == ")":
                    self.end_line()
                    if not stack:
                        break
                    self.last, depth, self.moves, self.broken = stack.pop()
                    while len(self.position.history) > depth:
                        self.position.undo()
        if node is not None:
            self.node(node)
        self.end_line()
        if stack:
            self.notes.add("the file ends before the end of the game")
        if self.extended:
            self.notes.add(f"unknown properties are kept: {' '.join(self.extended[:20])}")

    def end_line(self) -> None:
        """The first line to end is the main line."""
        if not self.nodes:
            raise ValueError("a game without a node")
        if self.end is None:
            self.end = self.position.copy()

    def node(self, properties: Properties) -> None:
        """Add a node; its properties have raw values."""
        if not self.nodes:
            self.begin(dict(properties))
        self.nodes += 1
        if self.broken or not properties and self.nodes > 1:
            return
        steps = self.steps(properties)
        number = self.last
        for step in steps:
            try:
                self.moves += step.move is not None
                step.apply(self.position, foul_loses=True)
            except IllegalMove as complaint:
                self.fault(f"move {self.moves} is illegal: {complaint}")
                return
            number = self.tree.append(number, step)
            self.tree.set_outcome_value(number, self.position)
        if not steps and self.broken:
            return
        if not steps and self.nodes > 1:
            number = self.tree.append(number, Step())
        self.last = number
        self.annotate(self.tree.nodes[number], properties)

    def plain_move(self, token: str) -> None:
        """Add a node with a move only, as in Bhh: most nodes, so this saves half of the time."""
        point = self.points.get((ord(token[1]) - 97, self.top - (ord(token[2]) - 97))
                                ) if self.nodes else None
        if point is None or self.broken:
            self.node([(token[0], [token[1:]])])
            return
        self.nodes += 1
        self.moves += 1
        step = Step(move=(MOVES[token[0]], point))
        try:
            self.position.play(*step.move, foul_loses=True)  # type: ignore[misc]
        except IllegalMove as complaint:
            self.fault(f"move {self.moves} is illegal: {complaint}")
            return
        self.last = self.tree.append(self.last, step)
        if self.position.outcome:
            self.tree.set_outcome_value(self.last, self.position)

    def fault(self, text: str) -> None:
        """Cut the present line."""
        self.broken = True
        if self.end is None:
            self.main_fault = text
        self.notes.add(f"{text}; the line is read up to there")

    def begin(self, root: Mapping[str, Sequence[str]]) -> None:
        """Create the tree by the properties of the root.  Raises ValueError."""
        first = {key: _text(values[0]) for key, values in root.items() if values}
        name, title = first.get("RU", "").strip(), first.get("GN", "").strip()
        if not name and rules_named(title):
            name = title
        rules = choose_rules(name, self.source, GOMOKU, self.notes)
        kind = first.get("GM", "").strip()
        if kind not in ("", "1", "4"):
            self.notes.add(f"GM[{kind[:20]}] is not a game of rows; read as {rules.name}")
        default = (FIVE_IN_A_ROW_SIZE if kind == "4" else DEFAULT_SIZE)
        size = choose_size(self.size(first.get("SZ", "")), self.source, default, self.notes)
        self.tree = GameTree(rules, size, MOST_NODES)
        headers = {key: first.get(name, "") for key, name in INFO.items()}
        if headers["rule"].strip() == rules.name or rules_named(headers["rule"]) == rules:
            del headers["rule"]
        if headers["title"] in (*GAMES, rules.name):
            del headers["title"]
        set_headers(self.tree, headers, self.notes)
        try:
            self.winner = winner_of(headers["result"])
        except ValueError as error:
            self.notes.add(str(error))
        self.position = start(rules, size)
        self.columns_and_rows = sides(size)
        self.top = self.columns_and_rows[1] - 1
        self.points = points_of(self.position.lattice)

    def size(self, text: str) -> Optional[Size]:
        """The size that the file names, such as 15 or 12:10 (columns and rows)."""
        if not text.strip():
            return None
        match = _SIZE.fullmatch(text.strip())
        if not match:
            self.notes.add(f"the size {quoted(text)} is not a number")
            return None
        return size_of(int(match[1]), int(match[2] or match[1]))

    def steps(self, properties: Properties) -> list[Step]:
        """The set-up and the moves of a node, each a step."""
        stones: list[tuple[int, int]] = []
        side: Optional[int] = None
        moves: list[tuple[int, int]] = []
        for key, values in properties:
            if key in SETUP:
                stones += [(SETUP[key], point) for value in values
                           for point in self.points_of(key, value)]
            elif key == "PL":
                side = SIDES.get(_text(values[0]).strip().lower())
                if side is None:
                    self.notes.add(f"{self.here}: PL{values[0]!r:.40} is not a colour")
            elif key in MOVES:
                for value in values:
                    point = self.move(value)
                    if point is None:
                        self.fault(f"{self.here}: the move {quoted(value)} is not on the board of "
                                   f"{board_text(self.tree.size, ' x ')}")
                        break
                    moves.append((MOVES[key], point))
        if len(moves) > 1:
            self.notes.add("several moves in a node are read in their order")
        steps = [Step(move=move) for move in moves]
        if stones or side is not None:
            setup = Step(tuple(stones), side)
            steps[:1] = [setup._replace(move=moves[0])] if moves else [setup]
        return steps

    @property
    def here(self) -> str:
        return f"node {self.nodes - 1}"

    def move(self, value: str) -> Optional[int]:
        """The point of a move, PASS, or None off the board."""
        text = value.strip()
        if text in ("", "pass") or text == "tt" and max(self.columns_and_rows) <= 19:
            return PASS
        if len(text) == 2 and text.isalpha() and text.isascii():
            return self.points.get(self.place(text.lower()))
        named = _NAMED_POINT.fullmatch(text)
        if named is None:
            return None
        if not self.columns:
            self.columns, _ = columns_of(self.text, self.tree.size, self.source.letters, GTP)
            words = "without" if self.columns == GTP_COLUMNS else "with"
            self.notes.add(f"moves such as {text} are read {words} a column I, from the bottom")
        return self.points.get((self.columns.find(named[1].lower()), int(named[2]) - 1))

    def place(self, text: str) -> Place:
        """The place of two letters, counted from the upper left."""
        return ord(text[0]) - ord("a"), self.top - (ord(text[1]) - ord("a"))

    def points_of(self, key: str, value: str) -> list[int]:
        """The points of a value such as ca or ca:cc; others are left out with a note."""
        first, colon, last = value.strip().partition(":")
        corners = [each.strip().lower() for each in ((first, last) if colon else (first, first))]
        if all(len(each) == 2 and each.isalpha() and each.isascii() for each in corners):
            (left, top), (right, bottom) = map(self.place, corners)
            found = [self.points.get((column, row)) for column in range(left, right + 1)
                     for row in range(bottom, top + 1)]
            if found and None not in found:
                return [point for point in found if point is not None]
        self.notes.add(f"{self.here}: {key}[{value[:20]}] is not on the board")
        return []

    def annotate(self, node: Node, properties: Properties) -> None:
        """Set the comment, value, marks, arrows and further properties of a node."""
        marks: list[tuple[str, int, str]] = []
        arrows: list[tuple[int, int]] = []
        extra: list[tuple[str, tuple[str, ...]]] = []
        root = self.nodes == 1
        for key, values in properties:
            if key == "C":
                node.comment = self.cut("comment", _text("\n".join(values)), LONGEST_COMMENT)
            elif key == "V" and (value := _number(values[0])) is not None:
                node.value = value
            elif key in MARK_OF:
                marks += [mark_of(MARK_OF[key], point) for each in values
                          for point in self.points_of(key, each)]
            elif key in ("LB", "L", "AR", "LN"):
                self.composed(key, values, marks, arrows)
            elif not (key in SETUP or key in MOVES or key == "PL" or root and (
                    key in TECHNICAL or key in INFO.values())):
                extra.append((key, tuple(map(_text, values))))
                if key not in STANDARD and key not in INFO.values() and key not in self.extended:
                    self.extended.append(key)
        if len(marks) > MOST_MARKS or len(arrows) > MOST_MARKS:
            self.notes.add(f"{self.here}: only {MOST_MARKS} marks are kept")
        marks.sort(key=lambda mark: ALL_MARKS.index(mark[0]))
        node.marks, node.arrows = tuple(marks[:MOST_MARKS]), tuple(arrows[:MOST_MARKS])
        node.extra = tuple(extra)

    def composed(self, key: str, values: Sequence[str], marks: list[tuple[str, int, str]],
                 arrows: list[tuple[int, int]]) -> None:
        """Add labels (LB, L) or arrows (AR, LN) to the marks and arrows of a node."""
        for number, value in enumerate(values):
            first, _, last = value.partition(":")
            start = self.points_of(key, first)
            if key in ("LB", "L"):
                text = _text(last) if key == "LB" else chr(ord("a") + number % 26)
                label = self.cut("label", text, LONGEST_LABEL)
                marks += [mark_of("label", point, label) for point in start]
            else:
                arrows += zip(start, self.points_of(key, last))

    def cut(self, name: str, text: str, longest: int) -> str:
        """The text, cut to `longest` characters with a note."""
        if len(text) > longest:
            self.notes.add(f"{self.here}: the {name} is cut to {longest} characters")
        return text[:longest]


def _text(value: str) -> str:
    # The text of a raw value: a backslash protects the next character and removes a line break.
    if "\\" in value:
        value = _ESCAPE.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], value)
    return value.replace("\r\n", "\n").replace("\r", "\n")


def _number(text: str) -> Optional[float]:
    try:
        value = float(text)
    except ValueError:
        return None
    return min(max(value, -1.0), 1.0) if value == value else None


# --- writing --------------------------------------------------------------------------------------


def sgf_of(position: Position, properties: Optional[Mapping[str, str]] = None) -> bytes:
    """Return a game as an SGF file, with properties (PB, PW, RE, ...) in its root."""
    return sgf_of_tree(tree_of(position), properties)


def sgf_of_tree(tree: GameTree, properties: Optional[Mapping[str, str]] = None,
                verdicts: Mapping[int, str] = {}) -> bytes:
    """Return a game with its variations as an SGF file.

    The root has the facts about the game; `properties` override them.  `verdicts` has DOUBTFUL, BAD
    or VERY_BAD by node.  There is no GM, since GoGui refuses any but Go's.
    """
    lattice = start(tree.rules, tree.size).lattice
    names = {point: _letters(lattice.display_place(point), lattice.display_rows)
             for point in lattice.points}
    lines: list[str] = []
    rest: list[tuple[Optional[int], bool]] = [(ROOT, True)]
    while rest:
        number, variation = rest.pop()
        if number is None:
            lines.append(")")
            continue
        node = tree.nodes[number]
        verdict = VERDICTS[verdicts[number]] if number in verdicts else None
        parts = chain(_root(tree, properties or {}) if number == ROOT else (),
                      _properties(node, names, verdict))
        lines.append(f"{'(' * variation};{''.join(_written(*part) for part in parts)}")
        if variation:
            rest.append((None, False))
        rest += [(child, len(node.children) > 1) for child in reversed(node.children)]
    return _wrapped(lines).encode("utf-8", "replace")


def write(tree: GameTree, notes: Notes) -> bytes:
    """Return a game as an SGF file; nothing is lost."""
    return sgf_of_tree(tree)


def _root(tree: GameTree, properties: Mapping[str, str]) -> Iterator[tuple[str, Sequence[str]]]:
    info = {INFO[key]: value for key, value in tree.info.items() if key in INFO}
    by_name = GAMES.get(tree.rules.name) == tree.rules
    if "title" in tree.info or (tree.rules.renju or not by_name) and "RU" not in info:
        info["RU"] = tree.rules.name
    yield from [("FF", "4"), ("CA", ["UTF-8"])]
    size = size_text(tree.size).replace("x", ":")
    found = {"GN": tree.rules.name, **info, **properties, "SZ": size}
    yield from ((key, [_escaped(found[key])]) for key in sorted(found))


def _properties(node: Node, names: Mapping[int, str], verdict: Optional[tuple[str, str]]
                ) -> Iterator[tuple[str, Sequence[str]]]:
    for key, colour in SETUP.items():
        yield key, [names[point] for content, point in node.step.stones if content == colour]
    if node.step.side is not None:
        yield "PL", [LETTERS[node.step.side]]
    if node.step.move:
        colour, point = node.step.move
        yield LETTERS[colour].upper(), [names.get(point, "")]
    if node.comment:
        yield "C", [_escaped(node.comment)]
    if node.value is not None:
        yield "V", [f"{round(node.value, 4):g}"]
    for kind, key in MARKS.items():
        yield key, [names[point] for each, point, _ in node.marks if each == kind]
    yield "LB", sorted(f"{names[point]}:{_escaped(text)}" for kind, point, text in node.marks
                       if kind == "label")
    yield "AR", [f"{names[start]}:{names[end]}" for start, end in node.arrows]
    if verdict:
        yield verdict[0], [verdict[1]]
    yield from ((key, [*map(_escaped, values)]) for key, values in node.extra
                if not (verdict and key in ("DO", "BM")))


def _written(key: str, values: Sequence[str]) -> str:
    return f"{key}{''.join(f'[{value}]' for value in values)}" if values else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _letters(place: Place, rows: int) -> str:
    column, row = place
    return f"{chr(ord('a') + column)}{chr(ord('a') + rows - 1 - row)}"


def _wrapped(parts: Sequence[str], width: int = 79) -> str:
    # The nodes and brackets in lines of at most `width` characters, where a node allows it.
    lines, line = [], ""
    for part in parts:
        if line and len(line) + len(part) > width:
            lines.append(line)
            line = ""
        line += part
    return "\n".join([*lines, line, ""])
