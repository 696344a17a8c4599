"""Games that a program plays move by move."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import lru_cache
from hashlib import blake2b
from operator import index
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NamedTuple,
    Optional,
    SupportsIndex,
    TypeVar,
    Union,
    overload,
)

from ..games import catalogue
from ..games.lattice import Lattice, Size
from ..games.rules import COLOURS as SIDES, IllegalMove, Position, Record as Change, Rules
from ..games.tree import ROOT, GameTree, tree_of
from ..records import reader
from ..records.record import Record, rules_named
from ..records.sgf import INFO, sgf_of_tree
from ..wire.notation import COLOUR_NAMES, GtpPoints, board_drawing
from .arguments import AnyPath, a_mapping, a_size, a_value, a_whole, file_error, is_whole, paths_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GAMES = tuple(catalogue.GAMES)  # the names of all games
COLOURS = {name: colour for colour, name in COLOUR_NAMES.items()}
IN_A_ROW = range(2, 26)
PASS = "pass"
# "H8", a flat index or coordinates, see `Game`
Point = Union[str, SupportsIndex, tuple[SupportsIndex, ...]]


Value = TypeVar("Value")
# A mapping from points; the key of a Mapping is invariant, so each form has its own.
ByPoint = Union[Mapping[str, Value], Mapping[int, Value], Mapping[tuple[int, int], Value],
                Mapping[tuple[int, int, int], Value], Mapping[Point, Value]]


class Outcome(NamedTuple):
    """The end of a game.

    winner  "black", "white" or None for a draw
    reason  "line", "captures", "board full" or "foul"
    """

    winner: Optional[str]
    reason: str


class Game:
    """A game that is played move by move.

    Methods accept a point in three forms:

    - a text as in GTP: "H8" is column H, row 8; columns have no I, rows count from below
    - its flat index: row * width + column, both counted from 0 at A1; a cube adds
      level * width * height
    - its coordinates: (column, row), in a cube (column, row, level)

    A call that cannot be carried out raises ValueError and changes nothing.

    headers   facts about the game as in a file: black, white, date, event, round, result, ...
    notes     sentences on parts of the file that were not understood
    position  the internal position, for code of the package; its interface may change
    """

    headers: dict[str, str]
    notes: list[str]

    def __init__(self, name: Union[str, Rules] = "Gomoku", size: Optional[Size] = None, *,
                 in_a_row: Optional[int] = None, first: Optional[str] = None):
        """Create an empty board.

        name      a game of GAMES, "K-in-a-row" for a number K, or a Rules object
        size      length of a side, or (columns, rows); default: the size of the game
        in_a_row  length of a winning row, instead of the game's
        first     the colour that moves first, instead of the game's: "black" or "white"

        Raises ValueError if there is no such game, or the game has no such size.
        """
        rules = custom_rules(name, in_a_row, first)
        self._start(catalogue.start(rules, rules.default_size if size is None else a_size(size)))

    def _start(self, position: Position, tree: Optional[GameTree] = None) -> None:
        self.position = position
        self.headers, self.notes = {}, []
        self._points = GtpPoints(position.lattice)
        self._tree = tree  # of the file, with its variations

    @classmethod
    def _of(cls, position: Position, tree: Optional[GameTree] = None) -> "Game":
        game = cls.__new__(cls)
        game._start(position, tree)
        return game

    # --- questions ----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.position.rules.name

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    @property
    def size(self) -> Size:
        """The length of a side of the displayed board, or its (columns, rows)."""
        return self.position.lattice.display_size

    @property
    def width(self) -> int:
        """The number of columns; of a level in a cube."""
        return self.position.lattice.width

    @property
    def height(self) -> int:
        """The number of rows; of a level in a cube."""
        return self.position.lattice.height

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
        """The points of the moves so far, in order; a pass is "pass"."""
        return [self._points.name.get(record.point, PASS) for record in self._records()]

    def _records(self) -> list[Change]:
        # The records of moves and passes, without set-up stones and changes of the side to move.
        history = self.position.history
        sides = [record.side for record in history[1:]] + [self.position.side]
        return [record for record, side in zip(history, sides)
                if record.point or not record.before and side != record.colour]

    @property
    def variations(self) -> list[list[str]]:
        """The other lines of the file that the game was read from, each from the empty board.

        A pass is "pass".
        """
        if self._tree is None:
            return []
        lines, tree = [], self._tree
        main = tree.line(ROOT)[-1]
        for number, node in tree.nodes.items():
            if not node.children and number != main:
                lines.append([self._points.name.get(step.move[1], PASS)
                              for step in tree.steps(number) if step.move])
        return lines

    @property
    def captured(self) -> dict[str, int]:
        """The number of stones that each colour has captured."""
        return {name: self.position.captured[colour] for name, colour in COLOURS.items()}

    @property
    def key(self) -> int:
        """A key of 64 bits: equal for equal positions of the same game, size and side to move."""
        return self._keys()[0]

    @property
    def canonical_key(self) -> int:
        """As `key`, equal also for positions that are equal by a symmetry of the board."""
        return self._keys()[1]

    def _keys(self) -> tuple[int, int]:
        from ..records.keys import PositionKeys
        lattice, rules = self.position.lattice, self.position.rules
        kind = f"{rules!r} {lattice.width} {lattice.height}"
        board = int.from_bytes(blake2b(kind.encode(), digest_size=8).digest(), "big")
        exact, least = PositionKeys(lattice, rules.in_a_row).both(self.position)
        return exact ^ board, least ^ board

    def stone(self, point: Point) -> Optional[str]:
        """Return the colour of the stone on a point, None if it is empty.  Raises ValueError."""
        return COLOUR_NAMES.get(self.position.cells[self._number(point)])

    @overload
    def legal_moves(self, as_array: Literal[False] = False) -> list[str]: ...

    @overload
    def legal_moves(self, as_array: Literal[True]) -> "NDArray[np.int64]": ...

    def legal_moves(self, as_array: bool = False) -> Union[list[str], "NDArray[np.int64]"]:
        """Return the legal moves of the side to move; none after the end.

        With `as_array`, their flat indices in ascending order, int64[n].
        """
        moves = self.position.legal_moves()
        if not as_array:
            return [self._points.name[point] for point in moves]
        import numpy as np
        by_point = indices(self.position.lattice)
        return np.array(sorted(by_point[point] for point in moves), np.int64)

    # --- changes ------------------------------------------------------------------------------

    def play(self, point: Point, colour: Optional[str] = None) -> None:
        """Play a move, or "pass", for the side to move, or for `colour`.

        Raises ValueError with the reason if the move is illegal; the game is then unchanged.
        """
        side = self.position.side if colour is None else colour_of(colour)
        if isinstance(point, str) and point.lower() == PASS:
            self.position.play(side, 0)
            return
        number = self._number(point)
        try:
            self.position.play(side, number)
        except IllegalMove as reason:
            raise IllegalMove(f"{self._name(number)}: {reason}") from None

    def undo(self) -> str:
        """Take back the last move and return its point, "pass" for a pass.

        Raises ValueError if there is none; set-up stones stay.
        """
        records, history = self._records(), self.position.history
        if not records or records[-1] is not history[-1]:
            raise ValueError("there is no move to take back")
        self.position.undo()
        return self._points.name.get(records[-1].point, PASS)

    def copy(self) -> "Game":
        """Return an independent game with the same moves, headers and variations."""
        other = Game._of(self.position.copy(), self._tree)
        other.headers, other.notes = dict(self.headers), self.notes[:]
        return other

    __copy__ = copy

    # --- points -------------------------------------------------------------------------------

    def to_text(self, point: Point) -> str:
        """Return a point as text: "H8".  Raises ValueError if there is no such point."""
        return self._points.name[self._number(point)]

    def to_index(self, point: Point) -> int:
        """Return the flat index of a point.  Raises ValueError if there is no such point."""
        return indices(self.position.lattice)[self._number(point)]

    def to_coordinates(self, point: Point) -> tuple[int, ...]:
        """Return (column, row), in a cube (column, row, level), counted from 0.

        Raises ValueError if there is no such point.
        """
        lattice = self.position.lattice
        coordinates = lattice.coordinates(self._number(point))
        return coordinates if lattice.depth > 1 else coordinates[:2]

    def _number(self, point: Point) -> int:
        # The number of the lattice.
        lattice = self.position.lattice
        if isinstance(point, str):
            number = self._points.point_of(point)
            if number:
                return number
        elif isinstance(point, (tuple, list)):
            sizes = (lattice.width, lattice.height, lattice.depth)[:3 if lattice.depth > 1 else 2]
            if len(point) == len(sizes) and all(map(is_whole, point)):
                where = [*map(index, point)]
                if all(0 <= each < size for each, size in zip(where, sizes)):
                    return lattice.point(*where)
        elif is_whole(point) and 0 <= index(point) < len(lattice.points):
            return lattice.points[index(point)]
        last = self._points.name[lattice.points[-1]]
        text = point if isinstance(point, str) and point.isalnum() else repr(point)
        raise ValueError(f"no such point: {text} "
                         f"(allowed: A1 to {last}, 0 to {len(lattice.points) - 1}, coordinates)")

    def _name(self, number: int) -> str:
        # The text of a number of the lattice.
        return self._points.name[number]

    # --- arrays and pictures ------------------------------------------------------------------

    def array(self) -> "NDArray[np.int8]":
        """Return the board as int8[height, width]: 0 empty, 1 black, 2 white.

        The first row is row 1, the lowest of the displayed board.  A cube has int8[depth, height,
        width].
        """
        import numpy as np
        lattice = self.position.lattice
        cells = np.frombuffer(bytes(self.position.cells), np.int8)[list(lattice.points)]
        shape = (lattice.depth, lattice.height, lattice.width)
        return cells.reshape(shape if lattice.depth > 1 else shape[1:])

    def mask(self) -> "NDArray[np.bool_]":
        """Return bool[points] by flat index: the legal moves of the side to move."""
        import numpy as np
        mask = np.zeros(len(self.position.lattice.points), np.bool_)
        mask[self.legal_moves(as_array=True)] = True
        return mask

    def svg(self, *, last: bool = True, marks: Optional[ByPoint[str]] = None,
            arrows: Iterable[tuple[Point, Point]] = (),
            values: Optional[ByPoint[Optional[float]]] = None,
            labels: Union[ByPoint[str], Literal["moves"], None] = None, size: int = 400,
            theme: str = "wood", coordinates: bool = True) -> str:
        """Return a picture of the board as SVG.

        last         mark the last move?
        marks        by point: circle, square, triangle or cross
        arrows       (start, end) each
        values       by empty point, its value for the side to move, from -1 (lost) to 1 (won); None
                     is left out
        labels       by point, a short text; "moves": the numbers of the moves
        size         width in pixels
        theme        wood, slate or paper
        coordinates  letters and numbers at the edges?

        Raises ValueError for an unknown point, mark or theme.
        """
        from ..arena.page import PageBoard
        from ..arena.picture import picture
        position = self.position
        if isinstance(labels, str) and labels == "moves":
            labels = {name: str(ply) for ply, name in enumerate(self.moves, 1) if name != PASS}

        def numbers(name: str, by_point: Any) -> dict[int, Any]:
            return {self.to_index(point): value
                    for point, value in a_mapping(name, by_point).items()}

        pairs = [*arrows] if isinstance(arrows, Iterable) else [arrows]
        for pair in pairs:
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise ValueError(f"an arrow is a pair of points, not {pair!r}")
        by_point, moves = indices(position.lattice), position.moves
        return picture(
            PageBoard(position.rules, self.size),
            [position.cells[point] for point in position.lattice.points],
            last=by_point[moves[-1].point] if last and moves else None,
            row=[by_point[point] for point in position.winning_stones()],
            marks=numbers("marks", marks),
            values={point: a_value(value) for point, value in numbers("values", values).items()
                    if value is not None},
            labels={point: str(text) for point, text in numbers("labels", labels).items()},
            arrows=[(self.to_index(start), self.to_index(end)) for start, end in pairs],
            size=a_whole("size", size), theme=theme, coordinates=coordinates)

    def _repr_svg_(self) -> str:
        # The picture of the game in a notebook.
        return self.svg()

    # --- files --------------------------------------------------------------------------------

    def to_sgf(self, **properties: str) -> bytes:
        """Return the game as an SGF file.

        The file has the headers, the result, and the variations beside these moves in the file that
        the game was read from.  `properties` such as PB="Ann" override the headers.
        """
        texts = {"property": properties, "header": self.headers}
        for kind, names in (("property", {*INFO.values(), "C"}), ("header", {
                *INFO, "file", *(self._tree.info if self._tree else ())})):
            for key, text in texts[kind].items():
                if key not in names:
                    raise ValueError(f"no such {kind}: {key} (available: "
                                     f"{', '.join(sorted(names))})")
                if not isinstance(text, str):
                    raise ValueError(f"the {kind} {key} must be a text, not {text!r}")
        position, file = self.position, self._tree
        tree = tree_with_variations(position, file) if file else tree_of(position)
        tree.info = {key: value for key, value in self.headers.items() if key != "file"}
        if position.outcome and not tree.info.get("result"):
            tree.info["result"] = RESULTS.get(position.outcome.winner, "0")
        if "C" in properties:
            tree.write_comment(ROOT, properties.pop("C"))
        return sgf_of_tree(tree, properties)

    @classmethod
    def from_sgf(cls, data: Union[bytes, str], name: Union[str, Rules, None] = None,
                 size: Optional[Size] = None) -> "Game":
        """Return the game at the end of a file's main line: SGF, .psq, or moves such as h8i9h7.

        data        the content of the file
        name, size  the game and the size if the file names none; default: Gomoku

        An illegal move ends the game, with a sentence in `notes`.  Raises ValueError if the file is
        unreadable.  `Games.read` reads all games of files and folders.
        """
        if not isinstance(data, (bytes, str)):
            raise ValueError(f"not the content of a file: {data!r}")
        return cls._of_record(reader.first(data.encode() if isinstance(data, str) else data,
                                           None if name is None else custom_rules(name),
                                           None if size is None else a_size(size)))

    @classmethod
    def _of_record(cls, record: Record) -> "Game":
        game = cls._of(record.position, record.tree)
        game.headers, game.notes = dict(record.headers), [*record.notes]
        return game

    # --- comparisons --------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Are the game, the stones, the captured stones and the side to move equal?"""
        return isinstance(other, Game) and self._state() == other._state()

    def __hash__(self) -> int:
        return hash(self._state())

    def _state(self) -> tuple[Any, ...]:
        position = self.position
        rules = position.rules
        restricted = position.opening_plies if rules.centre_opening or rules.swap else -1
        return (rules, position.lattice.width, bytes(position.cells), position.side,
                *position.captured, restricted)

    def __str__(self) -> str:
        return "\n".join(board_drawing(self.position.lattice, self.position.cells))

    def __repr__(self) -> str:
        lattice = self.position.lattice
        sides = "x".join(str(side) for side in (lattice.width, lattice.height, lattice.depth)[
            :2 + (lattice.depth > 1)])
        return f"<Game {self.name} {sides}: {' '.join(self.moves) or 'no moves'}>"


class Games(list[Game]):
    """Games of files, in the order of the files.

    errors  a line for each file or game that could not be read
    """

    errors: list[str]

    def __init__(self, games: Iterable[Game] = ()):
        super().__init__(games)
        self.errors = []

    @classmethod
    def read(cls, *paths: Union[AnyPath, Iterable[AnyPath]], name: Union[str, Rules, None] = None,
             size: Optional[Size] = None, letters: Optional[str] = None) -> "Games":
        """Read all games of files, and of the files in folders.

        paths       files and folders, or lists of them
        name, size  the game and the size of files that name none
        letters     "gtp" or "plain", where moves as text leave the columns open

        Each game has `headers`, `notes` and `variations`; the header "file" is its place.  A game
        that cannot be read is a line in `errors`.  Raises FileError, an OSError and ValueError, if
        a file or folder does not exist.
        """
        rules = None if name is None else custom_rules(name)
        size = None if size is None else a_size(size)
        games, files = cls(), [path for each in paths for path in paths_of(each)]
        try:
            for path in reader.game_files(files):
                for place, record in reader.read_named(path, rules, size, letters):
                    if record.error:
                        games.errors.append(f"{place}: {record.error}")
                        continue
                    game = Game._of_record(record)
                    game.headers["file"] = place
                    games.append(game)
        except OSError as error:
            raise file_error(error) from None
        return games

    def __repr__(self) -> str:
        return f"<Games: {len(self)} games, {len(self.errors)} errors>"


@lru_cache(maxsize=None)
def indices(lattice: Lattice) -> dict[int, int]:
    """Return the flat index of each point of a lattice."""
    return {point: index for index, point in enumerate(lattice.points)}


RESULTS = {SIDES[0]: "B+", SIDES[1]: "W+"}


def custom_rules(name: Union[str, Rules], in_a_row: Optional[int] = None,
                 first: Optional[str] = None) -> Rules:
    """Return the rules of a name, with another length of winning rows or first colour.

    Raises ValueError if there is no such game, or the rules are invalid.
    """
    if not isinstance(name, (str, Rules)):
        raise ValueError(f"not the name of a game: {name!r} (available: {' '.join(GAMES)})")
    if in_a_row is not None and not (is_whole(in_a_row) and in_a_row in IN_A_ROW):
        raise ValueError(f"in_a_row must be {IN_A_ROW[0]} to {IN_A_ROW[-1]}, not {in_a_row!r}")
    rules = catalogue.find(name) if isinstance(name, str) else checked_rules(name)
    return catalogue.variant(rules, in_a_row, None if first is None else colour_of(first))


def checked_rules(rules: Rules) -> Rules:
    """Return rules that a caller has made.  Raises ValueError if it is invalid."""
    def whole(name: str, least: int, most: int) -> int:
        value = getattr(rules, name)
        if not is_whole(value) or not least <= value <= most:
            raise ValueError(f"{name} of rules must be {least} to {most}, not {value!r}")
        return int(value)

    if not isinstance(rules.name, str) or not rules.name.strip() or not rules.name.isprintable():
        raise ValueError(f"rules need a name, not {rules.name!r}")
    least, most = whole("smallest", 1, 25), whole("largest", 1, 25)
    whole("default_size", least, most)
    whole("in_a_row", *IN_A_ROW[::len(IN_A_ROW) - 1])
    whole("captures_to_win", 0, 625)
    whole("centre_opening", 0, 2)
    whole("first", *SIDES)
    lengths = rules.capture_lengths
    if not isinstance(lengths, tuple) or not {*lengths} <= {2, 3}:
        raise ValueError(f"capture_lengths of rules must be (), (2,), (3,) or (2, 3), not "
                         f"{lengths!r}")
    if rules_named(rules.name) not in (None, rules):
        raise ValueError(f"the name {rules.name} is that of another game")
    return rules


def colour_of(text: str) -> int:
    """Return BLACK or WHITE for "black" or "white".  Raises ValueError."""
    if not isinstance(text, str) or text not in COLOURS:
        raise ValueError(f"no such colour: {text} (available: {' '.join(COLOURS)})")
    return COLOURS[text]


def tree_with_variations(position: Position, file: GameTree) -> GameTree:
    """Return the game that has led to a position, with variations of a file beside its moves."""
    tree, own = deepcopy(file), tree_of(position)
    replay, node, found = catalogue.start(tree.rules, tree.size), ROOT, True
    while found:
        found = False
        for child in tree.nodes[node].children:
            trial = replay.copy()
            tree.nodes[child].step.apply(trial, foul_loses=True)
            if trial.history == position.history[:len(trial.history)]:
                replay, node, found = trial, child, True
                break
    for child in tree.nodes[node].children[:]:  # the game ends here, or goes on in another way
        if len(replay.history) == len(position.history):
            tree.remove(child)
    for number in own.line(ROOT)[1 + len(replay.history):]:
        node = tree.append(node, own.nodes[number].step)
    tree.promote(node)
    return tree
