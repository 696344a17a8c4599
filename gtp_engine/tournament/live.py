"""The running games of a tournament, in files for spectators next to the results.

Writes are atomic.  The file of a game disappears at its end.
"""

import json
import logging
import os
import shutil
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Iterator, NamedTuple

from ..games.rules import Position
from ..wire.declared import parsed, table, whole
from ..wire.files import read_at_most, remove_file, write_file
from ..wire.notation import GtpPoints
from .results import GAME, LONGEST_LINE

EVERY = 0.2  # least seconds between two writes of a game


class Running(NamedTuple):
    """A running game, with fields of results.Played.

    runner  the process id of the tournament
    """

    game: int
    first: str
    second: str
    opening: list[str]
    moves: list[str]
    runner: int


RUNNING = table({**{key: GAME[key] for key in ("game", "first", "second", "opening", "moves")},
                  "runner": whole(1 << 30, 1)})


def live_folder(results: Path) -> Path:
    """Return the folder for the running games of a tournament with this results file."""
    return results.with_suffix(".live")


@contextmanager
def live_games(results: Path) -> Iterator[Path]:
    """Create the folder for running games; remove it at the end.  Raises OSError."""
    folder = live_folder(results)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Live:
    """The file of a running game."""

    def __init__(self, folder: Path, running: Running):
        self._path, self._running = folder / f"{running.game}.json", running
        self._next = 0.0

    def show(self, position: Position) -> None:
        """Write the moves so far.  Logs the first write error, and then writes no more."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + EVERY
        name = GtpPoints(position.lattice).name
        moves = [name[record.point] for record in position.history]
        running = self._running._replace(moves=moves[len(self._running.opening):])
        try:
            write_file(self._path, json.dumps(running._asdict()))
        except OSError as error:
            self._next = float("inf")
            logging.getLogger(__name__).warning("game %d cannot be watched: %s", running.game,
                                                error)

    def close(self) -> None:
        """Remove the file at the end of the game."""
        remove_file(self._path)


def games_now(results: Path) -> list[Running]:
    """Return the running games of a tournament, by number."""
    games = []
    for path in live_folder(results).glob("*.json"):
        try:
            running = Running(**RUNNING("", parsed(read_at_most(path, LONGEST_LINE))))
            with suppress(PermissionError):  # the tournament runs under another user
                os.kill(running.runner, 0)
        except (OSError, ValueError):  # the game has just ended, or its tournament has died
            continue
        games.append(running)
    return sorted(games)
