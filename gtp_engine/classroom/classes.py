"""A whole class: every submission is run, what was done before an interruption is not done again.
"""

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
from .course import read_course
from .regress import Run
from .results import SUMMARY, write_class, write_submission
from .sandbox import KINDS, LIMITS, best, possible
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

LOOK_SECONDS = 1.0  # seconds between two looks at the workers
TEST_FILES = (".gtp", ".tst")
WORK = "work"
UNSAFE = ("programs are not kept from the files and the network of this user, since neither "
          "bubblewrap nor namespaces can be used here: only their time, memory, processes and "
          "files are limited")
AS_ROOT = "; they run as root, so that one of them can end everything on this computer"


def add_options(parser: ArgumentParser) -> None:
    """What the command line may say of a class."""
    parser.add_argument("--submissions", type=Path, metavar="DIR",
                        help="run each submission of this folder: a folder, .zip, .tgz or .tar")
    parser.add_argument("--course", type=Path, metavar="FILE.toml",
                        help="how submissions are started, and what they may use")
    parser.add_argument("--results", type=Path, metavar="DIR", help="where the results are written")
    parser.add_argument("--isolation", choices=KINDS,
                        help="how programs are kept apart (default: the first of these that this "
                             "system allows)")
    parser.add_argument("--scheduler", metavar="ADDRESS",
                        help="run on the Dask cluster of this scheduler")


def isolation(given: Optional[str], results: Path) -> str:
    """The kind of sandbox, as given or the best one; says once what is not safe.

    Raises ValueError if the one that is given is not possible.
    """
    scratch = results / WORK / "trial"
    try:
        if given and not possible(given, scratch):
            raise ValueError(f"this system does not allow --isolation {given}")
        kind = given or best(scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if kind == LIMITS:
        logging.getLogger(__name__).warning("%s%s", UNSAFE, AS_ROOT if os.geteuid() == 0 else "")
    return kind


def tests_in(path: Path) -> list[str]:
    """The test files of a folder, or the one that is named.  Raises ValueError and OSError."""
    found = [path] if path.is_file() else sorted(
        each for each in path.iterdir() if each.name.endswith(TEST_FILES))
    if not found:
        raise ValueError(f"{path}: no test files (they end with {' or '.join(TEST_FILES)})")
    for each in found:
        read_test(each)
    return [str(each.absolute()) for each in found]


def run_class(options: Namespace) -> int:
    """Run all submissions that have no results yet, and write those of all; the exit status.

    Raises ValueError and OSError.
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
        kind = isolation(options.isolation, results)
        jobs = [Job(each, course, tuple(tests), str((results / WORK / each.key).absolute()), kind,
                    fingerprint(each, course, tests)) for each in submissions]
        missing = [job for job in jobs if kept(results, job) is None]
        if missing:
            count = min(options.jobs or len(cores()) or 1, len(missing))
            with closing(workers_for(options.scheduler, count)) as workers:
                grade_all(missing, workers, results)
    finally:
        shutil.rmtree(results / WORK, ignore_errors=True)
    graded = [each for job in jobs if (each := kept(results, job))]
    write_class(results, course, graded)
    print(f"{len(graded)} submissions, {sum(each.passed for each in graded)} of "
          f"{sum(len(each.tests) for each in graded)} tests passed: {results / SUMMARY}, "
          f"{results / 'index.html'}")
    return 0


def kept(results: Path, job: Job) -> Optional[Graded]:
    """The results of a job that was done already, None if it was not."""
    graded = read_graded(results / job.submission.key / RECORD)
    return graded if graded and graded.fingerprint == job.fingerprint else None


def grade_all(jobs: Sequence[Job], workers: Workers, results: Path) -> None:
    """Do all jobs, and write the results of each when it is done.  Raises OSError."""
    waiting = [*enumerate(jobs)][::-1]
    tries = [0] * len(jobs)
    left = len(jobs)
    while left:
        while waiting and workers.free:
            number, job = waiting.pop()
            workers.submit(number, grade, job)
        for number, outcome in workers.finished(LOOK_SECONDS):
            job = jobs[number]
            if isinstance(outcome, Lost):
                tries[number] += outcome.tries
                if tries[number] <= REPEATED:
                    waiting.append((number, job))
                    continue
                outcome = lost(job, outcome)
            left -= 1
            folder = results / job.submission.key
            write_submission(folder, outcome)
            write_file(folder / RECORD, text_of(outcome))
            print(f"{len(jobs) - left}/{len(jobs)} {outcome.key}: {outcome.passed} of "
                  f"{len(outcome.tests)}", flush=True)


def lost(job: Job, outcome: Lost) -> Graded:
    """What is said of a submission that has ended whoever ran it, each time."""
    problem = f"it has ended the process that runs it: {outcome.text.strip().splitlines()[-1]}"
    runs: tuple[Run, ...] = tuple(not_run(path, problem) for path in job.tests)
    return Graded(job.submission.name, job.submission.key, job.fingerprint, (), problem, runs)
