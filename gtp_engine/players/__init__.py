"""Players: `base` has their interface, `registry` their names."""

from pathlib import Path

DATA = Path(__file__).parent / "data"  # networks, proofs and tables that players load
