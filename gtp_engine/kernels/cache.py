"""Where machine code is kept: an object file for each kernel and the types of its arguments.

They lie in the user's cache folder, in a directory named after everything that they depend on: not
on the place of the sources nor on the release of Python, so that all copies of one version share
them.
"""

import atexit
import functools
import hashlib
import json
import logging
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple, Optional, Sequence

from .native import Kernel, signature_of

KEPT = 4  # so many versions stay in the cache, for those who compare versions
ROOM = 1 << 20  # bytes that must be free in the folder


class Code(NamedTuple):
    """The machine code of a kernel.

    symbol       names the kernel and its types; where other kernels enter it
    entry        where Python enters it, with two pointers to int64: arguments and results
    results      the type of each result
    needs        symbols of the kernels that it calls
    object_file  as LLVM has made it
    """

    symbol: str
    entry: str
    results: list[str]
    needs: list[str]
    object_file: bytes


def pack(code: Code) -> bytes:
    """The content of the file where it is kept: a line of JSON, then the object file."""
    head = code._asdict() | {"object_file": hashlib.sha256(code.object_file).hexdigest()}
    return json.dumps(head).encode() + b"\n" + code.object_file


def unpack(content: bytes) -> Optional[Code]:
    """The inverse of `pack`; None if the file is damaged."""
    head, _, object_file = content.partition(b"\n")
    try:
        fields = json.loads(head)
        if fields.pop("object_file") != hashlib.sha256(object_file).hexdigest():
            return None
        return Code(**fields, object_file=object_file)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


# --- where --------------------------------------------------------------------------------------


def source_key() -> str:
    """Of all sources of kernels, at all levels of folders."""
    key, folder = hashlib.sha256(), Path(__file__).parent
    for source in sorted(folder.rglob("*.py")):
        key.update(source.relative_to(folder).as_posix().encode() + b"\0" + source.read_bytes())
    return key.hexdigest()[:16]


def _native_key() -> str:
    # Of the sources, of Numba with its settings, and of the processor.
    from llvmlite import binding
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    features = binding.get_host_cpu_features().flatten()
    return hashlib.sha256(f"{source_key()} {version('numba')} {binding.get_process_triple()} "
                          f"{binding.get_host_cpu_name()} {features} {settings}".encode()
                          ).hexdigest()[:16]


class _Place:
    folder: Optional[Path] = None  # where machine code is kept, once that is known
    is_writable = False


def folder() -> Path:
    """Where machine code is looked for first; it need not be there."""
    if _Place.folder is None:
        from platformdirs import user_cache_path
        try:
            path = user_cache_path("gtp_engine", appauthor=False) / "kernels"
            if not path.is_absolute():
                raise OSError("the user has no home")
        except (OSError, RuntimeError) as error:  # RuntimeError: there is no such user
            return _temporary_folder(error)
        _Place.folder = path / _native_key()
    return _Place.folder


def _writable_folder() -> Path:
    # The same, after it was made; or a temporary one.
    path = folder()
    if not _Place.is_writable:
        try:
            path.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=path) as file:
                file.write(bytes(ROOM))
        except OSError as error:
            return _temporary_folder(error)
        _Place.is_writable = True
        _remove_old(path.parent)
    return path


def _temporary_folder(error: Exception) -> Path:
    text = getattr(error, "strerror", None) or str(error)
    logging.getLogger(__name__).warning("compiled code cannot be kept: %s", text)
    _Place.folder = Path(tempfile.mkdtemp(prefix="gtp_engine-"))
    _Place.is_writable = True
    atexit.register(shutil.rmtree, _Place.folder, ignore_errors=True)
    return _Place.folder


def _remove_old(path: Path) -> None:
    # All versions but those used last; other processes may be doing the same.
    ages = {}
    try:
        for entry in os.scandir(path):
            try:
                ages[entry.path] = entry.stat().st_mtime
            except OSError:
                pass
    except OSError:
        return
    for old in sorted(ages, key=ages.__getitem__, reverse=True)[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


# --- what is there ------------------------------------------------------------------------------


@functools.cache
def _found(symbol: str) -> Code:
    for place in (folder(),):
        try:
            code = unpack((place / symbol).read_bytes())
        except OSError:
            continue
        if code and code.symbol == symbol:
            return code
    raise FileNotFoundError(symbol)


def find(symbol: str) -> Code:
    """The machine code of that name.  Raises FileNotFoundError if there is none."""
    return _found(symbol)


def is_there(symbol: str) -> bool:
    """Is there machine code of that name, and of all that it calls?"""
    try:
        return all(map(is_there, set(find(symbol).needs) - {symbol}))
    except FileNotFoundError:
        return False


# --- the compiler -------------------------------------------------------------------------------


def provide(wanted: Sequence[tuple[Kernel, tuple]]) -> None:
    """Afterwards there is machine code for these kernels with arguments of these kinds.

    One process at a time compiles for a folder; the others find what it has made.
    """
    from filelock import FileLock
    missing = _missing(wanted)
    if not missing:
        return
    names = ", ".join(dict.fromkeys(kernel.__name__ for kernel, _ in missing))
    logging.getLogger(__name__).warning(
        "compiling %s, once for this version; this takes some seconds", names)
    path = _writable_folder()
    with FileLock(path / "lock"):
        missing = _missing(wanted)
        if missing:
            _compile(missing, path)
    for kernel, kinds in missing:
        if not is_there(kernel.symbol(signature_of(kinds))):
            raise RuntimeError(f"no machine code was made for {kernel.__name__}")


def _missing(wanted: Sequence[tuple[Kernel, tuple]]) -> list[tuple[Kernel, tuple]]:
    return [(kernel, kinds) for kernel, kinds in wanted
            if not is_there(kernel.symbol(signature_of(kinds)))]


def _compile(wanted: list[tuple[Kernel, tuple]], path: Path) -> None:
    # In a process of its own, which Numba's patches stay in and which takes no time from a game.
    request = pickle.dumps([(kernel.__module__, kernel.__name__, kinds) for kernel, kinds in wanted])
    done = subprocess.run(
        [sys.executable, "-m", f"{__package__}.compiler", str(path)], input=request,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))})
    if done.returncode:
        raise RuntimeError(f"the compiler failed:\n{done.stderr.decode(errors='replace')}")
