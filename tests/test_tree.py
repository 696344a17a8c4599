"""Games with variations, and as SGF."""

from random import Random

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, PASS, WHITE
from gtp_engine.games.rules import IllegalMove
from gtp_engine.games.sgf import MOST_NESTED, sgf_of_tree, tree_of_sgf
from gtp_engine.games.tree import MOST_NODES, ROOT, GameTree, Step, tree_of
from gtp_engine.wire.notation import GtpPoints
from tests.positions import fitting, random_game

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
    read = tree_of_sgf(data, catalogue.TIC_TAC_TOE)
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
    assert tree.remove(other) == first
    assert set(tree.nodes) == {ROOT, first, second}
    assert tree.remove(ROOT) == ROOT and set(tree.nodes) == {ROOT}


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
                  {"number": "1"}, {"number": -1})),
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
    ("(;SZ[3];B[aa](;W[bb])(;W[aa]))", None, "move 2 is illegal: occupied"),
    ("(;SZ[3];B[aa]V[nonsense])", "A3", []),
    ("(;SZ[3];B[aa]" + (MOST_NESTED + 1) * "(;W[])(;B[]" + (MOST_NESTED + 2) * ")", None,
     "variations are at most 100 deep in others"),
    ("(;SZ[3]" + 50_000 * ";" + ")", None, "a game has at most 20000 positions"),
    ("(;SZ[3]" + 5000 * "(;B[]" + 5001 * ")", None, None),
]


@pytest.mark.parametrize("text, line, expected", FILES, ids=lambda value: str(value)[:30])
def test_files(text, line, expected):
    data = text.encode("latin-1")
    if isinstance(expected, str):
        with pytest.raises(ValueError, match=expected):
            tree_of_sgf(data, catalogue.GOMOKU)
        return
    tree = tree_of_sgf(data, catalogue.GOMOKU)
    if line is None:
        assert len(tree.line(ROOT)) == 5001
        return
    names = GtpPoints(tree.position(ROOT).lattice).name
    numbers = tree.line(ROOT)
    assert " ".join(names[tree.nodes[number].step.move[1]] for number in numbers
                    if tree.nodes[number].step.move) == line
    assert [tree.nodes[number].comment for number in numbers if tree.nodes[number].comment] == (
        expected)
