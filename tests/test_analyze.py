"""The analyze menu: what each command says, the values of moves, threats, settings."""

import re
from contextlib import nullcontext
from random import Random
from types import SimpleNamespace

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.players.alphabeta.threat_map import FIVE, FOUR, OPEN_FOUR, OPEN_THREE, shapes
from gtp_engine.players.base import Limits, Report, Settings
from gtp_engine.players.playout_policy import policy_moves
from gtp_engine.players.registry import make_player
from gtp_engine.protocols.gtp import analyze
from gtp_engine.wire.clock import MARGIN
from tests.engine import Engine, text_of
from tests.gogui import check
from tests.positions import fitting, marked, picture, random_game, value

GAMES = list(catalogue.GAMES.values())
# What takes long, or needs a puzzle or an opening: other tests have these.
ELSEWHERE = ("solve", "review", "puzzle", "puzzle_play A1", "puzzle_hint", "puzzle_solution",
             "opening_play ", "opening_genmove")


def menu_of(engine):
    menu = engine.ask("gogui-analyze_commands").replace("%p", "A1").replace("%s", "")  # as typed
    return [line.split("/", 2) for line in menu.split("\n") if "param" not in line]


@pytest.mark.parametrize("player", ["random", "flat", "alphabeta"])
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
@pytest.mark.few(5)
def test_every_command_of_the_menu(rules, player):
    """At the start, in the middle and at the end of a game, twice, and after a genmove."""
    size = fitting(rules, 7)
    engine = Engine(rules.name, size, player=player, simulations=2, nodes=2000, memory=1)
    engine.session.clock.limit_moves(0.5 if player == "alphabeta" else None)  # limits `solve`
    commands = [(kind, command) for kind, _, command in menu_of(engine)
                if command not in ELSEWHERE]
    positions = [game.copy() for game in random_game(rules, size, Random(rules.name))]
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
    """(labels by point, colours by point, text) of the reply to a command of type gfx."""
    labels, colours, text = {}, {}, ""
    for line in reply.split("\n"):
        command, _, rest = line.partition(" ")
        words = rest.split(" ")
        if command == "LABEL":
            labels[words[0]] = words[1]
        elif command == "COLOR":
            colours |= dict.fromkeys(words[1:], words[0])
        elif command == "TEXT":
            text = rest
    return labels, colours, text


@pytest.mark.parametrize("moves", [
    "", "b b2", "b a1 w b2", "b b2 w b1 b a1", "b a1 w c3 b c1 w b1"])
@pytest.mark.parametrize("game", ["Tic-tac-toe", "Gomoku"])
@pytest.mark.few(3)
def test_values_of_a_search_to_the_end(game, moves):
    """On 3x3 every value that the search gives is that of trying everything."""
    engine, known = Engine(game, 3, player="alphabeta", depth=9, memory=1), {}
    if moves:
        engine.play(moves)
    position, points = engine.session.position, engine.session.points
    labels, colours, _ = gfx_of(engine.ask("move_values"))
    assert set(labels) == {points.name[p] for p in position.legal_moves()}
    assert set(colours) == (set(labels) if len({*labels.values()}) > 1 else set())
    for name in labels:
        after = position.copy()
        after.play(after.side, points.point_of(name))
        expected = -value(after, known)
        assert labels[name] == f"{50 + 50 * expected}%"
        assert not colours or (colours[name] == analyze.SHADES[0]) == (
            labels[name] == max(labels.values(), key=lambda text: int(text[:-1])))


def test_values_of_simulations():
    """The values are shares of wins, the counts those of simulations; a win is worth all."""
    engine = Engine("Gomoku", 7, player="flat", simulations=300)
    engine.play("b d4 w a1 b d5 w a2 b d6 w a3 b d7 w g7")
    labels, colours, text = gfx_of(engine.ask("move_values"))
    assert labels["D3"] == "100%" and len(labels) == 41
    assert colours["D3"] == analyze.SHADES[0] and len(set(colours.values())) > 1
    assert re.fullmatch("flat D3 100% simulations 12,300", text)
    counts, _, text = gfx_of(engine.ask("simulation_counts"))
    assert counts == dict.fromkeys(labels, "300") and text == "12,300 simulations"
    values = engine.session.engine.search.report.values
    best = max((name for name in labels if name != "D3"),
               key=lambda name: values[engine.session.points.point_of(name)])
    position = engine.session.position
    player = make_player("flat", Settings(simulations=20_000, rng=Random(2)))
    player.evaluate_moves(position, Limits(bytearray(2)))
    exact = player.report.values[engine.session.points.point_of(best)]
    assert abs(values[engine.session.points.point_of(best)] - exact) < 5 * 2 * (0.25 / 300) ** 0.5


def test_a_live_picture_has_one_kind_of_number_on_a_point():
    """Stones have the numbers of the first nine moves, other points values in percent."""
    engine = Engine(size=9)
    analysis, position = engine.session.engine.watch.__self__, engine.session.position
    line = (*position.legal_moves()[:12],)
    values = dict.fromkeys(position.legal_moves()[5:20], 0.0) | {line[0]: 0.5}
    text = analysis.picture("x", Report(line, values), position.side, 20, with_line=True)
    names = engine.session.points.name
    stones = text.split("\n")[0].split()
    assert stones[0] == "VAR" and stones[2::2] == [names[point] for point in line[:9]]
    labels, colours, said = gfx_of(text)
    assert set(labels) == {names[point] for point in values} - {*stones}
    assert {*labels.values()} == {"50%"} and not {*colours} & {*stones}
    assert said == f"x {names[line[0]]} 75%"


def test_values_need_not_be_there():
    engine = Engine(player="random")
    assert engine.ask("move_values") == "TEXT no values by random"


@pytest.mark.parametrize("player", ["random", "flat", "alphabeta"])
@pytest.mark.few(1)
def test_analysis_does_not_change_what_is_played(player):
    moves = []
    for analyzed in (False, True):
        engine = Engine("Gomoku", 9, player=player, simulations=5, nodes=500, memory=1)
        for _ in range(5):
            if analyzed:
                for _, _, command in menu_of(engine):
                    if command not in (*ELSEWHERE, "policy random", "policy rule_based"):
                        engine.ask(command)
            for colour in "bw":
                moves.append(engine.ask(f"genmove {colour}"))
    assert moves[:10] == moves[10:]


@pytest.mark.parametrize("game, size, moves", [
    ("Gomoku", 9, "b e5 w e6"), ("Pente", 9, "b e5 w e6"),
    ("Qubic", 8, "b a1 w b2 b d1 w c2 b e4 w h7")])
def test_the_best_line(game, size, moves):
    """The line begins with the move that is played, is legal, and is told as far as it holds."""
    engine = Engine(game, size, player="alphabeta", nodes=20_000, memory=4)
    engine.play(moves)
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


def test_the_last_move_of_the_engine():
    """What it thought of it stays, whatever else is searched, until the next one or a new game."""
    engine = Engine("Gomoku", 9, player="alphabeta", nodes=5000, memory=1)
    assert engine.ask("last_genmove") == "no move yet"
    engine.play("b e5 w e6")
    move = engine.ask("genmove b")
    said = engine.ask("last_genmove")
    match = re.fullmatch(rf"{move} (\d+)% depth (\d+) nodes (\d+) line {move}( [A-J]\d)+", said)
    assert match and int(match[2]) >= 3 and int(match[3]) == 5000, said
    engine.ask("play w a1")
    engine.ask("move_values")
    assert engine.ask("last_genmove") == said
    engine.session.engine.try_load = lambda rules, seconds: False
    move = engine.ask("genmove b")
    assert engine.ask("last_genmove") == move, "without a search there is nothing to say"
    for command in ("clear_board", "boardsize 9"):
        engine.session.last_search_info = said
        engine.ask(command)
        assert engine.ask("last_genmove") == "no move yet"


def test_a_picture_while_a_player_tries_a_move(monkeypatch):
    """It is that of the side whose move is looked for."""
    engine, pictures = Engine(size=9), []
    watch, position = engine.session.engine.watch, engine.session.position
    monkeypatch.setattr(watch.__self__, "pictures", lambda picture: pictures.append(picture)
                        or nullcontext())
    point = position.legal_moves()[0]
    player = SimpleNamespace(name="x", report=Report((point,), {point: 0.0}))
    with watch(player, position):
        position.play(position.side, point)
        assert pictures[0]().startswith("VAR b A1\n")


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
    assert engine.ask("last_move").startswith("CIRCLE D1\nTEXT black D1; black has captured 2")


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
@pytest.mark.few(3)
def test_rules_by_point(rules):
    """Every point of the deciding rule has its code; no point has one of an earlier rule."""
    size, seen = fitting(rules, 7), set()
    engine = Engine(rules.name, size)
    order = ["W", "BW", "O", "BO", "C"] if not rules.row_fills_board() else ["W", "BW", "F", "BF"]
    if not rules.block_open_four:
        order.remove("BO")
    for seed in range(4 if rules.cube else 12):
        for position in random_game(rules, size, Random(f"{rules.name} {seed}")):
            if len(position.history) % 3:
                continue
            engine.session.new_game(position)
            codes, _, text = gfx_of(engine.ask("policy_rules"))
            assert bool(text) == (not codes and not position.outcome)
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
@pytest.mark.few(15)
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


def test_threats_by_captures():
    """What a capture frees counts as empty, and captures that win are threats."""
    rows = """
        .........
        .........
        OXXX*OOX.
        .........
        ........."""
    position = picture(catalogue.PENTE_FREE, rows)
    point, = marked(position, rows)
    assert (FOUR, BLACK) in [key for key, points in shapes(position).items() if point in points]
    engine = Engine("Pente-free", 9)
    engine.play("b a1 w b1 w c1 b d1 b a2 w b2 w c2 b d2 b a3 w b3 w c3 b d3 b a4 w b4 w c4 b d4 "
                "w b6 w c6 b a6")
    labels, _, _ = gfx_of(engine.ask("threats"))
    assert labels["D6"] == "XC" and "D6 BW" in engine.ask("policy_rules")


@pytest.mark.thorough
def test_threats_are_those_of_the_search():
    """In random games, against the shapes that the compiled search keeps up to date."""
    from gtp_engine.kernels.plane import shapes as compiled
    from gtp_engine.players.alphabeta.plane_search import PlaneSearch
    search, at_least = PlaneSearch(Settings(memory=1)), {
        OPEN_FOUR: compiled.OPEN_FOUR, FOUR: compiled.FOUR, OPEN_THREE: compiled.OPEN_THREE}
    seen = dict.fromkeys(MADE, 0)
    for seed in range(6):
        for position in random_game(catalogue.GOMOKU, 11, Random(seed)):
            if position.outcome or len(position.history) % 3:
                continue
            search.set_position(position, bytearray(2))
            made = {(point, colour): shape for (shape, colour), points in shapes(position).items()
                    for point in points}
            for colour in (BLACK, WHITE):
                four = any(position.wins(colour, point) for point in position.legal_moves())
                for point in position.legal_moves():
                    shape = made.get((point, colour))
                    other = compiled.best_shapes()[search.search.codes[point * 2 + colour - BLACK]]
                    assert (shape == FIVE) == (other == compiled.FIVE)
                    assert shape in (None, FIVE) or other >= at_least[shape]
                    assert shape in (FIVE, OPEN_FOUR, FOUR) or other < compiled.FOUR or four
                    seen[shape or FIVE] += 1
    assert min(seen.values()) > 20


def test_forbidden_points():
    """Of Black, whoever is to move; in GoGui's letters, without I."""
    engine = Engine("Renju", 15)
    engine.ask("gogui-setup b G8 b H7 b H9 b J8 b A1 b A2 b A3 b A5 b A6")
    assert engine.ask("gogui-rules_board_gfx") == "MARK A4 H8"
    assert engine.ask("play b H8") == 'illegal move: "h8" forbidden: double three'
    assert engine.ask("forbidden") == "CLEAR\nLABEL A4 6\nLABEL H8 33"
    assert engine.ask("forbidden h8") == (
        "MARK H8\nSQUARE G8 H7 H9 J8\nTEXT H8 is forbidden: double three")
    assert engine.ask("forbidden A4") == (
        "MARK A4\nSQUARE A1 A2 A3 A5 A6\nTEXT A4 is forbidden: overline")
    assert engine.ask("forbidden B2") == "TEXT B2 is not forbidden"
    assert engine.fail("forbidden I9") == "invalid point: I9"
    assert engine.ask("gogui-rules_legal_moves").split() == [
        name for name in Engine("Renju", 15).ask("gogui-rules_legal_moves").split()
        if name not in "G8 H7 H9 J8 A1 A2 A3 A5 A6 A4 H8".split()]
    engine.ask("gogui-setup_player w")
    assert engine.ask("gogui-rules_board_gfx") == ""
    assert engine.ask("forbidden") == "CLEAR\nLABEL A4 6\nLABEL H8 33"
    assert Engine("Gomoku", 15).ask("forbidden") == ""


def test_threats_as_gogui_shows_them():
    engine = Engine("Gomoku", 9)
    engine.play("b c5 w c9 b d5 w d9 b e5 w e9 b f5 w a1")
    assert engine.ask("threats").startswith("COLOR #ff6060 B5 G5\nCOLOR ")
    labels, _, _ = gfx_of(engine.ask("threats"))
    assert [labels[name] for name in ("B5", "G5", "A9", "B9", "F9")] == [
        "X5", "X5", "O4", "O4+", "O4+"]


# --- settings -------------------------------------------------------------------------------------

SET = [  # key, value, what is then shown of it
    ("player", "alphabeta", "[list/flat/random/alphabeta] player alphabeta"),
    ("policy", "rule_based", "[list/random/rule_based] policy rule_based"),
    ("policy", "RULE_BASED", "[list/random/rule_based] policy rule_based"),
    ("simulations", "77", "[string] simulations 77"),
    ("time", "2.5", "[string] time_seconds 2.5"),
    ("time", "none", "[string] time_seconds none"),
    ("threads", "2", "[string] threads 2"),
    ("seed", "123456789012345678901234567890", "[string] seed 123456789012345678901234567890"),
    ("memory", "1", "[string] memory_MB 1"),
    ("depth", "3", "[string] depth 3"),
    ("depth", "none", "[string] depth none"),
    ("nodes", "500", "[string] nodes 500"),
    ("seed", "-5", "[string] seed -5"),
    ("seed", "none", "[string] seed none"),
    ("live_graphics", "1", "[bool] live_graphics 1"),
    ("live_graphics", "0", "[bool] live_graphics 0"),
]


@pytest.mark.parametrize("key, text, line", SET)
def test_settings(key, text, line):
    engine = Engine(size=9)
    check("param", engine.ask("param"), 9)
    assert engine.ask(f"param {key} {text}") == ""
    assert line in engine.ask("param").split("\n")
    assert re.fullmatch("[A-J][1-9]", engine.ask("genmove b"))


WRONG = [
    ("param x 1", "no such parameter: x; available: player policy simulations time_seconds threads "
     "memory_MB depth nodes level book seed live_graphics"),
    ("param player", "usage: param [KEY VALUE]"),
    ("param player nobody", "player must be one of: flat random alphabeta"),
    ("param policy none", "policy must be one of: random rule_based"),
    ("param simulations 0", "simulations must be 1 to 1000000000"),
    ("param simulations none", "simulations is not a whole number: none"),
    ("param memory 65537", "memory must be 1 to 65536"),
    ("param time 0", "time must be above 0"),
    ("param time -1", "not a time in seconds: -1"),
    ("param seed 1.5", "seed is not a whole number: 1.5"),
    ("param threads 0", "threads must be 1 to 256"),
    ("param time nan", "not a time in seconds: nan"),
    ("param live_graphics yes", "live_graphics must be 0 or 1: yes"),
]


@pytest.mark.parametrize("command, complaint", WRONG)
def test_wrong_settings(command, complaint):
    engine = Engine(size=9)
    before = engine.ask("param")
    assert engine.fail(command) == complaint
    assert engine.ask("param") == before


def test_a_seed_repeats_the_moves():
    engine, moves = Engine(size=9, player="flat"), []
    for seed in "112":
        engine.ask("clear_board")
        engine.ask(f"param seed {seed}")
        moves.append([engine.ask(f"genmove {colour}") for colour in "bwbwbw"])
    assert moves[0] == moves[1] != moves[2]


def test_the_time_that_is_shown_is_the_one_in_force():
    engine = Engine(size=9)
    engine.ask("param time 2")
    for command in ("time_settings 60 10 3", "time_left b 5 0"):
        engine.ask(command)
        assert "[string] time_seconds clock" in engine.ask("param")
        assert engine.ask("param time clock") == ""
        assert "[string] time_seconds clock" in engine.ask("param")
        assert engine.ask("param time 3") == ""
        assert "[string] time_seconds 3.0" in engine.ask("param")
        assert engine.session.clock.budget(BLACK).seconds == pytest.approx(3 - MARGIN)
    assert engine.fail("param time clock") == "not a time in seconds: clock"
    engine.ask("time_left b 5 0")
    engine.ask("clear_board")
    assert "[string] time_seconds 3.0" in engine.ask("param")


@pytest.mark.parametrize("player", ["flat", "alphabeta"])
@pytest.mark.few(1)
def test_the_value_of_a_swap(player):
    """Taking the stone is worth what the opponent's best answer is worth, and is chosen by that."""
    for stone in ("h8", "a1", "d12"):
        engine = Engine("Gomoku-swap", 15, player=player, simulations=200, nodes=20_000, memory=8)
        engine.play(f"w {stone}")
        _, _, text = gfx_of(engine.ask("move_values"))
        values = dict(engine.session.engine.search.report.values)
        taken = values.pop(engine.session.points.point_of(stone))
        best = max(values.values())
        assert taken == -best
        assert (text.split()[1] == stone.upper()) == (best < 0)
        assert (engine.ask("genmove b") == stone.upper()) == (
            engine.session.engine.search.report.values[engine.session.points.point_of(stone)] > 0)


SETTINGS = ["player flat", "player random", "player alphabeta", "policy random", "simulations 3",
            "policy rule_based", "depth 2", "depth none", "nodes 100", "seed 4", "memory 2",
            "threads 2"]
MAY_FAIL = ("undo", "gg-undo", "boardsize", "gogui-setup")  # for good reasons


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.thorough
def test_anything_in_any_order(seed):
    """Random commands, some interrupted before they begin: what they say can be read and is true
    to itself."""
    rng = Random(seed)
    for number in range(30):
        game = rng.choice(GAMES)
        engine = Engine(game.name, fitting(game, rng.choice((5, 7, 9))), simulations=2, memory=1,
                        player=rng.choice(("flat", "random", "alphabeta")), rng=Random(number),
                        nodes=rng.choice((1, 50, 500)))
        menu = [(kind, command) for kind, _, command in menu_of(engine)
                if command not in ELSEWHERE]
        for _ in range(rng.randint(5, 50)):
            side = engine.ask("gogui-rules_side_to_move")[0]
            colour = rng.choice((side, side, side, "b", "w"))
            legal = engine.ask("gogui-rules_legal_moves").split() or ["pass"]
            kind, command = rng.choice([
                rng.choice(menu), rng.choice(menu),
                ("string", f"play {side} {rng.choice(legal)}"),
                ("string", f"{rng.choice(('genmove', 'reg_genmove'))} {colour}"),
                ("string", rng.choice(("undo", "gg-undo 3", "clear_board", "play w pass",
                                       "gogui-setup b a1 w b2", "gogui-setup_player w"))),
                ("string", f"ruleset {rng.choice(GAMES).name}"),
                ("string", f"boardsize {rng.choice((3, 5, 6, 7, 8, 9))}"),
                ("none", f"param {rng.choice(SETTINGS)}")])
            engine.dispatcher.stop[0] = rng.random() < 0.15
            reply = engine.reply(command)
            engine.dispatcher.stop[0] = 0
            assert reply[0] == "=" or command.split()[0] in MAY_FAIL, (command, reply)
            assert reply != "? internal error\n\n"
            if reply[0] == "=":
                check(kind, text_of(reply, "="), engine.session.position.lattice.display_size)
            search = engine.session.engine.search
            if search and search.report.line:
                values = search.report.values
                assert all(-1 <= each <= 1 for each in values.values())
                assert search.player == "flat" or not values or (
                    values[search.report.line[0]] == max(values.values()))
                replay = search.position.copy()
                for move in search.report.line:
                    assert not replay.complaint(replay.side, move)
                    replay.play(replay.side, move)
