"""The player's side of proofs that Black wins, on small proofs of several games and boards."""

import lzma
import re
import subprocess
import sys
from random import Random

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.games.symmetry import symmetries
from gtp_engine.kernels.plane.proof_file import ELSEWHERE, END, OPEN, THREATS
from gtp_engine.players.alphabeta.player import AlphaBeta
from gtp_engine.players.base import Limits, Settings
from gtp_engine.players.proofs import gomoku as gomoku_proof
from gtp_engine.solvers.gomoku import entries as gomoku_entries
from gtp_engine.solvers.gomoku.advice import Advice
from gtp_engine.solvers.solve import Value, solve
from gtp_engine.web.study.proved import proof_data
from gtp_engine.wire.notation import GtpPoints
from tests.engine import PATIENCE, SCRIPT

BOARDS = [("Gomoku", 20), ("Gomoku", 19), ("Gomoku-exact", 15), ("Caro", 15), ("Gomoku-exact", 20)]
MOST = 9  # plies of the win after A1 and after B1


def number(size, x, y):
    return x + size * y


def stream_of(size):
    """A proof of three answers: to the corner, to its neighbour, and above the first stone.

    After the first two, Black has three entries: two in a row, three in a row, and an open four.
    """
    middle = (size - 1) // 2

    def row(dx, dy=0):
        return number(size, middle + dx, middle + dy)
    no_stone = size * size
    plan = [row(1), MOST, no_stone, row(2), MOST - 2, no_stone, row(3), MOST - 4, END,
            row(0, 1), THREATS, END, END]
    return [row(0), 0, 0, *plan, 1, *plan, row(0, 1), row(1, 1), 0, 2, ELSEWHERE, OPEN, OPEN]


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A function that adds such a proof to the files of the package."""
    monkeypatch.setattr(gomoku_proof, "DATA", tmp_path)

    def add(name, size):
        data = gomoku_proof.packed(stream_of(size), name, size)
        gomoku_proof.path_of(name, size).write_bytes(data)
        return data
    return add


class Board:
    """Positions of a game on a board, as one of its symmetries shows them."""

    def __init__(self, name, size, symmetry=0):
        self.name, self.size = name, size
        self.lattice = catalogue.start(catalogue.find(name), size).lattice
        self.image = symmetries(self.lattice, 5)[symmetry].tolist()

    def point(self, dx, dy=0):
        middle = (self.size - 1) // 2
        return self.image[self.lattice.point(middle + dx, middle + dy)]

    @property
    def corner(self):
        return self.image[self.lattice.points[0]]

    @property
    def beside(self):
        return self.image[self.lattice.points[1]]

    def after(self, *points):
        position = catalogue.start(catalogue.find(self.name), self.size)
        for point in points:
            position.play(position.side, point)
        return position


@pytest.mark.parametrize("name, size", BOARDS)
def test_positions_of_a_proof(name, size, shipped):
    """Advice, losses and answers, whatever symmetry shows the position."""
    shipped(name, size)
    for symmetry in range(8):
        board = Board(name, size, symmetry)
        first, beside, above = board.point(0), board.beside, board.point(0, 1)
        proof = gomoku_proof.of(board.after(first))
        assert (proof.rules.name, proof.size) == (name, size)
        assert proof is gomoku_proof.load(name, size) is gomoku_proof.of(board.after())
        assert proof.advice(board.after())[:2] == (board.lattice.middle()[0], 0)
        answers = proof.answers(board.after(first))
        assert answers[beside] == answers[board.corner] == (gomoku_proof.ENTRY, MOST)
        assert answers[above] == (gomoku_proof.ENTRY, 0)
        assert answers[board.point(4, 4)] == (gomoku_proof.UNKNOWN, 0)
        won = board.after(first, beside)
        assert proof.advice(won)[:2] == (board.point(1), MOST)
        won.play(BLACK, board.point(1))
        assert proof.loss(won) == MOST - 1
        passing = proof.answers(won)
        assert {answer for answer in passing.values()} == {(gomoku_proof.PASSES, MOST - 2)}
        won.play(WHITE, board.point(-4, 4))
        assert proof.advice(won)[:2] == (board.point(2), MOST - 2)
        won.play(BLACK, board.point(2))
        assert proof.answers(won)[board.point(0, 1)] == (gomoku_proof.BY_THREATS, MOST - 4)
        won.play(WHITE, board.point(0, 1))
        threat = proof.threat(won)
        assert (threat.before.rules.name, threat.before.lattice) == (name, board.lattice)
        assert threat.before.vacant == size * size - 4  # the passing stone does not count
        assert proof.last_answer(won).kind == gomoku_proof.BY_THREATS


def test_a_first_move_on_each_of_four_middle_points(shipped):
    """Black may begin on any of them; later advice is the image of that of the file."""
    shipped("Gomoku", 20)
    lattice = Board("Gomoku", 20).lattice
    assert len(lattice.middle()) == 4
    for first in lattice.middle():
        shown = [Board("Gomoku", 20, symmetry) for symmetry in range(8)]
        shown = [board for board in shown if board.point(0) == first]
        assert len(shown) == 2
        proof = gomoku_proof.of(shown[0].after(first))
        assert len(proof.answers(shown[0].after(first))) == 399
        for board in shown:
            position = board.after(first, board.beside)
            assert proof.advice(position)[:2] == (board.point(1), MOST)
    assert proof.advice(catalogue.start(catalogue.GOMOKU, 20)).move in lattice.middle()


def test_an_image_of_the_move_in_a_symmetric_position(shipped):
    """Counts as the move of the proof: answers that change nothing are passes after it."""
    shipped("Gomoku", 20)
    board = Board("Gomoku", 20)
    for step in (board.point(1), board.point(0, 1)):  # images, since the stones are on a diagonal
        position = board.after(board.point(0), board.corner, step, board.point(-5, 5))
        proof = gomoku_proof.of(position)
        advice = proof.advice(position)
        assert advice.move in (board.point(2), board.point(0, 2)) and advice.plies == MOST - 2
        assert advice.move - step == step - board.point(0)


def test_only_the_games_and_boards_of_the_files(shipped, monkeypatch):
    """Are played by proofs, and only their files are read."""
    files, read = [], gomoku_proof.read
    monkeypatch.setattr(gomoku_proof, "read", lambda path: files.append(path.name) or read(path))
    for name, size in BOARDS:
        shipped(name, size)
    assert gomoku_proof.games() == sorted(BOARDS)
    for name, size in [("Gomoku", 15), ("Gomoku", (20, 19)), ("Gomoku-centre", 19),
                       ("Gomoku-swap", 20), ("Gomoku, white first", 20), ("Renju", 15),
                       ("6-in-a-row", 20), ("Qubic", 8), ("Caro-exact", 15)]:
        assert gomoku_proof.of(catalogue.start(catalogue.find(name), size)) is None
    board = Board("Gomoku", 20)
    assert gomoku_proof.of(board.after(board.corner)) is None and not files
    assert gomoku_proof.of(board.after()) and files == ["gomoku-20.proof"]
    assert gomoku_proof.of(Board("Gomoku-exact", 15).after()) and len(files) == 2


@pytest.mark.parametrize("name, size", [("Gomoku", 20), ("Gomoku-exact", 15)])
def test_players_and_pages_use_it(name, size, shipped):
    """The player plays its moves, `solve` proves by it, and a page shows it."""
    shipped(name, size)
    board = Board(name, size, 3)
    position = board.after(board.point(0), board.beside)
    player = AlphaBeta(Settings(memory=1, nodes=1000, rng=Random(1)))
    limits = Limits(bytearray(2), 10.0)
    assert player.choose(position, limits) == board.point(1)
    assert player.report.figures["plies to win"] == MOST
    assert solve(position, Settings(memory=1), limits) == Value(BLACK, board.point(1))
    places = {point: place for place, point in enumerate(board.lattice.points)}
    assert proof_data(position)["move"] == places[board.point(1)]
    position.play(BLACK, board.point(1))
    assert solve(position, Settings(memory=1), limits) == Value(BLACK)
    assert proof_data(position)["plies"] == MOST - 1
    position.play(WHITE, board.point(-5, 5))
    assert player.choose(position, limits) == board.point(2)
    position.play(BLACK, board.point(2))
    position.play(WHITE, board.point(0, 1))  # loses to threats, which are searched again
    move = player.choose(position, limits)
    assert move in (board.point(3), board.point(-1))
    assert player.report.figures["plies to win"] == 3


@pytest.mark.parametrize("name, size", BOARDS)
def test_the_checker_reads_the_same(name, size, shipped):
    entries = gomoku_entries.entries(shipped(name, size))
    proof = gomoku_proof.load(name, size)
    assert len(entries) == 8
    points = Board(name, size).lattice.points
    for entry in entries:
        if gomoku_entries.NO_STONE not in entry.moves:
            position = Board(name, size).after(*(points[move] for move in entry.moves))
            advice = proof.advice(position)
            assert advice.plies == entry.plies
            assert advice.move == points[entry.move]


@pytest.mark.parametrize("header", [
    b"Gomoku on 15x15, version 3", b"Gomoku on 15x16, version 4", b"Chess on 15x15, version 4",
    b"Gomoku on 99x99, version 4", b"Gomoku on 2x2, version 4"])
def test_other_headers(header, tmp_path):
    path = tmp_path / "gomoku-15.proof"
    data = gomoku_proof.packed(stream_of(15), "Gomoku", 15)
    path.write_bytes(data.replace(b"Gomoku on 15x15, version 4", header))
    with pytest.raises(ValueError, match="^not a proof that Black wins: .*gomoku-15.proof: "):
        gomoku_proof.read(path)


def test_damage(shipped):
    data = shipped("Gomoku", 19)
    path = gomoku_proof.path_of("Gomoku", 19)
    header, _, packed = data.partition(b"\n")
    path.write_bytes(header + b"\n" + lzma.compress(lzma.decompress(packed)[:-1]))
    with pytest.raises(ValueError, match="in the middle of a number$"):
        gomoku_proof.load("Gomoku", 19)
    gomoku_proof.path_of("Gomoku", 20).write_bytes(data)
    with pytest.raises(ValueError, match="has the proof of Gomoku on 19x19$"):
        gomoku_proof.load("Gomoku", 20)


def test_names_of_files():
    assert gomoku_proof.path_of("Gomoku-exact", 15).name == "gomoku-exact-15.proof"
    assert ("Gomoku", 15) in gomoku_proof.games()
    for name, size in gomoku_proof.games():
        assert (proof := gomoku_proof.load(name, size)) and proof.rules.name == name


# --- the proof of one board as advice for another -----------------------------------------------

OPENING = "H8 G3 J8 H4"  # on 15x15; few entries follow
SHIPPED = gomoku_entries.GOMOKU.path()


def moved(words, size):
    """The points of 15x15 in the middle of a larger board."""
    edge = (size - 15) // 2
    columns = "ABCDEFGHJKLMNOPQRSTUV"
    return " ".join(f"{columns[columns.index(word[0]) + edge]}{int(word[1:]) + edge}"
                    for word in words.split())


@pytest.mark.parametrize("name, size", [("Gomoku-exact", 15), ("Gomoku", 19), ("Gomoku", 20)])
@pytest.mark.few(1)
def test_a_proof_with_advice(name, size, tmp_path):
    """The checker accepts a part of the proof that follows the certificate of 15x15."""
    def program(word, *words):
        out = subprocess.run([sys.executable, "-m", "gtp_engine", word, *map(str, words)],
                             cwd=SCRIPT.parent, capture_output=True, text=True, timeout=PATIENCE)
        assert out.returncode == 0, out.stderr
        return out.stdout
    said = program("solve-gomoku", "--game", name, "--size", size, "--advice", SHIPPED, "--opening",
                   moved(OPENING, size), "--work", tmp_path / "work", "--output",
                   tmp_path / "short", "--processes", 1)
    count = int(re.search(r"(\d+) entries", said)[1])
    checked = program("verify-gomoku", tmp_path / "short", "--processes", 1)
    whole = count - len(OPENING.split()) // 2
    assert checked.startswith(f"The proof holds: {whole} of {count} positions are won")
    assert whole > 9


def test_advice_on_a_larger_board():
    """Stones of White outside the smaller board count as stones on its edge, and are answers."""
    advice = Advice(gomoku_entries.Board("Gomoku", 19), SHIPPED.read_bytes())
    points = GtpPoints(catalogue.lattice(19, 19))

    def after(words):
        return advice.after(tuple(map(points.point_of, words.split())))
    assert points.name[after("").move] == "K10"
    corner, edge, other = map(after, ("K10 A1", "K10 C3", "K10 C4"))
    assert corner.move == edge.move and corner.other == edge.other
    outside = {point for point, name in points.name.items()
               if name[0] in "ABST" or not 3 <= int(name[1:]) <= 17}
    first = {points.point_of("A1")}
    assert len(outside) == 136 and outside <= {*edge.answers}
    assert {*edge.answers} - {*corner.answers} == first and outside - first <= {*corner.answers}
    assert {*corner.answers} != {*other.answers}
    assert after("A1 K10") is None
    with pytest.raises(ValueError, match="15x15, a larger board than Gomoku on 13x13"):
        Advice(gomoku_entries.Board("Gomoku", 13), SHIPPED.read_bytes())
