"""Games that were played, one in a line of a file that is only ever added to."""

import fcntl
import json
import os
from pathlib import Path
from typing import Any, BinaryIO, Mapping, NamedTuple, Optional, Sequence


GROWS = ("rounds", "scheduled")  # what may be more when a contest goes on


class Played(NamedTuple):
    """A finished game of a contest.

    game      its number in the schedule, from 1; 2k - 1 and 2k have the same opening
    round     from 1
    first     the name of the player that has the colour of the first move
    opening   points, in GTP's notation, that were played before the game
    moves     points of the game; one that has the wrong form is as it was written
    seconds   for each move
    told      for each move what the player said of it: depth, nodes, value (the mover's)
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


class Results:
    """The file of a contest: a line that says what is played, then a line for each game.

    When there are to be more rounds, what is played is said once more.

    contest  what is played, with the names of the players from when the file was made
    games    the games by their numbers
    dropped  whether a last line that had only half been written was taken away
    """

    def __init__(self, path: Path, contest: Mapping[str, Any], games: dict[int, Played],
                 file: Optional[BinaryIO] = None, dropped: bool = False):
        self.path, self.contest, self.games, self.dropped = path, contest, games, dropped
        self._file = file

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
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
        try:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ValueError(f"{path} is in use by another tournament") from None
            found, games, whole = _read(path, file)
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

        Raises OSError; the file then holds what it held before.
        """
        if games:
            self._append(*(game._asdict() for game in games))
            self.games.update({game.game: game for game in games})

    def _append(self, *contents: Mapping[str, Any]) -> None:
        assert self._file is not None
        before = self._file.tell()
        data = "".join(f"{json.dumps(content, separators=(',', ':'))}\n"
                       for content in contents).encode()
        try:
            while data:
                data = data[self._file.write(data):]
            os.fsync(self._file.fileno())
        except BaseException:
            self._file.truncate(before)
            self._file.seek(before)
            raise

    def close(self) -> None:
        """Nothing more is added."""
        if self._file is not None:
            self._file.close()


def _read(path: Path, file: BinaryIO
          ) -> tuple[Optional[dict[str, Any]], dict[int, Played], int]:
    # What is played (None: nothing yet), the games, and how many bytes are whole lines.
    contest, games, whole = None, {}, 0
    for number, line in enumerate(file, 1):
        if not line.endswith(b"\n"):
            break
        try:
            content = json.loads(line)
            if contest is None or "players" in content:
                contest = content
                content["schedule"], content["rounds"], content["scheduled"], content["players"]
            else:
                game = Played(**content)
                if game.game in games or game.schedule != contest["schedule"]:
                    raise ValueError("not of this tournament, or there twice")
                games[game.game] = game
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(f"{path}, line {number} is not a game: {error}") from None
        whole += len(line)
    return contest, games, whole
