"""What the processes of the server say over their pipes: lines of JSON."""

import json
from io import RawIOBase
from typing import Any, Iterator, Mapping, Sequence

from ..games.rules import Position
from ..games.tree import GameTree, tree_of
from ..players.alphabeta.move_values import plies_of
from ..players.base import Report
from ..wire.streams import split_lines

UPDATE = 0.15  # seconds between two looks at a player at work


def encoded(message: Mapping[str, Any]) -> bytes:
    """The message as a line."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def messages(source: RawIOBase) -> Iterator[Mapping[str, Any]]:
    """What the server says to a process, until it does not want the process any more."""
    for lines in split_lines(source):
        for line in lines:
            message = json.loads(line)
            if message.get("do") == "stop":
                return
            yield message


def sent_position(position: Position) -> dict[str, Any]:
    """A position with its history; the inverse of `position_sent`."""
    return tree_of(position).data()


def position_sent(data: Mapping[str, Any]) -> Position:
    """The position that was sent."""
    tree = GameTree.of_data(data)
    return tree.position(max(tree.nodes))


def places_of(position: Position) -> dict[int, int]:
    """Of each point its place among the points of the lattice: its number on the page."""
    return {point: place for place, point in enumerate(position.lattice.points)}


def report_data(report: Report, position: Position) -> dict[str, Any]:
    """What a player makes of a position, with the numbers of points on the page."""
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
