"""The cache of machine code: an object file for each kernel and the types of its arguments.

The files lie in the user's cache folder, in a directory named after a hash of all that they depend
on.  They depend neither on the place of the sources nor on the release of Python, so all copies of
one version share them.  Since they are executed, no other user may write there.
"""

import functools
import hashlib
import json
import logging
import os
import pickle
import shutil
import stat
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Callable, ContextManager, Iterator, NamedTuple, Optional, Sequence

from . import prebuilt

MOST_VERSIONS = 4  # versions in the cache, for comparisons of versions
OWN_FOLDERS = 2  # folders above the folder of a version: gtp_engine, kernels
FREE_BYTES = 1 << 20  # bytes that must be free in the folder


class Code(NamedTuple):
    """The machine code of a kernel.

    symbol       names the kernel and its types; the entry point for other kernels
    entry        the entry point for Python; takes two pointers to int64, arguments and results
    results      the type of each result
    needs        symbols of the kernels that it calls
    object_file  the object file that LLVM wrote
    target       the index of its target, if the compiler has got targets
    """

    symbol: str
    entry: str
    results: list[str]
    needs: list[str]
    object_file: bytes
    target: int = 0


class Request(NamedTuple):
    """A request to the compiler.

    symbol   the name of the machine code
    module, name   the module and the name of the kernel
    kinds    the kind of each argument: int, numpy.uint64, (dtype, dimensions) or (class, *kinds)
    """

    symbol: str
    module: str
    name: str
    kinds: tuple


class Target(NamedTuple):
    """Processors of a shared library, by LLVM's names."""

    triple: str
    processor: str
    features: str


def pack(code: Code) -> bytes:
    """The content of the cache file: a line of JSON, then the object file."""
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


# --- folders ------------------------------------------------------------------------------------


@functools.cache
def _native_key() -> str:
    # A hash of the sources, of Numba with its settings, and of the processor.
    from llvmlite import binding  # raises if the compiler is not installed
    features = binding.get_host_cpu_features().flatten()
    return hashlib.sha256(
        f"{prebuilt.source_key()} {version('numba')} {binding.get_process_triple()} "
        f"{binding.get_host_cpu_name()} {features} {prebuilt.numba_settings()}".encode()
    ).hexdigest()[:16]


def folder() -> Path:
    """The folder of the user's machine code, which need not exist.

    Raises OSError if there is no such folder, or if another user could write to it.
    """
    from platformdirs import user_cache_path
    try:
        path = user_cache_path("gtp_engine", appauthor=False) / "kernels"
    except RuntimeError as error:
        raise OSError("this user has no home") from error
    if not path.is_absolute():
        raise OSError("this user has no home")
    path /= _native_key()
    if hasattr(os, "geteuid"):  # Windows keeps the profiles of its users apart
        _check(path)
    return path


def _check(path: Path) -> None:
    # Raises OSError unless the existing folders belong to the user alone, and no other user can
    # replace them.
    for place in (path, *path.parents):
        try:
            link, found = place.lstat(), place.stat()
        except FileNotFoundError:
            continue
        shared = 0 if found.st_mode & stat.S_ISVTX else stat.S_IWOTH
        if place in (path, *path.parents[:OWN_FOLDERS]):
            if {link.st_uid, found.st_uid} != {os.geteuid()}:
                raise OSError(f"{place} belongs to another user")
            shared = stat.S_IWGRP | stat.S_IWOTH
        if found.st_mode & shared:
            raise OSError(f"other users may write to {place}")


def _writable_folder() -> Optional[Path]:
    # Create the folder and check that it has room; None, and a warning, if that fails.
    try:
        path = folder()
        for place in (*reversed(path.parents), path):
            place.mkdir(mode=0o700, exist_ok=True)
        path = folder()  # again: another user may have created it first
        with tempfile.TemporaryFile(dir=path) as file:
            file.write(bytes(FREE_BYTES))
    except OSError as error:
        _warn(error)
        return None
    _remove_old(path.parent)
    return path


def _warn(error: OSError) -> None:
    what = error.strerror or str(error)
    logging.getLogger(__name__).warning(
        "compiled code cannot be kept: %s", f"{error.filename}: {what}" if error.filename else what)


def _touch() -> None:
    # Mark this version as the last one used.
    try:
        os.utime(folder())
    except OSError:
        pass


def _remove_old(path: Path) -> None:
    # Remove all versions but the last ones used; other processes may do so at the same time.
    ages = {}
    try:
        for entry in os.scandir(path):
            try:
                ages[entry.path] = entry.stat().st_mtime
            except OSError:
                pass
    except OSError:
        return
    for old in sorted(ages, key=ages.__getitem__, reverse=True)[MOST_VERSIONS:]:
        shutil.rmtree(old, ignore_errors=True)


# --- stored code --------------------------------------------------------------------------------


_codes: dict[str, Code] = {}  # compiled or read by this process


def find(symbol: str) -> Code:
    """The machine code of that name.  Raises FileNotFoundError if there is none."""
    if symbol not in _codes:
        _codes[symbol] = _read(symbol)
    return _codes[symbol]


def _read(symbol: str) -> Code:
    try:
        code = _read_file(folder() / symbol)
    except OSError:
        code = None
    if code is None:
        raise FileNotFoundError(symbol)
    return code


def _read_file(path: Path) -> Optional[Code]:
    try:
        code = unpack(path.read_bytes())
    except OSError:
        return None
    return code if code and code.symbol == path.name else None


def is_sound(path: Path) -> bool:
    """Does this file hold the machine code that it is named after?"""
    return _read_file(path) is not None


def is_stored(symbol: str) -> bool:
    """Is the machine code of that name in a file, for the next process?"""
    try:
        return prebuilt.has(symbol) or is_sound(folder() / symbol)
    except OSError:
        return False


def is_available(symbol: str) -> bool:
    """Is there machine code of that name, and of all kernels that it calls?"""
    try:
        return all(map(is_available, find(symbol).needs))
    except FileNotFoundError:
        return False


# --- the compiler -------------------------------------------------------------------------------


def provide(requests: Sequence[Request],
            report: Callable[[str], object] = lambda symbol: None) -> None:
    """Compile the missing machine code of these requests; `report` gets the symbol of each.

    One process at a time compiles for a folder; the other processes then read its results.  Code
    that cannot be stored lasts as long as this process.
    """
    requests = [each for each in requests if not prebuilt.has(each.symbol)]
    if not requests:
        return
    try:
        _touch()
    except ModuleNotFoundError as error:
        if error.name not in ("llvmlite", "numba"):
            raise
        if prebuilt.complaint():
            logging.getLogger(__name__).warning(prebuilt.complaint())
        raise ModuleNotFoundError(
            f"{requests[0].name} needs the compiler, which is not installed: python -m pip install "
            "'gtp_engine[compile]' installs it", name="numba") from error
    missing = [each for each in requests if not is_available(each.symbol)]
    if not missing:
        return
    names = list(dict.fromkeys(each.name for each in missing))
    log, more = logging.getLogger(__name__), len(names) - 1
    path = _writable_folder()
    if prebuilt.complaint():
        log.warning(prebuilt.complaint())
    log.warning("compiling %s%s, once for this version; this takes some seconds",
                names[0], f" and {more} more" if more else "")
    with _turn(path):
        missing = [each for each in missing if not is_available(each.symbol)]
        for code in compiled(missing, path):
            _codes[code.symbol] = code
            path = path and _store(code, path)
            report(code.symbol)


def _turn(path: Optional[Path]) -> ContextManager:
    if path is None:
        return nullcontext()
    from filelock import FileLock
    return FileLock(path / "lock")


def _store(code: Code, path: Path) -> Optional[Path]:
    # Write the file atomically; returns the folder for the next file, None if writing fails.
    temporary = path / f"{code.symbol}.{os.getpid()}"
    try:
        temporary.write_bytes(pack(code))
        temporary.replace(path / code.symbol)
    except OSError as error:
        _warn(error)
        return None
    return path


def compiled(requests: Sequence[Request], existing: Optional[Path] = None,
             targets: Sequence[Target] = ()) -> Iterator[Code]:
    """Compile these requests and the kernels that they call; yields each code as it is finished.

    Code in the folder `existing` is left out.  With `targets`, yields code for shared libraries,
    once for each target; without, code for this processor and process.

    The compiler runs in a process of its own, which takes no time from a game and ends with this
    one.  Raises ImportError if Numba cannot be used, RuntimeError if the compiler fails.
    """
    if not requests:
        return
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))}
    # Run in the folder of these sources: the current one may contain modules of the same names.
    with subprocess.Popen([sys.executable, "-m", f"{__package__}.start_compiler",
                           str(existing or "")],
                          cwd=Path(__file__).resolve().parents[3],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          env=environment, start_new_session=True) as process:
        assert process.stdin and process.stdout
        pickle.dump((list(requests), list(targets)), process.stdin)
        process.stdin.flush()
        while True:
            try:
                result = pickle.load(process.stdout)
            except EOFError:
                break
            if not isinstance(result, Code):
                text, name = result
                raise ModuleNotFoundError(text, name=name) if name else ImportError(text)
            yield result
    if process.returncode:
        raise RuntimeError("the compiler failed")
