"""Thousands of games side by side, in arrays."""

from functools import cache
from typing import TYPE_CHECKING, Any, Optional, Sequence, TypeVar, Union

import numpy as np

from ..games import catalogue
from ..games.lattice import EMPTY, Lattice, Size, opponent
from ..games.rules import COLOURS, Position, Rules
from ..kernels import Call, boards as kernels, load
from ..players.adapters import games_of, put
from ..wire.notation import GtpPoints
from .arguments import a_size, a_whole, instance_of, is_whole
from .game import Game, custom_rules

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Scalar = TypeVar("Scalar", bound=np.generic)
PLANES = ("own stones", "other stones", "legal moves", "black to move")
CAPTURE_PLANES = ("own captures", "other captures")  # in games that captures win
LAYOUTS = {"own": 0, "gomoku": 3, "mnk": 3}  # the planes of OpenSpiel's layouts
OPENING_PLIES = kernels.RESTRICTED  # after them, an opening no longer restricts the moves


class Boards:
    """n games of one kind, each on its own board with its own side to move.

    An action is the flat index of a point: row * width + column, both counted from 0 at A1.  A cube
    adds level * height * width.  The attributes are read-only arrays, which `play` and `reset`
    change; copy those that you keep.  A black stone is 1, a white stone 2, an empty point 0.

    rules   the rules of the game
    n       the number of boards
    shape   the shape of a board: (height, width), of a cube (depth, height, width)
    points  the number of points of a board
    planes  the names of the planes of `observe`
    """

    def __init__(self, name: Union[str, Rules] = "Gomoku", size: Optional[Size] = None,
                 n: int = 1):
        """Create n empty boards.

        name  a game of GAMES, "K-in-a-row" for a number K, or a Rules object
        size  length of a side, or (columns, rows); default: the size of the game

        Raises ValueError if there is no such game, the game has no such size, or n is below 1.
        """
        rules = name if isinstance(name, Rules) else custom_rules(name)
        start = catalogue.start(rules, rules.default_size if size is None else a_size(size))
        self._create(rules, start.lattice, a_whole("the number of boards", n))
        self.reset()

    def _create(self, rules: Rules, lattice: Lattice, n: int) -> None:
        _load()
        self.rules, self.n = rules, n
        self.points = len(lattice.points)
        self.shape = (lattice.depth, lattice.height, lattice.width)[lattice.depth == 1:]
        self.planes = PLANES + (CAPTURE_PLANES if rules.captures_to_win else ())
        self._lattice, self._games = lattice, games_of(rules, lattice, n)

    @classmethod
    def from_games(cls, games: Sequence[Game]) -> "Boards":
        """Create one board for each game, in its position.

        Raises ValueError if there is none, or if they differ in rules or size.
        """
        games = [instance_of(Game, game) for game in games]
        kinds = {(game.position.rules, game.position.lattice.display_size) for game in games}
        if len(kinds) != 1:
            raise ValueError("the games of boards need the same rules and size"
                             if kinds else "boards need one game or more")
        boards = cls.__new__(cls)
        boards._create(games[0].position.rules, games[0].position.lattice, len(games))
        for g, game in enumerate(games):
            put(game.position, boards._games, g)
        return boards

    # --- the position -------------------------------------------------------------------------

    @property
    def stones(self) -> "NDArray[np.int8]":
        """int8[n, height, width], of cubes int8[n, depth, height, width]: 0 empty, 1, 2.

        Row 0 is the lowest row of the board, row 1 of GTP; column 0 is A.
        """
        lattice, cells = self._lattice, self._games.cells
        first = lattice.points[0]
        plane = lattice.row * (lattice.height + 1)
        strides = (plane, lattice.row, 1)[lattice.depth == 1:]
        return np.lib.stride_tricks.as_strided(
            cells[:, first:].view(np.int8), (self.n, *self.shape), (cells.strides[0], *strides),
            writeable=False)

    @property
    def mask(self) -> "NDArray[np.bool_]":
        """bool[n, points], the legal actions of the side to move; all False after the end."""
        return _read_only(self._games.mask.view(np.bool_))

    @property
    def turn(self) -> "NDArray[np.int8]":
        """int8[n], the colour to move: 1 or 2."""
        return _read_only(self._games.turn)

    @property
    def done(self) -> "NDArray[np.bool_]":
        """bool[n], whether the game is over."""
        return _read_only(self._games.done.view(np.bool_))

    @property
    def winner(self) -> "NDArray[np.int8]":
        """int8[n], the colour that has won; 0 in a draw and before the end."""
        return _read_only(self._games.winner)

    @property
    def captured(self) -> "NDArray[np.int32]":
        """int32[n, 2], the number of stones that Black and White have captured."""
        return _read_only(self._games.captured)

    @property
    def plies(self) -> "NDArray[np.int32]":
        """int32[n], the number of moves."""
        return _read_only(self._games.plies)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        sides = "x".join(map(str, self.shape[::-1]))
        return f"<{self.n} board{'s' * (self.n != 1)} of {self.rules.name} {sides}>"

    # --- changes ------------------------------------------------------------------------------

    def play(self, actions: "ArrayLike", where: Optional["ArrayLike"] = None) -> None:
        """Play one action on each board, int[n]; boards whose game is over ignore theirs.

        where  bool[n] or the numbers of boards: the boards that play; None: all

        Raises ValueError if an action is illegal, and names the first such board; no board has
        changed then.
        """
        array = np.asarray(actions)
        if array.shape != (self.n,) or array.dtype.kind not in "iu":
            raise ValueError(f"actions need {self.n} integers, not {array.dtype.name} of shape "
                             f"{array.shape}")
        g = kernels.play(self._games, np.ascontiguousarray(array, np.int64), self._chosen(where))
        if g >= 0:
            raise ValueError(f"board {g}: {self._complaint(g, int(array[g]))}")

    def _complaint(self, g: int, action: int) -> str:
        if not 0 <= action < self.points:
            return f"there is no action {action} (allowed: 0 to {self.points - 1})"
        occupied = self._games.cells[g, self._lattice.points[action]] != 0
        reason = "the point is occupied" if occupied else "the rules forbid the point"
        return f"action {action} ({self.text(action)}) is illegal: {reason}"

    def _chosen(self, where: Optional["ArrayLike"]) -> "NDArray[np.uint8]":
        if where is None:
            return np.ones(self.n, np.uint8)
        index = np.asarray(where)
        if index.dtype == np.bool_ and index.shape == (self.n,):
            return np.ascontiguousarray(index).view(np.uint8)
        if index.ndim != 1 or index.dtype.kind not in "iu" and index.size:
            raise ValueError(f"boards are chosen by bool[{self.n}] or by their numbers, not by "
                             f"{index.dtype.name} of shape {index.shape}")
        chosen = np.zeros(self.n, np.uint8)
        chosen[self._numbers(index)] = 1
        return chosen

    def _numbers(self, index: "NDArray[Any]") -> "NDArray[np.int64]":
        # Numbers of boards.  Raises ValueError if there is no such board.
        wrong = index[(index < 0) | (index >= self.n)]
        if wrong.size:
            raise ValueError(f"no such board: {wrong[0]} (allowed: 0 to {self.n - 1})")
        return index.astype(np.int64)

    def reset(self, where: Optional["ArrayLike"] = None) -> None:
        """Begin new games on all boards, or on some of them.

        where  bool[n] or the numbers of boards; `boards.reset(boards.done)` replaces the games that
               are over
        """
        kernels.start(self._games, self._chosen(where))

    def copy(self) -> "Boards":
        """Return independent boards with the same games."""
        return self.select(np.arange(self.n))

    def select(self, numbers: "ArrayLike") -> "Boards":
        """Return independent boards with the games of these numbers.

        A number may occur several times: look ahead on copies of one board.
        """
        index = np.asarray(numbers)
        if index.ndim != 1 or index.dtype.kind not in "iu" or not index.size:
            raise ValueError(f"numbers of boards are integers in a row, not {index.dtype.name} of "
                             f"shape {index.shape}")
        index = self._numbers(index)
        other = Boards.__new__(Boards)
        other._create(self.rules, self._lattice, len(index))
        for name in kernels.BY_BOARD:
            getattr(other._games, name)[:] = getattr(self._games, name)[index]
        return other

    def game(self, number: int) -> Game:
        """Return the position of a board as a Game: as text, as SVG, in SGF, for an engine.

        The boards do not store the order of the moves, so the game begins with the stones as a
        set-up and has no `moves`.  Only an opening of up to three moves has its moves.  Raises
        ValueError if there is no such board.
        """
        if not is_whole(number) or not 0 <= number < self.n:
            raise ValueError(f"no such board: {number!r} (allowed: 0 to {self.n - 1})")
        games, g = self._games, int(number)
        position = Position(self.rules, self._lattice)
        if 0 <= games.opening[g] <= OPENING_PLIES:
            self._play_opening(position, g)
            return Game._of(position)
        if position.side != games.turn[g]:
            position.set_side(int(games.turn[g]))
        position.captured = [0, *map(int, games.captured[g])]
        cells = games.cells[g]
        position.setup((int(cells[point]), point) for point in self._lattice.points
                       if cells[point] != EMPTY)
        return Game._of(position)

    def _play_opening(self, position: Position, g: int) -> None:
        # Play the moves of an opening, which the stones and the first point determine.  After a
        # swap there is a stone less: both sides have played on the first point.
        plies, first = int(self._games.plies[g]), int(self._games.first[g])
        stones = {colour: [point for point in self._lattice.points if point != first
                           and self._games.cells[g, point] == colour] for colour in COLOURS}
        swapped = sum(map(len, stones.values())) + 1 < plies
        for ply in range(plies):
            colour = opponent(self.rules.first) if ply % 2 else self.rules.first
            position.play(colour, first if ply <= swapped else stones[colour].pop())

    # --- players ------------------------------------------------------------------------------

    def random_actions(self, rng: Optional[np.random.Generator] = None) -> "NDArray[np.int64]":
        """Return a random legal action for each board, int64[n], each with the same probability.

        A board without legal actions gets 0.  `rng` is the source of randomness, default a new one.
        Raises ValueError if it is no generator of NumPy.
        """
        if rng is not None and not isinstance(rng, np.random.Generator):
            raise ValueError(f"rng must be a generator such as numpy.random.default_rng(1), "
                             f"not {rng!r}")
        generator = np.random.default_rng() if rng is None else rng
        out = np.zeros(self.n, np.int64)
        kernels.random_actions(self._games, generator.integers(0, 2**64, 8, np.uint64), out)
        return out

    def observe(self, out: Optional["NDArray[np.float32]"] = None,
                layout: str = "own") -> "NDArray[np.float32]":
        """Return the boards as planes of 0 and 1, float32[n, planes, height, width].

        out     an array of this shape and type to write into, instead of a new one
        layout  "own": the planes `planes`, from the point of view of the side to move.  "black to
                move" is 1 on all points or 0; the captures of either side are its captured stones,
                divided by the number that wins.
                "gomoku": as OpenSpiel's gomoku: stones of the first player, of the second player,
                ones if the first player is to move
                "mnk": as OpenSpiel's mnk: empty points, stones of the second player, of the first

        Raises ValueError for another layout or an array that does not fit.
        """
        if layout not in LAYOUTS:
            raise ValueError(f"no such layout: {layout} (available: {' '.join(LAYOUTS)})")
        planes = LAYOUTS[layout] or len(self.planes)
        shape = (self.n, planes, *self.shape)
        if out is None:
            out = np.empty(shape, np.float32)
        elif not isinstance(out, np.ndarray) or out.shape != shape or (
                out.dtype != np.float32 or not out.flags.c_contiguous):
            raise ValueError(f"planes need a contiguous float32 array of shape {shape}")
        flat = out.reshape(self.n, planes, self.points)
        if layout == "own":
            kernels.observe(self._games, flat)
        else:
            kernels.observe_colours(self._games, layout == "gomoku", flat)
        return out

    # --- points -------------------------------------------------------------------------------

    def text(self, action: int) -> str:
        """Return the point of an action as text: "H8".  Raises ValueError if there is none."""
        if not is_whole(action) or not 0 <= action < self.points:
            raise ValueError(f"no such action: {action!r} (allowed: 0 to {self.points - 1})")
        return GtpPoints(self._lattice).name[self._lattice.points[action]]

    def action(self, point: str) -> int:
        """Return the action of a point such as "H8".  Raises ValueError if there is none."""
        names = GtpPoints(self._lattice)
        number = names.point_of(point) if isinstance(point, str) else None
        if not number:
            last = names.name[self._lattice.points[-1]]
            raise ValueError(f"no such point: {point} (allowed: A1 to {last})")
        return self._lattice.points.index(number)


def _read_only(array: "NDArray[Scalar]") -> "NDArray[Scalar]":
    view = array.view()
    view.flags.writeable = False
    return view


@cache
def _load() -> None:
    load(calls_of_boards())  # one start of the compiler at most


def calls_of_boards() -> list[Call]:
    """Return the kernel calls of all methods, for `load`."""
    games = games_of(catalogue.GOMOKU, catalogue.lattice(3, 3), 1)
    actions, planes = np.zeros(1, np.int64), np.zeros((1, 4, 9), np.float32)
    return [Call(kernels.start, (games, np.ones(1, np.uint8))), Call(kernels.derive, (games, 0)),
            Call(kernels.play, (games, actions, np.ones(1, np.uint8))),
            Call(kernels.random_actions, (games, np.zeros(8, np.uint64), actions)),
            Call(kernels.observe, (games, planes)),
            Call(kernels.observe_colours, (games, 0, planes))]
