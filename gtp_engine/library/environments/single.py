"""An environment of Gymnasium: one agent against an opponent."""

from typing import Any, Optional, Union

import gymnasium
from gymnasium import spaces

from ...games.lattice import Size
from ...games.rules import COLOURS, Rules
from ...wire.notation import COLOUR_NAMES
from ..game import Game, colour_of
from .opponents import Adversary, Opponent
from .state import RENDER_MODES, State, mode_of, observation_space


class BoardEnv(gymnasium.Env[Any, Any]):
    """One agent against an opponent, which answers within each step.

    An observation is a dictionary: "observation" has the planes of `Boards.observe`, "action_mask"
    the legal actions, which `info` has too.  The reward is 1 for a win, -1 for a loss, otherwise 0.
    An illegal action ends the game with -1, and `info` then has "illegal_action": True.
    """

    metadata = {"render_modes": [*RENDER_MODES], "render_fps": 2}

    def __init__(self, game: Union[str, Rules] = "Gomoku", size: Optional[Size] = None,
                 opponent: Opponent = "random", colour: Optional[str] = None,
                 render_mode: Optional[str] = None):
        """Create the environment.

        game      a game, with or without its size: "Gomoku-15", "4-in-a-row-7x6", "Renju"
        size      length of a side, or (columns, rows); default: that of the name or of the game
        opponent  "random"; the level of alphabeta, from 1 to 10; the name of a player, such as
                  "flat"; an Engine; or an object with choose(game, limits)
        colour    the agent's colour, "black" or "white"; None: drawn for each game

        Raises ValueError if there is no such game, size, opponent, colour or mode.
        """
        self.render_mode = mode_of(render_mode)
        self._state, self._opponent = State(game, size), Adversary(opponent)
        self._colour = None if colour is None else colour_of(colour)
        self._own = self._state.boards.rules.first
        self.observation_space = observation_space(self._state.boards)
        self.action_space = spaces.Discrete(self._state.boards.points)
        self._lost = False

    def __repr__(self) -> str:
        return f"<BoardEnv {self._state} against {self._opponent.name}>"

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new game; the opponent moves first if it has the first colour.

        options  {"colour": "black"} sets the agent's colour for this game
        """
        super().reset(seed=seed)
        if seed is not None:
            self._opponent.seed(seed)
        drawn = COLOURS[int(self.np_random.integers(2))]
        wanted = (options or {}).get("colour")
        self._own = colour_of(wanted) if wanted else self._colour or drawn
        self._state.reset()
        self._lost = False
        if self._state.turn != self._own:
            self._answer()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action and the opponent's answer; see Gymnasium for the results.

        Raises ValueError if the game is over.
        """
        state = self._state
        if self._lost or state.is_over:
            raise ValueError("the game is over: call reset")
        if not (0 <= action < state.boards.points and state.mask(self._own)[action]):
            self._lost = True
            return self._observation(), -1.0, True, False, {**self._info(), "illegal_action": True}
        state.play(int(action))
        if not state.is_over:
            self._answer()
        if self.render_mode == "human":
            self.render()
        return self._observation(), state.reward(self._own), state.is_over, False, self._info()

    def _answer(self) -> None:
        self._state.play(self._opponent.action(self._state, self.np_random))

    def _observation(self) -> Any:
        return self._state.observation(self._own)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._state.mask(self._own),
                "colour": COLOUR_NAMES[self._own]}

    @property
    def game(self) -> Game:
        """A copy of the game so far."""
        return self._state.game.copy()

    def render(self) -> Any:
        """Return the board as text or as an array; the mode "human" prints it."""
        return self._state.render(self.render_mode)
