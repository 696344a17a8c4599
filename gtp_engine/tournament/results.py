"""Games that were played, one in a line of a file that is only ever added to."""

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
from ..wire.declared import a_name, by_name, maybe, number, one_of, parsed, some, table, text, whole
from ..wire.files import write_file

MODELS = ("normalized", "logistic")  # of a test
MOST_ELO = 4000  # beyond that a player wins all games
MOST_PLAYERS, MOST_GAMES = 1000, 10**7
MOST_MOVES = 1000
LONGEST_LINE = 1 << 24  # bytes
GROWS = ("rounds", "scheduled", "anchor")  # what may be another one when a contest goes on
NOT_READY = {Ending.TIME.name, Ending.CRASH.name, Ending.SILENCE.name}


class Played(NamedTuple):
    """A finished game of a contest.

    game      its number in the schedule, from 1; 2k - 1 and 2k have the same opening
    round     from 1
    first     the name of the player that has the colour of the first move
    opening   points, in GTP's notation, that were played before the game
    moves     points of the game; one that has the wrong form is as it was written
    seconds   for each move
    told      the search info of each move: depth, nodes, value (for the side that moves)
    winner    a name, None for a draw
    ending    the name of an Ending
    verdict   all of it in words
    at        when it ended, in seconds since 1970
    schedule  the fingerprint of the contest
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
        """Where the moves of a player stand among those of the game."""
        return slice((name != self.first) ^ len(self.opening) % 2, None, 2)

    @property
    def unready(self) -> Optional[str]:
        """The player that lost before or at its first move, on time or because its program did not
        run; None if there is none."""
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
    "game": one_of(*catalogue.GAMES), "size": COUNT, "format": text(100), "rounds": COUNT,
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
    process may change the file: such changes are undone.

    contest  facts about the contest, with the players' names at its start
    games    the games by their numbers
    dropped  whether a last line that had only half been written was taken away
    """

    def __init__(self, path: Path, contest: Mapping[str, Any], games: dict[int, Played],
                 file: Optional[FileIO] = None, dropped: bool = False):
        self.path, self.contest, self.games, self.dropped = path, contest, games, dropped
        self._file = file
        self._left = file and _state(os.fstat(file.fileno()), file.tell())

    @classmethod
    def read(cls, path: Path) -> "Results":
        """The results in a file, which is not changed.  Raises OSError and ValueError."""
        with path.open("rb") as file:
            contest, games, _ = _read(path, file)
        if contest is None:
            raise ValueError(f"{path} is empty")
        return cls(path, contest, games)

    @classmethod
    def resume(cls, path: Path, contest: Mapping[str, Any], schedule: str) -> "Results":
        """The results of this contest so far, to be added to; the file is made where there is none.

        A half-written last line is taken away.  Raises OSError, and ValueError for a file of
        another contest or one that another process adds to.
        """
        file = _opened(path)
        try:
            reader = BufferedReader(file)
            found, games, whole = _read(path, reader)
            reader.detach()
            dropped = file.seek(0, os.SEEK_END) > whole
            if found is not None and found["schedule"] != schedule:
                raise ValueError(f"{path} has the games of another tournament; choose another "
                                 "file with --games, or remove it")
            file.truncate(whole)
            file.seek(whole)
            results = cls(path, {**contest, "schedule": schedule}, games, file, dropped)
            if found is not None:
                results.contest = {**found, **{key: contest[key] for key in GROWS}}
            if results.contest != found:
                results._append(results.contest)
        except BaseException:
            file.close()
            raise
        return results

    def add(self, games: Sequence[Played]) -> None:
        """Add games; they are on the disk afterwards.

        Raises OSError; the file is then unchanged.
        """
        if games:
            self._restore()
            self._append(*(game._asdict() for game in games))
            self.games.update({game.game: game for game in games})

    def _restore(self) -> None:
        # If another process has changed or removed the file, it is written again.
        assert self._file is not None
        try:
            found = self.path.stat()
            if self._left == _state(found, found.st_size):
                return
        except FileNotFoundError:
            pass
        logging.getLogger(__name__).warning(
            "%s was changed by another program; it is written anew", self.path)
        write_file(self.path, _lines(self.contest,
                                     *(game._asdict() for game in self.games.values())))
        self._file.close()
        self._file = _opened(self.path)
        self._file.seek(0, os.SEEK_END)
        self._sync()

    def _sync(self) -> None:
        assert self._file is not None
        os.fsync(self._file.fileno())
        self._left = _state(os.fstat(self._file.fileno()), self._file.tell())

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
        """Nothing more is added.  Raises OSError."""
        if self._file is not None:
            self._restore()
            self._file.close()


def _opened(path: Path) -> FileIO:
    # The file, created if it is missing, and locked against other writers.
    file = FileIO(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
    try:
        _lock(file)
    except (BlockingIOError, PermissionError):
        file.close()
        raise ValueError(f"{path} is in use by another tournament") from None
    return file


def _lock(file: FileIO) -> None:
    # Until the file is closed.  Raises an error if another process has done so.
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _state(found: os.stat_result, size: int) -> tuple[int, ...]:
    # Another one once the file was changed or replaced.
    return found.st_dev, found.st_ino, found.st_mtime_ns, size


def _lines(*contents: Mapping[str, Any]) -> str:
    return "".join(f"{json.dumps(content, separators=(',', ':'))}\n" for content in contents)


def _read(path: Path, file: BinaryIO
          ) -> tuple[Optional[dict[str, Any]], dict[int, Played], int]:
    # The contest (None: not yet), the games, and the number of bytes in complete lines.
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
                    raise ValueError("not of this tournament, or there twice")
                games[game.game] = game
        except ValueError as error:
            raise ValueError(f"{path}, line {line_number} is not a game: {error}") from None
        whole_lines += len(line)
    return contest, games, whole_lines


def _contest(content: Any, before: Optional[dict[str, Any]]) -> dict[str, Any]:
    # The contest.  A later line may have more rounds.  Older files have no anchors.
    if isinstance(content, dict):
        content = {"anchor": {}, **content}
    contest: dict[str, Any] = A_CONTEST("", content)
    names = [player["name"] for player in contest["players"]]
    if len(names) < 2 or len({*names}) < len(names):
        raise ValueError("players are not two or more with a name each")
    catalogue.start(catalogue.find(contest["game"]), contest["size"])
    if before is not None and any(contest[key] != before[key] for key in {*CONTEST} - {*GROWS}):
        raise ValueError("not of this tournament")
    return contest


def _game(content: Any, names: set[str]) -> Played:
    # A game between two of these.
    game = Played(**A_GAME("", content))
    if game.first == game.second or not {game.first, game.second} <= names:
        raise ValueError(f"not two players of this tournament: {game.first}, {game.second}")
    if game.winner not in (None, game.first, game.second):
        raise ValueError(f"winner is neither of the players: {game.winner}")
    if not len(game.moves) == len(game.seconds) == len(game.told):
        raise ValueError("moves, seconds and told are not equally many")
    return game
