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
from typing import Callable, NamedTuple, Optional, Sequence

from . import companion
from .native import Wanted

KEPT = 4  # so many versions stay in the cache, for those who compare versions
ROOM = 1 << 20  # bytes that must be free in the folder
MADE = "made "  # begins a line in which the compiler names a file


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


@functools.cache
def _native_key() -> str:
    # Of the sources, of Numba with its settings, and of the processor.
    from llvmlite import binding
    features = binding.get_host_cpu_features().flatten()
    return hashlib.sha256(
        f"{companion.source_key()} {version('numba')} {binding.get_process_triple()} "
        f"{binding.get_host_cpu_name()} {features} {companion.numba_settings()}".encode()
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
def find(symbol: str) -> Code:
    """The machine code of that name.  Raises FileNotFoundError if there is none."""
    for place in (folder(), *companion.folders()):
        try:
            code = unpack((place / symbol).read_bytes())
        except OSError:
            continue
        if code and code.symbol == symbol:
            return code
    raise FileNotFoundError(symbol)


def is_there(symbol: str) -> bool:
    """Is there machine code of that name, and of all that it calls?"""
    try:
        return all(map(is_there, find(symbol).needs))
    except FileNotFoundError:
        return False


# --- the compiler -------------------------------------------------------------------------------


def provide(wanted: Sequence[Wanted],
            report: Callable[[str], object] = lambda symbol: None) -> None:
    """Afterwards there is machine code for all of these; see `compile_into`.

    One process at a time compiles for a folder; the others find what it has made.
    """
    missing = [each for each in wanted if not is_there(each.symbol)]
    if not missing:
        return
    names = list(dict.fromkeys(each.kernel.__name__ for each in missing))
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    log = logging.getLogger(__name__)
    if companion.complaint():
        log.warning(companion.complaint())
    log.warning("compiling %s%s, once for this version; this takes some seconds", names[0], more)
    from filelock import FileLock
    path = _writable_folder()
    with FileLock(path / "lock"):
        missing = [each for each in missing if not is_there(each.symbol)]
        if missing:
            compile_into(path, missing, report=report)


def compile_into(path: Path, wanted: Sequence[Wanted], settings: Optional[dict[str, str]] = None,
                 report: Callable[[str], object] = lambda symbol: None) -> None:
    """Put machine code for all of these, and for what they call, into a folder.

    `settings` are variables of the environment for Numba; `report` gets the name of each file when
    it is there.  Raises RuntimeError if the compiler fails.  It runs in a process of its own, which
    takes no time from a game and ends with this one.
    """
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen([sys.executable, "-m", f"{__package__}.compiler", str(path)],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment | (settings or {}), start_new_session=True) as process:
        assert process.stdin and process.stdout
        pickle.dump([(each.kernel.__module__, each.kernel.__name__, each.kinds)
                     for each in wanted], process.stdin)
        process.stdin.flush()
        said = []
        for line in process.stdout:
            text = line.decode(errors="replace").rstrip()
            if text.startswith(MADE):
                report(text.removeprefix(MADE))
            else:
                said.append(text)
    if process.returncode:
        raise RuntimeError("\n".join(["the compiler failed:", *said]))
