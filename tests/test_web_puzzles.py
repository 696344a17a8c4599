"""Puzzles of the server, over a real socket, and the process that judges their moves."""

import asyncio
import json
from random import Random

import psutil
import pytest

from gtp_engine.puzzles.puzzle import DEFENCE, FOURS, THREATS, shipped_puzzles
from gtp_engine.puzzles.score import NAME, Score
from gtp_engine.web.fields import Refusal
from gtp_engine.web.processes import ENGINES_BUSY, TooMany
from gtp_engine.web.study.puzzle_judge import LONGEST_LINE, Judge
from gtp_engine.web.study.puzzles import STOPPED, Puzzles
from tests.programs import until


def asked(page, game="Gomoku", kind=FOURS, skip=False):
    """What the page is told of a puzzle, and the puzzle itself."""
    page.say("puzzle", game=game, kind=kind, skip=skip)
    told = page.until("puzzle")
    found, = [puzzle for puzzle in shipped_puzzles() if cells(puzzle) == told["game"]["cells"]
              and (puzzle.rules.name, puzzle.size) == (told["layout"]["game"],
                                                       told["layout"]["size"])]
    return told, found


def cells(puzzle):
    position = puzzle.position()
    return "".join(str(position.cells[point]) for point in position.lattice.points)


def places(puzzle, points):
    where = [*puzzle.position().lattice.points]
    return [where.index(point) for point in points]


def wrong_move(puzzle):
    """A point that solves nothing."""
    return places(puzzle, [next(point for point in puzzle.position().legal_moves()
                                if point not in puzzle.line)])[0]


def attempt(page, told, what, **fields):
    """What comes of it."""
    page.say("attempt", number=told["number"], what=what, **fields)
    return page.until("attempt")


def solve(page, told, puzzle):
    """Play the moves of the solution; the last answer."""
    answer = None
    for place in places(puzzle, puzzle.line)[::2]:
        answer = attempt(page, told, "play", point=place)
        assert answer["is_right"]
    return answer


def test_solving(server, page):
    """Moves are played with their answers; score and file say the same, as the terminal's do."""
    told, puzzle = asked(page)
    assert (told["kind"], told["moves"], told["grade"], told["rating"]) == (
        FOURS, (puzzle.plies + 1) // 2, puzzle.grade, puzzle.rating)
    assert "Renju" in told["choices"] and FOURS in told["choices"]["Gomoku"]
    first, reply = places(puzzle, puzzle.line[:2])
    answer = attempt(page, told, "play", point=first)
    assert (answer["moves"], answer["is_over"], "score" in answer) == ([first, reply], False, False)
    assert [answer["game"]["cells"][place] for place in (first, reply)] == (
        ["1", "2"] if told["game"]["side"] == 1 else ["2", "1"])
    again, same = asked(page)
    assert same == puzzle and again["game"] != answer["game"]
    answer = solve(page, again, puzzle)
    assert answer["is_solved"] and answer["game"]["row"] and answer["gain"] > 0
    score = Score.read(server.folder / NAME)
    assert answer["score"] == {"rating": round(score.rating), "streak": score.streak,
                               "best": score.best, "solved": score.solved, "tried": score.tried}
    assert asked(page)[1] != puzzle


def test_failing_once(page):
    """A wrong move is refuted and counts; what follows does not count again."""
    for kind in (THREATS, DEFENCE):
        told, puzzle = asked(page, kind=kind)
        place = wrong_move(puzzle)
        answer = attempt(page, told, "play", point=place)
        assert not answer["is_right"] and answer["moves"] == [] and answer["gain"] < 0
        assert answer["line"]["moves"][0] == place and answer["score"]["streak"] == 0
        assert bool(answer["line"]["rows"]) == (kind == DEFENCE)
        assert kind == DEFENCE or len(answer["line"]["moves"]) <= LONGEST_LINE
        assert "score" not in solve(page, told, puzzle)


@pytest.mark.thorough
def test_helps(page):
    """A hint costs half, the solution all; whoever leaves does not get rid of a hint; whoever skips
    ends the streak."""
    told, puzzle = asked(page, skip=True)
    assert attempt(page, told, "hint")["hint"] == places(puzzle, puzzle.line)[0]
    told, same = asked(page)
    assert same == puzzle
    answer = solve(page, told, puzzle)
    assert (answer["success"], answer["score"]["streak"]) == (0.5, 0)
    told, puzzle = asked(page)
    answer = attempt(page, told, "view")
    assert answer["line"]["moves"] == places(puzzle, puzzle.line) and answer["is_over"]
    assert answer["score"]["solved"] < answer["score"]["tried"]
    told, puzzle = asked(page)
    assert solve(page, told, puzzle)["score"]["streak"] == 1
    asked(page)
    assert asked(page, skip=True)[0]["score"]["streak"] == 0


def test_what_is_refused(page):
    """By one line; the puzzle stays as it is."""
    assert page.refusal("attempt", number=1, what="view") == "this puzzle is no longer displayed"
    assert page.refusal("puzzle", game="Qubic", kind=FOURS, skip=False) == "there is no such puzzle"
    told, puzzle = asked(page, skip=True)
    taken, = places(puzzle, puzzle.moves[-1:])
    for fields, words in [
            ({"what": "play", "point": taken}, "occupied"),
            ({"what": "play", "point": 624}, "there are"),
            ({"what": "play", "point": 625}, "point must be"), ({"what": "win"}, "what must be"),
            ({"what": "hint", "number": told["number"] - 1}, "this puzzle is no longer displayed")]:
        assert page.refusal("attempt", **{"number": told["number"], **fields}).startswith(words)
    for fields, words in [({"game": "Chess"}, "game must be one of"),
                          ({"kind": "fives"}, "kind must be one of")]:
        assert page.refusal("puzzle", **{"game": "", "kind": "", "skip": False, **fields}
                            ).startswith(words)
    assert solve(page, told, puzzle)["success"] == 1
    assert page.refusal("attempt", number=told["number"], what="hint") == (
        "the puzzle is over: take the next one")


@pytest.mark.thorough
def test_a_forbidden_point(page):
    """Of Renju, where Black is to find a move."""
    told = next(told for told, _ in (asked(page, "Renju", skip=True) for _ in shipped_puzzles())
                if told["game"]["forbidden"])
    place = told["game"]["forbidden"][0][0]
    page.say("attempt", number=told["number"], what="play", point=place)
    refused = page.until("refused")
    assert refused["place"] == place and "forbidden" in refused["text"]


@pytest.mark.thorough
def test_a_damaged_score(own_server):
    """It is said which file it is, and nothing is lost."""
    server = own_server()
    path = server.folder / NAME
    path.write_text("{}")
    page = server.page()
    assert page.refusal("puzzle", game="", kind="", skip=False) == (
        f"the score cannot be read: {path} is not a score of puzzles: remove it to begin anew")
    assert path.read_text() == "{}"
    path.unlink()
    told, puzzle = asked(page)
    path.write_text("[]")
    page.say("attempt", number=told["number"], what="view")
    assert page.until("notice")["text"].startswith("the score cannot be read: ")
    assert page.until("attempt")["is_over"]
    page.close()
    server.end()


@pytest.mark.thorough
def test_the_judge_ends_and_begins_anew(own_server):
    """If it dies, the page is told; it ends when a game is shown, and with the page."""
    server = own_server()
    page = server.page()

    def is_judge(child):
        try:
            return "gtp_engine.web.study.puzzle_judge" in child.cmdline()
        except psutil.NoSuchProcess:  # it has just ended
            return False

    def judges():
        return [*filter(is_judge, psutil.Process(server.process.pid).children())]

    told, _ = asked(page)
    judge, = judges()
    judge.kill()
    assert page.until("refused")["text"] == STOPPED
    assert page.refusal("attempt", number=told["number"], what="hint") == STOPPED
    solve(page, *asked(page))
    page.new()
    until(lambda: not judges())
    solve(page, *asked(page))
    page.close()
    until(lambda: not judges())
    server.end()


def test_only_watching(own_server):
    server = own_server("--watch-only")
    page = server.page()
    assert page.refusal("puzzle", game="", kind="", skip=False) == "this page is read-only"
    page.close()


class Full:
    """As many processes as there may be."""

    async def start(self, module, listen, ended):
        raise TooMany


def test_no_process_is_left(tmp_path):
    """Then no puzzle is chosen."""
    puzzles = Puzzles(None, Full(), tmp_path / NAME, Random(1))
    with pytest.raises(Refusal, match=ENGINES_BUSY):
        asyncio.run(puzzles.show(None, None, False))
    assert not (tmp_path / NAME).exists() and puzzles.number == 0


@pytest.mark.thorough
def test_a_slower_win():
    """It is not right, and its line is not given away."""
    judge = Judge()
    for puzzle in shipped_puzzles():
        if puzzle.kind != FOURS or puzzle.size != 15 or puzzle.plies != 3:
            continue
        judge.begin(puzzle.text(), 1.0)
        for point in puzzle.position().legal_moves()[:200]:
            answer = judge.answer("play", places(puzzle, [point])[0])
            if answer.get("wins"):
                assert not answer["is_right"] and answer["line"] is None and not answer["moves"]
                assert json.loads(json.dumps(answer)) == answer
                return
            if answer["is_right"]:
                judge.begin(puzzle.text(), 1.0)
    raise AssertionError("no puzzle of the set has a slower win")
