"""Environments for reinforcement learning: PettingZoo, Gymnasium, and many games at once.

They need the extra `env`.  Importing this module registers the environments of Gymnasium, as
gtp_engine/Gomoku15-v0, if Gymnasium is installed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from ..command_line.terminal import import_error_text
from ..games.lattice import Size
from ..games.rules import Rules

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from .boards import Boards
    from .environments.opponents import Opponent
    from .environments.single import BoardEnv
    from .environments.vector import BoardVectorEnv


def pettingzoo(name: Union[str, Rules] = "Gomoku", size: Optional[Size] = None,
               render_mode: Optional[str] = None) -> "AECEnv[str, Any, int]":
    """Create an environment of PettingZoo, for two agents player_0 and player_1.

    name         a game, with or without its size: "Gomoku-15", "4-in-a-row-7x6", "Renju"
    size         length of a side, or (columns, rows); default: that of the name or of the game
    render_mode  "ansi", "human", "rgb_array" or None

    Raises ValueError for an unknown game, size or mode, ImportError without the extra `env`.
    """
    with _needs_extra():
        from .environments.zoo import env
    return env(name, size, render_mode)


def gymnasium(name: Union[str, Rules] = "Gomoku", size: Optional[Size] = None,
              opponent: "Opponent" = "random", **options: Any) -> "BoardEnv":
    """Create an environment of Gymnasium, for one agent against an opponent.

    The arguments are those of `BoardEnv`.
    """
    with _needs_extra():
        from .environments.single import BoardEnv
    return BoardEnv(name, size, opponent, **options)


def vector(name: Union[str, Rules] = "Gomoku", size: Optional[Size] = None, num_envs: int = 1,
           opponent: "Union[str, Callable[[Boards], Any]]" = "random",
           **options: Any) -> "BoardVectorEnv":
    """Create a vector environment of Gymnasium: one agent in many games at once.

    The arguments are those of `BoardVectorEnv`.
    """
    with _needs_extra():
        from .environments.vector import BoardVectorEnv
    return BoardVectorEnv(num_envs, name, size, opponent, **options)


@contextmanager
def _needs_extra() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise ImportError(import_error_text(error, "an environment"), name=error.name) from None


def _register() -> None:
    try:
        from .environments.registry import register
    except ImportError:
        return  # the functions above raise it
    register()


_register()
