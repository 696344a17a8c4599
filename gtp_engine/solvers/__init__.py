"""Solvers: prove the value of a position."""
