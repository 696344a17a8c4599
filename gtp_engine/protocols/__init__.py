"""Protocols of the engine."""
