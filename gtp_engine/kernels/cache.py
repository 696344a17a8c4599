"""Where machine code is kept: in the user's cache folder, in a directory named after everything
that it depends on.

Numba itself notices only changes of the file that a function stands in, not of the files it calls.
"""

import atexit
import hashlib
import logging
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Optional

import numba
from llvmlite import binding
from numba.core.caching import FunctionCache
from numba.core.compiler import Flags
from platformdirs import user_cache_path

KEPT = 4  # so many versions stay in the cache, for those who compare versions
ROOM = 1 << 20  # bytes that must be free in the folder


def _without_counting() -> dict:
    # Kernels never allocate, so that references to arrays need not be counted, which took two
    # thirds of the time of a playout.  The option for it is private to Numba; with a release that
    # does not know it they are counted, and the kernels work as well.
    options = {"_nrt": False}
    try:
        dispatcher: Any = numba.njit(lambda: None)
        dispatcher.targetdescr.options.parse_as_flags(Flags(), options)
    except (AttributeError, KeyError, TypeError) as error:
        logging.getLogger(__name__).warning(
            "this release of Numba counts references, kernels are slower: %s", error)
        return {}
    return options


# Kernels never raise, so that `error_model` spares the tests for zero divisors.
_OPTIONS: dict = dict(nogil=True, error_model="numpy", **_without_counting())


def _key() -> str:
    # Of all sources of kernels, Numba with its settings, and the processor.
    settings = sorted(item for item in os.environ.items()
                      if item[0].startswith("NUMBA_") and item[0] != "NUMBA_CACHE_DIR")
    key = hashlib.sha256(
        f"{numba.__version__} {binding.get_host_cpu_name()} {_OPTIONS} {settings}".encode())
    folder = Path(__file__).parent
    for source in sorted(folder.rglob("*.py")):
        key.update(source.relative_to(folder).as_posix().encode() + source.read_bytes())
    return key.hexdigest()[:16]


def _cache_folder() -> Optional[Path]:
    # The user's, else a temporary one, else none.
    try:
        folder = user_cache_path("gtp_engine", appauthor=False) / "kernels" / _key()
        if not folder.is_absolute():
            raise OSError("the user has no home")
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(ROOM))
        folder.touch()
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no such user
        _warn(error)
        return _temporary_folder()
    _remove_old(folder.parent)
    return folder


def _temporary_folder() -> Optional[Path]:
    try:
        temporary = tempfile.mkdtemp(prefix="gtp_engine-")
    except OSError:
        return None
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return Path(temporary)


def _remove_old(folder: Path) -> None:
    # All versions but those used last; other processes may be doing the same.
    ages = {}
    try:
        for entry in os.scandir(folder):
            try:
                ages[entry.path] = entry.stat().st_mtime
            except OSError:
                pass
    except OSError:
        return
    for old in sorted(ages, key=ages.__getitem__, reverse=True)[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


class _Warnings:
    given = False


def _warn(error: Exception) -> None:
    # Once in a process.
    if not _Warnings.given:
        _Warnings.given = True
        text = getattr(error, "strerror", None) or str(error)
        logging.getLogger(__name__).warning("compiled code cannot be kept: %s", text)


class _KernelCache(FunctionCache):
    # Machine code that cannot be kept is used all the same.
    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn(error)


CACHE_FOLDER = _cache_folder()


def _compiled_with(options: dict):
    # A decorator that makes kernels whose machine code is kept in CACHE_FOLDER.
    def decorate(function):
        dispatcher = numba.njit(**_OPTIONS, **options)(function)
        if CACHE_FOLDER is not None:
            before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
            numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]
            try:
                dispatcher._cache = _KernelCache(dispatcher.py_func)
            except RuntimeError as error:  # the folder was removed meanwhile
                _warn(error)
            finally:
                numba.config.CACHE_DIR = before  # type: ignore[attr-defined]
        return dispatcher
    return decorate


kernel = _compiled_with({})
inlined = _compiled_with({"forceinline": True})


def is_compiled(function) -> bool:
    """Is the machine code of this kernel in the cache, or loaded, for this version of Python?"""
    version, folder = "py{}{}".format(*sys.version_info), function.stats.cache_path
    return bool(function.signatures) or folder is not None and any(
        Path(folder).glob(f"*.{function.__name__}-*.{version}*.nbi"))
