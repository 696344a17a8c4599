"""Files of arrays."""

import re
import threading
import time
import zipfile
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from random import Random
from struct import pack

import numpy as np
import pytest

from gtp_engine.players import arrays
from gtp_engine.players.alphabeta import weights
from gtp_engine.players.arrays import arrays_in
from gtp_engine.players.proofs import qubic as strategy

ONE = (np.int64, (None,))
TOP = Path(__file__).parent.parent


def test_what_was_saved_is_read(tmp_path):
    """By its path and from an open file; names that nobody asked for, too."""
    saved = {"one": np.arange(6, dtype=np.uint8).reshape(2, 3), "two": np.float32(0.5)}
    np.savez_compressed(tmp_path / "saved.npz", **saved)
    with (tmp_path / "saved.npz").open("rb") as file:
        for found in (arrays_in(tmp_path / "saved.npz", {"two": (np.float32, ())}),
                      arrays_in(file, {})):
            assert sorted(found) == ["one", "two"]
            for name, array in saved.items():
                assert found[name].dtype == array.dtype
                assert np.array_equal(found[name], array)


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
            arrays_in(tmp_path / name, {"one": ONE})
    with pytest.raises(ValueError, match=r"no array two \(it has: one\)"):
        arrays_in(whole, {"one": ONE, "two": ONE})
    with pytest.raises(OSError):
        arrays_in(tmp_path / "nowhere", {})


KINDS = [  # an array, the type and shape that are wanted, what is said
    (np.zeros((2, 3), np.int16), (np.int16, (2, 3)), None),
    (np.zeros((9, 3), np.int16), (np.int16, (None, 3)), None),
    (np.zeros((2, 3), np.int32), (np.int16, (2, 3)), "is int32 of 2 x 3, not int16 of 2 x 3"),
    (np.zeros((2, 3), ">i2"), (np.int16, (2, 3)), "is >i2 of 2 x 3, not int16 of 2 x 3"),
    (np.zeros((3, 2), np.int16), (np.int16, (2, 3)), "is int16 of 3 x 2, not int16 of 2 x 3"),
    (np.zeros(6, np.int16), (np.int16, (None, 3)), "is int16 of 6, not int16 of n x 3"),
    (np.zeros((2, 3, 1), np.int16), (np.int16, (2, 3)), "is int16 of 2 x 3 x 1, not int16 of"),
    (np.int16(3), (np.int16, (1,)), "is int16 of no length, not int16 of 1"),
    (np.array(["a"]), (np.int16, (1,)), "is <U1 of 1, not int16 of 1"),
]


@pytest.mark.parametrize("array, kind, reason", KINDS)
def test_kinds(array, kind, reason, tmp_path):
    np.savez(tmp_path / "x.npz", one=array)
    if reason is None:
        assert np.array_equal(arrays_in(tmp_path / "x.npz", {"one": kind})["one"], array)
    else:
        with pytest.raises(ValueError, match=f"^the array one {re.escape(reason)}"):
            arrays_in(tmp_path / "x.npz", {"one": kind})


def written(header):
    """An archive with an array that has this header."""
    text = header.encode("latin-1")
    data = b"\x93NUMPY\x01\x00" + pack("<H", len(text)) + text + bytes(100)
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("one.npy", data)
    return file.getvalue()


HEADER = "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }\n"
HEADERS = [
    "(" * 9000, "[" * 9000, "-" * 9000 + "1", "\t1\n 2", "{**1}", "",
    HEADER.replace("3,", f"{10**12},"), HEADER.replace("3,", f"{10**30},"),
    HEADER.replace("3,", "-3,"), HEADER.replace("3,", "3.5,"), HEADER.replace("<i8", "|O"),
    HEADER.replace("<i8", ",i8"), HEADER.replace("<i8", "M8[x]"),
    HEADER.replace("<i8", "|V100000000000"),
]


@pytest.mark.parametrize("header", HEADERS, ids=lambda header: header[:60])
def test_odd_headers(header):
    with pytest.raises(ValueError, match="^not a file of arrays$"):
        arrays_in(BytesIO(written(header)), {"one": ONE})


def test_nothing_is_unpickled(tmp_path):
    """Not what is in a file, and nowhere but from processes of our own."""
    class Trap:
        def __reduce__(self):
            return Path.write_text, (tmp_path / "sprung", "")

    np.savez(tmp_path / "trap.npz", one=np.array([Trap()], object))
    with pytest.raises(ValueError, match="not a file of arrays"):
        arrays_in(tmp_path / "trap.npz", {"one": ONE})
    assert not (tmp_path / "sprung").exists()
    for folder in ("gtp_engine", "tuning", "benchmarks"):
        for path in (TOP / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert text.count("np.load(") == len(
                re.findall(r"np\.load\([^()]*, allow_pickle=False\)", text)), path
            assert "import pickle" not in text or path.name in (
                "cache.py", "compiler.py", "start_compiler.py"), path


def test_flipped_bytes(tmp_path):
    """The same arrays, or others, or one line."""
    rng, files = Random(1), []
    for save in (np.savez, np.savez_compressed):
        file = BytesIO()
        save(file, one=np.arange(50), two=np.float32(3))
        files.append(file.getvalue())
    for _ in range(2000):
        data = bytearray(rng.choice(files))
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            arrays_in(BytesIO(data), {"one": ONE})
        except (ValueError, OSError) as error:
            assert "\n" not in str(error)


def test_huge_files(tmp_path, monkeypatch):
    """They are not unpacked."""
    monkeypatch.setattr(arrays, "LARGEST", 1 << 16)
    np.savez_compressed(tmp_path / "x.npz", one=np.zeros(1 << 14))
    with pytest.raises(ValueError, match="the arrays have more than 65536 bytes"):
        arrays_in(tmp_path / "x.npz", {})


def changed(path, folder, **changes):
    """A copy of a file of arrays with other arrays, without those that are None."""
    with np.load(path, allow_pickle=False) as data:
        arrays = {**data, **changes}
    np.savez(folder / "changed.npz",
             **{name: array for name, array in arrays.items() if array is not None})
    return folder / "changed.npz"


WEIGHTS = [  # what is changed, what is said
    ({"layers": None}, "the file has no array layers "),
    ({"input_bias": None}, "the file has no array input_bias "),
    ({"rows": None}, "the file has no array rows "), ({"extras": None}, "no array extras "),
    ({"value": np.zeros((2, 9), np.int16)}, "the array value is int16 of 2 x 9, not int16 of"),
    ({"policy": np.zeros((1, 1365), np.int16)}, "the array policy is int16 of 1 x 1365, not"),
    ({"extras": np.zeros(41, np.int64)}, "the array extras is int64 of 41, not int64 of 42"),
    ({"extras": np.zeros(42)}, "the array extras is float64 of 42, not int64 of 42"),
    ({"rows": np.zeros((5, 16), np.int16)}, "the array rows is int16 of 5 x 16, not int16 of"),
    ({"input_bias": np.float32(0)}, "the array input_bias is float32 of no length, not int16"),
    ({"layers": np.zeros(7, np.float32)}, "the array layers is float32 of 7, not float32 of"),
    ({"layers": np.full(weights.LAYERS, np.nan, np.float32)}, "the array layers has numbers that"),
]


@pytest.mark.parametrize("changes, reason", WEIGHTS, ids=[row[1] for row in WEIGHTS])
def test_odd_weights(changes, reason, tmp_path):
    path = Path(weights.__file__).parents[1] / "data" / "gomoku.npz"
    with pytest.raises(ValueError, match=reason):
        weights.read(changed(path, tmp_path, **changes))
    without = changed(path, tmp_path, rows=None, input_bias=None, layers=None)
    assert weights.read(without).network is weights.NO_NETWORK


def test_as_many_rows_as_patterns():
    assert weights.ROWS == len(np.unique(weights.number_of_pattern()))


STRATEGIES = [
    ({"move": None}, "the file has no array move "),
    ({"own": np.zeros(3, np.uint64)}, "the arrays are not equally long"),
    ({"own": np.zeros((3, 1), np.uint64)}, "the array own is uint64 of 3 x 1, not uint64 of n"),
    ({"move": np.zeros(11390)}, "the array move is float64 of 11390, not uint8 of n"),
    ({"move": np.full(11390, 64, np.uint8)}, "the array move has points that are not 0 to 63"),
]


@pytest.mark.parametrize("changes, reason", STRATEGIES, ids=[row[1] for row in STRATEGIES])
def test_odd_strategies(changes, reason, tmp_path):
    path = changed(strategy.FILE, tmp_path, **changes)
    with pytest.raises(ValueError, match=f"not a strategy: {re.escape(str(path))}: {reason}"):
        strategy.read(path)


def test_threads_read_one_after_the_other(tmp_path, monkeypatch):
    """Never two at the same time, and all get their arrays."""
    np.savez(tmp_path / "saved.npz", one=np.arange(3))
    load, at_work, most, found = np.load, [], [], []

    @contextmanager
    def slow_load(file, **options):
        at_work.append(file)
        most.append(len(at_work))
        time.sleep(0.02)
        with load(file, **options) as data:
            yield data
        at_work.pop()

    monkeypatch.setattr(np, "load", slow_load)
    threads = [threading.Thread(
        target=lambda: found.append(arrays_in(tmp_path / "saved.npz", {})["one"].tolist()))
        for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1, 1, 1, 1]
    assert found == [[0, 1, 2]] * 4
