"""The compiled check of the proof of Gomoku, against the plain rules; docs/proof-soundness.md."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from gtp_engine.kernels import proof_check
from gtp_engine.solvers.gomoku import compiled, entries as gomoku_entries, rules
from gtp_engine.solvers.gomoku.entries import ELSEWHERE, END, NO_STONE, OPEN, THREATS
from gtp_engine.solvers.gomoku.verify import FAST_NODES
from tests.engine import PATIENCE, SCRIPT
from tests.test_manual import blocks

pytestmark = pytest.mark.xdist_group("proof_check")  # the proof is read once
DOCS = Path(__file__).parent.parent / "docs"
STREAM = gomoku_entries.stream_of(gomoku_entries.FILE.read_bytes())


class Proof:
    """The entries of a stream, and a check of single ones."""

    def __init__(self, stream, nodes=FAST_NODES):
        self.listed = gomoku_entries.entries_of(stream)
        self.whole = compiled.complete(self.listed)
        self.by_moves = {entry.moves: entry for entry in self.listed}
        self.plies_of = {}
        self.checker = compiled.Checker(compiled.plans_of(self.listed), self, nodes)

    def get(self, position, default=None):
        """The plies of a position: the checker asks for those that it meets."""
        return self.plies_of.get(position, default)

    def add(self, entries):
        """Add the plies of these entries."""
        self.plies_of.update(compiled.plies_of([*entries]))


@pytest.fixture(scope="module")
def shipped():
    """The proof of the package; the plies of all positions are added where a test needs them."""
    return Proof(STREAM)


@pytest.fixture(scope="module")
def sample(shipped):
    """Entries whose answers all have entries below them, so that few positions suffice."""
    def follows(entry):
        return all(mark is True for answer, mark in entry.answers.items() if answer != NO_STONE)

    rng = Random(7)
    chosen = [entry for entry in rng.sample(shipped.whole, 2600) if follows(entry)][:2000]
    for entry in chosen:
        shipped.add(shipped.by_moves[(*entry.moves, entry.move, answer)]
                    for answer in entry.answers if answer != NO_STONE)
    return chosen


def words(points):
    return np.frombuffer(points.to_bytes(32, "little"), np.int64).copy()


def number_of(array):
    return int.from_bytes(array.tobytes(), "little")


def test_rows_and_kinds():
    """Rows, fives and white fours of the board are those of the plain rules, at random."""
    rng, board = Random(1), proof_check.make_board()
    points = np.zeros(proof_check.WORDS, np.int64)
    assert [sum(1 << int(point) for point in row) for row in board.rows] == rules.ROWS
    found = Counter()
    for _ in range(200):
        cells = [rng.choice("x..o") if rng.random() < 0.5 else "x" for _ in range(rules.POINTS)]
        own, other = (sum(1 << i for i, cell in enumerate(cells) if cell == side) for side in "xo")
        reach = np.zeros((proof_check.REACH, proof_check.WORDS), np.int64)
        proof_check.zone(board, words(own), words(other), reach, points)
        for kind, side, no in ((proof_check.FOUR, own, other),
                               (proof_check.WHITE_FOUR, other, own)):
            rows = number_of(board.sets[kind])
            ends = 0
            for row in rules.bits(rows):
                ends |= rules.ROWS[row] & ~own & ~other
            assert ends == rules.fives(side, no)
            found[kind] += ends.bit_count()
    assert min(found.values()) > 20


def random_tree(rng, taken, depth):
    """A tree of random moves on free points, which need not win."""
    free = [point for point in range(rules.POINTS) if not taken >> point & 1]
    move, *answers = rng.sample(free, 4)
    if not depth:
        return rules.Tree(move, {}, None)
    taken |= 1 << move
    return rules.Tree(move, {answer: random_tree(rng, taken | 1 << answer, depth - 1)
                             for answer in answers[:rng.randrange(3)]},
                      random_tree(rng, taken, depth - 1))


def reach_of(tree):
    """The reach of a tree, by `join`."""
    reach = np.zeros((proof_check.REACH, proof_check.WORDS), np.int64)
    reach[0] = words(1 << tree.move)
    for answer, after in ((proof_check.NO_POINT, tree.other), *tree.answers.items()):
        if after:
            proof_check.join(reach, reach_of(after), answer)
    return reach


def test_zones():
    """Those of random trees in random positions are those of the plain rules."""
    rng, board, sizes = Random(2), proof_check.make_board(), set()
    points = np.zeros(proof_check.WORDS, np.int64)
    for _ in range(150):
        stones = rng.sample(range(rules.POINTS), rng.randrange(10, 60))
        own, other = (sum(1 << point for point in stones[side::2]) for side in (0, 1))
        tree = random_tree(rng, own | other, rng.randrange(7))
        proof_check.zone(board, words(own), words(other), reach_of(tree), points)
        assert number_of(points) == rules.zone(tree, own, other) & ~own & ~other
        sizes.add(number_of(points).bit_count())
    assert len(sizes) > 30


def test_entries_at_random(sample, shipped):
    """Every answer to 2,000 entries loses: the default tier checks some of them, CI all."""
    tried = sum(shipped.checker.check(entry) for entry in sample[:300])
    assert tried > 60_000


@pytest.mark.thorough
def test_more_entries_at_random(sample, shipped):
    assert all(shipped.checker.check(entry) for entry in sample[300:])


@pytest.mark.thorough
def test_a_whole_first_answer(shipped):
    """All entries after H8 and the answer with the fewest entries, but more than 200."""
    below = Counter(entry.moves[1] for entry in shipped.whole if len(entry.moves) > 1)
    answer = min((answer for answer in below if below[answer] > 200), key=lambda each: below[each])
    part = [entry for entry in shipped.whole if entry.moves[1:2] == (answer,)]
    shipped.add(shipped.whole)
    assert sum(map(shipped.checker.check, part)) > 200 * len(part)


@pytest.mark.parametrize("part", range(2))
@pytest.mark.few(1)
def test_trees_against_the_plain_rules(part, sample):
    """Each win that the kernels find, after a pass and after answers, wins by the plain rules
    against every answer; the zones and the plies agree."""
    threats, trees = compiled.Threats(), 0
    for entry in sample[20 * part:20 * part + 20]:
        own, other = rules.stones((*entry.moves, entry.move))
        if NO_STONE in entry.answers:
            continue
        answers = [0]
        while answers:
            white = other | answers.pop()
            tree = threats.tree(own, white, FAST_NODES)
            reach = threats.win(own, white, rules.POINTS, FAST_NODES)
            assert tree.move == threats.tree(own, white, FAST_NODES).move
            plies = rules.follow(tree, own, white, trees % 4 == 0)
            zone = threats.zone(reach, own, white)
            assert plies <= reach[proof_check.NUMBERS, proof_check.PLIES]
            assert zone == rules.zone(tree, own, white) & ~own & ~white
            trees += 1
            if white == other:
                answers = [1 << answer for answer in rules.bits(zone)
                           if answer not in entry.answers][:3]
    assert trees > 30


CHANGES = ["move", "plies", "answer dropped", "mark", "end", "cut", "extra byte", "answer changed"]


def part_of_shipped(begin, end, moves):
    """A stream with the entries of STREAM[begin:end], after these moves; those above are open."""
    above = b"".join(bytes([move, 0, answer]) for move, answer in zip(moves[::2], moves[1::2]))
    return above + STREAM[begin:end] + bytes([OPEN] * (len(moves) // 2))


def offsets(stream):
    """The offset of each entry of a stream, and of its end."""
    begins, ends, above, at, listed = [], {}, [], 0, gomoku_entries.entries_of(stream)
    for entry in listed:  # in the order of the stream
        begins.append(at)
        above.append(entry.moves)
        at += 2
        while above and (stream[at] > NO_STONE or stream[at + 1] in (ELSEWHERE, THREATS)):
            if stream[at] > NO_STONE:
                ends[above.pop()] = at = at + 1
            else:
                at += 2
        at += 1  # the answer that leads to the next entry
    return [(entry, begin, ends[entry.moves]) for entry, begin in zip(listed, begins)]


def changed(rng, stream, spans):
    """The stream with one change at random, and its name."""
    entry, begin, end = rng.choice(spans)
    name, stream, answers = rng.choice(CHANGES), bytearray(stream), [*entry.answers]
    if name == "move":
        stream[begin] = rng.choice([point for point in range(rules.POINTS) if point != entry.move])
    elif name == "plies":
        stream[begin + 1] = max(1, entry.plies - 2 * rng.randrange(1, 4))
    elif name == "cut":
        del stream[rng.randrange(len(stream)):]
    elif name == "extra byte":
        stream.insert(begin + rng.randrange(2), rng.randrange(256))
    elif name == "end":
        stream[end - 1] = OPEN
    elif not answers or answers[0] == NO_STONE:
        return changed(rng, bytes(stream), spans)
    elif name == "answer changed":
        stream[begin + 2] = rng.choice([point for point in range(rules.POINTS)
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
    return name, bytes(stream)


@pytest.mark.thorough
def test_changes_of_the_file(shipped):
    """Each of 100 random changes is refused, or the plain rules show that it is harmless."""
    rng, refused, harmless = Random(3), Counter(), Counter()
    plans = {entry.moves[:2] for entry in shipped.listed if NO_STONE in entry.moves[2:]}
    entry, begin, end = next(span for span in offsets(STREAM) if len(span[0].moves) == 4
                             and span[0].moves[:2] in plans and 900 < span[2] - span[1] < 4000)
    stream = part_of_shipped(begin, end, entry.moves)
    part = Proof(stream)
    shipped.add(shipped.whole)
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
                plies_of.pop(rules.key(*rules.stones(moves)))
            plies_of |= compiled.plies_of([each for each in tried if each.moves in touched])
            for each in tried:
                part_checker(proof, plies_of).check(each)
        except rules.CheckFailed:
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
    return compiled.Checker(compiled.plans_of(proof.listed), plies_of, 20_000)


def still_wins(entry, listed_before):
    """Answers that lost their entry, and others at random, lose by the plain rules."""
    own, other = rules.stones((*entry.moves, entry.move))
    threats, rng = compiled.Threats(), Random(1)
    unlisted = [answer for answer in rules.bits(rules.ALL & ~own & ~other)
                if entry.answers.get(answer, THREATS) == THREATS]
    lost = [answer for answer in unlisted if listed_before.get(answer, THREATS) != THREATS]
    for answer in [*lost[:2], *rng.sample(unlisted, min(1, len(unlisted)))]:
        tree = threats.tree(own, other | 1 << answer, FAST_NODES)
        if tree:
            rules.follow(tree, own, other | 1 << answer, False)
        else:
            assert NO_STONE in entry.answers, "only a plan wins without threats"


def program(*given):
    return subprocess.run([sys.executable, "-m", "gtp_engine", "verify-gomoku", *given],
                          cwd=SCRIPT.parent, capture_output=True, text=True, timeout=PATIENCE)


def packed(stream):
    import lzma
    return gomoku_entries.HEADER + lzma.compress(bytes(stream))


# H8 A1 H9 B1 H10 C1 H11
FOUR_WINS = [112, 0, 0, 127, 0, 1, 142, 0, 2, 157, 3, END, OPEN, OPEN, OPEN]


def test_the_program(tmp_path):
    """A tiny proof holds; a search without nodes leaves it incomplete; a bad move fails."""
    path = tmp_path / "proof"
    path.write_bytes(packed(FOUR_WINS))
    out = program(str(path))
    assert out.returncode == 0, out.stderr
    assert out.stdout == ("The proof holds: 1 of 4 positions are won, 218 answers tried; the "
                          "longest win takes 3 plies.\n")
    path.write_bytes(packed([*FOUR_WINS[:9], 16, *FOUR_WINS[10:]]))
    out = program(str(path))
    assert out.returncode == 1
    assert re.match("the check is incomplete: H8 A1 H9 B1 H10 C1 B2: no win by threats found",
                    out.stdout)
    path.write_bytes(packed([*FOUR_WINS[:9], 0, *FOUR_WINS[10:]]))
    out = program(str(path))
    assert out.returncode == 1 and out.stdout.startswith("the proof fails: ")


def test_the_reader_of_the_manual():
    """The example of docs/proof-soundness.md reads the file as the reader of the checker does."""
    text = (DOCS / "proof-soundness.md").read_text(encoding="utf-8")
    code, = blocks("A reader", text)[:1]
    assert len(code.splitlines()) <= 60
    scope = {}
    exec(code, scope)
    found = scope["read"](gomoku_entries.FILE.read_bytes())
    assert found == [tuple(entry) for entry in gomoku_entries.entries_of(STREAM)]
