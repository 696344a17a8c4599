"""Engines: players and programs behind one interface, search info, stopping, asyncio, faults."""

import asyncio
import copy
import os
import pickle
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread, Timer

import numpy as np
import psutil
import pytest

import gtp_engine
from gtp_engine import Engine, EngineError, Game, Info
from gtp_engine.arena import process
from gtp_engine.arena.seats import programs as seats
from gtp_engine.games import catalogue
from gtp_engine.library.search import Call, SearchLimits
from gtp_engine.wire.search_info import InfoReader
from tests.engine import PATIENCE
from tests.programs import TOP, fake, is_harmless, marked, until

THINKER = f"{sys.executable} -IS {Path(__file__).parent / 'data' / 'thinker.py'}"
OURS = f"gtp:{sys.executable} {TOP / 'gomoku3.py'} --player random --size 15"
PROTOCOLS = ("gtp", "gomocup")


def thinker(protocol, behaviour="good", path=""):
    return f"{protocol}:{THINKER} {protocol} {behaviour} {path}".strip()


def game(moves="H8 J9"):
    found = Game("Gomoku", size=15)
    for move in moves.split():
        found.play(move)
    return found


@pytest.fixture(autouse=True)
def nothing_is_left():
    yield
    until(lambda: not marked(os.getpid()))


@pytest.fixture
def short_slack(monkeypatch):
    """A program that hangs has little time, also at its first move."""
    monkeypatch.setattr(seats, "FIRST_SLACK", 0.1)
    monkeypatch.setattr(process, "IDLE_SECONDS", 0.05)
    for seat in (seats.GtpSeat, seats.GomocupSeat):
        monkeypatch.setattr(seat, "slack", 0.1)


# --- search info ----------------------------------------------------------------------------------

G, K = "gomocup", "gtp"
LINES = [  # protocol, line; depth, nodes, seconds, value, score, line of points
    (G, "MESSAGE Depth 21-39 | Eval 278 | Time 966ms | G8 F8 G7 I9",
     21, None, 0.966, None, "278", "G8 F8 G7 J9"),  # Rapfi; its letters have an I
    (G, "MESSAGE Speed 1002K | Depth 21-39 | Eval 278 | Node 968K | Time 966ms",
     21, 968000, 0.966, None, "278", ""),
    (G, "MESSAGE Depth 9-12 | Eval -M6 | Time 12s | G8", 9, None, 12, -1, "-M6", "G8"),
    (G, "MESSAGE (1) 398 | 2-4 | G8 F8 H9", 2, None, None, None, "398", "G8 F8 H9"),
    (G, "MESSAGE depth 12-17 ev 249 n 13K n/ms 900 tm 7 pv G7 I9",
     12, 13000, 0.007, None, "249", "G7 J9"),
    (G, "MESSAGE multipv 1 ev 120 w 63.10 d 0.50 stdev 0.30 v 12K seldepth 12 n 50K n/ms 4 tm 1200 "
     "prior 0.30 pv H8 G7", None, 50000, 1.2, 0.267, "120", "H8 G7"),
    (G, "MESSAGE OptiTime 727ms | MaxTime 970ms", None, None, None, None, "", ""),
    (G, "MESSAGE dep 12-20 ev +v5 nd 120k tm 150 sp 800 pv h8 g7",  # PentaZen
     12, 120000, 0.15, 1, "+v5", "H8 G7"),
    (G, "DEBUG eval -120, depth 8, nodes 12345, speed 200",  # Carbon
     8, 12345, None, None, "-120", ""),
    (G, "MESSAGE depth=8 NPS=120k", 8, None, None, None, "", ""),  # Wine
    (G, "MESSAGE best: [7,6] val=12", None, None, None, None, "12", "H9"),
    (G, "MESSAGE bestLine: [7,6] [7,7]", None, None, None, None, "", "H9 H8"),
    (G, "MESSAGE [7,6] value 12, level 3, combo 4, nodes 500, speed 20",
     None, 500, None, None, "12", "H9"),
    (G, "MESSAGE depth 1-12 ev 55.1 winrate 50.1 drawrate 10.0 n 12345 n/s 4000 tm 3000 pv Xh8 Og7",
     1, 12345, 3, 0.102, "55.1", "H8 G7"),  # AlphaGomoku
    (G, "MESSAGE Depth: 1-12 | Time: 345MS | Node: 1234", 1, 1234, 0.345, None, "", ""),  # Yixin
    (G, "MESSAGE Speed: 1234 | Evaluation: 55.1%", None, None, None, 0.102, "55.1%", ""),
    (G, "MESSAGE Bestline: [H8] [I7]", None, None, None, None, "", "H8 J7"),
    (G, "MESSAGE depth=9 nodes=5000 eval=+34 winrate=63.2% PV h8 g7",  # figrid
     9, 5000, None, 0.264, "+34", "H8 G7"),
    (G, "MESSAGE REALTIME BEST 7,6", None, None, None, None, "", "H9"),
    (G, "INFO WINRATE 0.774867", None, None, None, 0.5497, "", ""),
    (G, "INFO BESTLINE 6,7 5,7", None, None, None, None, "", "G8 F8"),
    (K, "info move H8 visits 12 winrate 0.53 scoreMean 0.1 prior 0.2 order 0 pv H8 J9 info move G7 "
     "visits 3 winrate 0.4 order 1 pv G7", None, 12, None, 0.06, "", "H8 J9"),  # KataGo
    (K, "info move H8 visits 12 winrate 5312 prior 1200 lcb 5100 order 0 pv H8 J9",
     None, 12, None, 0.0624, "", "H8 J9"),  # Leela Zero
    (G, "MESSAGE depth 9 value +34 nodes 12000 line 7,7 8,8",  # this package, also the next
     9, 12000, None, None, "+34", "H8 J7"),
    (K, "H8 57% depth 9 nodes 1000 line H8 J9", 9, 1000, None, 0.14, "", "H8 J9"),
    (K, "TEXT alphabeta H8 57% depth 9 score +34 points nodes 1,000",
     9, 1000, None, 0.14, "+34", ""),
    (K, "VAR b H8 w J9 b K10", None, None, None, None, "", "H8 J9 K10"),
    (G, "MESSAGE time limit 500", None, None, None, None, "", ""),
    (G, "MESSAGE pv Z99 and so on", None, None, None, None, "", ""),
    (G, "MESSAGE " + "depth " * 1000 + "9" * 1000, None, None, None, None, "", ""),
    (G, "MESSAGE Depth 9-9 | Eval 1 | Time 1ms | H8 H8 H7", 9, None, 0.001, None, "1", "H8"),
]


@pytest.mark.parametrize("protocol, line, depth, nodes, seconds, value, score, points", LINES)
@pytest.mark.few(12)
def test_search_info(protocol, line, depth, nodes, seconds, value, score, points):
    empty = game("")
    reader = InfoReader(empty.position, protocol == K)
    reader.read(line)
    facts = reader.facts
    assert facts[:5] == (depth, nodes, pytest.approx(seconds), pytest.approx(value), score)
    assert " ".join(map(empty._name, reader.line())) == points


def test_lines_of_one_search_add_up():
    """A program that takes rows for columns is noticed by its answer or its best move."""
    reader = InfoReader(game("").position, False)
    for line in ("MESSAGE depth=8", "MESSAGE best: [7,6] val=12", "MESSAGE I like this"):
        assert reader.read(line)
    assert reader.facts[:1] == (8,) and reader.facts.score == "12" and reader.text == "I like this"
    position = game("").position
    for tell in (lambda: reader.answered(reader.point("8,7")),
                 lambda: reader.read("MESSAGE REALTIME BEST 8,7")):
        reader = InfoReader(position, False)
        reader.read("MESSAGE depth 3 pv h7 g7")
        assert [position.lattice.coordinates(p)[:2] for p in reader.line()] == [(7, 6), (6, 6)]
        tell()
        assert [position.lattice.coordinates(p)[:2] for p in reader.line()] == [(8, 7), (8, 8)]


# --- any engine -----------------------------------------------------------------------------------

ENGINES = [("random", {}), ("flat", {"simulations": 2}), ("flat,simulations=2", {"time": None}),
           ("alphabeta", {"nodes": 200, "memory": 1}), ("alphabeta,level=2,memory=1", {}),
           (OURS, {}), *((thinker(protocol), {"time": 1}) for protocol in PROTOCOLS)]


@pytest.mark.parametrize("text, options", ENGINES, ids=[text[:14] for text, _ in ENGINES])
@pytest.mark.few(5)
def test_any_engine(text, options):
    """It chooses, analyses and streams legal moves of changing positions, and can be copied."""
    position = game()
    with Engine(text, **options) as engine:
        before = position.moves
        chosen = engine.choose(position)
        assert chosen in position.legal_moves() and position.moves == before
        *_, last = engine.search(position)
        assert last.move in position.legal_moves() and last.line[0] == last.move
        found = engine.analyse(position, lines=2)
        assert all(line.move == line.moves[0] in position.legal_moves() for line in found)
        assert 0 < len(found) <= 2
        for moves in ("H8 J9 H9 H10", "H8", "", "G7 H8 A1"):  # back and to other lines
            assert engine.choose(game(moves)) in game(moves).legal_moves()
        assert engine.choose(Game("Gomoku", size=7)) in Game("Gomoku", size=7).legal_moves()
        with copy.deepcopy(engine) as twin, pickle.loads(pickle.dumps(engine)) as other:
            assert twin.choose(position) and other.choose(position)
        assert repr(engine).startswith("<Engine ") and is_harmless(repr(engine))
    with pytest.raises(EngineError, match="^the engine is closed$"):
        engine.choose(position)
    assert repr(engine).endswith(", closed>")


def test_an_object_plays():
    class First:
        def choose(self, game, limits):
            return game.legal_moves()[0]

    engine = Engine(First(), time=1)
    assert engine.choose(game()) == "A1" and engine.analyse(game())[0] == ("A1", None, ["A1"], None)
    assert engine.name == "First"


def test_info_while_a_program_searches():
    for protocol, expected in (
            ("gomocup", [(3, None, "12", ("A15",), None), (3, None, "12", ("A15",), None)]),
            ("gtp", [(4, 1200, "+7", ("A1",), None)])):
        with Engine(thinker(protocol), time=5) as engine:
            *infos, last = engine.search(game())
        assert [(i.depth, i.nodes, i.score, i.line, i.move) for i in infos] == expected
        assert last.move == last.line[0] and is_harmless(last.text)
        assert infos[-1].text in (r"\x1b[31mI like this", "depth 4 nodes 1,200 score +7 line A1")


def test_info_while_a_player_searches(monkeypatch):
    """Info comes with each change of the report."""
    from gtp_engine.players.base import Report
    engine, seen = Engine("alphabeta", nodes=100, memory=1), Event()
    position = game()
    points = [position.position.lattice.point(x, 0) for x in range(3)]

    def choose(board, limits):
        engine.player._report = Report((points[0], points[1]), {points[0]: 0.5}, {}, {"depth": 7})
        assert seen.wait(PATIENCE)
        return points[0]

    monkeypatch.setattr(engine.player, "choose", choose)
    infos = []
    for info in engine.search(position):
        infos.append(info)
        seen.set()
    assert infos[0][:1] == (7,) and infos[0].value == 0.5 and infos[0].line == ("A1", "B1")
    assert infos[0].move is None and infos[-1].move == "A1" and len(infos) == 2


def test_analysis_by_programs():
    """By the means of each protocol: YXNBEST, lz-genmove_analyze, kata-analyze; else one line."""
    for text, moves, values in (
            (thinker("gomocup", "ranks"), ["A15", "B15"], [None, None]),
            (thinker("gtp", "analyse"), ["A1", "B1"], [0.5, 0.0]),
            (thinker("gtp", "watch"), ["A1", "B1"], [0.5, 0.0]),
            (thinker("gtp", "good"), ["A1"], [None])):
        with Engine(text, time=0.2) as engine:
            for _ in range(2):  # nothing remains of the first
                found = engine.analyse(game(), lines=2)
                assert [line.move for line in found] == moves, text
                assert [line.value for line in found] == values
            assert engine.choose(game("H8 J9 A1")) != "A1"
            engine.analyse(game(), lines=2)
            assert engine.choose(game("")) in ("A1", "A15")


def test_a_program_that_ignores_yxnbest(monkeypatch):
    from gtp_engine.library import programs
    monkeypatch.setattr(programs, "SLACK", 0.0)
    with Engine(thinker("gomocup", "ignore-ranks"), time=0.05) as engine:
        for _ in range(2):
            assert [line.move for line in engine.analyse(game(), lines=3)] == ["A15"]


def test_our_program_is_analysed_and_limited():
    text = f"gtp:{sys.executable} {TOP / 'gomoku3.py'} --player alphabeta --memory 1 --size 15"
    with Engine(text, nodes=500) as engine:
        assert len(engine.analyse(game(), lines=3)) == 3
        *_, last = engine.search(game("A1 B2"), nodes=300)
        assert last.depth and last.nodes and last.nodes < 5000 and last.value is not None


# --- stop -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("text, move", [
    (thinker("gomocup", "stop"), "A15"), (thinker("gtp", "interrupt"), "A1"),
    (thinker("gomocup", "hang"), "A15"), (thinker("gtp", "hang"), "A1")])
def test_stop_gives_the_best_move(text, move, tmp_path):
    """At once, and the engine goes on; only a program without such a command starts again."""
    path = tmp_path / "starts"
    with Engine(f"{text} {path}", time=PATIENCE) as engine:
        for _ in range(2):
            infos = []
            for info in engine.search(game()):
                infos.append(info)
                if info.line:
                    engine.stop()
            assert infos[-1].move == move
            engine.stop()  # without a search, it does nothing
    assert len(path.read_text().split()) == (2 if "hang" in text else 1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_stop_before_there_is_a_move(protocol, tmp_path):
    path = tmp_path / "starts"
    with Engine(thinker(protocol, "mute" if protocol == "gomocup" else "die", path),
                time=PATIENCE) as engine:
        if protocol == "gtp":
            with pytest.raises(EngineError, match="ended with status 3"):
                engine.choose(game())
            return
        with ThreadPoolExecutor() as pool:
            choice = pool.submit(engine.choose, game())
            until(path.exists)
            until(lambda: engine._running is not None)
            engine.stop()
            with pytest.raises(EngineError, match="stopped before it wrote a move"):
                choice.result(PATIENCE)


def test_stop_of_a_player_from_another_thread():
    with Engine("alphabeta", time=PATIENCE, memory=1) as engine, ThreadPoolExecutor() as pool:
        for work in (engine.choose, engine.analyse):
            result = pool.submit(work, game("E5 F7"))
            until(lambda: engine._running is not None)
            engine.stop()
            assert result.result(PATIENCE)


def test_break_leaves_the_engine_usable():
    for text in ("alphabeta", thinker("gomocup", "stop"), thinker("gomocup", "hang")):
        with Engine(text, time=PATIENCE) as engine:
            for info in engine.search(game("E5 F7")):
                if info.line:
                    break
            search = engine.search(game("E5 F7"))
            assert next(search).move is None
            search.close()
            with ThreadPoolExecutor() as pool:
                last = pool.submit(lambda: [*engine.search(game("E5 F7"))])
                until(lambda: engine.stop() or last.done())


def test_stop_of_a_call():
    """A function that is attached late is called for an earlier stop, and never twice."""
    call, rings = Call(game(), SearchLimits()), []
    call.stop()
    call.attach(lambda: rings.append("late"))
    call.stop()
    assert rings == ["late"] and call.stopped


def test_a_call_that_is_cancelled_before_its_turn():
    """It disturbs no program: it does not even start one."""
    with Engine(thinker("gomocup"), time=5) as engine:
        call = engine._call(game(), "choose", SearchLimits())
        call.stop()
        with pytest.raises(EngineError, match="stopped before the search began"):
            engine._move(call)
        assert not marked(os.getpid())


# --- asyncio --------------------------------------------------------------------------------------

def test_asyncio():
    async def work(engine):
        infos = [info async for info in engine.asearch(game())]
        assert infos[-1].move and all(isinstance(info, Info) for info in infos)
        both = await asyncio.gather(engine.achoose(game()), engine.aanalyse(game(), lines=2))
        assert both[0] in game().legal_moves() and both[1]
        with pytest.raises(ValueError, match="not a Game"):
            await engine.achoose("H8")
        return True

    for text, options in (("alphabeta", {"nodes": 300, "memory": 1}),
                          (thinker("gomocup"), {"time": 5})):
        with Engine(text, **options) as engine:
            assert asyncio.run(work(engine))


@pytest.mark.parametrize("text", ["alphabeta", thinker("gomocup", "stop"),
                                  thinker("gomocup", "hang")], ids=["player", "stop", "hang"])
def test_asyncio_cancels(text):
    """A timeout frees the loop, and the engine is usable afterwards."""
    async def work(engine):
        for start in (engine.achoose, engine.aanalyse):
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(start(game("E5 F7")), 0.05)
        async for info in engine.asearch(game("E5 F7")):
            if info.line:
                break
        infos = engine.asearch(game("E5 F7"))
        first = await infos.__anext__()
        await infos.aclose()
        return first

    with Engine(text, time=PATIENCE) as engine:
        assert asyncio.run(work(engine)).move is None
        until(lambda: engine._running is None)


# --- faults ---------------------------------------------------------------------------------------

FAULTS = [  # behaviour, a part of the message
    ("die", "the program has ended with status 3"), ("garbage", "this is no answer: 'what"),
    ("hang", "no answer in time"), ("mute", "no answer in time"), ("cheat", "illegal move H8"),
]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("behaviour, text", FAULTS)
@pytest.mark.few(4)
def test_faults(protocol, behaviour, text, short_slack):
    """One line, then the last lines of the program; nothing in it moves a cursor."""
    seconds = PATIENCE if behaviour == "garbage" else 0.1
    with Engine(thinker(protocol, behaviour), time=seconds) as engine:
        for ask in (engine.choose, engine.analyse, lambda game: [*engine.search(game)]):
            with pytest.raises(EngineError) as caught:
                ask(game())
            first, *rest = str(caught.value).split("\n")
            assert text in first and first.startswith("thinker: ")
            assert is_harmless(str(caught.value)) and all(line.startswith("  ") for line in rest)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_program_that_died_starts_again(protocol, tmp_path):
    with Engine(thinker(protocol, "once", tmp_path / "starts"), time=5) as engine:
        with pytest.raises(EngineError, match=r"ended with status 3: out of \\x1b\[2Jluck"):
            engine.choose(game())
        assert engine.choose(game())


def test_a_program_that_is_killed():
    """In the middle of a search, and between two."""
    with Engine(thinker("gomocup", "hang"), time=PATIENCE) as engine:
        with pytest.raises(EngineError, match="ended by signal 9"):
            for info in engine.search(game()):
                for running in marked(os.getpid()):
                    with suppress(psutil.NoSuchProcess):  # a second message may come after the end
                        running.kill()
    with Engine(thinker("gtp"), time=5) as engine:
        assert engine.choose(game())
        running, = marked(os.getpid())
        running.kill()
        psutil.wait_procs([running], PATIENCE)
        assert engine.choose(game())  # a program that ended between two searches is no failure


def test_programs_that_do_not_start():
    with pytest.raises(EngineError, match="no such program: /no/such"):
        Engine("gtp:/no/such -x")
    with Engine(thinker("gomocup", "no-start")) as engine:
        with pytest.raises(EngineError, match="ended with status 5: no licence"):
            engine.choose(game())
    with Engine("gtp:true") as engine, pytest.raises(EngineError, match="^true: the program has "):
        engine.choose(game())


def test_an_engine_that_is_forgotten_ends_its_program():
    engine = Engine(thinker("gtp"), time=5)
    thread = Thread(target=engine.choose, args=(game(),))
    thread.start()
    thread.join()
    running, = marked(os.getpid())
    assert running.is_running(), "it outlives the thread that started it"
    del engine, thread
    until(lambda: not marked(os.getpid()))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_program_that_answers_twice(protocol):
    """Its second answer is not taken for that to the next position."""
    played = Game("Gomoku", size=7)
    with Engine(fake(protocol, "twice"), time=PATIENCE) as engine:
        with pytest.raises(EngineError, match="before its turn"):
            for _ in range(4):
                played.play(engine.choose(played))
                played.play(played.legal_moves()[-1])
    assert len(played.moves) == 6


def first_legal(played):
    return played.legal_moves()[0]


REFUSED = [  # engine, act, message
    ("random", lambda e: e.choose("H8"), "not a Game: 'H8'"),
    ("random", lambda e: e.choose(game(), time=0), "time must be above 0"),
    ("random", lambda e: e.choose(game(), depth=2), "random has no option depth"),
    (first_legal, lambda e: e.choose(game(), nodes=2), "has no option nodes (available: time)"),
    ("random", lambda e: e.analyse(game(), lines=0), "lines must be a whole number of 1 or more"),
    ("alphabeta", lambda e: e.choose(game(), nodes=-1), "nodes must be 1 to"),
    ("alphabeta", lambda e: e.choose(game(), time="soon"), "not a time in seconds: soon"),
    ("alphabeta", lambda e: e.choose(Game("Gomoku", size=(9, 15))), "alphabeta plays five in a"),
    (thinker("gomocup"), lambda e: e.choose(Game("Pente")), "do not play Pente"),
    (thinker("gomocup"), lambda e: e.choose(Game("Gomoku", size=19)), "ERROR too large"),
    (thinker("gtp"), lambda e: e.choose(Game("Gomoku", size=19)), "? unacceptable size"),
    (thinker("gtp"), lambda e: e.choose(game(), nodes=5), "thinker does not support a limit of"),
    (thinker("gtp"), lambda e: e.review(game()), "cannot review a game (available: alphabeta)"),
    (thinker("gtp"), lambda e: e.choose(Game("Gomoku", 15, first="white")),
     "it does not support the command ruleset, which Gomoku, white first needs"),
    ("pipe:./x", None, "no such player: pipe:./x (available: flat random alphabeta, gtp:"),
    ("alphabeta,deep", None, "alphabeta,deep: deep is not of the form OPTION=VALUE"),
    ("alphabeta,simulations=3", None, "alphabeta has no option simulations"),
    (3, None, "not a player: 3"),
]


@pytest.mark.parametrize("player", ["random", "flat", "alphabeta", first_legal, thinker("gtp")])
def test_every_engine_has_a_time(player):
    with Engine(player, time=1) as engine:
        assert engine.choose(game(), time=0.1) in game().legal_moves()
        assert len(engine.analyse(game(), lines=np.int64(1), time=0.1)) == 1


@pytest.mark.parametrize("text", ["gtp:yes", "gomocup:yes", "gomocup:yes MESSAGE x"])
def test_a_flood_without_an_answer(text):
    with Engine(text, time=0.1) as engine, pytest.raises(EngineError, match="1000 lines, but no"):
        engine.choose(game())


def test_display():
    class Player:
        def choose(self, played):
            return played.legal_moves()[0]

    for engine, text in [
            (Engine(level=3, seed=1, time=0.5), "<Engine alphabeta, time=0.5, level=3, seed=1>"),
            (Engine("alphabeta,threads=2", nodes=1000000),
             "<Engine alphabeta, nodes=1000000, threads=2>"),
            (Engine("flat", policy="rule_based"), "<Engine flat, policy=rule_based>"),
            (Engine(Player(), time=2), "<Engine Player, time=2>"),
            (Engine(), "<Engine alphabeta>")]:
        assert repr(engine) == text == repr(copy.copy(engine))


def test_a_book_that_does_not_exist(tmp_path):
    with pytest.raises(gtp_engine.FileError, match="x.lib: No such file"):
        Engine(book=tmp_path / "x.lib")
    with pytest.raises(ValueError, match="a book is a library") as caught:
        Engine(book="x.txt")
    assert not isinstance(caught.value, OSError)


def test_stop_and_close_end_a_review():
    played = game("H8 J9 K10 A1 C12 O15")
    engine = Engine(time=0.5)
    for end, seconds, least in ((engine.stop, 2, 1), (engine.stop, 0.2, 0), (engine.close, 0.2, 0)):
        timer, begin = Timer(seconds, end), time.monotonic()
        timer.start()
        moves = engine.review(played)
        assert least <= len(moves) < 6 and time.monotonic() - begin < seconds + PATIENCE / 2
        assert [move.point for move in moves] == played.moves[:len(moves)]
        timer.join()


@pytest.mark.parametrize("player, act, message", REFUSED)
@pytest.mark.few(6)
def test_what_is_refused(player, act, message):
    with pytest.raises(ValueError) as caught:
        with Engine(player) as engine:
            act(engine)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_unknown_options():
    with pytest.raises(TypeError, match="tiem"):
        Engine(tiem=3)
    with pytest.raises(ValueError, match=r"a program has no option level \(available: time nodes"):
        Engine("gtp:true", level=3)


def test_a_resignation_is_no_move():
    with Engine(thinker("gtp", "resign")) as engine:
        with pytest.raises(EngineError, match="it answered resign instead of a move"):
            engine.choose(game())


@pytest.mark.thorough
def test_threads_share_a_program():
    with Engine(thinker("gomocup"), time=5) as engine, ThreadPoolExecutor(8) as pool:
        games = [game(moves) for moves in ("H8", "H8 J9", "A15", "", "A15 B15 C15")] * 10
        alone = [engine.choose(each) for each in games]
        assert [*pool.map(engine.choose, games)] == alone


def test_the_catalogue_is_exported():
    assert gtp_engine.Info is Info and issubclass(EngineError, RuntimeError)
    assert catalogue.GOMOKU.name in gtp_engine.GAMES
