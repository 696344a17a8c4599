"""The minimax tree of a tic-tac-toe position, and the nodes that alpha-beta cuts off.

X maximises, O minimises.  A finished game has the value 10 if X has won, -10 if O has, 0 for a
draw.  At the depth limit the value is g (homework of WPI's CS4341, 2003).  It counts the lines with
stones of X only, twice those with two stones, and subtracts the same count for O.
"""

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, field
from typing import Callable, Iterator, Optional

from ..command_line.options import checked
from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, WHITE, opponent
from ..games.rules import Position
from ..players.options import whole

WIN = 10
INFINITY = 99  # above every value: g is at most 16


@dataclass
class ExplainedNode:
    """A node of the tree.

    move      the move from its parent
    rows      the board, from the top
    value     the minimax value
    leaf      why the node is a leaf: "X wins", "O wins", "draw" or "g"; "" for an inner node
    searched  does alpha-beta search the node?
    cut       the cutoff that made alpha-beta skip the remaining children, or ""
    bound     the result of alpha-beta as text: the value, or <= or >= a bound on it
    """

    move: int
    side: int
    rows: tuple[str, ...]
    value: int = 0
    leaf: str = ""
    searched: bool = True
    cut: str = ""
    bound: str = ""
    children: list["ExplainedNode"] = field(default_factory=list)


def g(position: Position) -> int:
    """Return the static value of a position for X."""
    value = 0
    for line in position.lattice.lines(position.rules.in_a_row):
        contents = [position.cells[point] for point in line]
        for colour, sign in ((BLACK, 1), (WHITE, -1)):
            if opponent(colour) not in contents and colour in contents:
                value += sign * min(contents.count(colour), 2)
    return value


def tree(position: Position, depth: int, order: list[int]) -> ExplainedNode:
    """Return the tree of a position to a depth in plies, with alpha-beta's results.

    `order` is the move ordering.  The position is unchanged.
    """
    root = minimax_tree(position, depth, order, 0)
    prune(root, -INFINITY, INFINITY)
    return root


def minimax_tree(position: Position, depth: int, order: list[int], move: int) -> ExplainedNode:
    """Return the tree with its minimax values; every node counts as searched."""
    node = ExplainedNode(move, position.side, tuple(board_rows(position)))
    if position.outcome:
        winner = position.outcome.winner
        node.value = {BLACK: WIN, WHITE: -WIN, EMPTY: 0}[winner]
        node.leaf = {BLACK: "X wins", WHITE: "O wins", EMPTY: "draw"}[winner]
    elif depth == 0:
        node.value, node.leaf = g(position), "g"
    else:
        for point in order:
            if position.cells[point] == EMPTY:
                position.play(position.side, point)
                node.children.append(minimax_tree(position, depth - 1, order, point))
                position.undo()
        values = [child.value for child in node.children]
        node.value = max(values) if node.side == BLACK else min(values)
    return node


def prune(node: ExplainedNode, alpha: int, beta: int) -> int:
    """Mark the nodes that alpha-beta cuts off; return its value within alpha and beta."""
    node.bound = str(node.value)
    if node.leaf:
        return node.value
    best: Optional[int] = None
    low, high = alpha, beta
    for number, child in enumerate(node.children):
        value = prune(child, alpha, beta)
        if node.side == BLACK:
            best = value if best is None else max(best, value)
            alpha = max(alpha, best)
        else:
            best = value if best is None else min(best, value)
            beta = min(beta, best)
        rest = node.children[number + 1:]
        if alpha >= beta and rest:
            node.cut = f"alpha {alpha} >= beta {beta}"
            for skipped in rest:
                mark_as_cut_off(skipped)
            break
    assert best is not None
    node.bound = f"{'<= ' if best <= low else '>= ' if best >= high else ''}{best}"
    return best


def mark_as_cut_off(node: ExplainedNode) -> None:
    """Mark a node and its descendants as not searched."""
    node.searched = False
    for child in node.children:
        mark_as_cut_off(child)


def lines(node: ExplainedNode, name: Callable[[int], str], full: bool, boards: bool = False,
          ply: int = 0) -> Iterator[str]:
    """Yield the tree as text, one line for each node: its move, its value and its marks.

    Without `full`, yields only the nodes and results of alpha-beta.  `boards` adds the boards.
    """
    mark, indent = " " if node.searched else "x", "    " * ply
    moved = f"{symbol(opponent(node.side))} {name(node.move)}" if ply else "the position"
    kind = f"({node.leaf})" if node.leaf else "max" if node.side == BLACK else "min"
    yield f"{mark} {indent}{moved}: {node.value if full else node.bound} {kind}"
    if boards:
        yield from (f"  {indent}    {' '.join(row)}" for row in node.rows)
    for child in node.children:
        if full or child.searched:
            yield from lines(child, name, full, boards, ply + 1)
    if node.cut:
        skipped = [name(child.move) for child in node.children if not child.searched]
        yield f"  {indent}    cut off: {node.cut}; skipped: {' '.join(skipped)}"


def board_rows(position: Position) -> Iterator[str]:
    """Yield the board as rows of X, O and . from the top."""
    lattice = position.lattice
    for y in reversed(range(lattice.height)):
        yield "".join(".XO"[position.cells[lattice.point(x, y)]] for x in range(lattice.width))


def impossible(position: Position) -> Optional[str]:
    """Explain why no game reaches this position, whichever side begins; None if one does."""
    lattice, stones = position.lattice, {}
    for colour in (BLACK, WHITE):
        stones[colour] = [point for point in lattice.points if position.cells[point] == colour]
    own, other = len(stones[position.side]), len(stones[opponent(position.side)])
    if not 0 <= other - own <= 1:
        return f"{symbol(position.side)} cannot be to move with {own} stones against {other}"
    winners = [colour for colour in (BLACK, WHITE)
               if any(position.makes_row(colour, point) for point in stones[colour])]
    if len(winners) == 2:
        return "both sides have three in a row"
    if position.side in winners:
        return f"{symbol(position.side)} is to move and has already won"
    return None


def symbol(colour: int) -> str:
    """X or O."""
    return "X" if colour == BLACK else "O"


def count(node: ExplainedNode) -> tuple[int, int]:
    """Count the nodes below this one: (all nodes, nodes that alpha-beta searches)."""
    total = searched = 0
    for child in node.children:
        below = count(child)
        total += 1 + below[0]
        searched += child.searched + below[1]
    return total, searched


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("rows", metavar="ROWS", help="the board from the top, as in ..O/XOO/..X")
    parser.add_argument("side", metavar="SIDE", choices=("X", "O"), help="the side to move: X or O")
    parser.add_argument("--depth", type=checked(whole("depth", 10**9)), default=9, metavar="N",
                        help="plies to search before the static value g applies")
    parser.add_argument("--alpha-beta", action="store_true",
                        help="show only the nodes that alpha-beta searches")
    parser.add_argument("--boards", action="store_true", help="draw the board of each position")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Print the tree of a tic-tac-toe position."""
    rows = options.rows.upper().split("/")
    if [len(row) for row in rows] != [3, 3, 3] or set("".join(rows)) - set("XO."):
        parser.error(f"not three rows of three X, O or .: {options.rows}")
    colours = {"X": BLACK, "O": WHITE}
    position = catalogue.start(catalogue.TIC_TAC_TOE, 3)
    placed = {position.lattice.point(x, 2 - y): row[x] for y, row in enumerate(rows)
              for x in range(3)}
    position.setup([(colours[mark], point) for point, mark in placed.items() if mark != "."])
    position.set_side(colours[options.side])
    reason = impossible(position)
    if reason:
        parser.error(f"impossible position: {reason}")
    root = tree(position, options.depth, list(placed))

    def name(point: int) -> str:
        x, y, _ = position.lattice.coordinates(point)
        return f"{'ABC'[x]}{y + 1}"

    for line in lines(root, name, not options.alpha_beta, options.boards):
        print(line)
    total, searched = count(root)
    print(f"{total} positions below the root, {searched} of them searched by alpha-beta"
          + ("" if options.alpha_beta else " (x marks the others)"))
    return 0
