"""Positions with one winning move, or one that does not lose: found, shipped, solved, printed."""
