"""The submissions of a class: which there are, and how one of them is run."""

import hashlib
import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Optional, Sequence

from .course import Course
from .keeper import remove
from .regress import Run, Task, Test, missed, run_test
from .sandbox import prepare
from .testfile import BadFormat, read_test
from .trial import trial
from .unpack import JUNK, MOST_BYTES, MOST_FILES, BadSubmission, unpack

ARCHIVES = (".tar.gz", ".tar.bz2", ".tar.xz", ".zip", ".tgz", ".tbz2", ".txz", ".tar")
LONGEST_NAME = 100
RECORD = "record.json"


class Submission(NamedTuple):
    """What was handed in: by whom, as the name of the file or folder says.

    key  a name that a file can have, another one for each
    """

    name: str
    key: str
    path: str


class Job(NamedTuple):
    """A submission to be run against test files, in a sandbox of this kind.

    work         the folder where it is unpacked, which is removed
    fingerprint  the same only if the submission, the course and the tests are
    """

    submission: Submission
    course: Course
    tests: tuple[str, ...]
    work: str
    kind: str
    fingerprint: str


class Graded(NamedTuple):
    """The results of a submission.

    complaints  what is wrong with it besides its replies
    problem     why it could not be run at all, "" if it was
    broken      what failed that is not the submission's, so that its tests say nothing, or ""
    """

    name: str
    key: str
    fingerprint: str
    complaints: tuple[str, ...]
    problem: str
    runs: tuple[Run, ...]
    broken: str = ""

    @property
    def answers(self) -> int:
        """How many commands it has answered."""
        return sum(run.answers for run in self.runs)

    @property
    def tests(self) -> list[tuple[Run, Test]]:
        """All tests, each with its run."""
        return [(run, test) for run in self.runs for test in (*run.tests, *run.missed)]

    @property
    def passed(self) -> int:
        """How many tests have passed."""
        return sum(run.passed for run in self.runs)

    @property
    def status(self) -> str:
        """Why not all was run, in a line, "" if all was or the submission is not to blame."""
        if self.broken:
            return ""
        return self.problem or next((run.problem for run in self.runs if run.problem), "")

    @property
    def not_graded(self) -> str:
        """Why its tests say nothing, in a line, "" if they do."""
        return f"not graded: {self.broken}" if self.broken else ""


def submissions_in(folder: Path) -> list[Submission]:
    """The submissions of a folder, by their names.  Raises OSError."""
    paths = [path for path in sorted(folder.iterdir())
             if path.name not in JUNK and not path.name.startswith(".")]
    names = [_without_ending(path) for path in paths]
    found: list[Submission] = []
    keys: set[str] = set()
    for path, name in zip(paths, names):
        name = path.name if names.count(name) > 1 else name
        own = re.sub("[^A-Za-z0-9._-]", "_", name)[:LONGEST_NAME].lstrip(".-") or "_"
        key, number = own, 2
        while key.lower() in keys:
            key, number = f"{own}-{number}", number + 1
        keys.add(key.lower())
        found.append(Submission(name.encode("utf-8", "replace").decode(), key,
                                str(path.absolute())))
    return found


def _without_ending(path: Path) -> str:
    ending = next((each for each in ARCHIVES if path.name.lower().endswith(each)), "")
    return path.name[:-len(ending)] if ending and not path.is_dir() else path.name


def fingerprint(submission: Submission, course: Course, tests: Sequence[str]) -> str:
    """The same only for the same submission, course and test files.  Raises OSError."""
    digest = hashlib.sha256(json.dumps([submission, course], sort_keys=True).encode())
    for path in [*tests, submission.path]:
        for part in _contents(Path(path)):
            digest.update(b"\0" + part)
    return digest.hexdigest()[:16]


def _contents(path: Path) -> Iterator[bytes]:
    # The names and the contents of what would be unpacked, as far as that is allowed.
    paths = [path]
    if path.is_dir() and not path.is_symlink():
        paths = [Path(folder, name) for folder, folders, names in os.walk(path)
                 for name in [*folders, *names]][:MOST_FILES]
    left = MOST_BYTES
    for each in sorted(paths):
        yield os.fsencode(each)
        if each.is_file() and not each.is_symlink():
            with each.open("rb") as file:
                while left > 0 and (data := file.read(1 << 20)):
                    left -= len(data)
                    yield data


def grade(job: Job) -> Graded:
    """Unpack a submission and run all test files.  Whatever it does, there is a result."""
    course, work = job.course, Path(job.work)
    complaints: list[str] = []
    problem = broken = ""
    runs: tuple[Run, ...] = ()
    try:
        folder, notes = unpack(Path(job.submission.path), work / "unpacked", course.wanted)
        complaints = [*course.complaints(Path(job.submission.path).name, folder), *notes]
        words = prepare(job.kind, course.words, folder, work, course.use, course.readable)
        runs = tuple(run_test(Task(path, tuple(words), str(work), course.limits,
                                   tolerances=course.tolerances, sandboxed=True))
                     for path in job.tests)
        broken = next((run.broken for run in runs if run.broken), "")
        if not broken and not all(run.answers for run in runs):
            broken = trial(job.kind, course, work / "trial")  # is it the program that is silent?
    except BadSubmission as error:
        problem = str(error)
    except OSError as error:
        broken = str(error)
    finally:
        with suppress(OSError):
            remove(str(work))
    runs = runs or not_run(job, problem or broken)
    return Graded(job.submission.name, job.submission.key, job.fingerprint, tuple(complaints),
                  problem, tuple(run._replace(dialogue=(), words=()) for run in runs), broken)


def not_run(job: Job, problem: str) -> tuple[Run, ...]:
    """What is said of test files that were not run: all their tests are missed."""
    return tuple(_not_run(path, problem) for path in job.tests)


def _not_run(path: str, problem: str) -> Run:
    try:
        steps = read_test(Path(path))
    except BadFormat:
        steps = []
    return Run(path, "", "", (), missed(steps, (), problem), 0, 0.0, 0.0, problem, False, (), (),
               (), False)


def text_of(graded: Graded) -> str:
    """The results as JSON."""
    return json.dumps({**graded._asdict(), "runs": [
        {**run._asdict(), "tests": [test._asdict() for test in run.tests],
         "missed": [test._asdict() for test in run.missed]} for run in graded.runs]})


def read_graded(path: Path) -> Optional[Graded]:
    """The results that a file of ours has, None if it is not there or is none."""
    try:
        data: dict[str, Any] = json.loads(path.read_bytes())
        runs = tuple(Run(**{**run, "tests": tuple(Test(**test) for test in run["tests"]),
                            "missed": tuple(Test(**test) for test in run["missed"]),
                            "complaints": tuple(run["complaints"])}) for run in data["runs"])
        return Graded(**{**data, "complaints": tuple(data["complaints"]), "runs": runs})
    except (OSError, ValueError, TypeError, KeyError):
        return None
