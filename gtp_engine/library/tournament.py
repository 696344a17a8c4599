"""Tournaments of many games on several cores, and their results."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from ..games.lattice import Size, size_text
from .arguments import AnyPath, a_path, a_size, a_whole, file_error

if TYPE_CHECKING:
    from ..tournament.contest import Contest
    from ..tournament.progress import Score, Show
    from ..tournament.results import Played, Results

Progress = Callable[[int, int, dict[str, Any]], object]


class Tournament:
    """A round robin, a gauntlet or a match of many games, as the command `tournament` plays it.

    path  the results file; `play` continues the games that it has
    """

    def __init__(self, players: Union[Sequence[str], Mapping[str, str]], *, game: str = "Gomoku",
                 size: Optional[Size] = None, format: str = "round-robin", rounds: int = 1,
                 openings: Optional[str] = None, plies: Optional[int] = None,
                 balance: Optional[int] = None, seed: int = 0,
                 time_per_move: Optional[float] = None, time_per_game: Optional[float] = None,
                 increment: Optional[float] = None, margin: Optional[float] = None,
                 nodes: Optional[int] = None, depth: Optional[int] = None,
                 test: Optional[tuple[float, float]] = None,
                 anchor: Optional[Mapping[str, float]] = None,
                 path: Optional[AnyPath] = None):
        """Describe a tournament; `play` plays it.

        players  seats as in the command `referee`, by name or in a list; a player of one's own is
                 "python:MODULE:NAME", since games run in other processes
        rounds   in a round each pairing plays two games from one opening, with swapped colours
        test     (elo0, elo1): stop once a sequential test of two players is decided
        anchor   fixed ratings by name
        path     the results file; default: a temporary file

        The other options are those of the command.  Raises ValueError for an invalid one.
        """
        from ..tournament.contest import contest_of
        if not isinstance(players, (Mapping, Sequence)) or isinstance(players, str):
            raise ValueError("players must be a list of seats, or seats by name")
        seats = ([{"name": name, "seat": seat} for name, seat in players.items()]
                 if isinstance(players, Mapping) else [{"seat": seat} for seat in players])
        if test is not None and (not isinstance(test, Sequence) or len(test) != 2):
            raise ValueError(f"test must be (elo0, elo1), not {test!r}")
        for each in seats:
            if not isinstance(each["seat"], str):
                raise ValueError(f"not a seat: {each['seat']!r} (a player of your own in a "
                                 "tournament is \"python:MODULE:NAME\")")
        values: dict[str, Any] = {
            "player": seats, "game": game, "format": format, "rounds": rounds,
            "size": None if size is None else size_text(a_size(size)),
            "openings": openings, "plies": plies, "balance": balance, "seed": seed,
            "time_per_move": time_per_move, "time_per_game": time_per_game,
            "increment": increment, "margin": margin, "nodes": nodes, "depth": depth,
            "test": test and {"elo0": test[0], "elo1": test[1]},
            "anchor": None if anchor is None else dict(anchor)}
        self._data = {key: value for key, value in values.items() if value is not None}
        try:
            self._contest = contest_of(self._data)
        except OSError as error:
            raise file_error(error) from None
        self._folder = None if path else tempfile.TemporaryDirectory()
        self.path = a_path(path) if path else Path(self._folder.name) / "games.jsonl"  # type: ignore
        self._results: Optional["Results"] = None

    @property
    def games(self) -> int:
        """The number of games of the schedule."""
        return self._contest.games

    def play(self, progress: Optional[Progress] = None, *, concurrency: Optional[int] = None,
             scheduler: Optional[str] = None) -> dict[str, Any]:
        """Play the missing games and return the summary, see `summary`.

        progress     called after each game with the number of games so far, the number of games of
                     the schedule, and the game as a row of `rows`
        concurrency  number of parallel games; default: the number of cores
        scheduler    address of a Dask cluster

        An interrupt or an error loses no finished game: call `play` again, also of a new object
        with the same path and options.  Raises ValueError if a player cannot take part or the file
        is of another tournament, RuntimeError if games could not be played, and ImportError
        without the extra `arena`.
        """
        from ..command_line.terminal import import_error_text
        if concurrency is not None:
            a_whole("concurrency", concurrency)
        try:
            from ..tournament.play import play_contest

            @contextmanager
            def callback(contest: "Contest", score: "Score") -> Iterator["Show"]:
                def show(games: Sequence["Played"]) -> None:
                    for game in games if progress else ():
                        assert progress
                        progress(score.games, contest.games, row_of(game))
                yield show

            self._results, missing = play_contest(
                self._contest, self._data, Path(), self.path, callback, concurrency, scheduler)
        except ImportError as error:
            raise ImportError(import_error_text(error, "a tournament"), name=error.name) from None
        except OSError as error:
            raise file_error(error) from None
        except ValueError as error:
            raise ValueError("\n".join(map(str, error.args))) from None
        if missing:
            raise RuntimeError(f"{len(missing)} games could not be played: {missing}")
        return self.summary

    @property
    def summary(self) -> dict[str, Any]:
        """The results so far: see `read_results`.  Raises ValueError before the first game."""
        if not self.path.exists():
            raise ValueError("no game was played yet")
        return read_results(self.path)

    def rows(self) -> list[dict[str, Any]]:
        """Return the finished games as rows, for example of a pandas table.

        The keys are game, round, first, second, winner (None in a draw), ending, opening, moves,
        seconds (of each move) and text.
        """
        from ..tournament.results import Results
        if not self._results and not self.path.exists():
            return []
        results = self._results or Results.read(self.path)
        return [row_of(results.games[number]) for number in sorted(results.games)]

    def __repr__(self) -> str:
        names = ", ".join(player.name or player.seat for player in self._contest.players)
        return f"<Tournament {self._contest.rules.name}: {names}, {self.games} games>"


def row_of(game: "Played") -> dict[str, Any]:
    """Return a finished game as a row, see `Tournament.rows`."""
    from ..arena.verdict import Ending
    return {"game": game.game, "round": game.round, "first": game.first, "second": game.second,
            "winner": game.winner, "ending": Ending[game.ending].value, "opening": game.opening,
            "moves": game.moves, "seconds": game.seconds, "text": game.verdict}


def read_results(path: AnyPath) -> dict[str, Any]:
    """Return the summary of a tournament's file, with the data of its report.

    It contains the players with points and ratings, a cross table and the endings.  Raises
    FileError if the file is unreadable, and ValueError if it is no tournament's file.
    """
    from ..tournament.results import Results
    from ..tournament.standings import summary_of
    try:
        results = Results.read(a_path(path))
    except OSError as error:
        raise file_error(error) from None
    return summary_of(results.contest, results.games.values())
