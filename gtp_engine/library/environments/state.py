"""The game of an environment: its arrays, its spaces and its picture."""

from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
from gymnasium import spaces

from ...games import catalogue
from ...games.lattice import BLACK, EMPTY, Size, opponent, size_of_text
from ...games.rules import Rules
from ..boards import Boards
from ..game import Game

if TYPE_CHECKING:
    from numpy.typing import NDArray

RENDER_MODES = ("ansi", "human", "rgb_array")
SCALE = 20  # pixels of a point
WOOD, LINE = (219, 176, 102), (120, 90, 40)
STONES = {BLACK: (20, 20, 20), opponent(BLACK): (240, 240, 240)}


def rules_and_size(name: Union[str, Rules], size: Optional[Size]) -> tuple[Rules, Size]:
    """Return the game and the size of a name such as "Gomoku", "Gomoku-15", "4-in-a-row-7x6".

    `size` comes before the size in the name.  Raises ValueError.
    """
    if not isinstance(name, str):
        return name, name.default_size if size is None else size
    try:
        rules = catalogue.find(name)
    except ValueError:
        first, dash, last = name.rpartition("-")
        if not dash:
            raise
        rules = catalogue.find(first)
        if size is None:
            size = size_of_text(last)
    return rules, rules.default_size if size is None else size


def mode_of(render_mode: Optional[str]) -> Optional[str]:
    """Return a render mode.  Raises ValueError if there is no such mode."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"no such render mode: {render_mode} (available: "
                         f"{' '.join(RENDER_MODES)})")
    return render_mode


def observation_space(boards: Boards) -> spaces.Dict:
    """Return the space of an observation: the planes of `Boards.observe` and the action mask."""
    return spaces.Dict({
        "observation": spaces.Box(0, 1, (len(boards.planes), *boards.shape), np.float32),
        "action_mask": spaces.Box(0, 1, (boards.points,), np.int8)})


def planes_for(boards: Boards, colours: "NDArray[Any]") -> "NDArray[np.float32]":
    """Return the planes of `Boards.observe` from the point of view of one colour for each board.

    The plane of legal moves is empty if the other side is to move.
    """
    planes = boards.observe()
    waiting = np.flatnonzero(boards.turn != colours)
    if waiting.size:
        planes[waiting, :2] = planes[waiting, 1::-1]
        planes[waiting, 2] = 0
        if planes.shape[1] > 4:
            planes[waiting, 4:6] = planes[waiting, 5:3:-1]
    return planes


class State:
    """A game that an environment plays, on a board of `Boards` and as a Game.

    The game is over if there is an outcome, or if an opening leaves no legal move.
    """

    def __init__(self, name: Union[str, Rules], size: Optional[Size]):
        """Raises ValueError if there is no such game or size."""
        rules, size = rules_and_size(name, size)
        self.boards, self.game = Boards(rules, size), Game(rules, size)
        self._empty = self.game.copy()

    def __str__(self) -> str:
        sides = "x".join(map(str, self.boards.shape[::-1]))
        return f"{self.boards.rules.name} {sides}"

    def reset(self) -> None:
        """Begin a new game."""
        self.boards.reset()
        self.game = self._empty.copy()

    @property
    def turn(self) -> int:
        """The colour to move."""
        return int(self.boards.turn[0])

    @property
    def is_over(self) -> bool:
        """Is there no legal move?"""
        return not self.boards.mask[0].any()

    def mask(self, colour: int) -> "NDArray[np.int8]":
        """Return int8[points], the legal actions of a colour; none if the other is to move."""
        legal = self.boards.mask[0].astype(np.int8)
        return legal if colour == self.turn else np.zeros_like(legal)

    def observation(self, colour: int) -> "dict[str, NDArray[Any]]":
        """Return the observation of a colour, see `observation_space`."""
        return {"observation": planes_for(self.boards, np.array([colour]))[0],
                "action_mask": self.mask(colour)}

    def play(self, action: int) -> None:
        """Play a legal action.  Raises ValueError for other actions."""
        self.boards.play([action])
        self.game.play(action)

    def reward(self, colour: int) -> float:
        """Return 1 if a colour has won, -1 if it has lost, otherwise 0."""
        winner = int(self.boards.winner[0])
        return 0.0 if winner == EMPTY else 1.0 if winner == colour else -1.0

    def render(self, mode: Optional[str]) -> "Union[None, str, NDArray[np.uint8]]":
        """Return the board as text or as a picture; the mode "human" prints the text."""
        if mode == "human":
            print(self.game)
        return str(self.game) if mode == "ansi" else self.picture() if mode == "rgb_array" else None

    def picture(self) -> "NDArray[np.uint8]":
        """Return the board as uint8[height, width, 3]; the levels of a cube are side by side."""
        position = self.game.position
        lattice = position.lattice
        shape = lattice.display_rows, lattice.display_columns
        image = np.empty((shape[0] * SCALE, shape[1] * SCALE, 3), np.uint8)
        y, x = np.mgrid[:SCALE, :SCALE] - (SCALE - 1) / 2
        disc, cross = x * x + y * y < (SCALE * 0.45) ** 2, (abs(x) < 1) | (abs(y) < 1)
        for point in lattice.points:
            column, row = lattice.display_place(point)
            top, left = (shape[0] - 1 - row) * SCALE, column * SCALE
            tile = image[top:top + SCALE, left:left + SCALE]
            tile[:], tile[cross] = WOOD, LINE
            if position.cells[point] != EMPTY:
                tile[disc] = STONES[position.cells[point]]
        return image
