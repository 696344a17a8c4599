"""Games in files of other programs: .psq, moves as text, several games in a file, damaged files."""

from random import Random

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.games.tree import ROOT
from gtp_engine.records.reader import (
    MOVES,
    PSQ,
    SGF,
    games_in,
    kind_of,
    note_on,
    position_of,
    tree_in,
)
from gtp_engine.wire.notation import board_rows
from tests.engine import Engine

HEAD = "Piskvorky 5x5, 11:11, 0\n"
NAMES = "pbrain-one.exe\npbrain-two.exe\n-1\n"
NO_GAME = "not a game (as SGF, .psq of Piskvork or moves such as h8i9h7): "

FILES = [  # id, a file for 5x5 unless it says so, its kind, rows from the top or what is wrong
    ("a tournament's", HEAD + "1,1,0\n3,2,15\n5,5,1000\n" + NAMES, PSQ,
     "X.... ..O.. ..... ..... ....X"),
    ("with a result", HEAD + "1,1,0\n" + NAMES + "1,Freestyle\n", PSQ,
     "X.... ..... ..... ..... ....."),
    ("a person's", "Piskvorky 3x3, 0:6, 1\n2,1,7\n-1\n", PSQ, ".X. ... ..."),
    ("cut off, without times", HEAD + "2,1\n1,2", PSQ, ".X... O.... ..... ..... ....."),
    ("of Windows", "\ufeff" + HEAD.replace("\n", "\r\n") + " 2 , 1 , 5 \r\n", PSQ,
     ".X... ..... ..... ..... ....."),
    ("nothing played", HEAD + NAMES, PSQ, "..... ..... ..... ..... ....."),
    ("a name like numbers", HEAD + "2,1,0\n3-1,4\n5\n-1\n", PSQ, ".X... ..... ..... ..... ....."),
    ("no square", "Piskvorky 5x6, 11:11, 0\n1,1,0\n", PSQ, "the board is not a square: 5 x 6"),
    ("too large", "Piskvorky 26x26, 11:11, 0\n", PSQ, "Gomoku is played on sizes 3 to 25"),
    ("no size", "Piskvorky\n1,1,0\n", PSQ,
     "line 1 is not of the form Piskvorky 15x15, 11:11, 0: 'Piskvorky'"),
    ("a wide one", f"Piskvorky {'5' * 9999}x5, 0:0, 0\n", PSQ,
     "line 1 is not of the form Piskvorky 15x15"),
    ("beside the board", HEAD + "1,1,0\n6,1,0\n", PSQ,
     "move 2 is not on the board of 5 x 5: 6,1,0"),
    ("counted from 0", HEAD + "0,3,0\n", PSQ, "move 1 is not on the board of 5 x 5: 0,3,0"),
    ("twice the same", HEAD + "1,1,0\n1,1,0\n", PSQ, "move 2 is illegal: occupied"),
    ("a letter", HEAD + "1,1,0\n1,x,0\n2,2,0\n" + NAMES, PSQ,
     "line 3 is not a move of the form x,y,milliseconds: '1,x,0'"),
    ("a letter at the end", HEAD + "1,1,0\n1,x,0\n", PSQ,
     "line 3 is not a move of the form x,y,milliseconds: '1,x,0'"),
    ("a flipped byte", HEAD + "1,1,0\n1\u00ac2,0\n2,2,0\n", PSQ,
     "line 3 is not a move of the form x,y,milliseconds: '1\u00ac2,0'"),
    ("a move among names", HEAD + "1,1,0\npbrain-one\x1b[2J\n2,2,0\n", PSQ,
     r"line 3 is not a move of the form x,y,milliseconds: 'pbrain-one\x1b[2J'"),
    ("many numbers", HEAD + 1000 * "1,2,3," + "4\n", PSQ, "line 2 is not a move of the form x,y,"),
    ("together", "a1e5b2", MOVES, "....O ..... ..... .X... X...."),
    ("apart", "A1, e5,b2 \n", MOVES, "....O ..... ..... .X... X...."),
    ("over lines", "a1\n\te5\r\nb2", MOVES, "....O ..... ..... .X... X...."),
    ("out of turn", "a1a1", MOVES, "move 2 is illegal: occupied"),
    ("beside the board", "a1f1", MOVES, "move 2 is not on the board of 5 x 5: f1"),
    ("row 0", "a0", MOVES, "move 1 is not on the board of 5 x 5: a0"),
    ("after the end", "a1a2b1b2c1c2d1d2e1e2", MOVES, "move 10 is illegal: game over"),
    ("a point too much", "a1.b2", None, NO_GAME + "'a1.b2'"), ("prose", "hello", None, NO_GAME),
    ("a picture", "XO.\n...\n...", None, NO_GAME), ("nothing", "", None, NO_GAME + "''"),
    ("control characters", "a1\x1b[31mb2", None, NO_GAME + r"'a1\x1b[31mb2'"),
    ("SGF", "(;SZ[5];B[aa])", SGF, "X.... ..... ..... ..... ....."),
    ("SGF with a title", "a1 ( ;SZ[5];B[aa])", SGF, "X.... ..... ..... ..... ....."),
]


@pytest.mark.parametrize("text, kind, expected", [row[1:] for row in FILES],
                         ids=[f"{row[2]}, {row[0]}" for row in FILES])
def test_files(text, kind, expected):
    data = text.encode()
    assert kind_of(data) == kind and note_on(data) == ""
    if expected[0] in ".XO":
        position = position_of(data, catalogue.GOMOKU, 5)
        tree = tree_in(data, catalogue.GOMOKU, 5)
        for found in (position, tree.position(tree.line(ROOT)[-1])):
            assert board_rows(found.lattice, found.cells) == expected.split()
    else:
        for read in (position_of, tree_in):
            with pytest.raises(ValueError) as error:
                read(data, catalogue.GOMOKU, 5)
            assert expected in str(error.value) and "\n" not in str(error.value)


def test_the_column_i_and_the_lowest_row():
    position = position_of(b"h8 i9,j1", catalogue.GOMOKU, 15)
    assert [(record.colour, position.lattice.coordinates(record.point)[:2])
            for record in position.history] == [(BLACK, (7, 7)), (WHITE, (8, 8)), (BLACK, (9, 0))]


@pytest.mark.parametrize("text", ["(;SZ[5];B[aa];W[ea];B[ae])", "a5e5a1",
                                  HEAD + "1,1,0\n5,1,0\n1,5,0\n"])
@pytest.mark.parametrize("before", range(5))
def test_a_part_of_a_game(text, before):
    position = position_of(text.encode(), catalogue.GOMOKU, 5, before)
    assert len(position.history) == min(3, max(before - 1, 0))


@pytest.mark.parametrize("game, stones", [("Gomoku-swap", (WHITE, BLACK)),
                                          ("Pente", (BLACK, WHITE))])
def test_other_games(game, stones):
    """Whoever moves first in the game that is played moves first."""
    position = position_of(b"d4a1", catalogue.find(game), 7)
    assert tuple(record.colour for record in position.history) == stones
    with pytest.raises(ValueError, match="Qubic is played on sizes 8 to 8"):
        position_of(HEAD.encode(), catalogue.QUBIC, 8)
    assert len(position_of(b"h8a1", catalogue.QUBIC, 8).history) == 2


ONE, TWO = "(;SZ[5];B[aa]C[a \\] ) (; b])", "(;SZ[5];B[bb](;W[cc])(;W[dd]))"
SEVERAL = [  # a file, the games in it
    (ONE, 1), (ONE + TWO, 2), (f"first {ONE}\n\n then [ ( ] {TWO}\nend (", 2), (2 * TWO + ONE, 3),
    (ONE + "(;SZ[5];B[", 2), ("(;" + ONE, 1), (ONE + ")" + TWO, 2),
]


@pytest.mark.parametrize("text, count", SEVERAL)
def test_several_games(text, count, tmp_path):
    """The first one is read, and it is said so."""
    data = text.encode()
    games = [*games_in(data)]
    assert len(games) == count
    note = f"the file has {count} games; this is the first one" if count > 1 else ""
    assert note_on(data) == note
    if text.startswith("(;("):
        return
    read, first = (tree_in(each, catalogue.GOMOKU, 5) for each in (data, games[0]))
    assert read.nodes == first.nodes
    path = tmp_path / "games.sgf"
    path.write_bytes(data)
    engine = Engine(size=5)
    assert engine.ask(f"loadsgf {path}") == note
    found = position_of(games[0], catalogue.GOMOKU, 5)
    assert engine.session.position.cells == found.cells


@pytest.mark.parametrize("text, expected", [
    ("a1e5b2", "....O ..... ..... .X... X...."),
    (HEAD + "1,1,0\n", "X.... ..... ..... ..... ....."),
    ("a9", "move 1 is not on the board of 5 x 5: a9"), ("", NO_GAME + "''")])
def test_by_loadsgf(text, expected, tmp_path):
    path = tmp_path / "a game.psq"
    path.write_text(text)
    engine = Engine(size=5)
    if expected[0] in ".XO":
        assert engine.ask(f"loadsgf {path}") == ""
        assert engine.ask("gogui-rules_board").split() == expected.split()
    else:
        assert engine.fail(f"loadsgf {path}") == f"cannot load {path}: {expected}"


HUGE = [  # how a file begins, and what follows many times
    (b"", b"("), (b"", b"["), (b"", b"(;"), (b"", b"(;["), (b"", b"(;C[\\"), (b"", b"a1"),
    (b"(;SZ[5]", b"("), (b"(;SZ[5]", b"["), (b"(;SZ[5]C[", b"\\"), (b"(;SZ[5];B[aa]C", b"[]"),
    (HEAD.encode(), b"1,1,0\n"), (HEAD.encode(), b"("),
]


@pytest.mark.slow
@pytest.mark.parametrize("head, part", HUGE)
@pytest.mark.few(3)
def test_huge_files(head, part):
    """A million brackets, or as many bytes of something else: at most one line is said of it."""
    data = head + 10**6 // len(part) * part
    note_on(data)
    for read in (position_of, tree_in):
        try:
            read(data, catalogue.GOMOKU, 5)
        except ValueError as error:
            assert len(str(error)) < 200 and "\n" not in str(error)


def test_flipped_bytes():
    """In files of every kind: another game or a ValueError in one line, never anything else."""
    rng = Random(1)
    files = [b"(;FF[4]CA[UTF-8]GN[Gomoku]SZ[9]AB[aa]PL[W];W[ee]V[0.5]C[x];B[dd](;W[ff])(;W[gg]))",
             (HEAD + "1,1,0\n5,1,0\n1,5,0\n" + NAMES).encode(), b"a1 b2, c3d4e5"]
    for _ in range(3000):
        data = bytearray(rng.choice(files))
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        for read in (position_of, tree_in):
            try:
                read(bytes(data), catalogue.GOMOKU, 5)
            except ValueError as error:
                assert "\n" not in str(error)
