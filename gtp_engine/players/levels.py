"""The levels of alphabeta, from a beginner's to full strength: what each of them sees.

data/levels.json, which benchmarks/levels.py makes, says how strong they are in some games.
"""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Mapping, NamedTuple, Optional, Sequence

from ..games.rules import Rules
from .base import FULL_STRENGTH

ROUNDED = 50  # Elo, for people


class Level(NamedTuple):
    """What a level sees, and how it chooses.

    name       for people
    attention  it looks for moves around so many of the last stones; all points where rows are as
               long as the board
    sight      plies of the longest win by fours that it sees, for itself and for the other side
    width      moves that it compares
    depth      plies that it looks ahead; 0: it goes by its first impression
    nodes      that it visits at most
    budget     what a move may be worth less than the best one: a part of its impression, or the
               value of a search, from -1 for lost to 1 for won
    """

    name: str
    attention: int
    sight: int
    width: int
    depth: int
    nodes: int
    budget: float


LEVELS = (
    Level("beginner", 2, 1, 8, 0, 0, 0.5),
    Level("novice", 3, 1, 8, 0, 0, 0.35),
    Level("casual", 3, 3, 8, 0, 0, 0.3),
    Level("improver", 6, 5, 8, 0, 0, 0.18),
    Level("club player", 8, 5, 6, 1, 2_000, 0.3),
    Level("good player", 12, 7, 8, 1, 2_000, 0.12),
    Level("strong player", 16, 11, 12, 3, 6_000, 0.05),
    Level("expert", 40, 15, 16, 5, 20_000, 0.05),
    Level("master", 400, 21, 20, 6, 40_000, 0.02),
)


def name_of(number: int) -> str:
    """The name of a level, for people."""
    return "full strength" if number == FULL_STRENGTH else LEVELS[number - 1].name


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
    with files(__package__).joinpath("data", "levels.json").open("rb") as file:
        found: Mapping[str, Sequence[Sequence[int]]] = json.load(file)
    return found
