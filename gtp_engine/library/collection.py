"""Collections of games in files and folders, and their answers to a position."""

from pathlib import Path
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Union

from ..arena.page import PageBoard
from ..games import catalogue
from ..games.lattice import Size
from ..learn.explorer import Explorer
from ..records import collection as records
from ..tournament.first_plies import game_of_contest
from ..tournament.results import Results
from ..web import games as saved
from ..wire.declared import parsed
from ..wire.files import read_at_most
from .arguments import AnyPath, a_path, a_size, file_error, instance_of, paths_of
from .game import Game

MOST_BYTES = 1 << 30  # of a file
IN_MEMORY = ":memory:"  # the path of a collection without a file
Paths = Union[AnyPath, Iterable[AnyPath]]


class Answer(NamedTuple):
    """An answer of the games to a position.

    points  one point, or all points that are equal by symmetry of the position
    games   number of games
    won     number of games that the answering side won; likewise `drawn` and `lost`
    value   mean value after it for that side, from -1 (lost) to 1 (won); None without values
    remark  a fact about the move from other sources, or ""
    years   the first and the last year of the games, or None
    """

    points: list[str]
    games: int
    won: int
    drawn: int
    lost: int
    value: Optional[float]
    remark: str
    years: Optional[tuple[int, int]] = None


def answers(paths: Paths, game: Game) -> list[Answer]:
    """Return the answers of the games in files and folders to a position, most frequent first.

    Skips games of another kind or size.  Raises FileError if there is no such file, and ValueError
    with one line for each unreadable file or game.  `python -m gtp_engine explore` prints the same.
    """
    instance_of(Game, game)
    with Collection() as collection:
        collection.index(paths, game.name, game.size)
        if collection.errors:
            raise ValueError("\n".join(collection.errors))
        return collection.answers(game)


class Collection:
    """An index of games in a file, or in memory: positions, players, events.

    notes   sentences on parts of the files that were not understood, since `index` was called
    errors  a line for each file or game that could not be read
    """

    def __init__(self, path: Optional[AnyPath] = None):
        """Open a collection, or create it; in memory without a path.

        Raises FileError if the file cannot be opened, and ValueError if it is no collection.
        """
        try:
            self._index = records.Collection(IN_MEMORY if path is None else a_path(path))
        except OSError as error:
            raise file_error(error) from None
        self.notes: list[str] = []
        self.errors: list[str] = []

    def close(self) -> None:
        """Close the file."""
        self._index.close()

    def __enter__(self) -> "Collection":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __len__(self) -> int:
        return sum(self._index.kinds().values())

    def __repr__(self) -> str:
        place = "in memory" if self._index.path == IN_MEMORY else self._index.path
        return f"<Collection {place}: {len(self)} game{'s' * (len(self) != 1)}>"

    def index(self, paths: Paths, game: Optional[str] = None, size: Optional[Size] = None,
              letters: Optional[str] = None) -> None:
        """Add the games of files and folders; files without changes are not read again.

        game, size  for files that name none
        letters     "gtp" or "plain", where moves as text leave the columns open
        Raises FileError if a file or folder does not exist.
        """
        self.notes, self.errors = [], []
        rules = None if game is None else catalogue.find(game)
        files = paths_of(paths)
        try:
            for name, notes, error in self._index.index(
                    files, rules, None if size is None else a_size(size), letters, OTHERS):
                self.notes += [f"{name}: {note}" for note in notes]
                if error:
                    self.errors.append(f"{name}: {error}")
        except OSError as error:
            raise file_error(error) from None

    def answers(self, game: Game) -> list[Answer]:
        """Return the answers to the position of a game, the most frequent first."""
        instance_of(Game, game)
        explorer = Explorer(game.position.rules, game.size, self._index)
        return [Answer(**{**answer._asdict(),
                          "points": [game._name(point) for point in answer.points]})
                for answer in explorer.answers(game.position.copy())]

    def search(self, game: Optional[Game] = None, player: str = "", event: str = "",
               year: Optional[int] = None, result: str = "", opening: str = "", rule: str = "",
               most: int = 50, skip: int = 0) -> tuple[list[records.Found], int]:
        """Find games; return at most `most` of them after the first `skip`, and their number.

        game    its position: games that reach it, up to symmetry
        result  as in SGF: B+, W+ or 0
        The other texts are parts of the headers, in any case.
        """
        position = None if game is None else instance_of(Game, game).position
        return self._index.search(position, player, event, year, result, opening, rule, most,
                                  skip)


def _of_results(path: Path) -> Iterator[records.Game]:
    # The games of a tournament's results, or of a saved game with the same suffix.
    with path.open("rb") as file:
        first = parsed(file.readline(MOST_BYTES))
    if isinstance(first, dict) and "tree" in first:
        yield from _of_saved(path)
        return
    if path.with_suffix(".sgf").exists():  # a record of the referee, with the game beside it
        return
    results = Results.read(path)
    board = PageBoard(catalogue.find(results.contest["game"]), results.contest["size"])
    for game in results.games.values():
        position, _ = board.play([*game.opening, *game.moves])
        yield game_of_contest(game._asdict(), position)


def _of_saved(path: Path) -> Iterator[records.Game]:
    # A game of the board in the browser; other files of JSON have no games.
    data: Any = parsed(read_at_most(path, MOST_BYTES))
    if not (isinstance(data, dict) and "tree" in data or saved.NAME.fullmatch(path.stem)):
        return
    try:
        game = saved.Game.of_data(data)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a game of the board in the browser: {error!r}") from None
    over = game.over_at(game.live)
    found = records.game_of(game.tree, game.live, over["winner"] if over else None)
    yield found._replace(headers={**game.names(), **found.headers})


OTHERS = {".jsonl": _of_results, ".json": _of_saved}
