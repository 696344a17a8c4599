"""Renju: forbidden points by the rules, by definition, and by another program."""

from collections import Counter
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from benchmarks.renju_fouls import FOUL, RULE_BASED, SHORT, opening_of, play_game
from gtp_engine.games import catalogue, renju
from gtp_engine.games.lattice import BLACK, BORDER, EMPTY, WHITE
from gtp_engine.games.rules import BOARD_FULL, LINE, IllegalMove, Outcome
from gtp_engine.kernels import kernel, windows
from gtp_engine.kernels.control import shared
from gtp_engine.kernels.lines import renju as line_kernels
from gtp_engine.kernels.plane import renju as kernels
from gtp_engine.kernels.plane.moves import sure_open_fours
from gtp_engine.kernels.plane.renju import random_allowed
from gtp_engine.kernels.plane.shapes import SUSPECT
from gtp_engine.kernels.plane.state import LONGEST_PATH, make_search, start
from gtp_engine.kernels.plane.vcf import ALL_FOURS, win_by_fours
from gtp_engine.kernels.plane.vct import win_by_threats
from gtp_engine.players.adapters import board_of, geometry_of, line_board_of, set_up
from gtp_engine.players.alphabeta.weights import weights_of
from gtp_engine.players.playouts import Simulator
from gtp_engine.wire.notation import FILE_COLUMNS
from tests.positions import marked, picture
from tests.reference import DIRECTIONS, renju_kind
from tests.test_rules import SYMMETRIES, state

SIZE = 15
KINDS = {"6": renju.OVERLINE, "4": renju.DOUBLE_FOUR, "3": renju.DOUBLE_THREE}


def place(name):
    """Column and row from 0 of a point such as I9, the ninth column and row."""
    return FILE_COLUMNS.index(name[0]), int(name[1:]) - 1


def cases():
    """Number, black and white stones, forbidden points with their kinds, of tests/data/renju.txt.
    """
    text = (Path(__file__).parent / "data" / "renju.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            number, black, white, forbidden, *_ = (part.strip() for part in line.split("|"))
            stones = {place(name): colour for colour, part in ((BLACK, black), (WHITE, white))
                      for name in part.split()[1:] if name != "-"}
            kinds = {} if forbidden == "none" else {
                place(name): KINDS[group.strip()[0]] for group in forbidden.split(";")
                for name in group.split(":")[1].split()}
            yield pytest.param(stones, kinds, id=number)


def board(stones, size=SIZE):
    """The position with these stones, by column and row, and Black to move."""
    position = catalogue.start(catalogue.RENJU, size)
    position.setup([(colour, position.lattice.point(*at)) for at, colour in stones.items()])
    position.set_side(BLACK)
    return position


def forbidden(position):
    """The forbidden points by column and row, and why."""
    return {position.lattice.coordinates(point)[:2]: kind
            for point, kind in position.forbidden_points().items()}


def by_definition(stones, size=SIZE):
    letters = {at: " bw"[colour] for at, colour in stones.items()}
    kinds = {at: renju_kind(letters, size, at) for at in product(range(size), repeat=2)
             if at not in letters and len(in_line(letters, at)) >= 4}
    return {at: kind for at, kind in kinds.items() if kind not in (None, renju.FIVE)}


def in_line(letters, at):
    """The black stones of the four rows through a point that are near enough to matter."""
    return [other for dx, dy in DIRECTIONS for step in range(-5, 6)
            for other in [(at[0] + step * dx, at[1] + step * dy)] if letters.get(other) == "b"]


def random_stones(rng, size=SIZE):
    """Stones in a part of the board, so that many are near each other; more black than white."""
    part = rng.randint(7, size)
    left, low = rng.randint(0, size - part), rng.randint(0, size - part)
    places = [(left + x, low + y) for x, y in product(range(part), repeat=2)]
    count = rng.randint(part, part * part // 2)
    return {at: BLACK if rng.random() < 0.65 else WHITE for at in rng.sample(places, count)}


def test_every_window():
    """The totals of two other programs, and no row with a three and a four at once."""
    found = Counter()
    for cells in product((EMPTY, BLACK, BORDER), repeat=10):
        row = renju.row_of(bytes(cells[:5]), bytes(cells[5:]))
        assert not (row.fours and row.opens)
        assert all(1 <= abs(step) <= 3 for step in row.opens)
        found[min(row.length, 6) if row.length >= 5 else
              ("fours", len(row.fours)) if row.fours else ("three", len(row.opens))] += 1
    assert found == {5: 1620, 6: 1053, ("fours", 2): 136, ("fours", 1): 432 + 5344,
                     ("three", 1): 1080, ("three", 2): 108, ("three", 0): 49276}


@pytest.mark.parametrize("stones, kinds", [*cases()])
def test_positions(stones, kinds):
    position = board(stones)
    assert forbidden(position) == kinds == by_definition(stones)
    for turn in SYMMETRIES[1:]:
        image = board({turn(*at, SIZE - 1): colour for at, colour in stones.items()})
        assert forbidden(image) == {turn(*at, SIZE - 1): kind for at, kind in kinds.items()}
    position.set_side(WHITE)
    assert position.forbidden_points() == {}


@pytest.mark.thorough
def test_random_boards():
    """The rules against the definition, symmetries, and one stone more."""
    rng, seen = Random(38), Counter()
    for number in range(150):
        stones = random_stones(rng)
        kinds = by_definition(stones)
        position = board(stones)
        assert forbidden(position) == kinds, number
        slowly = {point: position.forbidden(BLACK, point) for point in position.lattice.points}
        assert position.forbidden_points() == {
            point: kind for point, kind in slowly.items() if kind}
        assert position.legal_moves() == [
            point for point in position.lattice.points if not position.complaint(BLACK, point)]
        seen.update(kinds.values())
        turn = rng.choice(SYMMETRIES)
        image = board({turn(*at, SIZE - 1): colour for at, colour in stones.items()})
        assert forbidden(image) == {turn(*at, SIZE - 1): kind for at, kind in kinds.items()}
    assert min(seen[kind] for kind in KINDS.values()) > 50, seen


@pytest.mark.thorough
def test_verdicts_of_the_package_renju():
    """What the judge of tournaments says, as its author has it in Python."""
    get_foul_type = pytest.importorskip("renju.check_forbid").get_foul_type
    rng = Random(39)
    for stones in (*(case.values[0] for case in cases()),
                   *(random_stones(rng) for _ in range(12))):
        cells = [[stones.get((x, y), EMPTY) for y in range(SIZE)] for x in range(SIZE)]
        kinds = forbidden(board(stones))
        for x, y in product(range(SIZE), repeat=2):
            if (x, y) not in stones:
                assert (get_foul_type(cells, x, y) > 0) == ((x, y) in kinds)


def test_why_a_point_is_forbidden():
    position = board({place(name): BLACK for name in "G8 H7 H9 I8 A1".split()})
    point = position.lattice.point(*place("H8"))
    assert renju.stones_of(position.cells, position.lattice.axes, point) == sorted(
        position.lattice.point(*place(name)) for name in "G8 H7 H9 I8".split())


def test_a_forbidden_point_is_refused_and_nothing_changes():
    position = board({place(name): BLACK for name in "G8 H7 H9 I8".split()})
    point = position.lattice.point(*place("H8"))
    before = state(position)
    assert point not in position.legal_moves()
    with pytest.raises(IllegalMove, match="^forbidden: double three$"):
        position.play(BLACK, point)
    assert state(position) == before
    position.outcome = Outcome(WHITE, LINE)
    assert position.complaint(BLACK, point) == "forbidden: double three"
    assert position.complaint(WHITE, point) == "game over"
    position.outcome = None
    position.play(WHITE, point)
    assert position.complaint(BLACK, point) == "occupied"


ENDS = [  # rows from the top, who plays where (*), the outcome
    ("XXX*XX. ....... ....... ....... ....... ....... .......", WHITE, None),
    ("OOO*OO. ....... ....... ....... ....... ....... .......", WHITE, Outcome(WHITE, LINE)),
    ("XXX*X.. ....... ....... ....... ....... ....... .......", BLACK, Outcome(BLACK, LINE)),
    ("....... X...... X...... X...... X...... X...... *XXXX..", BLACK, Outcome(BLACK, LINE)),
]


@pytest.mark.parametrize("rows, colour, outcome", ENDS)
def test_ends(rows, colour, outcome):
    position = picture(catalogue.RENJU, rows, colour)
    position.outcome = None  # five stand there already in the last one
    position.play(colour, *marked(position, rows))
    assert position.outcome == outcome


FULL_FOR_BLACK = """
    XXX.XX
    OOXXO*
    XXOOXX
    OOXXOO
    XXOOXX
    OOXXOO"""  # but for *


def test_a_board_on_which_black_may_not_move_is_full():
    """Six in the only empty point: a draw as soon as Black is to move."""
    position = picture(catalogue.RENJU, FULL_FOR_BLACK, WHITE)
    position.play(WHITE, *marked(position, FULL_FOR_BLACK))
    assert position.outcome == Outcome(EMPTY, BOARD_FULL)
    assert position.legal_moves() == []
    position.set_side(WHITE)
    assert position.outcome is None and len(position.legal_moves()) == 1
    position.set_side(BLACK)
    assert position.outcome == Outcome(EMPTY, BOARD_FULL)
    for _ in range(3):
        position.undo()
    assert position.outcome is None


@pytest.mark.thorough
def test_the_table_of_windows():
    """Each of its entries against the rules."""
    table, sides = windows.windows(), windows.sides()
    names = {windows.FIVE: (5,), windows.SIX: range(6, 12)}
    for cells in product((EMPTY, BLACK, BORDER), repeat=10):
        row = renju.row_of(bytes(cells[4::-1]), bytes(cells[5:]))
        before, after = (sum((cell == BLACK) << i | (cell == EMPTY) << i + 5
                             for i, cell in enumerate(part)) for part in (cells[:5], cells[5:]))
        entry = int(table[int(sides[before]) * windows.SIDES + int(sides[after])])
        kind, opens = entry & windows.KIND_MASK, entry >> windows.OPENS
        if row.length >= 5:
            assert row.length in names[kind] and not opens
        else:
            assert len(row.fours) == {windows.FOUR: 1, windows.TWO_FOURS: 2}.get(kind, 0)
            assert [step + 3 for step in row.opens] == [i for i in range(7) if opens >> i & 1]


def compiled(position):
    """Geometry, board and search for a position."""
    geometry = geometry_of(position.rules, position.lattice)
    search = make_search(geometry, weights_of(position.rules, position.lattice.width), 16)
    board = board_of(geometry, position)
    start(board, geometry, search)
    return geometry, board, search


COMPILED = {kernels.DOUBLE_THREE: renju.DOUBLE_THREE, kernels.DOUBLE_FOUR: renju.DOUBLE_FOUR,
            kernels.OVERLINE: renju.OVERLINE}


@pytest.mark.parametrize("size", [7, 15, 25])
@pytest.mark.few(1)
def test_compiled_verdicts(size):
    """They are those of the rules and leave the board as it is; what codes say of a point holds."""
    rng = Random(size)
    boards = [random_stones(rng, size) for _ in range(300 if size == 15 else 40)]
    lines = line_board_of(board({}, size), 4, symmetric=False)
    for stones in [case.values[0] for case in cases() if size == 15] + boards:
        position = board(stones, size)
        geometry, arrays, search = compiled(position)
        before = arrays.state.copy()
        empty = [point for point in position.lattice.points if position.cells[point] == EMPTY]
        found = {point: int(kernels.verdict(arrays.state, geometry, point)) for point in empty}
        set_up(position, lines)
        assert {point for point in empty
                if line_kernels.verdict(lines, point) == line_kernels.FORBIDDEN} == {
                    *position.forbidden_points()}
        assert bytes(lines.cells) == bytes(position.cells)
        assert np.array_equal(arrays.state, before)
        assert position.forbidden_points() == {
            point: COMPILED[kind] for point, kind in found.items() if kind in COMPILED}
        for point in empty:
            assert (found[point] == kernels.MAKES_FIVE) == position.wins(BLACK, point)
            if found[point] in COMPILED:
                assert search.suspects[search.codes[2 * point]] & SUSPECT


@pytest.mark.thorough
def test_sure_open_fours_are_not_forbidden_after_any_stone():
    rng, sure = Random(7), 0
    for _ in range(150):
        position = board(random_stones(rng, 11), 11)
        geometry, arrays, search = compiled(position)
        out = np.zeros(121, np.uint16)
        for point in map(int, out[:sure_open_fours(arrays, geometry, search, out)]):
            sure += 1
            assert not position.forbidden(BLACK, point)
            for other in position.lattice.points:
                if position.cells[other] == EMPTY and other != point:
                    position.setup([(WHITE, other)])
                    assert not position.forbidden(BLACK, point)
                    position.undo()
    assert sure > 100


@kernel
def draw(board, geometry, colour, random):
    return random_allowed(board.state, board.free, board.slot, geometry, colour, random)


@pytest.mark.thorough
def test_random_moves_are_the_legal_ones():
    """All of them come up, and no others; none is left on a board that is full for Black."""
    rng = Random(3)
    random = np.array([1, *[0] * 7], np.uint64)
    for _ in range(10):
        position = board(random_stones(rng, 9), 9)
        position.outcome = None
        geometry, arrays, _ = compiled(position)
        legal = {*position.legal_moves()}
        assert {int(draw(arrays, geometry, 0, random)) for _ in range(80 * len(legal))} == legal
        _, anew, _ = compiled(position)
        assert np.array_equal(arrays.state, anew.state)
    position = picture(catalogue.RENJU, FULL_FOR_BLACK, WHITE)
    position.play(WHITE, position.legal_moves()[0])
    geometry, arrays, _ = compiled(position)
    assert draw(arrays, geometry, 0, random) == 0 < draw(arrays, geometry, 1, random)


def test_playouts_do_not_stop_a_row_on_a_forbidden_point():
    """White wins all by a four that only a double three would stop."""
    position = board({**{place(name): BLACK for name in "D6 D7 E6 F7".split()},
                      **{place(name): WHITE for name in "A5 B5 C5".split()}}, 9)
    position.set_side(WHITE)
    simulator, stop = Simulator(position.rules, position.lattice), np.zeros(2, np.uint8)
    four, elsewhere = (position.lattice.point(*place(name)) for name in ("E5", "I9"))
    results = simulator.simulate(position, [four, elsewhere], "rule_based", 64, 1, stop)
    assert results[0, :3].tolist() == [0, 0, 64] != results[1, :3].tolist()
    results = simulator.simulate(position, [four, elsewhere], "random", 640, 1, stop)
    assert results[:, :3].sum(axis=1).tolist() == [640, 640]
    assert results[0, WHITE] > results[1, WHITE]


THREAT_NODES = 20_000


class TooLong(Exception):
    """A search for threats has used up its moves."""


def claimed_win(position, by_fours):
    """The first move of a win by threats, or by fours only; 0 if there is none."""
    geometry, arrays, search = compiled(position)
    control, stop, side = shared(search.control), np.zeros(2, np.uint8), position.side - BLACK
    control.node_limit, control.threat_nodes = 1 << 60, THREAT_NODES
    found = (win_by_fours(arrays, geometry, search, stop, 41, 0, side, ALL_FOURS) if by_fours else
             win_by_threats(arrays, geometry, search, stop, 4, LONGEST_PATH, 0, side))
    if not found and control.threat_nodes <= 0:
        raise TooLong
    return int(control.best) if found else 0


def loses_by_any_answer(position, by_fours, plies, rng):
    """Does the claimed win hold, by the slow rules, against all answers of so many plies?

    After these, against those that stop a row, and some others.
    """
    side, move = position.side, claimed_win(position, by_fours)
    if not move or position.complaint(side, move):
        return False
    if position.wins(side, move):
        return True
    position.play(side, move)
    rows = [point for point in position.lattice.points
            if position.cells[point] == EMPTY and position.wins(side, point)]
    answers = position.legal_moves()
    if plies == 0:
        answers = [*rng.sample(answers, 3), *{*rows}.intersection(answers)]
    holds = True
    for answer in answers:
        if position.wins(position.side, answer):
            holds = False
        elif not {*rows} - {answer}:
            position.play(position.side, answer)
            holds = holds and not position.outcome and loses_by_any_answer(
                position, by_fours, plies - 1, rng)
            position.undo()
    position.undo()
    return holds


@pytest.mark.parametrize("by_fours, size, count", [(True, 10, 40), (False, 9, 12)])
@pytest.mark.thorough
def test_wins_by_threats(by_fours, size, count):
    """What is claimed for either side holds whatever the other one answers."""
    rng, found, with_forbidden = Random(size), Counter(), 0
    while min(found[BLACK], found[WHITE]) < count // 2:
        places = rng.sample([*product(range(size), repeat=2)], rng.randint(8, size * size // 3))
        position = board({at: rng.choice((BLACK, BLACK, BLACK, WHITE, WHITE)) for at in places},
                         size)
        with_forbidden += bool(position.forbidden_points())
        position.set_side(rng.choice((BLACK, WHITE)))
        if position.outcome or found[position.side] >= count // 2 or any(
                position.wins(position.side, point) for point in position.legal_moves()):
            continue
        try:
            if claimed_win(position, by_fours):
                assert loses_by_any_answer(position, by_fours, 1, rng), position.history
                found[position.side] += 1
        except TooLong:
            pass
    assert with_forbidden > 10


def test_whole_games_under_a_judge():
    """A sample of benchmarks/renju_fouls.py: a foul is noticed, and our Black makes none."""
    double_three = tuple("H9 A1 H10 P1 F8 A15 G8 P15 H8".split())
    ended = play_game(SHORT, SHORT, double_three, 1)
    assert (ended.winner, ended.reason, ended.differ) == (WHITE, FOUL, 0)
    games = [play_game(black, white, opening_of(3 * number), number)
             for number, (black, white) in enumerate(
                 [(SHORT, SHORT), (RULE_BASED, SHORT), (RULE_BASED, RULE_BASED)])]
    assert all(game.reason != FOUL and game.differ == 0 for game in games)
    assert sum(game.turns for game in games) > 3
