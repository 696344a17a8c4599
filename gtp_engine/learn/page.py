"""Reviews as a single HTML page without other files."""

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Sequence

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..arena.page import PageBoard
from ..arena.picture import picture
from ..command_line.terminal import harmless
from ..games.lattice import PASS, sides
from ..games.rules import COLOURS
from ..wire.notation import COLOUR_NAMES
from .classes import CLASSES
from .review import JudgedMove, Review, played_moves, sentences, value_for_black

WIDTH, HEIGHT, MARGIN = 900, 200, 30  # of the curve


class Dot(NamedTuple):
    """A move on the curve."""

    x: float
    y: float
    kind: str
    text: str


def page_of(reviews: Sequence[tuple[str, Review]]) -> str:
    """The page for named reviews."""
    return _environment().get_template("review.html").render(
        classes=CLASSES, games=[_game(name, review) for name, review in reviews])


def _game(name: str, review: Review) -> dict[str, Any]:
    # The values of the template for a game.
    names = {**review.names().name, PASS: "pass"}
    rows = [{
        "ply": move.ply, "side": COLOUR_NAMES[move.colour], "point": names[move.point],
        "kind": move.kind, "loss": round(100 * move.loss), "text": sentences(move, names),
        "line": " ".join(names[point] for point in move.before.line),
        "refutation": " ".join(names[point] for point in move.refutation)}
        for move in review.moves]
    info = review.tree.info
    return {
        "name": name, "rules": review.tree.rules.name,
        "size": " × ".join(map(str, sides(review.tree.size))),
        "players": " – ".join(info[side] for side in ("black", "white") if info.get(side)),
        "rows": rows, "dots": _dots(review), "width": WIDTH, "height": HEIGHT, "margin": MARGIN,
        "sides": [{"name": COLOUR_NAMES[colour], "accuracy": review.accuracy(colour),
                   "counts": review.counts(colour)} for colour in COLOURS],
        "moments": [{**rows[move.ply - 1], "picture": _board(review, move)}
                    for move in review.moments()]}


def _dots(review: Review) -> list[Dot]:
    # The curve of Black's winning chance.
    step = (WIDTH - 2 * MARGIN) / max(len(review.moves) - 1, 1)
    names = {**review.names().name, PASS: "pass"}
    return [Dot(round(MARGIN + step * (move.ply - 1), 1),
                round(MARGIN + (HEIGHT - 2 * MARGIN) * (1 - value_for_black(move)) / 2, 1),
                move.kind, f"{move.ply} {COLOUR_NAMES[move.colour]} {names[move.point]}: "
                f"{sentences(move, names)}") for move in review.moves]


def _board(review: Review, move: JudgedMove) -> str:
    # The picture of the position before a move, with the move and the better one.
    position = played_moves(review.tree)[move.ply - 1].before
    numbers = {point: number for number, point in enumerate(position.lattice.points)}
    cells = [position.cells[point] for point in position.lattice.points]
    if move.point != PASS:
        cells[numbers[move.point]] = move.colour
    return picture(PageBoard(review.tree.rules, review.tree.size), cells,
                   last=numbers.get(move.point), size=320,
                   marks={} if move.better is None else {numbers[move.better]: "circle"},
                   title=f"The position before move {move.ply}, with the move in a ring; "
                   "a circle marks the better one")


@lru_cache(maxsize=None)
def _environment() -> Environment:
    environment = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True,
                              trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    environment.filters["printable"] = harmless
    return environment
