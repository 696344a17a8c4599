"""Games as SGF."""

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
    Step,
    mark_of,
    tree_of,
)

LETTERS = {BLACK: "b", WHITE: "w"}
MOST_NESTED = 100
COLOURS = {letter: colour for colour, letter in LETTERS.items()}
# What a root says about a game, and the marks of a node, by the names that they have here.
INFO = {"title": "GN", "black": "PB", "white": "PW", "black rank": "BR", "white rank": "WR",
        "black team": "BT", "white team": "WT", "result": "RE", "date": "DT", "event": "EV",
        "round": "RO", "place": "PC", "overtime": "OT", "opening": "ON",
        "about": "GC", "annotator": "AN", "source": "SO", "user": "US", "copyright": "CP"}
MARKS = {"circle": "CR", "square": "SQ", "triangle": "TR", "cross": "MA"}
DOUBTFUL, BAD, VERY_BAD = "doubtful", "bad", "very bad"
VERDICTS = {DOUBTFUL: ("DO", b""), BAD: ("BM", b"1"), VERY_BAD: ("BM", b"2")}  # of moves
# Rules by the names that other programs write, beside the names of the catalogue.
RULES = {"freestyle": catalogue.GOMOKU, "free style": catalogue.GOMOKU,
         "standard": catalogue.GOMOKU_EXACT}
BEGINNING = re.compile(rb"\(\s*;")  # of a game
# Values of properties, in which brackets count for nothing, and the brackets of variations.
_BRACKETS = re.compile(rb"\[[^\\\]]*(?:\\.[^\\\]]*)*(?:\]|\\?\Z)|[()]", re.DOTALL)


def sgf_of(position: Position, properties: Optional[Mapping[str, str]] = None) -> bytes:
    """The game so far as an SGF file, with these properties (PB, PW, RE, ...) in its root."""
    return sgf_of_tree(tree_of(position), properties)


def sgf_of_tree(tree: GameTree, properties: Optional[Mapping[str, str]] = None,
                verdicts: Mapping[int, str] = {}) -> bytes:
    """A game with its variations as an SGF file, with these properties in its root.

    A move whose node has a verdict is marked so: DOUBTFUL, BAD or VERY_BAD.

    The root has the facts about the game; the given properties come first.  There is no GM,
    since GoGui refuses any but Go's.  Needs the package sgfmill.
    """
    from sgfmill import sgf
    game = sgf.Sgf_game(tree.size)
    root = game.get_root()
    root.unset("GM")
    names = {INFO[key]: value for key, value in tree.info.items() if key in INFO}
    if "title" in tree.info or tree.rules.renju:
        root.set("RU", tree.rules.name)
    for name, value in {"GN": tree.rules.name, **names, **(properties or {})}.items():
        root.set(name, _writable(value))
    lattice = catalogue.start(tree.rules, tree.size).lattice
    places = {point: lattice.shown_at(point)[::-1] for point in lattice.points}
    rest = [(ROOT, root)]
    while rest:
        number, sgf_node = rest.pop()
        node = tree.nodes[number]
        step = node.step
        if step.stones:
            sgf_node.set_setup_stones(*([places[point] for colour, point in step.stones
                                         if colour == wanted] for wanted in (BLACK, WHITE, EMPTY)))
        if step.side is not None:
            sgf_node.set("PL", LETTERS[step.side])
        if step.move:
            colour, point = step.move
            sgf_node.set_move(LETTERS[colour], places.get(point))
        if node.comment:
            sgf_node.set("C", _writable(node.comment))
        if node.value is not None:
            sgf_node.set("V", round(node.value, 4))
        if number in verdicts:
            key, text = VERDICTS[verdicts[number]]
            sgf_node.set_raw(key, text)
        for kind, key in MARKS.items():
            if marked := [places[point] for each, point, _ in node.marks if each == kind]:
                sgf_node.set(key, marked)
        if labels := {places[point]: _writable(text) for kind, point, text in node.marks
                      if kind == "label"}:
            sgf_node.set("LB", sorted(labels.items()))
        if node.arrows:
            sgf_node.set("AR", [(places[start], places[end]) for start, end in node.arrows])
        rest += [(child, sgf_node.new_child()) for child in node.children]
    return bytes(game.serialise())


def games_in(data: bytes) -> Iterator[bytes]:
    """The games of an SGF file, each as a file of its own; the last one may be cut off."""
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
    """The position at the end of the main line of an SGF file's first game, or before its move of
    that number.

    Moves are counted from 1; set-up stones, whose turn it is and the size are taken from the file,
    whatever game it says it is of.  Raises ValueError.  Needs the package sgfmill.
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
    """The first game of an SGF file, with variations, comments, values, marks, arrows, and what
    the file says about the game.

    It is of these rules unless the file names others.  Raises ValueError, also if its rules are
    not known here.  Needs the package sgfmill.
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
            raise ValueError(f"variations are at most {MOST_NESTED} deep in others")
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
            tree.end_at(number, position)
        rest += [(child, number, len(position.history), moves, nested + (i > 0))
                 for i, child in reversed([*enumerate(sgf_node)])]
    return tree


def _read(data: bytes) -> Any:
    from sgfmill.sgf import Sgf_game
    from sgfmill.sgf_grammar import parse_sgf_game
    first = next(games_in(data), b"")
    if max(first.count(b";"), first.count(b"(")) > 2 * MOST_NODES:  # before they are read
        raise ValueError(f"a game has at most {MOST_NODES} positions")
    parsed = parse_sgf_game(first)
    try:
        game = Sgf_game.from_coarse_game_tree(parsed)
        b"x".decode(game.get_root().get_encoding())
        return game
    except (LookupError, ValueError):  # it may be no more than the name of the encoding
        return Sgf_game.from_coarse_game_tree(parsed, override_encoding="UTF-8")


def _points(position: Position) -> dict[tuple[int, int], int]:
    # By row and column, as sgfmill has them.
    return {position.lattice.shown_at(point)[::-1]: point for point in position.lattice.points}


def _step(node: Any, points: Mapping[tuple[int, int], int], number: int) -> Step:
    # What a node of a file changes.  Raises ValueError.
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
        raise ValueError(f"node {number} is not of this game") from None


def _rules(root: Any, usual: Rules) -> Rules:
    # Those that the file names, the usual ones if it names none.
    names = {name.lower(): rules for name, rules in {**catalogue.GAMES, **RULES}.items()}
    named = _text(root, "RU").strip()
    if named and named.lower() not in names:
        raise ValueError(f"the rules of the file are not known here: {named[:40]!r} "
                         f"(known: {' '.join(catalogue.GAMES)})")
    return names.get(named.lower()) or catalogue.GAMES.get(_text(root, "GN"), usual)


def _marks(node: Any, points: Mapping[tuple[int, int], int], number: int
           ) -> tuple[tuple[str, int, str], ...]:
    # The marks and labels of a node.  Raises ValueError.
    try:
        found = [mark_of(kind, points[place]) for kind, key in MARKS.items()
                 if node.has_property(key) for place in sorted(node.get(key))]
        if node.has_property("LB"):
            found += [mark_of("label", points[place], text[:LONGEST_LABEL])
                      for place, text in node.get("LB")]
        return tuple(found[:MOST_MARKS])
    except (KeyError, ValueError):
        raise ValueError(f"the marks of node {number} are not of this game") from None


def _arrows(node: Any, points: Mapping[tuple[int, int], int], number: int
            ) -> tuple[tuple[int, int], ...]:
    # The arrows of a node.  Raises ValueError.
    try:
        found = node.get("AR") if node.has_property("AR") else []
        return tuple((points[start], points[end]) for start, end in found)[:MOST_MARKS]
    except (KeyError, ValueError):
        raise ValueError(f"the arrows of node {number} are not of this game") from None


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
    # Half a character, as bytes of another encoding may leave it, becomes a question mark.
    return text.encode("utf-8", "replace").decode()


def _value(node: Any) -> Optional[float]:
    try:
        return min(max(float(node.get("V")), -1.0), 1.0) if node.has_property("V") else None
    except ValueError:
        return None
