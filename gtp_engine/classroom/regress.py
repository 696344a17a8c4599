"""A test file is run: the commands are sent to an engine, the replies held against the file."""

import math
import signal
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple, Optional, Sequence

from .dialogue import ERROR, Ended, Engine, Limits, Reply
from .sandbox import failure
from .testfile import BadFormat, Expected, Step, read_test

LONGEST_SHOWN = 4000  # letters of a reply that are kept
MOST_ERRORS, MOST_LOGGED = 100, 5000  # lines of standard error, and of the dialogue


class Test(NamedTuple):
    """A test and its result.

    line      of the test file
    id        the number of the command, NO_ID if it has none
    expected  the pattern, "" if the command must only not fail
    received  the text of the reply, or what had come of it
    passed    whether it was as expected
    known     whether it was known to fail
    seconds   until the reply was there
    note      why there was no reply, "" if there was one
    """

    line: int
    id: int
    command: str
    expected: str
    received: str
    passed: bool
    known: bool
    seconds: float
    note: str = ""

    @property
    def status(self) -> str:
        """pass or fail, in capitals if that was not expected."""
        word = "pass" if self.passed else "fail"
        return word.upper() if self.passed == self.known else word


class Run(NamedTuple):
    """What came of running a test file.

    path, name, version  of the file; of the engine, as it says
    tests      those that were decided
    missed     those that could not be run
    errors     commands beside the tests that have failed
    seconds    from the first to the last line
    cpu        seconds of the processor, as the engine says
    problem    why the file was not run to its end, or "" if it was
    late       whether a limit is the reason
    complaints what stands on standard error, the first lines
    dialogue   the lines that were sent and read, each with its kind
    words      lines for the terminal, as gogui-regress prints them
    success    whether all tests were decided as expected, but for those without a pattern
    answers    how many commands the engine has answered
    broken     how the sandbox failed in which the engine ran, "" if it did not
    """

    path: str
    name: str
    version: str
    tests: tuple[Test, ...]
    missed: tuple[Test, ...]
    errors: int
    seconds: float
    cpu: float
    problem: str
    late: bool
    complaints: tuple[str, ...]
    dialogue: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    success: bool
    answers: int = 0
    broken: str = ""

    @property
    def passed(self) -> int:
        """How many tests have passed."""
        return sum(test.passed for test in self.tests)

    def count(self, status: str) -> int:
        """How many tests have this status."""
        return sum(test.status == status for test in self.tests)


class Task(NamedTuple):
    """A test file to be run: by which engine, in which folder, within which limits.

    before      a file of commands that are sent first, if there is one
    long        whether there is a line for each test
    tolerances  names in testfile.TOLERANCES
    sandboxed   whether the words start a keeper, whose own end is no fault of the engine
    """

    path: str
    words: tuple[str, ...]
    folder: str
    limits: Limits = Limits()
    before: Optional[str] = None
    long: bool = False
    tolerances: tuple[str, ...] = ()
    listen: Optional[Callable[[str, str], Any]] = None
    sandboxed: bool = False


def run_test(task: Task) -> Run:
    """Run a test file.  Whatever the engine does, there is a result; nothing of it is left."""
    return _Runner(task).run()


def missed(steps: Sequence[Step], tests: Sequence[Test], problem: str) -> tuple[Test, ...]:
    """The tests that were not decided because of a problem, as failures."""
    decided = {test.line for test in tests}
    return tuple(_test(step, False, "", 0.0, f"not run: {problem}") for step in steps
                 if step.is_test and step.number not in decided)


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in what takes longer: there are replies that patterns take years for.

    Only the main thread can be interrupted so.
    """
    if seconds == math.inf or threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Runner:
    def __init__(self, task: Task):
        self.task = task
        self.name = self.version = ""
        self.tests: list[Test] = []
        self.errors, self.success = 0, True
        self.complaints: list[str] = []
        self.dialogue: list[tuple[str, str]] = []
        self.words: list[str] = []

    def run(self) -> Run:
        steps: list[Step] = []
        problem, broken, late, cpu, begun = "", "", False, 0.0, time.monotonic()
        engine = None
        try:
            steps = read_test(Path(self.task.path))
            engine = Engine(self.task.words, Path(self.task.folder),
                            self.task.limits, self.hear)
            cpu, begun, seconds = self.talk(engine, steps)
            engine.leave()
        except BadFormat as bad:
            problem = str(bad)
        except Ended as ended:
            problem, late = str(ended), ended.limit
            if self.task.sandboxed and (ended.signal or engine is None):
                broken = problem = failure(problem)
        finally:
            if engine is not None:
                engine.end()
        if problem:
            seconds = time.monotonic() - begun
        return Run(self.task.path, self.name, self.version, tuple(self.tests),
                   missed(steps, self.tests, problem), self.errors, seconds, cpu, problem, late,
                   tuple(self.complaints), tuple(self.dialogue), tuple(self.words), self.success,
                   engine.answers if engine else 0, broken)

    def hear(self, kind: str, line: str) -> None:
        if self.task.listen:
            self.task.listen(kind, line)
        if kind == ERROR:
            if len(self.complaints) == MOST_ERRORS:
                return
            self.complaints.append(line)
        if len(self.dialogue) < MOST_LOGGED:
            self.dialogue.append((kind, line[:LONGEST_SHOWN]))

    def talk(self, engine: Engine, steps: Sequence[Step]) -> tuple[float, float, float]:
        # Returns the seconds of the processor, when the first line was sent, and the time since.
        if self.task.before is not None:
            self.prepare(engine, self.task.before)
        self.name = engine.ask("name").shown_success
        self.version = self.optional(engine, "version")
        cpu, begun = self.cpu(engine), time.monotonic()
        for step in steps:
            self.step(engine, step)
        seconds = time.monotonic() - begun
        cpu = self.cpu(engine) - cpu
        if engine.runs():
            reply = engine.ask("quit")
            if not reply.success:
                raise BadFormat(f"quit failed: {reply.shown}")
        return cpu, begun, seconds

    def prepare(self, engine: Engine, path: str) -> None:
        for step in read_test(Path(path)):
            if step.command:
                reply = engine.ask(step.line)
                if not reply.success:
                    raise BadFormat(f"GTP command '{step.line}' from file {path} failed: "
                                    f"{reply.shown}")

    def optional(self, engine: Engine, command: str) -> str:
        # The text of a reply that need not be there.
        try:
            return engine.ask(command).shown_success
        except Ended as ended:
            if ended.limit:
                raise
            return ""

    def cpu(self, engine: Engine) -> float:
        try:
            return float(self.optional(engine, "cputime"))
        except ValueError:
            return 0.0

    def step(self, engine: Engine, step: Step) -> None:
        if not step.command:
            if step.fault:
                raise BadFormat(step.fault)
            return
        begun = time.monotonic()
        try:
            reply = engine.ask(step.line)
        except Ended as ended:
            if step.is_test:
                seconds = time.monotonic() - begun
                self.tests.append(_test(step, False, ended.part, seconds, str(ended)))
            raise ended if ended.limit else Ended(f"Program died: {ended}", False,
                                                  signal=ended.signal) from None
        seconds = time.monotonic() - begun
        if step.fault:
            raise BadFormat(step.fault)
        if step.expected is None:
            self.decide_plain(step, reply, seconds)
        else:
            self.decide(step, step.expected, reply, seconds)

    def decide_plain(self, step: Step, reply: Reply, seconds: float) -> None:
        # Nothing is expected; a command with a number is a test that passes unless it fails.
        if step.id >= 0:
            self.tests.append(_test(step, reply.success, reply.shown, seconds))
            if not reply.success:
                self.words.append(f"{step.id} unexpected FAIL"
                                  + (f": '{reply.shown}'" if reply.shown else ""))
        elif not reply.success:
            self.errors += 1

    def decide(self, step: Step, expected: Expected, reply: Reply, seconds: float) -> None:
        limit, note = self.task.limits.seconds_per_command, ""
        try:
            with interrupted_after(limit):
                passed = reply.success and expected.fits(reply.text, self.task.tolerances)
        except TimeoutError:
            passed, note = False, f"the pattern was not decided within {limit:g} seconds"
        except ValueError as error:
            raise BadFormat(f"{self.task.path}: {error}") from None
        test = _test(step, passed, reply.text, seconds, note)
        self.tests.append(test)
        self.success &= test.status != "FAIL"
        difference = f"Correct '{expected.text}', got '{reply.text}'"
        long, brief = {"FAIL": (f"FAILED: {difference}", f"unexpected FAIL: {difference}"),
                       "fail": (f"failed: {difference}", ""),
                       "PASS": ("PASSED", "unexpected PASS!"),
                       "pass": ("passed", "")}[test.status]
        if self.task.long or brief:
            self.words.append(f"{step.id} {long if self.task.long else brief}")


def _test(step: Step, passed: bool, received: str, seconds: float, note: str = "") -> Test:
    expected = step.expected
    return Test(step.number, step.id, step.command, expected.text if expected else "",
                received[:LONGEST_SHOWN], passed, bool(expected and expected.known_to_fail),
                round(seconds, 4), note)
