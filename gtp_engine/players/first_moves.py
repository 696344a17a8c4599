"""The answers to a first stone that won most games: data/first_moves.json, which
tuning/first_moves.py makes.

The search sees no difference between points that no line of five connects with the first stone.
"""

import json
from functools import lru_cache
from importlib.resources import files
from math import sqrt

from ..games.lattice import EMPTY, opponent
from ..games.rules import Position

FROM_EDGE = 4  # steps, at least, from the edge to a first stone that the games say something of


def best_answers(position: Position) -> list[int]:
    """The points that answer the only stone on the board best, in point order.

    None if that stone is not the other side's, is near the edge, or no games are known.
    """
    lattice, cells = position.lattice, position.cells
    stones = [point for point in lattice.points if cells[point] != EMPTY]
    answers = known_answers(position.rules.name)
    if not answers or len(stones) != 1 or cells[stones[0]] != opponent(position.side):
        return []
    x, y, _ = lattice.coordinates(stones[0])
    if min(x, y, lattice.width - 1 - x, lattice.height - 1 - y) < FROM_EDGE:
        return []
    return sorted({lattice.point(x + right * across, y + up * along)
                   for across, along in [*answers, *((along, across) for across, along in answers)]
                   for right in (1, -1) for up in (1, -1)}.intersection(position.legal_moves()))


@lru_cache(maxsize=None)
def known_answers(game: str) -> list[tuple[int, int]]:
    """How far the best answers are from the first stone: longer way, shorter way.

    Those whose share of the points is the highest one, or less by no more than its standard error.
    """
    with files(__package__).joinpath("data", "first_moves.json").open("rb") as file:
        games = json.load(file).get(game, {})
    shares = {answer: points / number for answer, (points, number) in games.items()}
    if not shares:
        return []
    best = max(shares, key=shares.__getitem__)
    error = sqrt(shares[best] * (1 - shares[best]) / games[best][1])
    return [(int(far), int(near)) for far, near in
            (answer.split() for answer in shares if shares[answer] >= shares[best] - error)]
