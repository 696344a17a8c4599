"""The board of a web page: points, layout and notations."""

from typing import Any, Iterable, Sequence

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, WHITE, Size, as_size
from ..games.rules import Position, Rules
from ..wire.notation import (
    FILE_COLUMNS,
    GTP_COLUMNS,
    GtpPoints,
    file_text,
    piskvork_text,
    yixin_name,
)
from .display import WITH_I, BoardView


class PageBoard:
    """The board of a game for a web page.

    number  place of each point in the order of the lattice's points
    """

    def __init__(self, rules: Rules, size: Size):
        self.rules, self.size = rules, as_size(size)
        self.view = BoardView(catalogue.start(rules, size))
        self.lattice = self.view.lattice
        self.points = GtpPoints(self.lattice)
        self.number = {point: number for number, point in enumerate(self.lattice.points)}

    def play(self, moves: Sequence[str]) -> tuple[Position, dict[int, list[int]]]:
        """Play moves up to the first illegal one.

        Returns the position and the captured points by ply; plies count from 0.
        """
        position = catalogue.start(self.rules, self.size)
        captures = {}
        for ply, text in enumerate(moves):
            point = self.points.point_of(text)
            if not point or position.complaint(position.side, point):
                break
            position.play(position.side, point)
            captured = [cell for cell, _ in position.history[-1].before
                        if position.cells[cell] == EMPTY]
            if captured:
                captures[ply] = captured
        return position, captures

    def numbers(self, points: Iterable[int]) -> list[int]:
        """Return the numbers of points."""
        return [self.number[point] for point in points]

    def layout(self) -> dict[str, Any]:
        """Return the data from which the page draws the board.

        points    level, column and row from the top, for each point
        captions  captions of the levels
        colours   names of Black and White in this game
        """
        rules, lattice = self.rules, self.lattice
        points = []
        for point in lattice.points:
            x, y, z = lattice.coordinates(point)
            points.append((z, x, y if rules.cube else lattice.height - 1 - y))
        return {"cube": rules.cube, "first": rules.first, "in_a_row": rules.in_a_row,
                "points": points,
                "captions": [f"z = {z}" if rules.cube else "" for z in range(lattice.depth)],
                "colours": {"black": self.view.colours[BLACK], "white": self.view.colours[WHITE]}}

    @property
    def lettering(self) -> str:
        """The usual notation of the game."""
        if self.rules.cube or self.rules.swap:
            return "course"
        return "GTP" if self.rules.captures_to_win else WITH_I

    def notations(self) -> dict[str, dict[str, Any]]:
        """Return the notations by name, the usual one of the game first.

        names   the name of each point
        levels  for each level, the names of its columns and, from the top, of its rows
        """
        lattice, points = self.lattice, self.lattice.points
        across = [str(number) for number in range(lattice.width)]
        if self.rules.cube:
            side = across
            corners = [lattice.display_place(lattice.point(0, 0, z)) for z in range(lattice.depth)]
            notations = {
                "course": (self.view.name, [(side, side)] * lattice.depth),
                "GTP": (self.points.name.__getitem__, [
                    ([*GTP_COLUMNS[column:column + lattice.width]],
                     [str(row + y + 1) for y in range(lattice.height)])
                    for column, row in corners])}
        else:
            width, down = lattice.width, [str(row + 1) for row in range(lattice.height)]
            from_0 = [str(row) for row in range(lattice.height)]
            notations = {
                "GTP": (self.points.name.__getitem__, [([*GTP_COLUMNS[:width]], down[::-1])]),
                WITH_I: (lambda point: yixin_name(lattice, point),
                         [([*FILE_COLUMNS[:width]], down[::-1])]),
                "course": (lambda point: file_text(lattice, point),
                           [([*FILE_COLUMNS[:width]], down)]),
                "Gomocup": (lambda point: piskvork_text(lattice, point), [(across, from_0)])}
            if self.rules.swap:
                notations = {"course": notations.pop("course"), **notations}
        return {name: {"names": [name_of(point) for point in points], "levels": levels}
                for name, (name_of, levels) in notations.items()}
