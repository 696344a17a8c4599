"""Games of the library: points, arrays, keys, headers, variations, own rules, what is refused."""

import copy
import pickle
from random import Random

import numpy as np
import pytest

import gtp_engine
from gtp_engine import Game, Games, Rules
from gtp_engine.games import catalogue
from gtp_engine.games.symmetry import symmetries
from tests.positions import random_game

BOARDS = [  # name, size, an index, its text and coordinates
    ("Gomoku", 15, 112, "H8", (7, 7)), ("Gomoku", 19, 8, "J1", (8, 0)),
    ("Pente", 19, 360, "T19", (18, 18)), ("Gomoku", (12, 10), 12, "A2", (0, 1)),
    ("Qubic", 8, 63, "H8", (3, 3, 3)), ("Qubic", 8, 4, "A2", (0, 1, 0)),
    ("Qubic", 8, 16, "E1", (0, 0, 1))]


@pytest.mark.parametrize("name, size, index, text, coordinates", BOARDS)
def test_three_forms_of_a_point(name, size, index, text, coordinates):
    game = Game(name, size)
    for point in (index, np.int64(index), text, text.lower(), coordinates, [*coordinates]):
        assert (game.to_index(point), game.to_text(point), game.to_coordinates(point)) == (
            index, text, coordinates)
    for every in range(len(game.mask())):
        assert game.to_index(game.to_text(every)) == every
        assert game.to_index(game.to_coordinates(every)) == every
    for wrong in (None, True, -1, len(game.mask()), 1.0, "", "pass", (0,), (0, "0"), (99, 0), {}):
        with pytest.raises(ValueError, match="no such point"):
            game.to_index(wrong)


@pytest.mark.parametrize("name", [*gtp_engine.GAMES, "4-in-a-row"])
def test_arrays_are_the_board(name):
    rules = catalogue.find(name)
    for position in random_game(rules, rules.default_size, Random(1)):
        game = Game._of(position)
        array, mask = game.array(), game.mask()
        assert array.dtype == np.int8 and mask.dtype == np.bool_ and mask.shape == (array.size,)
        assert array.reshape(-1).tolist() == [
            position.cells[point] for point in position.lattice.points]
        moves = game.legal_moves(as_array=True)
        assert np.flatnonzero(mask).tolist() == moves.tolist() == sorted(
            map(game.to_index, game.legal_moves()))
    assert array.shape == ((4, 4, 4) if name == "Qubic" else (3, 3, 3) if name == "Qubic-3"
                           else (game.height, game.width))


def test_the_first_row_of_an_array_is_the_lowest():
    game = Game("Gomoku", (4, 3), in_a_row=3)
    game.play("B1")
    game.play("D3")
    assert game.array().tolist() == [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]]


def with_moves(moves, *arguments, **options):
    game = Game(*arguments, **options)
    for move in moves.split():
        game.play(move)
    return game


def test_equal_positions():
    """By the game, the stones, the captured stones and the side to move; not by their order."""
    game, other = with_moves("H8 A1 J9", "Gomoku", 15), with_moves("J9 A1 H8", "Gomoku", 15)
    assert game == other and hash(game) == hash(other) and game.key == other.key
    assert len({game, other, game.copy(), pickle.loads(pickle.dumps(game))}) == 1
    other.undo()
    assert game != other and game.key != other.key
    other.play("H8", "white")
    assert game != other and game != "H8"
    assert Game("Gomoku", 9) != Game("Gomoku-exact", 9) and Game("Gomoku", 9) != Game("Gomoku", 8)
    assert len({Game(name, size).key for name in ("Gomoku", "Renju", "Pente-free")
                for size in (9, 10, (9, 10))}) == 9
    pente = with_moves("K10 A1", "Pente", 19)
    free = with_moves("K10 A1", "Pente", 19)
    free.undo()
    free.play("A1", "white")
    assert pente == free  # an opening with the same restrictions


@pytest.mark.parametrize("name, size", [
    ("Gomoku", 9), ("Renju", 15), ("Gomoku", (7, 9)), ("Qubic", 8)])
def test_the_canonical_key_is_that_of_every_image(name, size):
    game = Game(name, size)
    for index in Random(2).sample(range(len(game.mask())), 6):
        game.play(index)
    lattice, keys = game.position.lattice, set()
    for image in symmetries(lattice, game.rules.in_a_row):
        other = Game(name, size)
        for record in game.position.moves:
            other.play(other._name(int(image[record.point])))
        keys.add(other.key)
        assert other.canonical_key == game.canonical_key
    assert len(keys) > 3 and game.key in keys


FILE = """(;FF[4]GM[4]SZ[15]PB[Ann]PW[Ben]EV[Cup]DT[2020-01-02]GN[Final];B[hh]C[hello](;W[ii];B[ij])
(;W[jj]LB[hh:a];B[aa])(;W[gg]))"""


def test_headers_and_variations_survive():
    game = Game.from_sgf(FILE)
    assert game.moves == ["H8", "J7", "J6"] and game.notes == []
    assert game.headers == {"black": "Ann", "white": "Ben", "event": "Cup", "date": "2020-01-02",
                            "title": "Final"}
    assert game.variations == [["H8", "K6", "A15"], ["H8", "G9"]]
    again = Game.from_sgf(game.to_sgf())
    assert (again.headers, again.variations, again) == (game.headers, game.variations, game)
    assert b"C[hello]" in game.to_sgf() and b"LB[hh:a]" in game.to_sgf()
    game.headers["round"] = "3"
    game.undo()
    game.play("A1")
    again = Game.from_sgf(game.copy().to_sgf(PB="Eve"))
    assert again.moves == ["H8", "J7", "A1"] and again.headers == {**game.headers, "black": "Eve"}
    assert again.variations == [["H8", "J7", "J6"], *game.variations]
    for _ in range(3):
        game.undo()
    assert Game.from_sgf(game.to_sgf()).moves == []
    for _ in "AB":  # along a variation
        game.play(game.variations[0][len(game.moves)])
    again = Game.from_sgf(game.to_sgf())
    assert again.moves == ["H8", "K6"] and ["H8", "J7", "J6"] in again.variations


@pytest.mark.parametrize("options", [
    {"name": "Gomoku", "size": (12, 10), "in_a_row": 4, "first": "white"},
    {"name": "Pente-free", "in_a_row": 4}, {"in_a_row": 2, "first": "white", "size": 5}])
def test_variants_are_games_by_their_names(options):
    game = Game(**options)
    game.play("A1")
    again = Game.from_sgf(game.to_sgf())
    assert (again, again.rules, again.notes) == (game, game.rules, [])
    assert Game(game.name.upper(), game.size).rules == game.rules


def test_rules_that_a_file_cannot_name_are_noted():
    six = Rules("Six", 6, 19, 19, in_a_row=6)
    data = with_moves("A1 B1", six).to_sgf()
    assert Game.from_sgf(data).notes == [
        "the rules 'Six' are not supported; read as Gomoku"]
    again = Game.from_sgf(data, six)
    assert (again.rules, again.notes, again.headers) == (six, [], {})


def test_passes_and_set_up_stones():
    game = Game.from_sgf("(;SZ[9]AB[aa]AW[cc];B[dd])")
    assert game.moves == ["D6"] and game.undo() == "D6"
    with pytest.raises(ValueError, match="there is no move to take back"):
        game.undo()
    assert game.stone("A9") == "black"
    game.play("pass")
    game.play("E5")
    assert game.moves == ["pass", "E5"] and Game.from_sgf(game.to_sgf()) == game
    assert "pass" not in game.svg(labels="moves")
    game.undo()
    assert game.undo() == "pass" and game.moves == []


def test_copies_are_independent():
    game = with_moves("E5", "Gomoku", 9)
    for other in (copy.copy(game), copy.deepcopy(game), game.copy()):
        other.play("A1")
        other.headers["black"] = "Ann"
    assert game.moves == ["E5"] and game.headers == {}


def test_comments_and_headers_that_are_written():
    game = Game.from_sgf("(;SZ[9]C[old];B[aa])")
    assert game.to_sgf(C="new").count(b"C[") == 1
    game.headers["nonsense"] = "x"
    with pytest.raises(ValueError, match="no such header: nonsense"):
        game.to_sgf()
    game.headers = {"black": 3}
    with pytest.raises(ValueError, match="the header black must be a text, not 3"):
        game.to_sgf()


def test_the_result_comes_from_the_moves():
    won = with_moves("A1 A2 B1 B2 C1", "Tic-tac-toe")
    assert b"RE[B+]" in won.to_sgf() and b"RE[W+]" in won.to_sgf(RE="W+")
    assert b"RE" not in with_moves("A1", "Tic-tac-toe").to_sgf()
    won.headers["result"] = "B+R"
    assert b"RE[B+R]" in won.to_sgf()


def test_all_games_of_files(tmp_path):
    (tmp_path / "a.sgf").write_text(FILE + FILE.replace("Ann", "Eve"))
    (tmp_path / "b.sgf").write_text("(;FF[4]SZ[99];B[aa])")
    (tmp_path / "c.txt").write_text("h8i9h7\nh8i9\n")
    games = Games.read(tmp_path)
    assert [game.headers.get("black") for game in games] == ["Ann", "Eve", None, None]
    assert [len(game.moves) for game in games] == [3, 3, 3, 2]
    assert len(games.errors) == 1 and "b.sgf" in games.errors[0]
    assert games[1].headers["file"] == f"{tmp_path / 'a.sgf'}, game 2"
    assert b"game 2" not in games[1].to_sgf()
    assert repr(games) == "<Games: 4 games, 1 errors>"
    with pytest.raises(gtp_engine.FileError, match="No such file"):
        Games.read(tmp_path / "none.sgf")


def test_own_rules():
    """A length of rows, a first colour, a row of rules: played, drawn, copied, written, read."""
    four = Game("Gomoku", size=(12, 10), in_a_row=4, first="white")
    assert (four.turn, four.width, four.height, four.size) == ("white", 12, 10, (12, 10))
    for move in "A1 A10 B1 B10 C1 C10".split():
        four.play(move)
    assert not four.outcome
    four.play("D1")
    assert four.outcome == ("white", "line")
    assert Game("gomoku", 9, in_a_row=4) == Game("4-in-a-row", 9)
    assert Game("Gomoku", in_a_row=5) == Game() and Game("Gomoku", first="black") == Game()
    six = Rules("Six", 6, 19, 19, in_a_row=6, capture_lengths=(2,))
    game = with_moves("A1 B1 K10 C1 D1", six)
    assert game.captured == {"black": 2, "white": 0} and game.rules == six
    assert Game.from_sgf(game.to_sgf(), six) == game == game.copy()
    assert gtp_engine.Engine("random", seed=1).choose(game) in game.legal_moves()
    assert gtp_engine.Engine("flat", seed=1, simulations=1).choose(game) in game.legal_moves()
    with pytest.raises(ValueError, match="alphabeta plays five in a row on square boards"):
        gtp_engine.Engine().choose(four.copy() if four.undo() else four)


REFUSED = [
    (lambda: Game(3), "not the name of a game: 3"), (lambda: Game("Go"), "no such game: Go"),
    (lambda: Game("Gomoku", "x"), "not a board size: x"),
    (lambda: Game("Gomoku", 2.5), "not a board size: 2.5"),
    (lambda: Game("Gomoku", (5, "6")), "not a board size"), (lambda: Game("Gomoku", True), "size"),
    (lambda: Game("Gomoku", 99), "Gomoku is played on sizes"),
    (lambda: Game(in_a_row="x"), "in_a_row must be 2 to 25, not 'x'"),
    (lambda: Game("Renju", in_a_row=4), "Renju: 4 in a row is not supported"),
    (lambda: Game(first="red"), "no such colour: red"),
    (lambda: Game("Pente", first="white"), "Pente does not allow another colour to move first"),
    (lambda: Game().play("A1", 3), "no such colour: 3"),
    (lambda: Game(Rules("", 3, 9, 9)), "rules need a name, not ''"),
    (lambda: Game(Rules("Gomoku", 3, 9, 9)), "the name Gomoku is that of another game"),
    (lambda: Game(Rules("New", 3, 9, 19)), "default_size of rules must be 3 to 9, not 19"),
    (lambda: Game(Rules("New", 3, 9, 9, in_a_row=5.0)), "in_a_row of rules must be 2 to 25"),
    (lambda: Game(Rules("New", 3, 9, 9, capture_lengths=(7,))), "capture_lengths of rules must"),
    (lambda: Game("Pente, 4 in a column"), "no such change of a game: 4 in a column"),
    (lambda: Game().play("e5 \n"), "no such point: 'e5 \\n'"),
    (lambda: Game().svg(arrows=None), "an arrow is a pair of points"),
    (lambda: Game().to_sgf(B="aa"), "no such property: B (available: AN, BR, "),
    (lambda: Game().svg(size="x"), "size must be a whole number"),
    (lambda: Game().svg(arrows=[1]), "an arrow is a pair of points"),
    (lambda: Game().svg(values={"A1": 2}), "a value must be a number from -1 to 1"),
    (lambda: Game().to_sgf(PB=3), "the property PB must be a text"),
    (lambda: Game.from_sgf(None), "not the content of a file"),
    (lambda: Games.read(3), "not a path"),
    (lambda: gtp_engine.read_results("/no/file"), "/no/file: No such file"),
    (lambda: gtp_engine.answers(["/no/file"], Game()), "/no/file: No such file"),
    (lambda: gtp_engine.answers([], None), "not a Game: None"),
    (lambda: gtp_engine.Collection("/no/folder/file"), "/no/folder/file"),
    (lambda: gtp_engine.Collection().search("x"), "not a Game: 'x'")]


@pytest.mark.parametrize("act, text", REFUSED)
def test_what_is_refused(act, text):
    with pytest.raises(ValueError) as caught:
        act()
    assert text in str(caught.value)


def test_names_and_representations():
    assert {*gtp_engine.__all__} <= {*dir(gtp_engine)}
    assert all(getattr(gtp_engine, name) for name in gtp_engine.__all__)
    assert repr(with_moves("H8 J9", "Gomoku", 15)) == "<Game Gomoku 15x15: H8 J9>"
    assert repr(Game("Qubic")) == "<Game Qubic 4x4x4: no moves>"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(gtp_engine, "nothing")  # noqa: B009
