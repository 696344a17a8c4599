"""Lattices of any shape, whose rows are counted one by one: tic-tac-toe, flat or in space."""
