"""Files: written whole, so that no reader sees a part of one; read as far as they are there."""

import errno
import os
import stat
import sys
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping, Optional, Union

POLL_SECONDS = 0.02  # seconds between two looks at a file
LONGEST_FILE_BYTES = 4096  # bytes of a file that are read
LONGEST_TOML_BYTES = 1 << 22
OPEN_FILES = (("dev",), ("proc",))  # the folders that name files which are open already


def user_folder() -> Path:
    """The folder for the files of the user; it is created.

    Raises OSError if there is none, as where a user has no home, or if it cannot be written to.
    """
    from platformdirs import user_data_path  # it looks the home up
    try:
        path = Path(user_data_path("gtp_engine", appauthor=False))
    except RuntimeError:
        raise OSError("this user has no home") from None
    if not path.is_absolute():
        raise OSError("this user has no home")
    path.mkdir(parents=True, exist_ok=True)
    if not os.access(path, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return path


def reason_of(error: OSError) -> str:
    """What the system says, and of which file."""
    what = error.strerror or str(error)
    return f"{error.filename}: {what}" if error.filename else what


def write_file(path: Path, data: Union[str, bytes, Iterable[str]], sync: bool = False,
               private: bool = False) -> None:
    """Write a file so that no reader sees a part of it, text, in one or more parts, as UTF-8.

    Whatever has stood there is replaced.  With `sync` the file is there even if the power fails
    now; a `private` one only its owner can read.  Raises OSError; nothing has changed then.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(part, "wb", opener=_open_private if private else None) as file:
            for text in [data] if isinstance(data, (str, bytes)) else data:
                file.write(text.encode("utf-8", "replace") if isinstance(text, str) else text)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        remove_file(part)
        raise


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def write_named_file(path: Path, data: Union[str, bytes]) -> None:
    """Write a file that a user has named.

    A link is followed.  A file that is not plain, or an open one such as /dev/stdout, is written
    into.  Raises OSError.
    """
    if path.exists() and not path.is_file() or path.absolute().parts[1:2] in OPEN_FILES:
        with path.open("ab") as file:
            file.write(data.encode() if isinstance(data, str) else data)
    else:
        write_file(path.resolve(), data)


def write_files(folder: Path, contents: Mapping[str, Union[str, bytes]]) -> None:
    """Write files into a folder, by their names, each of them whole; the folder is made.

    Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in contents.items():
        write_file(folder / name, data)


def finished_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file that is only appended to, without their ends; none if it is not there.

    An unfinished line after the last of them is cut off.  Raises OSError.
    """
    if not path.exists():
        return
    with path.open("r+b") as file:
        whole = 0
        for line in file:
            if not line.endswith(b"\n"):
                file.truncate(whole)
                return
            whole += len(line)
            yield line[:-1]


def read_file(path: Path) -> Optional[str]:
    """The first LONGEST_FILE_BYTES of a file; None if it is missing or not plain."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        return os.read(handle, LONGEST_FILE_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    finally:
        os.close(handle)


def read_at_most(path: Path, most: int) -> bytes:
    """All that is in a file.  Raises OSError, and ValueError if it is longer than `most` bytes."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"the file is longer than {most} bytes")
    return data


def read_toml(path: Path) -> dict[str, Any]:
    """What a TOML file says.  Raises ValueError and OSError."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(read_at_most(path, LONGEST_TOML_BYTES).decode())
    except RecursionError:
        raise ValueError(f"{path}: too many brackets in each other") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def changed(path: Path) -> int:
    """When a file was last changed, 0 if it is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def remove_file(path: Path) -> None:
    """Delete a file, if it is still there."""
    try:
        path.unlink()
    except OSError:
        pass
