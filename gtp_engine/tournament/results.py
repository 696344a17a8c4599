"""The results file of a contest: an append-only file with one line for each game."""

import json
import logging
import os
from io import BufferedReader, FileIO
from math import inf
from pathlib import Path
from typing import Any, BinaryIO, Mapping, NamedTuple, Optional, Sequence

from ..arena.seats.base import LONGEST_NAME
from ..arena.verdict import Ending
from ..games import catalogue
from ..games.lattice import size_data
from ..wire.declared import (
    a_name,
    a_size,
    by_name,
    game_named,
    maybe,
    number,
    one_of,
    parsed,
    some,
    table,
    text,
    whole,
)
from ..wire.files import write_file

MODELS = ("normalized", "logistic")  # of the Elo of a test
MOST_ELO = 4000  # beyond that difference a player wins all games
MOST_PLAYERS, MOST_GAMES = 1000, 10**7
MOST_MOVES = 1000
LONGEST_LINE = 1 << 24  # bytes
GROWS = ("rounds", "scheduled", "anchor")  # fields that may change when a contest goes on
NOT_READY = {Ending.TIME.name, Ending.CRASH.name, Ending.SILENCE.name}


class Played(NamedTuple):
    """A finished game of a contest.

    game      number in the schedule, from 1; 2k - 1 and 2k have the same opening
    round     number of the round, from 1
    first     name of the player with the colour of the first move
    second    name of the other player
    opening   points of the opening, in GTP's notation
    moves     points of the game; a malformed move is the text of the program
    seconds   seconds of each move
    told      search info of each move: depth, nodes, value (for the side that moves)
    winner    name of the winner, None for a draw
    ending    name of an Ending
    verdict   text of the result
    at        end of the game, in seconds since 1970
    schedule  fingerprint of the contest
    """

    game: int
    round: int
    first: str
    second: str
    opening: list[str]
    moves: list[str]
    seconds: list[float]
    told: list[dict[str, float]]
    winner: Optional[str]
    ending: str
    verdict: str
    at: float
    schedule: str

    def own(self, name: str) -> slice:
        """Return the slice of `moves` with the moves of a player."""
        return slice((name != self.first) ^ len(self.opening) % 2, None, 2)

    @property
    def unready(self) -> Optional[str]:
        """The player that lost without a move, on time or because its program did not run.

        None if there is none.
        """
        if self.winner is None or self.ending not in NOT_READY:
            return None
        loser = self.second if self.winner == self.first else self.first
        return None if self.moves[self.own(loser)] else loser


NAME = a_name(LONGEST_NAME)
SECONDS, ELO, POINTS = number(0, 1e9), number(-MOST_ELO, MOST_ELO), number(-1e9, 1e9)
POINT, COUNT, INFO = text(200), whole(10**9, 1), number(-1e30, 1e30)
CONTROL = {"per_move": maybe(SECONDS), "per_game": maybe(SECONDS), "increment": SECONDS,
           "nodes": maybe(whole(10**12, 1)), "depth": maybe(COUNT), "margin": maybe(SECONDS),
           "patience": SECONDS}
# Allowed fields of the line of the contest, and of the line of a game.
CONTEST = {
    "game": lambda path, value: game_named(path, value).name,
    "size": lambda path, value: size_data(a_size(path, value)),
    "format": text(100), "rounds": COUNT,
    "scheduled": whole(MOST_GAMES, 1), "openings": text(10_000), "seed": whole(least=-inf),
    **CONTROL, "points": table(dict.fromkeys(("win", "draw", "loss"), POINTS)),
    "test": maybe(table({"elo0": ELO, "elo1": ELO, "alpha": number(1e-9, 0.5),
                          "beta": number(1e-9, 0.5), "model": one_of(*MODELS)})),
    "players": some(table({"name": NAME, "seat": text(100_000), **CONTROL}), MOST_PLAYERS),
    "anchor": by_name(POINTS, MOST_PLAYERS), "schedule": text(100)}
GAME = {
    "game": COUNT, "round": COUNT, "first": NAME, "second": NAME,
    "opening": some(POINT, MOST_MOVES), "moves": some(POINT, MOST_MOVES),
    "seconds": some(SECONDS, MOST_MOVES),
    "told": some(table(dict.fromkeys(("depth?", "nodes?", "value?"), INFO)), MOST_MOVES),
    "winner": maybe(NAME), "ending": one_of(*Ending.__members__), "verdict": text(10_000),
    "at": number(0, 1e12), "schedule": text(100)}
A_CONTEST, A_GAME = table(CONTEST), table(GAME)


class Results:
    """The file of a contest: a line for the contest, then a line for each game.

    More rounds or other anchors add another line for the contest.  While games are added, no other
    process may change the file; `add` and `close` undo such changes.

    contest      the contest as in `Contest.facts`, with the players' names at its start
    games        the games by number
    was_partial  has an incomplete last line been removed?
    """

    def __init__(self, path: Path, contest: Mapping[str, Any], games: dict[int, Played],
                 file: Optional[FileIO] = None, was_partial: bool = False):
        self.path, self.contest, self.games, self.was_partial = path, contest, games, was_partial
        self._file = file
        self._last_state = file and _state(os.fstat(file.fileno()), file.tell())

    @classmethod
    def read(cls, path: Path) -> "Results":
        """Return the results in a file, without changing it.  Raises OSError and ValueError."""
        with path.open("rb") as file:
            contest, games, _ = _read(path, file)
        if contest is None:
            raise ValueError(f"{path} is empty")
        return cls(path, contest, games)

    @classmethod
    def resume(cls, path: Path, contest: Mapping[str, Any], schedule: str) -> "Results":
        """Open the results of a contest for additional games; create the file if it is missing.

        Removes an incomplete last line.  Raises OSError, and ValueError for a file of another
        contest or a file in use by another process.
        """
        file = _open_locked(path)
        try:
            reader = BufferedReader(file)
            old, games, whole = _read(path, reader)
            reader.detach()
            was_partial = file.seek(0, os.SEEK_END) > whole
            if old is not None and old["schedule"] != schedule:
                raise ValueError(f"{path} has the games of another tournament; choose another "
                                 "results file, or remove it")
            file.truncate(whole)
            file.seek(whole)
            results = cls(path, {**contest, "schedule": schedule}, games, file, was_partial)
            if old is not None:
                results.contest = {**old, **{key: contest[key] for key in GROWS}}
            if results.contest != old:
                results._append(results.contest)
        except BaseException:
            file.close()
            raise
        return results

    def add(self, games: Sequence[Played]) -> None:
        """Add games, and flush them to the disk.

        Raises OSError; the file is then unchanged.
        """
        if games:
            self._restore()
            self._append(*(game._asdict() for game in games))
            self.games.update({game.game: game for game in games})

    def _restore(self) -> None:
        # Rewrite the file if another process has changed or removed it.
        assert self._file is not None
        try:
            status = self.path.stat()
            if self._last_state == _state(status, status.st_size):
                return
        except FileNotFoundError:
            pass
        logging.getLogger(__name__).warning(
            "another program has changed %s; rewriting it", self.path)
        write_file(self.path, _lines(self.contest,
                                     *(game._asdict() for game in self.games.values())))
        self._file.close()
        self._file = _open_locked(self.path)
        self._file.seek(0, os.SEEK_END)
        self._sync()

    def _sync(self) -> None:
        assert self._file is not None
        os.fsync(self._file.fileno())
        self._last_state = _state(os.fstat(self._file.fileno()), self._file.tell())

    def _append(self, *contents: Mapping[str, Any]) -> None:
        assert self._file is not None
        before = self._file.tell()
        data = _lines(*contents).encode()
        try:
            while data:
                data = data[self._file.write(data):]
            self._sync()
        except BaseException:
            self._file.truncate(before)
            self._file.seek(before)
            raise

    def close(self) -> None:
        """Close the file.  Raises OSError."""
        if self._file is not None:
            self._restore()
            self._file.close()


def _open_locked(path: Path) -> FileIO:
    # Open the file, create it if it is missing, and lock it against other writers.
    file = FileIO(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
    try:
        _lock(file)
    except (BlockingIOError, PermissionError):
        file.close()
        raise ValueError(f"{path} is in use by another tournament") from None
    return file


def _lock(file: FileIO) -> None:
    # Lock the file until it is closed.  Raises an error if another process has locked it.
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _state(status: os.stat_result, size: int) -> tuple[int, ...]:
    # Differs after any change or replacement of the file.
    return status.st_dev, status.st_ino, status.st_mtime_ns, size


def _lines(*contents: Mapping[str, Any]) -> str:
    return "".join(f"{json.dumps(content, separators=(',', ':'))}\n" for content in contents)


def _read(path: Path, file: BinaryIO
          ) -> tuple[Optional[dict[str, Any]], dict[int, Played], int]:
    # The contest (None for an empty file), the games, and the number of bytes in complete lines.
    contest: Optional[dict[str, Any]] = None
    games: dict[int, Played] = {}
    names: set[str] = set()
    whole_lines = 0
    for line_number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), 1):
        is_whole = line.endswith(b"\n")
        if not is_whole and len(line) < LONGEST_LINE:
            break
        try:
            if not is_whole:
                raise ValueError(f"longer than {LONGEST_LINE} bytes")
            content = parsed(line)
            if contest is None or isinstance(content, dict) and "players" in content:
                contest = _contest(content, contest)
                names = {player["name"] for player in contest["players"]}
            else:
                game = _game(content, names)
                if game.game in games or game.schedule != contest["schedule"]:
                    raise ValueError("not of this tournament, or a duplicate")
                games[game.game] = game
        except ValueError as error:
            raise ValueError(f"{path}, line {line_number} is not a game: {error}") from None
        whole_lines += len(line)
    return contest, games, whole_lines


def _contest(content: Any, before: Optional[dict[str, Any]]) -> dict[str, Any]:
    # Check a line of the contest.  A later line may have other rounds.  Older files have no
    # anchors.
    if isinstance(content, dict):
        content = {"anchor": {}, **content}
    contest: dict[str, Any] = A_CONTEST("", content)
    names = [player["name"] for player in contest["players"]]
    if len(names) < 2 or len({*names}) < len(names):
        raise ValueError("players must be two or more with different names")
    catalogue.start(catalogue.find(contest["game"]), contest["size"])
    if before is not None and any(contest[key] != before[key] for key in {*CONTEST} - {*GROWS}):
        raise ValueError("not of this tournament")
    return contest


def _game(content: Any, names: set[str]) -> Played:
    # Check the line of a game between two of these players.
    game = Played(**A_GAME("", content))
    if game.first == game.second or not {game.first, game.second} <= names:
        raise ValueError(f"not two players of this tournament: {game.first}, {game.second}")
    if game.winner not in (None, game.first, game.second):
        raise ValueError(f"winner is neither of the players: {game.winner}")
    if not len(game.moves) == len(game.seconds) == len(game.told):
        raise ValueError("moves, seconds and told must have the same length")
    return game
