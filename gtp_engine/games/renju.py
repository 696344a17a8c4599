"""Forbidden points of Renju: where a black stone makes an overline, two fours or two threes.

A stone that makes five in a row wins all the same.  In each of the four lines through a point,
only the five cells on either side matter: a *window*.  A three counts only if one more stone can
turn it into an open four.  This stone must make no five and must not be forbidden.  The test for
double threes therefore calls itself, each time with one more stone on the board.
"""

from collections import defaultdict
from functools import lru_cache
from typing import Iterable, NamedTuple, Optional, Sequence

from .lattice import BLACK, BORDER, EMPTY

FIVE, OVERLINE, DOUBLE_FOUR, DOUBLE_THREE = "five", "overline", "double four", "double three"
REACH = 5  # cells of a window on either side of a point
IN_A_ROW = 5


class Row(NamedTuple):
    """The effect of a black stone in the middle of a window.

    length   the length of its row of stones
    fours    for each four that it makes, the steps from it to the other three stones
    opens    if it makes a three, the steps to the points that make an open four
    three    the steps to the other two stones of the three
    """

    length: int
    fours: tuple[tuple[int, ...], ...] = ()
    opens: tuple[int, ...] = ()
    three: tuple[int, ...] = ()


def verdict(cells: bytearray, axes: Iterable[int], point: int) -> Optional[str]:
    """Classify a black stone on the empty `point`: FIVE, the reason of a foul, or None.

    The order of reasons is OVERLINE, DOUBLE_FOUR, DOUBLE_THREE.
    """
    rows = {axis: row_at(cells, point, axis) for axis in axes}
    lengths = [row.length for row in rows.values()]
    if IN_A_ROW in lengths:
        return FIVE
    if max(lengths) > IN_A_ROW:
        return OVERLINE
    if sum(len(row.fours) for row in rows.values()) >= 2:
        return DOUBLE_FOUR
    threes = [axis for axis, row in rows.items() if row.opens]
    if len(threes) >= 2 and len(real_threes(cells, rows, point)) >= 2:
        return DOUBLE_THREE
    return None


def fouls(cells: bytearray, axes: Sequence[int], lines: Iterable[tuple[int, int, int]]
          ) -> dict[int, str]:
    """Return the forbidden points, in no order, each with its reason.

    Agrees with `verdict` on all points, but is faster.

    lines  the lines of the board with room for a row, as slices (first, end, axis) of its cells
    """
    marks_at: defaultdict[int, dict[int, Mark]] = defaultdict(dict)
    board, suspects = bytes(cells), set()
    for first, end, axis in lines:
        for place, mark in marks_of(board[first:end:axis]):
            point = first + place * axis
            marks = marks_at[point]
            marks[axis] = mark
            if len(marks) > 1 or mark.length > IN_A_ROW or mark.fours > 1:
                suspects.add(point)
    kinds = {}
    for point in suspects:
        kind = _kind(cells, axes, marks_at, point)
        if kind and kind != FIVE:
            kinds[point] = kind
    return kinds


def _kind(cells: bytearray, axes: Sequence[int], marks_at: dict[int, dict[int, "Mark"]],
          point: int) -> Optional[str]:
    # The verdict on a black stone, from the marks by point and axis.
    marks = marks_at[point]
    lengths = [mark.length for mark in marks.values()]
    if IN_A_ROW in lengths:
        return FIVE
    if max(lengths) > IN_A_ROW:
        return OVERLINE
    if sum(mark.fours for mark in marks.values()) >= 2:
        return DOUBLE_FOUR
    threes = 0
    if sum(mark.opens != () for mark in marks.values()) >= 2:
        for axis, mark in marks.items():
            threes += any(_may_stand(cells, axes, marks_at, point, axis, *each)
                          for each in mark.opens)
    return DOUBLE_THREE if threes >= 2 else None


def _may_stand(cells: bytearray, axes: Sequence[int], marks_at: dict[int, dict[int, "Mark"]],
               point: int, axis: int, step: int, fours: int) -> bool:
    # Is the stone legal that turns a three through the point into an open four, and makes `fours`
    # fours along the axis?  Its lines along other axes avoid the point, so their marks still hold.
    fourth = point + step * axis
    others = {each: mark for each, mark in marks_at.get(fourth, {}).items() if each != axis}
    if any(mark.length >= IN_A_ROW for mark in others.values()) or (
            fours + sum(mark.fours for mark in others.values()) >= 2):
        return False
    if fours and sum(mark.opens != () for mark in others.values()) < 2:
        return True
    after = cells[:]
    after[point] = BLACK
    return verdict(after, axes, fourth) is None


class Mark(NamedTuple):
    """The effect of a black stone on an empty place of a line, along this line; see Row.

    length  the length of its row of stones
    fours   the number of fours
    opens   the steps with at most one four, each with the number of fours of a stone there
    """

    length: int
    fours: int
    opens: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1 << 16)
def marks_of(line: bytes) -> tuple[tuple[int, Mark], ...]:
    """Return the marks of a line from border to border, each with its place.

    A place without effect has no mark.
    """
    if line.count(BLACK) < 2:
        return ()
    cells, marks = bytearray([BORDER, *line, BORDER]), []
    for place, content in enumerate(line):
        if content != EMPTY:
            continue
        row = row_at(cells, place + 1, 1)
        if row.length < IN_A_ROW and not row.fours and not row.opens:
            continue
        cells[place + 1] = BLACK
        opens = tuple((step, fours) for step in row.opens
                      if (fours := len(row_at(cells, place + 1 + step, 1).fours)) < 2)
        cells[place + 1] = EMPTY
        marks.append((place, Mark(row.length, len(row.fours), opens)))
    return tuple(marks)


def real_threes(cells: bytearray, rows: dict[int, Row], point: int) -> list[int]:
    """Return the axes on which a black stone on `point` makes a three that counts."""
    after = cells[:]
    after[point] = BLACK
    return [axis for axis, row in rows.items()
            if any(verdict(after, rows, point + step * axis) is None for step in row.opens)]


def stones_of(cells: bytearray, axes: Iterable[int], point: int) -> list[int]:
    """Return the stones that make `point` forbidden to Black."""
    kind = verdict(cells, axes, point)
    rows = {axis: row_at(cells, point, axis) for axis in axes}
    stones: set[int] = set()
    for axis, row in rows.items():
        if kind == OVERLINE and row.length > IN_A_ROW:
            for step in (axis, -axis):
                cell = point + step
                while cells[cell] == BLACK:
                    stones.add(cell)
                    cell += step
        elif kind == DOUBLE_FOUR:
            stones.update(point + axis * step for four in row.fours for step in four)
    if kind == DOUBLE_THREE:
        for axis in real_threes(cells, rows, point):
            stones.update(point + axis * step for step in rows[axis].three)
    return sorted(stones)


def row_at(cells: bytearray, point: int, axis: int) -> Row:
    """Return the effect of a black stone on `point` along an axis."""
    before, after = cells[point - axis:max(point - axis * (REACH + 1), 0):-axis], cells[
        point + axis:point + axis * (REACH + 1):axis]
    if before.count(BLACK) + after.count(BLACK) < 2:
        return Row(1)
    return row_of(_as_far_as_border(before), _as_far_as_border(after))


def _as_far_as_border(cells: bytearray) -> bytes:
    end = cells.find(BORDER)
    return bytes(cells if end < 0 else cells[:end]).ljust(REACH, bytes([BORDER]))


@lru_cache(maxsize=None)
def row_of(before: bytes, after: bytes) -> Row:
    """Return the effect of a black stone between cells; the nearest comes first on either side."""
    window = [*before[::-1], BLACK, *after]
    first, last = _run(window)
    if last - first >= IN_A_ROW:
        return Row(last - first)
    empty = [place for place, content in enumerate(window) if content == EMPTY]
    fours = set[tuple[int, ...]]()
    for place in empty:
        run = _run(_with(window, place))
        if place in range(*run) and run[1] - run[0] == IN_A_ROW:
            four = tuple(each - REACH for each in range(*run) if each not in (place, REACH))
            fours.add(four)
    if fours:
        return Row(last - first, tuple(sorted(fours)))
    opens, stones = [], set[int]()
    for place in empty:
        extended = _with(window, place)
        first_of_four, end = _run(extended)
        if place in range(first_of_four, end) and end - first_of_four == IN_A_ROW - 1 and all(
                0 <= gap < len(extended) and extended[gap] == EMPTY
                and _length(_with(extended, gap)) == IN_A_ROW for gap in (first_of_four - 1, end)):
            opens.append(place - REACH)
            stones.update(each - REACH for each in range(first_of_four, end)
                          if each not in (place, REACH))
    return Row(last - first, (), tuple(opens), tuple(sorted(stones)))


def _with(window: list[int], place: int) -> list[int]:
    return [*window[:place], BLACK, *window[place + 1:]]


def _run(window: list[int]) -> tuple[int, int]:
    # The row of stones through the middle: its first place, and the one after its last.
    first, end = REACH, REACH + 1
    while first > 0 and window[first - 1] == BLACK:
        first -= 1
    while end < len(window) and window[end] == BLACK:
        end += 1
    return first, end


def _length(window: list[int]) -> int:
    first, end = _run(window)
    return end - first
