"""Books of openings: moves by weight, the engine's objections, protocols and seats."""

from collections import Counter
from random import Random

import pytest

from gtp_engine.__main__ import main
from gtp_engine.arena.seats.base import usual_time
from gtp_engine.arena.seats.spec import seat_of
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.games.tree import ROOT, GameTree, Step
from gtp_engine.players.openings.book import Book, open_book
from gtp_engine.players.options import OPTIONS
from gtp_engine.records import reader
from gtp_engine.records.collection import Collection, Game
from gtp_engine.web.games import options_of
from gtp_engine.wire.notation import GtpPoints
from tests.engine import Engine, start
from tests.positions import after

NAMES = GtpPoints(catalogue.start(catalogue.GOMOKU, 15).lattice)


def position(moves=""):
    return after(moves, catalogue.GOMOKU, 15)


def library(path, *lines):
    """Write a library of lines on 15x15; return its path as text."""
    tree = GameTree(catalogue.GOMOKU, 15)
    for line in lines:
        node = ROOT
        for ply, name in enumerate(line.split()):
            node = tree.add(node, Step(move=(1 + ply % 2, NAMES.point_of(name))))
    path.write_bytes(reader.write(tree, "lib")[0])
    return str(path)


def collection(path, games):
    """Write a collection of (moves, winner, number of games); return its path as text."""
    with Collection(path) as added:
        for moves, winner, number in games:
            for _ in range(number):
                added.add(Game(position(moves), winner))
    return str(path)


def test_weights(tmp_path):
    """A move counts by its points, from three games on; equal points share its weight."""
    path = collection(tmp_path / "x.games", [
        ("H8 H9", WHITE, 6), ("H8 H9", BLACK, 2), ("H8 J9", None, 4), ("H8 K10", WHITE, 2),
        ("H8 A1", BLACK, 5)])
    weights = {NAMES.name[point]: found for point, found in Book(
        tmp_path / "x.games").weights(position("H8")).items()}
    assert weights == {**dict.fromkeys(("H9", "H7", "G8", "J8"), (1.5, 8)),
                       **dict.fromkeys(("J9", "J7", "G9", "G7"), (0.5, 4))}
    rng, book = Random(1), open_book(path)
    chosen = Counter(book.choose(position("H8"), rng, bytearray(2))[1] for _ in range(40))
    assert 25 < chosen[8] < 36 and chosen[8] + chosen[4] == 40
    assert book.choose(position("A1"), rng, bytearray(2)) is None


def test_the_search_objects(tmp_path):
    """A move of the book that throws the game away is not played; a winning one is."""
    four = "H8 G8 J8 J9 K8 K9 L8"
    book = Book(tmp_path / library(tmp_path / "x.lib", f"{four} A1", f"{four} M8").split("/")[-1])
    chosen = {book.choose(position(four), Random(seed), bytearray(2)) for seed in range(9)}
    assert chosen == {None, (NAMES.point_of("M8"), 1)}, "A1 lets Black win"
    book = Book(tmp_path / library(tmp_path / "y.lib", f"{four} H10 M8").split("/")[-1])
    assert book.choose(position(f"{four} H10"), Random(1), bytearray(2)) == (
        NAMES.point_of("M8"), 1)


def test_over_gtp(tmp_path):
    path = library(tmp_path / "x.lib", "H8 J9 K7", "H8 J9 K8")
    engine = Engine(size=15, player="alphabeta", memory=1, nodes=200, book=path)
    engine.play("b H8 w J9")
    assert engine.ask("genmove b") in ("K7", "K8", "H11", "G11", "J11")
    assert " book 1 " in engine.ask("last_genmove")
    engine.ask("genmove w")
    assert " book " not in engine.ask("last_genmove")
    assert engine.fail("param book nowhere.lib") == "nowhere.lib: No such file or directory"
    assert "a book is a library (.lib)" in engine.fail(f"param book {tmp_path}")
    assert engine.ask("param book none") == ""


@pytest.mark.parametrize("moves, expected", [
    ("H8 J9", {"K7", "G10"}), ("H8 G7", {"F9", "J6"}), ("H8 J7", {"K9", "G6"})])
def test_a_turned_board(moves, expected, tmp_path):
    """The book finds the images of its positions."""
    book = open_book(library(tmp_path / "x.lib", "H8 J9 K7"))
    assert {NAMES.name[point] for point in book.weights(position(moves))} == expected


def test_seats_and_statistics(tmp_path):
    """A seat takes a book, and the search info of a move has its number of games."""
    path = library(tmp_path / "x.lib", "H8 J9 K7")
    seat = seat_of(f"alphabeta,book={path},nodes=200", usual_time(catalogue.GOMOKU), Random(1))
    at = position("H8")
    seat.probe(at)
    seat.start(at, WHITE)
    assert seat.ask(at).point in Book(tmp_path / "x.lib").weights(at)
    assert seat.search_info == {"book": 1}
    (tmp_path / "bad.lib").write_bytes(b"\xffRenLib\xff")
    for book, words in (("none.lib", "No such file"), (tmp_path / "bad.lib", "no header")):
        with pytest.raises(ValueError, match=words):
            seat_of(f"alphabeta,book={book}", usual_time(catalogue.GOMOKU), Random(1))


def test_by_gomocup(tmp_path):
    """A real process of the Gomocup protocol answers from the book."""
    import subprocess
    import sys
    path = library(tmp_path / "x.lib", "H8 J9 K7")
    reply = subprocess.run(
        [sys.executable, "pbrain-gtpengine", "--book", path], input="START 15\nTURN 7,7\nEND\n",
        capture_output=True, text=True, cwd=start.__globals__["SCRIPT"].parent).stdout
    move = [line for line in reply.splitlines() if line[:1].isdigit()]
    assert move and move[0] in ("8,6", "8,8", "6,6", "6,8")


def test_pages_of_the_browser_name_no_files():
    assert "book" in OPTIONS and "book" not in options_of("alphabeta")


def test_a_bad_book_on_the_command_line(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["gtp", "--book", str(tmp_path / "x.lib")])
    assert "No such file" in capsys.readouterr().err


def test_the_menu_of_gogui(tmp_path):
    engine = Engine(size=15, player="alphabeta", memory=1)
    engine.play("b H8")
    assert engine.ask("book_moves") == "TEXT no book; param book FILE sets one"
    path = collection(tmp_path / "x.games", [("H8 H9", WHITE, 3), ("H8 H9", None, 1)])
    engine.ask(f"param book {path}")
    assert engine.ask("book_moves").splitlines() == [
        "LABEL H7 4 G8 4 J8 4 H9 4", "TEXT H7 4 100%"]
    engine.play("w A1")
    assert engine.ask("book_moves") == "TEXT not in the book"
