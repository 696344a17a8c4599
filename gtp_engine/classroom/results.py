"""What a class is handed back: tables for the teacher, pages, letters, Gradescope's results."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any, Iterator, Sequence

from ..tournament.csv_text import csv_text
from ..wire.files import write_files
from .course import Course
from .pages import page, shown
from .regress import Run, Test
from .submissions import Graded
from .testfile import NO_ID, read_test

MOST_COMMANDS = 40  # before a test, that are shown with it
STARTS = ("boardsize", "clear_board")  # commands that begin another position
SUMMARY = "summary.csv"
FEWEST = 3  # submissions, none of which answers, that raise doubts


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
    note = doubt(graded)
    summary = [*map(summary_row, graded)]
    if note:
        summary.append({**dict.fromkeys(summary[0], ""), "submission": note})
    write_files(folder, {
        SUMMARY: csv_text(summary), "tests.csv": csv_text(rows),
        "index.html": page("class.html", course.name, files=files, graded=graded,
                           statistics=rows, note=note)})


def doubt(graded: Sequence[Graded]) -> str:
    """What is strange about the results of a whole class, "" if nothing is."""
    asked = [each for each in graded if not each.broken]
    if len(asked) < FEWEST or any(each.answers for each in asked):
        return ""
    return "no submission has answered: is `engine` right?"


def summary_row(graded: Graded) -> dict[str, Any]:
    """The line of a submission in the teacher's table."""
    tests, passed = len(graded.tests), graded.passed
    files = {Path(run.path).name: run.passed for run in graded.runs}
    counts: dict[str, Any] = {"passed": passed, "failed": tests - passed,
              "seconds": round(sum(run.seconds for run in graded.runs), 1), **files}
    if graded.broken:
        counts = dict.fromkeys(counts, "")
    return {"submission": graded.name, "tests": tests, **counts, "not graded": graded.not_graded,
            "not run to the end": graded.status, "complaints": "; ".join(graded.complaints)}


def statistics(graded: Sequence[Graded]) -> Iterator[dict[str, Any]]:
    """For each test how many have passed it."""
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
    """The commands that led to a test, from the last empty board on, and the test itself."""
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
    """What a student is told, as text."""
    lines = [f"Submission: {graded.name}", ""]
    if graded.broken:
        return shown("\n".join([*lines, f"Not graded: {graded.broken}"]) + "\n")
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
    return shown("\n".join(lines) + "\n")


def gradescope(graded: Graded) -> dict[str, Any]:
    """The results as Gradescope reads them; without a score if it could not be graded."""
    if graded.broken:
        return {"output": shown(graded.not_graded), "tests": []}
    return {"output": shown("\n".join([*graded.complaints, graded.problem]).strip()),
            "tests": [{"name": shown(f"{Path(run.path).name} "
                                     f"{test.id if test.id != NO_ID else test.line} "
                                     f"{test.command}"),
                       "score": int(test.passed), "max_score": 1,
                       "status": "passed" if test.passed else "failed",
                       "output": shown(test.note if test.note else "" if test.passed else
                                       f"expected: {test.expected}\nreceived: {test.received}")}
                      for run, test in graded.tests]}
