"""Lessons and tournaments for spectators."""
