"""The tournament command: round robins, gauntlets, matches and sequential tests."""

import shlex
import sys
from argparse import ArgumentParser, Namespace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Mapping, Optional

from ..arena.referee import interrupt_once
from ..arena.verdict import Ending
from ..command_line.options import checked
from ..players.options import whole
from ..records.pgn import game_of
from ..wire.files import read_toml, write_named_file
from .contest import (
    CONTROLS,
    FORMATS,
    GENERAL,
    POINTS,
    TEST,
    Contest,
    anchor_of,
    check_anchor,
    contest_of,
)
from .play import play_contest
from .progress import print_tables, progress_on
from .results import Played, Results

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
        "game": "the game (default: Gomoku)", "size": "size of the board, such as 15 or 12x10",
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

    The arguments and errors are those of `play_contest`.
    """
    results, missing = play_contest(
        contest, data, folder, games_file(options),
        lambda contest, score: progress_on(sys.stderr, contest, score, options.verbose),
        options.concurrency, options.scheduler, options.skip_bad, options.keep_bad)
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
