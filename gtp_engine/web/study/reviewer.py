"""The review of a game, in a process of its own with helpers, for the board in the browser.

The first line of standard input has the game and the effort of the review; `pause` and `resume` may
follow.  Lines on standard output have the progress and the new or changed moves; the last one has
`finished` or `failed`.  The process ends with its input.
"""

import logging
import multiprocessing
import os
import threading
from collections import deque
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, Callable, Iterable, Iterator, Mapping

from ...command_line.terminal import import_error_text
from ...games.rules import COLOURS
from ...games.tree import GameTree
from ...learn.analysis import Analysis, Effort, Task, analysis_of, load_analysis
from ...learn.program import end_with_parent
from ...learn.review import JudgedMove, Review, played_moves, reviewing
from ...wire.streams import standard_streams, write_all
from ..pipe import encode, messages
from .judged import row_of

AHEAD = 2  # submitted positions for each helper


class Reviewer:
    """Reviews the game of the first line; several threads analyse its positions.

    going  an event, clear during a pause
    """

    def __init__(self, request: Mapping[str, Any], say: Callable[..., None], threads: Executor,
                 analyse: Callable[[Task], Analysis], ahead: int):
        self.tree = GameTree.of_data(request["tree"])
        self.effort = Effort(**request["effort"])
        self.going = threading.Event()
        self.going.set()
        self._say, self._threads, self._analyse, self._ahead = say, threads, analyse, ahead
        self._done = self._of = self._rounds = 0
        self._sent: dict[int, JudgedMove] = {}  # by ply

    def review(self) -> None:
        """Run the review and send its results.  Raises ValueError if there is no move."""
        played, totals = played_moves(self.tree), dict[str, Any]()
        for current in reviewing(self.tree, self.effort, self._search):
            fresh = [move for move in current.moves if self._sent.get(move.ply) != move]
            self._sent.update((move.ply, move) for move in fresh)
            totals = summary(current)
            self._tell([row_of(move, played[move.ply - 1]) for move in fresh],
                       {**totals, "moments": sorted(totals["moments"])})  # sorted by ply
        self._tell([], totals)
        self._say(finished=True)

    def _tell(self, rows: list[dict[str, Any]], totals: dict[str, Any]) -> None:
        self._say(done=self._done, of=self._of, is_deeper=self._rounds > 1, rows=rows, **totals)

    def _search(self, tasks: list[Task]) -> Iterator[Analysis]:
        # Submits only a few positions at a time, so that a pause soon takes effect.
        self._done, self._of, self._rounds = 0, len(tasks), self._rounds + 1
        rest, futures = iter(tasks), deque[Future[Analysis]]()
        while True:
            self.going.wait()
            futures += (self._threads.submit(self._analyse, task)
                        for task in islice(rest, self._ahead - len(futures)))
            if not futures:
                return
            analysis = futures.popleft().result()
            self._done += 1
            yield analysis

    def listen(self, requests: Iterable[Mapping[str, Any]]) -> None:
        """Handle the requests to pause and resume, until the input ends."""
        for request in requests:
            if request["do"] == "pause":
                self.going.clear()
            else:
                self.going.set()


def summary(review: Review) -> dict[str, Any]:
    """The accuracy and the counts of both sides, Black first, and the key moments of the game."""
    return {"accuracy": [review.accuracy(colour) for colour in COLOURS],
            "counts": [review.counts(colour) for colour in COLOURS],
            "moments": [move.ply for move in review.moments()]}


class Helpers:
    """Processes that analyse positions, one for each thread that calls `analysis_of`."""

    def __init__(self) -> None:
        self._own = threading.local()

    def analysis_of(self, task: Task) -> Analysis:
        """Analyse a position in the process of this thread.  Raises EOFError if it has ended."""
        if not hasattr(self._own, "pipe"):
            context = multiprocessing.get_context("spawn")
            self._own.pipe, other = context.Pipe()
            context.Process(target=serve_pipe, args=(other,), daemon=True).start()
            other.close()
        self._own.pipe.send(task)
        analysis: Analysis = self._own.pipe.recv()
        return analysis


def serve_pipe(pipe: Connection) -> None:
    """Analyse the positions from a pipe; the process ends with its parent."""
    end_with_parent()
    with suppress(EOFError):
        while True:
            pipe.send(analysis_of(pipe.recv()))


def main() -> None:
    """Review the game of the first line of the input."""
    source, sink = standard_streams()
    requests = messages(source)
    request = next(requests, None)
    if not request:
        return

    def say(**message: Any) -> None:
        write_all(sink, encode(message))

    threads, helpers = os.cpu_count() or 1, Helpers()
    reviewer = Reviewer(request, say, ThreadPoolExecutor(threads), helpers.analysis_of,
                        AHEAD * threads)

    def work() -> None:
        try:
            load_analysis(reviewer.tree.rules)
            reviewer.review()
        except ValueError as error:
            say(failed=str(error))
        except ImportError as error:
            say(failed=import_error_text(error))
        except Exception:
            logging.getLogger(__name__).exception("while reviewing")
            say(failed="internal error")

    threading.Thread(target=work, daemon=True).start()
    reviewer.listen(requests)
    os._exit(0)  # without waiting for helpers


if __name__ == "__main__":
    main()
