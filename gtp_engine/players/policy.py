"""The rule-based policy, slow and obvious: what the kernels compute, and what `policy_moves` shows.

Rules in the order Win, BlockWin, OpenFour, BlockOpenFour, Capture (only where a game has captures),
Random; where rows are as long as the board, Win, BlockWin, Fork, BlockFork, Random.  The first that
yields a point decides.
"""

from typing import Callable, Iterator

from ..games.lattice import EMPTY, opponent
from ..games.rules import Position

Window = tuple[int, tuple[int, ...], tuple[int, ...]]  # axis, own stones, empty points


def policy_moves(position: Position, policy: str) -> tuple[str, list[int]]:
    """The rule that decides for the side to move, and its points in point order.

    The policy "random" knows only the rule Random.  ("", []) when there is no legal move.
    """
    legal = position.legal_moves()
    if not legal:
        return "", []
    if policy == "rule_based":
        rules = FORK_RULES if position.rules.spans() else RULES
        for name, rule in rules.items():
            points = rule(position, legal)
            if points:
                return name, points
    return "Random", legal


def win(position: Position, legal: list[int]) -> list[int]:
    """The legal points where the side to move wins at once."""
    return [point for point in legal if position.wins(position.side, point)]


def block_win(position: Position, legal: list[int]) -> list[int]:
    """The legal points after which the enemy no longer wins at all the points where he would have.

    Playing on the point itself does it, and so does capturing what the win needs or, in Caro,
    blocking the other end of the row.
    """
    enemy = opponent(position.side)
    threats = {point for point in position.lattice.points
               if not position.complaint(enemy, point) and position.wins(enemy, point)}
    if not threats or not (position.rules.capture_lengths or position.rules.caro):
        return sorted(threats.intersection(legal))
    blocks = []
    for point in legal:
        position.play(position.side, point)
        if any(position.cells[threat] != EMPTY or not position.wins(enemy, threat)
               for threat in threats):
            blocks.append(point)
        position.undo()
    return blocks


def open_four(position: Position, legal: list[int]) -> list[int]:
    """The legal points that make a row one short of winning which wins at either end.

    The stones count as they stand before captures.
    """
    made = {empty[1] for _, _, empty in open_windows(position, position.side)}
    return sorted(made.intersection(legal))


def block_open_four(position: Position, legal: list[int]) -> list[int]:
    """The legal points that keep the enemy from an open four.

    Windows with the same stones on the same axis make a group, which is stopped on each point
    that all its windows have empty.
    """
    groups: dict[tuple, set[int]] = {}
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
    """The legal points where the enemy could fork."""
    return forks_of(position, opponent(position.side), legal)


Rule = Callable[[Position, list[int]], list[int]]
RULES: dict[str, Rule] = {
    "Win": win, "BlockWin": block_win, "OpenFour": open_four, "BlockOpenFour": block_open_four,
    "Capture": capture,
}
FORK_RULES: dict[str, Rule] = {
    "Win": win, "BlockWin": block_win, "Fork": fork, "BlockFork": block_fork,
}


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

    With k in a row winning, a window is k + 1 cells in line; its ends are empty, inside are k - 2
    stones of the colour and one empty point.  That point is the middle one of the three in
    `empty`.  Where longer rows do not win, no stone of the colour continues the window; in Caro, no
    enemy stone stands at its ends, where it would let a stone in one gap stop both rows.
    """
    cells, rules = position.cells, position.rules
    for axis in position.lattice.axes:
        for start in position.lattice.points:
            if cells[start] != EMPTY:
                continue
            inside = range(start + axis, start + axis * rules.in_a_row, axis)
            held = [cells[cell] if 0 <= cell < len(cells) else -1 for cell in inside]
            end = start + axis * rules.in_a_row
            if (held.count(colour), held.count(EMPTY)) != (rules.in_a_row - 2, 1):
                continue
            if cells[end] != EMPTY:
                continue
            if not rules.overline_wins and colour in (cells[start - axis], cells[end + axis]):
                continue
            if rules.caro and opponent(colour) in (cells[start - axis], cells[end + axis]):
                continue
            stones = tuple(cell for cell in inside if cells[cell] == colour)
            hole = inside[held.index(EMPTY)]
            yield axis, stones, (start, hole, end)
