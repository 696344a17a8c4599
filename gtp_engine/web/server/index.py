"""Summaries of all games of a user, so that a list of them does not read every game.

The files of the games are the truth: a summary is made anew when its file has changed, and all of
them when the index is missing or damaged.
"""

import json
import logging
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable, Optional

from ..fields import Refusal
from ..games import Game, Store

TABLE = """create table if not exists games (
    id text primary key, changed integer not null, words text not null, summary text not null)"""
MOST_AT_ONCE = 20  # summaries that are written together


class Index:
    """The summaries, in a file of SQLite beside the folder of the games.

    Its methods may be called by several threads.
    """

    def __init__(self, path: Path, store: Store, read: Callable[[str], Game]):
        """`read`: the game of that name, see Site.game; it raises Refusal."""
        self._path, self._store, self._read = path, store, read
        self._lock = threading.Lock()
        self._connection = self._opened()

    def games(self, search: str, most: int) -> tuple[list[dict[str, Any]], int]:
        """At most `most` summaries of games that contain all words, the last changed game
        first; and how many there are."""
        try:
            self._refresh()
            return self._found(search.lower().split(), most)
        except sqlite3.Error as error:
            logging.getLogger(__name__).warning("%s: %s; it is made anew", self._path, error)
            with self._lock:
                self._connection.close()
                self._connection = self._opened()
            self._refresh()
            return self._found(search.lower().split(), most)

    def close(self) -> None:
        """The index is not used any more."""
        with self._lock:
            self._connection.close()

    def _found(self, words: list[str], most: int) -> tuple[list[dict[str, Any]], int]:
        where = " and ".join(["summary != ''", *["instr(words, ?) > 0"] * len(words)])
        with self._lock:
            count = self._connection.execute(
                f"select count(*) from games where {where}", words).fetchone()[0]
            rows = self._connection.execute(
                f"select summary, changed from games where {where} order by changed desc limit ?",
                [*words, most]).fetchall()
        return [{**json.loads(summary), "changed": changed / 1e9}
                for summary, changed in rows], count

    def _refresh(self) -> None:
        # The lock is not held while games are read, which may take long.
        written = self._store.names()
        with self._lock:
            indexed = dict(self._connection.execute("select id, changed from games").fetchall())
            gone = [(id,) for id in indexed if id not in written]
            self._connection.executemany("delete from games where id = ?", gone)
            self._connection.commit()
        rows = []
        for id, changed in written.items():
            if indexed.get(id) != changed:
                rows.append((id, changed, *self._summary(id)))
            if len(rows) == MOST_AT_ONCE:
                self._write(rows)
                rows = []
        self._write(rows)

    def _summary(self, id: str) -> tuple[str, str]:
        # Words to search in and the summary; empty ones for a game that cannot be read.
        try:
            summary = self._read(id).summary()
        except Refusal as refusal:
            logging.getLogger(__name__).warning("the game %s is not listed: %s", id, refusal)
            return "", ""
        words = [summary["game"], summary["event"], summary["result"],
                 *summary["players"].values()]
        return " ".join(words).lower(), json.dumps(summary)

    def _write(self, rows: list[tuple[str, int, str, str]]) -> None:
        with self._lock:
            self._connection.executemany("replace into games values (?, ?, ?, ?)", rows)
            self._connection.commit()

    def _opened(self) -> sqlite3.Connection:
        # A damaged index is removed first; where nothing can be written, it is in memory.
        for path in (self._path, self._path, Path(":memory:")):
            connection: Optional[sqlite3.Connection] = None
            try:
                connection = sqlite3.connect(path, check_same_thread=False)
                connection.execute("pragma synchronous = off")  # it can be made anew
                connection.execute(TABLE)
                connection.execute("delete from games where id = ''")  # can it be written?
                connection.commit()
                if connection.execute("pragma quick_check").fetchone()[0] == "ok":
                    return connection
                raise sqlite3.DatabaseError("damaged")
            except sqlite3.DatabaseError as error:
                if connection:
                    connection.close()
                # An OperationalError: it is locked, or cannot be written.
                if not isinstance(error, sqlite3.OperationalError):
                    with suppress(OSError):
                        self._path.unlink()
        raise RuntimeError("SQLite does not work here")
