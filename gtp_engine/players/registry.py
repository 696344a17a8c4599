"""The players by name; the module of a player is imported when it is first created."""

from importlib import import_module
from typing import Callable, Optional, cast

from ..games import catalogue
from ..games.lattice import Lattice, size_text
from ..games.rules import Position, Rules
from .base import Player, Settings

_CLASSES = {"flat": (".flat", "FlatMonteCarlo"), "random": (".random_player", "RandomPlayer"),
            "alphabeta": (".alphabeta.player", "AlphaBeta")}
PLAYERS = tuple(_CLASSES)
_OTHERS: dict[str, Callable[[Settings], Player]] = {}  # see `register`
FIVE = 5  # the rows of the kernels for searches in the plane
CAPTURES = {2, 3}  # the lengths of captures of all kernels


class Unplayable(ValueError):
    """A game or a board that a player does not support; the text is one line."""


def register(name: str, make: Callable[[Settings], Player]) -> None:
    """Add a player under a new name.  Raises ValueError if it is one of PLAYERS."""
    if name in PLAYERS:
        raise ValueError(f"{name} is a player of this package: choose another name")
    _OTHERS[name] = make


def make_player(name: str, settings: Settings) -> Player:
    """Create the player of that name, one of PLAYERS or a registered one.

    Raises ValueError if there is none.
    """
    if name in _OTHERS:
        return _OTHERS[name](settings)
    if name not in PLAYERS:
        raise ValueError(f"no such player: {name} (available: {' '.join(PLAYERS)})")
    module, class_name = _CLASSES[name]
    return cast(Player, getattr(import_module(module, __package__), class_name)(settings))


def complaint(player: str, rules: Rules, lattice: Optional[Lattice] = None,
              policy: str = "random") -> Optional[str]:
    """Why a player does not play a game on this board, or None if it does.

    lattice  the board; None: the board of the default size
    policy   the policy of the playouts of flat
    """
    if lattice is None:
        lattice = catalogue.start(rules, rules.default_size).lattice
    captures = {*rules.capture_lengths} <= CAPTURES
    in_the_plane = rules.in_a_row == FIVE and not rules.cube and captures
    in_the_table = rules.row_fills_board() and catalogue.GAMES.get(rules.name) == rules
    if player == "alphabeta" and not in_the_table and not (
            in_the_plane and lattice.width == lattice.height):
        plays = "five in a row on square boards"
    elif player == "flat" and policy == "rule_based" and not in_the_table and not in_the_plane:
        plays = "five in a row by the policy rule_based"
    elif player == "flat" and rules.renju and rules.cube:
        plays = "games with forbidden points in the plane"
    else:
        return None
    return f"{player} plays {plays}, not {rules.name} on {size_text(lattice.display_size)}"


def adviser(position: Position) -> str:
    """The player for hints in a position: alphabeta, or flat in games that it does not play."""
    return next((player for player in ("alphabeta", "flat")
                 if not complaint(player, position.rules, position.lattice)), "random")


def check(player: str, position: Position, policy: str = "random") -> None:
    """Raise Unplayable if a player does not play the game of a position; see `complaint`."""
    reason = complaint(player, position.rules, position.lattice, policy)
    if reason:
        raise Unplayable(reason)
