"""Reviewed games as SGF, with comments, values, marks and better lines."""

from typing import Iterable, Mapping, Optional

from ..games.lattice import PASS, opponent
from ..games.tree import LONGEST_COMMENT, PROVED, GameTree, Step
from ..records.sgf import BAD, DOUBTFUL, VERY_BAD, sgf_of_tree
from .classes import ALLOWED_WIN, BLUNDER, FAULTS, INACCURACY, MISSED_WIN, MISTAKE, SLOWER_WIN
from .review import JudgedMove, Review, sentences, value_for_black

VERDICTS = {INACCURACY: DOUBTFUL, MISTAKE: BAD, BLUNDER: VERY_BAD, MISSED_WIN: VERY_BAD,
            ALLOWED_WIN: VERY_BAD}
SEARCHED = 1  # the depth stored with an unproved value


def annotated(review: Review) -> GameTree:
    """A copy of the game with the review added.

    Each move has a comment with its class, and a value.  A fault or a slower win has a triangle on
    the better move, and the better line as a variation.  A fault also has its refutation as a
    variation after it.  Raises ValueError if the tree becomes too large.
    """
    tree = GameTree.of_data(review.tree.data())
    names = {**review.names().name, PASS: "pass"}
    for move in review.moves:
        append_comment(tree, move.node, sentences(move, names))
        tree.set_value(move.node, value_for_black(move),
                      SEARCHED if move.after.plies is None else PROVED)
        if move.kind in FAULTS or move.kind == SLOWER_WIN:
            add_lines(tree, move)
    return tree


def sgf_of_review(review: Review, properties: Optional[Mapping[str, str]] = None) -> bytes:
    """The annotated game as an SGF file, with faults marked as doubtful or bad moves.

    properties  more properties of the root node
    Raises ValueError as `annotated` does.
    """
    return sgf_of_tree(annotated(review), properties, {
        move.node: VERDICTS[move.kind] for move in review.moves if move.kind in VERDICTS})


def add_lines(tree: GameTree, move: JudgedMove) -> None:
    """Add the better line and the refutation of a move as variations."""
    parent = tree.nodes[move.node].parent
    assert parent is not None
    if move.better is not None:
        node = tree.nodes[move.node]
        node.marks = (*node.marks, ("triangle", move.better, ""))
        add_line(tree, parent, move.colour, move.before.line, "This was better.")
    add_line(tree, move.node, opponent(move.colour), move.refutation, "This is the refutation.")


def add_line(tree: GameTree, node: int, colour: int, line: Iterable[int], text: str) -> None:
    """Add a line of moves after a node, with a comment on its first move if that is new."""
    for number, point in enumerate(line):
        existing = set(tree.nodes)
        node = tree.add(node, Step(move=(colour, point)))
        if number == 0 and node not in existing:
            append_comment(tree, node, text)
        colour = opponent(colour)


def append_comment(tree: GameTree, node: int, text: str) -> None:
    """Append a paragraph to the comment of a node."""
    before = tree.nodes[node].comment
    tree.write_comment(node, f"{before}\n\n{text}".strip()[:LONGEST_COMMENT])
