"""The players by name; the module of a player is imported when it is first created."""

from importlib import import_module
from typing import cast

from .base import Player, Settings

_CLASSES = {"flat": (".flat", "FlatMonteCarlo"), "random": (".random_player", "RandomPlayer"),
            "alphabeta": (".alphabeta.player", "AlphaBeta")}
PLAYERS = tuple(_CLASSES)


def make_player(name: str, settings: Settings) -> Player:
    """Create the player of that name, one of PLAYERS.  Raises ValueError if there is none."""
    if name not in PLAYERS:
        raise ValueError(f"no such player: {name} (available: {' '.join(PLAYERS)})")
    module, class_name = _CLASSES[name]
    return cast(Player, getattr(import_module(module, __package__), class_name)(settings))
