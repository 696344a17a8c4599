"""The rule-based playout policy in plain Python; kernels compute the same faster.

The first rule with a point decides.  The order is Win, BlockWin, OpenFour, BlockOpenFour (not in
Ninuki), Capture (only in games with captures), Random.  On boards as long as a row it is Win,
BlockWin, Fork, BlockFork, Random.
"""

from typing import Callable, Iterator

from ..games.lattice import BORDER, EMPTY, opponent
from ..games.rules import Position

Window = tuple[int, tuple[int, ...], tuple[int, ...]]  # axis, own stones, empty points


def policy_moves(position: Position, policy: str) -> tuple[str, list[int]]:
    """The rule that decides for the side to move, and its points in point order.

    The policy "random" has only the rule Random.  Returns ("", []) if there is no legal move.
    """
    legal = position.legal_moves()
    if not legal:
        return "", []
    if policy == "rule_based":
        for name, rule in rules_of(position).items():
            points = rule(position, legal)
            if points:
                return name, points
    return "Random", legal


def deciding_rules(position: Position) -> dict[int, str]:
    """The first rule other than Random that yields a point, by legal point."""
    legal = position.legal_moves()
    names = {}
    for name, rule in reversed(rules_of(position).items()):
        names.update(dict.fromkeys(rule(position, legal), name))
    return dict(sorted(names.items()))


def win(position: Position, legal: list[int]) -> list[int]:
    """The legal points where the side to move wins at once."""
    return [point for point in legal if position.wins(position.side, point)]


def block_win(position: Position, legal: list[int]) -> list[int]:
    """The legal points that stop at least one of the opponent's immediate wins.

    A stone on the winning point does, and so does a capture of stones that the win needs.  In Caro,
    so does a stone at the other end of the row.
    """
    other = opponent(position.side)
    threats = {point for point in position.lattice.points
               if not position.complaint(other, point) and position.wins(other, point)}
    if not threats or not (position.rules.capture_lengths or position.rules.caro):
        return sorted(threats.intersection(legal))
    blocks = []
    for point in legal:
        position.play(position.side, point)
        if any(position.cells[threat] != EMPTY or not position.wins(other, threat)
               for threat in threats):
            blocks.append(point)
        position.undo()
    return blocks


def open_four(position: Position, legal: list[int]) -> list[int]:
    """The legal points that make a row one stone short, which wins at either end.

    Captures by the move are ignored.
    """
    points = {empty[1] for _, _, empty in open_windows(position, position.side)}
    return sorted(points.intersection(legal))


def block_open_four(position: Position, legal: list[int]) -> list[int]:
    """The legal points that stop an open four of the opponent.

    Windows with the same stones on the same axis form a group.  A stone on a point that is empty in
    all windows of the group stops it.
    """
    groups: dict[tuple[int, tuple[int, ...]], set[int]] = {}
    for axis, stones, empty in open_windows(position, opponent(position.side)):
        groups.setdefault((axis, stones), set(empty)).intersection_update(empty)
    return sorted(set().union(*groups.values()).intersection(legal))


def capture(position: Position, legal: list[int]) -> list[int]:
    """The legal points where the side to move captures."""
    return [point for point in legal if position.captures(position.side, point)]


def fork(position: Position, legal: list[int]) -> list[int]:
    """The legal points after which the side to move could win at two points or more."""
    return forks_of(position, position.side, legal)


def block_fork(position: Position, legal: list[int]) -> list[int]:
    """The legal points where the opponent could fork."""
    return forks_of(position, opponent(position.side), legal)


Rule = Callable[[Position, list[int]], list[int]]
RULES: dict[str, Rule] = {
    "Win": win, "BlockWin": block_win, "OpenFour": open_four, "BlockOpenFour": block_open_four,
    "Capture": capture,
}
FORK_RULES: dict[str, Rule] = {
    "Win": win, "BlockWin": block_win, "Fork": fork, "BlockFork": block_fork,
}


def rules_of(position: Position) -> dict[str, Rule]:
    """The rules by name for the game of this position, the first one first, without Random."""
    if position.rules.row_fills_board():
        return FORK_RULES
    return {name: rule for name, rule in RULES.items()
            if rule is not block_open_four or position.rules.block_open_four}


def forks_of(position: Position, colour: int, points: list[int]) -> list[int]:
    """Those of the empty points after which `colour` could win at two points or more."""
    forks = []
    for point in points:
        position.play(colour, point)
        empty = (cell for cell in position.lattice.points if position.cells[cell] == EMPTY)
        if sum(position.wins(colour, cell) for cell in empty) >= 2:
            forks.append(point)
        position.undo()
    return forks


def open_windows(position: Position, colour: int) -> Iterator[Window]:
    """The windows in which one more stone of `colour` makes an open four.

    If k in a row win, these are k + 1 cells in line that are open with k - 2 stones, see `is_open`.
    The inner empty point is the middle one of the three empty points.
    """
    cells, in_a_row = position.cells, position.rules.in_a_row
    for axis in position.lattice.axes:
        for start in position.lattice.points:
            if is_open(position, colour, axis, start, in_a_row - 2):
                inside = range(start + axis, start + axis * in_a_row, axis)
                stones = tuple(cell for cell in inside if cells[cell] == colour)
                hole, = set(inside).difference(stones)
                yield axis, stones, (start, hole, start + axis * in_a_row)


def is_open(position: Position, colour: int, axis: int, start: int, stones: int) -> bool:
    """Are the k + 1 cells from `start` along an axis open, with `stones` stones of `colour`?

    k in a row win.  The first and the last cell are empty.  Between them are only the stones and
    empty points; a single empty point must not be forbidden to the colour.

    If longer rows do not win, no stone of the colour may continue the window.  In Caro, no stone of
    the opponent may stand beyond its ends, since a stone in one gap would then stop both rows.
    """
    cells, rules = position.cells, position.rules
    end = start + axis * rules.in_a_row
    if not (0 <= start and end < len(cells)) or cells[start] != EMPTY or cells[end] != EMPTY:
        return False
    inside = cells[start + axis:end:axis]
    if (inside.count(colour), inside.count(EMPTY)) != (stones, len(inside) - stones):
        return False
    around = cells[start - axis], cells[end + axis] if end + axis < len(cells) else BORDER
    if rules.exact(colour) and colour in around or rules.caro and opponent(colour) in around:
        return False
    return stones != rules.in_a_row - 2 or not position.forbidden(
        colour, start + axis * (1 + inside.index(EMPTY)))
