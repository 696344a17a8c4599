"""The tournament command: round robins, gauntlets, matches and sequential tests."""

import logging
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from contextlib import ExitStack, closing
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Sequence

from ..arena.referee import interrupt_once
from ..arena.seats.base import LONGEST_NAME
from ..arena.verdict import Ending
from ..arena.work import REPEATED, Lost, Workers
from ..arena.workers import cores, workers_for
from ..command_line.options import checked
from ..command_line.terminal import harmless
from ..games.opening_rules import RULES
from ..players.options import whole
from ..records.pgn import game_of
from ..wire.files import read_toml, write_named_file
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
from .jobs import Probe, ProbeResult, Task, play, probe, task_of
from .live import live_games
from .openings import NONE
from .progress import Score, Show, print_tables, progress_on
from .results import Played, Results

LOOK_SECONDS = 1.0  # longest wait for finished jobs, in seconds
RESULTS = ".jsonl"


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = ("WHAT: a file as in docs/tournaments.md, or two or more seats, as in "
                     "a=alphabeta,time=0.5 'b=gomocup:./engine'; see also referee --help.  "
                     "Options override the file.  The exit status is 0 after the last game, 2 for "
                     "an invalid input, 4 if games could not be played or stored, and 130 after an "
                     "interrupt.  The same command continues an interrupted tournament.")
    parser.add_argument("what", nargs="+", metavar="WHAT",
                        help=f"FILE.toml; seats; or a FILE{RESULTS} of results to report")
    texts = {
        "game": "the game (default: Gomoku)", "size": "length of a side of the board",
        "format": f"{' or '.join(FORMATS)} (the first player against each other one)",
        "rounds": "number of rounds; each pairing plays two games from one opening in a round",
        "openings": "none, even (generated), renju26, an opening rule such as soosyrv-8, "
                    "or a file or folder of openings",
        "balance": "leave out openings of a file that a short search rates above X for a side",
        "plies": "moves of each opening from a file; for a library, all its lines of this length",
        "seed": "seed for reproducible openings and players of this package",
        "time_per_move": "seconds for a move", "time_per_game": "seconds for all moves of a side",
        "increment": "seconds added after each move", "margin": "seconds that a move may be late",
        "nodes": "most nodes of a search", "depth": "greatest depth of a search, in plies"}
    for key in (*GENERAL, *CONTROLS):
        parser.add_argument(f"--{key.replace('_', '-')}", metavar="X", help=texts[key])
    parser.add_argument("--points", nargs=3, metavar=("WIN", "DRAW", "LOSS"),
                        help="points for a game (default: 1 0.5 0)")
    parser.add_argument("--anchor", action="append", default=[], type=checked(anchor_of),
                        metavar="NAME=ELO",
                        help="shift all ratings so that this player has this Elo; several "
                             "anchors fit on average")
    parser.add_argument("--test", nargs=2, metavar=("ELO0", "ELO1"),
                        help="sequential test of two players: stop when it decides whether the "
                             "first is stronger by ELO0 or by ELO1")
    for key in ("alpha", "beta", "model"):
        parser.add_argument(f"--{key}", metavar="X", help={
            "alpha": "probability of accepting ELO1 when ELO0 is true (default: 0.05)",
            "beta": "probability of accepting ELO0 when ELO1 is true (default: 0.05)",
            "model": "normalized or logistic Elo (default: normalized)"}[key])
    parser.add_argument("--games", type=Path, metavar="FILE",
                        help=f"the results file (default: FILE{RESULTS} beside FILE.toml, "
                             f"else tournament{RESULTS})")
    parser.add_argument("--concurrency", type=checked(whole("concurrency", 10_000)), metavar="N",
                        help="number of parallel games (default: the number of cores)")
    parser.add_argument("--scheduler", metavar="ADDRESS",
                        help="play on the Dask cluster of this scheduler")
    parser.add_argument("--skip-bad", action="store_true",
                        help="leave out players that cannot take part")
    parser.add_argument("--keep-bad", action="store_true",
                        help="include players that cannot take part; they lose their games")
    parser.add_argument("--report", type=Path, metavar="DIR",
                        help="at the end, write a page, tables and all games to this folder")
    parser.add_argument("--pgn", type=Path, metavar="FILE",
                        help="at the end, write the results for BayesElo and Ordo")
    parser.add_argument("--verbose", action="store_true", help="print a line for each game")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Play the missing games and print the tables; return the exit status."""
    if options.report:
        from . import report  # noqa: F401  a missing package fails before the first game
    words = options.what
    try:
        if len(words) == 1 and words[0].endswith(RESULTS):
            results = Results.read(Path(words[0]))
            if options.anchor:
                check_anchor(dict(options.anchor), [
                    player["name"] for player in results.contest["players"]])
                results.contest = {**results.contest, "anchor": dict(options.anchor)}
            return show(results, options.report, options.pgn)
        data, folder = contest_data(options)
        contest = contest_of(data, folder)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    interrupt_once()
    try:
        return run(contest, data, folder, options)
    except ValueError as error:
        parser.error(*map(str, error.args))
    except OSError as error:
        print(f"{error.filename or games_file(options)}: {error.strerror or error}; fix this, "
              f"then continue with the same command: {this_command()}", file=sys.stderr)
        return 4
    except KeyboardInterrupt:
        print(f"interrupted; to continue: {this_command()}", file=sys.stderr)
        return 130


def contest_data(options: Namespace) -> tuple[dict[str, Any], Path]:
    """Return the contest as a mapping, and the folder for its relative paths.

    Raises ValueError and OSError.
    """
    data, folder, words = {}, Path(), options.what
    if len(words) == 1 and words[0].endswith(".toml"):
        folder = Path(words[0]).parent
        data = read_toml(Path(words[0]))
    else:
        data["player"] = [{"seat": word} for word in words]
    values = vars(options)
    for key in (*GENERAL, *CONTROLS):
        if values[key] is not None:
            data[key] = values[key]
            folder = Path() if key == "openings" else folder
    if options.points:
        data["points"] = dict(zip(POINTS, options.points))
    if options.anchor:
        data["anchor"] = dict(options.anchor)
    test = dict(zip(("elo0", "elo1"), options.test or ()))
    test |= {key: values[key] for key in TEST if values.get(key) is not None}
    if test and isinstance(data.get("test", {}), dict):
        data["test"] = {**data.get("test", {}), **test}
    return data, folder


def games_file(options: Namespace) -> Path:
    """Return the path of the results file."""
    first = Path(options.what[0])
    if options.games:
        return Path(options.games)
    return (first if first.suffix == ".toml" else Path("tournament")).with_suffix(RESULTS)


def this_command() -> str:
    """Return the command line of this process."""
    return shlex.join(sys.orig_argv)


def run(contest: Contest, data: Mapping[str, Any], folder: Path, options: Namespace) -> int:
    """Play a contest and print the tables; return the exit status.

    data    the mapping of the contest, for a new contest without the players that fail
    folder  the folder for its relative paths

    Raises ValueError if a player cannot take part or the results file is of another contest.
    """
    path = games_file(options)
    with ExitStack() as last, closing(workers_of(contest, options)) as workers:
        probes = probe_players(contest, workers)
        bad = [] if options.keep_bad else bad_players(contest, probes, options.skip_bad)
        if options.keep_bad:
            probes = [tolerate(player, each) for player, each in zip(contest.players, probes)]
        if bad:
            contest = contest_of({**data, "player": [
                each for place, each in enumerate(data["player"]) if place not in bad]}, folder)
        schedule = contest.fingerprint()
        contest = contest.with_names(distinct_names(contest.players, [
            each.name for place, each in enumerate(probes) if place not in bad]))
        results = Results.resume(path, contest.facts(), schedule)
        contest = contest.with_names([player["name"] for player in results.contest["players"]])
        score = Score(contest)
        score.add(results.games.values())
        if results.was_partial:
            logging.getLogger(__name__).warning(
                "removed the incomplete last line of %s", path)
        # the folder is removed only after the workers have stopped writing into it
        live = "" if options.scheduler else str(last.enter_context(live_games(path)))

        def task(game: PlannedGame) -> Task:
            return task_of(contest, game, schedule, live)

        with progress_on(sys.stderr, contest, score, options.verbose) as show_games:
            missing = play_all(contest, task, results, workers, score, show_games)
    results.close()
    show(results, options.report, options.pgn)
    if missing:
        print(f"{len(missing)} games could not be played (their workers died): "
              f"{' '.join(map(str, missing))}; the same command tries again", file=sys.stderr)
    return 4 if missing else 0


def show(results: Results, folder: Optional[Path], pgn: Optional[Path]) -> int:
    """Print the tables, and write the report and the PGN file if set; return the exit status."""
    from .standings import summary_of
    summary = summary_of(results.contest, results.games.values())
    print_tables(summary)
    if folder:
        from . import report
        report.write_report(folder, summary, [results.games[number]._asdict()
                                              for number in sorted(results.games)])
        print(f"the report is {folder / 'index.html'}", file=sys.stderr)
    if pgn:
        write_named_file(pgn, "".join(pgn_of(game, results.contest["game"])
                                      for game in results.games.values()))
    return 0


def pgn_of(game: Played, rules: str) -> str:
    """Return the headers of a game; PGN's White is the player who moves first."""
    result = ("*" if game.ending == Ending.INTERRUPTED.name else
              {game.first: "1-0", game.second: "0-1"}.get(game.winner or "", "1/2-1/2"))
    day = datetime.fromtimestamp(game.at, timezone.utc)
    return game_of({"Event": "tournament", "Site": "?", "Date": day.strftime("%Y.%m.%d"),
                    "Round": str(game.round), "White": game.first, "Black": game.second,
                    "Result": result, "Variant": rules, "Termination": game.verdict})


def workers_of(contest: Contest, options: Namespace) -> Workers:
    """Return the workers for the games."""
    count = options.concurrency or len(cores()) or 1
    if contest.over_files and count > 1 and not options.scheduler:
        logging.getLogger(__name__).warning("one game at a time: programs over files have only "
                                            "one set of files")
        count = 1
    return workers_for(options.scheduler, min(count, contest.games))


def probe_players(contest: Contest, workers: Workers) -> list[ProbeResult]:
    """Probe all players; return the results in the order of the contest."""
    with_opening, with_rule = contest.openings != NONE, contest.openings in RULES
    waiting = [(place, Probe(player, contest.rules, contest.size, with_opening, with_rule))
               for place, player in enumerate(contest.players)]
    results: dict[int, Any] = {}
    while len(results) < len(contest.players):
        while waiting and workers.free:
            place, task = waiting.pop(0)
            workers.submit(place, probe, task)
        results.update(workers.finished(LOOK_SECONDS))
    return [ProbeResult("", f"{player.seat}: {results[place].text.strip()}")
            if isinstance(results[place], Lost) else results[place]
            for place, player in enumerate(contest.players)]


def bad_players(contest: Contest, probes: Sequence[ProbeResult], skip: bool) -> list[int]:
    """Return the places of the players that cannot take part.

    Raises ValueError with all their complaints unless `skip`, or if the contest needs them.
    """
    bad = [place for place, each in enumerate(probes) if each.complaint]
    lines = [each.complaint for each in probes if each.complaint]
    if bad and not skip:
        raise ValueError(*lines)
    if len(probes) - len(bad) < 2:
        raise ValueError(*lines, "a tournament needs at least two players")
    if contest.format == GAUNTLET and 0 in bad:
        raise ValueError(*lines, "a gauntlet needs its first player")
    for line in lines:
        logging.getLogger(__name__).warning("left out: %s", line)
    return bad


def tolerate(player: Entrant, result: ProbeResult) -> ProbeResult:
    """Return the result without its complaint, which is logged."""
    if not result.complaint:
        return result
    logging.getLogger(__name__).warning("it loses its games: %s", harmless(result.complaint))
    return ProbeResult(player.name or player.seat[:LONGEST_NAME])


def distinct_names(players: Sequence[Entrant], names: Sequence[str]) -> list[str]:
    """Return distinct names of the players; a repeated name gets a number."""
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
    """Play all missing games, or until the test is decided.

    task  returns the job for a game
    show  called with the games that have ended

    Returns the numbers of the games that could not be played.  Raises OSError if the results file
    is not writable.
    """
    missing = (game for game in contest.schedule() if game.number not in results.games)
    running: dict[int, PlannedGame] = {}
    repeated: list[PlannedGame] = []
    tries: Counter[int] = Counter()
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
                tries[game.number] += outcome.tries
                (given_up if tries[game.number] > REPEATED else repeated).append(game)
        begin_games()  # the workers run while this process waits for the disk
        finished = [outcome for _, outcome in ended if not isinstance(outcome, Lost)]
        results.add(finished)
        left -= len(finished)
        score.add(finished)
        show(finished)
        for game in finished:
            if game.unready and game.unready not in unready:
                unready.add(game.unready)
                logging.getLogger(__name__).warning(
                    "game %d: %s lost before or at its first move: %s", game.game, game.unready,
                    game.verdict)
    return sorted(game.number for game in given_up)
