"""Games of files and folders, and their answers to a position."""

from os import PathLike
from pathlib import Path
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Union

from ..games import catalogue
from ..games.rules import Rules
from ..games.tree import ROOT
from ..learn.explorer import Explorer, add_tree, winner_of
from ..records import reader
from ..tournament.first_plies import add_games
from ..tournament.results import Results
from ..web import games as saved
from ..wire.declared import parsed
from ..wire.files import read_at_most
from .game import Game

ENDINGS = (".sgf", ".psq", ".jsonl")  # of the files in a folder that are read
MOST_BYTES = 1 << 30  # of a file


class Answer(NamedTuple):
    """What games have answered in a position.

    points  where: one point, or all that symmetries of the position make equal
    games   number of games; `won`, `drawn` and `lost` count those with a result, for
            the side that answered
    value   the mean, for that side, of the values that the games have after it, from -1 (lost) to 1
            (won); None without any
    remark  a fact about the move beside the games, or ""
    """

    points: list[str]
    games: int
    won: int
    drawn: int
    lost: int
    value: Optional[float]
    remark: str


def answers(paths: Iterable[Union[str, "PathLike[str]"]], game: Game) -> list[Answer]:
    """What the games of files and folders answer in the position of a game, the most frequent
    answer first, as `python -m gtp_engine explore` does.

    Games of another kind or size are left out.  Raises OSError if there is no such file, ValueError
    with a line for each file or game that cannot be read.
    """
    position = game.position
    collection = Collection(position.rules, game.size)
    faults = [fault for path in files_in(map(Path, paths)) for fault in collection.read(path)]
    if faults:
        raise ValueError("\n".join(faults))
    found = collection.of(position.rules, game.size).answers(position.copy())
    return [Answer(**{**answer._asdict(), "points": [game.text(point) for point in answer.points]})
            for answer in found]


class Collection:
    """Games of files, by rules and size.

    Files that name neither are of the usual ones.
    """

    def __init__(self, usual: Rules, size: int):
        self.usual, self.size = usual, size
        self.explorers: dict[tuple[str, int], Explorer] = {}

    def read(self, path: Path) -> Iterator[str]:
        """Count the games of a file; yields a text for each game or file that cannot be read."""
        try:
            data = read_at_most(path, MOST_BYTES)
            if not data.lstrip().startswith(b"{"):
                yield from self._records(path, data)
            elif "tree" in (first := parsed(data.partition(b"\n")[0])):
                self._saved(first)
            else:
                self._results(path)
        except (OSError, ValueError) as error:
            text = str(getattr(error, "strerror", None) or error)
            yield text if text.startswith(str(path)) else f"{path}: {text}"

    def _records(self, path: Path, data: bytes) -> Iterator[str]:
        games = [*reader.games_in(data)]
        for number, game in enumerate(games, 1):
            try:
                tree = reader.tree_in(game, self.usual, self.size)
                add_tree(self.of(tree.rules, tree.size), tree, tree.line(ROOT)[-1],
                         winner_of(tree.info.get("result", "")))
            except ValueError as error:
                yield f"{path}{f', game {number}' if len(games) > 1 else ''}: {error}"

    def _saved(self, data: Any) -> None:
        try:
            game = saved.Game.of_data(data)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a game of the board in the browser: {error!r}") from None
        over = game.over_at(game.live)
        add_tree(self.of(game.tree.rules, game.tree.size), game.tree, game.live,
                 over["winner"] if over else None)

    def _results(self, path: Path) -> None:
        results = Results.read(path)
        contest = results.contest
        add_games(self.of(catalogue.find(contest["game"]), contest["size"]),
                  (game._asdict() for game in results.games.values()))

    def of(self, rules: Rules, size: int) -> Explorer:
        """The one of these rules and that size.  Raises ValueError if they do not go together."""
        kind = rules.name, size
        if kind not in self.explorers:
            self.explorers[kind] = Explorer(rules, size)
        return self.explorers[kind]

    def kinds(self) -> str:
        """How many games there are of each kind."""
        return ", ".join(f"{each.games} of {each.rules.name} {each.size} × {each.size}"
                         for each in self.explorers.values() if each.games) or "none"

    def chosen(self, rules: Optional[Rules], size: Optional[int]) -> Optional[Explorer]:
        """The one with most games of that kind, if one is asked for; None if there are none."""
        fitting = [each for each in self.explorers.values()
                   if rules in (None, each.rules) and size in (None, each.size) and each.games]
        return max(fitting, key=lambda each: each.games, default=None)


def files_in(paths: Iterable[Path]) -> Iterator[Path]:
    """The files, and those of games in the folders, in the order of their names.

    A game's record of the referee is left out, since the SGF file beside it is the same game.
    Raises OSError if there is no such file or folder.
    """
    for path in paths:
        path.stat()
        if not path.is_dir():
            yield path
            continue
        for each in sorted(path.rglob("*")):
            is_game = each.suffix.lower() in ENDINGS or (
                each.suffix == ".json" and saved.NAME.fullmatch(each.stem))
            has_sgf = each.suffix == ".jsonl" and each.with_suffix(".sgf").exists()
            if is_game and not has_sgf and each.is_file():
                yield each
