"""Puzzles: positions with a single right move."""
