"""Search info in the lines that programs write while they search.

No standard defines these lines.  The patterns read the words of Rapfi, Yixin, PentaZen, Embryo,
Carbon, Wine, AlphaGomoku, figrid, programs with lz-analyze or kata-analyze, and this package.
"""

import re
from typing import Iterator, NamedTuple, Optional

from ..games.lattice import EMPTY, Lattice
from ..games.rules import Position
from .notation import FILE_COLUMNS, GtpPoints, piskvork_point

NUMBERS = {  # engines use different words; the second group is a unit
    "depth": re.compile(r"\b(?:depth|dep)\W{0,3}(\d{1,9})()", re.IGNORECASE),
    "nodes": re.compile(r"\b(?:total)?(?:nodes?|nd|n|visits?)(?:\s*[:=]\s*|\s+)"
                        r"(\d{1,3}(?:,\d{3})+(?!\d)|\d{1,15}(?:\.\d+)?)([kmgt]?)\b",
                        re.IGNORECASE),
    "value": re.compile(r"\b(?:ev|eval|evaluation|val|value|score)[\s:=(]{0,3}"
                        r"([+-]?\d{1,9}(?:\.\d+)?)()(?![\d.]*%)\b", re.IGNORECASE)}
TIME = re.compile(r"\b(?:total)?(?:time|tm)\W{0,3}(\d{1,12}(?:\.\d+)?) ?(ms|s|min|h)?\b",
                  re.IGNORECASE)
SECONDS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}
SCORE = re.compile(r"\b(?:ev|eval|evaluation|val|value|score)[\s:=(]{0,3}"
                   r"([+-]?(?:[mv]?\d+(?:\.\d+)?%?|m\*|inf)|(?:win|loss) in \d+)", re.IGNORECASE)
NUMBERED = re.compile(r"^\((\d{1,3})\)(?: ([+-]?m?\d+)\b(?: \| (\d{1,3})-)?)?", re.IGNORECASE)
MULTIPV = re.compile(r"\b(?:multipv|order) (\d{1,3})\b")
MATE = re.compile(r"([+-]?)(?:[mv][\d*]|inf)|(win|loss) in", re.IGNORECASE)
WINRATE = re.compile(r"\bwinrate\W{0,3}(\d{1,5}(?:\.\d+)?)(%?)", re.IGNORECASE)
DRAWRATE = re.compile(r"\bdrawrate\W{0,3}(\d{1,3}(?:\.\d+)?)", re.IGNORECASE)
WIN_DRAW = re.compile(r"\bw (\d{1,3}\.\d+),? d (\d{1,3}\.\d+)", re.IGNORECASE)
EXPECTATION = re.compile(r"(?:\b(?:ev|eval|evaluation|value)\W{0,3}"
                         r"|^(?:\w+ )?[a-z]\d{1,2} )(\d{1,3}(?:\.\d+)?)%", re.IGNORECASE)
LINE_WORD = re.compile(r"\b(?:pv|line|bestline|var)\b:?|\|", re.IGNORECASE)
BEST_WORD = re.compile(r"\b(?:best|info move):?\s+|^(?=\[)", re.IGNORECASE)
POINT = re.compile(r"[\[(]?(?:[xo](?=[a-z]))?([a-z]\d{1,2}|\d{1,2},\d{1,2})[\])]?,?", re.IGNORECASE)
COLOURS = ("b", "w")  # between the points of a line in GoGui's words
PREFIX = re.compile(r"(?:MESSAGE|DEBUG|TEXT|#)\s*(?:\[pondering\]\s*)?", re.IGNORECASE)
GRAPHICS = ("gogui-gfx:", "LABEL ", "COLOR ", "INFLUENCE ")  # of GoGui, on other moves
LONGEST = 2000  # characters of a line that are read


class Facts(NamedTuple):
    """The facts in one or several lines; None or empty for those that they lack.

    depth   in plies
    nodes   nodes or playouts
    time    seconds
    value   for the side to move, from -1 (lost) to 1 (won)
    score   text on the program's own scale
    points  the texts of the principal variation
    """

    depth: Optional[int] = None
    nodes: Optional[int] = None
    time: Optional[float] = None
    value: Optional[float] = None
    score: str = ""
    points: tuple[str, ...] = ()

    def updated(self, newer: "Facts") -> "Facts":
        """Return these facts, replaced by those that the newer ones have."""
        return self._replace(**{name: value for name, value in newer._asdict().items()
                                if value not in (None, "", ())})


def number(match: "re.Match[str]") -> float:
    """Return the number of a match of NUMBERS, with its unit."""
    power = "kmgt".find(match[2].lower() or ".") + 1
    return float(match[1].replace(",", "")) * 1000.0 ** power


def facts_of(text: str) -> Facts:
    """Return the facts in one line."""
    values: dict[str, Optional[float]] = {}
    for name in ("depth", "nodes"):
        found = NUMBERS[name].search(text)
        values[name] = int(number(found)) if found else None
    time, score, numbered = TIME.search(text), SCORE.search(text), NUMBERED.match(text)
    if numbered and numbered[3]:
        values["depth"] = int(numbered[3])
    score_text = score[1] if score else numbered[2] or "" if numbered else ""
    return Facts(**values,  # type: ignore[arg-type]
                 time=float(time[1]) * SECONDS[(time[2] or "ms").lower()] if time else None,
                 value=value_of(text, score_text), score=score_text, points=points_of(text))


def value_of(text: str, score: str) -> Optional[float]:
    """Return the value in a line, None if it has only a score on the program's own scale."""
    if mate := MATE.match(score):
        return -1.0 if mate[1] == "-" or (mate[2] or "").lower() == "loss" else 1.0
    if found := WIN_DRAW.search(text):
        share = float(found[1]) + float(found[2]) / 2
        return bounded(share / 50 - 1)
    if found := WINRATE.search(text):
        draw = DRAWRATE.search(text)
        rate, most = float(found[1]), 1.0
        if found[2] or draw and "." in found[1] and rate + float(draw[1]) > 1:
            most = 100.0
        elif rate > 1:
            most = 100.0 if rate <= 100 and "." in found[1] else 10000.0
        return bounded((2 * rate + (float(draw[1]) if draw else 0.0)) / most - 1)
    if found := EXPECTATION.search(text):
        return bounded(float(found[1]) / 50 - 1)
    return None


def bounded(value: float) -> float:
    """Return a value within -1 to 1, rounded."""
    return round(min(max(value, -1.0), 1.0), 4)


def points_of(text: str) -> tuple[str, ...]:
    """Return the texts of the points in a line: those after a word such as pv, or the best move."""
    for word in reversed([*LINE_WORD.finditer(text)]):
        points = leading_points(text[word.end():])
        if points:
            return points
    best = BEST_WORD.search(text)
    return leading_points(text[best.end():])[:1] if best else ()


def leading_points(text: str) -> tuple[str, ...]:
    """Return the points with which a text begins, without their brackets."""
    points = []
    for word in text.split():
        match = POINT.fullmatch(word)
        if match:
            points.append(match[1])
        elif word not in COLOURS:
            break
    return tuple(points)


class InfoReader:
    """Reads the lines of one search on a position.

    facts   the facts so far, on the best move
    ranked  by rank from 1, the facts on each of several moves
    text    the last line
    """

    def __init__(self, position: Position, over_gtp: bool, transposed: bool = False):
        self._position, self._gtp = position, GtpPoints(position.lattice) if over_gtp else None
        self.transposed = transposed  # are letters rows?
        self.facts, self.text = Facts(), ""
        self.ranked: dict[int, Facts] = {}
        self._rank = 1

    def read(self, line: str) -> bool:
        """Read a line; return whether it is of interest to a person, as text or as search info."""
        text = (line if line.startswith("info move") else line[:LONGEST]).strip()
        word, _, rest = text.partition(" ")
        if word.upper() == "INFO" and not rest.startswith("move"):
            self._read_detail(rest)
            return False
        text = PREFIX.sub("", text, count=1)
        if text.upper().startswith("REALTIME"):
            self._read_realtime(text.partition(" ")[2])
            return False
        if not text or text.startswith(GRAPHICS):
            return False
        for part in parts(text):
            self._take(part)
        self.text = text
        return word != "VAR"

    def line(self) -> tuple[int, ...]:
        """Return the principal variation as points."""
        return self.points(self.facts.points)

    def points(self, texts: tuple[str, ...]) -> tuple[int, ...]:
        """Return points of texts, up to the first that is no empty point or a repetition."""
        points: list[int] = []
        for text in texts:
            point = self.point(text)
            if not point or point in points or self._position.cells[point] != EMPTY:
                break
            points.append(point)
        return tuple(points)

    def point(self, text: str) -> Optional[int]:
        """Return the point of a text, such as H8 or 7,7, or None."""
        if self._gtp is not None:
            return self._gtp.point_of(text)
        if "," in text:
            return piskvork_point(self._position.lattice, text)
        return named_point(self._position.lattice, text, self.transposed)

    def answered(self, point: int) -> None:
        """Compare the last line with the answer; turn the letters round if that explains it."""
        first = self.facts.points[:1]
        if not first or self._gtp is not None or "," in first[0]:
            return
        lattice = self._position.lattice
        if point == named_point(lattice, first[0], not self.transposed) != self.point(first[0]):
            self.transposed = not self.transposed

    def _take(self, text: str) -> None:
        newer, ranked = facts_of(text), NUMBERED.match(text) or MULTIPV.search(text)
        rank = 1
        if ranked:
            rank = int(ranked[1]) + ranked[0].startswith("order")
            self.ranked[rank] = self.ranked.get(rank, Facts()).updated(newer)
        if rank == 1:
            self.facts = self.facts.updated(newer)

    def _read_detail(self, rest: str) -> None:
        # Lines such as INFO WINRATE 0.75, of Rapfi; INFO PV counts from 0.
        key, _, value = rest.strip().partition(" ")
        key = key.upper()
        if key == "PV":
            self._rank = int(value) + 1 if value.isdecimal() else 1
        elif key in ("DEPTH", "TOTALNODES", "TOTALTIME", "EVAL", "WINRATE", "BESTLINE"):
            newer = facts_of(rest)
            if self._rank == 1:
                self.facts = self.facts.updated(newer)
            self.ranked[self._rank] = self.ranked.get(self._rank, Facts()).updated(newer)

    def _read_realtime(self, rest: str) -> None:
        # Lines such as REALTIME BEST 7,7, for the marks of Yixin-Board.
        word, _, value = rest.partition(" ")
        point = leading_points(value)[:1] if word.upper() == "BEST" else ()
        if not point:
            if word.upper() in ("VAL", "PV"):
                self._take(rest)
            return
        best = self.point(point[0])
        if best and best not in self.line()[:1]:
            self.answered(best)
        if best and best not in self.line()[:1]:
            self.facts = self.facts._replace(points=point)


def parts(text: str) -> Iterator[str]:
    """Yield the parts of a line: one for each move of lz-analyze and kata-analyze."""
    if text.startswith("info move"):
        yield from (f"info move{part}" for part in text.split("info move")[1:])
    else:
        yield text


def named_point(lattice: Lattice, text: str, transposed: bool = False) -> Optional[int]:
    """Return the point of a name such as h8, with a column I and rows from below, or None.

    transposed  for programs whose first coordinate is the row
    """
    column, row = FILE_COLUMNS.find(text[:1].upper()), text[1:]
    if column < 0 or not row.isdecimal():
        return None
    x, y = column, int(row) - 1
    if transposed:
        x, y = lattice.height - 1 - y, lattice.height - 1 - x
    if not (0 <= x < lattice.width and 0 <= y < lattice.height):
        return None
    return lattice.point(x, y)
