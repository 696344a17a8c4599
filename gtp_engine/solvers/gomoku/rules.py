"""Gomoku on 15x15 in plain, slow Python: the rules that check a certificate.

This module uses nothing of the engine.  A set of points is an integer with one bit per point.  A
row is five points in a line; the side that first completes one wins, also within a longer one.
"""

from functools import lru_cache
from itertools import product
from typing import Callable, Iterator, Mapping, NamedTuple, Optional, Sequence

SIDE = 15
POINTS = SIDE * SIDE
ALL = (1 << POINTS) - 1
LETTERS = "ABCDEFGHJKLMNOP"
MOST_QUIET = (1, 2, 3, 4, 6, 8, 10, 14)  # limits on moves other than fours in the wins of `find`


def rows() -> list[int]:
    """Return all rows of five; the number of a point is x + 15 * y."""
    result = []
    for x, y, (right, up) in product(range(SIDE), range(SIDE), ((1, 0), (0, 1), (1, 1), (1, -1))):
        if x + 4 * right < SIDE and 0 <= y + 4 * up < SIDE:
            result.append(sum(1 << x + i * right + SIDE * (y + i * up) for i in range(5)))
    return result


ROWS = rows()
ROWS_AT = [[row for row in ROWS if row >> point & 1] for point in range(POINTS)]


class CheckFailed(Exception):
    """A fault of a certificate."""


class NotFound(CheckFailed):
    """A failed search for a win by threats, which may exist nevertheless."""


def bits(points: int) -> Iterator[int]:
    """Yield the points of a set, the lowest first."""
    while points:
        lowest = points & -points
        yield lowest.bit_length() - 1
        points ^= lowest


def firsts() -> dict[int, int]:
    """Return the lowest points of all rows, by the step from point to point."""
    lowest: dict[int, int] = {}
    for row in ROWS:
        first, second, *_ = bits(row)
        lowest[second - first] = lowest.get(second - first, 0) | 1 << first
    return lowest


FIRSTS = firsts()


def name(point: int) -> str:
    """Return the name of a point, such as H8."""
    return f"{LETTERS[point % SIDE]}{point // SIDE + 1}"


def number(text: str) -> int:
    """Return the point of a name.  Raises ValueError if there is none."""
    return LETTERS.index(text[0]) + SIDE * (int(text[1:]) - 1)


def completed(own: int, point: int) -> bool:
    """Return whether the stone on a point is part of a row."""
    return any(row & own == row for row in ROWS_AT[point])


def fives(own: int, other: int) -> int:
    """Return the points where one more stone of `own` completes a row."""
    points, empty = 0, ALL & ~own & ~other
    for step, first in FIRSTS.items():
        stones = [own >> i * step for i in range(5)]
        for i in range(5):  # the first points of rows with only the i-th point empty
            four = first & empty >> i * step
            for stone in stones[:i] + stones[i + 1:]:
                four &= stone
            points |= four << i * step
    return points


def put(point: int, taken: int) -> int:
    """Return the point as a set.  Raises CheckFailed if the point is off the board or taken."""
    if not 0 <= point < POINTS or taken >> point & 1:
        raise CheckFailed(f"an illegal move at {point}")
    return 1 << point


def stones(moves: Sequence[int]) -> tuple[int, int]:
    """Return Black's and White's stones after alternating moves.

    Raises CheckFailed if a move is illegal or the game is over.
    """
    sides = [0, 0]
    for ply, move in enumerate(moves):
        sides[ply % 2] |= put(move, sides[0] | sides[1])
        if completed(sides[ply % 2], move):
            raise CheckFailed("the game is over")
    return sides[0], sides[1]


class Tree:
    """A win of Black, with Black to move.

    move     Black's move; without trees after it, it completes a row
    answers  the tree by listed answer
    other    the tree after all unlisted answers
    points   all moves and all listed answers of the tree
    paths    by k, the listed answers on paths with at least k unlisted answers
    """

    def __init__(self, move: int, answers: Mapping[int, "Tree"], other: Optional["Tree"]):
        self.move, self.answers, self.other = move, answers, other
        self.points = 1 << move
        paths = self.paths = {0: 0}
        for answer, after in answers.items():
            self.points |= after.points | 1 << answer
            for k, listed in after.paths.items():
                paths[k] = paths.get(k, 0) | listed | 1 << answer
        if other:
            self.points |= other.points
            paths[0] |= other.paths[0]
            for k, listed in other.paths.items():
                paths[k + 1] = paths.get(k + 1, 0) | listed


class Plan(NamedTuple):
    """A tree without its threats: None means that threats win."""

    move: int
    answers: Mapping[int, Optional["Plan"]]
    other: Optional["Plan"]


Finder = Callable[[int, int], Optional[Tree]]  # (Black's stones, White's) -> a win by threats


def zone(tree: Tree, own: int, other: int) -> int:
    """Return the points where one more white stone could spoil a winning tree of this position.

    A stone elsewhere is on no move and no listed answer of the tree.  So it helps White only as
    one of five white stones in a row.  Each of the other four either stands there now, or is an
    answer on the same path, listed or unlisted.  Rows without enough of these on any path do not
    count.
    """
    points = tree.points
    paths = [(4 - k, other | listed) for k, listed in tree.paths.items()]
    for row in ROWS:
        if not row & own:
            for enough, white in paths:
                if (row & white).bit_count() >= enough:
                    points |= row
                    break
    return points


def follow(tree: Tree, own: int, other: int, every: bool) -> int:
    """Play a tree with Black to move; return the most plies to the row.

    With `every`, tries all answers; without, those in the zone and one outside it.
    Raises CheckFailed if the tree does not win after an answer.
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
    """Search for a tree of threats that wins with Black to move.

    The first search tries fours alone.  Later ones allow more and more other moves: those that
    threaten two fives, then those that threaten to win by fours.  `nodes` limits the positions of
    each search; searches with other moves begin with a hundredth of it.
    """
    searches = [(1, False, 0), *product((100, 10, 1), (False, True), MOST_QUIET)]
    return next((tree for part, wide, quiet in searches
                 if (tree := _Search(nodes // part, wide).win(own, other, quiet))), None)


def planned(plan: Plan, own: int, other: int, threats: Finder) -> Optional[Tree]:
    """Return the tree of a plan, with threats by `threats`; None if a threat search fails."""
    now = own | 1 << plan.move
    rest = planned(plan.other, now, other, threats) if plan.other else threats(now, other)
    if not rest:
        return None
    answers = {}
    for answer in bits(zone(rest, now, other) & ~now & ~other):
        below, white = plan.answers.get(answer), other | 1 << answer
        after = planned(below, now, white, threats) if below else threats(now, white)
        if after:
            answers[answer] = after
    return Tree(plan.move, answers, rest)


class _Shapes:
    # The rows of a position with Black to move; points are bits.

    def __init__(self, own: int, other: int):
        self.fives = self.must = 0  # points that complete a row of Black, of White
        self.fours: dict[int, int] = {}  # by point that makes a four, the points that complete it
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
        """Add a row with two empty points."""
        first = empty & -empty
        fours[first] = fours.get(first, 0) | empty ^ first
        fours[empty ^ first] = fours.get(empty ^ first, 0) | first

    def threes(self) -> dict[int, dict[int, int]]:
        """Return, by move other than a four, the new `fours` after it and a pass."""
        added: dict[int, dict[int, int]] = {}
        for empty in self.twos:
            for move in bits(empty):
                if 1 << move not in self.fours:
                    fours = added.setdefault(1 << move, {})
                    self.add(empty ^ 1 << move, fours)
        return added


class _Search:
    # Searches for wins by fours and at most `quiet` other moves.

    def __init__(self, nodes: int, wide: bool):
        self.nodes, self.wide = nodes, wide
        self.failed: dict[tuple[int, int], int] = {}
        self.won: dict[tuple[int, int], Tree] = {}

    def win(self, own: int, other: int, quiet: int) -> Optional[Tree]:
        cached = self.won.get((own, other))
        if cached or self.failed.get((own, other), -1) >= quiet or self.nodes <= 0:
            return cached
        self.nodes -= 1
        shapes = _Shapes(own, other)
        if shapes.fives:
            return Tree(next(bits(shapes.fives)), {}, None)
        tree = None
        if shapes.must.bit_count() < 2:
            tree = self.by_fours(own, other, 0, shapes)
            if not tree and quiet:
                tree = (self.by_threes(own, other, quiet, shapes)
                        or self.by_fours(own, other, quiet, shapes))
        if tree:
            self.won[own, other] = tree
        elif self.nodes > 0:
            self.failed[own, other] = quiet
        return tree

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
        # The win by fours if White passes now.
        for move in (*added, *fours):
            ends = added.get(move, 0) | fours.get(move, 0)
            if ends & (ends - 1):
                return open_four(move.bit_length() - 1, ends)
        return self.win(own, other, 0) if self.wide else None

    def answers(self, own: int, other: int, rest: Tree, quiet: int) -> Optional[dict[int, Tree]]:
        trees: dict[int, Tree] = {}
        for outer in (False, True):
            tried = zone(rest, own, other) & ~rest.points if outer else rest.points
            for answer in bits(tried & ~own & ~other):
                after = self.win(own, other | 1 << answer, quiet - 1)
                if not after:
                    return None
                trees[answer] = after
        return trees


def open_four(move: int, ends: int) -> Tree:
    """Return the tree of a move after which two points complete a row."""
    first, second = list(bits(ends))[:2]
    return Tree(move, {first: Tree(second, {}, None)}, Tree(first, {}, None))


@lru_cache(maxsize=None)
def symmetries() -> list[list[int]]:
    """Return the eight symmetries of the board; each maps points to points."""
    images = []
    for swap, left, down in product((False, True), repeat=3):
        image = []
        for point in range(POINTS):
            x, y = point % SIDE, point // SIDE
            x, y = (y, x) if swap else (x, y)
            image.append((SIDE - 1 - x if left else x) + SIDE * (SIDE - 1 - y if down else y))
        images.append(image)
    return images


def key(own: int, other: int) -> tuple[int, int]:
    """Return a key that exactly the symmetric images of a position share."""
    black, white = list(bits(own)), list(bits(other))
    return min((sum(1 << image[point] for point in black),
                sum(1 << image[point] for point in white)) for image in symmetries())
