"""Puzzles for print: A4 pages with diagrams, and a last page with the solutions."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Sequence

from ..arena.page import PageBoard
from ..arena.picture import picture
from ..wire.files import write_file
from ..wire.notation import COLOUR_NAMES, GtpPoints
from .puzzle import Puzzle

if TYPE_CHECKING:
    from jinja2 import Environment

ACROSS, DOWN = 3, 4  # diagrams on a page
WIDTH, HEIGHT, MARGIN = 210, 297, 12  # of a page, mm
BOARD = 54  # the side length of a diagram, mm
HEAD = 10  # the space above a diagram for its text, mm


def write_sheet(path: Path, puzzles: Sequence[Puzzle]) -> None:
    """Write an HTML page to print: numbered diagrams, then the solutions.  Raises OSError."""
    figures = [diagram(number, puzzle) for number, puzzle in enumerate(puzzles, 1)]
    on_page = ACROSS * DOWN
    pages = [figures[first:first + on_page] for first in range(0, len(figures), on_page)]
    write_file(path, _environment().get_template("sheet.html").render(
        pages=pages, solutions=[solution(number, puzzle) for number, puzzle in
                                enumerate(puzzles, 1)],
        width=WIDTH, height=HEIGHT))


def diagram(number: int, puzzle: Puzzle) -> dict[str, Any]:
    """The values of the template for a puzzle: its place, its task, its board with stones."""
    position = puzzle.position()
    lattice = position.lattice
    place = (number - 1) % (ACROSS * DOWN)
    width = (WIDTH - 2 * MARGIN) / ACROSS
    height = (HEIGHT - 2 * MARGIN) / DOWN
    cells = [position.cells[point] for point in lattice.points]
    return {"number": number, "task": puzzle.task(COLOUR_NAMES[position.side].capitalize()),
            "game": puzzle.rules.name, "grade": puzzle.grade,
            "left": MARGIN + width * (place % ACROSS),
            "top": MARGIN + height * (place // ACROSS), "head": HEAD,
            "picture": picture(PageBoard(puzzle.rules, puzzle.size), cells, size=BOARD,
                               theme="paper")}


def solution(number: int, puzzle: Puzzle) -> str:
    """The moves of a solution as text."""
    names = GtpPoints(puzzle.position().lattice).name
    return f"{number}. {' '.join(names[point] for point in puzzle.line)}"


@lru_cache(maxsize=None)
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    return Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True,
                       trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
