"""Reviews: the class of each move, files that come out, the command, what is refused."""

import json
import re
import subprocess
import sys
from random import Random

import pytest
from distributed import LocalCluster

import gtp_engine
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, PASS, WHITE
from gtp_engine.games.tree import ROOT, GameTree, Step, tree_of
from gtp_engine.learn.analysis import Analysis, Effort, Task, analysis_of
from gtp_engine.learn.annotate import annotated, sgf_of_review
from gtp_engine.learn.classes import CLASSES, FAULTS, Thresholds, class_of
from gtp_engine.learn.practice import practise
from gtp_engine.learn.review import JudgedMove, Review, review, summary
from gtp_engine.records import reader
from gtp_engine.records.sgf import sgf_of
from gtp_engine.wire.notation import GtpPoints
from tests.engine import PATIENCE, Engine, run
from tests.positions import after, picture, random_game, value

QUICK = ("--nodes", "300", "--seed", "1", "--memory", "1", "--jobs")
EFFORT = Effort(nodes=3000, memory=1, seed=1)


def search(tasks):
    return [analysis_of(task) for task in tasks]


def reviewed(tree, effort=EFFORT):
    return review(tree, effort, search)


def game_of(moves, rules=catalogue.GOMOKU, size=9):
    """The game of some moves in turn, as in E5 E6."""
    return after(moves, rules, size)


FOUR = """
    .........
    .........
    .........
    .OXXXX...
    ..O......
    ...OOO...
    ..X......
    .........
    .........
"""
TWO_FOURS = """
    .........
    .O.......
    .OXXXX...
    .........
    ..XXX....
    ...O.....
    ..OO.....
    .........
    .........
"""
OPEN_THREE = """
    .........
    .........
    ....O....
    ...O.....
    ..XXX....
    .........
    .....O...
    .........
    .........
"""
OPEN_FOUR = """
    ........O
    ..O......
    .OXXXX...
    .........
    .........
    ...OOOO..
    .........
    .XX......
    .........
"""
THREES = """
    OXXX.....
    ........X
    .........
    ...OOO...
    .........
    ..O......
    ..O......
    ..O......
    .........
"""
POSITIONS = [  # what is on the board, who moves where, class, plies, the better move
    (FOUR, BLACK, "G6", "best", 1, None),
    (FOUR, BLACK, "A9", "missed win", 1, "G6"),
    (TWO_FOURS, BLACK, "G7", "best", 1, None),
    (TWO_FOURS, BLACK, "F5", "slower win", 1, "G7"),
    (OPEN_THREE, BLACK, "B5", "best", 3, None),
    (OPEN_THREE, BLACK, "F5", "best", 3, None),
    (OPEN_THREE, BLACK, "A1", "missed win", 3, None),
    (OPEN_THREE, WHITE, "A1", "allowed win", 3, None),
    (OPEN_FOUR, WHITE, "C4", "best", 1, None),
    (THREES, BLACK, "E9", "slower loss", 10, None),
    (THREES, BLACK, "J1", "lost already", 10, None),
]


@pytest.mark.parametrize("rows, side, move, kind, plies, better", POSITIONS)
def test_classes_of_positions(rows, side, move, kind, plies, better):
    position = picture(catalogue.GOMOKU, rows, side)
    points = GtpPoints(position.lattice)
    position.play(side, points.point_of(move))
    found, = reviewed(tree_of(position)).moves
    assert (found.kind, found.plies, found.colour) == (kind, plies, side)
    assert points.name[found.point] == move
    if better:
        assert points.name[found.better] == better
    assert (found.kind == "best") <= (found.better is None)


def test_the_proof_of_gomoku_finds_no_faults():
    """No player can know it: neither another first move nor an answer of White is a mistake."""
    for moves in ("", "H8", "H8 G7"):
        found = analysis_of(Task(game_of(moves, size=15), EFFORT))
        assert found.value is not None and abs(found.value) < 0.8 and found.plies is None



THRESHOLDS = Thresholds(0.05, 0.1, 0.2)
WON, LOST = Analysis(1.0, (), 5), Analysis(-1.0, (), 6)
OF_VALUES = [  # before, after, class
    (0.0, 0.0, "best"), (0.0, 0.5, "best"), (0.0, -0.09, "good"), (0.0, -0.1, "inaccuracy"),
    (0.0, -0.19, "inaccuracy"), (0.0, -0.2, "mistake"), (0.0, -0.39, "mistake"),
    (0.0, -0.4, "blunder"), (0.9, -0.9, "blunder"), (0.0, LOST, "allowed win"),
    (-0.8, LOST, "allowed win"), (WON, 0.8, "missed win"), (WON, LOST, "missed win"),
    (WON, 0.95, "slower win"), (-0.95, LOST, "lost already"),
    (WON, WON, "best"), (WON, WON._replace(plies=7), "slower win"), (0.9, WON, "best"),
    (LOST, LOST, "slower loss"), (LOST, LOST._replace(plies=8), "slower loss"),
    (LOST, LOST._replace(plies=4), "lost already"), (LOST, -0.9, "slower loss"),
]


@pytest.mark.parametrize("before, after, kind", OF_VALUES)
def test_classes_of_values(before, after, kind):
    before, after = (each if isinstance(each, Analysis) else Analysis(each)
                     for each in (before, after))
    assert class_of(before, after, False, THRESHOLDS) == kind
    assert kind in CLASSES


def test_the_choice_of_the_engine_costs_nothing():
    assert class_of(Analysis(0.5), Analysis(0.0), True, THRESHOLDS) == "best"
    assert class_of(Analysis(0.5), LOST, True, THRESHOLDS) == "allowed win"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.few(1)
def test_every_class_by_trying_everything(seed):
    """Tic-tac-toe: what is called a win or a loss is one, and nothing else is."""
    rng, known = Random(seed), {}
    for _ in range(8):
        *_, position = random_game(catalogue.TIC_TAC_TOE, 3, rng, by_policy=0.2)
        replay = catalogue.start(catalogue.TIC_TAC_TOE, 3)
        moves = reviewed(tree_of(position)).moves
        assert len(moves) == len(position.history)
        for move in moves:
            before = value(replay, known)
            replay.play(move.colour, move.point)
            after = -value(replay, known)
            if before == 1:
                assert (move.kind == "missed win") == (after < 1)
                assert move.kind in ("best", "slower win", "missed win")
            elif before == -1:
                assert move.kind in ("slower loss", "lost already")
            else:
                assert (move.kind == "allowed win") == (after == -1)
                assert after == -1 or move.kind == "best"


SVG = "http://www.w3.org/2000/svg"  # the name of the language
GAME = "E5 D6 E6 E4 D5 C5 F7 G8 F5 G5 D7 C8 F4 G3 D4 F6 D3"


def test_what_a_review_says():
    tree = tree_of(game_of(GAME))
    before = tree.data()
    found = reviewed(tree)
    assert tree.data() == before
    assert [move.ply for move in found.moves] == [*range(1, len(GAME.split()) + 1)]
    data = json.loads(json.dumps(found.data(), allow_nan=False))
    assert (data["game"], data["size"]) == ("Gomoku", 9)
    assert [move["point"] for move in data["moves"]] == GAME.split()
    assert {move["class"] for move in data["moves"]} <= {*CLASSES}
    for side in ("black", "white"):
        kinds = [move["class"] for move in data["moves"] if move["colour"] == side]
        assert data["counts"][side] == {kind: kinds.count(kind) for kind in CLASSES}
        assert 0 <= data["accuracy"][side] <= 100
    faults = [move for move in data["moves"] if move["class"] in FAULTS]
    assert 0 < len(data["moments"]) <= 3
    assert {*data["moments"]} <= {move["ply"] for move in faults}
    assert max(faults, key=lambda move: move["loss"])["ply"] in data["moments"]
    for move in faults:
        assert move["better"] == move["line"][0] != move["point"]
        assert move["refutation"] and f"{move['better']} w" in move["text"]
    lines = [*summary(found)]
    assert lines[0].startswith("Black: accuracy ") and lines[1].startswith("White: accuracy ")


@pytest.mark.thorough
def test_lines_can_be_played_and_proofs_end_the_game():
    """A missed win is won by its line, within the plies that are said."""
    rng, proofs = Random(3), 0
    for rules in (catalogue.GOMOKU, catalogue.PENTE, catalogue.RENJU):
        *_, position = random_game(rules, 9, rng)
        for move in reviewed(tree_of(position)).moves:
            before = position.copy()
            while len(before.history) >= move.ply:
                before.undo()
            for analysis in (move.before, move.after):
                after = before.copy()
                for point in analysis.line:
                    after.play(after.side, point)
                if analysis.won:
                    proofs += 1
                    assert after.outcome is None or after.outcome.winner == move.colour
                    assert len(analysis.line) <= analysis.plies
    assert proofs


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_review():
    tree = tree_of(game_of(GAME))
    assert reviewed(tree).moves == reviewed(tree).moves


def test_turns_that_do_not_alternate_and_passes():
    position = catalogue.start(catalogue.GOMOKU, 9)
    points = GtpPoints(position.lattice)
    for colour, name in ((BLACK, "E5"), (BLACK, "E6"), (WHITE, "pass"), (BLACK, "E7"),
                         (WHITE, "A1"), (BLACK, "E8")):
        position.play(colour, points.point_of(name))
    moves = reviewed(tree_of(position)).moves
    assert [move.colour for move in moves] == [record.colour for record in position.history]
    assert moves[2].point == PASS and moves[4].kind in ("allowed win", "lost already")
    assert moves[5].kind in ("best", "slower win")


@pytest.mark.parametrize("rules", catalogue.GAMES.values(), ids=lambda rules: rules.name)
@pytest.mark.few(3)
def test_every_game(rules):
    *_, position = random_game(rules, max(rules.smallest, 7), Random(rules.name))
    found = reviewed(tree_of(position), EFFORT._replace(nodes=300))
    assert [move.point for move in found.moves] == [
        record.point for record in position.history]
    last = found.moves[-1]
    assert last.kind == "best" or position.outcome.winner != last.colour
    check_annotated(found)


def check_annotated(found):
    """Its SGF file has the game as it was, and each move of the review with a comment."""
    tree = reader.first(sgf_of_review(found), found.tree.rules, found.tree.size).tree
    line, expected = tree.line(ROOT), found.tree.line(ROOT)
    assert [tree.nodes[node].step for node in line] == [
        found.tree.nodes[node].step for node in expected]
    comments = [tree.nodes[node].comment for node in line[1:]]
    assert all(comment.startswith(move.kind.capitalize() + ".")
               for comment, move in zip(comments, found.moves))
    assert tree.data() == reader.first(sgf_of_review(found), catalogue.GOMOKU, 9).tree.data()
    return tree


def test_annotations():
    """What is better is a variation from the position before, the refutation one after the move."""
    position = picture(catalogue.GOMOKU, OPEN_THREE, WHITE)
    points = GtpPoints(position.lattice)
    position.play(WHITE, points.point_of("A1"))
    tree = tree_of(position)
    tree.write_comment(tree.line(ROOT)[-1], "A remark.")
    found = reviewed(tree)
    data = sgf_of_review(found)
    assert b"BM[2]" in data and b"TR[" in data and b"V[1]" in data
    again = reader.first(data, catalogue.GOMOKU, 9).tree
    move = next(number for number in again.nodes
                if again.nodes[number].comment.startswith("A remark."))
    judged, = found.moves
    assert again.nodes[move].comment.startswith("A remark.\n\nAllowed win. Black now wins in 3 pl")
    assert again.nodes[move].marks == (("triangle", judged.better, ""),)
    parent = again.nodes[again.nodes[move].parent]
    better, = (child for child in parent.children if child != move)
    assert again.nodes[better].step.move == (WHITE, judged.better)
    assert again.nodes[better].comment == "This was better."
    refutation, = again.nodes[move].children
    assert again.nodes[refutation].comment == "This is the refutation."
    assert [again.nodes[node].step.move[1] for node in again.line(refutation)[-3:]] == [
        *judged.refutation]
    end = again.position(again.line(refutation)[-1])
    assert end.outcome and end.outcome.winner == BLACK


def test_what_was_in_the_file_stays():
    tree = tree_of(game_of("E5 D6 A1"))
    tree.add(1, Step(move=(WHITE, tree.nodes[1].step.move[1] + 1)))
    assert {*tree.nodes} <= {*annotated(reviewed(tree)).nodes}
    assert len(tree.nodes) == 5


def test_no_move():
    with pytest.raises(ValueError, match="there is no move to review"):
        reviewed(GameTree(catalogue.GOMOKU, 9))


# --- over GTP and as a library ------------------------------------------------------------------


def test_over_gtp():
    engine = Engine("Gomoku", 9, nodes=1000, memory=1)
    assert engine.fail("review") == "there is no move to review"
    engine.play("b e5 w a1 b e6 w a2 b e7 w a3 b e8")
    assert "string/Review Game/review" in engine.ask("gogui-analyze_commands").split("\n")
    reply = engine.ask("review")
    assert re.match(r"Black: accuracy [0-9]+%, .*\nWhite: accuracy [0-9]+%, ", reply)
    assert "\n2 white A1: " in reply and reply == engine.ask("review")
    assert len(engine.session.position.history) == 7
    engine.dispatcher.stop[0] = 1
    assert engine.ask("review") == "interrupted"


def test_over_gtp_with_a_real_engine():
    replies, _ = run("play b e5\nplay w a1\nreview\n", "--size", "9", "--nodes", "300",
                     "--player", "alphabeta")
    assert replies[2].startswith("= Black: accuracy 100%, 1 best\nWhite: ")


def test_as_a_library():
    game = gtp_engine.Game("Gomoku", 9)
    engine = gtp_engine.Engine("alphabeta", nodes=1000, memory=1)
    with pytest.raises(ValueError, match="there is no move to review"):
        engine.review(game)
    for move in "E5 A1 E6 A2 E7 A3".split():
        game.play(move)
    moves = engine.review(game)
    assert [move.point for move in moves] == game.moves
    assert [move.colour for move in moves] == 3 * ["black", "white"]
    assert moves[-1].kind in ("allowed win", "lost already") and moves[-1].value_after == -1
    with pytest.raises(ValueError, match="flat cannot review a game .available: alphabeta"):
        gtp_engine.Engine("flat").review(game)


# --- mistakes to try again ---------------------------------------------------------------------


def practised(rows, side, move, answers):
    position = picture(catalogue.GOMOKU, rows, side)
    position.play(side, GtpPoints(position.lattice).point_of(move))
    return [*practise(reviewed(tree_of(position)), (side,), answers, EFFORT, Thresholds())]


DIALOGUES = [  # position, side, the move that was a mistake, answers, what is said to each, solved
    (OPEN_THREE, BLACK, "A1", ["B5\n"], ["Right. It wins in 3 plies."], "1 of 1"),
    (OPEN_THREE, BLACK, "A1", ["f5", "b5"], ["Right. It wins in 3 plies."], "1 of 1"),
    (OPEN_THREE, BLACK, "A1", ["hint", "J9", "C5", "I1", "", "view", "B5"],
     ["There is a win in 3 plies.", "No: ", "C5 is illegal: occupied", "'i1' is not a point, ",
      "'' is not a point, ", "Best is "], "0 of 1"),
    (OPEN_THREE, WHITE, "A1", ["hint", "A1", "skip"], ["It is in row ", "No: "], "0 of 1"),
    (OPEN_THREE, WHITE, "A1", ["quit", "B5"], [], "0 of 1"),
    (OPEN_THREE, WHITE, "A1", [], [], "0 of 1"),
    (FOUR, BLACK, "G6", ["G6"], None, "0 of 0"),
]


@pytest.mark.parametrize("rows, side, move, answers, said, solved", DIALOGUES)
def test_trying_again(rows, side, move, answers, said, solved):
    texts = practised(rows, side, move, answers)
    assert texts.pop() == f"\nsolved: {solved}"
    if said is None:
        assert texts == []
    else:
        assert texts[0] == "\nPosition 1 of 1" and f"; {move} was played here: " in texts[1]
        assert all(text.startswith(start) for text, start in zip(texts[2:], said, strict=True))


def test_the_command_learn(tmp_path):
    (tmp_path / "moves.txt").write_text("e5a1e6a2e7a3e8a4e9")
    words = [sys.executable, "-m", "gtp_engine", "learn", "--size", "9", *QUICK, "1",
             "--side", "black"]
    out = subprocess.run([*words, str(tmp_path / "moves.txt")], input="skip\n" * 9, text=True,
                         capture_output=True, timeout=PATIENCE)
    assert out.returncode == 0 and re.search(r"\nsolved: 0 of [0-9]\n$", out.stdout), out.stderr
    assert "White is to move" not in out.stdout
    out = subprocess.run([*words, str(tmp_path / "no.txt")], text=True, capture_output=True,
                         timeout=PATIENCE)
    assert out.returncode == 1 and out.stderr.startswith("cannot review ")


# --- the command --------------------------------------------------------------------------------


@pytest.fixture
def command(ours):
    def run(*words, expected=0):
        status, output, errors = ours("review", *words)
        assert status == expected, errors
        return output, errors

    return run


def test_the_command(tmp_path, command):
    """A folder of games: files come out, the same ones by one process as by two."""
    games = tmp_path / "games"
    games.mkdir()
    two = sgf_of(game_of(GAME), {"PB": "<Ann>", "PW": "Ben"}) + sgf_of(game_of("E5 D6 A1"))
    (games / "two.sgf").write_bytes(two)
    (games / "one.psq").write_text("Piskvorky 9x9, 11:11, 0\n5,5,0\n1,1,0\n5,6,0\n")
    (games / "note.md").write_text("no game")
    written = []
    for jobs in (1, 2):
        folder = tmp_path / f"out{jobs}"
        out, err = command(games, *QUICK, jobs, "--json", tmp_path / "x.json", "--output", folder)
        assert err == "" and out.count("  Black: ") == 3
        assert {path.name for path in folder.iterdir()} == {
            "index.html", "one.sgf", "two-1.sgf", "two-2.sgf"}
        written.append([out, (tmp_path / "x.json").read_text(),
                        *(path.read_bytes() for path in sorted(folder.iterdir()))])
    assert written[0] == written[1]
    data = json.loads(written[0][1])["games"]
    assert [len(game["moves"]) for game in data] == [3, len(GAME.split()), 3]
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "&lt;Ann&gt;" in page and "<Ann>" not in page
    assert page.count('<circle class="dot ') == sum(len(game["moves"]) for game in data)
    assert page.count("<figcaption>") == sum(len(game["moments"]) for game in data)
    assert "http" not in page.replace("http-equiv", "").replace(SVG, "")


@pytest.mark.thorough
def test_a_cluster(tmp_path, command):
    """Two workers find what this process finds."""
    (tmp_path / "two.sgf").write_bytes(sgf_of(game_of(GAME)) + sgf_of(game_of("E5 D6 A1")))
    words = [tmp_path / "two.sgf", *QUICK, 1]
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, protocol="tcp",
                      dashboard_address=None) as cluster:
        assert command(*words, "--scheduler", cluster.scheduler_address) == command(*words)


def test_no_cluster(tmp_path, command, monkeypatch):
    monkeypatch.setattr("gtp_engine.arena.cluster.PATIENCE", 0.1)
    (tmp_path / "moves.txt").write_text("e5a1")
    words = ("--size", 9, *QUICK, 1, "--scheduler", "127.0.0.1:1")
    assert "no Dask scheduler at 127.0.0.1:1: " in command(
        tmp_path / "moves.txt", *words, expected=2)[1]


def test_one_game_as_json(tmp_path, command):
    (tmp_path / "moves.txt").write_text("e5a1e6a2e7a3")
    command(tmp_path / "moves.txt", "--size", 9, *QUICK, 1, "--json", tmp_path / "x.json")
    data = json.loads((tmp_path / "x.json").read_text())
    assert data["moves"][-1]["class"] in ("allowed win", "lost already")
    assert data["moves"][0]["point"] == "E5" and data["size"] == 9


def test_thresholds(tmp_path, command):
    (tmp_path / "moves.txt").write_text("e5a1")
    for words, kind in ((("--inaccuracy", 1, "--mistake", 1, "--blunder", 1), "blunder"),
                        (("--inaccuracy", 99, "--mistake", 99, "--blunder", 99), "good")):
        command(tmp_path / "moves.txt", "--size", 9, *QUICK, 1, "--json", tmp_path / "x.json",
                *words)
        assert json.loads((tmp_path / "x.json").read_text())["moves"][1]["class"] == kind


BAD = [  # content of a file, what is said of it
    (b"nonsense", "not a game (SGF, .psq"), (b"(;FF[4]SZ[9])", "there is no move to review"),
    (b"", "not a game"), (b"(;SZ[99];B[aa])", "is played on sizes 3 to 25"),
]


def test_bad_files(tmp_path, command):
    """Each is named, and the others are reviewed."""
    for number, (content, _) in enumerate(BAD):
        (tmp_path / f"{number}.sgf").write_bytes(content)
    (tmp_path / "good.sgf").write_bytes(sgf_of(game_of("E5 A1")))
    out, err = command(tmp_path, *QUICK, 1, expected=1)
    assert out.startswith(f"{tmp_path / 'good.sgf'}\n  Black: ")
    for line, (number, (_, text)) in zip(err.splitlines(), enumerate(BAD), strict=True):
        assert line.startswith(f"cannot review {tmp_path / f'{number}.sgf'}: ") and text in line


@pytest.mark.parametrize("words, text", [
    ((), "the following arguments are required: GAME"),
    (("nowhere.sgf",), "nowhere.sgf"),
    ((".", "--mistake", "0"), "a threshold must be 1 to 100"),
    ((".", "--mistake", "50"), "must not decrease"),
    ((".", "--nodes", "0"), "nodes must be 1 to"),
    ((".", "--jobs", "x"), "jobs is not a whole number: x"),
    ((".", "--output", "setup.cfg"), "setup.cfg"),
])
@pytest.mark.few(2)
def test_bad_options(words, text, command):
    assert text in command(*words, expected=2)[1]


# --- what decided a game -------------------------------------------------------------------------

DECIDED = [  # the value for Black before the first move and after each one, the plies that decided
    ((0, -0.4, -0.4, -1, -1, -1), [3, 1]),  # White won after the third move, and all was over
    ((0, -1, 0, 0, 0.5, 0.5), [2, 1, 4]),  # what White gave back decided
    ((0, -1, 1, -1, 1, 1), [4, 2, 3]),        # the last of many changes, then the largest
    ((0, -0.3, 0, -0.4, 0.1, -0.1), [4, 3, 1]),  # nothing was ever certain
    ((0, 0.1, 0.2, 0.3), [])]


@pytest.mark.parametrize("values, plies", DECIDED)
def test_what_decided_a_game(values, plies):
    """First the move after which the result never changed again, then those that cost most."""
    moves = []
    for ply, (old, new) in enumerate(zip(values, values[1:]), 1):
        colour, sign = (BLACK, 1) if ply % 2 else (WHITE, -1)
        before, after = Analysis(sign * old, (), None), Analysis(sign * new, (), None)
        loss = max(sign * (old - new), 0) / 2
        kind = "mistake" if loss > 0.06 else "good"
        moves.append(JudgedMove(ply, ply, colour, ply, kind, before, after, loss))
    found = [move.ply for move in Review(None, moves).moments()]
    assert found == plies
