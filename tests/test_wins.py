"""A won game is won: claimed wins come nearer with every move, whatever the opponent does; and
what is chosen in lost positions was searched to the end."""

from copy import deepcopy
from random import Random

import pytest

from benchmarks import search as benchmark
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import EMPTY, WHITE, opponent
from gtp_engine.players.base import Limits, Settings, candidates
from gtp_engine.players.quick_moves import near_stones
from gtp_engine.players.registry import make_player
from gtp_engine.wire.notation import GtpPoints
from tests.engine import Engine
from tests.positions import picture

PLIES = "plies to win"


def player(seed, nodes):
    return make_player("alphabeta", Settings(rng=Random(seed), nodes=nodes, memory=4))


def choice(chooser, position):
    """The move, and the plies of the win that is claimed or None."""
    move = chooser.choose(position, Limits(bytearray(2)))
    return move, chooser.report.figures.get(PLIES)


def won_positions(rules, size, nodes, count):
    """Positions of games against itself in which a win of five plies or more is claimed, each with
    a number and the player that claims it."""
    seed = 0
    while count:
        seed += 1
        rng, position = Random(seed), catalogue.start(rules, size)
        for _ in range(rng.randint(4, 9)):
            if not position.outcome:
                position.play(position.side, rng.choice(near_stones(position)))
        chooser = player(seed, nodes)
        while not position.outcome:
            move, plies = choice(chooser, position)
            if plies and plies >= 5:
                yield position, seed, chooser
                count -= 1
                break
            position.play(position.side, move)


def longest(position, chooser):
    """The answer that holds longest, as the winner itself sees it."""
    line = chooser.report.line
    return line[1] if len(line) > 1 else position.legal_moves()[0]


def at_random(position, rng):
    """Any legal answer, often one near the stones or one that is forced."""
    wins = [point for point in candidates(position)
            if position.wins(opponent(position.side), point)]
    return rng.choice(rng.choice([wins or near_stones(position), near_stones(position),
                                  candidates(position)]))


def play_to_the_end(start, seed, claimant):
    """The claimed win comes nearer, against the longest defence and against random answers."""
    for stubborn in (True, False, False):
        rng, chooser, position = Random(seed + stubborn), deepcopy(claimant), start.copy()
        winner, claimed = position.side, 0
        while not position.outcome:
            move, plies = choice(chooser, position)
            assert plies, (seed, len(position.history))
            assert not claimed or plies <= claimed - 2, (seed, plies, claimed)
            claimed = plies
            position.play(winner, move)
            if not position.outcome:
                position.play(position.side, longest(position, chooser) if stubborn
                              else at_random(position, rng))
        assert claimed == 1 and position.outcome.winner == winner


WON = [(catalogue.GOMOKU, 15, 2000, 10), (catalogue.GOMOKU_EXACT, 15, 2000, 6),
       (catalogue.CARO, 15, 2000, 6), (catalogue.RENJU, 15, 2000, 8),
       (catalogue.PENTE_FREE, 13, 2000, 6),
       (catalogue.QUBIC, 8, 500, 6)]


@pytest.mark.parametrize("rules, size, nodes, count", WON, ids=lambda value: str(value)[:24])
@pytest.mark.thorough
def test_claimed_wins_come_nearer(rules, size, nodes, count):
    """Some forty positions, played on against the longest defence and against random answers."""
    for start, seed, claimant in won_positions(rules, size, nodes, count):
        play_to_the_end(start, seed, claimant)


FAR = [  # the tree finds these wins, and not all of a proof is in its table
    "G10 E10 C8 C7 B6 E6 H9 D6 B8 E7 B7 B5 E8",
    "H10 J11 L9 F10 H12 H11 F11 J9 J10 L10 K11 H9 H8 F9 G9 E8 G10 G8 E10",
    "H7 K8 K10 K9 H11 L8 J11 L9 L11 K11 J9 H8 J8"]


@pytest.mark.parametrize("moves", FAR)
@pytest.mark.few(1)
def test_what_the_tree_wins_is_proved(moves):
    """Also where the table has lost a part of the proof, or the proof has many positions."""
    position = benchmark.position("Gomoku", moves)
    chooser = make_player("alphabeta", Settings(rng=Random(1), nodes=1_200_000, memory=64))
    _, plies = choice(chooser, position)
    assert plies and plies >= 15
    play_to_the_end(position, 1, chooser)


def test_a_double_four_is_a_proved_win():
    position = picture(
        catalogue.GOMOKU,
        "....X.... ......... ....O.... ....O.... ....O.... OOO....XX ....X.... ........X ......X..",
        WHITE)
    move, plies = choice(player(1, 1000), position)
    assert (GtpPoints(position.lattice).name[move], plies) == ("E4", 3)


@pytest.mark.parametrize("rules, size, nodes", [
    (catalogue.GOMOKU, 15, 1500), (catalogue.RENJU, 15, 1500),
    (catalogue.PENTE, 13, 1500), (catalogue.QUBIC, 8, 300)])
@pytest.mark.few(2)
def test_claims_in_games_against_itself(rules, size, nodes):
    """One player for both sides: what a side claims it keeps, also while the other one thinks."""
    claims = 0
    for seed in range(6):
        rng, chooser, position = Random(seed), player(seed, nodes), catalogue.start(rules, size)
        for _ in range(rng.randint(1, 5)):
            position.play(position.side, rng.choice(near_stones(position)))
        due = {}  # by colour, the number of plies after which it has won
        while not position.outcome:
            side, now = position.side, len(position.history)
            move, plies = choice(chooser, position)
            if plies:
                claims += 1
                assert now + plies <= due.get(side, now + plies), (seed, now)
                due[side] = now + plies
            position.play(side, move)
        won = position.outcome.winner
        assert len(position.history) <= due.get(won, 1000)
        assert won == EMPTY or opponent(won) not in due
    assert claims > 15


def test_a_win_by_threats_is_not_thrown_away():
    """The moves of shared games: the time ends in the depth after the one that found the win."""
    engine = Engine("Pente", 19, player="alphabeta", nodes=500_000, memory=64, rng=Random(32))
    engine.play("b K10 w M11 b G12 w O11 b M12 w L11 b N11 w O10 b K11 w O9 b O12 w L13 b K9 w K12 "
                "b H11 w J10 b J11 w O8 b O7 w F13")
    move = engine.ask("genmove b")
    figures = engine.session.engine.search.report.figures
    assert figures.get(PLIES), move
    assert engine.session.engine.search.report.values[engine.session.points.point_of(move)] == 1


LOST = [  # Pente: moves, side, nodes, the move that was nonsense, plies for which ours holds
    ("b K10 w L9 b O12 w J9 b O11 w O10 b O13 w L7 b L10 w J10 b J8 w M10 b K8 w L8 b N11 w L9",
     "b", 1_500_000, 21, "K6", 12),
    ("b K10 w M10 b F8 w K12 b F10 w L11 b J13 w K14 b H10 w K13 b K15 w G10 b G9 w E7 b H8 w J7 "
     "b K8 w J12 b H11 w H12 b L14 w N9 b O8 w H9 b J8 w G8 b F7 w F9 b K9",
     "w", 300_000, 1, "G19", 6),
]


@pytest.mark.parametrize("moves, side, nodes, seed, nonsense, holds", LOST,
                         ids=[row[4] for row in LOST])
@pytest.mark.thorough
def test_lost_positions(moves, side, nodes, seed, nonsense, holds):
    engine = Engine("Pente", 19, player="alphabeta", nodes=nodes, rng=Random(seed))
    engine.play(moves)
    move = engine.ask(f"genmove {side}")
    assert move != nonsense
    other = "w" if side == "b" else "b"
    engine.ask("param nodes 200000")
    engine.ask(f"reg_genmove {other}")
    assert engine.session.engine.search.report.figures.get(PLIES, 1000) >= holds


@pytest.mark.parametrize("rules, size", [
    (catalogue.GOMOKU, 9), (catalogue.CARO_EXACT, 9), (catalogue.RENJU, 9),
    (catalogue.PENTE_FREE, 9),
    (catalogue.QUBIC, 8)])
@pytest.mark.few(2)
def test_an_interrupt_does_not_cost_a_win(rules, size):
    """Also with the flag up from the start, a win in one ply is played."""
    found = 0
    for seed in range(30):
        rng, position = Random(seed), catalogue.start(rules, size)
        chooser = player(seed, 100)
        while not position.outcome:
            wins = [point for point in candidates(position)
                    if position.wins(position.side, point)]
            if wins:
                found += 1
                assert chooser.choose(position, Limits(bytearray([1, 0]))) in wins
                break
            position.play(position.side, rng.choice(near_stones(position)))
    assert found > 20
