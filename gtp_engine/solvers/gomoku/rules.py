"""Gomoku on 15x15 in plain, slow Python: what a certificate is checked by.

Nothing of the engine is used here.  A set of points is a whole number with a bit for each, a row is
five points that have one, and the first row wins, longer ones included.
"""

from functools import lru_cache
from itertools import product
from typing import Callable, Iterator, Mapping, NamedTuple, Optional

SIDE = 15
POINTS = SIDE * SIDE
ALL = (1 << POINTS) - 1
LETTERS = "ABCDEFGHJKLMNOP"
MOST_QUIET = (1, 2, 3, 4, 6, 8, 10, 14)  # moves that are no fours in wins that `find` looks for


def rows() -> list[int]:
    """All rows of five, points being numbered by x + 15 * y."""
    found = []
    for x, y, (right, up) in product(range(SIDE), range(SIDE), ((1, 0), (0, 1), (1, 1), (1, -1))):
        if x + 4 * right < SIDE and 0 <= y + 4 * up < SIDE:
            found.append(sum(1 << x + i * right + SIDE * (y + i * up) for i in range(5)))
    return found


ROWS = rows()
ROWS_AT = [[row for row in ROWS if row >> point & 1] for point in range(POINTS)]


class CheckFailed(Exception):
    """A fault of a certificate."""


class NotFound(CheckFailed):
    """A win by threats that was looked for in vain, though there may be one."""


def bits(points: int) -> Iterator[int]:
    """The points of a set, the lowest first."""
    while points:
        lowest = points & -points
        yield lowest.bit_length() - 1
        points ^= lowest


def firsts() -> dict[int, int]:
    """The lowest points of all rows, by the step from one point of a row to the next."""
    found: dict[int, int] = {}
    for row in ROWS:
        first, second, *_ = bits(row)
        found[second - first] = found.get(second - first, 0) | 1 << first
    return found


FIRSTS = firsts()


def name(point: int) -> str:
    """A point as H8."""
    return f"{LETTERS[point % SIDE]}{point // SIDE + 1}"


def number(text: str) -> int:
    """The point of a name.  Raises ValueError if there is none."""
    return LETTERS.index(text[0]) + SIDE * (int(text[1:]) - 1)


def completed(own: int, point: int) -> bool:
    """Is the stone on that point one of a row?"""
    return any(row & own == row for row in ROWS_AT[point])


def fives(own: int, other: int) -> int:
    """The points where one more stone of its own completes a row."""
    found, empty = 0, ALL & ~own & ~other
    for step, first in FIRSTS.items():
        stones = [own >> i * step for i in range(5)]
        for i in range(5):  # the first points of rows that only the i-th is missing of
            four = first & empty >> i * step
            for stone in stones[:i] + stones[i + 1:]:
                four &= stone
            found |= four << i * step
    return found


def put(point: int, taken: int) -> int:
    """The point as a set.  Raises CheckFailed if there is a stone on it."""
    if not 0 <= point < POINTS or taken >> point & 1:
        raise CheckFailed(f"an illegal move at {point}")
    return 1 << point


class Tree:
    """A win of Black, with Black to move: a move, the trees after some answers, and that after all
    other ones; none of them where the move completes a row.

    points  all moves and all answers that stand in it
    ways    by k, the answers on ways through it along which at least k answers do not stand in it
    """

    def __init__(self, move: int, answers: Mapping[int, "Tree"], other: Optional["Tree"]):
        self.move, self.answers, self.other = move, answers, other
        self.points = 1 << move
        ways = self.ways = {0: 0}
        for answer, after in answers.items():
            self.points |= after.points | 1 << answer
            for k, standing in after.ways.items():
                ways[k] = ways.get(k, 0) | standing | 1 << answer
        if other:
            self.points |= other.points
            ways[0] |= other.ways[0]
            for k, standing in other.ways.items():
                ways[k + 1] = ways.get(k + 1, 0) | standing


class Plan(NamedTuple):
    """A tree without those parts that are threats: None says that they win."""

    move: int
    answers: Mapping[int, Optional["Plan"]]
    other: Optional["Plan"]


Finder = Callable[[int, int], Optional[Tree]]  # of threats that win, for Black's and White's stones


def zone(tree: Tree, own: int, other: int) -> int:
    """The points where one more white stone could spoil a tree that wins this position for Black.

    A stone elsewhere takes no move of the tree away and is none of its answers.  So White can only
    gain by it if it is one of five white stones in a row.  Each of the other four either stands
    there now, or is an answer on the same way through the tree, placed or not.
    Rows for which no way has enough of these are left out.
    """
    found = tree.points
    ways = [(4 - k, other | standing) for k, standing in tree.ways.items()]
    for row in ROWS:
        if not row & own:
            for enough, white in ways:
                if (row & white).bit_count() >= enough:
                    found |= row
                    break
    return found


def follow(tree: Tree, own: int, other: int, every: bool) -> int:
    """Play a tree with Black to move; returns the plies to the row, at most.

    All answers are tried one by one if `every`, otherwise those in the zone and one elsewhere.
    Raises CheckFailed if there is an answer after which the tree does not win.
    """
    move, rest = tree.move, tree.other
    own |= put(move, own | other)
    if completed(own, move):
        return 1
    if not rest:
        raise CheckFailed(f"{name(move)} completes no row")
    if fives(other, own):
        raise CheckFailed(f"White wins after {name(move)}")
    threats, longest = fives(own, other), 0
    if threats.bit_count() > 1:
        return 3
    if threats:
        answer = threats.bit_length() - 1
        return 2 + follow(tree.answers.get(answer, rest), own, other | threats, every)
    longest = follow(rest, own, other, every)
    tried = ALL & ~own & ~other
    if not every:
        tried &= zone(rest, own, other) | sum(1 << answer for answer in tree.answers)
    for answer in bits(tried):
        stone = put(answer, own | other)
        longest = max(longest, follow(tree.answers.get(answer, rest), own, other | stone, every))
    return 2 + longest


def find(own: int, other: int, nodes: int) -> Optional[Tree]:
    """A tree of threats that wins with Black to move; None if the search finds none.

    Fours alone are tried first, then more and more moves that are no fours: those that threaten
    two fives, then those that threaten to win by fours.  Each search has a limit of positions,
    with moves that are no fours at first a hundredth of that.
    """
    searches = [(1, False, 0), *product((100, 10, 1), (False, True), MOST_QUIET)]
    return next((found for part, wide, quiet in searches
                 if (found := _Search(nodes // part, wide).win(own, other, quiet))), None)


def planned(plan: Plan, own: int, other: int, threats: Finder) -> Optional[Tree]:
    """The tree of a plan, whose threats are found by `threats`; None if one is not found."""
    now = own | 1 << plan.move
    rest = planned(plan.other, now, other, threats) if plan.other else threats(now, other)
    if not rest:
        return None
    found = {}
    for answer in bits(zone(rest, now, other) & ~now & ~other):
        below, white = plan.answers.get(answer), other | 1 << answer
        after = planned(below, now, white, threats) if below else threats(now, white)
        if after:
            found[answer] = after
    return Tree(plan.move, found, rest)


class _Shapes:
    # The rows of a position with Black to move; points are bits.

    def __init__(self, own: int, other: int):
        self.fives = self.must = 0  # where Black completes a row, where White would
        self.fours: dict[int, int] = {}  # by point that makes four of a row those that complete it
        self.twos: list[int] = []  # the empty points of rows with two black stones
        for row in ROWS:
            black, white = row & own, row & other
            if not white:
                count = black.bit_count()
                if count == 3:
                    self.add(row ^ black, self.fours)
                elif count == 2:
                    self.twos.append(row ^ black)
                elif count == 4:
                    self.fives |= row ^ black
            elif not black and white.bit_count() == 4:
                self.must |= row ^ white

    @staticmethod
    def add(empty: int, fours: dict[int, int]) -> None:
        """Enter a row with two empty points."""
        first = empty & -empty
        fours[first] = fours.get(first, 0) | empty ^ first
        fours[empty ^ first] = fours.get(empty ^ first, 0) | first

    def threes(self) -> dict[int, dict[int, int]]:
        """By move that is no four what would be `fours` after it and a pass, if it adds to them."""
        found: dict[int, dict[int, int]] = {}
        for empty in self.twos:
            for move in bits(empty):
                if 1 << move not in self.fours:
                    fours = found.setdefault(1 << move, {})
                    self.add(empty ^ 1 << move, fours)
        return found


class _Search:
    # Looks for wins by fours, and by a limited number of other moves.

    def __init__(self, nodes: int, wide: bool):
        self.nodes, self.wide = nodes, wide
        self.failed: dict[tuple[int, int], int] = {}
        self.won: dict[tuple[int, int], Tree] = {}

    def win(self, own: int, other: int, quiet: int) -> Optional[Tree]:
        result = self.won.get((own, other))
        if result or self.failed.get((own, other), -1) >= quiet or self.nodes <= 0:
            return result
        self.nodes -= 1
        shapes = _Shapes(own, other)
        if shapes.fives:
            return Tree(next(bits(shapes.fives)), {}, None)
        found = None
        if shapes.must.bit_count() < 2:
            found = self.by_fours(own, other, 0, shapes)
            if not found and quiet:
                found = (self.by_threes(own, other, quiet, shapes)
                         or self.by_fours(own, other, quiet, shapes))
        if found:
            self.won[own, other] = found
        elif self.nodes > 0:
            self.failed[own, other] = quiet
        return found

    def by_fours(self, own: int, other: int, quiet: int, shapes: _Shapes) -> Optional[Tree]:
        moves = [(move, ends) for move, ends in shapes.fours.items()
                 if not shapes.must or shapes.must == move]
        for move, ends in moves:
            if ends & (ends - 1):
                return open_four(move.bit_length() - 1, ends)
        for move, end in moves:
            after = self.win(own | move, other | end, quiet)
            if after:
                answer = end.bit_length() - 1
                return Tree(move.bit_length() - 1, {answer: after}, Tree(answer, {}, None))
        return None

    def by_threes(self, own: int, other: int, quiet: int, shapes: _Shapes) -> Optional[Tree]:
        threes = shapes.threes()
        if shapes.must:
            threes = {} if shapes.must in shapes.fours else {
                shapes.must: threes.get(shapes.must, {})}
        for move, added in sorted(threes.items(), key=lambda each: -len(each[1])):
            rest = self.after_pass(own | move, other, shapes.fours, added)
            if rest:
                answers = self.answers(own | move, other, rest, quiet)
                if answers is not None:
                    return Tree(move.bit_length() - 1, answers, rest)
        return None

    def after_pass(self, own: int, other: int, fours: dict[int, int], added: dict[int, int]
                   ) -> Optional[Tree]:
        # How Black wins by fours if White passes now.
        for move in (*added, *fours):
            ends = added.get(move, 0) | fours.get(move, 0)
            if ends & (ends - 1):
                return open_four(move.bit_length() - 1, ends)
        return self.win(own, other, 0) if self.wide else None

    def answers(self, own: int, other: int, rest: Tree, quiet: int) -> Optional[dict[int, Tree]]:
        found: dict[int, Tree] = {}
        for outer in (False, True):
            tried = zone(rest, own, other) & ~rest.points if outer else rest.points
            for answer in bits(tried & ~own & ~other):
                after = self.win(own, other | 1 << answer, quiet - 1)
                if not after:
                    return None
                found[answer] = after
        return found


def open_four(move: int, ends: int) -> Tree:
    """The tree of a move after which either of two points completes a row."""
    first, second = list(bits(ends))[:2]
    return Tree(move, {first: Tree(second, {}, None)}, Tree(first, {}, None))


@lru_cache(maxsize=None)
def symmetries() -> list[list[int]]:
    """Where each of the eight symmetries of the board shows each point."""
    found = []
    for swap, left, down in product((False, True), repeat=3):
        image = []
        for point in range(POINTS):
            x, y = point % SIDE, point // SIDE
            x, y = (y, x) if swap else (x, y)
            image.append((SIDE - 1 - x if left else x) + SIDE * (SIDE - 1 - y if down else y))
        found.append(image)
    return found


def key(own: int, other: int) -> tuple[int, int]:
    """The same for all positions that a symmetry shows as each other, and for these only."""
    black, white = list(bits(own)), list(bits(other))
    return min((sum(1 << image[point] for point in black),
                sum(1 << image[point] for point in white)) for image in symmetries())
