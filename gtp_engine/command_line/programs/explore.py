"""`explore`: show the answers of games to a position."""

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from ...games import catalogue
from ...games.rules import Position
from ...learn.explorer import HEADINGS, Explorer, table_rows
from ...library.collection import Collection, files_in
from ...players.options import whole
from ...tournament.openings import play_opening
from ...wire.files import write_file
from ...wire.notation import COLOUR_NAMES, GtpPoints, board_drawing
from ..options import checked
from ..terminal import harmless, progress_bar

MOST_SHOWN = 12  # answers to a position in the terminal
DEEPEST = 20
WIDTH = 120  # columns if the output is no terminal
BAD_FILE = 1  # exit status: a file or a game was unreadable


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = ("A file may name its game and size.  Exit status: 0, or 1 if a file or a game "
                     "is unreadable.  See docs/explorer.md.")
    parser.add_argument("games", nargs="+", type=Path, metavar="GAMES",
                        help="files (SGF, .psq, moves such as h8i9h7, results of a tournament, "
                        "a game of the board in the browser), or folders of files")
    parser.add_argument("--position", default="", metavar="MOVES",
                        help="the moves that lead to the position, such as \"H8 H9\" (default: the "
                        "empty board)")
    parser.add_argument("--depth", type=checked(whole("depth", DEEPEST)), default=1, metavar="N",
                        help="plies to show (default: 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table as JSON")
    parser.add_argument("--game", type=checked(catalogue.find), metavar="NAME",
                        help=f"{', '.join(catalogue.GAMES)} (default: the most frequent game; "
                        "Gomoku for files that name no game)")
    parser.add_argument("--size", type=int, metavar="N",
                        help="length of a side of the board (default: the most frequent size; "
                        "the game's for files that name no size)")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Show the table; return the exit status."""
    try:
        paths = [*files_in(options.games)]
    except OSError as error:
        parser.error(str(error))
    rules = options.game or catalogue.GOMOKU
    collection = Collection(rules, options.size or rules.default_size)
    failed = False
    with progress_bar("reading", len(paths)) as advance:
        for path in paths:
            for fault in collection.read(path):
                failed = True
                print(f"cannot read {harmless(fault)}", file=sys.stderr)
            advance(path)
    explorer = collection.largest(options.game, options.size)
    if explorer is None:
        parser.error(f"no such games to explore (found: {collection.kinds()})")
    position = catalogue.start(explorer.rules, explorer.size)
    try:
        play_opening(position, tuple(options.position.replace(",", " ").split()))
    except ValueError as error:
        parser.error(f"--position: {error}")
    tree = explorer.tree(position, options.depth)
    if any(each.games for each in collection.explorers.values() if each is not explorer):
        print(f"the table shows games of one kind (found: {collection.kinds()}); "
              "choose with --game and --size", file=sys.stderr)
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
    console.print(*lines, table if tree else f"{table.title}; no answers", sep="\n")
