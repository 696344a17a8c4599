"""The programs that make the weights, as far as they need nothing but the engine."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from gtp_engine.kernels.control import MATE

SELFPLAY = Path(__file__).parent.parent / "tuning" / "selfplay.py"
SIZE = 9


def play(folder, games):
    subprocess.run([sys.executable, SELFPLAY, folder, "--size", str(SIZE), "--games", str(games),
                    "--nodes", "50", "--processes", "1"], check=True, capture_output=True)
    return {path.name: dict(np.load(path)) for path in sorted(folder.iterdir())}


def test_selfplay(tmp_path):
    """Rows are positions of games; the same command goes on, and gives the same files anew."""
    first = play(tmp_path / "games", 20)
    for data in first.values():
        cells, points = data["cells"], SIZE * SIZE
        count = len(cells)
        assert cells.shape == (count, points) and set(np.unique(cells)) == {0, 1, 2}
        stones = [(cells == colour).sum(axis=1) for colour in (1, 2)]
        assert np.all((stones[1] == stones[0]) | (stones[1] == stones[0] + 1))
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
