"""The alpha-beta search: its arrays, its proofs, its moves."""

import threading
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from random import Random

import numpy as np
import pytest

from benchmarks import search as benchmark
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE, opponent
from gtp_engine.kernels import kernel
from gtp_engine.kernels.control import MATE, WON, shared
from gtp_engine.kernels.plane import board as boards, shapes, state
from gtp_engine.kernels.plane.evaluation import EXTRAS
from gtp_engine.kernels.plane.features import FEATURES, MARGIN
from gtp_engine.kernels.plane.moves import four_moves
from gtp_engine.kernels.plane.search import search_root
from gtp_engine.kernels.plane.vcf import ALL_FOURS, FIRST_FOUR, win_by_fours
from gtp_engine.kernels.rules import FREE
from gtp_engine.kernels.table import EXACT, LOWER, UPPER, cuts_off, probe, store
from gtp_engine.players.adapters import board_of, geometry_of
from gtp_engine.players.alphabeta import weights
from gtp_engine.players.alphabeta.plane_search import PlaneSearch
from gtp_engine.players.alphabeta.player import AlphaBeta
from gtp_engine.players.alphabeta.weights import Tuning
from gtp_engine.players.base import INTERRUPT, Limits, Settings
from gtp_engine.players.quick_moves import near_stones
from gtp_engine.players.registry import make_player
from gtp_engine.solvers.solve import solve
from gtp_engine.wire.notation import GtpPoints
from tests.engine import PATIENCE
from tests.positions import COLOURS, FIVES, drawing, endgame, picture, random_game, value
from tests.programs import until
from tests.reference import holds, wins_by_fours

LARGE = 1 << 60


def searcher(position):
    """Geometry, board and search for a position."""
    rules, lattice = position.rules, position.lattice
    geometry = geometry_of(rules, lattice)
    search = state.make_search(geometry, weights.weights_of(rules, lattice.width), 16)
    board = board_of(geometry, position)
    state.start(board, geometry, search)
    return geometry, board, search


def arrays(board, search):
    """Copies of all that a move changes, by name."""
    free = board.state[FREE]
    return {"state": board.state.copy(), "cells": board.cells.copy(),
            "free": board.free[:free].copy(),
            **{name: getattr(search, name).copy()
               for name in ("codes", "sums", "hash")}}


def same(first, second, leave_out=()):
    return all(np.array_equal(first[name], second[name])
               for name in first if name not in leave_out)


@pytest.mark.parametrize("rules", FIVES, ids=lambda rules: rules.name)
@pytest.mark.few(5)
def test_moves_and_their_undoing(rules):
    """After any moves the arrays equal those made anew, and undoing restores every one of them."""
    for seed in range(6):
        rng = Random(seed)
        final = None
        for position in random_game(rules, 9, rng):
            final = position
        start = catalogue.start(rules, 9)
        geometry, board, search = searcher(start)
        states, plies = [], [r for r in final.history if r.point][:90]
        for ply, record in enumerate(plies):
            states.append(arrays(board, search))
            state.make(board, geometry, search, ply, record.point, record.colour - BLACK)
            start.play(record.colour, record.point)
        _, new_board, new_search = searcher(start)
        assert same(arrays(board, search), arrays(new_board, new_search), ("free", "state"))
        assert np.array_equal(board.state[boards.COUNTS:], new_board.state[boards.COUNTS:])
        for ply, record in reversed(list(enumerate(plies))):
            state.unmake(board, geometry, search, ply, record.point, record.colour - BLACK)
            assert same(states[ply], arrays(board, search)), ply


@lru_cache(maxsize=None)
def slow_shape(line, exact):
    """The shape that nine points (X own, O blocked, . empty) have by themselves."""
    runs = [len(run) for run in line.replace("O", ".").split(".")]
    if 5 in runs or max(runs) > 5 and not exact:
        return shapes.FIVE
    after = [slow_shape(line[:i] + "X" + line[i + 1:], exact)
             for i, symbol in enumerate(line) if symbol == "."]
    if after.count(shapes.FIVE) >= 2:
        return shapes.OPEN_FOUR
    if shapes.FIVE in after:
        return shapes.FOUR
    for reached, shape, wide, ways in [
            ((shapes.OPEN_FOUR,), shapes.OPEN_THREE, shapes.WIDE_THREE, 2),
            ((shapes.FOUR,), shapes.THREE, shapes.THREE, 1),
            ((shapes.OPEN_THREE, shapes.WIDE_THREE), shapes.OPEN_TWO, shapes.WIDE_TWO, 3),
            ((shapes.THREE,), shapes.TWO, shapes.TWO, 1),
            ((shapes.OPEN_TWO, shapes.WIDE_TWO), shapes.OPEN_ONE, shapes.OPEN_ONE, 1)]:
        there = sum(after.count(each) for each in reached)
        if there:
            return wide if there >= ways else shape
    return shapes.ONE if any(after) else shapes.DEAD


@pytest.mark.parametrize("exact", [False, True])
def test_shape_table(exact):
    rng = Random(1)
    table = shapes.shape_table(exact)
    for _ in range(400):
        around = rng.choices("X.O", weights=(4, 5, 2), k=8)
        own = sum(1 << i for i, symbol in enumerate(around) if symbol == "X")
        blocked = sum(1 << i for i, symbol in enumerate(around) if symbol == "O")
        line = "".join(around[:4]) + "X" + "".join(around[4:])
        assert table[own | blocked << 8] == slow_shape(line, exact), line


@pytest.mark.parametrize("rules", [catalogue.GOMOKU, catalogue.GOMOKU_EXACT, catalogue.RENJU],
                         ids=lambda rules: rules.name)
def test_shape_pairs(rules):
    """The tables of both colours, by one pattern; stones of both on a neighbour are the border."""
    rng, renju = Random(2), rules.renju
    pairs = shapes.shape_pairs(rules.exact(BLACK), renju)
    tables = (shapes.shape_table(rules.exact(BLACK), shapes.OVERLINE if renju else shapes.DEAD),
              shapes.shape_table(rules.exact(WHITE)))
    for _ in range(400):
        cells = rng.choices((0, 1, 2, 3), weights=(5, 3, 3, 1), k=8)
        stones = [sum((cell == colour) << i for i, cell in enumerate(cells)) for colour in (1, 2)]
        blocked = [sum((cell in (3 - colour, 3)) << i for i, cell in enumerate(cells))
                   for colour in (1, 2)]
        pair = int(pairs[blocked[1] | blocked[0] << 8])
        assert [pair & 15, pair >> 4] == [
            table[own | others << 8] for table, own, others in zip(tables, stones, blocked)]


def test_combinations():
    """The order of axes means nothing; overlines count as nothing."""
    numbers = shapes.combination_of()
    assert numbers[0] == numbers[0xC0C0] == 0 and numbers[0xC123] == numbers[0x0123]
    assert len({int(numbers[code]) for code in (0x1234, 0x2341, 0x4321, 0x3142)}) == 1
    assert len(np.unique(numbers)) == shapes.COMBINATIONS == numbers.max() + 1


@pytest.mark.parametrize("rules, shape, empty", [
    (catalogue.GOMOKU, (5, 5), 9), (catalogue.GOMOKU, (6, 6), 8),
    (catalogue.GOMOKU_EXACT, (6, 6), 8), (catalogue.CARO, (7, 6), 7),
    (catalogue.CARO_EXACT, (7, 6), 7), (catalogue.RENJU, (7, 6), 8),
    (catalogue.PENTE_FREE, (5, 5), 3)], ids=str)
@pytest.mark.few(1)
def test_proofs(rules, shape, empty):
    """What the search calls won or lost is; to the end of the game, all that is is called so."""
    rng = Random(str(shape))
    seen = set()
    for _ in range(30):
        position, known = endgame(rules, *shape, empty, rng), {}
        expected = value(position, known)
        geometry, board, search = searcher(position)
        control = shared(search.control)
        control.node_limit = LARGE
        score = 0
        for depth in range(1, (5 if rules.capture_lengths else empty) + 1):
            score = search_root(board, geometry, search, np.zeros(2, np.uint8), depth,
                                score, 60, position.side - BLACK)
            proven = int(score > WON) - int(score < -WON)
            assert proven in (0, expected), depth
        if not rules.capture_lengths:
            assert proven == expected
        seen.add(expected)
        if expected == 1:
            best = position.copy()
            best.play(best.side, int(control.best))
            assert value(best, known) == -1
    assert len(seen) > 1


MOVES = [  # game, position, side to move, good moves; each is forced or wins at once or by fours
    ("Gomoku", "....... ....... .XXXX.. ....... "
     ".OOO..O ....... .......", "X", "A5 F5"),
    ("Gomoku", "O...... ....... OXXXX.. ....... "
     ".OOO..O ....... .......", "O", "F5"),
    ("Gomoku", "....... ....... ..XXX.. ....... "
     "....... .O..O.. .......", "O", "B5 F5"),
    ("Gomoku", "......... ......... ...X..... ...X..... ...X..... "
     "OXX.X.O.. ......... ...O.O... .........", "X", "D4"),
    ("Gomoku-exact", "XX.XX.. O.....X ......X O..O... "
     "......X ......X ...O...", "X", "C7 G4"),
    ("Gomoku-exact", "XX.XXX. O.....X ......X O..O... "
     "......X ......X ...O...", "X", "G4"),
    ("Pente-free", "....... .OOOOX. ..O.... ..O.... "
     "..X.... ....... .X.....", "X", "A6"),
]


@pytest.mark.parametrize("game, rows, side, good", MOVES)
def test_tactical_moves(game, rows, side, good):
    position = picture(catalogue.find(game), rows, COLOURS[side])
    player = make_player("alphabeta", Settings(rng=Random(1), nodes=20_000, memory=1))
    move = player.choose(position, Limits(bytearray(2)))
    names = {f"{'ABCDEFGHJ'[x]}{y + 1}" for x, y, _ in [position.lattice.coordinates(move)]}
    assert names <= set(good.split()), drawing(position, {move})


TACTICS = [line.split(maxsplit=6) for line in
           (Path(__file__).parent / "data" / "tactics.txt").read_text().splitlines()]


def tactical(game, side, captured, rows):
    """The position of a line of tests/data/tactics.txt."""
    position = picture(catalogue.find(game), rows.replace("/", "\n"), COLOURS[side])
    position.captured = [0, *map(int, captured.split(","))]
    return position


@pytest.mark.parametrize("game, side, captured, kind, fours, rows, good", TACTICS,
                         ids=[f"{row[0]}-{i}" for i, row in enumerate(TACTICS)])
@pytest.mark.few(12)
def test_tactics(game, side, captured, kind, fours, rows, good):
    """Wins by so many fours and no fewer, and moves against such wins: the slow reference agrees
    with the table and the search plays one of them."""
    position = tactical(game, side, captured, rows)
    names = GtpPoints(position.lattice)
    points = {names.point_of(name) for name in good.split()}
    if kind == "win":
        assert wins_by_fours(position, int(fours)) == points
        assert not wins_by_fours(position, int(fours) - 1)
    else:
        assert holds(position, int(fours)) == points
    player = make_player("alphabeta", Settings(rng=Random(1), nodes=20_000, memory=1))
    move = player.choose(position, Limits(bytearray(2)))
    if kind == "win":
        # It may know a way without fours, for which the proof is another one.
        assert move in points or value_by_solver(position, move) == position.side
    else:
        assert move in points, drawing(position, {move})


def value_by_solver(position, move):
    """Who wins after that move, proved."""
    after = position.copy()
    after.play(after.side, move)
    return solve(after, Settings(memory=16), Limits(bytearray(2), PATIENCE)).winner


@pytest.mark.parametrize("rows, last_four, end, tried", [
    ("......... ......... ....X.... ....X.... OXXX..... ......... ......... ......... .........",
     FIRST_FOUR, 5, 1),  # E5 wins: a four and an open three
    ("OXXX..... ......... ......... ......... ......... ......... ......... ......... .....XXXO",
     FIRST_FOUR, 0, 0),  # no four adds to another row
    ("OXXX..... ......... ......... ......... ......... ......... ......... ......... .....XXXO",
     ALL_FOURS, 0, 12)])
def test_fours_that_are_tried(rows, last_four, end, tried):
    position = picture(catalogue.GOMOKU, rows)
    geometry, board, search = searcher(position)
    control = shared(search.control)
    control.node_limit = control.threat_nodes = 100
    assert win_by_fours(board, geometry, search, np.zeros(2, np.uint8), 25, 0, 0, last_four) == end
    assert 100 - control.threat_nodes == tried


@pytest.mark.parametrize("rules", FIVES, ids=lambda rules: rules.name)
@pytest.mark.few(4)
def test_moves_that_make_fours(rules):
    """Exactly the points with a four or an open four among their shapes, in the order of `free`."""
    rng, out, found = Random(3), np.zeros(81, np.uint16), 0
    for _ in range(6):
        for position in random_game(rules, 9, rng):
            if position.outcome:
                break
            _, board, search = searcher(position)
            codes, free = search.codes.reshape(-1, 2), board.free[:board.state[FREE]]
            for colour in (0, 1):
                there = codes[free, colour][:, None] >> 4 * np.arange(shapes.AXES) & 15
                fours = free[((there == shapes.FOUR) | (there == shapes.OPEN_FOUR)).any(1)]
                n = _four_moves(board, search, colour, out)
                assert out[:n].tolist() == fours.tolist()
                found += n
    assert found > 50


@kernel
def _four_moves(board, search, colour, out):
    return four_moves(board, search, colour, out)


def test_there_are_tactics_of_every_kind():
    for game in ("Gomoku", "Gomoku-exact", "Pente-free", "Keryo-Pente"):
        kinds = [row[3] for row in TACTICS if row[0] == game]
        assert len(kinds) >= 20 and kinds.count("win") >= 12 and kinds.count("hold") >= 6


@pytest.mark.parametrize("rules, shape, empty", [
    (catalogue.GOMOKU, (5, 5), 8), (catalogue.GOMOKU_EXACT, (6, 6), 8),
    (catalogue.CARO, (7, 7), 7), (catalogue.RENJU, (7, 7), 7)], ids=str)
@pytest.mark.few(1)
def test_best_of_some_moves(rules, shape, empty):
    """To the end of the game they are the best of those that are allowed, and no others.

    One table serves all searches: what was found while moves were barred misleads no later one.
    """
    rng = Random(str(shape))
    player = AlphaBeta(Settings(memory=1))
    for _ in range(20):
        position, worth, known = endgame(rules, *shape, empty, rng), {}, {}
        for move in position.legal_moves():
            after = position.copy()
            after.play(after.side, move)
            worth[move] = -value(after, known) if not after.outcome else int(
                after.outcome.winner == position.side)
        for allowed in (rng.sample([*worth], 1), rng.sample([*worth], 4), [*worth]):
            moves = player.best_moves(position, allowed, Limits(bytearray(2)), 3)
            report = player.report
            assert len({*moves}) == min(3, len(allowed)) and {*moves} <= {*allowed}
            assert [*report.scores] == moves and report.line == report.lines[moves[0]]
            for number, move in enumerate(moves):
                best = max(worth[other] for other in allowed if other not in moves[:number])
                assert worth[move] == best == round(report.values[move]), drawing(position, {move})


def test_signature():
    """Search and weights are those whose figures the benchmark shows."""
    for game, signature in benchmark.SIGNATURE.items():
        assert signature == sum(
            benchmark.search(benchmark.position(name, moves), depth)[0]
            for name, depth, moves in benchmark.POSITIONS if name == game)


def test_the_same_seed_and_nodes_give_the_same_game():
    """On a board where no proof says what the first move is."""
    games = []
    for seed in (1, 1, 2):
        position = catalogue.start(catalogue.GOMOKU, 13)
        player = make_player("alphabeta", Settings(rng=Random(seed), nodes=3000, memory=1))
        while not position.outcome and len(position.history) < 12:
            position.play(position.side, player.choose(position, Limits(bytearray(2))))
        games.append([record.point for record in position.history])
    assert games[0] == games[1] != games[2]


def test_threads_search_one_position():
    """Helpers share the table, end with the search, and change nothing in what is proved."""
    name, _, moves = benchmark.POSITIONS[3]
    position = benchmark.position(name, moves)
    player, stop = AlphaBeta(Settings(rng=Random(1), threads=3, memory=4)), bytearray(2)

    def interrupt():
        """Once all are at work, however late a busy machine begins with them."""
        until(lambda: player.plane._helpers and all(
            helper.control[0]["nodes"] for helper in player.plane._helpers))
        stop[INTERRUPT] = 1

    before = threading.active_count()
    interrupting = threading.Thread(target=interrupt)
    interrupting.start()
    move = player.choose(position, Limits(stop, PATIENCE))
    interrupting.join()
    assert stop[INTERRUPT] and position.complaint(position.side, move) is None
    assert threading.active_count() == before
    helpers = player.plane._helpers
    assert len(helpers) == 2
    assert all(helper.keys is player.plane.search.keys for helper in helpers)
    assert player.report.figures["nodes"] == sum(
        int(each.control[0]["nodes"]) for each in (player.plane.search, *helpers))
    won = picture(catalogue.GOMOKU, rows_of_a_win, BLACK)
    assert GtpPoints(won.lattice).name[player.choose(won, Limits(bytearray(2)))] == "D5"


def test_a_key_and_an_entry_of_two_writers_do_not_match():
    _, _, search = searcher(catalogue.start(catalogue.GOMOKU, 9))
    keys = [np.uint64(1 << 40 | slot) for slot in (4, 5)]
    for key, move in zip(keys, (17, 18)):
        _store(search, key, move, EXACT, 0)
        assert _probe(search, key) & 0xFFFF == move
    search.entries[4], search.entries[5] = search.entries[5], search.entries[4]
    assert not any(_probe(search, key) for key in keys)


SETTLED = [  # bound, its score, depths at which it cuts off a window from 10 to 20
    (EXACT, 15, range(4)),
    (EXACT, 5, range(4)),
    (LOWER, 20, range(4)),
    (LOWER, 19, ()),
    (UPPER, 10, range(4)),
    (UPPER, 11, ()),
    (LOWER, MATE - 9, range(9)),
    (EXACT, MATE - 9, range(9)),
    (UPPER, MATE - 9, ()),
    (UPPER, 9 - MATE, range(9)),
    (EXACT, 9 - MATE, range(9)),
    (LOWER, 9 - MATE, ()),
]


@pytest.mark.parametrize("bound, score, depths", SETTLED)
@pytest.mark.few(4)
def test_an_entry_settles_a_search(bound, score, depths):
    """One of depth 3 does if it is exact or its bound lies outside the window; a proof at any
    depth, if proofs count."""
    _, _, search = searcher(catalogue.start(catalogue.GOMOKU, 9))
    _store(search, np.uint64(4), 1, bound, score)
    entry = _probe(search, np.uint64(4))
    assert [depth for depth in range(9) if _settles(entry, depth, 10, 20, True)] == [*depths]
    assert [depth for depth in range(9) if _settles(entry, depth, 10, 20, False)] == [
        depth for depth in depths if depth < 4]
    assert not _settles(0, 0, 10, 20, True)


def test_a_proof_settles_only_what_it_answers():
    """A win in nine plies does not say that there is none in seven."""
    _, _, search = searcher(catalogue.start(catalogue.GOMOKU, 9))
    _store(search, np.uint64(4), 1, EXACT, MATE - 9)
    entry = _probe(search, np.uint64(4))
    assert _settles(entry, 8, MATE - 10, MATE - 9, True)
    assert not _settles(entry, 8, MATE - 8, MATE - 7, True)
    assert not _settles(entry, 8, MATE - 10, MATE - 7, True)


@kernel
def _settles(entry, depth, alpha, beta, proofs):
    return cuts_off(entry, depth, alpha, beta, np.int64(0), proofs)


@kernel
def _store(search, key, move, bound, score):
    store(search, key, move, bound, np.int64(3), score, np.int64(0))


@kernel
def _probe(search, key):
    return probe(search, key)


@pytest.mark.parametrize("rules", FIVES, ids=lambda rules: rules.name)
@pytest.mark.few(3)
def test_it_beats_the_random_player(rules):
    """Ten games of few nodes, both colours: all won."""
    for seed in range(10):
        rng = Random(seed)
        position = catalogue.start(rules, 9)
        ours = (BLACK, WHITE)[seed % 2]
        players = {ours: make_player("alphabeta", Settings(rng=rng, nodes=500, memory=1)),
                   opponent(ours): make_player("random", Settings(rng=rng))}
        while not position.outcome:
            position.play(position.side, players[position.side].choose(
                position, Limits(bytearray(2))))
        assert position.outcome.winner == ours


@pytest.mark.parametrize("rules", FIVES, ids=lambda rules: rules.name)
def test_weights(rules):
    """A point where nothing can come of it is worth nothing."""
    value, policy, extras, margins, _ = weights.weights_of(rules, rules.default_size)
    assert len(value) == 2 * (1 + rules.renju)  # in Renju the second colour has its own
    for table in (value, policy):
        assert table.shape[1:] == (shapes.COMBINATIONS,) and table.dtype == np.int16
    assert not value[:, 0].any()
    assert extras.shape == (EXTRAS + 1,) and margins.dtype == MARGIN


def test_features_that_are_off_change_the_search_but_not_what_is_proved():
    position = picture(catalogue.GOMOKU, rows_of_a_win, BLACK)
    name, _, moves = benchmark.POSITIONS[1]
    open_position = benchmark.position(name, moves)
    names, counts = GtpPoints(position.lattice), set()
    for off in ((), *((feature,) for feature in FEATURES)):
        player = AlphaBeta(Settings(rng=Random(1), depth=7, memory=1), Tuning(off))
        assert names.name[player.choose(position, Limits(bytearray(2)))] == "D5", off
        player.choose(open_position, Limits(bytearray(2)))
        counts.add(player.plane.nodes)
    assert len(counts) > 7


rows_of_a_win = """
.........
...X.....
...X.....
...X.....
OXX.X.O..
.........
...O.O...
.........
........."""


WEIGHTS = [("Gomoku", 9, "gomoku"), ("Gomoku", 10, "gomoku"), ("Gomoku", 16, "gomoku"),
           ("Gomoku", 17, "gomoku_large"), ("Gomoku", 20, "gomoku_large"),
           ("Gomoku-exact", 9, "gomoku_exact"), ("Gomoku-exact", 15, "gomoku_exact"),
           ("Gomoku-exact", 20, "gomoku_large"), ("Gomoku-exact", 16, "gomoku_exact"),
           ("Caro", 15, "caro"), ("Caro-exact", 16, "caro"), ("Caro", 17, "gomoku_large"),
           ("Renju", 15, "renju"), ("Renju", 16, "renju"), ("Renju", 17, "gomoku_large"),
           ("Pente", 9, "pente"), ("Pente", 19, "pente"), ("Keryo-Pente", 15, "pente")]


@pytest.mark.parametrize("game, size, name", WEIGHTS)
def test_games_and_sizes_have_weights_of_their_own(game, size, name):
    """Large boards have others, small ones no network."""
    data = files("gtp_engine.players").joinpath("data", f"{name}.npz")
    with data.open("rb") as file:
        expected = weights.read(file)
    search = AlphaBeta(Settings(memory=1)).plane
    search.set_position(catalogue.start(catalogue.find(game), size), bytearray(2))
    assert len(expected.network.rows)
    assert np.array_equal(search.search.worth, shapes.worth_of(expected.value))
    assert np.array_equal(search.search.accumulator.rows, expected.network.rows if size > 9 else
                          expected.network.rows[:0])


def test_shapes_are_worth_to_each_colour_what_its_rows_say():
    """In Renju: the sums of a position, and of the one with colours exchanged."""
    value = weights.weights_of(catalogue.RENJU, 15).value[:, shapes.combination_of()]
    value = value.reshape(2, 2, shapes.CODES).astype(int)
    stones = [(113, BLACK), (128, BLACK), (97, BLACK), (112, WHITE), (114, WHITE), (130, WHITE)]
    totals = []
    for exchanged in (False, True):
        position = catalogue.start(catalogue.RENJU, 15)
        position.setup([(opponent(colour) if exchanged else colour, position.lattice.points[place])
                        for place, colour in stones])
        search = AlphaBeta(Settings(memory=1)).plane
        search.set_position(position, bytearray(2))
        codes, sums = search.search.codes.reshape(-1, 2), search.search.sums.copy()
        totals += [shapes.value_to_move(total) for total in sums.tolist()]
        assert totals[-2:] == [value[colour, 0, codes[:, colour]].sum() for colour in (0, 1)]
        assert [shapes.value_waiting(total) for total in sums.tolist()] == [
            value[colour, 1, codes[:, colour]].sum() for colour in (0, 1)]
    assert totals[0] != totals[3] and totals[1] != totals[2]


def test_values_for_one_colour_and_a_half_are_refused(tmp_path):
    with files("gtp_engine.players").joinpath("data", "renju.npz").open("rb") as file:
        parts = dict(np.load(file))
    np.savez(tmp_path / "three.npz", **parts | {"value": parts["value"][:3]})
    with pytest.raises(ValueError, match="the array value has 3 rows, not 2 or 4"):
        weights.read(tmp_path / "three.npz")


def test_networks_of_another_shape_are_refused(tmp_path):
    """Such as those from before the network said anything of moves."""
    with files("gtp_engine.players").joinpath("data", "gomoku.npz").open("rb") as file:
        parts = dict(np.load(file))
    np.savez(tmp_path / "short.npz", **parts | {"layers": parts["layers"][:-1]})
    with pytest.raises(ValueError, match="layers is float32 of 2176, not float32 of 2177"):
        weights.read(tmp_path / "short.npz")


def test_order_of_moves_at_the_root():
    """By what the shapes there say to both sides, and by point where that is the same."""
    rng = Random(5)
    board = catalogue.start(catalogue.find("Gomoku"), 15)
    for _ in range(11):
        board.play(board.side, rng.choice(near_stones(board)))
    search = PlaneSearch(Settings(rng=rng, memory=1))
    search.set_position(board, bytearray(2))
    codes, colour = search.search.codes.reshape(-1, 2), board.side - BLACK
    policy = weights.weights_of(board.rules, 15).policy[:, shapes.combination_of()]
    expected = sorted(board.legal_moves(), key=lambda move: (
        -int(policy[0, codes[move, colour]]) - int(policy[1, codes[move, 1 - colour]]), move))
    moves = rng.sample(expected, len(expected))
    assert search.order(moves) == expected != sorted(expected)
    assert search.order(moves[:9]) == [move for move in expected if move in moves[:9]]
