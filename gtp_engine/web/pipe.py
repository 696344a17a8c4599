"""Messages between the server and its processes: lines of JSON over pipes."""

import json
from io import RawIOBase
from typing import Any, Iterator, Mapping, Sequence

from ..games.rules import Position
from ..games.tree import GameTree, tree_of
from ..players.alphabeta.move_values import plies_of
from ..players.base import Report
from ..wire.streams import split_lines

UPDATE = 0.15  # seconds between two updates of search info


def encode(message: Mapping[str, Any]) -> bytes:
    """Encode a message as a line."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def messages(source: RawIOBase) -> Iterator[Mapping[str, Any]]:
    """Yield the messages of the server to this process, until `stop` or the end of the input."""
    for lines in split_lines(source):
        for line in lines:
            message = json.loads(line)
            if message.get("do") == "stop":
                return
            yield message


def data_of_position(position: Position) -> dict[str, Any]:
    """A position with its history, in the types of JSON."""
    return tree_of(position).data()


def position_of_data(data: Mapping[str, Any]) -> Position:
    """The inverse of `data_of_position`."""
    tree = GameTree.of_data(data)
    return tree.position(max(tree.nodes))


def places_of(position: Position) -> dict[int, int]:
    """The place of each point: its index in the points of the lattice, its number on the page."""
    return {point: place for place, point in enumerate(position.lattice.points)}


def report_data(report: Report, position: Position) -> dict[str, Any]:
    """The search info of a position in the types of JSON, with places of points."""
    places = places_of(position)

    def line(points: Sequence[int]) -> list[int]:
        return [places[point] for point in points]

    return {
        "line": line(report.line),
        "values": {places[point]: round(value, 4) for point, value in report.values.items()},
        "playouts": {places[point]: count for point, count in report.playouts.items()},
        "lines": {places[point]: line(points) for point, points in report.lines.items()
                  if point in report.values},
        "plies": {places[point]: plies for point, score in report.scores.items()
                  if (plies := plies_of(score)) is not None},
        "figures": {key.replace(" ", "_"): value for key, value in report.figures.items()}}
