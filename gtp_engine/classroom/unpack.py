"""Safe unpacking of submissions: archives and folders that may be malicious."""

import bz2
import errno
import gzip
import io
import lzma
import os
import shutil
import stat
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import IO, Any, Callable, Iterator, Sequence

from ..command_line.terminal import harmless

LARGEST_ARCHIVE = 64 << 20  # bytes
MOST_BYTES = 200 << 20  # of the unpacked files
MOST_FILES, DEEPEST, NESTED = 5000, 20, 3
OVERHEAD = 2  # limit for bytes read from an archive, as a multiple of MOST_BYTES
CHUNK = 1 << 16
JUNK = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
COMPRESSED: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
MOST_NOTES = 20
# Errors caused by names in an archive, or by invalid offsets in a damaged one.
BAD_NAMES = (errno.EEXIST, errno.EILSEQ, errno.EINVAL, errno.EISDIR, errno.ELOOP,
             errno.ENAMETOOLONG, errno.ENOTDIR)


class BadSubmission(Exception):
    """The submission cannot be unpacked; the message has the reason."""


class Bounded(io.RawIOBase):
    """A stream that raises BadSubmission after OVERHEAD * MOST_BYTES bytes."""

    def __init__(self, stream: IO[bytes]):
        self._stream, self._left = stream, OVERHEAD * MOST_BYTES

    def read(self, size: int = -1) -> bytes:
        """Read the next bytes."""
        data = self._stream.read(min(CHUNK, size) if size >= 0 else CHUNK)
        self._left -= len(data)
        if self._left < 0:
            raise BadSubmission(f"more than {OVERHEAD * MOST_BYTES >> 20} MB when unpacked")
        return data


class Unpacking:
    """Writer of files into a folder, with limits for their number and size.

    notes  the skipped files, each with the reason
    """

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._files, self._bytes = 0, 0

    def leave_out(self, name: str, reason: str) -> None:
        """Record that a file is not unpacked."""
        if len(self.notes) < MOST_NOTES:
            self.notes.append(harmless(f"left out {name[:200]}: {reason}"))

    def add(self, source: Path, target: Path) -> None:
        """Unpack an archive, or copy a folder, into the new folder `target`.

        Skips links, devices and paths that lead outside.  Raises BadSubmission, and OSError for
        faults of the system: the archive cannot be read, the disk is full.
        """
        target.mkdir(parents=True)
        try:
            if source.is_symlink():
                raise BadSubmission("a link")
            if source.is_dir():
                self._folder(source, target, 1)
            elif source.stat().st_size > LARGEST_ARCHIVE:
                raise BadSubmission(f"an archive of more than {LARGEST_ARCHIVE >> 20} MB")
            elif zipfile.is_zipfile(source):
                self._zip(source, target)
            else:
                self._tar(source, target)
        except (OSError, EOFError, RuntimeError, NotImplementedError, ValueError, zlib.error,
                lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, MemoryError) as error:
            if isinstance(error, OSError) and error.errno not in (None, *BAD_NAMES):
                raise
            raise BadSubmission(f"cannot be unpacked: {error or type(error).__name__}") from None

    def _folder(self, source: Path, target: Path, depth: int) -> None:
        for entry in sorted(os.scandir(source), key=lambda entry: entry.name):
            if entry.is_dir(follow_symlinks=False):
                self._count(depth)
                (target / entry.name).mkdir()
                self._folder(Path(entry.path), target / entry.name, depth + 1)
            elif entry.is_file(follow_symlinks=False):
                with open(entry.path, "rb") as stream:
                    self._file(target, entry.name, depth, stream, entry.stat().st_mode)
            else:
                self.leave_out(entry.name, "neither a file nor a folder")

    def _zip(self, source: Path, target: Path) -> None:
        with zipfile.ZipFile(source) as archive:
            for member in archive.infolist():
                mode = member.external_attr >> 16
                if stat.S_ISLNK(mode):
                    self._count()
                    self.leave_out(member.filename, "a link")
                elif member.is_dir():
                    self._count()
                else:
                    with archive.open(member) as stream:
                        self._member(target, member.filename, stream, mode)

    def _tar(self, source: Path, target: Path) -> None:
        with source.open("rb") as file:
            head = file.read(6)
            file.seek(0)
            opened = next((open_ for magic, open_ in COMPRESSED.items()
                           if head.startswith(magic)), None)
            stream = opened(file) if opened else file
            with tarfile.open(fileobj=Bounded(stream), mode="r|") as archive:
                for member in archive:
                    if member.isfile():
                        content = archive.extractfile(member)
                        assert content is not None
                        self._member(target, member.name, content, member.mode)
                    else:
                        self._count()
                        if not member.isdir():
                            self.leave_out(member.name, "neither a file nor a folder")
                    archive.members = []  # type: ignore[attr-defined]  # saves memory

    def _member(self, target: Path, name: str, stream: IO[bytes], mode: int) -> None:
        path = PurePosixPath(name.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name:
            self.leave_out(name, "its path leads outside")
            return
        self._file(target, str(path), len(path.parts), stream, mode)

    def _count(self, depth: int = 1) -> None:
        self._files += 1
        if self._files > MOST_FILES:
            raise BadSubmission(f"more than {MOST_FILES} files")
        if depth > DEEPEST:
            raise BadSubmission(f"folders deeper than {DEEPEST}")

    def _file(self, target: Path, name: str, depth: int, stream: IO[bytes], mode: int) -> None:
        self._count(depth)
        path = target / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise IsADirectoryError("a folder has the same name")
            file = path.open("wb")
        except OSError as error:
            if error.errno not in (None, *BAD_NAMES):
                raise
            self.leave_out(name, error.strerror or str(error))
            return
        with file:
            while data := stream.read(CHUNK):
                self._bytes += len(data)
                if self._bytes > MOST_BYTES:
                    raise BadSubmission(f"more than {MOST_BYTES >> 20} MB when unpacked")
                file.write(data)
        path.chmod(0o755 if mode & stat.S_IXUSR else 0o644)


def unpack(source: Path, folder: Path, wanted: Sequence[str]) -> tuple[Path, list[str]]:
    """Unpack a submission; return the folder of the wanted files, and notes on skipped files.

    Also unpacks nested archives.  If no folder has the wanted files, returns the innermost folder
    that stands alone.  Raises BadSubmission and OSError.
    """
    shutil.rmtree(folder, ignore_errors=True)
    unpacking = Unpacking()
    here = folder / "0"
    unpacking.add(source, here)
    for number in range(1, NESTED + 1):
        place = next((each for each in _folders(here)
                      if wanted and all((each / name).is_file() for name in wanted)), None)
        if place:
            return place, unpacking.notes
        here = _innermost(here)
        inner = [path for path in _contents(here) if path.is_file() and _is_archive(path)]
        if len(inner) != 1:
            break
        unpacking.add(inner[0], folder / str(number))
        here = folder / str(number)
    return here, unpacking.notes


def _contents(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.iterdir())
            if path.name not in JUNK and not path.name.startswith("._")]


def _innermost(folder: Path) -> Path:
    while len(inside := _contents(folder)) == 1 and inside[0].is_dir():
        folder = inside[0]
    return folder


def _folders(folder: Path) -> Iterator[Path]:
    # The folder and its subfolders, breadth first.
    waiting = [folder]
    while waiting:
        here = waiting.pop(0)
        yield here
        waiting += [path for path in _contents(here) if path.is_dir()]


def _is_archive(path: Path) -> bool:
    try:
        return zipfile.is_zipfile(path) or tarfile.is_tarfile(path)
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        return False
