"""`review`: the moves of games are judged, and it is shown what would have been better."""

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
from typing import Any, Callable, Iterable, Iterator, Sequence

from ..arena.work import in_order
from ..command_line.options import add_game, add_options_of, add_time, checked, size_of
from ..command_line.terminal import harmless, progress_bar
from ..games.tree import GameTree
from ..players.options import whole
from ..records import reader
from ..wire.files import read_at_most, write_file, write_named_file
from .analysis import Analysis, Effort, Task, analysis_of, load_analysis
from .annotate import sgf_of_review
from .classes import Thresholds
from .review import NO_MOVE, Review, Search, review, summary

ENDINGS = (".sgf", ".psq")  # of the files in a folder that are games
SECONDS = 0.5  # for a position
NO_GAME = 1  # exit status: something could not be reviewed

Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]  # as Python's map


def add_options(parser: ArgumentParser) -> None:
    """What the command line may say."""
    parser.epilog = ("A file that names a game or a size is of that one.  Exit status: 0, or 1 if "
                     "a game could not be reviewed.  See docs/review.md.")
    parser.add_argument("games", nargs="+", type=Path, metavar="GAME",
                        help="files (SGF, .psq, or moves as in h8i9h7), or folders of games")
    add_review_options(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the reviews as JSON")
    parser.add_argument("--output", type=Path, metavar="DIR",
                        help="write an SGF file with comments for each game, and index.html")


def add_review_options(parser: ArgumentParser) -> None:
    """The options that say what is reviewed, how thoroughly and how severely."""
    add_game(parser)
    add_time(parser, f"for each position (default: {SECONDS:g}, without --nodes)")
    add_options_of(parser, "nodes memory seed")
    add_workers(parser, "positions that are searched at a time")
    for name, value in Thresholds()._asdict().items():
        parser.add_argument(f"--{name}", type=checked(percentage), metavar="PERCENT", default=value,
                            help="loss of winning chance from which on a move is called so "
                            f"(default: {100 * value:g})")


def add_workers(parser: ArgumentParser, jobs: str) -> None:
    """The options that say who shares the work; `jobs` is what is done at a time."""
    parser.add_argument("--jobs", type=checked(whole("jobs", 1000)), metavar="N",
                        default=os.cpu_count() or 1, help=f"{jobs} (default: one for each core)")
    parser.add_argument("--scheduler", metavar="ADDRESS",
                        help="share the work among the Dask cluster of this scheduler")


def percentage(text: str) -> float:
    """The share, from 0 to 1, that a number of percent spells.  Raises ValueError."""
    return whole("a threshold", 100)(text) / 100


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Review the games; the exit status."""
    thresholds = thresholds_of(parser, options)
    page_of = page_maker() if options.output else None
    try:
        paths = [*files_in(options.games)]
        if options.output:
            options.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(str(error))
    reviews, failed = [], False
    with workers(parser, options) as apply:
        for path in paths:
            for name, game in games_of(path, options):
                if isinstance(game, str):
                    failed = True
                    print(f"cannot review {harmless(name)}: {harmless(game)}", file=sys.stderr)
                    continue
                found = judge(game, name, options, thresholds, apply)
                reviews.append((name, found))
                print("\n".join([harmless(name), *(f"  {line}" for line in summary(found))]),
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
    """Those that the options ask for; leaves if they are not in order."""
    thresholds = Thresholds(options.inaccuracy, options.mistake, options.blunder)
    if not thresholds.inaccuracy <= thresholds.mistake <= thresholds.blunder:
        parser.error("an inaccuracy must not cost more than a mistake, nor that than a blunder")
    return thresholds


def files_in(paths: Iterable[Path], endings: Sequence[str] = ENDINGS) -> Iterator[Path]:
    """The files, and those with such endings in the folders, in the order of their names.

    Raises OSError if there is no such file or folder.
    """
    for path in paths:
        path.stat()
        if path.is_dir():
            yield from sorted(each for each in path.rglob("*")
                              if each.suffix.lower() in endings and each.is_file())
        else:
            yield path


def games_of(path: Path, options: Namespace) -> Iterator[tuple[str, Any]]:
    """The games of a file, each with a name: a tree, or a text that says why it cannot be read."""
    try:
        games = [*reader.games_in(read_at_most(path, reader.LONGEST_FILE))]
    except (OSError, ValueError) as error:
        yield str(path), str(error)
        return
    for number, data in enumerate(games, 1):
        name = str(path) if len(games) == 1 else f"{path}, game {number}"
        try:
            tree = reader.tree_in(data, options.game, size_of(options))
            if not any(tree.nodes[node].step.move for node in tree.line(0)):
                raise ValueError(NO_MOVE)
            yield name, tree
        except ValueError as error:
            yield name, str(error)


def judge(tree: GameTree, name: str, options: Namespace, thresholds: Thresholds, apply: Map
          ) -> Review:
    """The review of a game whose positions `apply` has searched, with a progress bar."""
    load_analysis(tree.rules)
    return review(tree, effort_of(options), shown(harmless(name), apply), thresholds)


def effort_of(options: Namespace) -> Effort:
    """The effort for a position that the options ask for."""
    seconds = options.time or (None if options.nodes else SECONDS)
    return Effort(seconds, options.nodes, options.memory, options.seed)


def shown(name: str, apply: Map) -> Search:
    """A search whose progress a bar of that name shows."""
    def search(tasks: list[Task]) -> Iterator[Analysis]:
        with progress_bar(name, len(tasks)) as advance:
            for analysis in apply(analysis_of, tasks):
                advance(analysis)
                yield analysis

    return search


@contextmanager
def workers(parser: ArgumentParser, options: Namespace) -> Iterator[Map]:
    """A map that shares its work as the options say: among the workers of a Dask cluster or so many
    processes; with --jobs 1 this process does it.

    What was not begun when it is left is not done.  Leaves if there is no such scheduler, or if a
    cluster has lost a job too often.
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
                                 prepare) as pool:
            try:
                yield pool.map
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


def prepare() -> None:
    """Leave it to the parent to be interrupted, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def follow() -> None:
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        os._exit(0)

    Thread(target=follow, daemon=True).start()


def page_maker() -> Callable[[list[tuple[str, Review]]], str]:
    """What makes the page; its packages are loaded before there is work that could be lost."""
    from .page import page_of
    return page_of


def json_of(reviews: list[tuple[str, Review]]) -> str:
    """The reviews as JSON: that of one game, or several as the list `games`."""
    games = [{"name": name, **found.data()} for name, found in reviews]
    data = games[0] if len(games) == 1 else {"games": games}
    return json.dumps(data, indent=1, allow_nan=False) + "\n"


def write_games(folder: Path, reviews: list[tuple[str, Review]]) -> None:
    """Write an SGF file for each game into the folder.

    Raises OSError, and ValueError if a game is too large.
    """
    taken: set[str] = set()
    for name, found in reviews:
        write_file(folder / file_name(name, taken), sgf_of_review(found))


def file_name(name: str, taken: set[str]) -> str:
    """The name of an SGF file for a game of that name, which is not taken, but is now."""
    path, _, number = name.partition(", game ")
    stem = Path(path).stem + (f"-{number}" if number else "")
    found, count = f"{stem}.sgf", 1
    while found.lower() in taken:
        count += 1
        found = f"{stem}-{count}.sgf"
    taken.add(found.lower())
    return found
