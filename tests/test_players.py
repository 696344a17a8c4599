"""Players: legal, repeatable, and as strong as their method promises."""

from random import Random

import numpy as np
import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.players import PLAYERS, POLICIES, Limits, Settings, candidates, make_player
from gtp_engine.players.policy import policy_moves
from gtp_engine.players.simulation import Simulator
from tests.positions import drawing, picture, random_game

GO_ON = Limits(bytearray(1))


@pytest.mark.parametrize("rules", catalogue.GAMES.values(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("policy", POLICIES)
def test_whole_games(rules, name, policy):
    """Every player plays every game to the end by legal moves and leaves the position alone."""
    player = make_player(name, Settings(policy, 2, Random(1)))
    position = catalogue.start(rules, 7)
    while not position.outcome:
        before, cells = len(position.history), bytes(position.cells)
        move = player.choose(position, GO_ON)
        assert (len(position.history), bytes(position.cells)) == (before, cells)
        position.play(position.side, move)


@pytest.mark.parametrize("rules", [catalogue.PENTE, catalogue.KERYO_PENTE])
@pytest.mark.parametrize("size", [7, 8, 9])
def test_restricted_opening(rules, size):
    for name in PLAYERS:
        player = make_player(name, Settings(rng=Random(2)))
        position = catalogue.start(rules, size)
        first = player.choose(position, GO_ON)
        assert position.lattice.coordinates(first) == (size // 2, size // 2, 0)
        position.play(BLACK, first)
        position.play(WHITE, position.lattice.points[0])
        assert player.choose(position, GO_ON) in candidates(position)
    assert len(candidates(position)) < size ** 2 - 2


OBVIOUS = [  # Black to move; * marks what any playout finds
    ("win", "XXXX. O.... O.... O.... .....", "XXXX* O.... O.... O.... ....."),
    ("block", "OOOO. X.... ..... X.... X....", "OOOO* X.... ..... X.... X...."),
]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name, before, after", OBVIOUS, ids=lambda value: value[:5])
def test_obvious_moves(policy, name, before, after):
    position = picture(catalogue.GOMOKU, before)
    player = make_player("flat", Settings(policy, 200, Random(1)))
    move = player.choose(position, GO_ON)
    assert drawing(position, {move}).split() == after.split()


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
                                           ("Pente", 7, 2), ("Keryo-Pente", 8, 12)]
                 for policy, games in [("random", 1200), ("rule_based", 60)]]


@pytest.mark.parametrize("game, policy, size, plies, games", DISTRIBUTIONS)
def test_playouts_are_distributed_as_slow_ones(game, policy, size, plies, games):
    """Draws, Black's wins and White's, within four standard errors of the slow policy's."""
    position = midgame(catalogue.find(game), size, plies, 4)
    rng = Random(5)
    moves = candidates(position)
    if plies == 0 and len(moves) > 9:
        moves = moves[:9]
    simulator = Simulator(position.rules, position.lattice)
    fast = simulator.simulate(position, moves, policy, 200_000 // len(moves),
                              np.arange(len(moves), dtype=np.uint64), np.zeros(1, np.uint8))
    slow = np.zeros(3)
    for number in range(games):
        after = position.copy()
        after.play(after.side, moves[number % len(moves)])
        slow[slow_playout(after, policy, rng)] += 1
    share = fast.sum(axis=0) / fast.sum()
    error = np.sqrt(np.maximum(share * (1 - share), 0.25 / games) / games)
    assert (abs(slow / games - share) <= 4 * error).all(), (slow / games, share)
