"""The package as a library: the examples of docs/api, games of every kind, what is refused."""

import copy
import doctest
import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread

import pytest

import gtp_engine
from gtp_engine.games import catalogue
from gtp_engine.library import engine as library_engine
from gtp_engine.library.engine import FairLock
from tests.engine import PATIENCE
from tests.positions import random_game
from tests.programs import until

TOP = Path(__file__).parent.parent


@pytest.mark.parametrize("page", sorted(path.name for path in (TOP / "docs" / "api").glob("*.md")))
def test_the_examples_of_a_page(page):
    found = doctest.testfile(str(TOP / "docs" / "api" / page), module_relative=False)
    assert not found.failed and (found.attempted or page in ("python-chess.md", "reference.md"))


@pytest.mark.parametrize("name", gtp_engine.GAMES)
@pytest.mark.few(5)
def test_a_game_of_every_kind(name):
    """Played by its points it is the position that was played; taken back it is empty again."""
    rules = catalogue.find(name)
    *_, position = random_game(rules, rules.default_size, Random(name))
    game = gtp_engine.Game(name)
    moves = [game._name(record.point) for record in position.history if record.point]
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
    (lambda: gtp_engine.Game.from_sgf("("), "not a game (SGF, .psq, "),
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
            "assert not {'numpy', 'gtp_engine.library.game'} & {*sys.modules}; gtp_engine.Game; "
            "assert 'numba' not in sys.modules")
    subprocess.run([sys.executable, "-c", code], check=True, cwd=TOP, timeout=PATIENCE)


def test_public_names():
    """Classes and functions show the name that a program uses, and pickle finds them."""
    code = ("import gtp_engine, pickle\n"
            "try: gtp_engine.Engine('gtp:./missing')\n"
            "except RuntimeError as error: assert type(error).__module__ == 'gtp_engine'\n"
            "for name in gtp_engine.__all__:\n"
            "    value = getattr(gtp_engine, name)\n"
            "    if isinstance(value, type) or hasattr(value, '__code__'):\n"
            "        assert value.__module__ == 'gtp_engine', name\n"
            "        assert pickle.loads(pickle.dumps(value)) is value, name\n"
            "print(pickle.dumps(gtp_engine.Game().rules).hex())")
    rules = subprocess.run([sys.executable, "-c", code], check=True, cwd=TOP, timeout=PATIENCE,
                           capture_output=True, text=True).stdout
    assert pickle.loads(bytes.fromhex(rules)) == gtp_engine.Game().rules


# --- threads -------------------------------------------------------------------------------------

OPENING = "H8 J9 H7 H9 G9 J7 G8 K10 L11 G7".split()


def positions(moves=OPENING):
    """The positions of a game, each as a game of its own."""
    game, found = gtp_engine.Game("Gomoku", size=15), []
    for move in moves:
        game.play(move)
        found.append(game.copy())
    return found


@pytest.mark.parametrize("name, options", [
    ("flat", {"simulations": 3}), ("alphabeta", {"nodes": 1000, "memory": 1})])
@pytest.mark.few(1)
def test_threads_share_an_engine(name, options):
    """Each gets the values that it would get alone."""
    games = positions()
    engine = gtp_engine.Engine(name, seed=1, **options)
    alone = [engine.analyse(game, lines=2) for game in games]
    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(lambda game: engine.analyse(game, lines=2), games * 3)] == alone * 3


@pytest.mark.parametrize("ask", [
    lambda engine, game: engine.choose(game), lambda engine, game: engine.solve(game, 0.1),
    lambda engine, game: engine.review(game), lambda engine, game: engine.analyse(game)],
    ids=["choose", "solve", "review", "analyse"])
def test_an_engine_does_one_thing_at_a_time(ask, monkeypatch):
    """And not on the game itself, which others may look at meanwhile."""
    engine, game, busy = gtp_engine.Engine(nodes=100, memory=1), positions()[-1], Lock()

    def work(*words):
        assert busy.acquire(blocking=False), "two calls at a time"
        assert game.position not in words
        time.sleep(0.02)
        busy.release()
        raise ValueError("done")

    monkeypatch.setattr(engine.player, "choose", work)
    monkeypatch.setattr(library_engine, "make_player", lambda name, settings: engine.player)
    monkeypatch.setattr(library_engine, "tree_of", lambda position: position)
    monkeypatch.setattr(library_engine, "solve", work)
    monkeypatch.setattr(library_engine, "review", work)

    def call(number):
        with pytest.raises(ValueError, match="done"):
            ask(engine, game)

    with ThreadPoolExecutor(8) as pool:
        [*pool.map(call, range(8))]


def test_threads_take_turns_in_the_order_in_which_they_came():
    order, turns, all_wait = [], FairLock(), Event()

    def take(number):
        with turns:
            assert all_wait.wait(PATIENCE)
            order.append(number)

    threads = [Thread(target=take, args=(number,)) for number in range(8)]
    for number, thread in enumerate(threads):
        thread.start()
        until(lambda: len(turns._waiting) == number + 1)
    all_wait.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == [*range(8)] and not turns._waiting


def test_an_error_leaves_an_engine_usable():
    engine = gtp_engine.Engine("random", seed=1)
    over = gtp_engine.Game("Tic-tac-toe")
    for move in "A1 A2 B1 B2 C1".split():
        over.play(move)
    for _ in range(3):
        with pytest.raises(ValueError, match="over"):
            engine.choose(over)
    assert engine.choose(gtp_engine.Game("Gomoku"))
    assert copy.deepcopy(engine).choose(gtp_engine.Game("Gomoku"))
    assert pickle.loads(pickle.dumps(engine)).choose(gtp_engine.Game("Gomoku"))


SIDE_BY_SIDE = [("alphabeta", {"nodes": 500, "memory": 1}, game, size) for game, size in (
    ("Gomoku", 15), ("Renju", 15), ("Pente", 9), ("Qubic", 8), ("Tic-tac-toe", 3))] + [
    ("flat", {"simulations": 3}, "Caro", 9), ("random", {}, "Gomoku", 7)]


@pytest.mark.thorough
def test_engines_work_side_by_side_on_the_same_games():
    games = {}
    for _, _, name, size in SIDE_BY_SIDE:
        rng, games[name] = Random(1), [gtp_engine.Game(name, size=size)]
        for _ in range(3):
            games[name].append(games[name][-1].copy())
            games[name][-1].play(rng.choice(games[name][-1].legal_moves()))

    def work(kind):
        name, options, game, _ = kind
        engine = gtp_engine.Engine(name, seed=2, **options)
        found = [engine.choose(each) for each in games[game]]
        if name != "random":
            found += [engine.analyse(each, lines=3) for each in games[game]]
        return found + [gtp_engine.Game.from_sgf(each.to_sgf()).moves for each in games[game]]

    alone = [work(kind) for kind in SIDE_BY_SIDE]
    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(work, SIDE_BY_SIDE * 3)] == alone * 3
