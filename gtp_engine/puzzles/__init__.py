"""Puzzles: positions with a single winning move, or a single move that does not lose."""
