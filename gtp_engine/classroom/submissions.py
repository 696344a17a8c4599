"""Submissions of a class: find them, grade one, store its results."""

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
    """A submission, named after its file or folder.

    key  a unique name that is valid as a file name
    """

    name: str
    key: str
    path: str


class Job(NamedTuple):
    """A submission, the test files to run, and the kind of sandbox.

    work         the folder for unpacking, removed at the end
    fingerprint  a digest of the submission, the course and the tests
    """

    submission: Submission
    course: Course
    tests: tuple[str, ...]
    work: str
    kind: str
    fingerprint: str


class Graded(NamedTuple):
    """The results of a submission.

    complaints  faults in names and files
    problem     why the submission could not be run, or ""
    broken      the failure of the grader that makes the tests invalid, or ""
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
        """The number of replies."""
        return sum(run.answers for run in self.runs)

    @property
    def tests(self) -> list[tuple[Run, Test]]:
        """All tests, each with its run."""
        return [(run, test) for run in self.runs for test in (*run.tests, *run.missed)]

    @property
    def passed(self) -> int:
        """The number of passed tests."""
        return sum(run.passed for run in self.runs)

    @property
    def status(self) -> str:
        """The reason, in a line, for tests that were not run; "" also if the grader failed."""
        if self.broken:
            return ""
        return self.problem or next((run.problem for run in self.runs if run.problem), "")

    @property
    def not_graded(self) -> str:
        """The reason, in a line, if the submission is not graded, or ""."""
        return f"not graded: {self.broken}" if self.broken else ""


def submissions_in(folder: Path) -> list[Submission]:
    """The submissions in a folder, sorted by name.  Raises OSError."""
    paths = [path for path in sorted(folder.iterdir())
             if path.name not in JUNK and not path.name.startswith(".")]
    names = [_without_ending(path) for path in paths]
    submissions: list[Submission] = []
    keys: set[str] = set()
    for path, name in zip(paths, names):
        name = path.name if names.count(name) > 1 else name
        stem = re.sub("[^A-Za-z0-9._-]", "_", name)[:LONGEST_NAME].lstrip(".-") or "_"
        key, number = stem, 2
        while key.lower() in keys:
            key, number = f"{stem}-{number}", number + 1
        keys.add(key.lower())
        submissions.append(Submission(name.encode("utf-8", "replace").decode(), key,
                                      str(path.absolute())))
    return submissions


def _without_ending(path: Path) -> str:
    ending = next((each for each in ARCHIVES if path.name.lower().endswith(each)), "")
    return path.name[:-len(ending)] if ending and not path.is_dir() else path.name


def fingerprint(submission: Submission, course: Course, tests: Sequence[str]) -> str:
    """A digest of the submission, the course and the test files.  Raises OSError."""
    digest = hashlib.sha256(json.dumps([submission, course], sort_keys=True).encode())
    for path in [*tests, submission.path]:
        for part in _contents(Path(path)):
            digest.update(b"\0" + part)
    return digest.hexdigest()[:16]


def _contents(path: Path) -> Iterator[bytes]:
    # Names and contents of the files, up to the limits for unpacking.
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
    """Unpack a submission and run all test files; return a result for any submission."""
    course, work = job.course, Path(job.work)
    complaints: list[str] = []
    problem = broken = ""
    runs: tuple[Run, ...] = ()
    try:
        folder, notes = unpack(Path(job.submission.path), work / "unpacked", course.command_files)
        complaints = [*course.complaints(Path(job.submission.path).name, folder), *notes]
        words = prepare(job.kind, course.words, folder, work, course.resources, course.readable)
        runs = tuple(run_test(Task(path, tuple(words), str(work), course.limits,
                                   tolerances=course.tolerances, sandboxed=True))
                     for path in job.tests)
        broken = next((run.broken for run in runs if run.broken), "")
        if not broken and not all(run.answers for run in runs):
            broken = trial(job.kind, course, work / "trial")  # or is the sandbox at fault?
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
    """Results for test files that were not run: all their tests are missed."""
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
        {**run._asdict(), "tests": [*map(_test_data, run.tests)],
         "missed": [*map(_test_data, run.missed)]} for run in graded.runs]})


def _test_data(test: Test) -> dict[str, Any]:
    # In the file, the field `known_to_fail` is `known`.
    data = test._asdict()
    data["known"] = data.pop("known_to_fail")
    return data


def _test_of(data: dict[str, Any]) -> Test:
    # The inverse of _test_data.
    fields = {**data}
    fields["known_to_fail"] = fields.pop("known")
    return Test(**fields)


def read_graded(path: Path) -> Optional[Graded]:
    """Read results from a file; None if it is missing or not valid."""
    try:
        data: dict[str, Any] = json.loads(path.read_bytes())
        runs = tuple(Run(**{**run, "tests": tuple(map(_test_of, run["tests"])),
                            "missed": tuple(map(_test_of, run["missed"])),
                            "complaints": tuple(run["complaints"])}) for run in data["runs"])
        return Graded(**{**data, "complaints": tuple(data["complaints"]), "runs": runs})
    except (OSError, ValueError, TypeError, KeyError):
        return None
