"""Proved wins that players follow: Gomoku, 4x4x4, trees of forced wins."""
