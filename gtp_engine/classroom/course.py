"""Settings of a course: the command of submissions, their limits, and required files."""

import shlex
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

from ..players.options import time_above_0, whole
from ..wire.declared import Wrong, one_of, some, spelled, table, text
from ..wire.files import read_toml
from .dialogue import Limits
from .sandbox import MB, Resources
from .testfile import TOLERANCES

LONGEST_LOG = 1 << 20  # bytes
LONGEST_TEXT, MOST_TEXTS = 10_000, 1000


class Course(NamedTuple):
    """The settings of a course.

    engine       the command, run in the folder of a submission
    memory, disk MB for all processes of a submission together, and for its files
    output       MB of output for each test file
    archive      the pattern for the name of the archive, "" for any name; * matches any text
    required     files that a submission must contain
    forbidden    patterns for the names of files that it must not contain
    log          the file that must show a run of gogui-regress, or ""
    readable     paths outside the submission that it can read
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
        """The limits for a run of a test file."""
        return Limits(self.seconds_per_command, self.seconds_per_file, self.output * MB)

    @property
    def resources(self) -> Resources:
        """The limits for the processes of a submission."""
        return Resources(self.memory, self.disk, self.processes)

    @property
    def command_files(self) -> list[str]:
        """The files that the command names; they mark the folder of a submission."""
        return [word for word in self.words if "." in word and not word.startswith(("-", "/", "."))]

    def complaints(self, archive: str, folder: Path) -> list[str]:
        """Check the name of the archive and the files in the folder where it is unpacked."""
        faults = []
        if self.archive and not fnmatch(archive, self.archive):
            faults.append(f"the archive is named {archive}, not {self.archive}")
        faults += [f"{name} is missing" for name in self.required if not (folder / name).is_file()]
        faults += [f"{path.relative_to(folder)} is not allowed"
                   for path in sorted(folder.rglob("*"))
                   if any(fnmatch(path.name, pattern) for pattern in self.forbidden)][:10]
        if self.log:
            try:
                with (folder / self.log).open("rb") as file:
                    text = file.read(LONGEST_LOG)
                if b"regress" not in text:
                    faults.append(f"{self.log} shows no run of gogui-regress")
            except OSError:
                faults.append(f"{self.log} is missing")
        return faults


TEXT, SECONDS = text(LONGEST_TEXT), spelled(time_above_0)
TEXTS = some(TEXT, MOST_TEXTS)


def _engine(path: str, value: Any) -> Any:
    try:
        words = shlex.split(TEXT(path, value))
    except Wrong:
        raise
    except ValueError as error:
        raise Wrong(path, f"must be a command: {error}") from None
    if not words:
        raise Wrong(path, "must be a command")
    return value


COURSE = table({
    "engine": _engine, "seconds_per_command": SECONDS, "seconds_per_file": SECONDS,
    **{f"{name}{'' if name == 'memory' else '?'}": spelled(whole(f"{name} (MB)", 1 << 20))
       for name in ("memory", "disk", "output")},
    **{f"{name}?": spelled(whole(name, 1 << 20)) for name in ("processes", "size")},
    **dict.fromkeys(("name?", "archive?", "log?", "game?"), TEXT),
    **dict.fromkeys(("required?", "forbidden?", "readable?"), TEXTS),
    "tolerances?": some(one_of(*TOLERANCES), MOST_TEXTS)})


def read_course(path: Path) -> Course:
    """Read a course from a TOML file.  Raises ValueError and OSError."""
    data = read_toml(path)
    try:
        values = COURSE("", data)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    settings: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value
                                for key, value in values.items()}
    return Course(**settings)
