"""Positions as the kernels see them."""

import logging

import numpy as np

from ..games.lattice import PASS, Lattice
from ..games.rules import Position, Rules
from ..kernels import board as boards
from ..kernels import is_compiled


def game_of(rules: Rules) -> tuple[int, ...]:
    """The rules of a game as in `Geometry.game`, without the cells in a row."""
    return (not rules.overline_wins, 2 in rules.capture_lengths, 3 in rules.capture_lengths,
            rules.captures_to_win, rules.centre_opening)


def first_stone(position: Position) -> int:
    """The point of the first stone that was played, PASS if there is none."""
    return next((record.point for record in position.history if record.point != PASS), PASS)


def geometry_of(rules: Rules, lattice: Lattice) -> boards.Geometry:
    """The lines of a lattice and the rules of a game."""
    return boards.make_geometry(
        lattice.points, lattice.axes, lattice.cells, lattice.row, lattice.middle(),
        game_of(rules))


def board_of(geometry: boards.Geometry, position: Position) -> boards.Board:
    """A board of that geometry with the stones of the position."""
    return boards.make_board(geometry, np.frombuffer(position.cells, np.uint8),
                             position.captured, position.opening_plies,
                             first_stone(position))


def announce(function) -> None:
    """Say so on standard error if this kernel is about to be compiled."""
    if not is_compiled(function):
        logging.getLogger(__name__).warning(
            "compiling %s, once for this version; this takes some seconds", function.__name__)
