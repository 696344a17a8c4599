"""Plans and trees of Gomoku as lines of JSON."""

import json
from typing import Any, Optional

from ...players.proofs.win_trees import WinTree
from .attacks import Plan
from .board import moves_of, text
from .entries import Board


def listed_plan(board: Board, plan: Optional[Plan]) -> Any:
    """Return a plan as [move, {answer: plan}, plan after a pass]."""
    return plan and [text(board, [plan.move]), {
        text(board, [answer]): listed_plan(board, after) for answer, after in plan.answers.items()
        }, listed_plan(board, plan.other)]


def plan_of(board: Board, listed: Any) -> Optional[Plan]:
    """Return the plan of a list; the inverse of `listed_plan`."""
    if listed is None:
        return None
    move, answers, other = listed
    return Plan(moves_of(board, move)[0], {
        moves_of(board, answer)[0]: plan_of(board, after) for answer, after in answers.items()},
                plan_of(board, other))


def listed_tree(board: Board, tree: WinTree) -> list[Any]:
    """Return a winning tree as [move, {answer: tree}, other], or [move] if it wins at once."""
    if tree.other is None:
        return [text(board, [tree.move])]
    return [text(board, [tree.move]), {text(board, [answer]): listed_tree(board, after)
                                       for answer, after in tree.answers.items()},
            listed_tree(board, tree.other)]


def line_of(value: Any) -> str:
    """Return a line of JSON."""
    return json.dumps(value, separators=(",", ":")) + "\n"
