"""Who chooses a move: `base` says what a player is, `registry` makes one by its name."""

from pathlib import Path

DATA = Path(__file__).parent / "data"  # networks, proofs and tables that players load
