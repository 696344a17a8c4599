"""The progress and the tables of a tournament on a terminal."""

import sys
import time
from contextlib import contextmanager
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Optional,
    Sequence,
    TextIO,
)

from ..command_line.terminal import harmless
from ..games.lattice import size_text
from .contest import Contest
from .ratings import elo_of_pairs, elo_text, interval_text, points_of
from .results import Played

if TYPE_CHECKING:
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table

EVERY = 10.0  # seconds between two lines without a terminal
MOST_PLAYERS = 3  # players in the score of more than two players
WIDTH = 160  # columns of tables without a terminal
FEWEST = 3  # least columns of the rating list, on any terminal
ENDLESS = 10_000  # wider than any table

Show = Callable[[Sequence[Played]], None]


class Score:
    """The running score of a tournament.

    points    points by name
    games     number of games
    pairs     numbers of pairs with 0, 1/2, 1, 3/2 and 2 points for the first of two players
    ratio     log-likelihood ratio of the test; 0 without a test
    decision  H1 or H0 once the test accepts it, else None
    """

    def __init__(self, contest: Contest):
        self.contest = contest
        self.names = [player.name for player in contest.players]
        self.points = dict.fromkeys(self.names, 0.0)
        self.games = 0
        self.pairs = [0] * 5
        self.ratio = 0.0
        self.decision: Optional[str] = None
        self._halves: dict[int, Played] = {}

    def add(self, games: Iterable[Played]) -> None:
        """Add games that have ended."""
        for game in games:
            self._add(game)
        if self.contest.test:
            self.ratio = self.contest.test.ratio(self.pairs)
            self.decision = self.contest.test.decision(self.ratio)

    def _add(self, game: Played) -> None:
        self.games += 1
        worth = self.contest.points
        for name in (game.first, game.second):
            result = points_of(game, name)
            self.points[name] += worth["win" if result == 1 else "loss" if result == 0 else "draw"]
        pair = (game.game - 1) // 2
        other = self._halves.pop(pair, None)
        if other is None:
            self._halves[pair] = game
        elif len(self.names) == 2:
            self.pairs[int(2 * sum(points_of(each, self.names[0]) for each in (game, other)))] += 1

    def __str__(self) -> str:
        if len(self.names) > 2:
            best = sorted(self.names, key=self.points.__getitem__, reverse=True)[:MOST_PLAYERS]
            return ", ".join(f"{name} {self.points[name]:g}" for name in best)
        first, second = self.names
        text = f"{first} {self.points[first]:g} : {self.points[second]:g} {second}"
        if sum(self.pairs):
            elo, low, high = elo_of_pairs(self.pairs)
            text += f", Elo {elo_text(elo)} ({interval_text(low, high)})"
        if self.contest.test:
            test = self.contest.test
            text += f", LLR {self.ratio:.2f} ({test.lower:.2f} to {test.upper:.2f})"
        return text


@contextmanager
def progress_on(stream: TextIO, contest: Contest, score: Score, verbose: bool) -> Iterator[Show]:
    """Display the progress of a tournament: a bar on a terminal, else a line every 10 seconds.

    Yields a function to call regularly with the games that have ended.
    """
    from rich.console import Console
    console = Console(file=stream, highlight=False, markup=False)

    def say(text: str) -> None:
        if stream.isatty():
            console.print(harmless(text))
        else:
            print(harmless(text), file=stream, flush=True)

    players = "two players" if len(score.names) == 2 else f"{len(score.names)} players"
    say(f"{contest.format} of {players}: {contest.games} games of {contest.rules.name}, size "
        f"{size_text(contest.size)}, openings {contest.openings}; {score.games} already played")
    show = _bar if stream.isatty() else _lines
    with show(console, contest, score) as update:
        def add_games(games: Sequence[Played]) -> None:
            for game in games if verbose else ():
                say(f"game {game.game}, {game.first} against {game.second}: {game.verdict}")
            update()

        yield add_games


@contextmanager
def _bar(console: "Console", contest: Contest, score: Score) -> Iterator[Callable[[], None]]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(elapsed_when_finished=True),
               TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(harmless(str(score)), total=contest.games, completed=score.games)
        yield lambda: progress.update(task, completed=score.games,
                                      description=harmless(str(score)))


@contextmanager
def _lines(console: "Console", contest: Contest, score: Score) -> Iterator[Callable[[], None]]:
    begin, games_before, last = time.monotonic(), score.games, time.monotonic()

    def line() -> str:
        text, new_games = f"{score.games}/{contest.games} games", score.games - games_before
        if new_games and score.games < contest.games:
            left = (time.monotonic() - begin) / new_games * (contest.games - score.games)
            text += f", {left / 60:.0f} minutes left" if left > 120 else f", {left:.0f} s left"
        return harmless(f"{text}: {score}")

    def update() -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY:
            last = time.monotonic()
            print(line(), file=console.file, flush=True)

    yield update
    print(line(), file=console.file, flush=True)


def print_tables(summary: Mapping[str, Any]) -> None:
    """Print the rating list, the notes, the cross table, the endings and the test."""
    from rich.console import Console
    console = Console(highlight=False, markup=False,
                      width=None if sys.stdout.isatty() else WIDTH)
    console.print(_ratings(summary, console))
    for note in summary["notes"]:
        console.print(harmless(note))
    console.print(*_crosses(summary, console))
    advantage = summary["advantage"]
    endings = ", ".join(f"{ending.lower().replace('_', ' ')} {count}"
                        for ending, count in sorted(summary["endings"].items()))
    console.print(f"Advantage of the first move: {elo_text(advantage['elo'])} Elo "
                  f"({interval_text(advantage['low'], advantage['high'])}).  Endings: {endings}.")
    test = summary["test"]
    if test:
        decision = {"H1": f"stronger by {test['elo1']:g} Elo is accepted",
                    "H0": f"stronger by {test['elo0']:g} Elo is accepted",
                    None: "not decided"}[test["decision"]]
        console.print(f"Test of {test['model']} Elo {test['elo0']:g} against {test['elo1']:g}: "
                      f"LLR {test['llr']:.3f} ({test['lower']:.2f} to {test['upper']:.2f}), "
                      f"pairs {test['pairs']}: {decision}.")


def _measure(table: "Table", console: "Console") -> "Measurement":
    # The width of a table with and without breaks between words.
    return console.measure(table, options=console.options.update(width=ENDLESS))


def _ratings(summary: Mapping[str, Any], console: "Console") -> "Table":
    # The table of ratings, with the first columns that fit into the width of the console.
    from rich.box import SIMPLE
    from rich.table import Table
    rows = [{
        "": str(player["rank"]), "player": harmless(player["name"]),
        **{heading: elo_text(player[key]) for heading, key in
           (("Elo", "elo"), ("from", "low"), ("to", "high"))},
        "points": f"{player['points']:g}",
        **{key: str(player[key]) for key in ("games", "won", "drawn", "lost")},
        "SB": f"{player['sonneborn_berger']:g}",
        "plies": _text(player["plies"], ".1f"),
        "s/move": _text(player["seconds"], ".3f"),
        "longest": _text(player["longest"], ".2f"),
        "depth": _text(player["depth"], ".1f"),
        "nodes": _text(player["nodes"], ".0f"),
        "lost without a row": ", ".join(f"{ending.lower().replace('_', ' ')} {count}"
                                        for ending, count in player["losses"].items()),
    } for player in summary["players"]]
    for count in range(len(rows[0]), FEWEST - 1, -1):
        table = Table(title="Ratings, with intervals of 95 %", box=SIMPLE)
        for heading in [*rows[0]][:count]:
            words = heading in ("player", "lost without a row")
            table.add_column(heading, justify="left" if words else "right", no_wrap=not words,
                             overflow="fold", max_width=console.width // 3 if words else None)
        for cells in rows:
            table.add_row(*[*cells.values()][:count])
        if _measure(table, console).minimum <= console.width:
            break
    return table


def _text(number: Optional[float], style: str) -> str:
    return "" if number is None else format(number, style)


def _crosses(summary: Mapping[str, Any], console: "Console") -> list["Table"]:
    # The cross table, split by columns to fit the width of the console.
    def width(columns: Sequence[int]) -> int:
        return _measure(_cross(summary, columns, console.width), console).maximum

    groups: list[list[int]] = []
    names, room = width([]), 0
    for column in range(len(summary["players"])):
        column_width = width([column]) - names
        if column_width > room:
            groups.append([])
            room = console.width - names
        groups[-1].append(column)
        room -= column_width
    return [_cross(summary, columns, console.width) for columns in groups]


def _cross(summary: Mapping[str, Any], columns: Sequence[int], width: int) -> "Table":
    # The scores of all players against the players of these columns.
    from rich.box import SIMPLE
    from rich.table import Table
    table = Table(title="Points (won-drawn-lost), and how likely the row's player is the stronger",
                  box=SIMPLE)
    names = [player["name"] for player in summary["players"]]
    table.add_column("", overflow="fold", max_width=width // 3)
    for column in columns:
        table.add_column(harmless(names[column]) if len(names) < 9 else str(column + 1),
                         justify="right",
                         overflow="fold", max_width=width // 2)
    for number, a in enumerate(names, 1):
        cells = []
        for b in map(names.__getitem__, columns):
            score = summary["cross"][a].get(b)
            cells.append("" if score is None else (
                f"{score['points']:g} ({score['won']}-{score['drawn']}-{score['lost']}) "
                f"{summary['superiority'][a][b]:.0%}"))
        table.add_row(harmless(a if len(names) < 9 else f"{number} {a}"), *cells)
    return table
