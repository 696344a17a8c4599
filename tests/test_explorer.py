"""What games answer in a position: the table, held against slow code; files; what is known."""

import asyncio
import json
import os
import re
from collections import defaultdict
from itertools import permutations, product
from random import Random

import pytest

import gtp_engine
from gtp_engine.__main__ import main
from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, PASS, WHITE
from gtp_engine.games.tree import ROOT, tree_of
from gtp_engine.learn.explorer import Explorer
from gtp_engine.records.sgf import sgf_of
from gtp_engine.tournament.first_plies import add_games
from gtp_engine.web.games import Game
from gtp_engine.web.server.site import Site
from gtp_engine.wire.notation import GtpPoints
from tests.positions import after, drawing, random_game
from tests.web import NO_CLOCK, PERSON

LETTERS = {"X": BLACK, "O": WHITE, "=": EMPTY, "?": None}


def played(moves, rules=catalogue.TIC_TAC_TOE, size=3):
    """The position after moves in turn, as in B2 A1."""
    return after(moves, rules, size)


GAMES = (  # moves, and who has won: X, O, = for a draw, ? if nobody knows
    "B2 A1 C3 | X", "B2 C1 A3 | O", "B2 A3 C1 | =", "B2 C3 B3 | ?", "B2 B1 A1 | O",
    "A1 B2 C3 | X", "C3 B2 A1 | X")
TABLE = [  # moves, where an answer is played (*), and games, won, drawn, lost of that answer
    ("", "... .*. ...", 5, 1, 1, 2),
    ("", "*.* ... *.*", 2, 2, 0, 0),
    ("B2", "*.* .X. *.*", 4, 1, 1, 1),
    ("B2", ".*. *X* .*.", 1, 1, 0, 0),
    ("B2 A1", "..* .X. O..", 3, 1, 1, 1),  # C3 | X, A3 after C1, C1 after A3
    ("B2 A1", "... *X. O*.", 1, 0, 0, 0),  # B3 after C3
    ("B2 A3", "O.. .X. ..*", 3, 1, 1, 1),
    ("B2 A3", "O*. *X. ...", 1, 0, 0, 0),
    ("B2 B1", "... .X. *O*", 1, 0, 0, 1),
    ("A1 B2", "..* .O. X..", 2, 2, 0, 0),
]


@pytest.mark.parametrize("moves, picture, games, won, drawn, lost", TABLE)
def test_tiny_games(moves, picture, games, won, drawn, lost):
    explorer = Explorer(catalogue.TIC_TAC_TOE, 3)
    for game in GAMES:
        text, _, winner = game.partition(" | ")
        explorer.add(played(text), LETTERS[winner])
    found = {drawing(played(moves), answer.points).replace("\n", " "): answer
             for answer in explorer.answers(played(moves))}
    answer = found[picture]
    assert answer[1:5] == (games, won, drawn, lost)
    known = won + drawn + lost
    assert answer.score == ((won + drawn / 2) / known if known else None)
    assert {*found} == {row[1] for row in TABLE if row[0] == moves}


def test_values_and_order():
    explorer = Explorer(catalogue.TIC_TAC_TOE, 3)
    explorer.add(played("B2 A1"), BLACK, [0.5, -0.25])
    explorer.add(played("B2 C3"), WHITE, [None, 0.75])
    explorer.add(played("A1"), WHITE)
    centre, corner = explorer.answers(played(""))
    assert (centre.games, centre.value, corner.games, corner.value) == (2, 0.5, 1, None)
    reply, = explorer.answers(played("B2"))
    assert reply.value == -0.25, "of 0.25 and -0.75 for White"
    assert explorer.answers(played("A1 B1 A2 B2 A3")) == [], "the game is over"


def images(lattice):
    """The maps of points to points by symmetries of a square or a cube, slowly."""
    sizes = (lattice.width, lattice.height, lattice.depth)
    for order in permutations(range(3 if lattice.depth > 1 else 2)):
        order = (*order, 2)[:3]
        for flips in product((False, True), repeat=3 if lattice.depth > 1 else 2):
            def image(point, order=order, flips=(*flips, False)):
                at = lattice.coordinates(point)
                turned = [at[axis] for axis in order]
                return lattice.point(*(size - 1 - value if flip else value
                                       for size, value, flip in zip(sizes, turned, flips)))
            yield {point: image(point) for point in lattice.points}


def slow_key(position, maps):
    """The same for all positions that a symmetry makes equal."""
    cells = position.cells
    stones = [(point, cells[point]) for point in position.lattice.points if cells[point] != EMPTY]
    return position.side, tuple(position.captured), min(
        tuple(sorted((where[point], colour) for point, colour in stones)) for where in maps)


@pytest.mark.parametrize("rules, size", [
    (catalogue.GOMOKU, 7), (catalogue.PENTE_FREE, 7), (catalogue.GOMOKU_SWAP, 6),
    (catalogue.QUBIC_3, 6), (catalogue.TIC_TAC_TOE, 3)], ids=str)
def test_fast_and_slow(rules, size):
    """Games are counted together exactly where the positions are symmetrical."""
    rng, explorer = Random(1), Explorer(rules, size)
    maps = [*images(explorer.lattice)]
    counted, asked = defaultdict(int), []
    for _ in range(12):
        for position in random_game(rules, size, rng):
            asked += [position.copy()] if rng.random() < 0.2 or not position.history else []
            last = position.copy()
        explorer.add(last, last.outcome.winner)
        while last.history:
            after = slow_key(last, maps)
            last.undo()
            counted[slow_key(last, maps), after] += 1
    assert max(counted.values()) > 1
    for position in asked:
        before, found = slow_key(position, maps), {}
        for answer in explorer.answers(position):
            after = set()
            for point in answer.points:
                position.play(position.side, point)
                after.add(slow_key(position, maps))
                position.undo()
            key, = after
            found[key] = answer.games
        assert found == {after: count for (key, after), count in counted.items() if key == before}


def test_what_is_not_played():
    """Passes and stones that were set up are no answers, and lead on."""
    position = catalogue.start(catalogue.GOMOKU, 7)
    centre, = position.lattice.middle()
    position.setup([(BLACK, centre)])
    position.set_side(WHITE)
    position.play(WHITE, PASS)
    position.play(BLACK, centre + 1)
    explorer = Explorer(catalogue.GOMOKU, 7)
    explorer.add(position, BLACK)
    assert explorer.answers(catalogue.start(catalogue.GOMOKU, 7)) == []
    position.undo()
    answer, = explorer.answers(position)
    assert (len(answer.points), answer.won) == (4, 1)


def test_captured_stones_make_a_difference():
    """The same stones, with another number of captured ones, are another position."""
    game = played("A1 B1 A3 C1 D1 A7", catalogue.PENTE_FREE, 7)
    explorer = Explorer(catalogue.PENTE_FREE, 7)
    explorer.add(game)
    game.undo()
    assert game.captured[BLACK] == 2 and len(explorer.answers(game)) == 1
    same = catalogue.start(catalogue.PENTE_FREE, 7)
    same.setup([(BLACK, point) for point in same.lattice.points if game.cells[point] == BLACK])
    same.set_side(WHITE)
    assert same.cells == game.cells and explorer.answers(same) == []


def remarks(game, size, moves, explorer=None):
    position = played(moves, game, size)
    names = GtpPoints(position.lattice).name
    answers = (explorer or Explorer(game, size)).answers(position)
    return {names[answer.points[0]]: answer.remark for answer in answers}


def test_what_is_known():
    """First moves that are even or best, openings of Renju by name."""
    assert set(remarks(catalogue.GOMOKU_SWAP, 15, "").values()) == {"even"}
    assert set(remarks(catalogue.PENTE, 19, "K10").values()) == {"best"}
    assert remarks(catalogue.GOMOKU, 15, "") == {}
    explorer = Explorer(catalogue.RENJU, 15)
    explorer.add(played("H8 H9 H10", catalogue.RENJU, 15))
    assert remarks(catalogue.RENJU, 15, "H8 J8", explorer) == {"K8": "Kansei"}


def test_the_solved_table():
    """In 4x4x4 the first stone on a corner wins, and every answer to it loses."""
    explorer = Explorer(catalogue.QUBIC, 8)
    explorer.add(played("B2 A1", catalogue.QUBIC, 8))
    explorer.add(played("A1 D4", catalogue.QUBIC, 8))
    assert "wins" in remarks(catalogue.QUBIC, 8, "", explorer).values()
    assert remarks(catalogue.QUBIC, 8, "A1", explorer) == {"D4": "loses"}


def contest_game(**fields):
    return {"game": 1, "first": "Ann", "second": "Ben", "opening": ["D4"], "moves": ["E5", "D5"],
            "told": [{"value": 0.5}, {}], "winner": "Ben", "ending": "LINE", **fields}


def test_a_contest():
    """Who has which colour, values of the mover, games without a result, moves that are none."""
    explorer = Explorer(catalogue.GOMOKU, 7)
    add_games(explorer, [contest_game(), contest_game(first="Ben", second="Ann"),
                         contest_game(winner=None), contest_game(winner=None, ending="INTERRUPTED"),
                         contest_game(moves=["E5", "D4"], told=[{"value": 2}, {}])])
    answer, = explorer.answers(played("D4", catalogue.GOMOKU, 7))
    assert answer[1:6] == (5, 2, 1, 1, 0.5)


def write_files(folder):
    """Files of every kind, some of them bad; what is said of those."""
    contest = {
        "game": "Gomoku", "size": 15, "format": "match", "rounds": 1, "scheduled": 2,
        "openings": "none", "seed": 1, "per_move": None, "per_game": None, "increment": 0,
        "nodes": None, "depth": None, "margin": None, "patience": 1,
        "points": {"win": 1, "draw": 0.5, "loss": 0}, "test": None, "anchor": {}, "schedule": "x"}
    seat = {key: contest[key] for key in ("per_move", "per_game", "increment", "nodes", "depth",
                                          "margin", "patience")}
    contest["players"] = [{"name": name, "seat": "random", **seat} for name in ("Ann", "Ben")]
    game = contest_game(opening=["H8"], moves=["H9"], told=[{}], round=1, seconds=[0.1],
                        verdict="", at=1, schedule="x")
    saved = Game(tree_of(played("H8 G8", catalogue.GOMOKU, 15)), {BLACK: PERSON, WHITE: PERSON},
                 dict(NO_CLOCK))
    saved.live = saved.tree.line(ROOT)[-1]
    saved.result = {"node": saved.live, "winner": BLACK, "text": "White resigns"}
    position = played("H8 H7", catalogue.GOMOKU, 15)
    contents = {
        "a.sgf": b"text (;SZ[15]GN[Gomoku]RE[W+];B[hh];W[gh])(;SZ[15:99];B[hh];W[hh])",
        "b/c.SGF": sgf_of(position, {"RE": "0"}), "d.sgf": b"no game",
        "e.psq": b"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,8,0\n",
        "f.jsonl": "".join(f"{json.dumps(line)}\n" for line in (contest, game)).encode(),
        "g.jsonl": b'{"tree": 3}\n', "h.sgf": b"(;SZ[9]GN[Renju];B[ee])", "notes.txt": b"no game",
        "match/game-0001.jsonl": b'{"event": "begin"}\n',
        "match/game-0001.sgf": b"(;SZ[15]GN[Gomoku];B[hh];W[gg])",
        f"games/{saved.id}.json": json.dumps(saved.data()).encode()}
    for name, data in contents.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    return {"a.sgf, game 2": "Gomoku is played on sizes", "d.sgf": "not a game",
            "g.jsonl": "not a game of the board in the browser"}


def test_files(tmp_path, capsys):
    """The good ones are counted, each bad one is named in a line."""
    faults = write_files(tmp_path)
    table = tmp_path / "table.json"
    assert main(["explore", str(tmp_path), "--position", "h8", "--depth", "2", "--json",
                 str(table)]) == 1
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert len(lines) == len(faults) + 1 and "6 of Gomoku 15 × 15, 1 of Renju 9 × 9" in lines[-1]
    for line, (name, fault) in zip(lines, faults.items()):
        assert line.startswith(f"cannot read {tmp_path / name}: {fault}")
    assert "Gomoku, 15 × 15: 6 games, white to move" in out
    found = json.loads(table.read_text())
    assert [found[key] for key in ("game", "size", "games", "position")] == [
        "Gomoku", 15, 6, ["H8"]]
    beside, diagonal = found["answers"]
    assert (beside["points"], beside["games"]) == (["H7", "G8", "J8", "H9"], 5)
    assert [beside[key] for key in ("won", "drawn", "lost", "score")] == [2, 1, 1, 0.625]
    assert diagonal["games"] == 1 and diagonal["answers"] == []
    assert [row.split()[0] for row in out.splitlines()[-3:-1]] == ["H7", "G7"]


@pytest.mark.parametrize("words, complaint", [
    (["--position", "H8 H8"], "--position: H8: occupied"), (["--position", "Z1"], "no such point"),
    (["--game", "Qubic"], r"no such games to explore \(found: 5 of Gomoku 15 × 15, 1 of Renju"),
    (["--depth", "0"], "depth must be 1 to 20"), (["--json", "/nowhere/x"], "No such file"),
    (["/nowhere"], "No such file")])
def test_what_is_refused(words, complaint, tmp_path, capsys):
    write_files(tmp_path)
    with pytest.raises(SystemExit) as left:
        main(["explore", str(tmp_path), *words])
    assert left.value.code == 2 and re.search(complaint, capsys.readouterr().err)


def test_the_games_of_a_server(tmp_path, monkeypatch):
    """Games that are over count, as they are on the disk now; so do those of tournaments."""
    monkeypatch.setattr("gtp_engine.web.server.explored.LOOK_SECONDS", 0)
    write_files(tmp_path)
    site = Site(tmp_path / "games", [tmp_path / "f.jsonl"])
    game, = (site.game(id) for id in site.store.names())
    after_h8 = game.tree.path(game.live)[1]

    def answers():
        found = asyncio.run(site.explorer.answers(game, after_h8))
        return found["games"], [(answer["games"], answer["won"]) for answer in found["answers"]]

    assert answers() == (2, [(2, 1)]), "one of the user, one of the tournament"
    game.result["winner"] = WHITE
    site.store.write(game.id, game.data())
    os.utime(tmp_path / "games" / f"{game.id}.json", (1, 1))  # another time, surely
    assert answers() == (2, [(2, 2)])
    site.store.remove(game.id)
    assert answers() == (1, [(1, 1)])
    site.index.close()


def test_library(tmp_path):
    game = gtp_engine.Game("Gomoku", 15)
    game.play("H8")
    (tmp_path / "x.sgf").write_bytes(b"(;SZ[15]RE[W+];B[hh];W[gh])")
    answer, = gtp_engine.answers([tmp_path], game)
    assert answer.points == ["H7", "G8", "J8", "H9"] and answer[1:] == (1, 1, 0, 0, None, "", None)
    write_files(tmp_path)
    with pytest.raises(ValueError, match="a.sgf, game 2: Gomoku is played on"):
        gtp_engine.answers([tmp_path], game)
