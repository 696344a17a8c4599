"""Seats of a game: players of this package, people, programs."""
