"""Many games, from the command line: round robins, gauntlets, sequential tests."""

import logging
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Sequence

from ..arena.referee import interrupt_once
from ..arena.seats.base import LONGEST_NAME
from ..arena.work import REPEATED, Lost, Workers
from ..arena.workers import cores, workers_for
from ..command_line.options import checked
from ..command_line.terminal import harmless
from ..games.opening_rules import RULES
from ..players.options import whole
from ..wire.files import read_toml
from .contest import (
    CONTROLS,
    FORMATS,
    GAUNTLET,
    GENERAL,
    POINTS,
    TEST,
    Contest,
    Entrant,
    PlannedGame,
    anchor_of,
    check_anchor,
    contest_of,
)
from .jobs import Acquaintance, Introduction, Task, meet, play, task_of
from .live import live_games
from .openings import NONE
from .progress import Score, Show, print_tables, progress_on
from .results import Results

LOOK_SECONDS = 1.0  # seconds between two looks at the progress
RESULTS = ".jsonl"


def add_options(parser: ArgumentParser) -> None:
    """What the command line may say."""
    parser.epilog = ("WHAT: a file as in docs/tournaments.md, or two and more seats, as in "
                     "a=alphabeta,time=0.5 'b=gomocup:./engine'; see also referee --help.  What "
                     "options say goes before what the file says.  The exit status is 0 once all "
                     "is played, 2 if something does not fit, 4 if games could not be played or "
                     "kept, 130 after an interrupt; the same command goes on then.")
    parser.add_argument("what", nargs="+", metavar="WHAT",
                        help=f"FILE.toml; seats; or a FILE{RESULTS} of results, to be reported")
    meant = {
        "game": "Gomoku unless it is given", "size": "length of a side of the board",
        "format": f"{' or '.join(FORMATS)} (the first player against each other one)",
        "rounds": "in each, those who meet play two games from one opening",
        "openings": "none, even (made here), renju26, an opening rule as soosyrv-8, "
                    "or a file or folder of openings",
        "seed": "makes the schedule, the openings and our players the same again",
        "time_per_move": "seconds for a move", "time_per_game": "seconds for all moves of a side",
        "increment": "seconds added after each move", "margin": "seconds that a move may be late",
        "nodes": "nodes that a search visits at most", "depth": "plies that it looks ahead at most"}
    for key in (*GENERAL, *CONTROLS):
        parser.add_argument(f"--{key.replace('_', '-')}", metavar="X", help=meant[key])
    parser.add_argument("--points", nargs=3, metavar=("WIN", "DRAW", "LOSS"),
                        help="points for a game (default: 1 0.5 0)")
    parser.add_argument("--anchor", action="append", default=[], type=checked(anchor_of),
                        metavar="NAME=ELO",
                        help="move all ratings so that this player has this Elo; several "
                             "anchors have theirs on average")
    parser.add_argument("--test", nargs=2, metavar=("ELO0", "ELO1"),
                        help="stop once it is clear whether the first of two players is stronger "
                             "by ELO1 rather than ELO0")
    for key in ("alpha", "beta", "model"):
        parser.add_argument(f"--{key}", metavar="X", help={
            "alpha": "chance of taking ELO0 for ELO1 (default: 0.05)",
            "beta": "chance of taking ELO1 for ELO0 (default: 0.05)",
            "model": "normalized or logistic Elo (default: normalized)"}[key])
    parser.add_argument("--games", type=Path, metavar="FILE",
                        help=f"where the games are kept (default: FILE{RESULTS} beside FILE.toml, "
                             f"else tournament{RESULTS})")
    parser.add_argument("--concurrency", type=checked(whole("concurrency", 10_000)), metavar="N",
                        help="games at a time (default: one for each core)")
    parser.add_argument("--scheduler", metavar="ADDRESS",
                        help="play on the Dask cluster of this scheduler")
    parser.add_argument("--skip-bad", action="store_true",
                        help="play without players that cannot take part")
    parser.add_argument("--keep-bad", action="store_true",
                        help="play also with players that cannot take part; they lose their games")
    parser.add_argument("--report", type=Path, metavar="DIR",
                        help="write a page, tables and all games to this folder in the end")
    parser.add_argument("--verbose", action="store_true", help="a line for each game")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Play the missing games, and show the tables; the exit status."""
    if options.report:
        from . import report  # noqa: F401  before the first game, if it cannot be done
    words = options.what
    try:
        if len(words) == 1 and words[0].endswith(RESULTS):
            results = Results.read(Path(words[0]))
            if options.anchor:
                check_anchor(dict(options.anchor), [
                    player["name"] for player in results.contest["players"]])
                results.contest = {**results.contest, "anchor": dict(options.anchor)}
            return show(results, options.report)
        data, folder = described(options)
        contest = contest_of(data, folder)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    interrupt_once()
    try:
        return run(contest, data, folder, options)
    except ValueError as error:
        parser.error(*map(str, error.args))
    except OSError as error:
        print(f"{error.filename or games_file(options)}: {error.strerror or error}; once this is "
              f"mended, the same command goes on: {again()}", file=sys.stderr)
        return 4
    except KeyboardInterrupt:
        print(f"interrupted; to go on: {again()}", file=sys.stderr)
        return 130


def described(options: Namespace) -> tuple[dict[str, Any], Path]:
    """The contest as a mapping, and the folder from which its paths are seen.

    Raises ValueError and OSError.
    """
    data, folder, words = {}, Path(), options.what
    if len(words) == 1 and words[0].endswith(".toml"):
        folder = Path(words[0]).parent
        data = read_toml(Path(words[0]))
    else:
        data["player"] = [{"seat": word} for word in words]
    given = vars(options)
    for key in (*GENERAL, *CONTROLS):
        if given[key] is not None:
            data[key] = given[key]
            folder = Path() if key == "openings" else folder
    if options.points:
        data["points"] = dict(zip(POINTS, options.points))
    if options.anchor:
        data["anchor"] = dict(options.anchor)
    test = dict(zip(("elo0", "elo1"), options.test or ()))
    test |= {key: given[key] for key in TEST if given.get(key) is not None}
    if test and isinstance(data.get("test", {}), dict):
        data["test"] = {**data.get("test", {}), **test}
    return data, folder


def games_file(options: Namespace) -> Path:
    """Where the games are kept."""
    first = Path(options.what[0])
    if options.games:
        return Path(options.games)
    return (first if first.suffix == ".toml" else Path("tournament")).with_suffix(RESULTS)


def again() -> str:
    """The command that was given."""
    return shlex.join(sys.orig_argv)


def run(contest: Contest, data: Mapping[str, Any], folder: Path, options: Namespace) -> int:
    """Play the contest that is described by the data in that folder, and show; the exit status.

    Raises ValueError if a player or the file does not fit.
    """
    path = games_file(options)
    with ExitStack() as last, closing(workers_of(contest, options)) as workers:
        probes = acquainted(contest, workers)
        bad = [] if options.keep_bad else left_out(contest, probes, options.skip_bad)
        if options.keep_bad:
            probes = [tolerated(player, each) for player, each in zip(contest.players, probes)]
        if bad:
            contest = contest_of({**data, "player": [
                each for place, each in enumerate(data["player"]) if place not in bad]}, folder)
        schedule = contest.fingerprint()
        contest = contest.named(distinct_names(contest.players, [
            each.name for place, each in enumerate(probes) if place not in bad]))
        results = Results.resume(path, contest.facts(), schedule)
        contest = contest.named([player["name"] for player in results.contest["players"]])
        score = Score(contest)
        score.add(results.games.values())
        if results.dropped:
            logging.getLogger(__name__).warning(
                "the last line of %s was only half written; it is dropped", path)
        # the folder goes when no worker writes into it any more
        live = "" if options.scheduler else str(last.enter_context(live_games(path)))

        def task(game: PlannedGame) -> Task:
            return task_of(contest, game, schedule, live)

        with progress_on(sys.stderr, contest, score, options.verbose) as show_games:
            missing = play_all(contest, task, results, workers, score, show_games)
    results.close()
    show(results, options.report)
    if missing:
        print(f"{len(missing)} games could not be played (their workers died): "
              f"{' '.join(map(str, missing))}; the same command tries again", file=sys.stderr)
    return 4 if missing else 0


def show(results: Results, folder: Optional[Path]) -> int:
    """Print the tables, and write the report if there is a folder for it; the exit status."""
    from .standings import summary_of
    summary = summary_of(results.contest, results.games.values())
    print_tables(summary)
    if folder:
        from . import report
        report.write_report(folder, summary, [results.games[number]._asdict()
                                              for number in sorted(results.games)])
        print(f"the report is {folder / 'index.html'}", file=sys.stderr)
    return 0


def workers_of(contest: Contest, options: Namespace) -> Workers:
    """The workers that play the games."""
    count = options.concurrency or len(cores()) or 1
    if contest.over_files and count > 1 and not options.scheduler:
        logging.getLogger(__name__).warning("one game at a time: programs over files have only "
                                            "one set of files")
        count = 1
    return workers_for(options.scheduler, min(count, contest.games))


def acquainted(contest: Contest, workers: Workers) -> list[Acquaintance]:
    """The facts about each player, after probing it."""
    opened, agreed = contest.openings != NONE, contest.openings in RULES
    waiting = [(place, Introduction(player, contest.rules, contest.size, opened, agreed))
               for place, player in enumerate(contest.players)]
    met: dict[int, Any] = {}
    while len(met) < len(contest.players):
        while waiting and workers.free:
            place, question = waiting.pop(0)
            workers.submit(place, meet, question)
        met.update(workers.finished(LOOK_SECONDS))
    return [Acquaintance("", f"{player.seat}: {met[place].text.strip()}")
            if isinstance(met[place], Lost) else met[place]
            for place, player in enumerate(contest.players)]


def left_out(contest: Contest, probes: Sequence[Acquaintance], skip: bool) -> list[int]:
    """The places of the players that cannot take part, and are left out if they may be skipped.

    Raises ValueError that names all of them if they must not be left out.
    """
    bad = [place for place, each in enumerate(probes) if each.complaint]
    lines = [each.complaint for each in probes if each.complaint]
    if bad and not skip:
        raise ValueError(*lines)
    if len(probes) - len(bad) < 2:
        raise ValueError(*lines, "two players are needed at least")
    if contest.format == GAUNTLET and 0 in bad:
        raise ValueError(*lines, "a gauntlet needs its first player")
    for line in lines:
        logging.getLogger(__name__).warning("left out: %s", line)
    return bad


def tolerated(player: Entrant, probes: Acquaintance) -> Acquaintance:
    """The same player; if it cannot take part, it does so, by the name that it was given."""
    if not probes.complaint:
        return probes
    logging.getLogger(__name__).warning("it loses its games: %s", harmless(probes.complaint))
    return Acquaintance(player.name or player.seat[:LONGEST_NAME])


def distinct_names(players: Sequence[Entrant], names: Sequence[str]) -> list[str]:
    """The names of the players; a name that others have already gets a number."""
    distinct: list[str] = []
    for player, own in zip(players, names):
        name, number = own, 2
        others = {*distinct, *(each.name for each in players if each is not player)}
        while name in others:
            name, number = f"{own} {number}", number + 1
        distinct.append(name)
    return distinct


def play_all(contest: Contest, task: Callable[[PlannedGame], Task], results: Results,
             workers: Workers, score: Score, show: Show) -> list[int]:
    """Play all games that are not there yet, as these tasks, until a test is decided.

    Returns the numbers of those that could not be played.  Raises OSError if one cannot be kept.
    """
    missing = (game for game in contest.schedule() if game.number not in results.games)
    running: dict[int, PlannedGame] = {}
    repeated: list[PlannedGame] = []
    lost: Counter[int] = Counter()
    given_up: list[PlannedGame] = []
    unready: set[str] = set()
    left = sum(game.number not in results.games for game in contest.schedule())

    def begin_games() -> None:
        while workers.free and (game := repeated.pop() if repeated else next(missing, None)):
            running[game.number] = game
            workers.submit(game.number, play, task(game))

    while len(given_up) < left and not score.decision:
        begin_games()
        ended = [(running.pop(number), outcome)
                 for number, outcome in workers.finished(LOOK_SECONDS)]
        for game, outcome in ended:
            if isinstance(outcome, Lost):
                logging.getLogger(__name__).error(
                    "game %d, %s against %s: %s", game.number, harmless(game.first.name),
                    harmless(game.second.name),
                    "\n".join(map(harmless, outcome.text.strip().split("\n"))))
                lost[game.number] += outcome.tries
                (given_up if lost[game.number] > REPEATED else repeated).append(game)
        begin_games()  # while the disk is waited for
        played = [outcome for _, outcome in ended if not isinstance(outcome, Lost)]
        results.add(played)
        left -= len(played)
        score.add(played)
        show(played)
        for game in played:
            if game.unready and game.unready not in unready:
                unready.add(game.unready)
                logging.getLogger(__name__).warning(
                    "game %d: %s lost before or at its first move: %s", game.game, game.unready,
                    game.verdict)
    return sorted(game.number for game in given_up)
