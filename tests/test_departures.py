"""Games that leave the proof of Gomoku: how many, at which ply, and in which positions."""

import json

import pytest

from gtp_engine.__main__ import main
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK
from gtp_engine.learn.departures import Departures
from gtp_engine.players.proofs import gomoku as gomoku_proof
from gtp_engine.records.collection import Collection, Game
from gtp_engine.wire.notation import GtpPoints
from tests.positions import after

SIZE = 15
NAMES = GtpPoints(catalogue.start(catalogue.GOMOKU, SIZE).lattice).name
MIRROR = dict(zip("ABCDEFGHJKLMNOP", "PONMLKJHGFEDCBA"))  # of columns, about H


def played(text):
    return after(text, catalogue.GOMOKU, SIZE)


def proved(text):
    """The proof's move after these moves."""
    position = played(text)
    return NAMES[gomoku_proof.of(position).advice(position).move]


def mirrored(text):
    return " ".join(MIRROR[name[0]] + name[1:] for name in text.split())


def sgf(text, result, game="", more=""):
    """A game in SGF, from moves such as H8 H7."""
    letters = "ABCDEFGHJKLMNOP"
    moves = "".join(f";{colour}[{chr(97 + letters.index(name[0]))}{chr(97 + 15 - int(name[1:]))}]"
                    for colour, name in zip("BW" * 40, text.split()))
    return f"(;GM[4]FF[4]SZ[15]{game and f'RU[{game}]'}RE[{result}]{more}{moves})\n"


def psq(text):
    """A game in the format of Piskvork."""
    letters = "ABCDEFGHJKLMNOP"
    return "".join(["Piskvorky 15x15, 11:11, 0\n", *(
        f"{letters.index(name[0]) + 1},{16 - int(name[1:])},100\n" for name in text.split())])


def by_threats(text):
    """The moves with an answer to which the proof has only threats."""
    position = played(text)
    answers = gomoku_proof.of(position).answers(position)
    point = next(point for point, answer in answers.items()
                 if answer.kind == gomoku_proof.BY_THREATS)
    return f"{text} {NAMES[point]}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Small games that follow the proof or leave it."""
    found = tmp_path_factory.mktemp("games")
    beside = f"H8 H7 {proved('H8 H7')}"
    answered = f"{beside} A15"
    long = f"{answered} {proved(answered)}"
    games = [
        sgf("H8 H7 A1", "W+"), sgf("H8 H7 P1 A15", "B+"), sgf("H8 H9 A15", "0"),  # equal positions
        sgf("H8 H7 A2", "W+R"), sgf(f"{answered} P15", "B+"),
        sgf(beside, "B+"), sgf(mirrored(beside), "B+"), sgf(mirrored(long), "W+"),  # followed
        sgf("H8 H7", "?"), sgf(f"{by_threats(long)} A14", "B+"),
        sgf("H8 G8", "B+", more="AB[aa]")]
    (found / "games.sgf").write_text("".join(games))
    (found / "corner.psq").write_text(psq("A1 H8 B1"))
    return found


def test_the_numbers(folder):
    departures = Departures(catalogue.GOMOKU, SIZE)
    collection = Collection()
    assert not [error for _, _, error in collection.index([folder]) if error]
    departures.add(collection.search(most=100)[0])
    assert departures.plies == {1: 1, 3: 4, 5: 1}
    assert departures.left == (6, 2, 1, 2) and departures.followed == (4, 2, 0, 1)
    assert departures.threats == (1, 1, 0, 0) and departures.omitted == 1
    below, *others = departures.positions()
    assert below.score == (4, 1, 1, 2) and len(others) == 2
    corners, (point, count) = sorted(below.played, key=lambda each: -each[1])
    assert corners[1] == 3 and len(corners[0]) == 2 and (len(point), count) == (2, 1)
    assert len(below.proof) == 2, "the position has a mirror image"
    start = next(each for each in others if not each.moves)
    assert [NAMES[point] for point in start.proof] == ["H8"] and start.score == (1, 0, 0, 0)


def test_the_command(folder, tmp_path, capsys):
    table = tmp_path / "table.json"
    assert main(["explore", str(folder), "--proof", "--json", str(table)]) == 0
    out = capsys.readouterr().out
    assert "Gomoku, 15 × 15: 11 games and the proof that Black wins, 1 omitted" in out
    rows = [line.split() for line in out.splitlines()]
    assert ["leave", "the", "proof", "6", "54.5", "2", "1", "2"] in rows
    assert ["3", "4", "36.4"] in rows
    found = json.loads(table.read_text())
    assert (found["game"], found["size"], found["plies"]) == ("Gomoku", 15, {
        "1": 1, "3": 4, "5": 1})
    assert found["positions"][0]["games"] == 4 and found["left"]["won"] == 2
    assert main(["explore", str(folder), "--proof", "--result", "B+"]) == 0
    assert " 5 games and the proof" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["explore", str(folder), "--proof", "--size", "9"])
    assert "--proof: no games with a proof (found: 12 of Gomoku" in capsys.readouterr().err


def test_a_game_without_a_proof():
    with pytest.raises(ValueError, match="there is no proof of Renju on this board"):
        Departures(catalogue.RENJU, SIZE)


def test_each_move_of_a_proved_line_follows():
    """Up to symmetry, from the first move of Black to the last one of the proof."""
    position = catalogue.start(catalogue.GOMOKU, SIZE)
    line = " ".join(NAMES[point] for point in gomoku_proof.of(position).line(position))
    departures = Departures(catalogue.GOMOKU, SIZE)
    collection = Collection()
    for text in (line, mirrored(line)):
        collection.add(Game(played(text), BLACK))
    departures.add(collection.search(most=9)[0])
    assert departures.left.games == 0 and departures.threats.games + (
        departures.followed.games) == 2
