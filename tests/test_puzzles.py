"""Puzzles: those shipped are proved by slow rules; made from games, solved, kept, printed."""

import json
import re
import subprocess
import sys
from collections import Counter
from itertools import islice
from random import Random

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.rules import COLOURS, IllegalMove
from gtp_engine.games.symmetry import symmetries
from gtp_engine.puzzles.attempt import Attempt
from gtp_engine.puzzles.make import Game, puzzles_of, without_duplicates
from gtp_engine.puzzles.play import dialogue
from gtp_engine.puzzles.proofs import Prover
from gtp_engine.puzzles.puzzle import (
    CLASSES,
    DEFENCE,
    FOURS,
    ROWS,
    THREATS,
    canonical_key,
    puzzles_in,
    shipped_puzzles,
    text_of,
)
from gtp_engine.puzzles.score import Score
from tests.engine import PATIENCE, SCRIPT, Engine
from tests.puzzle_proofs import is_forced, is_won, winning
from tests.reference import wins_by_fours

SAMPLES = {FOURS: 150, ROWS: 20, THREATS: 4, DEFENCE: 8}  # benchmarks/puzzles.py proves all


def sample(kind, fits=lambda puzzle: True):
    """Shipped puzzles of a class that fit, as many as SAMPLES says, which the set chooses."""
    puzzles = [puzzle for puzzle in shipped_puzzles() if puzzle.kind == kind and fits(puzzle)]
    return Random(len(shipped_puzzles())).sample(puzzles, min(SAMPLES[kind], len(puzzles)))


def test_the_shipped_set():
    """Classes, games and grades are what the manual says; no position stands in it twice."""
    puzzles = shipped_puzzles()
    assert len({canonical_key(puzzle.position()) for puzzle in puzzles}) == len(puzzles)
    kinds = Counter(puzzle.kind for puzzle in puzzles)
    assert {FOURS, THREATS, DEFENCE, ROWS} <= {*kinds} <= {*CLASSES}
    assert len({puzzle.grade for puzzle in puzzles}) >= 6
    for puzzle in puzzles:
        position = puzzle.position()
        assert position.outcome is None
        assert position.complaint(position.side, puzzle.line[0]) is None
        if puzzle.kind != DEFENCE:
            assert len(puzzle.line) == puzzle.plies >= 3
    for puzzle in (each for kind in SAMPLES for each in sample(kind)):
        position = puzzle.position()
        assert not any(winning(position, side) for side in COLOURS)


def test_wins_by_fours_are_forced():
    """By slow rules, move by move: the whole proof."""
    for kind in FOURS, ROWS:
        checked = sample(kind, lambda puzzle: not puzzle.rules.capture_lengths)
        assert checked and all(is_forced(puzzle) for puzzle in checked)


def test_a_solution_that_does_not_win_is_noticed():
    """With its first two moves exchanged, cut short, or one ply longer than it says."""
    puzzle = next(each for each in shipped_puzzles() if each.kind == FOURS and each.plies == 5
                  and not each.rules.capture_lengths)
    first, answer, second, *rest = puzzle.line
    assert is_forced(puzzle)
    for line in ((second, answer, first, *rest), puzzle.line[:3], (first, second, answer, *rest)):
        assert not is_forced(puzzle._replace(line=line))
    assert not is_forced(puzzle._replace(plies=7))


@pytest.mark.thorough
def test_other_wins_hold_against_every_answer():
    verdicts = Counter(is_won(puzzle, Prover(puzzle.rules)) for puzzle in
                       sample(THREATS, lambda puzzle: puzzle.plies <= 7))
    assert not verdicts[False] and verdicts[True]


def test_defences():
    """After every other move the other side wins by a proof."""
    for puzzle in sample(DEFENCE):
        position, prover = puzzle.position(), Prover(puzzle.rules)
        held = [move for move, win in prover.answers(position, 13) if win is None]
        assert held == [puzzle.line[0]]


def test_the_only_win_by_fours():
    """By brute force, on a small board."""
    puzzle = next(each for each in shipped_puzzles() if each.kind == FOURS and each.size == 9
                  and each.plies == 5)
    assert wins_by_fours(puzzle.position(), 2) == {puzzle.line[0]}


def test_sets_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "set.txt"
    puzzles = [*islice(shipped_puzzles(), 0, None, 40)]
    path.write_text(text_of(puzzles))
    assert [*puzzles_in(path)] == puzzles


@pytest.mark.parametrize("line, complaint", [
    ("fours 5 3 Gomoku 9 e5", "a puzzle must be: CLASS PLIES"),
    ("fives 5 3 Gomoku 9 e5e6 e7", "a puzzle must be: CLASS PLIES"),
    ("fours 5 3 Gomuku 9 e5e6 e7", "Gomuku"),
    ("fours 5 3 Gomoku 9 e5-6 e7", "moves must be written as in h8i9"),
    ("fours 5 3 Gomoku 9 e5k6 e7", "k6 is not on the board"),
    ("fours 5 3 Gomoku 9 e5e5 e7", "occupied"),
])
def test_bad_sets(line, complaint, tmp_path):
    path = tmp_path / "set.txt"
    path.write_text(f"# a set\n{line}\n")
    with pytest.raises(ValueError, match=f"line 2: .*{complaint}"):
        [*puzzles_in(path)]


def test_doubles_by_symmetry():
    puzzle = next(each for each in shipped_puzzles() if each.rules == catalogue.GOMOKU)
    position = puzzle.position()
    lattice, key = position.lattice, canonical_key(position)
    for where in symmetries(lattice, 5):
        turned = catalogue.start(puzzle.rules, puzzle.size)
        for record in position.moves:
            turned.play(turned.side, int(where[record.point]))
        assert canonical_key(turned) == key
    assert [*without_duplicates(iter([puzzle, puzzle]), set())] == [puzzle]
    assert [*without_duplicates(iter([puzzle]), {key})] == []


def test_puzzles_of_a_game():
    """The game of a shipped puzzle has it, or others; the same seed finds the same."""
    puzzle = next(each for each in shipped_puzzles() if each.kind == FOURS and len(each.moves) < 40)
    game = Game(puzzle.rules, puzzle.size, (*puzzle.moves, *puzzle.line), CLASSES, 1)
    found = puzzles_of(game)
    assert found and puzzles_of(game) == found
    assert puzzle.line[0] in {each.line[0] for each in found} | {
        move for each in found for move in each.line}


def solution_of(attempt):
    """Play the moves of the solution; the last answer."""
    answer = None
    while not attempt.is_over:
        answer = attempt.play(attempt.line[0])
        assert answer.right
    return answer


def test_an_attempt():
    puzzle = next(each for each in shipped_puzzles() if each.kind == FOURS)
    attempt = Attempt(puzzle)
    solution_of(attempt)
    assert attempt.is_solved and attempt.success == 1
    attempt = Attempt(puzzle)
    taken = puzzle.moves[-1]
    before = bytes(attempt.position.cells)
    with pytest.raises(IllegalMove):
        attempt.play(taken)
    wrong = next(move for move in attempt.position.legal_moves() if move != puzzle.line[0])
    answer = attempt.play(wrong)
    assert not answer.right and attempt.success == 0 and bytes(attempt.position.cells) == before
    solution_of(attempt)
    assert attempt.is_solved and attempt.success == 0
    attempt = Attempt(puzzle)
    assert attempt.hint() == puzzle.line[0] and attempt.success == 0.5
    assert attempt.view() == puzzle.line and attempt.is_over and not attempt.is_solved


def test_scores():
    """Elo's formula; a streak ends with the first failure; what was asked is not asked again."""
    puzzles = shipped_puzzles()[:30]
    score, rng = Score(), Random(1)
    asked = [score.next(puzzles, rng) for _ in range(30)]
    assert {*asked} == {*puzzles}
    puzzle = asked[0]
    expected = 1 / (1 + 10 ** ((puzzle.rating - 900) / 400))
    score.record(puzzle, 1)
    assert score.rating == pytest.approx(900 + 32 * (1 - expected))
    score.record(puzzle, 1)
    score.record(puzzle, 0)
    assert (score.streak, score.best, score.solved, score.tried) == (0, 2, 2, 3)


def test_scores_are_kept(tmp_path):
    path = tmp_path / "folder" / "score.json"
    score = Score.read(path)
    score.record(shipped_puzzles()[0], 1)
    score.write(path)
    assert Score.read(path) == score
    for damage in ("{}", "[", json.dumps({**json.loads(path.read_text()), "rating": "much"})):
        path.write_text(damage)
        with pytest.raises(ValueError, match="is not a score of puzzles"):
            Score.read(path)


def test_a_dialogue():
    """A bad word, an illegal point, a wrong move, a hint, the solution; then another puzzle."""
    puzzle = next(each for each in shipped_puzzles() if each.kind == FOURS and each.plies == 5)
    names = Engine(puzzle.rules.name, puzzle.size).session.points.name
    wrong = next(move for move in puzzle.position().legal_moves() if move != puzzle.line[0])
    words = ["what", names[puzzle.moves[-1]], names[wrong], "hint",
             *(names[move] for move in puzzle.line[::2]), "skip", "quit"]
    said = "\n".join(dialogue([puzzle], Score(), Random(1), words))
    for text in ("'what' is not a point, hint", "is illegal", "No", "The next move is in column",
                 "Right.", "Solved.", "Your rating is", "solved: 0 of 1"):
        assert text in said, text


def puzzles_program(*words, text=""):
    return subprocess.run([sys.executable, "-m", "gtp_engine", "puzzles", *map(str, words)],
                          cwd=SCRIPT.parent, input=text, capture_output=True, text=True,
                          timeout=PATIENCE)


def test_the_program(tmp_path):
    """Made from a game in a file, solved, printed; the score is in the file."""
    puzzle = next(each for each in shipped_puzzles() if each.kind == FOURS
                  and each.rules.name == "Gomoku" and len(each.moves) < 40)
    game = tmp_path / "game.txt"
    game.write_text(re.search("[a-z0-9]+ [a-z0-9]+$", puzzle.text())[0].replace(" ", ""))
    made = tmp_path / "made.txt"
    out = puzzles_program("make", game, "--size", puzzle.size, "--output", made, "--jobs", 1,
                          "--seed", 1)
    assert out.returncode == 0 and out.stderr.endswith("puzzles\n")
    count = len([*puzzles_in(made)])
    assert count
    score = tmp_path / "score.json"
    out = puzzles_program("play", made, "--count", 1, "--score", score, text="view\n")
    assert "The solution is" in out.stdout and Score.read(score).tried == 1
    sheet = tmp_path / "sheet.html"
    assert puzzles_program("sheet", made, "--output", sheet).returncode == 0
    assert sheet.read_text().count("<circle") == sum(
        len(each.position().moves) for each in puzzles_in(made))


@pytest.mark.parametrize("words, complaint", [
    (["make"], "make needs files of games"), (["sheet"], "sheet needs --output"),
    (["play", "--grade", "0"], "grade"), (["play", "--grade", "5-3"], "no such grades"),
    (["play", "--class", "fives"], "no such class: fives"),
    (["play", "missing.txt"], "missing.txt"), (["play", "--size", "24"], "no such puzzle"),
])
@pytest.mark.few(3)
def test_bad_words(words, complaint):
    out = puzzles_program(*words)
    assert out.returncode == 2 and out.stdout == "" and complaint in out.stderr
    assert "Traceback" not in out.stderr


def test_gtp_commands():
    """Drawn on the empty board, which stays empty."""
    engine = Engine("Gomoku", 15)
    for command in ("puzzle_play A1", "puzzle_hint", "puzzle_solution"):
        assert engine.fail(command) == "no puzzle: start one with the command puzzle"
    drawn = engine.ask("puzzle fours")
    assert re.fullmatch(r"VAR (?:[bw] [A-T]\d+ ?)+\nTEXT (?:Black|White) to play and win in \d+ "
                        r"moves by fours alone: find the only first move\.", drawn)
    picture = drawn.splitlines()[0]
    hinted = engine.ask("puzzle_hint")
    hint = re.fullmatch(rf"{picture}\nTEXT The next move is (\w+)\.\nCIRCLE \1", hinted)[1]
    answered = engine.ask(f"puzzle_play {hint}")
    assert re.search("Right|Solved", answered) and f" {hint}" in answered.splitlines()[0]
    picture = answered.splitlines()[0]
    solved = engine.ask("puzzle_solution")
    assert re.fullmatch(rf"{picture}( [bw] [A-T]\d+)+\nTEXT The solution is .*\.", solved)
    assert [*re.findall(r"[bw] ([A-T]\d+)", solved[len(picture):])] == (
        solved.split("The solution is ")[1].rstrip(".").split())
    assert engine.fail("puzzle fives").startswith("no such class: fives")
    assert engine.ask("gogui-rules_side_to_move") == "black"
    engine.play("b H8")
    assert engine.fail("puzzle") == "a puzzle needs an empty board: use clear_board first"
    engine.ask("boardsize 7")
    assert engine.fail("puzzle").startswith("no such puzzle for Gomoku 7 (available: ")


def test_forbidden_points_of_a_puzzle_are_marked():
    """Where Black is to move, in the position of the puzzle."""
    engine = Engine("Renju", 15, seed=1)
    marked = 0
    for _ in range(60):
        drawn = engine.ask("puzzle").splitlines()
        game = Engine("Renju", 15)
        game.play(drawn[0].removeprefix("VAR "))
        crosses = [line for line in drawn if line.startswith("MARK")]
        assert crosses == game.ask("gogui-rules_board_gfx").splitlines()
        marked += len(crosses)
    assert marked

