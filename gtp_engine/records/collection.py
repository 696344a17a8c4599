"""Collections of games: a SQLite file with an index of positions.

Positions that are equal by a symmetry of the board count as one.  A row of the index is a move of a
game: the key of the position before it, see `keys`, the point in the canonical image and the result
for the side that moved.  Positions of many games have their sums in a table of their own, so that
their answers need not count the rows.

Games are committed in batches.  A run that was killed continues after the last batch, and other
processes can read while one writes.
"""

import hashlib
import re
import sqlite3
import threading
from array import array
from itertools import islice
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, PASS, WHITE, Size, as_size, size_data
from ..games.opening_rules import name_of
from ..games.rules import Position, Rules
from ..games.symmetry import row_length
from ..games.tree import ROOT, GameTree
from .keys import Images, PositionKeys
from .moves import text_of
from .reader import game_files, read, read_named
from .record import PLAIN, Record

SUFFIX = ".games"  # of the files of collections
VERSION = 1
MOST_MOVES = 1 << 19  # moves in a batch
MANY = 2000  # games from which a position has its sums stored
SOME = 100  # games of a position in a batch from which the sums are looked at
END = PASS * 4 + 3  # the move in the row of a game's last position
UNKNOWN = 3  # result of a move in a game without one; else 0, 1, 2: lost, drawn, won
HEADERS = ("black", "white", "event", "date", "result", "rule", "opening", "moves")
SCHEMA = (
    """create table files (id integer primary key, path text unique, size integer,
        changed integer, games integer, complete integer, format text)""",
    """create table kinds (id integer primary key, rules text, size integer, games integer,
        unique (rules, size))""",
    "create table games (id integer primary key, file integer, number integer, kind integer, "
    + "".join(f"{name} text, " for name in HEADERS) + "year integer)",
    """create table moves (key integer, move integer, game integer, value integer,
        primary key (key, move, game)) without rowid""",
    """create table sums (key integer, move integer, games integer, value integer, valued integer,
        first integer, last integer, primary key (key, move)) without rowid""",
    "create index games_of_files on games (file)",
    f"pragma user_version = {VERSION}")
COUNT = f"""select move, count(*), sum(value), count(value), min(year), max(year) from moves
    left join games on games.id = moves.game where key = ? and move != {END} group by move"""
FOUND = "games.id, coalesce(path, ''), number, kinds.rules, kinds.size, " + ", ".join(HEADERS)
WORDS = "lower(black || ' ' || white || ' ' || event || ' ' || opening || ' ' || date)"
TABLES = """games join kinds on kinds.id = games.kind
    left join files on files.id = games.file"""
Adder = Callable[[Path], Iterator["Game"]]


class Game(NamedTuple):
    """A game to add to a collection.

    position  the position at its end, with the history
    winner    BLACK, WHITE, EMPTY for a draw, or None without a result
    values    the values for Black after each record of the history, or None
    headers   facts about the game, as in `GameTree.info`
    """

    position: Position
    winner: Optional[int] = None
    values: Sequence[Optional[float]] = ()
    headers: Mapping[str, str] = {}


class Answer(NamedTuple):
    """An answer of games to a position.

    points  one point, or all points that are equal by symmetries of the position, in point order
    games   the number of games; `won`, `drawn` and `lost` count those with a result, for the side
            that answered
    value   the mean value after the answer, for that side, from -1 (lost) to 1 (won), or None
    remark  a text from another source than the games, or ""
    years   the first and the last year of the games, or None
    """

    points: tuple[int, ...]
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    value: Optional[float] = None
    remark: str = ""
    years: Optional[tuple[int, int]] = None

    @property
    def score(self) -> Optional[float]:
        """The share of points, from 0 to 1, in games with a result; None without such games."""
        decided = self.won + self.drawn + self.lost
        return (self.won + self.drawn / 2) / decided if decided else None

    def data(self, names: Mapping[int, Any]) -> dict[str, Any]:
        """The answer in the types of JSON, with these names or numbers of points."""
        return {**self._asdict(), "points": [names[point] for point in self.points],
                "years": list(self.years) if self.years else None, "score": self.score}


class Found(NamedTuple):
    """A game that a search has found.

    number  the number of the game in its file, from 1
    moves   as in h8i9h7, with a column I; "" for games with passes or set-up stones
    """

    id: int
    path: str
    number: int
    rules: str
    size: Size
    black: str
    white: str
    event: str
    date: str
    result: str
    rule: str
    opening: str
    moves: str


class Collection:
    """Games in a SQLite file, or in memory.  Thread-safe."""

    def __init__(self, path: Union[str, Path] = ":memory:"):
        """Open a collection, or create it.

        Raises OSError if the file cannot be opened, and ValueError if it is no collection.
        """
        self.path = str(path)
        self._lock = threading.RLock()
        self._keys: dict[int, PositionKeys] = {}
        self._kinds: dict[tuple[str, Size], int] = {}
        self._pending = _columns()
        try:
            self._db = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
            version = self._db.execute("pragma user_version").fetchone()[0]
            if version not in (0, VERSION) or version == 0 and self._db.execute(
                    "select count(*) from sqlite_master").fetchone()[0]:
                raise ValueError(f"{path}: not a collection of this version")
            if version == 0:
                self._db.execute("pragma journal_mode = wal")
                self._db.execute("begin")
                for statement in SCHEMA:
                    self._db.execute(statement)
                self._db.execute("commit")
            self._db.execute("pragma synchronous = normal")
            self._db.create_function("lower", 1, str.lower, deterministic=True)  # not only ASCII
            self._db.execute("pragma cache_size = -65536")
        except sqlite3.OperationalError as error:
            raise OSError(f"{path}: {error}") from None
        except sqlite3.DatabaseError:
            raise ValueError(f"{path}: not a collection") from None
        self._writes = False

    def close(self) -> None:
        """Commit and close the file."""
        with self._lock:
            self.commit()
            self._db.close()

    def __enter__(self) -> "Collection":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- adding games -------------------------------------------------------------------------

    def index(self, paths: Iterable[Path], game: Optional[Rules] = None,
              size: Optional[Size] = None, letters: Optional[str] = None,
              others: Mapping[str, Adder] = {}) -> Iterator[tuple[str, list[str], str]]:
        """Add the games of new and changed files; yield a name, notes and an error where there are.

        others  by suffix, readers of files that are no records
        Yields ("", [], "") after each file.  Raises OSError if a file or folder does not exist.
        """
        for path in game_files(paths, tuple(others)):
            stat = path.stat()
            state = str(path.resolve()), stat.st_size, stat.st_mtime_ns
            row = self._one("select id, size, changed, games, complete from files where path = ?",
                            state[0])
            if row and row[1:3] == state[1:] and row[4]:
                yield "", [], ""
                continue
            done = 0
            if row and row[1:3] == state[1:]:
                file, done = row[0], row[3]
            else:
                file = self._new_file(row and row[0], state)
            yield from self._index_file(path, file, done, game, size, letters,
                                        others.get(path.suffix.lower()))
            yield "", [], ""
        self.commit()

    def _new_file(self, old: Optional[int], state: tuple[str, int, int]) -> int:
        with self._lock:
            self._begin()
            if old is not None:
                self._remove([id for id, in self._db.execute(
                    "select id from games where file = ?", (old,))])
                self._db.execute("delete from files where id = ?", (old,))
            return int(self._db.execute(
                "insert into files (path, size, changed, games, complete, format) "
                "values (?, ?, ?, 0, 0, '')", state).lastrowid or 0)

    def _index_file(self, path: Path, file: int, done: int, game: Optional[Rules],
                    size: Optional[Size], letters: Optional[str], other: Optional[Adder]
                    ) -> Iterator[tuple[str, list[str], str]]:
        number, format, complete = 0, "", True
        if other:
            try:
                for number, each in enumerate(other(path), 1):
                    if number > done:
                        self._add(each, file, number)
            except (OSError, ValueError) as error:
                complete = False
                yield str(path), [], getattr(error, "strerror", None) or str(error)
        else:
            for number, (name, record) in enumerate(read_named(path, game, size, letters), 1):
                format = record.format or format
                if number <= done:
                    continue
                if record.error or record.notes:
                    yield name, record.notes, record.error
                if not record.format:  # the file cannot be read further; the next run tries again
                    number, complete = number - 1, False
                    break
                if not record.error:
                    self._add_record(record, file, number)
                if len(self._pending[0]) >= MOST_MOVES:
                    with self._lock:
                        self._begin()
                        self._db.execute("update files set games = ?, format = ? where id = ?",
                                         (number, format, file))
                    self.commit()
        with self._lock:
            self._begin()
            self._db.execute(
                "update files set games = ?, format = ?, complete = ? where id = ?",
                (number, format, complete, file))

    def _add_record(self, record: Record, file: int, number: int) -> None:
        if record.library:
            self._add_library(record.tree, file, number)
        else:
            tree, position = record.tree, record.end or record.position
            winner = position.outcome.winner if position.outcome else record.winner
            self._add(Game(position, winner, values_of(tree, tree.line(ROOT)), tree.info), file,
                      number)

    def add(self, game: Game) -> int:
        """Add a game; return its number in the collection, for `remove`."""
        return self._add(game, None, 0)

    def _add(self, game: Game, file: Optional[int], number: int) -> int:
        position, headers = game.position, game.headers
        with self._lock:
            kind = self._kind(position.rules, position.lattice.display_size)
            keys, points = self._keys[kind].of_history(position)
            id = self._add_game(kind, file, number, headers, game.winner, position)
            values = [*game.values, *[None] * (len(position.history) - len(game.values))]
            for key, point, record, value in zip(
                    (keys ^ salt(kind)).view(np.int64).tolist(), points.tolist(),
                    position.history, values):
                if record.point == PASS:
                    continue
                result = UNKNOWN if game.winner is None else 1 if game.winner == EMPTY else (
                    2 if game.winner == record.colour else 0)
                sign = 1 if record.colour == BLACK else -1
                self._push(key, point * 4 + result, id, None if value is None else sign * value)
            self._push(self._key(position, kind)[0], END, id, None)
        return id

    def _add_library(self, tree: GameTree, file: int, number: int) -> None:
        # Each node is an answer to the position of its parent; equal ones count once.
        with self._lock:
            kind = self._kind(tree.rules, tree.size)
            position = catalogue.start(tree.rules, tree.size)
            id = self._add_game(kind, file, number, tree.info, None, position)
            keys, added = self._keys[kind], set()
            walk = keys.walk(tree)
            for key, point in walk:
                code = (key ^ int(salt(kind)), point)
                if code not in added:
                    added.add(code)
                    self._push(signed(code[0]), point * 4 + UNKNOWN, id, None)

    def _push(self, key: int, move: int, game: int, value: Optional[float]) -> None:
        for column, cell in zip(self._pending, (
                key, move, game, NO_VALUE if value is None else round(1000 * value))):
            column.append(cell)

    def _add_game(self, kind: int, file: Optional[int], number: int, headers: Mapping[str, str],
                  winner: Optional[int], position: Position) -> int:
        date = headers.get("date", "")
        year = re.search("[12][0-9]{3}", date)
        result = {BLACK: "B+", WHITE: "W+", EMPTY: "0", None: headers.get("result", "")}[winner]
        self._begin()
        self._db.execute("update kinds set games = games + 1 where id = ?", (kind,))
        return int(self._db.execute(
            "insert into games (file, number, kind, black, white, event, date, year, result, rule, "
            "opening, moves) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (
                file, number, kind, headers.get("black", ""), headers.get("white", ""),
                headers.get("event", ""), date, int(year[0]) if year else None, result,
                headers.get("rule", ""), headers.get("opening", "") or renju_opening(position),
                moves_text(position))).lastrowid or 0)

    def remove(self, number: int) -> None:
        """Remove a game by its number, see `add`."""
        with self._lock:
            self.commit()
            self._begin()
            self._remove([number])
            self.commit()

    def _remove(self, games: Sequence[int]) -> None:
        self._store()
        self._db.execute("create temp table if not exists removed (game integer primary key)")
        self._db.execute("delete from removed")
        self._db.executemany("insert into removed values (?)", [(game,) for game in games])
        touched = self._db.execute(
            "select distinct key from moves where game in (select game from removed) "
            "and key in (select key from sums)").fetchall()
        self._db.execute("delete from moves where game in (select game from removed)")
        for kind, count in self._db.execute(
                "select kind, count(*) from games where id in (select game from removed) "
                "group by kind").fetchall():
            self._db.execute("update kinds set games = games - ? where id = ?", (count, kind))
        self._db.execute("delete from games where id in (select game from removed)")
        self._sum_up([key for key, in touched])

    def commit(self) -> None:
        """Write all games that were added to the file."""
        with self._lock:
            self._store()
            if self._writes:
                self._db.execute("commit")
                self._writes = False

    def _begin(self) -> None:
        if not self._writes:
            self._db.execute("begin immediate")
            self._writes = True

    def _store(self) -> None:
        # Writes the pending moves in the order of their keys, and the sums of frequent positions.
        keys, moves, games, values = (np.array(column) for column in self._pending)
        self._pending = _columns()
        if not len(keys):
            return
        self._begin()
        order = np.lexsort((games, moves, keys))
        for start in range(0, len(order), 1 << 16):
            part = order[start:start + (1 << 16)]
            self._db.executemany("insert or ignore into moves values (?, ?, ?, ?)", zip(
                keys[part].tolist(), moves[part].tolist(), games[part].tolist(),
                (None if value == NO_VALUE else value for value in values[part].tolist())))
        frequent, counts = np.unique(keys, return_counts=True)
        stored = {key for key, in self._db.execute("select distinct key from sums")}
        self._sum_up([key for key, count in zip(frequent.tolist(), counts.tolist())
                      if count >= SOME or key in stored])

    def _sum_up(self, keys: Iterable[int]) -> None:
        for key in keys:
            self._db.execute("delete from sums where key = ?", (key,))
            count = self._db.execute("select count(*) from moves where key = ?", (key,)).fetchone()
            if count[0] >= MANY:
                self._db.executemany("insert into sums values (?, ?, ?, ?, ?, ?, ?)", [
                    (key, *row) for row in self._db.execute(COUNT, (key,)).fetchall()])

    # --- questions ----------------------------------------------------------------------------

    def answers(self, position: Position) -> list[Answer]:
        """The answers of the games to a position, the most frequent first; none after the end."""
        kind = self._kind_of(position)
        if position.outcome or kind is None:
            return []
        with self._lock:
            self._store()
            key, images = self._key(position, kind)
            rows = self._db.execute(
                "select move, games, value, valued, first, last from sums where key = ?", (key,)
            ).fetchall() or self._db.execute(COUNT, (key,)).fetchall()
        return sorted(_answers(rows, images), key=lambda answer: (-answer.games, answer.points))

    def search(self, position: Optional[Position] = None, player: str = "", event: str = "",
               year: Optional[int] = None, result: str = "", opening: str = "", rule: str = "",
               most: int = 50, skip: int = 0, words: str = "") -> tuple[list[Found], int]:
        """Find games; return at most `most` of them after the first `skip`, and their number.

        position  games that reach it, up to symmetry
        result    as in SGF: B+, W+ or 0
        words     each occurs in the players, the event, the opening or the date
        The other texts are parts of the headers, in any case.
        """
        where: list[str] = ["1"]
        values: list[Any] = []
        if position is not None:
            kind = self._kind_of(position)
            if kind is None:
                return [], 0
            where.append("games.id in (select game from moves where key = ?)")
            values.append(self._key(position, kind)[0])
        if player:
            where.append("(instr(lower(black), ?) or instr(lower(white), ?))")
            values += 2 * [player.lower()]
        for column, text in (("event", event), ("opening", opening), ("rule", rule)):
            if text:
                where.append(f"instr(lower({column}), ?)")
                values.append(text.lower())
        for word in words.lower().split():
            where.append(f"instr({WORDS}, ?)")
            values.append(word)
        if year is not None:
            where.append("year = ?")
            values.append(year)
        if result:
            where.append("result like ?")
            values.append(f"{result}%")
        condition = " and ".join(where)
        with self._lock:
            self._store()
            count = self._db.execute(f"select count(*) from games where {condition}",
                                     values).fetchone()[0]
            rows = self._db.execute(
                f"select {FOUND} from {TABLES} where {condition} "
                "order by games.id desc limit ? offset ?",
                [*values, most, skip]).fetchall()
        return [_found(row) for row in rows], count

    def record(self, id: int) -> Record:
        """Read a game again, by its `Found.id`, from its file.

        A file that is no record, such as results of a tournament, is not read: the game is then
        that of `Found.moves`.
        Raises KeyError if there is no such game, OSError if the file cannot be read, and ValueError
        if it has changed.
        """
        with self._lock:
            self._store()
            row = self._one(f"select {FOUND}, coalesce(format, ''), files.size, changed "
                            f"from {TABLES} where games.id = ?", id)
        if row is None:
            raise KeyError(id)
        *cells, format, size, changed = row
        found = _found(cells)
        rules, path, number = catalogue.find(found.rules), Path(found.path), found.number
        if not format:
            record = next(read(found.moves.encode(), rules, found.size, PLAIN, quiet=True))
            headers = {name: getattr(found, name) for name in HEADERS if name != "moves"}
            record.tree.info.update((name, text) for name, text in headers.items() if text)
            return record
        stat = path.stat()
        if (stat.st_size, stat.st_mtime_ns) != (size, changed):
            raise ValueError("the file has changed")
        records = read(path, rules, found.size, quiet=True, skip=number - 1)
        game = next(islice(records, number - 1, None), None)
        if game is None or game.error:
            raise ValueError(game.error if game else "the file has changed")
        return game

    def formats(self) -> set[str]:
        """The formats of the files of records, see `Record.format`."""
        with self._lock:
            rows = self._db.execute("select distinct format from files where format != ''")
            return {format for format, in rows}

    def kinds(self) -> dict[tuple[Rules, Size], int]:
        """The number of games by rules and size, the most frequent first."""
        with self._lock:
            rows = self._db.execute("select rules, size, games from kinds where games > 0 "
                                    "order by games desc, id").fetchall()
        return {(catalogue.find(rules), as_size(size)): games for rules, size, games in rows}

    def _one(self, query: str, *values: Any) -> Any:
        with self._lock:
            return self._db.execute(query, values).fetchone()

    def _kind(self, rules: Rules, size: Size) -> int:
        # The number of a kind of games, which is added if it is new.  Raises ValueError.
        number = self._kinds.get((rules.name, size))
        if number is None:
            row = self._one("select id from kinds where rules = ? and size = ?", rules.name,
                            size_data(size))
            if row is None:
                if catalogue.find(rules.name) != rules:
                    raise ValueError(f"the rules differ from those of the game {rules.name}")
                self._begin()
                self._db.execute("insert into kinds (rules, size, games) values (?, ?, 0)",
                                 (rules.name, size_data(size)))
                return self._kind(rules, size)
            self._kinds[rules.name, size] = number = int(row[0])
            lattice = catalogue.start(rules, size).lattice
            self._keys[number] = PositionKeys(lattice, row_length(rules))
        return number

    def _kind_of(self, position: Position) -> Optional[int]:
        rules, size = position.rules, position.lattice.display_size
        with self._lock:
            if (rules.name, size) in self._kinds or self._one(
                    "select 1 from kinds where rules = ? and size = ?", rules.name,
                    size_data(size)):
                return self._kind(rules, size)
            return None

    def _key(self, position: Position, kind: int) -> tuple[int, Images]:
        key, images = self._keys[kind].of_position(position)
        return signed(key ^ int(salt(kind))), images


NO_VALUE = -(1 << 15)


def _found(cells: Sequence[Any]) -> Found:
    # The game in a row of FOUND.
    found = Found(*cells)
    return found._replace(size=as_size(found.size))


def _columns() -> tuple["array[int]", ...]:
    # The pending moves: keys, moves, games and values.
    return array("q"), array("l"), array("l"), array("h")


def _answers(rows: Sequence[Any], images: Images) -> Iterator[Answer]:
    by_point: dict[int, list[Any]] = {}
    for row in rows:
        by_point.setdefault(row[0] >> 2, []).append(row)
    for point, group in by_point.items():
        counts = [0, 0, 0, 0]
        for move, games, *_ in group:
            counts[move & 3] += games
        valued = sum(row[3] for row in group)
        years = [year for row in group for year in row[4:6] if year is not None]
        yield Answer(
            images.points(point), sum(counts), counts[2], counts[1], counts[0],
            round(sum(row[2] or 0 for row in group) / valued / 1000, 4) if valued else None, "",
            (min(years), max(years)) if years else None)


def merged(tables: Iterable[Iterable[Answer]]) -> list[Answer]:
    """The answers of several collections to the same position, the most frequent first.

    Values are weighted by the number of games; of several remarks the first one stays.
    """
    answers: dict[tuple[int, ...], Answer] = {}
    for table in tables:
        for answer in table:
            before = answers.get(answer.points)
            answers[answer.points] = _sum(before, answer) if before else answer
    return sorted(answers.values(), key=lambda answer: (-answer.games, answer.points))


def _sum(first: Answer, second: Answer) -> Answer:
    both = first, second
    valued = [(each.value, each.games) for each in both if each.value is not None]
    weight = sum(games for _, games in valued)
    years = [year for each in both for year in each.years or ()]
    return Answer(
        first.points, first.games + second.games, first.won + second.won,
        first.drawn + second.drawn, first.lost + second.lost,
        round(sum(value * games for value, games in valued) / weight, 4) if weight else None,
        first.remark or second.remark, (min(years), max(years)) if years else None)


def game_of(tree: GameTree, node: int, winner: Optional[int] = None) -> Game:
    """The game of a tree up to a node, with its values.

    winner  as in `Game`; used only if the game has not ended on the board
    """
    position = tree.position(node)
    return Game(position, position.outcome.winner if position.outcome else winner,
                values_of(tree, tree.path(node)), tree.info)


def values_of(tree: GameTree, path: Sequence[int]) -> list[Optional[float]]:
    """The values on a path of nodes from the root, one for each record of the position's history.
    """
    values: list[Optional[float]] = []
    for number in path[1:]:
        node = tree.nodes[number]
        changes = bool(node.step.stones) + (node.step.side is not None) + bool(node.step.move)
        values += [*[None] * (changes - 1), node.value] if changes else []
    return values


def moves_text(position: Position) -> str:
    """The moves of a position, as in h8i9h7; "" after a pass or set-up stones."""
    if any(record.point == PASS for record in position.history):
        return ""
    places = (position.lattice.display_place(record.point) for record in position.history)
    return "".join(map(text_of, places))


def renju_opening(position: Position) -> str:
    """The name of the opening of a game of Renju, or ""."""
    if not position.rules.renju or len(position.history) < 3:
        return ""
    start = catalogue.start(position.rules, position.lattice.display_size)
    for record in position.history[:3]:
        if record.point == PASS or start.complaint(record.colour, record.point):
            return ""
        start.play(record.colour, record.point)
    opening = name_of(start)
    return opening.name if opening else ""


def salt(kind: int) -> np.uint64:
    """A number that separates the keys of one kind of games from the others'."""
    return np.uint64(int.from_bytes(hashlib.blake2b(str(kind).encode(), digest_size=8).digest(),
                                    "big"))


def signed(key: int) -> int:
    """A key of 64 bits as SQLite stores it."""
    return key - (1 << 64) if key >> 63 else key
