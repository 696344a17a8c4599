"""The table of games, one row each."""

from functools import lru_cache

from .lattice import WHITE, Lattice
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


def find(name: str) -> Rules:
    """Return the game of a name; case does not matter.  Raises ValueError if there is none."""
    for rules in GAMES.values():
        if rules.name.lower() == name.lower():
            return rules
    raise ValueError(f"no such game: {name} (available: {' '.join(GAMES)})")


def start(rules: Rules, size: int) -> Position:
    """Return an empty position; `size` is the side of the square that displays the board.

    Raises ValueError if the game is not played on this size.
    """
    if not rules.smallest <= size <= rules.largest:
        raise ValueError(f"{rules.name} is played on sizes {rules.smallest} to {rules.largest}")
    return Position(rules, lattice(*[size // 2] * 3) if rules.cube else lattice(size, size))


@lru_cache(maxsize=None)
def lattice(width: int, height: int, depth: int = 1) -> Lattice:
    """Return the lattice of these sizes, always the same object, so that caches are shared."""
    return Lattice(width, height, depth)
