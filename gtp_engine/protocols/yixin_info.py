"""Search info for Yixin-Board during a search, and messages for its log."""

import logging
import time
from collections import deque
from typing import Iterator

from ..games.rules import Position
from ..players.base import AnalysingPlayer, Report
from ..players.openings.balanced import Line
from ..wire.notation import yixin_name, yixin_text


class Notes(logging.Handler):
    """Stores log messages for the board, which does not read standard error; errors go to both."""

    def __init__(self) -> None:
        super().__init__()
        self._messages: deque[str] = deque(maxlen=100)

    def emit(self, record: logging.LogRecord) -> None:
        """Store the message."""
        self._messages.append(record.getMessage())
        if record.levelno >= logging.ERROR and logging.lastResort:
            logging.lastResort.handle(record)

    def take(self) -> Iterator[str]:
        """The lines for the messages since the last call."""
        while self._messages:
            yield f"MESSAGE {self._messages.popleft()}"


class LiveInfo:
    """Search info of a player at work on a position, each item once.

    detail  also mark points on the board?
    """

    def __init__(self, player: AnalysingPlayer, position: Position, detail: bool):
        self._player, self._position, self._detail = player, position, detail
        self._begun, self._depth, self._best, self._root = time.monotonic(), -1, 0, 0
        self._order: Line = ()
        self._lost: set[int] = set()
        self._marks = ["REFRESH"]

    def news(self) -> Iterator[str]:
        """The lines for the changes since the last call."""
        report = self._player.report
        depth = report.figures.get("depth", -1)
        if self._detail:
            self._mark(report, depth != self._depth)
            yield from (f"MESSAGE REALTIME {mark}" for mark in self._marks)
            self._marks = []
        order = (*report.line[:1], *report.scores)
        if depth != self._depth or depth >= 0 and order != self._order:
            self._depth, self._order = depth, order
            yield from self._lines(report)

    def _mark(self, report: Report, deeper: bool) -> None:
        # Collect the marks of the changes.
        if deeper:
            self._marks += ["REFRESH", f"VAL {report.figures['score']}",
                            f"PV {self._names(report.line)}"]
        best, root = (report.line or (0,))[0], self._player.root_move
        lost = {move for move, value in report.values.items() if value == -1} - self._lost
        self._lost |= lost
        self._marks += [f"LOSE {self._text(move)}" for move in sorted(lost)]
        if best != self._best and best:
            self._best = best
            self._marks.append(f"BEST {self._text(best)}")
        if root != self._root and root in self._position.legal_moves():
            if self._root:
                self._marks.append(f"DONE {self._text(self._root)}")
            self._root = root
            self._marks.append(f"POS {self._text(root)}")

    def _lines(self, report: Report) -> Iterator[str]:
        # One line for the depth, and a numbered line for each of several moves.
        seconds, nodes = time.monotonic() - self._begun, report.figures.get("nodes", 0)
        value = self._player.score_text
        yield (f"MESSAGE depth {self._depth} value {value(report.figures['score'])} "
               f"line {self._names(report.line)} nodes {nodes} "
               f"speed {round(nodes / max(seconds, 0.001))} time {round(1000 * seconds)} ms")
        if len(report.scores) > 1:
            for number, (move, score) in enumerate(report.scores.items(), 1):
                yield (f"MESSAGE ({number}) value {value(score)} "
                       f"line {self._names(report.lines[move])}")

    def _text(self, point: int) -> str:
        return yixin_text(self._position.lattice, point)

    def _names(self, line: Line) -> str:
        return " ".join(yixin_name(self._position.lattice, point) for point in line)
