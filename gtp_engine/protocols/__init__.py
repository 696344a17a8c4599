"""Protocols between a controller and the engine."""
