"""Reviews as a single HTML page without other files."""

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Sequence

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..command_line.terminal import harmless
from ..games.lattice import BLACK, EMPTY, PASS, WHITE
from ..games.rules import COLOURS
from ..wire.notation import COLOUR_NAMES, GTP_COLUMNS
from .classes import CLASSES
from .review import JudgedMove, Review, played_moves, sentences, value_for_black

WIDTH, HEIGHT, MARGIN = 900, 200, 30  # of the curve
CELL = 20  # of a board


class Dot(NamedTuple):
    """A move on the curve."""

    x: float
    y: float
    kind: str
    text: str


class Stone(NamedTuple):
    """A stone or a mark on a small board."""

    x: int
    y: int
    kind: str


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
        "name": name, "rules": review.tree.rules.name, "size": review.tree.size,
        "players": " – ".join(info[side] for side in ("black", "white") if info.get(side)),
        "rows": rows, "dots": _dots(review), "width": WIDTH, "height": HEIGHT, "margin": MARGIN,
        "sides": [{"name": COLOUR_NAMES[colour], "accuracy": review.accuracy(colour),
                   "counts": review.counts(colour)} for colour in COLOURS],
        "moments": [{**rows[move.ply - 1], **_board(review, move)} for move in review.moments()]}


def _dots(review: Review) -> list[Dot]:
    # The curve of Black's winning chance.
    step = (WIDTH - 2 * MARGIN) / max(len(review.moves) - 1, 1)
    names = {**review.names().name, PASS: "pass"}
    return [Dot(round(MARGIN + step * (move.ply - 1), 1),
                round(MARGIN + (HEIGHT - 2 * MARGIN) * (1 - value_for_black(move)) / 2, 1),
                move.kind, f"{move.ply} {COLOUR_NAMES[move.colour]} {names[move.point]}: "
                f"{sentences(move, names)}") for move in review.moves]


def _board(review: Review, move: JudgedMove) -> dict[str, Any]:
    # The diagram of the position before a move, with the move and the better one.
    position = played_moves(review.tree)[move.ply - 1].before
    lattice, size = position.lattice, position.lattice.display_size

    def at(point: int, kind: str) -> Stone:
        column, row = lattice.display_place(point)
        return Stone(CELL * (column + 1), CELL * (size - row), kind)

    kinds = {BLACK: "black", WHITE: "white"}
    stones = [at(point, kinds[position.cells[point]]) for point in lattice.points
              if position.cells[point] != EMPTY]
    if move.point != PASS:
        stones += [at(move.point, kinds[move.colour]), at(move.point, "played")]
    if move.better is not None:
        stones.append(at(move.better, "better"))
    return {"stones": stones, "side_length": CELL * (size + 1),
            "points": [at(point, "point") for point in lattice.points],
            "columns": [(CELL * (number + 1), GTP_COLUMNS[number]) for number in range(size)],
            "lines": [(CELL * (size - number), number + 1) for number in range(size)]}


@lru_cache(maxsize=None)
def _environment() -> Environment:
    environment = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True,
                              trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    environment.filters["printable"] = harmless
    return environment
