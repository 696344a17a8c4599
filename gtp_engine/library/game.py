"""Games that a program plays move by move."""

from typing import NamedTuple, Optional, Union

from ..games import catalogue
from ..games.rules import Position
from ..records import reader
from ..records.sgf import sgf_of
from ..wire.notation import COLOUR_NAMES, GtpPoints, board_drawing

GAMES = tuple(catalogue.GAMES)  # the names of all games
COLOURS = {name: colour for colour, name in COLOUR_NAMES.items()}


class Outcome(NamedTuple):
    """The end of a game.

    winner  "black", "white" or None for a draw
    reason  "line", "captures", "board full" or "foul"
    """

    winner: Optional[str]
    reason: str


class Game:
    """A game that is played move by move."""

    headers: dict[str, str]  # facts about a game from a file: black, white, date, event, ...
    notes: list[str]  # sentences on parts of the file that were not understood

    def __init__(self, name: str = "Gomoku", size: Optional[int] = None):
        """Create an empty board of a game in GAMES; the default size is that of the game.

        Raises ValueError if there is no such game or the game has no such size.
        """
        rules = catalogue.find(name)
        self._start(catalogue.start(rules, rules.default_size if size is None else size))

    def _start(self, position: Position) -> None:
        self.position = position
        self.headers, self.notes = {}, []
        self._points = GtpPoints(position.lattice)

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.position.rules.name

    @property
    def size(self) -> int:
        """The length of a side of the displayed board."""
        return self.position.lattice.display_size

    @property
    def turn(self) -> str:
        """The colour to move."""
        return COLOUR_NAMES[self.position.side]

    @property
    def outcome(self) -> Optional[Outcome]:
        """The end of the game, None while it goes on."""
        outcome = self.position.outcome
        return outcome and Outcome(COLOUR_NAMES.get(outcome.winner), outcome.reason)

    @property
    def moves(self) -> list[str]:
        """The points of the moves so far, in order."""
        return [self._points.name[record.point] for record in self.position.moves]

    @property
    def captured(self) -> dict[str, int]:
        """The number of stones that each colour has captured."""
        return {name: self.position.captured[colour] for name, colour in COLOURS.items()}

    def stone(self, point: str) -> Optional[str]:
        """Return the colour of the stone on a point, None if it is empty.  Raises ValueError."""
        return COLOUR_NAMES.get(self.position.cells[self.point(point)])

    def legal_moves(self) -> list[str]:
        """Return the legal moves of the side to move; none after the end."""
        return [self._points.name[point] for point in self.position.legal_moves()]

    def play(self, point: str, colour: Optional[str] = None) -> None:
        """Play a move for the side to move, or for `colour`.

        Raises ValueError with the reason if the move is illegal; the game is then unchanged.
        """
        side = self.position.side if colour is None else colour_of(colour)
        self.position.play(side, self.point(point))

    def undo(self) -> str:
        """Take back the last move and return its point.  Raises ValueError if there is none."""
        if not self.position.history:
            raise ValueError("there is no move to take back")
        point = self.position.history[-1].point
        self.position.undo()
        return self._points.name.get(point, "")

    def copy(self) -> "Game":
        """Return an independent game with the same moves."""
        other = Game.__new__(Game)
        other._start(self.position.copy())
        other.headers, other.notes = dict(self.headers), self.notes[:]
        return other

    def point(self, text: str) -> int:
        """Return the engine's number of a point.  Raises ValueError if there is no such point."""
        point = self._points.point_of(text)
        if not point:
            raise ValueError(f"no such point: {text}")
        return point

    def text(self, point: int) -> str:
        """Return the name of a point; the inverse of `point`."""
        return self._points.name[point]

    def to_sgf(self, **properties: str) -> bytes:
        """Return the game as an SGF file, with properties such as PB="Ann" in its root."""
        return sgf_of(self.position, properties)

    @classmethod
    def from_sgf(cls, data: Union[bytes, str], name: Optional[str] = None,
                 size: Optional[int] = None) -> "Game":
        """Return the game at the end of a file's main line: SGF, .psq, or moves such as h8i9h7.

        `name` and `size` apply if the file names no others; the default is Gomoku.  An illegal move
        ends the game, with a sentence in `notes`.  Raises ValueError if the file is unreadable.
        """
        record = reader.first(data.encode() if isinstance(data, str) else data,
                              None if name is None else catalogue.find(name), size)
        game = cls.__new__(cls)
        game._start(record.position)
        game.headers, game.notes = dict(record.headers), record.notes
        return game

    def __str__(self) -> str:
        return "\n".join(board_drawing(self.position.lattice, self.position.cells))

    def __repr__(self) -> str:
        return f"<{self.name} {self.size}x{self.size}: {' '.join(self.moves) or 'no moves'}>"


def colour_of(text: str) -> int:
    """Return BLACK or WHITE for "black" or "white".  Raises ValueError."""
    if text not in COLOURS:
        raise ValueError(f"no such colour: {text} (available: {' '.join(COLOURS)})")
    return COLOURS[text]
