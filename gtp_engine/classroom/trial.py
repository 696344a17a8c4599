"""Trial of a sandbox: run a small GTP program in it before a class is graded."""

import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

from ..command_line.terminal import harmless
from ..wire.files import write_file
from .course import Course
from .dialogue import Ended, Engine, Limits
from .keeper import is_in_submission
from .sandbox import TRIAL_SECONDS, failure, prepare, visible

ANSWER = "trial"
SHELL = "while read -r line; do printf '= trial\\n\\n'; done\n"
PROGRAMS = {  # by the ending of their files
    ".js": "require('readline').createInterface({input: process.stdin})"
           ".on('line', () => console.log('= trial\\n'))\n",
    ".pl": '$| = 1; while (<STDIN>) { print "= trial\\n\\n"; }\n',
    ".py": "import sys\nfor line in sys.stdin:\n    print('= trial', end='\\n\\n', flush=True)\n",
    ".rb": "STDOUT.sync = true\nwhile STDIN.gets do print \"= trial\\n\\n\" end\n",
    ".sh": SHELL}
INTERPRETERS = {"python": ".py", "pypy": ".py", "sh": ".sh", "bash": ".sh", "dash": ".sh",
                "node": ".js", "nodejs": ".js", "perl": ".pl", "ruby": ".rb"}
# Other languages: only start the interpreter; the shell returns 126 or 127 if it cannot.
START = '"$1" --version < /dev/null > /dev/null; case $? in 126 | 127) exit 1; esac\n' + SHELL


class TrialProgram(NamedTuple):
    """A program that answers GTP: its command, and its files with their texts."""

    words: list[str]
    files: dict[str, str]


def trial_program(course: Course) -> TrialProgram:
    """A program with the command of the course, or with the nearest supported command."""
    first, *_ = words = course.words
    files = {name: PROGRAMS.get(Path(name).suffix, "") for name in course.command_files}
    if is_in_submission(first):
        return TrialProgram(words, {**files, first: f"#!/bin/sh\n{SHELL}"})
    if any(files.values()):
        return TrialProgram(words, files)
    name = re.match("[a-z]*", Path(first).name)
    if name and (ending := INTERPRETERS.get(name[0])):
        return TrialProgram([first, f"trial{ending}"], {f"trial{ending}": PROGRAMS[ending]})
    return TrialProgram(["sh", "trial.sh", first], {"trial.sh": START})


def trial(kind: str, course: Course, scratch: Path) -> str:
    """Run a trial program in a sandbox of this kind; return the reason for a failure, or "".

    The reason is one line.  Creates and removes the folder `scratch`.
    """
    program = trial_program(course)
    failed = f"the sandbox ({kind}) cannot run {shlex.join(program.words)}: "
    folder = scratch / "program"
    engine = None
    try:
        for name, text in program.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, text)
            path.chmod(0o755)
        words = prepare(kind, program.words, folder, scratch, course.resources,
                        visible(course.words[0], course.readable))
        engine = Engine(words, scratch, Limits(TRIAL_SECONDS, TRIAL_SECONDS))
        reply = engine.send("name")
        if reply.text != ANSWER:
            return failed + f"it answers {harmless(reply.text)!r}"
    except (OSError, Ended) as error:
        return failed + harmless(failure(str(error)))
    finally:
        if engine:
            engine.end()
        shutil.rmtree(scratch, ignore_errors=True)
    return ""
