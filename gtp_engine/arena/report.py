"""The report of a contest: its games and tables as files, and one page that shows all of it.

The page needs nothing but itself.  Plots are SVG in the colours of the page, which are those of the
day, of the night or of paper; games are played here, so that the page only puts stones where it is
told and takes off those that are gone.
"""

import csv
import json
import math
import os
import re
from collections import Counter
from io import StringIO
from pathlib import Path
from statistics import quantiles
from typing import Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.style import context
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, WHITE, opponent
from ..games.rules import Position, Rules
from ..games.sgf import sgf_of
from ..protocols.files import remove_file
from ..protocols.notation import FILE_COLUMNS, GTP_COLUMNS, GtpPoints
from .display import View
from .referee import BY_REASON, sgf_result
from .verdict import Ending

ALWAYS_SHOWN = (Ending.TIME, Ending.CRASH, Ending.INVALID_MOVE)  # losses that have a column
FORFEITS = [ending for ending in Ending
            if ending not in BY_REASON.values() and ending != Ending.INTERRUPTED]
HUES = 8  # players that have a colour of their own

# Colours of the plots, which stand for the page's variables.
INK, SOFT, RULE = "#0a0b00", "#0a0b01", "#0a0b02"
VARIABLES = {INK: "var(--ink)", SOFT: "var(--soft)", RULE: "var(--rule)",
             **{f"#0a0c{hue:02x}": f"var(--player-{hue})" for hue in range(HUES)}}
STYLE = {
    "svg.fonttype": "none", "svg.hashsalt": "report", "text.parse_math": False, "font.size": 11.5,
    "axes.edgecolor": SOFT, "axes.labelcolor": SOFT, "text.color": INK, "xtick.color": SOFT,
    "ytick.color": SOFT, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "axes.axisbelow": True, "grid.color": RULE, "grid.linewidth": 0.7, "axes.linewidth": 0.8,
    "figure.facecolor": "none", "axes.facecolor": "none", "axes.unicode_minus": True,
}
WIDTH, LEFT, RIGHT, TOP, BOTTOM = 400, 46, 14, 22, 40  # of a plot, in its units
NAMES, ENDINGS = 112, 152  # of its left margin, where names or endings stand
ROW = 24  # of a player or an ending
LONGEST_NAME = 16  # in a plot
NARROWEST = 10  # Elo on either side of 0 in a plot


def write_report(folder: Path, summary: dict[str, Any], games: Sequence[dict[str, Any]]) -> None:
    """Write games.csv, players.csv, report.json, games.sgf and index.html into the folder.

    The folder is made if it is not there.  Each file is whole, the new one or the one before.
    Raises OSError.
    """
    summary, games = _finite(summary), _finite(games)
    board = Board(catalogue.find(summary["contest"]["game"]), summary["contest"]["size"])
    shown = Shown(board, [player["name"] for player in summary["players"]])
    records = []
    for game in games:
        position, removed = board.play(game["opening"] + game["moves"])
        records.append(_sgf(game, position))
        shown.add(game, position, removed)
    contents: dict[str, Union[str, bytes]] = {
        "games.csv": _table(map(_game_row, games)),
        "players.csv": _table(map(_player_row, summary["players"])),
        "report.json": json.dumps({"summary": summary, "games": games}),
        "games.sgf": b"".join(records),
        "index.html": _page(summary, games, shown.data())}
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in contents.items():
        _replace(folder / name, data)


def _finite(value: Any) -> Any:
    # The same with None for numbers that JSON does not have.
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _replace(path: Path, data: Union[str, bytes]) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_bytes(data.encode("utf-8", "replace") if isinstance(data, str) else data)
        os.replace(part, path)
    except OSError:
        remove_file(part)
        raise


# --- files --------------------------------------------------------------------------------------


def _table(rows: Iterable[dict[str, Any]]) -> str:
    lines = [*rows]
    stream = StringIO()
    writer = csv.DictWriter(stream, [*lines[0]] if lines else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return stream.getvalue()


def _game_row(game: dict[str, Any]) -> dict[str, Any]:
    opening, moves, seconds = game["opening"], game["moves"], game["seconds"]
    begins = len(opening) % 2  # 0: the first player makes the first of the moves
    return {
        **{key: game[key] for key in ("game", "round", "first", "second", "winner", "ending")},
        "plies": len(opening) + len(moves), "opening": " ".join(opening),
        "moves": " ".join(moves), "seconds_first": round(sum(seconds[begins::2]), 4),
        "seconds_second": round(sum(seconds[1 - begins::2]), 4)}


def _player_row(player: dict[str, Any]) -> dict[str, Any]:
    keys = ("rank", "name", "points", "games", "won", "drawn", "lost", "elo", "low", "high",
            "sonneborn_berger")
    sides = {f"{side}_{key}": player[side][key]
             for side in ("first", "second") for key in ("won", "drawn", "lost")}
    losses = {f"lost_{ending.name.lower()}": player["losses"].get(ending.name, 0)
              for ending in FORFEITS}
    habits = {key: player[key] for key in ("plies", "seconds", "longest", "depth", "nodes")}
    return {**{key: player[key] for key in keys}, **sides, **losses, **habits}


def _sgf(game: dict[str, Any], position: Position) -> bytes:
    first = position.rules.first
    names = {first: game["first"], opponent(first): game["second"]}
    winner = next((colour for colour, name in names.items() if name == game["winner"]), EMPTY)
    return sgf_of(position, {
        "PB": names[BLACK], "PW": names[WHITE],
        "RE": sgf_result(winner, Ending[game["ending"]]), "C": game["verdict"]})


# --- games for the page -------------------------------------------------------------------------


class Board:
    """The board of a contest, as it is shown.

    number  of each point, in the order of the lattice's points
    """

    def __init__(self, rules: Rules, size: int):
        self.rules, self.size = rules, size
        self.view = View(catalogue.start(rules, size))
        self.lattice = self.view.lattice
        self.points = GtpPoints(self.lattice)
        self.number = {point: number for number, point in enumerate(self.lattice.points)}

    def play(self, moves: Sequence[str]) -> tuple[Position, dict[int, list[int]]]:
        """The position after these moves, up to one that cannot be played; and by ply, from 0, the
        points of the stones that it has removed."""
        position = catalogue.start(self.rules, self.size)
        removed = {}
        for ply, text in enumerate(moves):
            point = self.points.point_of(text)
            if not point or position.complaint(position.side, point):
                break
            position.play(position.side, point)
            gone = [cell for cell, _ in position.history[-1].before
                    if position.cells[cell] == EMPTY]
            if gone:
                removed[ply] = gone
        return position, removed

    def numbers(self, points: Iterable[int]) -> list[int]:
        """The numbers of these points."""
        return [self.number[point] for point in points]

    def layout(self) -> dict[str, Any]:
        """What the page has to know to draw it.

        levels   caption, and the names of columns and, from the top, of rows
        points   of each point its level, column, row from the top and name
        colours  of the first player and of the second one
        """
        height = self.lattice.height
        if self.rules.cube:
            names = [*map(str, range(height))]
            levels = [(f"z = {z}", names, names) for z in range(self.lattice.depth)]
        elif self.rules.swap:
            levels = [("", [*FILE_COLUMNS[:self.size]], [str(row + 1) for row in range(height)])]
        else:
            rows = [str(height - row) for row in range(height)]
            levels = [("", [*GTP_COLUMNS[:self.size]], rows)]
        points = []
        for point in self.lattice.points:
            x, y, z = self.lattice.coordinates(point)
            row = y if self.rules.cube else height - 1 - y
            points.append((z, x, row, self.view.name(point)))
        return {"levels": levels, "points": points,
                "colours": [self.view.colours[colour]
                            for colour in (self.rules.first, opponent(self.rules.first))]}


class Shown:
    """The games as the page has them: players, openings and points by their numbers."""

    def __init__(self, board: Board, names: Sequence[str]):
        self.board, self.names = board, names
        self._openings: dict[tuple[str, ...], int] = {}
        self._opened: list[list[int]] = []
        self._games: list[dict[str, Any]] = []

    def add(self, game: dict[str, Any], position: Position, removed: dict[int, list[int]]) -> None:
        """Add a game that ended in that position, and what its moves have removed."""
        board = self.board
        points: list[Any] = board.numbers(record.point for record in position.history)
        opening = tuple(game["opening"])
        if opening not in self._openings:
            self._openings[opening] = len(self._opened)
            self._opened.append(points[:len(opening)])
        names = {name: number for number, name in enumerate(self.names)}
        entry = {
            **{key: game[key] for key in ("game", "round", "ending", "verdict")},
            "first": names[game["first"]], "second": names[game["second"]],
            "winner": names.get(game["winner"]), "opening": self._openings[opening],
            "moves": points + [*opening, *game["moves"]][len(points):],
            "ms": [round(1000 * seconds) for seconds in game["seconds"]],
            "removed": {ply: board.numbers(gone) for ply, gone in removed.items()},
            "row": board.numbers(position.winning_stones()),
            **_told(game["told"])}
        self._games.append({key: value for key, value in entry.items()
                            if value not in (None, {}, [])})

    def data(self) -> dict[str, Any]:
        """All that the page has to know."""
        endings = {game["ending"] for game in self._games}
        return {"players": self.names, "openings": self._opened, "games": self._games,
                "endings": {ending.name: ending.value for ending in Ending
                            if ending.name in endings}, **self.board.layout()}


def _told(told: Sequence[Mapping[str, float]]) -> dict[str, list[Optional[float]]]:
    # By kind, for each move; without those that nobody told.
    lists = {key: [move.get(key) for move in told] for key in ("depth", "nodes", "value")}
    lists["value"] = [value if value is None else float(f"{value:.4g}") for value in lists["value"]]
    return {key: values for key, values in lists.items()
            if any(value is not None for value in values)}


# --- plots --------------------------------------------------------------------------------------


class Plot(NamedTuple):
    """A plot for the page.

    legend  the number of a colour, or None for all others, and what it stands for
    """

    title: str
    note: str
    svg: Markup
    legend: Sequence[tuple[Optional[int], str]] = ()


def _canvas(height: float, left: float = LEFT, top: float = TOP) -> tuple[Figure, Axes]:
    # A figure of that height inside its margins.
    whole = height + top + BOTTOM
    figure = Figure(figsize=(WIDTH / 72, whole / 72))
    axes = figure.add_axes((left / WIDTH, BOTTOM / whole, (WIDTH - left - RIGHT) / WIDTH,
                            height / whole))
    axes.tick_params(length=0)
    return figure, axes


def _rows(labels: Sequence[str], left: float = NAMES) -> tuple[Figure, Axes]:
    # A figure with a row for each label, the first on top.
    figure, axes = _canvas(ROW * len(labels), left, 0)
    axes.set_yticks(range(len(labels)), labels)
    axes.tick_params(axis="y", labelcolor=INK)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.grid(False, axis="y")
    axes.spines["left"].set_visible(False)
    return figure, axes


def _count(axis: Axis) -> None:
    # Whole numbers along the axis.
    axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10], integer=True))


def _upright(axes: Axes, label: str) -> None:
    # What stands along the y axis.
    axes.set_title(label, loc="left", fontsize=STYLE["font.size"], color=SOFT)


def _placeholders(count: int) -> list[str]:
    # What `_svg` replaces by names: matplotlib never sees a name.
    return [f"@{number}@" for number in range(count)]


def _svg(figure: Figure, key: str, label: str, names: Sequence[str] = ()) -> Markup:
    # The figure as a part of the page; its ids begin with the key.
    stream = StringIO()
    FigureCanvasSVG(figure).print_svg(stream)
    text = stream.getvalue()
    box = re.search('viewBox="[^"]*"', text)
    assert box is not None
    body = text[text.index(">", box.end()) + 1:]
    for pattern, replacement in (
            ("(?s)<metadata>.*?</metadata>|<defs>\\s*<style.*?</defs>|<!--.*?-->", ""),
            ("\\s*\n\\s*", "\n"),
            ('id="|(?<=url\\()#|(?<=href=")#', rf"\g<0>{key}-"),
            ("font: ([0-9.]+px)[^;\"]*", r"font-size: \1")):
        body = re.sub(pattern, replacement, body)
    for colour, variable in VARIABLES.items():
        body = body.replace(colour, variable)
    body = re.sub("@([0-9]+)@", lambda found: str(escape(_short(names[int(found[1])]))), body)
    return Markup(f'<svg class="plot" role="img" {box[0]} aria-label="{escape(label)}">{body}')


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME - 1] + "…"


def _hue(number: int) -> str:
    return f"#0a0c{number:02x}" if number < HUES else SOFT


def _numbers(values: Iterable[Optional[float]]) -> list[float]:
    return [math.nan if value is None else value for value in values]


def _ratings_plot(players: Sequence[dict[str, Any]]) -> Plot:
    figure, axes = _rows(_placeholders(len(players)))
    axes.axvline(0, color=SOFT, linewidth=0.8)
    for row, player in enumerate(players):
        elo, low, high = _numbers(player[key] for key in ("elo", "low", "high"))
        axes.plot([low, high], [row, row], color=_hue(row), linewidth=1.6)
        axes.plot([elo], [row], "o", color=_hue(row), markersize=6)
    axes.set_xlabel("Elo")
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, -NARROWEST), max(high, NARROWEST))
    title = "Ratings"
    label = "; ".join(f"{player['name']}: {_number(player['elo'])}, {_interval(player)}"
                      for player in players)
    return Plot(title, "Elo with its 95\u00a0% interval; the mean of all players is 0.", _svg(
        figure, "ratings", f"{title}: {label}", [player["name"] for player in players]))


def _progress_plot(progress: dict[str, Any], names: Sequence[str]) -> Plot:
    figure, axes = _canvas(190)
    games = progress["games"]
    if progress["low"]:  # a match: the other one's rating is the same below 0
        names = names[:1]
    for number, name in reversed([*enumerate(names)]):
        axes.plot(games, _numbers(progress["elo"][name]), color=_hue(number), linewidth=1.6,
                  marker="o" if len(games) == 1 else "")
        if progress["low"]:
            axes.fill_between(games, _numbers(progress["low"][name]),
                              _numbers(progress["high"][name]), color=_hue(number), alpha=0.15,
                              linewidth=0)
    axes.set_ylim(_elo_range(progress))
    axes.set_xlabel("games")
    _upright(axes, "Elo")
    _count(axes.xaxis)
    legend: list[tuple[Optional[int], str]] = [*enumerate(names[:HUES])]
    if len(names) > HUES:
        legend.append((None, "the others"))
    note = " The band is the 95\u00a0% interval." if progress["low"] else ""
    return Plot("Ratings over the games", f"Elo after so many games, as they ended.{note}",
                _svg(figure, "progress", "Elo of each player after so many games"), legend)


def _elo_range(progress: dict[str, Any]) -> tuple[float, float]:
    # What holds the second half: the first games say little, and lie far out.
    values = [value for key in ("elo", "low", "high") if progress[key]
              for line in progress[key].values() for value in line[len(line) // 2:]
              if value is not None]
    low, high = min([*values, -NARROWEST]), max([*values, NARROWEST])
    return low - 0.05 * (high - low), high + 0.05 * (high - low)


def _test_plot(progress: dict[str, Any], test: dict[str, Any]) -> Plot:
    figure, axes = _canvas(190)
    axes.plot(progress["games"], _numbers(progress["llr"]), color=_hue(0), linewidth=1.6)
    for bound, text, place in ((test["upper"], "H1 is accepted", "bottom"),
                               (test["lower"], "H0 is accepted", "top")):
        axes.axhline(bound, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        axes.annotate(text, (0, bound), (4, 3 if place == "bottom" else -3),
                      xycoords=("axes fraction", "data"), textcoords="offset points", va=place)
    axes.axhline(0, color=SOFT, linewidth=0.8)
    axes.margins(y=0.15)
    axes.set_xlabel("games")
    _upright(axes, "log-likelihood ratio")
    _count(axes.xaxis)
    label = (f"Log-likelihood ratio after so many games: {_number(test['llr'], 2)} at the end, "
             f"bounds {_number(test['lower'], 2)} and {_number(test['upper'], 2)}")
    return Plot("Sequential test", "The test ends where the log-likelihood ratio leaves its "
                "bounds.", _svg(figure, "test", label))


def _lengths_plot(games: Sequence[dict[str, Any]]) -> Plot:
    plies = [len(game["opening"]) + len(game["moves"]) for game in games]
    low, high = min(plies), max(plies)
    width = max(1, math.ceil((high - low + 1) / 24))
    figure, axes = _canvas(150)
    edges = [edge - 0.5 for edge in range(low, high + width + 1, width)]
    axes.hist(plies, edges, rwidth=0.86, color=_hue(0))
    axes.set_xlabel("plies")
    _upright(axes, "games")
    axes.grid(False, axis="x")
    axes.set_xlim(min(low - 1, high - 4), max(edges[-1] + 0.5, low + 4))
    _count(axes.xaxis)
    _count(axes.yaxis)
    note = f"From {low} to {high} plies, those of the opening included."
    return Plot("Length of games", note, _svg(figure, "lengths", f"Histogram of lengths. {note}"))


def _times_plot(games: Sequence[dict[str, Any]], names: Sequence[str]) -> Plot:
    times = _times(games, names)
    figure, axes = _rows(_placeholders(len(names)))
    axes.set_xscale("log")
    for row, name in enumerate(names):
        if times[name]:
            low, quarter, half, three, high = _spread(times[name])
            axes.plot([low, high], [row, row], color=_hue(row), linewidth=1.2)
            axes.plot([quarter, three], [row, row], color=_hue(row), linewidth=8,
                      solid_capstyle="butt")
            axes.plot([half], [row], "o", color=INK, markersize=4.5)
    axes.set_xlabel("seconds")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.tick_params(which="minor", length=0)
    note = ("The dot is the median; half of the moves are in the bar, all in the line; less than "
            "1 ms counts as 1 ms.")
    return Plot("Time of a move", note, _svg(
        figure, "times", "Seconds of the moves of each player, on a logarithmic scale", names))


def _times(games: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in names}
    for game in games:
        movers = (game["first"], game["second"])
        for ply, seconds in enumerate(game["seconds"], len(game["opening"])):
            times[movers[ply % 2]].append(max(seconds, 0.001))
    return times


def _spread(values: Sequence[float]) -> tuple[float, ...]:
    # The least, the quartiles and the greatest.
    inner = quantiles(values, method="inclusive") if len(values) > 1 else [values[0]] * 3
    return min(values), *inner, max(values)


def _endings_plot(endings: Mapping[str, int]) -> Plot:
    counts = Counter(endings).most_common()
    labels = [Ending[name].value for name, _ in counts]
    figure, axes = _rows(labels, ENDINGS)
    bars = axes.barh(range(len(counts)), [count for _, count in counts], 0.6, color=_hue(0))
    axes.bar_label(bars, padding=4)
    axes.margins(x=0.12)
    axes.set_xlabel("games")
    _count(axes.xaxis)
    label = ", ".join(f"{text}: {count}" for text, (_, count) in zip(labels, counts))
    return Plot("Endings", "How games ended.", _svg(figure, "endings", f"Endings: {label}"))


def _plots(summary: dict[str, Any], games: Sequence[dict[str, Any]]) -> dict[str, Plot]:
    # Those for which there is something to show, by name.
    if not games:
        return {}
    names = [player["name"] for player in summary["players"]]
    progress, plots = summary["progress"], {}
    with context(["default", STYLE]):
        plots["ratings"] = _ratings_plot(summary["players"])
        plots["progress"] = _progress_plot(progress, names)
        if summary["test"]:
            plots["test"] = _test_plot(progress, summary["test"])
        plots["lengths"] = _lengths_plot(games)
        plots["times"] = _times_plot(games, names)
        plots["endings"] = _endings_plot(summary["endings"])
    return plots


# --- the page -----------------------------------------------------------------------------------


def _page(summary: dict[str, Any], games: Sequence[dict[str, Any]], data: dict[str, Any]) -> str:
    environment = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True,
                              trim_blocks=True, lstrip_blocks=True)
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    environment.filters.update(number=_number, interval=_interval, heat=_heat,
                               limits=_limits)
    seen = {name for player in summary["players"] for name, count in player["losses"].items()
            if count}
    return environment.get_template("report.html").render(
        summary=summary, data=data, plots=_plots(summary, games), facts=[*_facts(summary)],
        names=[player["name"] for player in summary["players"]], hues=HUES,
        forfeits={ending.name: ending.value for ending in FORFEITS
                  if ending in ALWAYS_SHOWN or ending.name in seen})


def _number(value: Optional[float], digits: int = 0, signed: bool = False) -> str:
    # A rounded number for people; a dash for None.
    if value is None:
        return "–"
    rounded = round(value, digits) or 0.0  # no -0
    return f"{rounded:{'+' if signed else ''},.{digits}f}".replace("-", "−")


def _interval(found: Mapping[str, Optional[float]]) -> str:
    return f"{_number(found['low'])} to {_number(found['high'])}"


def _heat(share: float) -> Markup:
    # Attributes of a cell that is the more coloured the farther the share is from a half.
    side = "more" if share > 0.5 else "less"
    return Markup('class="heat {}" style="--heat: {}%"').format(side, round(abs(share - 0.5) * 90))


def _facts(summary: dict[str, Any]) -> Iterator[tuple[str, str]]:
    contest, advantage = summary["contest"], summary["advantage"]
    yield "Game", f"{contest['game']}, {contest['size']} × {contest['size']}"
    yield "Format", f"{contest['format']}, {contest['rounds']} rounds"
    yield "Openings", str(contest["openings"])
    yield "Seed", str(contest["seed"])
    yield "Points", ", ".join(f"{what} {points:g}" for what, points in contest["points"].items())
    yield "Games", f"{summary['games']:,} of {summary['scheduled']:,} played"
    if summary["games"]:
        yield "First move", (f"worth {_number(advantage['elo'])} Elo, 95 % interval "
                             f"{_interval(advantage)}")
        yield "Draws", f"{_number(100 * summary['draws'], 1)} % between equals"
    if summary["test"]:
        yield from _test_facts(summary["test"])
    yield "Schedule", summary["schedule"]


def _limits(control: Mapping[str, Any]) -> str:
    words = {"per_move": "{:g} s a move", "per_game": "{:g} s a game",
             "increment": "{:g} s more after each move", "margin": "{:g} s late at most",
             "nodes": "{:,} nodes a move", "depth": "depth {}"}
    return ", ".join(text.format(control[key]) for key, text in words.items()
                     if control[key]) or "none"


def _test_facts(test: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Test", (f"H0: {test['elo0']:g} Elo, H1: {test['elo1']:g} Elo ({test['model']}), "
                   f"α = {test['alpha']:g}, β = {test['beta']:g}")
    accepted = f"{test['decision']} is accepted" if test["decision"] else "no decision yet"
    yield "Result", (f"{accepted}; log-likelihood ratio {_number(test['llr'], 2)}, bounds "
                     f"{_number(test['lower'], 2)} and {_number(test['upper'], 2)}")
    yield "Pairs", ", ".join(f"{count} with {points:g}" for count, points in zip(
        test["pairs"], (0, 0.5, 1, 1.5, 2))) + " points"
