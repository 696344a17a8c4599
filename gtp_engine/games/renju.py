"""Forbidden points of Renju: where a black stone makes an overline, two fours or two threes.

Five in a row win before all of these.  In each of the four rows through a point only the five
cells on either side matter: a *window*.  A three counts only if a stone can
turn it into an open four that makes no five and is not forbidden itself.  The test for double
threes therefore calls itself, each time with one stone more on the board.
"""

from collections import defaultdict
from functools import lru_cache
from typing import Iterable, NamedTuple, Optional, Sequence

from .lattice import BLACK, BORDER, EMPTY

FIVE, OVERLINE, DOUBLE_FOUR, DOUBLE_THREE = "five", "overline", "double four", "double three"
REACH = 5  # cells on either side of a point that matter to it
IN_A_ROW = 5


class Row(NamedTuple):
    """What a black stone in the middle of a window makes there.

    length   of the row of stones in which it stands
    fours    for each four that it makes, the steps from it to the other three stones
    opens    steps to where one more stone makes an open four, if it makes a three
    three    steps to the other two stones of the three
    """

    length: int
    fours: tuple[tuple[int, ...], ...] = ()
    opens: tuple[int, ...] = ()
    three: tuple[int, ...] = ()


def verdict(cells: bytearray, axes: Iterable[int], point: int) -> Optional[str]:
    """What a black stone on the empty `point` makes: FIVE, or why the point is forbidden, or None.

    Of several kinds OVERLINE comes before DOUBLE_FOUR, and that before DOUBLE_THREE.
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
    """The forbidden points, in no order, and why: what `verdict` says of all points, but faster.

    lines  all lines of the board that can hold a row, as the slices (first, end, axis) of its cells
    """
    found: defaultdict[int, dict[int, Mark]] = defaultdict(dict)
    held, suspects = bytes(cells), set()
    for first, end, axis in lines:
        for place, mark in marks_of(held[first:end:axis]):
            point = first + place * axis
            marks = found[point]
            marks[axis] = mark
            if len(marks) > 1 or mark.length > IN_A_ROW or mark.fours > 1:
                suspects.add(point)
    kinds = {}
    for point in suspects:
        kind = _kind(cells, axes, found, point)
        if kind and kind != FIVE:
            kinds[point] = kind
    return kinds


def _kind(cells: bytearray, axes: Sequence[int], found: dict[int, dict[int, "Mark"]], point: int
          ) -> Optional[str]:
    # What a black stone on the point makes, of which these are the marks by axis.
    marks = found[point]
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
            threes += any(_may_stand(cells, axes, found, point, axis, *each)
                          for each in mark.opens)
    return DOUBLE_THREE if threes >= 2 else None


def _may_stand(cells: bytearray, axes: Sequence[int], found: dict[int, dict[int, "Mark"]],
               point: int, axis: int, step: int, fours: int) -> bool:
    # May the stone stand that turns a three through the point into an open four, and makes `fours`
    # fours along the axis?  Its other rows do not go through the point: their marks are those
    # without it.
    fourth = point + step * axis
    others = {each: mark for each, mark in found.get(fourth, {}).items() if each != axis}
    if any(mark.length >= IN_A_ROW for mark in others.values()) or (
            fours + sum(mark.fours for mark in others.values()) >= 2):
        return False
    if fours and sum(mark.opens != () for mark in others.values()) < 2:
        return True
    after = cells[:]
    after[point] = BLACK
    return verdict(after, axes, fourth) is None


class Mark(NamedTuple):
    """What a black stone on an empty place of a line makes along it, see Row.

    fours  how many
    opens  with each step the fours that a stone there would make along this line, if one at most
    """

    length: int
    fours: int
    opens: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1 << 16)
def marks_of(line: bytes) -> tuple[tuple[int, Mark], ...]:
    """The marks of a line from border to border, with their places; where nothing is made there is
    none."""
    if line.count(BLACK) < 2:
        return ()
    cells, marks = bytearray([BORDER, *line, BORDER]), []
    for place, held in enumerate(line):
        if held != EMPTY:
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
    """The axes on which a black stone on `point` makes a three that counts."""
    after = cells[:]
    after[point] = BLACK
    return [axis for axis, row in rows.items()
            if any(verdict(after, rows, point + step * axis) is None for step in row.opens)]


def stones_of(cells: bytearray, axes: Iterable[int], point: int) -> list[int]:
    """The stones with which a black one on a forbidden `point` makes what forbids it."""
    kind = verdict(cells, axes, point)
    rows = {axis: row_at(cells, point, axis) for axis in axes}
    found: set[int] = set()
    for axis, row in rows.items():
        if kind == OVERLINE and row.length > IN_A_ROW:
            for step in (axis, -axis):
                cell = point + step
                while cells[cell] == BLACK:
                    found.add(cell)
                    cell += step
        elif kind == DOUBLE_FOUR:
            found.update(point + axis * step for four in row.fours for step in four)
    if kind == DOUBLE_THREE:
        for axis in real_threes(cells, rows, point):
            found.update(point + axis * step for step in rows[axis].three)
    return sorted(found)


def row_at(cells: bytearray, point: int, axis: int) -> Row:
    """What a black stone on `point` makes along an axis."""
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
    """What a black stone makes between these cells, the next one first on either side."""
    window = [*before[::-1], BLACK, *after]
    first, last = _run(window)
    if last - first >= IN_A_ROW:
        return Row(last - first)
    empty = [place for place, held in enumerate(window) if held == EMPTY]
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
        more = _with(window, place)
        first_of_four, end = _run(more)
        if place in range(first_of_four, end) and end - first_of_four == IN_A_ROW - 1 and all(
                0 <= gap < len(more) and more[gap] == EMPTY
                and _length(_with(more, gap)) == IN_A_ROW for gap in (first_of_four - 1, end)):
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
