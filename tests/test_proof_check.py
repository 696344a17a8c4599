"""The compiled check of proofs of Gomoku, against the plain rules; docs/proof-soundness.md."""

import json
import lzma
import re
import struct
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE
from gtp_engine.kernels import proof_check
from gtp_engine.players.proofs.win_trees import joined
from gtp_engine.solvers.gomoku import compiled, entries as gomoku_entries
from gtp_engine.solvers.gomoku.board import zones
from gtp_engine.solvers.gomoku.entries import ELSEWHERE, END, GOMOKU, NO_STONE, OPEN, THREATS, Board
from gtp_engine.solvers.gomoku.rules import CheckFailed, Tree, bits, rules_of
from gtp_engine.solvers.gomoku.verify import FAST_NODES, read
from tests.engine import PATIENCE, SCRIPT
from tests.test_manual import blocks

pytestmark = pytest.mark.xdist_group("proof_check")  # the proof is read once
DOCS = Path(__file__).parent.parent / "docs"
FILE = GOMOKU.path()
STREAM = [*gomoku_entries.stream_of(FILE.read_bytes())]
FREE = rules_of("Gomoku", 15)  # the rules of the shipped proof
BOARDS = [FREE, rules_of("Gomoku-exact", 15), rules_of("Gomoku", 20), rules_of("Caro", 15)]
each_board = pytest.mark.parametrize(
    "rules", BOARDS, ids=[f"{rules.game}-{rules.size}" for rules in BOARDS])


class Proof:
    """The entries of a stream, and a check of single ones."""

    def __init__(self, stream, nodes=FAST_NODES, rules=FREE):
        self.rules, self.listed = rules, gomoku_entries.entries_of(stream, rules.size)
        self.whole = compiled.complete(self.listed)
        self.by_moves = {entry.moves: entry for entry in self.listed}
        self.plies_of = {}
        self.checker = compiled.Checker(rules, compiled.plans_of(self.listed), self, nodes)

    def get(self, position, default=None):
        """The plies of a position: the checker asks for those that it meets."""
        return self.plies_of.get(position, default)

    def add(self, entries):
        """Add the plies of these entries."""
        self.plies_of.update(compiled.plies_of(self.rules, [*entries]))

    def sample(self, most):
        """Entries at random whose answers all have entries below them, with the plies of these."""
        def follows(entry):
            return all(mark is True for answer, mark in entry.answers.items() if answer != NO_STONE)
        order = Random(7).sample(self.whole, len(self.whole))
        chosen = [*islice(filter(follows, order), most)]
        for entry in chosen:
            self.add(self.by_moves[(*entry.moves, entry.move, answer)]
                     for answer in entry.answers if answer != NO_STONE)
        return chosen


@pytest.fixture(scope="module")
def shipped():
    """The proof of the package; the plies of all positions are added where a test needs them."""
    return Proof(STREAM)


@pytest.fixture(scope="module")
def sample(shipped):
    """2,000 entries at random."""
    return shipped.sample(2000)


@pytest.fixture(scope="module")
def with_all_plies(shipped):
    """The proof of the package, with the plies of all positions."""
    shipped.add(shipped.whole)
    return shipped


def words(rules, points):
    size = 8 * proof_check.words_of(rules.points)
    return np.frombuffer(points.to_bytes(size, "little"), np.int64).copy()


def number_of(array):
    return int.from_bytes(array.tobytes(), "little")


def board_of(rules):
    return proof_check.make_board(rules.size, compiled.KERNEL_RULES[rules.game])


def empty_reach(rules):
    return np.zeros((proof_check.REACH, words(rules, 0).size), np.int64)


def random_stones(rng, rules):
    """Two sets of stones at random, many of them in rows."""
    share = rng.choice((0.1, 0.3, 0.5, 0.7)), rng.random()
    cells = ["." if rng.random() < share[0] else "x" if rng.random() < share[1] else "o"
             for _ in range(rules.points)]
    return tuple(sum(1 << i for i, cell in enumerate(cells) if cell == side) for side in "xo")


def expected_kind(rules, row, own, other):
    """The kind of a row by the plain rules; None if the stones in it do not matter."""
    black, white = (row & own).bit_count(), (row & other).bit_count()
    if not black:
        kinds = {3: proof_check.WHITE_THREE, 4: proof_check.WHITE_FOUR}
        return None if rules.closed(row, other) else kinds.get(white)
    if white or black < 2:
        return None
    if black == 5:
        return None if rules.shut(row, own, other) else proof_check.FIVE
    if rules.half_shut(row, own, other):
        return None if black < 4 or rules.shut(row, own, other) else proof_check.SHUT_FOUR
    return {2: proof_check.TWO, 3: proof_check.THREE, 4: proof_check.FOUR}[black]


@each_board
def test_rows_and_kinds(rules):
    """Rows, their kinds, fives and white fours of the board are those of the plain rules."""
    rng, board, found = Random(1), board_of(rules), Counter()
    assert [sum(1 << int(point) for point in row) for row in board.rows] == rules.rows
    for _ in range(40):
        own, other = random_stones(rng, rules)
        proof_check.set_stones(board, words(rules, own), words(rules, other))
        taken = own | other
        for point in rng.sample([*bits(taken)], 5):  # stones that are lifted leave nothing behind
            proof_check.lift(board, other >> point & 1, point)
            own, other = own & ~(1 << point), other & ~(1 << point)
        sets, ends = [number_of(each) for each in board.sets], Counter()
        for number, row in enumerate(rules.rows):
            kind = expected_kind(rules, row, own, other)
            kinds = [each for each in range(proof_check.OTHER) if sets[each] >> number & 1]
            assert kinds == ([] if kind is None else [kind])
            found[kind] += 1
            if kind in (proof_check.FOUR, proof_check.WHITE_FOUR):
                ends[kind] |= row & ~own & ~other
        assert ends[proof_check.FOUR] == rules.threats(own, other)
        assert ends[proof_check.WHITE_FOUR] == rules.fives(other, own)
    missing = {each for each in range(proof_check.OTHER) if found[each] < 20}
    assert missing == (set() if rules.game == "Caro" else {proof_check.SHUT_FOUR})


def played(rules, own, other):
    """The position in the engine's game, with Black to move."""
    position = catalogue.start(catalogue.find(rules.game), rules.size)
    points = position.lattice.points
    position.setup([(colour, points[number]) for colour, stones in ((BLACK, own), (WHITE, other))
                    for number in bits(stones)])
    position.set_side(BLACK)
    return position


@each_board
def test_wins_against_the_games(rules):
    """A move wins by the plain rules if it wins in the game; in Caro, all rows of White count.  A
    threat of Black wins after any white stone elsewhere."""
    rng, found, white_found = Random(2), Counter(), 0
    for _ in range(40):
        own, other = random_stones(rng, rules)
        position = played(rules, own, other)
        points, threats = position.lattice.points, rules.threats(own, other)
        empty = [*bits(rules.all & ~own & ~other)]
        assert rules.fives(other, own) == sum(
            1 << point for point in empty if rules.completed(other | 1 << point, point))
        for point in empty:
            wins = rules.wins(own | 1 << point, other, point)
            assert wins == position.wins(BLACK, points[point])
            completes = rules.completed(other | 1 << point, point)
            white_wins = position.wins(WHITE, points[point])
            assert completes >= white_wins and (completes == white_wins or rules.game == "Caro")
            stones = own | 1 << point
            has_row = any(row & stones == row for row in rules.rows_at[point])
            found[has_row, wins, threats >> point & 1] += 1
            white_found += completes - white_wins
            if threats >> point & 1:
                for answer in rng.sample(empty, min(8, len(empty))):
                    white = other | 1 << answer
                    assert answer == point or rules.wins(own | 1 << point, white, point)
    assert found[True, True, 1] > 20 and not found[False, True, 1] and not found[True, False, 1]
    assert (found[True, False, 0] > 10) == (rules.game != "Gomoku")
    assert (found[True, True, 0] > 10) == (white_found > 0) == (rules.game == "Caro")


def random_tree(rng, rules, taken, depth):
    """A tree of random moves on free points, which need not win."""
    free = [point for point in range(rules.points) if not taken >> point & 1]
    move, *answers = rng.sample(free, 4)
    if not depth:
        return Tree(move, {}, None)
    taken |= 1 << move
    return Tree(move, {answer: random_tree(rng, rules, taken | 1 << answer, depth - 1)
                       for answer in answers[:rng.randrange(3)]},
                random_tree(rng, rules, taken, depth - 1))


def reach_of(rules, tree):
    """The reach of a tree, by `join`."""
    reach = empty_reach(rules)
    reach[0] = words(rules, 1 << tree.move)
    for answer, after in ((proof_check.NO_POINT, tree.other), *tree.answers.items()):
        if after:
            proof_check.join(reach, reach_of(rules, after), answer)
    return reach


def solver_reach(tree, points):
    """The reach of a tree, by the solver."""
    answers = {points[each]: solver_reach(after, points) for each, after in tree.answers.items()}
    return joined(points[tree.move], answers,
                  solver_reach(tree.other, points) if tree.other else None)


@each_board
def test_zones(rules):
    """Those of random trees in random positions are those of the plain rules.

    The solver leaves out no row of White for its length.
    """
    rng, board, sizes = Random(2), board_of(rules), set()
    points, solver = words(rules, 0), zones(Board(rules.game, rules.size))
    position = played(rules, 0, 0)
    numbers = position.lattice.points
    for _ in range(60):
        stones = rng.sample(range(rules.points), rng.randrange(10, 60))
        own, other = (sum(1 << point for point in stones[side::2]) for side in (0, 1))
        tree = random_tree(rng, rules, own | other, rng.randrange(7))
        reach = reach_of(rules, tree)
        proof_check.zone(board, words(rules, own), words(rules, other), reach, points)
        assert number_of(points) == rules.zone(tree, own, other) & ~own & ~other
        cells = bytearray(position.cells)
        for number, stone in enumerate(stones):
            cells[numbers[stone]] = (BLACK, WHITE)[number % 2]
        zone = {*solver.zone(solver_reach(tree, numbers), cells, BLACK)}
        plain = {numbers[each] for each in bits(number_of(points))}
        assert zone >= plain and (zone == plain or rules.game == "Gomoku-exact")
        for each in rng.sample([point for point in numbers if not cells[point]], 20):
            cells[each] = WHITE
            assert solver.spoils(solver_reach(tree, numbers), cells, BLACK, each) == (each in zone)
            cells[each] = EMPTY
        sizes.add(number_of(points).bit_count())
    assert len(sizes) > 20


def tactical(rng, rules):
    """Stones near each other, more of Black, none of which has won; White has no row of four."""
    x, y = rng.randrange(rules.size - 7), rng.randrange(rules.size - 7)
    corner = [x + i % 8 + rules.size * (y + i // 8) for i in range(64)]
    stones = rng.sample(corner, rng.randrange(9, 20))
    blacks = len(stones) // 2 + rng.randrange(1, 3)
    own, other = (sum(1 << point for point in part) for part in (stones[:blacks], stones[blacks:]))
    if (rules.fives(other, own) or any(rules.completed(other, point) for point in bits(other))
            or any(rules.wins(own, other, point) for point in bits(own))):
        return tactical(rng, rules)
    return own, other


def depth_of(tree):
    """The moves of Black on the longest path."""
    below = [*tree.answers.values(), *([tree.other] if tree.other else [])]
    return 1 + max(map(depth_of, below), default=0)


def won_at_random(rng, rules, tree, own, other):
    """Black wins the game by a tree, after answers at random, most of them in the zone."""
    position, first = played(rules, own, other), True
    number = position.lattice.points.index
    while first or not position.outcome:
        first = False
        position.play(BLACK, position.lattice.points[tree.move])
        if position.outcome:
            break
        own |= 1 << tree.move
        empty = rules.all & ~own & ~other
        chosen = [rules.fives(other, own), sum(1 << each for each in tree.answers),
                  rules.zone(tree, own & ~(1 << tree.move), other), rules.all]
        answer = rng.choice([*bits(next(
            each & empty for each in rng.sample(chosen, 4) if each & empty))])
        position.play(WHITE, position.lattice.points[answer])
        other |= 1 << answer
        tree = tree.answers.get(number(position.lattice.points[answer]), tree.other)
    return position.outcome.winner == BLACK


def is_quiet(tree):
    """Does a tree have a quiet move in its first moves?"""
    return any(len(each.answers) > 1 for each in (tree, *tree.answers.values()))


def check_win(rng, threats, tree, own, other):
    """A tree wins by the plain rules after every answer, and in the game; its zone and its plies
    are those of the search.  A white stone outside the zone changes nothing."""
    rules, depth = threats.rules, depth_of(tree)
    reach = threats.win(own, other, rules.points, FAST_NODES)
    plies = rules.follow(tree, own, other, depth < 5)
    assert plies <= reach[proof_check.NUMBERS, proof_check.PLIES]
    zone = threats.zone(reach, own, other)
    assert zone == rules.zone(tree, own, other) & ~own & ~other
    outside = [*bits(rules.all & ~own & ~other & ~zone)]
    for point in rng.sample(outside, 3):
        assert rules.follow(tree, own, other | 1 << point, depth < 4) <= plies
        assert won_at_random(rng, rules, tree, own, other | 1 << point)
    assert won_at_random(rng, rules, tree, own, other)


def ends_are_listed(rules, tree, own, other):
    """After a quiet move of Caro, the points beyond the rows of its open four have trees."""
    own |= 1 << tree.move
    x, first = tree.other.move, tree.other.other.move
    for end in (first, tree.other.answers[first].move):
        black = own | 1 << x | 1 << end
        ends = [rules.beyond[row] & ~own for row in rules.rows_at[end]
                if row & black == row and not rules.beyond[row] & other]
        if not any(all(point in tree.answers for point in bits(points)) for points in ends):
            return False
    return True


def test_ends_of_rows_in_caro():
    """A white stone beyond a row spoils a win if the other end is shut, and belongs to the zone."""
    rules, rng, tried = rules_of("Caro", 15), Random(5), 0
    threats = compiled.Threats(rules)
    own, other = (sum(1 << rules.number(word) for word in text.split())
                  for text in ("C8 D8 E8 F8", "B8 A1"))
    tree = threats.tree(own, other, 1)
    reach = threats.win(own, other, rules.points, 1)
    zone = threats.zone(reach, own, other)
    assert [*map(rules.name, bits(zone))] == ["G8", "H8"]
    assert rules.follow(tree, own, other, True) == 1
    with pytest.raises(CheckFailed, match="G8 completes no row"):
        rules.follow(tree, own, other | 1 << rules.number("H8"), True)
    while tried < 40:
        own, other = tactical(rng, rules)
        tree = threats.tree(own, other, FAST_NODES)
        if tree and tree.other and tree.other.other and len(tree.answers) > 1:
            tried += 1
            assert ends_are_listed(rules, tree, own, other)


@each_board
def test_wins_at_random(rules):
    """Trees that the search finds in positions at random win."""
    rng, threats, found = Random(3), compiled.Threats(rules), Counter()
    while found["quiet"] < 20 or found["deep"] < 20:
        own, other = tactical(rng, rules)
        tree = threats.tree(own, other, FAST_NODES)
        if tree and depth_of(tree) > 1:
            check_win(rng, threats, tree, own, other)
            found["quiet"] += is_quiet(tree)
            found["deep"] += depth_of(tree) > 4
        found["none"] += tree is None
    assert found["none"]


@pytest.mark.parametrize("black, white, lost", [  # the games without a win by threats
    ("H6 J6 M7 H8 P10", "H4 O6 J9 H10", ()), ("G7 G9 K9 C10 H10 G13", "F8 G8 E11 K11 C14", ()),
    ("F2 N2 H4 F5 G7 L7", "G4 N7 G8 H9", ("Gomoku-exact",)),
    ("D8 H9 L10 H12 H14 G15", "F9 E10 D13 E13", ("Gomoku-exact",)),
    ("G7 B8 G12 D13 D14 F14", "F9 H9 F10 D12 J12", ("Caro",)),
    ("H4 H5 D6 E7 A9 C9", "E5 D9 H10 D11", ("Caro",)),
    ("B8 C8 D8 F8 G8", "A1 C2 E1 G2", ("Gomoku-exact",)),  # E8 makes six
    ("B8 C8 E8 F8", "A8 G8 C2 E1", ("Caro",))]  # D8 makes five between white stones
    , ids=range(8))
@pytest.mark.few(3)
def test_diagrams(black, white, lost):
    """Wins with quiet moves on each board, and positions where the rule matters."""
    for rules in BOARDS:
        threats = compiled.Threats(rules)
        own, other = (sum(1 << rules.number(word) for word in text.split())
                      for text in (black, white))
        tree = threats.tree(own, other, 20_000)
        assert (tree is None) == (rules.game in lost)
        if tree:
            check_win(Random(1), threats, tree, own, other)
        else:
            assert rules.find(own, other, 100) is None


def test_entries_at_random(sample, shipped):
    """Every answer to 2,000 entries loses: the default tier checks some of them, CI all."""
    tried = sum(shipped.checker.check(entry) for entry in sample[:300])
    assert tried > 60_000


@pytest.mark.thorough
def test_more_entries_at_random(sample, shipped):
    assert all(shipped.checker.check(entry) for entry in sample[300:])


@pytest.mark.thorough
@pytest.mark.parametrize(
    "board", [board for board in gomoku_entries.shipped() if board != GOMOKU], ids=str)
def test_entries_of_other_boards(board):
    """Every answer to 200 entries of each other proof of the package loses."""
    rules = rules_of(*board)
    proof = Proof(gomoku_entries.stream_of(board.path().read_bytes()), rules=rules)
    assert proof.whole[0].moves == () and len(proof.whole) > 10_000
    tried = [*map(proof.checker.check, proof.sample(200))]
    assert len(tried) == 200 and min(tried) > rules.points - 80


@pytest.mark.thorough
def test_a_whole_first_answer(with_all_plies):
    """All entries after H8 and the answer with the fewest entries, but more than 200."""
    shipped = with_all_plies
    below = Counter(entry.moves[1] for entry in shipped.whole if len(entry.moves) > 1)
    answer = min((answer for answer in below if below[answer] > 200), key=lambda each: below[each])
    part = [entry for entry in shipped.whole if entry.moves[1:2] == (answer,)]
    assert sum(map(shipped.checker.check, part)) > 200 * len(part)


@pytest.mark.parametrize("part", range(2))
@pytest.mark.few(1)
def test_trees_against_the_plain_rules(part, sample):
    """Each win that the kernels find, after a pass and after answers, wins by the plain rules
    against every answer; the zones and the plies agree.  So do wins without the answer."""
    threats, trees, without = compiled.Threats(FREE), 0, 0
    for entry in sample[20 * part:20 * part + 20]:
        own, other = FREE.stones((*entry.moves, entry.move))
        if NO_STONE in entry.answers:
            continue
        answers = [0]
        while answers:
            white = other | answers.pop()
            tree = threats.tree(own, white, FAST_NODES)
            reach = threats.win(own, white, FREE.points, FAST_NODES)
            assert tree.move == threats.tree(own, white, FAST_NODES).move
            plies = FREE.follow(tree, own, white, trees % 4 == 0)
            zone = threats.zone(reach, own, white)
            assert plies <= reach[proof_check.NUMBERS, proof_check.PLIES]
            assert zone == FREE.zone(tree, own, white) & ~own & ~white
            assert threats.wins_too(0, white) is None
            again = threats.wins_too(own, other)
            if again is not None:
                FREE.follow(tree, own, other, trees % 4 == 0)
                assert (threats.zone(again, own, other)
                        == FREE.zone(tree, own, other) & ~own & ~other)
                without += white != other
            trees += 1
            if white == other:
                answers = [1 << answer for answer in bits(zone)
                           if answer not in entry.answers][:3]
    assert trees > 30 and without > 10


CHANGES = ["move", "plies", "answer dropped", "mark", "end", "cut", "extra symbol",
           "answer changed"]


def part_of_shipped(begin, end, moves):
    """A stream with the entries of STREAM[begin:end], after these moves; those above are open."""
    above = sum(([move, 0, answer] for move, answer in zip(moves[::2], moves[1::2])), [])
    return above + STREAM[begin:end] + [OPEN] * (len(moves) // 2)


def offsets(stream):
    """The offset of each entry of a stream, and of its end."""
    begins, ends, above, at, listed = [], {}, [], 0, gomoku_entries.entries_of(stream, FREE.size)
    for entry in listed:  # in the order of the stream
        begins.append(at)
        above.append(entry.moves)
        at += 2
        while above and (stream[at] > FREE.points or stream[at + 1] in (ELSEWHERE, THREATS)):
            if stream[at] > FREE.points:
                ends[above.pop()] = at = at + 1
            else:
                at += 2
        at += 1  # the answer that leads to the next entry
    return [(entry, begin, ends[entry.moves]) for entry, begin in zip(listed, begins)]


def changed(rng, stream, spans):
    """The stream with one change at random, and its name."""
    entry, begin, end = rng.choice(spans)
    name, stream, answers = rng.choice(CHANGES), [*stream], [*entry.answers]
    if name == "move":
        stream[begin] = rng.choice([point for point in range(FREE.points) if point != entry.move])
    elif name == "plies":
        stream[begin + 1] = max(1, entry.plies - 2 * rng.randrange(1, 4))
    elif name == "cut":
        del stream[rng.randrange(len(stream)):]
    elif name == "extra symbol":
        stream.insert(begin + rng.randrange(2),
                      rng.choice((rng.randrange(FREE.points + 1), rng.randrange(THREATS, END + 1))))
    elif name == "end":
        stream[end - 1] = OPEN
    elif not answers or answers[0] == NO_STONE:
        return changed(rng, stream, spans)
    elif name == "answer changed":
        stream[begin + 2] = rng.choice([point for point in range(FREE.points)
                                        if point != answers[0]])
    elif entry.answers[answers[0]] is not True:
        if name == "mark":
            stream[begin + 3] ^= ELSEWHERE ^ THREATS
        else:
            del stream[begin + 2:begin + 4]
    elif name == "mark":
        stream.insert(begin + 3, rng.choice((ELSEWHERE, THREATS)))
    else:
        below = next(end for each, _, end in spans
                     if each.moves == (*entry.moves, entry.move, answers[0]))
        del stream[begin + 2:below]
    return name, stream


@pytest.mark.thorough
def test_changes_of_the_file(with_all_plies):
    """Each of 100 random changes is refused, or the plain rules show that it is harmless."""
    shipped = with_all_plies
    rng, refused, harmless = Random(3), Counter(), Counter()
    plans = {entry.moves[:2] for entry in shipped.listed if NO_STONE in entry.moves[2:]}
    entry, begin, end = next(span for span in offsets(STREAM) if len(span[0].moves) == 4
                             and span[0].moves[:2] in plans and 900 < span[2] - span[1] < 4000)
    stream = part_of_shipped(begin, end, entry.moves)
    part = Proof(stream)
    assert sum(map(part_checker(part, shipped.plies_of).check, part.whole[:20])) > 4000
    spans = [span for span in offsets(stream)
             if span[0].plies and NO_STONE not in span[0].moves]
    before = {entry.moves: entry for entry in part.listed}
    for _ in range(100):
        name, altered = changed(rng, stream, spans)
        try:
            proof = Proof(altered, 20_000)
        except ValueError:
            refused[name] += 1
            continue
        now = {entry.moves: entry for entry in proof.listed}
        touched = {moves for moves in {*before, *now} if before.get(moves) != now.get(moves)}
        tops = {first_without_pass(moves) for moves in touched}
        tops |= {moves[:-2] for moves in tops}
        tried = [now[moves] for moves in tops if moves in now and now[moves].plies]
        try:
            plies_of = dict(shipped.plies_of)
            for moves in touched & {entry.moves for entry in part.whole}:
                plies_of.pop(FREE.key(*FREE.stones(moves)))
            plies_of |= compiled.plies_of(FREE, [each for each in tried if each.moves in touched])
            for each in tried:
                part_checker(proof, plies_of).check(each)
        except CheckFailed:
            refused[name] += 1
            continue
        harmless[name] += 1
        for each in tried:
            still_wins(each, before[each.moves].answers if each.moves in before else {})
    assert refused.total() > 60 and refused.total() + harmless.total() == 100
    assert set(refused) >= {"move", "plies", "end", "cut"}


def first_without_pass(moves):
    """The entry to which an entry below a pass belongs."""
    return moves[:moves.index(NO_STONE) - 1] if NO_STONE in moves else moves


def part_checker(proof, plies_of):
    return compiled.Checker(FREE, compiled.plans_of(proof.listed), plies_of, 20_000)


def still_wins(entry, listed_before):
    """Answers that lost their entry, and others at random, lose by the plain rules."""
    own, other = FREE.stones((*entry.moves, entry.move))
    threats, rng = compiled.Threats(FREE), Random(1)
    unlisted = [answer for answer in bits(FREE.all & ~own & ~other)
                if entry.answers.get(answer, THREATS) == THREATS]
    lost = [answer for answer in unlisted if listed_before.get(answer, THREATS) != THREATS]
    for answer in [*lost[:2], *rng.sample(unlisted, min(1, len(unlisted)))]:
        tree = threats.tree(own, other | 1 << answer, FAST_NODES)
        if tree:
            FREE.follow(tree, own, other | 1 << answer, False)
        else:
            assert NO_STONE in entry.answers, "only a plan wins without threats"


def program(*given):
    return subprocess.run([sys.executable, "-m", "gtp_engine", "verify-gomoku", *given],
                          cwd=SCRIPT.parent, capture_output=True, text=True, timeout=PATIENCE)


def packed(rules, stream):
    header = gomoku_entries.Board(rules.game, rules.size).header() + "\n"
    return header.encode() + lzma.compress(struct.pack(f"<{len(stream)}H", *stream))


def game_of(rules, line, plies):
    """A stream: the moves of a line as open entries, but the last one with these plies."""
    moves = [*map(rules.number, line.split())]
    stream = sum(([move, 0, answer] for move, answer in zip(moves[::2], moves[1::2])), [])
    return [*stream, moves[-1], plies, END, *[OPEN] * (len(moves) // 2)]


FOUR_WINS = "H8 A1 H9 B1 H10 C1 H11"


@each_board
@pytest.mark.few(2)
def test_the_program(rules, tmp_path):
    """A tiny proof holds; a search without nodes leaves it incomplete; a bad move fails."""
    path = tmp_path / "proof"

    def checked(line, plies=3):
        path.write_bytes(packed(rules, game_of(rules, line, plies)))
        return program(str(path), "--processes", "1")
    out = checked(FOUR_WINS)
    assert out.returncode == 0, out.stderr
    assert out.stdout == (
        f"The proof holds: 1 of 4 positions are won, {rules.points - 7} answers tried; the "
        "longest win takes 3 plies.\n")
    out = checked(FOUR_WINS.replace("H11", "B2"))
    assert out.returncode == 1
    assert re.match("the check is incomplete: H8 A1 H9 B1 H10 C1 B2: no win by threats found",
                    out.stdout)
    out = checked(FOUR_WINS.replace("H11", "A1"))
    assert out.returncode == 1 and out.stdout.startswith("the proof fails: ")


def test_errors_of_the_program(tmp_path):
    """Each is one line."""
    for data, complaint in (
            (b"", "it does not start with the header of a proof of Gomoku"),
            (b"gtp_engine: Black wins Pente on 15x15, version 4\n", "does not support this game"),
            (b"gtp_engine: Black wins Caro on 26x26, version 4\n", "does not support boards of"),
            (b'["H8"]\n', "it does not start with the header of a proof of Gomoku"),
            (b'"gtp_engine: Black wins Caro on 15x15, version 4"\n{}\n', "it is damaged"),
            (packed(FREE, [112, 0, 3]), "it ends in the middle of an entry")):
        with pytest.raises(ValueError, match=complaint):
            read(data)
    path = tmp_path / "proof"
    path.write_bytes(b"")
    for words, complaint in (
            ([path], "it does not start with the header of a proof of Gomoku"),
            (["--game", "Pente", "--size", 9], "the package has no proof of Pente on 9x9, but of"),
            (["--size", 15, path], "a file has its own game and size: omit --game and --size")):
        out = program(*map(str, words))
        assert out.returncode == 2 and complaint in out.stderr.splitlines()[-1]


def test_a_long_file(tmp_path):
    """Has its header as a JSON string; the first move need not be in the centre."""
    lines = ["gtp_engine: Black wins Gomoku-exact on 17x17, version 4",
             ["C3 A1 D4 B1 E5 C1", "F6", "", True, {"G7": ["B2"]}, ["G7"]]]
    path = tmp_path / "long"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = program(str(path))
    assert out.stdout.startswith("All holds: 1 of 1 positions are won, 282 answers tried;"), out


def test_the_reader_of_the_manual():
    """The example of docs/proof-soundness.md reads the file as the reader of the checker does."""
    text = (DOCS / "proof-soundness.md").read_text(encoding="utf-8")
    code, = blocks("A reader", text)[:1]
    assert len(code.splitlines()) <= 60
    scope = {}
    exec(code, scope)
    game, size, found = scope["read"](FILE.read_bytes())
    assert (game, size) == GOMOKU
    assert found == [tuple(entry) for entry in gomoku_entries.entries_of(STREAM, FREE.size)]
