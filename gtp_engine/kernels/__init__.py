"""Everything compiled: arrays in, numbers out; knows no text, no clock, no player.

Importing this package imports Numba and decides where compiled code is kept: in the user's cache
folder, in a directory named after everything that the machine code depends on.  Numba itself
notices only changes of the file that a function stands in, not of the files it calls.
"""

import hashlib
import logging
import shutil
import sys
import tempfile
from pathlib import Path

import numba
from llvmlite import binding
from platformdirs import user_cache_path

KEPT = 4  # so many versions stay in the cache, for those who compare versions


def _cache_folder() -> Path:
    key = hashlib.sha256(f"{numba.__version__} {binding.get_host_cpu_name()}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        key.update(source.name.encode() + source.read_bytes())
    folder = user_cache_path("gtp_engine", appauthor=False) / "kernels" / key.hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
    except OSError as error:
        logging.getLogger(__name__).warning("compiled code cannot be kept: %s", error)
        return Path(tempfile.mkdtemp(prefix="gtp_engine-"))
    by_age = sorted((path for path in folder.parent.iterdir() if path.is_dir()),
                    key=lambda path: path.stat().st_mtime, reverse=True)
    for old in by_age[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


CACHE_FOLDER = _cache_folder()
numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]

# Kernels never raise, so `error_model` spares the tests for zero divisors, and never allocate, so
# `_nrt` spares counting references to arrays, which took two thirds of the time of a playout.
_OPTIONS: dict = dict(cache=True, nogil=True, error_model="numpy", _nrt=False)
kernel = numba.njit(**_OPTIONS)
inlined = numba.njit(**_OPTIONS, forceinline=True)


def is_compiled(function) -> bool:
    """Is the machine code of this kernel in the cache, or loaded, for this version of Python?"""
    version = "py{}{}".format(*sys.version_info)
    return bool(function.signatures) or any(
        CACHE_FOLDER.rglob(f"*.{function.__name__}-*.{version}*.nbi"))
