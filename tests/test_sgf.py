"""Games as SGF: round trips, files of other programs, broken files."""

import io
import os
from random import Random

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE
from gtp_engine.games.tree import LONGEST_COMMENT, ROOT, GameTree
from gtp_engine.records import reader
from gtp_engine.records.record import Source
from gtp_engine.records.sgf import read, sgf_of, sgf_of_tree
from tests.engine import Engine
from tests.positions import fitting, random_game

GAMES = list(catalogue.GAMES.values())


def state_of(position):
    """The state of a position, apart from its history."""
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
        data = sgf_of(position, {"PB": "one", "RE": "?"})
        assert b"GM[" not in data and data.startswith(b"(;FF[4]")
        record = reader.first(data)
        assert record.notes == [] and record.tree.rules == rules
        assert state_of(record.position) == state_of(position)
        moves = [change for change in position.history if change.point]
        number = rng.randint(1, len(moves))
        part = record.position_before(number)
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
    read = reader.first(sgf_of(position)).position
    assert state_of(read) == state_of(position)
    assert [r.colour for r in read.history] == [r.colour for r in position.history]


def test_round_trip_of_every_property():
    """A second reading gives the same tree; unknown properties and headers stay."""
    text = ("(;FF[4]CA[UTF-8]AP[x:1]BR[9d]DT[2020]EV[e\\]v]GN[Gomoku]KTV[1][2]PB[a\\\\b]PC[here]"
            "RE[B+R]RO[2]RU[Swap2]SZ[9];B[aa]C[one\ntwo]BL[9]V[0.5]CR[bb]LB[cc:1:2]AR[aa:bb]"
            "(;W[bb]5A[];B[cc])(;W[dd]DO[]))")
    record = reader.first(text.encode())
    again = reader.first(sgf_of_tree(record.tree))
    assert again.tree.nodes == record.tree.nodes and again.headers == record.headers
    assert record.notes == ["the rules 'Swap2' are not supported; read as Gomoku",
                            "unknown properties are kept: KTV 5A"]
    assert record.winner == BLACK and record.headers["event"] == "e]v"
    assert GameTree.of_data(record.tree.data()).nodes == record.tree.nodes


OF_OTHERS = [  # rules, text, stones as rows from the top, notes; or the fault of the file
    ("Gomoku", "(;FF[4]GM[1]SZ[3];B[aa];W[cc])", "X.. ... ..O", []),
    ("Gomoku", "(;SZ[3]AB[aa][ab]AW[ca:cc];W[bb](;B[bc])(;B[ac]))", "X.O XOO .XO", []),
    ("Gomoku", "junk before (;SZ[3];B[aa]C[a comment\\]];W[];B[tt];W[bb])", "X.. .O. ...", []),
    ("Gomoku", "(;CA[nonsense]SZ[3]AP[GoGui:1.6.0]KM[6.5]\n;B[aa]BL[290.1]\n)", "X.. ... ...", []),
    ("Gomoku", "(;\r\nGaMe[1]SiZe[3]\r\n;Black[aa]\r\n;White[bb])", "X.. .O. ...", []),
    ("Gomoku", "(;SZ[3]AB[aa][bb]AW[cc]PL[W];AE[bb];W[ac])", "X.. ... O.O", []),
    ("Gomoku", "(;SZ[3:3];B[aa])", "X.. ... ...", []),
    ("Gomoku", "(;SZ[ 3 ];B[AA])", "X.. ... ...", []),
    ("Gomoku", "(;SZ[];B[aa])", "X...... ....... ....... ....... ....... ....... .......", []),
    ("Gomoku", "(;SZ[x];B[aa])", "X...... ....... ....... ....... ....... ....... .......",
     ["the size 'x' is not a number"]),
    ("Gomoku", "(;SZ[3]PL[Black];W[aa])", "O.. ... ...", []),
    ("Gomoku", "(;SZ[3]PL[green];W[aa])", "O.. ... ...", ["node 0: PL'green' is not a colour"]),
    ("Gomoku", "(;SZ[3]B[aa]W[ba]B[ca])", "XOX ... ...",
     ["several moves in a node are read in their order"]),
    ("Gomoku", "(;SZ[3]PB[[clan]joe]PW[x];B[aa]C[see [1] and (2]];W[bb])", "X.. .O. ...", []),
    ("Gomoku", "(;SZ[3];B[aa];W[bb]C[cut off", "X.. .O. ...",
     ["the file ends within a value", "the file ends before the end of the game"]),
    ("Gomoku", "(;SZ[3];B[aa]", "X.. ... ...", ["the file ends before the end of the game"]),
    ("Gomoku", "(;SZ[3];B[aa]CR[zz][bb]LB[aa:x][dd:y])", "X.. ... ...",
     ["node 1: CR[zz] is not on the board", "node 1: LB[dd] is not on the board"]),
    ("Gomoku", "(;SZ[3];B[aa];W[aa])", "X.. ... ...",
     ["move 2 is illegal: occupied; the line is read up to there"]),
    ("Gomoku", "(;SZ[3];B[aa];W[dd];B[bb])", "X.. ... ...",
     ["node 2: the move 'dd' is not on the board of 3 x 3; the line is read up to there"]),
    ("Gomoku", "(;SZ[3];B[A1];W[B2])", "... .O. X..",
     ["moves such as A1 are read without a column I, from the bottom"]),
    ("Gomoku", "(;GM[9]SZ[3];B[aa])", "X.. ... ...",
     ["GM[9] is not a game of rows; read as Gomoku"]),
    ("Gomoku", "(;SZ[3]RE[well];B[aa])", "X.. ... ...", ["the result 'well' is not understood"]),
    ("Gomoku", "(;SZ[3]" + 20_000 * "(;B[aa]" + 20_001 * ")", "X.. ... ...",
     ["move 2 is illegal: occupied; the line is read up to there"]),
    ("Gomoku", "(;SZ[3:4];B[aa])", "X.. ... ... ...", []),
    ("Gomoku", "(;SZ[26];B[aa])", "Gomoku is played on sizes 3 to 25", None),
    ("Gomoku", "", f"not a game ({reader.NAMES}): ''", None),
    ("Qubic-3", "(;SZ[6];B[af];W[fd])", "...??? ...??? ...??? .....O ...... X.....", []),
    ("Qubic-3", "(;SZ[6];B[fa])", "...??? ...??? ...??? ...... ...... ......",
     ["node 1: the move 'fa' is not on the board of 6 x 6; the line is read up to there"]),
    ("Pente-free", "(;SZ[7];B[aa];W[ba];B[gg];W[ca];B[da])",
     "X..X... ....... ....... ....... ....... ....... ......X", []),
]


@pytest.mark.parametrize("game, text, expected, notes", OF_OTHERS,
                         ids=lambda value: str(value)[:40])
def test_files_of_others(game, text, expected, notes, tmp_path):
    """By `loadsgf`: a good file is the new game, a bad one leaves everything as it was."""
    path = tmp_path / "a game.sgf"
    path.write_text(text)
    engine = Engine(game, fitting(catalogue.find(game), 7))
    engine.play("b a1 w b2")
    before = engine.ask("showboard")
    if notes is None:
        assert engine.fail(f"loadsgf {path}") == f"cannot load {path}: {expected}"
        assert engine.ask("showboard") == before
    else:
        reply = engine.ask(f"loadsgf {path}").splitlines()
        assert [note for note in reply if "board of the file is" not in note] == notes
        assert engine.ask("gogui-rules_board").split() == expected.split()


def test_the_file_names_the_game(tmp_path):
    """The file decides on rules and size, and the reply says so."""
    path = tmp_path / "x.sgf"
    path.write_text("(;SZ[9]GN[Pente-free];B[aa])")
    engine = Engine("Gomoku", 7)
    assert engine.ask(f"loadsgf {path}").splitlines() == [
        "the file is Pente-free, not Gomoku", "the board of the file is 9x9, not 7x7"]
    assert engine.session.position.rules == catalogue.PENTE_FREE


@pytest.mark.parametrize("text, expected", [
    ("a] (;B[aa]) \\", "a] (;B[aa]) \\"), ("x\\", "x\\"), ("\x1b[2J", "\x1b[2J"),
    ("\udc80", "?"), ("two\nlines: ö ☃", "two\nlines: ö ☃")])
def test_texts_of_others(text, expected):
    """Brackets end nothing; what cannot be written is a question mark."""
    position = catalogue.start(catalogue.GOMOKU, 5)
    data = sgf_of(position, {"C": text, "PB": text.replace("\n", " ")})
    [record] = reader.read(data)
    assert (record.tree.nodes[ROOT].comment, record.notes) == (expected, [])
    tree = GameTree(catalogue.GOMOKU, 5)
    tree.nodes[ROOT].comment = text
    assert reader.first(sgf_of_tree(tree)).tree.nodes[ROOT].comment == expected


def test_long_comments_are_cut_with_a_note():
    record = reader.first(b"(;SZ[5]C[" + (LONGEST_COMMENT + 1) * b"x" + b"];B[aa])")
    assert len(record.tree.nodes[ROOT].comment) == LONGEST_COMMENT
    assert record.notes == [f"node 0: the comment is cut to {LONGEST_COMMENT} characters"]


CHARSETS = [  # charset of the bytes, CA, name of Black, notes
    ("utf-8", "", "中村茂", []), ("utf-8", "UTF-8", "中村茂", []),
    ("shift_jis", "Shift_JIS", "表ソ能", []), ("big5", "Big5", "許功蓋", []),
    ("gbk", "GBK", "運[誠]", []), ("euc_kr", "EUC-KR", "조병훈", []),
    ("cp1251", "windows-1251", "Сушков", []), ("latin-1", "ISO-8859-1", "Müller", []),
    ("gbk", "GB2312", "運動", []),
    ("cp932", "", "黒石の中村茂 (表)", ["the file names no charset; read as cp932"]),
    ("cp950", "", "黑方許功蓋", ["the file names no charset; read as cp950"]),
    ("gb18030", "", "曹冬 黑胜", ["the file names no charset; read as gb18030"]),
    ("cp949", "", "조병훈 김창훈 흑승", ["the file names no charset; read as cp949"]),
    ("cp1251", "", "Сушков Владимир", ["the file names no charset; read as cp1251"]),
    ("cp1252", "", "Jürgen Strömberg", ["the file names no charset; read as cp1252"]),
    ("utf-8", "GB2312", "五子棋 世界", ["the text is utf-8, not 'GB2312' as the file says"]),
    ("gb18030", "UTF-8", "曹冬 黑胜", ["the text is not UTF-8; read as gb18030"]),
    ("utf-8-sig", "", "中村茂", []), ("utf-16", "", "中村茂", []),
]


@pytest.mark.parametrize("charset, declared, name, notes", CHARSETS, ids=str)
def test_charsets(charset, declared, name, notes):
    """Bytes of a character that look like a bracket or a backslash are no syntax."""
    declared = f"CA[{declared}]" if declared else ""
    escaped = name.replace("]", "\\]")
    text = f"(;SZ[9]{declared}PB[{escaped}]PW[x];B[aa];W[bb])"
    for number, record in enumerate(reader.read((2 * text).encode(charset)), 1):
        assert record.headers == {"black": name, "white": "x"}
        assert len(record.tree.line(ROOT)) == 3
        assert [note for note in record.notes if "utf-16" not in note] == notes
    assert number == 2


def test_a_collection_streams():
    """A cut game in the middle costs that game only; a part of the file is read at a time."""
    good = b"(;SZ[9]PB[x(y]RE[B+];B[aa];W[bb](;B[cc])(;B[dd]))\n"
    data = io.BytesIO(7000 * good + b"(;SZ[9];B[aa];W[b\n" + good + b"(;SZ[9];B[ee]\n" + good)
    records = read(Source(data))
    assert all(record.winner == BLACK for record in (next(records) for _ in range(10)))
    assert data.tell() < 300_000 < len(data.getvalue())
    rest = [*records]
    assert len(rest) == 7000 - 10 + 4
    assert [len(record.tree.line(ROOT)) for record in rest[-4:]] == [2, 4, 2, 4]
    assert len(rest[-4].notes) == 2 and rest[-3].notes == []


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


def test_a_second_reader():
    """sgfmill reads the same moves, names and comments from a file that we write."""
    sgfmill = pytest.importorskip("sgfmill.sgf")
    rng = Random(3)
    for rules in (catalogue.GOMOKU, catalogue.RENJU, catalogue.PENTE):
        for position in random_game(rules, 15, rng):
            pass
        data = sgf_of(position, {"PB": "a]b\\c", "C": "x\ny] [z"})
        game = sgfmill.Sgf_game.from_bytes(data)
        lattice = position.lattice
        assert [node.get_move()[1] for node in game.get_main_sequence()[1:]] == [
            lattice.display_place(change.point)[::-1] for change in position.history]
        assert game.get_root().get("PB") == "a]b\\c" and game.get_root().get("C") == "x\ny] [z"


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
