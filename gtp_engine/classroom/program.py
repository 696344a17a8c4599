"""`regress`: run test files with one engine, or with the submissions of a class."""

import logging
import sys
from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path
from typing import Iterator, Sequence

from ..arena.process import stop_all
from ..arena.work import Lost
from ..arena.workers import LocalWorkers
from ..command_line.options import add_time, checked
from ..players.options import whole
from ..wire.files import write_files
from . import classes
from .dialogue import Limits, words_of
from .outputs import csv_of, junit_of, one_page, summary_files
from .pages import printable
from .regress import Run, Task, run_test
from .sandbox import Broken
from .testfile import TOLERANCES, BadFormat, expand

POLL_SECONDS = 1.0  # between two polls of the workers
FAILED, BROKEN = 1, 2  # exit status: unexpected failures; a file that was not run to its end


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = ("With ENGINE and FILEs it replaces gogui-regress, with the same files, lines, "
                     "output and exit status: 0 without unexpected failures, 1 with some, 2 if a "
                     "file was not run to its end.  See docs/classroom.md.")
    parser.add_argument("engine", nargs="?", metavar="ENGINE",
                        help="command of the engine, started in the folder of each file")
    parser.add_argument("files", nargs="*", metavar="FILE",
                        help="test files; @FILE is a list of test files")
    parser.add_argument("-long", "--long", action="store_true", help="a line for each test")
    parser.add_argument("-output", "--output", type=Path, default=Path(), metavar="DIR",
                        help="the folder for index.html, summary.dat and two pages for each file "
                             "(default: the current folder)")
    parser.add_argument("-gtpfile", "--gtpfile", metavar="FILE",
                        help="commands to send before each file")
    parser.add_argument("-verbose", "--verbose", action="store_true",
                        help="show the dialogue on standard error")
    parser.add_argument("-help", action="help", help="the same as --help")
    add_time(parser, "for each command (default: no limit)", name="--seconds-per-command")
    add_time(parser, "for each file (default: no limit)", name="--seconds-per-file")
    parser.add_argument("--jobs", type=checked(whole("jobs", 1000)), metavar="N",
                        help="files to run at a time (default: 1), or submissions (default: "
                             "one for each core)")
    parser.add_argument("--keep-going", action="store_true",
                        help="run the other files too if one was not run to its end")
    for name, meaning in TOLERANCES.items():
        parser.add_argument(f"--{name}", dest="tolerances", action="append_const", const=name,
                            default=[], help=meaning)
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write a table of all tests")
    parser.add_argument("--html", type=Path, metavar="DIR",
                        help="write one page with all tests, DIR/index.html")
    classes.add_options(parser)
    parser.add_argument("--tests", type=Path, metavar="DIR",
                        help="the test files for submissions, or one of them")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Run the files; return the exit status."""
    if options.submissions:
        try:
            return classes.run_class(options)
        except Broken as error:
            logging.getLogger(__name__).error("%s", error)
            return BROKEN
        except (ValueError, OSError, BadFormat) as error:
            parser.error(str(error))
    if not options.engine or not options.files:
        parser.error("an ENGINE and at least one FILE are needed")
    try:
        files = expand(options.files)
        words = words_of(options.engine)
        if not words:
            raise BadFormat("Command for invoking Go program must be not empty.")
        tasks = [task_of(path, words, options) for path in files]
        runs = []
        for run in run_all(tasks, options.jobs or 1):
            runs.append(run)
            report(run, len(tasks) > 1, options.long)
            if run.problem and not options.keep_going:
                break
        complete = options.keep_going or not any(run.problem for run in runs)
        write(runs, complete, options)
    except (BadFormat, OSError) as error:
        print(printable(str(error)), file=sys.stderr)
        return BROKEN
    except KeyboardInterrupt:
        stop_all()
        raise
    if any(run.problem for run in runs):
        return BROKEN
    return 0 if all(run.success for run in runs) else FAILED


def task_of(path: str, words: Sequence[str], options: Namespace) -> Task:
    """The task of running a test file."""
    no_limits = Limits()
    limits = Limits(options.seconds_per_command or no_limits.seconds_per_command,
                    options.seconds_per_file or no_limits.seconds_per_file)
    return Task(path, tuple(words), str(Path(path).absolute().parent), limits, options.gtpfile,
                options.long, tuple(options.tolerances),
                print_line if options.verbose else None)


def print_line(kind: str, line: str) -> None:
    """Print a line of the dialogue to standard error."""
    print({">": ">> ", "!": ""}.get(kind, "<< ") + printable(line), file=sys.stderr)


def run_all(tasks: Sequence[Task], jobs: int) -> Iterator[Run]:
    """Run the tasks, `jobs` at a time; yield the runs in the order of the tasks."""
    if min(jobs, len(tasks)) == 1:
        yield from map(run_test, tasks)
        return
    done: dict[int, Run] = {}
    waiting = [*enumerate(tasks)][::-1]
    with closing(LocalWorkers(min(jobs, len(tasks)))) as workers:
        for place in range(len(tasks)):
            while place not in done:
                while workers.free and waiting:
                    number, task = waiting.pop()
                    workers.submit(number, run_test, task)
                for number, outcome in workers.finished(POLL_SECONDS):
                    if isinstance(outcome, Lost):
                        raise BadFormat(f"{tasks[number].path}: {outcome.text}")
                    done[number] = outcome
            yield done.pop(place)


def report(run: Run, many: bool, long: bool) -> None:
    """Print the lines of gogui-regress for a file; a problem goes to standard error."""
    prefix = f"{run.path} " if many else ""
    for line in run.words:
        print(printable(prefix + line))
    if run.problem:
        print(printable(run.problem), file=sys.stderr)
    elif long:
        passed = sum(test.passed for test in run.tests)
        print(f"Summary: {passed}/{len(run.tests)} passes. {run.count('PASS')} unexpected passes, "
              f"{run.count('FAIL')} unexpected failures")


def write(runs: Sequence[Run], complete: bool, options: Namespace) -> None:
    """Write the files that the options name.  Raises OSError."""
    command = options.engine
    write_files(options.output, summary_files(runs, command, complete))
    for path, make in ((options.junit, junit_of), (options.csv, csv_of)):
        if path:
            write_files(path.parent, {path.name: make(runs)})
    if options.html:
        write_files(options.html, {"index.html": one_page(runs, command)})
