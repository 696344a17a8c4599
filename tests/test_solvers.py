"""Proofs: known values of small boards, and exhaustive search."""

from random import Random

import numpy as np
import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE, Lattice, opponent
from gtp_engine.games.rules import Position, Rules
from gtp_engine.games.symmetry import symmetries
from gtp_engine.kernels.lines.board import canonical, make, unmake
from gtp_engine.kernels.rules import FIRST_STONE, OPENING
from gtp_engine.players.adapters import line_board_of
from gtp_engine.players.base import Limits, Settings
from gtp_engine.solvers.solve import _Solver, solve
from tests.engine import PATIENCE
from tests.positions import endgame, picture, random_game, value

SMALL = [  # width, height, stones in a row; winner (Uiterwijk 2019, Hsu et al. 2020)
    (3, 3, 3, EMPTY), (4, 3, 3, BLACK), (4, 4, 4, EMPTY), (5, 4, 4, EMPTY), (6, 4, 4, EMPTY),
    (5, 5, 4, EMPTY), (6, 5, 4, BLACK), (5, 5, 5, EMPTY), (6, 6, 5, EMPTY),
]


def solved(position, seconds=PATIENCE):
    return solve(position, Settings(memory=16, rng=Random(1)), Limits(bytearray(2), seconds))


@pytest.mark.parametrize("width, height, row, winner", SMALL)
@pytest.mark.few(4)
def test_small_boards(width, height, row, winner):
    rules = catalogue.GOMOKU._replace(in_a_row=row)
    for size in {(width, height), (height, width)}:
        position = Position(rules, Lattice(*size))
        found = solved(position)
        assert found.winner == winner
        position.play(BLACK, found.move)
        assert solved(position).winner == winner


def test_three_in_the_cube():
    """The first player wins 3x3x3 from the middle, and only draws nothing: no draw exists there."""
    rules = catalogue.GOMOKU._replace(in_a_row=3)
    position = Position(rules, Lattice(3, 3, 3))
    assert solved(position) == (BLACK, position.lattice.point(1, 1, 1))


@pytest.mark.parametrize("rules, shape, empty", [
    (catalogue.GOMOKU, (5, 5), 8), (catalogue.GOMOKU, (6, 6), 9),
    (catalogue.GOMOKU_EXACT, (6, 6), 8), (catalogue.GOMOKU_EXACT, (7, 5), 8),
    (catalogue.RENJU, (6, 6), 8), (catalogue.RENJU, (8, 5), 8),
    (catalogue.CARO, (6, 6), 8), (catalogue.CARO_EXACT, (7, 5), 8),
    (catalogue.PENTE_FREE, (5, 5), 2), (catalogue.KERYO_PENTE, (5, 5), 1),
    (catalogue.GOMOKU._replace(in_a_row=4), (5, 5), 10),
    (catalogue.GOMOKU_EXACT._replace(in_a_row=4), (6, 4), 9),
    (catalogue.GOMOKU._replace(in_a_row=3), (4, 4), 9)],
    ids=lambda x: f"{x.name}-{x.in_a_row}" if isinstance(x, Rules) else str(x))
@pytest.mark.few(2)
def test_endgames(rules, shape, empty):
    """Values and moves agree with exhaustive search."""
    rng = Random(str(shape))
    seen = set()
    for _ in range(30):
        position, known = endgame(rules, *shape, empty, rng), {}
        expected = value(position, known)
        found = solved(position)
        side = position.side
        assert found.winner == {1: side, 0: EMPTY, -1: opponent(side)}[expected]
        seen.add(expected)
        if expected == -1:
            assert found.move is None
        else:
            position.play(side, found.move)
            assert -value(position, known) == expected
    assert len(seen) > 1


@pytest.mark.parametrize("rules", [catalogue.GOMOKU, catalogue.GOMOKU_EXACT, catalogue.RENJU],
                         ids=lambda rules: rules.name)
@pytest.mark.few(1)
def test_two_roads_to_the_same_value(rules):
    """Proof numbers and alpha-beta with threats, which know nothing of each other, agree."""
    settings, both = Settings(memory=1), 0
    for seed in range(40):
        for position in random_game(rules, 7, Random(seed)):
            legal = position.legal_moves()
            if len(position.history) in (19, 23, 27) and legal and not any(
                    position.wins(position.side, point) for point in legal):
                first, second = (_Solver(position, settings, Limits(bytearray(2)))
                                 for _ in range(2))
                values = first.by_proof(3000), second.by_alphabeta(3000)
                if None not in values:
                    both += 1
                    assert values[0].winner == values[1].winner
    assert both > 20


def test_a_forced_move_that_is_answered_elsewhere():
    """White has to block, is answered on the other point of a pair, and may then move freely."""
    position = picture(catalogue.GOMOKU, """
        O......
        .X..O.X
        .X.XOX.
        .OO.XXX
        .OOXOO.
        .O..XXO
        .....X.""", WHITE)
    assert solved(position).winner == WHITE


def test_a_game_that_is_over_and_one_that_takes_too_long():
    won = picture(catalogue.GOMOKU, "XXXXX OOOO. ..... ..... .....")
    assert solved(won) == (BLACK, None)
    assert solved(catalogue.start(catalogue.GOMOKU_EXACT, 17), 0.05) == (None, None)


def test_gomoku_on_15x15_is_solved():
    """Wherever White answers, it has lost."""
    position = catalogue.start(catalogue.GOMOKU, 15)
    centre, *_ = position.lattice.middle()
    assert solved(position, 0.05) == (BLACK, centre)
    position.play(BLACK, centre)
    assert solved(position, 0.05) == (BLACK, None)
    for answer in position.legal_moves():
        position.play(WHITE, answer)
        value = solved(position, 0.05)
        assert value.winner == BLACK and position.complaint(BLACK, value.move) is None
        position.undo()


@pytest.mark.parametrize("rules", [catalogue.GOMOKU, catalogue.GOMOKU_EXACT, catalogue.PENTE,
                                   catalogue.KERYO_PENTE], ids=lambda rules: rules.name)
def test_moves_and_their_undoing(rules):
    """After any moves the arrays equal those made anew, and undoing restores every one of them."""
    names = "cells", "state", "rest", "sets", "hash", "counts"
    for seed in range(4):
        final = None
        for position in random_game(rules, 8, Random(seed)):
            final = position
        start, states = catalogue.start(rules, 8), []
        board = line_board_of(start, 4)
        plies = list(enumerate(r for r in final.history if r.point))
        for ply, record in plies:
            states.append([getattr(board, name).copy() for name in names])
            make(board, ply, record.point, record.colour - BLACK)
            start.play(record.colour, record.point)
            if board.counts[OPENING] < 0:
                board.counts[FIRST_STONE] = 0
        anew = line_board_of(start, 4)
        for name in names:
            assert np.array_equal(getattr(board, name), getattr(anew, name)), name
        for ply, record in reversed(plies):
            unmake(board, ply, record.point, record.colour - BLACK)
            for name, state in zip(names, states[ply]):
                assert np.array_equal(getattr(board, name), state), name


def test_symmetric_positions_have_the_same_key():
    """The eight ways to show a position on the square, the four on other boards, and all those of
    boards that are as long as a row; rows stay rows."""
    for size, row, count in (((7, 7), 5, 8), ((7, 6), 5, 4), ((5, 5), 5, 32), ((3, 3), 3, 8),
                             ((3, 3, 3), 3, 48), ((4, 4, 4), 4, 192)):
        rng = Random(1)
        lattice, rules = Lattice(*size), catalogue.GOMOKU._replace(in_a_row=row)
        rows = set(map(frozenset, lattice.lines(row)))
        stones = rng.sample(lattice.points, 2 * row)
        keys = set()
        shown = {tuple(where) for where in symmetries(lattice, row)}
        assert len(shown) == count
        for where in shown:
            assert {frozenset(where[point] for point in row) for row in rows} == rows
            position = Position(rules, lattice)
            for stone in stones:
                position.setup([(1 + stones.index(stone) % 2, where[stone])])
            keys.add(int(canonical(line_board_of(position, 4), 0, 0)))
        assert len(keys) == 1
