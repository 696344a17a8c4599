"""The searched tree of a tic-tac-toe position, with minimax values and what alpha-beta spares.

X maximises, O minimises.  A finished game is worth 10 if X has won, -10 if O has, 0 for a draw; at
the depth limit a position is worth g: lines that only X is on, those with two X doubled, less the
same for O (homework of WPI's CS4341, 2003).
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
MORE = 99  # than any value: g is not above 16


@dataclass
class ExplainedNode:
    """A position of the tree.

    move      the point that led here
    rows      the board, from the top
    value     its minimax value
    found     what alpha-beta finds, as a text: the value, or <= or >= a bound of it
    leaf      why it was not searched on: "X wins", "O wins", "draw" or "g"; "" if it was
    searched  does alpha-beta get here?
    cut       the bound that made alpha-beta leave out the rest of the children, if one did
    """

    move: int
    side: int
    rows: tuple[str, ...]
    value: int = 0
    leaf: str = ""
    searched: bool = True
    cut: str = ""
    found: str = ""
    children: list["ExplainedNode"] = field(default_factory=list)


def g(position: Position) -> int:
    """The static value of a position for X."""
    value = 0
    for line in position.lattice.lines(position.rules.in_a_row):
        held = [position.cells[point] for point in line]
        for colour, sign in ((BLACK, 1), (WHITE, -1)):
            if opponent(colour) not in held and colour in held:
                value += sign * min(held.count(colour), 2)
    return value


def tree(position: Position, depth: int, order: list[int]) -> ExplainedNode:
    """The tree of the position to a depth in plies; children in the order of the points.

    The position is unchanged.
    """
    root = grown(position, depth, order, 0)
    prune(root, -MORE, MORE)
    return root


def grown(position: Position, depth: int, order: list[int], move: int) -> ExplainedNode:
    """The tree with its minimax values, every node of it searched."""
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
                node.children.append(grown(position, depth - 1, order, point))
                position.undo()
        values = [child.value for child in node.children]
        node.value = max(values) if node.side == BLACK else min(values)
    return node


def prune(node: ExplainedNode, alpha: int, beta: int) -> int:
    """Mark the nodes that alpha-beta does not search; returns its value within alpha and beta."""
    node.found = str(node.value)
    if node.leaf:
        return node.value
    found: Optional[int] = None
    low, high = alpha, beta
    for number, child in enumerate(node.children):
        value = prune(child, alpha, beta)
        if node.side == BLACK:
            found = value if found is None else max(found, value)
            alpha = max(alpha, found)
        else:
            found = value if found is None else min(found, value)
            beta = min(beta, found)
        rest = node.children[number + 1:]
        if alpha >= beta and rest:
            node.cut = f"alpha {alpha} >= beta {beta}"
            for spared in rest:
                leave_out(spared)
            break
    assert found is not None
    node.found = f"{'<= ' if found <= low else '>= ' if found >= high else ''}{found}"
    return found


def leave_out(node: ExplainedNode) -> None:
    """Alpha-beta does not get here, nor further."""
    node.searched = False
    for child in node.children:
        leave_out(child)


def lines(node: ExplainedNode, name: Callable[[int], str], all_of_it: bool, boards: bool = False,
          ply: int = 0) -> Iterator[str]:
    """The tree as text, one line for each node: its move, its value and its marks.

    Without `all_of_it`, only what alpha-beta searches and finds.  With `boards`, each is drawn.
    """
    mark, indent = " " if node.searched else "x", "    " * ply
    moved = f"{symbol(opponent(node.side))} {name(node.move)}" if ply else "the position"
    kind = f"({node.leaf})" if node.leaf else "max" if node.side == BLACK else "min"
    yield f"{mark} {indent}{moved}: {node.value if all_of_it else node.found} {kind}"
    if boards:
        yield from (f"  {indent}    {' '.join(row)}" for row in node.rows)
    for child in node.children:
        if all_of_it or child.searched:
            yield from lines(child, name, all_of_it, boards, ply + 1)
    if node.cut:
        spared = [name(child.move) for child in node.children if not child.searched]
        yield f"  {indent}    cut off: {node.cut}; spared: {' '.join(spared)}"


def board_rows(position: Position) -> Iterator[str]:
    """The board as rows of X, O and . from the top."""
    lattice = position.lattice
    for y in reversed(range(lattice.height)):
        yield "".join(".XO"[position.cells[lattice.point(x, y)]] for x in range(lattice.width))


def impossible(position: Position) -> Optional[str]:
    """Why a position cannot arise in a game, with either side first; None if it can."""
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
        return f"{symbol(position.side)} is to move and has won already"
    return None


def symbol(colour: int) -> str:
    """X or O."""
    return "X" if colour == BLACK else "O"


def count(node: ExplainedNode) -> tuple[int, int]:
    """How many nodes there are below this one, and how many of them alpha-beta searches."""
    every = searched = 0
    for child in node.children:
        more = count(child)
        every += 1 + more[0]
        searched += child.searched + more[1]
    return every, searched


def add_options(parser: ArgumentParser) -> None:
    """What the command line may say."""
    parser.add_argument("rows", metavar="ROWS", help="the board from the top, as in ..O/XOO/..X")
    parser.add_argument("side", metavar="SIDE", choices=("X", "O"), help="the side to move: X or O")
    parser.add_argument("--depth", type=checked(whole("depth", 10**9)), default=9, metavar="N",
                        help="plies, after which the static value g counts")
    parser.add_argument("--alpha-beta", action="store_true",
                        help="show only what alpha-beta searches")
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
    position.setup([(colours[held], point) for point, held in placed.items() if held != "."])
    position.set_side(colours[options.side])
    reason = impossible(position)
    if reason:
        parser.error(f"no such position: {reason}")
    root = tree(position, options.depth, list(placed))

    def name(point: int) -> str:
        x, y, _ = position.lattice.coordinates(point)
        return f"{'ABC'[x]}{y + 1}"

    for line in lines(root, name, not options.alpha_beta, options.boards):
        print(line)
    every, searched = count(root)
    print(f"{every} positions below the root, {searched} of them searched by alpha-beta"
          + ("" if options.alpha_beta else " (the others are marked x)"))
    return 0
