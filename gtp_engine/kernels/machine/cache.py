"""Where machine code is kept: an object file for each kernel and the types of its arguments.

They lie in the user's cache folder, in a directory named after everything that they depend on: not
on the place of the sources nor on the release of Python, so that all copies of one version share
them.  Since they are executed, nobody else may write there.
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

from . import companion

VERSIONS_KEPT = 4  # so many versions stay in the cache, for those who compare versions
OWN_FOLDERS = 2  # folders above that of a version: gtp_engine, kernels
FREE_BYTES = 1 << 20  # bytes that must be free in the folder


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


class Wanted(NamedTuple):
    """What the compiler is asked for.

    symbol   the name of the machine code
    module, name   where the kernel is found
    kinds    of its arguments: int, numpy.uint64, (dtype, dimensions) or (class, *kinds) each
    """

    symbol: str
    module: str
    name: str
    kinds: tuple


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


@functools.cache
def _native_key() -> str:
    # Of the sources, of Numba with its settings, and of the processor.
    from llvmlite import binding
    features = binding.get_host_cpu_features().flatten()
    return hashlib.sha256(
        f"{companion.source_key()} {version('numba')} {binding.get_process_triple()} "
        f"{binding.get_host_cpu_name()} {features} {companion.numba_settings()}".encode()
    ).hexdigest()[:16]


def folder() -> Path:
    """Where the user's machine code is kept; it need not be there.

    Raises OSError if nowhere, or if others than the user could put machine code there.
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
    # Raises OSError unless the folders of ours that are there are the user's alone, and nobody can
    # put others in their place.
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


def _made_folder() -> Optional[Path]:
    # The same, with room for more; None, and a warning, if there is none.
    try:
        path = folder()
        for place in (*reversed(path.parents), path):
            place.mkdir(mode=0o700, exist_ok=True)
        path = folder()  # again: somebody else may have made it first
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
    # This version is the one that was used last.
    try:
        os.utime(folder())
    except OSError:
        pass


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
    for old in sorted(ages, key=ages.__getitem__, reverse=True)[VERSIONS_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


# --- what is there ------------------------------------------------------------------------------


_found: dict[str, Code] = {}  # what this process has compiled or read


def find(symbol: str) -> Code:
    """The machine code of that name.  Raises FileNotFoundError if there is none."""
    if symbol not in _found:
        _found[symbol] = _read(symbol)
    return _found[symbol]


def _read(symbol: str) -> Code:
    for place in _folders():
        code = _read_file(place / symbol)
        if code:
            return code
    raise FileNotFoundError(symbol)


def _read_file(path: Path) -> Optional[Code]:
    try:
        code = unpack(path.read_bytes())
    except OSError:
        return None
    return code if code and code.symbol == path.name else None


def is_sound(path: Path) -> bool:
    """Does this file hold the machine code that it is named after?"""
    return _read_file(path) is not None


def _folders() -> Iterator[Path]:
    try:
        yield folder()
    except OSError:
        pass
    yield from companion.folders()


def is_kept(symbol: str) -> bool:
    """Will the next process find the machine code of that name?"""
    return any(is_sound(place / symbol) for place in _folders())


def is_there(symbol: str) -> bool:
    """Is there machine code of that name, and of all that it calls?"""
    try:
        return all(map(is_there, find(symbol).needs))
    except FileNotFoundError:
        return False


# --- the compiler -------------------------------------------------------------------------------


def provide(wanted: Sequence[Wanted],
            report: Callable[[str], object] = lambda symbol: None) -> None:
    """Afterwards there is machine code for all of these; `report` gets the names of what is made.

    One process at a time compiles for a folder; the others find what it has made.  What cannot be
    kept is there as long as this process.
    """
    _touch()
    missing = [each for each in wanted if not is_there(each.symbol)]
    if not missing:
        return
    names = list(dict.fromkeys(each.name for each in missing))
    log, more = logging.getLogger(__name__), len(names) - 1
    path = _made_folder()
    if companion.complaint():
        log.warning(companion.complaint())
    log.warning("compiling %s%s, once for this version; this takes some seconds",
                names[0], f" and {more} more" if more else "")
    with _turn(path):
        missing = [each for each in missing if not is_there(each.symbol)]
        for code in compiled(missing, path):
            _found[code.symbol] = code
            path = path and _keep(code, path)
            report(code.symbol)


def _turn(path: Optional[Path]) -> ContextManager:
    if path is None:
        return nullcontext()
    from filelock import FileLock
    return FileLock(path / "lock")


def _keep(code: Code, path: Path) -> Optional[Path]:
    # Write the file, so that nobody sees a part of it; where the next one may be written.
    temporary = path / f"{code.symbol}.{os.getpid()}"
    try:
        temporary.write_bytes(pack(code))
        temporary.replace(path / code.symbol)
    except OSError as error:
        _warn(error)
        return None
    return path


def compiled(wanted: Sequence[Wanted], known: Optional[Path] = None,
             settings: Optional[dict[str, str]] = None) -> Iterator[Code]:
    """The machine code for all of these and for what they call, each as soon as it is made.

    What lies in the folder `known` is left out.  `settings` are variables of the environment for
    Numba.  Raises ImportError if Numba cannot be used, RuntimeError if the compiler fails.  It runs
    in a process of its own, which takes no time from a game and ends with this one.
    """
    if not wanted:
        return
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))}
    # In the folder of these sources: that of the user may hold others of the same name.
    with subprocess.Popen([sys.executable, "-m", f"{__package__}.start_compiler", str(known or "")],
                          cwd=Path(__file__).resolve().parents[3],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          env=environment | (settings or {}), start_new_session=True) as process:
        assert process.stdin and process.stdout
        pickle.dump(list(wanted), process.stdin)
        process.stdin.flush()
        while True:
            try:
                made = pickle.load(process.stdout)
            except EOFError:
                break
            if not isinstance(made, Code):
                text, name = made
                raise ModuleNotFoundError(text, name=name) if name else ImportError(text)
            yield made
    if process.returncode:
        raise RuntimeError("the compiler failed")
