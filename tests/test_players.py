"""Players: legal, repeatable, and as strong as their method promises."""

import threading
from contextlib import contextmanager
from itertools import islice
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.players.alphabeta.player import AlphaBeta
from gtp_engine.players.base import (
    CLOCK,
    INTERRUPT,
    POLICIES,
    Limits,
    Report,
    Settings,
    alarm,
    candidates,
)
from gtp_engine.players.first_moves import best_answers, even_first_stones
from gtp_engine.players.playout_policy import policy_moves
from gtp_engine.players.playouts import Simulator
from gtp_engine.players.quick_moves import near_stones, quick_move
from gtp_engine.players.registry import PLAYERS, make_player
from gtp_engine.solvers.solve import solve
from tests.positions import fitting, marked, picture, random_game

GO_ON = Limits(bytearray(2))


@pytest.mark.parametrize("rules", catalogue.GAMES.values(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.few(20)
def test_whole_games(rules, name, policy):
    """Every player plays every game to the end by legal moves and leaves the position alone."""
    player = make_player(name, Settings(policy, 2, Random(1), nodes=300, memory=1))
    position = catalogue.start(rules, fitting(rules, 7))
    while not position.outcome:
        before, cells = len(position.history), bytes(position.cells)
        move = player.choose(position, GO_ON)
        assert (len(position.history), bytes(position.cells)) == (before, cells)
        position.play(position.side, move)


@pytest.mark.parametrize("game", ["Gomoku", "Gomoku-swap", "Qubic-3"])
@pytest.mark.parametrize("name", PLAYERS)
def test_no_choice_after_the_end(game, name):
    """A ValueError; the position and what the player has reported are as they were."""
    player = make_player(name, Settings("random", 2, Random(1), nodes=300, memory=1))
    rules = catalogue.find(game)
    position = catalogue.start(rules, rules.smallest)
    while not position.outcome:
        player.choose(position, GO_ON)
        position.play(position.side, position.legal_moves()[0])
    report, cells, plies = player.report, bytes(position.cells), len(position.history)
    with pytest.raises(ValueError, match="the game is over"):
        player.choose(position, GO_ON)
    assert (player.report, bytes(position.cells), len(position.history)) == (report, cells, plies)


@pytest.mark.parametrize("name", ["", "beta", "Flat", None])
def test_players_that_do_not_exist(name):
    with pytest.raises(ValueError, match=r"no such player: .*\(available: flat random alphabeta\)"):
        make_player(name, Settings())


@pytest.mark.parametrize("rules", [catalogue.PENTE, catalogue.KERYO_PENTE])
@pytest.mark.parametrize("size", [7, 8, 9])
def test_restricted_opening(rules, size):
    for name in PLAYERS:
        player = make_player(name, Settings(rng=Random(2), nodes=300, memory=1))
        position = catalogue.start(rules, size)
        first = player.choose(position, GO_ON)
        assert position.lattice.coordinates(first) == (size // 2, size // 2, 0)
        position.play(BLACK, first)
        position.play(WHITE, position.lattice.points[0])
        assert player.choose(position, GO_ON) in candidates(position)
    assert len(candidates(position)) < size ** 2 - 2


@pytest.mark.parametrize("name", ["flat", "alphabeta"])
def test_a_first_stone_that_may_be_taken(name):
    """Neither in the middle, where nobody would leave it, nor in a corner."""
    position = catalogue.start(catalogue.GOMOKU_SWAP, 15)
    for seed in range(10):
        player = make_player(name, Settings(rng=Random(seed), nodes=300, memory=1))
        move = player.choose(position, GO_ON)
        x, y, _ = position.lattice.coordinates(move)
        steps = sorted((min(x, 14 - x), min(y, 14 - y)))
        assert steps[0] < 5 and steps[1] > 0 and player.report.line == (move,), steps


def test_answers_to_the_first_stone():
    """In Pente those that won games: diagonally beside it, and not two steps from it."""
    answers = set()
    for seed in range(10):
        position = catalogue.start(catalogue.PENTE, 19)
        first, = position.lattice.middle()
        position.play(position.side, first)
        player = make_player("alphabeta", Settings(rng=Random(seed), nodes=300, memory=1))
        x, y, _ = position.lattice.coordinates(player.choose(position, GO_ON))
        answers.add((abs(x - 9), abs(y - 9)))
    assert answers == {(1, 1)}


@pytest.mark.parametrize("rules", catalogue.GAMES.values(), ids=lambda rules: rules.name)
@pytest.mark.few(3)
def test_quick_moves(rules):
    """Those of the rule-based policy; where no rule decides, near the stones; among some, if told.
    """
    rng, seen = Random(rules.name), set()
    for _ in range(4):
        for position in random_game(rules, fitting(rules, 8), rng, by_policy=0.5):
            if position.outcome:
                continue
            rule, points = policy_moves(position, "rule_based")
            seen.add(rule)
            move = quick_move(position, rng)
            assert move in (points if rule != "Random" else near_stones(position)) or (
                position.swap and move == position.swap[0])
            some = rng.sample(position.legal_moves(), min(3, len(position.legal_moves())))
            assert quick_move(position, rng, some) in some
    assert len(seen) > 2


@pytest.mark.parametrize("rules, stones, expected", [
    (catalogue.PENTE, 1, best_answers), (catalogue.GOMOKU_SWAP, 0, even_first_stones)],
    ids=lambda value: str(getattr(value, "name", "")))
def test_quick_first_moves(rules, stones, expected):
    """Those that games have shown to be good, where there are any; among some, if told."""
    position = catalogue.start(rules, 19)
    for point in position.lattice.middle()[:stones]:
        position.play(position.side, point)
    known = expected(position)
    found = {quick_move(position, Random(seed)) for seed in range(20)}
    assert found <= {*known} and len(found) > 1
    other = next(point for point in position.legal_moves() if point not in known)
    assert quick_move(position, Random(1), [other, known[0]]) == known[0]
    assert quick_move(position, Random(1), [other]) == other


OBVIOUS = {  # Black to move; * marks what any playout finds
    "win": "XXXX* O.... O.... O.... .....",
    "block": "OOOO* X.... ..... X.... X....",
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", OBVIOUS)
def test_obvious_moves(policy, name):
    position = picture(catalogue.GOMOKU, OBVIOUS[name])
    player = make_player("flat", Settings(policy, 200, Random(1)))
    move = player.choose(position, GO_ON)
    assert [move] == marked(position, OBVIOUS[name])


EQUAL = {  # Black to move; * marks what the rule-based policy would play
    "open four": "....... .OOO... ......X .X*XX.. ....... X...... .......",
    "block of an open four": "....... ......X .*OOO*. ..X.... ....... X....X. .......",
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("rules", [catalogue.GOMOKU, catalogue.RENJU, catalogue.CARO],
                         ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", EQUAL)
def test_equal_moves(name, rules, policy):
    """After one playout many moves are equal: those come first that the policy would play."""
    position = picture(rules, EQUAL[name])
    preferred = policy_moves(position, "rule_based")[1]
    assert preferred == marked(position, EQUAL[name])
    decided = 0
    for seed in range(20):
        player = make_player("flat", Settings(policy, 1, Random(seed)))
        move = player.choose(position, GO_ON)
        values = player.report.values
        best = {each for each in values if values[each] == max(values.values())}
        decided += len(best) > 1
        assert move in (best.intersection(preferred) or best)
    assert decided


@pytest.mark.parametrize("game, size", [("Qubic", 8), ("Pente", 7), ("Tic-tac-toe", 4)])
def test_equal_moves_of_other_games(game, size):
    rng, seen = Random(4), 0
    for position in random_game(catalogue.find(game), size, rng, by_policy=0.0):
        rule, preferred = policy_moves(position, "rule_based")
        if position.outcome or rule in ("Random", "Win"):
            continue
        player = make_player("flat", Settings("random", 1, Random(len(position.history))))
        move, values = player.choose(position, GO_ON), player.report.values
        best = {each for each in values if values[each] == max(values.values())}
        seen += len(best.difference(preferred)) > 0
        assert move in (best.intersection(preferred) or best)
    assert seen


def slow_playout(position, policy, rng):
    """The winner of a playout by the slow policy."""
    position = position.copy()
    while not position.outcome:
        position.play(position.side, rng.choice(policy_moves(position, policy)[1]))
    return position.outcome.winner


def midgame(rules, size, plies, seed):
    for position in random_game(rules, size, Random(seed), by_policy=0.2):
        if len(position.history) == plies:
            return position
    raise AssertionError("the game was too short")


DISTRIBUTIONS = [(game, policy, size, plies, games)
                 for game, size, plies in [("Gomoku", 5, 0), ("Gomoku", 7, 10),
                                           ("Gomoku-exact", 7, 6), ("Pente", 7, 0),
                                           ("Pente", 7, 2), ("Keryo-Pente", 8, 12),
                                           ("Qubic-3", 6, 2), ("Tic-tac-toe", 3, 1)]
                 for policy, games in [("random", 1200), ("rule_based", 60)]]


@pytest.mark.parametrize("game, policy, size, plies, games", DISTRIBUTIONS)
@pytest.mark.few(3)
def test_playouts_are_distributed_as_slow_ones(game, policy, size, plies, games):
    """Draws, Black's wins and White's, within four standard errors of the slow policy's."""
    position = midgame(catalogue.find(game), size, plies, 4)
    rng = Random(5)
    moves = candidates(position)
    if plies == 0 and len(moves) > 9:
        moves = moves[:9]
    simulator = Simulator(position.rules, position.lattice)
    fast = simulator.simulate(position, moves, policy, 20_000 // len(moves),
                              1, np.zeros(2, np.uint8))
    slow = np.zeros(3)
    for number in range(games):
        after = position.copy()
        after.play(after.side, moves[number % len(moves)])
        slow[slow_playout(after, policy, rng)] += 1
    share = fast[:, :3].sum(axis=0) / fast[:, :3].sum()
    error = np.sqrt(np.maximum(share * (1 - share), 0.25 / games) / games)
    assert (abs(slow / games - share) <= 4 * error).all(), (slow / games, share)


YARDSTICK = [  # size, wins of the first and of the second player and draws in 300,000 playouts in C
    (7, 148_050, 127_452, 24_498),
    (15, 152_830, 147_170, 0),
    (19, 151_732, 148_268, 0),
]


@pytest.mark.parametrize("size, first, second, draws", YARDSTICK)
def test_random_playouts_of_the_empty_board(size, first, second, draws):
    """A random first move and random playouts after it, against another program's figures."""
    position = catalogue.start(catalogue.GOMOKU, size)
    moves = position.legal_moves()
    results = Simulator(position.rules, position.lattice).simulate(
        position, moves, "random", 300_000 // len(moves), 1, np.zeros(2, np.uint8))
    for ours, theirs in zip(results.sum(axis=0), (draws, first, second)):
        share = theirs / 300_000
        error = (share * (1 - share) * (1 / 300_000 + 1 / results[:, :3].sum())) ** 0.5
        assert abs(ours / results[:, :3].sum() - share) <= 4 * error


@pytest.mark.parametrize("game, policy", [("Gomoku", "random"), ("Gomoku", "rule_based"),
                                          ("Pente", "random"), ("Pente", "rule_based")])
def test_results_do_not_depend_on_threads(game, policy):
    position = midgame(catalogue.find(game), 9, 6, 1)
    for moves in (candidates(position), candidates(position)[:3]):
        first, other, *rest = (
            Simulator(position.rules, position.lattice, threads).simulate(
                position, moves, policy, 70, seed, np.zeros(2, np.uint8))
            for threads, seed in ((1, 1), (1, 2), (2, 1), (3, 1)))
        assert all(np.array_equal(first, same) for same in rest)
        assert not np.array_equal(first, other)
        assert (first[:, :3].sum(axis=1) == 70).all()


def test_the_better_half_goes_on(monkeypatch):
    """Sequential halving: in each round the moves with fewer wins are left out, by a clock that
    each batch of playouts moves on."""
    position, played, now = catalogue.start(catalogue.TIC_TAC_TOE, 3), [], [0.0]

    @contextmanager
    def clock(stop, seconds):
        yield lambda: now[0]

    def simulate(player, position, moves, simulations, limits):
        now[0] += simulations / 1000
        if simulations and moves != (played and played[-1]):
            played.append(moves)
        return np.array([(0, move * simulations, (99 - move) * simulations, 0) for move in moves])

    monkeypatch.setattr("gtp_engine.players.flat.alarm", clock)
    monkeypatch.setattr("gtp_engine.players.flat.FlatMonteCarlo.simulate", simulate)
    move = make_player("flat", Settings(rng=Random(1))).choose(
        position, Limits(bytearray(2), 1000.0))
    points = position.legal_moves()
    assert played == [points, points[-5:], points[-3:], points[-2:]] and move == points[-1]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("threads", [1, 2])
def test_time_instead_of_simulations(policy, threads):
    """With time, the player finds the only move that stops an open four in the making."""
    rows = """
        .........
        .........
        ..O......
        ..XXX....
        .........
        O.XX.....
        .*OOO*X..
        .........
        ........."""
    position = picture(catalogue.GOMOKU, rows, WHITE)
    player = make_player("flat", Settings(policy, 1, Random(1), threads))
    four = marked(position, rows)
    assert any(player.choose(position, Limits(bytearray(2), seconds)) in four
               for seconds in (0.5, 10.0)), "neither at once nor on a busy machine"


@pytest.mark.parametrize("name, limits, seconds", [
    ("flat", (700.0,), 700), ("alphabeta", (700.0,), 700), ("alphabeta", (700.0, 2100.0), 2100)])
def test_the_time_for_a_move_is_the_time_of_the_alarm(name, limits, seconds, monkeypatch):
    """None of it is left out of account."""
    set_to, position = [], catalogue.start(catalogue.GOMOKU, 9)
    position.play(BLACK, candidates(position)[40])

    def noted(stop, seconds):
        set_to.append(seconds)
        stop[CLOCK] = 1
        return alarm(stop, 0.0)

    player = make_player(name, Settings(rng=Random(1)))
    monkeypatch.setattr(f"{type(player).__module__}.alarm", noted)
    player.choose(position, Limits(bytearray(2), *limits))
    assert set_to == [pytest.approx(seconds, abs=60)]


ASKED = {  # what else takes a time
    "values of flat": lambda position, limits: make_player(
        "flat", Settings(rng=Random(1))).evaluate_moves(position, limits),
    "values": lambda position, limits: AlphaBeta(Settings()).evaluate_moves(position, limits),
    "ahead": lambda position, limits: AlphaBeta(Settings()).look_ahead(position, limits),
    "best moves": lambda position, limits: AlphaBeta(Settings()).best_moves(
        position, position.legal_moves(), limits),
    "a level": lambda position, limits: make_player(
        "alphabeta", Settings(rng=Random(1), level=5)).choose(position, limits),
    "a proof": lambda position, limits: solve(position, Settings(), limits),
}


@pytest.mark.parametrize("asked", ASKED)
def test_the_time_for_anything_else_is_that_of_its_alarms(asked, monkeypatch):
    set_to, position = [], catalogue.start(catalogue.GOMOKU, 9)
    position.play(BLACK, candidates(position)[40])

    def noted(stop, seconds):
        set_to.append(seconds)
        stop[CLOCK] = 1
        return alarm(stop, 0.0)

    for module in ("players.flat", "players.alphabeta.player", "players.alphabeta.level_play",
                   "solvers.solve"):
        monkeypatch.setattr(f"gtp_engine.{module}.alarm", noted)
    ASKED[asked](position, Limits(bytearray(2), 700.0))
    assert sum(set_to) == pytest.approx(700, abs=60)


def test_an_interrupted_player_answers():
    position = catalogue.start(catalogue.GOMOKU, 15)
    for seconds in (None, 1000.0):
        player = make_player("flat", Settings("random", 10**9, Random(1)))
        move = player.choose(position, Limits(bytearray([1, 0]), seconds))
        assert move in position.legal_moves()


def test_results_have_the_symmetries_of_the_square():
    """On an empty board, moves that are images of each other win as often."""
    position = catalogue.start(catalogue.GOMOKU, 7)
    simulator = Simulator(position.rules, position.lattice)
    moves = position.legal_moves()
    for policy in POLICIES:
        results = simulator.simulate(position, moves, policy, 4000, 1, np.zeros(2, np.uint8))
        wins = results[:, BLACK].reshape(7, 7)
        for image in (wins.T, wins[::-1], wins[:, ::-1]):
            assert abs(wins - image).max() < 5 * 4000 ** 0.5


@pytest.mark.thorough
def test_plies_are_counted():
    """The plies of playouts are those of slow games, within four standard errors."""
    position = midgame(catalogue.find("Pente"), 7, 4, 4)
    simulator = Simulator(position.rules, position.lattice)
    move = candidates(position)[:1]
    after = position.copy()
    after.play(after.side, move[0])
    for policy, games in (("random", 600), ("rule_based", 30)):
        fast = simulator.simulate(position, move, policy, 20_000, 1,
                                  np.zeros(2, np.uint8))[0, 3] / 20_000
        lengths = []
        for _ in range(games):
            game = after.copy()
            while not game.outcome:
                game.play(game.side, Random(len(lengths) * 1000 + len(game.history)).choice(
                    policy_moves(game, policy)[1]))
            lengths.append(len(game.history) - len(after.history))
        assert abs(np.mean(lengths) - fast) < 4 * np.std(lengths) / games ** 0.5


def test_the_flags_of_the_clock_and_of_the_interrupt():
    """The clock lowers its own flag alone, and leaves no timer behind."""
    stop, threads = bytearray(2), threading.active_count()
    with alarm(stop, 0.01):
        while not stop[CLOCK]:
            pass
        stop[INTERRUPT] = 1
    assert list(stop) == [1, 0] and threading.active_count() == threads
    with alarm(stop, 1000):
        assert threading.active_count() == threads + 1
    assert list(stop) == [1, 0] and threading.active_count() == threads


def test_an_interrupt_just_before_the_end_of_the_time():
    """It is still there when the time is over as well."""
    for name in ("flat", "alphabeta"):
        position, stop = catalogue.start(catalogue.GOMOKU, 9), bytearray(2)
        position.play(BLACK, candidates(position)[40])
        player = make_player(name, Settings(rng=Random(1)))
        player.load(position.rules)
        timer = threading.Timer(0.05, stop.__setitem__, (INTERRUPT, 1))
        timer.start()
        player.choose(position, Limits(stop, 0.1))
        timer.join()
        assert list(stop) == [1, 0]


def test_values_of_the_only_move():
    """Of a full board but for one point, with a clock."""
    position = picture(catalogue.GOMOKU, "XXO OOX X.O")
    player = make_player("flat", Settings(rng=Random(1)))

    def has_values(seconds):
        player.evaluate_moves(position, Limits(bytearray(2), seconds))
        return list(player.report.values) == position.legal_moves()

    assert any(map(has_values, (0.05, 10.0))), "neither at once nor on a busy machine"


@pytest.mark.parametrize("rules", [catalogue.GOMOKU, catalogue.QUBIC], ids=lambda rules: rules.name)
def test_lines_of_moves(rules):
    """There is one for each move that has a value; each can be played; the best one is the line."""
    game = random_game(rules, rules.default_size, Random(3), by_policy=0)
    position = next(islice(game, 8, None))
    player = make_player("alphabeta", Settings(memory=1, nodes=5000))
    player.evaluate_moves(position, Limits(bytearray(2)))
    report = player.report
    assert report.lines[report.line[0]] == report.line
    assert set(report.values) <= set(report.lines)
    assert max(map(len, report.lines.values())) > 2
    for move, line in report.lines.items():
        game = position.copy()
        for point in line:
            game.play(game.side, point)
        assert line[0] == move


def test_a_report_before_the_first_move_is_known():
    """A search that has just begun has no best move; what was found before stands."""
    player = AlphaBeta(Settings())
    player._report = Report((5,), {5: 0.25})
    player._running = SimpleNamespace(best=0, nodes=7)
    assert player.report == Report((5,), {5: 0.25}, {}, {"nodes": 7})
