"""Tournaments: contests, results and statistics."""
