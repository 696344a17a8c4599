"""A program behind pipes: what is read and written, how it ends, and that nothing of it is left."""

import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from gtp_engine.arena import process
from gtp_engine.arena.process import (
    LAST_WORDS,
    LINES,
    LONGEST_LINE,
    MOST_UNREAD,
    Died,
    Incoming,
    Program,
    TooLate,
    sweep,
)
from tests.engine import PATIENCE
from tests.programs import TOP, marked, until

GO = "while not os.path.exists('go'): time.sleep(0.01)"
ELSEWHERE = "import subprocess; subprocess.Popen(['sleep', '3600'], start_new_session=True); "


def python(text):
    """The command of a program in Python."""
    return shlex.join([sys.executable, "-S", "-c", f"import os, sys, time\n{text}"])


def in_time():
    return time.monotonic() + PATIENCE


@pytest.fixture
def start():
    """Starts programs; after the test they are stopped, and nothing of them is left."""
    us, programs = psutil.Process(), []
    before = us.num_fds(), threading.active_count(), us.children()

    def start(command, **options):
        programs.append(Program(command, **options))
        return programs[-1]

    yield start
    for program in programs:
        program.stop(0)
    assert (us.num_fds(), threading.active_count(), us.children()) == before
    until(lambda: not marked(os.getpid()))


WRITTEN = [  # what a program writes before it ends, the lines that are read
    (b"= A1\n\n", ["= A1", ""]),
    (b"ready\r\n\0OK\t\0\r\nhalf", ["ready", "OK", "half"]),
    (b"\xff\xc3\xa9\n", ["\ufffd\u00e9"]),
    (b"x" * 99 * LONGEST_LINE + b"\ny" + b"z" * LONGEST_LINE,
     ["x" * LONGEST_LINE, "y" + "z" * (LONGEST_LINE - 1)]),
]


@pytest.mark.parametrize("data, lines", WRITTEN)
def test_what_is_written_before_the_end_counts(data, lines, start):
    program = start(python("sys.stdout.buffer.write(bytes.fromhex(input())); sys.stdout.flush(); "
                           "os.write(2, b'one\\nout of luck\\n'); os._exit(3)"))
    program.send(data.hex())
    assert [program.receive(in_time()) for _ in lines] == lines
    for _ in range(2):
        with pytest.raises(Died, match="ended with status 3: out of luck"):
            program.receive(in_time())
    with pytest.raises(Died, match="status 3"):
        program.send("quit")
    assert list(program.errors) == ["one", "out of luck"] and not program.runs()


def test_a_program_is_gone_though_its_output_is_open(start):
    """What it has started holds the output; it is found, though it has left the group."""
    program = start(python(f"print('= A1', flush=True); {ELSEWHERE} os._exit(4)"))
    assert program.receive(in_time()) == "= A1"
    with pytest.raises(Died, match="status 4"):
        program.receive(in_time())
    assert len(marked(os.getpid())) == 1


def test_the_log_has_what_both_say(start):
    log = []
    program = start(python("line = input(); print('hm', file=sys.stderr, flush=True); print(line)"),
                    log=log.append)
    program.send("genmove b")
    assert program.receive(in_time()) == "genmove b"
    assert log == ["> genmove b", "! hm", "< genmove b"]


def test_no_more_is_taken_out_than_is_there(start):
    program = start("cat")
    assert program.waiting() == []
    with pytest.raises(TooLate):
        program.receive(0)
    program.send("a\nb\nc")
    assert program.receive(in_time()) == "a"
    with pytest.raises(TooLate):
        program.receive(time.monotonic() - 1)
    assert program.waiting() == ["b", "c"] and program.waiting() == []


def test_a_flood_is_read_no_further_than_it_is_asked_for(start):
    program = start("yes nonsense")
    assert program.receive(in_time()) == "nonsense"
    rss = psutil.Process().memory_info().rss
    for _ in range(100):
        assert len(program.waiting()) <= LINES
    program.stop(0.3)
    assert psutil.Process().memory_info().rss - rss < 32 << 20


def test_a_flood_of_errors_holds_up_nothing(start):
    """Neither the program that writes it, nor an answer beside it, nor the clock."""
    program = start(python("sys.stderr.write('nonsense\\n' * 10 ** 6); print('= A1', flush=True)\n"
                           "while True: sys.stderr.write('nonsense ' * 100 + '\\n')"))
    assert program.receive(in_time()) == "= A1"

    def long_lines():
        with pytest.raises(TooLate):
            program.receive(time.monotonic() + 0.1)
        return {*map(len, program.errors)} == {200}

    until(long_lines)
    assert len(program.errors) == LAST_WORDS


UNREAD = [  # programs that say that they are there, and do not read
    "sh -c 'echo ready; exec sleep 3600'", "sh -c 'exec 0<&-; echo ready; exec sleep 3600'"]


@pytest.mark.parametrize("command", UNREAD)
def test_input_that_is_not_read(command, start):
    """So much and no more is kept for a program."""
    program = start(command)
    assert program.receive(in_time()) == "ready"
    line, sent = "x" * 999, 0
    with pytest.raises(TooLate, match="does not read its input"):
        while sent < 100 * MOST_UNREAD:
            program.send(line)
            sent += 1000
    assert MOST_UNREAD < sent <= 3 * MOST_UNREAD


LINES_SENT = [f"{number} {'x' * 90}" for number in range(1200)]  # more than a pipe holds


def test_input_that_is_read_late(start, tmp_path):
    """What waits is written while answers are waited for, which are more than a pipe holds too."""
    program = start(python(f"{GO}\nfor line in sys.stdin: print(line + line, end='', flush=True)"),
                    folder=tmp_path)
    for line in LINES_SENT:
        program.send(line)
    (tmp_path / "go").touch()
    for line in LINES_SENT:
        assert program.receive(in_time()) == line and program.receive(in_time()) == line
    program.send("last")
    assert program.receive(in_time()) == "last"


def test_what_was_sent_is_written_before_the_end(start, tmp_path):
    program = start(python(f"{GO}\nopen('read', 'w').write(sys.stdin.read())"), folder=tmp_path)
    for line in LINES_SENT:
        program.send(line)
    (tmp_path / "go").touch()
    program.stop(PATIENCE)
    assert (tmp_path / "read").read_text().splitlines() == LINES_SENT
    assert program.ending() == "the program has ended with status 0"


def test_last_words_at_the_end(start):
    """They are read while the program leaves, however many there are."""
    program = start(python("sys.stdin.read(); sys.stderr.write('bye\\n' * 10 ** 5 + 'so long')"))
    program.stop(PATIENCE)
    assert program.ending() == "the program has ended with status 0: so long"


def test_pipes_that_were_closed_are_not_looked_at(start, monkeypatch):
    """Or waiting would keep a processor busy."""
    reads, read = [], Incoming.read
    monkeypatch.setattr(Incoming, "read", lambda self: reads.append(self) or read(self))
    program = start("sh -c 'exec 2>&-; sleep 0.2; echo ready; read line; exec >&-; sleep 0.2'")
    assert program.receive(in_time()) == "ready"
    program.stop(PATIENCE)
    assert program.ending() == "the program has ended with status 0" and len(reads) < 20


def test_who_will_not_go_is_ended(start, monkeypatch):
    """Also what it has started in its group, be it without an environment."""
    monkeypatch.setattr(process, "GRACE", 0.1)
    before = psutil.Process().children()
    program = start("""sh -c 'trap "" TERM; env -i sh -c "echo ready; exec sleep 3600" &
                              while :; do sleep 1; done'""")
    assert program.receive(in_time()) == "ready"
    started = [*{*psutil.Process().children(recursive=True)}.difference(before, *(
        each.children(recursive=True) for each in before))]
    program.stop(0)
    assert psutil.Process().children() == before
    assert program.ending() == "the program was ended by signal 9"
    psutil.wait_procs(started, PATIENCE)
    assert not any(each.is_running() for each in started)


def test_programs_in_threads():
    """Each has its own, and they do not hear those of others."""
    us = psutil.Process()
    before = us.num_fds()

    def talk(number):
        program = Program("cat")
        for turn in range(200):
            program.send(f"{number} {turn}\n")
            assert program.receive(in_time()) == f"{number} {turn}"
            assert program.receive(in_time()) == ""
        program.stop(PATIENCE)
        return program.ending()

    with ThreadPoolExecutor(8) as pool:
        assert {*pool.map(talk, range(24))} == {"the program has ended with status 0"}
    assert us.num_fds() == before
    until(lambda: not marked(os.getpid()))


def test_a_program_is_stopped_while_another_thread_listens(start):
    program = start("sh -c 'echo ready; exec sleep 3600'")
    assert program.receive(in_time()) == "ready"
    with ThreadPoolExecutor(1) as pool:
        listening = pool.submit(program.receive, in_time())
        until(listening.running)
        time.sleep(0.1)
        program.stop(0.1)
        with pytest.raises(Died, match="signal 15"):
            listening.result()
    with pytest.raises(Died):
        program.receive(in_time())
    with pytest.raises(Died):
        program.send("genmove b")


def interrupt(*args):
    raise KeyboardInterrupt


def test_an_interrupt_while_a_program_thinks(start):
    program = start("cat")
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            program.receive(in_time())
    finally:
        signal.signal(signal.SIGALRM, before)
    program.send("again")
    assert program.receive(in_time()) == "again"


def test_an_interrupt_while_a_program_is_stopped(start):
    """It is stopped the next time."""
    program = start(python("sys.stdin.read(); print('bye', file=sys.stderr, flush=True); "
                           "time.sleep(3600)"), log=interrupt)
    with pytest.raises(KeyboardInterrupt):
        program.stop(PATIENCE)
    assert program.runs()
    program.log = lambda line: None
    program.stop(0)
    assert not program.runs()


def test_programs_end_with_their_process():
    """Whose programs were not stopped, also those that have left their group."""
    out = subprocess.run(
        [sys.executable, "-c", "from gtp_engine.arena.process import Program\n"
         f"program = Program({python(ELSEWHERE + 'print(1, flush=True); time.sleep(3600)')!r})\n"
         f"program.receive({in_time()})\nimport os; print(os.getpid())"],
        cwd=TOP, capture_output=True, text=True, timeout=PATIENCE)
    assert out.stderr == ""
    until(lambda: not marked(int(out.stdout)))


def test_sweep(start):
    """What a process has left that was killed; the programs of others run on."""
    ours = start("cat")
    runner = subprocess.Popen(
        [sys.executable, "-c", "from gtp_engine.arena.process import Program\nimport time\n"
         f"program = Program({python(ELSEWHERE + 'print(1, flush=True); time.sleep(3600)')!r})\n"
         f"print(program.receive({in_time()}), flush=True); time.sleep(3600)"],
        cwd=TOP, stdout=subprocess.PIPE, text=True)
    assert runner.stdout.readline() == "1\n"
    runner.kill()
    runner.communicate()
    assert marked(runner.pid)
    sweep(runner.pid)
    until(lambda: not marked(runner.pid))
    sweep(os.getpid() // 10)
    ours.send("still here")
    assert ours.receive(in_time()) == "still here"
