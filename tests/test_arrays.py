"""Files of arrays."""

import threading
import time
import zipfile
from contextlib import contextmanager

import numpy as np
import pytest

from gtp_engine.players.arrays import arrays_in


def test_what_was_saved_is_read(tmp_path):
    """By its path and from an open file; names that nobody asked for, too."""
    saved = {"one": np.arange(6, dtype=np.uint8).reshape(2, 3), "two": np.float32(0.5)}
    np.savez_compressed(tmp_path / "saved.npz", **saved)
    with (tmp_path / "saved.npz").open("rb") as file:
        for arrays in (arrays_in(tmp_path / "saved.npz", ("two",)), arrays_in(file, ())):
            assert sorted(arrays) == ["one", "two"]
            for name, array in saved.items():
                assert arrays[name].dtype == array.dtype
                assert np.array_equal(arrays[name], array)


def test_what_cannot_be_read_is_one_line(tmp_path):
    """Text, nothing at all, a single array, an archive of text, half of a file, a missing name."""
    whole = tmp_path / "whole"
    with whole.open("wb") as file:
        np.savez(file, one=np.arange(100))
    (tmp_path / "text").write_text("[metadata]\n")
    (tmp_path / "empty").write_bytes(b"")
    with (tmp_path / "single").open("wb") as file:
        np.save(file, np.arange(3))
    with zipfile.ZipFile(tmp_path / "archive", "w") as archive:
        archive.writestr("one.npy", "no array")
    (tmp_path / "half").write_bytes(whole.read_bytes()[:400])
    for name in ("text", "empty", "single", "archive", "half"):
        with pytest.raises(ValueError, match="not a file of arrays"):
            arrays_in(tmp_path / name, ("one",))
    with pytest.raises(ValueError, match=r"no array two \(it has: one\)"):
        arrays_in(whole, ("one", "two"))
    with pytest.raises(OSError):
        arrays_in(tmp_path / "nowhere", ())


def test_threads_read_one_after_the_other(tmp_path, monkeypatch):
    """Never two at the same time, and all get their arrays."""
    np.savez(tmp_path / "saved.npz", one=np.arange(3))
    load, at_work, most, found = np.load, [], [], []

    @contextmanager
    def slow_load(file):
        at_work.append(file)
        most.append(len(at_work))
        time.sleep(0.02)
        with load(file) as data:
            yield data
        at_work.pop()

    monkeypatch.setattr(np, "load", slow_load)
    threads = [threading.Thread(
        target=lambda: found.append(arrays_in(tmp_path / "saved.npz", ())["one"].tolist()))
        for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1, 1, 1, 1]
    assert found == [[0, 1, 2]] * 4
