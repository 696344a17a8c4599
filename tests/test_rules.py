"""The rules: totals known from outside, captures and ends as pictures, undo."""

from collections import Counter
from random import Random

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, PASS, WHITE, Lattice
from gtp_engine.games.rules import BOARD_FULL, CAPTURES, LINE, IllegalMove, Outcome, Position, Rules
from gtp_engine.wire.notation import GtpPoints
from tests.positions import FIVES, drawing, marked, picture, random_game

TIC_TAC_TOE = Rules("tic-tac-toe", 3, 3, 3, in_a_row=3)
GAMES = list(catalogue.GAMES.values())


def played(rules, size, moves):
    """The position after moves written as `b A1 w B1`."""
    position = catalogue.start(rules, size)
    points = GtpPoints(position.lattice)
    words = moves.split()
    for colour, point in zip(words[::2], words[1::2]):
        position.play({"b": BLACK, "w": WHITE}[colour], points.point_of(point))
    return position


def state(position):
    return {name: getattr(position, name) if name != "cells" else bytes(position.cells)
            for name in vars(position) if name not in ("lattice", "rules", "history")} | {
                "captured": tuple(position.captured), "history": tuple(position.history)}


@pytest.mark.thorough
def test_all_games_of_tic_tac_toe():
    lengths, winners = Counter(), Counter()
    position = Position(TIC_TAC_TOE, Lattice(3, 3))

    def explore():
        if position.outcome:
            lengths[len(position.history)] += 1
            winners[position.outcome.winner] += 1
        for point in position.legal_moves():
            position.play(position.side, point)
            explore()
            position.undo()

    explore()
    assert lengths == {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
    assert winners == {BLACK: 131184, WHITE: 77904, EMPTY: 46080}


CAPTURED = [  # moves on 8x8 without opening restriction, lowest row, stones by Black, by White
    ("b A1 w B1 b H8 w C1 b D1", "X..X....", 2, 0),
    ("w A1 b B1 w D1 b C1", "OXXO....", 0, 0),  # moving in between is safe
    ("b A1 w B1 w C1 w D1 b E1", "XOOOX...", 0, 0),  # three are no pair
    ("b A1 w B1 b C1", "XOX.....", 0, 0),  # nor is one
    ("w A1 w B1 b C1", "OOX.....", 0, 0),  # the edge does not flank
    ("b A1 w B1 w C1 w E1 w F1 b G1 b D1", "X..X..X.", 4, 0),  # two pairs at once
    ("b A1 w B1 w C1 b D1 w B1", "XO.X....", 2, 0),  # an emptied point may be played again
    ("b A1 w B1 w C1 b D1 w D2 w C1", "X.OX....", 2, 0),
]


@pytest.mark.parametrize("moves, row, black, white", CAPTURED)
def test_captures(moves, row, black, white):
    position = played(catalogue.PENTE_FREE, 8, moves)
    assert drawing(position).split()[-1] == row
    assert position.captured == [0, black, white]


def test_eight_pairs_at_once():
    rows = """
        X..X..X
        .O.O.O.
        ..OOO..
        XOO*OOX
        ..OOO..
        .O.O.O.
        X..X..X"""
    position = picture(catalogue.PENTE_FREE, rows)
    position.play(BLACK, *marked(position, rows))
    assert position.captured[BLACK] == 16
    assert position.outcome == Outcome(BLACK, CAPTURES)
    assert position.cells.count(WHITE) == 0 and position.vacant == 49 - 9


def test_keryo_takes_three():
    position = played(catalogue.KERYO_PENTE, 8, "w H8 b A1 w B1 w C1 w D1 b E1")
    assert position.captured == [0, 3, 0]


ENDS = [  # game, rows from the top, where Black plays (*), outcome
    ("Gomoku", "XXXX* ..... ..... ..... .....", Outcome(BLACK, LINE)),
    ("Gomoku", "XXX*XX ...... ...... ...... ...... ......", Outcome(BLACK, LINE)),
    ("Gomoku-exact", "XXX*XX ...... ...... ...... ...... ......", None),
    ("Gomoku-exact", "XXX*X. ...... ...... ...... ...... ......", Outcome(BLACK, LINE)),
    ("Gomoku-exact", "XXX*XX ..X... .X.... X..... ...... ......", None),
    ("Gomoku-exact", "XXX*XX ..X... .X.... X.X... ...... ......", None),
    ("Caro", "OXXX*XO ....... ....... ....... ....... ....... .......", None),
    ("Caro", "OXXX*X. ....... ....... ....... ....... ....... .......", Outcome(BLACK, LINE)),
    ("Caro", "XXX*XO ...... ...... ...... ...... ......", Outcome(BLACK, LINE)),
    ("Caro", "OXXX*XXO ........ ........ ........ ........ ........ ........ ........",
     Outcome(BLACK, LINE)),
    ("Caro-exact", "OXXX*XXO ........ ........ ........ ........ ........ ........ ........", None),
    ("Caro-exact", "OXXX*XO ....... ....... ....... ....... ....... .......", None),
    ("Caro-exact", ".XXX*XO ....... ....... ....... ....... ....... .......", Outcome(BLACK, LINE)),
    ("Gomoku", "XX* OOX XOO", Outcome(EMPTY, BOARD_FULL)),
    ("Gomoku", "OOOO* OXOOX XOXOX XOXXX OXXO.", None),
]


@pytest.mark.parametrize("game, rows, outcome", ENDS)
def test_ends(game, rows, outcome):
    position = picture(catalogue.find(game), rows)
    position.play(BLACK, *marked(position, rows))
    assert position.outcome == outcome


def test_five_before_full_board():
    rows = "XXXX* OXOOX XOXOX XOXXO OXXOO"
    position = picture(catalogue.GOMOKU, rows)
    position.play(BLACK, *marked(position, rows))
    assert position.vacant == 0 and position.outcome == Outcome(BLACK, LINE)


OPENINGS = [  # moves before, then a Black move and what is wrong with it; 8x8 or 9x9 Pente
    (9, "", "E4", "not in the center"),
    (9, "", "E5", None),
    (8, "", "C4", "not in the center"),
    (8, "", "D4", None), (8, "", "E5", None), (8, "", "D5", None), (8, "", "E4", None),
    (9, "b E5 w A1", "C3", "too close to the center"),
    (9, "b E5 w A1", "E7", "too close to the center"),
    (9, "b E5 w A1", "B5", None),
    (9, "b E5 w A1", "H8", None),
    (9, "b E5 w A1", "A1", "occupied"),
    (8, "b D4 w A1", "F4", "too close to the center"),
    (8, "b D4 w A1", "G4", None),
    (9, "b E5 w A1 b A2 w A3", "E6", None),
    (9, "w E5", "A1", None),  # White began
    (9, "b E5 b A1", "E6", None),  # turns did not alternate
    (9, "w pass", "A1", None),
    (9, "b E5 w pass", "E6", None),
]


@pytest.mark.parametrize("size, before, move, complaint", OPENINGS)
def test_restricted_opening(size, before, move, complaint):
    position = played(catalogue.PENTE, size, before)
    point = GtpPoints(position.lattice).point_of(move)
    assert position.complaint(BLACK, point) == complaint
    free = played(catalogue.PENTE_FREE, size, before)
    assert free.complaint(BLACK, point) == (complaint if complaint == "occupied" else None)
    assert position.complaint(WHITE, point) != "too close to the center"


def test_opening_is_free_after_setup():
    position = catalogue.start(catalogue.PENTE, 9)
    position.setup([(WHITE, position.lattice.points[0])])
    assert len(position.legal_moves()) == 80
    position.undo()
    position.set_side(BLACK)
    assert len(position.legal_moves()) == 1


def test_complaints_come_in_order_and_change_nothing():
    position = played(catalogue.PENTE, 9, "b E5")
    position.outcome = Outcome(BLACK, LINE)
    before = state(position)
    with pytest.raises(IllegalMove, match="^occupied$"):
        position.play(BLACK, position.lattice.point(4, 4))
    with pytest.raises(IllegalMove, match="^game over$"):
        position.play(BLACK, position.lattice.point(0, 0))
    assert state(position) == before
    position.play(BLACK, PASS)
    assert position.side == WHITE


def test_an_opening_that_is_broken_is_said_before_the_end():
    position = catalogue.start(catalogue.PENTE, 9)
    position.outcome = Outcome(BLACK, LINE)
    assert position.complaint(BLACK, position.lattice.point(0, 0)) == "not in the center"
    assert position.complaint(BLACK, position.lattice.point(4, 4)) == "game over"


def test_setup_counts_rows_and_can_be_undone():
    position = catalogue.start(catalogue.GOMOKU, 7)
    before = state(position)
    row = [(WHITE, position.lattice.point(x, 2)) for x in range(5)]
    position.setup(row)
    assert position.outcome == Outcome(WHITE, LINE) and position.legal_moves() == []
    position.setup([(BLACK, position.lattice.point(2, 2))])
    assert position.outcome is None and position.vacant == 44
    position.undo()
    position.undo()
    assert state(position) == before


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
@pytest.mark.parametrize("alternate", [True, False])
@pytest.mark.few(8)
def test_undo_restores_everything(rules, alternate):
    rng = Random(f"{rules.name} {alternate}")
    for size in (7, 10):
        states = []
        for position in random_game(rules, size, rng, alternate):
            while len(states) < len(position.history) + 1:
                copy = position.copy()
                while len(copy.history) > len(states):
                    copy.undo()
                states.append(state(copy))
        for expected in reversed(states):
            assert state(position) == expected
            if position.history:
                position.undo()


SYMMETRIES = [lambda x, y, n: (x, y), lambda x, y, n: (y, x)]
SYMMETRIES += [lambda x, y, n, f=f: (n - f(x, y, n)[0], f(x, y, n)[1]) for f in SYMMETRIES]
SYMMETRIES += [lambda x, y, n, f=f: (f(x, y, n)[0], n - f(x, y, n)[1]) for f in SYMMETRIES]


@pytest.mark.parametrize("rules", FIVES, ids=lambda rules: rules.name)
def test_outcome_has_the_symmetries_of_the_square(rules):
    for game in random_game(rules, 7, Random(rules.name)):
        final = game
    points = [(r.colour, final.lattice.coordinates(r.point)) for r in final.history if r.point]
    for turn in SYMMETRIES:
        image = catalogue.start(rules, 7)
        for colour, (x, y, _) in points:
            image.play(colour, image.lattice.point(*turn(x, y, 6)))
        assert (image.outcome, image.captured) == (final.outcome, final.captured)


def test_sizes():
    for rules in GAMES:
        for size in (rules.smallest, rules.default_size, rules.largest):
            assert catalogue.start(rules, size).lattice.width == size // (1 + rules.cube)
        for size in (rules.smallest - 1, rules.largest + 1, -7):
            with pytest.raises(ValueError, match="is played on sizes"):
                catalogue.start(rules, size)


SWAP = [  # moves of Gomoku-swap in turn, then a move and what is wrong with it
    ("w D4", "b D4", None), ("w D4", "w D4", "occupied"), ("w D4", "b E4", None),
    ("w D4 b D4", "w D4", "occupied"), ("w D4 b E4", "w D4", "occupied"),
    ("w D4 b E4", "b D4", "occupied"), ("w D4 b E4 w A1", "b D4", "occupied"),
    ("b D4", "w D4", "occupied"), ("w D4 w A1", "b D4", "occupied"), ("w pass", "b D4", None),
]


@pytest.mark.parametrize("before, move, complaint", SWAP)
def test_swap(before, move, complaint):
    position = played(catalogue.GOMOKU_SWAP, 7, before)
    colour, name = move.split()
    point = GtpPoints(position.lattice).point_of(name)
    assert position.complaint({"b": BLACK, "w": WHITE}[colour], point) == complaint


def test_a_stone_that_changes_its_colour():
    position = catalogue.start(catalogue.GOMOKU_SWAP, 7)
    assert position.side == WHITE
    point = position.lattice.point(3, 3)
    position.play(WHITE, point)
    assert position.legal_moves() == list(position.lattice.points)
    before = state(position)
    position.play(BLACK, point)
    assert (position.cells[point], position.side, position.vacant) == (BLACK, WHITE, 48)
    assert point not in position.legal_moves()
    position.undo()
    assert state(position) == before


def test_gomoku_with_its_first_stone_in_the_centre():
    """Only that one is restricted, and only in a game of alternating moves."""
    position = catalogue.start(catalogue.GOMOKU_CENTRE, 9)
    centre = position.lattice.point(4, 4)
    assert position.legal_moves() == [centre]
    assert position.complaint(BLACK, centre + 1) == "not in the center"
    assert position.complaint(WHITE, centre + 1) is None
    position.play(BLACK, centre)
    position.play(WHITE, centre + 2)
    assert position.complaint(BLACK, centre + 1) is None and len(position.legal_moves()) == 79


WRONG_COLOURS = [0, 3, -1, "b", None, 1.5]
WRONG_POINTS = [-1, -20, 1, 10**6, "A1", None, 9.5]  # 1 is a border cell


@pytest.mark.parametrize("rules", [catalogue.PENTE, catalogue.QUBIC], ids=lambda rules: rules.name)
@pytest.mark.parametrize("over", [False, True])
def test_colours_and_points_that_do_not_exist(rules, over):
    """A ValueError that says what is allowed, and nothing has changed; after the end, too."""
    position = catalogue.start(rules, rules.default_size)
    first, other, *rest = position.lattice.points
    position.play(BLACK, position.lattice.middle()[0])
    if over:
        position.setup([(BLACK, point) for point in rest])
    assert bool(position.outcome) == over
    before = state(position)

    def refused(text, *attempts):
        for attempt in attempts:
            with pytest.raises(ValueError, match=text):
                attempt()
            assert state(position) == before

    colours = r"^no such colour: .*BLACK is 1, WHITE is 2\)"
    for colour in WRONG_COLOURS:
        refused(colours, lambda: position.play(colour, first),
                lambda: position.play(colour, PASS), lambda: position.set_side(colour),
                lambda: position.complaint(colour, first))
        if colour != EMPTY:
            refused(colours, lambda: position.setup([(WHITE, other), (colour, first)]))
    points = "^no such point: .*allowed: those of"
    refused(points, lambda: position.setup([(WHITE, first), (BLACK, PASS)]))
    for point in WRONG_POINTS:
        refused(points, lambda: position.setup([(WHITE, first), (BLACK, point)]),
                lambda: position.play(WHITE, point), lambda: position.complaint(BLACK, point))
    position.setup([(EMPTY, first)])
    position.undo()
    assert state(position) == before


@pytest.mark.parametrize("name", ["chess", "", "Gomoku "])
def test_games_that_do_not_exist(name):
    with pytest.raises(ValueError, match=r"no such game: .*\(available: Gomoku Gomoku-exact "):
        catalogue.find(name)
