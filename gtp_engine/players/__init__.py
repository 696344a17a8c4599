"""Players choose moves: `base` has their interface, `registry` creates them by name."""

from pathlib import Path

DATA = Path(__file__).parent / "data"  # networks, proofs and tables that players load
