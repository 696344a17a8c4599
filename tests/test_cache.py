"""Where machine code is kept, and the one private option of Numba."""

import os
import subprocess
import sys

import numba
import numpy as np

from gtp_engine.kernels import cache, kernel
from tests.engine import PATIENCE, SCRIPT


def best_of(pairs, times):
    best = pairs[0]
    for i in range(times):
        best, other = pairs[i & 1], best
        if other[0] > best[0]:
            best = other
    return best[0]


def test_references_are_not_counted():
    """If this fails, playouts take three times as long: the option has lost its effect."""
    pairs = np.array([1, 2]), np.array([3, 4])
    counted, spared = numba.njit(best_of), kernel(best_of)
    spared._cache = counted._cache  # none, since what is loaded from one cannot be looked at
    assert counted(pairs, 5) == spared(pairs, 5) == 3
    assert "NRT_incref" in "".join(counted.inspect_llvm().values())
    assert "NRT" not in "".join(spared.inspect_llvm().values())


def test_a_numba_that_does_not_know_the_option(tmp_path):
    """It is said once, and the kernels work all the same."""
    program = (
        "import numba\n"
        "options = numba.njit(lambda: None).targetdescr.options\n"
        "parse = options.parse_as_flags\n"
        "def refuse(flags, given):\n"
        "    if '_nrt' in given: raise KeyError('Unrecognized options: _nrt')\n"
        "    return parse(flags, given)\n"
        "options.parse_as_flags = refuse\n"
        "from gtp_engine.__main__ import run\n"
        "run('gtp', 'x')\n")
    commands = b"boardsize 9\nparam simulations 20\n" + b"genmove b\n" * 3
    outputs = []
    for words in ((program,), ("from gtp_engine.__main__ import run; run('gtp', 'x')",)):
        out = subprocess.run([sys.executable, "-c", *words, "--seed", "1"], input=commands,
                             capture_output=True, cwd=SCRIPT.parent, timeout=PATIENCE,
                             env=os.environ | {"XDG_CACHE_HOME": str(tmp_path)} if not outputs
                             else None)
        outputs.append(out)
    assert outputs[0].stdout == outputs[1].stdout and outputs[0].stdout.count(b"= ") == 5
    assert outputs[0].stderr.count(b"this release of Numba counts references") == 1
    assert b"Traceback" not in outputs[0].stderr


def test_the_key_covers_every_level_of_folders(tmp_path, monkeypatch):
    """And what Numba is told, and by its environment."""
    for folder in ("", "plane"):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "one.py").write_text("1")
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "cache.py"))
    keys = [cache._key()]
    for folder in ("", "plane"):
        (tmp_path / folder / "one.py").write_text("2")
        keys.append(cache._key())
    (tmp_path / "plane" / "one.py").rename(tmp_path / "plane" / "two.py")
    keys.append(cache._key())
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    keys.append(cache._key())
    monkeypatch.setattr(cache, "_OPTIONS", {})
    keys.append(cache._key())
    assert len(set(keys)) == len(keys)


def test_settings_of_numba_are_as_they_were():
    assert "CACHE_DIR" in dir(numba.config) and numba.config.CACHE_DIR == os.environ.get(
        "NUMBA_CACHE_DIR", "")
