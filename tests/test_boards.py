"""Boards side by side against the slow rules: legal moves, captures, ends, at every ply."""

import copy
import pickle
from random import Random
from threading import Timer

import numpy as np
import pytest

import gtp_engine
from benchmarks import boards as benchmark
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE
from gtp_engine.library.boards import CAPTURE_PLANES, PLANES
from gtp_engine.players.base import Limits, Settings
from gtp_engine.players.playout_policy import policy_moves
from gtp_engine.players.playouts import How, Simulator
from gtp_engine.players.registry import make_player
from tests.positions import fitting

CUSTOM = [  # rows of rules that no game of the catalogue has, and their boards
    (catalogue.k_in_a_row(4), (7, 6)), (catalogue.k_in_a_row(6), (9, 12)),
    (catalogue.k_in_a_row(3), (3, 25)), (catalogue.k_in_a_row(25), 25),
    (catalogue.GOMOKU._replace(in_a_row=2), (3, 4)),
    (catalogue.GOMOKU_EXACT._replace(in_a_row=3), (6, 5)),
    (catalogue.CARO._replace(in_a_row=4), (7, 9)),
    (catalogue.CARO_EXACT._replace(in_a_row=3, first=WHITE), 6),
    (catalogue.PENTE_FREE._replace(in_a_row=4, capture_lengths=(1, 4), captures_to_win=6,
                                   smallest=3), (8, 7)),
    (catalogue.PENTE._replace(in_a_row=6, captures_to_win=0, first=WHITE), (9, 7)),
    (catalogue.PENTE._replace(smallest=3), (4, 10)),
    (catalogue.GOMOKU_SWAP._replace(in_a_row=4, first=BLACK, capture_lengths=(2,)), (7, 5)),
    (catalogue.GOMOKU_SWAP._replace(renju=True), 7),
    (catalogue.RENJU._replace(centre_opening=2), 9), (catalogue.RENJU, (15, 5)),
    (catalogue.RENJU._replace(capture_lengths=(2,), captures_to_win=8), 9),
    (catalogue.QUBIC._replace(in_a_row=4, smallest=6, largest=12, capture_lengths=(1, 2),
                              captures_to_win=9, centre_opening=2), 12),
]


def every_case():
    for rules in catalogue.GAMES.values():
        for size in sorted({fitting(rules, size) for size in (3, 6, 9, 15, 25)}):
            yield pytest.param(rules, size, id=f"{rules.name}-{size}")
    for number, (rules, size) in enumerate(CUSTOM):
        yield pytest.param(rules, size, id=f"custom-{number}")


def assert_equal(boards, g, position):
    """A board has the stones, legal moves, captures, side and end of a position."""
    lattice, outcome = position.lattice, position.outcome
    stones = [position.cells[point] for point in lattice.points]
    assert boards.stones[g].reshape(-1).tolist() == stones
    legal = set(position.legal_moves())
    assert boards.mask[g].tolist() == [point in legal for point in lattice.points]
    assert boards.turn[g] == position.side
    assert boards.captured[g].tolist() == position.captured[BLACK:]
    assert boards.done[g] == (outcome is not None)
    assert boards.winner[g] == (outcome.winner if outcome else EMPTY)
    assert boards.plies[g] == len(position.moves)


@pytest.mark.parametrize("rules, size", list(every_case()))
@pytest.mark.few(30)
def test_every_ply(rules, size):
    """Random and rule-based games, so that rows, captures and forbidden points come up.  Finished
    games begin anew, and the first game is not ours: it stays as it is."""
    rng, n = Random(f"{rules} {size}"), 4
    boards = gtp_engine.Boards(rules, size, n=n)
    large = boards.points > 100
    positions = [catalogue.start(rules, size) for _ in range(n)]
    policy = "rule_based" if rules.in_a_row == 5 or rules.row_fills_board() else "random"
    ended = 0
    for _ in range(60 if large else 120):
        for g, position in enumerate(positions):
            assert_equal(boards, g, position)
            if position.outcome:
                ended += 1
        over = boards.done.copy()
        boards.reset(over)
        positions = [catalogue.start(rules, size) if each.outcome else each for each in positions]
        actions = np.zeros(n, np.int64)
        for g, position in enumerate(positions):
            moves = position.legal_moves()
            if not moves:  # an opening that leaves no point
                positions[g] = position = catalogue.start(rules, size)
                boards.reset([g])
                moves = position.legal_moves()
            if not large and rng.random() < 0.5:
                name, chosen = policy_moves(position, policy)
                moves = moves if name == "Win" and rng.random() < 0.8 else chosen
            point = rng.choice(moves)
            if position.may_swap in position.legal_moves() and rng.random() < 0.3:
                point = position.may_swap
            actions[g] = position.lattice.points.index(point)
            position.play(position.side, point)
        boards.play(actions)
    assert ended or large


@pytest.mark.parametrize("rules", catalogue.GAMES.values(), ids=lambda rules: rules.name)
@pytest.mark.thorough
def test_long_games(rules):
    """Random games on the largest board, from the first stone to the end."""
    size, rng = rules.largest, np.random.default_rng(7)
    boards, positions = gtp_engine.Boards(rules, size, n=3), []
    for _ in range(boards.n):
        positions.append(catalogue.start(rules, size))
    ply = 0
    while not boards.done.all():
        actions = boards.random_actions(rng)
        for g, position in enumerate(positions):
            if not position.outcome:
                position.play(position.side, position.lattice.points[actions[g]])
        boards.play(actions)
        ply += 1
        for g, position in enumerate(positions):
            if ply % 7 == 0 or position.outcome:
                assert_equal(boards, g, position)


@pytest.mark.parametrize("name", gtp_engine.GAMES)
@pytest.mark.few(6)
def test_boards_of_games(name):
    """Boards that begin in the middle of games go on like them; they count passes and stones set
    up as the game does."""
    rng = Random(name)
    games = [gtp_engine.Game(name) for _ in range(6)]
    for number, game in enumerate(games):
        position = game.position
        if number == 5:
            position.setup([(WHITE, position.lattice.points[-1])])
        for _ in range(4 * number):
            if not position.outcome:
                position.play(position.side, rng.choice(position.legal_moves()))
        if number == 4 and not position.outcome:
            position.play(position.side, 0)
    boards = gtp_engine.Boards.from_games(games)
    generator = np.random.default_rng(1)
    for _ in range(12):
        for g, game in enumerate(games):
            assert_equal(boards, g, game.position) if g != 4 else None
            assert (boards.stones[g] == game.array()).all()
            assert (boards.mask[g] == game.mask()).all()
        actions = boards.random_actions(generator)
        boards.play(actions)
        for game, action in zip(games, actions):
            if not game.outcome:
                game.play(int(action))


PLAYOUTS = [  # games for the general kernel of playouts, with their boards
    *[case for case in CUSTOM if case[0].in_a_row != 25 and not case[0].swap],
    (catalogue.GOMOKU, 6), (catalogue.PENTE_FREE, 7)]


@pytest.mark.parametrize("rules, size", PLAYOUTS)
@pytest.mark.few(6)
def test_playouts_of_any_game(rules, size):
    """Draws, wins and plies are those of slow random games, within five standard errors."""
    rng, start = Random(f"{rules}"), catalogue.start(rules, size)
    for _ in range(6):
        start.play(start.side, rng.choice(start.legal_moves()))
        if start.outcome:
            start.undo()
    simulator = Simulator(rules, start.lattice, threads=2)
    simulator._how = lambda policy: How.ANY
    move, stop = rng.choice(start.legal_moves()), np.zeros(2, np.uint8)
    results = simulator.simulate(start, [move, move], "random", 4000, 1, stop)
    assert results[:, :3].sum(axis=1).tolist() == [4000, 4000]
    assert results[0, 3] == 0 or (results[0] != results[1]).any()
    assert (results == simulator.simulate(start, [move, move], "random", 4000, 1, stop)).all()
    counts, plies, games = np.zeros(3), [], 150
    for _ in range(games):
        position = start.copy()
        position.play(position.side, move)
        before = len(position.moves)
        while position.legal_moves() and not position.outcome:
            position.play(position.side, rng.choice(position.legal_moves()))
        counts[position.outcome.winner if position.outcome else EMPTY] += 1
        plies.append(len(position.moves) - before)
    share = results[0, :3] / 4000
    assert (abs(counts / games - share) <= 5 * (share * (1 - share) / games) ** 0.5 + 0.01).all()
    assert abs(np.mean(plies) - results[0, 3] / 4000) <= 5 * np.std(plies) / games ** 0.5 + 0.01


def test_the_kernels_of_playouts():
    """Games of the catalogue keep theirs, so that a seed gives the results that it gave."""
    for rules in catalogue.GAMES.values():
        lattice = catalogue.start(rules, rules.default_size).lattice
        expected = How.AT_RANDOM if (
            rules.capture_lengths or rules.caro or rules.renju) else How.RACE
        assert Simulator(rules, lattice)._how("random") == expected
    for rules, size in CUSTOM:
        lattice = catalogue.start(rules, size).lattice
        known = rules.in_a_row == 5 and not rules.cube or rules.in_a_row < 5 and not (
            rules.capture_lengths or rules.caro)
        assert (Simulator(rules, lattice)._how("random") == How.ANY) != known


@pytest.mark.parametrize("rules, size", CUSTOM)
@pytest.mark.few(5)
def test_flat_plays_any_game(rules, size):
    flat = make_player("flat", Settings(simulations=2, rng=Random(1)))
    position = catalogue.start(rules, size)
    for _ in range(4):
        if not position.outcome:
            position.play(position.side, flat.choose(position, Limits(bytearray(2))))


def test_playouts_without_end_can_be_stopped():
    """Captures go on for ever where the board never fills."""
    rules = catalogue.GOMOKU._replace(in_a_row=9, capture_lengths=(1, 2, 3, 4, 5))
    position, stop = catalogue.start(rules, 8), np.zeros(2, np.uint8)
    simulator = Simulator(rules, position.lattice)
    simulator.simulate(position, position.legal_moves()[:1], "random", 0, 1, stop)
    timer = Timer(0.2, stop.__setitem__, (0, 1))
    timer.start()
    simulator.simulate(position, position.legal_moves()[:1], "random", 10**9, 1, stop)


@pytest.mark.parametrize("size, games", [
    (15, 12), (7, 40), pytest.param(15, 400, marks=pytest.mark.thorough),
    pytest.param((25, 8), 200, marks=pytest.mark.thorough)])
def test_forbidden_points_among_many_stones(size, games):
    """Boards full of black stones have most forbidden points; they change with every move."""
    rng, seen = Random(f"{size} {games}"), 0
    started = []
    while len(started) < games:
        game, density = gtp_engine.Game("Renju", size), rng.uniform(0.1, 0.5)
        position = game.position
        position.setup([(BLACK if rng.random() < 0.7 else WHITE, point)
                        for point in position.lattice.points if rng.random() < density])
        if not position.outcome:
            position.set_side(rng.choice((BLACK, WHITE)))
            started.append(game)
    boards = gtp_engine.Boards.from_games(started)
    for _ in range(8):
        for g, game in enumerate(started):
            position = game.position
            seen += len(position.forbidden_points())
            assert_equal(boards, g, position)
        actions = boards.random_actions(np.random.default_rng(len(started)))
        boards.play(actions)
        for game, action in zip(started, actions):
            if not game.outcome:
                game.play(int(action))
    assert seen > games


def test_planes():
    boards = gtp_engine.Boards("Pente", 9, n=2)
    for moves in (("E5", "E5"), ("A1", "A2"), ("H8", "J9"), ("B1", "D4"), ("C1", "J8")):
        boards.play([boards.action(move) for move in moves])
    boards.play([boards.action("J1"), boards.action("A1")])
    assert boards.plies.tolist() == [6, 6] and boards.planes == PLANES + CAPTURE_PLANES
    planes = boards.observe()
    assert planes.shape == (2, 6, 9, 9) and planes.dtype == np.float32
    stones, mask = boards.stones, boards.mask.reshape(2, 9, 9)
    assert (planes[:, 0] == (stones == 1)).all() and (planes[:, 1] == (stones == 2)).all()
    assert (planes[:, 2] == mask).all() and (planes[:, 3] == 1).all()
    assert planes[0, 0, 0].tolist() == [0, 0, 1, 0, 0, 0, 0, 0, 0], "row 0 is row 1 of GTP"
    out = np.full_like(planes, 7)
    assert boards.observe(out) is out and (out == planes).all()
    boards.play([boards.action("D1"), boards.action("H1")])
    planes = boards.observe()
    assert (planes[:, 0] == (stones == 2)).all() and (planes[:, 3] == 0).all()
    observed = boards.observe(layout="gomoku")
    assert (observed[:, 0] == (stones == 1)).all() and (observed[:, 1] == (stones == 2)).all()
    assert (observed[:, 2] == 0).all()
    observed = boards.observe(layout="mnk")
    assert all((observed[:, i] == (stones == each)).all() for i, each in enumerate((0, 2, 1)))


def test_captures_in_planes():
    boards = gtp_engine.Boards("Pente-free", 9)
    for move in "A1 B1 J9 C1 D1".split():
        boards.play([boards.action(move)])
    assert boards.captured.tolist() == [[2, 0]]
    planes = boards.observe()[0]
    assert (planes[4] == 0).all() and np.allclose(planes[5], 0.2), "White is to move"


def test_observations_of_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    boards, rng = gtp_engine.Boards("Gomoku", 15, n=1), np.random.default_rng(3)
    states = {name: pyspiel.load_game(name).new_initial_state() for name in ("gomoku", "mnk")}
    while not boards.done[0]:
        for name, state in states.items():
            assert state.observation_tensor(0) == boards.observe(layout=name).reshape(-1).tolist()
            assert state.legal_actions() == np.flatnonzero(boards.mask[0]).tolist()
        action = boards.random_actions(rng)
        boards.play(action)
        for state in states.values():
            state.apply_action(int(action[0]))
    assert all(state.is_terminal() for state in states.values())


def test_random_actions_are_uniform():
    """Among many legal actions and among few, within five standard errors."""
    boards = gtp_engine.Boards("Gomoku", 5, n=1)
    generator = np.random.default_rng(5)
    for left in (25, 24, 3, 2, 1):
        while boards.mask.sum() > left:
            boards.play(boards.random_actions(generator))
            if boards.done[0]:
                boards.reset()
        legal = np.flatnonzero(boards.mask[0])
        many = boards.select(np.zeros(4000, int))
        counts = np.bincount(many.random_actions(generator), minlength=25)
        assert counts.sum() == counts[legal].sum() == 4000
        expected = 4000 / left
        assert (abs(counts[legal] - expected) <= 5 * (expected * (1 - 1 / left)) ** 0.5).all()
    again = [many.random_actions(np.random.default_rng(9)).tolist() for _ in range(2)]
    assert again[0] == again[1], "the same generator gives the same actions"


@pytest.mark.parametrize("name, size", [
    ("Gomoku", 7), ("Pente", 9), ("Keryo-Pente", 9), ("Gomoku-centre", 9), ("Gomoku-swap", 6),
    ("Renju", 9), ("Qubic", None), ("Tic-tac-toe", None)])
def test_games_of_boards(name, size):
    """The games have the stones, turns, captures, ends and legal moves of their boards."""
    rng = np.random.default_rng(3)
    boards = gtp_engine.Boards(name, size, n=30)
    for plies in range(40):
        again = gtp_engine.Boards.from_games([boards.game(g) for g in range(boards.n)])
        for each in ("stones", "turn", "captured", "done", "winner", "mask"):
            assert (getattr(boards, each) == getattr(again, each)).all(), (plies, each)
        boards.play(boards.random_actions(rng))
    game = boards.game(np.int64(1))
    assert game.svg() and gtp_engine.Game.from_sgf(game.to_sgf())._state()[2] == game._state()[2]


def test_display():
    assert [repr(gtp_engine.Boards(n=n)) for n in (1, 2)] == [
        "<1 board of Gomoku 7x7>", "<2 boards of Gomoku 7x7>"]


REFUSED = [
    (lambda boards: boards.play([1, 5, 9]), r"board 2: there is no action 9 .allowed: 0 to 8."),
    (lambda boards: boards.play([1, -1, 5]), "board 1: there is no action -1"),
    (lambda boards: boards.play([1, 4, 1]), r"board 1: action 4 .B2. is illegal: the point is occ"),
    (lambda boards: boards.play([0, 1]), r"actions need 3 integers, not int64 of shape .2,."),
    (lambda boards: boards.play([0.0, 1.0, 2.0]), "actions need 3 integers, not float64"),
    (lambda boards: boards.reset([True, False]), "boards are chosen by bool.3. or by their"),
    (lambda boards: boards.select([True]), "numbers of boards are integers in a row, not bool"),
    (lambda boards: boards.observe(layout="x"), "no such layout: x .available: own gomoku mnk."),
    (lambda boards: boards.observe(np.zeros((3, 4, 3, 2), np.float32)), "planes need a contig"),
    (lambda boards: boards.action("Z9"), "no such point: Z9"),
    (lambda boards: boards.action(None), "no such point: None .allowed: A1 to C3."),
    (lambda boards: boards.text(9), "no such action: 9 .allowed: 0 to 8."),
    (lambda boards: boards.text(-1), "no such action: -1"),
    (lambda boards: boards.select([0, 3]), "no such board: 3 .allowed: 0 to 2."),
    (lambda boards: boards.reset([-1]), "no such board: -1"),
    (lambda boards: boards.game(3), "no such board: 3"),
    (lambda boards: boards.random_actions(3), "rng must be a generator such as .* not 3"),
    (lambda boards: boards.observe(out=3), "planes need a contiguous"),
    (lambda boards: gtp_engine.Boards(3), "not the name of a game: 3"),
    (lambda boards: gtp_engine.Boards.from_games([3]), "not a Game: 3"),
    (lambda boards: boards.stones.__setitem__(0, 1), "read-only"),
    (lambda boards: gtp_engine.Boards("Go"), "no such game: Go"),
    (lambda boards: gtp_engine.Boards("Gomoku", 99), "Gomoku is played on sizes "),
    (lambda boards: gtp_engine.Boards("Gomoku", n=0), "the number of boards must be a whole"),
    (lambda boards: gtp_engine.Boards(n="x"), "the number of boards must be a whole .*not 'x'"),
    (lambda boards: gtp_engine.Boards.from_games([]), "boards need one game or more"),
    (lambda boards: gtp_engine.Boards.from_games([gtp_engine.Game(), gtp_engine.Game(size=9)]),
     "need the same rules and size"),
]


@pytest.mark.parametrize("call, reason", REFUSED)
def test_errors_change_nothing(call, reason):
    boards = gtp_engine.Boards("Tic-tac-toe", n=3)
    boards.play([0, 4, 8])
    before = boards.stones.copy(), boards.mask.copy(), boards.turn.copy()
    with pytest.raises(ValueError, match=reason):
        call(boards)
    assert all((old == new).all() for old, new in zip(
        before, (boards.stones, boards.mask, boards.turn)))


def test_forbidden_points_are_illegal():
    boards = gtp_engine.Boards("Gomoku-centre", 9)
    with pytest.raises(ValueError, match=r"action 0 \(A1\) is illegal: the rules forbid the point"):
        boards.play([0])


def test_copies_are_independent():
    boards = gtp_engine.Boards("Renju", 9, n=4)
    generator = np.random.default_rng(2)
    for _ in range(30):
        boards.play(boards.random_actions(generator))
    before = boards.stones.copy()
    copies = [boards.copy(), copy.deepcopy(boards), pickle.loads(pickle.dumps(boards)),
              boards.select([0, 1, 2, 3])]
    for each in copies:
        for _ in range(10):
            each.play(each.random_actions(np.random.default_rng(3)))
        assert (boards.stones == before).all() and (each.stones != before).any()
        assert (each.stones == copies[0].stones).all() and (each.mask == copies[0].mask).all()
    assert (boards.select([2, 2]).stones == before[[2, 2]]).all()


def test_finished_games_ignore_actions_until_they_are_reset():
    boards = gtp_engine.Boards("Tic-tac-toe", n=2)
    for actions in ((0, 0), (3, 1), (1, 2), (4, 3), (2, 4)):
        boards.play(actions)
    assert boards.done.tolist() == [True, False] and boards.winner.tolist() == [1, 0]
    assert not boards.mask[0].any() and boards.random_actions().tolist()[0] == 0
    before = boards.stones[0].copy()
    boards.play([99, 8])
    assert (boards.stones[0] == before).all() and boards.plies.tolist() == [5, 6]
    boards.reset(boards.done)
    assert boards.plies.tolist() == [0, 6] and not boards.done.any() and boards.mask[0].all()
    boards.reset([1])
    boards.reset([])
    assert not boards.plies.any() and not boards.stones.any()


def test_the_benchmark():
    """Its three programs play the same games by the same rules."""
    assert benchmark.NumpyGomoku(7, 50).check() and benchmark.rate_of_boards("Pente", 9, 8, 0) > 0
