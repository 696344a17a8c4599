"""Proved wins, and how a player follows them: Gomoku, 4x4x4, trees of forced wins."""
