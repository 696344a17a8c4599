"""An environment of PettingZoo: two agents take turns."""

from typing import Any, Optional, Union

from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ...games.lattice import Size
from ...games.rules import Rules
from .state import RENDER_MODES, State, mode_of, observation_space

ILLEGAL_REWARD = -1


def env(name: Union[str, Rules] = "Gomoku", size: Optional[Size] = None,
        render_mode: Optional[str] = None) -> "AECEnv[str, Any, int]":
    """Create the environment with PettingZoo's usual wrappers.

    An illegal action ends the game, and its agent gets -1.
    """
    raw: Any = RawEnv(name, size, render_mode)
    raw = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return OrderedEnv(wrappers.AssertOutOfBoundsWrapper(raw))


class OrderedEnv(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """PettingZoo's outermost wrapper, displayed as its environment."""

    def __repr__(self) -> str:
        return repr(self.unwrapped)


class RawEnv(AECEnv[str, Any, int], EzPickle):  # type: ignore[misc]
    """The environment without wrappers; `player_0` moves first.

    An observation is a dictionary.  "observation" has the planes of `Boards.observe`, from the
    agent's point of view, and "action_mask" its legal actions, none while the other is to move.
    The winner gets 1, the loser -1; a draw gives 0.
    """

    def __init__(self, name: Union[str, Rules] = "Gomoku", size: Optional[Size] = None,
                 render_mode: Optional[str] = None):
        """Raises ValueError if there is no such game, size or mode."""
        EzPickle.__init__(self, name, size, render_mode)
        super().__init__()
        self.render_mode = mode_of(render_mode)
        self._state = State(name, size)
        rules, boards = self._state.boards.rules, self._state.boards
        self.metadata = {"render_modes": [*RENDER_MODES], "name": f"{rules.name.lower()}_v0",
                         "is_parallelizable": False, "render_fps": 2}
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        self._colours = dict(zip(self.agents, (rules.first, 3 - rules.first)))
        self.observation_spaces = {agent: observation_space(boards) for agent in self.agents}
        self.action_spaces: dict[str, Any] = {
            agent: spaces.Discrete(boards.points) for agent in self.agents}

    def __repr__(self) -> str:
        return f"<PettingZoo {self._state}>"

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Begin a new game; there is no randomness to seed."""
        self._state.reset()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def _to_move(self) -> str:
        return next(agent for agent, colour in self._colours.items() if colour == self._state.turn)

    def observe(self, agent: str) -> Any:
        """Return the observation of an agent."""
        return self._state.observation(self._colours[agent])

    def step(self, action: Optional[int]) -> None:
        """Play an action of the selected agent.  Raises ValueError if it is illegal."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None, "the game is not over: an action is an integer"
        self._state.play(int(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        if self._state.is_over:
            self.rewards = {agent: self._state.reward(self._colours[agent])
                            for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._to_move()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Return the board as text or as an array; the mode "human" prints it."""
        return self._state.render(self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""
