"""Games as SGF: round trips, files of other programs, broken files."""

import os
from random import Random

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE
from gtp_engine.games.tree import ROOT, GameTree
from gtp_engine.records.sgf import games_in, position_of, sgf_of, sgf_of_tree, tree_of_sgf
from tests.engine import Engine
from tests.positions import fitting, random_game

GAMES = list(catalogue.GAMES.values())


def seen(position):
    """What a position is, apart from how it came about."""
    return (bytes(position.cells), position.side, position.captured, position.vacant,
            position.outcome)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
@pytest.mark.parametrize("alternate", [True, False])
@pytest.mark.few(8)
def test_round_trip(rules, alternate):
    """A game that is written and read again is the same, move by move."""
    rng = Random(f"{rules.name} {alternate}")
    for size in (7, 12):
        for position in random_game(rules, size, rng, alternate):
            pass
        data = sgf_of(position, {"PB": "one", "RE": "B+"})
        assert b"GM[" not in data and data.startswith(b"(;FF[4]")
        read = position_of(data, rules)
        assert seen(read) == seen(position)
        moves = [record for record in position.history if record.point]
        number = rng.randint(1, len(moves))
        part = position_of(data, rules, number)
        assert [(r.colour, r.point) for r in part.history if r.point] == [
            (r.colour, r.point) for r in moves[:number - 1]]


def test_round_trip_of_set_up_stones_and_passes():
    position = catalogue.start(catalogue.GOMOKU, 9)
    points = position.lattice.points
    position.setup([(BLACK, points[0]), (WHITE, points[40])])
    position.play(BLACK, points[3])
    position.play(WHITE, 0)
    position.setup([(EMPTY, points[0]), (WHITE, points[3])])
    position.set_side(WHITE)
    read = position_of(sgf_of(position), position.rules)
    assert seen(read) == seen(position)
    assert [r.colour for r in read.history] == [r.colour for r in position.history]


FILES = [  # rules, text, stones as rows from the top or what is wrong
    ("Gomoku", "(;FF[4]GM[1]SZ[3];B[aa];W[cc])", "X.. ... ..O"),
    ("Gomoku", "(;GM[4]SZ[3]AB[aa][ab]AW[ca:cc]PL[W];W[bb])", None),  # a row of three is no five
    ("Gomoku", "(;SZ[3]AB[aa][ab]AW[ca:cc];W[bb](;B[bc])(;B[ac]))", "X.O XOO .XO"),
    ("Gomoku", "junk before (;SZ[3];B[aa]C[a comment\\]];W[];B[tt];W[bb])", "X.. .O. ..."),
    ("Gomoku", "(;CA[nonsense]SZ[3]AP[GoGui:1.6.0]KM[6.5]\n;B[aa]BL[290.1]\n)", "X.. ... ..."),
    ("Gomoku", "(;\r\nGaMe[1]SiZe[3]\r\n;Black[aa]\r\n;White[bb])", "X.. .O. ..."),
    ("Gomoku", "(;SZ[3]AB[aa][bb]AW[cc]PL[W];AE[bb];W[ac])", "X.. ... O.O"),
    ("Gomoku", "(;SZ[15:15];B[aa])", "bad SZ property: b'15:15'"),
    ("Gomoku", "(;SZ[3]" + 20_000 * "(;B[aa]" + 20_001 * ")", "move 2 is illegal: occupied"),
    ("Gomoku", "(;SZ[3];B[aa];W[aa])", "move 2 is illegal: occupied"),
    ("Gomoku", "(;SZ[3];B[aa];W[dd])", "node 2 is invalid in this game"),
    ("Gomoku", "(;SZ[3];B[aa];W[?])", "node 2 is invalid in this game"),
    ("Gomoku", "(;SZ[26];B[aa])", "Gomoku is played on sizes 3 to 25"),
    ("Gomoku", "(;SZ[99];B[aa])", "size out of range: 99"),
    ("Gomoku", "(;SZ[3];B[aa]", "unexpected end of SGF data"),
    ("Gomoku", "", "not a game (as SGF, .psq of Piskvork or moves such as h8i9h7): ''"),
    ("Qubic-3", "(;SZ[6];B[af];W[fd])", "...??? ...??? ...??? .....O ...... X....."),
    ("Qubic-3", "(;SZ[6];B[fa])", "node 1 is invalid in this game"),
    ("Pente-free", "(;SZ[7];B[aa];W[ba];B[gg];W[ca];B[da])",
     "X..X... ....... ....... ....... ....... ....... ......X"),
]


@pytest.mark.parametrize("game, text, expected", FILES, ids=lambda value: str(value)[:40])
def test_files_of_others(game, text, expected, tmp_path):
    """By `loadsgf`: a good file is the new game, a bad one leaves everything as it was."""
    path = tmp_path / "a game.sgf"
    path.write_text(text)
    engine = Engine(game, fitting(catalogue.find(game), 7))
    engine.play("b a1 w b2")
    before = engine.ask("showboard")
    if expected is None:
        assert engine.ask(f"loadsgf {path}") == ""
    elif expected[0] in ".XO":
        assert engine.ask(f"loadsgf {path}") == ""
        assert engine.ask("gogui-rules_board").split() == expected.split()
    else:
        assert engine.fail(f"loadsgf {path}") == f"cannot load {path}: {expected}"
        assert engine.ask("showboard") == before


@pytest.mark.parametrize("text, read", [
    ("a] (;B[aa]) \\", "a] (;B[aa]) \\"), ("x\\", "x\\"), ("\x1b[2J", "\x1b[2J"),
    ("\udc80", "?"), ("two\nlines: ö ☃", "two\nlines: ö ☃")])
def test_texts_of_others(text, read):
    """Brackets end nothing; what cannot be written is a question mark."""
    position = catalogue.start(catalogue.GOMOKU, 5)
    data = sgf_of(position, {"C": text, "PB": text.replace("\n", " ")})
    [game] = games_in(data)
    assert game.strip() == data.strip()
    assert tree_of_sgf(data, catalogue.GOMOKU).nodes[ROOT].comment == read
    tree = GameTree(catalogue.GOMOKU, 5)
    tree.nodes[ROOT].comment = text
    assert tree_of_sgf(sgf_of_tree(tree), catalogue.GOMOKU).nodes[ROOT].comment == read


def test_the_commands(tmp_path):
    engine = Engine("Pente", 9)
    engine.play("b e5 w e6 b b5 w e7 b e8")
    text = engine.ask("printsgf")
    assert text == "(;FF[4]CA[UTF-8]GN[Pente]SZ[9];B[ee];W[ed];B[be];W[ec];B[eb])"
    path = tmp_path / "x.sgf"
    assert engine.ask(f"printsgf {path}") == ""
    assert path.read_text().replace("\n", "") == text
    for number, captured in ((1, "0 0"), (5, "0 0"), (6, "2 0"), (99, "2 0")):
        assert engine.ask(f"loadsgf {path} {number}") == ""
        assert engine.ask("gogui-rules_captured_count") == captured
    assert engine.ask("undo") == "" and engine.ask("gogui-rules_captured_count") == "0 0"
    assert engine.fail("loadsgf") == "usage: loadsgf FILE [N]"
    assert engine.fail(f"loadsgf {tmp_path}/none").endswith("none: No such file or directory")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "fifo")
        assert engine.fail(f"loadsgf {tmp_path}/fifo").endswith("fifo: not a file")
    assert engine.fail(f"printsgf {tmp_path}/no/x.sgf").endswith("No such file or directory")


@pytest.mark.slow
@pytest.mark.parametrize("player", ["random", "flat", "alphabeta"])
def test_a_move_that_is_not_played(player):
    engine = Engine(player=player, nodes=200, memory=1)
    engine.play("b d4 w e5")
    before = engine.ask("showboard")
    moves = {engine.ask("reg_genmove b") for _ in range(3)}
    assert engine.ask("showboard") == before
    assert moves == {engine.ask("genmove b")}
    engine.ask("clear_board")
    engine.play("b a1 b a2 b a3 b a4 b a5")
    assert (engine.ask("reg_genmove w"), engine.ask("reg_genmove b")) == ("resign", "pass")
