"""Reading and writing files; writes are atomic."""

import errno
import os
import stat
import sys
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping, Optional, Union

POLL_SECONDS = 0.02  # seconds between two checks of a file
LONGEST_FILE_BYTES = 4096  # bytes that `read_file` reads
LONGEST_TOML_BYTES = 1 << 22
OPEN_FILES = (("dev",), ("proc",))  # folders with names of open files, such as /dev/stdout


def user_folder() -> Path:
    """Return the folder for the user's files; create it if it is missing.

    Raises OSError if the user has no home, or if the folder is not writable.
    """
    from platformdirs import user_data_path  # slow: it looks up the home
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
    """Return the message of the system with the name of the file."""
    message = error.strerror or str(error)
    return f"{error.filename}: {message}" if error.filename else message


def write_file(path: Path, data: Union[str, bytes, Iterable[str]], sync: bool = False,
               private: bool = False) -> None:
    """Replace a file atomically.

    data     bytes, or text in one or more parts, written as UTF-8
    sync     flush to the disk, so that the file survives a power failure
    private  only the owner can read the file

    Raises OSError; the old file is then unchanged.
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
    """Write to a path from the user.

    Follows links.  Appends to special files, and to open ones such as /dev/stdout.  Raises
    OSError.
    """
    if path.exists() and not path.is_file() or path.absolute().parts[1:2] in OPEN_FILES:
        with path.open("ab") as file:
            file.write(data.encode() if isinstance(data, str) else data)
    else:
        write_file(path.resolve(), data)


def write_files(folder: Path, contents: Mapping[str, Union[str, bytes]]) -> None:
    """Write files into a folder, each atomically, by name; create the folder.  Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in contents.items():
        write_file(folder / name, data)


def finished_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of an append-only file without line ends; none if the file is missing.

    Removes an incomplete last line from the file.  Raises OSError.
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
    """Return the first LONGEST_FILE_BYTES of a file; None if it is missing or not a regular file.
    """
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
    """Return the content of a file.

    Raises OSError, and ValueError if the file is longer than `most` bytes.
    """
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"the file is longer than {most} bytes")
    return data


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file.  Raises ValueError and OSError."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(read_at_most(path, LONGEST_TOML_BYTES).decode())
    except RecursionError:
        raise ValueError(f"{path}: too many nested brackets") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def changed(path: Path) -> int:
    """Return the time of the last change of a file, in ns; 0 if the file is missing."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def remove_file(path: Path) -> None:
    """Delete a file, if it exists."""
    try:
        path.unlink()
    except OSError:
        pass
