"""The programs that make the weights, as far as they need nothing but the engine."""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.kernels.control import MATE
from gtp_engine.kernels.plane.features import MARGINS

TUNING = Path(__file__).parent.parent / "tuning"
SIZE = 9


def rows_of(program, folder, *arguments):
    """Those of each file that the program leaves in the folder."""
    subprocess.run([sys.executable, TUNING / program, folder, *map(str, arguments),
                    "--nodes", "50", "--processes", "1"], check=True, capture_output=True)
    return {path.name: dict(np.load(path)) for path in sorted(folder.iterdir())}


def play(folder, games, game="Gomoku"):
    return rows_of("selfplay.py", folder, "--game", game, "--size", SIZE, "--games", games)


@pytest.mark.thorough
def test_selfplay(tmp_path):
    """Rows are positions of games; the same command goes on, and gives the same files anew."""
    first = play(tmp_path / "games", 20)
    for data in first.values():
        cells, points = data["cells"], SIZE * SIZE
        count = len(cells)
        assert cells.shape == (count, points) and set(np.unique(cells)) == {0, 1, 2}
        stones = [(cells == colour).sum(axis=1) for colour in (1, 2)]
        assert np.all(stones[1] == stones[0] + (data["side"] == WHITE))
        assert set(np.unique(data["side"])) == {BLACK, WHITE}
        rows = np.arange(count)
        assert not cells[rows, data["move"]].any()
        assert np.abs(data["score"]).max() < MATE
        result = data["result"]
        assert 0 < np.isnan(result).sum() < count
        assert set(result[~np.isnan(result)]) <= {0.0, 0.5, 1.0}
    kept = tmp_path / "games" / next(iter(first))
    written = kept.stat().st_mtime_ns
    more = play(tmp_path / "games", 40)
    assert len(first) == 1 and len(more) == 2 and kept.stat().st_mtime_ns == written
    again = play(tmp_path / "again", 20)
    for key, rows in first[kept.name].items():
        assert np.array_equal(again[kept.name][key], rows, equal_nan=key == "result"), key


@pytest.mark.thorough
def test_positions_are_judged_anew(tmp_path):
    """The same positions with the same results, by other searches; judged ones are left alone.

    In Renju, where it matters who is to move.
    """
    games, judged = tmp_path / "games", tmp_path / "judged"
    played, = play(games, 20, "Renju").values()
    (name, anew), = rows_of("judge.py", judged, games).items()
    number = {(cells.tobytes(), result.tobytes()): i
              for i, (cells, result) in enumerate(zip(played["cells"], played["result"]))}
    rows = [number[cells.tobytes(), result.tobytes()]
            for cells, result in zip(anew["cells"], anew["result"])]
    assert len(played["cells"]) * 0.9 < len(rows) <= len(played["cells"])
    assert np.array_equal(anew["captured"], played["captured"][rows])
    assert np.array_equal(anew["side"], played["side"][rows])
    assert np.corrcoef(anew["score"], played["score"][rows])[0, 1] > 0.5
    assert (anew["score"] != played["score"][rows]).any()
    assert not anew["cells"][np.arange(len(rows)), anew["move"]].any()
    written = (judged / name).stat().st_mtime_ns
    again = rows_of("judge.py", judged, games)
    assert list(again) == [name] and (judged / name).stat().st_mtime_ns == written


def spsa(file, *more, pairs=16):
    """A process that tunes two numbers."""
    return subprocess.Popen(
        [sys.executable, TUNING / "spsa.py", file, "--size", str(SIZE), "--nodes", "30", "--pairs",
         str(pairs), "--processes", "1", "--names", "width", "killer", *more],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.thorough
def test_numbers_of_the_search_are_tuned(tmp_path):
    """What is killed goes on to the same numbers; a file of another run stays as it is."""
    whole, killed = tmp_path / "whole.json", tmp_path / "killed.json"
    told, _ = spsa(whole).communicate()
    state = json.loads(whole.read_text())
    values = state["values"]
    assert told == f"width={round(values['width'])},killer={round(values['killer'])}\n"
    assert state["pairs"] == 16 and [pairs for pairs, _ in state["history"]] == [16]
    assert values["width"] != MARGINS["width"] and values["killer"] != MARGINS["killer"]
    process = spsa(killed)
    while not killed.exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.kill()
    process.communicate()
    assert json.loads(killed.read_text())["pairs"] in (8, 16)
    spsa(killed).communicate()
    assert killed.read_bytes() == whole.read_bytes()
    other = spsa(whole, "--seed", "2")
    _, complaint = other.communicate()
    assert other.returncode == 1 and "is of another run" in complaint
    assert killed.read_bytes() == whole.read_bytes()


def test_better_numbers_win_more():
    """The arithmetic alone: what wins more with more of a number ends with more of it."""
    from tuning.spsa import STEPS, rate, step_factor
    rng, pairs, value = np.random.default_rng(1), 4000, 150.0
    for pair in range(pairs):
        moved = rng.choice((-1, 1)) * STEPS["killer"] * step_factor(pair, pairs)
        chance = 1 / (1 + np.exp((abs(value + moved - 300) - abs(value - moved - 300)) / 200))
        value += rate(pair, pairs) * 2 * (rng.binomial(2, chance) - 1) * moved
    assert 250 < value < 350
