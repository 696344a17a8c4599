"""Index of summaries, so that the list of games does not read every file.

The files of the games are authoritative.  The index replaces a summary when its file has changed,
and all summaries when the database is missing or damaged.
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
MOST_AT_ONCE = 20  # summaries in one transaction


class Index:
    """The summaries of the games of a user, in a SQLite file beside the folder of the games.

    Thread-safe.
    """

    def __init__(self, path: Path, store: Store, read: Callable[[str], Game]):
        """`read` returns a game by its id or raises Refusal, see Site.game."""
        self._path, self._store, self._read = path, store, read
        self._lock = threading.Lock()
        self._connection = self._open_database()

    def games(self, search: str, most: int) -> tuple[list[dict[str, Any]], int]:
        """Search for games that contain all words of `search`.

        Returns at most `most` summaries, the last changed game first, and the number of matches.
        """
        try:
            self._refresh()
            return self._matches(search.lower().split(), most)
        except sqlite3.Error as error:
            logging.getLogger(__name__).warning("%s: %s; rebuilding the index", self._path, error)
            with self._lock:
                self._connection.close()
                self._connection = self._open_database()
            self._refresh()
            return self._matches(search.lower().split(), most)

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._connection.close()

    def _matches(self, words: list[str], most: int) -> tuple[list[dict[str, Any]], int]:
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
        # Reads games without the lock, since that may take long.
        written = self._store.names()
        with self._lock:
            indexed = dict(self._connection.execute("select id, changed from games").fetchall())
            deleted = [(id,) for id in indexed if id not in written]
            self._connection.executemany("delete from games where id = ?", deleted)
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
        # The text to search and the summary as JSON; both are empty for an unreadable game.
        try:
            summary = self._read(id).summary()
        except Refusal as refusal:
            logging.getLogger(__name__).warning("the list leaves out game %s: %s", id, refusal)
            return "", ""
        words = [summary["game"], summary["event"], summary["result"],
                 *summary["players"].values()]
        return " ".join(words).lower(), json.dumps(summary)

    def _write(self, rows: list[tuple[str, int, str, str]]) -> None:
        with self._lock:
            self._connection.executemany("replace into games values (?, ?, ?, ?)", rows)
            self._connection.commit()

    def _open_database(self) -> sqlite3.Connection:
        # Replaces a damaged file; uses a database in memory if the file cannot be written.
        for path in (self._path, self._path, Path(":memory:")):
            connection: Optional[sqlite3.Connection] = None
            try:
                connection = sqlite3.connect(path, check_same_thread=False)
                connection.execute("pragma synchronous = off")  # the index can be rebuilt
                connection.execute(TABLE)
                connection.execute("delete from games where id = ''")  # fails if read-only
                connection.commit()
                if connection.execute("pragma quick_check").fetchone()[0] == "ok":
                    return connection
                raise sqlite3.DatabaseError("damaged")
            except sqlite3.DatabaseError as error:
                if connection:
                    connection.close()
                # An OperationalError means a locked or read-only file, not a damaged one.
                if not isinstance(error, sqlite3.OperationalError):
                    with suppress(OSError):
                        self._path.unlink()
        raise RuntimeError("SQLite cannot open a database, not even in memory")
