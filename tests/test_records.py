"""Files of games of other programs: every format, several games in a file, damaged files."""

from functools import cache
from pathlib import Path
from random import Random

import pytest

from gtp_engine import records
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE, Lattice
from gtp_engine.games.rules import FOUL
from gtp_engine.games.tree import ROOT, GameTree, Step, tree_of
from gtp_engine.records import reader, sgf
from gtp_engine.records.moves import moves_of
from gtp_engine.records.record import GTP, MOST_NOTES, PLAIN, Notes, some_of, winner_of
from gtp_engine.wire.notation import board_rows
from tests.engine import Engine
from tests.positions import random_game

HEAD = "Piskvorky 5x5, 11:11, 0\n"
NAMES = "pbrain-one.exe\nC:\\bots\\pbrain-two.exe\n-1\n"
NO_GAME = f"not a game ({reader.NAMES}): "
NO_MOVE = "line 3 is not a move of the form x,y,milliseconds: "
UP_TO_THERE = "; the game is read up to there"

FILES = [  # id, a file for 5x5, its format, rows from the top and notes; or the error and None
    ("a tournament's", HEAD + "1,1,0\n3,2,15\n5,5,1000\n" + NAMES, "psq",
     "X.... ..O.. ..... ..... ....X", []),
    ("with a rule", HEAD + "1,1,0\n" + NAMES + "1,Freestyle\n", "psq",
     "X.... ..... ..... ..... .....", []),
    ("a person's", "Piskvorky 3x3, 0:6, 1\n2,1,7\n-1\n", "psq", ".X. ... ...",
     ["the board of the file is 3x3, not 5x5"]),
    ("a site's", "Piskvorky 5x5 , 0 - 0\r\n1,1,0\r\n-1\r\n", "psq",
     "X.... ..... ..... ..... .....", []),
    ("without times", HEAD + "2,1\n1,2", "psq", ".X... O.... ..... ..... .....", []),
    ("of Windows", "\ufeff" + HEAD.replace("\n", "\r\n") + " 2 , 1 , 5 \r\n", "psq",
     ".X... ..... ..... ..... .....", []),
    ("nothing played", HEAD + NAMES, "psq", "..... ..... ..... ..... .....", []),
    ("a name like numbers", HEAD + "2,1,0\n3-1,4\n5\n-1\n", "psq",
     ".X... ..... ..... ..... .....",
     [NO_MOVE.replace("3", "3") + "'3-1,4'" + UP_TO_THERE]),
    ("no square", "Piskvorky 5x6, 11:11, 0\n1,1,0\n", "psq",
     "X.... ..... ..... ..... ..... .....", ["the board of the file is 5x6, not 5x5"]),
    ("too large", "Piskvorky 26x26, 11:11, 0\n", "psq", "Gomoku is played on sizes 3 to 25", None),
    ("no size", "Piskvorky\n1,1,0\n", "psq",
     "line 1 is not of the form Piskvorky 15x15, 11:11, 0: 'Piskvorky'", None),
    ("a wide one", f"Piskvorky {'5' * 9999}x5, 0:0, 0\n", "psq",
     "line 1 is not of the form Piskvorky 15x15", None),
    ("beside the board", HEAD + "1,1,0\n6,1,0\n", "psq", "X.... ..... ..... ..... .....",
     ["move 2 is not on the board of 5 x 5: 6,1,0" + UP_TO_THERE]),
    ("twice the same", HEAD + "1,1,0\n1,1,0\n", "psq", "X.... ..... ..... ..... .....",
     ["move 2 is illegal: occupied" + UP_TO_THERE]),
    ("a letter", HEAD + "1,1,0\n1,x,0\n2,2,0\n" + NAMES, "psq", "X.... ..... ..... ..... .....",
     [NO_MOVE + "'1,x,0'" + UP_TO_THERE]),
    ("a flipped byte", HEAD + "1,1,0\n1\u00ac2,0\n2,2,0\n", "psq",
     "X.... ..... ..... ..... .....", [NO_MOVE + "'1\u00ac2,0'" + UP_TO_THERE]),
    ("a move among names", HEAD + "1,1,0\npbrain-one\x1b[2J\n2,2,0\n", "psq",
     "X.... ..... ..... ..... .....", [NO_MOVE + r"'pbrain-one\x1b[2J'" + UP_TO_THERE]),
    ("together", "a1e5b2", "text", "....O ..... ..... .X... X....", []),
    ("apart", "A1, e5,b2 \n", "text", "....O ..... ..... .X... X....", []),
    ("numbered", "1. A1 E5 2. B2", "text", "....O ..... ..... .X... X....", []),
    ("numbered together", "1.a1 2.e5 3.b2", "text", "....O ..... ..... .X... X....", []),
    ("a move a line", "a1\n\te5\r\nb2", "text", "....O ..... ..... .X... X....", []),
    ("numbered lines", "1. A1 E5\n2. B2\n", "text", "....O ..... ..... .X... X....", []),
    ("pairs", "1,5 5,1 2,4", "text", "....O ..... ..... .X... X....",
     ["pairs are column and row, from 1 at the upper left"]),
    ("pairs from 0", "0,4 4,0 1,3", "text", "....O ..... ..... .X... X....",
     ["pairs are column and row, from 0 at the upper left"]),
    ("steps", "-2,2, 2,-2, -1,1", "text", "....O ..... ..... .X... X....", []),
    ("a remark", "# mine\n\na1e5b2\n", "text", "....O ..... ..... .X... X....", []),
    ("out of turn", "a1a1", "text", "..... ..... ..... ..... X....",
     ["move 2 is illegal: occupied" + UP_TO_THERE]),
    ("beside the board", "a1f1", "text", "..... ..... ..... ..... X....",
     ["move 2 is not on the board of 5 x 5: f1" + UP_TO_THERE]),
    ("row 0", "a0", "text", "..... ..... ..... ..... .....",
     ["move 1 is not on the board of 5 x 5: a0" + UP_TO_THERE]),
    ("after the end", "a1a2b1b2c1c2d1d2e1e2", "text", "..... ..... ..... OOOO. XXXXX",
     ["move 10 is illegal: game over" + UP_TO_THERE]),
    ("a point too much", "a1.b2", None, NO_GAME + "'a1.b2'", None),
    ("prose", "hello", None, NO_GAME, None), ("nothing", "", None, NO_GAME + "''", None),
    ("a picture", "XO.\n...\n...", None, NO_GAME, None),
    ("control characters", "a1\x1b[31mb2", None, NO_GAME + r"'a1\x1b[31mb2'", None),
    ("SGF with a title", "a1 ( ;SZ[5];B[aa])", "sgf", "X.... ..... ..... ..... .....", []),
    ("of Yixin-Board", "5\n5\n2\n0 0\n4 1\n", "sav", "X.... ..... ..... ..... .O...", []),
    ("of Yixin-Board, cut", "5\n5\n3\n0 0\n4 1\n", "sav", "X.... ..... ..... ..... .O...",
     ["the file has 2 moves, not 3 as it says"]),
]


@pytest.mark.parametrize("text, kind, expected, notes", [row[1:] for row in FILES],
                         ids=[f"{row[2]}, {row[0]}" for row in FILES])
def test_files(text, kind, expected, notes):
    data = text.encode()
    found = reader.format_of(data)
    assert (found and found.name) == kind
    if notes is None:
        with pytest.raises(ValueError) as error:
            reader.first(data, catalogue.GOMOKU, 5)
        assert expected in str(error.value) and "\n" not in str(error.value)
        return
    record = reader.first(data, catalogue.GOMOKU, 5)
    assert record.notes == notes
    position = record.position
    assert board_rows(position.lattice, position.cells) == expected.split()


CASES = [  # a file of other programs that failed once, and its right values
    ("renju site", b"(;US[site]5A[]PW[Player A]PB[Player B]SZ[15];B[hh];W[hi];B[hf])",
     "h8h7h10", {"notes": ["unknown properties are kept: 5A"]}),
    ("Big5", b"(;SZ[15]CA[Big5]PB[\xa5\xd2]PW[\xa4A\xb3\\];B[hh];W[hi];B[jj];W[ji])", "h8h7j6j7",
     {"headers": {"black": "\u7532", "white": "\u4e59\u8a31"}}),
    ("all moves in the root", b"(;GM[4]FF[4]SZ[15]DT[2018-04-15]PB[A]PW[B]RE[0]B[hh]W[ig]B[gj])",
     "h8i9g6", {"winner": EMPTY, "notes": ["several moves in a node are read in their order"]}),
    ("two moves in a node", b"(;GM[4]SZ[15];B[hh]W[hi];B[hf]W[ii])", "h8h7h10i7",
     {"notes": ["several moves in a node are read in their order"]}),
    ("no size", b"(;GM[4]FF[4];B[hh];W[hi])", "h8h7",
     {"notes": ["the file names no board size; read as 15x15"]}),
    ("size 15:15", b"(;GM[4]FF[4]SZ[15:15];B[hh];W[hi])", "h8h7", {"notes": []}),
    ("other rules", b"(;GM[4]SZ[15]RU[Japanese];B[hh];W[hi])", "h8h7",
     {"notes": ["the rules 'Japanese' are not supported; read as Gomoku"]}),
    ("GTP's letters", b"H8 J9 H7 J8", "h8i9h7i8", {"notes": [
        "letters are read without a column I, as in GTP",
        "the text names no board size; read as 15x15"]}),
    ("an I", b"1.h8 2.i9 3.j7", "h8i9j7",
     {"notes": ["the text names no board size; read as 15x15"]}),
    ("an overline", b"Piskvorky 15x15, 11:11, 0\n3,8,0\n1,1,0\n4,8,0\n3,1,0\n5,8,10\n5,1,9\n"
     b"7,8,12\n7,1,9\n8,8,7\n9,1,8\n6,8,10\n11,1,7\n3,9,20\n13,1,10\nFIRST.zip\nSECOND.zip\n-1\n"
     b"2,Standard1\n", "c8a15d8c15e8e15g8g15h8i15f8k15c7m15",
     {"rules": catalogue.GOMOKU_EXACT, "headers": {
         "black": "FIRST.zip", "white": "SECOND.zip", "event": "Standard1"}, "notes": []}),
    ("the second player begins", b"Piskvorky 15x15, 11:11, 1\n8,8,0\n9,8,0\nA.exe\nB.exe\n15\n",
     "h8i8", {"headers": {"black": "B.exe", "white": "A.exe", "result": "W+T"}, "winner": WHITE}),
    ("an unknown code", b"Piskvorky 15x15, 11:11, 0\n8,8,0\n-2\n", "h8",
     {"notes": ["the code -2 of the end of the game is not understood"]}),
    (".rec", b"first\nsecond\n7,7,10\n8,7,20\n0\n", "h13i13",
     {"headers": {"black": "first", "white": "second"}, "notes": []}),
    (".pos", bytes([3, 7 * 15 + 7, 6 * 15 + 8, 0]), "h8i9a15", {"notes": []}),
    ("pente.org", b'[Game "Pente"]\r\n[Date "04/08/2016"]\r\n[Player 1 Name "a"]\r\n'
     b'[Player 2 Name "b"]\r\n[Result "0-1"]\r\n\r\n1. K10 L10 2. K7 L6 3. L8 J6 4. M9 K6\r\n'
     b'5. N10 O11 6. M6 H6 0-1\r\n', "j10k10j7k6k8i6l9j6m10n11l6h6",
     {"rules": catalogue.PENTE, "winner": WHITE, "notes": [], "headers": {
         "black": "a", "white": "b", "date": "2016-04-08", "result": "W+"}}),
]


@pytest.mark.parametrize("data, moves, values", [row[1:] for row in CASES],
                         ids=[row[0] for row in CASES])
def test_cases(data, moves, values):
    record = reader.first(data)
    tree = record.tree
    assert moves_of(tree, tree.line(ROOT)) == moves
    found = {"notes": record.notes, "headers": record.headers, "winner": record.winner,
             "rules": tree.rules}
    assert {key: found[key] for key in values} == values


FOUL_GAME = (b"(;GM[4]SZ[15]RU[Renju]RE[\xe7\x99\xbd\xe8\x83\x9c];B[hh];W[hi];B[gf];W[ii];B[ih];"
             b"W[jh];B[ji];W[hg];B[hj];W[gh];B[fi];W[kg];B[ij];W[gj];B[fg];W[jg];B[lg];W[kh];B[fh];"
             b"W[gg];B[ig];W[gk];B[gi])")


def test_a_foul_ends_a_game():
    """The last stone of Black is forbidden: the file is read whole, and White has won."""
    record = reader.first(FOUL_GAME)
    assert (len(record.position.history), record.winner, record.notes) == (23, WHITE, [])
    assert tuple(record.position.outcome) == (WHITE, FOUL)
    tree = GameTree.of_data(record.tree.data())
    assert tree.position(tree.line(ROOT)[-1]).outcome == record.position.outcome
    position = record.position_before(23)
    assert position.outcome is None
    with pytest.raises(ValueError, match="forbidden"):
        position.play(BLACK, record.position.history[-1].point)


LETTERS = [("H8 J9", None, "h8i9"), ("h8j9", None, "h8j9"), ("H8 J9", PLAIN, "h8j9"),
           ("h8j9", GTP, "h8i9"), ("H8 I9 J9", GTP, "h8i9j9"), ("h8p9", PLAIN, "h8o9")]


@pytest.mark.parametrize("text, letters, expected", LETTERS)
def test_letters(text, letters, expected):
    """An I in the text decides, or a column beyond the board; then the caller."""
    tree = reader.first(text.encode(), size=15, letters=letters).tree
    assert moves_of(tree, tree.line(ROOT)) == expected


def test_times_and_properties():
    """Milliseconds of .psq stay theirs through SGF; TE of SGF is a good move and no time."""
    psq = b"Piskvorky 15x15, 11:11, 0\n8,8,70\n9,8,5\nA\nB\n-1\n0,Freestyle\n"
    sgf = reader.write(reader.first(psq).tree, "sgf")[0]
    record = reader.first(sgf)
    assert record.notes == [] and b"TE[" not in sgf
    assert reader.write(record.tree, "psq")[0].splitlines()[1:3] == [b"8,8,70", b"9,8,5"]
    data, notes = reader.write(reader.first(b"(;SZ[15];B[hh]TE[1]V[0.5])").tree, "psq")
    assert b"8,8,0" in data
    assert notes == ["values are left out", "properties are left out: TE"]


def test_libraries_hold_moves_in_turn():
    """A second move of one colour would change its colour, so it is left out, with a note."""
    tree = reader.first(b"(;SZ[15](;B[hh];B[hi])(;B[aa];W[bb]))").tree
    data, notes = reader.write(tree, "lib")
    assert outline(reader.first(data).tree) == "(h8 a15(b14))"
    assert notes == ["the format has only moves in turn; other nodes are left out with all nodes "
                     "after them"]


def test_every_line_is_a_game():
    records = [*reader.read(b"# openings\nH8 J9\n\nH8 K9 J1\nbad\nA1 A1\n", size=15)]
    assert [(len(record.tree.nodes) - 1, record.place) for record in records] == [
        (2, "line 2"), (3, "line 4"), (0, "line 5"), (1, "line 6")]
    assert records[2].error == "not moves: 'bad'"
    assert records[3].fault == "move 2 is illegal: occupied"


RESULTS = {
    BLACK: "B B+ b+r B+Resign B+3.5 Black 1-0 黑胜 黒勝ち 흑승 black+T BlackWins x+",
    WHITE: "W W+ W+Time white 0-1 白胜 白勝 백승 White+R",
    EMPTY: "0 Draw draw ½ 1/2-1/2 0.5 和棋 引き分け Jigo =", None: "? Void - *"}


@pytest.mark.parametrize("winner", RESULTS)
def test_results(winner):
    assert {text: winner_of(text) for text in RESULTS[winner].split()} == dict.fromkeys(
        RESULTS[winner].split(), winner)
    assert winner_of("") is None and winner_of("Black wins by resignation of White") == BLACK
    with pytest.raises(ValueError, match="the result 'well' is not understood"):
        winner_of("well")


def test_the_result_of_the_moves():
    """A claim that the moves refute is noted."""
    record = reader.first(b"(;SZ[5]RE[W+];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])")
    assert record.notes == ["the file says a win of White, the moves end with a win of Black"]


@pytest.mark.parametrize("game, stones", [("Gomoku-swap", (WHITE, BLACK)),
                                          ("Pente", (BLACK, WHITE))])
def test_other_games(game, stones):
    """The caller's game decides on the colour of the first move."""
    position = reader.first(b"d4a1", catalogue.find(game), 7).position
    assert tuple(change.colour for change in position.history) == stones
    with pytest.raises(ValueError, match="Qubic is played on sizes 8 to 8"):
        reader.first(HEAD.encode(), catalogue.QUBIC, 8)
    assert len(reader.first(b"h8a1", catalogue.QUBIC, 8).position.history) == 2


ONE, TWO = "(;SZ[5];B[aa]C[a \\] ) (; b])", "(;SZ[5];B[bb](;W[cc])(;W[dd]))"
SEVERAL = [  # a file, the games in it
    (ONE, 1), (ONE + TWO, 2), (f"first {ONE}\n\n then [ ( ] {TWO}\nend (", 2), (2 * TWO + ONE, 3),
    (ONE + "(;SZ[5];B[", 2), (ONE + ")" + TWO, 2),
]


@pytest.mark.parametrize("text, count", SEVERAL)
def test_several_games(text, count, tmp_path):
    """The first one is read, with a note."""
    data = text.encode()
    records = [*reader.read(data)]
    note = f"the file has {count} games; this is the first one" if count > 1 else ""
    assert len(records) == count
    assert reader.first(data).notes == ([note] if note else []) + records[0].notes
    path = tmp_path / "games.sgf"
    path.write_bytes(data)
    engine = Engine(size=5)
    assert engine.ask(f"loadsgf {path}") == note
    assert engine.session.position.cells == records[0].position.cells
    names = [name for name, _ in reader.read_named(path)]
    assert names == ([f"{path}, game {number}" for number in range(1, count + 1)] if count > 1
                     else [str(path)])


@pytest.mark.parametrize("text, expected", [
    ("a1e5b2", "....O ..... ..... .X... X...."),
    (HEAD + "1,1,0\n", "X.... ..... ..... ..... ....."), ("", NO_GAME + "''")])
def test_by_loadsgf(text, expected, tmp_path):
    path = tmp_path / "a game.psq"
    path.write_text(text)
    engine = Engine(size=5)
    if expected[0] in ".XO":
        assert engine.ask(f"loadsgf {path}") == ""
        assert engine.ask("gogui-rules_board").split() == expected.split()
    else:
        assert engine.fail(f"loadsgf {path}") == f"cannot load {path}: {expected}"


def test_game_files(tmp_path):
    """In folders: files of games by their suffix, text and XML files by their content."""
    for name, data in {"a.SGF": b"x", "b.txt": b"prose", "c.txt": b"h8i9", "d.xml": b"<html/>",
                       "e/f.lib": b"", "g.md": b"h8", "h.pos": b"\x01\x00"}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    assert [path.name for path in reader.game_files([tmp_path])] == ["a.SGF", "c.txt", "f.lib",
                                                                     "h.pos"]
    assert [*reader.game_files([tmp_path / "g.md"])] == [tmp_path / "g.md"]
    with pytest.raises(OSError):
        [*reader.game_files([tmp_path / "none"])]


# --- RenLib ---------------------------------------------------------------------------------------

SMALL_LIB = bytes.fromhex("ff52656e4c6962ff0304ffffffffffffffffffff"
                          "000078006981000141008848" "6f6b00006840")


def outline(tree, number=ROOT):
    """The moves of a tree, as in h8(i9(h7)h9)."""
    children = tree.nodes[number].children
    inside = " ".join(outline(tree, child) for child in children)
    own = moves_of(tree, [number]) if number != ROOT else ""
    return f"{own}({inside})" if children else own


def test_a_library():
    """H8; after it I9 and H9; after I9 the leaf H7 with a comment, and a text on the board."""
    record = reader.first(SMALL_LIB)
    tree = record.tree
    assert outline(tree) == "(h8(i9(h7) h9))" and record.library and record.notes == []
    assert tree.rules == catalogue.RENJU
    i9, h7 = tree.nodes[2], tree.nodes[3]
    assert [(kind, text) for kind, _, text in i9.marks] == [("label", "A")] and h7.comment == "ok"
    data, notes = reader.write(tree, "lib")
    assert data == SMALL_LIB and notes == []


BROKEN_LIBS = [  # bytes after the header, the tree, words of the notes
    ("7840", "(h8)", ""), ("", "", ""), ("0040", "", ""),
    ("78006900", "(h8(i9))", ""), ("780069c07840", "(h8(i9))", "occupied"),
    ("7800f040", "(h8)", "no such point"), ("78", "", "ends within a node"),
    ("7848" "6f6b", "(h8)", "ends within a text"),
    ("7803", "", "ends within a node"), ("7840" "6940", "(h8)", "nodes follow the last line"),
]


@pytest.mark.parametrize("nodes, expected, words", BROKEN_LIBS)
def test_broken_libraries(nodes, expected, words):
    record = reader.first(SMALL_LIB[:20] + bytes.fromhex(nodes))
    assert outline(record.tree) == expected and words in " ".join(record.notes)


@pytest.mark.parametrize("charset, text", [
    ("cp932", "ここで白は防げない。四三"), ("cp1251", "Белые выигрывают, хороший ход"),
    ("gb18030", "白必胜，这一步是好棋"), ("cp949", "백이 이겼다 좋은 수"),
    ("cp1252", "Schöne Lösung für Weiß"), ("utf-8", "黒の勝ち")])
def test_charsets_of_libraries(charset, text):
    """Texts have the charset of the writer's Windows; a text of even length has two zeros."""
    raw = text.encode(charset)
    nodes = b"\x78\x48" + raw + bytes(2 - len(raw) % 2)
    record = reader.first(SMALL_LIB[:20] + nodes)
    assert record.tree.nodes[1].comment == text
    one_line = b"\x78\x48" + b"first\bsecond\r\nthird" + bytes(2 - 19 % 2)
    assert reader.first(SMALL_LIB[:20] + one_line).tree.nodes[1].comment == "first\nsecond\nthird"


def random_tree(rng, nodes=60):
    """A tree of random legal moves on 15x15 with comments and marks."""
    tree = GameTree(catalogue.RENJU, 15)
    while len(tree.nodes) < nodes:
        parent = rng.choice([*tree.nodes])
        position = tree.position(parent)
        if position.outcome:
            continue
        number = tree.add(parent, Step(move=(position.side, rng.choice(position.legal_moves()))))
        tree.nodes[number].comment = rng.choice(["", "", "a", "no\nlines", "日本"])
        own = tree.nodes[number].step.move[1]
        tree.nodes[number].marks = rng.choice([(), (("circle", own, ""),), (("label", own, "B"),)])
    return tree


@pytest.mark.parametrize("seed", range(5))
def test_round_trip_of_libraries(seed):
    tree = random_tree(Random(seed))
    data, notes = reader.write(tree, "lib")
    read = reader.first(data).tree

    def rows(tree):
        def row(number):
            node = tree.nodes[number]
            return (node.step, node.comment, node.marks, [row(each) for each in node.children])
        return row(ROOT)

    assert notes == [] and rows(read) == rows(tree)


# --- RenjuNet -------------------------------------------------------------------------------------

RIF = """<?xml version="1.0" encoding="UTF-8"?>
<database><players><player id="1" name="Ann" surname="Öst" country="7"/>
<player id="2" name="Ben" surname="" country=""/></players>
<countries><country id="7" name="Sweden"/></countries>
<tournaments><tournament id="3" name="Cup" start="2001-02-03"/></tournaments>
<rules><rule id="1" name="RIF"/><rule id="2" name="Gomoku"/></rules>
<openings><opening id="5" name="Kansei" abbr="d9"/></openings>
<games><game id="9" publisher="" tournament="3" round="2" rule="1" black="1" white="2"
bresult="{result}" btime="" wtime="" opening="5" alt="f7" swap=""><move>{moves}</move>
<info>good &amp; short</info></game>
<game id="10" rule="2" black="1" white="99" bresult=""><move></move></game></games></database>"""


def test_renjunet():
    text = RIF.format(result="1", moves="h8 i9 h10")
    first, second = reader.read(text.encode())
    assert first.headers == {
        "black": "Ann Öst", "white": "Ben", "black team": "Sweden", "event": "Cup",
        "date": "2001-02-03", "round": "2", "rule": "RIF", "opening": "Kansei", "result": "B+",
        "source": "RenjuNet 9", "about": "fifth moves offered: f7"}
    assert (first.winner, first.tree.rules, first.notes) == (BLACK, catalogue.RENJU, [])
    assert first.tree.nodes[ROOT].comment == "good & short"
    assert moves_of(first.tree, first.tree.line(ROOT)) == "h8i9h10"
    assert second.headers["white"] == "player 99" and second.tree.rules == catalogue.GOMOKU


@pytest.mark.parametrize("change, words", [
    (lambda text: text.replace("i9", "zz"), "move 2 is not a point: 'zz'"),
    (lambda text: text.replace('bresult="1"', 'bresult="9"'), "the result '9' is not understood"),
    (lambda text: text.replace("</games>", "<oops>"), "not XML: mismatched tag"),
    (lambda text: text.replace("<database>", '<!DOCTYPE d [<!ENTITY a "aaaa">]><database>', 1),
     "line 2: entities are not allowed"),
])
def test_broken_renjunet(change, words):
    records = [*reader.read(change(RIF.format(result="1", moves="h8 i9 h10")).encode())]
    said = [*records[0].notes, *(record.error for record in records)]
    assert any(words in text for text in said)


# --- writing --------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", ["sgf", "psq", "lib", "pos", "sav", "text"])
@pytest.mark.parametrize("rules", [catalogue.GOMOKU, catalogue.RENJU])
def test_round_trips(name, rules):
    """Each format holds the moves of a game."""
    for position in random_game(rules, 15, Random(name), alternate=True):
        pass
    tree = tree_of(position)
    data, notes = reader.write(tree, name)
    read = reader.first(data, rules, 15)
    assert notes == [] and read.notes == []
    assert read.position.cells == position.cells and read.position.outcome == position.outcome
    again, _ = reader.write(read.tree, name)
    assert again == data


def test_what_is_lost():
    tree = reader.first(b"(;SZ[15]PB[a]EV[e]PC[p];B[hh]C[x];W[hi](;B[aa])(;B[bb];W[]))").tree
    assert reader.write(tree, "psq")[1] == [
        "variations are left out", "comments are left out", "headers are left out: event, place"]
    assert reader.write(tree, "text") == (b"h8h7a15\n", [
        "variations are left out", "comments are left out",
        "headers are left out: black, event, place"])
    assert reader.write(tree, "pgn")[0].decode().splitlines()[4:7] == [
        '[White "a"]', '[Black "?"]', '[Result "*"]']
    tree.promote(5)
    assert reader.write(tree, "pos")[1][-1] == (
        "the format has only moves in turn; the game ends before move 4")
    with pytest.raises(ValueError, match="no such format: x .available: lib, psq"):
        reader.write(tree, "x")


# --- damaged files --------------------------------------------------------------------------------

HUGE = [  # the beginning of a file, and a part that follows many times
    (b"", b"("), (b"", b"["), (b"", b"(;"), (b"", b"(;["), (b"", b"(;C[\\"), (b"", b"a1"),
    (b"(;SZ[5]", b"("), (b"(;SZ[5]", b"["), (b"(;SZ[5]C[", b"\\"), (b"(;SZ[5];B[aa]C", b"[]"),
    (b"(;SZ[5]C[", b"]a"), (b"(;SZ[5]", b"(;W[])"), (b"(;SZ[5]", b";X[]"),
    (HEAD.encode(), b"1,1,0\n"), (HEAD.encode(), b"("), (SMALL_LIB[:20], b"\x00\x80"),
    (SMALL_LIB[:20], b"\x78\x08"), (b"<database>", b"<game>"), (b"<database>", b"<player id='1'/>"),
    (b'[Game "Pente"]\n', b"K10 "), (b"5\n5\n3\n", b"1 "), (b"", b"1,1 "), (b"", b"1."),
]


@pytest.mark.slow
@pytest.mark.parametrize("head, part", HUGE)
@pytest.mark.few(3)
def test_huge_files(head, part):
    """200,000 brackets, or as many bytes of something else: notes are few and short."""
    data = head + 200_000 // len(part) * part
    try:
        for record in reader.read(data, catalogue.GOMOKU, 5):
            said = [*record.notes, record.error]
            assert len(said) <= MOST_NOTES + 1
            assert all(len(text) < 300 and "\n" not in text for text in said)
    except ValueError as error:
        assert len(str(error)) < 300 and "\n" not in str(error)


WHOLE = [b"(;FF[4]CA[UTF-8]GN[Gomoku]SZ[9]AB[aa]PL[W];W[ee]V[0.5]C[x];B[dd](;W[ff])(;W[gg]))",
         (HEAD + "1,1,0\n5,1,0\n1,5,0\n" + NAMES).encode(), b"a1 b2, c3d4e5", SMALL_LIB,
         bytes([3, 112, 98, 7]), b"15\n15\n2\n7 7\n8 8\n",
         CASES[-1][1].replace(b" 4. M9 K6\r\n5. N10 O11 6. M6 H6", b""),
         RIF.format(result="1", moves="h8 i9 h10").encode()]


@pytest.mark.parametrize("rounds", [pytest.param(100, marks=pytest.mark.part),
                                    pytest.param(6000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("whole", WHOLE, ids=range(len(WHOLE)))
def test_flipped_bytes(whole, rounds, monkeypatch):
    """Another game with notes, or a ValueError in one line, never anything else."""
    monkeypatch.setattr(Lattice, "display_place", cache(Lattice.display_place))
    monkeypatch.setattr(sgf, "_letters", cache(sgf._letters))
    rng = Random(1)
    for _ in range(rounds):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(data) + 1)
            data[place:place + rng.randint(0, 2)] = rng.randbytes(rng.randint(0, 2))
        try:
            for record in reader.read(bytes(data), catalogue.GOMOKU, 5):
                assert all("\n" not in text for text in [*record.notes, record.error])
                assert record.position and reader.write(record.tree, "sgf")
        except ValueError as error:
            assert "\n" not in str(error)


def test_notes_are_few():
    notes = Notes()
    for number in range(MOST_NOTES + 5):
        notes.add(f"note\n{number % (MOST_NOTES + 3)}")
    assert len(notes) == MOST_NOTES and notes[0] == "note 0" and notes[-1] == "4 more notes"
    assert some_of(notes)[4:] == ["note 4", f"and {MOST_NOTES - 5} more notes"]
    assert some_of(["a"]) == ["a"]


def test_the_package():
    """`records.read` takes paths, bytes and names of games, and loads the formats when used."""
    record = next(records.read(b"(;SZ[9];B[ee])", "Renju"))
    assert record.tree.rules == catalogue.RENJU and record.outcome is None
    with pytest.raises(ValueError, match="no such game: Chess"):
        next(records.read(b"h8", "Chess"))
    assert not hasattr(records, "nothing")


def test_real_files():
    """The files of the tests' data have no notes."""
    for path in Path(__file__).parent.glob("data/*.sgf"):
        assert [note for record in reader.read(path) for note in record.notes] == []


# --- skipping -------------------------------------------------------------------------------------

@pytest.mark.parametrize("data", [
    b"(;SZ[9];B[aa])(;SZ[9];B[bb])(;SZ[9]PB[Ann];B[cc])", b"a1\nb2\nc3\n",
    RIF.format(result="1", moves="h8 i9 h10").encode()])
def test_skipped_games_are_counted(data):
    """Games after the skipped ones are the same and have the same numbers."""
    every = [*reader.read(data)]
    for skip in range(len(every) + 1):
        records = [*reader.read(data, skip=skip)]
        assert len(records) == len(every)
        assert [(record.headers, moves_of(record.tree, record.tree.line(ROOT)))
                for record in records[skip:]] == [
            (record.headers, moves_of(record.tree, record.tree.line(ROOT)))
            for record in every[skip:]]
