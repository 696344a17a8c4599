"""Games with variations, and as SGF."""

from random import Random

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, PASS, WHITE
from gtp_engine.games.rules import IllegalMove
from gtp_engine.games.tree import LOGGED_CHANGES, MOST_NODES, PROVED, ROOT, GameTree, Step, tree_of
from gtp_engine.records import reader
from gtp_engine.records.sgf import sgf_of_tree
from gtp_engine.wire.notation import GtpPoints
from tests.positions import fitting, random_game


def tree_in(data, rules):
    """The tree of the first game of a file."""
    return reader.first(data, rules).tree


GAMES = list(catalogue.GAMES.values())


def seen(position):
    return (bytes(position.cells), position.side, tuple(position.captured), position.outcome,
            position.opening_plies)


def random_tree(rules, rng, steps=60):
    """A game with random variations, comments, values and set-up stones."""
    tree = GameTree(rules, fitting(rules, 7))
    for _ in range(steps):
        number = rng.choice([*tree.nodes])
        position = tree.position(number)
        moves = position.legal_moves()
        if moves and rng.random() < 0.85:
            number = tree.add(number, Step(move=(position.side, rng.choice(moves))))
        elif moves and rng.random() < 0.5:
            stones = ((BLACK, moves[0]), (WHITE, moves[-1])) if len(moves) > 1 else ()
            number = tree.add(number, Step(stones, rng.choice((None, BLACK, WHITE))))
        elif not position.outcome:
            number = tree.add(number, Step(move=(position.side, PASS)))
        node = tree.nodes[number]
        node.comment = rng.choice(("", "a [comment] \\ of\nmine: ö ☃"))
        node.value = rng.choice((None, round(rng.uniform(-1, 1), 4)))
    return tree


def shape(tree, number=ROOT):
    """What a tree holds, whatever its nodes are called."""
    node = tree.nodes[number]
    return (node.step, node.comment, node.value, [shape(tree, child) for child in node.children])


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_round_trips(rules):
    tree = random_tree(rules, Random(rules.name))
    again = GameTree.of_data(tree.data())
    assert again.nodes == tree.nodes and again.data() == tree.data()
    data = sgf_of_tree(tree, {"PB": "one"})
    read = tree_in(data, catalogue.TIC_TAC_TOE)
    assert read.rules == rules, "the file names the game"
    assert normal(shape(read)) == normal(shape(tree))


def normal(found):
    """Stones in the order of their points."""
    step, comment, value, children = found
    return (step._replace(stones=tuple(sorted(step.stones))), comment, value,
            [normal(child) for child in children])


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_positions_of_a_game(rules):
    """A game that was played, as a tree: each node has the position of its ply."""
    positions = []
    for position in random_game(rules, 7, Random(rules.name), alternate=False):
        positions.append((len(position.history), seen(position)))
    tree = tree_of(position)
    line = tree.line(ROOT)
    assert len(line) == len(position.history) + 1
    for plies, expected in positions:
        assert seen(tree.position(line[plies])) == expected


def test_variations():
    tree = GameTree(catalogue.GOMOKU, 9)
    points = catalogue.start(catalogue.GOMOKU, 9).lattice.points
    first = tree.add(ROOT, Step(move=(BLACK, points[0])))
    assert tree.add(ROOT, Step(move=(BLACK, points[0]))) == first, "it is there already"
    second = tree.add(first, Step(move=(WHITE, points[1])))
    other = tree.add(first, Step(move=(WHITE, points[2])))
    third = tree.add(other, Step(move=(BLACK, points[3])))
    assert tree.line(ROOT) == [ROOT, first, second]
    assert tree.line(other) == [ROOT, first, other, third]
    tree.promote(third)
    assert tree.line(ROOT) == [ROOT, first, other, third]
    assert tree.steps(third)[1] == Step(move=(WHITE, points[2]))
    with pytest.raises(IllegalMove, match="occupied"):
        tree.add(third, Step(move=(WHITE, points[0])))
    assert tree.nodes[third].children == []
    assert tree.remove(other).parent == first
    assert set(tree.nodes) == {ROOT, first, second}
    assert tree.remove(ROOT).parent == ROOT and set(tree.nodes) == {ROOT}


def a_tree():
    """Five nodes: 1 with the variations 2 and 3, and 4 after 3; and the points of the board."""
    tree = GameTree(catalogue.GOMOKU, 9)
    points = catalogue.start(catalogue.GOMOKU, 9).lattice.points
    first = tree.add(ROOT, Step(move=(BLACK, points[0])))
    tree.add(first, Step(move=(WHITE, points[1])))
    other = tree.add(first, Step(move=(WHITE, points[2])))
    tree.add(other, Step(move=(BLACK, points[3])))
    return tree, points


CHANGES = [  # what is done to the tree, the nodes that have changed, and those that are gone
    (lambda tree, points: tree.add(4, Step(move=(WHITE, points[8]))), {4, 5}, set()),
    (lambda tree, points: tree.add(3, Step(move=(BLACK, points[3]))), set(), set()),
    (lambda tree, points: tree.write_comment(2, "x"), {2}, set()),
    (lambda tree, points: tree.set_value(2, 0.5, 3), {2}, set()),
    (lambda tree, points: tree.replace(2, Step(((BLACK, points[9]),))), {2}, set()),
    (lambda tree, points: tree.promote(4), {1}, set()),
    (lambda tree, points: tree.promote(2), set(), set()),
    (lambda tree, points: tree.remove(3), {1}, {3, 4}),
    (lambda tree, points: tree.restore(tree.remove(3)), {1, 3, 4}, set()),
    (lambda tree, points: tree.remove(ROOT), {ROOT}, {1, 2, 3, 4}),
]


@pytest.mark.parametrize("change, changed, removed", CHANGES)
def test_changes(change, changed, removed):
    """Whoever has the rows of a version and takes the changes since has those of the new one."""
    tree, points = a_tree()
    version, rows = tree.version, {number: tree.row_with_children(number) for number in tree.nodes}
    change(tree, points)
    found = tree.changes(version)
    assert (found.whole, {*found.changed}, {*found.removed}) == (False, changed, removed)
    rows.update((number, tree.row_with_children(number)) for number in found.changed)
    for number in found.removed:
        del rows[number]
    assert rows == {number: tree.row_with_children(number) for number in tree.nodes}
    assert tree.changes(tree.version) == (False, [], [])


def test_changes_that_are_too_old():
    """They are not remembered for ever: then all is sent, as to who has nothing."""
    tree, _ = a_tree()
    version = tree.version
    assert tree.changes(0) == (True, [0, 1, 2, 3, 4], [])
    for number in range(LOGGED_CHANGES):
        tree.write_comment(2, str(number))
    assert tree.changes(version) == (False, [2], [])
    tree.write_comment(4, "x")
    assert tree.changes(version).whole and not tree.changes(version + 1).whole


def test_what_was_removed_comes_back():
    tree, points = a_tree()
    before = tree.data()
    for number, count in ((3, 2), (1, 4), (ROOT, 4)):
        removed = tree.remove(number)
        assert len(removed.nodes) == count
        tree.restore(removed)
        assert tree.data() == before, number
        with pytest.raises(ValueError, match="already exists"):
            tree.restore(removed)
    inner, outer = tree.remove(3), tree.remove(1)
    with pytest.raises(ValueError, match="no longer exists"):
        tree.restore(inner)
    tree.restore(outer)
    tree.restore(inner)
    assert tree.data() == before
    node = tree.add(ROOT, Step(((BLACK, points[5]),)))
    removed = tree.remove(tree.add(node, Step(move=(BLACK, points[6]))))
    tree.replace(node, Step(((BLACK, points[6]),)))
    with pytest.raises(ValueError, match="no longer exists"):
        tree.restore(removed)


VALUES = [  # value and depth of one search after the other, what is known in the end
    ([(0.5, 8), (-0.2, 9)], -0.2), ([(0.5, 8), (-0.2, 8)], -0.2), ([(0.5, 8), (-0.2, 7)], 0.5),
    ([(1.0, PROVED), (0.3, 20)], 1.0), ([(0.3, 20), (1.0, PROVED)], 1.0),
    ([(0.0, 0), (0.4, 0)], 0.4),
]


@pytest.mark.parametrize("searches, expected", VALUES)
def test_values(searches, expected):
    """The deepest search says what a position is worth, and a proof more than any."""
    tree, _ = a_tree()
    for value, depth in searches:
        tree.set_value(2, value, depth)
    assert tree.nodes[2].value == expected


def test_the_end_has_its_value():
    """Whoever has won is known without a search."""
    tree = GameTree(catalogue.TIC_TAC_TOE, 3)
    points, number = tree.position(ROOT).lattice.points, ROOT
    for ply, place in enumerate((0, 3, 1, 4, 8, 5)):
        assert tree.nodes[number].value is None
        number = tree.add(number, Step(move=(1 + ply % 2, points[place])))
    assert (tree.nodes[number].value, tree.nodes[number].depth) == (-1.0, PROVED)
    data = tree.data()
    assert GameTree.of_data(data).nodes == tree.nodes
    for row in data["nodes"]:
        row.pop("value", None)
    assert GameTree.of_data(data).nodes[number].value == -1.0
    assert tree_of(tree.position(number)).nodes[number].value == -1.0
    assert tree_in(b"(;SZ[3];B[aa];W[bb];B[ba];W[cb];B[ca])",
                       catalogue.TIC_TAC_TOE).nodes[5].value == 1.0


def test_what_a_file_says():
    """Names, result, date, event, rules, marks and labels are kept, and saved again."""
    said = (b"(;FF[4]CA[UTF-8]GN[Final]RU[Pente]SZ[9]PB[Ada [5\\]]PW[Grace]RE[B+R]DT[1999-12-31]"
            b"EV[Cup]RO[3]PC[Lund]GC[a fine game]BR[9d];B[ee]CR[ee][aa]LB[ba:1][ca:x:y]MA[bb];"
            b"W[ef]TR[ef]SQ[ab])")
    tree = tree_in(said, catalogue.GOMOKU)
    assert tree.rules == catalogue.PENTE
    assert tree.info == {
        "title": "Final", "black": "Ada [5]", "white": "Grace", "result": "B+R",
        "date": "1999-12-31", "event": "Cup", "round": "3", "place": "Lund",
        "about": "a fine game", "black rank": "9d"}
    names = GtpPoints(tree.position(ROOT).lattice).name
    assert {(kind, names[point], text) for kind, point, text in tree.nodes[1].marks} == {
        ("circle", "E5", ""), ("circle", "A9", ""), ("cross", "B8", ""), ("label", "B9", "1"),
        ("label", "C9", "x:y")}
    assert [kind for kind, _, _ in tree.nodes[2].marks] == ["square", "triangle"]
    again = tree_in(sgf_of_tree(tree), catalogue.GOMOKU)
    assert (again.rules, again.info, shape(again)) == (tree.rules, tree.info, shape(tree))
    assert [again.nodes[number].marks for number in (1, 2)] == [
        tree.nodes[number].marks for number in (1, 2)]
    assert GameTree.of_data(tree.data()).data() == tree.data()


RULES = [  # properties of a file, which game it is
    ("RU[Pente]", "Pente"), ("GN[Pente]", "Pente"), ("RU[caro]GN[Pente]", "Caro"),
    ("RU[]", "Gomoku"), ("RU[freestyle]", "Gomoku"), ("RU[Standard]", "Gomoku-exact"),
    ("RU[Japanese]", None), ("RU[Renju]GN[Gomoku]", "Renju"), ("GN[My game]", "Gomoku"),
]


@pytest.mark.parametrize("properties, expected", RULES)
def test_rules_of_files(properties, expected):
    """Of unknown rules the reader takes the caller's, with a note."""
    data = f"(;SZ[9]{properties};B[ee])".encode()
    record = reader.first(data, catalogue.CARO_EXACT if expected is None else None)
    assert record.tree.rules.name == (expected or "Caro-exact")
    assert record.notes == ([] if expected else [
        "the rules 'Japanese' are not supported; read as Caro-exact"])


def test_stones_that_are_set_up():
    tree = GameTree(catalogue.GOMOKU, 9)
    points = catalogue.start(catalogue.GOMOKU, 9).lattice.points
    node = tree.add(ROOT, Step(((BLACK, points[0]), (WHITE, points[1])), WHITE))
    node = tree.add(node, Step(((EMPTY, points[0]),)))
    position = tree.position(node)
    assert position.cells[points[0]] == EMPTY and position.cells[points[1]] == WHITE
    assert position.side == WHITE


def test_there_are_not_too_many():
    tree = GameTree(catalogue.GOMOKU, 9)
    for _ in range(MOST_NODES - 1):
        tree.append(ROOT, Step())
    with pytest.raises(ValueError, match=str(MOST_NODES)):
        tree.append(ROOT, Step())


BROKEN = [  # data, what is raised
    ({"game": "chess", "size": 9, "nodes": []}, ValueError),
    ({"game": "Gomoku", "size": 99, "nodes": []}, ValueError),
    ({"game": "Gomoku", "size": 9}, KeyError),
    ({"game": "Gomoku", "size": 9, "nodes": [{"number": 0}, {"number": 1, "parent": 7}]},
     ValueError),
    ({"game": "Gomoku", "size": 9, "nodes": [{"number": 0}, {"number": 1}]}, KeyError),
    ({"game": "Gomoku", "size": 9, "nodes": 2 * [{"number": 1, "parent": 0}]}, ValueError),
    ({"game": "Gomoku", "size": 9, "nodes": [{"number": 1, "parent": 1}]}, ValueError),
    ({"game": "Gomoku", "size": 9, "nodes": [
        {"number": 1, "parent": 0, "move": [1, 5]}, {"number": 2, "parent": 1, "move": [2, 5]}]},
     ValueError),
    ({"game": "Gomoku", "size": 9, "nodes": [
        {"number": 0}, {"number": 1, "parent": 0, "move": [1, 81]}]}, ValueError),
    *(({"game": "Gomoku", "size": 9, "nodes": [{"number": 1, "parent": 0, **row}]}, ValueError)
      for row in ({"move": [3, 5]}, {"move": [0, 5]}, {"move": [1, 5], "comment": ["x"]},
                  {"value": 2}, {"value": float("nan")}, {"side": 3}, {"side": "b"},
                  {"stones": [[3, 5]]}, {"stones": [["b", 5]]}, {"number": 1.5},
                  {"number": "1"}, {"number": -1}, {"depth": -1}, {"depth": 1.5},
                  {"marks": [["star", 5, ""]]}, {"marks": [["label", 99, "x"]]},
                  {"marks": [["label", 5, 1]]}, {"marks": [["label", 5, "x" * 21]]})),
    ({"game": "Gomoku", "size": 9, "nodes": [], "info": {"event": 1}}, ValueError),
    ({"game": ["Gomoku"], "size": 9, "nodes": []}, ValueError),
]


@pytest.mark.parametrize("data, error", BROKEN)
def test_data_of_something_else(data, error):
    with pytest.raises(error):
        GameTree.of_data(data)


FILES = [  # an SGF file, the main line of its points and its comments, or what is wrong
    ("(;SZ[3];B[aa]C[one](;W[bb];B[cc]C[two])(;W[ac]))", "A3 B2 C1", ["one", "two"]),
    ("(;SZ[3]C[root]AB[aa];W[bb])", "B2", ["root"]),
    ("(;CA[latin1]SZ[3];B[aa]C[\xe4])", "A3", ["ä"]),
    ("(;CA[base64]SZ[3];B[aa]C[x])", "A3", ["x"]),
    ("(;SZ[3];B[aa](;W[bb])(;W[aa]))", "A3 B2", []),
    ("(;SZ[3];B[aa]V[nonsense])", "A3", []),
    ("(;SZ[3]" + 5000 * "(;B[]" + 5001 * ")", None, None),
]


@pytest.mark.parametrize("text, line, expected", FILES, ids=lambda value: str(value)[:30])
def test_files(text, line, expected):
    data = text.encode("latin-1")
    tree = tree_in(data, catalogue.GOMOKU)
    if line is None:
        assert len(tree.line(ROOT)) == 5001
        return
    names = GtpPoints(tree.position(ROOT).lattice).name
    numbers = tree.line(ROOT)
    assert " ".join(names[tree.nodes[number].step.move[1]] for number in numbers
                    if tree.nodes[number].step.move) == line
    assert [tree.nodes[number].comment for number in numbers if tree.nodes[number].comment] == (
        expected)


def test_marks_and_arrows():
    """The same once more takes one away, another mark takes its place; pages hear of the node; as
    data and as SGF they are the same again."""
    tree = GameTree(catalogue.GOMOKU, 9)
    first, second, third = tree.position(ROOT).lattice.points[:3]
    version = tree.version
    for kind, point, text in (("circle", first, ""), ("label", second, "A"), ("cross", third, ""),
                              ("square", first, ""), ("cross", third, "")):
        tree.mark(ROOT, kind, point, text)
    for start, end in ((first, second), (second, third), (first, second)):
        tree.draw_arrow(ROOT, start, end)
    assert tree.nodes[ROOT].marks == (("label", second, "A"), ("square", first, ""))
    assert tree.nodes[ROOT].arrows == ((second, third),)
    assert tree.changes(version).changed == [ROOT]
    with pytest.raises(ValueError, match="no such mark"):
        tree.mark(ROOT, "star", first)
    for again in (GameTree.of_data(tree.data()), tree_in(sgf_of_tree(tree), tree.rules)):
        assert {*again.nodes[ROOT].marks} == {*tree.nodes[ROOT].marks}
        assert again.nodes[ROOT].arrows == tree.nodes[ROOT].arrows
    assert b"AR[" in sgf_of_tree(tree)
    tree.wipe(ROOT)
    assert (tree.nodes[ROOT].marks, tree.nodes[ROOT].arrows) == ((), ())
