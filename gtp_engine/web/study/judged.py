"""Judged moves of a review in the types of JSON, for pages and for pipes; the numbers of points are
those of the page."""

from typing import Any, Mapping, Optional, Sequence

from ...games.lattice import EMPTY, PASS
from ...games.rules import Position
from ...learn.analysis import Analysis
from ...learn.classes import FAULTS
from ...learn.review import JudgedMove, PlayedMove, value_for_black
from ...learn.rows import rows_of_line
from ..pipe import places_of

Row = Mapping[str, Any]


def row_of(move: JudgedMove, played: PlayedMove) -> dict[str, Any]:
    """A judged move, with the positions around it: `at` is its node, `line` and `refutation` are
    what can be shown on the board."""
    places = {**places_of(played.before), PASS: -1}
    better = None if move.better is None else places[move.better]
    return {
        "ply": move.ply, "at": move.node, "colour": move.colour, "point": places[move.point],
        "kind": move.kind, "is_fault": move.kind in FAULTS, "loss": round(move.loss, 4),
        "value": round(value_for_black(move), 4), "better": better,
        "before": analysis_data(move.before, places), "after": analysis_data(move.after, places),
        "line": shown_line(played.before, move.before.line, 0 if move.before.won else None),
        "refutation": shown_line(played.after, move.refutation, 0 if move.after.lost else None)}


def shown_line(position: Position, line: Sequence[int], threat: Optional[int] = None
               ) -> dict[str, Any]:
    """Moves from a position on: the points, what each of them captures, and the rows of the threat
    that begins at the move of that index, if one does."""
    places, game = {**places_of(position), PASS: -1}, position.copy()
    taken, rows = [], []
    for number, point in enumerate(line):
        if number == threat:
            rows = rows_of_line(game, line[number:])
        before = game.cells[:]
        game.play(game.side, point)
        taken.append([places[cell] for cell in game.lattice.points
                      if before[cell] != EMPTY and game.cells[cell] == EMPTY])
    return {"side": position.side, "moves": [places[point] for point in line], "taken": taken,
            "rows": [[places[point] for point in row] for row in rows]}


def analysis_data(analysis: Analysis, places: Mapping[int, int]) -> dict[str, Any]:
    """The results for a position."""
    return {"value": analysis.value, "line": [places[point] for point in analysis.line],
            "plies": analysis.plies}


def analysis_told(data: Row, points: Mapping[int, int]) -> Analysis:
    """The inverse of `analysis_data`."""
    return Analysis(data["value"], tuple(points[place] for place in data["line"]), data["plies"])


def move_told(row: Row, points: Mapping[int, int]) -> JudgedMove:
    """The judged move of a row; `points` by their numbers on the page."""
    return JudgedMove(row["ply"], row["at"], row["colour"], points[row["point"]], row["kind"],
                      analysis_told(row["before"], points), analysis_told(row["after"], points),
                      row["loss"])


def points_of(position: Position) -> dict[int, int]:
    """The points by their numbers on the page."""
    return {**dict(enumerate(position.lattice.points)), -1: PASS}
