"""A course: how submissions are started, what they may use, what they must contain."""

import shlex
from fnmatch import fnmatch
from pathlib import Path
from reprlib import repr as short
from typing import Any, Callable, NamedTuple

from ..players.options import time_above_0, whole
from ..tournament.program import read_toml
from .dialogue import Limits
from .sandbox import MB, Use
from .testfile import TOLERANCES

LONGEST_LOG = 1 << 20  # bytes


class Course(NamedTuple):
    """What the file of a course says.

    engine       the command, in the folder of a submission
    memory, disk MB for all processes of a submission together, and for its files
    output       MB that it may write to its outputs while a test file runs
    archive      how the archive must be named, "" for any name; * stands for anything
    required     files that must be there
    forbidden    names of files that must not be there; * stands for anything
    log          the file that must show a run of gogui-regress, "" if there need be none
    readable     paths outside of the submission that it may read
    tolerances   names in testfile.TOLERANCES
    """

    engine: str
    seconds_per_command: float
    seconds_per_file: float
    memory: int
    name: str = "course"
    disk: int = 64
    processes: int = 64
    output: int = 16
    archive: str = ""
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    log: str = ""
    readable: tuple[str, ...] = ()
    tolerances: tuple[str, ...] = ()
    game: str = "Gomoku"
    size: int = 7

    @property
    def words(self) -> list[str]:
        """The words of the command."""
        return shlex.split(self.engine)

    @property
    def limits(self) -> Limits:
        """What a run of a test file may take."""
        return Limits(self.seconds_per_command, self.seconds_per_file, self.output * MB)

    @property
    def use(self) -> Use:
        """What the processes of a submission may use."""
        return Use(self.memory, self.disk, self.processes)

    @property
    def wanted(self) -> list[str]:
        """The files by which the folder of a submission is known: those of the command."""
        return [word for word in self.words if "." in word and not word.startswith(("-", "/", "."))]

    def complaints(self, archive: str, folder: Path) -> list[str]:
        """What is wrong with a submission of this name, unpacked there, before it is run."""
        found = []
        if self.archive and not fnmatch(archive, self.archive):
            found.append(f"it is named {archive}, not {self.archive}")
        found += [f"{name} is missing" for name in self.required if not (folder / name).is_file()]
        found += [f"{path.relative_to(folder)} must not be there"
                  for path in sorted(folder.rglob("*"))
                  if any(fnmatch(path.name, pattern) for pattern in self.forbidden)][:10]
        if self.log:
            try:
                with (folder / self.log).open("rb") as file:
                    text = file.read(LONGEST_LOG)
                if b"regress" not in text:
                    found.append(f"{self.log} shows no run of gogui-regress")
            except OSError:
                found.append(f"{self.log} is missing")
        return found


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError(f"not a list of texts: {short(value)}")
    return tuple(value)


def _tolerances(value: Any) -> tuple[str, ...]:
    for name in _texts(value):
        if name not in TOLERANCES:
            raise ValueError(f"no such tolerance: {name} (available: {' '.join(TOLERANCES)})")
    return _texts(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"not a text: {short(value)}")
    return value


def _engine(value: Any) -> str:
    if not shlex.split(_text(value)):
        raise ValueError("no command")
    return str(value)


def _seconds(value: Any) -> float:
    return time_above_0(str(value))


def _whole(name: str) -> Callable[[Any], int]:
    return lambda value: whole(name, 1 << 20)(str(value))


READ: dict[str, Callable[[Any], Any]] = {
    "engine": _engine, "name": _text, "archive": _text, "log": _text, "game": _text,
    "seconds_per_command": _seconds, "seconds_per_file": _seconds,
    "required": _texts, "forbidden": _texts, "readable": _texts, "tolerances": _tolerances,
    **{name: _whole(f"{name} (MB)") for name in ("memory", "disk", "output")},
    **{name: _whole(name) for name in ("processes", "size")}}
NEEDED = ("engine", "seconds_per_command", "seconds_per_file", "memory")


def read_course(path: Path) -> Course:
    """The course that a TOML file describes.  Raises ValueError and OSError."""
    data = read_toml(path)
    values = {}
    for key in NEEDED:
        if key not in data:
            raise ValueError(f"{path}: {key} is missing (a course needs {' '.join(NEEDED)})")
    for key, value in data.items():
        if key not in READ:
            raise ValueError(f"{path}: no such setting of a course: {key} "
                             f"(available: {' '.join(READ)})")
        try:
            values[key] = READ[key](value)
        except ValueError as error:
            raise ValueError(f"{path}: {key}: {error}") from None
    return Course(**values)
