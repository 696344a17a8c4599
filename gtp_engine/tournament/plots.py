"""The plots of a report: SVG with the page's colours for light, dark and print."""

import math
import re
from collections import Counter
from io import StringIO
from statistics import quantiles
from typing import Any, Iterable, Mapping, NamedTuple, Optional, Sequence

from markupsafe import Markup, escape
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.style import context
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from ..arena.verdict import Ending
from .ratings import OPEN_END, interval_text

HUES = 8  # players with a colour of their own
# Placeholder colours; `_svg` replaces them by variables of the page.
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
WIDTH, LEFT, RIGHT, TOP, BOTTOM = 400, 46, 14, 22, 40  # width and margins of a plot, in its units
NAMES, ENDINGS = 112, 152  # left margin with names, and with endings
ROW = 24  # height of the row of a player or an ending
LONGEST_NAME = 16  # characters of a name in a plot
NARROWEST = 10  # least range of Elo on either side of the mean


class Plot(NamedTuple):
    """A plot for the page.

    legend  pairs of the number of a colour, None for the other players, and its meaning
    """

    title: str
    note: str
    svg: Markup
    legend: Sequence[tuple[Optional[int], str]] = ()


def plots_of(summary: dict[str, Any], games: Sequence[dict[str, Any]]) -> dict[str, Plot]:
    """Return the plots of a contest by name; none without games."""
    if not games:
        return {}
    names = [player["name"] for player in summary["players"]]
    progress, plots = summary["progress"], {}
    with context(["default", STYLE]):
        plots["ratings"] = _ratings_plot(summary["players"], summary["mean"])
        plots["progress"] = _progress_plot(progress, names, summary["mean"])
        if summary["test"]:
            plots["test"] = _test_plot(progress, summary["test"])
        plots["lengths"] = _lengths_plot(games)
        plots["times"] = _times_plot(games, names)
        plots["endings"] = _endings_plot(summary["endings"])
    return plots


def number_text(value: Optional[float], digits: int = 0, signed: bool = False) -> str:
    """Return the text of a rounded number; a dash for None."""
    if value is None:
        return "–"
    rounded = round(value, digits) or 0.0  # no -0
    return f"{rounded:{'+' if signed else ''},.{digits}f}".replace("-", "−")


def limits_text(rating: Mapping[str, Optional[float]]) -> str:
    """Return the text of the interval from `low` to `high`."""
    return interval_text(rating["low"], rating["high"],
                         lambda end: OPEN_END if end is None else number_text(end))


def _canvas(height: float, left: float = LEFT, top: float = TOP) -> tuple[Figure, Axes]:
    # A figure with this height inside its margins.
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
    # Set integer ticks.
    axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10], integer=True))


def _upright(axes: Axes, label: str) -> None:
    # Set the label of the y axis, above it.
    axes.set_title(label, loc="left", fontsize=STYLE["font.size"], color=SOFT)


def _placeholders(count: int) -> list[str]:
    # Placeholders that `_svg` replaces by names, so that matplotlib does not interpret them.
    return [f"@{number}@" for number in range(count)]


def _svg(figure: Figure, key: str, label: str, names: Sequence[str] = ()) -> Markup:
    # The figure as an element of the page; its ids begin with the key.
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
    body = re.sub("@([0-9]+)@", lambda match: str(escape(_short(names[int(match[1])]))), body)
    return Markup(f'<svg class="plot" role="img" {box[0]} aria-label="{escape(label)}">{body}')


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME - 1] + "…"


def _hue(number: int) -> str:
    return f"#0a0c{number:02x}" if number < HUES else SOFT


def _numbers(values: Iterable[Optional[float]]) -> list[float]:
    return [math.nan if value is None else value for value in values]


def _ratings_plot(players: Sequence[dict[str, Any]], mean: float) -> Plot:
    figure, axes = _rows(_placeholders(len(players)))
    axes.axvline(mean, color=SOFT, linewidth=0.8)
    for row, player in enumerate(players):
        elo = player["elo"]
        ends = [elo if player[key] is None else player[key] for key in ("low", "high")]
        axes.plot(ends, [row, row], color=_hue(row), linewidth=1.6)
        axes.plot([elo], [row], "o", color=_hue(row), markersize=6)
    axes.set_xlabel("Elo")
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, mean - NARROWEST), max(high, mean + NARROWEST))
    title = "Ratings"
    label = "; ".join(f"{player['name']}: {number_text(player['elo'])}, {limits_text(player)}"
                      for player in players)
    note = f"Elo with its 95\u00a0% interval; the mean of all players is {number_text(mean)}."
    return Plot(title, note, _svg(figure, "ratings", f"{title}: {label}",
                                  [player["name"] for player in players]))


def _progress_plot(progress: dict[str, Any], names: Sequence[str], mean: float) -> Plot:
    figure, axes = _canvas(190)
    games = progress["games"]
    if progress["low"]:  # a match: the other player's rating is the mirror image
        names = names[:1]
    for number, name in reversed([*enumerate(names)]):
        axes.plot(games, _numbers(progress["elo"][name]), color=_hue(number), linewidth=1.6,
                  marker="o" if len(games) == 1 else "")
        if progress["low"]:
            axes.fill_between(games, _numbers(progress["low"][name]),
                              _numbers(progress["high"][name]), color=_hue(number), alpha=0.15,
                              linewidth=0)
    axes.set_ylim(_elo_range(progress, mean))
    axes.set_xlabel("games")
    _upright(axes, "Elo")
    _count(axes.xaxis)
    legend: list[tuple[Optional[int], str]] = [*enumerate(names[:HUES])]
    if len(names) > HUES:
        legend.append((None, "the others"))
    note = " The band is the 95\u00a0% interval." if progress["low"] else ""
    return Plot("Ratings over the games", f"Elo after each game, in the order of their ends.{note}",
                _svg(figure, "progress", "Elo of each player after each game"), legend)


def _elo_range(progress: dict[str, Any], mean: float) -> tuple[float, float]:
    # The range of the second half.  Ratings after the first games are extreme.
    values = [value for key in ("elo", "low", "high") if progress[key]
              for line in progress[key].values() for value in line[len(line) // 2:]
              if value is not None]
    low, high = min([*values, mean - NARROWEST]), max([*values, mean + NARROWEST])
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
    label = (f"Log-likelihood ratio after each game: {number_text(test['llr'], 2)} at the end, "
             f"bounds {number_text(test['lower'], 2)} and {number_text(test['upper'], 2)}")
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
    note = f"From {low} to {high} plies, openings included."
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
    note = ("The dot is the median, the bar is the middle half, the line is the range. Less than "
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
    # The minimum, the quartiles and the maximum.
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
