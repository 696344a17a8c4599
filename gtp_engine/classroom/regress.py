"""Runs of test files: send the commands to an engine, compare its replies with the file."""

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

LONGEST_LINE = 4000  # characters of a reply that are stored
MOST_ERRORS, MOST_LOGGED = 100, 5000  # stored lines of standard error and of the dialogue


class Test(NamedTuple):
    """A test and its result.

    line      the line number in the test file
    id        the number of the command, or NO_ID
    expected  the pattern, or "" if any success passes
    received  the text of the reply, or the part of it that the engine sent
    passed    whether the reply matches
    known_to_fail  whether the file marks the test as failing
    seconds   until the reply
    note      the reason for a missing reply, or ""
    """

    line: int
    id: int
    command: str
    expected: str
    received: str
    passed: bool
    known_to_fail: bool
    seconds: float
    note: str = ""

    @property
    def status(self) -> str:
        """pass or fail, in capitals if unexpected."""
        word = "pass" if self.passed else "fail"
        return word.upper() if self.passed == self.known_to_fail else word


class Run(NamedTuple):
    """The results of running a test file.

    path, name, version  the path of the file; the name and version that the engine reports
    tests      the decided tests
    missed     the tests that could not be run
    errors     the number of failed commands that are not tests
    seconds    from the first to the last line
    cpu        processor time in seconds, as the engine reports it
    problem    why the file was not run to its end, or ""
    late       whether a limit is the reason
    complaints the first lines of standard error
    dialogue   the sent and received lines, each with its kind
    words      the lines of gogui-regress for the terminal
    success    whether all tests with a pattern ended as expected
    answers    the number of replies
    broken     how the sandbox failed, or ""
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
        """The number of passed tests."""
        return sum(test.passed for test in self.tests)

    def count(self, status: str) -> int:
        """The number of tests with this status."""
        return sum(test.status == status for test in self.tests)


class Task(NamedTuple):
    """A test file to run, with the engine, its folder and its limits.

    before      a file of commands to send first, or None
    long        whether to print a line for each test
    tolerances  names in testfile.TOLERANCES
    on_line     called with the kind and text of each line of the dialogue
    sandboxed   whether the words start a keeper, whose failure is not the engine's fault
    """

    path: str
    words: tuple[str, ...]
    folder: str
    limits: Limits = Limits()
    before: Optional[str] = None
    long: bool = False
    tolerances: tuple[str, ...] = ()
    on_line: Optional[Callable[[str, str], Any]] = None
    sandboxed: bool = False


def run_test(task: Task) -> Run:
    """Run a test file; return a result for any behaviour of the engine, and end its processes."""
    return _Runner(task).run()


def missed(steps: Sequence[Step], tests: Sequence[Test], problem: str) -> tuple[Test, ...]:
    """The tests that a problem left undecided, as failures."""
    decided = {test.line for test in tests}
    return tuple(_test(step, False, "", 0.0, f"not run: {problem}") for step in steps
                 if step.is_test and step.number not in decided)


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Raises TimeoutError after `seconds` seconds: some patterns take years to match.

    Works only in the main thread.
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
                            self.task.limits, self.log_line)
            cpu, begun, seconds = self.run_steps(engine, steps)
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

    def log_line(self, kind: str, line: str) -> None:
        if self.task.on_line:
            self.task.on_line(kind, line)
        if kind == ERROR:
            if len(self.complaints) == MOST_ERRORS:
                return
            self.complaints.append(line)
        if len(self.dialogue) < MOST_LOGGED:
            self.dialogue.append((kind, line[:LONGEST_LINE]))

    def run_steps(self, engine: Engine, steps: Sequence[Step]) -> tuple[float, float, float]:
        # Returns the processor time, the time at the first line, and the duration.
        if self.task.before is not None:
            self.run_setup(engine, self.task.before)
        self.name = engine.send("name").success_body
        self.version = self.optional(engine, "version")
        cpu, begun = self.cpu(engine), time.monotonic()
        for step in steps:
            self.step(engine, step)
        seconds = time.monotonic() - begun
        cpu = self.cpu(engine) - cpu
        if engine.runs():
            reply = engine.send("quit")
            if not reply.success:
                raise BadFormat(f"quit failed: {reply.body}")
        return cpu, begun, seconds

    def run_setup(self, engine: Engine, path: str) -> None:
        for step in read_test(Path(path)):
            if step.command:
                reply = engine.send(step.line)
                if not reply.success:
                    raise BadFormat(f"GTP command '{step.line}' from file {path} failed: "
                                    f"{reply.body}")

    def optional(self, engine: Engine, command: str) -> str:
        # The reply to a command that the engine need not support.
        try:
            return engine.send(command).success_body
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
            reply = engine.send(step.line)
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
            self.decide_without_pattern(step, reply, seconds)
        else:
            self.decide(step, step.expected, reply, seconds)

    def decide_without_pattern(self, step: Step, reply: Reply, seconds: float) -> None:
        # A command with a number is a test, which passes on any success.
        if step.id >= 0:
            self.tests.append(_test(step, reply.success, reply.body, seconds))
            if not reply.success:
                self.words.append(f"{step.id} unexpected FAIL"
                                  + (f": '{reply.body}'" if reply.body else ""))
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
                received[:LONGEST_LINE], passed, bool(expected and expected.known_to_fail),
                round(seconds, 4), note)
