"""Machine code from a wheel: the package gtp_engine_kernels, which needs no compiler.

It has a shared library for each level of processors, and KEY_FILE.  It depends on the sources of
the kernels, not on the releases of Python and Numba.  `build-kernels` builds it.
"""

import ctypes
import functools
import hashlib
import json
import os
import platform
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, Optional

PACKAGE = "gtp_engine_kernels"
KEY_FILE = "kernels.json"  # contains the key of the sources and the types of the results
LEVEL = "gtp_engine_level"  # the function of a library that returns the level of the processor

# The levels of each family of processors, the lowest level first (x86-64 psABI, 3.1).
LEVELS = {"x86_64": ("x86-64-v2", "x86-64-v3", "x86-64-v4"), "arm64": ("generic",)}
LOWEST_X86 = 2  # the level that LEVEL returns for the first of them
SUFFIXES = {"win32": ".dll", "darwin": ".dylib"}


class Entry(NamedTuple):
    """The entry point of a kernel for Python, see cache.Code."""

    function: Any
    results: list[str]


class _Package(NamedTuple):
    # The library for this processor and the types of results, by the symbols of kernels.

    library: ctypes.CDLL
    results: dict[str, list[str]]


@functools.cache
def source_key() -> str:
    """A hash of all sources of kernels, in all folders."""
    key, folder = hashlib.sha256(), Path(__file__).parents[1]
    for source in sorted(folder.rglob("*.py")):
        key.update(source.relative_to(folder).as_posix().encode() + b"\0" + source.read_bytes())
    return key.hexdigest()[:16]


def numba_settings() -> list[tuple[str, str]]:
    """The environment variables that change how Numba compiles."""
    return sorted(item for item in os.environ.items()
                  if item[0].startswith("NUMBA_") and item[0] != "NUMBA_CACHE_DIR")


def architecture() -> str:
    """The family of this processor, a key of LEVELS."""
    machine = platform.machine().lower()
    return {"amd64": "x86_64", "aarch64": "arm64"}.get(machine, machine)


def file_name(level: str, system: str = sys.platform) -> str:
    """The name of the library for a level of processors."""
    return level + SUFFIXES.get(system, ".so")


@functools.cache
def _state() -> tuple[Optional[_Package], Optional[str]]:
    # The package, and a complaint if it is installed but not usable.
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None or numba_settings():
        return None, None
    folder = Path(spec.origin).parent
    try:
        key = json.loads((folder / KEY_FILE).read_bytes())
        if key["sources"] != source_key():
            return None, f"{PACKAGE} belongs to another version of the kernels and is not used"
        return _Package(_library(folder), key["results"]), None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None, f"{PACKAGE} has nothing for this system and processor and is not used"


def _library(folder: Path) -> ctypes.CDLL:
    # Load the best library for this processor.  Raises OSError if there is none.
    paths = [folder / file_name(level) for level in LEVELS.get(architecture(), ())]
    if len(paths) > 1:
        lowest = next((path for path in paths if path.is_file()), paths[0])
        level = ctypes.CDLL(str(lowest))[LEVEL]()
        paths = paths[:max(0, level - LOWEST_X86 + 1)]
    for path in reversed(paths):
        if path.is_file():
            return ctypes.CDLL(str(path))
    raise OSError("no library")


def find(symbol: str) -> Optional[Entry]:
    """The entry point of this machine code, None if the package does not have it."""
    package = _state()[0]
    if package is None or symbol not in package.results:
        return None
    return Entry(package.library[f"{symbol}-entry"], package.results[symbol])


def has(symbol: str) -> bool:
    """Does the package have this machine code?"""
    package = _state()[0]
    return package is not None and symbol in package.results


def complaint() -> Optional[str]:
    """The reason why the installed package is not used, None if it is used or not installed."""
    return _state()[1]
