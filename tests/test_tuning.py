"""The programs that make the weights, as far as they need nothing but the engine."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.kernels.control import MATE

TUNING = Path(__file__).parent.parent / "tuning"
SIZE = 9


def rows_of(program, folder, *arguments):
    """Those of each file that the program leaves in the folder."""
    subprocess.run([sys.executable, TUNING / program, folder, *map(str, arguments),
                    "--nodes", "50", "--processes", "1"], check=True, capture_output=True)
    return {path.name: dict(np.load(path)) for path in sorted(folder.iterdir())}


def play(folder, games, game="Gomoku"):
    return rows_of("selfplay.py", folder, "--game", game, "--size", SIZE, "--games", games)


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
