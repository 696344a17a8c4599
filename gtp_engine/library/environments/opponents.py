"""Opponents of a single agent."""

from typing import Any, Union, cast

import numpy as np

from ...players.base import FULL_STRENGTH, Limits, Settings
from ..engine import Engine
from ..player import AdaptedPlayer, OwnPlayer
from .state import State

Opponent = Union[str, int, Engine, OwnPlayer]
LEVELS = range(1, FULL_STRENGTH + 1)


class Adversary:
    """An opponent that answers with actions."""

    def __init__(self, opponent: Opponent):
        """Create the opponent.

        opponent  "random"; the level of alphabeta, from 1 to 10; the name of a player, such as
                  "flat"; an Engine; or an object with choose(game, limits)

        Raises ValueError if there is none.
        """
        if isinstance(opponent, (int, np.integer)) and not isinstance(opponent, bool):
            if opponent not in LEVELS:
                raise ValueError(f"no such level: {opponent} (available: 1 to {FULL_STRENGTH})")
            opponent = Engine("alphabeta", level=int(opponent))
        elif isinstance(opponent, str) and opponent != "random":
            opponent = Engine(opponent)
        self._player: Any = opponent
        if not isinstance(opponent, (str, Engine)):
            self._player = AdaptedPlayer(cast(OwnPlayer, opponent), Settings())

    @property
    def name(self) -> str:
        """The name of the opponent."""
        return self._player if isinstance(self._player, str) else str(self._player.name)

    def seed(self, seed: int) -> None:
        """Seed an engine's generator."""
        if isinstance(self._player, Engine):
            self._player.player.settings.start_from(seed)

    def action(self, state: State, rng: np.random.Generator) -> int:
        """Return the action of the side to move."""
        if self._player == "random":
            return int(state.boards.random_actions(rng)[0])
        if isinstance(self._player, Engine):
            return state.game.to_index(self._player.choose(state.game))
        position = state.game.position
        point = self._player.choose(position, Limits(bytearray(2)))
        return position.lattice.points.index(point)
