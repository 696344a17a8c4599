"""A book of first moves from game results, data/first_moves.json of tuning/first_moves.py.

A search cannot tell which first stones are even.  Nor can it distinguish answers that share no line
of five with the first stone.
"""

import json
from functools import lru_cache
from math import sqrt

from ..games import catalogue
from ..games.lattice import EMPTY, opponent
from ..games.rules import Position, Rules
from . import DATA

FROM_EDGE = 4  # least distance of a first stone from the edge in these games
LARGE = 13  # from this size on, the worth of a first stone depends on its distances from the edges


def book_moves(position: Position) -> list[int]:
    """The best first moves for the side to move by game results, in point order.

    These are even first stones if the opponent may swap, the best answers to a first stone, or
    else none.
    """
    if position.rules.swap and position.vacant == len(position.lattice.points):
        return even_first_stones(position)
    return best_answers(position)


def even_first_stones(empty: Position) -> list[int]:
    """The first stones that favour neither side, in point order; none without game results."""
    lattice = empty.lattice
    last = lattice.width - 1
    if lattice.width < LARGE or lattice.width != lattice.height:
        return []
    return sorted({lattice.point(x, y) for across, up in moves_of(empty.rules, 0.5)
                   for x in (across, last - across) for y in (up, last - up)})


def best_answers(position: Position) -> list[int]:
    """The best answers to the only stone on the board, in point order.

    There are none without game results, or if the stone is near the edge, belongs to the side to
    move or may be swapped.
    """
    lattice, cells = position.lattice, position.cells
    stones = [point for point in lattice.points if cells[point] != EMPTY]
    if position.rules.swap or len(stones) != 1 or cells[stones[0]] != opponent(position.side):
        return []
    x, y, _ = lattice.coordinates(stones[0])
    if min(x, y, lattice.width - 1 - x, lattice.height - 1 - y) < FROM_EDGE:
        return []
    return sorted({lattice.point(x + right, y + up)
                   for across, along in moves_of(position.rules, 1.0)
                   for right in (across, -across) for up in (along, -along)
                   }.intersection(position.legal_moves()))


def moves_of(rules: Rules, share: float) -> list[tuple[int, int]]:
    """`moves_worth` of a game of the catalogue; none for other rules with the same name."""
    return moves_worth(rules.name, share) if catalogue.GAMES.get(rules.name) == rules else []


@lru_cache(maxsize=None)
def moves_worth(game: str, share: float) -> list[tuple[int, int]]:
    """The moves of a game after which the second player's score is nearest to `share`.

    Includes all moves within the standard error of the nearest one.  Moves are pairs of distances
    along the axes.
    """
    with (DATA / "first_moves.json").open("rb") as file:
        played = json.load(file).get(game, {})
    if not played:
        return []
    shares = {move: points / games for move, (points, games) in played.items()}
    best = min(shares, key=lambda move: abs(shares[move] - share))
    error = sqrt(shares[best] * (1 - shares[best]) / played[best][1])
    pairs = [tuple(map(int, move.split())) for move in shares
             if abs(shares[move] - share) <= abs(shares[best] - share) + error]
    return [(a, b) for far, near in pairs for a, b in ((far, near), (near, far))]
