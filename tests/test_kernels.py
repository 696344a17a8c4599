"""The compiled kernels against the slow, obvious rules."""

from random import Random

import numpy as np
import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE
from gtp_engine.kernels import board as boards
from gtp_engine.players.policy import policy_moves
from gtp_engine.players.simulation import Simulator
from tests.positions import random_game

RULE_NAMES = {boards.NONE: "", boards.R_WIN: "Win", boards.R_BLOCK_WIN: "BlockWin",
              boards.R_FOUR: "OpenFour", boards.R_BLOCK_FOUR: "BlockOpenFour",
              boards.R_CAPTURE: "Capture", boards.R_RANDOM: "Random"}


def kernel_choices(simulator, board, side):
    """What the kernel's policy considers, in the form of `policy_moves`."""
    out, scratch = simulator.scratch()
    rule, n = boards.choices(board, simulator.geometry, side - BLACK, out, scratch)
    points = out[0, :n] if rule != boards.R_RANDOM else [
        point for point in board.free[:n]
        if boards.allowed(board, simulator.geometry, point, side - BLACK)]
    assert len(set(points)) == len(points)
    return RULE_NAMES[rule], sorted(int(point) for point in points)


def games_of_every_kind():
    for rules in catalogue.GAMES.values():
        for size in range(max(5, rules.smallest), 20):
            for alternate in (True, False):
                yield pytest.param(rules, size, alternate, id=f"{rules.name}-{size}-{alternate}")


@pytest.mark.parametrize("rules, size, alternate", list(games_of_every_kind()))
def test_policy_at_every_ply(rules, size, alternate):
    """The kernel's choices equal the slow policy's, and a board brought up to date by moves equals
    one made anew."""
    rng = Random(f"{rules.name} {size} {alternate}")
    seen = set()
    simulator = None
    for _ in range(1 if size > 9 else 3):
        board = None
        for position in random_game(rules, size, rng, alternate, rng.choice((0.3, 0.9))):
            simulator = simulator or Simulator(rules, position.lattice)
            anew = simulator.board(position)
            record = position.history[-1] if position.history else None
            if record and not record.point:
                record = position.history[-2] if len(position.history) > 1 else None
            if board is None:
                board = anew
            else:
                boards.play(board, simulator.geometry, record.point, record.colour - BLACK,
                            simulator.scratch()[1])
            assert bytes(board.cells) == bytes(position.cells)
            for name in ("words", "counts", "active"):
                assert np.array_equal(getattr(board, name), getattr(anew, name)), name
            assert list(board.numbers[1:3]) == position.captured[1:]
            free = board.numbers[boards.FREE]
            assert sorted(board.free[:free]) == [
                point for point in position.lattice.points if position.cells[point] == EMPTY]
            if not position.outcome:
                expected = policy_moves(position, "rule_based")
                assert kernel_choices(simulator, board, position.side) == expected
                seen.add(expected[0])
                for colour in (BLACK, WHITE):
                    for point in rng.sample(position.lattice.points, 10):
                        if position.cells[point] == EMPTY:
                            assert position.wins(colour, point) == boards.wins(
                                board, simulator.geometry, point, colour - BLACK,
                                simulator.scratch()[1])
    assert "Random" in seen
