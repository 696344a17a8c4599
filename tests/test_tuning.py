"""The programs that make the weights, as far as they need nothing but the engine."""

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import numpy as np
import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.kernels.control import MATE
from gtp_engine.kernels.plane import board as boards, state
from gtp_engine.kernels.plane.features import MARGINS
from gtp_engine.kernels.plane.shapes import combination_of
from gtp_engine.players.adapters import board_of, geometry_of
from gtp_engine.players.alphabeta.weights import weights_of
from gtp_engine.players.arrays import packed
from gtp_engine.players.quick_moves import near_stones
from gtp_engine.solvers.gomoku.attacks import Plan
from gtp_engine.solvers.gomoku.board import moves_of, text
from gtp_engine.solvers.gomoku.certificate import Entry
from gtp_engine.solvers.gomoku.entries import Board
from gtp_engine.solvers.gomoku.questions import Line
from gtp_engine.solvers.gomoku.tree import Tree
from gtp_engine.solvers.gomoku.work import EntryFile
from tuning.features import combinations_of, patterns_of, takes_of
from tuning.games import PLAYED, POINT, SUFFIX, Positions, content, count_of, positions_of, read
from tuning.larger_board import OPEN, Images, LargerBoard, image_of, refute

TUNING = Path(__file__).parent.parent / "tuning"
SIZE = 9
PART = 12  # games


def run(program, folder, *arguments):
    """The files that the program leaves in the folder."""
    subprocess.run([sys.executable, TUNING / program, folder, *map(str, arguments),
                    "--nodes", "50", "--processes", "1"], check=True, capture_output=True)
    return sorted(folder.iterdir())


def play(folder, games, game="Gomoku"):
    return run("selfplay.py", folder, "--game", game, "--size", SIZE, "--games", games,
               "--part", PART)


@pytest.mark.thorough
def test_selfplay(tmp_path):
    """Positions are of games; the same command goes on, and gives the same files anew."""
    first, = play(tmp_path / "games", PART)
    rules, size, side, cells, captured, result, score, move = positions_of(first)
    count = len(cells)
    assert (rules, size) == (catalogue.GOMOKU, SIZE) and cells.shape == (count, SIZE * SIZE)
    assert count_of(first) == (SIZE, count) and not captured.any()
    assert set(np.unique(cells)) == {0, 1, 2} and set(np.unique(side)) == {BLACK, WHITE}
    stones = [(cells == colour).sum(axis=1) for colour in (1, 2)]
    assert np.all(stones[1] == stones[0] + (side == WHITE))
    assert not cells[np.arange(count), move].any() and np.abs(score).max() < MATE
    assert 0 < np.isnan(result).sum() < count
    assert set(result[~np.isnan(result)]) <= {0.0, 0.5, 1.0}
    games = read(first)
    assert len(games.games) == PART
    assert {winner for _, winner in games.games} >= {BLACK, WHITE}
    plies = sum(bool(move & PLAYED) for entries, _ in games.games for move, _ in entries)
    assert first.stat().st_size < 8 * plies
    written = first.stat().st_mtime_ns
    assert len(play(tmp_path / "games", PART + 1)) == 2
    assert first.stat().st_mtime_ns == written
    again, = play(tmp_path / "again", PART)
    assert read(again) == games


@pytest.mark.thorough
def test_positions_are_judged_anew(tmp_path):
    """The same games, other searches; judged ones are left alone.

    In Renju, where it matters who is to move.
    """
    games, judged = tmp_path / "games", tmp_path / "judged"
    played, = play(games, PART, "Renju")
    anew, = run("judge.py", judged, games)
    before, after = positions_of(played), positions_of(anew)
    number = {(cells.tobytes(), result.tobytes()): i
              for i, (cells, result) in enumerate(zip(before.cells, before.result))}
    rows = [number[cells.tobytes(), result.tobytes()]
            for cells, result in zip(after.cells, after.result)]
    assert len(before.cells) * 0.9 < len(rows) <= len(before.cells)
    assert np.array_equal(after.side, before.side[rows])
    assert np.corrcoef(after.score, before.score[rows])[0, 1] > 0.5
    assert (after.score != before.score[rows]).any() and (after.move != before.move[rows]).any()
    assert not after.cells[np.arange(len(rows)), after.move].any()
    line = [[move & POINT for move, _ in entries if move & PLAYED] for entries, _ in
            read(played).games]
    assert line == [[move & POINT for move, _ in entries if move & PLAYED] for entries, _ in
                    read(anew).games]
    written = anew.stat().st_mtime_ns
    assert run("judge.py", judged, games) == [anew] and anew.stat().st_mtime_ns == written


@pytest.mark.parametrize("name, size", [
    ("Gomoku", 15), ("Gomoku-exact", 9), ("Renju", 15), ("Caro", 9), ("Pente", 13),
    ("Keryo-Pente", 9)])
def test_features_of_positions(name, size):
    """Patterns of whole arrays give the combinations and captures of the engine's boards."""
    rules, rng = catalogue.find(name), Random(1)
    empty = catalogue.start(rules, size)
    points, geometry = np.array(empty.lattice.points), geometry_of(rules, empty.lattice)
    search = state.make_search(geometry, weights_of(rules, size), 4)
    rows, expected, takes = [], [], []
    for _ in range(5):
        position = empty.copy()
        while not position.outcome and len(position.history) < 50:
            position.play(position.side, rng.choice(near_stones(position)))
            cells, colour = np.array(position.cells)[points], position.side - BLACK
            rows.append((position.side, np.where(cells > 0, cells ^ 3 * colour, 0)))
            board = board_of(geometry, position)
            state.start(board, geometry, search)
            codes = search.codes.reshape(-1, 2)[points]
            expected.append(combination_of()[codes[:, ::-1] if colour else codes])
            takes.append([boards.count(board.state, boards.TAKE, side ^ colour)
                          for side in (0, 1)])
    side, cells = map(np.array, zip(*rows))
    none = np.zeros(len(rows))
    positions = Positions(rules, size, side, cells.astype(np.uint8), none, none, none, none)
    patterns = patterns_of(positions.cells)
    assert np.array_equal(combinations_of(positions, patterns), expected)
    assert np.array_equal(np.stack([takes_of(positions, patterns, side) for side in (0, 1)], 1),
                          takes)
    assert np.any(takes) == bool(rules.capture_lengths)


@pytest.mark.parametrize("change, fault", [
    ({"moves": np.array([PLAYED | 81], np.uint16)}, "a move off the board"),
    ({"scores": np.zeros(2, np.int16)}, "scores and lengths do not fit"),
    ({"lengths": np.array([2], np.int32)}, "scores and lengths do not fit"),
    ({"lengths": np.array([1, 0], np.int32)}, "lengths and winners do not fit"),
    ({"winners": np.zeros(2, np.uint8)}, "lengths and winners do not fit"),
    ({"size": np.array([SIZE])}, "the array size is int64 of 1")])
def test_damaged_games(change, fault, tmp_path):
    path = tmp_path / f"x{SUFFIX}"
    path.write_bytes(content(catalogue.GOMOKU, SIZE, [([(PLAYED | 80, 0)], BLACK)]))
    assert count_of(path) == (SIZE, 0) and positions_of(path).cells.shape == (0, SIZE * SIZE)
    path.write_bytes(packed(**{**dict(np.load(path)), **change}))
    for reader in (read, count_of, positions_of):
        with pytest.raises(ValueError, match=fault) as raised:
            reader(path)
        assert str(path) in str(raised.value)


def spsa(file, *more, pairs=16):
    """A process that tunes two numbers."""
    return subprocess.Popen(
        [sys.executable, TUNING / "spsa.py", file, "--size", str(SIZE), "--nodes", "30", "--pairs",
         str(pairs), "--processes", "1", "--names", "width", "killer", *more],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.thorough
def test_numbers_of_the_search_are_tuned(tmp_path):
    """What is killed goes on to the same numbers; a file of another run stays as it is."""
    whole, killed = tmp_path / "whole.json", tmp_path / "killed.json"
    told, _ = spsa(whole).communicate()
    state = json.loads(whole.read_text())
    values = state["values"]
    assert told == f"width={round(values['width'])},killer={round(values['killer'])}\n"
    assert state["pairs"] == 16 and [pairs for pairs, _ in state["history"]] == [16]
    assert values["width"] != MARGINS["width"] and values["killer"] != MARGINS["killer"]
    process = spsa(killed)
    while not killed.exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.kill()
    process.communicate()
    assert json.loads(killed.read_text())["pairs"] in (8, 16)
    spsa(killed).communicate()
    assert killed.read_bytes() == whole.read_bytes()
    other = spsa(whole, "--seed", "2")
    _, complaint = other.communicate()
    assert other.returncode == 1 and "is of another run" in complaint
    assert killed.read_bytes() == whole.read_bytes()


def test_better_numbers_win_more():
    """The arithmetic alone: what wins more with more of a number ends with more of it."""
    from tuning.spsa import STEPS, rate, step_factor
    rng, pairs, value = np.random.default_rng(1), 4000, 150.0
    for pair in range(pairs):
        moved = rng.choice((-1, 1)) * STEPS["killer"] * step_factor(pair, pairs)
        chance = 1 / (1 + np.exp((abs(value + moved - 300) - abs(value - moved - 300)) / 200))
        value += rate(pair, pairs) * 2 * (rng.binomial(2, chance) - 1) * moved
    assert 250 < value < 350


def test_images_around_the_first_stone():
    """Images of a position share a name; a map leads from one to the other, or off the board."""
    board = Board("Gomoku", 20)
    images = Images(board)
    first, second = (moves_of(board, words) for words in ("K10 L12 J9 A1", "K10 M9 J11 A19"))
    (name, number), (same, its_number) = map(images.canonical, (first, second))
    assert name == same != images.canonical(moves_of(board, "K10 L12 J9 B1"))[0]
    image = images.between(number, its_number)
    assert tuple(map(image.get, first)) == second
    back, (corner, edge) = images.between(its_number, number), moves_of(board, "T1 A20")
    assert text(board, [back[corner]]) == "T19" and back[edge] is None
    assert image_of(Plan(corner, {}, None), back) == Plan(back[corner], {}, None)
    assert image_of(Plan(corner, {edge: None}, None), back) == OPEN


class Pool(ThreadPoolExecutor):
    """One worker, and the lines that it searched."""

    def __init__(self):
        super().__init__(1)
        self.searched = []

    def submit(self, task, *arguments):
        if task is refute:
            self.searched.append(arguments[1].moves)
        return super().submit(task, *arguments)


def refuted(tmp_path, *entries):
    """A proof with these entries on 20x20, its entry file, and its searches."""
    board = Board("Gomoku", 20)
    proof = LargerBoard(board, Tree(board), (), 49)
    for moves in entries:
        proof.lines[moves[:-1]] = Entry(moves[:-1], moves[-1], {}, True)
    entry_file = EntryFile(board, tmp_path / "entries")
    with Pool() as pool:
        proof.refute(pool, entry_file, False, lambda done, total: None)
    return proof, entry_file, pool.searched


@pytest.mark.thorough
def test_a_move_that_does_not_win(tmp_path):
    """The position before it stays open, with no entry."""
    moves = moves_of(Board("Gomoku", 20), "K10 U11 J9 U12 H8 L11 K8 U13 T14")
    proof, _, searched = refuted(tmp_path, moves)
    assert searched == [moves] and proof.open == [moves[:-1]] and not proof.lines


@pytest.mark.thorough
def test_the_plans_of_a_mirror_image(tmp_path):
    """The search has them, and finds what it finds without them."""
    board = Board("Gomoku", 20)
    first, image = (moves_of(board, words) for words in (
        "K10 H4 J11 H5 L9", "K10 D12 L11 E12 J9"))
    proof, entry_file, searched = refuted(tmp_path, first, image)
    assert searched.index(first) < searched.index(image) and proof.lines[image[:-1]].plans
    helped = entry_file[proof.wins[image[:-1]].key]
    found = refute(board, Line(image, {}, None, 49 - len(image) - 1), False)
    assert helped.open and {*helped.open} == {*found.open}
    assert helped._replace(open=()) == found._replace(open=())


@pytest.mark.thorough
def test_a_larger_board(tmp_path):
    """The proof after a White answer on 20x20, from that of 19x19, holds by the plain rules."""
    advice = TUNING.parent / "gtp_engine" / "players" / "data" / "gomoku-19.proof"
    subprocess.run([sys.executable, TUNING / "larger_board.py", "--size", "20", "--advice", advice,
                    "--opening", "K10 H4 J11 H5", "--work", tmp_path / "work",
                    "--output", tmp_path / "proof", "--processes", "1"], check=True)
    checked = subprocess.run([sys.executable, "-m", "gtp_engine", "verify-gomoku", "--fast",
                              "--processes", "1", tmp_path / "proof"], check=True,
                             capture_output=True, text=True)
    assert checked.stdout.startswith("The proof holds: 1")
