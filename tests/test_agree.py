"""Games of Renju under the referee: opening rules, and forbidden moves of a person."""

import io
import subprocess
import sys
from random import Random

import pytest

from gtp_engine.arena.agree import Disagreement, agree
from gtp_engine.arena.record import GameRecord
from gtp_engine.arena.referee import play_game
from gtp_engine.arena.seats.base import TimeControl
from gtp_engine.arena.seats.person import PersonSeat
from gtp_engine.arena.seats.player import PlayerSeat
from gtp_engine.arena.seats.spec import seat_of
from gtp_engine.arena.verdict import Ending
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.games.opening_rules import Action, Agreement, find, name_of
from gtp_engine.players.openings import balanced
from gtp_engine.tournament.contest import Entrant, contest_of
from gtp_engine.tournament.jobs import Probe, play, probe, task_of
from gtp_engine.tournament.openings import RENJU26, openings_of
from gtp_engine.wire.notation import GtpPoints
from tests.engine import PATIENCE

CONTROL = TimeControl(per_move=PATIENCE)


def typed(monkeypatch, *lines):
    """A person who types these lines."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return PersonSeat(CONTROL)


@pytest.mark.parametrize("loses, ending", [(False, Ending.RESIGNATION), (True, Ending.FORBIDDEN)])
def test_a_forbidden_move_of_a_person(loses, ending, monkeypatch, capsys):
    """It is refused and asked for again, or loses the game."""
    position = catalogue.start(catalogue.RENJU, 15)
    names = GtpPoints(position.lattice)
    position.setup([(BLACK, names.point_of(name)) for name in "G8 H7 H9 J8".split()])
    person = typed(monkeypatch, "H8", "resign")
    person.forbidden_loses = loses
    verdict = play_game(position, person, seat_of("random", CONTROL, Random(1)), GameRecord(None),
                        lambda position: None)
    assert (verdict.winner, verdict.ending) == (WHITE, ending)
    assert ("H8: forbidden: double three" in capsys.readouterr().err) != loses
    assert not loses or "forbidden: double three" in verdict.text


def opened(rule, first, second):
    said, shown = [], []
    opening = Agreement(find(rule), catalogue.start(catalogue.RENJU, 15))
    seats = agree(opening, first, second, said.append, lambda: shown.append(opening.step))
    return seats, opening, said, shown


def test_a_person_and_a_player_agree(monkeypatch, capsys):
    """A person is asked until what is typed is allowed."""
    first = seat_of("alphabeta,nodes=300", CONTROL, Random(1))
    second = typed(monkeypatch, "place A1", "swap maybe", "", "swap yes", "offer A1",
                   "offer A1 B1", "choose A1")
    (black, white), opening, said, shown = opened("rif", first, second)
    assert black is second and white is first and name_of(opening.position)
    assert [line.split(": ")[1].split()[0] for line in said[:-1]] == [
        "place", "swap", "place", "offer", "choose"] and len(shown) == 5
    assert said[-1] == "person has black, alphabeta has white"
    errors = capsys.readouterr().err
    for line in ("place A1: place: it is time to swap", "swap maybe: usage: swap yes|no",
                 "offer A1: offer 2 fifth moves, not 1"):
        assert line in errors


def test_a_person_who_leaves_loses(monkeypatch):
    with pytest.raises(Disagreement, match="the end of the input") as found:
        opened("soosyrv-8", seat_of("alphabeta,nodes=300", CONTROL, Random(1)),
               typed(monkeypatch, "swap no"))
    assert found.value.verdict.winner == BLACK and found.value.won_by_first


def referee(*options, text=""):
    command = [sys.executable, "-m", "gtp_engine", "referee", "--game", "Renju", "--quiet"]
    return subprocess.run([*command, *options], input=text, capture_output=True, text=True,
                          timeout=PATIENCE)


def test_the_command_line():
    """Whoever opens may have either colour in the end; programs know no opening rules."""
    done = referee("--opening-rule", "swap", "--first", "Ann=person", "--second", "alphabeta,"
                   "nodes=300", text="place H8 H9 A1\n" + "resign\n")
    assert done.returncode == 1 and "LOSES! resignation" in done.stdout, done.stderr
    assert "first (Ann): place H8 H9 A1" in done.stderr
    done = referee("--opening-rule", "rif", "random", "gtp:true")
    assert done.returncode == 2 and "it supports no opening rules" in done.stderr
    done = referee("--opening-rule", "rapid", "random", "random")
    assert done.returncode == 2 and "no such opening rule: rapid (available: swap" in done.stderr


@pytest.mark.thorough
def test_a_tournament_with_openings_by_a_rule(monkeypatch):
    """Whoever has Black in the end is the first player of the game."""
    monkeypatch.setattr(balanced, "JUDGE_NODES", 200)
    contest = contest_of({
        "game": "Renju", "openings": "swap", "nodes": 100, "rounds": 6,
        "player": [{"seat": "a=alphabeta"}, {"seat": "b=alphabeta"}]})
    assert contest.openings == "swap" and contest.book == ()
    openers, exchanged = set(), 0
    for game in contest.schedule():
        played = play(task_of(contest, game, contest.fingerprint()))
        assert len(played.opening) == 3 and played.winner in (None, "a", "b")
        assert {played.first, played.second} == {"a", "b"}
        openers.add(game.first.name)
        exchanged += played.first != game.first.name
        position = catalogue.start(catalogue.RENJU, 15)
        points = GtpPoints(position.lattice)
        for name in played.opening + played.moves:
            position.play(position.side, points.point_of(name))
        winner = {BLACK: played.first, WHITE: played.second}.get(position.outcome.winner)
        assert winner == played.winner
    assert openers == {"a", "b"} and 0 < exchanged < 12
    assert probe(Probe(Entrant("", "gtp:true", CONTROL), catalogue.RENJU, 15, True, True)
                ).complaint.endswith("it supports no opening rules")
    with pytest.raises(ValueError, match="needs a board with a point in the middle"):
        contest_of({"game": "Renju", "size": 14, "openings": "rif",
                    "player": [{"seat": "random"}, {"seat": "random"}]})


def test_an_opening_that_fails_in_a_tournament(monkeypatch):
    monkeypatch.setattr(PlayerSeat, "open", lambda self, opening: Action("swap", yes=True))
    contest = contest_of({"game": "Renju", "openings": "rif",
                          "player": [{"seat": "a=random"}, {"seat": "b=random"}]})
    played = play(task_of(contest, next(contest.schedule()), "x"))
    assert (played.winner, played.ending) == ("b", "INVALID_MOVE") and played.moves == []
    assert "in the opening: swap: it is time to place" in played.verdict


def test_the_26_openings_for_tournaments():
    book = openings_of(RENJU26, catalogue.RENJU, 15)
    assert len({*book}) == 26 and book[0] == ("H8", "H9", "H10") and book[25] == ("H8", "J9", "F6")
    assert len(openings_of(RENJU26, catalogue.GOMOKU, 9)) == 26
    with pytest.raises(ValueError, match="renju26 needs a board with a point in the middle"):
        openings_of(RENJU26, catalogue.RENJU, 14)
