"""`league`: a tournament of the submissions of a class, each in its sandbox."""

import json
import logging
import os
import shlex
import shutil
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Iterator

from ..command_line.options import add_time, checked
from ..command_line.terminal import Parser
from ..players.options import whole
from ..tournament import program as tournament
from ..tournament.contest import anchor_of
from ..wire.files import write_file
from .classes import isolation
from .course import Course, read_course
from .sandbox import KINDS, Broken, prepare
from .submissions import Submission, submissions_in
from .unpack import BadSubmission, unpack

FILE = "league.toml"


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = ("The tournament is written to RESULTS/league.toml, its games to "
                     "RESULTS/league.jsonl, the report to RESULTS/report; after an interruption "
                     "the same command continues.  See docs/classroom.md.")
    parser.add_argument("--submissions", type=Path, required=True, metavar="DIR",
                        help="the submissions: folders, .zip, .tgz or .tar")
    parser.add_argument("--course", type=Path, required=True, metavar="FILE.toml",
                        help="the command that starts submissions, their limits, the game")
    parser.add_argument("--results", type=Path, required=True, metavar="DIR",
                        help="the folder for the games and tables")
    parser.add_argument("--isolation", choices=KINDS,
                        help="how programs are isolated (default: the first of these that this "
                             "system allows)")
    parser.add_argument("--bad", choices=("lose", "leave-out"), default="lose",
                        help="how to treat submissions that cannot start (default: %(default)s)")
    parser.add_argument("--rounds", type=checked(whole("rounds", 10**6)), default=1, metavar="N",
                        help="two games of each pair in each round (default: 1)")
    parser.add_argument("--openings", default="none",
                        help="none, even or a file (default: %(default)s)")
    parser.add_argument("--anchor", action="append", default=[], metavar="SEAT=ELO",
                        type=checked(anchor_of),
                        help="add a built-in player with a fixed rating, as in flat=-1066")
    parser.add_argument("--jobs", type=checked(whole("jobs", 10_000)), metavar="N",
                        help="games at a time (default: one for each core)")
    parser.add_argument("--scheduler", metavar="ADDRESS",
                        help="play on the Dask cluster of this scheduler")
    add_time(parser, "for each move (default: the course's seconds_per_command)",
             name="--time-per-move")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Unpack the submissions and play; return the exit status of the tournament."""
    try:
        course = read_course(options.course)
        options.results.mkdir(parents=True, exist_ok=True)
        kind = isolation(options.isolation, course, options.results)
        players = [*entrants(options, course, kind)]
        write_file(options.results / FILE, toml_of(options, course, players))
    except Broken as error:
        logging.getLogger(__name__).error("%s", error)
        return 2
    except (ValueError, OSError) as error:
        parser.error(str(error))
    words = [str(options.results / FILE), "--report", str(options.results / "report"),
             "--skip-bad" if options.bad == "leave-out" else "--keep-bad"]
    for name in ("jobs", "scheduler"):
        if value := getattr(options, name):
            words += [{"jobs": "--concurrency"}.get(name, f"--{name}"), str(value)]
    games = Parser(prog=parser.prog)
    tournament.add_options(games)
    return int(tournament.start(games, games.parse_args(words)))


def entrants(options: Namespace, course: Course, kind: str) -> Iterator[tuple[str, str]]:
    """Unpack each submission; yield the name and seat of each submission and each anchor.

    Raises ValueError and OSError.
    """
    for submission in submissions_in(options.submissions):
        words = command(options, course, submission, kind)
        yield player_name(submission), f"gtp:{shlex.join(words)}"
    for seat, _ in options.anchor:
        yield seat, seat


def player_name(submission: Submission) -> str:
    """The name of a submission in a form that tournaments accept."""
    name = "".join(symbol if symbol.isprintable() else "_" for symbol in submission.name)
    return name if len(name) <= 100 else submission.key


def command(options: Namespace, course: Course, submission: Submission, kind: str) -> list[str]:
    """The command of a submission in its sandbox; one that fails if it cannot be unpacked.

    Raises OSError.
    """
    work = (options.results / "players" / submission.key).absolute()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    try:
        folder, _ = unpack(Path(submission.path), work / "unpacked", course.command_files)
    except BadSubmission as error:
        return ["sh", "-c", f"echo {shlex.quote(str(error))} >&2; exit 1"]
    return prepare(kind, course.words, folder, work, course.resources, course.readable)


def toml_of(options: Namespace, course: Course, players: list[tuple[str, str]]) -> str:
    """The settings of the tournament as TOML."""
    seconds = options.time_per_move or course.seconds_per_command
    openings = options.openings
    if openings not in ("none", "even"):
        openings = os.path.abspath(openings)
    lines = [f"game = {json.dumps(course.game)}", f"size = {course.size}",
             f"rounds = {options.rounds}", f"openings = {json.dumps(openings)}",
             f"time_per_move = {seconds:g}"]
    if options.anchor:
        lines += ["", "[anchor]", *(f"{json.dumps(seat)} = {elo:g}" for seat, elo in
                                    options.anchor)]
    for name, seat in players:
        lines += ["", "[[player]]", f"name = {json.dumps(name)}", f"seat = {json.dumps(seat)}"]
    return "\n".join(lines) + "\n"
