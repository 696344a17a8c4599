"""Gomoku and its variants in plain, slow Python: the rules that check a certificate.

This module uses nothing of the engine.  A set of points is an integer with one bit per point.  A
row is five points in a line.  The side that first completes a row wins if it counts:

Gomoku        also within a longer one
Gomoku-exact  no stone of that side may be just beyond its ends
Caro          white stones may not be just beyond both ends of a black row; all rows of White count,
              which can only make a proof harder
"""

from functools import cached_property, lru_cache
from itertools import product
from typing import Callable, Iterator, Mapping, NamedTuple, Optional, Sequence

GAMES = GOMOKU, EXACT, CARO = "Gomoku", "Gomoku-exact", "Caro"
SMALLEST, LARGEST = 5, 25  # boards
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
MOST_QUIET = (1, 2, 3, 4, 6, 8, 10, 14)  # limits on moves other than fours in the wins of `find`


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


class Rules:
    """The rules of a game on a square board; see `rules_of`.

    game, size, points   its name, the lines and the points of the board
    all      all points; the number of a point is x + size * y
    rows     all rows
    beyond   by row, the points on the board just beyond its ends
    rows_at  the rows through each point
    """

    def __init__(self, game: str, size: int):
        self.game, self.size, self.points = game, size, size * size
        self.all = (1 << self.points) - 1
        self.beyond = dict[int, int]()
        for x, y, (right, up) in product(range(size), range(size),
                                         ((1, 0), (0, 1), (1, 1), (1, -1))):
            before, *row, after = [self._set(x + i * right, y + i * up) for i in range(-1, 6)]
            if all(row):
                self.beyond[sum(row)] = before | after
        self.rows = [*self.beyond]
        self.rows_at = [[row for row in self.rows if row >> point & 1]
                        for point in range(self.points)]

    def __reduce__(self) -> tuple[Callable[[str, int], "Rules"], tuple[str, int]]:
        return rules_of, (self.game, self.size)

    def _set(self, x: int, y: int) -> int:
        on_board = 0 <= x < self.size and 0 <= y < self.size
        return 1 << x + self.size * y if on_board else 0

    @cached_property
    def firsts(self) -> dict[int, tuple[int, int, int]]:
        """The lowest points of all rows, by the step from point to point.

        Those with a point before the row, and those with a point after it, follow.
        """
        lowest = dict[int, list[int]]()
        for row, beyond in self.beyond.items():
            first, second, *_, last = bits(row)
            at = lowest.setdefault(second - first, [0, 0, 0])
            at[0] |= 1 << first
            at[1] |= 1 << first if beyond & ((1 << first) - 1) else 0
            at[2] |= 1 << first if beyond >> last else 0
        return {step: (at[0], at[1], at[2]) for step, at in lowest.items()}

    def name(self, point: int) -> str:
        """Return the name of a point, such as H8."""
        return f"{LETTERS[point % self.size]}{point // self.size + 1}"

    def number(self, text: str) -> int:
        """Return the point of a name.  Raises ValueError if there is none."""
        x, y = LETTERS.index(text[0]), int(text[1:]) - 1
        if not self._set(x, y):
            raise ValueError(f"no such point: {text}")
        return x + self.size * y

    def shut(self, row: int, own: int, other: int) -> bool:
        """Return whether stones beyond the ends of a black row prevent that it wins."""
        beyond = self.beyond[row]
        if self.game == EXACT:
            return beyond & own > 0
        return self.game == CARO and beyond & other == beyond and beyond.bit_count() == 2

    def half_shut(self, row: int, own: int, other: int) -> bool:
        """Return whether a black row is shut, or one more white stone could shut it."""
        return self.shut(row, own, other) or self.game == CARO and self.beyond[row] & other > 0

    def wins(self, own: int, other: int, point: int) -> bool:
        """Return whether Black's stone on a point wins.  `own` are Black's stones."""
        return any(row & own == row and not self.shut(row, own, other)
                   for row in self.rows_at[point])

    def closed(self, row: int, white: int) -> bool:
        """Return whether stones beyond the ends of a white row prevent that it wins."""
        return self.game == EXACT and self.beyond[row] & white > 0

    def completed(self, white: int, point: int) -> bool:
        """Return whether White's stone on a point wins.  `white` are White's stones."""
        return any(row & white == row and not self.closed(row, white)
                   for row in self.rows_at[point])

    def fives(self, white: int, black: int) -> int:
        """Return the points where one more stone of White wins."""
        return self._fives(white, black, white if self.game == EXACT else 0)

    def threats(self, own: int, other: int) -> int:
        """Return the points where Black wins after any white stone elsewhere."""
        return self._fives(own, other, {GOMOKU: 0, EXACT: own, CARO: other}[self.game])

    def _fives(self, own: int, other: int, no: int) -> int:
        # The points that complete rows without the stones `no` beyond their ends.
        points, empty = 0, self.all & ~own & ~other
        for step, (first, with_before, with_after) in self.firsts.items():
            if no:
                first &= ~(no << step & with_before | no >> 5 * step & with_after)
            stones = [own >> i * step for i in range(5)]
            for i in range(5):  # the first points of rows with only the i-th point empty
                four = first & empty >> i * step
                for stone in stones[:i] + stones[i + 1:]:
                    four &= stone
                points |= four << i * step
        return points

    def put(self, point: int, taken: int) -> int:
        """Return the point as a set.  Raises CheckFailed if it is off the board or taken."""
        if not 0 <= point < self.points or taken >> point & 1:
            raise CheckFailed(f"an illegal move at {point}")
        return 1 << point

    def stones(self, moves: Sequence[int]) -> tuple[int, int]:
        """Return Black's and White's stones after alternating moves.

        Raises CheckFailed if a move is illegal or the game is over.
        """
        sides = [0, 0]
        for ply, move in enumerate(moves):
            sides[ply % 2] |= self.put(move, sides[0] | sides[1])
            if self.completed(sides[1], move) if ply % 2 else self.wins(sides[0], sides[1], move):
                raise CheckFailed("the game is over")
        return sides[0], sides[1]

    def zone(self, tree: Tree, own: int, other: int) -> int:
        """Return the points where one more white stone could spoil a winning tree of this position.

        A stone elsewhere is on no move and no listed answer of the tree.  So it helps White only as
        one of five white stones in a row.  Each of the other four either stands there now, or is an
        answer on the same path, listed or unlisted.  Rows without enough of these on any path do
        not count.  In Caro it could also stand beyond the end of a row that the tree completes.
        """
        points = tree.points
        paths = [(4 - k, other | listed) for k, listed in tree.paths.items()]
        for row in self.rows:
            if not row & own and not self.closed(row, other):
                for enough, white in paths:
                    if (row & white).bit_count() >= enough:
                        points |= row
                        break
        if self.game == CARO:
            black = own | tree.points
            for row, beyond in self.beyond.items():
                if row & black == row:
                    points |= beyond
        return points

    def follow(self, tree: Tree, own: int, other: int, every: bool) -> int:
        """Play a tree with Black to move; return the most plies to the row.

        With `every`, tries all answers; without, those in the zone and one outside it.
        Raises CheckFailed if the tree does not win after an answer.
        """
        move, rest = tree.move, tree.other
        own |= self.put(move, own | other)
        if self.wins(own, other, move):
            return 1
        if not rest:
            raise CheckFailed(f"{self.name(move)} completes no row")
        if self.fives(other, own):
            raise CheckFailed(f"White wins after {self.name(move)}")
        threats, longest = self.threats(own, other), 0
        if threats.bit_count() > 1:
            return 3
        if threats:
            answer = threats.bit_length() - 1
            return 2 + self.follow(tree.answers.get(answer, rest), own, other | threats, every)
        longest = self.follow(rest, own, other, every)
        tried = self.all & ~own & ~other
        if not every:
            tried &= self.zone(rest, own, other) | sum(1 << answer for answer in tree.answers)
        for answer in bits(tried):
            stone, after = self.put(answer, own | other), tree.answers.get(answer, rest)
            longest = max(longest, self.follow(after, own, other | stone, every))
        return 2 + longest

    def find(self, own: int, other: int, nodes: int) -> Optional[Tree]:
        """Search for a tree of threats that wins with Black to move.

        The first search tries fours alone.  Later ones allow more and more other moves: those that
        threaten two fives, then those that threaten to win by fours.  `nodes` limits the positions
        of each search; searches with other moves begin with a hundredth of it.
        """
        searches = [(1, False, 0), *product((100, 10, 1), (False, True), MOST_QUIET)]
        return next((tree for part, wide, quiet in searches
                     if (tree := _Search(self, nodes // part, wide).win(own, other, quiet))), None)

    def planned(self, plan: Plan, own: int, other: int, threats: Finder
                ) -> Optional[Tree]:
        """Return the tree of a plan, with threats by `threats`; None if a threat search fails."""
        now = own | 1 << plan.move
        rest = self.planned(plan.other, now, other, threats) if plan.other else threats(now, other)
        if not rest:
            return None
        answers = {}
        for answer in bits(self.zone(rest, now, other) & ~now & ~other):
            below, white = plan.answers.get(answer), other | 1 << answer
            after = self.planned(below, now, white, threats) if below else threats(now, white)
            if after:
                answers[answer] = after
        return Tree(plan.move, answers, rest)

    @cached_property
    def symmetries(self) -> list[list[int]]:
        """The eight symmetries of the board; each maps points to points."""
        images, last = [], self.size - 1
        for swap, left, down in product((False, True), repeat=3):
            image = []
            for point in range(self.points):
                y, x = divmod(point, self.size)
                x, y = (y, x) if swap else (x, y)
                image.append((last - x if left else x) + self.size * (last - y if down else y))
            images.append(image)
        return images

    def key(self, own: int, other: int) -> tuple[int, int]:
        """Return a key that exactly the symmetric images of a position share."""
        black, white = list(bits(own)), list(bits(other))
        return min((sum(1 << image[point] for point in black),
                    sum(1 << image[point] for point in white)) for image in self.symmetries)


@lru_cache(maxsize=None)
def rules_of(game: str, size: int) -> Rules:
    """Return the rules of a game.  Raises ValueError if the check does not support it."""
    if game not in GAMES:
        raise ValueError(f"the check does not support this game: {game}")
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(f"the check does not support boards of this size: {size}")
    return Rules(game, size)


class _Shapes:
    # The rows of a position with Black to move; points are bits.

    def __init__(self, rules: Rules, own: int, other: int):
        self.fives = self.must = 0  # points that complete a row of Black, of White
        self.fours: dict[int, int] = {}  # by point that makes a four, the points that complete it
        self.twos: list[int] = []  # the empty points of rows with two black stones
        for row in rules.rows:
            black, white = row & own, row & other
            if not white:
                count = black.bit_count()
                if count == 4:
                    self.fives |= 0 if rules.shut(row, own, other) else row ^ black
                elif count < 2 or rules.half_shut(row, own, other):
                    pass
                elif count == 3:
                    self.add(row ^ black, self.fours)
                elif count == 2:
                    self.twos.append(row ^ black)
            elif not black and white.bit_count() == 4 and not rules.closed(row, other):
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

    def __init__(self, rules: Rules, nodes: int, wide: bool):
        self.rules, self.nodes, self.wide = rules, nodes, wide
        self.failed: dict[tuple[int, int], int] = {}
        self.won: dict[tuple[int, int], Tree] = {}

    def win(self, own: int, other: int, quiet: int) -> Optional[Tree]:
        cached = self.won.get((own, other))
        if cached or self.failed.get((own, other), -1) >= quiet or self.nodes <= 0:
            return cached
        self.nodes -= 1
        shapes = _Shapes(self.rules, own, other)
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
        if self.rules.game == EXACT:  # the last move may have made rows too long
            fours, added = _Shapes(self.rules, own, other).fours, {}
        for move in (*added, *fours):
            ends = added.get(move, 0) | fours.get(move, 0)
            if ends & (ends - 1):
                return open_four(move.bit_length() - 1, ends)
        return self.win(own, other, 0) if self.wide else None

    def answers(self, own: int, other: int, rest: Tree, quiet: int) -> Optional[dict[int, Tree]]:
        trees: dict[int, Tree] = {}
        for outer in (False, True):
            tried = self.rules.zone(rest, own, other) & ~rest.points if outer else rest.points
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
