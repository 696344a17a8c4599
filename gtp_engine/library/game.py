"""A game that a program plays move by move."""

from typing import NamedTuple, Optional, Union

from ..games import catalogue
from ..games.rules import Position
from ..records import reader
from ..records.sgf import sgf_of
from ..wire.notation import COLOUR_NAMES, GtpPoints, board_drawing

GAMES = tuple(catalogue.GAMES)  # the names of all games
COLOURS = {name: colour for colour, name in COLOUR_NAMES.items()}


class Outcome(NamedTuple):
    """How a game has ended.

    winner  "black", "white" or None for a draw
    reason  "line", "captures" or "board full"
    """

    winner: Optional[str]
    reason: str


class Game:
    """A game that is played move by move."""

    def __init__(self, name: str = "Gomoku", size: Optional[int] = None):
        """An empty board of that game, one of GAMES, on its usual size unless another is given.

        Raises ValueError if there is no such game or it is not played on that size.
        """
        rules = catalogue.find(name)
        self._start(catalogue.start(rules, rules.default_size if size is None else size))

    def _start(self, position: Position) -> None:
        self.position = position
        self._points = GtpPoints(position.lattice)

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.position.rules.name

    @property
    def size(self) -> int:
        """The length of a side of the board as it is shown."""
        return self.position.lattice.shown_size

    @property
    def turn(self) -> str:
        """The colour to move."""
        return COLOUR_NAMES[self.position.side]

    @property
    def outcome(self) -> Optional[Outcome]:
        """How the game has ended, None while it goes on."""
        found = self.position.outcome
        return found and Outcome(COLOUR_NAMES.get(found.winner), found.reason)

    @property
    def moves(self) -> list[str]:
        """The points played so far, the first one first."""
        return [self._points.name[record.point] for record in self.position.moves]

    @property
    def captured(self) -> dict[str, int]:
        """How many stones each colour has captured."""
        return {name: self.position.captured[colour] for name, colour in COLOURS.items()}

    def stone(self, point: str) -> Optional[str]:
        """The colour of the stone on a point, None if it is empty.  Raises ValueError."""
        return COLOUR_NAMES.get(self.position.cells[self.point(point)])

    def legal_moves(self) -> list[str]:
        """The points on which the side to move may play; none after the end."""
        return [self._points.name[point] for point in self.position.legal_moves()]

    def play(self, point: str, colour: Optional[str] = None) -> None:
        """Play a move for the side to move, or for the colour that is given.

        Raises ValueError, with the reason, if the move is not possible; nothing changes then.
        """
        side = self.position.side if colour is None else colour_of(colour)
        self.position.play(side, self.point(point))

    def undo(self) -> str:
        """Take back the last move; returns its point.  Raises ValueError if there is none."""
        if not self.position.history:
            raise ValueError("there is no move to take back")
        point = self.position.history[-1].point
        self.position.undo()
        return self._points.name.get(point, "")

    def copy(self) -> "Game":
        """An independent game with the same moves."""
        other = Game.__new__(Game)
        other._start(self.position.copy())
        return other

    def point(self, text: str) -> int:
        """The point of that name as the engine numbers it.  Raises ValueError if there is none."""
        point = self._points.point_of(text)
        if not point:
            raise ValueError(f"no such point: {text}")
        return point

    def text(self, point: int) -> str:
        """The name of a point; the inverse of `point`."""
        return self._points.name[point]

    def to_sgf(self, **properties: str) -> bytes:
        """The game as an SGF file, with properties such as PB="Ann" in its root."""
        return sgf_of(self.position, properties)

    @classmethod
    def from_sgf(cls, data: Union[bytes, str], name: str = "Gomoku",
                 size: Optional[int] = None) -> "Game":
        """The game at the end of the main line of a file: SGF, .psq, or moves as in h8i9h7.

        It is of that game unless SGF names another one, of that size unless the file says so.
        Raises ValueError if the file cannot be read or its moves cannot be played.
        """
        rules = catalogue.find(name)
        content = data.encode() if isinstance(data, str) else data
        tree = reader.tree_in(content, rules, rules.default_size if size is None else size)
        game = cls.__new__(cls)
        game._start(tree.position(tree.line(0)[-1]))
        return game

    def __str__(self) -> str:
        return "\n".join(board_drawing(self.position.lattice, self.position.cells))

    def __repr__(self) -> str:
        return f"<{self.name} {self.size}x{self.size}: {' '.join(self.moves) or 'no moves'}>"


def colour_of(text: str) -> int:
    """BLACK or WHITE, from "black" or "white".  Raises ValueError."""
    if text not in COLOURS:
        raise ValueError(f"no such colour: {text} (available: {' '.join(COLOURS)})")
    return COLOURS[text]
