"""Reading and writing games as SGF."""

import re
from typing import Any, Iterator, Mapping, Optional

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, PASS, WHITE
from ..games.rules import IllegalMove, Position, Rules
from ..games.tree import (
    LONGEST_COMMENT,
    LONGEST_INFO,
    LONGEST_LABEL,
    MOST_MARKS,
    MOST_NODES,
    ROOT,
    GameTree,
    Node,
    Step,
    mark_of,
    tree_of,
)

LETTERS = {BLACK: "b", WHITE: "w"}
MOST_NESTED = 100
COLOURS = {letter: colour for colour, letter in LETTERS.items()}
# SGF properties of the facts about a game, by the names in GameTree.info.
INFO = {"title": "GN", "black": "PB", "white": "PW", "black rank": "BR", "white rank": "WR",
        "black team": "BT", "white team": "WT", "result": "RE", "date": "DT", "event": "EV",
        "round": "RO", "place": "PC", "overtime": "OT", "opening": "ON",
        "about": "GC", "annotator": "AN", "source": "SO", "user": "US", "copyright": "CP"}
MARKS = {"circle": "CR", "square": "SQ", "triangle": "TR", "cross": "MA"}
DOUBTFUL, BAD, VERY_BAD = "doubtful", "bad", "very bad"
VERDICTS = {DOUBTFUL: ("DO", b""), BAD: ("BM", b"1"), VERY_BAD: ("BM", b"2")}  # of moves
# Names of rules in files of other programs, besides the names of the catalogue.
RULES = {"freestyle": catalogue.GOMOKU, "free style": catalogue.GOMOKU,
         "standard": catalogue.GOMOKU_EXACT}
BEGINNING = re.compile(rb"\(\s*;")  # the beginning of a game
# Values of properties, whose brackets are plain text, and the brackets of variations.
_BRACKETS = re.compile(rb"\[[^\\\]]*(?:\\.[^\\\]]*)*(?:\]|\\?\Z)|[()]", re.DOTALL)

Place = tuple[int, int]  # row and column, in the order of sgfmill


def sgf_of(position: Position, properties: Optional[Mapping[str, str]] = None) -> bytes:
    """Return a game as an SGF file, with properties (PB, PW, RE, ...) in its root."""
    return sgf_of_tree(tree_of(position), properties)


def sgf_of_tree(tree: GameTree, properties: Optional[Mapping[str, str]] = None,
                verdicts: Mapping[int, str] = {}) -> bytes:
    """Return a game with its variations as an SGF file.

    The root has the facts about the game; `properties` override them.  `verdicts` has DOUBTFUL, BAD
    or VERY_BAD by node.  There is no GM, since GoGui refuses any but Go's.  Needs the package
    sgfmill.
    """
    from sgfmill import sgf
    game = sgf.Sgf_game(tree.size)
    root = game.get_root()
    _write_info(root, tree, properties or {})
    lattice = catalogue.start(tree.rules, tree.size).lattice
    places = {point: lattice.display_place(point)[::-1] for point in lattice.points}
    rest = [(ROOT, root)]
    while rest:
        number, sgf_node = rest.pop()
        node = tree.nodes[number]
        _write_step(sgf_node, node.step, places)
        _write_notes(sgf_node, node, verdicts.get(number))
        _write_marks(sgf_node, node, places)
        rest += [(child, sgf_node.new_child()) for child in node.children]
    return bytes(game.serialise())


def _write_info(root: Any, tree: GameTree, properties: Mapping[str, str]) -> None:
    root.unset("GM")
    info = {INFO[key]: value for key, value in tree.info.items() if key in INFO}
    if "title" in tree.info or tree.rules.renju:
        root.set("RU", tree.rules.name)
    for key, value in {"GN": tree.rules.name, **info, **properties}.items():
        root.set(key, _writable(value))


def _write_step(sgf_node: Any, step: Step, places: Mapping[int, Place]) -> None:
    if step.stones:
        sgf_node.set_setup_stones(*([places[point] for colour, point in step.stones
                                     if colour == content] for content in (BLACK, WHITE, EMPTY)))
    if step.side is not None:
        sgf_node.set("PL", LETTERS[step.side])
    if step.move:
        colour, point = step.move
        sgf_node.set_move(LETTERS[colour], places.get(point))


def _write_notes(sgf_node: Any, node: Node, verdict: Optional[str]) -> None:
    if node.comment:
        sgf_node.set("C", _writable(node.comment))
    if node.value is not None:
        sgf_node.set("V", round(node.value, 4))
    if verdict is not None:
        key, text = VERDICTS[verdict]
        sgf_node.set_raw(key, text)


def _write_marks(sgf_node: Any, node: Node, places: Mapping[int, Place]) -> None:
    for kind, key in MARKS.items():
        if marked := [places[point] for each, point, _ in node.marks if each == kind]:
            sgf_node.set(key, marked)
    if labels := {places[point]: _writable(text) for kind, point, text in node.marks
                  if kind == "label"}:
        sgf_node.set("LB", sorted(labels.items()))
    if node.arrows:
        sgf_node.set("AR", [(places[start], places[end]) for start, end in node.arrows])


def games_in(data: bytes) -> Iterator[bytes]:
    """Yield the games of an SGF file, each as a file of its own; the last may be incomplete."""
    start = BEGINNING.search(data)
    while start:
        depth, end = 0, len(data)
        for bracket in _BRACKETS.finditer(data, start.start()):
            depth += {b"(": 1, b")": -1}.get(bracket[0], 0)
            if depth == 0:
                end = bracket.end()
                break
        yield data[start.start():end]
        start = BEGINNING.search(data, end)


def position_of(data: bytes, rules: Rules, before_move: Optional[int] = None) -> Position:
    """Return the position at the end of the main line of a file's first game.

    With `before_move`, returns the position before that move, counted from 1.  The file gives the
    size, set-up stones and side to move; `rules` override its game.  Raises ValueError.  Needs the
    package sgfmill.
    """
    game = _read(data)
    position = catalogue.start(rules, game.get_size())
    points = _points(position)
    moves = 0
    for number, node in enumerate(game.get_main_sequence()):
        step = _step(node, points, number)
        if step.move:
            moves += 1
            if before_move is not None and moves >= before_move:
                step._replace(move=None).apply(position)
                return position
        _play(position, step, moves)
    return position


def tree_of_sgf(data: bytes, rules: Rules) -> GameTree:
    """Return the first game of an SGF file, with variations, notes, marks and game info.

    `rules` apply if the file names no others.  Raises ValueError, also for unsupported rules.
    Needs the package sgfmill.
    """
    game = _read(data)
    tree = GameTree(_rules(game.get_root(), rules), game.get_size())
    tree.info = {name: text for name, key in INFO.items()
                 if (text := _text(game.get_root(), key)[:LONGEST_INFO])}
    if tree.info.get("title") in catalogue.GAMES:
        del tree.info["title"]
    position = tree.position(ROOT)
    points = _points(position)
    rest = [(game.get_root(), ROOT, 0, 0, 0)]
    nodes = 0
    while rest:
        sgf_node, parent, depth, moves, nested = rest.pop()
        if nested > MOST_NESTED:
            raise ValueError(f"variations are nested more than {MOST_NESTED} deep")
        while len(position.history) > depth:
            position.undo()
        step = _step(sgf_node, points, nodes)
        nodes, moves = nodes + 1, moves + bool(step.move)
        _play(position, step, moves)
        number = parent if step == Step() and sgf_node.parent is None else (
            tree.append(parent, step))
        node = tree.nodes[number]
        node.comment = _text(sgf_node, "C")[:LONGEST_COMMENT]
        node.value = _value(sgf_node)
        node.marks = _marks(sgf_node, points, nodes - 1)
        node.arrows = _arrows(sgf_node, points, nodes - 1)
        if node.value is None and number != ROOT:
            tree.set_outcome_value(number, position)
        rest += [(child, number, len(position.history), moves, nested + (i > 0))
                 for i, child in reversed([*enumerate(sgf_node)])]
    return tree


def _read(data: bytes) -> Any:
    from sgfmill.sgf import Sgf_game
    from sgfmill.sgf_grammar import parse_sgf_game
    first = next(games_in(data), b"")
    if max(first.count(b";"), first.count(b"(")) > 2 * MOST_NODES:  # before parsing
        raise ValueError(f"a game has at most {MOST_NODES} positions")
    parsed = parse_sgf_game(first)
    try:
        game = Sgf_game.from_coarse_game_tree(parsed)
        b"x".decode(game.get_root().get_encoding())
        return game
    except (LookupError, ValueError):  # often only the name of the encoding is wrong
        return Sgf_game.from_coarse_game_tree(parsed, override_encoding="UTF-8")


def _points(position: Position) -> dict[Place, int]:
    return {position.lattice.display_place(point)[::-1]: point for point in position.lattice.points}


def _step(node: Any, points: Mapping[Place, int], number: int) -> Step:
    # The step of a node.  Raises ValueError.
    try:
        stones = tuple((colour, points[place]) for colour, places in
                       zip((BLACK, WHITE, EMPTY), node.get_setup_stones())
                       for place in sorted(places))
        side = COLOURS[node.get("PL")] if node.has_property("PL") else None
        letter, place = node.get_move()
        if letter is None:
            return Step(stones, side)
        return Step(stones, side, (COLOURS[letter], PASS if place is None else points[place]))
    except (KeyError, ValueError):
        raise ValueError(f"node {number} is invalid in this game") from None


def _rules(root: Any, default: Rules) -> Rules:
    # The rules that the file names, or the default.
    rules_of = {name.lower(): rules for name, rules in {**catalogue.GAMES, **RULES}.items()}
    name = _text(root, "RU").strip()
    if name and name.lower() not in rules_of:
        raise ValueError(f"unsupported rules: {name[:40]!r} "
                         f"(available: {' '.join(catalogue.GAMES)})")
    return rules_of.get(name.lower()) or catalogue.GAMES.get(_text(root, "GN"), default)


def _marks(node: Any, points: Mapping[Place, int], number: int
           ) -> tuple[tuple[str, int, str], ...]:
    # The marks and labels of a node.  Raises ValueError.
    try:
        marks = [mark_of(kind, points[place]) for kind, key in MARKS.items()
                 if node.has_property(key) for place in sorted(node.get(key))]
        if node.has_property("LB"):
            marks += [mark_of("label", points[place], text[:LONGEST_LABEL])
                      for place, text in node.get("LB")]
        return tuple(marks[:MOST_MARKS])
    except (KeyError, ValueError):
        raise ValueError(f"the marks of node {number} are invalid in this game") from None


def _arrows(node: Any, points: Mapping[Place, int], number: int
            ) -> tuple[tuple[int, int], ...]:
    # The arrows of a node.  Raises ValueError.
    try:
        arrows = node.get("AR") if node.has_property("AR") else []
        return tuple((points[start], points[end]) for start, end in arrows)[:MOST_MARKS]
    except (KeyError, ValueError):
        raise ValueError(f"the arrows of node {number} are invalid in this game") from None


def _play(position: Position, step: Step, moves: int) -> None:
    try:
        step.apply(position)
    except IllegalMove as complaint:
        raise ValueError(f"move {moves} is illegal: {complaint}") from None


def _text(node: Any, key: str) -> str:
    from sgfmill.sgf_grammar import text_value
    return text_value(node.get_raw(key)).decode(node.get_encoding(), "replace") if (
        node.has_property(key)) else ""


def _writable(text: str) -> str:
    # Lone surrogates, from bytes of another encoding, become question marks.
    return text.encode("utf-8", "replace").decode()


def _value(node: Any) -> Optional[float]:
    try:
        return min(max(float(node.get("V")), -1.0), 1.0) if node.has_property("V") else None
    except ValueError:
        return None
