"""Check that the strategy of 4x4x4 wins, by independent rules.

A set of stones is an integer with one bit per point; a row is an integer with four bits.  The
functions of this file that use rows also check the engine's symmetries and threats.

For each position of the table, the check plays its move and every reply.  A symmetry must map the
new position to a position of the table, or threats must win it.  So if the table has the empty
board, the first player wins, by induction on the number of empty points.
"""

from argparse import ArgumentParser, Namespace
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import product
from typing import Iterator, NamedTuple, Sequence

import numpy as np

from ...command_line.options import add_processes
from ...games import catalogue
from ...games.lattice import BLACK, WHITE
from ...players.adapters import line_board_of
from ...players.alphabeta.line_search import ROOT_THREATS
from ...players.proofs import qubic as strategy
from ...players.proofs.lines import threat_win
from ...players.proofs.qubic import Strategy

SIDE, POINTS = 4, 64
ALL = (1 << POINTS) - 1


def rows() -> frozenset[int]:
    """Return the rows of four; the number of a point is x + 4 * y + 16 * z."""
    result = set()
    for start in product(range(SIDE), repeat=3):
        for direction in product((-1, 0, 1), repeat=3):
            line = [tuple(s + i * d for s, d in zip(start, direction)) for i in range(SIDE)]
            if any(direction) and all(0 <= c < SIDE for point in line for c in point):
                result.add(sum(1 << x + 4 * y + 16 * z for x, y, z in line))
    return frozenset(result)


ROWS = sorted(rows())


class CheckFailed(Exception):
    """A fault of the strategy."""


class Count(NamedTuple):
    """The numbers of tried positions and moves."""

    positions: int  # of the table
    replies: int  # to its moves
    forced: int  # replies after which threats win
    longest: int  # the most stones on the board at the end

    def plus(self, other: "Count") -> "Count":
        """Return the sum of two counts."""
        return Count(self.positions + other.positions, self.replies + other.replies,
                     self.forced + other.forced, max(self.longest, other.longest))


def bits(word: int) -> Iterator[int]:
    """Yield the numbers of the one bits of a word."""
    return (i for i in range(POINTS) if word >> i & 1)


def has_row(stones: int) -> bool:
    """Return whether the stones contain a row."""
    return any(stones & row == row for row in ROWS)


def winning_points(stones: int, other: int) -> set[int]:
    """Return the points, as words, where one more stone completes a row."""
    return {row & ~stones for row in ROWS
            if not row & other and (stones & row).bit_count() == SIDE - 1}


def put(point: int, occupied: int) -> None:
    """Check that `point` is one empty point.  Raises CheckFailed."""
    if point & occupied or point.bit_count() != 1 or point & ~ALL:
        raise CheckFailed("an illegal move")


def check_threats(own: int, other: int, threats: Sequence[tuple[int, int]]) -> int:
    """Play threats and their answers, given as words; return the number of stones at the end.

    Raises CheckFailed unless each threat forces its answer and the last one wins.
    """
    for threat, answer in threats[:-1]:
        put(threat, own | other)
        own |= threat
        if winning_points(other, own):
            raise CheckFailed("the opponent wins instead of answering")
        if answer not in winning_points(own, other):
            raise CheckFailed("a move is no threat")
        put(answer, own | other)
        other |= answer
    stone = threats[-1][0]
    put(stone, own | other)
    own |= stone
    if has_row(own):
        return (own | other).bit_count()
    if winning_points(other, own) or len(winning_points(own, other)) < 2:
        raise CheckFailed("the last threat does not win")
    return (own | other).bit_count() + 2


def check(table: Strategy, chosen: Sequence[int]) -> Count:
    """Try every reply to the moves of some entries of the table.  Raises CheckFailed."""
    position = catalogue.start(catalogue.QUBIC, catalogue.QUBIC.default_size)
    board = line_board_of(position, 0, symmetric=False)
    number = {point: i for i, point in enumerate(position.lattice.points)}
    keys = set(zip(table.own.tolist(), table.other.tolist()))
    count = Count(0, 0, 0, 0)
    for i in chosen:
        own, other = int(table.own[i]), int(table.other[i])
        if own & other or own.bit_count() != other.bit_count() or has_row(own) or has_row(other):
            raise CheckFailed(f"entry {i} is not a position")
        move = 1 << int(table.moves[i])
        put(move, own | other)
        own |= move
        for reply in bits(ALL & ~own & ~other):
            after = other | 1 << reply
            if has_row(after):
                raise CheckFailed(f"entry {i} loses to {reply}")
            key, symmetry = table.canonical(cells_of(own, after))
            if key in keys:
                if (image_of(own, symmetry), image_of(after, symmetry)) != key:
                    raise CheckFailed(f"entry {i}: the symmetry does not lead to the entry")
                count = count.plus(Count(0, 1, 0, 0))
                continue
            table.set_up(cells_of(own, after), symmetry, board)
            board.failed.fill(0)
            stones = threat_win(board, 0, ROOT_THREATS)
            if not stones:
                raise CheckFailed(f"entry {i} has no answer to {reply}")
            threats = [(1 << number[int(threat)], 1 << number[int(answer)])
                       for ply, last in enumerate(board.tried[:max(1, stones // 2), 1])
                       for threat, answer in [board.pairs[ply, last]]]
            length = check_threats(image_of(own, symmetry), image_of(after, symmetry), threats)
            count = count.plus(Count(0, 1, 1, length))
        count = count.plus(Count(1, 0, 0, 0))
    return count


def cells_of(black: int, white: int) -> np.ndarray:
    """Return the board as uint8[64]."""
    return np.array([(black >> i & 1) * BLACK + (white >> i & 1) * WHITE for i in range(POINTS)],
                    np.uint8)


def image_of(stones: int, symmetry: np.ndarray) -> int:
    """Return the image of stones under a symmetry.  Raises CheckFailed if it is no symmetry."""
    images = point_images(symmetry.tobytes())
    return sum(images[i] for i in bits(stones))


@lru_cache(maxsize=None)
def point_images(symmetry: bytes) -> list[int]:
    """Return the image of each point as a word.  Raises CheckFailed unless rows map to rows."""
    images = [0] * POINTS
    for i, point in enumerate(np.frombuffer(symmetry, np.int64)):
        images[point] = 1 << i
    if {sum(images[i] for i in bits(row)) for row in ROWS} != set(ROWS):
        raise CheckFailed("a symmetry does not map rows to rows")
    return images


def verify(table: Strategy, processes: int) -> Count:
    """Try every reply to every move of the table.  Raises CheckFailed if a reply refutes it."""
    if (0, 0) not in zip(table.own.tolist(), table.other.tolist()):
        raise CheckFailed("the table lacks the empty board")
    count, parts = Count(0, 0, 0, 0), 4 * processes
    chosen = [range(start, table.own.size, parts) for start in range(parts)]
    with ProcessPoolExecutor(processes) as pool:
        for part in pool.map(check, [table] * parts, chosen):
            count = count.plus(part)
    return count


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("table", nargs="?", metavar="FILE",
                        help="the table (default: the engine's)")
    add_processes(parser)


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Check the strategy of 4x4x4; the exit status is 1 if it does not win."""
    try:
        table = strategy.read(options.table or strategy.FILE)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    try:
        count = verify(table, options.processes)
    except CheckFailed as failure:
        print(f"the first player does not always win: {failure}")
        return 1
    print(f"The first player always wins: {count.positions:,} positions of the table, "
          f"{count.replies:,} replies.  Threats win after {count.forced:,} replies; the others "
          f"lead to positions of the table.  Games end with at most {count.longest} stones.")
    return 0
