r"""Prove Gomoku on a larger board with the proof of a smaller one, faster than `solve-gomoku`.

    xz -dk tuning/gomoku-20.work.xz
    python tuning/larger_board.py --size 20 --advice gtp_engine/players/data/gomoku-19.proof \
        --plies 49 --plans tuning/gomoku-20.work

It takes the options of `solve-gomoku` but --long, and --plans.  Three things make it fast:

1. It searches threats as the check does, by kernels/proof_threats.py, and leaves advised answers to
   their own entries.  So solver and check share code: check random entries by the plain rules, too.
2. Where a board has no middle, a position and its mirror images around the first stone are not
   symmetric.  But the plans of one may win in the others, and are tried there.
3. A move that wins after one answer may win after others.  The plans in the work file of an earlier
   run (`--plans`) come first.
"""

import argparse
import sys
from collections import Counter
from concurrent.futures import as_completed
from functools import lru_cache
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from gtp_engine.games.lattice import BLACK, EMPTY, PASS, WHITE
from gtp_engine.kernels.proof_check import NUMBERS, PLIES
from gtp_engine.kernels.proof_threats import SMALL_TABLE, TABLE
from gtp_engine.players.base import candidates
from gtp_engine.players.proofs.win_trees import Reach, WinTree
from gtp_engine.solvers.gomoku import compiled, proof, questions
from gtp_engine.solvers.gomoku.attacks import BUDGETS, PassResults, Plan, after
from gtp_engine.solvers.gomoku.board import lattice_of, position_after, zones
from gtp_engine.solvers.gomoku.certificate import Certificate, turned
from gtp_engine.solvers.gomoku.entries import NO_STONE, entries_of
from gtp_engine.solvers.gomoku.questions import Grown, Line, Refutation, with_answer
from gtp_engine.solvers.gomoku.rules import bits, rules_of
from gtp_engine.solvers.gomoku.work import WorkFile

PASS_NODES = 100_000  # of a search after a pass
ANSWER_NODES = 20_000, 200_000  # of searches after an answer, with more effort each time
LISTED_NODES = 100  # of a search after an answer that may have its own entry
BEFORE = 3_000  # of a search without the answer, before the last one
LONGEST = 79  # plies of the wins by threats
SIBLINGS = 6  # moves that are tried in an open position
FIRST = 2  # stones of a position that no attack wins
OPEN = Plan(PASS, {}, None)  # the plan of an answer that is open


@lru_cache(maxsize=None)
def threats(board):
    """The search of this process, the points of the board, and their numbers."""
    points = lattice_of(board).points
    return (compiled.Threats(rules_of(*board)), points,
            {point: number for number, point in enumerate(points)})


def stones(board, position):
    """The sets of black and of white stones, as the search takes them."""
    _, points, number = threats(board)
    return [sum(1 << number[point] for point in points if position.cells[point] == colour)
            for colour in (BLACK, WHITE)]


def last_win(board):
    """The win that the last search found, as a tree of the solver with its reach."""
    search, points, _ = threats(board)

    def tree_of(tree):
        return WinTree(points[tree.move],
                       {points[answer]: tree_of(each) for answer, each in tree.answers.items()},
                       tree_of(tree.other) if tree.other else None)

    def points_of(numbers):
        return sum(1 << points[number] for number in bits(numbers))
    tree = search.last_tree()
    return Grown(tree_of(tree), Reach(points_of(tree.points), tuple(
        points_of(tree.paths[k]) for k in sorted(tree.paths))), None)


NOTHING = PassResults(PASS, {})


def planned(board, position, plan, before=NOTHING, wins=None):
    """The win by a plan, or by threats without a plan; None if neither wins as it stands.

    `before` are wins without a white stone, which still hold outside their zones.  The wins of all
    positions of the plan are added to `wins`, by their cells.
    """
    cells = bytes(position.cells)
    win = before.still(cells, zones(board)) or (
        by_plan(board, position, plan, before, wins) if plan else by_threats(board, position))
    if win and wins is not None:
        wins[cells] = win
    return win


def by_threats(board, position):
    """The win by threats, or None."""
    search, (own, other) = threats(board)[0], stones(board, position)
    for entries, nodes in ((SMALL_TABLE, ANSWER_NODES[0]), (TABLE, PASS_NODES)):
        search.begin(entries)
        if search.win(own, other, own.bit_count() + (LONGEST + 1) // 2, nodes) is not None:
            return last_win(board)
    return None


def by_plan(board, position, plan, before, wins):
    """The win by a plan, or None."""
    if position.cells[plan.move] != EMPTY:
        return None
    passed = after(position, plan.move, PASS)
    other = planned(board, passed, plan.other, before, wins)
    found = {}
    for answer in zones(board).zone(other.reach, passed.cells, BLACK) if other else ():
        found[answer] = planned(board, with_answer(passed, answer), plan.answers.get(answer),
                                before, wins)
        if not found[answer]:
            return None
    return other and questions.moved(plan.move, found, other)


_used = {}  # by Black's stones and a move, the last plan after a pass


def after_pass(board, position, line):
    """The win by a plan after a pass, by one that has won before if possible."""
    blacks = tuple(sorted(line.moves[::2]))
    plans = [_used.get((blacks, line.other.move)), line.other] if line.other else []
    wins = (planned(board, position, plan) for plan in plans if plan)
    win = next(filter(None, wins), None) or questions.after_pass(
        board, position, line._replace(other=None))
    if win and win.plan:
        _used[blacks, win.plan.move] = win.plan
    return win


def refute(board, line, with_trees):
    """Do the task of `questions.refute`; OPEN is the plan of an answer to leave open.

    If no win is found after a pass, and few answers have plans, Black's move alone is open.
    """
    search, points, number = threats(board)
    position = position_after(board, line.moves)
    position.play(WHITE, PASS)
    own, other = stones(board, position)
    last = own.bit_count() + (line.plies + 1) // 2
    search.begin(SMALL_TABLE)
    reach = None if line.other else search.win(own, other, last, PASS_NODES)
    win = after_pass(board, position, line) if reach is None else last_win(board)
    if win is None and len(line.plans) < len(points) // 2:
        return Refutation({}, None, {}, (), (), 0, (line.moves[-1],))
    longest = int(reach[NUMBERS, PLIES]) if reach is not None else win.tree.plies() if win else 0
    left = {number[point] for point in (zones(board).zone(win.reach, position.cells, BLACK) if win
                                        else candidates(position))}
    first = search.order() if reach is not None else []
    passed = win.plan if win else None
    plans, refuted, unproved, wins = {}, [], [], {}
    if passed:
        planned(board, position, passed, wins=wins)
    if reach is None:
        search.begin(SMALL_TABLE)
    for each in (*first, *sorted(left)):
        if each not in left:
            continue
        left.remove(each)
        answer = points[each]
        plan, white = line.plans.get(answer), other | 1 << each
        nodes = LISTED_NODES if plan or reach is None else ANSWER_NODES[0]
        found = search.win(own, white, last, nodes, each)
        if found is None and not plan and passed:
            later = planned(board, with_answer(position, answer), passed,
                            PassResults(answer, wins))
            plan = later.plan if later and later.tree.plies() <= line.plies else None
        if found is None and not plan:
            search.begin(TABLE)
            search.win(own, other, last, BEFORE)
            found = search.win(own, white, last, ANSWER_NODES[1], each)
        if found is not None:
            longest = max(longest, int(found[NUMBERS, PLIES]))
            refuted.append(answer)
            if reach is not None and (too := search.wins_too(own, other)) is not None:
                left.intersection_update(bits(search.zone(too, own, other)))
        elif plan and plan != OPEN:
            plans[answer] = plan
        else:
            unproved.append(answer)
    return Refutation({}, None, plans, tuple(refuted) if passed else (),
                      tuple(questions.plan_numbers(board, passed, win.tree)) if passed else (),
                      1 + longest if longest else 0, tuple(unproved))


def tried(board, moves, plies, plans, earlier):
    """The first of these plans that wins a position in at most `plies` plies.

    Else the earlier plan, if it wins after a pass, or None.
    """
    position = position_after(board, moves)
    for plan in [earlier, *plans] if earlier else plans:
        win = planned(board, position, plan)
        if win and win.tree.plies() <= plies:
            return win.plan
    if not earlier:
        return None
    line = Line((*moves, earlier.move), earlier.answers, earlier.other, plies - 2)
    return after_pass(board, after(position, earlier.move, PASS), line) and earlier


class Images:
    """The mirror images and rotations of positions around the first stone.

    A map of points has None for a point off the board.
    """

    def __init__(self, board):
        lattice = lattice_of(board)
        at = {lattice.coordinates(point)[:2]: point for point in lattice.points}
        x, y, _ = lattice.coordinates(lattice.middle()[0])
        self._steps = {point: (a - x, b - y) for (a, b), point in at.items()}
        self._between = {}

        def image(point, right, up, swapped):
            a, b = self._steps[point][::-1 if swapped else 1]
            return at.get((x + a * right, y + b * up))
        self._maps = [{point: image(point, *symmetry) for point in lattice.points}
                      for symmetry in product((1, -1), (1, -1), (False, True))]

    def canonical(self, moves):
        """A name that images of a position share, and the number of the map to its image."""
        images = []
        for number, each in enumerate(self._maps):
            points = [each[move] for move in moves]
            if None not in points:
                images.append(((*sorted(points[::2]), PASS, *sorted(points[1::2])), number))
        return min(images)

    def between(self, first, second):
        """The map from one position to another, by the numbers of their maps."""
        if (first, second) not in self._between:
            back = {image: point for point, image in self._maps[second].items() if image}
            self._between[first, second] = {
                point: back.get(image) for point, image in self._maps[first].items()}
        return self._between[first, second]


def image_of(plan, image):
    """The image of a plan; OPEN if it leaves the board."""
    try:
        return turned(plan, {point: each for point, each in image.items() if each})
    except KeyError:
        return OPEN


def plan_of(board, numbers):
    """The plan of an entry after a pass, by its numbers in the proof file."""
    points = lattice_of(board).points
    by_moves = {entry.moves: entry for entry in entries_of(numbers, board.size)}

    def plan(moves):
        entry = by_moves.get(moves)
        moves = (*moves, entry.move) if entry else ()
        return entry and Plan(points[entry.move], {
            points[answer]: plan((*moves, answer)) for answer in entry.answers
            if answer != NO_STONE}, plan((*moves, NO_STONE)))
    return plan(())


class LargerBoard(Certificate):
    """A certificate with plans of mirror images, and with moves that win after other answers."""

    search = staticmethod(refute)
    plans = {}  # to try first, by position
    searched = []  # positions that were left open

    def __init__(self, board, tree, *rest):
        self._images, self._first = Images(board), {}
        self._suggested, self._tried = set(), set()
        super().__init__(board, tree, *rest)
        proved = [(moves, node) for moves in self.searched if (node := tree.find(moves))
                  and not node.pn and (node.winning_plan or node.winner)]
        self._plans = {self._images.canonical(moves)[0]: (moves, plan) for moves, plan in [
            *self.plans.items(), *((moves, self._plan(moves, node)) for moves, node in proved)]}

    def refute(self, pool, entry_file, with_trees, report):
        """Find the wins as `Certificate.refute` does; leave one open position of all images."""
        self._entry_file = entry_file
        super().refute(pool, entry_file, with_trees, report)
        while self._try_plans(pool):
            super().refute(pool, entry_file, with_trees, report)
        self.open = [*{self._images.canonical(moves)[0]: moves for moves in self.open}.values()]
        self.searched.extend(self.open)
        for moves in self.open:
            start = self.tree.start(moves[:FIRST])
            start.visits = max(start.visits, len(BUDGETS))
            start.update_pn()

    def next_lines(self):
        """The entries to search now: of images only the first, then the others with its plans."""
        lines = []
        for line in super().next_lines():
            name, number = self._images.canonical((*line.moves, line.move))
            first, its_move, its_number = self._first.setdefault(
                name, (line.moves, line.move, number))
            same = first in self.lines and self.lines[first].move == its_move
            if first != line.moves and same:
                if first not in self.wins:
                    continue
                if line.moves not in self._suggested:
                    self._suggested.add(line.moves)
                    line = self._suggest(line, first, self._images.between(its_number, number))
            lines.append(line)
        return lines

    def _suggest(self, line, first, image):
        # Add the plans of an image to those of an entry.
        found = self._entry_file[self.wins[first].key]
        plans = {image[answer]: image_of(plan, image) for answer, plan in found.plans.items()}
        plans.update((image[answer], OPEN) for answer in found.open)
        if found.numbers and (other := image_of(plan_of(self.board, found.numbers), image)) != OPEN:
            line = line._replace(other=other)
        line = line._replace(plans={**{answer: plan for answer, plan in plans.items() if answer},
                                    **line.plans})
        self.lines[line.moves] = line
        return line

    def _list(self, line, answer, plan):
        # Black's own move among the answers means that it does not win: see `refute`.
        if answer != line.move:
            super()._list(line, answer, plan)
            return
        del self.lines[line.moves], self.wins[line.moves]
        if not self._add_advised(line.moves) or self.lines[line.moves].move == answer:
            self.lines.pop(line.moves, None)
            self.open.append(line.moves)

    def _earlier_plan(self, moves):
        # The plan of the position or of an image of it, or None.
        name, number = self._images.canonical(moves)
        if name not in self._plans:
            return None
        other, plan = self._plans[name]
        plan = image_of(plan, self._images.between(self._images.canonical(other)[1], number))
        return None if plan == OPEN else plan

    def _try_plans(self, pool):
        # Try plans in the open positions; does any win?
        siblings = {}
        for moves, line in self.lines.items():
            siblings.setdefault(moves[:-1], Counter())[line.move] += 1
        tasks, won = {}, False
        for moves in self.open:
            common, earlier = siblings.get(moves[:-1], Counter()), self._earlier_plan(moves)
            plans = [Plan(move, {}, None) for move, _ in common.most_common(SIBLINGS)]
            if not self.tree.find(moves) and (moves, str((plans, earlier))) not in self._tried:
                self._tried.add((moves, str((plans, earlier))))
                tasks[pool.submit(tried, self.board, moves, self.goal - len(moves), plans,
                                  earlier)] = moves
        for task in as_completed(tasks):
            if plan := task.result():
                self.open.remove(tasks[task])
                self.add_plan(tasks[task], plan)
                won = True
        return won


def main():
    """Prove the game; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    proof.add_options(parser)
    parser.add_argument("--plans", metavar="FILE", help="a work file whose plans come first")
    options = parser.parse_args()
    if options.long:
        parser.error("it stores no trees: write the long file with solve-gomoku")
    if options.plans:
        path = Path(options.plans)
        if not path.is_file():
            parser.error(f"{path}: there is no such file")
        try:
            results = [*WorkFile(proof.Board(options.game, options.size), path).read()]
        except ValueError as error:
            parser.error(str(error))
        LargerBoard.plans = {moves: result.plan for _, moves, result in results
                             if result.won and result.plan}
    return proof.start(parser, options, LargerBoard)


if __name__ == "__main__":
    sys.exit(main())
