"""Everything compiled: arrays in, numbers out; knows no text, no clock, no player.

Importing this package imports Numba and decides where compiled code is kept: in the user's cache
folder, in a directory named after everything that the machine code depends on.  Numba itself
notices only changes of the file that a function stands in, not of the files it calls.
"""

import atexit
import hashlib
import logging
import os
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
        temporary = tempfile.mkdtemp(prefix="gtp_engine-")
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        return Path(temporary)
    ages = {entry.path: entry.stat().st_mtime for entry in os.scandir(folder.parent)}
    for old in sorted(ages, key=ages.__getitem__, reverse=True)[KEPT:]:
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
        Path(function.stats.cache_path).glob(f"*.{function.__name__}-*.{version}*.nbi"))
