"""Solvers: prove the value of a position with perfect play."""
