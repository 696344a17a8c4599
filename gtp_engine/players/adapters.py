"""Converters from positions to the arrays of the kernels."""


import numpy as np

from ..games.lattice import BLACK, PASS, WHITE, Lattice
from ..games.rules import Position, Rules
from ..games.symmetry import row_length, symmetries
from ..kernels import Call, boards as many
from ..kernels.lines import board as line_boards
from ..kernels.plane import board as boards


def game_of(rules: Rules) -> tuple[int, ...]:
    """The entries of kernels.rules for a game, without the cells in a row."""
    return (rules.exact(BLACK), 2 in rules.capture_lengths, 3 in rules.capture_lengths,
            rules.captures_to_win, rules.centre_opening, rules.caro, rules.block_open_four,
            rules.renju)


def table_bits(memory: int, entry: int) -> int:
    """The bits of the number of entries, 2**bits, of `entry` bytes each in `memory` MB."""
    return (memory * (1 << 20) // entry).bit_length() - 1


def first_stone(position: Position) -> int:
    """The point of the first stone played, PASS if there is none."""
    return next((record.point for record in position.history if record.point != PASS), PASS)


def geometry_of(rules: Rules, lattice: Lattice) -> boards.Geometry:
    """The lines of a lattice and the rules of a game."""
    return boards.make_geometry(
        lattice.points, lattice.axes, lattice.cells, lattice.row, lattice.middle(),
        game_of(rules))


def board_of(geometry: boards.Geometry, position: Position) -> boards.Board:
    """A board of this geometry with the stones of the position."""
    return boards.make_board(geometry, np.frombuffer(position.cells, np.uint8),
                             position.captured, position.opening_plies,
                             first_stone(position))


def line_board_of(position: Position, table_bits: int,
                  symmetric: bool = True) -> line_boards.LineBoard:
    """The position as lines; see `empty_line_board`."""
    board = empty_line_board(position.rules, position.lattice, table_bits, symmetric)
    set_up(position, board)
    return board


def empty_line_board(rules: Rules, lattice: Lattice, table_bits: int,
                     symmetric: bool = True) -> line_boards.LineBoard:
    """An empty board with a table of 2**table_bits entries of 24 bytes.

    Unless `symmetric`, symmetrical positions have different keys.
    """
    points = set(lattice.points)
    lines = []
    for line in lattice.lines(rules.in_a_row):
        step, start = line[1] - line[0], line[0]
        while start - step in points:
            start -= step
        lines.append(((step, start), line, (line[0] - step, line[-1] + step)))
    lines.sort()
    numbers = {row: number for number, row in enumerate(dict.fromkeys(row for row, *_ in lines))}
    return line_boards.make_board(
        lattice.points, [line for _, line, _ in lines], [numbers[row] for row, *_ in lines],
        [ends for *_, ends in lines], [*lattice.axes, *(-axis for axis in lattice.axes)],
        lattice.middle(), (*game_of(rules), lattice.row), rules.in_a_row, lattice.cells,
        symmetries(lattice, row_length(rules)) if symmetric else (np.arange(lattice.cells),),
        table_bits)


def calls_of_set_up(board: line_boards.LineBoard) -> list[Call]:
    """The kernel calls of `set_up`, for `load`."""
    return [Call(line_boards.set_up, (board, board.cells, 0, 0, 0, 0))]


def set_up(position: Position, board: line_boards.LineBoard) -> None:
    """Replace the stones on the board by a position of the same game and lattice."""
    opening, first = -1, PASS
    if position.rules.centre_opening and position.opening_plies >= 0:
        opening, first = position.opening_plies, first_stone(position)
    line_boards.set_up(board, np.frombuffer(position.cells, np.uint8), *position.captured[1:],
                       opening, first)


def games_of(rules: Rules, lattice: Lattice, n: int) -> many.Games:
    """Return n boards of a game side by side, to be set by `many.start` or `put`.

    Raises ValueError for Renju in three dimensions.
    """
    if rules.renju and lattice.depth > 1:
        raise ValueError(f"{rules.name} has forbidden points, which need a board in the plane")
    lengths = sum(1 << length for length in {*rules.capture_lengths})
    return many.make_games(
        n, lattice.points, lattice.axes, lattice.cells, lattice.middle(),
        (rules.in_a_row, rules.exact(BLACK), rules.exact(WHITE), rules.caro, lengths,
         rules.captures_to_win, rules.centre_opening, rules.first, rules.swap, rules.renju,
         lattice.row, lattice.row * (lattice.height + 1)))


def put(position: Position, games: many.Games, g: int) -> None:
    """Copy a position onto the new board g of `games_of`."""
    outcome = position.outcome
    games.cells[g] = np.frombuffer(position.cells, np.uint8)
    games.turn[g] = position.side
    games.captured[g] = position.captured[BLACK:]
    games.opening[g], games.plies[g] = position.opening_plies, len(position.moves)
    games.first[g] = first_stone(position)
    games.done[g], games.winner[g] = outcome is not None, outcome.winner if outcome else 0
    many.derive(games, g)
