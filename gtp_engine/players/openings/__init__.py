"""Decisions before the fight: even and balanced openings, swaps."""
