"""Grade all submissions of a class; a restart continues an interrupted run."""

import logging
import os
import shutil
from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path
from typing import Optional, Sequence

from ..arena.referee import interrupt_once
from ..arena.work import REPEATED, Lost, Workers
from ..arena.workers import cores, workers_for
from ..wire.files import write_file
from .course import Course, read_course
from .pages import printable
from .results import SUMMARY, warning_about, write_class, write_submission
from .sandbox import KINDS, LIMITS, Broken, best, refusal
from .submissions import (
    RECORD,
    Graded,
    Job,
    fingerprint,
    grade,
    not_run,
    read_graded,
    submissions_in,
    text_of,
)
from .testfile import read_test
from .trial import trial

POLL_SECONDS = 1.0  # between two polls of the workers
TEST_FILES = (".gtp", ".tst")
WORK = "work"
MOST_NAMED = 5  # submissions that are named on standard error
INCOMPLETE = 3  # exit status if some submissions could not be graded
UNSAFE = ("neither bubblewrap nor namespaces can be used here: programs can access the files and "
          "the network of this user, and only their time, memory, processes and files are limited")
AS_ROOT = "; they run as root, and can end all processes of this computer"


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments for a class."""
    parser.add_argument("--submissions", type=Path, metavar="DIR",
                        help="run each submission of this folder: a folder, .zip, .tgz or .tar")
    parser.add_argument("--course", type=Path, metavar="FILE.toml",
                        help="the command that starts submissions, and their limits")
    parser.add_argument("--results", type=Path, metavar="DIR", help="the folder for the results")
    parser.add_argument("--isolation", choices=KINDS,
                        help="how programs are isolated (default: the first of these that this "
                             "system allows)")
    parser.add_argument("--scheduler", metavar="ADDRESS",
                        help="run on the Dask cluster of this scheduler")


def isolation(given: Optional[str], course: Course, results: Path) -> str:
    """Return the kind of sandbox: the given one, else the safest; warn if it is not safe.

    Raises ValueError if the system does not allow the given kind, Broken if the sandbox does not
    run the trial program.
    """
    scratch = results / WORK / "trial"
    try:
        if given and (reason := refusal(given, scratch)):
            raise ValueError(f"this system does not allow --isolation {given}: {reason}")
        kind = given or best(scratch)
        if reason := trial(kind, course, scratch):
            raise Broken(reason)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if kind == LIMITS:
        logging.getLogger(__name__).warning("%s%s", UNSAFE, AS_ROOT if os.geteuid() == 0 else "")
    return kind


def tests_in(path: Path) -> list[str]:
    """Return the test files in a folder, or a single test file.  Raises ValueError and OSError."""
    files = [path] if path.is_file() else sorted(
        each for each in path.iterdir() if each.name.endswith(TEST_FILES))
    if not files:
        raise ValueError(f"{path}: no test files (they end with {' or '.join(TEST_FILES)})")
    for each in files:
        read_test(each)
    return [str(each.absolute()) for each in files]


def run_class(options: Namespace) -> int:
    """Run the submissions without results, and write all results; return the exit status.

    Raises ValueError, OSError and Broken.
    """
    for name in ("course", "results", "tests"):
        if getattr(options, name) is None:
            raise ValueError(f"--submissions needs --{name}")
    course = read_course(options.course)
    tests = tests_in(options.tests)
    submissions = submissions_in(options.submissions)
    if not submissions:
        raise ValueError(f"{options.submissions}: no submissions")
    results: Path = options.results
    results.mkdir(parents=True, exist_ok=True)
    interrupt_once()
    shutil.rmtree(results / WORK, ignore_errors=True)
    try:
        kind = isolation(options.isolation, course, results)
        jobs = [Job(each, course, tuple(tests), str((results / WORK / each.key).absolute()), kind,
                    fingerprint(each, course, tests)) for each in submissions]
        missing = [job for job in jobs
                   if (graded := load_graded(results, job)) is None or graded.broken]
        if missing:
            count = min(options.jobs or len(cores()) or 1, len(missing))
            with closing(workers_for(options.scheduler, count)) as workers:
                grade_all(missing, workers, results)
    finally:
        shutil.rmtree(results / WORK, ignore_errors=True)
    return conclude([each for job in jobs if (each := load_graded(results, job))], course, results)


def conclude(graded: Sequence[Graded], course: Course, results: Path) -> int:
    """Write the tables of a class, print a summary, return the exit status.  Raises OSError."""
    write_class(results, course, graded)
    log = logging.getLogger(__name__)
    if warning := warning_about(graded):
        log.warning("%s", warning)
    broken = [each for each in graded if each.broken]
    for each in broken[:MOST_NAMED]:
        log.error("%s: %s", each.key, each.not_graded)
    if len(broken) > MOST_NAMED:
        log.error("and %d more that were not graded", len(broken) - MOST_NAMED)
    done = [each for each in graded if not each.broken]
    print(f"{len(done)} submissions, {sum(each.passed for each in done)} of "
          f"{sum(len(each.tests) for each in done)} tests passed"
          + f", {len(broken)} not graded" * bool(broken)
          + f": {results / SUMMARY}, {results / 'index.html'}")
    return INCOMPLETE if broken else 0


def load_graded(results: Path, job: Job) -> Optional[Graded]:
    """The results of an earlier run of the same job; None without one."""
    graded = read_graded(results / job.submission.key / RECORD)
    return graded if graded and graded.fingerprint == job.fingerprint else None


def grade_all(jobs: Sequence[Job], workers: Workers, results: Path) -> None:
    """Run all jobs and write the results of each at its end.  Raises OSError."""
    waiting = [*enumerate(jobs)][::-1]
    tries = [0] * len(jobs)
    broken: set[int] = set()
    left = len(jobs)
    while left:
        while waiting and workers.free:
            number, job = waiting.pop()
            workers.submit(number, grade, job)
        for number, outcome in workers.finished(POLL_SECONDS):
            job = jobs[number]
            if isinstance(outcome, Lost):
                tries[number] += outcome.tries
                if tries[number] <= REPEATED:
                    waiting.append((number, job))
                    continue
                outcome = results_of_lost(job, outcome)
            elif outcome.broken and number not in broken:
                broken.add(number)
                waiting.append((number, job))
                continue
            left -= 1
            folder = results / job.submission.key
            write_submission(folder, outcome)
            write_file(folder / RECORD, text_of(outcome))
            print(f"{len(jobs) - left}/{len(jobs)} {outcome.key}: "
                  + (printable(outcome.not_graded) or f"{outcome.passed} of {len(outcome.tests)}"),
                  flush=True)


def results_of_lost(job: Job, outcome: Lost) -> Graded:
    """The results of a job whose process was ended at every try."""
    broken = f"the process that ran it was ended: {outcome.text.strip().splitlines()[-1]}"
    return Graded(job.submission.name, job.submission.key, job.fingerprint, (), "",
                  not_run(job, broken), broken)
