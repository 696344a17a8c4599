"""Pictures of boards as SVG: for notebooks, the pages of the browser, puzzle sheets and reviews.

The unit of length is the distance between two points.  A cube has its levels in rows of two.
"""

import re
from functools import lru_cache
from html import escape
from math import ceil, hypot
from pathlib import Path
from typing import Collection, Iterable, Mapping, Optional, Sequence

from ..games.lattice import BLACK, EMPTY
from ..wire.notation import COLOUR_NAMES, percent
from .page import PageBoard

COLOURS = Path(__file__).parent / "static" / "themes.css"
THEMES = ("wood", "slate", "paper")
LABELLED, BARE = 1.2, 0.7  # width of the wood around the points, with and without coordinates
GAP = 0.6  # between the levels of a cube, besides the wood
STARS = {13: (3, 6, 9), 15: (3, 7, 11), 17: (3, 8, 13), 19: (3, 9, 15)}  # by size
MARKS = {"circle": "M-.27 0a.27.27 0 1 0 .54 0a.27.27 0 1 0-.54 0",
         "square": "M-.24-.24h.48v.48h-.48z", "triangle": "M0-.3L.28.2H-.28z",
         "cross": "M-.2-.2L.2.2M.2-.2L-.2.2"}
INK = {True: "#ffffff", False: "#1c1b1a"}  # on dark and on light stones
TONES = {"won": "#86cf98", "good": "#bfdd9c", "even": "#eadf9f", "bad": "#f0c39a",
         "lost": "#eba69c"}  # as in board.css
EVEN = 0.2  # values nearer to 0 are even


@lru_cache(maxsize=None)
def colours_of(theme: str, cube: bool) -> Mapping[str, str]:
    """Return the colours of a theme, from the style sheet of the boards.

    Raises ValueError if there is no such theme.
    """
    if theme not in THEMES:
        raise ValueError(f"no such theme: {theme} (available: {' '.join(THEMES)})")
    sheet = COLOURS.read_text(encoding="utf-8")
    colours: dict[str, str] = {}
    selectors = [":root", f':root[data-board="{theme}"]']
    if cube:
        selectors += ["[data-cube]", f"{selectors[1]} [data-cube]"]
    for selector in selectors:
        for block in re.findall(rf"^{re.escape(selector)} {{([^}}]*)}}", sheet, re.MULTILINE):
            colours |= dict(re.findall(r"--([\w-]+): ([^;]+);", block))
    return colours


def picture(board: PageBoard, cells: Sequence[int], *, last: Optional[int] = None,
            row: Collection[int] = (), marks: Mapping[int, str] = {},
            arrows: Iterable[tuple[int, int]] = (), values: Mapping[int, float] = {},
            labels: Mapping[int, str] = {}, size: float = 400, theme: str = "wood",
            coordinates: bool = True, notation: str = "GTP", title: str = "") -> str:
    """Return a board as an SVG document.

    Points are numbers in the order of the lattice's points.

    cells        the content of each point: EMPTY, BLACK or WHITE
    last         the point of the last move
    row          the points of winning rows
    marks        by point, one of MARKS
    arrows       (start, end) each
    values       by empty point, its value from -1 to 1 as a colour and a percentage
    labels       by point, a short text
    size         width of the picture in pixels
    theme        one of THEMES
    coordinates  letters and numbers at the edges?
    notation     the notation of the coordinates, see `PageBoard.notations`
    title        description for screen readers; default: the stones

    Raises ValueError for an unknown mark, theme or notation.
    """
    layout, lattice, notations = board.layout(), board.lattice, board.notations()
    colours, edge = colours_of(theme, layout["cube"]), LABELLED if coordinates else BARE
    if notation not in notations:
        raise ValueError(f"no such notation: {notation} (available: {' '.join(notations)})")
    for mark in marks.values():
        if mark not in MARKS:
            raise ValueError(f"no such mark: {mark} (available: {' '.join(MARKS)})")
    wide, high = lattice.width - 1 + 2 * edge, lattice.height - 1 + 2 * edge
    across = min(lattice.depth, 2)
    corners = [(level % across * (wide + GAP) + edge, level // across * (high + GAP) + edge)
               for level in range(lattice.depth)]
    parts = []
    for level, corner in enumerate(corners):
        parts += _level(board, corner, edge, colours,
                        notations[notation]["levels"][level] if coordinates else None)
    places = []
    for number, (level, column, down) in enumerate(layout["points"]):
        left, top = corners[level]
        places.append((round(left + column, 2), round(top + down, 2)))
        drawn = _point(cells[number], layout["cube"], colours, number == last, number in row,
                       marks.get(number), values.get(number), labels.get(number))
        if drawn:
            parts.append(f'<g transform="translate({places[-1][0]} {places[-1][1]})">{drawn}</g>')
    parts += [f'<path d="{_arrow(places[start], places[end])}" fill="none" '
              f'stroke="{colours["ring"]}" stroke-width=".13" stroke-linecap="round" '
              'stroke-linejoin="round" opacity=".85"/>' for start, end in arrows]
    width = across * (wide + GAP) - GAP
    height = ceil(lattice.depth / across) * (high + GAP) - GAP
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{size:g}" '
            f'height="{round(size * height / width, 1):g}" '
            f'viewBox="0 0 {round(width, 2):g} {round(height, 2):g}" role="img" '
            f'aria-label="{escape(title or _description(board, cells, last))}" '
            f'font-family="sans-serif" text-anchor="middle">{"".join(parts)}</svg>')


def _point(content: int, cube: bool, colours: Mapping[str, str], is_last: bool, wins: bool,
           mark: Optional[str], value: Optional[float], label: Optional[str]) -> str:
    # The stone, the value, the mark and the label of a point.
    parts, dark = [], content != EMPTY and (cube or content == BLACK)
    ink = colours["label"] if content == EMPTY else INK[dark]
    if content != EMPTY:
        rim, width = (colours["won"], 0.12) if wins else (colours["edge"], 0.035)
        parts.append(f'<circle r=".45" fill="{colours[COLOUR_NAMES[content]]}" stroke="{rim}" '
                     f'stroke-width="{width}"/>')
    elif value is not None:
        ink = INK[False]
        tone = "won" if value >= 1 else "lost" if value <= -1 else (
            "even" if abs(value) < EVEN else "good" if value > 0 else "bad")
        parts.append('<rect x="-.47" y="-.47" width=".94" height=".94" rx=".2" '
                     f'fill="{TONES[tone]}"/>')
        label = percent(value) if label is None else label
    if mark:
        stroke = colours["forbidden"] if content == EMPTY else ink
        parts.append(f'<path d="{MARKS[mark]}" fill="none" stroke="{stroke}" stroke-width=".08"/>')
    if label is not None:
        parts.append(_text(0, 0, label, ink, 0.4 if len(label) < 3 else 0.31))
    elif is_last and not mark:
        ring = INK[True] if cube else "#ff8f6b" if dark else "#f0603a"
        parts.append(f'<circle r=".2" fill="none" stroke="{ring}" stroke-width=".08"/>')
    return "".join(parts)


def _level(board: PageBoard, corner: tuple[float, float], edge: float,
           colours: Mapping[str, str], names: Optional[tuple[Sequence[str], Sequence[str]]]
           ) -> list[str]:
    # The wood, the lines, the stars and the coordinates of a level.
    columns, rows = board.lattice.width, board.lattice.height
    wide, high = columns - 1 + 2 * edge, rows - 1 + 2 * edge
    shift = 0.5 if board.rules.in_a_row == columns == rows else 0.0  # stones lie in cells
    lines = "".join(
        [f"M{-shift:g} {y - shift:g}H{columns - 1 + shift:g}"
         for y in range(rows + bool(shift))]
        + [f"M{x - shift:g} {-shift:g}V{rows - 1 + shift:g}"
           for x in range(columns + bool(shift))])
    parts = [f'<g transform="translate({corner[0]:g} {corner[1]:g})">',
             f'<rect x="{-edge:g}" y="{-edge:g}" width="{wide:g}" height="{high:g}" rx=".2" '
             f'fill="{colours["wood"]}"/>',
             f'<path d="{lines}" stroke="{colours["grid"]}" stroke-width=".03" fill="none" '
             'stroke-linecap="round"/>']
    stars = STARS.get(columns, ()) if columns == rows and not shift else ()
    parts += [f'<circle cx="{x}" cy="{y}" r=".1" fill="{colours["grid"]}"/>'
              for x in stars for y in stars]
    if names:
        for x, name in enumerate(names[0]):
            parts += [_text(x, y, name, colours["label"], 0.38) for y in (-0.84, rows - 0.16)]
        for y, name in enumerate(names[1]):
            parts += [_text(x, y, name, colours["label"], 0.38) for x in (-0.84, columns - 0.16)]
    return [*parts, "</g>"]


def _text(x: float, y: float, text: str, colour: str, size: float) -> str:
    return (f'<text x="{x:g}" y="{y:g}" dy=".35em" font-size="{size:g}" fill="{colour}">'
            f'{escape(text)}</text>')


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    # From the rim of one stone to the middle of another point.
    (x, y), (u, v) = start, end
    length = hypot(u - x, v - y) or 1.0
    dx, dy = (u - x) / length, (v - y) / length
    tips = [f"{u - 0.4 * dx - side * 0.22 * dy:.2f} {v - 0.4 * dy + side * 0.22 * dx:.2f}"
            for side in (1, -1)]
    return f"M{x + 0.3 * dx:.2f} {y + 0.3 * dy:.2f}L{u} {v}M{tips[0]}L{u} {v}L{tips[1]}"


def _description(board: PageBoard, cells: Sequence[int], last: Optional[int]) -> str:
    names = [board.view.name(point) for point in board.lattice.points]
    colours = board.layout()["colours"]
    texts = [f"{colours[name]}: " + (" ".join(
        names[number] for number, content in enumerate(cells) if content == colour) or "no stones")
        for colour, name in COLOUR_NAMES.items()]
    return f"{board.rules.name}, {', '.join(texts)}" + (
        f", last move: {names[last]}" if last is not None else "")
