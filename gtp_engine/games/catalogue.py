"""The table of games, one row each."""

import re
from functools import lru_cache
from typing import Optional

from .lattice import BLACK, WHITE, Lattice, Size, as_size, sides, size_text
from .rules import Position, Rules

GOMOKU = Rules("Gomoku", smallest=3, largest=25, default_size=7)
GOMOKU_EXACT = GOMOKU._replace(name="Gomoku-exact", overline_wins=False)
GOMOKU_CENTRE = GOMOKU._replace(name="Gomoku-centre", default_size=15, centre_opening=1)
PENTE = Rules("Pente", smallest=7, largest=25, default_size=19,
              capture_lengths=(2,), captures_to_win=10, centre_opening=2)
PENTE_FREE = PENTE._replace(name="Pente-free", centre_opening=0)
NINUKI = PENTE_FREE._replace(name="Ninuki", smallest=5, default_size=7, block_open_four=False)
KERYO_PENTE = PENTE._replace(name="Keryo-Pente", capture_lengths=(2, 3), captures_to_win=15)
CARO = GOMOKU._replace(name="Caro", caro=True, default_size=15)
CARO_EXACT = CARO._replace(name="Caro-exact", overline_wins=False)
GOMOKU_SWAP = GOMOKU._replace(name="Gomoku-swap", default_size=15, first=WHITE, swap=True)
RENJU = GOMOKU._replace(name="Renju", default_size=15, renju=True)
QUBIC = Rules("Qubic", smallest=8, largest=8, default_size=8, in_a_row=4, cube=True)
QUBIC_3 = QUBIC._replace(name="Qubic-3", smallest=6, largest=6, default_size=6, in_a_row=3)
TIC_TAC_TOE = Rules("Tic-tac-toe", smallest=3, largest=3, default_size=3, in_a_row=3)

GAMES = {rules.name: rules for rules in (
    GOMOKU, GOMOKU_EXACT, GOMOKU_CENTRE, PENTE, PENTE_FREE, KERYO_PENTE, NINUKI, CARO,
    CARO_EXACT, GOMOKU_SWAP, RENJU, QUBIC, QUBIC_3, TIC_TAC_TOE)}


FAMILY = "K-in-a-row"  # the games of `k_in_a_row` besides GAMES
SHORTEST, LONGEST = 3, 25  # K
FIRST = {BLACK: "black first", WHITE: "white first"}  # in names of variants
LARGEST_SIDE = 25  # notations have letters for 25 columns


def k_in_a_row(length: int) -> Rules:
    """Return the game in which `length` stones in a row win; longer rows win too.

    Five in a row is Gomoku.  Raises ValueError if `length` is not from SHORTEST to LONGEST.
    """
    if not SHORTEST <= length <= LONGEST:
        raise ValueError(f"{FAMILY} has a K from {SHORTEST} to {LONGEST}, not {length}")
    if length == GOMOKU.in_a_row:
        return GOMOKU
    return GOMOKU._replace(name=FAMILY.replace("K", str(length)), in_a_row=length,
                           default_size=max(length, 7 if length < GOMOKU.in_a_row else 15))


def variant(rules: Rules, in_a_row: Optional[int] = None, first: Optional[int] = None) -> Rules:
    """Return a game with another length of winning rows, or another colour that moves first.

    Its name, such as "Pente, 4 in a row, white first", is one that `find` understands.  Raises
    ValueError if the game does not allow it.
    """
    if in_a_row is not None and in_a_row != rules.in_a_row:
        if rules.renju or rules.cube or not 2 <= in_a_row <= LONGEST:
            raise ValueError(f"{rules.name}: {in_a_row} in a row is not supported")
        rules = (k_in_a_row(in_a_row) if rules == GOMOKU and in_a_row >= SHORTEST else
                 rules._replace(name=f"{rules.name}, {in_a_row} in a row", in_a_row=in_a_row,
                                smallest=min(rules.smallest, in_a_row)))
    if first is not None and first != rules.first:
        if rules.swap or rules.centre_opening or rules.renju:
            raise ValueError(f"{rules.name} does not allow another colour to move first")
        rules = rules._replace(name=f"{rules.name}, {FIRST[first]}", first=first)
    return rules


def find(name: str) -> Rules:
    """Return the game of a name; case does not matter.

    A name such as 4-in-a-row gives the game of `k_in_a_row`; what follows a comma gives one of
    `variant`.  Raises ValueError if there is none.
    """
    name, *changes = re.split(", *", name)
    rules = _without_changes(name)
    for change in changes:
        length = re.fullmatch("([0-9]{1,2}) in a row", change.lower(), re.ASCII)
        first = next((each for each, text in FIRST.items() if text == change.lower()), None)
        if not length and first is None:
            raise ValueError(f"no such change of a game: {change} (available: K in a row, "
                             f"{', '.join(FIRST.values())})")
        rules = variant(rules, int(length[1]) if length else None, first)
    return rules


def _without_changes(name: str) -> Rules:
    for rules in GAMES.values():
        if rules.name.lower() == name.lower():
            return rules
    length = re.fullmatch("([0-9]{1,3})-in-a-row", name.lower(), re.ASCII)
    if length:
        return k_in_a_row(int(length[1]))
    raise ValueError(f"no such game: {name} (available: {' '.join(GAMES)}, "
                     f"and {FAMILY} with a K from {SHORTEST} to {LONGEST})")


def start(rules: Rules, size: Size) -> Position:
    """Return an empty position; `size` is the size of the displayed board.

    A game in the plane is played on rectangles, too, whose sides are sizes of the game.  Raises
    ValueError if the game is not played on this size.
    """
    columns, rows = sides(as_size(size))
    if rules.in_a_row < 2 or rules.renju and rules.in_a_row != GOMOKU.in_a_row:
        raise ValueError(f"{rules.name}: {rules.in_a_row} in a row is not supported")
    least, most = rules.smallest, min(rules.largest, LARGEST_SIDE)
    if not (least <= columns <= most and least <= rows <= most):
        raise ValueError(f"{rules.name} is played on sizes {least} to {most}")
    if not rules.cube:
        return Position(rules, lattice(columns, rows))
    if columns != rows:
        raise ValueError(f"{rules.name} is played on cubes, not on {size_text(size)}")
    return Position(rules, lattice(*[columns // 2] * 3))


@lru_cache(maxsize=None)
def lattice(width: int, height: int, depth: int = 1) -> Lattice:
    """Return the lattice of these sizes, always the same object, so that caches are shared."""
    return Lattice(width, height, depth)
