"""Installed machine code: the package gtp_engine_kernels.

It depends on the sources of the kernels and on the level of the processor, not on the releases of
Python and Numba.  `python -m gtp_engine build-kernels` builds it.
"""

import functools
import hashlib
import os
import platform
from importlib.util import find_spec
from pathlib import Path
from typing import Optional

PACKAGE = "gtp_engine_kernels"
KEY_FILE = "sources"  # contains the key of the sources

# Features that each level requires, the best level first, by LLVM's names (x86-64 psABI, 3.1).
_V2 = {"cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"}
_V3 = _V2 | {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}
_V4 = _V3 | {"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"}
LEVELS = {
    "x86_64": {"x86-64-v4": _V4, "x86-64-v3": _V3, "x86-64-v2": _V2},
    "arm64": {"generic": {"neon"}},
}


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


def folder_of(system: str, level: str) -> str:
    """The folder, in the package, of code for a system and a level of processors."""
    return f"{system.lower()}-{level}"


@functools.cache
def _state() -> tuple[tuple[Path, ...], Optional[str]]:
    # The folders of machine code, and a complaint if the package is not usable.
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None or numba_settings():
        return (), None
    package = Path(spec.origin).parent
    try:
        key = (package / KEY_FILE).read_text().strip()
    except OSError:
        key = ""
    if key != source_key():
        return (), f"{PACKAGE} belongs to another version of the kernels and is not used"
    for level in levels_of_host():
        folder = package / folder_of(platform.system(), level)
        if folder.is_dir():
            return (folder,), None
    return (), f"{PACKAGE} has nothing for this system and processor and is not used"


def levels_of_host() -> list[str]:
    """The levels whose code runs on this processor, the best one first."""
    from llvmlite import binding
    features = {name for name, has in binding.get_host_cpu_features().items() if has}
    return [level for level, needed in LEVELS.get(architecture(), {}).items()
            if needed <= features]


def folders() -> tuple[Path, ...]:
    """The folder with code for this processor, if there is one."""
    return _state()[0]


def complaint() -> Optional[str]:
    """The reason why the installed package is not used, None if it is used or not installed."""
    return _state()[1]
