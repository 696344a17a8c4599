"""Seats: our players, people, programs."""
