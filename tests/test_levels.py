"""Levels: none overlooks a five, each sees what it should, games repeat, and higher ones win."""

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.players.base import FULL_STRENGTH, Limits, Settings
from gtp_engine.players.registry import make_player
from tests.positions import drawing, picture

ALL = range(1, FULL_STRENGTH + 1)
# X is to move; x and o were the last moves, far from what matters; every right move is a *.
FIVES = [
    ("five", "Gomoku",
     "OXXXX*... ......... ......... .....OOO. ......... ......... ......... ......... xo......."),
    ("stop a five", "Gomoku",
     "XOOOO*... ......... ......... .....XXX. ......... ......... ......... ......... xo......."),
    ("stop a gap", "Gomoku",
     ".OO*OO... ......... ......... .....XXX. ......... ......... ......... ......... xo......."),
    ("a five before a stop", "Gomoku",
     "XOOOO.... ......... ......... .*XXXXO.. ......... ......... ......... ......... xo......."),
    ("six is no five", "Gomoku-exact",
     "XXX.XX..O ......... .....O... ......... XOOOO*... X........ ......... ......... xo......."),
    ("stop five, not six", "Gomoku-exact",
     "OOO.OO..X ......... ......... ......... XOOOO*... ......... ......... ......... xo......."),
    ("Black's six is no five", "Renju",
     "XXX.XX..O ......... ......... ......... XOOOO*... ......... ......... ......... xo......."),
    ("stop or capture", "Pente-free",
     "......... ......... ..X...... XOOOO*... ..O...... ..*...... ......... ......... xo......."),
    ("stop it here or behind", "Caro",
     "XOOOO**.. ......... ......... .....XXX. ......... ......... ......... ......... xo......."),
]


def played(game, text):
    """The position of a picture, with x and o played, and its points *."""
    rules, rows = catalogue.find(game), text.split()[::-1]
    position = picture(rules, text.translate(str.maketrans("xo*", "...")))
    at = {symbol: [position.lattice.point(x, y) for y, row in enumerate(rows)
                   for x, each in enumerate(row) if each == symbol] for symbol in "xo*"}
    for symbol, colour in ("x", BLACK), ("o", WHITE):
        position.play(colour, at[symbol][0])
    return position, at["*"]


def player_of(level, seed=1):
    settings = Settings(level=level, memory=1, nodes=300 if level == FULL_STRENGTH else None)
    settings.start_from(seed)
    return make_player("alphabeta", settings)


def choice(level, position, seed=1):
    before = bytes(position.cells), len(position.history)
    move = player_of(level, seed).choose(position, Limits(bytearray(2)))
    assert before == (bytes(position.cells), len(position.history))
    return move


@pytest.mark.parametrize("game,text", [case[1:] for case in FIVES], ids=[case[0] for case in FIVES])
def test_no_level_overlooks_a_five(game, text):
    position, right = played(game, text)
    for level in ALL:
        assert choice(level, position) in right, f"level {level}\n{drawing(position, right)}"


@pytest.mark.parametrize("game", ["Qubic", "Qubic-3", "Tic-tac-toe"])
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_no_level_overlooks_a_row_of_lines(game, colour):
    """Neither its own nor that of the other side, on the first, a middle and the last line."""
    rules = catalogue.find(game)
    empty = catalogue.start(rules, rules.default_size)
    lines = [*empty.lattice.lines(rules.in_a_row)]
    for line in lines[0], lines[len(lines) // 2], lines[-1]:
        position = empty.copy()
        position.setup([(colour, point) for point in line[1:]])
        position.set_side(BLACK)
        assert {choice(level, position) for level in ALL} == {line[0]}
