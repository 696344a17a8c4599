"""Notations, clocks, streams, files."""
