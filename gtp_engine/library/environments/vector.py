"""A vector environment of Gymnasium: one agent in many games at once, on `Boards`."""

from typing import TYPE_CHECKING, Any, Callable, Optional, Union

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ...games.lattice import Size
from ...games.rules import Rules
from ..boards import Boards
from ..game import colour_of
from .state import observation_space, planes_for, rules_and_size

if TYPE_CHECKING:
    from numpy.typing import NDArray


class BoardVectorEnv(VectorEnv[Any, Any, Any]):
    """One agent in many games at once, each against the same kind of opponent.

    Observations, rewards and illegal actions are those of `BoardEnv`, in arrays with one row for
    each game.  After the end of a game, the next step ignores its action and begins a new game
    (AutoresetMode.NEXT_STEP).

    boards   the games
    colours  int8[n], the agent's colour in each game
    """

    def __init__(self, num_envs: int = 1, game: Union[str, Rules] = "Gomoku",
                 size: Optional[Size] = None,
                 opponent: Union[str, Callable[[Boards], Any]] = "random",
                 colour: Optional[str] = None):
        """Create the environment.

        num_envs    the number of games
        game, size  as in `BoardEnv`
        opponent    "random", or a function of `Boards` that returns int[n], an action for each
        colour      the agent's colour, "black" or "white"; None: drawn for each game

        Raises ValueError if there is no such game, size, opponent or colour.
        """
        if opponent != "random" and not callable(opponent):
            raise ValueError(f"no such opponent of many games: {opponent!r} (available: random, or "
                             "a function of Boards)")
        rules, size = rules_and_size(game, size)
        self.boards, self.num_envs = Boards(rules, size, n=num_envs), num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space = observation_space(self.boards)
        self.single_action_space = spaces.Discrete(self.boards.points)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._opponent = opponent
        self._colour = None if colour is None else colour_of(colour)
        self.colours = np.ones(num_envs, np.int8)
        self._over = np.zeros(num_envs, np.bool_)

    def __repr__(self) -> str:
        return f"<BoardVectorEnv of {repr(self.boards)[1:]}"

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[Any, dict[str, Any]]:
        """Begin all games anew; the opponent moves first where it has the first colour."""
        super().reset(seed=seed)
        self._begin(np.ones(self.num_envs, np.bool_))
        return self._results()

    def step(self, actions: Any) -> tuple[Any, "NDArray[np.float64]", "NDArray[np.bool_]",
                                          "NDArray[np.bool_]", dict[str, Any]]:
        """Play an action in each game and the opponent's answers; see Gymnasium for the results."""
        actions = np.asarray(actions, np.int64)
        boards, begin = self.boards, self._over
        playing = ~begin
        inside = (actions >= 0) & (actions < boards.points)
        legal = inside & boards.mask[np.arange(self.num_envs), np.where(inside, actions, 0)]
        illegal = playing & ~legal
        boards.play(actions, playing & legal)
        self._answer(playing & legal)
        if begin.any():
            self._begin(begin)
        ended = ~boards.mask.any(axis=1)
        self._over = playing & (illegal | ended)
        won = np.where(boards.winner == 0, 0, np.where(boards.winner == self.colours, 1, -1))
        rewards = np.where(illegal, -1.0, won * self._over)
        observations, infos = self._results()
        return (observations, rewards, self._over.copy(), np.zeros(self.num_envs, np.bool_),
                infos | {"illegal_action": illegal})

    def _begin(self, where: "NDArray[np.bool_]") -> None:
        self.boards.reset(where)
        drawn = self.np_random.integers(1, 3, self.num_envs, np.int8)
        self.colours[where] = (drawn if self._colour is None else self._colour * np.ones_like(
            drawn))[where]
        self._answer(where)

    def _answer(self, where: "NDArray[np.bool_]") -> None:
        # The opponent's moves where it is to move.
        where = where & (self.boards.turn != self.colours) & self.boards.mask.any(axis=1)
        if where.any():
            actions = (self._opponent(self.boards) if callable(self._opponent) else
                       self.boards.random_actions(self.np_random))
            self.boards.play(actions, where)

    def _results(self) -> tuple[Any, dict[str, Any]]:
        mask = self.boards.mask & (self.boards.turn == self.colours)[:, None]
        mask = mask.astype(np.int8)
        return {"observation": planes_for(self.boards, self.colours), "action_mask": mask}, {
            "action_mask": mask}
