"""Levels: none overlooks a five, each sees what it should, games repeat, and higher ones win."""

from random import Random

import pytest

from gtp_engine.__main__ import main
from gtp_engine.arena.seats.base import TimeControl
from gtp_engine.arena.seats.spec import seat_of
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE, opponent
from gtp_engine.players.alphabeta.levels import LEVELS, choices, level_of, measured
from gtp_engine.players.base import FULL_STRENGTH, Limits, Settings
from gtp_engine.players.registry import make_player
from tests.engine import Engine
from tests.positions import drawing, marked, picture

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
    position = picture(catalogue.find(game), text)
    for sign, colour in ("x", BLACK), ("o", WHITE):
        position.play(colour, *marked(position, text, sign))
    return position, marked(position, text)


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


@pytest.mark.parametrize("game", ["Gomoku", "Gomoku-exact", "Renju"])
@pytest.mark.few(1)
def test_what_levels_see(game):
    """An open three far from the last moves, of either side, from the level on that sees three
    plies; those below it do not look there."""
    position, right = played(game, "......... ......... ..*OOO*.. ......... ......... ......... "
                                   "......... ......... xo.......")
    lattice = position.lattice
    row = [lattice.point(x, 6) for x in range(1, 8)]
    for level in ALL:
        sees = level == FULL_STRENGTH or level_of(position.rules, level).sight >= 3
        assert (choice(level, position) in row) == sees, level
        position.set_side(WHITE)
        assert (choice(level, position) in right) == sees, level
        position.set_side(BLACK)


def line_of(level, seed, plies=12):
    """The first points of a game of a level with itself."""
    position, player = catalogue.start(catalogue.GOMOKU, 15), player_of(level, seed)
    while len(position.history) < plies and not position.outcome:
        position.play(position.side, player.choose(position, Limits(bytearray(2))))
    return [record.point for record in position.history]


def test_games_repeat_by_seed():
    for level in (1, 4, 6):
        assert line_of(level, 1) == line_of(level, 1) != line_of(level, 2)


@pytest.mark.thorough
def test_higher_levels_win():
    """Two games of each two, with either colour; limits of nodes make them the same everywhere."""
    for low, high in (1, 4), (4, 8):
        for own in BLACK, WHITE:
            position = catalogue.start(catalogue.GOMOKU, 15)
            players = {own: player_of(high), opponent(own): player_of(low)}
            while not position.outcome:
                move = players[position.side].choose(position, Limits(bytearray(2)))
                position.play(position.side, move)
            assert position.outcome.winner == own, (low, high, own)


@pytest.mark.parametrize("text, complaint", [
    ("0", "level must be 1 to 10"), ("11", "level must be 1 to 10"),
    ("x", "level is not a whole number: x"), ("", "level is not a whole number: ")])
def test_no_such_level(text, complaint, capsys):
    """Seats, `param` and the command line say so in one line."""
    with pytest.raises(ValueError, match=f"^alphabeta,level={text}: {complaint}$"):
        seat_of(f"alphabeta,level={text}", TimeControl(), Random(1))
    engine = Engine(player="alphabeta")
    assert engine.fail(f"param level {text or 'x'}").startswith(complaint[:12])
    assert "[string] level 10" in engine.ask("param").split("\n")
    with pytest.raises(SystemExit):
        main(["gtp", "--level", text])
    assert capsys.readouterr().err.strip().endswith(f"argument --level: {complaint}".strip())


def test_who_has_levels(capsys):
    """alphabeta only, and never in Gomocup's tournaments."""
    with pytest.raises(ValueError, match="no such setting of flat: level=3"):
        seat_of("flat,level=3", TimeControl(), Random(1))
    with pytest.raises(SystemExit):
        main(["piskvork", "--level", "3"])
    assert "unrecognized arguments: --level 3" in capsys.readouterr().err


def test_elo_of_levels():
    """In each game that was measured it lies in its interval, and grows from each level to the
    next."""
    for game, rows in measured().items():
        assert game in catalogue.GAMES and len(rows) == FULL_STRENGTH
        assert all(low <= elo <= high for elo, low, high in rows), game
        assert all(high[0] > low[0] for low, high in zip(rows, rows[1:])), game
    assert {*measured()} == {*LEVELS}
    words = choices(catalogue.GOMOKU)
    assert len(words) == FULL_STRENGTH and words[2].startswith("3 – casual, Elo ")
    assert choices(catalogue.CARO)[2] == "3 – casual" and not choices(catalogue.TIC_TAC_TOE)
