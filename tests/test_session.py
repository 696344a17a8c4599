"""The commands: random games against independent rules, and what each command answers."""

from random import Random

import pytest

from tests.engine import Engine
from tests.reference import ReferenceGame, other, text

POLICY_SIZES = {"Gomoku": (5, 6, 8), "Gomoku-exact": (6, 8), "Pente": (7, 9), "Pente-free": (8,),
                "Keryo-Pente": (8,), "Ninuki": (5, 8), "Caro": (6, 9), "Caro-exact": (7, 8),
                "Renju": (6, 8)}


def check(engine, game, with_policy):
    """Everything that the engine tells about the position, against the reference."""
    assert engine.ask("gogui-rules_board") == game.board()
    assert engine.ask("gogui-rules_final_result") == game.result
    assert engine.ask("gogui-rules_side_to_move") == {"b": "black", "w": "white"}[game.side]
    assert engine.ask("gogui-rules_captured_count") == f"{game.taken['b']} {game.taken['w']}"
    assert engine.ask("gogui-rules_legal_moves") == " ".join(sorted(map(text, game.legal())))
    if with_policy:
        assert engine.ask("policy_moves") == game.policy_moves()


def random_session(name, size, rng, alternate, with_policy=True):
    """One random game, checked at every ply; then all the way back and again."""
    engine, game = Engine(name, size), ReferenceGame(name, size)
    engine.ask("policy rule_based")
    boards = []
    while game.result == "unknown":
        check(engine, game, with_policy)
        boards.append(game.board())
        colour = game.side if alternate or rng.random() < 0.8 else other(game.side)
        for point in rng.sample(game.points(), 3):
            complaint = game.complaint(colour, point)
            if complaint:
                assert engine.ask(f"play {colour} {text(point)}") == (
                    f'illegal move: "{text(point).lower()}" {complaint}')
        choice = game.policy_moves().split()[1:] if rng.random() < 0.6 else []
        legal = [p for p in game.points() if game.complaint(colour, p) is None]
        point = rng.choice([p for p in legal if text(p) in choice] or legal)
        assert engine.ask(f"play {colour} {text(point)}") == ""
        game.play(colour, point)
    check(engine, game, with_policy)
    empty = next((p for p in game.points() if p not in game.stones), None)
    if empty:
        complaint = game.complaint(game.side, empty)
        assert engine.ask(f"play {game.side} {text(empty)}") == (
            f'illegal move: "{text(empty).lower()}" {complaint}')
    for board in reversed(boards):
        assert engine.ask("undo") == ""
        assert engine.ask("gogui-rules_board") == board
    assert engine.fail("undo") == "cannot undo"
    engine.play(" ".join(f"{colour} {text(point)}" for colour, point in game.moves))
    check(engine, game, with_policy)


@pytest.mark.slow
@pytest.mark.parametrize("name", [  # the slow rules of Renju take their time
    pytest.param(name, marks=pytest.mark.thorough if name == "Renju" else ())
    for name in POLICY_SIZES])
@pytest.mark.parametrize("alternate", [True, False])
@pytest.mark.few(2)
def test_random_games(name, alternate):
    rng = Random(f"{name} {alternate}")
    for size in POLICY_SIZES[name]:
        for _ in range(2):
            random_session(name, size, rng, alternate)
    largest = 12 if name == "Renju" else 19  # its slow rules take 10 s on 19
    random_session(name, rng.randint(10, largest), rng, alternate, with_policy=False)


def test_clear_board_and_boardsize_keep_the_policy():
    engine = Engine()
    engine.ask("policy RULE_BASED")
    engine.ask("play b a1")
    engine.ask("boardsize 5")
    assert engine.ask("policy_moves").startswith("Random A1 A2")
    engine.play("b a1 b a2 b a3 b a4 w e5")
    engine.ask("clear_board")
    assert engine.ask("gogui-rules_board") == "\n".join(["....."] * 5)
    engine.play("b a1 b a2 b a3 b a4 w e5")
    assert engine.ask("policy_moves") == "Win A5"
    assert engine.ask("policy random") == ""
    assert engine.ask("policy_moves").startswith("Random A5 B1 B2")
    assert engine.fail("policy rules") == "policy must be one of: random rule_based"


COMPLAINTS = [
    ("play c z9", 'illegal move: "c" wrong color'),
    ("play PURPLE A1", 'illegal move: "purple" wrong color'),
    ("play b i3", 'illegal move: "i3" wrong coordinate'),
    ("play b A10", 'illegal move: "a10" wrong coordinate'),
    ("play b a0", 'illegal move: "a0" wrong coordinate'),
    ("play b a", 'illegal move: "a" wrong coordinate'),
    ("play b ä1", 'illegal move: "ä1" wrong coordinate'),
    ("play w A1", 'illegal move: "a1" occupied'),
]


@pytest.mark.parametrize("line, complaint", COMPLAINTS)
def test_illegal_moves(line, complaint):
    engine, strict = Engine(), Engine(strict=True)
    for one in (engine, strict):
        one.ask("play b a1")
    board = engine.ask("showboard")
    assert engine.ask(line) == complaint
    assert strict.fail(line) == complaint
    assert engine.ask("showboard") == strict.ask("showboard") == board


@pytest.mark.parametrize("player", ["random", "flat"])
def test_genmove_at_the_end(player):
    engine = Engine(size=5, player=player)
    engine.play("b a1 b a2 b a3 b a4 b a5")
    assert engine.ask("genmove w") == "resign"
    assert engine.ask("genmove b") == "pass"
    assert engine.ask("play w pass") == ""
    assert engine.ask("final_score") == "B+R"
    engine = Engine(size=3, player=player)
    for row, colours in enumerate(("bwb", "wbw", "bwb"), 1):
        for column, colour in zip("abc", colours):
            assert engine.fail("final_score") == "cannot score: the game is not over"
            engine.play(f"{colour} {column}{row}")
    assert engine.ask("gogui-rules_final_result") == "draw"
    assert engine.ask("final_score") == "0"
    assert [engine.ask("genmove b"), engine.ask("genmove w")] == ["pass", "pass"]
    assert engine.ask("gg-undo 2") == ""
    assert engine.ask("gogui-rules_final_result") == "draw"


def test_turns():
    engine = Engine()
    for line, side in [("play w a1", "black"), ("play w a2", "black"), ("play b pass", "white"),
                       ("gogui-setup b c3 w c4", "white"), ("gogui-setup_player b", "black"),
                       ("undo", "white"), ("undo", "white"), ("undo", "black"),
                       ("genmove w", "black")]:
        engine.reply(line)
        assert engine.ask("gogui-rules_side_to_move") == side, line


def test_undo_many():
    engine = Engine()
    engine.play("b a1 w a2 b a3")
    for line in ("gg-undo 4", "gg-undo -1"):
        assert engine.fail(line) == "cannot undo"
    assert engine.fail("gg-undo x") == "count is not a whole number: x"
    assert engine.ask("gg-undo 2") == ""
    assert engine.ask("gogui-rules_board").endswith("X......")
    assert engine.ask("gogui-rules_board").count("X") == 1


def test_play_sequence_is_all_or_nothing():
    engine = Engine()
    engine.play("b a1")
    before = engine.ask("showboard")
    for line, complaint in [("b a2 w a1", 'illegal move: "a1" occupied'),
                            ("b a2 w a3 b", "a color without a point"),
                            ("b a2 x a3", 'illegal move: "x" wrong color'),
                            ("b a2 w pass w z1", 'illegal move: "z1" wrong coordinate')]:
        assert engine.fail(f"gogui-play_sequence {line}") == complaint
        assert engine.ask("showboard") == before
    assert engine.ask("gogui-play_sequence") == ""


def test_setup():
    engine = Engine()
    assert engine.fail("gogui-setup b a1 w") == "a color without a point"
    assert engine.fail("gogui-setup b a1 w pass") == "invalid point: pass"
    assert engine.fail("gogui-setup b a1 q a2") == "invalid color: q"
    assert "X" not in engine.ask("gogui-rules_board")
    assert engine.ask("gogui-setup B C3 W C4 B C3") == ""
    assert engine.ask("gogui-rules_board").split()[3:5] == ["..O....", "..X...."]
    assert engine.ask("gogui-setup_player W") == ""
    assert engine.ask("undo") == engine.ask("undo") == ""
    assert engine.ask("gogui-rules_board").count(".") == 49


def test_ruleset():
    engine = Engine(size=9)
    assert engine.ask("ruleset").splitlines() == [
        "current: Gomoku",
        "available: Gomoku Gomoku-exact Gomoku-centre Pente Pente-free Keryo-Pente Ninuki "
        "Caro Caro-exact Gomoku-swap Renju Qubic Qubic-3 Tic-tac-toe"]
    engine.play("b a1")
    assert engine.ask("ruleset gomoku") == ""  # no change, so the game goes on
    assert engine.fail("ruleset chess").startswith("no such game: chess (available: Gomoku ")
    assert "X" in engine.ask("gogui-rules_board")
    assert engine.ask("ruleset PENTE") == ""
    assert engine.ask("gogui-rules_game_id") == "Pente"
    assert engine.ask("gogui-rules_board") == "\n".join(["." * 9] * 9)
    engine.ask("ruleset Gomoku")
    engine.ask("boardsize 5")
    engine.ask("ruleset pente")
    assert engine.ask("gogui-rules_board_size") == "19"
    assert engine.fail("boardsize 6") == "unacceptable size"
    assert engine.ask("gogui-rules_board_size") == "19"


def test_board_sizes():
    engine = Engine()
    for size in range(3, 26):
        assert engine.ask(f"boardsize {size}") == ""
        assert engine.ask("gogui-rules_board_size") == str(size)
        legal = engine.ask("gogui-rules_legal_moves").split()
        assert len(legal) == size ** 2 and legal == sorted(legal)
        assert legal[-1] == "ABCDEFGHJKLMNOPQRSTUVWXYZ"[size - 1] + str(min(size, 9))
    for size in ("2", "26", "-5", "0", "999999999"):
        assert engine.fail(f"boardsize {size}") == "unacceptable size"
    assert engine.fail("boardsize 7x") == "board size is not a whole number: 7x"


def test_showboard():
    engine = Engine("Pente-free", 7)
    engine.play("b a1 w b1 b g7 w c1 b d1")
    assert engine.ask("showboard").splitlines() == [
        "",
        "   A B C D E F G",
        " 7 . . . . . . X 7",
        " 6 . . . . . . . 6",
        " 5 . . . . . . . 5",
        " 4 . . . . . . . 4",
        " 3 . . . . . . . 3",
        " 2 . . . . . . . 2",
        " 1 X . . X . . . 1",
        "   A B C D E F G",
        "Pente-free, white (O) to move",
        "captured by black: 2, by white: 0",
    ]


def test_analyze_commands_exist_and_have_a_type():
    engine = Engine()
    types = set("bwboard cboard dboard eplist gfx hpstring hstring none param plist pspairs "
                "pstring sboard string var varb varc varp varpo varw".split())
    for line in engine.ask("gogui-analyze_commands").splitlines():
        kind, label, command = line.split("/")
        assert kind in types and label and "%c" not in label
        assert engine.ask(f"known_command {command.split()[0]}") == "true"


def test_small_commands():
    engine = Engine()
    assert engine.ask("komi 6.5") == ""
    assert engine.fail("komi much") == "komi is not a number: much"
    assert engine.ask("name") == "gtp_engine random"
    assert engine.ask("version")[0].isdigit()
    assert engine.ask("gogui-interrupt") == ""
    assert engine.fail("genmove x") == "invalid color: x"


def test_board_gfx():
    engine = Engine("Pente-free", 7)
    assert engine.ask("gogui-rules_board_gfx") == ""
    engine.play("b a1 w b1 w c1 b d1")
    assert engine.ask("gogui-rules_board_gfx") == "MARK B1 C1"
    engine.play("w g1 b a2 b a3 b a4 b b5 b a5")
    assert engine.ask("gogui-rules_board_gfx") == (
        "SQUARE A1 A2 A3 A4 A5\nTEXT Black wins: 5 in a row")
    engine.ask("undo")
    assert engine.ask("gogui-rules_board_gfx") == ""


def test_openings_in_gogui():
    """Where the first stone has to stand, and where Black's second may not."""
    engine = Engine("Pente", 19)
    assert engine.ask("gogui-rules_board_gfx") == "CIRCLE K10"
    engine.play("b K10")
    assert engine.ask("gogui-rules_board_gfx") == ""
    engine.play("w K11")
    word, _, *tinted = engine.ask("gogui-rules_board_gfx").split()
    assert word == "COLOR" and len(tinted) == 5 * 5 - 2 and {"H8", "M12"} <= {*tinted}
    engine.play("b K13")
    assert engine.ask("gogui-rules_board_gfx") == ""


def test_the_side_to_move_has_a_name():
    """GoGui's statistics ask for the move of null."""
    engine = Engine(size=7)
    engine.play("w c1 w c2 w c3 w c4 b e1 b e2 b e3 b e4")
    for side, move in (("w", {"C5"}), ("b", {"E5"})):
        engine.ask(f"gogui-setup_player {side}")
        engine.ask("param player alphabeta")
        engine.ask("param nodes 100")
        assert {engine.ask("reg_genmove null"), engine.ask("reg_genmove NULL")} == move


def test_numbers():
    engine = Engine()
    for number in ("1_0", "٧", "7.0", "0x7"):
        assert engine.fail(f"boardsize {number}") == f"board size is not a whole number: {number}"
    assert engine.ask("boardsize +7") == ""
    assert engine.fail("boardsize " + "9" * 5000) == "unacceptable size"
    assert engine.fail("gg-undo -" + "9" * 5000) == "cannot undo"


def test_an_interrupted_search_still_wins():
    engine = Engine(size=15, player="flat", simulations=10**6)
    engine.play("w a1 b e8 b f8 b g8 b h8")
    engine.dispatcher.stop[0] = 1
    assert engine.ask("genmove b") in ("D8", "J8")


SOLVED = [  # size, moves (Black first), the reply to solve
    (5, "", "draw "),
    (7, "C4 A1 D4 A2 E4 A3", "b B4|b F4"),
    (7, "C4 A1 D4 A2 E4", "b"),
    (5, "A1 A5 B1 B5 C1 C5 D1 D5 E1", "b"),
    (3, "A1 B1 C1 A2 B2 C2 B3 A3 C3", "draw"),
]


@pytest.mark.slow
@pytest.mark.parametrize("size, moves, replies", SOLVED)
def test_solve(size, moves, replies):
    engine = Engine("Gomoku", size)
    engine.ask("timelimit 100")
    engine.play(" ".join(f"{'bw'[i % 2]} {point}" for i, point in enumerate(moves.split())))
    board, reply = engine.ask("gogui-rules_board"), engine.ask("solve")
    if replies.endswith(" "):
        assert reply.startswith(replies)
    else:
        assert reply in replies.split("|")
    assert engine.ask("gogui-rules_board") == board


@pytest.mark.slow
def test_solve_without_a_proof():
    engine = Engine("Gomoku-exact", 17)
    engine.session.clock.limit_moves(0.1)
    assert engine.ask("solve") == "unknown"
    assert engine.fail("solve now") == "usage: solve"
