"""Results of a class: tables for the teacher, pages, letters, results for Gradescope."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any, Iterator, Sequence

from ..tournament.csv_text import csv_text
from ..wire.files import write_files
from .course import Course
from .pages import page, printable
from .regress import Run, Test
from .submissions import Graded
from .testfile import NO_ID, read_test

MOST_COMMANDS = 40  # on the page of a submission, for each failed test
STARTS = ("boardsize", "clear_board")  # commands that empty the board
SUMMARY = "summary.csv"
FEWEST = 3  # submissions, all without a reply, for a warning


def write_submission(folder: Path, graded: Graded) -> None:
    """Write the page, the letter and Gradescope's file of a submission.  Raises OSError."""
    files = [(run, [(test, commands_before(run, test)) for test in (*run.tests, *run.missed)
                    if not test.passed]) for run in graded.runs]
    write_files(folder, {
        "index.html": page("submission.html", graded.name, graded=graded, files=files),
        "letter.txt": letter(graded), "results.json": json.dumps(gradescope(graded))})


def write_class(folder: Path, course: Course, graded: Sequence[Graded]) -> None:
    """Write the tables of a class and its page.  Raises OSError."""
    files = [Path(run.path).name for run in graded[0].runs] if graded else []
    rows = [*statistics([each for each in graded if not each.broken])]
    warning = warning_about(graded)
    summary = [*map(summary_row, graded)]
    if warning:
        summary.append({**dict.fromkeys(summary[0], ""), "submission": warning})
    write_files(folder, {
        SUMMARY: csv_text(summary), "tests.csv": csv_text(rows),
        "index.html": page("class.html", course.name, files=files, graded=graded,
                           statistics=rows, warning=warning)})


def warning_about(graded: Sequence[Graded]) -> str:
    """A warning about the results of a whole class, or ""."""
    valid = [each for each in graded if not each.broken]
    if len(valid) < FEWEST or any(each.answers for each in valid):
        return ""
    return "no submission answers any command: check `engine` in the course"


def summary_row(graded: Graded) -> dict[str, Any]:
    """The row of a submission in the teacher's table."""
    tests, passed = len(graded.tests), graded.passed
    files = {Path(run.path).name: run.passed for run in graded.runs}
    counts: dict[str, Any] = {"passed": passed, "failed": tests - passed,
              "seconds": round(sum(run.seconds for run in graded.runs), 1), **files}
    if graded.broken:
        counts = dict.fromkeys(counts, "")
    return {"submission": graded.name, "tests": tests, **counts, "not graded": graded.not_graded,
            "not run to the end": graded.status, "complaints": "; ".join(graded.complaints)}


def statistics(graded: Sequence[Graded]) -> Iterator[dict[str, Any]]:
    """Rows with the number of submissions that pass each test."""
    passed: defaultdict[tuple[str, int], int] = defaultdict(int)
    tests: dict[tuple[str, int], Test] = {}
    for each in graded:
        for run, test in each.tests:
            tests[run.path, test.line] = test
            passed[run.path, test.line] += test.passed
    for path, line in sorted(tests):
        test = tests[path, line]
        yield {"file": Path(path).name, "line": line, "id": "" if test.id == NO_ID else test.id,
               "command": test.command, "passed": passed[path, line], "submissions": len(graded)}


def commands_before(run: Run, test: Test) -> list[str]:
    """The commands from the last empty board to a test, with the test itself."""
    commands: list[str] = []
    for step in read_test(Path(run.path)):
        if step.command:
            if step.command.split()[0] in STARTS and not (
                    commands and commands[-1].split()[0] in STARTS):
                commands = []
            commands.append(step.command)
        if step.number == test.line:
            break
    return commands[-MOST_COMMANDS:]


def letter(graded: Graded) -> str:
    """The results of a submission as text, for the student."""
    lines = [f"Submission: {graded.name}", ""]
    if graded.broken:
        return printable("\n".join([*lines, f"Not graded: {graded.broken}"]) + "\n")
    lines += [f"{graded.passed} of {len(graded.tests)} tests passed.", ""]
    lines += [f"Note: {line}" for line in graded.complaints]
    if graded.problem:
        lines.append(f"It could not be run: {graded.problem}")
    for run in graded.runs:
        lines += ["", f"{Path(run.path).name}: {run.passed} passed"]
        if run.problem and not graded.problem:
            lines.append(f"It was not run to its end: {run.problem}")
        for test in run.tests:
            if not test.passed:
                number = f"{test.id} " if test.id != NO_ID else ""
                lines += [f"  {number}{test.command}", f"    expected: {test.expected}",
                          f"    received: {test.received}"]
                lines += [f"    {test.note}"] if test.note else []
        lines += [f"  standard error: {line}" for line in run.complaints[-5:]]
    return printable("\n".join(lines) + "\n")


def gradescope(graded: Graded) -> dict[str, Any]:
    """The results in the format of Gradescope; without tests for an ungraded submission."""
    if graded.broken:
        return {"output": printable(graded.not_graded), "tests": []}
    return {"output": printable("\n".join([*graded.complaints, graded.problem]).strip()),
            "tests": [{"name": printable(f"{Path(run.path).name} "
                                     f"{test.id if test.id != NO_ID else test.line} "
                                     f"{test.command}"),
                       "score": int(test.passed), "max_score": 1,
                       "status": "passed" if test.passed else "failed",
                       "output": printable(test.note if test.note else "" if test.passed else
                                       f"expected: {test.expected}\nreceived: {test.received}")}
                      for run, test in graded.tests]}
