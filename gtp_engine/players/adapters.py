"""Positions as the kernels see them."""

from functools import lru_cache
from itertools import permutations, product

import numpy as np

from ..games.lattice import BLACK, PASS, Lattice
from ..games.rules import Position, Rules
from ..kernels import Call
from ..kernels.lines import board as line_boards
from ..kernels.plane import board as boards


def game_of(rules: Rules) -> tuple[int, ...]:
    """The rules of a game as in kernels.rules, without the cells in a row."""
    return (rules.exact(BLACK), 2 in rules.capture_lengths, 3 in rules.capture_lengths,
            rules.captures_to_win, rules.centre_opening, rules.caro, rules.block_open_four,
            rules.renju)


def table_bits(memory: int, entry: int) -> int:
    """The logarithm of how many entries of so many bytes a table of so many MB has: 2**bits."""
    return (memory * (1 << 20) // entry).bit_length() - 1


def first_stone(position: Position) -> int:
    """The point of the first stone that was played, PASS if there is none."""
    return next((record.point for record in position.history if record.point != PASS), PASS)


def geometry_of(rules: Rules, lattice: Lattice) -> boards.Geometry:
    """The lines of a lattice and the rules of a game."""
    return boards.make_geometry(
        lattice.points, lattice.axes, lattice.cells, lattice.row, lattice.middle(),
        game_of(rules))


def board_of(geometry: boards.Geometry, position: Position) -> boards.Board:
    """A board of that geometry with the stones of the position."""
    return boards.make_board(geometry, np.frombuffer(position.cells, np.uint8),
                             position.captured, position.opening_plies,
                             first_stone(position))


@lru_cache(maxsize=32)
def symmetries(lattice: Lattice, length: int) -> tuple[np.ndarray, ...]:
    """Every way to move the points so that rows of that length stay rows, the identity first.

    Each is an array int64[cells] that says where a cell goes; border cells stay.  Where rows are as
    long as the board, coordinates may also change places if what mirrors each other still does:
    4x4x4 has 192 symmetries, 48 of them those of a cube (Silver 1967).
    """
    sizes = lattice.width, lattice.height, lattice.depth
    orders = [order for order in permutations(range(3))
              if all(sizes[order[axis]] == sizes[axis] for axis in range(3))]
    swaps = [tuple(range(max(sizes)))]
    if {*sizes} <= {1, length}:
        # Of two that are mirror images of each other one will do: the other is that and a flip.
        swaps = [swap for swap in permutations(range(length)) if swap[0] < length / 2 and all(
            swap[i] + swap[-1 - i] == length - 1 for i in range(length))]
    found = []
    for swap, order in product(swaps, orders):
        for flips in product(*((False, True) if size > 1 else (False,) for size in sizes)):
            where = np.arange(lattice.cells)
            for point in lattice.points:
                old = lattice.coordinates(point)
                new = [swap[old[axis]] if sizes[axis] > 1 else 0 for axis in order]
                where[point] = lattice.point(*(
                    size - 1 - value if flip else value
                    for size, flip, value in zip(sizes, flips, new)))
            found.append(where)
    return tuple(found)


def line_board_of(position: Position, table_bits: int,
                  symmetric: bool = True) -> line_boards.LineBoard:
    """The position as lines; see `empty_line_board`."""
    board = empty_line_board(position.rules, position.lattice, table_bits, symmetric)
    show(position, board)
    return board


def empty_line_board(rules: Rules, lattice: Lattice, table_bits: int,
                     symmetric: bool = True) -> line_boards.LineBoard:
    """A board without stones, with a table of 2**table_bits entries of 24 bytes.

    Unless `symmetric`, positions that a symmetry shows as each other are different to it.
    """
    points = set(lattice.points)
    found = []
    for line in lattice.lines(rules.in_a_row):
        step, start = line[1] - line[0], line[0]
        while start - step in points:
            start -= step
        found.append(((step, start), line, (line[0] - step, line[-1] + step)))
    found.sort()
    numbers = {row: number for number, row in enumerate(dict.fromkeys(row for row, *_ in found))}
    return line_boards.make_board(
        lattice.points, [line for _, line, _ in found], [numbers[row] for row, *_ in found],
        [ends for *_, ends in found], [*lattice.axes, *(-axis for axis in lattice.axes)],
        lattice.middle(), (*game_of(rules), lattice.row), rules.in_a_row, lattice.cells,
        symmetries(lattice, rules.in_a_row) if symmetric else (np.arange(lattice.cells),),
        table_bits)


def calls_of_show(board: line_boards.LineBoard) -> list[Call]:
    """What `show` calls, to be loaded."""
    return [Call(line_boards.set_up, (board, board.cells, 0, 0, 0, 0))]


def show(position: Position, board: line_boards.LineBoard) -> None:
    """Put a position of the same game and lattice into the board in place of what stands there."""
    opening, first = -1, PASS
    if position.rules.centre_opening and position.opening_plies >= 0:
        opening, first = position.opening_plies, first_stone(position)
    line_boards.set_up(board, np.frombuffer(position.cells, np.uint8), *position.captured[1:],
                       opening, first)
