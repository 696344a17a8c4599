"""Gomoku moves, plans and trees as lines of JSON."""

import json
from functools import lru_cache
from typing import Any, Optional, Sequence

from ...players.proofs.win_trees import WinTree
from ...wire.notation import GtpPoints
from .attacks import Plan, position_after

Moves = tuple[int, ...]


@lru_cache(maxsize=None)
def names() -> GtpPoints:
    """Return the names of the points."""
    return GtpPoints(position_after(()).lattice)


def text(moves: Sequence[int]) -> str:
    """Return the names of points, separated by spaces."""
    return " ".join(map(names().name.__getitem__, moves))


def moves_of(words: str) -> Moves:
    """Return the points of these names.  Raises ValueError if a word is no point."""
    points = [names().point_of(word) for word in words.split()]
    if not all(points):
        raise ValueError
    return tuple(point for point in points if point)


def listed_plan(plan: Optional[Plan]) -> Any:
    """Return a plan as [move, {answer: plan}, plan after a pass]."""
    return plan and [text([plan.move]), {
        text([answer]): listed_plan(after) for answer, after in plan.answers.items()
        }, listed_plan(plan.other)]


def plan_of(listed: Any) -> Optional[Plan]:
    """Return the plan of a list; the inverse of `listed_plan`."""
    if listed is None:
        return None
    move, answers, other = listed
    return Plan(moves_of(move)[0], {
        moves_of(answer)[0]: plan_of(after) for answer, after in answers.items()}, plan_of(other))


def listed_tree(tree: WinTree) -> list[Any]:
    """Return a winning tree as [move, {answer: tree}, other], or [move] if it wins at once."""
    if tree.other is None:
        return [text([tree.move])]
    return [text([tree.move]), {text([answer]): listed_tree(after)
                                for answer, after in tree.answers.items()},
            listed_tree(tree.other)]


def line_of(values: Sequence[Any]) -> str:
    """Return a line of JSON."""
    return json.dumps(values, separators=(",", ":")) + "\n"
