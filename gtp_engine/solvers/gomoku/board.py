"""Positions, points and searches on the boards of proofs.  Each process keeps its searches."""

from functools import lru_cache
from typing import Sequence

from ...games import catalogue
from ...games.lattice import Lattice
from ...games.rules import Position
from ...players.alphabeta.threat_search import ThreatSearch
from ...players.base import Settings
from ...players.proofs.win_trees import Zones
from ...wire.notation import GtpPoints
from .entries import Board
from .rules import CARO

Moves = tuple[int, ...]


def lattice_of(board: Board) -> Lattice:
    """Return the points of a board."""
    return catalogue.lattice(board.size, board.size)


def position_after(board: Board, moves: Sequence[int]) -> Position:
    """Return the position after alternating moves."""
    position = catalogue.start(catalogue.find(board.game), board.size)
    for move in moves:
        position.play(position.side, move)
    return position


@lru_cache(maxsize=None)
def names(board: Board) -> GtpPoints:
    """Return the names of the points."""
    return GtpPoints(lattice_of(board))


def text(board: Board, moves: Sequence[int]) -> str:
    """Return the names of points, separated by spaces."""
    return " ".join(map(names(board).name.__getitem__, moves))


def moves_of(board: Board, words: str) -> Moves:
    """Return the points of these names.  Raises ValueError if a word is no point."""
    points = [names(board).point_of(word) for word in words.split()]
    if not all(points):
        raise ValueError
    return tuple(point for point in points if point)


@lru_cache(maxsize=None)
def threat_search(_: Board) -> ThreatSearch:
    """Return the threat search of this process for a board."""
    return ThreatSearch(Settings(memory=1))


@lru_cache(maxsize=None)
def long_threat_search(_: Board) -> ThreatSearch:
    """Return the search of this process with a table for more nodes."""
    return ThreatSearch(Settings(memory=64))


@lru_cache(maxsize=None)
def zones(board: Board) -> Zones:
    """Return the zones of a board."""
    return Zones(lattice_of(board), board.game == CARO)
