"""`explore`: show the answers of games to a position, and find games."""

import json
import sqlite3
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from ...games import catalogue
from ...games.lattice import Size, size_data
from ...games.rules import Position, Rules
from ...learn.departures import Departures, Score
from ...learn.explorer import HEADINGS, Explorer, table_rows
from ...library.collection import OTHERS
from ...players.options import whole
from ...players.proofs import gomoku as gomoku_proof
from ...records.collection import SUFFIX, Collection, Found
from ...records.reader import NAMES, game_files
from ...records.record import board_text
from ...tournament.openings import play_opening
from ...wire.files import write_file
from ...wire.notation import COLOUR_NAMES, GtpPoints, board_drawing
from ..options import add_records, checked
from ..terminal import harmless, print_notes, progress_bar

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MOST_SHOWN = 12  # answers to a position in the terminal
DEEPEST = 20
MOST_GAMES = 10**9
MOST_PLAYED = 3  # moves of games at a position where they leave the proof
RESULTS = ("Black won", "drawn", "White won")
WIDTH = 120  # columns if the output is no terminal
BAD_FILE = 1  # exit status: a file or a game was unreadable
SEARCH = ("player", "event", "year", "result", "opening", "rule")
COLUMNS = ("black", "white", "result", "date", "event", "opening", "rule", "file")


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = ("A file may name its game and size.  Exit status: 0, or 1 if a file or a game "
                     "is unreadable.  See docs/explorer.md.")
    parser.add_argument("games", nargs="*", type=Path, metavar="GAMES",
                        help=f"files ({NAMES}, results of a tournament, a game of the board in the "
                        f"browser), folders of files, or a collection ({SUFFIX})")
    parser.add_argument("--index", type=Path, metavar="FILE",
                        help=f"store the games in a collection, such as my{SUFFIX}; later runs add "
                        "new and changed files only")
    parser.add_argument("--position", default="", metavar="MOVES",
                        help="the moves that lead to the position, such as \"H8 H9\" (default: the "
                        "empty board)")
    parser.add_argument("--depth", type=checked(whole("depth", DEEPEST)), default=1, metavar="N",
                        help="plies to show (default: 1)")
    parser.add_argument("--proof", action="store_true",
                        help="show where games leave the proof that Black wins; with --player and "
                        "the like, only those games")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table as JSON")
    parser.add_argument("--list", type=checked(whole("games", 10**9)), metavar="N",
                        help="list N games that reach the position, the last ones first")
    for name in SEARCH:
        parser.add_argument(f"--{name}", metavar="TEXT", help={
            "year": "list games of this year", "result": "list games with this result: B+, W+, 0"
        }.get(name, f"list games with this text in the {name}"))
    add_records(parser, "the most frequent game; Gomoku for files that name no game")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Show the table; return the exit status."""
    paths = [path for path in options.games if path.suffix != SUFFIX]
    index = options.index or next((path for path in options.games if path.suffix == SUFFIX), None)
    if not paths and index is None:
        parser.error("no games: name files, folders or a collection")
    try:
        if index and not options.index:
            index.stat()
        collection = Collection(index or ":memory:")
        count = sum(1 for _ in game_files(paths, tuple(OTHERS)))
        failed = add_files(collection, paths, count, options)
        return show_all(parser, options, collection) or (BAD_FILE if failed else 0)
    except (OSError, ValueError, sqlite3.Error) as error:
        parser.error(str(error))


def add_files(collection: Collection, paths: list[Path], count: int, options: Namespace) -> bool:
    """Index files with a progress bar; return whether a file or a game was unreadable."""
    failed = False
    with progress_bar("reading", count) as advance:
        for name, notes, error in collection.index(paths, options.game, options.size,
                                                   options.letters, OTHERS):
            if not name:
                advance(name)
            print_notes(name, notes)
            if error:
                failed = True
                print(f"cannot read {harmless(name)}: {harmless(error)}", file=sys.stderr)
    return failed


def show_all(parser: ArgumentParser, options: Namespace, collection: Collection) -> int:
    """Print the board, the table and the list of games."""
    kinds = collection.kinds()
    proved = {(rules, size): count for (rules, size), count in kinds.items()
              if (rules.name, size) in gomoku_proof.games()}
    kind = choose_kind(proved if options.proof else kinds, options.game, options.size)
    if kind is None and options.proof:
        parser.error(f"--proof: no games with a proof (found: {kinds_text(kinds)})")
    if kind is None:
        parser.error(f"no such games to explore (found: {kinds_text(kinds)})")
    explorer = Explorer(*kind, collection)
    position = catalogue.start(*kind)
    try:
        play_opening(position, tuple(options.position.replace(",", " ").split()))
    except ValueError as error:
        parser.error(f"--position: {error}")
    if len(kinds) > 1:
        print(f"the table shows games of one kind (found: {kinds_text(kinds)}); "
              "choose with --game and --size", file=sys.stderr)
    words = {name: getattr(options, name) for name in SEARCH if getattr(options, name)}
    if "year" in words:
        words["year"] = whole("year", 9999)(words["year"])
    if options.proof:
        departures = Departures(*kind)
        departures.add(collection.search(position if position.history else None, **words,
                                         most=MOST_GAMES)[0])
        show_departures(departures, f"{kind[0].name}, {board_text(kind[1], ' × ')}")
        if options.json:
            write_file(options.json, json.dumps({
                "game": kind[0].name, "size": size_data(kind[1]), **departures.data()},
                indent=1) + "\n")
        return 0
    if options.list or words:
        found, count = collection.search(position if position.history else None, **words,
                                         most=options.list or MOST_SHOWN)
        show_games(found, count)
        return 0
    tree = explorer.tree(position, options.depth)
    show(explorer, position, tree)
    if options.json:
        names = GtpPoints(explorer.lattice).name
        write_file(options.json, json.dumps({
            "game": explorer.rules.name, "size": size_data(explorer.size), "games": explorer.games,
            "position": [names[record.point] for record in position.moves],
            "answers": tree}, indent=1, allow_nan=False) + "\n")
    return 0


def choose_kind(kinds: dict[tuple[Rules, Size], int], rules: Optional[Rules],
                size: Optional[Size]) -> Optional[tuple[Rules, Size]]:
    """The most frequent kind of games, of these rules and size if not None; None if there is none.
    """
    return next((kind for kind in kinds if rules in (None, kind[0]) and size in (None, kind[1])),
                None)


def kinds_text(kinds: dict[tuple[Rules, Size], int]) -> str:
    """The number of games of each kind."""
    return ", ".join(f"{count} of {rules.name} {board_text(size, ' × ')}"
                     for (rules, size), count in kinds.items()) or "none"


def show(explorer: Explorer, position: Position, tree: list[dict[str, Any]]) -> None:
    """Print the board and the table."""
    from rich.box import SIMPLE
    from rich.table import Table
    kind = f"{explorer.rules.name}, {board_text(explorer.size, ' × ')}"
    lines = board_drawing(position.lattice, position.cells) if position.history else []
    games = explorer.games
    table = Table(box=SIMPLE, pad_edge=False, title_justify="left",
                  title=f"{kind}: {games} game{'s' if games != 1 else ''}, "
                  f"{COLOUR_NAMES[position.side]} to move")
    for heading in HEADINGS:
        table.add_column(heading, no_wrap=True,
                         justify="left" if heading in (HEADINGS[0], *HEADINGS[-2:]) else "right")
    for level, (answer, *cells) in table_rows(tree, MOST_SHOWN):
        table.add_row("  " * level + answer, *cells)
    console = console_of()
    console.print(*lines, table if tree else f"{table.title}; no answers", sep="\n")


def show_games(found: list[Found], count: int) -> None:
    """Print a list of games."""
    from rich.box import SIMPLE
    from rich.table import Table
    table = Table(box=SIMPLE, pad_edge=False, title_justify="left",
                  title=f"{len(found)} of {count} game{'s' if count != 1 else ''}")
    for heading in COLUMNS:
        table.add_column(heading, overflow="fold")
    for game in found:
        place = f"{game.path}, game {game.number}" if game.number else game.path
        table.add_row(*(harmless(getattr(game, column)) for column in COLUMNS[:-1]),
                      harmless(place))
    console_of().print(table)


def show_departures(departures: Departures, kind: str) -> None:
    """Print how games follow the proof, the plies where they leave it, and the positions."""
    names = GtpPoints(departures.start.lattice).name
    console = console_of()
    scores = {"follow the proof to their end": departures.followed,
              "follow it to a win by threats": departures.threats,
              "leave the proof": departures.left}
    games = sum(score.games for score in scores.values())
    console.print(f"{kind}: {games} game{'s' if games != 1 else ''} and the proof that Black wins"
                  f"{f', {departures.omitted} omitted' if departures.omitted else ''}")
    table = table_of("games that", "games", "%", *RESULTS)
    for name, score in scores.items():
        table.add_row(name, *score_cells(score, games))
    console.print(table)
    if not departures.left.games:
        return
    table = table_of("ply of the other move", "games", "%")
    for ply, count in sorted(departures.plies.items()):
        table.add_row(str(ply), str(count), f"{100 * count / games:.1f}")
    console.print(table)
    table = table_of("after", "the proof plays", "games play", "games", "%", *RESULTS)
    for each in departures.positions(MOST_SHOWN):
        played = [f"{names[points[0]]} {count}" for points, count in each.played[:MOST_PLAYED]]
        more = len(each.played) - len(played)
        table.add_row(" ".join(names[point] for point in each.moves) or "–", names[each.proof[0]],
                      ", ".join(played) + (f", {more} more" if more else ""),
                      *score_cells(each.score, games))
    console.print(table)


def table_of(*headings: str) -> "Table":
    """An empty table; the columns from "games" on have numbers."""
    from rich.box import SIMPLE
    from rich.table import Table
    table, numbers = Table(box=SIMPLE, pad_edge=False), headings.index("games")
    for column, heading in enumerate(headings):
        table.add_column(heading, justify="left" if column < numbers else "right", overflow="fold")
    return table


def score_cells(score: Score, games: int) -> list[str]:
    """The games, their share of all games, and their results."""
    return [str(score.games), f"{100 * score.games / games:.1f}" if games else "", str(score.won),
            str(score.drawn), str(score.lost)]


def console_of() -> "Console":
    """A console for standard output, wide enough for a table if it is no terminal."""
    from rich.console import Console
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = max(console.width, WIDTH)
    return console
