"""Measure the Elo of the levels of alphabeta on a ladder from random moves to full strength.

    python benchmarks/levels.py [--rounds N] [--games DIR] [--write] [GAME ...]

In each game (default: Gomoku, Renju, Pente, Qubic) neighbours on the ladder play each other, and
levels play the rungs near them, from even openings.  A round is two games of each pair.  DIR
(default: levels-games) stores the games.  The same command continues an interrupted run.  After a
change of a level only its games are played again.  Games of runs with more rounds also count.  All
players have node limits, so a busy computer makes no difference; the highest level has TOP nodes.

The output is the Elo over all games of a ladder; `random` has 0.  Intervals of 95 % apply to the
distance from `rule-based`, because few games measure the distance from `random`.  With --write the
Elo goes to gtp_engine/players/data/levels.json, which the user interfaces show.
"""

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any, Iterator

import numpy as np

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))

from gtp_engine.games import catalogue
from gtp_engine.players.alphabeta.levels import level_of
from gtp_engine.players.base import FULL_STRENGTH
from gtp_engine.tournament.bradley_terry import CONFIDENCE, fit
from gtp_engine.tournament.contest import Contest, contest_of
from gtp_engine.tournament.jobs import play, task_of
from gtp_engine.tournament.results import Played, Results
from gtp_engine.wire.files import write_file

FILE = HERE / "gtp_engine" / "players" / "data" / "levels.json"
SIZES = {"Gomoku": 15, "Renju": 15, "Pente": 19, "Qubic": 8}
TOP = 20_000  # nodes of a move at full strength
RUNGS = {"random": "random", "flat-1": "flat,simulations=1", "flat": "flat",
         "rule-based": "flat,policy=rule_based", "nodes-20": "alphabeta,nodes=20",
         "nodes-200": "alphabeta,nodes=200", "nodes-2000": "alphabeta,nodes=2000"}
NEAR = {  # rungs, and the levels that meet them
    "flat": (1,), "rule-based": (1, 2), "nodes-20": (5, 6), "nodes-200": (6, 7),
    "nodes-2000": (8, 9)}


def name_of(level: int) -> str:
    """The name of a level among the players of a ladder."""
    return f"level-{level}"


SEATS = {**RUNGS, **{name_of(level): f"alphabeta,level={level}" for level in range(1, 10)},
         name_of(FULL_STRENGTH): f"alphabeta,level={FULL_STRENGTH},nodes={TOP}"}


def pairings() -> Iterator[tuple[str, str]]:
    """The pairs that play: neighbouring rungs, rungs and levels, neighbouring levels."""
    yield from (("random", "flat-1"), ("flat-1", "flat"), ("flat", "rule-based"),
                ("nodes-20", "nodes-200"), ("nodes-200", "nodes-2000"))
    for rung, levels in NEAR.items():
        yield from ((rung, name_of(level)) for level in levels)
    for level in range(1, FULL_STRENGTH):
        yield name_of(level), name_of(level + 1)


def facts_of(game: str, name: str) -> Any:
    """The properties of a player in a game.  After a change its earlier games do not count."""
    rows = {name_of(number): tuple(level_of(catalogue.find(game), number))
            for number in range(1, FULL_STRENGTH)}
    return rows.get(name, SEATS[name])


def contest_between(game: str, pair: tuple[str, str], rounds: int) -> Contest:
    """The match of two players of the ladder."""
    return contest_of({"game": game, "size": SIZES.get(game, catalogue.find(game).default_size),
                       "rounds": rounds, "seed": 1,
                       "player": [{"name": name, "seat": SEATS[name]} for name in pair]})


def file_of(folder: Path, game: str, pair: tuple[str, str]) -> Path:
    """The file of the games of two players with their current properties."""
    digest = sha256(repr([facts_of(game, name) for name in pair]).encode()).hexdigest()[:8]
    return folder / f"{game}-{'-'.join(pair)}-{digest}.jsonl"


def play_ladder(game: str, rounds: int, folder: Path) -> list[Played]:
    """The games of a ladder.  Plays missing games, round by round, and stores them."""
    matches = []
    for pair in pairings():
        contest = contest_between(game, pair, rounds)
        schedule = contest.fingerprint()
        matches.append((contest, schedule, Results.resume(
            file_of(folder, game, pair), contest.facts(), schedule)))
    begun = time.monotonic()
    for round_ in range(1, rounds + 1):
        for contest, schedule, results in matches:
            for planned in contest.schedule():
                if planned.round == round_ and planned.number not in results.games:
                    results.add([play(task_of(contest, planned, schedule))])
        print(f"{game}: round {round_} of {rounds}, {time.monotonic() - begun:.0f} s",
              file=sys.stderr, flush=True)
    games = []
    for _, _, results in matches:
        before = len(games)  # numbers of games count within a match
        before += before % 2
        games += [played._replace(game=before + number) for number, played in sorted(
            results.games.items())]
        results.close()
    return games


def rate(games: list[Played]) -> dict[str, Any]:
    """By player: Elo with its interval, and the step to the next level with its interval."""
    names = list(SEATS)
    ratings = fit(names, games, np.random.default_rng(0))
    elo, fixed = ratings.elo - ratings.elo[0], names.index("rule-based")
    samples = ratings.samples - ratings.samples[:, fixed:fixed + 1] + elo[fixed]
    rated = {}
    for number, name in enumerate(names):
        row = {"elo": elo[number], "from": np.percentile(samples[:, number], CONFIDENCE[0]),
               "to": np.percentile(samples[:, number], CONFIDENCE[1])}
        if name.startswith("level") and number + 1 < len(names):
            steps = samples[:, number + 1] - samples[:, number]
            row |= {"step": elo[number + 1] - elo[number],
                    "step from": np.percentile(steps, CONFIDENCE[0]),
                    "step to": np.percentile(steps, CONFIDENCE[1])}
        rated[name] = {key: round(float(value)) for key, value in row.items()}
    return rated


def print_table(game: str, games: list[Played], rated: dict[str, Any]) -> None:
    """Print the ladder as a Markdown table."""
    counts = Counter(name for played in games for name in (played.first, played.second))
    print(f"\n{game}, {len(games)} games\n\n| player | Elo | 95 % | games | to the next | 95 % |"
          "\n|---|---|---|---|---|---|")
    for name, row in sorted(rated.items(), key=lambda item: item[1]["elo"]):
        step = (f"{row['step']:+d} | {row['step from']:+d} to {row['step to']:+d}"
                if "step" in row else " | ")
        print(f"| {name} | {row['elo']} | {row['from']} to {row['to']} | {counts[name]} | {step} |")
    sys.stdout.flush()


def write(game: str, rated: dict[str, Any]) -> None:
    """Write the levels of a game to levels.json."""
    stored = json.loads(FILE.read_text()) if FILE.exists() else {}
    stored[game] = [[rated[name_of(level)][key] for key in ("elo", "from", "to")]
                   for level in range(1, FULL_STRENGTH + 1)]
    rows = ",\n".join(f' "{name}": {json.dumps(levels)}' for name, levels in stored.items())
    write_file(FILE, f"{{\n{rows}\n}}\n")


def options() -> Namespace:
    """The options of the command line."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", nargs="*", default=[*SIZES], metavar="GAME")
    parser.add_argument("--rounds", type=int, default=40, metavar="N")
    parser.add_argument("--games", type=Path, default=Path("levels-games"), metavar="DIR")
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    return parser.parse_args()


def main() -> None:
    """Play the ladders and print them."""
    arguments = options()
    arguments.games.mkdir(exist_ok=True)
    for game in arguments.game:
        games = play_ladder(game, arguments.rounds, arguments.games)
        rated = rate(games)
        print_table(game, games, rated)
        if arguments.write:
            write(game, rated)


if __name__ == "__main__":
    main()
