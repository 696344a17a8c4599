"""Moves without a search."""

from itertools import product
from random import Random
from typing import Optional

from ..games.lattice import EMPTY
from ..games.rules import Position
from .first_moves import book_moves
from .playout_policy import rules_of


def quick_move(position: Position, rng: Random, among: Optional[list[int]] = None) -> int:
    """A move without a search: from the rule-based policy, the first moves or near stones.

    The first of these sources that has a move decides.  `among` are the legal moves to choose from,
    if not all.
    """
    legal = among or position.legal_moves()
    for rule in rules_of(position).values():
        if points := rule(position, legal):
            return rng.choice(points)
    for points in (book_moves(position), near_stones(position)):
        if allowed := sorted({*points}.intersection(legal)):
            return rng.choice(allowed)
    return rng.choice(legal)


def near_stones(position: Position) -> list[int]:
    """The empty legal points within two steps of a stone, or of the middle of an empty board."""
    lattice = position.lattice
    stones = [p for p in lattice.points if position.cells[p] != EMPTY] or lattice.middle()
    near: set[tuple[int, int]] = set()
    for stone in stones:
        x, y, _ = lattice.coordinates(stone)
        near.update(product(range(x - 2, x + 3), range(y - 2, y + 3)))
    legal = [p for p in position.legal_moves() if position.cells[p] == EMPTY]
    return [p for p in legal if lattice.coordinates(p)[:2] in near] or legal
