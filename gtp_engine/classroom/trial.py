"""A trial before a class: does its sandbox run a program that is known to answer GTP?"""

import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

from ..command_line.terminal import harmless
from ..wire.files import write_file
from .course import Course
from .dialogue import Ended, Engine, Limits
from .keeper import is_own
from .sandbox import PATIENCE, failure, prepare, visible

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
# Of another language only the start is tried: 126 and 127 are the shell's, if there is none.
START = '"$1" --version < /dev/null > /dev/null; case $? in 126 | 127) exit 1; esac\n' + SHELL


class Known(NamedTuple):
    """A program that answers GTP: its command, and its files with their texts."""

    words: list[str]
    files: dict[str, str]


def known_program(course: Course) -> Known:
    """A program that is started as the submissions of the course are, as far as we know how."""
    first, *_ = words = course.words
    files = {name: PROGRAMS.get(Path(name).suffix, "") for name in course.wanted}
    if is_own(first):
        return Known(words, {**files, first: f"#!/bin/sh\n{SHELL}"})
    if any(files.values()):
        return Known(words, files)
    name = re.match("[a-z]*", Path(first).name)
    if name and (ending := INTERPRETERS.get(name[0])):
        return Known([first, f"trial{ending}"], {f"trial{ending}": PROGRAMS[ending]})
    return Known(["sh", "trial.sh", first], {"trial.sh": START})


def trial(kind: str, course: Course, scratch: Path) -> str:
    """Why a sandbox of this kind does not run a known program as it would run the submissions of
    the course, in a line; "" if it does.

    The folder `scratch` is made, and removed.
    """
    known = known_program(course)
    said = f"the sandbox ({kind}) cannot run {shlex.join(known.words)}: "
    folder = scratch / "program"
    engine = None
    try:
        for name, text in known.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, text)
            path.chmod(0o755)
        words = prepare(kind, known.words, folder, scratch, course.use,
                        visible(course.words[0], course.readable))
        engine = Engine(words, scratch, Limits(PATIENCE, PATIENCE))
        reply = engine.ask("name")
        if reply.text != ANSWER:
            return said + f"it answers {harmless(reply.text)!r}"
    except (OSError, Ended) as error:
        return said + harmless(failure(str(error)))
    finally:
        if engine:
            engine.end()
        shutil.rmtree(scratch, ignore_errors=True)
    return ""
