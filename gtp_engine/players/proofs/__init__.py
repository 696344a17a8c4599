"""Proved wins that players follow."""
