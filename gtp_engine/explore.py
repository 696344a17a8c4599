"""`explore`: what games answer in a position."""

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Iterable, Iterator, Optional

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from .command_line import checked
from .games import catalogue, records
from .games.rules import Position, Rules
from .games.tree import ROOT
from .learn.explorer import HEADINGS, Explorer, add_tree, table_rows, winner_of
from .players.options import whole
from .terminal import harmless, progress_bar
from .tournament.first_plies import add_games
from .tournament.openings import play_opening
from .tournament.results import Results
from .web.games import NAME, Game
from .wire.declared import parsed
from .wire.files import read_at_most, write_file
from .wire.notation import COLOUR_NAMES, GtpPoints, board_drawing

ENDINGS = (".sgf", ".psq", ".jsonl")  # of the files in a folder that are read
MOST_SHOWN = 12  # answers to a position in the terminal
DEEPEST = 20
WIDTH = 120  # columns of what is no terminal
MOST_BYTES = 1 << 30  # of a file
BAD_FILE = 1  # exit status: something could not be read


def add_options(parser: ArgumentParser) -> None:
    """What the command line may say."""
    parser.epilog = ("A file that names a game or a size is of that one.  Exit status: 0, or 1 if "
                     "a file or a game could not be read.  See docs/explorer.md.")
    parser.add_argument("games", nargs="+", type=Path, metavar="GAMES",
                        help="files (SGF, .psq, moves as in h8i9h7, the results of a tournament, "
                        "a game of the board in the browser), or folders of them")
    parser.add_argument("--position", default="", metavar="MOVES",
                        help="the moves that lead to it, as in \"H8 H9\" (default: the empty "
                        "board)")
    parser.add_argument("--depth", type=checked(whole("depth", DEEPEST)), default=1, metavar="N",
                        help="plies that are shown (default: 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table as JSON")
    parser.add_argument("--game", type=checked(catalogue.find), metavar="NAME",
                        help=f"{', '.join(catalogue.GAMES)} (default: the one of most games; of "
                        "files that name none, Gomoku)")
    parser.add_argument("--size", type=int, metavar="N",
                        help="length of a side of the board (default: that of most games; of files "
                        "that name none, the game's)")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Show the table; the exit status."""
    try:
        paths = [*files_in(options.games)]
    except OSError as error:
        parser.error(str(error))
    usual = options.game or catalogue.GOMOKU
    collection = Collection(usual, options.size or usual.default_size)
    failed = False
    with progress_bar("reading", len(paths)) as advance:
        for path in paths:
            for fault in collection.read(path):
                failed = True
                print(f"cannot read {harmless(fault)}", file=sys.stderr)
            advance(path)
    explorer = collection.chosen(options.game, options.size)
    if explorer is None:
        parser.error(f"there are no such games to explore (found: {collection.kinds()})")
    position = catalogue.start(explorer.rules, explorer.size)
    try:
        play_opening(position, tuple(options.position.replace(",", " ").split()))
    except ValueError as error:
        parser.error(f"--position: {error}")
    tree = explorer.tree(position, options.depth)
    if any(each.games for each in collection.explorers.values() if each is not explorer):
        print(f"games of one kind are shown, found are {collection.kinds()}: see --game and --size",
              file=sys.stderr)
    show(explorer, position, tree)
    try:
        if options.json:
            names = GtpPoints(explorer.lattice).name
            write_file(options.json, json.dumps({
                "game": explorer.rules.name, "size": explorer.size, "games": explorer.games,
                "position": [names[record.point] for record in position.moves],
                "answers": tree}, indent=1, allow_nan=False) + "\n")
    except OSError as error:
        parser.error(str(error))
    return BAD_FILE if failed else 0


class Collection:
    """Games of files, by what is played and on which size.

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
        games = [*records.games_in(data)]
        for number, game in enumerate(games, 1):
            try:
                tree = records.tree_in(game, self.usual, self.size)
                add_tree(self.of(tree.rules, tree.size), tree, tree.line(ROOT)[-1],
                         winner_of(tree.info.get("result", "")))
            except ValueError as error:
                yield f"{path}{f', game {number}' if len(games) > 1 else ''}: {error}"

    def _saved(self, data: Any) -> None:
        try:
            game = Game.of_data(data)
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
                each.suffix == ".json" and NAME.fullmatch(each.stem))
            has_sgf = each.suffix == ".jsonl" and each.with_suffix(".sgf").exists()
            if is_game and not has_sgf and each.is_file():
                yield each


def show(explorer: Explorer, position: Position, tree: list[dict[str, Any]]) -> None:
    """Print the board and the table."""
    kind = f"{explorer.rules.name}, {explorer.size} × {explorer.size}"
    lines = board_drawing(position.lattice, position.cells) if position.history else []
    table = Table(box=SIMPLE, pad_edge=False, title_justify="left",
                  title=f"{kind}: {explorer.games} game{'s' if explorer.games != 1 else ''}, "
                  f"{COLOUR_NAMES[position.side]} to move")
    for heading in HEADINGS:
        table.add_column(heading, no_wrap=True,
                         justify="left" if heading in (HEADINGS[0], HEADINGS[-1]) else "right")
    for level, (answer, *cells) in table_rows(tree, MOST_SHOWN):
        table.add_row("  " * level + answer, *cells)
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = max(console.width, WIDTH)
    console.print(*lines, table if tree else f"{table.title}; no answer is known", sep="\n")
