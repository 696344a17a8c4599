"""The parameters of alphabeta's levels, from beginner to full strength.

data/levels.json, written by benchmarks/levels.py, has their measured strength in some games.
"""

import json
from functools import lru_cache
from typing import Mapping, NamedTuple, Optional, Sequence

from ...games.rules import Rules
from .. import DATA
from ..base import FULL_STRENGTH
from ..registry import complaint

ROUNDED = 50  # displayed Elo is a multiple of this

NAMES = ("beginner", "novice", "casual", "improver", "club player", "good player", "strong player",
         "expert", "master")


class Level(NamedTuple):
    """The parameters of a level.

    attention  number of last stones around which it considers moves; all points on boards as long
               as a row
    sight      plies of the longest win by fours that it finds, for either side
    width      number of moves that it compares
    depth      depth of its search in plies; 0: it uses its first impression
    nodes      most nodes of its search
    budget     greatest loss against the best move: a part of its impression, or of the value of a
               search, from -1 for lost to 1 for won
    """

    attention: int
    sight: int
    width: int
    depth: int
    nodes: int
    budget: float


LEVELS = {  # by the game in which they were measured; the lowest level first
    "Gomoku": (
        Level(2, 1, 8, 0, 0, 0.5),
        Level(3, 1, 8, 0, 0, 0.35),
        Level(3, 3, 8, 0, 0, 0.36),
        Level(6, 5, 8, 0, 0, 0.18),
        Level(8, 5, 6, 1, 2_000, 0.3),
        Level(12, 7, 8, 1, 2_000, 0.12),
        Level(16, 11, 12, 3, 6_000, 0.05),
        Level(40, 15, 16, 5, 20_000, 0.05),
        Level(400, 21, 20, 6, 40_000, 0.02)),
    "Renju": (
        Level(3, 1, 8, 0, 0, 0.35),
        Level(3, 3, 8, 0, 0, 0.36),
        Level(6, 5, 8, 0, 0, 0.15),
        Level(8, 5, 6, 1, 2_000, 0.25),
        Level(12, 7, 8, 1, 2_000, 0.1),
        Level(15, 11, 10, 3, 5_000, 0.075),
        Level(18, 13, 12, 4, 12_000, 0.05),
        Level(40, 17, 16, 6, 30_000, 0.04),
        Level(400, 21, 20, 8, 80_000, 0.01)),
    "Pente": (
        Level(2, 1, 12, 0, 0, 0.65),
        Level(3, 1, 8, 0, 0, 0.4),
        Level(3, 3, 8, 0, 0, 0.3),
        Level(7, 5, 8, 0, 0, 0.14),
        Level(8, 5, 6, 1, 2_000, 0.25),
        Level(12, 7, 8, 1, 2_000, 0.12),
        Level(16, 11, 12, 3, 6_000, 0.05),
        Level(28, 13, 15, 4, 14_000, 0.05),
        Level(400, 21, 20, 6, 40_000, 0.02)),
    "Qubic": (
        Level(64, 1, 56, 0, 0, 0.97),
        Level(64, 1, 22, 0, 0, 0.65),
        Level(64, 1, 12, 0, 0, 0.45),
        Level(64, 1, 8, 0, 0, 0.33),
        Level(64, 3, 8, 0, 0, 0.3),
        Level(64, 5, 8, 0, 0, 0.3),
        Level(64, 5, 8, 1, 2_000, 0.3),
        Level(64, 5, 8, 1, 2_000, 0.02),
        Level(64, 13, 16, 5, 20_000, 0.005)),
}


def level_of(rules: Rules, number: int) -> Level:
    """The parameters of a level below FULL_STRENGTH in a game.

    Games without measurements have the levels of a similar game.
    """
    return LEVELS["Qubic" if rules.row_fills_board() else "Pente" if rules.capture_lengths else
                  "Renju" if rules.renju else "Gomoku"][number - 1]


def name_of(number: int) -> str:
    """The displayed name of a level."""
    return "full strength" if number == FULL_STRENGTH else NAMES[number - 1]


def elo_of(game: str, number: int) -> Optional[int]:
    """The Elo of a level in a game, None if it was not measured.

    A random player has 0.  benchmarks/levels.py has the node limit of full strength.
    """
    return measured()[game][number - 1][0] if game in measured() else None


def have_meaning(rules: Rules) -> bool:
    """Do levels differ in this game?

    They do not if two blocking moves are enough for a draw, or if the first player wins at once,
    or if alphabeta does not play the game.
    """
    return rules.in_a_row > 3 and complaint("alphabeta", rules) is None


def choices(rules: Rules) -> list[str]:
    """The labels of a game's levels, from 1 on, with their Elo if it was measured.

    Empty if levels do not differ in this game.
    """
    if not have_meaning(rules):
        return []
    labels = []
    for number in range(1, FULL_STRENGTH + 1):
        elo = elo_of(rules.name, number)
        about = "" if elo is None else f", Elo {ROUNDED * round(elo / ROUNDED)}"
        labels.append(f"{number} \N{EN DASH} {name_of(number)}{about}")
    return labels


@lru_cache
def measured() -> Mapping[str, Sequence[Sequence[int]]]:
    """By game, for each level its Elo and the ends of the 95 % confidence interval."""
    with (DATA / "levels.json").open("rb") as file:
        ratings: Mapping[str, Sequence[Sequence[int]]] = json.load(file)
    return ratings
