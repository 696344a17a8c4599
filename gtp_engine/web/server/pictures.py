"""Pictures of positions at an address of the server, for lists, rules and files."""

from typing import Mapping

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ...arena.page import PageBoard
from ...arena.picture import picture
from ...games import catalogue
from ...games.lattice import Lattice, size_of_text

STEP = 24  # pixels from point to point


def serve_picture(request: Request) -> Response:
    """The picture that the query of an address describes, see `picture_of`."""
    try:
        return Response(picture_of(request.query_params), media_type="image/svg+xml")
    except ValueError as error:
        return PlainTextResponse(f"{error}\n", 400)


def picture_of(query: Mapping[str, str]) -> str:
    """The picture of a query.

    game, size      the board; default: Gomoku, with the size of the game
    cells           a digit for each point: 0 empty, 1 black, 2 white
    last            number of the point of the last move
    row, crosses    numbers of points, separated by commas: a winning row, forbidden points
    labels          number:text, separated by commas
    theme, notation as in `arena.picture`; a notation shows the coordinates

    Raises ValueError.
    """
    rules = catalogue.find(query.get("game") or "Gomoku")
    size = size_of_text(query["size"]) if query.get("size") else rules.default_size
    lattice = catalogue.start(rules, size).lattice
    cells = query.get("cells", "")
    if len(cells) != len(lattice.points) or not set(cells) <= set("012"):
        raise ValueError(f"cells must be {len(lattice.points)} digits of 0, 1 and 2")
    last = _numbers(query.get("last", ""), lattice)
    labels = dict(each.partition(":")[::2] for each in query.get("labels", "").split(",") if each)
    notation = query.get("notation", "")
    return picture(
        PageBoard(rules, size), [*map(int, cells)], last=last[0] if last else None,
        row=_numbers(query.get("row", ""), lattice),
        marks=dict.fromkeys(_numbers(query.get("crosses", ""), lattice), "cross"),
        labels={_numbers(number, lattice)[0]: text[:4] for number, text in labels.items()},
        size=STEP * (lattice.width + 1) * min(lattice.depth, 2),
        theme=query.get("theme") or "wood", coordinates=bool(notation), notation=notation or "GTP")


def _numbers(text: str, lattice: Lattice) -> list[int]:
    # Numbers of points, separated by commas.
    numbers = [int(each) for each in text.split(",") if each]
    if not all(0 <= number < len(lattice.points) for number in numbers):
        raise ValueError(f"no such point: {text} (allowed: 0 to {len(lattice.points) - 1})")
    return numbers
