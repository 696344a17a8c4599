"""The proof of Gomoku: searched, resumed, written, checked by rules that share nothing with it."""

import json
import re
import subprocess
import sys
from contextlib import contextmanager
from copy import deepcopy
from random import Random

import pytest

from gtp_engine.__main__ import main
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, PASS, WHITE
from gtp_engine.games.symmetry import symmetries
from gtp_engine.players.alphabeta.player import AlphaBeta
from gtp_engine.players.alphabeta.proof_threats import ProofThreats
from gtp_engine.players.alphabeta.threat_search import ThreatSearch
from gtp_engine.players.base import Limits, Settings, candidates
from gtp_engine.players.proofs import gomoku as gomoku_proof
from gtp_engine.solvers.gomoku import (
    advice as gomoku_advice,
    attacks,
    board as gomoku_board,
    certificate,
    entries as gomoku_entries,
    proof,
    questions,
    work as gomoku_work,
)
from gtp_engine.solvers.gomoku.rules import CheckFailed, Tree as PlainTree, bits, rules_of
from gtp_engine.solvers.gomoku.tree import Tree
from gtp_engine.solvers.gomoku.verify import FAST_NODES, Checker, check_entry, fast, positions, read
from gtp_engine.wire.notation import GtpPoints
from tests.engine import PATIENCE, SCRIPT

BOARD = gomoku_entries.GOMOKU
OPENING = "H8 A1 H9 A2 H10"  # White moves, and has lost
LONGEST = 43  # plies of the shipped proof
RULES = rules_of("Gomoku", 15)  # of the checker


def program(word, *words):
    return subprocess.run([sys.executable, "-m", "gtp_engine", word, *map(str, words)],
                          cwd=SCRIPT.parent, capture_output=True, text=True, timeout=PATIENCE)


def solve(folder, *words):
    out = program("solve-gomoku", "--opening", OPENING, "--work", folder / "work", "--output",
                  folder / "short", "--long", folder / "long", "--processes", 1, *words)
    assert out.returncode == 0, out.stderr
    return out.stdout


@pytest.fixture(scope="module")
def proved(tmp_path_factory):
    """The folder with what is proved of the opening, and what was said."""
    folder = tmp_path_factory.mktemp("proof")
    return folder, solve(folder)


def entries_of(said):
    """How many entries the proof of the opening has, by what was said."""
    return int(re.fullmatch(
        r"220 of 220 answers to H8 A1 H9 A2 H10 are proved to lose: (\d+) entries\n", said)[1])


def test_it_is_proved(proved):
    folder, said = proved
    out = program("verify-gomoku", folder / "long", "--processes", 1)
    assert out.returncode == 0
    assert re.match(rf"The proof holds: \d+ of {entries_of(said)} positions are won", out.stdout)


@pytest.mark.thorough
def test_a_proof_without_trees(proved, tmp_path):
    """The short file is the same."""
    folder, _ = proved
    (tmp_path / "work").write_bytes((folder / "work").read_bytes())
    out = program("solve-gomoku", "--opening", OPENING, "--work", tmp_path / "work", "--output",
                  tmp_path / "short", "--processes", 1)
    assert out.returncode == 0, out.stderr
    assert (tmp_path / "short").read_bytes() == (folder / "short").read_bytes()
    assert all(not any(json.loads(line)[2:4])
               for line in (tmp_path / "work.entries").read_bytes().splitlines())


@pytest.mark.thorough
def test_the_short_file(proved):
    """The compiled check accepts it, and so do the plain rules with trees of their own.  Its plies
    are those of the trees of the long file."""
    folder, said = proved
    plies = []
    for name, *options in (("short", "--fast"), ("short",), ("long",)):
        out = program("verify-gomoku", *options, folder / name)
        assert out.returncode == 0
        found = re.match(rf"The proof holds: \d+ of {entries_of(said)} positions are won, "
                         r".* answers tried; the longest win takes (\d+) plies", out.stdout)
        plies.append(found[1])
    assert plies[1] == plies[2]


@pytest.mark.thorough
def test_what_is_not_found(proved):
    """Is no fault of the proof, and the message says how it may be found."""
    out = program("verify-gomoku", "--nodes", 1, proved[0] / "short")
    assert out.returncode == 1
    assert out.stdout.startswith("the check is incomplete: H8 ") and "--fast" in out.stdout


WINS = [  # Black's stones, White's, and a move that wins by threats
    ("M6 H7 H8 J8 G9 H9 K9 G10 F11 G11", "G6 E7 G7 K7 L7 G8 K8 J9 H10 E12", "E11"),  # a three
    ("J6 G7 H8 F9 F10 G10 J10 G11 H11 G12", "L4 K5 H7 C8 E8 F8 G8 H9 K10 F13", "D8"),
    ("G7 H8 J8 K8 H9 J9 H10 F11", "D3 E4 G6 H7 L7 G8 J10 K10", "F5"),  # two against fours
    ("F6 G7 F8 H8 G9", "E4 E5 H7 E8 F15", "F10")]  # 19 plies


def plain(lattice, tree):
    """The tree for the plain rules."""
    number = lattice.points.index
    return PlainTree(
        number(tree.move), {number(answer): plain(lattice, after)
                            for answer, after in tree.answers.items()},
        tree.other and plain(lattice, tree.other))


def points_of(text):
    return sum(1 << RULES.number(word) for word in text.split())


def test_fives():
    """Against their definition, in positions at random."""
    rng, found = Random(1), 0
    for _ in range(300):
        cells = [rng.choice("x...o") if rng.random() < 0.3 else "x" for _ in range(RULES.points)]
        own, other = (sum(1 << i for i, cell in enumerate(cells) if cell == side) for side in "xo")
        expected = 0
        for row in RULES.rows:
            if not row & other and (row & own).bit_count() == 4:
                expected |= row & ~own
        assert RULES.fives(own, other) == expected
        found += expected.bit_count()
    assert found > 1000


@pytest.mark.parametrize("black, white, _", WINS)
def test_trees_of_threats_win_after_every_answer(black, white, _):
    """What the compiled search finds wins by the plain rules, whatever White does."""
    own, other = points_of(black), points_of(white)
    tree = fast(RULES, FAST_NODES)(own, other)
    assert tree is not None and tree.answers
    assert RULES.follow(tree, own, other, True)


@pytest.mark.parametrize("black, white, move", WINS)
def test_threats_are_found_slowly(black, white, move):
    """What the plain search finds wins by the plain rules."""
    own, other = points_of(black), points_of(white)
    tree = RULES.find(own, other, 3000)
    assert tree is not None and RULES.name(tree.move) == move
    assert RULES.follow(tree, own, other, False)


@pytest.mark.thorough
def test_a_run_that_was_stopped_ends_in_the_same_proof(proved, tmp_path):
    """After some positions, and in the middle of a line."""
    folder, _ = proved
    solve(tmp_path, "--positions", 3)
    for name in ("work", "work.entries"):
        with (tmp_path / name).open("a") as file:
            file.write('["H8 A1')
    solve(tmp_path)
    for name in ("short", "long", "work"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize("share", [2, 10**9])
@pytest.mark.thorough
def test_entries_are_found_once(share, quiet, tmp_path):
    """Entries of the file are not searched again, and the missing ones are."""
    found = (quiet / "work.entries").read_bytes()
    (tmp_path / "work").write_bytes((quiet / "work").read_bytes())
    (tmp_path / "work.entries").write_bytes(b"".join(found.splitlines(keepends=True)[1::share]))
    solve_quiet(tmp_path)
    for name in ("short", "long"):
        assert (tmp_path / name).read_bytes() == (quiet / name).read_bytes()
    assert sorted((tmp_path / "work.entries").read_bytes().splitlines()) == sorted(
        found.splitlines())


@pytest.mark.thorough
def test_entries_are_taken_from_the_file(quiet, tmp_path):
    """A tree that is changed there is written as it is there: nothing has searched for it."""
    lines = [json.loads(line) for line in (quiet / "work.entries").read_bytes().splitlines()]
    changed = next(line for line in lines if line[2])
    changed[2] = {answer: ["A15"] for answer in changed[2]}
    (tmp_path / "work").write_bytes((quiet / "work").read_bytes())
    (tmp_path / "work.entries").write_text("".join(json.dumps(line) + "\n" for line in lines))
    solve_quiet(tmp_path)
    out = program("verify-gomoku", tmp_path / "long")
    assert out.returncode == 1 and "A15" in out.stdout


def longest_win(position, tree):
    """Play the tree against its answers and the first other one; the most plies."""
    position.play(BLACK, tree.move)
    if position.outcome:
        assert position.outcome.winner == BLACK
        longest = 1
    else:
        others = [point for point in position.legal_moves() if point not in tree.answers]
        longest = 0
        for answer in (*tree.answers, *others[:1]):
            position.play(WHITE, answer)
            assert not position.outcome
            after = tree.answers.get(answer, tree.other)
            longest = max(longest, 2 + longest_win(position, after))
            position.undo()
    position.undo()
    return longest


@pytest.mark.parametrize("name", ["Gomoku", "Gomoku-exact", "Caro"])
def test_wins_by_threats(name):
    """They hold by the slow rules, and shorter ones are found if they are asked for."""
    board, rng = gomoku_entries.Board(name, 15), Random(name)
    lattice, search = gomoku_board.lattice_of(board), gomoku_board.threat_search(board)
    points = [lattice.point(x, y) for x in range(4, 11) for y in range(4, 11)]
    won = shorter = 0
    for _ in range(60):
        position, chosen = gomoku_board.position_after(board, ()), rng.sample(points, 14)
        position.setup([(colour, point) for colour, part in ((BLACK, chosen[:7]),
                                                             (WHITE, chosen[7:]))
                        for point in part])
        position.set_side(BLACK)
        win = search.win(position, 2_000)
        if win and not position.outcome:
            assert longest_win(position, win.tree) == win.plies == win.tree.plies()
            limited = search.win(position, 2_000, win.plies - 2)
            assert longest_win(position, limited.tree) == limited.plies <= win.plies
            won, shorter = won + 1, shorter + (limited.plies < win.plies)
    assert won > 15 and shorter


def test_wins_after_answers():
    """They win by the plain rules, are found without the win after a pass, too, and leave its
    results as they were."""
    lattice = gomoku_board.lattice_of(BOARD)
    moves = gomoku_board.moves_of(BOARD, "H8 A1 H9 A2 H10")
    position = gomoku_board.position_after(BOARD, (*moves, PASS))
    search, afresh = ThreatSearch(Settings(memory=1)), ThreatSearch(Settings(memory=1))
    reach = search.win(position, 10_000).reach

    def results():
        arrays = search._arrays[2]
        return [each.tobytes() for each in (arrays.keys, arrays.entries, arrays.won_keys)]
    before = results()

    numbers = [lattice.points.index(move) for move in moves]
    own, other = (sum(1 << number for number in numbers[side::2]) for side in (0, 1))
    won = 0
    for answer in gomoku_board.zones(BOARD).zone(reach, position.cells, BLACK):
        win = search.win_after(answer, 10_000)
        later = position.copy()
        later.set_side(WHITE)
        later.play(WHITE, answer)
        assert bool(win) == bool(afresh.win(later, 10_000))
        if win:
            stone = 1 << lattice.points.index(answer)
            assert RULES.follow(plain(lattice, win.tree), own, other | stone, True) == win.plies
            won += 1
        assert results() != before
        search._after_pass.restore(search._arrays[2])
        assert results() == before
    assert won


def test_a_search_with_a_full_table_ends():
    """Moves whose numbers replace each other in the table count as positions."""
    position = gomoku_board.position_after(BOARD, gomoku_board.moves_of(BOARD, "H8 G7 H9 G8 G9"))
    position.play(WHITE, PASS)
    search = ThreatSearch(Settings(memory=1))
    assert search.win(position, 40_000)
    search.win_after(*gomoku_board.moves_of(BOARD, "J9"), 40_000)
    assert search.threat_nodes == 40_000


@pytest.mark.thorough
def test_a_pass_is_attacked_before_the_answers(monkeypatch):
    """An attack finds the win after a pass where no threats win."""
    moves = gomoku_board.moves_of(BOARD, "H8 A1 H9 A2 H10")
    line, tried = questions.Line(moves, {}, None, 225), []
    expected = questions.refute(BOARD, line, True)

    class Attack(attacks.Attack):
        def win(self, position, budget, plies):
            tried.append(position.history[-1].point)
            return super().win(position, budget, plies)

    wins = iter([lambda *words: None])
    search = gomoku_board.threat_search(BOARD)
    monkeypatch.setattr(search, "win", lambda *words, win=search.win: next(wins, win)(*words))
    monkeypatch.setattr(questions, "Attack", Attack)
    assert questions.refute(BOARD, line, True) == expected
    assert tried[0] == PASS and tried.count(PASS) == 1


@pytest.mark.parametrize("line", ['["x"]', "{}"])
@pytest.mark.thorough
def test_a_damaged_file_of_entries(line, quiet, tmp_path):
    """The message says which file it is."""
    (tmp_path / "work").write_bytes((quiet / "work").read_bytes())
    entries = (quiet / "work.entries").read_text().splitlines()
    bad = [line if line == "{}" else entry[:70] + "]" for entry in entries]
    (tmp_path / "work.entries").write_text("\n".join(bad) + "\n")
    out = program("solve-gomoku", "--opening", QUIET, "--work", tmp_path / "work", "--output",
                  tmp_path / "short", "--long", tmp_path / "long")
    assert out.returncode == 2 and "work.entries is damaged" in out.stderr


@pytest.mark.thorough
def test_a_work_file_of_another_opening(proved, tmp_path):
    folder, _ = proved
    (tmp_path / "work").write_bytes((folder / "work").read_bytes())
    out = program("solve-gomoku", "--opening", "H8 B1 H9 B2 H10", "--work", tmp_path / "work")
    assert out.returncode == 2 and "line 1 does not continue" in out.stderr


def no_threats(own, other):
    """No threats are found."""


def check(found):
    checker = Checker(RULES, positions(RULES, found), False, no_threats)
    for entry in found:
        if entry.whole:
            checker.check(entry)


ADVISED = "H8 G3 J8 H4"  # few entries follow in the proof of the package
QUIET = "H8 D2 G8 A10"  # Black wins, with few nodes not by threats alone


@contextmanager
def few_nodes():
    """With as many nodes as usual, threats win after a pass."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("THREAT_NODES", "LONG_THREAT_NODES"):
            patch.setattr(attacks, name, 40)
        for name in ("ENTRY_NODES", "CHECK_NODES"):
            patch.setattr(questions, name, 200)
        yield


def solve_quiet(folder, *words):
    """Solve in this process and its forks, which have the limits of `few_nodes`."""
    with few_nodes():
        assert main(["solve-gomoku", "--opening", QUIET, "--work", str(folder / "work"),
                     "--output", str(folder / "short"), "--long", str(folder / "long"),
                     "--processes", "1", *words]) == 0


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    """The folder with the proof of that position, by a plan."""
    folder = tmp_path_factory.mktemp("quiet")
    moves = gomoku_board.moves_of(BOARD, QUIET)
    with few_nodes():
        plan, _ = attacks.Attack(BOARD).win(gomoku_board.position_after(BOARD, moves),
                                            attacks.BUDGETS[1])
    (folder / "work").write_text(gomoku_work.WorkFile(BOARD, folder / "work").line(
        moves, moves, questions.Expansion(True, plan)))
    solve_quiet(folder)
    return folder


def test_a_win_with_a_quiet_move(quiet):
    """The plan after a pass is followed after all answers that change nothing: by every legal
    answer, with the trees of the long file, and with those that a search finds for the short one.
    """
    listed = gomoku_entries.entries((quiet / "short").read_bytes())
    passes = [entry for entry in listed if gomoku_entries.NO_STONE in entry.answers]
    assert passes and all(len(entry.answers) < 200 for entry in passes)
    for words in (["long"], ["short"], ["short", "--fast"]):
        out = program("verify-gomoku", quiet / words[0], *words[1:])
        assert out.returncode == 0 and out.stdout.startswith("The proof holds"), out.stdout


def test_a_shorter_win(quiet, tmp_path):
    """A goal that the plan misses makes the certificate follow another win, which holds, too."""
    def plies(folder):
        listed = gomoku_entries.entries((folder / "short").read_bytes())
        return next(entry.plies for entry in listed if len(entry.moves) == 4)
    (tmp_path / "work").write_bytes((quiet / "work").read_bytes())
    goal = plies(quiet) - 1
    solve_quiet(tmp_path, "--plies", str(goal))
    assert 0 < 4 + plies(tmp_path) <= goal
    out = program("verify-gomoku", tmp_path / "long")
    assert out.returncode == 0 and out.stdout.startswith("The proof holds"), out.stdout


def test_a_search_for_a_shorter_win():
    """A longer search wins within the goal, by the plain rules; the usual one does not."""
    moves = gomoku_board.moves_of(BOARD, "H8 H7 G7 F6 G9 J8 K9 J9 J10 J7 H11 G12 J6 G6 L8 M7 K7 M9")
    position, lattice = gomoku_board.position_after(BOARD, moves), gomoku_board.lattice_of(BOARD)
    usual = gomoku_board.threat_search(BOARD).win(position, questions.CHECK_NODES, 23)
    assert not usual or usual.plies > 23
    plan = questions.shorter_win(BOARD, 41, moves, 24)
    win = gomoku_board.long_threat_search(BOARD).win(position, questions.LONG_CHECK_NODES, 23)
    stones = [sum(1 << lattice.points.index(move) for move in moves[side::2]) for side in (0, 1)]
    assert plan.move == win.tree.move
    assert RULES.follow(plain(lattice, win.tree), *stones, True) == win.plies <= 23


def test_every_answer_inside_a_tree(quiet):
    """May be played: those outside the zone of what wins after a pass, too."""
    found = read((quiet / "long").read_bytes()).entries
    entry = min((entry for entry in found if entry.whole and entry.trees(RULES)[1]),
                key=lambda entry: len(entry.line))
    tried = [[*check_entry(entry, RULES, positions(RULES, found), every, no_threats)]
             for every in (False, True)]
    assert len(tried[0]) == len(tried[1]) and max(tried[0]) == max(tried[1]) > 0


def test_what_could_spoil_a_quiet_move_is_not_taken_for_a_pass(quiet, tmp_path):
    """Answers that lose to threats are listed; one of them is missed."""
    lines = [json.loads(line) for line in (quiet / "long").read_bytes().splitlines()]
    entry = max(lines[1:], key=lambda line: len(line[4]))
    removed = next(iter(entry[4]))
    del entry[4][removed]
    path = tmp_path / "long"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(CheckFailed, match=f"after {removed} there is no tree$"):
        check(read(path.read_bytes()).entries)


@pytest.mark.parametrize("tree", [["Z99"], [], 7, ["A1", {"A2": 3}, ["A3"]]])
@pytest.mark.thorough
def test_a_damaged_tree(tree, quiet, tmp_path):
    """It is refused with the position."""
    lines = [json.loads(line) for line in (quiet / "long").read_bytes().splitlines()]
    entry = next(line for line in lines[1:] if line[4])
    entry[4][next(iter(entry[4]))] = tree
    path = tmp_path / "long"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = program("verify-gomoku", path)
    assert out.returncode == 1, out.stderr
    assert out.stdout == f"the proof fails: {entry[0]} {entry[1]}: a tree is damaged\n"


def test_an_answer_that_changes_nothing_is_a_pass(quiet):
    """The proof goes on as after a pass, with the move and the plies that the file has there."""
    listed = gomoku_entries.entries((quiet / "short").read_bytes())
    proof = gomoku_proof.read(quiet / "short")
    first = next(entry for entry in listed if gomoku_entries.NO_STONE in entry.answers)
    passed = next(entry for entry in listed if entry.moves == (
        *first.moves, first.move, gomoku_entries.NO_STONE))
    lattice = catalogue.start(catalogue.GOMOKU, 15).lattice
    for number in range(len(lattice.points)):
        if number in first.answers or number in (*first.moves, first.move):
            continue
        position = catalogue.start(catalogue.GOMOKU, 15)
        for move in (*first.moves, first.move, number):
            position.play(position.side, lattice.points[move])
        assert proof.advice(position)[:2] == (lattice.points[passed.move], passed.plies)


def test_both_readers_agree():
    """The engine's and the checker's: each has the moves and plies of entries of the other."""
    listed = gomoku_entries.entries(gomoku_proof.path_of("Gomoku", 15).read_bytes())
    proof, rng = gomoku_proof.load("Gomoku", 15), Random(1)
    lattice = catalogue.start(catalogue.GOMOKU, 15).lattice
    for entry in rng.sample([entry for entry in listed
                             if gomoku_entries.NO_STONE not in entry.moves], 300):
        position, image = catalogue.start(catalogue.GOMOKU, 15), rng.choice(symmetries(lattice, 5))
        for colour, moves in ((BLACK, entry.moves[::2]), (WHITE, entry.moves[1::2])):
            position.setup([(colour, int(image[lattice.points[move]])) for move in moves])
        position.set_side(BLACK)
        advice, sides = proof.advice(position), RULES.stones(entry.moves)
        shown_move = lattice.points.index([*map(int, image)].index(advice.move))
        assert advice.plies == entry.plies
        assert len({RULES.key(sides[0] | 1 << move, sides[1])  # the position may be symmetric
                    for move in (shown_move, entry.move)}) == 1


def test_the_proof_is_read_once_when_it_is_needed(monkeypatch):
    """Neither loading the player nor a game on another board reads it."""
    files, read_file = [], gomoku_proof.read
    monkeypatch.setattr(gomoku_proof, "read", lambda path: files.append(path) or read_file(path))
    gomoku_proof._load.cache_clear()
    player = AlphaBeta(Settings(memory=1, nodes=10, rng=Random(1)))
    player.load(catalogue.GOMOKU)
    for size in (7, 13):
        player.choose(catalogue.start(catalogue.GOMOKU, size), Limits(bytearray(2)))
    assert not files
    empty = catalogue.start(catalogue.GOMOKU, 15)
    for _ in range(2):
        assert player.choose(empty, Limits(bytearray(2))) == empty.lattice.middle()[0]
        assert player.report.figures["plies to win"] == LONGEST
    assert files == [gomoku_proof.path_of("Gomoku", 15)]


class Game:
    """A game from an opening, Black by alphabeta with that proof, White at random."""

    def __init__(self, proof, monkeypatch):
        monkeypatch.setattr(gomoku_proof, "load", lambda name, size: proof)
        self.player = AlphaBeta(Settings(memory=1, nodes=3000))

    def play(self, opening, rng):
        """The position at the end, and the plies at which a win in so many plies was claimed."""
        position, claims = shown(opening, rng), []
        while not position.outcome:
            if position.side == WHITE:
                position.play(WHITE, rng.choice(position.legal_moves()))
                continue
            move = self.player.choose(position, Limits(bytearray(2)))
            claims.append((len(position.moves), self.player.report.figures.get("plies to win")))
            position.play(BLACK, move)
        return position, claims


def shown(words, rng):
    """The position after these moves as a symmetry shows it."""
    position = catalogue.start(catalogue.GOMOKU, 15)
    points, where = GtpPoints(position.lattice), rng.choice(symmetries(position.lattice, 5))
    for word in words.split():
        position.play(position.side, int(where[points.point_of(word)]))
    return position


@pytest.mark.parametrize("name, opening", [("proved", OPENING), ("quiet", QUIET)])
@pytest.mark.few(1)
def test_black_wins_all_games_of_the_proof(name, opening, request, monkeypatch):
    """Within the plies that it says, whatever symmetry shows the opening."""
    folder = request.getfixturevalue(name)
    folder = folder[0] if name == "proved" else folder
    game = Game(gomoku_proof.read(folder / "short"), monkeypatch)
    for seed in range(12):
        position, claims = game.play(opening, Random(seed))
        assert position.outcome.winner == BLACK
        known = [(ply, plies) for ply, plies in claims if plies]
        assert known
        assert all(len(position.moves) <= ply + plies for ply, plies in known)


@pytest.fixture(scope="module")
def shipped():
    """The entries of the proof that comes with the package that win, by the moves that lead there.
    """
    data = gomoku_proof.path_of("Gomoku", 15).read_bytes()
    return {entry.moves: entry for entry in read(data).entries if entry.whole}


@pytest.mark.thorough
def test_a_part_of_the_shipped_proof(shipped):
    """Every answer in some entries, by the plain rules; the compiled search finds the threats."""
    assert len(shipped) > 14_000 and () in shipped
    rng, threats = Random(7), fast(RULES, FAST_NODES)
    after = {moves: (*moves, entry.move) for moves, entry in shipped.items()}
    whole = [entry for moves, entry in shipped.items()
             if all((*after[moves], answer) in shipped for answer in entry.listed)]
    for entry in rng.sample(whole, 40):
        known = {RULES.key(*RULES.stones((*after[entry.moves], answer))) for answer in entry.listed}
        assert [*check_entry(entry, RULES, known, False, threats)]


@pytest.mark.parametrize("answer", ["", "H7", "G7", "J6", "M12", "O8", "A1"])
@pytest.mark.few(2)
def test_black_wins_from_the_first_move(answer, monkeypatch):
    """Whatever White answers, and however it goes on."""
    game = Game(gomoku_proof.load("Gomoku", 15), monkeypatch)
    for seed in range(4):
        position, claims = game.play(f"H8 {answer}" if answer else "", Random(seed))
        assert position.outcome.winner == BLACK and claims[0][1]
        assert len(position.moves) <= claims[0][0] + claims[0][1]


def test_threats_of_the_proof_are_found_with_few_nodes(shipped):
    """A win by threats, which has no entry, takes the plies of the proof at most, whatever symmetry
    shows it, even if its player may search one node."""
    proof = gomoku_proof.load("Gomoku", 15)
    late = [moves for moves in shipped if len(moves) == 8]
    for seed in range(16):
        rng = Random(seed)
        moves = rng.choice(late)
        names = " ".join(map(RULES.name, (*moves, shipped[moves].move)))
        player, position = AlphaBeta(Settings(memory=1, nodes=1)), shown(names, rng)
        by_threats = [(answer.plies, move) for move, answer in proof.answers(position).items()
                      if answer.kind == gomoku_proof.BY_THREATS]
        plies, answer = max(by_threats)
        position.play(WHITE, answer)
        assert proof.last_answer(position) == (gomoku_proof.BY_THREATS, plies)
        end = len(position.moves) + plies
        while not position.outcome:
            if position.side == BLACK:
                position.play(BLACK, player.choose(position, Limits(bytearray(2))))
                assert len(position.moves) - 1 + player.report.figures["plies to win"] <= end
            else:
                forced = [move for move in position.legal_moves() if position.wins(BLACK, move)]
                position.play(WHITE, rng.choice(forced or position.legal_moves()))
        assert position.outcome.winner == BLACK


@pytest.mark.parametrize("nodes, most", [(1, 31), (100_000, 17)])
def test_a_win_that_the_search_for_threats_misses(nodes, most):
    """The player's own search wins in the plies of the proof, or else the threats do later."""
    position = catalogue.start(catalogue.GOMOKU, 20)
    points, proof = GtpPoints(position.lattice), gomoku_proof.load("Gomoku", 20)
    for word in ("K10 K11 J11 L9 H10 L11 K12 L13 L10 J10 "
                 "G9 F8 H9 H11 G10 G12 K9 J8 G7 G8").split():
        position.play(position.side, points.point_of(word))
    assert proof.last_answer(position) == (gomoku_proof.BY_THREATS, 17)
    assert ProofThreats().line(proof, position) == ((), 0)
    player = AlphaBeta(Settings(memory=1, nodes=nodes))
    player.choose(position, Limits(bytearray(2)))
    assert player.report.figures["plies to win"] <= most


def test_what_is_said_of_answers(shipped):
    """Along the line of the longest resistance each answer is what the file says it is."""
    proof, start = gomoku_proof.load("Gomoku", 15), shown("H8 H7", Random(0))
    points = start.lattice.points
    line, position = proof.line(start), start.copy()
    assert len(line) > 10 and proof.advice(start).plies > len(line)
    for move in line:
        if position.side == WHITE:
            answers = proof.answers(position)
            assert [*answers] == position.legal_moves()
            bound = proof.loss(position) - 1
            assert max(answer.plies for answer in answers.values()) == bound
            assert answers[move].plies == bound
            position.play(WHITE, move)
            assert proof.last_answer(position) == answers[move]
        else:
            position.play(BLACK, move)
    assert not proof.answers(start) and proof.last_answer(start).kind == gomoku_proof.ENTRY
    first = shown("H8", Random(0))
    kinds = {points.index(point): answer for point, answer in proof.answers(first).items()}
    listed = [moves for moves in shipped if len(moves) == 2]
    assert len(kinds) == len(points) - 1 and len(listed) == 35
    assert all(answer.kind == gomoku_proof.ENTRY and answer.plies for answer in kinds.values())


def test_gogui_shows_it():
    """Solve names the move, Best Line the moves of the proof; after it White has lost."""
    commands = ("boardsize 15", "play b H8", "play w H7", "solve", "genmove b", "best_line",
                "solve", "quit")
    out = subprocess.run([sys.executable, SCRIPT, "--player", "alphabeta"], text=True,
                         input="".join(f"{each}\n" for each in commands), capture_output=True,
                         timeout=PATIENCE)
    *_, solved, move, line, lost, _ = [each.removeprefix("= ")
                                       for each in out.stdout.rstrip("\n").split("\n\n")]
    assert (solved, move, lost) == ("b G7", "G7", "b")
    assert line.startswith("w K1 b G9 w G8 b F10 ") and len(line.split()) == 28


MUTATIONS = {
    "another move": lambda entry: entry.update(move="A15"),
    "an answer without its tree": lambda entry: entry.update(answers={}),
    "no threats": lambda entry: entry.update(other=None, answers={}),
    "an entry that is not there": lambda entry: entry.update(listed="A15 " + entry["listed"]),
}
FIELDS = ("moves", "move", "listed", "whole", "answers", "other")


@pytest.mark.parametrize("name", MUTATIONS)
@pytest.mark.few(2)
def test_what_was_changed_is_refused(quiet, tmp_path, name):
    """With the position that fails."""
    header, *lines = (quiet / "long").read_bytes().splitlines()
    lines = [dict(zip(FIELDS, json.loads(line))) for line in lines]
    entry = max((line for line in lines if line["whole"]), key=lambda line: len(line["answers"]))
    MUTATIONS[name](entry)
    path = tmp_path / "long"
    path.write_text(f"{header.decode()}\n" + "".join(
        json.dumps([line[field] for field in FIELDS]) + "\n" for line in lines))
    with pytest.raises(CheckFailed, match=f"^{entry['moves']} {entry['move']}: "):
        check(read(path.read_bytes()).entries)


def test_an_entry_that_was_removed_is_missed(quiet, tmp_path):
    lines = (quiet / "long").read_bytes().splitlines()
    path = tmp_path / "long"
    path.write_bytes(b"\n".join(lines[:-1]) + b"\n")
    with pytest.raises(CheckFailed, match="there is no entry"):
        check(read(path.read_bytes()).entries)


@pytest.mark.parametrize("black, white", [
    ("H8 H9 H10", "A1 A15"), ("H8 J9 H10 K8", "H7 C3 D3"), ("F6 G7 H8", "A1 B2"),
    ("D4 D5 E4 F4", "A1 A2 O15")])
def test_the_zone(black, white):
    """The lemma, by brute force: a white stone outside the zone leaves the tree a win against every
    answer; and a win of a tree holds if all answers are tried one by one."""
    own, other = (sum(1 << RULES.number(word) for word in text.split()) for text in (black, white))
    tree = RULES.find(own, other, 2000)
    plies = RULES.follow(tree, own, other, True)
    assert plies == RULES.follow(tree, own, other, False)
    outside = [point for point in bits(RULES.all & ~own & ~other
                                             & ~RULES.zone(tree, own, other))]
    for point in Random(1).sample(outside, 12):
        assert RULES.follow(tree, own, other | 1 << point, True) <= plies
    inside = RULES.number(RULES.name(tree.move))
    with pytest.raises(CheckFailed):
        RULES.follow(tree, own, other | 1 << inside, False)


@pytest.fixture(scope="module")
def passed():
    """Three stones, what wins after a pass, and at each position of that plan."""
    points = GtpPoints(gomoku_board.position_after(BOARD, ()).lattice)
    moves = tuple(map(points.point_of, ("H8", "A2", "K10")))
    position, met = gomoku_board.position_after(BOARD, (*moves, PASS)), {}
    plan, _ = attacks.Attack(BOARD).win(position, attacks.BUDGETS[0])
    questions.grown(BOARD, position, plan, met)
    return moves, plan, met


@pytest.mark.thorough
def test_one_stone_and_the_zone(passed):
    """A stone spoils a tree if it stands in the zone of the cells without it."""
    zones, (_, _, met) = gomoku_board.zones(BOARD), passed
    for cells, (_, reach) in [*met.items()][::40]:
        zone = zones.zone(reach, cells, BLACK)
        for point in candidates(gomoku_board.position_after(BOARD, ())):
            if cells[point] == EMPTY:
                after = bytearray(cells)
                after[point] = WHITE
                assert zones.spoils(reach, after, BLACK, point) == (point in zone)


@pytest.mark.parametrize("answer, matters", [("F9", True), ("B1", False)])
@pytest.mark.few(1)
def test_what_wins_after_a_pass_is_known_beside_it(answer, matters, passed, monkeypatch):
    """An attack that knows it takes it over where the answer cannot spoil it, and the plain rules
    follow the tree of what it finds."""
    moves, plan, met = passed
    lattice = gomoku_board.position_after(BOARD, ()).lattice
    question = questions.Question(BOARD, (*moves, GtpPoints(lattice).point_of(answer)), 0, (), plan)
    searched, search = [], attacks.Attack._by_plan

    def watched(attack, position, budget, plies):
        searched.append(bytes(position.cells))
        return search(attack, position, budget, plies)
    monkeypatch.setattr(attacks.Attack, "_by_plan", watched)
    found = questions.expand(question)
    assert found.won
    beside = attacks.PassResults(question.moves[-1], met)
    assert bool(searched) == matters and not any(
        beside.still(cells, gomoku_board.zones(BOARD)) for cells in searched)
    known = [won[0] for won in met.values() if won[0]]
    assert any(below in known for below in found.plan.answers.values())
    position = gomoku_board.position_after(BOARD, question.moves)
    own, other = (sum(1 << number for number, point in enumerate(lattice.points)
                      if position.cells[point] == colour) for colour in (BLACK, WHITE))

    tree = questions.grown(BOARD, position, found.plan, {}).tree
    assert RULES.follow(plain(lattice, tree), own, other, False) == tree.plies()


def win(move, other=None):
    return PlainTree(RULES.number(move), {}, other)


def test_a_tree_that_does_not_win_is_refused():
    own, other = 1 << RULES.number("H8"), 1 << RULES.number("A1")
    with pytest.raises(CheckFailed, match="completes no row"):
        RULES.follow(win("H9"), own, other, False)
    white = sum(1 << RULES.number(word) for word in ("A1", "A2", "A3", "A4"))
    with pytest.raises(CheckFailed, match="White wins after H9"):
        RULES.follow(win("H9", win("H10")), own, white, False)


def test_symmetric_positions_are_one(quiet):
    """The hashes of a position are those of what a symmetry shows as it, in another order; other
    orders of moves change nothing."""
    tree = Tree(BOARD)
    lattice = catalogue.start(catalogue.GOMOKU, 15).lattice
    entries = [entry for entry in gomoku_entries.entries((quiet / "short").read_bytes())
               if gomoku_entries.NO_STONE not in entry.moves]
    assert len(entries) > 5
    keys = set()
    for entry in entries:
        moves = [lattice.points[number] for number in entry.moves]
        keys.add(min(tree.hashes(moves)))
        for where in symmetries(lattice, 5):
            shown = [int(where[move]) for move in moves]
            assert {*tree.hashes(shown)} == {*tree.hashes(moves)}
            black, white = shown[::2][::-1], shown[1::2][::-1]
            assert tree.hashes([*sum(zip(black, white), ())]) == tree.hashes(shown)
    assert len(keys) == len(entries)


def test_an_answer_spoils_a_plan():
    """The plan wins again when the answer is proved, or another move does; so in a mirror image."""
    tree = Tree(BOARD)
    moves, image = (gomoku_board.moves_of(BOARD, words)
                    for words in ("H8 G3 J8 H4 K8 G8", "H8 J3 G8 H4 F8 J8"))
    first, node = tree.start(moves[:2]), tree.start(moves[:4])
    earlier, plan = (attacks.Plan(move, {}, None) for move in moves[2:5:2])
    tree.grow(first, questions.Expansion(True, earlier))
    tree.grow(node, questions.Expansion(True, plan))
    assert tree.add_answer(moves) and not tree.add_answer(image) and tree.add_answer(moves[:4])
    below, = node.branches[0].open
    assert below is tree.find(image) and first.pn == node.pn == below.pn > 0
    assert node.winning_plan is None and node.visits == len(attacks.BUDGETS)
    other, = gomoku_board.moves_of(BOARD, "A1")
    choice = attacks.Choice(other, ())
    for result, winner in ((questions.Expansion(False, None, choice, 9), other),
                           (questions.Expansion(True, plan), None)):
        copied = deepcopy(tree)
        copied.grow(copied.find(moves[:4]), result)
        assert not copied.find(moves[:2]).pn and copied.find(moves[:4]).pn == 0
        won = copied.find(moves[:4]).winner
        assert (won and won.point) == winner
    tree.grow(below, questions.Expansion(True, None))
    assert first.pn == node.pn == 0
    assert (first.winning_plan, node.winning_plan) == (earlier, plan)


def test_open_positions_that_the_search_has_left():
    """They are proved by themselves if another move wins before them, or earlier if they lose."""
    moves, (other,) = (gomoku_board.moves_of(BOARD, words)
                       for words in ("H8 G3 J8 H4 K8 G8", "A1"))
    search = proof.Proof(BOARD, moves[:1])
    assert search.add_open([moves]) and not search.add_open([moves[:4]])
    start, = search.open
    search.tree.grow(start, questions.Expansion(False, None, attacks.Choice(other, ()), 9))
    assert not search.open
    assert search.add_open([moves]) and search.open == [search.tree.find(moves)]
    assert not search.add_open([moves])
    for choice in [None] * len(attacks.BUDGETS) + [attacks.Choice(other, (), lost=True)]:
        search.tree.grow(search.tree.find(moves), questions.Expansion(False, None, choice))
    assert search.add_open([moves]) and search.tree.find(moves[:4]) in search.open
    assert not search.add_open([moves])


def test_another_move_than_that_of_the_advice():
    """The proof of an opening follows the search where it proves another move than the advice."""
    opening, (other,) = (gomoku_board.moves_of(BOARD, words) for words in (ADVISED, "A15"))
    given, tree = gomoku_advice.Advice(BOARD, BOARD.path().read_bytes()), Tree(BOARD)
    first = certificate.Certificate(BOARD, tree, opening, 43, given)
    assert first.lines[opening].move == given.after(opening).move != other
    tree.grow(tree.start(opening), questions.Expansion(True, attacks.Plan(other, {}, None)))
    second = certificate.Certificate(BOARD, tree, opening, 43, given)
    assert second.lines[opening].move == other


@pytest.mark.thorough
def test_bad_advice(tmp_path, capsys, monkeypatch):
    """The proof leaves the advice at a bad move, and uses it elsewhere."""
    monkeypatch.setattr(questions, "LONG_CHECK_NODES", 1000)
    monkeypatch.setattr(questions, "BUDGETS", (20_000, 200_000, 2_000_000))

    def solve_with(advice, name):
        with few_nodes():
            assert main(["solve-gomoku", "--opening", ADVISED, "--advice", str(advice), "--work",
                         str(tmp_path / f"{name}.work"), "--output", str(tmp_path / name),
                         "--processes", "1"]) == 0
        assert capsys.readouterr().out.startswith(f"1 of 1 answers to {ADVISED} are proved to lose")
        return (tmp_path / name).read_bytes()

    good = solve_with(BOARD.path(), "good")
    entry = next(each for each in gomoku_entries.entries(good)
                 if len(each.moves) > 4 and not each.answers)
    stream, start = [*gomoku_entries.stream_of(good)], [entry.moves[-1], entry.move, entry.plies]
    at = next(i for i in range(len(stream)) if stream[i:i + 3] == start)
    stream[at + 1] = 0
    (tmp_path / "advice").write_bytes(gomoku_proof.packed(stream, *BOARD))
    better = solve_with(tmp_path / "advice", "better")
    before, moves = ({each.moves: each.move for each in gomoku_entries.entries(data)}
                     for data in (good, better))
    assert moves.pop(entry.moves, None) != 0
    assert {*before.items()} - {*moves.items()} <= {(entry.moves, entry.move)}
    out = program("verify-gomoku", tmp_path / "better")
    assert out.returncode == 0 and out.stdout.startswith("The proof holds"), out.stdout


@pytest.mark.parametrize("damage", [
    lambda data: data[:-3], lambda data: b"x" + data, lambda data: data + b"x" * 5,
    lambda data: b"",
    lambda data: gomoku_proof.packed([112, 0, 3, 0], "Gomoku", 15),
    lambda data: gomoku_proof.packed([240, 0], "Gomoku", 15)])
@pytest.mark.few(2)
def test_damaged_files(quiet, tmp_path, damage):
    path = tmp_path / "short"
    path.write_bytes(damage((quiet / "short").read_bytes()))
    with pytest.raises(ValueError, match="^it (is|does not|ends)|^something follows"):
        gomoku_entries.entries(path.read_bytes())
    with pytest.raises(ValueError, match="^not a proof that Black wins: "):
        gomoku_proof.read(path)
    out = program("verify-gomoku", path)
    assert out.returncode in (1, 2) and "Traceback" not in out.stderr


@pytest.mark.parametrize("opening, complaint", [
    ("A1", "an opening begins in the centre"), ("H8 H8", "illegal move in the opening: H8"),
    ("H8 P16", "illegal move in the opening: P16"), ("", "an opening begins in the centre")])
@pytest.mark.few(2)
def test_bad_openings(opening, complaint, tmp_path):
    out = program("solve-gomoku", "--opening", opening, "--work", tmp_path / "work")
    assert out.returncode == 2 and complaint in out.stderr


def test_names():
    """Of the checker are those of the board."""
    lattice = catalogue.start(catalogue.GOMOKU, 15).lattice
    points = GtpPoints(lattice)
    assert [RULES.name(number) for number in range(RULES.points)] == [
        points.name[point] for point in lattice.points]
    assert len(RULES.rows) == 572


@pytest.mark.parametrize("seed", range(3))
def test_a_game_stays_in_the_win_by_threats_that_it_is_in(seed):
    """The answer that it began with and the moves since are found again from each later position,
    and the win takes as many plies fewer as were played."""
    proof, threats, rng = gomoku_proof.load("Gomoku", 15), ProofThreats(), Random(seed)
    game = catalogue.start(catalogue.GOMOKU, 15)
    while not (first := proof.threat(game)) or len(threats.line(proof, game)[0]) < 5:
        advice = proof.advice(game)
        if game.outcome or advice is None:
            game = catalogue.start(catalogue.GOMOKU, 15)
            advice = proof.advice(game)
        game.play(BLACK, advice.move)
        game.play(WHITE, rng.choice(candidates(game)))
    line, plies = threats.line(proof, game)
    for n, point in enumerate(line[:4], 1):
        game.play(game.side, point)
        if game.side == BLACK:
            found = proof.threat(game)
            assert found.before.cells == first.before.cells and found.answer == first.answer
            assert found.later == tuple(first.image[move] for move in line[:n])
            assert threats.line(proof, game) == (line[n:], plies - n)
