"""First moves as games have shown them to be: data/first_moves.json, which tuning/first_moves.py
makes.

A search sees no difference between answers that no line of five connects with the first stone, and
it cannot tell which first stone is even.
"""

import json
from functools import lru_cache
from math import sqrt

from ..games.lattice import EMPTY, opponent
from ..games.rules import Position
from . import DATA

FROM_EDGE = 4  # steps from the edge to a first stone, at least, that the games say something of
LARGE = 13  # from this size on a first stone is worth the same at the same distances from the edges


def known_moves(position: Position) -> list[int]:
    """The points, in point order, that games have shown to be good for the side to move.

    Where the opponent may take the first stone, the even ones; the best answers to one; else none.
    """
    if position.rules.swap and position.vacant == len(position.lattice.points):
        return even_first_stones(position)
    return best_answers(position)


def even_first_stones(empty: Position) -> list[int]:
    """The first stones, in point order, that favour neither side; none if no games are known."""
    lattice = empty.lattice
    last = lattice.width - 1
    if lattice.width < LARGE:
        return []
    return sorted({lattice.point(x, y) for across, up in moves_worth(empty.rules.name, 0.5)
                   for x in (across, last - across) for y in (up, last - up)})


def best_answers(position: Position) -> list[int]:
    """The points, in point order, that answer the only stone on the board best.

    None if that stone is not the other side's or may be taken, is near the edge, or no games are
    known.
    """
    lattice, cells = position.lattice, position.cells
    stones = [point for point in lattice.points if cells[point] != EMPTY]
    if position.rules.swap or len(stones) != 1 or cells[stones[0]] != opponent(position.side):
        return []
    x, y, _ = lattice.coordinates(stones[0])
    if min(x, y, lattice.width - 1 - x, lattice.height - 1 - y) < FROM_EDGE:
        return []
    return sorted({lattice.point(x + right, y + up)
                   for across, along in moves_worth(position.rules.name, 1.0)
                   for right in (across, -across) for up in (along, -along)
                   }.intersection(position.legal_moves()))


@lru_cache(maxsize=None)
def moves_worth(game: str, share: float) -> list[tuple[int, int]]:
    """The moves of a game after which the second player's share of the points comes nearest to
    that, as distances along either axis; and those that come as near within its standard error."""
    with (DATA / "first_moves.json").open("rb") as file:
        played = json.load(file).get(game, {})
    if not played:
        return []
    found = {move: points / games for move, (points, games) in played.items()}
    best = min(found, key=lambda move: abs(found[move] - share))
    error = sqrt(found[best] * (1 - found[best]) / played[best][1])
    pairs = [tuple(map(int, move.split())) for move in found
             if abs(found[move] - share) <= abs(found[best] - share) + error]
    return [(a, b) for far, near in pairs for a, b in ((far, near), (near, far))]
