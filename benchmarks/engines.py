"""Measure how fast engines of the library stop.

    python benchmarks/engines.py [--runs N] [ENGINE ...]

ENGINE is a text as for gtp_engine.Engine, such as gomocup:pbrain-rapfi; the default are players of
this package, in this process and behind pipes.  Each run stops a search of a minute.  The columns,
all in milliseconds, the median and the slowest of the runs:

stop    from stop() to the move, in another thread
await   from the timeout of asyncio.wait_for to its exception
free    from there to the end of the search behind it
kill    from kill -9 of the program to the EngineError
"""

import argparse
import asyncio
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from threading import Thread

import psutil

import gtp_engine
from gtp_engine.arena.process import MARK

TOP = Path(__file__).parent.parent
ENGINES = ["alphabeta", "flat",
           f"gtp:{sys.executable} {TOP / 'gomoku3.py'} --player alphabeta --size 15",
           f"gomocup:{sys.executable} {TOP / 'pbrain-gtpengine'}"]
TIMEOUT = 0.1


def start_position():
    """A position without a proof."""
    game = gtp_engine.Game("Gomoku", size=15)
    for move in ("E5", "F7"):
        game.play(move)
    return game


def stop_latency(engine, game, rng):
    """Seconds from a stop to the answer."""
    answered = []

    def choose():
        try:
            engine.choose(game)
        except gtp_engine.EngineError:
            pass
        answered.append(time.perf_counter())

    thread = Thread(target=choose)
    thread.start()
    time.sleep(rng.uniform(0.1, 0.5))
    begun = time.perf_counter()
    engine.stop()
    thread.join()
    return answered[0] - begun


async def await_latency(engine, game):
    """Seconds from the timeout to its exception, and from there to the end of the search."""
    begun = time.perf_counter()
    try:
        await asyncio.wait_for(engine.achoose(game), TIMEOUT)
    except asyncio.TimeoutError:
        pass
    late = time.perf_counter()
    while engine._running is not None:
        await asyncio.sleep(0.0002)
    return late - begun - TIMEOUT, time.perf_counter() - late


def kill_latency(engine, game):
    """Seconds from kill -9 to the error; None for a player of this process."""
    begun = None
    try:
        for info in engine.search(game, time=2):
            for child in psutil.Process().children() if info.move is None else ():
                with suppress(psutil.Error, OSError):
                    if child.environ().get(MARK, "").startswith(f"{os.getpid()}-"):
                        begun = time.perf_counter()
                        child.kill()
    except gtp_engine.EngineError:
        return time.perf_counter() - begun if begun else None
    return None


def column(seconds):
    """The median and the maximum in milliseconds."""
    found = [1000 * each for each in seconds if each is not None]
    return f"{median(found):6.1f} {max(found):6.1f}" if found else 13 * " "


def main():
    """Measure the engines of the command line and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("engines", nargs="*", metavar="ENGINE")
    options = parser.parse_args()
    rng, game = Random(1), start_position()
    print(f"{'stop':>13}  {'await':>13}  {'free':>13}  {'kill':>13}  engine")
    for text in options.engines or ENGINES:
        with gtp_engine.Engine(text, time=60) as engine:
            engine.choose(game, time=0.1)  # loads code
            stops = [stop_latency(engine, game, rng) for _ in range(options.runs)]
            engine.choose(game, time=0.1)
            awaits = []
            for _ in range(options.runs):
                awaits.append(asyncio.run(await_latency(engine, game)))
            kills = [kill_latency(engine, game) for _ in range(3)]
            print("  ".join([column(stops), *map(column, zip(*awaits)), column(kills), text]),
                  flush=True)


if __name__ == "__main__":
    main()
