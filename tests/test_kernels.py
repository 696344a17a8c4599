"""The compiled kernels against the slow, obvious rules."""

from random import Random

import numpy as np
import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE, Lattice, opponent
from gtp_engine.games.rules import Position
from gtp_engine.kernels import kernel, rules as kernel_rules, zeros
from gtp_engine.kernels.bits import below, random_word
from gtp_engine.kernels.control import CONTROL
from gtp_engine.kernels.plane import board as boards, playouts
from gtp_engine.kernels.plane.renju import forbids
from gtp_engine.kernels.plane.renju_playouts import renju_choices
from gtp_engine.players.adapters import board_of
from gtp_engine.players.playout_policy import policy_moves
from gtp_engine.players.playouts import Simulator
from tests.positions import FIVES, random_game

SIZES = (5, 6, 7, 8, 9, 10, 12, 15, 19)  # whose lines have different lengths
RULE_NAMES = {playouts.NONE: "", playouts.R_WIN: "Win", playouts.R_BLOCK_WIN: "BlockWin",
              playouts.R_FOUR: "OpenFour", playouts.R_BLOCK_FOUR: "BlockOpenFour",
              playouts.R_CAPTURE: "Capture", playouts.R_RANDOM: "Random"}


def kernel_choices(simulator, board, side):
    """What the kernel's policy considers, in the form of `policy_moves`."""
    out, threats, scratch = simulator.scratch()
    geometry, colour = simulator.geometry, side - BLACK
    if simulator.rules.renju:
        rule, n = choices_in_renju(board, geometry, colour, out, threats)
    else:
        rule, n = playouts.choices(board.state, board.cells, board.mark, geometry.point_at,
                                   geometry.steps, geometry.game, colour, out, threats, scratch)
    if rule == playouts.R_RANDOM:
        n = allowed_points(board.state, board.free, geometry, colour, out)
    points = out[:n]
    assert len(set(points)) == len(points)
    return RULE_NAMES[rule], sorted(int(point) for point in points)


@kernel
def choices_in_renju(board, geometry, colour, out, threats):
    return renju_choices(board, geometry, colour, out, threats)


@kernel
def allowed_points(state, free, geometry, colour, out):
    """Put the empty points that the opening, and Renju, allow into `out`; returns their number."""
    n = 0
    for i in range(state[kernel_rules.FREE]):
        point = np.int64(free[i])
        if kernel_rules.allowed(state, geometry.middle, geometry.game, point, colour) and not (
                geometry.game[kernel_rules.RENJU] and forbids(state, geometry, point, colour)):
            out[n] = free[i]
            n += 1
    return n


def games_of_every_kind():
    for rules in FIVES:
        if rules.swap:  # which kernels know nothing of: it is Gomoku to them
            continue
        for size in (size for size in SIZES if size >= rules.smallest):
            for alternate in (True, False):
                yield pytest.param(rules, size, alternate, id=f"{rules.name}-{size}-{alternate}")


@pytest.mark.parametrize("rules, size, alternate", list(games_of_every_kind()))
@pytest.mark.few(14)
def test_policy_at_every_ply(rules, size, alternate):
    """The kernel's choices equal the slow policy's, and a board brought up to date by moves equals
    one made anew."""
    rng = Random(f"{rules.name} {size} {alternate}")
    seen = set()
    simulator = None
    for _ in range(1 if size > 8 else 2):
        board = None
        for position in random_game(rules, size, rng, alternate, rng.choice((0.3, 0.9))):
            simulator = simulator or Simulator(rules, position.lattice)
            geometry, scratch = simulator.geometry, simulator.scratch()[2]
            copied = boards.make_board(geometry)
            anew = board_of(simulator.geometry, position)
            record = position.history[-1] if position.history else None
            if record and not record.point:
                record = position.history[-2] if len(position.history) > 1 else None
            if board is None:
                board = anew
            else:
                boards.play(board.state, board.cells, board.free, board.slot, geometry.places,
                            geometry.steps, geometry.game, record.point, record.colour - BLACK,
                            scratch)
            assert bytes(board.cells) == bytes(position.cells)
            boards.copy(*copied[:4], *board[:4])
            for one in (board, copied):
                for part in (slice(kernel_rules.FREE, kernel_rules.OPENING),
                             slice(boards.COUNTS, None)):
                    assert np.array_equal(one.state[part], anew.state[part])
            assert sorted(board.free[:board.state[kernel_rules.FREE]]) == [
                point for point in position.lattice.points if position.cells[point] == EMPTY]
            if not position.outcome:
                expected = policy_moves(position, "rule_based")
                assert kernel_choices(simulator, board, position.side) == expected
                seen.add(expected[0])
                for colour in (BLACK, WHITE):
                    for point in rng.sample(position.lattice.points, 5):
                        if position.cells[point] == EMPTY:
                            assert position.wins(colour, point) == kernel_rules.wins(
                                board.state, board.cells, geometry.steps, geometry.game, point,
                                colour - BLACK, scratch)
    assert "Random" in seen


def times_of(position, order, simulator):
    """The arrays of `first_row` when the empty points are taken in this order."""
    second = position.lattice.cells + position.rules.in_a_row * max(position.lattice.axes)
    times = np.full(2 * second, playouts.NEVER, np.uint16)
    first = position.lattice.points[0]
    for half, colour in enumerate((opponent(position.side), position.side)):
        for point in position.lattice.points:
            if position.cells[point] == colour:
                times[half * second + point] = 0
    for time, point in enumerate(order, 1):
        times[second * (time & 1) + point] = time
    return times, first, second + position.lattice.points[-1] - first + 1


RACES = [
    (catalogue.GOMOKU, (5, 5)), (catalogue.GOMOKU, (15, 15)), (catalogue.GOMOKU_EXACT, (7, 7)),
    (catalogue.GOMOKU_EXACT, (19, 19)), (catalogue.GOMOKU, (25, 25)), (catalogue.GOMOKU, (9, 6)),
    (catalogue.GOMOKU._replace(in_a_row=3), (3, 3)),
    (catalogue.GOMOKU._replace(in_a_row=4), (6, 5)),
    (catalogue.GOMOKU_EXACT._replace(in_a_row=4), (6, 6)),
    (catalogue.GOMOKU._replace(in_a_row=3), (3, 3, 3)),
    (catalogue.GOMOKU._replace(in_a_row=4), (4, 4, 4)),
]


@pytest.mark.parametrize("rules, shape", RACES, ids=str)
@pytest.mark.few(4)
def test_the_first_row_in_a_random_order(rules, shape):
    """The earliest row of a whole random order ends the game that is played in that order."""
    rng = Random(str(shape))
    lattice = Lattice(*shape)
    simulator = Simulator(rules, lattice)
    for _ in range(40 if len(lattice.points) > 200 else 200):
        position = Position(rules, lattice)
        for point in rng.sample(lattice.points, rng.randrange(len(lattice.points) // 2)):
            if not position.outcome and not position.wins(position.side, point):
                position.play(position.side, point)
        order = [point for point in lattice.points if position.cells[point] == EMPTY]
        rng.shuffle(order)
        times, first, span = times_of(position, order, simulator)
        time = playouts.first_row(times, first, span, simulator.axes, rules.in_a_row,
                                  not rules.overline_wins)
        for number, point in enumerate(order, 1):
            position.play(position.side, point)
            if position.outcome and position.outcome.winner:
                assert time == number
                break
        else:
            assert time == playouts.NEVER


def test_dealing_in_two_parts_gives_the_same_order():
    n, second = 50, 60
    orders = []
    for stop in (0, 3, 24, 48, 50):
        order = np.arange(1, n + 1, dtype=np.uint16)
        times = np.zeros(2 * second, np.uint16)
        random = np.array([7], np.uint64)
        for part in ((0, stop), (stop, n)):
            deal_parts(order, *part, n, times, second, random)
        assert sorted(order) == list(range(1, n + 1))
        assert [times[second * (t % 2) + p] for t, p in enumerate(order)] == list(range(1, n + 1))
        orders.append(list(order))
    assert all(order == orders[0] for order in orders)


@kernel
def deal_parts(order, start, stop, n, times, second, random):
    playouts.deal(order, np.uint64(start), np.uint64(stop), np.uint64(n), times,
                  np.uint64(second), random)


@pytest.mark.parametrize("words", [random_word, lambda state: below(2**32, state) << 32])
def test_random_words_are_uniform(words):
    """Each bit of the upper half is set in half of the words, within five standard errors."""
    state = np.array([1], np.uint64)
    drawn = [int(words(state)) for _ in range(4000)]
    for bit in range(32, 64):
        assert abs(sum(word >> bit & 1 for word in drawn) - 2000) < 5 * 4000 ** 0.5 / 2


@pytest.mark.parametrize("shape, dtype", [
    (1, np.int64), (5, np.uint8), (16, np.int64), ((3, 7), np.uint16), (1, CONTROL)])
def test_zeros_share_no_cache_line(shape, dtype):
    arrays = [zeros(shape, dtype) for _ in range(20)]
    lines = []
    for array in arrays:
        like = np.zeros(shape, dtype)
        assert (array.shape, array.dtype) == (like.shape, like.dtype)
        assert array.flags.c_contiguous and array.flags.aligned and array.flags.writeable
        assert not np.any(array.view(np.uint8))
        first, whole = array.ctypes.data, array.base
        while whole.base is not None:
            whole = whole.base
        mine = range(first // 128, -(-(first + array.nbytes) // 128))
        assert whole.ctypes.data <= mine[0] * 128
        assert mine[-1] * 128 + 128 <= whole.ctypes.data + whole.nbytes
        lines += mine
    assert len(lines) == len(set(lines))
