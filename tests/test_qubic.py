"""Rows as long as the board: 4x4x4, 3x3x3, tic-tac-toe; threats, forks, the winning strategy."""

import multiprocessing
import os
import secrets
import signal
import subprocess
import sys
import time
from itertools import count
from random import Random

import numpy as np
import psutil
import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE, Lattice, opponent
from gtp_engine.kernels.lines.playouts import considered
from gtp_engine.kernels.lines.threats import ANY_NUMBER, forced_win
from gtp_engine.players.adapters import line_board_of
from gtp_engine.players.alphabeta.player import AlphaBeta
from gtp_engine.players.base import Limits, Settings
from gtp_engine.players.playout_policy import policy_moves
from gtp_engine.players.playouts import Simulator
from gtp_engine.players.proofs import qubic as strategy
from gtp_engine.players.registry import make_player
from gtp_engine.solvers.qubic import proof as qubic, verify
from gtp_engine.solvers.solve import solve
from gtp_engine.wire.notation import GtpPoints
from tests.engine import PATIENCE, Engine
from tests.positions import random_game, value

CUBES = (catalogue.QUBIC, catalogue.QUBIC_3)
GAMES = (*CUBES, catalogue.TIC_TAC_TOE)
by_name = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)


def scattered(rules, stones, rng):
    """A position that is not over, after so many alternating random moves."""
    while True:
        position = catalogue.start(rules, rules.default_size)
        for point in rng.sample(position.lattice.points, stones):
            if not position.outcome:
                position.play(position.side, point)
        if not position.outcome:
            return position


@by_name
def test_rows(rules):
    """48 rows along the edges of 4x4x4, 24 diagonals of its faces and 4 of space, and so on."""
    lattice = catalogue.start(rules, rules.default_size).lattice
    assert len(set(lattice.lines(rules.in_a_row))) == {
        "Qubic": 76, "Qubic-3": 49, "Tic-tac-toe": 8}[rules.name]
    assert rules.row_fills_board()
    assert not any(other.row_fills_board() for other in catalogue.GAMES.values()
                   if other not in GAMES)


@pytest.mark.parametrize("rules, name, place", [
    (catalogue.QUBIC, "A1", (0, 0, 0)), (catalogue.QUBIC, "D1", (3, 0, 0)),
    (catalogue.QUBIC, "A4", (0, 3, 0)), (catalogue.QUBIC, "E1", (0, 0, 1)),
    (catalogue.QUBIC, "A5", (0, 0, 2)), (catalogue.QUBIC, "E5", (0, 0, 3)),
    (catalogue.QUBIC, "G6", (2, 1, 3)), (catalogue.QUBIC, "H8", (3, 3, 3)),
    (catalogue.QUBIC_3, "F3", (2, 2, 1)), (catalogue.QUBIC_3, "C6", (2, 2, 2)),
    (catalogue.QUBIC_3, "D4", None), (catalogue.QUBIC, "J1", None)])
def test_the_square_that_shows_a_cube(rules, name, place):
    lattice = catalogue.start(rules, rules.default_size).lattice
    point = GtpPoints(lattice).point_of(name)
    assert (None if point is None else lattice.coordinates(point)) == place


def test_a_session_in_the_cube():
    engine = Engine("Qubic", 8)
    assert engine.ask("gogui-rules_board_size") == "8"
    assert len(engine.ask("gogui-rules_legal_moves").split()) == 64
    engine.play("b a1 w h8 b e1 w g7 b a5 w f6")
    assert engine.ask("gogui-rules_board").split() == [
        ".......O", "......O.", ".....O..", "X.......", "........", "........", "........",
        "X...X..."]
    assert engine.ask("showboard").splitlines() == [
        "",
        "   A B C D       E F G H       A B C D       E F G H",
        " 4 . . . . 4   4 . . . . 4   8 . . . . 8   8 . . . O 8",
        " 3 . . . . 3   3 . . . . 3   7 . . . . 7   7 . . O . 7",
        " 2 . . . . 2   2 . . . . 2   6 . . . . 6   6 . O . . 6",
        " 1 X . . . 1   1 X . . . 1   5 X . . . 5   5 . . . . 5",
        "   A B C D       E F G H       A B C D       E F G H",
        "Qubic, black (X) to move"]
    assert engine.ask("policy rule_based") == ""
    assert engine.ask("policy_moves") == "Win E5"
    engine.play("b e5")
    assert engine.ask("gogui-rules_final_result") == "black"
    tint, squares, text = engine.ask("gogui-rules_board_gfx").split("\n")
    assert squares == "SQUARE A1 A5 E1 E5" and text == "TEXT Black wins: 4 in a row"
    engine.ask("undo")
    assert engine.ask("gogui-rules_board_gfx").split("\n")[1:] == ["LABEL E5 3"]
    engine.play("b e5")
    assert set(tint.split(" ")[2:]) == {  # the levels that are next to neither nor each other
        *(f"{x}{y}" for x in "EFGH" for y in range(1, 5)),
        *(f"{x}{y}" for x in "ABCD" for y in range(5, 9))}
    assert engine.fail("boardsize 4") == "unacceptable size"
    assert engine.ask("ruleset Qubic-3") == ""
    assert engine.ask("gogui-rules_board_size") == "6"
    assert len(engine.ask("gogui-rules_legal_moves").split()) == 27


POLICY = [  # game, moves in turn, what the policy considers for the next side
    ("Tic-tac-toe", "A1 B2 C3", "BlockFork A3 C1"),
    ("Tic-tac-toe", "A1 B1 C3 A3", "Win B2"),
    ("Tic-tac-toe", "A1 B1 B2", "BlockWin C3"),
    ("Tic-tac-toe", "A1 B1 A2", "BlockWin A3"),
    ("Tic-tac-toe", "A1 C2 B1 C1", "BlockWin C3"),
    ("Tic-tac-toe", "A1 A2 B1 C1", "Fork B2"),
    ("Tic-tac-toe", "A1 B3", "Random A2 A3 B1 B2 C1 C2 C3"),
    ("Qubic", "B1 H8 C1 H5 A2 E8 A3 G7", "Fork A1"),
    ("Qubic", "B1 H8 C1 H5 A2 E8 A3", "BlockFork A1"),
    ("Qubic", "A1 H8 B1 A8", "Random"),
]


@pytest.mark.parametrize("game, moves, considered", POLICY)
def test_policy(game, moves, considered):
    engine = Engine(game, catalogue.find(game).default_size)
    engine.play(" ".join(f"{'bw'[i % 2]} {move}" for i, move in enumerate(moves.split())))
    engine.ask("policy rule_based")
    answer = engine.ask("policy_moves")
    assert answer == considered or considered == "Random" == answer.split()[0]


@by_name
@pytest.mark.few(1)
def test_policy_kernel(rules):
    """The compiled policy considers the points that the slow one does."""
    rng, seen = Random(3), set()
    names = ("Win", "BlockWin", "Fork", "BlockFork", "Random")
    out = np.zeros(64, np.int64)
    for _ in range(300):
        total = rules.in_a_row ** (3 if rules.cube else 2)
        position = scattered(rules, rng.randrange(total * 2 // 3), rng)
        board = line_board_of(position, 0, symmetric=False)
        n, rule = considered(board, position.side - BLACK, out)
        name, points = policy_moves(position, "rule_based")
        assert names[rule] == name
        assert sorted(out[:n]) == ([] if name == "Random" else points)
        seen.add(name)
    assert seen == set(names)


@by_name
def test_playouts(rules):
    """They are shared out among threads alike, and are right where all is forced."""
    rng = Random(4)
    for _ in range(4):
        position = scattered(rules, 5, rng)
        moves = position.legal_moves()
        results = [Simulator(rules, position.lattice, threads).simulate(
            position, moves, policy, 64, 5, np.zeros(2, np.uint8))
            for policy in ("rule_based", "random") for threads in (1, 2)]
        assert np.array_equal(results[0], results[1])
        assert np.array_equal(results[2], results[3])
        for table in results:
            assert (table[:, :3].sum(axis=1) == 64).all()
        for move, row in zip(moves, results[0]):
            if position.wins(position.side, move):
                assert row[position.side] == 64
            position.play(position.side, move)
            if any(position.wins(position.side, reply) for reply in position.legal_moves()):
                assert row[position.side] == 64
            position.undo()


def slow_win(position, threats):
    """Does the side to move win by at most so many threats?  By trying every answer."""
    side = position.side
    legal = position.legal_moves()
    if any(position.wins(side, point) for point in legal):
        return True
    if not threats:
        return False
    found = False
    for point in legal:
        position.play(side, point)
        if not found and any(position.wins(side, other) for other in position.legal_moves()):
            found = not position.outcome
            for answer in position.legal_moves():
                position.play(position.side, answer)
                found = found and not position.outcome and slow_win(position, threats - 1)
                position.undo()
        position.undo()
    return found


@pytest.mark.parametrize("rules, stones, threats", [
    (catalogue.TIC_TAC_TOE, (0, 7), 9), (catalogue.QUBIC_3, (2, 9), 27),
    (catalogue.QUBIC, (12, 20), 1)], ids=lambda x: getattr(x, "name", ""))
@pytest.mark.few(1)
def test_forced_wins(rules, stones, threats):
    """Found if and only if there are any; each threat leaves one answer, the last one none."""
    rng, seen = Random(6), set()
    for _ in range(80):
        position = scattered(rules, rng.randrange(*stones), rng)
        board = line_board_of(position, 0, symmetric=False)
        before = [array.copy() for array in (board.cells, board.state, board.rest, board.sets)]
        board.control["threat_nodes"] = 1 << 60
        length = forced_win(board, position.side - BLACK, ANY_NUMBER)
        for array, held in zip((board.cells, board.state, board.rest, board.sets), before):
            assert np.array_equal(array, held)
        found = slow_win(position, threats)
        assert length or not found
        assert found or not 0 < length <= 2 * threats + 1
        seen.add(min(length, 7))
        for ply in range(length // 2):
            threat, answer = map(int, board.pairs[ply, board.tried[ply, 1]])
            side = position.side
            position.play(side, threat)
            could = [p for p in position.legal_moves() if position.wins(side, p)]
            assert not any(position.wins(position.side, p) for p in position.legal_moves())
            assert answer in could and (len(could) == 1 or ply == length // 2 - 1)
            if ply == length // 2 - 1:
                assert len(could) > 1
            position.play(position.side, answer)
    assert {0, 1, 3} <= seen


def test_limit_of_forced_wins():
    """Too few nodes: nothing is claimed, and nothing wrong is remembered."""
    rng, missed = Random(8), 0
    for _ in range(60):
        position = scattered(catalogue.QUBIC, 22, rng)
        board = line_board_of(position, 0, symmetric=False)
        lengths = []
        for limit in (1, 3, 1 << 60):
            board.control["threat_nodes"] = limit
            lengths.append(forced_win(board, position.side - BLACK, ANY_NUMBER))
        fresh = line_board_of(position, 0, symmetric=False)
        fresh.control["threat_nodes"] = 1 << 60
        assert bool(lengths[-1]) == bool(forced_win(
            fresh, position.side - BLACK, ANY_NUMBER))
        missed += bool(lengths[-1]) and not lengths[0]
    assert missed


def keeps_value(position, known):
    """Alpha-beta, with depth enough, plays a move that keeps the value; solve knows it."""
    expected = value(position, known)
    found = solve(position, Settings(memory=1), Limits(bytearray(2), PATIENCE))
    side = position.side
    assert found.winner == {1: side, 0: EMPTY, -1: opponent(side)}[expected]
    player = make_player("alphabeta", Settings(memory=1, depth=position.vacant, rng=Random(1)))
    for move in {player.choose(position, Limits(bytearray(2))), found.move} - {None}:
        position.play(side, move)
        assert -value(position, known) == expected
        position.undo()
    return expected


@pytest.mark.thorough
def test_tic_tac_toe():
    known, seen = {}, set()
    position = catalogue.start(catalogue.TIC_TAC_TOE, 3)

    def explore():
        key = bytes(position.cells)
        if position.outcome or key in seen or len(seen) == 400:
            return
        seen.add(key)
        keeps_value(position, known)
        for point in position.legal_moves():
            position.play(position.side, point)
            explore()
            position.undo()

    explore()
    assert len(seen) == 400


def quiet(rules, empty, rng):
    """A position with so many empty points in which neither side could win at once."""
    while True:
        position = catalogue.start(rules, rules.default_size)
        while position.vacant > empty:
            legal, other = position.legal_moves(), opponent(position.side)
            forced = [point for point in legal if position.wins(other, point)]
            position.play(position.side, rng.choice(forced or legal))
            if position.outcome:
                break
        if not position.outcome and not any(
                position.wins(colour, point) for colour in (BLACK, WHITE)
                for point in position.legal_moves()):
            return position


def test_endgames_in_the_cube():
    rng, seen = Random(9), set()
    for _ in range(20):
        position = quiet(catalogue.QUBIC, 10, rng)
        for _ in range(4):
            if not position.outcome:
                position.play(position.side, rng.choice(position.legal_moves()))
        if not position.outcome:
            seen.add(keeps_value(position, {}))
    assert len(seen) > 1


def test_the_second_player_takes_his_chances():
    """Where the second player wins, as solve proves, alpha-beta wins, whatever the first does."""
    rng, won = Random(11), 0
    for stones in count(21, 2):
        position = scattered(catalogue.QUBIC, stones % 20 + 21 - stones % 2, rng)
        if position.side != WHITE or solve(
                position, Settings(memory=8), Limits(bytearray(2), 0.3)).winner != WHITE:
            continue
        player = make_player("alphabeta", Settings(memory=8, nodes=5000, rng=rng))
        other = make_player("alphabeta", Settings(memory=1, nodes=300, rng=rng))
        while not position.outcome:
            mover = player if position.side == WHITE else other
            position.play(position.side, mover.choose(position, Limits(bytearray(2))))
        assert position.outcome.winner == WHITE
        won += 1
        if won == 8:
            return


@pytest.mark.parametrize("opponent_name", ["random", "flat", "alphabeta"])
@pytest.mark.parametrize("first", [BLACK, WHITE])
def test_the_first_player_always_wins(opponent_name, first):
    rng = Random(first)
    settings = Settings(rng=rng, policy="rule_based", memory=1, nodes=500)
    players = {first: AlphaBeta(settings), opponent(first): make_player(opponent_name, settings)}
    for _ in range(3):
        position = catalogue.start(catalogue.QUBIC, 8)
        position.set_side(first)
        while not position.outcome:
            position.play(position.side, players[position.side].choose(
                position, Limits(bytearray(2))))
        assert position.outcome.winner == first


def test_a_part_of_the_strategy():
    """Another one each time; `verify-qubic` tries the whole."""
    table, seed = strategy.load(), secrets.randbits(32)
    chosen = Random(seed).sample(range(table.own.size), 100)
    tried = verify.check(table, chosen)
    assert tried.positions == 100, seed
    assert tried.replies > tried.forced > 4000, seed


def test_a_wrong_strategy_is_found_out():
    table = strategy.load()
    start = int(np.flatnonzero((table.own == 0) & (table.other == 0))[0])
    late = int(np.argmax([int(own).bit_count() for own in table.own.tolist()]))
    taken = next(verify.bits(int(table.own[late])))
    for entry, move, complaint in ((late, taken, "illegal"), (late, 64, "illegal"),
                                   (start, 1, "no answer")):
        moves = table.moves.copy()
        moves[entry] = move
        with pytest.raises(verify.CheckFailed, match=complaint):
            verify.check(strategy.Strategy(table.own, table.other, moves), [entry])
    for kept, complaint in (([start], "no answer"), ([late], "empty board")):
        part = strategy.Strategy(table.own[kept], table.other[kept], table.moves[kept])
        with pytest.raises(verify.CheckFailed, match=complaint):
            verify.verify(part, 2)


@pytest.mark.thorough
def test_one_reply_is_refuted_again():
    """The proof, for the reply that takes the least time: its entries are closed."""
    proof = qubic.refute(Lattice(4, 4, 4).points.index(Lattice(4, 4, 4).point(3, 2, 1)))
    keys = sorted(proof.entries)
    own, other = np.array(keys, np.uint64).T
    table = strategy.Strategy(own, other, np.array([proof.entries[key].move for key in keys],
                                                   np.uint8))
    assert proof.start in proof.entries
    assert verify.check(table, range(0, len(keys), 8)).positions > 50


def test_what_is_proved_so_far(tmp_path):
    """A line that was cut off is forgotten, another fault is named."""
    work = tmp_path / "work"
    assert qubic.read_work(work) == {}
    line = '{"reply": 5, "start": [1, 2], "entries": [[1, 2, 3, [[4, 5]]]]}\n'
    work.write_text(line + '{"reply": 6, "st')
    for _ in range(2):
        proof, = qubic.read_work(work).values()
        assert (proof.reply, proof.start) == (5, (1, 2))
        assert proof.entries == {(1, 2): (3, [(4, 5)])}
    assert work.read_text() == line
    for wrong in ("[]", "5", '{"reply": 1}', '{"reply": 1, "start": [], "entries": []}'):
        work.write_text(line + wrong + "\n")
        with pytest.raises(ValueError, match="line 2 is no refuted reply"):
            qubic.read_work(work)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.few(1)
def test_interrupted_proof(number, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "gtp_engine", "solve-qubic", "--work", str(tmp_path / "w"),
         "--output", str(tmp_path / "o"), "--processes", "1"], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "0 of 12 replies are refuted\n"
    while not (workers := psutil.Process(process.pid).children(recursive=True)):
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(number)
    process.communicate(timeout=PATIENCE)
    assert process.returncode in (130, -signal.SIGTERM)
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
    assert not alive


def test_the_rows_of_the_check():
    assert len(verify.ROWS) == 76
    lattice = Lattice(4, 4, 4)
    place = {point: i for i, point in enumerate(lattice.points)}
    assert {sum(1 << place[point] for point in line) for line in lattice.lines(4)} == verify.rows()


def test_solve_by_the_strategy():
    position = catalogue.start(catalogue.QUBIC, 8)
    limits = Limits(bytearray(2), 100)
    assert solve(position, Settings(), limits) == (BLACK, position.lattice.points[0])
    position.play(BLACK, position.lattice.points[0])
    assert solve(position, Settings(), limits) == (BLACK, None)
    assert len(position.history) == 1


def test_a_dead_position():
    """Where no row can be completed any more, a legal move is played all the same."""
    rng = Random(12)
    lattice = catalogue.start(catalogue.QUBIC, 8).lattice
    rows = list(lattice.lines(4))
    for _ in range(20):
        held = {point: BLACK + i % 2 for i, point in enumerate(rng.sample(lattice.points, 60))}
        while True:
            alive = [row for row in rows if len({held[p] for p in row if p in held}) < 2]
            if not alive:
                break
            point = rng.choice([point for point in rng.choice(alive) if point in held])
            held[point] = opponent(held[point])
        position = catalogue.start(catalogue.QUBIC, 8)
        position.setup([(colour, point) for point, colour in held.items()])
        player = make_player("alphabeta", Settings(memory=1, nodes=1000))
        assert player.choose(position, Limits(bytearray(2))) in position.legal_moves()
        player.evaluate_moves(position, Limits(bytearray(2)))
        assert set(player.report.values) == set(position.legal_moves())
        assert set(player.report.values.values()) == {0} and player.report.line


@pytest.mark.parametrize("rules", [catalogue.QUBIC, catalogue.QUBIC_3, catalogue.TIC_TAC_TOE],
                         ids=lambda rules: rules.name)
def test_the_line_of_a_win_at_once(rules):
    """Of several moves that win, the one that is chosen is the one that is told."""
    player, seen = make_player("alphabeta", Settings(memory=1, nodes=100)), 0
    for seed in range(20):
        for position in random_game(rules, 8, Random(seed), by_policy=0):
            wins = [p for p in position.legal_moves() if position.wins(position.side, p)]
            if len(wins) > 1:
                seen += 1
                move = player.choose(position, Limits(bytearray(2)))
                assert move in wins and player.report.line == (move,)
                player.evaluate_moves(position, Limits(bytearray(2)))
                line, values = player.report.line, player.report.values
                assert line[0] in wins and all(values[p] == 1 for p in wins if p in values)
    assert seen > 3


def test_workers_of_a_fork_server():
    """They know whom they work for, which is not the process that has started them."""
    context = multiprocessing.get_context("forkserver")
    with context.Pool(1, qubic.follow_parent) as pool:
        assert pool.apply_async(abs, (-3,)).get(PATIENCE) == 3
        assert pool.apply_async(os.getppid).get(PATIENCE) != os.getpid()
