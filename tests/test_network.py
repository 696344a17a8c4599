"""The network that looks at lines, held against the same sums made anew from the board."""

from itertools import product
from random import Random

import numpy as np
import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK
from gtp_engine.kernels.plane import accumulator, network, policy_head, state
from gtp_engine.kernels.plane.accumulator import CHANNELS
from gtp_engine.kernels.plane.network import (
    BIAS,
    DIRECT,
    HIDDEN,
    LAYERS,
    OUTPUT,
    OUTPUT_BIAS,
    POLICY,
    POLICY_BIAS,
)
from gtp_engine.kernels.plane.shapes import COMBINATIONS, PATTERNS
from gtp_engine.players.adapters import board_of, geometry_of
from gtp_engine.players.alphabeta import weights
from gtp_engine.players.quick_moves import near_stones

NEIGHBOURS = (-4, -3, -2, -1, 1, 2, 3, 4)


def random_network(seed):
    """Rows by number, bias and layers, with numbers of any size that may come."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(-200, 200, (accumulator.number_of_pattern().max() + 1, CHANNELS), np.int16)
    layers = rng.normal(0, 1e-2, LAYERS).astype(np.float32)
    layers[POLICY:] *= 60  # some weights of channels are beyond the largest
    return rows, rng.integers(-100, 100, CHANNELS, np.int16), layers


def slow_network(parts, cells, colour):
    """What the network says of these cells (int[rows, columns]: 0 empty, 1 and 2) to `colour`:
    (score, {(row, column): (what it adds to the rank of a move there, its channels)})."""
    rows, bias, layers = parts
    number = accumulator.number_of_pattern()
    board = np.pad(cells, 4, constant_values=3)
    points = {}
    for row, column in np.argwhere(cells == 0):
        channels = []
        for own in (colour, 1 - colour):
            inputs = bias.astype(int)
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [board[row + 4 + k * down, column + 4 + k * right] for k in NEIGHBOURS]
                pattern = sum((cell in (own + 1, 3)) << i | (cell in (2 - own, 3)) << i + 8
                              for i, cell in enumerate(line))
                inputs = inputs + rows[number[pattern]]
            channels += [*np.maximum(inputs, 0)]
        points[row, column] = np.array(channels)
    inputs = sum(points.values())
    hidden = np.maximum(
        inputs @ layers[:BIAS].reshape(-1, HIDDEN) + layers[BIAS:OUTPUT], 0)
    score = hidden @ layers[OUTPUT:DIRECT] + inputs @ layers[DIRECT:OUTPUT_BIAS]
    weights = np.clip(hidden @ layers[POLICY:POLICY_BIAS].reshape(HIDDEN, -1)
                      + layers[POLICY_BIAS:], -policy_head.MOST_WEIGHT, policy_head.MOST_WEIGHT)
    return score + layers[OUTPUT_BIAS], {
        point: (channels @ weights / policy_head.RANK_UNIT, channels)
        for point, channels in points.items()}


def likely_capture(position, rng):
    """A move that captures, if there is one, or one near a stone."""
    moves = near_stones(position)
    return rng.choice([move for move in moves if position.captures(position.side, move)] or moves)


@pytest.mark.parametrize("game, size", [
    ("Gomoku", 7), ("Gomoku", 15), ("Pente-free", 7), ("Pente-free", 15), ("Keryo-Pente", 9)])
@pytest.mark.few(2)
def test_along_paths(game, size):
    """From wherever it stands to any other path, score and ranks are of the position; 40 jumps."""
    parts, rng, stones = random_network(size), Random(size), 0
    position = catalogue.start(catalogue.find(game), size)
    for _ in range(6):
        position.play(position.side, rng.choice(near_stones(position)))
    geometry = geometry_of(position.rules, position.lattice)
    made = weights.weights_of(position.rules, size)._replace(network=weights.Network(
        weights.by_pattern(parts[0]), np.tile(parts[1], 2), parts[2]))
    search = state.make_search(geometry, made, 4)
    board = board_of(geometry, position)
    state.start(board, geometry, search)
    path = []
    for _ in range(40):
        keep = rng.randint(0, len(path))
        for ply in range(len(path) - 1, keep - 1, -1):
            position.undo()
            state.unmake(board, geometry, search, ply, path[ply], position.side - BLACK)
        del path[keep:]
        while len(path) < keep + 5 and not position.outcome and rng.random() < 0.7:
            path.append(likely_capture(position, rng))
            state.make(board, geometry, search, len(path) - 1, path[-1], position.side - BLACK)
            stones += len(position.captures(position.side, path[-1]))
            position.play(position.side, path[-1])
        cells, point_at = np.zeros((size, size), int), {}
        for row, column in product(range(size), repeat=2):
            point_at[row, column] = position.lattice.point(column, row, 0)
            cells[row, column] = position.cells[point_at[row, column]]
        colour, ply = position.side - BLACK, len(path)
        score, points = slow_network(parts, cells, colour)
        scores = {colour: score, 1 - colour: slow_network(parts, cells, 1 - colour)[0]}

        def is_score():
            for side in (colour, 1 - colour, colour):  # the last score comes from the table
                assert network.network_score(geometry, search, ply, side) == pytest.approx(
                    scores[side], abs=1.01)

        def are_ranks():
            search.stack.moves[ply, :len(points)] = [point_at[where] for where in points]
            search.stack.ranks[ply] = range(search.stack.ranks.shape[1])
            policy_head.add_to_ranks(geometry, search, ply, colour, len(points) - 1)
            for i, (added, channels) in enumerate(list(points.values())[:-1]):
                rounding = 1 + channels.sum() / policy_head.RANK_UNIT
                assert search.stack.ranks[ply, i] - i == pytest.approx(added, abs=rounding)
            assert search.stack.ranks[ply, len(points) - 1] == len(points) - 1

        for check in (is_score, are_ranks)[::1 if ply % 2 else -1]:
            check()
    assert stones > 5 or not position.rules.capture_lengths


def test_patterns_read_backwards():
    """A pattern and its mirror image share a row, others do not; walls stand at the ends."""
    number = accumulator.number_of_pattern()
    for pattern in range(0, PATTERNS, 97):
        own, other = (f"{pattern >> shift & 255:08b}" for shift in (0, 8))
        mirrored = int(other[::-1] + own[::-1], 2)
        assert number[pattern] == number[mirrored]
    assert number.max() + 1 == (4 ** 8 + 4 ** 4) // 2


def test_what_is_fitted_is_what_is_played():
    """By PyTorch a network that was read gives the same numbers, and is written as it was."""
    torch = pytest.importorskip("torch")
    from tuning import network as fitting, policy
    parts, count, size = random_network(3), 20, 9
    cells = np.random.default_rng(3).choice(3, (count, size * size), p=(0.7, 0.15, 0.15))
    fitted = fitting.Network(False)
    fitted.load_parts(*parts)
    lines = fitting.lines_of(cells.astype(np.uint8))
    scores = fitted(lines)[0].detach().numpy() * weights.SCORE_UNIT
    slow = [slow_network(parts, board.reshape(size, size), 0) for board in cells]
    assert scores == pytest.approx([score for score, _ in slow], rel=1e-3)
    table = np.zeros((2, COMBINATIONS), np.int16)
    combinations = torch.zeros((count, size * size, 2), dtype=torch.int64)
    _, added = policy.Policy(table, fitted)(cells.astype(np.uint8), combinations)
    for board, (_, points) in zip(added.detach().numpy().reshape(count, size, size), slow):
        for point, (rank, _) in points.items():
            assert board[point] * fitting.LIKELIHOOD_UNIT == pytest.approx(rank, rel=1e-3, abs=0.1)
    written = fitted.parts()
    assert [*written] == [*fitting.PARTS]
    for before, after in zip(parts, written.values()):
        assert before.dtype == after.dtype and after == pytest.approx(before, rel=1e-5)


def test_patterns_outside_the_games_stay(tmp_path):
    """Further training moves the own part of no pattern that its positions do not have."""
    torch = pytest.importorskip("torch")
    from tuning import network as fitting

    class Boards:
        """Two batches of the empty board."""
        steps, held = 2, ()

        def batches(self, rng):
            return [np.zeros((1, 81), np.uint8)] * self.steps

    def losses(network, cells):
        values, _ = network(fitting.lines_of(cells))
        return [(values - 1).square().mean()]

    torch.manual_seed(0)
    trained = fitting.Network(False)
    trained.load_parts(*random_network(3))
    before = trained.own_part.detach().clone()
    fitting.fit(trained, losses, Boards(), 1e-2, 3, 0, tmp_path / "state")
    moved = (trained.own_part != before).any(1).numpy()
    seen = np.unique(accumulator.number_of_pattern()[fitting.patterns_of_empty_board(81)])
    assert moved[seen].any() and not np.delete(moved, seen).any()
