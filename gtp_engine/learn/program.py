"""`review`: judge the moves of games and show better ones."""

import json
import multiprocessing
import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, Callable, Iterable, Iterator

from ..arena.work import in_order
from ..command_line.options import add_options_of, add_records, add_time, checked
from ..command_line.terminal import harmless, print_notes, progress_bar
from ..games.tree import ROOT, GameTree
from ..players.options import whole
from ..players.registry import complaint
from ..records import reader
from ..records.record import Record
from ..wire.files import write_file, write_named_file
from .analysis import Analysis, Effort, Task, analysis_of, load_analysis
from .annotate import sgf_of_review
from .classes import Thresholds
from .review import NO_MOVE, Review, Search, review, summary

SECONDS = 0.5  # for a position
NO_GAME = 1  # exit status: something could not be reviewed

Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]  # as Python's map


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = ("Exit status: 0, or 1 if a game could not be reviewed.  See docs/review.md.")
    parser.add_argument("games", nargs="+", type=Path, metavar="GAME",
                        help=f"files ({reader.NAMES}), or folders of games")
    add_review_options(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the reviews as JSON")
    parser.add_argument("--output", type=Path, metavar="DIR",
                        help="write an SGF file with comments for each game, and index.html")


def add_review_options(parser: ArgumentParser) -> None:
    """Add the options for the game, the effort and the thresholds."""
    add_records(parser)
    add_time(parser, f"for each position (default: {SECONDS:g}, without --nodes)")
    add_options_of(parser, "nodes memory seed")
    add_workers(parser, "positions to search at a time")
    for name, value in Thresholds()._asdict().items():
        parser.add_argument(f"--{name}", type=checked(percentage), metavar="PERCENT", default=value,
                            help="smallest loss of winning chance for this class "
                            f"(default: {100 * value:g})")


def add_workers(parser: ArgumentParser, jobs: str) -> None:
    """Add the options for parallel work; `jobs` is the help of --jobs."""
    parser.add_argument("--jobs", type=checked(whole("jobs", 1000)), metavar="N",
                        default=os.cpu_count() or 1, help=f"{jobs} (default: one for each core)")
    parser.add_argument("--scheduler", metavar="ADDRESS",
                        help="share the work with the Dask cluster of this scheduler")


def percentage(text: str) -> float:
    """Parse a percentage as a number from 0 to 1.  Raises ValueError."""
    return whole("a threshold", 100)(text) / 100


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Review the games; return the exit status."""
    thresholds = thresholds_of(parser, options)
    page_of = page_maker() if options.output else None
    try:
        paths = [*reader.game_files(options.games)]
        if options.output:
            options.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(str(error))
    reviews, failed = [], False
    with workers(parser, options) as apply:
        for path in paths:
            for name, game in games_of(path, options):
                if game.error:
                    failed = True
                    print(f"cannot review {harmless(name)}: {harmless(game.error)}",
                          file=sys.stderr)
                    continue
                result = judge(game.tree, name, options, thresholds, apply)
                reviews.append((name, result))
                print("\n".join([harmless(name), *(f"  {line}" for line in summary(result))]),
                      flush=True)
    try:
        if options.json:
            write_named_file(options.json, json_of(reviews))
        if page_of:
            write_games(options.output, reviews)
            write_file(options.output / "index.html", page_of(reviews))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    return NO_GAME if failed else 0


def thresholds_of(parser: ArgumentParser, options: Namespace) -> Thresholds:
    """The thresholds of the options; exits if they are not in order."""
    thresholds = Thresholds(options.inaccuracy, options.mistake, options.blunder)
    if not thresholds.inaccuracy <= thresholds.mistake <= thresholds.blunder:
        parser.error("the thresholds must not decrease: --inaccuracy, --mistake, --blunder")
    return thresholds


def games_of(path: Path, options: Namespace) -> Iterator[tuple[str, Record]]:
    """The games of a file, each with its name; prints their notes on standard error.

    A game that cannot be read, that has no move or that alphabeta does not play is a record with
    an error.
    """
    for name, record in reader.read_named(path, options.game, options.size, options.letters):
        print_notes(name, record.notes)
        if not record.error and not any(record.tree.nodes[node].step.move
                                        for node in record.tree.line(ROOT)):
            record.error = NO_MOVE
        if not record.error:
            record.error = complaint("alphabeta", record.tree.rules,
                                     record.tree.position(ROOT).lattice) or ""
        yield name, record


def judge(tree: GameTree, name: str, options: Namespace, thresholds: Thresholds, apply: Map
          ) -> Review:
    """Review a game with a progress bar; `apply` maps the searches to workers."""
    load_analysis(tree.rules)
    return review(tree, effort_of(options), with_progress(harmless(name), apply), thresholds)


def effort_of(options: Namespace) -> Effort:
    """The effort for a position, from the options."""
    seconds = options.time or (None if options.nodes else SECONDS)
    return Effort(seconds, options.nodes, options.memory, options.seed)


def with_progress(name: str, apply: Map) -> Search:
    """A search with a progress bar."""
    def search(tasks: list[Task]) -> Iterator[Analysis]:
        with progress_bar(name, len(tasks)) as advance:
            for analysis in apply(analysis_of, tasks):
                advance(analysis)
                yield analysis

    return search


@contextmanager
def workers(parser: ArgumentParser, options: Namespace) -> Iterator[Map]:
    """A map that shares its work with a Dask cluster or `--jobs` processes; 1 is this process.

    Drops jobs that have not started at the end of the context.  Exits if the scheduler cannot be
    reached, or if a cluster has lost a job too often.
    """
    if options.scheduler:
        from ..arena.cluster import Cluster
        try:
            cluster = Cluster(options.scheduler)
        except ValueError as error:
            parser.error(str(error))
        with closing(cluster):
            try:
                yield partial(in_order, cluster)
            except RuntimeError as error:
                parser.error(str(error))
    elif options.jobs == 1:
        yield map
    else:
        with ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn"),
                                 end_with_parent) as pool:
            try:
                yield pool.map
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


def end_with_parent() -> None:
    """Ignore interrupts in this process, and end it when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def follow() -> None:
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        os._exit(0)

    Thread(target=follow, daemon=True).start()


def page_maker() -> Callable[[list[tuple[str, Review]]], str]:
    """Import the function that makes the page; a missing package fails before the work."""
    from .page import page_of
    return page_of


def json_of(reviews: list[tuple[str, Review]]) -> str:
    """The reviews as JSON: the object of one game, or a list of objects as `games`."""
    games = [{"name": name, **each.data()} for name, each in reviews]
    data = games[0] if len(games) == 1 else {"games": games}
    return json.dumps(data, indent=1, allow_nan=False) + "\n"


def write_games(folder: Path, reviews: list[tuple[str, Review]]) -> None:
    """Write an SGF file for each game into the folder.

    Raises OSError, and ValueError if a game is too large.
    """
    used_names: set[str] = set()
    for name, each in reviews:
        write_file(folder / file_name(name, used_names), sgf_of_review(each))


def file_name(name: str, used_names: set[str]) -> str:
    """A new name of an SGF file for a game; adds it to `used_names`."""
    path, _, number = name.partition(", game ")
    stem = Path(path).stem + (f"-{number}" if number else "")
    file, count = f"{stem}.sgf", 1
    while file.lower() in used_names:
        count += 1
        file = f"{stem}-{count}.sgf"
    used_names.add(file.lower())
    return file
