"""The package as a library: the examples of docs/api.md, games of every kind, what is refused."""

import doctest
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import gtp_engine
from gtp_engine.games import catalogue
from tests.engine import PATIENCE
from tests.positions import random_game

TOP = Path(__file__).parent.parent


def test_the_page():
    found = doctest.testfile(str(TOP / "docs" / "api.md"), module_relative=False)
    assert found.attempted > 15 and not found.failed


@pytest.mark.parametrize("name", gtp_engine.GAMES)
def test_a_game_of_every_kind(name):
    """Played by its points it is the position that was played; taken back it is empty again."""
    rules = catalogue.find(name)
    *_, position = random_game(rules, rules.default_size, Random(name))
    game = gtp_engine.Game(name)
    moves = [game.text(record.point) for record in position.history if record.point]
    for move in moves:
        game.play(move, {1: "black", 2: "white"}[position.history[len(game.moves)].colour])
    assert game.moves == moves and game.position.cells == position.cells
    assert (game.outcome is None) == (position.outcome is None)
    assert gtp_engine.Game.from_sgf(game.to_sgf(PB="Ann")).position.cells == position.cells
    copy = game.copy()
    while game.moves:
        game.undo()
    assert str(game) == str(gtp_engine.Game(name)) != str(copy)


REFUSED = [  # what is done, what is said
    (lambda: gtp_engine.Game("Go"), "no such game: Go"),
    (lambda: gtp_engine.Game("Gomoku", 40), "Gomoku is played on sizes "),
    (lambda: gtp_engine.Game().play("I9"), "no such point: I9"),
    (lambda: gtp_engine.Game().play("A1", "red"), "no such colour: red (available: black white)"),
    (lambda: gtp_engine.Game().undo(), "there is no move to take back"),
    (lambda: gtp_engine.Game.from_sgf("(;"), ""),
    (lambda: gtp_engine.Engine("flat", depth=3), "flat has no option depth (available: policy"),
    (lambda: gtp_engine.Engine(nodes="many"), "nodes is not a whole number: many"),
    (lambda: gtp_engine.match("nobody", "random"), "nobody"),
    (lambda: gtp_engine.read_results(TOP / "LICENSE"), ""),
]


@pytest.mark.parametrize("act, text", REFUSED)
def test_what_is_refused(act, text):
    with pytest.raises(ValueError) as caught:
        act()
    assert text in str(caught.value) and str(caught.value)


def test_after_the_end():
    game = gtp_engine.Game("Tic-tac-toe")
    for move in "A1 A2 B1 B2 C1".split():
        game.play(move)
    assert game.outcome == ("black", "line") and game.legal_moves() == []
    for act in (gtp_engine.Engine("random").choose, gtp_engine.Engine("random").analyse):
        with pytest.raises(ValueError, match="the game is over"):
            act(game)


def test_a_match_takes_turns():
    games = gtp_engine.match("a=random", "b=random", games=3, size=7, seed=5)
    assert [game.first for game in games] == ["a", "b", "a"]
    assert games == gtp_engine.match("a=random", "b=random", games=3, size=7, seed=5)
    assert all(game.winner in ("a", "b", None) and game.moves for game in games)


def test_it_starts_without_what_it_does_not_need():
    code = ("import sys, gtp_engine; assert gtp_engine.__version__; "
            "assert not {'numpy', 'gtp_engine.api'} & {*sys.modules}; gtp_engine.Game; "
            "assert 'numba' not in sys.modules")
    subprocess.run([sys.executable, "-c", code], check=True, cwd=TOP, timeout=PATIENCE)
