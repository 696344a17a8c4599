"""The levels of alphabeta, from a beginner's to full strength: what each of them sees.

data/levels.json, which benchmarks/levels.py makes, says how strong they are in some games.
"""

import json
from functools import lru_cache
from typing import Mapping, NamedTuple, Optional, Sequence

from ...games.rules import Rules
from .. import DATA
from ..base import FULL_STRENGTH

ROUNDED = 50  # Elo, for people


NAMES = ("beginner", "novice", "casual", "improver", "club player", "good player", "strong player",
         "expert", "master")


class Level(NamedTuple):
    """What a level sees, and how it chooses.

    attention  it looks for moves around so many of the last stones; all points where rows are as
               long as the board
    sight      plies of the longest win by fours that it sees, for itself and for the other side
    width      moves that it compares
    depth      plies that it looks ahead; 0: it goes by its first impression
    nodes      that it visits at most
    budget     what a move may be worth less than the best one: a part of its impression, or the
               value of a search, from -1 for lost to 1 for won
    """

    attention: int
    sight: int
    width: int
    depth: int
    nodes: int
    budget: float


LEVELS = {  # by the game that they were measured in; from the lowest on
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
    """What a level below FULL_STRENGTH sees in a game; games that were not measured have the levels
    of one that is like them."""
    return LEVELS["Qubic" if rules.row_fills_board() else "Pente" if rules.capture_lengths else
                  "Renju" if rules.renju else "Gomoku"][number - 1]


def name_of(number: int) -> str:
    """The name of a level, for people."""
    return "full strength" if number == FULL_STRENGTH else NAMES[number - 1]


def elo_of(game: str, number: int) -> Optional[int]:
    """How strong a level is in a game, None if that was not measured.

    A player that moves at random has 0; full strength had nodes as benchmarks/levels.py says.
    """
    return measured()[game][number - 1][0] if game in measured() else None


def have_meaning(rules: Rules) -> bool:
    """Do levels differ in this game?  They do not where whoever blocks twice has a draw, or whoever
    begins wins at once."""
    return rules.in_a_row > 3


def choices(rules: Rules) -> list[str]:
    """The levels of a game in words, from 1 on, with their Elo if it was measured; none if they
    have no meaning."""
    if not have_meaning(rules):
        return []
    found = []
    for number in range(1, FULL_STRENGTH + 1):
        elo = elo_of(rules.name, number)
        about = "" if elo is None else f", about {ROUNDED * round(elo / ROUNDED)}"
        found.append(f"{number} \N{EN DASH} {name_of(number)}{about}")
    return found


@lru_cache
def measured() -> Mapping[str, Sequence[Sequence[int]]]:
    """By game, Elo and the ends of its interval of 95 % of each level."""
    with (DATA / "levels.json").open("rb") as file:
        found: Mapping[str, Sequence[Sequence[int]]] = json.load(file)
    return found
