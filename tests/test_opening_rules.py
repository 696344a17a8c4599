"""Opening rules: each played through, and what is refused."""

from itertools import product
from types import SimpleNamespace

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE
from gtp_engine.games.opening_rules import (
    FIRST,
    NAMED_OPENINGS,
    RULES,
    SECOND,
    Action,
    Agreement,
    find,
    name_of,
    opening_points,
)
from gtp_engine.players.openings import choices
from gtp_engine.wire.notation import FILE_COLUMNS

SIZE = 15
# The third stones of D1..D13 and I1..I13, after H8 H9 and H8 I9, with the letter I.
THIRDS = {"D": "H10 I10 J10 I9 J9 I8 J8 H7 I7 J7 H6 I6 J6",
          "I": "J10 J9 J8 J7 J6 I8 I7 I6 H7 H6 G7 G6 F6"}


def points(lattice, text):
    """The points of such names, with a column I."""
    return [lattice.point(FILE_COLUMNS.index(name[0]), int(name[1:]) - 1) for name in text.split()]


def test_the_26_openings():
    lattice = catalogue.start(catalogue.RENJU, SIZE).lattice
    assert len({named.name for named in NAMED_OPENINGS}) == 26
    for letter, second in (("D", "H9"), ("I", "I9")):
        for number, third in enumerate(THIRDS[letter].split(), 1):
            named, = (each for each in NAMED_OPENINGS if each.number == f"{letter}{number}")
            assert opening_points(named, lattice) == points(lattice, f"H8 {second} {third}")


def test_every_first_three_stones_in_the_central_square_have_a_name():
    """But for those that are the same in a mirror, there are 26 of them."""
    lattice = catalogue.start(catalogue.RENJU, SIZE).lattice
    found = set()
    for (x, y), (a, b) in product(product(range(6, 9), repeat=2), product(range(5, 10), repeat=2)):
        position = catalogue.start(catalogue.RENJU, SIZE)
        three = [lattice.point(7, 7), lattice.point(x, y), lattice.point(a, b)]
        if len({*three}) == 3:
            for point in three:
                position.play(position.side, point)
            found.add(name_of(position))
    assert found == {*NAMED_OPENINGS}


def opened(rule, text):
    """The opening after actions such as `place H8 H9 H10, swap yes`, and who did each of them."""
    position = catalogue.start(catalogue.RENJU, SIZE)
    opening, actors = Agreement(find(rule), position), []
    for action in filter(None, text.split(", ")):
        actors.append(opening.actor)
        act(opening, action)
    return opening, actors


def act(opening, action):
    word, _, rest = action.partition(" ")
    if word == "swap":
        opening.act(Action(word, yes=rest == "yes"))
    elif word == "declare":
        opening.act(Action(word, number=int(rest)))
    else:
        opening.act(Action(word, tuple(points(opening.position.lattice, rest))))


F, S = FIRST, SECOND
WHOLE = [  # rule, actions, who did them, who has Black, stones, who moves then
    ("swap", "place A1 B2 C3, swap yes", [F, S], S, 3, F),
    ("swap", "place A1 B2 C3, swap no", [F, S], F, 3, S),
    ("swap2", "place A1 B2 C3, swap yes", [F, S], S, 3, F),
    ("swap2", "place A1 B2 C3, swap no", [F, S], F, 3, S),
    ("swap2", "place A1 B2 C3, place D4 E6, swap yes", [F, S, F], S, 5, F),
    ("swap2", "place A1 B2 C3, place D4 E6, swap no", [F, S, F], F, 5, S),
    ("rif", "place H8 H9 I10, swap no, place A1, offer B1 C1, choose C1", [F, S, S, F, S], F, 5, S),
    ("rif", "place H8 H9 I10, swap yes, place A1, offer B1 C1, choose C1",
     [F, S, F, S, F], S, 5, F),
    ("yamaguchi", "place H8 I9 J9, declare 3, swap no, place A1, offer B1 C1 E1, choose B1",
     [F, F, S, S, F, S], F, 5, S),
    ("soosyrv-8", "place H8 I9 J9, swap no, place A1, declare 1, swap no, offer B1, choose B1",
     [F, S, S, S, F, F, S], F, 5, S),
    ("soosyrv-8",
     "place H8 I9 J9, swap yes, place A1, declare 2, swap yes, offer B1 O1, choose O1",
     [F, S, F, F, S, F, S], F, 5, S),
    ("taraguchi-10", "place H8, swap no, place G7, swap no, place F9, swap no, place E8, swap no, "
     "place D8, swap no, place A1", [F, S, S, F, F, S, S, F, F, S, S], F, 6, F),
    ("taraguchi-10", "place H8, swap yes, place G7, swap no, place F9, swap no, place E8, "
     "swap yes, place D8, swap yes, place A1", [F, S, F, S, S, F, F, S, F, S, F], S, 6, S),
    ("taraguchi-5", "place H8, swap no, place G7, swap no, place F9, swap no, place E8, "
     "offer A1 B1 C1 D1 E1, choose E1", [F, S, S, F, F, S, S, F, S], F, 5, S),
    ("super-taraguchi-10", "place H8, swap no, place F6, swap no, place E11, swap no, place D4, "
     "swap no, place L12, swap no, place O15", [F, S, S, F, F, S, S, F, F, S, S], F, 6, F),
]


@pytest.mark.parametrize("rule, text, actors, black, count, mover", WHOLE)
def test_whole_openings(rule, text, actors, black, count, mover):
    opening, found = opened(rule, text)
    assert opening.step is None and opening.actions == [] and found == actors
    assert (opening.black, opening.actor) == (black, mover)
    stones = [record.colour for record in opening.position.history]
    assert stones == [BLACK, WHITE] * (count // 2) + [BLACK] * (count % 2)
    with pytest.raises(ValueError, match="^swap: it is time to|^the opening is over$"):
        opening.swap(True)


REFUSED = [  # rule, actions before, one that is refused, why
    ("rif", "", "place H8 H9", "place 3 stones, not 2"),
    ("rif", "", "place H8 H9 H11", "not one of the 26 openings"),
    ("rif", "", "place G8 H9 H10", "not one of the 26 openings"),
    ("rif", "", "place H8 H8 H10", "occupied"),
    ("rif", "", "swap yes", "swap: it is time to place"),
    ("rif", "place H8 H9 H10", "place A1", "place: it is time to swap"),
    ("rif", "place H8 H9 H10, swap no, place H11", "offer A1", "offer 2 fifth moves, not 1"),
    ("rif", "place H8 H9 H10, swap no, place H11", "offer A1 A1", "A1 is offered twice"),
    ("rif", "place H8 H9 H10, swap no, place H11", "offer A1 O1", "A1 and P1 are symmetrical"),
    ("rif", "place H8 H9 H10, swap no, place H11", "offer A1 H9", "H9: occupied"),
    ("rif", "place H8 H9 H10, swap no, place H11, offer A1 B1", "place C1",
     "place: it is time to choose"),
    ("rif", "place H8 H9 H10, swap no, place H11, offer A1 B1", "choose C1",
     r"C1 was not offered \(choose one of: A1 B1\)"),
    ("soosyrv-4", "place H8 H9 H10, swap no, place H11", "declare 5",
     "declare 1 to 4 fifth moves, not 5"),
    ("taraguchi-10", "", "place H9", "H9 is not in the middle"),
    ("taraguchi-10", "place H8, swap no", "place H10", "H10 is not in the central 3 x 3"),
    ("taraguchi-10", "place H8, swap no, place H9, swap no", "place H11",
     "H11 is not in the central 5 x 5"),
    ("taraguchi-10", "place H8, swap no, place H9, swap no, place H10, swap no", "place H12",
     "H12 is not in the central 7 x 7"),
    ("taraguchi-10", "place H8, swap no, place H9, swap no, place H10, swap no, place H11",
     "place A1", "place: it is time to swap or offer"),
    ("taraguchi-10", "place H8, swap no, place H9, swap no, place H10, swap no, place H11, swap no",
     "offer A1", "offer: it is time to place"),
    ("swap2", "place A1 B2 C3", "place D4", "place 2 stones, not 1"),
    ("swap2", "place A1 B2 C3", "pass", "no such action: pass .it is time to swap or place"),
]


@pytest.mark.parametrize("rule, before, action, complaint", REFUSED)
def test_refusals(rule, before, action, complaint):
    """In one line, and nothing has changed."""
    opening, _ = opened(rule, before)
    state = (bytes(opening.position.cells), opening.number, opening.black, opening.offered)
    with pytest.raises(ValueError, match=f"^{complaint}"):
        act(opening, action)
    assert state == (bytes(opening.position.cells), opening.number, opening.black, opening.offered)


def test_boards_and_names():
    with pytest.raises(ValueError, match="^rif needs a board with a point in the middle$"):
        Agreement(find("RIF"), catalogue.start(catalogue.RENJU, 14))
    for rules in (catalogue.GOMOKU_SWAP, catalogue.QUBIC):
        with pytest.raises(ValueError, match="^swap2 is for games in the plane that Black begins$"):
            Agreement(find("swap2"), catalogue.start(rules, rules.default_size))
    position = catalogue.start(catalogue.GOMOKU, 14)
    Agreement(find("swap2"), position).place(position.lattice.points[:3])
    with pytest.raises(ValueError, match="^an opening begins on an empty board$"):
        Agreement(find("swap"), position)
    with pytest.raises(ValueError, match="no such opening rule: x .available: swap swap2 rif"):
        find("x")
    assert len(RULES) == 9 and position.cells.count(EMPTY) == 14 * 14 - 3


@pytest.mark.parametrize("scores, number", [
    ([-300, 40, 250], 2), ([10, 20, 30], 1), ([-90, -5], 2)])
def test_the_last_fifth_move_that_is_offered_is_about_even(scores, number, monkeypatch):
    """A player that declares the number of fifth moves; those that it ranks have these scores."""
    monkeypatch.setattr(choices, "_fifth_moves", lambda *words: ([*range(len(scores))], 0))
    monkeypatch.setattr(choices, "_score", lambda player, point: scores[point])
    opening = SimpleNamespace(position=SimpleNamespace(side=BLACK), quota=len(scores))
    assert choices._even_number(opening, None, None) == number
