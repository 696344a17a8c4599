"""The record of a game: lines of JSON during the game, SGF at its end."""

import json
import logging
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any, Callable, Optional, TextIO

from ..games.lattice import BLACK, EMPTY, WHITE
from ..games.rules import BOARD_FULL, CAPTURES, LINE, Position
from ..records.sgf import sgf_of
from ..wire.files import write_file
from ..wire.notation import COLOUR_NAMES
from .verdict import Ending, Verdict

BY_REASON = {LINE: Ending.LINE, CAPTURES: Ending.CAPTURES, BOARD_FULL: Ending.BOARD_FULL}
MOST_LINES, MOST_ERRORS = 20_000, 1_000  # lines sent or read, and lines of errors, in a record


class GameRecord:
    """The log of a game: lines of JSON, each written at once, and SGF at the end.

    Without a folder nothing is written.  After a write error the record ends with a line on
    standard error; the game goes on.

    listen       called with each line of the programs
    seconds      seconds of each move, without the opening
    search_info  search info of each move, without the opening
    """

    def __init__(self, folder: Optional[Path], listen: Optional[Callable[[str], object]] = None):
        self._file: Optional[TextIO] = None
        self.path: Optional[Path] = None
        self.listen = listen
        self.seconds: list[float] = []
        self.search_info: list[dict[str, float]] = []
        self._lines: Counter[str] = Counter()
        self._lock = threading.Lock()
        number = 1
        while folder is not None and self._file is None:
            self.path = folder / f"game-{number:04}.jsonl"
            try:
                self._file = self.path.open("x", encoding="utf-8")
            except FileExistsError:
                number += 1

    def write(self, **event: Any) -> None:
        """Add a line."""
        if self._file is None:
            return
        text = json.dumps({**event, "at": round(time.time(), 3)})
        with self._lock:
            if self._file is not None:
                try:
                    self._file.write(f"{text}\n")
                    self._file.flush()
                except OSError as error:
                    self._give_up(error)

    def line(self, colour: str, line: str) -> None:
        """Add a line of a program's pipes, prefixed with > (sent), < (read) or ! (standard error).

        The record has at most MOST_LINES lines of a kind, and MOST_ERRORS of standard error.
        """
        if self._file is None and self.listen is None:
            return
        kind = line[:1]
        self._lines[kind] += 1
        if self._lines[kind] <= (MOST_ERRORS if kind == "!" else MOST_LINES):
            try:
                if self.listen:
                    self.listen(f"{colour} {line}")
            except OSError:  # the display has gone; the game goes on
                self.listen = None
            self.write(event="line", colour=colour, line=line)

    def close(self, position: Position, names: dict[int, str], verdict: Verdict) -> None:
        """Add the verdict, and write the game as SGF into the same folder."""
        if self._file is None or self.path is None:
            return
        self.write(event="end", winner=COLOUR_NAMES.get(verdict.winner, ""),
                   ending=verdict.ending.name, verdict=verdict.text)
        data = sgf_of(position, {
            "PB": names[BLACK], "PW": names[WHITE],
            "RE": sgf_result(verdict.winner, verdict.ending), "C": verdict.text})
        with self._lock:
            try:
                if self._file is not None:
                    self._file.close()
                    self._file = None
                write_file(self.path.with_suffix(".sgf"), data)
            except OSError as error:
                self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        logging.getLogger(__name__).error("the record %s cannot be written: %s", self.path,
                                          error.strerror)
        file, self._file = self._file, None
        try:
            if file is not None:
                file.close()
        except OSError:  # for buffered lines
            pass


def sgf_result(winner: int, ending: Ending) -> str:
    """Return the result in SGF: B+, W+Time, B+Resign, W+Forfeit, 0 for a draw, Void for none."""
    if winner == EMPTY:
        return "Void" if ending == Ending.INTERRUPTED else "0"
    forfeit = {Ending.RESIGNATION: "Resign", Ending.TIME: "Time"}
    reason = forfeit.get(ending, "" if ending in BY_REASON.values() else "Forfeit")
    return f"{'B' if winner == BLACK else 'W'}+{reason}"
