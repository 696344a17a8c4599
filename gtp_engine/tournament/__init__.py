"""Tournaments: contests, players, results and statistics."""
