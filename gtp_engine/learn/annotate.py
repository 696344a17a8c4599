"""A reviewed game as SGF: comments, values, marks, and what would have been better."""

from typing import Iterable, Mapping, Optional

from ..games.lattice import PASS, opponent
from ..games.tree import LONGEST_COMMENT, PROVED, GameTree, Step
from ..records.sgf import BAD, DOUBTFUL, VERY_BAD, sgf_of_tree
from .classes import ALLOWED_WIN, BLUNDER, FAULTS, INACCURACY, MISSED_WIN, MISTAKE, SLOWER_WIN
from .review import JudgedMove, Review, sentences, value_for_black

VERDICTS = {INACCURACY: DOUBTFUL, MISTAKE: BAD, BLUNDER: VERY_BAD, MISSED_WIN: VERY_BAD,
            ALLOWED_WIN: VERY_BAD}
SEARCHED = 1  # the depth that is kept with a value that was not proved


def annotated(review: Review) -> GameTree:
    """The game with the review in it; what was there stays.

    Each move has its class as a comment and a value.  A move that cost something, or won slowly,
    has the better move as a triangle on the board, its line as a variation and, if it was a fault,
    what refutes it as a variation after it.  Raises ValueError if that makes the game too large.
    """
    tree = GameTree.of_data(review.tree.data())
    names = {**review.names().name, PASS: "pass"}
    for move in review.moves:
        say(tree, move.node, sentences(move, names))
        tree.value_at(move.node, value_for_black(move),
                      SEARCHED if move.after.plies is None else PROVED)
        if move.kind in FAULTS or move.kind == SLOWER_WIN:
            add_lines(tree, move)
    return tree


def sgf_of_review(review: Review, properties: Optional[Mapping[str, str]] = None) -> bytes:
    """The same as an SGF file with these properties in its root, in which moves that cost something
    are marked as doubtful or bad.

    Raises ValueError as `annotated` does.
    """
    return sgf_of_tree(annotated(review), properties, {
        move.node: VERDICTS[move.kind] for move in review.moves if move.kind in VERDICTS})


def add_lines(tree: GameTree, move: JudgedMove) -> None:
    """Add the better line, and the refutation, of a move as variations."""
    parent = tree.nodes[move.node].parent
    assert parent is not None
    if move.better is not None:
        node = tree.nodes[move.node]
        node.marks = (*node.marks, ("triangle", move.better, ""))
        add_line(tree, parent, move.colour, move.before.line, "This was better.")
    add_line(tree, move.node, opponent(move.colour), move.refutation, "This is the refutation.")


def add_line(tree: GameTree, node: int, colour: int, line: Iterable[int], text: str) -> None:
    """Add moves in turn after a node, and say so at the first of them if it is new."""
    for number, point in enumerate(line):
        known = set(tree.nodes)
        node = tree.add(node, Step(move=(colour, point)))
        if number == 0 and node not in known:
            say(tree, node, text)
        colour = opponent(colour)


def say(tree: GameTree, node: int, text: str) -> None:
    """Add a text to the comment of a node."""
    before = tree.nodes[node].comment
    tree.write_comment(node, f"{before}\n\n{text}".strip()[:LONGEST_COMMENT])
