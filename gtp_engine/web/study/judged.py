"""Judged moves of a review in the types of JSON, for pages and pipes.

Points are places, their numbers on the page.
"""

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
    """A judged move as a row of the review.

    at                the node of the move
    line, refutation  see `line_data`
    """
    places = {**places_of(played.before), PASS: -1}
    better = None if move.better is None else places[move.better]
    return {
        "ply": move.ply, "at": move.node, "colour": move.colour, "point": places[move.point],
        "kind": move.kind, "is_fault": move.kind in FAULTS, "loss": round(move.loss, 4),
        "value": round(value_for_black(move), 4), "better": better,
        "before": analysis_data(move.before, places), "after": analysis_data(move.after, places),
        "line": line_data(played.before, move.before.line, 0 if move.before.won else None),
        "refutation": line_data(played.after, move.refutation, 0 if move.after.lost else None)}


def line_data(position: Position, line: Sequence[int], threat: Optional[int] = None
              ) -> dict[str, Any]:
    """A line of moves for the board.

    threat  the index of the first move of a threat sequence, or None
    moves   the points of the moves
    taken   the captured stones of each move
    rows    the rows of the threat sequence
    """
    places, game = {**places_of(position), PASS: -1}, position.copy()
    captures, rows = [], []
    for number, point in enumerate(line):
        if number == threat:
            rows = rows_of_line(game, line[number:])
        before = game.cells[:]
        game.play(game.side, point)
        captures.append([places[cell] for cell in game.lattice.points
                         if before[cell] != EMPTY and game.cells[cell] == EMPTY])
    return {"side": position.side, "moves": [places[point] for point in line], "taken": captures,
            "rows": [[places[point] for point in row] for row in rows]}


def analysis_data(analysis: Analysis, places: Mapping[int, int]) -> dict[str, Any]:
    """The analysis of a position."""
    return {"value": analysis.value, "line": [places[point] for point in analysis.line],
            "plies": analysis.plies}


def analysis_of_data(data: Row, points: Mapping[int, int]) -> Analysis:
    """The inverse of `analysis_data`."""
    return Analysis(data["value"], tuple(points[place] for place in data["line"]), data["plies"])


def move_of_row(row: Row, points: Mapping[int, int]) -> JudgedMove:
    """The inverse of `row_of`; `points` are the points by place."""
    before, after = (analysis_of_data(row[key], points) for key in ("before", "after"))
    return JudgedMove(row["ply"], row["at"], row["colour"], points[row["point"]], row["kind"],
                      before, after, row["loss"])


def points_of(position: Position) -> dict[int, int]:
    """The points by place; -1 is a pass."""
    return {**dict(enumerate(position.lattice.points)), -1: PASS}
