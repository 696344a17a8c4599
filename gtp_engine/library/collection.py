"""Collections of games in files and folders, and their answers to a position."""

from os import PathLike
from pathlib import Path
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Union

from ..games import catalogue
from ..games.rules import Rules
from ..games.tree import ROOT
from ..learn.explorer import Explorer, add_tree
from ..records import reader
from ..tournament.first_plies import add_games
from ..tournament.results import Results
from ..web import games as saved
from ..wire.declared import parsed
from ..wire.files import read_at_most
from .game import Game

ENDINGS = (".sgf", ".psq", ".jsonl")  # of the game files in a folder
MOST_BYTES = 1 << 30  # of a file


class Answer(NamedTuple):
    """An answer of the games to a position.

    points  one point, or all points that are equal by symmetry of the position
    games   number of games
    won     number of games that the answering side won; likewise `drawn` and `lost`
    value   mean value after it for that side, from -1 (lost) to 1 (won); None without values
    remark  a fact about the move from other sources, or ""
    """

    points: list[str]
    games: int
    won: int
    drawn: int
    lost: int
    value: Optional[float]
    remark: str


def answers(paths: Iterable[Union[str, "PathLike[str]"]], game: Game) -> list[Answer]:
    """Return the answers of the games in files and folders to a position, most frequent first.

    Skips games of another kind or size.  Raises OSError if there is no such file, and ValueError
    with one line for each unreadable file or game.  `python -m gtp_engine explore` prints the same.
    """
    position = game.position
    collection = Collection(position.rules, game.size)
    faults = [fault for path in files_in(map(Path, paths)) for fault in collection.read(path)]
    if faults:
        raise ValueError("\n".join(faults))
    explorer = collection.of(position.rules, game.size)
    return [Answer(**{**answer._asdict(), "points": [game.text(point) for point in answer.points]})
            for answer in explorer.answers(position.copy())]


class Collection:
    """Games of files, by rules and size.

    `rules` and `size` apply to files that name neither.
    """

    def __init__(self, rules: Rules, size: int):
        self.rules, self.size = rules, size
        self.explorers: dict[tuple[str, int], Explorer] = {}

    def read(self, path: Path) -> Iterator[str]:
        """Add the games of a file; yield an error text for each unreadable game or file."""
        try:
            with path.open("rb") as file:
                head = file.read(1000)
            if not head.lstrip().startswith(b"{"):
                yield from self._records(path)
            elif "tree" in (first := parsed(
                    read_at_most(path, MOST_BYTES).partition(b"\n")[0])):
                self._saved(first)
            else:
                self._results(path)
        except (OSError, ValueError) as error:
            text = str(getattr(error, "strerror", None) or error)
            yield text if text.startswith(str(path)) else f"{path}: {text}"

    def _records(self, path: Path) -> Iterator[str]:
        for name, record in reader.read_named(path, self.rules, self.size):
            if record.error:
                yield f"{name}: {record.error}"
                continue
            tree = record.tree
            add_tree(self.of(tree.rules, tree.size), tree, tree.line(ROOT)[-1], record.winner)

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
        """Return the explorer of a game and a size.  Raises ValueError if they do not match."""
        kind = rules.name, size
        if kind not in self.explorers:
            self.explorers[kind] = Explorer(rules, size)
        return self.explorers[kind]

    def kinds(self) -> str:
        """Return the number of games of each kind, as text."""
        return ", ".join(f"{each.games} of {each.rules.name} {each.size} × {each.size}"
                         for each in self.explorers.values() if each.games) or "none"

    def largest(self, rules: Optional[Rules], size: Optional[int]) -> Optional[Explorer]:
        """Return the explorer with most games, of these rules and size if not None, or None."""
        matches = [each for each in self.explorers.values()
                   if rules in (None, each.rules) and size in (None, each.size) and each.games]
        return max(matches, key=lambda each: each.games, default=None)


def files_in(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files, and the game files of folders in the order of their names.

    Skips a record of the referee if the SGF file of the same game is beside it.  Raises OSError if
    there is no such file or folder.
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
