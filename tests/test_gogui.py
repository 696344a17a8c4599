"""Under a scripted GoGui: attaching, whole games, navigation, analysis, live graphics, Esc."""

import os
import re
import signal
import time
from random import Random

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.players import Limits, Settings, make_player
from gtp_engine.players.policy import policy_moves
from gtp_engine.players.shapes import FIVE, FOUR, OPEN_FOUR, OPEN_THREE, shapes
from gtp_engine.protocols import analyze
from tests.engine import Engine
from tests.gogui import GoGui, Process, check, check_gfx
from tests.positions import drawing, fitting, picture, random_game, value
from tests.test_process import caching_in, posix

GAMES = list(catalogue.GAMES.values())

ATTACHED = [  # options, time settings
    (("--size", "9"), "300 30 3"),
    (("--size", "7", "--policy", "rule_based"), None),
    (("--game", "Pente", "--size", "9", "--player", "alphabeta", "--nodes", "300"), None),
    (("--game", "Keryo-Pente", "--size", "8", "--player", "random"), None),
    (("--game", "Gomoku-swap", "--size", "7", "--player", "alphabeta", "--nodes", "300"), None),
    (("--game", "Caro", "--size", "7", "--player", "random"), "0 1 25"),
    (("--game", "Qubic", "--player", "alphabeta", "--nodes", "300"), None),
    (("--game", "Qubic-3", "--simulations", "2"), None),
]


@pytest.mark.parametrize("options, time_settings", ATTACHED, ids=lambda value: " ".join(value or ()))
def test_a_whole_game(options, time_settings):
    """Clicks and generated moves in turn to the end; then back and forth through the game."""
    gogui, rng = GoGui(*options, "--seed", "1", time_settings=time_settings), Random(1)
    first = gogui.side
    while not gogui.over:
        if gogui.side == first and len(gogui.moves) > 1:
            gogui.click(rng.choice(gogui.legal))
        else:
            gogui.genmove("3 0" if time_settings else None)
    result, gfx, rows = gogui.result(), gogui.rules_gfx, gogui.rows
    assert result in ("black", "white", "draw")
    by_captures = any(int(count) >= 10 for count in gogui.captured.split())
    assert ("SQUARE" in gfx) == (result != "draw" and not by_captures)
    count = len(gogui.moves)
    for steps in (1, 1, count - 2):
        gogui.back(steps)
    assert not gogui.moves and not gogui.over
    for steps in (1, 2, count - 3):
        gogui.forward(steps)
    assert (gogui.result(), gogui.rules_gfx, gogui.rows) == (result, gfx, rows)
    gogui.back(2)
    gogui.genmove()
    gogui.new_game()
    gogui.genmove()
    gogui.close()
    assert gogui.player.errors == gogui.rules.errors == []


def test_a_position_that_was_set_up():
    gogui = GoGui("--size", "9", "--player", "alphabeta", "--nodes", "1000")
    stones = [("B", "C3"), ("B", "D3"), ("B", "E3"), ("B", "F3"), ("W", "C7"), ("W", "D7")]
    gogui.set_up_stones(stones, "W")
    assert gogui.player.ask("gogui-rules_board").split("\n")[6] == "..XXXX..."
    assert gogui.player.ask("genmove w") in ("B3", "G3")
    assert gogui.player.ask("genmove b") in ("B3", "G3")
    assert gogui.player.ask("gogui-rules_final_result") == "black"
    gogui.new_game()
    gogui.genmove()
    gogui.close()


def test_saving_and_opening(tmp_path):
    """GoGui opens a file by replaying it; the engine itself reads and writes the same files."""
    gogui = GoGui("--game", "Pente", "--size", "9", "--player", "random", "--seed", "4")
    while len(gogui.moves) < 40 and not gogui.over:
        gogui.genmove()
    path = tmp_path / "game.sgf"
    assert gogui.player.ask(f"printsgf {path}") == ""
    rows, captured = gogui.rows, gogui.captured
    gogui.new_game()
    assert gogui.player.ask(f"loadsgf {path}") == ""
    assert gogui.player.ask("gogui-rules_board").split("\n") == rows
    assert gogui.player.ask("gogui-rules_captured_count") == captured
    gogui.close()


# --- the analyze menu -----------------------------------------------------------------------------

def menu_of(engine):
    return [line.split("/", 2) for line in engine.ask("gogui-analyze_commands").split("\n")
            if "param" not in line]


@pytest.mark.parametrize("player", ["random", "flat", "alphabeta"])
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_every_command_of_the_menu(rules, player):
    """At the start, in the middle and at the end of a game, twice, and after a genmove."""
    size = fitting(rules, 7)
    engine = Engine(rules.name, size, player=player, simulations=2, nodes=2000, memory=1)
    engine.session.clock.limit_moves(0.5 if player == "alphabeta" else None)  # limits `solve`
    commands = [(kind, command) for kind, _, command in menu_of(engine) if command != "solve"]
    positions = list(random_game(rules, size, Random(rules.name)))
    for position in (positions[0], positions[len(positions) // 2], positions[-1]):
        engine.session.new_game(position.copy())
        for kind, command in 2 * commands:
            check(kind, engine.ask(command), size)
            assert engine.session.position.cells == position.cells
        side = engine.ask("gogui-rules_side_to_move")
        before = len(engine.session.position.history)
        move = engine.ask(f"genmove {side}")
        for kind, command in commands:
            check(kind, engine.ask(command), size)
        assert move in ("resign", "pass") or len(engine.session.position.history) == before + 1


def gfx_of(reply):
    """(labels by point, black is better by point, text) of the reply to move_values."""
    labels, influence, text = {}, {}, ""
    for line in reply.split("\n"):
        command, _, rest = line.partition(" ")
        words = rest.split(" ")
        if command == "LABEL":
            labels[words[0]] = words[1]
        elif command == "INFLUENCE":
            influence = dict(zip(words[::2], map(float, words[1::2])))
        elif command == "TEXT":
            text = rest
    return labels, influence, text


@pytest.mark.parametrize("moves", ["", "b b2", "b a1 w b2", "b b2 w b1 b a1", "b a1 w c3 b c1 w b1"])
@pytest.mark.parametrize("game", ["Tic-tac-toe", "Gomoku"])
def test_values_of_a_search_to_the_end(game, moves):
    """On 3x3 every value that the search gives is that of trying everything."""
    engine, known = Engine(game, 3, player="alphabeta", depth=9, memory=1), {}
    if moves:
        engine.play(moves)
    position, points = engine.session.position, engine.session.points
    labels, influence, _ = gfx_of(engine.ask("move_values"))
    assert set(labels) == set(influence) == {points.name[p] for p in position.legal_moves()}
    for name in labels:
        after = position.copy()
        after.play(after.side, points.point_of(name))
        expected = -value(after, known)
        assert labels[name] == str(50 + 50 * expected)
        assert influence[name] == (expected if position.side == BLACK else -expected)


def test_values_of_simulations():
    """The values are the shares of wins, the counts the simulations; a winning move is worth all."""
    engine = Engine("Gomoku", 7, player="flat", simulations=300)
    engine.play("b d4 w a1 b d5 w a2 b d6 w a3 b d7 w g7")
    labels, influence, text = gfx_of(engine.ask("move_values"))
    assert labels["D3"] == "100" and influence["D3"] == 1 and len(labels) == 41
    assert re.fullmatch("flat D3 100% simulations 12300", text)
    counts = engine.ask("simulation_counts").replace('""', "0").split()
    assert sorted(set(counts)) == ["0", "300"] and counts.count("300") == 41
    best = max((name for name in labels if name != "D3"), key=lambda name: influence[name])
    position = engine.session.position
    player = make_player("flat", Settings(simulations=20_000, rng=Random(2)))
    player.weigh(position, Limits(bytearray(1)))
    exact = player.report.values[engine.session.points.point_of(best)]
    assert abs(influence[best] - exact) < 5 * 2 * (0.25 / 300) ** 0.5


def test_values_need_not_be_there():
    engine = Engine(player="random")
    assert engine.ask("move_values") == "TEXT the player random gives no values to moves"


@pytest.mark.parametrize("player", ["random", "flat", "alphabeta"])
def test_analysis_does_not_change_what_is_played(player):
    moves = []
    for analyzed in (False, True):
        engine = Engine("Gomoku", 9, player=player, simulations=5, nodes=500, memory=1)
        for _ in range(5):
            if analyzed:
                for _, command in menu_of(engine):
                    if command not in ("solve", "policy random", "policy rule_based"):
                        engine.ask(command)
            for colour in "bw":
                moves.append(engine.ask(f"genmove {colour}"))
    assert moves[:10] == moves[10:]


@pytest.mark.parametrize("game, size", [("Gomoku", 9), ("Pente", 9), ("Qubic", 8)])
def test_the_best_line(game, size):
    """The line begins with the move that is played, is legal, and is followed as far as it holds."""
    engine = Engine(game, size, player="alphabeta", nodes=20_000, memory=4)
    engine.play("b e5 w e6")
    assert engine.ask("best_line") == ""
    move = engine.ask("reg_genmove b")
    line = engine.ask("best_line").split()
    assert line[:2] == ["b", move] and len(line) >= 6
    for i in range(0, len(line), 2):
        assert engine.ask("best_line").split() == line[i:]
        assert engine.ask(f"play {line[i]} {line[i + 1]}") == ""
    assert engine.ask("best_line") == ""
    assert engine.ask("gg-undo") == "" and len(engine.ask("best_line").split()) == 2
    assert engine.ask("gg-undo") == ""
    other = next(point for point in engine.ask("gogui-rules_legal_moves").split()
                 if point not in line)
    engine.play(f"{line[-4]} {other}")
    assert engine.ask("best_line") == ""


def test_statistics():
    engine = Engine("Gomoku", 9, player="alphabeta", nodes=5000, memory=1)
    assert engine.ask("search_statistics") == "no search yet"
    engine.play("b e5 w e6")
    move = engine.ask("genmove b")
    lines = dict(line.split(": ") for line in engine.ask("search_statistics").split("\n"))
    assert list(lines) == ["player", "line", "values", "depth", "score", "nodes", "seconds"]
    assert lines["player"] == "alphabeta, black to move" and lines["line"].split()[0] == move
    assert lines["nodes"] == "5,000" and int(lines["depth"]) >= 3
    engine.ask("clear_board")
    assert engine.ask("search_statistics") == "no search yet"


def test_the_last_move():
    engine = Engine("Pente-free", 7)
    assert engine.ask("last_move") == ""
    engine.play("b a1 w b1 w c1")
    assert engine.ask("last_move") == (
        "CIRCLE C1\nTEXT white C1; black has captured 0; white has captured 0")
    engine.play("b d1")
    assert engine.ask("last_move") == ("CIRCLE D1\nMARK B1 C1\n"
                                       "TEXT black D1 captures 2; black has captured 2; "
                                       "white has captured 0")
    engine.ask("play w pass")
    assert engine.ask("last_move") == ""


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_rules_by_point(rules):
    """Every point of the deciding rule has its code; no point has one of an earlier rule."""
    size, seen = fitting(rules, 7), set()
    order = ["W", "BW", "O", "BO", "C"] if not rules.spans() else ["W", "BW", "F", "BF"]
    for seed in range(4 if rules.cube else 20):
        for position in random_game(rules, size, Random(f"{rules.name} {seed}")):
            if len(position.history) % 3:
                continue
            engine = Engine(rules.name, size)
            engine.session.new_game(position)
            words = engine.ask("policy_rules").split()
            codes = dict(zip(words[::2], words[1::2]))
            seen.update(codes.values())
            rule, points = policy_moves(position, "rule_based")
            deciding = analyze.RULE_CODES.get(rule)
            assert {name for name, code in codes.items() if code == deciding} == (
                {engine.session.points.name[point] for point in points} if deciding else set())
            assert all(order.index(code) >= order.index(deciding) for code in codes.values())
    assert seen >= set(order[:4]) and ("C" in seen) == bool(rules.capture_lengths)


MADE = {FIVE: "5", OPEN_FOUR: "+", FOUR: "4", OPEN_THREE: "3"}

THREATS = [  # game; a row in the middle of a board, with what a stone of X would make
    ("Gomoku", "...5XXXX5..."),
    ("Gomoku", "..OXXXX5...."),
    ("Gomoku", "..4+XXX+4..."),
    ("Gomoku", "..OXXX44...."),
    ("Gomoku", ".O4XXX+4...."),
    ("Gomoku", "OXXX44......"),
    ("Gomoku", "XXX44......."),
    ("Gomoku", "...33XX33..."),
    ("Gomoku", ".O.33XX33..."),
    ("Gomoku", ".O.3XX3.O..."),
    ("Gomoku", ".OXX...O...."),
    ("Gomoku", "..4X+XX43..."),
    ("Gomoku", ".OX44XX33..."),
    ("Gomoku", ".3X4X4X3...."),
    ("Gomoku", ".33XX5XX33.."),
    ("Gomoku", "4+XXX5XX33.."),
    ("Gomoku-exact", "..5XXXX5...."),
    ("Gomoku-exact", "44XXX5X....."),
    ("Gomoku-exact", "44XXX.XX...."),
    ("Caro", ".OXXXX.O...."),
    ("Caro", ".OXXXX5....."),
    ("Caro", ".O5XXXX5...."),
]


@pytest.mark.parametrize("game, row", THREATS)
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_threats(game, row, colour):
    """Alone on the board, for either colour, along the row and along the column."""
    stones = re.sub("[345+]", ".", row)
    if colour == WHITE:
        stones = stones.translate(str.maketrans("XO", "OX"))
    blank = ["." * len(row)] * 5
    rows = [*blank, stones, *blank]
    for text in (" ".join(rows), " ".join("".join(column) for column in zip(*rows))):
        position = picture(catalogue.find(game), text)
        made = {point: MADE[shape] for (shape, who), points in shapes(position).items()
                for point in points if who == colour}
        where = [position.lattice.point(i, 5) if len(rows[0]) == position.lattice.width
                 else position.lattice.point(5, len(row) - 1 - i) for i in range(len(row))]
        assert "".join(made.pop(point, stone) for point, stone in zip(
            where, re.sub("[345+]", ".", row))) == row
        assert not made
