"""Reports of runs: the files of gogui-regress, JUnit XML, CSV and a single page."""

from pathlib import Path
from typing import NamedTuple, Sequence
from xml.etree import ElementTree

from ..tournament.csv_text import csv_text
from .dialogue import ERROR, INVALID, REPLY, SENT
from .pages import page, printable
from .regress import Run, Test
from .testfile import NO_ID

STATUSES = ("FAIL", "fail", "PASS", "pass")
KINDS = {SENT: "sent", REPLY: "reply", INVALID: "FAIL", ERROR: "stderr"}


class Total(NamedTuple):
    """The sums over several runs."""

    tests: tuple[Test, ...]
    errors: int
    seconds: float
    cpu: float

    def count(self, status: str) -> int:
        """The number of tests with this status."""
        return sum(test.status == status for test in self.tests)


def total_of(runs: Sequence[Run]) -> Total:
    """Sum up the runs."""
    return Total(tuple(test for run in runs for test in run.tests), sum(run.errors for run in runs),
                 sum(run.seconds for run in runs), sum(run.cpu for run in runs))


def output_names(paths: Sequence[str]) -> list[str]:
    """A unique name for each test file: without the ending .tst, numbered if repeated."""
    names: list[str] = []
    for path in paths:
        stem = Path(path).name
        stem = stem[:-len(".tst")] if stem.endswith(".tst") else stem
        name, number = stem, 2
        while name in names:
            name, number = f"{stem}_{number}", number + 1
        names.append(name)
    return names


def summary_files(runs: Sequence[Run], command: str, whole: bool) -> dict[str, str]:
    """The files of gogui-regress by name; its summary only if `whole`."""
    files = [*zip(output_names([run.path for run in runs]), runs)]
    contents: dict[str, str] = {}
    for name, run in files:
        contents[f"{name}.out.html"] = page("output.html", f"Output: {run.path}", run=run,
                                            kinds=KINDS)
        contents[f"{name}.html"] = page("file.html", f"Summary: {run.path}", out=name, run=run)
    if whole:
        total = total_of(runs)
        contents["index.html"] = _summary("summary.html", runs, command)
        contents["summary.dat"] = "\t".join(
            ["#Tests", *STATUSES, "Error", "Time", "CpuTime\n"]) + "\t".join(
            [str(len(total.tests)), *(str(total.count(status)) for status in STATUSES),
             str(total.errors), f"{round(total.seconds, 1):g}", f"{round(total.cpu, 1):g}", "\n"])
    return contents


def one_page(runs: Sequence[Run], command: str) -> str:
    """A page with all tests of all files, each with the expected and the received text."""
    return _summary("runs.html", runs, command)


def _summary(template: str, runs: Sequence[Run], command: str) -> str:
    name, version = (runs[-1].name, runs[-1].version) if runs else ("", "")
    return page(template, "Regression Test Summary", name=name, version=version, command=command,
                files=[*zip(output_names([run.path for run in runs]), runs)], total=total_of(runs))


def csv_of(runs: Sequence[Run]) -> str:
    """A table with a line for each test."""
    return csv_text({"file": run.path, "line": test.line,
                     "id": "" if test.id == NO_ID else test.id, "status": test.status,
                     "command": test.command, "expected": test.expected,
                     "received": test.received, "seconds": test.seconds, "note": test.note}
                    for run in runs for test in (*run.tests, *run.missed))


def junit_of(runs: Sequence[Run]) -> bytes:
    """JUnit XML: a suite for each file, a case for each test.

    Expected failures count as skipped; a file that was not run to its end has an error.
    """
    root = ElementTree.Element("testsuites")
    for run in runs:
        tests = (*run.tests, *run.missed)
        failed = [test for test in tests if test.status == "FAIL"]
        suite = ElementTree.SubElement(
            root, "testsuite", name=run.path, tests=str(len(tests) + bool(run.problem)),
            failures=str(len(failed)), errors=str(int(bool(run.problem))),
            skipped=str(sum(test.status == "fail" for test in tests)), time=f"{run.seconds:.3f}")
        for test in tests:
            number = test.id if test.id != NO_ID else f"line {test.line}"
            case = ElementTree.SubElement(
                suite, "testcase", classname=run.path, name=printable(f"{number} {test.command}"),
                time=f"{test.seconds:.3f}")
            if test.status in ("FAIL", "fail"):
                text = printable(test.note or f"Correct '{test.expected}', got '{test.received}'")
                ElementTree.SubElement(
                    case, "failure" if test.status == "FAIL" else "skipped", message=text)
        if run.problem:
            case = ElementTree.SubElement(suite, "testcase", classname=run.path,
                                          name="run to the end", time="0")
            ElementTree.SubElement(case, "error", message=printable(run.problem))
        if run.complaints:
            ElementTree.SubElement(suite, "system-err").text = printable("\n".join(run.complaints))
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))
