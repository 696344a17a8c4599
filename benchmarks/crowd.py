"""Start many engines at once on an empty cache, and measure the memory of an engine.

    python benchmarks/crowd.py [ENGINES]

ENGINES (100) engines start together without any machine code.  Each has to reply in order, with a
move of flat and one of alphabeta, and the code of each player may be compiled only once.  100
engines take some minutes and 6 GB.  Then the benchmark prints the memory of one of four engines
after a move: RSS, and on Linux PSS, which divides shared pages among their users.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean

import psutil

ROOT = Path(__file__).parent.parent
COMPILER = "gtp_engine.kernels.machine.start_compiler"
LINES = ("1 genmove b", "2 param player alphabeta", "3 param nodes 1000", "4 genmove w", "5 quit")
REPLIES = re.compile("=1 [A-G][1-7]\n\n=2 \n\n=3 \n\n=4 [A-G][1-7]\n\n=5 \n\n")
PLAYERS = 2  # each needs the compiler once
TOGETHER = 4  # engines whose memory is measured
CASES = [  # a description, options of gomoku3.py
    ("idle, no move yet", None),
    ("flat", "--size 15"),
    *((f"alphabeta, memory {memory}, {nodes:,} moves",
       f"--size 15 --player alphabeta --memory {memory} --nodes {nodes}")
      for memory in (64, 512) for nodes in (1000, 3_000_000)),
]


def start(cache, options=""):
    """Start an engine with that cache folder."""
    return subprocess.Popen(
        [sys.executable, "gomoku3.py", *options.split()], cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=os.environ | {"XDG_CACHE_HOME": str(cache)})


def compilers_of(engines):
    """The process ids of the compilers that the engines run now."""
    parents, compilers = {engine.pid for engine in engines}, set()
    for process in psutil.process_iter(["ppid", "cmdline"]):
        if process.info["ppid"] in parents and COMPILER in (process.info["cmdline"] or ()):
            compilers.add(process.pid)
    return compilers


def crowd(count, cache):
    """Start `count` engines together with an empty cache folder.

    Returns the output and errors of each, and the number of compilers.
    """
    engines = [start(cache) for _ in range(count)]
    for engine in engines:
        engine.stdin.write("".join(f"{line}\n" for line in LINES))
        engine.stdin.flush()
    compilers = set()
    while any(engine.poll() is None for engine in engines):
        compilers |= compilers_of(engines)
        time.sleep(0.2)  # far less than a compilation takes
    return [engine.communicate() for engine in engines], len(compilers)


def memory(cache, options):
    """The mean RSS and PSS in MB of an engine after a move; options None: before any move."""
    engines = [start(cache, options or "") for _ in range(TOGETHER)]
    lines, replies = ("name\n", 1) if options is None else ("play b H8\ngenmove w\n", 2)
    for engine in engines:
        engine.stdin.write(lines)
        engine.stdin.flush()
    for engine in engines:
        for _ in range(2 * replies):
            engine.stdout.readline()
    infos = [psutil.Process(engine.pid).memory_full_info() for engine in engines]
    for engine in engines:
        engine.communicate("quit\n")
    return [mean(getattr(each, kind, float("nan")) for each in infos) / 2**20
            for kind in ("rss", "pss")]


def main():
    """Print the number of correct engines, and the table of memory."""
    count = int(sys.argv[1]) if sys.argv[1:] else 100
    with tempfile.TemporaryDirectory() as cache:
        begun = time.perf_counter()
        outputs, compilers = crowd(count, cache)
        seconds = time.perf_counter() - begun
        right = sum(REPLIES.fullmatch(answers) is not None for answers, _ in outputs)
        print(f"{right} of {count} engines answered in order, within {seconds:.0f} seconds; "
              f"{compilers} compilers for {PLAYERS} players")
        print(f"{'MB':42} RSS   PSS")
        for name, options in CASES:
            rss, pss = memory(cache, options)
            print(f"{name:40} {rss:5.0f} {pss:5.0f}", flush=True)
    return 0 if (right, compilers) == (count, PLAYERS) else 1


if __name__ == "__main__":
    sys.exit(main())
