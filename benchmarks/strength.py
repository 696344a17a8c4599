"""Measure the strength of alphabeta against an earlier version, or without a feature.

    python benchmarks/strength.py ladder [REVISION]
    python benchmarks/strength.py features [FEATURE ...]

`ladder` compares the working tree with a commit of this repository (default: the last one), at
equal nodes and at equal time, on two sizes.  Then it prints the rungs as a Markdown table, the
signature of the search and its nodes per second.  `features` tests the named features, or all, one
after the other.

Options after these words go to `python -m gtp_engine tournament`, see docs/tournaments.md, as in
--rounds 200.  The files strength-*.jsonl store the games, and the same command continues an
interrupted run.  To compare any two players use `tournament` itself.
"""

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from shlex import quote
from typing import Iterable

from platformdirs import user_cache_path

HERE, START = Path(__file__).resolve().parent.parent, Path.cwd()
sys.path.insert(0, str(HERE))

from benchmarks import search
from gtp_engine.__main__ import main as gtp_engine
from gtp_engine.kernels.plane.features import FEATURES
from gtp_engine.tournament.ratings import (
    by_pairs,
    count_pairs,
    elo_of_pairs,
    elo_text,
    interval_text,
)
from gtp_engine.tournament.results import Results

PAIRS = {  # name: (settings of both, options of the tournament)
    "nodes-15": ("--nodes 20000", ("--size", "15")),
    "nodes-20": ("--nodes 20000", ("--size", "20")),
    "time-15": ("", ("--size", "15", "--time-per-move", "0.25")),
    "time-20": ("", ("--size", "20", "--time-per-move", "0.25")),
}
BASE = "alphabeta,nodes=20000,memory=16"
TEST = ("--size", "15", "--rounds", "1000", "--test", "0", "20")


def file_of(name: str) -> Path:
    """The file of the games of a match."""
    return START / f"strength-{name}.jsonl"


def play(name: str, first: str, second: str, options: tuple[str, ...]) -> int:
    """Play a match of two seats; returns the exit status."""
    print(f"--- {name}", flush=True)
    return gtp_engine(["tournament", first, second, *options, "--games", str(file_of(name))])


def row(title: str, player: str, file: Path) -> str:
    """A row of the table: a title, and the games, results and Elo of a player in a match."""
    games = list(Results.read(file).games.values())
    won = sum(game.winner == player for game in games)
    drawn = sum(game.winner is None for game in games)
    elo, low, high = elo_of_pairs(count_pairs(player, by_pairs(games)))
    return (f"| {title} | {len(games)} | {won}-{drawn}-{len(games) - won - drawn} "
            f"| {elo_text(elo)} | {interval_text(low, high)} |")


def print_table(what: str, rows: Iterable[str]) -> None:
    """Print rows as a table of Markdown; `what` describes their titles."""
    print(f"| {what} | games | won-drawn-lost | Elo | 95 % |\n| --- | --- | --- | --- | --- |",
          *rows, sep="\n", flush=True)


def ladder(revision: str, options: tuple[str, ...]) -> int:
    """Play this version against a revision; returns the first exit status that is not 0."""
    commit = subprocess.run(["git", "rev-parse", "--short", revision], cwd=HERE, check=True,
                            capture_output=True, text=True).stdout.strip()
    packed = subprocess.run(["git", "archive", commit], cwd=HERE, check=True, capture_output=True)
    earlier = user_cache_path("gtp_engine", appauthor=False) / "versions" / commit
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(earlier)
    os.chdir(earlier)  # earlier versions compile the sources in the working directory
    for name, (settings, conditions) in PAIRS.items():
        new, old = (f"{label}=gtp:{quote(sys.executable)} {quote(f'{root}/gomoku3.py')} "
                    f"--player alphabeta {settings}"
                    for label, root in (("new", HERE), ("old", earlier)))
        status = play(f"{commit}-{name}", new, old,
                      ("--rounds", "50", "--seed", "1", *conditions, *options))
        if status:
            return status
    matches = [f"{commit}-{name}" for name in PAIRS]
    print_table("rung", [row(match, "new", file_of(match)) for match in matches])
    search.main()
    return 0


def features(names: list[str], options: tuple[str, ...]) -> int:
    """Test the features; returns the first exit status that is not 0."""
    for feature in names or FEATURES:
        status = play(feature, f"with={BASE}", f"without={BASE},off={feature}", (*TEST, *options))
        if status:
            return status
    return 0


def main() -> int:
    """Run the command line; returns the exit status."""
    words = sys.argv[1:]
    first_option = next((i for i, word in enumerate(words) if word.startswith("-")), len(words))
    names, options = words[:first_option], tuple(words[first_option:])
    if names[:1] == ["ladder"] and len(names) <= 2:
        return ladder(*names[1:] or ["HEAD"], options)
    if names[:1] == ["features"]:
        return features(names[1:], options)
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
