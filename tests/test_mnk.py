"""Rectangles and any number in a row: the tests that every game passes, texts, files, refusals."""

import json
from random import Random

import numpy as np
import pytest

from gtp_engine.arena.display import BoardView
from gtp_engine.arena.page import PageBoard
from gtp_engine.arena.seats.base import TimeControl
from gtp_engine.arena.seats.spec import check, seat_of
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import (
    BLACK,
    EMPTY,
    WHITE,
    as_size,
    opponent,
    size_data,
    size_of_text,
    size_text,
)
from gtp_engine.games.symmetry import row_length, symmetries
from gtp_engine.games.tree import ROOT, GameTree, tree_of
from gtp_engine.players.base import Limits, Settings
from gtp_engine.players.registry import Unplayable, complaint, make_player
from gtp_engine.puzzles.puzzle import canonical_key, puzzle_of_text
from gtp_engine.records import reader
from gtp_engine.records.collection import Collection, game_of
from gtp_engine.records.keys import PositionKeys
from gtp_engine.solvers.solve import solve
from gtp_engine.wire.notation import (
    GtpPoints,
    board_drawing,
    board_rows,
    file_point,
    file_text,
    piskvork_point,
    piskvork_text,
    yixin_point,
    yixin_text,
)
from tests.engine import Engine
from tests.positions import random_game

FOUR = catalogue.find("4-in-a-row")
SIX = catalogue.GOMOKU._replace(name="six", in_a_row=6, first=WHITE, overline_wins=False)
TAKES = catalogue.PENTE._replace(name="takes", smallest=4, in_a_row=4, captures_to_win=6)
BOARDS = [(FOUR, (12, 10)), (catalogue.GOMOKU, (3, 9)), (SIX, (11, 8)), (SIX, 9),
          (catalogue.PENTE_FREE, (9, 12)), (catalogue.CARO, (8, 6)), (catalogue.RENJU, (9, 7)),
          (catalogue.GOMOKU_SWAP, (7, 6)), (TAKES, (7, 8)), (catalogue.find("3-in-a-row"), (4, 25))]
NAMED = [board for board in BOARDS if board[0] not in (SIX, TAKES)]


def named(board):
    return f"{board[0].name} {size_text(board[1])}"


each_board = pytest.mark.parametrize("board", BOARDS, ids=named)
each_named = pytest.mark.parametrize("board", NAMED, ids=named)


def played(rules, size, seed=1, alternate=True):
    """A random game up to its end."""
    for position in random_game(rules, size, Random(f"{rules.name} {size} {seed}"), alternate):
        pass
    return position


def state(position):
    return (bytes(position.cells), position.side, [*position.captured], position.vacant,
            position.outcome, position.opening_plies)


@each_board
def test_undo_restores_everything(board):
    final = played(*board)
    replay = catalogue.start(*board)
    states = []
    for record in final.history:
        states.append(state(replay))
        if record.point:
            replay.play(record.colour, record.point, foul_loses=True)
        elif record.before:
            replay.setup([(final.cells[cell], cell) for cell, _ in record.before])
        else:
            replay.set_side(record.colour)
    assert replay.cells == final.cells and replay.outcome == final.outcome
    for expected in reversed(states):
        replay.undo()
        assert state(replay) == expected


@each_board
def test_symmetries(board):
    """The outcome, the captures and the keys are those of every image of a game."""
    rules, size = board
    final = played(*board)
    lattice = final.lattice
    images = symmetries(lattice, row_length(rules))
    assert len({image.tobytes() for image in images}) == (8 if isinstance(size, int) else 4)
    keys = PositionKeys(lattice, row_length(rules))
    key = keys.of_position(final)[0]
    for image in images:
        other = catalogue.start(*board)
        for record in final.moves:
            other.play(record.colour, int(image[record.point]), foul_loses=True)
        assert (other.outcome, other.captured) == (final.outcome, final.captured)
        assert keys.of_position(other)[0] == key
        assert canonical_key(other) == canonical_key(final)
    assert len(keys.of_history(final)[0]) == len(final.history)


@pytest.mark.parametrize("length", range(catalogue.SHORTEST, catalogue.LONGEST + 1))
def test_a_row_wins(length):
    """K stones in a row win, K - 1 do not, in every direction."""
    rules = catalogue.find(f"{length}-IN-a-row")
    assert rules == catalogue.k_in_a_row(length) and rules.in_a_row == length
    assert (rules is catalogue.GOMOKU) == (length == 5)
    assert catalogue.find(rules.name) == rules and not rules.row_fills_board()
    position = catalogue.start(rules, 25)
    for axis in position.lattice.axes:
        start = position.lattice.points[0] if axis > 0 and axis != position.lattice.row - 1 else (
            position.lattice.point(24, 0))
        for number in range(length):
            assert not position.outcome
            position.play(BLACK, start + number * axis)
        assert position.outcome.winner == BLACK and len(position.winning_stones()) == length
        for _ in range(length):
            position.undo()


def test_sizes():
    for text, size in (("15", 15), ("12x10", (12, 10)), ("12 X 10", (12, 10)), ("15x15", 15),
                       ("12×10", (12, 10)), (" 9 ", 9)):
        assert size_of_text(text) == size and size_of_text(size_text(size)) == size
        assert as_size(json.loads(json.dumps(size_data(size)))) == size
        assert as_size(json.loads(json.dumps(size))) == size
    for text in ("", "x", "12x", "12x10x3", "-3", "1000", "1.5", "١٢"):
        with pytest.raises(ValueError, match="not a board size"):
            size_of_text(text)
    for data in (None, [3], [3, 4, 5], [3, "4"], 2.5, [True, 3]):
        with pytest.raises(ValueError, match="not a board size"):
            as_size(data)


@pytest.mark.parametrize("game, size, words", [
    ("Gomoku", (2, 9), "Gomoku is played on sizes 3 to 25"),
    ("Gomoku", (12, 26), "Gomoku is played on sizes 3 to 25"),
    ("Pente", (6, 19), "Pente is played on sizes 7 to 25"),
    ("Tic-tac-toe", (3, 4), "Tic-tac-toe is played on sizes 3 to 3"),
    ("Qubic", (8, 6), "Qubic is played on sizes 8 to 8")])
def test_no_such_board(game, size, words):
    with pytest.raises(ValueError, match=words):
        catalogue.start(catalogue.find(game), size)


@pytest.mark.parametrize("rules, words", [
    (catalogue.GOMOKU._replace(in_a_row=1), "Gomoku: 1 in a row is not supported"),
    (catalogue.RENJU._replace(in_a_row=4), "Renju: 4 in a row is not supported"),
    (FOUR._replace(largest=30), None)])
def test_rules_without_a_meaning(rules, words):
    with pytest.raises(ValueError, match=words or "played on sizes 3 to 25"):
        catalogue.start(rules, 9 if words else 30)


@pytest.mark.parametrize("name", [
    "2-in-a-row", "26-in-a-row", "x-in-a-row", "4 in a row", "-in-a-row"])
def test_no_such_family(name):
    with pytest.raises(ValueError, match="K"):
        catalogue.find(name)


@each_board
def test_points_as_text(board):
    lattice = catalogue.start(*board).lattice
    points = GtpPoints(lattice)
    assert len({*points.name.values()}) == len(lattice.points)
    for point in lattice.points:
        assert points.point_of(points.name[point]) == point
        assert piskvork_point(lattice, piskvork_text(lattice, point)) == point
        assert yixin_point(lattice, yixin_text(lattice, point)) == point
        column, row = file_text(lattice, point).split()
        assert file_point(lattice, column, row) == point
    view = BoardView(catalogue.start(*board))
    assert all(view.move_of(view.name(point)) == (None, point) for point in lattice.points)


def test_drawings():
    position = catalogue.start(FOUR, (4, 3))
    points = GtpPoints(position.lattice)
    position.play(BLACK, points.point_of("D3"))
    position.play(WHITE, points.point_of("A1"))
    assert board_rows(position.lattice, position.cells) == ["...X", "....", "O..."]
    assert board_drawing(position.lattice, position.cells) == [
        "   A B C D", " 3 . . . X 3", " 2 . . . . 2", " 1 O . . . 1", "   A B C D"]
    assert BoardView(position).lines(False)[1:] == [
        "    A  B  C  D", " 3  .  .  .  X  3", " 2  .  .  .  .  2", " 1 (O) .  .  .  1",
        "    A  B  C  D"]
    board = PageBoard(FOUR, (4, 3))
    assert board.layout()["points"][-1] == (0, 3, 0)
    for notation in board.notations().values():
        (across, down), = notation["levels"]
        assert (len(across), len(down), len(notation["names"])) == (4, 3, 12)


@each_named
def test_trees(board):
    tree = tree_of(played(*board))
    copy = GameTree.of_data(json.loads(json.dumps(tree.data())))
    assert (copy.rules, copy.size, copy.nodes) == (tree.rules, tree.size, tree.nodes)


@pytest.mark.parametrize("name", ["sgf", "psq", "sav", "text"])
@pytest.mark.parametrize("size", [(12, 10), (5, 9), (25, 3)])
def test_files(name, size):
    """The moves of a game on a rectangle; the file itself has its size, but a text."""
    position = played(catalogue.GOMOKU, size)
    data, notes = reader.write(tree_of(position), name)
    text = name == "text"
    assert notes == ([f"the board size is left out: {size_text(size)}"] if text else [])
    read = reader.first(data, catalogue.GOMOKU, size if text else None)
    assert read.notes == [] and read.tree.size == size
    assert read.position.cells == position.cells and read.position.outcome == position.outcome
    assert reader.write(read.tree, name)[0] == data


def test_headers_of_files():
    position = played(FOUR, (12, 10))
    data, notes = reader.write(tree_of(position), "sgf")
    assert b"SZ[12:10]" in data and b"GN[4-in-a-row]" in data and notes == []
    read = reader.first(data)
    assert (read.tree.rules, read.tree.size, read.headers) == (FOUR, (12, 10), {})
    assert reader.first(b"(;SZ[9:9]RU[6 in a row];B[aa])").tree.rules.in_a_row == 6
    on_board, passed = (reader.first(data).position.history[0].point
                        for data in (b"(;SZ[20:20];B[tt])", b"(;SZ[19:9];B[tt])"))
    assert on_board and not passed
    assert reader.write(tree_of(played(catalogue.GOMOKU, (12, 10))), "psq")[0].startswith(
        b"Piskvorky 12x10, 11:11, 0\r\n")


@pytest.mark.parametrize("name, words", [
    ("psq", ".psq has no 4-in-a-row"), ("lib", "RenLib has 15x15 only"),
    ("pos", ".pos has 15x15 only"),
    ("text", ["the name of the game is left out: 4-in-a-row",
              "the board size is left out: 12x10"]),
    ("sav", ["the name of the game is left out: 4-in-a-row"])])
def test_what_formats_cannot_hold(name, words):
    tree = GameTree(FOUR, (12, 10))
    if isinstance(words, list):
        assert reader.write(tree, name)[1] == words
    else:
        with pytest.raises(ValueError, match=words):
            reader.write(tree, name)


def test_a_collection(tmp_path):
    """Games of rectangles are kinds of their own, up to their four symmetries."""
    path = tmp_path / "some.games"
    with Collection(path) as collection:
        for size in ((12, 10), (10, 12), 12):
            position = catalogue.start(FOUR, size)
            for place in (0, 30, 1):
                position.play(position.side, position.lattice.points[place])
            collection.add(game_of(tree_of(position), 3))
        with pytest.raises(ValueError, match="differ from those"):
            collection.add(game_of(GameTree(FOUR._replace(overline_wins=False), 9), ROOT))
    with Collection(path) as collection:
        assert {*collection.kinds()} == {(FOUR, (12, 10)), (FOUR, (10, 12)), (FOUR, 12)}
        empty = catalogue.start(FOUR, (12, 10))
        answer, = collection.answers(empty)
        corners = {empty.lattice.point(x, y) for x in (0, 11) for y in (0, 9)}
        assert {*answer.points} == corners and answer.games == 1
        found, count = collection.search()
        assert count == 3 and {game.size for game in found} == {(12, 10), (10, 12), 12}
        assert collection.record(found[0].id).tree.size == found[0].size


def test_a_puzzle():
    puzzle = puzzle_of_text("fours 1 0 4-in-a-row 12x10 a1a10b1b10c1l10 d1")
    assert puzzle.size == (12, 10) and puzzle_of_text(puzzle.text()) == puzzle


# --- players --------------------------------------------------------------------------------------

@each_board
def test_the_random_player(board):
    rules, size = board
    position, player = catalogue.start(*board), make_player("random", Settings(rng=Random(1)))
    while not position.outcome:
        position.play(position.side, player.choose(position, Limits(bytearray(2))))


@pytest.mark.parametrize("board", [BOARDS[place] for place in (0, 2, 4, 7, 8)], ids=named)
def test_flat(board):
    """It wins at once, and its counts add up."""
    player = make_player("flat", Settings(rng=Random(1), simulations=4))
    position = catalogue.start(*board)
    for _ in range(5):
        position.play(position.side, player.choose(position, Limits(bytearray(2))))
    final = played(*board)
    while final.outcome or not any(final.wins(final.side, move) for move in final.legal_moves()):
        final.undo()
    assert final.wins(final.side, player.choose(final, Limits(bytearray(2))))


REFUSED = [  # player, policy, board, words
    ("alphabeta", "random", (FOUR, 9), "alphabeta plays five in a row on square boards, not "
                                       "4-in-a-row on 9"),
    ("alphabeta", "random", (catalogue.GOMOKU, (12, 10)), "not Gomoku on 12x10"),
    ("flat", "rule_based", (FOUR, (12, 10)), "flat plays five in a row by the policy rule_based, "
                                             "not 4-in-a-row on 12x10"),
    ("alphabeta", "random", (SIX, 9), "not six on 9")]


@pytest.mark.parametrize("player, policy, board, words", REFUSED)
def test_refusals(player, policy, board, words):
    """In one line: by the player, in GTP, by seats."""
    settings = Settings(policy=policy)
    position = catalogue.start(*board)
    assert words in complaint(player, *board[:1], position.lattice, policy)
    with pytest.raises(Unplayable, match=words):
        make_player(player, settings).choose(position, Limits(bytearray(2)))
    seat = seat_of(f"{player},policy={policy}" if player == "flat" else player, TimeControl(),
                   Random(1))
    with pytest.raises(ValueError, match=words):
        check([seat], board[0], size=board[1])
    check([seat_of("random", TimeControl(), Random(1))], *board[:1], size=board[1])
    if board[0] is SIX:
        return
    engine = Engine(board[0].name, board[1], player, policy=policy)
    for command in ("genmove b", "reg_genmove b", "move_values"):
        assert words in engine.fail(command)
    engine.play("b A1")
    if player == "alphabeta":
        assert words in engine.fail("review") and words in engine.fail("genmove w")


def test_named_games_are_played_as_before():
    for rules in catalogue.GAMES.values():
        for player in ("alphabeta", "flat", "random"):
            for size in (rules.smallest, rules.default_size, rules.largest):
                lattice = catalogue.start(rules, size).lattice
                assert complaint(player, rules, lattice, "rule_based") is None


def value(position, values):
    """The value of a position for the side to move, by trying all moves."""
    if position.outcome:
        return 0 if position.outcome.winner == EMPTY else (
            1 if position.outcome.winner == position.side else -1)
    key = bytes(position.cells), position.side
    if key not in values:
        best = -1
        for move in position.legal_moves():
            position.play(position.side, move)
            best = max(best, -value(position, values))
            position.undo()
            if best == 1:
                break
        values[key] = best
    return values[key]


@pytest.mark.parametrize("length, size", [
    (3, (3, 4)), (3, (4, 3)), pytest.param(4, (3, 4), marks=pytest.mark.thorough), (3, 3)])
def test_solve(length, size):
    """The proofs of small boards are those by trying all moves."""
    position = catalogue.start(catalogue.k_in_a_row(length), size)
    expected = {1: position.side, -1: opponent(position.side), 0: EMPTY}[value(position, {})]
    assert solve(position, Settings(memory=1), Limits(bytearray(2), 20.0)).winner == expected


# --- GTP ------------------------------------------------------------------------------------------

def test_gtp():
    engine = Engine(size=9)
    assert engine.ask("ruleset 4-In-A-Row") == ""
    assert engine.ask("ruleset").startswith("current: 4-in-a-row\n")
    assert engine.ask("rectangular_boardsize 12 10") == ""
    assert engine.ask("showboard").splitlines()[2].startswith("10 . . ")
    assert len(engine.ask("gogui-rules_board").splitlines()) == 10
    assert engine.fail("gogui-rules_board_size") == "the board is no square: 12x10"
    assert engine.ask("gogui-title") == "4-in-a-row 12x10 (random)"
    engine.play("b A1 w A10 b B1 w M10 b C1 w M1")
    assert engine.ask("policy rule_based") == "" and engine.ask("policy_moves") == "Win D1"
    assert "LABEL D1 X4" in engine.ask("threats") and engine.ask("policy_rules") == "LABEL D1 W"
    assert engine.ask("solve") == "b D1"
    engine.play("b D1")
    assert engine.ask("final_score") == "B+R" and engine.ask("genmove w") == "resign"
    assert engine.ask("rectangular_boardsize 9 9") == ""
    assert engine.ask("gogui-rules_board_size") == "9"
    for words in ("2 9", "9 26", "0 0"):
        assert engine.fail(f"rectangular_boardsize {words}") == "unacceptable size"
    assert engine.fail("rectangular_boardsize x 9").startswith("board size")
    assert engine.ask("rectangular_boardsize 12 10") == ""
    assert engine.ask("opening_rule swap2").startswith("swap2: first has black")
    assert engine.ask("ruleset gomoku") == "" and "12x10" in engine.ask("gogui-title")


def test_arrays_of_images_are_permutations():
    lattice = catalogue.start(FOUR, (12, 10)).lattice
    for image in symmetries(lattice, 4):
        assert np.array_equal(np.sort(image), np.arange(lattice.cells))
