"""Games that are being played now, in files beside that of the results, for spectators.

Each file is whole at any time, and gone when the game is over.
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

EVERY = 0.2  # seconds between two looks at a game, at least


class Running(NamedTuple):
    """A game that is being played; see results.Played.

    runner  the number of the process of its tournament
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
    """The folder of the games that are being played, of a tournament with this file of results."""
    return results.with_suffix(".live")


@contextmanager
def live_games(results: Path) -> Iterator[Path]:
    """While this lasts, there is a folder for the games that are being played.  Raises OSError."""
    folder = live_folder(results)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Live:
    """The file of a game."""

    def __init__(self, folder: Path, running: Running):
        self._path, self._running = folder / f"{running.game}.json", running
        self._next = 0.0

    def show(self, position: Position) -> None:
        """The game has come so far; what cannot be written is logged, and the game goes on."""
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
        """The game is over."""
        remove_file(self._path)


def games_now(results: Path) -> list[Running]:
    """The games of a tournament that are being played now, by number."""
    found = []
    for path in live_folder(results).glob("*.json"):
        try:
            running = Running(**RUNNING("", parsed(read_at_most(path, LONGEST_LINE))))
            with suppress(PermissionError):  # it runs, under another user
                os.kill(running.runner, 0)
        except (OSError, ValueError):  # it has just ended, or was left behind
            continue
        found.append(running)
    return sorted(found)
